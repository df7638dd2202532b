"""RULES.md 1, Draw Bridge: each colour has its own row. The eye sees no row of a colour of which no tile lies, and
counts from the first one that it sees. Whichever colour is begun next, all that lies stays what it was."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge import DealHand, LayTiles, WantTiles
from pi.rules.games.draw_bridge_books import START_TURN
from pi.rules.games.draw_bridge_hands import hand_size
from pi.rules.games.draw_bridge_score import BLANK, Tile, free_places, lay
from pi.rules.match import Match
from pi.rules.values import EMPTY, NUMBERS, Board
from tests.builders import play, refusal
from tests.rules.games import begun, check_laws, undone_to_the_start

COLOURS = ("red", "green", "blue", "yellow")
Placed = tuple[int, int, object]


def seen(*tiles: Placed, placed: bool = True, moved: int = 0, gaps: bool = True, frame: str = "") -> ask.ReadTray:
    """Return a reading of tiles that lie in these rows of the felt, as the eye counts them: from the first it sees.

    placed: whether the eye is certain where they lie; moved: by how many places it takes the array to begin too far
    left. gaps: whether it sees that a row without tiles lies between others.
    """
    lying = sorted({row for row, _, _ in tiles})
    counted = {row: row - lying[0] if gaps else k for k, row in enumerate(lying)}
    lies = tuple(SeenTile(counted[r], c + moved, str(s), COLOURS[r]) for r, c, s in tiles)
    return ask.ReadTray(Tray(lies, frame or f"f{len(tiles)}", placed=placed))


def rows_of(state: Match) -> list[str]:
    return ["".join(row) for row in state.state.rounds[-1].board().rows]


FIRST = ((1, 0, 3), (2, 9, 7))
SECOND = (*FIRST, (0, 0, 4), (1, 1, 5))
THIRD = (*SECOND, (3, 0, 6), (1, 2, 4))


def test_a_colour_that_is_begun_above_the_others_moves_none_of_them():
    """It was said that a tile had been exchanged: row 1 had a 3, and now had the 4 of the colour begun above it."""
    state = play(begun("draw-bridge"), seen(*FIRST))
    assert rows_of(state)[:2] == ["3.........", ".........7"]
    state = play(state, seen(*SECOND))
    assert rows_of(state)[:3] == ["4.........", "35........", ".........7"]
    assert [[str(t) for t in turn.tiles] for turn in state.state.current.turns] == [
        ["the 3 in row 2 place 1", "the 7 in row 3 place 10"],
        ["the 4 in row 1 place 1", "the 5 in row 2 place 2"],
    ]
    state = play(state, seen(*THIRD))
    assert rows_of(state) == ["4.........", "354.......", ".........7", "6........."]
    check_laws(state)
    assert len(undone_to_the_start(state).history) == 1


def test_the_tile_that_begins_a_row_above_comes_first_and_the_other_later():
    state = play(begun("draw-bridge"), seen(*FIRST), seen(*FIRST, (1, 1, 5)), seen(*SECOND))
    assert rows_of(state)[:3] == ["4.........", "35........", ".........7"]
    assert state.state.current.turn == 3
    check_laws(state)


@pytest.mark.parametrize("gaps", [True, False])
def test_a_colour_may_be_begun_between_two_whether_its_row_was_seen_to_be_free_or_not(gaps: bool):
    """How far two rows are apart the eye can hardly tell where each holds one tile, at either end."""
    state = play(begun("draw-bridge"), seen((0, 0, 3), (2, 9, 7), gaps=gaps))
    state = play(state, seen((0, 0, 3), (2, 9, 7), (1, 0, 5), (0, 1, 4)))
    assert rows_of(state)[:3] == ["34........", "5.........", ".........7"]
    state = play(state, seen((0, 0, 3), (2, 9, 7), (1, 0, 5), (0, 1, 4), (3, 0, 6), (1, 9, 6)))
    assert rows_of(state) == ["34........", "5........6", ".........7", "6........."]
    check_laws(state)


def test_what_people_corrected_stays_corrected_one_row_lower():
    state = play(begun("draw-bridge"), seen(*FIRST), ask.CorrectTile(1, 1, 9, "1"))
    state = play(state, seen(*SECOND))
    assert rows_of(state)[:3] == ["4.........", "35........", ".........1"]
    check_laws(state)


def test_where_the_first_rows_only_tile_is_taken_away_that_one_is_missed():
    state = play(begun("draw-bridge"), seen(*FIRST), seen(*SECOND))
    assert refusal(state, seen(*SECOND[:2], SECOND[3])).sentence.startswith("The 4 of row 1 place 1 has gone")


def test_a_bumped_tile_is_noticed_though_a_row_is_begun_above_it():
    state = play(begun("draw-bridge"), seen(*FIRST), seen(*SECOND))
    state = play(state, seen(*THIRD))
    bumped = (*(t for t in THIRD if t != (2, 9, 7)), (2, 5, 7))
    assert refusal(state, seen(*bumped)).sentence.startswith("The 7 of row 3 place 10 has gone")


def test_where_the_eye_cannot_tell_the_places_what_lies_there_tells_them():
    """Issue 3: it asks for two tiles at most. It cannot tell whether nine columns are the first nine or the last."""
    begun_right = (1, 9, 7), (1, 8, 3)
    state = play(begun("draw-bridge"), LayTiles((Tile(0, 9, "7"), Tile(0, 8, "3"))))
    state = play(state, seen(*begun_right, (1, 7, 5), (2, 9, 6), placed=False, moved=-1))
    assert rows_of(state)[:2] == [".......537", ".........6"]
    assert state.state.current.turn == 3
    check_laws(state)


@pytest.mark.parametrize(("tiles", "lies"), [
    (((0, 7, 3), (0, 8, 7)), "........37"), (((0, 1, 3), (0, 2, 7)), "37........"), (((0, 1, 3), (0, 8, 7)), None),
])  # fmt: skip
def test_where_the_eye_cannot_tell_the_places_of_the_first_tiles_the_rule_does(
    tiles: tuple[Placed, ...], lies: str | None
):
    """RULES.md 1: the first tile of a colour goes to either end of its row."""
    state = begun("draw-bridge")
    if lies is None:
        assert "not clear in which places" in refusal(state, seen(*tiles, placed=False)).sentence
    else:
        assert rows_of(play(state, seen(*tiles, placed=False)))[0] == lies


def test_nobody_is_told_to_have_moved_a_tile_where_the_eye_cannot_tell_the_places():
    """Never unfair: it is the eye that may be wrong."""
    state = play(begun("draw-bridge"), LayTiles((Tile(0, 0, "3"), Tile(1, 9, "7"))))
    no = refusal(state, seen((0, 0, 3), (1, 8, 7), placed=False))
    assert no.sentence.startswith("It is not clear in which places these tiles lie")


def test_where_the_eye_is_sure_of_its_places_a_tile_that_was_moved_is_no_other_way_to_count_them():
    state = play(begun("draw-bridge"), LayTiles((Tile(0, 0, "3"), Tile(0, 9, "7"))))
    assert "has gone" in refusal(state, seen((0, 1, 3), (0, 9, 7))).sentence


@pytest.mark.parametrize("rows", [(1, 3), (2, 3), (0, 2)])
def test_what_the_computer_wants_lies_in_the_rows_that_the_tablet_says(rows: tuple[int, int]):
    """Where hands were dealt each colour has its row before a tile lies; the eye sees the first one as row 1."""
    hand = tuple((row, symbol) for row in range(4) for symbol in "01234")
    assert len(hand) == hand_size(2)
    wanted = Tile(rows[0], 0, "3"), Tile(rows[1], 9, "4")
    state = play(begun("draw-bridge", "Computer", "Ann"), DealHand(1, hand), WantTiles(1, wanted))
    state = play(state, seen(*((t.row, t.place, t.symbol) for t in wanted)))
    assert state.state.current.turns[0].tiles == wanted
    check_laws(state)


def tiles_of(board: Board) -> list[Placed]:
    return [(r, c, s) for (r, c), s in board.cells().items() if s != EMPTY]


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["AB", "ABC", "ABCD"]), st.booleans(), st.booleans(), st.booleans())
def test_law_rows_counted_from_the_first_one_seen_score_as_those_of_the_felt(
    seed: int, names: str, vertical: bool, elevator: bool, gaps: bool
):
    """Whichever colours are begun first: columns go round, and any row meets any other. Where columns do not count
    it is the same whether the eye sees rows that are still free."""
    gaps = gaps or vertical
    chance, house = random.Random(seed), {"vertical": vertical, "elevator": elevator}
    read, typed = (begun("draw-bridge", *names, **house) for _ in range(2))
    hands, board = [chance.sample(NUMBERS, 10) for _ in range(4)], BLANK
    while (current := typed.state.current) is not None:
        placed = []
        for _ in range(current.wanted(current.turn)):
            row = chance.choice([r for r in range(4) if hands[r]])
            place = 0 if current.turn == START_TURN else chance.choice(free_places(board, row))
            placed.append(Tile(row, place, hands[row].pop()))
            board = lay(board, placed[-1:])
        read, typed = play(read, seen(*tiles_of(board), gaps=gaps)), play(typed, LayTiles(tuple(placed)))
        first = min(row for row, _, _ in tiles_of(board))
        if gaps:
            assert rows_of(read) == [*rows_of(typed)[first:], *rows_of(typed)[:first]]
        assert [row for row in rows_of(read) if row.strip(".")] == [row for row in rows_of(typed) if row.strip(".")]
        assert read.standing() == typed.standing()
    check_laws(read)
