"""Issue 3: a tray unsure in one frame is sure after five; what light blanks out only a shorter exposure shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.crops.faces import FACES
from vision.frames.in_less_light import seen_of, with_its_darkness
from vision.frames.short import SHARES, in_all, in_both
from vision.layout import Expectation
from vision.reading import (
    EMPTY,
    SYMBOLS,
    DieReading,
    DiskReading,
    PlaceReading,
    Problem,
    Reading,
    Status,
    StrayReading,
    TileReading,
)
from vision.settle import Settler

ROW = "0836572914"
THERE = ((90.0, 90.0), (110.0, 90.0), (110.0, 110.0), (90.0, 110.0))


def tile(column: int, symbol: str, *, sure: bool = True, row: int = 0, maybe: str = "") -> TileReading:
    """A tile; one that is not sure may be any of `maybe`, too, as far as its pixels say."""
    x, y = 30.0 * column, 40.0 * row
    p = np.full(len(SYMBOLS), 1e-9)
    p[[SYMBOLS.index(s) for s in (symbol, *maybe)]] = 1.0
    evidence = tuple(np.log(p / p.sum()).tolist())
    corners = ((x, y), (x + 28, y), (x + 28, y + 32), (x, y + 32))
    return TileReading(row, column, symbol, "red", sure, 0.99, corners, evidence=evidence)


def rows(symbols: str = ROW, *, unsure: str = "", maybe: str = "", problems: Problem = Problem.NONE) -> Reading:
    """A row of tiles; those that show one of `unsure` are in doubt."""
    tiles = tuple(tile(k, s, sure=s not in unsure, maybe=maybe if s in unsure else "") for k, s in enumerate(symbols))
    status = Status.UNSURE if unsure or problems else Status.READ
    return Reading(status, tiles=tiles, problems=problems, expected="wild")


def die(
    value: int, x: float = 0.0, *, sure: bool = True, colour: str = "red", maybe: tuple[int, ...] = ()
) -> DieReading:
    p = np.full(len(FACES), 1e-9)
    p[[FACES.index(("die", v)) for v in (value, *maybe)]] = 1.0
    evidence = tuple(np.log(p / p.sum()).tolist())
    return DieReading(value, colour, sure, 0.99 if sure else 0.4, (x, 0.0), evidence=evidence)


def dice(*thrown: DieReading, problems: Problem = Problem.NONE, **more: object) -> Reading:
    sure = all(d.sure for d in thrown) and not problems and not more.get("unread")
    status = Status.READ if sure else Status.UNSURE
    return replace(Reading(status, dice=thrown, problems=problems, expected="dice"), **more)


def shown(reading: Reading) -> str:
    return "".join(t.symbol if t.sure else "?" for t in reading.tiles)


def test_pips_that_bloom_are_read_in_less_light() -> None:
    usual = dice(die(6, sure=False, maybe=(5, 4)), die(2, 100.0))
    both = in_both(usual, dice(die(5), die(2, 100.0)))
    assert (both.status, [d.value for d in both.dice]) == (Status.READ, [5, 2])


def test_of_what_the_usual_exposure_is_sure_nothing_is_taken_from_the_shorter_one() -> None:
    """It may be too dark to tell; and where both are sure of something else, one of them is wrong."""
    usual = dice(die(6, sure=False, maybe=(5,)), die(2, 100.0))
    dark = in_both(usual, dice(die(5), die(3, 100.0, sure=False)))
    assert (dark.status, [d.value for d in dark.dice]) == (Status.READ, [5, 2])
    torn = in_both(usual, dice(die(5), die(3, 100.0)))
    assert (torn.status, [d.sure for d in torn.dice]) == (Status.UNSURE, [True, False])


def test_what_the_usual_exposure_rules_out_the_shorter_one_does_not_make_certain() -> None:
    usual = dice(die(6, sure=False, maybe=(4,)))
    assert in_both(usual, dice(die(3))) == usual


def test_a_piece_doubted_for_more_than_its_face_may_be_anything_where_that_is_not_plain() -> None:
    usual = dice(replace(die(6, sure=False), evidence=None))
    assert in_both(usual, dice(die(3))).status is Status.READ


def test_a_piece_that_may_be_a_disk_is_one_in_any_light() -> None:
    """Its face is plain and it is doubted for its shape: a shorter exposure's word is no second witness."""
    usual = dice(replace(die(1, sure=False), evidence=None, confidence=0.997))
    assert in_both(usual, dice(die(1))) == usual


