"""What is wrong with a board of contacts, from its raw edges alone: pure, and careful with secrets.

A fault of a digit key or well tells that somebody used it. So it is told to the table only after the next
reveal; faults of LOCK and NEXT, and whatever was so before the first press, are told at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key

KERNEL_QUEUE = 16
"""Edges the kernel keeps for one line until somebody reads (gpiolib-cdev.c, linereq_create); then the oldest
goes. As many as this within one lockout, and the first edge may be among those lost."""
BUSY_EDGES, BUSY_NS = 200, 1_000_000_000
"""More edges than a hand makes in a second, with a few bounces each."""
REMEMBERED_NS = 60_000_000_000
"""A contact that chattered is named for a minute after its last trouble."""
BATCH_NS = 5_000_000
"""Edges that reach us within this came in one batch: a full queue's worth of them, and there may have been more."""
LATE_NS = 250_000_000
"""An edge on its way for longer than this: the computer is overloaded, and players will notice."""
HELD_NS = 30_000_000_000
"""A LOCK or NEXT closed for longer than this is stuck, or something lies on it."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """How lively one contact was: (start of the count, edges since) for a lockout, a second and a batch."""

    burst: tuple[int, int] = (0, 0)
    busy: tuple[int, int] = (0, 0)
    batch: tuple[int, int] = (0, 0)
    """The same by when they reached us."""
    trouble_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Faults:
    """The health of every contact. Frozen: each edge returns the next."""

    lockout_ns: int
    late_after_ns: int = LATE_NS
    counts: Mapping[Contact, _Counts] = field(default_factory=dict)
    since_start: frozenset[Contact] = frozenset()
    """Contacts that were closed when we began to listen, and have not opened since."""
    closed_ns: Mapping[Contact, int] = field(default_factory=dict)
    """Since when each closed LOCK or NEXT is closed."""
    late: tuple[int, int] | None = None
    """(when, by how much) a LOCK or NEXT last reached us late; None: never."""

    def begun(self, closed: Iterable[Contact]) -> Faults:
        """Return the health with these contacts closed from the start."""
        return replace(self, since_start=frozenset(closed))

    def edge(self, contact: Contact, *, at_ns: int, closed: bool, heard_ns: int) -> Faults:
        """Return the health after one raw edge. heard_ns: when it reached us."""
        before = self.counts.get(contact, _Counts())
        burst = _counted(before.burst, at_ns, max(self.lockout_ns, 1))
        busy = _counted(before.busy, at_ns, BUSY_NS)
        batch = _counted(before.batch, heard_ns, BATCH_NS)
        trouble = burst[1] >= KERNEL_QUEUE or busy[1] >= BUSY_EDGES or batch[1] >= KERNEL_QUEUE
        counts = _Counts(burst, busy, batch, heard_ns if trouble else before.trouble_ns)
        # Only of contacts that tell no secret: that a digit was late tells that it was pressed.
        is_late = not contact[1].worth and heard_ns - at_ns > self.late_after_ns
        return replace(
            self,
            counts={**self.counts, contact: counts},
            since_start=self.since_start if closed else self.since_start - {contact},
            late=(heard_ns, heard_ns - at_ns) if is_late else self.late,
        )

    def rests(self, contact: Contact, *, closed_ns: int | None) -> Faults:
        """Return the health with a contact closed since a moment; None: it is open."""
        if closed_ns is None and contact not in self.closed_ns:
            return self
        others = {c: at for c, at in self.closed_ns.items() if c != contact}
        return replace(self, closed_ns=others if closed_ns is None else {**others, contact: closed_ns})

    def chattering(self, now_ns: int) -> frozenset[Contact]:
        """Return the contacts that chattered lately, digits included: for the owner's own eyes."""
        return frozenset(
            contact
            for contact, counts in self.counts.items()
            if counts.trouble_ns is not None and now_ns - counts.trouble_ns < REMEMBERED_NS
        )

    def sentences(self, now_ns: int, *, revealed_ns: int | None) -> tuple[str, ...]:
        """Return what the table may be told now, one sentence a fault.

        revealed_ns: when secrets last came out; None: not yet.
        """
        stuck = [f"{name(c)} has been closed since the start." for c in _sorted(self.since_start)]
        held = [
            f"{name(c)} has been held down for more than {HELD_NS // 1_000_000_000} seconds."
            for c, at_ns in sorted(self.closed_ns.items(), key=lambda item: item[1])
            if now_ns - at_ns > HELD_NS and c not in self.since_start
        ]
        told = [c for c in self.chattering(now_ns) if self._may_tell(c, revealed_ns)]
        noisy = [f"{name(c)} chatters: its times may be late; mend or change it." for c in _sorted(told)]
        return (*stuck, *held, *noisy, *self._late(now_ns))

    def _late(self, now_ns: int) -> list[str]:
        if self.late is None or now_ns - self.late[0] >= REMEMBERED_NS:
            return []
        took_ms = self.late[1] // 1_000_000
        return [f"A press took {took_ms} ms to reach the table: the computer is overloaded. Its own time still counts."]

    def _may_tell(self, contact: Contact, revealed_ns: int | None) -> bool:
        trouble_ns = self.counts[contact].trouble_ns
        if not contact[1].worth or trouble_ns is None:
            return True
        return revealed_ns is not None and trouble_ns <= revealed_ns


def name(contact: Contact) -> str:
    """Return a contact as the table calls it: never which digit, for that would tell."""
    seat, key = contact
    if seat == TABLE:
        return "The table's NEXT button"
    return f"Seat {seat}'s LOCK button" if key is Key.LOCK else f"A digit contact of seat {seat}"


def _sorted(contacts: Iterable[Contact]) -> list[Contact]:
    return sorted(contacts, key=lambda c: (c[0], c[1].value))


def _counted(count: tuple[int, int], at_ns: int, window_ns: int) -> tuple[int, int]:
    start, edges = count
    return (start, edges + 1) if edges and 0 <= at_ns - start < window_ns else (at_ns, 1)
