"""Run Buster's books: rolls, hands, busts, and who has dropped out (RULES.md 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi.rules import events as happened
from pi.rules.events import Event, event
from pi.rules.games.run_buster_rules import FULL, Hand, busts, options
from pi.rules.ruleset import Context
from pi.rules.values import Seat


@event("buster-rolled")
@dataclass(frozen=True, slots=True)
class Rolled:
    """What a player rolled; a later roll of the same turn supersedes it (it was read again)."""

    round: int
    turn: int
    """From 1."""
    seat: Seat
    dice: tuple[int, ...]
    frame: str = ""
    """The evidence picture; empty when it was typed in."""
    by: str = "table"


@event("buster-hand-formed")
@dataclass(frozen=True, slots=True)
class HandFormed:
    """The hand a player ended the turn with."""

    round: int
    turn: int
    seat: Seat
    hand: Hand
    frame: str = ""
    automatic: bool = False
    """True when the roll left no choice: undone together with the roll."""
    by: str = "table"


@dataclass(frozen=True, slots=True)
class Turn:
    """One roll and what was made of it."""

    number: int
    seat: Seat
    dice: tuple[int, ...]
    frame: str = ""
    hand: Hand | None = None
    """None until the player has chosen."""


@dataclass(frozen=True, slots=True)
class Round:
    """One race to the full straight."""

    number: int
    opened_ns: int
    order: tuple[Seat, ...]
    """Who plays, clockwise from this round's Player 1."""
    turns: tuple[Turn, ...] = ()

    @property
    def rolled(self) -> Turn | None:
        """The turn whose hand is still to be chosen; None while a roll is awaited."""
        return self.turns[-1] if self.turns and self.turns[-1].hand is None else None

    @property
    def turn(self) -> int:
        """The number of the turn being played."""
        return len(self.turns) if self.rolled else len(self.turns) + 1

    @property
    def mover(self) -> Seat | None:
        """Whose turn it is; None when somebody has won."""
        return None if self.winner or not self.order else self.order[(self.turn - 1) % len(self.order)]

    @property
    def winner(self) -> Seat | None:
        """Who holds the full straight."""
        return next((turn.seat for turn in self.turns if turn.hand == FULL), None)

    def hands(self) -> dict[Seat, Hand]:
        """Return everybody's hand as it lies, busts of the latest roll included."""
        hands: dict[Seat, Hand] = dict.fromkeys(self.order, ())
        for turn in self.turns:
            for seat in busted(hands, turn):
                hands[seat] = ()
            if turn.hand is not None:
                hands[turn.seat] = turn.hand
        return hands

    def _hands_before(self) -> dict[Seat, Hand]:
        """Return everybody's hand before the latest turn."""
        return replace(self, turns=self.turns[:-1]).hands()

    def left_lying(self) -> tuple[int, ...]:
        """Return the dice of the turn before that went into no hand, ascending: they may lie there until the next."""
        if self.rolled is not None or not self.turns:
            return ()
        last = self.turns[-1]
        left = list(last.dice)
        for value in set(last.hand or ()) - set(self._hands_before().get(last.seat, ())):
            left.remove(value)
        return tuple(sorted(left))

    def must_go(self) -> tuple[Seat, ...]:
        """Return the seats whose hands the roll on the table sends back to their cups."""
        if self.rolled is None:
            return ()
        return busted(self._hands_before(), self.rolled)

    def options(self) -> tuple[Hand, ...]:
        """Return the hands the mover may end the turn with; () when the hand stays as it is."""
        if self.rolled is None:
            return ()
        return options(self.rolled.dice, self.hands().get(self.rolled.seat, ()))


def busted(hands: dict[Seat, Hand], turn: Turn) -> tuple[Seat, ...]:
    """Return the opponents whose hands a roll busts: "a roll busts every hand it can" (RULES.md 2)."""
    return tuple(seat for seat, hand in hands.items() if seat != turn.seat and busts(turn.dice, hand))


@dataclass(frozen=True, slots=True)
class Buster:
    """The game's state: its rounds, the last one perhaps still being played."""

    rounds: tuple[Round, ...] = ()

    @property
    def current(self) -> Round | None:
        """The round being played; None between rounds."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].winner is None else None

    def out(self) -> tuple[Seat, ...]:
        """Return who has won a round and dropped out, in that order."""
        return tuple(r.winner for r in self.rounds if r.winner is not None)


def order_of_next(context: Context, state: Buster) -> tuple[Seat, ...]:
    """Return who plays the next round, clockwise from its Player 1.

    "The next round starts left of the last Player 1" (RULES.md 2): the next seat clockwise still playing.
    The first round's Player 1 is the house rule `first`, drawn by lot at the table.
    """
    left = [seat for seat in context.seats() if seat not in state.out()]
    if state.rounds and state.rounds[-1].order:
        before = state.rounds[-1].order[0]
        return tuple(sorted(left, key=lambda seat: (seat <= before, seat)))
    first = context.house.get("first", 1)
    return tuple(sorted(left, key=lambda seat: (seat < int(first), seat)))


def apply(context: Context, state: Buster, event: Event) -> Buster:
    """Keep the books; total, see `pi.rules.match.apply`."""
    if isinstance(event, happened.RoundOpened):
        if any(r.number == event.round for r in state.rounds):
            return state
        return Buster((*state.rounds, Round(event.round, event.at_ns, order_of_next(context, state))))
    number = getattr(event, "round", None)
    return Buster(tuple(round_after(r, event) if r.number == number else r for r in state.rounds))


def round_after(played: Round, event: Event) -> Round:
    """Return the round after an event; one of another kind, or out of its turn, changes nothing."""
    match event:
        case Rolled(turn=number, seat=seat, dice=dice, frame=frame):
            if number != played.turn or seat != played.mover:
                return played
            done = played.turns[:-1] if played.rolled else played.turns
            return replace(played, turns=(*done, Turn(number, seat, dice, frame)))
        case HandFormed(turn=number, seat=seat, hand=hand):
            rolled = played.rolled
            if rolled is None or (rolled.number, rolled.seat) != (number, seat):
                return played
            return replace(played, turns=(*played.turns[:-1], replace(rolled, hand=hand)))
        case _:
            return played
