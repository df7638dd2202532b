"""How far the eye may be trusted lately: the rate of corrections over the last matches in the journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from pi.errors import FeltsideError
from pi.journal import Started
from pi.rules.corrections import Corrections, corrections
from pi.rules.events import Event
from pi.rules.match import Match, replay
from web.desk import Kept

EARLIER = 6
"""Matches before this one that are asked for at most."""


class Past(Protocol):
    """The journal, read only."""

    def matches(self) -> list[Started]:
        """Return every match, oldest first."""

    def last_seq(self, match: str) -> int:
        """Return the last seq of a match."""

    def events(self, match: str, *, after: int = 0) -> Sequence[Kept]:
        """Return the events of a match."""


class Trust:
    """Counts corrections; matches that are over are folded once."""

    def __init__(self, past: Past) -> None:
        """Take the journal."""
        self._past = past
        self._known: dict[tuple[str, int], tuple[Event, ...]] = {}

    def lately(self, match: Match) -> Corrections:
        """Return how often the eye was corrected; match: the one that is played now."""
        return corrections(self._histories(match))

    def _histories(self, match: Match) -> Iterator[Sequence[Event]]:
        yield match.history
        try:
            started = [one.match for one in self._past.matches() if one.match != match.id]
            for name in started[: -EARLIER - 1 : -1]:
                yield self._history(name)
        except (FeltsideError, OSError):
            return  # A journal that cannot be read is told elsewhere; this one match is what there is.

    def _history(self, name: str) -> tuple[Event, ...]:
        key = (name, self._past.last_seq(name))
        if key not in self._known:
            while len(self._known) >= 2 * EARLIER:
                self._known.pop(next(iter(self._known)))
            self._known[key] = replay(kept.event for kept in self._past.events(name)).history
        return self._known[key]
