"""Run Buster by Mark Steere (2025), two to six players (RULES.md 2). Name and rules as he published them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.commands import Command, command
from pi.rules.events import Event
from pi.rules.games.run_buster_books import (
    Buster,
    HandFormed,
    Rolled,
    Round,
    apply,
    round_after,
)
from pi.rules.games.run_buster_rules import DICE, SOURCE, choice_problem, roll_problem
from pi.rules.games.run_buster_sight import (
    ROLL_ZONE,
    doubt,
    doubtful,
    hand_of,
    in_zone,
    lies,
    mat_problem,
    others_problem,
    roll_seen_problem,
)
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, unknown_seat
from pi.rules.seen import About, ReadDice
from pi.rules.values import Points, Seat

MOST_PLAYERS = 6


@command("buster-roll")
@dataclass(frozen=True, slots=True)
class Roll:
    """The dice a player rolled, as read in the roll zone or typed in."""

    seat: Seat
    dice: tuple[int, ...]
    frame: str = ""
    """The evidence picture; empty when it was typed in."""
    by: str = "table"


@command("buster-hand")
@dataclass(frozen=True, slots=True)
class TakeHand:
    """The hand a player has chosen, as read in the hand zone or typed in."""

    seat: Seat
    hand: tuple[int, ...]
    frame: str = ""
    by: str = "table"


def start(context: Context) -> Buster:
    """Return the state before the first round."""
    return Buster()


def standing(context: Context, state: Buster) -> Mapping[Seat, Points]:
    """Return one point for each seat that has won its round and dropped out."""
    return {seat: Points(int(seat in state.out())) for seat in context.seats()}


def outcome(context: Context, state: Buster, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether one is left: with two, who has the full straight wins; with more, the last one loses.

    RULES.md 2: "winners of rounds drop out one by one, ... the last one left loses the match".
    """
    left = [seat for seat in context.seats() if seat not in state.out()]
    if len(left) > 1:
        return Outcome(over=False, winners=(), why=f"{len(left)} players are left.")
    winners = state.out()
    if len(context.players) == 2:
        return Outcome(over=True, winners=winners, why=f"{context.name(winners[0])} has the full straight.")
    names = ", ".join(context.name(seat) for seat in left)
    return Outcome(over=True, winners=winners, why=f"{names} is the last one left and buys the drinks.")


def check(context: Context) -> str | None:
    """Return why these house rules do not go together; None when they do."""
    if context.house["first"] not in context.seats():
        return f"Seat {context.house['first']} does not play, so it cannot start."
    return None


def expects(context: Context, state: Buster) -> str | None:
    """Return what the eye should look for; None between rounds."""
    return "dice" if state.current is not None else None


