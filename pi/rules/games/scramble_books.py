"""Random Scramble's books: its rounds, and how each event changes them (RULES.md 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from pi.rules import events as happened
from pi.rules.events import Event, SeenTile, Tray
from pi.rules.ruleset import Context
from pi.rules.values import DOWN, EMPTY, Cell, Seat
from pi.rules.vouching import in_question


@dataclass(frozen=True, slots=True)
class Round:
    """One question and its answer: what lies on the tray, and who said what when."""

    number: int
    opened_ns: int
    lock_ins: tuple[happened.LockedIn, ...] = ()
    """In the order they were taken down; their order in the queue is by `at_ns`."""
    tray: Tray | None = None
    """The latest reading, as read."""
    confirmed: bool = False
    """Whether somebody said that it lies so, though the eye doubts it as a whole."""
    corrections: tuple[happened.TileCorrected, ...] = ()
    ruled: happened.TotalRuled | None = None
    """A total counted by hand; it stands above the reading."""
    revealed: bool = False

    def seats_in(self) -> tuple[Seat, ...]:
        """Return the seats that have locked in, by time."""
        return tuple(lock.seat for lock in sorted(self.lock_ins, key=lambda x: x.at_ns))

    def symbols(self) -> dict[Cell, str]:
        """Return what lies in each cell, corrections included; empty before a reading."""
        cells = self.tray.symbols() if self.tray else {}
        for fix in self.corrections:
            cells[fix.row, fix.column] = fix.symbol
        return cells

    def doubts(self) -> tuple[SeenTile, ...]:
        """Return the tiles that somebody must still be asked about."""
        return happened.unanswered(self.tray, self.corrections)

    def in_question(self) -> bool:
        """Tell whether somebody must still say that the tray lies as it was read."""
        return in_question(self.tray, confirmed=self.confirmed)

    def complete(self) -> bool:
        """Tell whether the round's truth is known: ruled by hand, or read whole, face up and sure."""
        if self.ruled is not None:
            return True
        symbols = self.symbols().values()
        asked = self.doubts() or self.in_question()
        return bool(symbols) and not asked and not {DOWN, EMPTY} & set(symbols)


@dataclass(frozen=True, slots=True)
class Scramble:
    """The game's state: its rounds, the last one perhaps still open."""

    rounds: tuple[Round, ...] = ()

    @property
    def current(self) -> Round | None:
        """The round in which lock-ins count; None between rounds."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].revealed else None

    def round(self, number: int) -> Round | None:
        """Return a round by its number, from 1; None when it was not played."""
        return next((r for r in self.rounds if r.number == number), None)


def apply(context: Context, state: Scramble, event: Event) -> Scramble:
    """Keep the books; total, see `pi.rules.match.apply`."""
    if isinstance(event, happened.RoundOpened):
        if state.round(event.round) is not None:
            return state
        return Scramble((*state.rounds, Round(event.round, event.at_ns)))
    number = getattr(event, "round", None)
    return Scramble(tuple(round_after(r, event) if r.number == number else r for r in state.rounds))


_RoundEvent = (
    happened.LockedIn
    | happened.LockInWithdrawn
    | happened.TrayRead
    | happened.TrayCleared
    | happened.TrayConfirmed
    | happened.TileCorrected
    | happened.TotalRuled
    | happened.Revealed
)


def round_after(played: Round, event: Event) -> Round:
    """Return the round after an event; an event of another kind changes nothing."""
    if not isinstance(event, _RoundEvent):
        return played
    match event:
        case happened.LockedIn(seat=seat):
            others = tuple(x for x in played.lock_ins if x.seat != seat)
            return replace(played, lock_ins=(*others, event))
        case happened.LockInWithdrawn(seat=seat):
            return replace(played, lock_ins=tuple(x for x in played.lock_ins if x.seat != seat))
        case happened.TrayRead(tray=tray):
            return _read_again(played, tray)
        case happened.TrayCleared():
            return replace(played, tray=None, corrections=(), ruled=None, confirmed=False)
        case happened.TrayConfirmed():
            return replace(played, confirmed=True)
        case happened.TileCorrected():
            return replace(played, corrections=(*played.corrections, event))
        case happened.TotalRuled():
            return replace(played, ruled=event)
        case happened.Revealed():
            return replace(played, revealed=True)
        case _:
            assert_never(event)


def _read_again(played: Round, tray: Tray) -> Round:
    kept = happened.still_claimed(played.corrections, before=played.tray, now=tray)
    return replace(played, tray=tray, corrections=kept, confirmed=False)
