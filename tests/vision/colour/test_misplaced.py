"""RULES 1, base game and Draw Bridge: each row is of one colour. A tile of another is asked about, not taken for its.

Two with one number that lie in each other's rows break no rule of the set, so that nothing else would tell.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import ROWS, cells, drawn, shadowed, shown
from vision.colour.misplaced import rows_they_are_of
from vision.infer import DOWN
from vision.reader import read
from vision.reading import Reading, Status

MIDDLES = np.array([[50.0, 40.0, 20.0], [40.0, 5.0, -40.0], [45.0, -40.0, 25.0], [70.0, 10.0, 60.0]])
FOUR_ROWS = [list(range(10 * r, 10 * r + 10)) for r in range(4)]
NUMBERS = np.tile(np.arange(10), 4)
OWN = np.repeat(np.arange(4), 10)


def points(seed: int, scatter: float) -> np.ndarray:
    """Return the colours of four rows of ten, scattered by so much (CIE units)."""
    return MIDDLES[OWN] + np.random.default_rng(seed).normal(0, scatter, (40, 3))


@given(st.integers(0, 500), st.floats(0.0, 7.0))
def test_no_tile_of_its_row_is_misplaced_however_much_colours_scatter(seed: int, scatter: float) -> None:
    np.testing.assert_array_equal(rows_they_are_of(points(seed, scatter), FOUR_ROWS, NUMBERS), OWN)


@given(st.integers(0, 200), st.integers(0, 9), st.permutations(range(4)))
def test_exchanged_tiles_have_the_colour_of_the_row_that_they_were_taken_from(
    seed: int, number: int, where: list[int]
) -> None:
    seen = points(seed, 2.0)
    at = np.arange(4) * 10 + number
    seen[at] = seen[at[where]]
    found = rows_they_are_of(seen, FOUR_ROWS, NUMBERS)
    np.testing.assert_array_equal(found[at], where)
    assert (np.delete(found, at) == np.delete(OWN, at)).all()


def test_where_much_scatters_only_two_that_vouch_for_one_another_are_misplaced() -> None:
    seen = points(4, 10.0)
    seen[[3, 13]] = MIDDLES[[0, 1]] + 0.78 * (MIDDLES[[1, 0]] - MIDDLES[[0, 1]])
    found = rows_they_are_of(seen, FOUR_ROWS, NUMBERS)
    assert (found[3], found[13]) == (1, 0)
    other_number = np.where(np.arange(40) == 13, 4, NUMBERS)
    np.testing.assert_array_equal(rows_they_are_of(seen, FOUR_ROWS, other_number), OWN)


def test_two_rows_of_nearly_one_colour_say_nothing_of_each_others_tiles() -> None:
    close = np.vstack([MIDDLES[:1], MIDDLES[:1] + (0.0, 6.0, 0.0)])
    seen = np.repeat(close, 10, axis=0)
    seen[[3, 13]] = seen[[13, 3]]
    np.testing.assert_array_equal(rows_they_are_of(seen, FOUR_ROWS[:2], NUMBERS[:20]), OWN[:20])


def test_a_back_is_never_misplaced_and_a_tile_in_no_row_is_of_none() -> None:
    seen = points(5, 1.0)
    seen[3] = MIDDLES[1]
    numbers = np.where(np.arange(40) == 3, DOWN, NUMBERS)
    found = rows_they_are_of(seen, [FOUR_ROWS[0][:9], *FOUR_ROWS[1:]], numbers)
    assert found[3] == 0
    assert found[9] == -1


@pytest.mark.parametrize("lengths", [(2, 1), (1, 2), (3, 2), (2, 10)])
def test_begun_rows_tell_too_but_one_tile_alone_is_its_row(lengths: tuple[int, int]) -> None:
    n, m = lengths
    seen = np.vstack([np.tile(MIDDLES[0], (n, 1)), np.tile(MIDDLES[1], (m, 1))])
    seen[n - 1] = MIDDLES[1]
    found = rows_they_are_of(seen, [list(range(n)), list(range(n, n + m))], np.arange(n + m) % 10)
    assert found.tolist() == [0] * (n - 1) + [0 if n == 1 else 1] + [1] * m


def laid(change: dict[tuple[int, int], str], *, layout: str, rows: tuple[tuple[str, str], ...] = ROWS) -> Reading:
    """Return the reading of a tray on which some places hold other tiles: "colour:symbol"."""
    there = cells(rows)
    for (row, column), tile in change.items():
        there[row][column] = tile
    return read(drawn(there, layout=layout).picture_bgr, expect=layout)


def asked(reading: Reading) -> dict[tuple[int, int], str | None]:
    return {(t.row, t.column): t.colour for t in reading.tiles if not t.sure}


def test_exchanged_tiles_of_one_number_are_asked_about_in_the_colours_they_have() -> None:
    columns = {colour: symbols.index("7") for colour, symbols in ROWS}
    here, there = (0, columns["green"]), (2, columns["purple"])
    reading = laid({here: "purple:7", there: "green:7"}, layout="rows")
    assert reading.status is Status.UNSURE
    assert asked(reading) == {here: "purple", there: "green"}
    assert shown(reading) == [symbols for _, symbols in ROWS]


BEGUN = (("green", "08......14"), ("blue", "548....136"), ("purple", "9........."), ("orange", "42......30"))


def test_a_tile_of_draw_bridge_in_the_row_of_another_colour_is_asked_about() -> None:
    assert laid({}, layout="drawbridge", rows=BEGUN).status is Status.READ
    reading = laid({(0, 2): "blue:7"}, layout="drawbridge", rows=BEGUN)
    assert reading.status is Status.UNSURE
    assert asked(reading) == {(0, 2): "blue"}
    assert shown(reading)[0] == "08714"


def test_across_a_shadow_and_where_colours_may_be_mixed_no_tile_is_held_against_its_row() -> None:
    """Few questions: a shadow makes others of all colours in it."""
    picture = drawn().picture_bgr
    assert not asked(read(shadowed(picture, 800, 0.4), expect="rows"))
    columns = {colour: symbols.index("7") for colour, symbols in ROWS}
    there = cells()
    there[0][columns["green"]], there[2][columns["purple"]] = "purple:7", "green:7"
    exchanged = drawn(there).picture_bgr
    assert asked(read(exchanged, expect="rows"))
    assert not asked(read(exchanged, expect="auto"))
    assert not asked(read(shadowed(exchanged, 800, 0.4), expect="rows"))
