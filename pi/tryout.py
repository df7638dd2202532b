"""Trying the table before a match: which buttons were seen, and whether the eye may read for a look. Pure.

Only while no match is played: a press is shown to nobody once there is a round it could be a prediction for. A disk
that is laid in a well stays there when a match begins, so of wells only the lifting counts as tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pi.rules.queueing import Key, PadMode, Press

PART = "tryout"
"""Its name in the status, and in what the pages ask for: {"do": "lamps"} or {"do": "read"}."""
READ_NS = 600_000_000_000
"""The eye reads for a look for this long after it was asked to: ten minutes."""


@dataclass(frozen=True, slots=True)
class Tryout:
    """What was tried since the last match. Frozen: each step returns the next."""

    seen: tuple[str, ...] = ()
    """Contacts that were pressed, e.g. '2/lock', 'next'."""
    read_until_ns: int = 0
    """Journal time up to which the eye reads for a look."""

    def pressed(self, press: Press, *, mode: PadMode) -> Tryout:
        """Return the tryout after a press."""
        if not counts(press, mode=mode):
            return self
        name = press.key.value if press.key is Key.NEXT else f"{press.seat}/{press.key.value}"
        return self if name in self.seen else replace(self, seen=tuple(sorted({*self.seen, name})))

    def asked(self, what: object, *, now_ns: int) -> Tryout:
        """Return the tryout after a page asked for something; what is not known changes nothing."""
        match what:
            case {"do": "lamps"}:
                return replace(self, seen=())
            case {"do": "read"}:
                return replace(self, read_until_ns=now_ns + READ_NS)
        return self

    def status(self, now_ns: int) -> Mapping[str, Any]:
        """Return it as it goes out; empty while nothing is tried."""
        read = now_ns < self.read_until_ns
        return {PART: {"seen": list(self.seen), "read": read}} if self.seen or read else {}


def counts(press: Press, *, mode: PadMode) -> bool:
    """Tell whether a press may be shown before a match: of a well its lifting, of anything else its closing."""
    well = mode is PadMode.WELLS and press.key.worth > 0
    return press.closed is not well