@pytest.mark.parametrize(("level", "status"), [(90, Status.READ), (20, Status.UNSURE)])
def test_where_a_shorter_exposure_is_dark_it_does_not_show_that_nothing_lies_there(level: int, status: Status) -> None:
    """Never silently wrong: a black die on black felt is hardly seen in the usual exposure."""
    usual = dice(die(2), problems=Problem.COUNT, unread=(THERE,))
    picture = np.full((200, 300, 3), 90, np.uint8)
    picture[85:115, 85:115] = (0, 0, level)
    short = with_its_darkness(dice(die(2)), usual, picture)
    both = in_both(usual, short)
    assert (both.status, both.unread) == (status, () if status is Status.READ else (THERE,))
    beyond = replace(usual, unread=(((310.0, 90.0), (330.0, 90.0), (330.0, 110.0), (310.0, 110.0)),))
    assert with_its_darkness(dice(die(2)), beyond, picture).status is Status.READ


@pytest.mark.parametrize(
    "short", [dice(die(5)), dice(die(5), die(2, 100.0), die(1, 200.0)), dice(die(5), die(2, 130.0))]
)
def test_another_number_of_dice_or_others_elsewhere_tell_nothing(short: Reading) -> None:
    usual = dice(die(6, sure=False, maybe=(5,)), die(2, 100.0))
    assert in_both(usual, short) == usual


def test_a_die_that_lies_where_nothing_could_be_read_is_one_more() -> None:
    """A marker that mirrors a lamp may hide one (issue 3: never silently wrong)."""
    usual = dice(die(2), problems=Problem.COUNT, unread=(THERE,))
    white = replace(die(4), centre=(100.0, 100.0))
    both = in_both(usual, dice(die(2), white))
    assert (both.status, [d.value for d in both.dice], both.unread) == (Status.READ, [2, 4], ())
    bare = in_both(usual, dice(die(2)))
    assert (bare.status, bare.problems, bare.unread) == (Status.READ, Problem.NONE, ())


def test_what_only_the_shorter_exposure_cannot_read_is_asked_about_too() -> None:
    usual = dice(die(6, sure=False, maybe=(5,)))
    both = in_both(usual, dice(die(5), problems=Problem.COUNT, unread=(THERE,)))
    assert (both.status, both.unread, [d.sure for d in both.dice]) == (Status.UNSURE, (THERE,), [True])


def test_what_is_sure_at_first_is_asked_about_where_a_shorter_exposure_is_sure_of_something_else() -> None:
    """Never silently wrong: more looks in the usual light outvote no other witness."""
    usual = dice(die(6), die(2, 100.0))
    assert in_both(usual, dice(die(6), die(2, 100.0), problems=Problem.COUNT, unread=(THERE,))) == usual
    assert in_both(usual, dice(die(5, sure=False), die(2, 100.0))) == usual
    torn = in_both(usual, dice(die(5), die(2, 100.0)))
    assert (torn.status, [d.sure for d in torn.dice]) == (Status.UNSURE, [False, True])


def test_a_die_keeps_the_colour_it_has_in_the_usual_light() -> None:
    """Dice of one colour get one name; in less light all may have another."""
    usual = dice(die(6, sure=False, maybe=(5,), colour="orange"), die(2, 100.0, colour="orange"))
    both = in_both(usual, dice(die(5, colour="brown"), die(2, 100.0, colour="brown")))
    assert [(d.value, d.colour) for d in both.dice] == [(5, "orange"), (2, "orange")]


def test_a_tile_keeps_the_colour_that_its_row_has_in_the_usual_light() -> None:
    """Tiles of one colour get one name; in less light all may have another."""
    short = replace(rows(), tiles=tuple(replace(t, colour="brown") for t in rows().tiles))
    both = in_both(rows(unsure="8", maybe="3"), short)
    assert both.status is Status.READ
    assert {t.colour for t in both.tiles} == {"red"}


