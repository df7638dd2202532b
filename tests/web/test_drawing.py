"""Runs drawn over the tray: every run has its cells, lines near, stubs where a line closes to a ring."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.games.scramble import result
from pi.rules.values import SHAPES, Board, Layout
from tests.builders import lock, match, start, tray
from web.drawing import PITCH, scene
from web.evidence import Evidence
from web.present import SPECTATOR, present_round


def drawn(text: str, **house):
    layout = house.get("board", "rows")
    played = match(start(**house), ask.Next(0), ask.ReadTray(tray(text, layout=layout)), lock(1, 0), lock(2, 0))
    view = present_round(played, SPECTATOR, number=1, status={})
    assert view is not None
    return view, scene(view, None)


QUIET = "2 0 4 6 8 1 3 5 7 9\n0 5 1 6 2 7 3 8 4 9\n1 3 0 4 6 5 9 2 8 7"


def test_a_run_around_the_ends_is_drawn_out_of_both():
    """RULES.md 1: numbers and rows wrap; 8 9 . . . 0 is a run of places 9, 10, 1."""
    view, shapes = drawn(f"0 4 1 7 2 6 3 5 8 9\n{QUIET}")
    assert [run["symbols"] for run in view["truth"]["runs"]] == ["8 9 0"]
    (run,) = shapes.runs
    assert len(run.lines) == 1
    (right, out), (left, away) = run.stubs
    assert (right[0], out[0] - right[0]) == (10 * PITCH, 0.8 * PITCH)
    assert (left[0], away[0] - left[0]) == (PITCH, -0.8 * PITCH)


def test_a_straight_of_four_is_two_runs_drawn_beside_each_other():
    """RULES.md 1: a longer straight counts each triple in it: 4 in line = 2 runs."""
    _, shapes = drawn(f"1 2 3 4 7 9 6 0 5 8\n{QUIET}")
    one, other = shapes.runs
    assert (one.symbols, other.symbols) == ("1 2 3", "2 3 4")
    assert one.lines[0][0][1] != other.lines[0][0][1]
    assert one.badge != other.badge


def test_a_run_down_a_column_is_drawn_beside_it():
    _, shapes = drawn(
        "1 7 4 2 6 8 0 3 5 9\n2 0 4 6 8 1 3 5 7 9\n3 0 5 1 6 2 7 4 9 8\n7 1 3 0 4 6 5 9 2 8", vertical=True
    )
    down = [run for run in shapes.runs if len({x for x, _ in run.points}) == 1]
    assert down
    assert all(abs(run.points[0][0] % PITCH) > 20 for run in down)


@pytest.mark.parametrize("layout", list(Layout))
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_run_of_the_count_is_drawn_once_with_its_own_cells(layout, data):
    """Law: as many drawn runs as counted ones; each spells three numbers in a row; no run lies elsewhere."""
    sizes = SHAPES[layout]
    numbers = data.draw(st.permutations("0123456789" * 4))
    wild = ["#"] if layout is Layout.DIAMOND else []
    cells = iter([*numbers, *wild])
    if layout is Layout.ROWS:
        rows = [data.draw(st.permutations("0123456789")) for _ in sizes]
    else:
        rows = [[next(cells) for _ in range(n)] for n in sizes]
    view, shapes = drawn(str(Board.of(layout, rows)), board=layout.value)
    chosen = view["truth"]["chosen"]
    assert len(shapes.runs) == len(view["truth"]["runs"]) == chosen
    for run in view["truth"]["runs"]:
        a, b, c = (int(n) for n in run["symbols"].split())
        assert ((b - a) % 10, (c - b) % 10) == (1, 1)
        assert len({tuple(cell) for cell in run["cells"]}) == 3
    assert sum(len(t.runs) for t in shapes.tiles) == 3 * chosen
    for shape in shapes.runs:
        assert 2 * len(shape.lines) + len(shape.stubs) == 4


def test_a_picture_without_all_tiles_is_not_drawn_over():
    view, _ = drawn(f"1 2 3 4 7 9 6 0 5 8\n{QUIET}")
    part = Evidence("f1", (1000.0, 500.0), {(0, 0): ((0, 0), (1, 0), (1, 1), (0, 1))})
    assert scene(view, part).frame is None


def test_what_is_drawn_is_what_is_counted():
    played = match(start(), ask.Next(0), ask.ReadTray(tray(f"1 2 3 4 7 9 6 0 5 8\n{QUIET}")), lock(1, 2), lock(2, 0))
    judged = result(played.context, played.state.rounds[0])
    view = present_round(played, SPECTATOR, number=1, status={})
    assert judged is not None
    assert view is not None
    assert [sorted(map(tuple, run["cells"])) for run in view["truth"]["runs"]] == [list(r) for r in judged.count.runs]
