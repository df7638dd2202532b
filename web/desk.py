"""What the web server knows right now: the match folded from the journal, and what the table says.

One background thread (`Desk.follow`) listens to the table for all clients; whoever waits is woken and reads
the newest sight. Nothing is queued: a client that was slow or away gets the whole newest view, and that is
catching up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol

from pi.errors import FeltsideError, TableAway
from pi.rules.events import Event, Revealed, RoundOpened
from pi.rules.match import NEW, Match, replay
from web import words

RETRY_S = 1.0
"""Pause before the table's door is tried again."""
DEAF_S = 45.0
"""The table speaks every 5 s, and after 15 s of silence it is away: a listener that hears neither hangs."""


class Kept(Protocol):
    """One event as the journal keeps it."""

    @property
    def seq(self) -> int:
        """Position in the match, from 1."""

    @property
    def event(self) -> Event:
        """What happened."""

    @property
    def utc(self) -> str:
        """When it was written, ISO 8601, for people."""


class Reader(Protocol):
    """The journal, read only; as `pi.journal.JournalReader`."""

    def latest(self) -> str | None:
        """Return the id of the newest match; None before the first."""

    def last_seq(self, match: str) -> int:
        """Return the last seq of a match."""

    def events(self, match: str, *, after: int = 0) -> Sequence[Kept]:
        """Return the events of a match past a seq, in order."""


class Table(Protocol):
    """The table's door; as `pi.inbox.TableClient`."""

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Hand a request in and return the answer; raises TableAway."""

    def subscribe(self) -> Iterator[dict[str, Any]]:
        """Yield a line whenever something changed, and at least every 5 s; raises TableAway."""


@dataclass(frozen=True, slots=True)
class Times:
    """When a round was opened and revealed, ISO 8601 in UTC: for people, never for the queue."""

    opened: str = ""
    closed: str = ""


def times_after(times: Mapping[int, Times], records: Sequence[Kept]) -> Mapping[int, Times]:
    """Return the rounds' times after some more records."""
    found = dict(times)
    for kept in records:
        match kept.event:
            case RoundOpened(round=number):
                found[number] = Times(opened=kept.utc)
            case Revealed(round=number):
                found[number] = replace(found.get(number, Times()), closed=kept.utc)
    return MappingProxyType(found)


@dataclass(frozen=True, slots=True)
class Sight:
    """What the server knows at one moment."""

    version: int = 0
    """Goes up by one whenever anything below changes."""
    match: Match = NEW
    seq: int = 0
    status: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    away: str | None = words.AWAY
    """A sentence while the table or the journal does not answer; None while they do."""
    trouble: str | None = None
    """Why the journal cannot be read; None while it can."""
    watched: str = ""
    """The match whose chances spectators may see, and their screen's code; empty while that screen is closed."""
    times: Mapping[int, Times] = field(default_factory=lambda: MappingProxyType({}))
    """When each round was opened and revealed; for the clock on the scoreboard only."""

    @property
    def stale(self) -> str | None:
        """The sentence to show when this may be old; None when it is not."""
        return self.trouble or self.away


class Desk:
    """Keeps the newest sight and wakes those who wait for it. Threads may share it."""

    def __init__(self, journal: Reader, table: Table, *, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        """Take the journal (there may be none yet) and the table's door."""
        self._monotonic_s = monotonic_s
        self._heard_s: float | None = None
        self.table = table
        self._journal = journal
        self._sight = Sight()
        self._reading = threading.Lock()
        self._changed = threading.Condition()

    def well(self) -> bool:
        """Tell whether the listener still listens and the journal can be got at; hangs when somebody sits on it."""
        self.look()
        last_s = self._heard_s
        return last_s is None or self._monotonic_s() - last_s < DEAF_S

    def look(self) -> Sight:
        """Read what is new in the journal and return the newest sight."""
        return self._refresh()

    def wait(self, seen: int, *, timeout_s: float) -> Sight:
        """Return the newest sight as soon as its version is not `seen`, at the latest after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._sight.version != seen, timeout_s)
            return self._sight

    def follow(self, stop: threading.Event) -> None:
        """Listen to the table until `stop` is set; for the one background thread.

        Ends within 5 s (the table's heartbeat) after `stop` is set, or at once while the table is away.
        """
        while not stop.is_set():
            self._heard_s = self._monotonic_s()
            try:
                for line in self.table.subscribe():
                    if stop.is_set():
                        return
                    self.told(line)
                    self._heard_s = self._monotonic_s()
                raise TableAway("the table closed its door")
            except TableAway:
                self._refresh(away=words.AWAY)
                stop.wait(RETRY_S)

    def watch(self, watched: str) -> None:
        """Open the spectators' screen (match and code) or close it (""); every page hears of it."""
        self._refresh(watched=watched)

    def told(self, line: Mapping[str, Any]) -> None:
        """Take in one line of the table: "look again", with its status."""
        status = line.get("status")
        self._refresh(away=None, **({"status": status} if isinstance(status, Mapping) else {}))

    def _refresh(self, **told: Any) -> Sight:
        with self._reading:
            try:
                self._put(**told, **self._read(), trouble=None)
            except (FeltsideError, OSError) as no:
                self._put(**told, trouble=str(no))
            return self._sight

    def _read(self) -> dict[str, Any]:
        newest = self._journal.latest()
        if newest is None:
            return {"match": NEW, "seq": 0, "times": MappingProxyType({})}
        known = self._sight if self._sight.match.id == newest else Sight()
        if self._journal.last_seq(newest) == known.seq:
            return {}
        fresh = self._journal.events(newest, after=known.seq)
        match = replay((kept.event for kept in fresh), start=known.match)
        return {
            "match": match,
            "seq": fresh[-1].seq if fresh else known.seq,
            "times": times_after(known.times, fresh),
        }

    def _put(self, **changes: Any) -> None:
        """Take over what changed; the caller holds the reading lock."""
        after = replace(self._sight, **changes)
        if after == self._sight:
            return
        with self._changed:
            self._sight = replace(after, version=self._sight.version + 1)
            self._changed.notify_all()