@pytest.mark.parametrize("layout", ["rect", "diamond", "mixed"])
def test_where_no_row_is_one_colours_only_a_whole_board_is_taken(layout: str) -> None:
    """RULES 1: each number once a colour, wherever it lies."""
    usual, short = (replace(r, expected=layout) for r in (rows(unsure="8", maybe="3"), rows("0336572914", unsure="9")))
    both = in_both(usual, short)
    assert (both.status, shown(both)) == (Status.UNSURE, "0?36572914")
    assert in_both(usual, replace(rows(), expected=layout)).status is Status.READ


def test_boards_of_two_layouts_or_in_other_colours_tell_nothing() -> None:
    usual = replace(rows(unsure="8", maybe="3"), expected="mixed")
    other = tuple(replace(t, colour="orange") for t in rows().tiles)
    assert in_both(usual, replace(rows(), expected="mixed", tiles=other)) == usual
    assert in_both(usual, replace(rows(), expected="rows")) == usual
    blank = replace(rows(), status=Status.UNSURE, problems=Problem.COUNT)
    assert in_both(blank, replace(rows(), expected="rows")) == blank


def test_other_problems_of_the_usual_exposure_are_still_told() -> None:
    usual = dice(
        die(2), problems=Problem.COUNT | Problem.GLARE | Problem.FIDUCIAL_MISSING, unread=(THERE,), unseen=True
    )
    both = in_both(usual, dice(die(2)))
    assert (both.status, both.problems, both.unseen) == (Status.READ, Problem.FIDUCIAL_MISSING, False)


def test_tiles_are_sure_where_one_of_both_is_and_the_other_does_not_object() -> None:
    usual, short = rows(unsure="86", maybe="5"), rows(unsure="29", maybe="6")
    both = in_both(usual, short)
    assert (both.status, shown(both)) == (Status.READ, ROW)


@pytest.mark.parametrize(("problems", "symbol"), [(Problem.GLARE, "8"), (Problem.NONE, "?")])
def test_what_seems_a_back_in_a_lamps_image_rules_no_number_out(problems: Problem, symbol: str) -> None:
    """However many frames in that light say so: six of them had made it 1 to nothing."""
    usual = rows(unsure="8", problems=problems)
    at = ROW.index("8")
    surely_a_back = tuple(0.0 if symbol == "down" else -30.0 for symbol in SYMBOLS)
    back = replace(usual.tiles[at], symbol="down", evidence=surely_a_back)
    usual = replace(usual, tiles=(*usual.tiles[:at], back, *usual.tiles[at + 1 :]))
    both = in_both(usual, rows())
    assert shown(both) == ROW.replace("8", symbol)


def test_what_seems_a_back_in_a_lamps_image_is_none_for_sure_in_less_light_either() -> None:
    """Never silently wrong: at 0.12 of the light it was not blown out any more, and as blank as before."""
    usual, short = rows(unsure="8", problems=Problem.GLARE), rows()
    at = ROW.index("8")
    usual, short = (
        replace(r, tiles=(*r.tiles[:at], replace(r.tiles[at], symbol="down"), *r.tiles[at + 1 :]))
        for r in (usual, short)
    )
    for several in ([short], [short, short], [short, short, short]):
        together = in_all(usual, several)
        assert (together.status, together.tiles[at].sure) == (Status.UNSURE, False)


def test_a_number_that_is_in_its_row_already_is_asked_about() -> None:
    """RULES 1: each number once a colour."""
    usual, short = rows(unsure="8", maybe="3"), rows("0336572914", unsure="9")
    assert shown(in_both(usual, short)) == "0?36572914"


def test_a_broken_set_is_whole_once_the_tile_that_broke_it_is_read() -> None:
    usual = rows("0836572944", unsure="4", maybe="1", problems=Problem.SET)
    both = in_both(usual, rows("0836572914"))
    assert (both.status, both.problems, shown(both)) == (Status.READ, Problem.NONE, "0836572914")


