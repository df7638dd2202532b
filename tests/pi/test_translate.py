"""vision's readings in the rules' words: nothing lost, nothing decided."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi.rules import commands
from pi.rules.commands import ReadTray
from pi.translate import read_tray, tray_of
from vision.reading import SYMBOLS, Reading, Status, TileReading

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
