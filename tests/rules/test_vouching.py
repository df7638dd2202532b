"""README, "never silently wrong (what the eye is not sure of, it asks)": a tray in doubt as a whole is asked about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.events import SeenTile, Tray, decode, encode
from pi.rules.match import Match, apply, decide, replay
from pi.rules.quests.catalogue import DOORS
from pi.rules.ruleset import Reason, Refused
from pi.rules.transcript import transcript
from pi.rules.vouching import COUNT, LAYOUT, UNSEEN, WHY
from tests.builders import NO_RUN, ONE_RUN, SECOND, lock, match, play, players, refusal, start, tray
from tests.rules.games import begun

HERE, NEAR, ELSEWHERE = (100.0, 50.0), (104.0, 47.0), (180.0, 50.0)
CONFIRM = ask.ConfirmTray(1, "f1")


def doubted(text: str = ONE_RUN, *, doubt: tuple[str, ...] = (COUNT,), marks: Any = (HERE,), **more: Any) -> Tray:
    return replace(tray(text, **more), doubt=doubt, marks=marks)


def locked(*first: Any) -> Match:
    return match(start(), ask.Next(0), *first, lock(1, 1), lock(2, 0, at=2.0))


@pytest.mark.parametrize("doubt", WHY)
def test_no_round_is_revealed_by_a_reading_that_is_in_doubt_though_every_tile_is_sure(doubt):
    state = locked(ask.ReadTray(doubted(doubt=(doubt,))))
    assert not state.state.rounds[0].revealed
    assert refusal(state, ask.Reveal()).sentence.startswith("The eye is not sure of the tray as a whole")
    assert dict(state.standing()) == {1: 0, 2: 0}


def test_the_tables_word_counts_for_the_reading_and_reveals_the_round():
    state = play(locked(ask.ReadTray(doubted())), CONFIRM)
    assert state.state.rounds[0].revealed
    assert dict(state.standing()) == {1: 5, 2: 0}
    assert "the tray lies as it was read, says table" in transcript(state.history)


def test_the_word_may_be_given_before_the_last_lock_in():
    state = match(start(), ask.Next(0), ask.ReadTray(doubted()), CONFIRM, lock(1, 1))
    assert play(state, lock(2, 0, at=2.0)).state.rounds[0].revealed


def test_tiles_in_doubt_are_asked_about_as_well():
    state = play(locked(ask.ReadTray(doubted(doubts=[(0, 0)]))), CONFIRM)
    assert not state.state.rounds[0].revealed
    assert play(state, ask.CorrectTile(1, 0, 0, "4")).state.rounds[0].revealed


def test_what_was_put_right_and_read_again_needs_no_word():
    assert play(locked(ask.ReadTray(doubted())), ask.ReadTray(tray(ONE_RUN, frame="f2"))).state.rounds[0].revealed


def test_nobody_vouches_for_another_reading_than_they_have_seen():
    state = play(locked(ask.ReadTray(doubted())), ask.ReadTray(doubted(NO_RUN, frame="f2")))
    assert refusal(state, CONFIRM).reason is Reason.MOVED_ON
    assert refusal(state, ask.ConfirmTray(2, "f2")).reason is Reason.MOVED_ON


@pytest.mark.parametrize(
    ("again", "asked"),
    [(doubted(marks=(NEAR,)), False), (doubted(marks=(ELSEWHERE,)), True), (doubted(marks=(HERE, ELSEWHERE)), True)],
    ids=["the same thing", "another thing", "one thing more"],
)
def test_the_word_holds_for_what_was_marked_and_for_nothing_else(again, asked):
    state = match(start(), ask.Next(0), ask.ReadTray(doubted()), CONFIRM, lock(1, 1))
    answer = decide(state, ask.ReadTray(replace(again, frame="f2")))
    assert isinstance(answer, Refused) is not asked
    if asked:
        state = play(state, ask.ReadTray(again), lock(2, 0, at=2.0))
        assert not state.state.rounds[0].revealed


def test_a_word_nobody_asked_for_is_declined_and_changes_nothing():
    sure = match(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)))
    assert refusal(sure, CONFIRM).reason is Reason.NOTHING_NEW
    assert refusal(match(start(), ask.Next(0)), CONFIRM).reason is Reason.MOVED_ON
    told = match(start(), ask.Next(0), ask.ReadTray(doubted()), CONFIRM)
    assert refusal(told, CONFIRM).reason is Reason.NOTHING_NEW


def test_reading_again_forgets_the_word_and_undo_takes_it_back():
    state = match(start(), ask.Next(0), ask.ReadTray(doubted()), CONFIRM, ask.Reread(1), ask.ReadTray(doubted()))
    assert state.state.current.in_question()
    state = play(match(start(), ask.Next(0), ask.ReadTray(doubted()), CONFIRM), ask.Undo())
    assert state.state.current.in_question()


def test_counting_by_hand_needs_no_word():
    assert play(locked(ask.ReadTray(doubted())), ask.RuleTotal(1, 1)).state.rounds[0].revealed


def test_a_journal_from_before_readings_said_so_opens_and_scores_the_same():
    state = locked(ask.ReadTray(tray(ONE_RUN)))
    written = [encode(event) for event in state.history]
    for name, _, data in written:
        if name == "tray-read":
            del data["tray"]["doubt"], data["tray"]["marks"]
    assert replay(decode(*one) for one in written) == state
    assert dict(state.standing()) == {1: 5, 2: 0}


def test_the_word_survives_the_journal():
    state = play(locked(ask.ReadTray(doubted())), CONFIRM)
    assert replay(decode(*encode(event)) for event in state.history) == state
    assert ask.decode(ask.encode(CONFIRM)) == CONFIRM


# -- Draw Bridge ------------------------------------------------------------------------------------------------


def array(
    *placed: tuple[int, int, int], doubt: tuple[str, ...] = (), marks: Any = (), frame: str = "f"
) -> ask.ReadTray:
    tiles = tuple(SeenTile(r, c, str(s), ("red", "blue")[r % 2]) for r, c, s in placed)
    return ask.ReadTray(Tray(tiles, frame=frame, doubt=doubt, marks=marks))


@pytest.mark.parametrize("doubt", [COUNT, UNSEEN])
def test_no_tile_of_draw_bridge_is_laid_by_a_reading_in_doubt(doubt):
    state = play(begun("draw-bridge"), array((0, 0, 1), (1, 0, 5), doubt=(doubt,)))
    assert state.state.current.turns == ()
    state = play(state, ask.ConfirmTray(1, "f"))
    assert state.state.current.turn == 2


def test_where_the_first_tiles_of_draw_bridge_lie_the_rules_know():
    state = play(begun("draw-bridge"), array((0, 0, 1), (1, 0, 5), doubt=(LAYOUT,)))
    assert state.state.current.turn == 2


def test_a_thing_beside_an_array_in_which_nothing_is_new_is_no_question():
    state = play(begun("draw-bridge"), array((0, 0, 1), (1, 0, 5)))
    seen = array((0, 0, 1), (1, 0, 5), doubt=(COUNT,), marks=(HERE,), frame="g")
    assert refusal(state, seen).reason is Reason.NOTHING_NEW


def test_the_question_goes_when_what_was_asked_about_has_gone():
    state = play(begun("draw-bridge"), array((0, 0, 1), doubt=(COUNT,), marks=(HERE,)), array(frame="g"))
    assert not state.state.current.in_question()
    assert state.state.current.begun() == ()
    assert refusal(state, ask.ConfirmTray(1, "f")).reason is Reason.MOVED_ON


def test_whoever_said_what_a_crumb_is_is_not_asked_at_every_tile():
    """README: letters and emblems on the felt are asked about; in Draw Bridge once, and not forty times."""
    crumb = {"doubt": (COUNT,), "marks": (HERE,)}
    state = play(begun("draw-bridge"), array((0, 0, 1), **crumb), ask.ConfirmTray(1, "f"))
    state = play(state, array((0, 0, 1), (1, 0, 5), doubt=(COUNT,), marks=(NEAR,), frame="g"))
    assert state.state.current.turn == 2
    lies = ((0, 0, 1), (1, 0, 5), (0, 1, 2))
    for other in ({"marks": (HERE, ELSEWHERE)}, {"marks": (ELSEWHERE,)}, {"doubt": (COUNT, UNSEEN)}, {"marks": ()}):
        asked = play(state, array(*lies, frame="h", **{**crumb, **other}))
        assert asked.state.current.in_question(), other


def test_a_question_about_a_tile_goes_with_the_tile():
    tile = SeenTile(0, 0, "1", "red", sure=False, likely=(("1", 0.6), ("7", 0.4)))
    state = play(begun("draw-bridge"), ask.ReadTray(Tray((tile,), frame="f")))
    assert state.state.current.doubts()
    assert not play(state, array(frame="g")).state.current.doubts()


def test_an_unlawful_tile_is_named_before_anybody_is_asked():
    state = begun("draw-bridge")
    assert refusal(state, array((0, 4, 1), doubt=(COUNT,))).reason is Reason.UNLAWFUL


# -- quests -----------------------------------------------------------------------------------------------------


def test_no_quest_is_solved_by_a_reading_in_doubt():
    laying = DOORS["no-runs"].solve(seed=7)
    assert laying is not None
    tiles = tuple(SeenTile(r, c, t.symbol, t.colour) for (r, c), t in laying.cells().items())
    state = match(ask.StartMatch("m1", "quest", players("Ann"), (("quest", "no-runs"),)), ask.Next(0))
    state = play(state, ask.ReadTray(Tray(tiles, "f", doubt=(COUNT,))))
    assert "not sure of the tray as a whole" in refusal(state, ask.Next(9 * SECOND)).sentence
    assert refusal(state, ask.ConfirmTray(1, "e")).reason is Reason.MOVED_ON
    state = play(state, ask.ConfirmTray(1, "f"), ask.Next(10 * SECOND))
    assert state.state.attempts[0].took_ns() == 10 * SECOND


def test_any_state_takes_the_event_of_a_word():
    """`apply` is total: an event of any journal folds."""
    for game in ("scramble", "draw-bridge", "quest", "blob"):
        names = ("Ann",) if game == "quest" else ("Ann", "Bob")
        state = match(ask.StartMatch("m1", game, players(*names)))
        assert apply(state, happened.TrayConfirmed(7, "table")).state == state.state