@pytest.mark.parametrize(
    ("before", "after", "problems", "read"),
    [
        (0.98, 0.996, Problem.NONE, False),  # a three whose paint has worn off, and a two for any camera
        (0.98, 0.9981, Problem.NONE, True),
        (0.6, 0.97, Problem.NONE, True),
        (0.98, 0.996, Problem.GLARE, True),
    ],
)
def test_without_glare_a_shorter_exposure_is_but_another_look_and_must_doubt_ten_times_less(
    before: float, after: float, problems: Problem, read: bool
) -> None:
    usual, short = rows(unsure="2"), rows()
    tiles = [replace(t, confidence=before, likely=(("2", before), ("3", 1 - before))) for t in usual.tiles]
    usual = replace(usual, problems=problems, tiles=tuple(tiles))
    short = replace(short, tiles=tuple(replace(t, confidence=after) for t in short.tiles))
    assert (in_both(usual, short).status is Status.READ) is read


@pytest.mark.parametrize(
    ("light", "confidence", "read"),
    [
        (1.0, 0.9995, True),
        (1.4, 0.9995, True),
        (1.7, 0.9995, False),  # two numbers in a lamp's image were as blank for 0.35 and for 0.12
        (1.0, 0.998, False),
    ],
)
def test_a_back_in_a_lamps_image_is_one_where_a_shorter_exposure_would_show_ink(
    light: float, confidence: float, read: bool
) -> None:
    """A lamp's image of half of white's light leaves half of ink's contrast; one of more may leave none to be seen."""
    usual = rows(unsure="8")
    glares = [replace(t, symbol="down", likely=(("down", 0.85),)) if t.symbol == "8" else t for t in usual.tiles]
    usual = replace(usual, problems=Problem.GLARE, tiles=tuple(glares))
    backs = [replace(t, symbol="down", sure=True, confidence=confidence) for t in glares]
    short = replace(usual, status=Status.READ, problems=Problem.NONE, tiles=tuple(backs))
    taken = np.full((60, 320, 3), 60, np.uint8)
    (x, y), (right, low) = (backs[1].corners[0], backs[1].corners[2])
    assert glares[1].symbol == "down"
    taken[int(y) : int(low) + 1, int(x) : int(right) + 1] = round(255 * (light * SHARES[0]) ** (1 / 2.2))
    seen, _ = seen_of(short, usual, [np.full_like(taken, 200), taken], lambda _: usual)
    together = in_all(usual, seen)
    assert (together.tiles[1].sure, together.tiles[1].symbol) == (read, "down")


def test_a_back_that_lies_beyond_the_picture_is_not_believed() -> None:
    usual = rows(unsure="8")
    backs = [replace(t, symbol="down", sure=t.sure) for t in usual.tiles]
    usual = replace(usual, problems=Problem.GLARE, tiles=tuple(backs))
    short = replace(usual, tiles=tuple(replace(t, sure=True, confidence=1.0) for t in backs))
    picture = np.full((20, 20, 3), 60, np.uint8)
    seen, _ = seen_of(short, usual, [picture, picture], lambda _: usual)
    assert [t.blank for t in seen[0].tiles][:2] == [True, False]


def test_tiles_in_other_places_tell_nothing() -> None:
    usual = rows(unsure="8")
    assert in_both(usual, rows(ROW[:9])) == usual
    moved = replace(
        rows(), tiles=tuple(replace(t, corners=tile(k + 1, "1").corners) for k, t in enumerate(rows().tiles))
    )
    assert in_both(usual, moved) == usual


