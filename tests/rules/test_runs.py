"""RULES.md 1: what a run is, on every board, with every switch."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules.errors import BadBoard
from pi.rules.runs import Variant, count, is_run, triples, with_assignment
from pi.rules.values import DOWN, SHAPES, Board, Layout

X = "?"


def totals(text: str, **switches: bool) -> tuple[int, ...]:
    return count(Board.parse(text), variant=Variant(**switches)).totals


@st.composite
def boards(draw: st.DrawFn, layout: Layout | None = None, wilds: int = 0) -> Board:
    layout = layout or draw(st.sampled_from(Layout))
    shape = SHAPES[layout]
    cells = draw(st.lists(st.sampled_from("0123456789"), min_size=sum(shape), max_size=sum(shape)))
    for place in draw(st.lists(st.integers(0, sum(shape) - 1), max_size=wilds)):
        cells[place] = "#"
    rows, left = [], list(cells)
    for n in shape:
        rows.append(tuple(left[:n]))
        left = left[n:]
    return Board(layout, tuple(rows))


def variants(layout: Layout) -> st.SearchStrategy[Variant]:
    elevator = st.booleans() if layout is Layout.ROWS else st.just(False)
    return st.builds(Variant, elevator=elevator, vertical=st.booleans(), wrap=st.booleans())


cases = st.sampled_from(Layout).flatmap(lambda x: st.tuples(boards(x), variants(x)))


def test_how_many_runs_can_you_see_in_the_sequence_there_are_three():
    found = count(Board.parse("1 2 8 7 6 3 5 4 9 0"))
    assert found.totals == (3,)
    # "{8 7 6} in the third, fourth and fifth positions; and 9, 0, 1, 2 ... {9 0 1} and {0 1 2}"
    assert found.runs == (
        ((0, 0), (0, 1), (0, 9)),
        ((0, 0), (0, 8), (0, 9)),
        ((0, 2), (0, 3), (0, 4)),
    )


def test_6_8_7_is_not_a_run_because_8_does_not_come_between_6_and_7():
    assert not is_run("6", "8", "7")


def test_8_7_6_is_a_run_and_counted_only_once_whichever_way():
    assert totals("8 7 6 ? ? ? ? ? ? ?") == totals("? 6 7 8 ? ? ? ? ? ?") == (1,)


@pytest.mark.parametrize("text", ["8 9 0", "9 0 1", "0 1 2", "0 9 8", "1 0 9", "2 1 0"])
def test_the_numbers_wrap_around(text: str):
    assert is_run(*text.split())


def test_a_run_of_4_is_really_2_runs_of_3_and_a_run_of_5_counts_3():
    assert totals("6 7 8 9 ? ? ? ? ? ?") == (2,)
    assert totals("5 6 7 8 9 ? ? ? ? ?") == (3,)


def test_8_9_x_x_x_x_x_x_x_7_wraps_to_7_8_9():
    assert totals("8 9 ? ? ? ? ? ? ? 7") == (1,)


ELEVATORS = {
    1: "? ? ? ? ? ? ? ? 6 7\n? ? ? ? ? ? ? ? ? ?\n8 ? ? ? ? ? ? ? ? ?\n? ? ? ? ? ? ? ? ? ?",
    2: "? ? ? ? ? ? ? ? ? ?\n8 ? ? ? ? ? ? ? ? ?\n8 ? ? ? ? ? ? ? ? ?\n? ? ? ? ? ? ? ? 6 7",
    4: "? ? ? ? ? ? ? ? 6 7\n8 ? ? ? ? ? ? ? ? ?\n8 ? ? ? ? ? ? ? ? ?\n? ? ? ? ? ? ? ? 6 7",
}


@pytest.mark.parametrize(("runs", "text"), ELEVATORS.items())
def test_the_elevator_pictures_have_1_2_and_4(runs: int, text: str):
    assert totals(text, elevator=True) == (runs,)
    assert totals(text) == (0,)


def test_the_vertical_picture_has_3():
    picture = "? ? ? ? ? ? 6 ? ? ?\n? 6 5 4 ? ? 7 ? ? ?\n? ? ? 3 ? ? ? ? ? ?\n? ? ? 2 ? ? 5 ? ? ?"
    assert totals(picture, vertical=True) == (3,)


def test_face_down_and_empty_places_break_runs():
    assert totals("1 ? 3 . 5 6 ? 8 9 .") == (0,)


def test_a_player_may_give_each_wild_any_number():
    found = count(Board.parse("0 1 # 5 4 9 9 8 1 2"))
    assert found.totals == (0, 1)
    assert found.runs is None
    assert found.assignments[1] == {(0, 2): "2"}


def test_the_worked_cases_agree_exactly(vectors):
    for case in vectors("run_counts"):
        board = Board.of(Layout(case["board"]), case["cells"])
        variant = Variant(case.get("elevator", False), case.get("vertical", False), case.get("wrap", True))
        found = count(board, variant=variant)
        assert list(found.totals) == case["totals"]
        if case.get("runs") is not None:
            assert json.loads(json.dumps(found.runs)) == case["runs"]


def test_the_distribution_of_a_row_of_ten_sampled_against_the_counts_of_all_3628800():
    # RULES.md, numbers worth showing: 2,843,980 of 3,628,800 rows hold none, so 78.37 %.
    rng = random.Random(20)
    rows = [rng.sample("0123456789", 10) for _ in range(4000)]
    none = sum(count(Board(Layout.ROWS, (tuple(r),))).totals == (0,) for r in rows)
    assert abs(none / 4000 - 2843980 / 3628800) < 4 * (0.7837 * 0.2163 / 4000) ** 0.5


@given(cases)
def test_law_adding_one_to_every_number_changes_nothing(case: tuple[Board, Variant]):
    board, variant = case
    moved = Board.of(board.layout, [[(int(s) + 1) % 10 for s in row] for row in board.rows])
    assert count(moved, variant=variant).runs == count(board, variant=variant).runs


@given(cases)
def test_law_mirroring_the_board_changes_no_count_even_with_the_elevator(case: tuple[Board, Variant]):
    board, variant = case
    mirrored = Board(board.layout, tuple(row[::-1] for row in board.rows))
    assert count(mirrored, variant=variant).totals == count(board, variant=variant).totals


@given(boards(Layout.ROWS), st.integers(0, 9), st.integers(0, 3))
def test_law_rotating_a_row_changes_no_count(board: Board, by: int, which: int):
    rows = [row[by:] + row[:by] if n == which else row for n, row in enumerate(board.rows)]
    assert count(Board(Layout.ROWS, tuple(rows))).totals == count(board).totals


@given(boards(Layout.ROWS), st.permutations(range(4)))
def test_law_exchanging_rows_changes_no_count_even_with_the_elevator(board: Board, order: list[int]):
    elevator = Variant(elevator=True)
    moved = Board(Layout.ROWS, tuple(board.rows[i] for i in order))
    assert count(moved, variant=elevator).totals == count(board, variant=elevator).totals


@given(st.sampled_from(Layout).flatmap(lambda x: st.tuples(boards(x, wilds=3), variants(x))))
def test_law_every_attainable_total_has_an_assignment_that_reaches_exactly_it(case: tuple[Board, Variant]):
    board, variant = case
    found = count(board, variant=variant)
    for total, assignment in found.assignments.items():
        assert count(with_assignment(board, assignment), variant=variant).totals == (total,)


@given(boards(Layout.ROWS, wilds=2), variants(Layout.ROWS))
def test_law_no_assignment_reaches_a_total_that_is_not_listed(board: Board, variant: Variant):
    wilds = [cell for cell, symbol in board.cells().items() if symbol == "#"]
    listed = count(board, variant=variant).totals
    for n in range(10 ** len(wilds)):
        numbers = dict(zip(wilds, str(n).zfill(len(wilds)), strict=False))
        assert count(with_assignment(board, numbers), variant=variant).totals[0] in listed


@given(boards())
def test_law_parse_and_str_are_inverse(board: Board):
    assert Board.parse(str(board), layout=board.layout) == board


def test_more_lines_never_mean_fewer_triples():
    board = Board.of(Layout.ROWS, [[0] * 10] * 4)
    rows, elevator = triples(board, variant=Variant()), triples(board, variant=Variant(elevator=True))
    assert len(rows) == 40
    assert len(elevator) == 40 + 2 * 12  # two for each ordered pair of different rows
    assert len(triples(board, variant=Variant(vertical=True))) == 40 + 40


@pytest.mark.parametrize(
    ("layout", "text", "said"),
    [
        ("rows", "1 2 X", "'X' is not a symbol (expected 0-9, #, ? or .), in row 1"),
        ("rows", "1 2 3\n1 2", "row 2 has 2 cells (expected 3, as row 1)"),
        ("diamond", "1\n1 2", "row 1 of 2 has 1 cells (expected 1:"),
        ("rect", "", "the board has no rows"),
    ],
)
def test_what_is_no_board_is_said_in_one_sentence(layout: str, text: str, said: str):
    with pytest.raises(BadBoard, match=".*") as no:
        Board.parse(text, layout=Layout(layout))
    assert said in str(no.value)


def test_the_elevator_is_for_rows_only():
    board = Board(Layout.RECT, ((DOWN,) * 8,) * 5)
    with pytest.raises(BadBoard, match="not defined for rect"):
        count(board, variant=Variant(elevator=True))
