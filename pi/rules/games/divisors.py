"""Divisors and multiples by Leroy Quet (2011), two to six players, tapped or typed (RULES.md 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pi.rules import commands as ask
from pi.rules.commands import Command, command
from pi.rules.events import Event, event
from pi.rules.games.divisors_score import SOURCE, START, Step, steps, turn_problem
from pi.rules.games.taking_turns import ended, mover, movers, next_pressed, out_of_turn
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, lowest
from pi.rules.values import Points, Seat


@command("divisors-walk")
@dataclass(frozen=True, slots=True)
class Walk:
    """A player's whole turn: the numbers stepped to, the last of them unclaimed."""

    seat: Seat
    picks: tuple[int, ...]
    by: str = "table"


@event("divisors-walked")
@dataclass(frozen=True, slots=True)
class Walked:
    """A turn was taken; its last number is claimed."""

    seat: Seat
    picks: tuple[int, ...]
    by: str = "table"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn with what each step cost."""

    seat: Seat
    steps: tuple[Step, ...]

    @property
    def cost(self) -> int:
        """What it cost in all."""
        return sum(step.cost for step in self.steps)


@dataclass(frozen=True, slots=True)
class Divisors:
    """The walk so far."""

    most: int
    """The largest number, r."""
    turns: tuple[Turn, ...] = ()

    @property
    def claimed(self) -> tuple[int, ...]:
        """The claimed numbers in order, the starting 1 first."""
        return (START, *(turn.steps[-1].number for turn in self.turns))

    @property
    def at(self) -> int:
        """Where the walk stands."""
        return self.claimed[-1]

    @property
    def over(self) -> bool:
        """Whether all numbers are claimed."""
        return len(self.claimed) == self.most


def start(context: Context) -> Divisors:
    """Return the walk at 1, which is claimed."""
    return Divisors(int(context.house.get("r", 13)))


def decide(context: Context, state: Divisors, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    turns = len(state.turns)
    match command:
        case Walk(seat=seat, picks=picks, by=by):
            if no := out_of_turn(context, seat, turns, over=state.over):
                return no
            if sentence := turn_problem(state.at, picks, claimed=state.claimed, most=state.most):
                return Refused(Reason.UNLAWFUL, sentence)
            return (Walked(seat, picks, by),)
        case ask.Next():
            return next_pressed(context, turns, over=state.over)
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Divisors and multiples.")


def apply(context: Context, state: Divisors, event: Event) -> Divisors:
    """Keep the books; total, see `pi.rules.match.apply`."""
    match event:
        case Walked(seat=seat, picks=picks):
            if turn_problem(state.at, picks, claimed=state.claimed, most=state.most) is None:
                return Divisors(state.most, (*state.turns, Turn(seat, steps(state.at, picks, claimed=state.claimed))))
    return state


def standing(context: Context, state: Divisors) -> Mapping[Seat, Points]:
    """Return what each seat's steps have cost."""
    score = {seat: Points(0) for seat in context.seats()}
    for turn in state.turns:
        score[turn.seat] = Points(score.get(turn.seat, Points(0)) + turn.cost)
    return score


def outcome(context: Context, state: Divisors, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether all numbers are claimed; the lowest score wins."""
    if not state.over:
        name = context.name(mover(context, len(state.turns)))
        return Outcome(over=False, winners=(), why=f"{state.most - len(state.claimed)} numbers are free; {name} moves.")
    return ended(context, lowest(context, score), score)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case Walked(seat=seat, picks=picks):
            return f"{context.name(seat)} steps to {', '.join(map(str, picks))}"
    return None


CARD = (
    ("Start", "All numbers from 1 to r lie open. The walk starts at 1, which counts as claimed."),
    (
        "In a turn",
        "Step to a divisor or a multiple of the number where the walk stands, as often as you like. The turn must end "
        "on an unclaimed number, which you claim.",
    ),
    (
        "A step costs",
        "the larger number divided by the smaller; from 3 to 12 costs 4. Stepping onto a claimed number costs double.",
    ),
    ("It ends", "when every number is claimed. The lowest score wins."),
    ("Author", "Leroy Quet, 2011."),
)

DIVISORS = Ruleset(
    name="divisors",
    title="Divisors and multiples",
    source=SOURCE,
    seats=(2, 6),
    house_rules=(
        HouseRule("r", 13, "The largest number; best one more than a multiple of the players.", least=2, most=99),
    ),
    check=lambda context: None,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=lambda context, state: None,
    leaders=lowest,
    movers=lambda context, state: movers(context, len(state.turns), over=state.over),
    told=told,
    card=CARD,
)