def test_disks_and_places_of_a_mat_are_put_together_likewise() -> None:
    disk = DiskReading("queue", 4, False, 0.6, (0.0, 0.0))
    usual = Reading(Status.UNSURE, disks=(disk,), expected="disks")
    both = in_both(usual, Reading(Status.READ, disks=(replace(disk, value=1, sure=True),), expected="disks"))
    assert (both.status, both.disks[0].value) == (Status.READ, 1)
    place = PlaceReading(1, "light", False, 0.6, (0.0, 0.0), (("light", 0.6), ("empty", 0.4)))
    mat = Reading(Status.UNSURE, places=(place,), expected="board")
    empty = replace(place, holds="empty", sure=True)
    assert in_both(mat, replace(mat, status=Status.READ, places=(empty,))).status is Status.READ
    dark = replace(place, holds="dark", sure=True)
    assert in_both(mat, replace(mat, status=Status.READ, places=(dark,))) == mat
    light = replace(place, holds="light", sure=True)
    assert in_both(mat, replace(mat, status=Status.READ, places=(light,))) == mat, "a dark one in a lamp's image"
    alike = replace(mat, status=Status.READ, places=(replace(light, alike=True),))
    assert in_both(mat, alike) == mat, "as light as others, but not in the usual exposure"
    assert in_both(replace(mat, places=(replace(place, alike=True),)), alike).status is Status.READ


def test_what_lies_on_a_line_of_a_mat_is_there_unless_a_shorter_exposure_sees_the_line() -> None:
    sure, unsure = (PlaceReading(k, EMPTY, s, 0.99, (0.0, 0.0), ((EMPTY, 0.99),)) for k, s in ((0, True), (1, False)))
    clear = replace(unsure, sure=True)
    here, elsewhere, beside = (StrayReading(near, (5.0, 5.0)) for near in ((0, 1), (0,), ()))
    usual = Reading(Status.UNSURE, places=(sure, unsure), strays=(here,), expected="board")
    read = Reading(Status.READ, places=(sure, clear), expected="board")
    both = in_both(usual, read)
    assert (both.status, both.strays) == (Status.READ, ())
    doubted = Reading(Status.UNSURE, places=(sure, unsure), expected="board")
    assert in_both(usual, doubted).strays == (here,), "nobody saw that line"
    assert in_both(usual, replace(read, status=Status.UNSURE, strays=(elsewhere,))).strays == (elsewhere,)
    assert in_both(usual, replace(read, status=Status.UNSURE, strays=(here,))).strays == (here,), "once"
    assert in_both(replace(usual, strays=(beside,)), replace(doubted, places=(sure, clear))).strays == (beside,)
    both = in_both(replace(usual, strays=()), replace(read, status=Status.UNSURE, strays=(here,)))
    assert (both.status, both.strays) == (Status.UNSURE, (here,))


def test_all_exposures_of_a_mat_are_not_put_into_one_picture() -> None:
    """Paper is lit evenly in none that is made of several: in its patches bare paper was a light counter for sure."""
    place = PlaceReading(0, "light", False, 0.6, (0.0, 0.0), (("light", 0.6), (EMPTY, 0.4)))
    usual = Reading(Status.UNSURE, places=(place,), expected="board")
    picture = np.full((40, 40, 3), 90, np.uint8)
    seen, shows = seen_of(usual, usual, [picture, picture // 2], lambda _: pytest.fail("nobody looks"))
    assert (seen, shows.max()) == ([usual], 45)


@pytest.mark.parametrize("status", [Status.BUSY, Status.NO_TRAY, Status.EMPTY])
def test_a_hand_or_a_black_picture_tells_nothing(status: Status) -> None:
    usual = dice(die(6, sure=False))
    assert in_both(usual, Reading(status)) == usual


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans(), st.integers(1, 6), st.booleans()), min_size=1, max_size=6))
def test_nothing_is_sure_that_neither_exposure_is_sure_of_or_that_they_dispute(thrown: list) -> None:
    usual = dice(*(die(v, 100.0 * k, sure=s, maybe=(1, 2, 3, 4, 5, 6)) for k, (v, s, _, _) in enumerate(thrown)))
    short = dice(*(die(v, 100.0 * k, sure=s) for k, (_, _, v, s) in enumerate(thrown)))
    both = in_both(usual, short)
    for (v, s, w, t), now in zip(thrown, both.dice, strict=True):
        assert now.sure == ((s or t) and not (s and t and v != w))
        assert now.value == (v if s or not t else w)
    assert (both.status is Status.READ) == all(d.sure for d in both.dice)
    assert in_both(usual, usual) == usual


