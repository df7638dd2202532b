"""What the table itself puts on a command from outside: times, chance and names no client may choose. Pure."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from pi.errors import BadMessage
from pi.inbox import Status
from pi.rules import commands as ask
from pi.rules.commands import Command

STAMPED: Mapping[str, tuple[str, ...]] = {
    "lock-in": ("at_ns", "nonce", "bound_ns", "via"),
    "next": ("at_ns",),
    "start-match": ("match",),
}
"""Command -> the fields that the table fills in."""
PARTS = ("camera", "eye", "asked", "corners", "felt", "teach", "taught", "tryout")
"""What a status from outside may be about."""


class NowClock(Protocol):
    """What the stamps need of `pi.clock.TableClock`."""

    def now_ns(self) -> int:
        """Return journal time now."""


def new_nonce() -> str:
    """Return 128 fresh random bits as hex: what keeps a commitment of seven possibilities shut."""
    return secrets.token_hex(16)


def new_match_id() -> str:
    """Return an id nobody used before, e.g. '20261121-193045-a3f9'; its start is the time for people."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


@dataclass(frozen=True, slots=True)
class Stamps:
    """Turns a request into a command with its stamps."""

    clock: NowClock
    phone_bound_ns: int
    nonce: Callable[[], str] = new_nonce
    match_id: Callable[[], str] = new_match_id

    def command(self, data: Mapping[str, Any]) -> tuple[Command, int]:
        """Return the command and the journal time of its receipt; raises BadMessage for an unfit request."""
        at_ns = self.clock.now_ns()
        name = data.get("command")
        reserved = STAMPED.get(name, ()) if isinstance(name, str) else ()
        for field in reserved:
            if field in data:
                raise BadMessage(f"the table itself fills in {field!r} (expected it to be left out), at /{name}")
        return ask.decode({**data, **self._own(reserved, at_ns)}), at_ns

    def _own(self, reserved: tuple[str, ...], at_ns: int) -> dict[str, Any]:
        makers: dict[str, Callable[[], Any]] = {
            "at_ns": lambda: at_ns,
            "nonce": self.nonce,
            "bound_ns": lambda: self.phone_bound_ns,
            "via": lambda: "phone",
            "match": self.match_id,
        }
        return {field: makers[field]() for field in reserved}


def status_of(part: object) -> Status:
    """Return the watcher's status; raises BadMessage unless it is an object for each of `PARTS` at most."""
    if not isinstance(part, dict) or not part:
        raise BadMessage("a status is an object of objects, at /status")
    for name, value in part.items():
        if name not in PARTS or not isinstance(value, dict):
            raise BadMessage(f"a status has {' and '.join(PARTS)}, each an object, at /status/{name}")
    return Status(part)
