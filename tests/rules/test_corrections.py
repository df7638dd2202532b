"""FIELD.md promise 9: the correction rate is the second line behind bump and lamp; the issue: "correction rate
above 5 % of the last 200 tiles raises 'teach or calibrate again'"."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi.rules.corrections import Corrections, corrections
from pi.rules.events import SeenTile, TileCorrected, Tray, TrayCleared, TrayRead
from tests.rules.test_draw_bridge import whole_match


def read(round: int, *, source: str = "camera") -> TrayRead:
    tiles = tuple(SeenTile(r, c, str(c)) for r in range(4) for c in range(10))
    return TrayRead(round, Tray(tiles, source=source))


def fix(round: int, cell: int, symbol: str) -> TileCorrected:
    return TileCorrected(round, cell // 10, cell % 10, symbol, str(cell % 10), "table")


def rounds(*wrong: int) -> list[object]:
    """Rounds of 40 tiles, each with so many corrected."""
    out: list[object] = []
    for number, count in enumerate(wrong, start=1):
        out += [read(number), *(fix(number, cell, "#") for cell in range(count))]
    return out


def test_more_than_five_percent_of_the_last_two_hundred_tiles_is_too_many() -> None:
    assert corrections([rounds(2, 2, 2, 2, 2)]) == Corrections(200, 10)
    assert not corrections([rounds(2, 2, 2, 2, 2)]).too_many
    assert corrections([rounds(2, 2, 2, 2, 3)]).too_many


def test_it_goes_away_when_the_rate_falls() -> None:
    bad = rounds(8, 8)
    assert corrections([bad]).too_many
    assert not corrections([rounds(8, 8, 0, 0, 0, 0, 0)]).too_many
    assert corrections([rounds(8, 8, 0, 0, 0, 0, 0)]) == Corrections(200, 0)


def test_the_last_tiles_reach_back_into_earlier_matches() -> None:
    assert corrections([rounds(0), rounds(0, 8, 8)]) == Corrections(120 + 40, 16)
    assert corrections([rounds(0, 0, 0, 0, 1), rounds(40)]) == Corrections(200, 1)


def test_no_earlier_match_is_folded_once_enough_was_read() -> None:
    def matches():
        yield rounds(1, 1, 1, 1, 1)
        raise AssertionError("this match lies too far back")

    assert corrections(matches()) == Corrections(200, 5)


def test_one_slip_in_the_first_tray_is_no_trend() -> None:
    assert not corrections([rounds(4)]).too_many
    assert corrections([rounds(5)]).too_many


def test_what_is_no_correction_of_the_eye_does_not_count() -> None:
    assert corrections([[read(1), fix(1, 3, "3")]]) == Corrections(40, 0), "a doubt that was confirmed"
    assert corrections([[read(1), fix(1, 3, "5"), fix(1, 3, "3")]]) == Corrections(40, 0), "put back"
    assert corrections([[read(1), fix(1, 3, "5"), fix(1, 3, "6")]]) == Corrections(40, 1), "one tile, twice"
    assert corrections([[read(1, source="table"), fix(1, 3, "5")]]) == Corrections(0, 0), "typed in"
    assert corrections([[read(1), read(1, source="table"), fix(1, 3, "5")]]) == Corrections(40, 0)


def test_what_was_cleared_to_be_read_again_counts_again() -> None:
    cleared = TrayCleared(1, "table")
    assert corrections([[read(1), fix(1, 3, "5"), cleared, read(1), read(2), fix(1, 4, "5")]]) == Corrections(120, 2)
    assert corrections([[read(1), cleared, fix(1, 3, "5")]]) == Corrections(40, 0), "nothing is read to be corrected"


def array(*rows: str) -> TrayRead:
    """Return a reading of Draw Bridge's array: a character a place, "." an empty one."""
    seen = (SeenTile(r, p, s) for r, row in enumerate(rows) for p, s in enumerate(row) if s != ".")
    return TrayRead(1, Tray(tuple(seen)))


def test_a_tile_of_a_growing_array_counts_once_however_often_it_is_read() -> None:
    """RULES.md 1: an array of Draw Bridge grows by a tile or two a turn, and after each the camera reads all of it."""
    assert corrections([[array("7"), array("78"), array("78", ".3"), array("789", ".3")]]) == Corrections(4, 0)
    assert corrections([[array("7"), array("77")]]) == Corrections(2, 0), "a second 7 is another tile"


def test_a_row_laid_above_makes_no_tile_new() -> None:
    assert corrections([[array("78"), array("5", "78")]]) == Corrections(3, 0)


def test_teaching_is_called_for_in_draw_bridge_as_soon_as_in_other_games() -> None:
    """FIELD.md promise 9: above 5 % of the last 200 tiles; the same five of twenty, whichever game they lie in."""
    numbers = "01234567890123456789"
    turns: list[object] = []
    for n in range(1, 21):
        turns.append(array(numbers[:10][:n], numbers[10:][: max(0, n - 10)]))
        if n % 4 == 0:
            turns.append(TileCorrected(1, (n - 1) // 10, (n - 1) % 10, "#", numbers[n - 1], "table"))
    assert corrections([turns]) == Corrections(20, 5)
    assert corrections([turns]).too_many


def test_a_round_of_draw_bridge_shows_forty_tiles() -> None:
    """RULES.md 1: forty tiles a round, two a turn; the camera reads the array twenty times."""
    played = whole_match("Ann", "Bob", seed=3)
    assert corrections([played.history], last=1000) == Corrections(40 * len(played.state.rounds), 0)


@given(st.lists(st.integers(0, 40), max_size=12))
def test_never_more_corrected_than_read(wrong: list[int]) -> None:
    found = corrections([rounds(*wrong)])
    assert 0 <= found.corrected <= found.tiles <= 200