def settled(readings: list[Reading], *, bracket: bool) -> tuple[Settler, Reading | None]:
    settler, out = Settler(Expectation.DICE), None
    for k, reading in enumerate(readings):
        settler, out = settler.step(reading, at_ns=k * 200_000_000, still=k > 0, bracket=bracket)
        if out is not None or settler.waits:
            break
    return settler, out


DOUBT = dice(die(6, sure=False, maybe=(5,)))


def test_the_table_is_not_asked_before_a_shorter_exposure_was_looked_at() -> None:
    settler, out = settled([DOUBT] * 20, bracket=True)
    assert (settler.waits, out) == (True, None)
    settler, out = settler.told([dice(die(5))], at_ns=settler.last_ns + 1_500_000_000)
    assert out is not None
    assert (out.status, out.dice[0].value) == (Status.READ, 5)
    # What was cleared up stays so: the frames that go on say the same as before, and are no news.
    for _ in range(10):
        settler, again = settler.step(DOUBT, at_ns=settler.last_ns + 200_000_000, still=True, bracket=True)
        assert (settler.waits, again) == (False, None)


@pytest.mark.parametrize("shorter", [[], [DOUBT]])
def test_it_is_asked_where_that_tells_nothing(shorter: list[Reading]) -> None:
    settler, _ = settled([DOUBT] * 20, bracket=True)
    settler, out = settler.told(shorter, at_ns=settler.last_ns + 1)
    assert out is not None
    assert out.status is Status.UNSURE
    settler, again = settler.again(at_ns=settler.last_ns + 200_000_000, bracket=True)
    assert (settler.waits, again) == (False, None)


def test_where_one_shorter_exposure_leaves_a_doubt_the_next_is_taken_before_the_table_is_asked() -> None:
    """What mirrors a lamp is as white in the first."""
    settler, _ = settled([DOUBT] * 20, bracket=True)
    settler, out = settler.told([DOUBT], at_ns=settler.last_ns + 1, bracket=True)
    assert (settler.waits, settler.exposures, out) == (True, 1, None)
    settler, out = settler.told([dice(die(5))], at_ns=settler.last_ns + 2, bracket=True)
    assert not settler.waits
    assert out is not None
    assert (out.status, out.dice[0].value) == (Status.READ, 5)


LIGHT, DIM = np.full((40, 40, 3), 255, np.uint8), np.full((40, 40, 3), 120, np.uint8)


