"""The shelf of matches that were played, with their standings."""

from __future__ import annotations

import threading
from typing import Any

from pi.errors import FeltsideError
from pi.journal import JournalReader
from pi.rules.match import replay
from web.present import SPECTATOR, View, present


class Shelf:
    """Reads finished and running matches; a match that has not changed is not folded again."""

    def __init__(self, reader: JournalReader) -> None:
        """Take the journal."""
        self._reader = reader
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, View]] = {}

    def matches(self) -> list[dict[str, Any]]:
        """Return every match, newest first; one that cannot be read says so and hides no other."""
        return [self._line(started.match, started.utc) for started in reversed(self._reader.matches())]

    def match(self, match: str) -> dict[str, Any] | None:
        """Return one match's line; None when it was not played."""
        started = next((s for s in self._reader.matches() if s.match == match), None)
        return self._line(match, started.utc) if started else None

    def _line(self, match: str, utc: str) -> dict[str, Any]:
        line: dict[str, Any] = {"match": match, "utc": utc, "date": utc[:16].replace("T", " ")}
        try:
            return line | {"view": self._view(match), "trouble": None}
        except FeltsideError as no:
            return line | {"view": None, "trouble": str(no)}

    def _view(self, match: str) -> View:
        last = self._reader.last_seq(match)
        with self._lock:
            seq, view = self._kept.get(match, (0, {}))
            if seq != last:
                folded = replay(record.event for record in self._reader.events(match))
                view = present(folded, SPECTATOR, status={}, seq=last)
                self._kept[match] = last, view
            return view