def decide(context: Context, state: Buster, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    current = state.current
    if isinstance(command, ask.Next):
        if current is not None:
            return Refused(Reason.WRONG_PHASE, f"The round goes on: {_waiting(context, current)}")
        return (happened.RoundOpened(len(state.rounds) + 1, command.at_ns, command.by),)
    if current is None:
        return Refused(Reason.NO_ROUND, "No round is open; press NEXT to open one.")
    match command:
        case Roll():
            return _out_of_turn(context, current, command.seat) or _roll(current, command)
        case TakeHand():
            return _out_of_turn(context, current, command.seat) or _take(context, current, command)
        case ReadDice():
            return _read(context, current, command)
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Run Buster.")


def _waiting(context: Context, current: Round) -> str:
    name = context.name(current.mover or Seat(0))
    return f"{name} has {'a hand to choose' if current.rolled else 'the dice to roll'}."


def _out_of_turn(context: Context, current: Round, seat: Seat) -> Refused | None:
    if seat not in context.seats():
        return unknown_seat(context, seat)
    if seat not in current.order:
        return Refused(Reason.NOT_YOUR_TURN, f"{context.name(seat)} has won a round and dropped out.")
    if seat != current.mover:
        return Refused(Reason.NOT_YOUR_TURN, f"It is not {context.name(seat)}'s turn: {_waiting(context, current)}")
    return None


def _roll(current: Round, command: Roll) -> Sequence[Event] | Refused:
    """Take a roll; where it leaves no choice the turn is over (the dice go back into the cup)."""
    hand = current.hands()[command.seat]
    dice = tuple(sorted(command.dice))
    if sentence := roll_problem(dice, hand):
        return Refused(Reason.BAD_TRAY, sentence)
    if current.rolled is not None and current.rolled.dice == dice:
        return Refused(Reason.NOTHING_NEW, "The dice lie as they were read.")
    rolled = Rolled(current.number, current.turn, command.seat, dice, command.frame, command.by)
    if round_after(current, rolled).options():
        return (rolled,)
    stays = HandFormed(current.number, current.turn, command.seat, hand, command.frame, automatic=True, by="referee")
    return rolled, stays


def _take(context: Context, current: Round, command: TakeHand) -> Sequence[Event] | Refused:
    if current.rolled is None:
        return Refused(Reason.WRONG_PHASE, f"First the roll: {_waiting(context, current)}")
    hand = tuple(sorted(command.hand))
    if sentence := choice_problem(current.rolled.dice, current.hands()[command.seat], hand):
        return Refused(Reason.UNLAWFUL, sentence)
    return (HandFormed(current.number, current.turn, command.seat, hand, command.frame, by=command.by),)


def _read(context: Context, current: Round, seen: ReadDice) -> Sequence[Event] | Refused:
    """Take the mat as it lies: a new roll while one is awaited, else the hand the mover has chosen."""
    sentence = mat_problem(seen.dice, current, name=context.name, strange=seen.strange, unseen=seen.unseen)
    if sentence:
        return Refused(Reason.BAD_TRAY, sentence)
    if sentence := others_problem(seen.dice, current, name=context.name):
        return Refused(Reason.BAD_TRAY, sentence, _unread(seen, current))
    mover = current.mover or Seat(0)
    old = current.hands()[mover]
    own = in_zone(seen.dice, mover)
    if current.rolled is not None:
        hand = hand_of(own, (old, *current.options()))
        if hand is None:
            about = doubtful(seen.dice, mover)
            return Refused(Reason.BAD_TRAY, f"{doubt(own, 'hand')} {_choices(current)}", about)
        if hand == old:
            return Refused(Reason.NOTHING_NEW, f"{_waiting(context, current)} {_choices(current)}")
        return _take(context, current, TakeHand(mover, hand, seen.frame, "referee"))
    if hand_of(own, (old,)) != old:
        about = doubtful(seen.dice, mover) if len(own) == len(old) else ()
        return Refused(Reason.BAD_TRAY, lies(context.name(mover), own, old), about)
    roll = in_zone(seen.dice, ROLL_ZONE)
    if not roll:
        return Refused(Reason.NOTHING_NEW, _waiting(context, current))
    if sentence := roll_seen_problem(roll, DICE - len(old)):
        about = doubtful(seen.dice, ROLL_ZONE) if len(roll) == DICE - len(old) else ()
        return Refused(Reason.BAD_TRAY, sentence, about)
    dice = tuple(sorted(die.value for die in roll))
    if dice == current.left_lying():
        name = context.name(current.turns[-1].seat)
        same = f"These may be the dice that {name} has rolled: who rolled just the same enters it by hand."
        return Refused(Reason.NOTHING_NEW, f"{_waiting(context, current)} {same}")
    return _roll(current, Roll(mover, dice, seen.frame, "referee"))


def _unread(seen: ReadDice, current: Round) -> tuple[About, ...]:
    """Return the dice of the hand that lies wrong as far as it is seen, where telling them may put it right."""
    for seat, hand in current.hands().items():
        own = in_zone(seen.dice, seat)
        if seat != current.mover and hand_of(own, (hand,)) != hand:
            return doubtful(seen.dice, seat) if len(own) == len(hand) else ()
    return ()


def _choices(current: Round) -> str:
    return "Lawful: " + ", or ".join(" ".join(map(str, hand)) for hand in current.options()) + "."


def movers(context: Context, state: Buster) -> tuple[Seat, ...]:
    """Return whose turn it is; nobody's between rounds."""
    mover = state.current.mover if state.current else None
    return () if mover is None else (mover,)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case Rolled(seat=seat, dice=dice):
            return f"{context.name(seat)} rolls {' '.join(map(str, dice))}"
        case HandFormed(seat=seat, hand=hand):
            return f"{context.name(seat)}'s hand is {' '.join(map(str, hand)) or 'empty'}"
    return None


CARD = (
    ("Goal", "A hand of 1 2 3 4 5 6, the full straight, wins."),
    ("In a turn", "Roll all the dice of your cup once."),
    (
        "Busts",
        "The complement of a hand is the numbers it lacks. If your roll holds the whole complement of an opponent's "
        "hand, that hand must go back into its cup.",
    ),
    (
        "Your hand",
        "is always one straight: one or more dice with consecutive numbers. Without a hand, form one from the roll. "
        "With a hand, extend it with at least one rolled die if you can. The other dice go back into the cup.",
    ),
    (
        "More than two",
        "Play clockwise; a roll busts every hand it can. Who wins a round drops out; the next one begins left of the "
        "last Player 1. The last one left loses and buys the drinks.",
    ),
    ("Author", "Run Buster is a game by Mark Steere, 2025. Name and rules are his, unchanged."),
)

RUN_BUSTER = Ruleset(
    name="run-buster",
    title="Run Buster",
    source=SOURCE,
    seats=(2, MOST_PLAYERS),
    house_rules=(HouseRule("first", 1, "The seat that rolls first; draw it by lot.", least=1, most=MOST_PLAYERS),),
    check=check,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    movers=movers,
    told=told,
    card=CARD,
)
