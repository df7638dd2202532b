"""What the eye is not sure of is asked and answered by one tap; what it read wrongly is corrected by one tap."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

import pytest

from pi.rules import commands as ask
from pi.rules.games.run_buster import TakeHand
from pi.rules.match import Match, apply, decide
from pi.rules.ruleset import Reason
from pi.rules.seen import DARK, EMPTY, LIGHT, EyeRead, PieceTold, ReadDice, ReadMat, SeenDie, SeenPlace, TellPiece
from tests.builders import match, play, players, refusal
from tests.rules.games import check_laws


def opened(game: str, *more: Any) -> Match:
    return match(ask.StartMatch("m1", game, players("Ann", "Bob")), *more)


def row(frame: str, **held: str) -> ReadMat:
    places = tuple(SeenPlace(n, held.get(f"s{n}", EMPTY)) for n in range(16))
    return ReadMat("palindromes:16", places, frame=frame)


def doubtful(seen: ReadMat, place: int) -> ReadMat:
    places = list(seen.places)
    places[place] = SeenPlace(place, DARK, sure=False, likely=((DARK, 0.7), (LIGHT, 0.25), (EMPTY, 0.05)))
    return replace(seen, places=tuple(places))


def roll(frame: str, *values: int, unsure: tuple[tuple[int, float], ...] = ()) -> ReadDice:
    dice = [SeenDie(0, value) for value in values]
    if unsure:
        dice.append(SeenDie(0, unsure[0][0], sure=False, likely=unsure))
    return ReadDice(tuple(dice), frame)


def test_what_a_doubtful_counter_is_is_asked_and_one_answer_makes_the_move():
    state = play(opened("palindromes"), doubtful(row("f1"), 4))
    assert state.latest is not None
    assert (state.latest.asked, state.state.turns) == ((("place", 4),), 0)
    assert state.latest.why.startswith("On square 5 lies a dark counter or a light counter or nothing")
    state = play(state, TellPiece("place", 4, LIGHT, by="Ann"))
    assert state.state.row[4] == "0"
    told, written = state.history[-2:]
    assert (told.shows, told.was, told.by, told.frame) == (LIGHT, DARK, "Ann", "f1")
    assert (written.by, written.frame) == ("referee", "f1")
    check_laws(state)


def test_the_same_question_is_asked_once():
    seen = doubtful(row("f1"), 4)
    state = play(opened("palindromes"), seen)
    again = refusal(state, replace(seen, frame="f2"))
    assert again.about == (("place", 4),)


def test_a_counter_taken_away_again_ends_the_question():
    state = play(opened("palindromes"), doubtful(row("f1"), 4), row("f2"))
    assert (state.latest, state.state.turns) == (None, 0)
    assert refusal(state, TellPiece("place", 4, DARK)).reason is Reason.MOVED_ON


def test_a_move_read_wrongly_is_corrected_by_one_tap_and_the_score_follows():
    state = play(opened("palindromes"), row("f1", s4=DARK), row("f2", s4=DARK, s5=DARK))
    assert state.standing() == {1: 2, 2: 0}
    right = play(state, TellPiece("place", 5, LIGHT, frame="f2"))
    assert right.standing() == {1: 0, 2: 2}
    assert right.state.row[4:6] == ("1", "0")
    told = right.history[-2]
    assert isinstance(told, PieceTold)
    assert (told.was, told.shows, told.by) == (DARK, LIGHT, "table")
    assert sum(isinstance(event, EyeRead) for event in right.history) == 2
    check_laws(right)


def test_the_journal_itself_folds_to_the_corrected_match():
    state = play(opened("palindromes"), row("f1", s4=DARK))
    events = list(decide(state, TellPiece("place", 4, LIGHT)))
    assert events[0].instead == 1
    again = reduce(apply, (*state.history, *events), Match())
    assert again.state.row[4] == "0"


def test_a_counter_that_never_lay_there_takes_the_move_back():
    state = play(opened("palindromes"), row("f1", s4=DARK), TellPiece("place", 4, EMPTY))
    assert state.state.turns == 0


def test_a_die_of_a_roll_is_asked_about_with_its_likely_faces_and_corrected_after_it_was_taken():
    state = opened("run-buster", ask.Next(0), roll("f1", 1, 2, 4, 4, 6, unsure=((6, 0.6), (5, 0.4))))
    assert state.latest is not None
    assert state.latest.asked == (("die", 5),)
    state = play(state, TellPiece("die", 5, "5"))
    assert state.state.current.rolled.dice == (1, 2, 4, 4, 5, 6)
    state = play(state, TellPiece("die", 0, "3"))
    assert state.state.current.rolled.dice == (2, 3, 4, 4, 5, 6)
    assert len(state.state.current.turns) == 1
    check_laws(state)


def test_an_older_move_is_corrected_by_undo_not_behind_the_backs_of_what_followed():
    state = opened("run-buster", ask.Next(0), roll("f1", 1, 2, 4, 4, 6, 6), TakeHand(1, (1, 2)))
    no = refusal(state, TellPiece("die", 0, "3", frame="f1"))
    assert no.reason is Reason.MOVED_ON
    assert "undo" in no.sentence


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (TellPiece("die", 0, "7"), Reason.BAD_SYMBOL),
        (TellPiece("die", 9, "3"), Reason.BAD_CELL),
        (TellPiece("place", 0, DARK), Reason.BAD_CELL),
        (TellPiece("die", 0, "1"), Reason.NOTHING_NEW),
        (TellPiece("die", 0, "2", frame="f0"), Reason.MOVED_ON),
    ],
)
def test_what_cannot_be_said_of_a_reading_changes_nothing(told: TellPiece, reason: Reason):
    state = opened("run-buster", ask.Next(0), roll("f1", 1, 2, 4, 4, 6, 6))
    assert refusal(state, told).reason is reason


def test_undo_goes_from_the_move_to_the_question_and_from_there_to_before_it():
    before = opened("palindromes", row("f0", s0=DARK))
    state = play(before, doubtful(row("f1", s0=DARK), 4), TellPiece("place", 4, LIGHT))
    state = play(state, ask.Undo())
    assert state.latest is not None
    assert (state.latest.asked, state.state.turns) == ((("place", 4),), 1)
    state = play(state, ask.Undo())
    assert state.state.turns == 0


def test_undo_takes_a_corrected_move_back_as_one_step():
    state = opened("palindromes", row("f0", s0=DARK), row("f1", s0=DARK, s1=DARK), TellPiece("place", 1, LIGHT))
    assert play(state, ask.Undo()).state.turns == 1
