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

    A change that nobody contradicts is certain once its contact was silent for a lockout, counted from when
    its last edge was heard, not from its stamp: where threads wait their turn, later bounces of the same
    press may still be under way.

    In wells a disk still rattling when LOCK is pressed would give the prediction away to chance: such a
    LOCK is handed on only when the seat's wells have come to rest (one lockout later), with its own time
    untouched.
    """

    mode: PadMode
    lockout_ns: int
    bouncers: Mapping[Contact, Debouncer] = field(default_factory=dict)
    heard: Mapping[Contact, int] = field(default_factory=dict)
    """When each contact's last edge reached us."""
    waiting: tuple[Press, ...] = ()
    """LOCKs that wait for their seat's wells."""

    def at_start(self, contact: Contact, *, closed: bool) -> Contacts:
        """Return the board with a contact that is already closed (or open) when we begin to listen."""
        return self._with(contact, replace(self._of(contact), level=closed))

    def edge(
        self, contact: Contact, *, at_ns: int, closed: bool, heard_ns: int | None = None
    ) -> tuple[Contacts, tuple[Press, ...]]:
        """Return the board after one raw edge, and the presses that it makes certain.

        heard_ns: when it reached us; None takes its own time.
        """
        heard = at_ns if heard_ns is None else heard_ns
        bouncer, changes = self._of(contact).edge(at_ns, closed)
        after = replace(self._with(contact, bouncer), heard={**self.heard, contact: heard})
        presses: list[Press] = []
        for when, position in changes:
            press = Press(contact[0], contact[1], when, position)
            if after._must_wait(press, heard):
                after = replace(after, waiting=(*after.waiting, press))
            elif self._means_something(press):
                presses.append(press)
        return after, tuple(presses)

    def settled(self, now_ns: int) -> tuple[Contacts, tuple[Press, ...]]:
        """Return the board at a moment, and the presses that the passing of time made certain."""
        after = self
        presses: list[Press] = []
        for contact, bouncer in self.bouncers.items():
            if bouncer.last is None or not self._rests(contact, now_ns):
                continue
            rested, changes = bouncer.settled(now_ns)
            after = after._with(contact, rested)
            presses += [Press(contact[0], contact[1], when, position) for when, position in changes]
        free = tuple(p for p in after.waiting if after._wells_rest(p.seat, now_ns))
        after = replace(after, waiting=tuple(p for p in after.waiting if p not in free))
        certain = [p for p in presses if self._means_something(p)]
        return after, (*sorted(certain, key=lambda p: p.at_ns), *free)

    def due_ns(self) -> int | None:
        """Return when `settled` has something to say next; None when nothing is pending."""
        times = [self._rest_ns(contact) for contact, b in self.bouncers.items() if b.last is not None]
        # A waiting LOCK is due when the last of its seat's wells has come to rest.
        times += [max(self._rest_ns((press.seat, key)) for key in WELLS) for press in self.waiting]
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

    def _must_wait(self, press: Press, now_ns: int) -> bool:
        if self.mode is not PadMode.WELLS or press.key is not Key.LOCK or not press.closed:
            return False
        rattling = any(self._of((press.seat, key)).deaf(press.at_ns) for key in WELLS)
        return rattling and not self._wells_rest(press.seat, now_ns)

    def _wells_rest(self, seat: Seat, now_ns: int) -> bool:
        return all(self._rests((seat, key), now_ns) for key in WELLS)

    def _rests(self, contact: Contact, now_ns: int) -> bool:
        return self._rest_ns(contact) <= now_ns

    def _rest_ns(self, contact: Contact) -> int:
        """Return when a contact is certain to have come to rest; 0 for one that was never heard."""
        if contact not in self.heard:
            return 0
        return max(self._of(contact).deaf_until or 0, self.heard[contact] + self.lockout_ns)
