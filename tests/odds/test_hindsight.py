"""After the round: luck, the perfect call and nerve, on matches played through the rules."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.odds import hindsight as look
from pi.odds.chances import Chances
from pi.odds.errors import BadQuestion
from pi.odds.rows import board_chances
from pi.rules import commands as ask
from pi.rules.games.scramble import SCRAMBLE
from pi.rules.games.scramble_score import Terms
from pi.rules.values import Board, Seat
from tests.builders import NO_RUN, ONE_RUN, SECOND, THREE_RUNS, lock, match, start, tray

HOUSE = {rule.name: rule.default for rule in SCRAMBLE.house_rules}
BOARD = Board.parse(ONE_RUN)
ROWS = [[(r, c) for c in range(10)] for r in range(4)]


def played(text: str, *locks: ask.LockIn, **house: object):
    state = match(start("Ann", "Bob", **house), ask.Next(0), *locks, ask.ReadTray(tray(text)))
    return state.context, state.state.rounds[0]


def row_by_row(board: Board = BOARD) -> tuple[look.Moment, ...]:
    return look.moments(board, [(r * SECOND, cells) for r, cells in enumerate(ROWS, start=1)])


def test_a_board_with_some_run_is_as_lucky_as_62_percent():
    context, round_ = played(ONE_RUN, lock(1, 1), lock(2, 0))
    found = look.luck(context, round_)
    assert (found.runs, found.exact) == (1, True)
    assert round(float(found.at_least), 4) == 0.6227
    assert found.mean == board_chances().mean()


def test_no_run_is_no_luck_at_all():
    context, round_ = played(NO_RUN, lock(1, 1), lock(2, 0))
    assert look.luck(context, round_).at_least == 1


def test_nothing_is_told_before_the_reveal():
    state = match(start("Ann", "Bob"), ask.Next(0), lock(1, 1), ask.ReadTray(tray(ONE_RUN)))
    for question in (look.luck, lambda c, r: look.locked_early(c, r, row_by_row())):
        with pytest.raises(BadQuestion, match="not revealed"):
            question(state.context, state.state.rounds[0])


def test_vertical_is_drawn_and_says_so():
    context, round_ = played(THREE_RUNS, lock(1, 1), lock(2, 0), vertical=True)
    with pytest.raises(BadQuestion, match="random generator"):
        look.luck(context, round_)
    found = look.luck(context, round_, rng=np.random.default_rng(1), draws=20_000)
    assert found.exact is False
    assert 0 < found.at_least < 1


def test_wilds_are_exact_on_rows():
    assert look.fresh_chances({**HOUSE, "wild": True}).exact


def test_moments_start_with_everything_face_down_and_end_with_the_board():
    seen = row_by_row()
    assert [m.hidden for m in seen] == [40, 30, 20, 10, 0]
    assert seen[-1].board == BOARD
    assert [m.hidden for m in look.moments(BOARD, [])] == [40]
    together = look.moments(BOARD, [(5, ROWS[1]), (5, ROWS[0])])
    assert [m.hidden for m in together] == [40, 20]
    with pytest.raises(BadQuestion, match="no cell"):
        look.moments(BOARD, [(1, [(9, 9)])])


def test_expected_points_by_hand():
    # Two sets, as likely: no run, or two. A right zero is one point, two runs are two; the first disk adds 4.
    half = Chances({(0,): 1, (2,): 1})
    assert look.expected_points(0, half) == Fraction(1 + 4, 2)
    assert look.expected_points(2, half, place=3) == Fraction(2 + 2, 2)
    assert look.expected_points(1, half) == 0
    assert look.expected_points(1, half, terms=Terms(tough=True)) == -1
    assert look.best_call(half) == (2, Fraction(3))


def test_with_seven_or_more_a_seven_is_right_above_seven():
    nine = Chances({(9,): 1})
    assert look.best_call(nine, terms=Terms(seven_or_more=True)) == (7, Fraction(13))
    assert look.best_call(nine)[1] == 0


def test_the_perfect_player_alone_waits_until_it_is_certain_and_no_longer():
    made = look.calls(row_by_row(), house=HOUSE, totals=(1,))
    assert [call.hidden for call in made] == [40, 30, 20, 10, 0]
    best = look.perfect_call(made)
    assert (best.prediction, best.chance, best.points, best.right) == (1, 1, Fraction(5), True)
    assert best.hidden == 0


def test_when_others_lock_in_early_the_perfect_player_does_not_wait_for_the_last_place():
    alone = look.perfect_call(look.calls(row_by_row(), house=HOUSE))
    pressed = look.calls(
        row_by_row(), house=HOUSE, others_ns=[SECOND // 2 * 7, SECOND // 2 * 7 + 1, SECOND // 2 * 7 + 2]
    )
    assert pressed[-1].place == 4
    assert pressed[-1].points == 2
    assert look.perfect_call(pressed).hidden == 10
    assert alone.hidden == 0


def test_with_nothing_open_the_likeliest_total_is_not_always_worth_most():
    call = look.calls(row_by_row()[:1], house=HOUSE)[0]
    chances = board_chances()
    assert call.chance == chances.attainable(call.prediction)
    assert call.points == max(chances.attainable(k) * (max(k, 1) + 4) for k in range(8))


def test_nerve_counts_lock_ins_with_tiles_face_down_that_held():
    context, round_ = played(ONE_RUN, lock(1, 1, at=2.5), lock(2, 0, at=5.0))
    locks = look.locked_early(context, round_, row_by_row())
    assert [(x.seat, x.hidden, x.prediction, x.held) for x in locks] == [(Seat(1), 20, 1, True)]
    chances = look.open_chances(row_by_row()[2].board)
    assert locks[0].chance == chances.attainable(1)
    assert look.nerve(locks, Seat(1)) == look.Nerve(1, 1, locks[0].chance)
    assert look.nerve(locks, Seat(2)) == look.Nerve(0, 0, Fraction(0))


def test_before_the_first_moment_nothing_lay_open():
    context, round_ = played(ONE_RUN, lock(1, 1, at=0.1), lock(2, 0, at=0.2))
    locks = look.locked_early(context, round_, row_by_row())
    assert [x.hidden for x in locks] == [40, 40]
    assert [x.held for x in locks] == [True, False]
    assert look.locked_early(context, round_, ()) == ()


@settings(max_examples=25, deadline=None)
@given(st.permutations([c for row in ROWS for c in row]), st.integers(1, 39))
def test_law_on_average_over_the_next_tile_knowing_more_is_never_worth_less(cells: list[tuple[int, int]], laid: int):
    """The expected worth at a moment is at most the expected worth when everything lies open (place 1 throughout)."""
    seen = look.moments(BOARD, [(1, cells[:laid])])[-1]
    chances = look._open(seen, HOUSE, None, 0)
    waiting = sum(share * (max(k, 1) + 4) for k, share in chances.best().items() if k <= 7)
    assert look.best_call(chances)[1] <= waiting
