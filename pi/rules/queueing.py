"""Presses -> pads -> lock-ins -> queue places; ties within the published bound.

All times are integer nanoseconds of one monotonic clock. The order in which things arrive never counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol, TypeVar

from pi.rules.values import Seat

TIE_BOUND_NS = 1_000_000
"""Two lock-ins as close as this cannot be told apart (default; a setting, see the board's measured bound)."""


class Key(Enum):
    """The contacts of a seat's pad, and the table's own button."""

    ONE = "1"
    TWO = "2"
    FOUR = "4"
    LOCK = "lock"
    NEXT = "next"

    @property
    def worth(self) -> int:
        """Return what a prediction disk is worth: 1, 2 or 4; 0 for the other keys."""
        return int(self.value) if self.value.isdigit() else 0


class PadMode(Enum):
    """How a pad's contacts are meant."""

    WELLS = "wells"
    """A disk that lies in a well holds its contact closed."""
    KEYS = "keys"
    """Each press toggles."""


@dataclass(frozen=True, slots=True)
class Press:
    """An accepted contact: who, what, when."""

    seat: Seat
    key: Key
    at_ns: int
    """CLOCK_MONOTONIC of the first edge, not of the callback."""
    closed: bool = True
    """False when the contact opened (wells only; an opening button means nothing)."""


@dataclass(frozen=True, slots=True)
class Pad:
    """What one seat has laid or pressed since its round opened."""

    mode: PadMode = PadMode.KEYS
    presses: tuple[Press, ...] = ()
    """Sorted by time, whatever order they arrived in."""

    def pressed(self, press: Press) -> Pad:
        """Return the pad after a press; one that arrives late is put where its time says."""
        return replace(self, presses=tuple(sorted((*self.presses, press), key=lambda p: p.at_ns)))

    def prediction(self, *, at_ns: int) -> int:
        """Return the sum of the disks (0 to 7) as it stood at a moment; presses at that moment count."""
        total = 0
        for press in self.presses:
            if press.at_ns <= at_ns:
                total = _after(total, press, self.mode)
        return total

    def cleared(self, *, at_ns: int) -> Pad:
        """Return the pad for a new round: keys start at zero; disks that still lie in wells stay."""
        if self.mode is PadMode.KEYS:
            return Pad(self.mode)
        held = [k for k in (Key.ONE, Key.TWO, Key.FOUR) if self.prediction(at_ns=at_ns) & k.worth]
        seat = self.presses[0].seat if self.presses else Seat(0)
        return Pad(self.mode, tuple(Press(seat, key, at_ns) for key in held))


def _after(total: int, press: Press, mode: PadMode) -> int:
    worth = press.key.worth
    if mode is PadMode.WELLS:
        return total | worth if press.closed else total & ~worth
    return total ^ worth if press.closed else total


class Timed(Protocol):
    """Anything with a time and the bound within which that time is true."""

    @property
    def at_ns(self) -> int:
        """Monotonic nanoseconds."""

    @property
    def bound_ns(self) -> int:
        """Two times at most this far apart cannot be told apart."""


TimedT = TypeVar("TimedT", bound=Timed)


def queue(entries: Iterable[TimedT]) -> tuple[tuple[TimedT, ...], ...]:
    """Put lock-ins in order of their own time; each inner tuple is a tie.

    RULES.md 1, Ruling: two lock-ins closer together than the board can tell apart are a tie. Being tied
    is passed on: if A ties with B and B with C, all three tie, for any other answer would tell apart two
    that cannot be told apart. Of two different bounds (a pad's, a phone's) the wider one decides.
    """
    groups: list[list[TimedT]] = []
    ordered = sorted(entries, key=lambda e: e.at_ns)
    for entry in ordered:
        joined = [g for g in groups if any(_tied(other, entry) for other in g)]
        if not joined:
            groups.append([entry])
            continue
        # A wide bound may reach back over a group in between: everything from there on is one tie.
        first = groups.index(joined[0])
        groups[first:] = [[e for g in groups[first:] for e in g] + [entry]]
    return tuple(tuple(g) for g in groups)


def _tied(one: Timed, other: Timed) -> bool:
    return abs(one.at_ns - other.at_ns) <= max(one.bound_ns, other.bound_ns)


def places(groups: Sequence[Sequence[TimedT]]) -> list[tuple[int, TimedT]]:
    """Return (place, entry) from 1; tied ones share the better place and the next places are skipped."""
    found, ahead = [], 0
    for group in groups:
        found += [(ahead + 1, entry) for entry in group]
        ahead += len(group)
    return found


Change = tuple[int, bool]
"""(at_ns, closed) of one contact."""


def echo_ns(lockout_ns: int) -> int:
    """Return for how long an edge that was already undone when the kernel looked may begin a press.

    The kernel stamps an edge in its interrupt but reads the level a little later (gpiolib-cdev.c,
    edge_irq_thread), so a press that bounces at once is told as "open, closed": the first of the two is the
    first edge. A quarter of the lockout is ample for a bounce and short of anything a hand does.
    """
    return lockout_ns // 4


def debounce(edges: Iterable[Change], *, lockout_ns: int) -> list[Change]:
    """Return the accepted changes of one contact: the first edge counts, bounces after it do not.

    edges: (at_ns, closed) in any order. After an accepted change the contact is deaf for `lockout_ns`;
    if it then rests in the other position, that change is accepted at the time of its last edge, and is
    followed by a deaf time of its own. An edge that tells of no change is the first edge of the change
    that follows within `echo_ns`.
    """
    accepted: list[Change] = []
    waiting = sorted(edges, key=lambda edge: edge[0])
    level, echo = False, None
    while waiting:
        at_ns, closed = waiting.pop(0)
        if closed == level:
            echo = at_ns if echo is None or at_ns - echo > echo_ns(lockout_ns) else echo
            continue
        started = echo if echo is not None and at_ns - echo <= echo_ns(lockout_ns) else at_ns
        accepted.append((started, closed))
        level, echo, deaf_until = closed, None, started + lockout_ns
        while bounces := [edge for edge in waiting if edge[0] < deaf_until]:
            waiting = waiting[len(bounces) :]
            if bounces[-1][1] == level:
                break
            accepted.append(bounces[-1])
            level, deaf_until = bounces[-1][1], bounces[-1][0] + lockout_ns
    return accepted


@dataclass(frozen=True, slots=True)
class Debouncer:
    """`debounce`, one edge at a time, for edges in order of time: how a panel uses it.

    Both give the same changes for the same edges (a law in the tests).
    """

    lockout_ns: int
    level: bool = False
    """The accepted position: closed or open."""
    deaf_until: int | None = None
    """Edges before this time are bounces of the last accepted change."""
    last: Change | None = None
    """The latest edge of a deaf time: where the contact may have come to rest."""
    echo: int | None = None
    """An edge that told of no change: perhaps the first of the next one."""

    def edge(self, at_ns: int, closed: bool) -> tuple[Debouncer, tuple[Change, ...]]:
        """Return the state after an edge and the changes it makes certain."""
        rested, changes = self.settled(at_ns)
        if rested.deaf(at_ns):
            return replace(rested, last=(at_ns, closed)), changes
        window = echo_ns(self.lockout_ns)
        near = rested.echo is not None and at_ns - rested.echo <= window
        started = rested.echo if rested.echo is not None and near else at_ns
        if closed == rested.level:
            return replace(rested, echo=started), changes
        heard = replace(rested, level=closed, deaf_until=started + self.lockout_ns, last=None, echo=None)
        return heard, (*changes, (started, closed))

    def settled(self, now_ns: int) -> tuple[Debouncer, tuple[Change, ...]]:
        """Return the state at a moment, and the change that the end of a deaf time made certain."""
        if self.last is None or self.deaf(now_ns):
            return self, ()
        at_ns, closed = self.last
        if closed == self.level:
            return replace(self, last=None), ()
        return replace(self, level=closed, last=None, deaf_until=at_ns + self.lockout_ns), (self.last,)

    def deaf(self, at_ns: int) -> bool:
        """Tell whether the contact may still be bouncing at a moment."""
        return self.deaf_until is not None and at_ns < self.deaf_until
