"""RULES.md 1, solitaire quests, and RULES.md 4, Sums 1...m: check, solve, hint."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules.games.sums_grid_score import score
from pi.rules.quests import latin, magic_sums, most_runs, no_runs, sums
from pi.rules.quests.errors import BadLaying, GaveUp
from pi.rules.quests.laying import NOTHING, Fault, Laying, Tile, deck
from pi.rules.quests.search import Budget, covers, mixed, with_restarts
from pi.rules.runs import count
from pi.rules.values import EMPTY, Layout

HARDER: dict[str, Any] = {"no_repeats_in_rows": True}
QUESTS = {
    "no-runs": (no_runs.check, no_runs.solve, no_runs.hint),
    "latin": (latin.check, latin.solve, latin.hint),
    "magic-sums": (magic_sums.check, magic_sums.solve, magic_sums.hint),
    "magic-sums-harder": tuple(partial(f, **HARDER) for f in (magic_sums.check, magic_sums.solve, magic_sums.hint)),
}
SEEDS = st.integers(0, 10_000)
ROWS = "\n".join(["0 2 4 6 8 1 3 5 7 9"] * 4)


@pytest.fixture(params=list(QUESTS))
def quest(request: pytest.FixtureRequest) -> Any:
    return QUESTS[request.param]


def laid(text: str) -> Laying:
    return Laying.parse(text)


def said(faults: tuple[Fault, ...]) -> list[str]:
    return [fault.sentence for fault in faults]


# Tiles and layouts


@given(st.lists(st.lists(st.sampled_from([*deck(), NOTHING, Tile("#", "red"), Tile("?")]), min_size=1), min_size=1))
def test_law_parse_and_str_of_a_layout_are_inverse(rows: list[list[Tile]]):
    laying = Laying(tuple(map(tuple, rows)))
    assert Laying.parse(str(laying)) == laying


@pytest.mark.parametrize("text", ["", "  \n", "7red x", "77", "7red2"])
def test_a_text_that_is_no_layout_is_refused(text: str):
    with pytest.raises(BadLaying):
        Laying.parse(text)


def test_the_set_has_40_tiles_four_of_each_number():
    assert len(set(deck())) == 40
    laying = no_runs.solve()
    assert laying is not None
    assert sorted(laying.laid().values(), key=str) == sorted(deck(), key=str)


# Every quest with all 40 tiles


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
@pytest.mark.parametrize("name", QUESTS)
def test_law_what_solve_lays_check_finds_nothing_wrong_with(name: str, seed: int):
    check, solve, hint = QUESTS[name]
    solution = solve(seed=seed)
    assert check(solution) == ()
    assert hint(solution) is None
    assert set(solution.laid().values()) == set(deck())


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, kept=st.sets(st.integers(0, 39)))
@pytest.mark.parametrize("name", QUESTS)
def test_law_a_solution_with_tiles_taken_away_is_completed_around_the_rest(name: str, seed: int, kept: set[int]):
    check, solve, _ = QUESTS[name]
    cells = list((whole := solve(seed=seed)).cells())
    part = whole.changed({cell: NOTHING for place, cell in enumerate(cells) if place not in kept})
    again = solve(part, seed=seed + 1)
    assert check(again) == ()
    assert all(again.at(cell) == tile for cell, tile in part.laid().items())


def test_hints_alone_lead_from_the_empty_tray_to_a_solution(quest):
    check, solve, hint = quest
    laying = Laying(tuple((NOTHING,) * len(row) for row in solve().rows))
    for _ in range(40):
        step = hint(laying)
        assert step.tile.symbol != EMPTY
        laying = laying.changed({step.cell: step.tile})
    assert hint(laying) is None
    assert check(laying) == ()


def test_the_same_seed_gives_the_same_solution_and_others_others(quest):
    _, solve, _ = quest
    assert solve(seed=5) == solve(seed=5)
    assert len({str(solve(seed=seed)) for seed in range(5)}) == 5


def test_a_wrong_shape_is_said_and_nothing_else(quest):
    check, _, _ = quest
    assert said(check(laid("1 2 3\n4 5"))) in (
        ["2 rows of 3 2 tiles lie there, not 4 rows of 10."],
        ["2 rows of 3 2 tiles lie there, not 5 rows of 8."],
    )


def test_empty_places_doubles_and_wilds_are_said(quest):
    check, solve, hint = quest
    whole = solve()
    there = list(whole.cells())
    one_off = whole.changed({there[3]: NOTHING})
    assert said(check(one_off)) == ["Row 1 column 4 is empty."]
    assert hint(one_off).tile == whole.at(there[3])
    twice = whole.changed({there[0]: whole.at(there[1])})
    assert any("there is only one" in sentence for sentence in said(check(twice)))
    assert hint(twice).tile == NOTHING
    assert solve(twice) is None
    wild = whole.changed({there[0]: Tile("#", "red")})
    assert "A red wild lies in row 1 column 1 (expected number tiles only, face up)." in said(check(wild))


# No-Runs


def test_no_runs_neither_in_rows_nor_columns():
    faults = no_runs.check(laid("1 2 3 5 7 9 4 6 8 0\n" + ROWS[20:]))
    assert any(s.startswith("1 2 3 is a run in row 1") for s in said(faults))
    assert ((0, 0), (0, 1), (0, 2)) in [fault.cells for fault in faults]


def test_no_runs_ruling_lines_wrap():
    # 8 9 0 over the end of row 1: its last two and its first place
    row = "0 2 4 6 1 3 5 7 8 9"
    faults = no_runs.check(laid(f"{row}\n{ROWS[20:]}"))
    assert ((0, 0), (0, 8), (0, 9)) in [fault.cells for fault in faults]
    # 7 8 9 over the end of column 1: rows 3, 4 and 1
    whole = no_runs.solve()
    column = whole.changed({(2, 0): Tile("7"), (3, 0): Tile("8"), (0, 0): Tile("9")})
    assert any("is a run in column 1" in s for s in said(no_runs.check(column)))


@settings(max_examples=20, deadline=None)
@given(st.permutations(deck()))
def test_law_a_shuffled_tray_has_as_many_faults_as_runs(tiles: list[Tile]):
    laying = Laying(tuple(tuple(tiles[r * 10 : r * 10 + 10]) for r in range(4)))
    found = count(laying.board(Layout.ROWS), variant=no_runs.LINES)
    assert len(no_runs.check(laying)) == found.totals[0]


def test_no_runs_says_when_nothing_can_be_completed_and_what_stands_in_the_way():
    # Between 4 . 6 and 1 . 3 everything but 5 and 2 fits; take a tray where only 5 is left for one place.
    whole = no_runs.solve(seed=1)
    cell = next(c for c, t in whole.cells().items() if t.symbol == "5" and 0 < c[1] < 9)
    last = whole.changed(
        {cell: NOTHING, (cell[0], cell[1] - 1): Tile("4", "x"), (cell[0], cell[1] + 1): Tile("6", "x")}
    )
    assert no_runs.solve(last) is None


# Latin array


def test_latin_no_number_twice_in_a_row_or_column_no_colour_twice_in_a_diagonal():
    empty = Laying.empty((4, 10))
    row = empty.changed({(0, 0): Tile("7", "red"), (0, 9): Tile("7", "blue")})
    assert "7 lies twice in row 1: in row 1 column 1 and in row 1 column 10." in said(latin.check(row))
    column = empty.changed({(0, 2): Tile("7", "red"), (3, 2): Tile("7", "blue")})
    assert "7 lies twice in column 3: in row 1 column 3 and in row 4 column 3." in said(latin.check(column))
    for other in ((3, 3), (1, 1)):
        falling = empty.changed({(0, 0): Tile("7", "red"), other: Tile("3", "red")})
        assert any(s.startswith("Two red tiles lie on one diagonal") for s in said(latin.check(falling)))
    rising = empty.changed({(0, 3): Tile("7", "red"), (3, 0): Tile("3", "red")})
    assert any(s.startswith("Two red tiles lie on one diagonal") for s in said(latin.check(rising)))


def test_latin_diagonals_do_not_wrap():
    apart = Laying.empty((4, 10)).changed({(0, 0): Tile("7", "red"), (1, 9): Tile("3", "red")})
    assert said(latin.check(apart)) == ["38 places are empty, the first in row 1 column 2."]


def test_latin_needs_the_colours():
    assert any("no known colour" in s for s in said(latin.check(laid(ROWS))))


def test_latin_keeps_the_names_of_the_colours_that_lie_there():
    start = Laying.empty((4, 10)).changed({(0, 0): Tile("7", "teal"), (0, 1): Tile("3", "black")})
    found = latin.solve(start)
    assert found is not None
    assert {"teal", "black"} < set(found.colours())
    assert len(found.colours()) == 4


def test_latin_takes_a_tile_away_where_nothing_can_be_completed():
    whole = latin.solve(seed=3)
    cells = list(whole.cells())
    holes = [(whole.changed(dict.fromkeys((a, b), NOTHING)), a, b) for a in cells[:10] for b in cells[10:]]
    swapped = [(hole.changed({a: whole.at(b)}), a) for hole, a, b in holes]
    lawful = [(laying, a) for laying, a in swapped if all("empty" in s for s in said(latin.check(laying)))]
    stuck, cell = next((laying, a) for laying, a in lawful if latin.solve(laying) is None)
    step = latin.hint(stuck)
    assert (step.cell, step.tile) == (cell, NOTHING)
    assert step.sentence.startswith("Nothing can be completed from here. Take away the ")
    assert latin.solve(stuck.changed({cell: NOTHING})) is not None


# Magic sums


def test_magic_sums_all_tiles_sum_to_180_so_the_sums_are_19_to_26():
    assert sum(int(tile.symbol) for tile in deck()) == 180
    assert [first for first in range(46) if sum(range(first, first + 8)) == 180] == [19]
    found = magic_sums.solve()
    assert sorted(magic_sums.column_sums(found).values()) == list(magic_sums.SUMS)


def test_magic_sums_equal_and_far_sums_are_said():
    whole = magic_sums.solve()
    five = [[(r, c) for r in range(5)] for c in range(8)]
    first = {(r, 1): Tile(whole.at((r, 0)).symbol) for r, _ in five[0]}
    assert any(s.startswith("Columns 1 and 2 both add up to") for s in said(magic_sums.check(whole.changed(first))))
    nines = {cell: Tile("9") for cell in five[0]}
    assert "Column 1 adds up to 45 (expected 19 to 26)." in said(magic_sums.check(whole.changed(nines)))


def test_magic_sums_harder_form_no_number_twice_in_a_row():
    easy = next(s for seed in range(50) if magic_sums.check((s := magic_sums.solve(seed=seed)), **HARDER))
    assert magic_sums.check(easy) == ()
    assert all("lies twice in row" in s for s in said(magic_sums.check(easy, **HARDER)))


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_law_every_easy_solution_becomes_a_harder_one_within_its_columns(seed: int):
    easy = magic_sums.solve(seed=seed)
    columns = [tuple(int(row[c].symbol) for row in easy.rows) for c in range(8)]
    rows = magic_sums.in_rows(columns)
    assert [sorted(column) for column in zip(*rows, strict=True)] == [sorted(column) for column in columns]
    assert all(len(set(row)) == 8 for row in rows)


@given(st.permutations([n for n in range(10) for _ in range(4)]))
def test_law_any_eight_columns_of_five_can_be_laid_without_repeats_in_rows(numbers: list[int]):
    rows = magic_sums.in_rows([tuple(numbers[c * 5 : c * 5 + 5]) for c in range(8)])
    assert all(len(set(row)) == 8 for row in rows)


def test_fillings_of_a_column_hold_a_number_at_most_four_times():
    assert magic_sums.fillings(5, 45) == ()
    assert magic_sums.fillings(5, 44) == ((8, 9, 9, 9, 9),)
    assert magic_sums.fillings(0, 0) == ((),)


# Most-Runs

DEALT = laid("1 2 8 7 6 3 5 4 9 0\n0 5 1 6 2 7 3 8 4 9\n9 8 7 6 5 4 3 2 1 0\n2 0 4 6 8 1 3 5 7 9")


def test_most_runs_the_two_set_aside_are_those_the_colour_lacks():
    assert most_runs.set_aside(DEALT) == (("0", "9"), ("4", "9"), ("0", "1"), ("7", "9"))


def test_most_runs_a_straight_of_eight_becomes_the_ring_of_ten():
    best = most_runs.best(DEALT)
    assert best.by_row[2] == 10
    assert sum(most_runs.runs(best.laying)) == best.runs
    assert most_runs.check(best.laying, dealt=DEALT) == ()


@settings(max_examples=15, deadline=None)
@given(st.permutations(most_runs.NUMBERS))
def test_law_no_row_with_the_eight_in_order_has_more_runs_than_the_best(row: list[str]):
    eight, most = tuple(row[:8]), most_runs.best_row(tuple(row[:8]))[0]
    rows = most_runs.insertions(eight, tuple(row[8:]))
    assert len(set(rows)) == 90
    assert max(map(most_runs.row_runs, rows)) == most
    assert all([n for n in r if n in eight] == list(eight) for r in rows)


def test_most_runs_of_one_eight_against_every_row_there_is():
    eight = "41829730"
    every = (r for r in permutations("0123456789") if r[0] == "4" or r[0] in "56")
    slow = max(most_runs.row_runs(r) for r in every if "".join(r).replace("5", "").replace("6", "") == eight)
    assert slow == most_runs.best_row(tuple(eight))[0]


def test_most_runs_tiles_that_left_their_order_are_said():
    moved = DEALT.changed({(0, 0): Tile("2"), (0, 1): Tile("1")})
    assert said(most_runs.check(moved, dealt=DEALT)) == ["The tiles of row 1 have left their order (1 2 8 7 6 3 5 4)."]
    twice = DEALT.changed({(0, 0): Tile("2")})
    there = "2 lies twice in row 1: in row 1 column 1 and in row 1 column 2."
    assert there in said(most_runs.check(twice, dealt=DEALT))


def test_most_runs_hint_says_where_one_of_the_two_belongs():
    step = most_runs.hint(DEALT, dealt=DEALT)
    assert step is not None
    assert step.sentence.startswith("Row ")
    assert most_runs.hint(most_runs.best(DEALT).laying, dealt=DEALT) is None


def test_most_runs_refuses_a_deal_that_is_none():
    with pytest.raises(BadLaying, match="row 1 of the deal"):
        most_runs.best(laid("\n".join(["1 1 2 3 4 5 6 7"] * 4)))
    with pytest.raises(BadLaying, match="4 rows of 10"):
        most_runs.best(laid("1 2 3"))


# Sums 1...m


def test_sums_sheet_2_9_8_3_1_10_7_6_15_scores_19():
    grid = sums.parse("2 9 8\n3 1 10\n7 6 15")
    assert sums.check(grid) == ()
    assert sums.missing(grid) == 20
    assert set(sums.reached(grid)) == set(range(1, 20))


def test_sums_the_best_grids_score_what_is_said_of_them():
    for size, grid in sums.BEST_GRIDS.items():
        assert sums.check(grid) == ()
        assert score(grid) == sums.most_known(size)
        assert sums.PROVED.get(size, score(grid)) == score(grid)


@pytest.mark.parametrize(("size", "most", "solutions"), [(1, 1, 1), (2, 8, 8), (3, 27, 0)])
def test_sums_27_has_no_solution_so_26_is_the_most_for_3x3(size: int, most: int, solutions: int):
    found = list(sums.every(most, size=size))
    assert len({image for grid in found for image in sums.symmetric(grid)}) == solutions


@pytest.mark.slow
def test_sums_26_has_40_or_5_up_to_symmetry():
    found = list(sums.every(26))
    assert len(found) == 5
    assert ((8, 2, 1), (5, 4, 15), (12, 14, 7)) in found
    images = {image for grid in found for image in sums.symmetric(grid)}
    assert len(images) == 40
    assert all(score(image) == 26 for image in images)


def test_sums_2x2_by_brute_force():
    grids = [((a, b), (c, d)) for a, b, c, d in permutations(range(1, 10), 4)]
    assert max(map(score, grids)) == 8
    by_hand = {grid for grid in grids if score(grid) >= 7}
    assert {i for g in sums.every(7, size=2) for i in sums.symmetric(g)} == by_hand


def test_sums_a_search_that_could_not_be_complete_is_refused():
    with pytest.raises(BadLaying, match="cannot be decided"):
        list(sums.every(20))
    with pytest.raises(BadLaying, match="too many"):
        list(sums.every(60, size=4))


def test_sums_faults_and_hints():
    grid = sums.parse("8 2 .\n5 4 .\n. . 7")
    assert said(sums.check(grid)) == ["4 places are empty, the first in row 1 column 3."]
    step = sums.hint(grid)
    assert step is not None
    assert (step.cell, step.number) == ((0, 2), 1)
    assert said(sums.check(sums.parse("1 1\n2 3"))) == ["1 stands in row 1 column 1 and in row 1 column 2."]
    wrong = sums.hint(sums.parse("8 2 1\n5 4 15\n12 14 9"))
    assert wrong is not None
    assert (wrong.cell, wrong.number) == ((2, 2), 0)


@given(st.integers(1, 4))
def test_law_hints_alone_lead_to_the_best_grid(size: int):
    grid = [[0] * size for _ in range(size)]
    while (step := sums.hint(tuple(map(tuple, grid)))) is not None:
        grid[step.cell[0]][step.cell[1]] = step.number
    assert score(grid) == sums.most_known(size)


# Searching


def test_covers_finds_every_exact_cover_of_knuths_example():
    options = ["CEF", "ADG", "BCF", "AD", "BG", "DEG"]
    assert [sorted(c) for c in covers(options, primary="ABCDEFG", budget=Budget(100))] == [[0, 3, 4]]


def test_covers_an_item_that_is_not_primary_is_covered_at_most_once():
    found = {tuple(sorted(c)) for c in covers(["Ax", "Bx", "By", "A"], primary="AB", budget=Budget(100))}
    assert found == {(0, 2), (1, 3), (2, 3)}


def test_a_spent_budget_is_said_and_only_an_ended_search_is_believed():
    with pytest.raises(GaveUp):
        list(covers(["A"] * 5, primary="A", budget=Budget(3)))

    def attempt(seed: int, budget: Budget) -> int:
        for _ in range(4):
            budget.spend()
        return seed

    assert with_restarts(attempt, seed=2, tries=(3, 4)) == 5
    with pytest.raises(GaveUp):
        with_restarts(attempt, seed=0, tries=(3, 3))


@given(st.lists(st.integers()), st.integers(0, 1 << 70))
def test_law_mixing_keeps_every_item(items: list[int], seed: int):
    assert sorted(mixed(items, seed=seed)) == sorted(items)


def test_solvers_and_checks_have_one_form():
    solvers: list[Callable[..., Laying | None]] = [no_runs.solve, latin.solve, magic_sums.solve]
    assert all(
        solve(Laying.empty(shape)) is not None for solve, shape in zip(solvers, [(4, 10), (4, 10), (5, 8)], strict=True)
    )
