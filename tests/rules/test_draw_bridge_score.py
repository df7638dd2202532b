"""RULES.md 1, Draw Bridge: lawful places and the points of a turn."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules.games.draw_bridge_score import (
    BLANK,
    Terms,
    Tile,
    credit,
    credited,
    free_places,
    in_lawful_order,
    lay,
    score_turn,
    tile_problem,
    tiles_in_turn,
    tiles_out,
    turn_problem,
)
from pi.rules.runs import Variant, count, runs_among, triples
from pi.rules.values import EMPTY, NUMBERS, WILD, Board, Cell, Layout

PLAIN = Terms()
SEEDS = st.integers(0, 2**32)
VARIANTS = st.builds(Terms, elevator=st.booleans(), vertical=st.booleans())


def array(*rows: str) -> Board:
    """Return an array; rows not named are empty."""
    return Board.parse("\n".join((*rows, *(". " * 10,) * (4 - len(rows)))))


def tile(row: int, place: int, symbol: object) -> Tile:
    return Tile(row, place, str(symbol))


def points(board: Board, *tiles: Tile, **terms: bool) -> int:
    return score_turn(board, tiles, terms=Terms(**terms)).points


def test_the_first_tile_of_a_colour_goes_to_either_end_of_its_row():
    assert free_places(BLANK, 2) == (0, 9)
    assert tile_problem(BLANK, tile(2, 9, 4), terms=PLAIN) is None
    assert "next to a tile of its row or at a free end, in place 1 or 10" in str(
        tile_problem(BLANK, tile(2, 4, 4), terms=PLAIN)
    )


def test_later_ones_go_next_to_a_tile_of_that_row_or_to_its_other_end_if_that_is_still_free():
    assert free_places(array("3 . . . . . . . . ."), 0) == (1, 9)
    assert free_places(array("3 . . . . . . . . 7"), 0) == (1, 8)
    assert free_places(array("3 4 5 6 0 9 2 . 1 7"), 0) == (7,)


def test_each_tile_lies_once_in_a_colour():
    board = array("3 . . . . . . . . .")
    assert tile_problem(board, tile(0, 1, 3), terms=PLAIN) == (
        "The 3 may not lie in row 1: each tile lies once in a colour."
    )
    assert tile_problem(board, tile(1, 0, 3), terms=PLAIN) is None


def test_no_tile_lies_on_another_one():
    board = array("3 . . . . . . . . .")
    assert tile_problem(board, tile(0, 0, 4), terms=PLAIN) == (
        "The 4 may not lie in row 1 place 1: the 3 lies there already."
    )


def test_a_wild_tile_is_refused_where_wilds_are_not_in_play():
    assert "not in play" in str(tile_problem(BLANK, tile(0, 0, "#"), terms=PLAIN))
    assert tile_problem(BLANK, tile(0, 0, "#"), terms=Terms(wild=True)) is None


@pytest.mark.parametrize(
    "bad", [tile(4, 0, 1), tile(0, 10, 1), tile(-1, 0, 1), tile(0, -1, 1), tile(0, 0, "x"), tile(0, 0, "")]
)
def test_what_is_not_on_the_array_is_refused_in_one_sentence(bad: Tile):
    assert str(tile_problem(BLANK, bad, terms=PLAIN)).endswith(".")


def test_the_second_tile_may_rest_on_the_first():
    two = (tile(0, 0, 3), tile(0, 1, 4))
    assert turn_problem(BLANK, two, terms=PLAIN) is None
    assert turn_problem(BLANK, two[::-1], terms=PLAIN) is not None
    assert in_lawful_order(BLANK, two[::-1], terms=PLAIN) == two
    assert isinstance(in_lawful_order(BLANK, (tile(0, 3, 3), tile(0, 4, 4)), terms=PLAIN), str)


def test_prolonging_3_to_4_scores_2_and_4_to_5_scores_3():
    assert points(array("1 2 . . . . . . . ."), tile(0, 2, 3)) == 1
    assert points(array("1 2 3 . . . . . . ."), tile(0, 3, 4)) == 2
    assert points(array("1 2 3 4 . . . . . ."), tile(0, 4, 5)) == 3


def test_a_run_made_with_both_tiles_of_a_turn_counts_once():
    assert points(array("1 2 . . . . . . . ."), tile(0, 2, 3), tile(0, 3, 4)) == 2


def test_claim_per_tile_scores_after_each_tile_not_after_both():
    board = array("1 2 . . . . . . . .")
    turn = score_turn(board, (tile(0, 2, 3), tile(0, 3, 4)), terms=Terms(claim_per_tile=True))
    assert [c.points for c in turn.credits] == [1, 2]
    assert turn.points == 3


def test_a_run_elsewhere_in_the_row_that_the_tile_does_not_prolong_scores_nothing():
    assert points(array("1 2 3 . . . . . 5 9"), tile(0, 3, 7)) == 0
    assert points(array("1 2 3 2 . . . . . ."), tile(0, 4, 1)) == 1  # 3 2 1 turns back at the 3


def test_cells_9_and_0_are_neighbours_as_soon_as_both_are_filled():
    assert points(array("9 0 . . . . . . . ."), tile(0, 9, 8)) == 1
    assert points(array("9 0 1 . . . . . . ."), tile(0, 9, 8)) == 2
    assert points(array("9 . . . . . . . . 8"), tile(0, 1, 0)) == 1


def test_an_interior_tile_may_join_two_straights():
    assert points(array("1 2 3 4 . 6 7 8 0 9"), tile(0, 4, 5)) == 6


def test_with_the_elevator_a_straight_goes_on_in_another_row():
    board = array(". . . . . . . 5 6 7", "9 . . . . . . . . .")
    assert points(board, tile(2, 0, 8), elevator=True) == 2
    assert points(board, tile(2, 0, 8)) == 0
    assert points(board, tile(1, 1, 0), elevator=True) == 0


def test_with_the_elevator_runs_that_part_at_a_rows_end_do_not_reach_each_other():
    board = array(". . . . . . . . 6 7", "8 . . . . . . . . .")
    assert points(board, tile(2, 0, 8), elevator=True) == 1
    assert points(lay(board, [tile(1, 1, 9)]), tile(2, 0, 8), elevator=True) == 1


def test_with_vertical_columns_score_too_and_wrap():
    board = array("3 . . . . . . . . .", ". . . . . . . . . .", "1 . . . . . . . . .", "2 . . . . . . . . .")
    assert points(board, tile(1, 0, 9), vertical=True) == 0
    assert points(board, tile(1, 0, 4), vertical=True) == 2
    assert points(board, tile(1, 0, 0), vertical=True) == 2
    assert points(board, tile(1, 0, 4)) == 0


def test_a_wild_counts_as_whatever_number_gives_the_mover_most():
    board = array("1 2 # . . . . . . .")
    scored = score_turn(board, (tile(0, 3, 4),), terms=Terms(wild=True))
    assert scored.points == 2
    assert dict(scored.credits[0].assignment) == {(0, 2): "3"}


def test_a_wild_may_be_another_number_the_next_turn():
    board = lay(array("1 2 # . . . . . . ."), [tile(0, 3, 4)])
    scored = score_turn(board, (tile(0, 9, 8), tile(0, 8, 6)), terms=Terms(wild=True))
    assert scored.points == 0
    assert points(lay(board, [tile(0, 8, 6)]), tile(0, 9, 0), wild=True) == 3


def test_four_wilds_with_every_line_are_weighed_against_each_other():
    board = array("1 2 # 4 . . . . 8 9", "3 # 5 . . . . . . 7", "5 # 7 . . . . . . 3", "7 8 # 0 . . . . 6 5")
    terms = Terms(wild=True, elevator=True, vertical=True)
    scored = credit(board, {(0, 3), (3, 3)}, terms=terms)
    filled = Board.of(board.layout, board.rows)
    for cell, number in scored.assignment:
        filled = filled.with_symbol(cell, number)
    assert credit(filled, {(0, 3), (3, 3)}, terms=terms).runs == scored.runs
    assert scored.points >= 4


@settings(max_examples=25)
@given(st.lists(st.text("..0123456789#", min_size=10, max_size=10), min_size=4, max_size=4), VARIANTS)
def test_law_no_other_numbers_for_the_wilds_give_the_mover_more(rows: list[str], terms: Terms):
    board = Board.of(Layout.ROWS, rows)
    wilds = [cell for cell, symbol in board.cells().items() if symbol == WILD][:2]
    for cell in set(board.cells()) - set(wilds):
        if board.at(cell) == WILD:
            board = board.with_symbol(cell, EMPTY)
    filled = [cell for cell, symbol in board.cells().items() if symbol != EMPTY]
    best = credit(board, filled[::5], terms=terms)
    for numbers in product(NUMBERS, repeat=len(wilds)):
        other = board
        for cell, number in zip(wilds, numbers, strict=True):
            other = other.with_symbol(cell, number)
        assert credit(other, filled[::5], terms=terms).points <= best.points


def test_the_referee_can_tell_which_numbers_of_which_colour_are_still_out():
    out = tiles_out(array("1 2 3 4 5 6 7 . 9 0", "1 # . . . . . . . ."), terms=Terms(wild=True))
    assert out[0] == ("8", "#")
    assert out[1] == tuple("023456789")


def test_a_turn_takes_two_tiles_and_with_three_players_the_last_ones_take_one():
    assert [tiles_in_turn(n, players=2) for n in (1, 20, 21)] == [2, 2, 0]
    assert [tiles_in_turn(n, players=4) for n in (1, 20, 21)] == [2, 2, 0]
    assert [tiles_in_turn(n, players=3) for n in (1, 18, 19, 21, 22)] == [2, 2, 1, 1, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_law_the_turns_of_a_round_take_every_tile(players: int):
    laid = sum(tiles_in_turn(n, players=players) for n in range(1, 60))
    assert laid == (39 if players == 3 else 40)


def played(seed: int) -> list[Tile]:
    """Return all forty tiles in a lawful order."""
    chance, board, order = random.Random(seed), BLANK, []
    hands = [chance.sample(NUMBERS, 10) for _ in range(4)]
    while any(hands):
        row = chance.choice([r for r in range(4) if hands[r]])
        laid = Tile(row, chance.choice(free_places(board, row)), hands[row].pop())
        board = lay(board, (laid,))
        order.append(laid)
    return order


@given(SEEDS, VARIANTS)
def test_law_every_run_of_the_full_array_was_credited_at_least_once(seed: int, terms: Terms):
    board, total = BLANK, 0
    order = played(seed)
    for start in range(0, 40, 2):
        two = tuple(order[start : start + 2])
        assert turn_problem(board, two, terms=terms) is None
        scored = score_turn(board, two, terms=terms)
        board, total = scored.board, total + scored.points
    assert total >= count(board, variant=terms.variant).totals[0]
    assert not any(tiles_out(board, terms=terms))


@given(SEEDS, st.integers(1, 39), VARIANTS)
def test_law_claiming_per_tile_never_wins_less(seed: int, laid: int, terms: Terms):
    order = played(seed)
    board, two = lay(BLANK, order[: laid - 1]), tuple(order[laid - 1 : laid + 1])
    each = Terms(elevator=terms.elevator, vertical=terms.vertical, claim_per_tile=True)
    assert score_turn(board, two, terms=each).points >= score_turn(board, two, terms=terms).points


@given(SEEDS, st.integers(1, 40), st.integers(1, 9), VARIANTS)
def test_law_adding_the_same_to_every_number_changes_no_points(seed: int, laid: int, add: int, terms: Terms):
    order = played(seed)[:laid]
    turned = [Tile(t.row, t.place, str((int(t.symbol) + add) % 10)) for t in order]
    assert points_of_last(order, terms) == points_of_last(turned, terms)


@given(SEEDS, st.integers(1, 40), VARIANTS)
def test_law_the_mirrored_array_scores_the_same(seed: int, laid: int, terms: Terms):
    order = played(seed)[:laid]
    mirrored = [Tile(t.row, 9 - t.place, t.symbol) for t in order]
    assert points_of_last(order, terms) == points_of_last(mirrored, terms)


def points_of_last(order: list[Tile], terms: Terms) -> int:
    return score_turn(lay(BLANK, order[:-1]), (order[-1],), terms=terms).points


def straights_through(board: Board, placed: set[Cell], variant: Variant) -> set[tuple[Cell, ...]]:
    """Return the runs on unbroken paths with a placed tile, found by walking every path cell by cell."""
    cells = board.cells()
    lines = {t for run in triples(board, variant=variant) for t in (run, run[::-1])}
    beside = {cell: {t[1] for t in lines if t[0] == cell} for cell in cells}
    found = set()
    for start, step in product([c for c in cells if cells[c] != EMPTY], (1, -1)):
        paths = [(start,)]
        while paths:
            path = paths.pop()
            if placed & set(path):
                found |= {tuple(sorted(path[i : i + 3])) for i in range(len(path) - 2)}
            for cell in beside[path[-1]] - set(path):
                goes_on = cells[cell] == str((int(cells[path[-1]]) + step) % 10)
                if goes_on and (len(path) == 1 or (*path[-2:], cell) in lines):
                    paths.append((*path, cell))
    return found


@given(st.lists(st.lists(st.sampled_from("....012345"), min_size=10, max_size=10), min_size=4, max_size=4))
def test_law_credited_is_what_walking_every_path_finds(rows: list[list[str]]):
    board = Board.parse("\n".join(" ".join(row) for row in rows))
    variant = Variant(elevator=True, vertical=True)
    filled = [cell for cell, symbol in board.cells().items() if symbol != EMPTY]
    placed = set(filled[::7])
    reached = credited([t for t in triples(board, variant=variant) if runs_among([t], board.cells())], placed)
    assert set(reached) == straights_through(board, placed, variant)


def test_the_worked_cases_agree_exactly(vectors):
    for case in vectors("draw_bridge"):
        terms, board = Terms(elevator=case["elevator"], vertical=case["vertical"]), BLANK
        for turn in case["turns"]:
            tiles = tuple(tile(*item) for item in turn["place"])
            assert turn_problem(board, tiles, terms=terms) is None
            scored = score_turn(board, tiles, terms=terms)
            assert scored.points == turn["points"]
            board = scored.board