def test_where_a_shorter_exposure_leaves_a_doubt_all_are_looked_at_in_one_picture() -> None:
    looked_at = []

    def look(picture_bgr: np.ndarray) -> Reading:
        looked_at.append(picture_bgr)
        return dice(die(5))

    lit = DIM.copy()
    lit[10:30, 10:30] = LIGHT[10:30, 10:30]
    seen, shows = seen_of(DOUBT, DOUBT, [lit, DIM // 2], look)
    assert seen == [DOUBT, dice(die(5))]
    assert in_all(DOUBT, seen).status is Status.READ
    assert shows is looked_at[0]
    assert (shows[20, 20, 0], shows[2, 2, 0]) == (60, 120)


def test_where_a_camera_clips_below_white_the_next_exposure_shows_what_is_there() -> None:
    """Video's white is 235: a place of that in the usual exposure is blown out."""
    lit = DIM.copy()
    lit[10:30, 10:30] = 235
    _, shows = seen_of(DOUBT, DOUBT, [lit, DIM // 2], lambda _: dice(die(5)))
    assert shows is not None
    assert shows[20, 20, 0] < shows[2, 2, 0]


def test_what_a_shorter_exposure_shows_alone_is_looked_at_no_more() -> None:
    def look(picture_bgr: np.ndarray) -> Reading:
        raise AssertionError("nobody asked")

    seen, shows = seen_of(dice(die(5)), DOUBT, [LIGHT, DIM], look)
    assert (seen, shows) == ([dice(die(5))], DIM)


def test_what_lies_unread_in_the_dark_stays_a_question_in_the_picture_of_all() -> None:
    """Something dark that the usual exposure hardly shows none of them shows."""
    black = np.full((120, 160, 3), 12, np.uint8)
    place = ((40.0, 40.0), (60.0, 40.0), (60.0, 60.0), (40.0, 60.0))
    usual = replace(dice(die(2)), status=Status.UNSURE, unread=(place,), problems=Problem.COUNT)
    seen, _ = seen_of(replace(usual, unread=()), usual, [black, black], lambda _: dice(die(2)))
    assert in_all(usual, seen).status is Status.UNSURE


@pytest.mark.parametrize(("lit", "status"), [(0, Status.UNSURE), (20, Status.READ)])
def test_what_lies_unread_where_nothing_is_blown_out_stays_a_question_in_the_picture_of_all(lit: int, status: Status):
    """That shows it as the usual exposure does: if it is not seen there now, that is chance."""
    place = ((40.0, 40.0), (60.0, 40.0), (60.0, 60.0), (40.0, 60.0))
    usual = replace(dice(die(2)), status=Status.UNSURE, unread=(place,), problems=Problem.COUNT)
    light = np.full((120, 160, 3), 120, np.uint8)
    light[40 : 40 + lit, 40:60] = 255
    dim = np.full_like(light, 70)
    seen, _ = seen_of(usual, usual, [light, dim], lambda _: dice(die(2)))
    assert in_all(usual, seen).status is status


TWO = dice(die(6, sure=False, maybe=(5,)), die(3, 200.0, sure=False, maybe=(4,)))
ONE_OF_THEM = dice(die(5), die(3, 200.0, sure=False, maybe=(4,)))


def test_after_the_last_shorter_exposure_it_is_asked_and_each_has_its_say() -> None:
    """Never silently wrong: of two shorter exposures that are sure of different faces neither is believed."""
    settler, _ = settled([TWO] * 20, bracket=True)
    settler, out = settler.told([ONE_OF_THEM], at_ns=settler.last_ns + 1, bracket=True)
    assert (settler.waits, out) == (True, None)
    settler, out = settler.told([dice(die(6), die(3, 200.0))], at_ns=settler.last_ns + 2, bracket=True)
    assert (settler.waits, settler.exposures) == (False, len(SHARES))
    assert out is not None
    assert [(d.value, d.sure) for d in out.dice] == [(5, False), (3, True)]


def test_what_the_first_shorter_exposure_disputes_the_next_does_not_decide() -> None:
    """Never silently wrong: two exposures against one are no proof, as both may show the same lamp."""
    usual = dice(die(6, maybe=(5,)), die(3, 200.0, sure=False, maybe=(4,)))
    other = dice(die(5), die(3, 200.0))
    assert [d.sure for d in in_both(in_both(usual, other), other).dice] == [True, True]
    together = in_all(usual, [other, other])
    assert together.status is Status.UNSURE
    assert [(d.value, d.sure) for d in together.dice] == [(6, False), (3, True)]


def test_where_no_more_can_be_had_meanwhile_it_is_asked_with_what_was() -> None:
    settler, _ = settled([TWO] * 20, bracket=True)
    settler, out = settler.told([ONE_OF_THEM], at_ns=settler.last_ns + 1, bracket=False)
    assert not settler.waits
    assert out is not None
    assert [d.sure for d in out.dice] == [True, False]


def test_a_camera_that_cannot_do_it_is_not_waited_for() -> None:
    settler, out = settled([DOUBT] * 20, bracket=False)
    assert not settler.waits
    assert out is not None


def test_what_a_shorter_exposure_showed_of_one_scene_says_nothing_of_the_next() -> None:
    settler, _ = settled([DOUBT] * 20, bracket=True)
    settler, _ = settler.told([dice(die(5))], at_ns=settler.last_ns + 1)
    other = dice(die(6, 300.0, sure=False, maybe=(5,)))
    settler, _ = settler.step(other, at_ns=settler.last_ns + 200_000_000, bracket=True)
    assert (settler.shorter, settler.exposures) == ((), 0)
    gone, _ = settled([DOUBT] * 20, bracket=True)
    gone, _ = gone.step(Reading(Status.BUSY, problems=Problem.HAND), at_ns=gone.last_ns + 1, bracket=True)
    assert not gone.waits
    assert gone.told([dice(die(5))], at_ns=gone.last_ns + 1)[1] is None
