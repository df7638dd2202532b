"""The shelf of matches that were played or imported, with their standings and figures."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from pi.errors import FeltsideError
from pi.journal import JournalReader, Record, Started
from pi.rules.match import NEW, Match, replay
from web import figures
from web.archive import Archive
from web.present import SPECTATOR, View, present

MATCHES_REMEMBERED, MOST_NAMES = 20, 24
"""How far back players are remembered, and how many of them."""


@dataclass(frozen=True, slots=True)
class Book:
    """What is kept of one match as it was read last: little, for every match ever played has one."""

    last: int
    view: View
    """Without the round shown last, which is most of a view."""
    tally: figures.Tally


class Shelf:
    """Reads finished and running matches; a match that has not changed is not folded again."""

    def __init__(self, reader: JournalReader, archive: Archive) -> None:
        """Take the journal and the folder of imported matches."""
        self.archive = archive
        self._reader = reader
        self._lock = threading.Lock()
        self._kept: dict[str, Book] = {}

    def matches(self) -> list[dict[str, Any]]:
        """Return every match, newest first; one that cannot be read says so and hides no other."""
        return [self._line(started) for started in sorted(self._all(), key=lambda s: s.utc)[::-1]]

    def match(self, match: str) -> dict[str, Any] | None:
        """Return one match's line; None when it was not played."""
        started = next((s for s in self._all() if s.match == match), None)
        return self._line(started) if started else None

    def records(self, match: str) -> list[Record]:
        """Return a match's events, played here or imported; empty for an unknown one."""
        return list(self._reader.events(match)) or self.archive.events(match)

    def names(self, known: Match = NEW) -> list[str]:
        """Return the names of those who played, latest first, each once.

        known: a match that is folded already, the one being played: it changes with every press.
        """
        found: dict[str, None] = {}
        for started in reversed(self._reader.matches()[-MATCHES_REMEMBERED:]):
            found |= dict.fromkeys(
                [p.name for p in known.players] if started.match == known.id else self._names_of(started)
            )
        return list(found)[:MOST_NAMES]

    def figures(self) -> dict[str, Any]:
        """Return what players and trays did over all matches that can be read."""
        books = [line["book"] for line in self.matches() if line["book"]]
        return {
            "players": figures.players(book.tally for book in books),
            "runs": figures.run_counts(book.tally for book in books),
        }

    def known(self) -> list[str]:
        """Return the names of all matches in the journal."""
        return [started.match for started in self._reader.matches()]

    def _all(self) -> list[Started]:
        played = self._reader.matches()
        here = {started.match for started in played}
        return [*played, *(started for started in self.archive.matches() if started.match not in here)]

    def _names_of(self, started: Started) -> list[str]:
        view = self._line(started)["view"]
        return [player["name"] for player in view["players"]] if view else []

    def _line(self, started: Started) -> dict[str, Any]:
        utc = started.utc
        line: dict[str, Any] = {"match": started.match, "utc": utc, "date": utc[:16].replace("T", " ")}
        try:
            book = self._book(started.match)
            return line | {"book": book, "view": book.view, "trouble": None}
        except FeltsideError as no:
            return line | {"book": None, "view": None, "trouble": str(no)}

    def _book(self, match: str) -> Book:
        last = self._reader.last_seq(match)
        with self._lock:
            kept = self._kept.get(match)
            if kept is None or kept.last != last:
                folded = replay(record.event for record in self.records(match))
                view = present(folded, SPECTATOR, status={}, seq=last) | {"round": None}
                kept = Book(last, view, figures.tally(folded))
                self._kept[match] = kept
            return kept
