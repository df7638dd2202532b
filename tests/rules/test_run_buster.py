"""A match of Run Buster from first roll to the last one left (RULES.md 2, Mark Steere)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.commands import decode, encode
from pi.rules.games.run_buster import Roll, TakeHand
from pi.rules.games.run_buster_books import HandFormed
from pi.rules.games.run_buster_rules import DICE
from pi.rules.match import Match, apply, decide
from pi.rules.ruleset import Reason, Refused
from pi.rules.seen import ReadDice, SeenDie
from pi.rules.values import Seat
from tests.builders import match, play, players, question, refusal
from tests.rules.games import begun, check_laws, undone_to_the_start


def opened(*names: str, **house: Any) -> Match:
    return begun("run-buster", *names, **house)


def roll(seat: int, *dice: int) -> Roll:
    return Roll(Seat(seat), dice)


def hand(seat: int, *dice: int) -> TakeHand:
    return TakeHand(Seat(seat), dice)


def hands(state: Match) -> dict[int, tuple[int, ...]]:
    return dict(state.state.rounds[-1].hands())


def test_sheet_reds_first_turn_his_hand_must_be_one_straight_of_his_dice():
    state = play(opened(), roll(1, 2, 2, 4, 5, 5, 6))
    assert state.state.current.options() == ((2,), (4,), (4, 5), (4, 5, 6), (5,), (5, 6), (6,))
    assert "not consecutive" in refusal(state, hand(1, 2, 4)).sentence
    assert "must be formed" in refusal(state, hand(1)).sentence
    assert "3 was not rolled" in refusal(state, hand(1, 3)).sentence
    assert hands(play(state, hand(1, 5, 4))) == {1: (4, 5), 2: ()}


def test_sheet_blue_must_put_reds_hand_in_reds_cup():
    state = play(opened(), roll(1, 1, 2, 3, 4, 4, 4), hand(1, 1, 2, 3, 4))
    state = play(state, roll(2, 1, 3, 3, 5, 6, 6))
    assert state.state.current.must_go() == (1,)
    assert hands(state) == {1: (), 2: ()}
    state = play(state, hand(2, 5, 6))
    assert refusal(state, roll(1, 1, 2)).reason is Reason.BAD_TRAY
    assert hands(play(state, roll(1, 1, 1, 1, 1, 1, 1))) == {1: (), 2: (5, 6)}


def test_sheet_you_must_extend_your_straight_if_you_can():
    state = play(opened(), roll(1, 4, 5, 5, 5, 5, 5), hand(1, 4, 5), roll(2, 1, 1, 1, 1, 1, 1), hand(2, 1))
    state = play(state, roll(1, 3, 4, 4, 6))
    assert "must be extended" in refusal(state, hand(1, 4, 5)).sentence
    assert "5 must stay" in refusal(state, hand(1, 3, 4)).sentence
    assert hands(play(state, hand(1, 3, 4, 5, 6)))[1] == (3, 4, 5, 6)


def test_sheet_if_there_is_no_way_to_extend_the_turn_is_over():
    state = play(opened(), roll(1, 4, 5, 5, 5, 5, 5), hand(1, 4, 5), roll(2, 2, 2, 2, 2, 2, 2), hand(2, 2))
    state = play(state, roll(1, 1, 2, 4, 5))
    assert state.state.current.mover == 2
    assert isinstance(state.history[-1], HandFormed)
    back = play(state, ask.Undo())
    assert back.state.current.mover == 1
    assert back.state.current.rolled is None


def test_hand_and_cup_together_are_always_six_dice_so_a_lost_die_is_asked_about():
    assert "always 6 dice (there are 5 rolled" in refusal(opened(), roll(1, 1, 2, 3, 4, 5)).sentence
    assert refusal(opened(), roll(1, 1, 2, 3, 4, 5, 7)).reason is Reason.BAD_TRAY


def test_a_roll_may_be_read_again_until_a_hand_is_chosen():
    state = play(opened(), roll(1, 2, 2, 4, 5, 5, 6))
    assert refusal(state, roll(1, 6, 5, 5, 4, 2, 2)).reason is Reason.NOTHING_NEW
    state = play(state, roll(1, 2, 2, 3, 5, 5, 6))
    assert (2, 3) in state.state.current.options()
    assert len(state.state.current.turns) == 1


def test_out_of_turn_and_unknown_seats_are_refused():
    state = opened()
    assert refusal(state, roll(2, 1, 1, 1, 1, 1, 1)).reason is Reason.NOT_YOUR_TURN
    assert refusal(state, roll(3, 1, 1, 1, 1, 1, 1)).reason is Reason.UNKNOWN_SEAT
    assert refusal(state, hand(1, 1)).reason is Reason.WRONG_PHASE
    assert refusal(state, ask.Reveal()).reason is Reason.WRONG_GAME
    assert "Ann has the dice to roll." in refusal(state, ask.Next(3)).sentence


def test_to_win_your_hand_must_be_a_full_straight():
    state = play(opened(), roll(1, 1, 2, 3, 4, 5, 6))
    assert not state.outcome().over  # it must be taken
    state = play(state, hand(1, 1, 2, 3, 4, 5, 6))
    assert state.outcome().over
    assert state.outcome().winners == (1,)
    assert dict(state.standing()) == {1: 1, 2: 0}
    assert refusal(state, ask.Next(3)).reason is Reason.MATCH_OVER
    assert refusal(state, roll(2, 1, 1, 1, 1, 1, 1)).reason is Reason.NO_ROUND
    check_laws(state)


WINNING = (1, 2, 3, 4, 5, 6)


def test_winners_drop_out_and_the_next_round_starts_left_of_the_last_player_1():
    state = opened("Ann", "Bob", "Cy", "Di", first=3)
    assert state.state.current.order == (3, 4, 1, 2)
    state = play(state, roll(3, *WINNING), hand(3, *WINNING), ask.Next(1))
    assert state.state.current.order == (4, 1, 2)
    assert refusal(state, roll(3, *WINNING)).sentence == "Cy has won a round and dropped out."
    state = play(state, roll(4, 1, 1, 1, 1, 1, 1), hand(4, 1), roll(1, *WINNING), hand(1, *WINNING))
    state = play(state, ask.Next(2))
    assert state.state.current.order == (2, 4)
    state = play(state, roll(2, *WINNING), hand(2, *WINNING))
    assert state.outcome().winners == (3, 1, 2)
    assert state.outcome().why == "Di is the last one left and buys the drinks."
    check_laws(state)


def mat(roll_zone: tuple[int, ...] = (), *zones: tuple[int, ...], source: str = "camera") -> ReadDice:
    dice = [SeenDie(Seat(zone), v) for zone, values in enumerate((roll_zone, *zones)) for v in values]
    return ReadDice(tuple(dice), frame="f1", source=source)


def test_the_eye_reads_the_roll_and_then_the_hand():
    state = play(opened(), mat((2, 2, 4, 5, 5, 6)))
    no = refusal(state, mat((2, 2, 4, 5, 5, 6)))
    assert no.reason is Reason.NOTHING_NEW
    assert no.sentence.startswith("Ann has a hand to choose. Lawful: 2, or 4, or 4 5")
    assert "not consecutive" in refusal(state, mat((2, 5, 5, 6), (2, 4))).sentence
    state = play(state, mat((2, 2, 5), (6, 4, 5)))
    assert hands(state) == {1: (4, 5, 6), 2: ()}
    assert refusal(state, mat((), (4, 5, 6))).sentence == "Bob has the dice to roll."
    check_laws(state)


def test_a_missed_bust_and_a_hand_that_changed_by_itself_are_pointed_out():
    state = play(opened(), mat((1, 2, 3, 4, 4, 4)), mat((), (1, 2, 3, 4)))
    assert refusal(state, mat((1, 1, 1, 1, 1, 1), (1, 2, 3))).sentence == (
        "4 is missing from Ann's hand, which must show 1 2 3 4."
    )
    state = play(state, mat((1, 3, 3, 5, 6, 6), (1, 2, 3, 4)))
    assert refusal(state, mat((1, 3, 3), (1, 2, 3, 4), (5, 6))).sentence == (
        "The roll busts Ann's hand: 1 2 3 4 must go back into the cup."
    )
    assert hands(play(state, mat((1, 3, 3), (), (5, 6)))) == {1: (), 2: (5, 6)}


@pytest.mark.parametrize(("lie", "taken"), [((1, 1, 2, 2), False), ((1, 1, 2, 3), True)])
def test_dice_that_were_rolled_and_still_lie_there_are_not_the_next_players_roll(lie: tuple[int, ...], taken: bool):
    """Never unfair: who pushed the last roll a little aside had it counted for the next player, and no hand asked."""
    state = play(opened(), roll(1, 4, 5, 5, 5, 5, 5), hand(1, 4, 5), roll(2, 1, 1, 2, 2, 2, 2), hand(2, 1, 2))
    state = play(state, roll(1, 1, 1, 2, 2))
    assert state.state.current.turn == 4, "nothing extends 4 5: the turn is over, and the dice lie there"

    dice = [SeenDie(1, 4), SeenDie(1, 5), SeenDie(2, 1), SeenDie(2, 2), *[SeenDie(0, value) for value in lie]]
    if taken:
        assert hands(play(state, ReadDice(tuple(dice), "f"))) == {1: (4, 5), 2: (1, 2)}
        return
    refused = refusal(state, ReadDice(tuple(dice), "f"))
    assert refused.reason is Reason.NOTHING_NEW
    assert "enters it by hand" in refused.sentence
    assert play(state, roll(2, *lie)).state.current.turn == 5, "who rolled just the same says so"


def test_what_is_left_of_a_roll_is_what_went_into_no_hand():
    state = play(opened(), roll(1, 2, 2, 4, 5, 5, 6))
    assert state.state.current.left_lying() == (), "it is still to be chosen from"
    assert play(state, hand(1, 4, 5)).state.current.left_lying() == (2, 2, 5, 6)
    assert opened().state.current.left_lying() == ()


def test_a_die_of_the_roll_that_cannot_be_read_surely_is_asked_about():
    five = tuple(SeenDie(0, value) for value in (1, 2, 3, 4, 4))
    unsure = ReadDice((*five, SeenDie(0, 3, sure=False, likely=((3, 0.7), (5, 0.3)))))
    assert question(opened(), unsure) == "One die of the roll may show 3 or 5: lay it flat, or say what it shows."


def test_a_die_that_is_missing_from_the_roll_is_named():
    """RULES.md 2: hand and cup together are always six dice."""
    seen = ReadDice(tuple(SeenDie(0, value) for value in (1, 2, 3, 4, 4)))
    assert "5 lie in the roll zone: 1 is missing" in refusal(opened(), seen).sentence
    assert "7 dice lie in Ann's hand and in the roll zone" in refusal(opened(), mat((1, 2, 3, 4, 4, 5, 5))).sentence


def test_a_die_on_a_line_and_one_that_is_no_plain_die_are_asked_about():
    six = tuple(SeenDie(0, value) for value in (1, 2, 3, 4, 4))
    lying = refusal(opened(), ReadDice((*six, SeenDie(-1, 5)))).sentence
    assert lying == "The 5 lies on a line or beside the zones: push it into the zone where it belongs."
    assert "no plain die" in refusal(opened(), ReadDice((*six, SeenDie(0, 5)), strange=True)).sentence
    assert "in a glare" in refusal(opened(), ReadDice((*six, SeenDie(0, 5)), unseen=True)).sentence


def test_a_hand_in_a_zone_where_nobody_plays_is_named():
    seen = ReadDice((*(SeenDie(0, value) for value in (1, 2, 3, 4, 4, 6)), SeenDie(5, 2)))
    assert refusal(opened(), seen).sentence == "A die lies in hand zone 5, but seat 5 does not play in this round."


def test_an_unsure_die_in_a_hand_that_is_known_is_no_question():
    state = play(opened(), mat((1, 2, 3, 4, 4, 4)), mat((), (1, 2, 3, 4)))
    hand = (*(SeenDie(1, value) for value in (1, 2, 3)), SeenDie(1, 6, sure=False, likely=((6, 0.6), (4, 0.4))))
    roll = tuple(SeenDie(0, 1) for _ in range(6))
    assert play(state, ReadDice((*roll, *hand))).state.current.rolled.dice == (1,) * 6
    other = (*hand[:3], SeenDie(1, 6, sure=False, likely=((6, 0.9), (5, 0.1))))
    assert "Ann's hand must show 1 2 3 4" in question(state, ReadDice((*roll, *other)))


def test_on_hold_the_eye_waits_but_people_may_go_on():
    state = play(opened(), ask.Hold())
    assert refusal(state, mat((2, 2, 4, 5, 5, 6))).reason is Reason.ON_HOLD
    assert play(state, mat((2, 2, 4, 5, 5, 6), source="table")).state.current.rolled is not None


def test_a_roll_busts_every_hand_it_can():
    state = play(opened("Ann", "Bob", "Cy"), roll(1, 1, 2, 3, 4, 4, 4), hand(1, 1, 2, 3, 4))
    state = play(state, roll(2, 2, 3, 4, 4, 4, 4), hand(2, 2, 3, 4), roll(3, 1, 5, 6, 6, 6, 6))
    assert state.state.current.must_go() == (1, 2)


def test_the_seat_that_starts_must_play():
    start = ask.StartMatch("m1", "run-buster", players("Ann", "Bob"), (("first", 4),))
    assert refusal(Match(), start).reason is Reason.BAD_HOUSE_RULE
    assert match(ask.StartMatch("m1", "run-buster", players("A", "B"), (("first", 2),))).started


def test_commands_go_over_the_wire_unchanged():
    for command in (roll(1, 1, 2), hand(2, 3), mat((1, 2), (3,))):
        assert decode(encode(command)) == command


def played(count: int, *, seed: int, turns: int = 400) -> Match:
    """Play by chance, taking the longest hand."""
    chance = random.Random(seed)
    state = opened(*"ABCDEF"[:count])
    for _ in range(turns):
        if state.outcome().over:
            break
        current = state.state.current
        if current is None:
            state = play(state, ask.Next(1))
            continue
        seat = current.mover
        cup = DICE - len(current.hands()[seat])
        state = play(state, roll(seat, *(chance.randint(1, 6) for _ in range(cup))))
        now = state.state.rounds[-1]
        if now.rolled is not None:
            state = play(state, hand(seat, *max(now.options(), key=len)))
    return state


@pytest.mark.parametrize("count", [2, 3, 6])
def test_whole_matches_end_with_one_player_left(count: int):
    state = played(count, seed=7)
    assert state.outcome().over
    assert len(state.state.out()) == count - 1
    assert sum(state.standing().values()) == count - 1
    check_laws(state)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_law_hand_and_cup_are_always_six_and_a_match_can_be_undone_to_its_start(seed: int, count: int):
    state = played(count, seed=seed, turns=12)
    check_laws(state)
    for each in state.state.rounds:
        assert all(len(held) <= DICE for held in each.hands().values())
    assert len(undone_to_the_start(state).history) == 1


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-1, 9), max_size=8), st.integers(0, 3), st.booleans())
def test_law_no_roll_and_no_hand_makes_decide_raise(dice: list[int], seat: int, rolled: bool):
    state = play(opened(), roll(1, 2, 2, 4, 5, 5, 6)) if rolled else opened()
    for command in (roll(seat, *dice), hand(seat, *dice)):
        events = decide(state, command)
        if isinstance(events, Refused):
            assert events.sentence.endswith(".")
            continue
        after = state
        for event in events:
            after = apply(after, event)
        check_laws(after)
