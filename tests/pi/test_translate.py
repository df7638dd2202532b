"""vision's readings in the rules' words: nothing lost, nothing decided."""

from __future__ import annotations

from functools import reduce
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules import commands
from pi.rules.commands import ReadTray
from pi.rules.vouching import BESIDE, COUNT, LAYOUT, OTHER, SET, UNSEEN
from pi.translate import dice_of, doubt_of, mat_read, read_tray, tray_of
from vision.layout import TRAY_MM
from vision.reading import SYMBOLS, DieReading, DiskReading, PlaceReading, Problem, Reading, Status, TileReading

CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

tiles = st.builds(
    TileReading,
    row=st.integers(0, 8),
    column=st.integers(0, 9),
    symbol=st.sampled_from(SYMBOLS),
    colour=st.sampled_from(("red", "blue", None)),
    sure=st.booleans(),
    confidence=st.floats(0, 1),
    corners=st.just(CORNERS),
    likely=st.lists(st.tuples(st.sampled_from(SYMBOLS), st.floats(0, 1)), max_size=6).map(tuple),
)
readings = st.builds(Reading, status=st.sampled_from(Status), tiles=st.lists(tiles, max_size=41).map(tuple))
anything = st.builds(
    Reading,
    status=st.sampled_from((Status.READ, Status.UNSURE)),
    tiles=st.lists(tiles, max_size=4).map(tuple),
    problems=st.sets(st.sampled_from(Problem)).map(lambda some: reduce(or_, some, Problem.NONE)),
    unseen=st.booleans(),
    unread=st.lists(st.just(CORNERS), max_size=2).map(tuple),
    disks=st.lists(
        st.builds(DiskReading, st.just("queue"), st.just(1), st.booleans(), st.just(0.9), st.just((1.0, 1.0)))
    ),
    tray=st.just(CORNERS) | st.none(),
)


def test_a_tile_face_down_is_a_question_mark():
    reading = Reading(Status.READ, tiles=(TileReading(2, 3, "down", None, True, 0.9, CORNERS),))
    assert tray_of(reading, frame="f").symbols() == {(2, 3): "?"}


def test_the_likely_symbols_come_along_without_the_hopeless_ones():
    likely = (("7", 0.6), ("1", 0.3), ("down", 0.0995), ("4", 0.0005))
    reading = Reading(Status.UNSURE, tiles=(TileReading(0, 0, "7", "red", False, 0.6, CORNERS, likely),))
    (tile,) = tray_of(reading, frame="f").tiles
    assert tile.likely == (("7", 0.6), ("1", 0.3), ("?", 0.0995))
    assert (tile.sure, tile.confidence, tile.colour) == (False, 0.6, "red")


@given(readings)
def test_every_tile_arrives_in_its_place_as_sure_as_it_was(reading):
    tray = tray_of(reading, frame="f")
    assert [(t.row, t.column, t.sure) for t in tray.tiles] == [(t.row, t.column, t.sure) for t in reading.tiles]
    assert (tray.frame, tray.source) == ("f", "camera")


@given(readings)
def test_what_goes_over_the_wire_is_the_command_the_rules_know(reading):
    command = commands.decode(read_tray(reading, frame="20261121T193101-000042"))
    assert command == ReadTray(tray_of(reading, frame="20261121T193101-000042"))


@given(anything)
def test_a_reading_that_is_not_read_always_leaves_somebody_something_to_say(reading):
    """README: what the eye is not sure of, it asks."""
    tray = tray_of(reading, frame="f")
    asked = bool(tray.doubt) or any(not tile.sure for tile in tray.tiles)
    assert asked or reading.status is Status.READ
    assert not tray.doubt or reading.status is not Status.READ


SURE = TileReading(0, 0, "7", "red", True, 0.99, CORNERS)
UNSURE = TileReading(0, 1, "7", "red", False, 0.5, CORNERS)
DISK = DiskReading("queue", 1, False, 0.5, (1.0, 1.0))


@pytest.mark.parametrize(
    ("reading", "doubt"),
    [
        (Reading(Status.READ, (SURE,), problems=Problem.GLARE), ()),
        (Reading(Status.UNSURE, (SURE,), problems=Problem.COUNT), (COUNT,)),
        (Reading(Status.UNSURE, (SURE,), unread=(CORNERS,)), (COUNT,)),
        (Reading(Status.UNSURE, (SURE,), problems=Problem.LAYOUT | Problem.COUNT), (COUNT, LAYOUT)),
        (Reading(Status.UNSURE, (SURE,), problems=Problem.SET), (SET,)),
        (Reading(Status.UNSURE, (SURE, UNSURE), problems=Problem.SET), ()),
        (Reading(Status.UNSURE, (SURE,), unseen=True), (UNSEEN,)),
        (Reading(Status.UNSURE, (SURE,), disks=(DISK,)), (BESIDE,)),
        (Reading(Status.UNSURE, (SURE, UNSURE)), ()),
        (Reading(Status.UNSURE, (SURE,)), (OTHER,)),
    ],
)
def test_what_no_tile_stands_for_is_a_doubt_of_the_whole_tray(reading, doubt):
    assert doubt_of(reading) == doubt


def test_what_was_not_read_comes_along_in_millimetres_of_the_felt():
    felt = ((0.0, 0.0), (880.0, 0.0), (880.0, 680.0), (0.0, 680.0))
    outline = ((430.0, 330.0), (450.0, 330.0), (450.0, 350.0), (430.0, 350.0))
    ((x, y),) = tray_of(Reading(Status.UNSURE, (SURE,), unread=(outline,), tray=felt), frame="f").marks
    assert (x, y) == (pytest.approx(TRAY_MM[0] / 2, abs=0.2), pytest.approx(TRAY_MM[1] / 2, abs=0.2))


@pytest.mark.parametrize(
    ("more", "strange", "unseen"),
    [({}, True, False), ({"unseen": True}, False, True), ({"problems": Problem.COUNT}, True, False)],
    ids=["unsure, and nothing says of what", "unseen", "count"],
)
def test_dice_and_mats_that_are_unsure_for_another_reason_than_their_pieces_say_so(more, strange, unseen):
    die = DieReading(3, "red", True, 0.99, (1.0, 1.0))
    dice = dice_of(Reading(Status.UNSURE, dice=(die,), tray=CORNERS, expected="dice", **more), frame="f")
    place = PlaceReading(0, "empty", True, 0.99, (1.0, 1.0))
    mat = mat_read(Reading(Status.UNSURE, places=(place,), tray=CORNERS, expected="blob:8", **more), frame="f")
    assert [(seen.strange, seen.unseen) for seen in (dice, mat)] == [(strange, unseen)] * 2
