"""Edges of a whole board of contacts -> presses: debounced, and a LOCK never ahead of its own wells. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pi.rules.queueing import Debouncer, Key, PadMode, Press
from pi.rules.values import Seat

Contact = tuple[Seat, Key]
"""Which contact: a seat's key or well; seat 0 is the table itself (its NEXT button)."""
TABLE = Seat(0)
WELLS = (Key.ONE, Key.TWO, Key.FOUR)


@dataclass(frozen=True, slots=True)
class Contacts:
    """Every contact of a board. Frozen: each step returns the next one and the presses that are certain.

    In wells a disk still rattling when LOCK is pressed would give the prediction away to chance: such a
    LOCK is handed on only when the seat's wells have come to rest (at most one lockout later), with its
    own time untouched.
    """

    mode: PadMode
    lockout_ns: int
    bouncers: Mapping[Contact, Debouncer] = field(default_factory=dict)
    waiting: tuple[Press, ...] = ()
    """LOCKs that wait for their seat's wells."""

    def at_start(self, contact: Contact, *, closed: bool) -> Contacts:
        """Return the board with a contact that is already closed (or open) when we begin to listen."""
        return self._with(contact, replace(self._of(contact), level=closed))

    def edge(self, contact: Contact, *, at_ns: int, closed: bool) -> tuple[Contacts, tuple[Press, ...]]:
        """Return the board after one raw edge, and the presses that it makes certain."""
        bouncer, changes = self._of(contact).edge(at_ns, closed)
        after = self._with(contact, bouncer)
        presses: list[Press] = []
        for when, position in changes:
            press = Press(contact[0], contact[1], when, position)
            if after._must_wait(press):
                after = replace(after, waiting=(*after.waiting, press))
            elif self._means_something(press):
                presses.append(press)
        return after, tuple(presses)

    def settled(self, now_ns: int) -> tuple[Contacts, tuple[Press, ...]]:
        """Return the board at a moment, and the presses that the passing of time made certain."""
        after = self
        presses: list[Press] = []
        for contact, bouncer in self.bouncers.items():
            rested, changes = bouncer.settled(now_ns)
            after = after._with(contact, rested) if rested is not bouncer else after
            presses += [Press(contact[0], contact[1], when, position) for when, position in changes]
        free = tuple(p for p in after.waiting if not after._rattling(p.seat, now_ns))
        after = replace(after, waiting=tuple(p for p in after.waiting if p not in free))
        certain = [p for p in presses if self._means_something(p)]
        return after, (*sorted(certain, key=lambda p: p.at_ns), *free)

    def due_ns(self) -> int | None:
        """Return when `settled` has something to say next; None when nothing is pending."""
        times = [
            b.deaf_until
            for contact, b in self.bouncers.items()
            if b.deaf_until is not None and (b.last is not None or self._awaited(contact))
        ]
        return min(times, default=None)

    def closed(self) -> frozenset[Contact]:
        """Return the contacts that are closed now."""
        return frozenset(contact for contact, bouncer in self.bouncers.items() if bouncer.level)

    def _of(self, contact: Contact) -> Debouncer:
        return self.bouncers.get(contact, Debouncer(self.lockout_ns))

    def _with(self, contact: Contact, bouncer: Debouncer) -> Contacts:
        return replace(self, bouncers={**self.bouncers, contact: bouncer})

    def _means_something(self, press: Press) -> bool:
        return press.closed or (self.mode is PadMode.WELLS and press.key in WELLS)

    def _must_wait(self, press: Press) -> bool:
        return press.key is Key.LOCK and press.closed and self._rattling(press.seat, press.at_ns)

    def _rattling(self, seat: Seat, at_ns: int) -> bool:
        return self.mode is PadMode.WELLS and any(self._of((seat, key)).deaf(at_ns) for key in WELLS)

    def _awaited(self, contact: Contact) -> bool:
        return contact[1] in WELLS and any(press.seat == contact[0] for press in self.waiting)
