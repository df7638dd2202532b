"""A match of Random Scramble from first command to winner (RULES.md 1), with corrections and undo."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.match import NEW, Match, apply, decide, replay
from pi.rules.ruleset import Reason, Refused
from pi.rules.secrets import commitment
from pi.rules.values import Seat
from tests.builders import NO_RUN, ONE_RUN, SECOND, THREE_RUNS, lock, match, play, refusal, start, tray


def opened(*names: str, **house) -> Match:
    return match(start(*names, **house), ask.Next(0))


def fresh(text: str, turn: int) -> str:
    """Return the same board turned round the clock, so that it lies otherwise but counts alike."""
    return "\n".join(" ".join(str((int(s) + turn) % 10) for s in line.split()) for line in text.splitlines())


def standing(state: Match) -> dict[int, int]:
    return dict(state.standing())


def test_a_round_reveals_itself_when_all_are_in_and_the_tray_is_read():
    state = play(opened(), lock(2, 1, at=1), lock(1, 1, at=2))
    assert state.state.current is not None
    state = play(state, ask.ReadTray(tray(ONE_RUN)))
    assert state.state.current is None
    assert standing(state) == {2: 5, 1: 4}


def test_the_tray_may_be_read_before_the_last_lock_in():
    state = play(opened(), lock(1, 1, at=1), ask.ReadTray(tray(ONE_RUN)), lock(2, 0, at=2))
    assert standing(state) == {1: 5, 2: 0}


def test_play_goes_on_until_somebody_has_10_and_one_player_alone_leads():
    state = play(opened(), lock(1, 1, at=2), lock(2, 0, at=3), ask.ReadTray(tray(ONE_RUN)))
    assert standing(state) == {1: 5, 2: 0}
    assert not state.outcome().over
    state = play(state, ask.Next(0), lock(1, 1, at=2), lock(2, 0, at=3), ask.ReadTray(tray(fresh(ONE_RUN, 1))))
    assert standing(state) == {1: 10, 2: 0}
    assert state.outcome().over
    assert state.outcome().winners == (1,)
    assert refusal(state, ask.Next(0)).reason is Reason.MATCH_OVER


def test_a_tie_at_the_top_at_10_or_more_is_broken_by_further_rounds():
    state = play(opened(target=5), lock(1, 1, at=1), lock(2, 1, at=1), ask.ReadTray(tray(ONE_RUN)))
    assert standing(state) == {1: 5, 2: 5}
    assert not state.outcome().over
    assert "tie at 5" in state.outcome().why


def test_with_tough_a_leader_may_fall_back_then_play_on():
    state = opened("Ann", "Bob", tough=True, target=5)
    state = play(state, lock(1, 1, at=1), lock(2, 1, at=1), ask.ReadTray(tray(ONE_RUN)), ask.Next(0))
    state = play(state, lock(1, 7, at=1), lock(2, 7, at=2), ask.ReadTray(tray(fresh(NO_RUN, 3))))
    assert standing(state) == {1: -2, 2: -2}
    assert not state.outcome().over


def test_late_arrivals_of_earlier_edges_reorder_before_the_reveal_and_never_after():
    state = play(opened("Ann", "Bob", "Cem"), lock(1, 1, at=5), lock(2, 1, at=2), ask.ReadTray(tray(ONE_RUN)))
    assert state.state.current.seats_in() == (2, 1)
    state = play(state, lock(3, 1, at=1))
    assert standing(state) == {3: 5, 2: 4, 1: 3}
    assert refusal(state, lock(1, 1, at=0.5)).reason is Reason.NO_ROUND


def test_a_lock_in_is_final():
    state = play(opened(), lock(1, 1))
    assert refusal(state, lock(1, 2)).sentence == "Ann is already locked in."


def test_a_mistaken_press_is_undone_only_openly_and_stands_in_the_journal():
    state = play(opened(), lock(1, 1), ask.WithdrawLockIn(Seat(1)), lock(1, 2))
    kinds = [type(e).__name__ for e in state.history]
    assert kinds[-3:] == ["LockedIn", "LockInWithdrawn", "LockedIn"]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (lock(3, 1), Reason.UNKNOWN_SEAT),
        (lock(1, 8), Reason.BAD_PREDICTION),
        (lock(1, -1), Reason.BAD_PREDICTION),
        (ask.WithdrawLockIn(Seat(1)), Reason.NOT_LOCKED),
        (ask.Reveal(), Reason.WRONG_PHASE),
        (ask.Next(0), Reason.WRONG_PHASE),
        (ask.CorrectTile(1, 0, 0, "3"), Reason.NO_ROUND),
        (ask.Redo(), Reason.NOTHING_TO_REDO),
        (ask.Resume(), Reason.WRONG_PHASE),
        (ask.RenamePlayer(Seat(1), "bob"), Reason.BAD_PLAYERS),
        (ask.ReadTray(tray("1 2 3\n4 5 6\n7 8 9")), Reason.BAD_TRAY),
        (ask.ReadTray(tray(ONE_RUN.replace("4 1", "1 1", 1))), Reason.BAD_TRAY),
        (ask.ReadTray(tray(ONE_RUN.replace("4 1", "# 1", 1))), Reason.BAD_TRAY),
        (start(), Reason.MATCH_RUNNING),
    ],
    ids=str,
)
def test_a_refusal_says_why_and_changes_nothing(command, reason: Reason):
    state = opened()
    assert refusal(state, command).reason is reason
    assert refusal(state, command).sentence.endswith(".")


@pytest.mark.parametrize(
    ("house", "said"),
    [
        ({"elevator": True, "board": "rect"}, "rows only"),
        ({"wild": True, "board": "diamond"}, "rows only"),
        ({"vertical": True, "board": "diamond"}, "count anyway"),
        ({"wrap": False}, "Rows always wrap"),
        ({"wild_must_be_best": True}, "needs wild tiles"),
        ({"target": 0}, "goes from 1 to 99"),
        ({"target": True}, "of the kind int"),
        ({"board": "circle"}, "one of rows, rect, diamond"),
        ({"turbo": True}, "no house rule 'turbo'"),
    ],
)
def test_house_rules_that_do_not_go_together_are_refused(house, said: str):
    assert said in refusal(NEW, start(**house)).sentence


@pytest.mark.parametrize("names", [["Ann"], ["A", "B", "C", "D", "E"], ["Ann", "ann"], ["Ann", " "], ["Ann", "x" * 25]])
def test_2_to_4_players_with_names_of_their_own(names: list[str]):
    assert refusal(NEW, start(*names)).reason is Reason.BAD_PLAYERS


def test_a_press_from_before_the_round_is_too_early():
    state = match(start(), ask.Next(10 * SECOND))
    assert refusal(state, lock(1, 1, at=9)).reason is Reason.TOO_EARLY


def test_the_last_rounds_tiles_are_not_read_as_the_next_round():
    state = play(opened(), lock(1, 1, at=1), lock(2, 0, at=2), ask.ReadTray(tray(ONE_RUN)), ask.Next(0))
    assert refusal(state, ask.ReadTray(tray(ONE_RUN))).reason is Reason.SAME_TRAY
    # ... not even when the eye now sees one of them otherwise
    seen_otherwise = ONE_RUN.replace("4 1 7", "1 4 7", 1)
    assert refusal(state, ask.ReadTray(tray(seen_otherwise))).reason is Reason.SAME_TRAY
    assert play(state, ask.ReadTray(tray(fresh(ONE_RUN, 5)))).state.current.tray is not None


def test_an_unsure_tile_is_asked_about_and_nothing_is_revealed_before_the_answer():
    state = play(opened(), lock(1, 1, at=1), lock(2, 0, at=2), ask.ReadTray(tray(ONE_RUN, doubts=[(3, 4)])))
    assert [t.cell for t in state.state.current.doubts()] == [(3, 4)]
    assert "row 4 place 5" in refusal(state, ask.Reveal()).sentence
    answered = play(state, ask.CorrectTile(1, 3, 4, "8"))
    assert answered.state.current is None
    assert standing(answered) == {1: 0, 2: 5}  # with an 8 there, 4 8 6 is no run


def test_that_tile_is_a_7_and_everything_after_is_counted_again():
    state = play(opened(), lock(1, 3, at=1), lock(2, 2, at=2), ask.ReadTray(tray(THREE_RUNS)))
    assert standing(state) == {1: 7, 2: 0}
    before = state.history
    # The first row is 1 2 8 7 6 3 5 4 9 0; with its 8 and its 5 exchanged, 8 7 6 is gone.
    state = play(state, ask.CorrectTile(1, 0, 2, "5"), ask.CorrectTile(1, 0, 6, "8"))
    assert standing(state) == {1: 0, 2: 6}
    assert state.history[: len(before)] == before  # the journal keeps both
    assert (state.history[-1].was, state.history[-1].symbol) == ("5", "8")


def test_a_correction_may_turn_the_winner_and_play_goes_on():
    state = play(opened(target=5), lock(1, 1, at=1), lock(2, 0, at=2), ask.ReadTray(tray(ONE_RUN)))
    assert state.outcome().winners == (1,)
    state = play(state, ask.CorrectTile(1, 3, 4, "6"), ask.CorrectTile(1, 3, 5, "5"))
    # 1 3 0 4 6 5 9 2 8 7: the run 4 5 6 was none
    assert standing(state) == {1: 0, 2: 5}
    assert state.outcome().winners == (2,)


def test_undo_any_number_of_steps_and_redo_them():
    commands = [
        ask.Next(0),
        lock(1, 1, at=1),
        lock(2, 0, at=2),
        ask.ReadTray(tray(ONE_RUN)),
        ask.CorrectTile(1, 3, 4, "6"),
    ]
    states = [match(start())]
    for command in commands:
        states.append(play(states[-1], command))
    state = states[-1]
    for earlier in reversed(states[:-1]):
        state = play(state, ask.Undo())
        assert (state.state, state.standing()) == (earlier.state, earlier.standing())
    assert refusal(state, ask.Undo()).reason is Reason.NOTHING_TO_UNDO
    for later in states[1:]:
        state = play(state, ask.Redo())
        assert (state.state, state.standing()) == (later.state, later.standing())


def test_several_steps_go_back_and_forth_at_once_all_of_them_or_none():
    states = [match(start(), ask.Next(0))]
    for command in (lock(1, 1, at=1), lock(2, 0, at=2), ask.ReadTray(tray(ONE_RUN))):
        states.append(play(states[-1], command))
    after = play(states[-1], ask.Undo(steps=3))
    assert after.state == states[0].state
    assert len(after.undone) == 3, "each step can still be brought back by itself"
    assert play(after, ask.Redo(steps=2)).state == states[2].state
    assert play(after, ask.Redo(), ask.Redo(), ask.Redo()).standing() == states[-1].standing()
    assert refusal(after, ask.Redo(steps=4)).sentence == "Only 3 of 4 steps can be gone; nothing has changed."
    assert refusal(after, ask.Undo(steps=9)).sentence == "Only 1 of 9 steps can be gone; nothing has changed."
    assert refusal(after, ask.Undo(steps=0)).reason is Reason.UNLAWFUL
    assert refusal(after, ask.Undo(steps=101)).reason is Reason.UNLAWFUL


def test_after_an_undo_the_camera_waits_until_the_table_goes_on():
    state = play(opened(), lock(1, 1, at=1), lock(2, 0, at=2), ask.ReadTray(tray(ONE_RUN)), ask.Undo())
    assert state.expects() is None
    assert refusal(state, ask.ReadTray(tray(ONE_RUN))).reason is Reason.ON_HOLD
    state = play(state, ask.Next(0))
    assert state.expects() == "rows"
    assert standing(play(state, ask.ReadTray(tray(ONE_RUN)))) == {1: 5, 2: 0}


def test_the_tray_is_right_read_it_again():
    state = play(opened(), lock(1, 1, at=1), ask.ReadTray(tray(NO_RUN)), ask.Reread(1))
    assert state.state.current.tray is None
    assert standing(play(state, ask.ReadTray(tray(ONE_RUN)), lock(2, 0, at=2))) == {1: 5, 2: 0}


def test_a_correction_outlives_a_second_look_that_claims_the_same():
    state = play(opened(), ask.ReadTray(tray(ONE_RUN)), ask.CorrectTile(1, 0, 0, "5"))
    unsure_elsewhere = play(state, ask.ReadTray(tray(ONE_RUN, doubts=[(2, 2)])))
    assert unsure_elsewhere.state.current.symbols()[0, 0] == "5"
    swapped = ONE_RUN.replace("4 1 7", "1 4 7", 1)
    assert play(state, ask.ReadTray(tray(swapped))).state.current.symbols()[0, 0] == "1"


def test_with_wilds_the_score_is_right_keeps_every_total_that_could_be_made():
    state = play(match(start(wild=True), ask.Next(0)), lock(1, 2, at=1), lock(2, 4, at=2), ask.RuleTotal(1, 3))
    assert standing(state) == {1: 0, 2: 0}
    state = play(state, ask.RuleTotal(1, 2, others=(3, 4)))
    assert standing(state) == {1: 6, 2: 7}, "both of them named a total that can be made"
    assert refusal(match(start(), ask.Next(0)), ask.RuleTotal(1, 2, others=(3,))).sentence == (
        "Without wild tiles a board has one total."
    )
    assert refusal(state, ask.RuleTotal(1, 2, others=(1000,))).reason is Reason.UNLAWFUL


def test_without_a_camera_the_table_counts_by_hand():
    state = play(opened(), lock(1, 2, at=1), lock(2, 0, at=2), ask.RuleTotal(1, 2))
    assert standing(state) == {1: 6, 2: 0}


def test_a_seat_that_never_locked_in_made_no_prediction_and_loses_nothing():
    state = play(opened("Ann", "Bob", tough=True), lock(1, 1), ask.ReadTray(tray(ONE_RUN)), ask.Reveal())
    assert standing(state) == {1: 5, 2: 0}


def test_at_the_reveal_the_commitment_can_be_checked():
    locked = play(opened(), lock(1, 3)).history[-1]
    proof = commitment(match="m1", round=1, seat=Seat(1), prediction=locked.prediction, nonce=locked.nonce)
    assert locked.commitment == proof
    assert commitment(match="m1", round=1, seat=Seat(1), prediction=4, nonce=locked.nonce) != proof


def test_adjusted_points_count_and_can_be_undone():
    state = play(opened(), ask.AdjustPoints(Seat(2), -2, "knocked the tray over"))
    assert standing(state) == {1: 0, 2: -2}
    assert standing(play(state, ask.Undo())) == {1: 0, 2: 0}


BOARDS = st.sampled_from([ONE_RUN, NO_RUN, THREE_RUNS])
COMMANDS = st.one_of(
    st.builds(ask.Next, st.just(0)),
    st.builds(lock, st.integers(1, 3), st.integers(0, 8), at=st.integers(0, 4)),
    st.builds(lambda b, t, d: ask.ReadTray(tray(fresh(b, t), doubts=d)), BOARDS, st.integers(0, 9), st.just([])),
    st.builds(lambda b: ask.ReadTray(tray(b, doubts=[(1, 1)])), BOARDS),
    st.builds(
        ask.CorrectTile,
        st.integers(1, 3),
        st.integers(0, 4),
        st.integers(0, 9),
        st.sampled_from("0123456789#"),
    ),
    st.builds(ask.RuleTotal, st.integers(1, 2), st.integers(0, 9)),
    st.builds(ask.Reread, st.integers(1, 3)),
    st.builds(ask.WithdrawLockIn, st.integers(1, 2).map(Seat)),
    st.sampled_from([ask.Undo(), ask.Redo(), ask.Reveal(), ask.Hold(), ask.Resume(), ask.EndMatch()]),
    st.builds(ask.AdjustPoints, st.just(Seat(1)), st.integers(-3, 3), st.just("why")),
)


@given(st.lists(COMMANDS, max_size=30), st.booleans())
def test_law_replay_equals_live_and_decide_never_changes_the_state(commands, tough: bool):
    live, journal = NEW, []
    for command in [start(tough=tough), *commands]:
        before = live
        answer = decide(live, command)
        assert live == before
        assert decide(live, command) == answer
        if not isinstance(answer, Refused):
            journal += answer
            live = reduce(apply, answer, live)
    assert replay(journal) == live
    live.standing(), live.outcome(), live.expects()


EVENTS = st.one_of(
    st.builds(happened.RoundOpened, st.integers(0, 3), st.just(0)),
    st.builds(
        happened.LockedIn,
        st.integers(0, 3),
        st.integers(0, 5).map(Seat),
        st.integers(0, 5),
        st.just(1),
        st.integers(0, 9),
        st.just("n"),
        st.just("c"),
    ),
    st.builds(happened.TrayRead, st.integers(0, 3), st.sampled_from([tray(ONE_RUN), tray("1 2 3"), tray(NO_RUN)])),
    st.builds(happened.Revealed, st.integers(0, 3), automatic=st.booleans(), by=st.just("x")),
    st.builds(
        happened.TileCorrected,
        st.integers(0, 3),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from("5#?."),
        st.just("1"),
        st.just("x"),
    ),
    st.builds(happened.Undone, st.integers(-1, 5), st.just("x")),
    st.builds(happened.Redone, st.integers(-1, 5), st.just("x")),
    st.just(happened.MatchEnded("x")),
    st.just(happened.TrayCleared(1, "x")),
    st.builds(happened.LockInWithdrawn, st.integers(0, 3), st.integers(0, 5).map(Seat), st.just("x")),
    st.just(happened.MatchStarted("other", "unheard-of", ())),
)


@given(st.booleans(), st.lists(EVENTS, max_size=25))
def test_law_apply_is_total(started: bool, events):
    state = match(start()) if started else NEW
    for event in events:
        state = apply(state, event)
        state.standing(), state.outcome(), state.expects()
