"""The events of every match in one SQLite file: one writer, append only, synced before anybody is told.

Beside `feltside.sqlite` lies `feltside.sqlite.last`: the last place that was acknowledged. SQLite forgives a
write-ahead log that was cut short (it takes what is whole); with that note we notice when something that
players saw acknowledged is missing, instead of going on without it.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from pi.errors import CardRefuses, JournalDamaged, NewerJournal, NotWritten, SecondWriter
from pi.journal_check import check, check_absent, newer
from pi.journal_file import (
    REMEMBER,
    ROWS,
    WAYS_OUT,
    connected,
    create,
    last_file,
    last_seq_in,
    link,
    note_line,
    read_only,
    where_in,
)
from pi.rules import events as alphabet
from pi.rules.errors import BadMessage
from pi.rules.events import Event

LOG = logging.getLogger("feltside.journal")


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal."""

    seq: int
    """Position within its match, from 1."""
    event: Event
    at_ns: int
    """Journal time of the append; the event's own time, where it has one, is inside it."""
    utc: str
    """ISO 8601, for people."""


@dataclass(frozen=True, slots=True)
class Started:
    """A match on record."""

    match: str
    utc: str
    """When it started, ISO 8601, for people."""


class JournalReader:
    """Reads the journal, also while the table writes it; changes nothing. Safe to share between threads."""

    def __init__(self, path: Path) -> None:
        """Remember the file; it need not exist yet (no match was ever played then)."""
        self.path = path

    def matches(self) -> list[Started]:
        """Return every match, newest last."""
        query = "SELECT match, utc FROM events WHERE seq = 1 ORDER BY rowid"
        with self._open() as db:
            return [Started(*row) for row in db.execute(query)] if db else []

    def latest(self) -> str | None:
        """Return the id of the match that was started last; None before the first."""
        query = "SELECT match FROM events WHERE seq = 1 ORDER BY rowid DESC LIMIT 1"
        with self._open() as db:
            row = db.execute(query).fetchone() if db else None
        return row[0] if row else None

    def last_seq(self, match: str) -> int:
        """Return the seq of the match's last event; 0 for an unknown match."""
        with self._open() as db:
            return last_seq_in(db, match) if db else 0

    def events(self, match: str, *, after: int = 0) -> list[Record]:
        """Return the events of a match past seq `after`; empty for an unknown match.

        Raises JournalDamaged when one is missing or was altered, NewerJournal for unknown ones.
        """
        with self._open() as db:
            rows = db.execute(ROWS, (match, after)).fetchall() if db else []
        return _records(rows, match, after, self.path)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection | None]:
        if not self.path.exists():
            yield None
            return
        with read_only(self.path) as db:
            yield db


class Journal(JournalReader):
    """The one writer. Opening checks the whole file first and changes nothing if anything is wrong."""

    def __init__(self, path: Path) -> None:
        """Open or create the journal.

        Raises JournalDamaged for a file that is not a whole journal, NewerJournal for a later Feltside's.
        """
        super().__init__(path)
        if path.exists():
            check(path)
        else:
            check_absent(path)
            create(path)
        self._tips: dict[str, tuple[int, str]] = {}
        self._last = os.open(last_file(path), os.O_WRONLY | os.O_CREAT, 0o640)
        try:
            self._db = connected(path)
        except BaseException:
            os.close(self._last)
            raise

    def append(
        self,
        match: str,
        events: Sequence[Event],
        *,
        at_ns: int,
        utc: str,
        words: Mapping[str, str] | None = None,
    ) -> int:
        """Write events at the end of a match, all or none, synced to disk; return the match's last seq.

        at_ns: journal time; utc: for people; words: to be remembered in the same
        breath. Raises SecondWriter when somebody else took the place, NotWritten when it is certain that
        nothing was written (disk full, file locked). Any other error of sqlite3 leaves open what is on disk:
        end the program, the next start reads it.
        """
        seq, chain = self._tip(match)
        rows = []
        for event in events:
            seq += 1
            name, version, data = alphabet.encode(event)
            row = (match, seq, name, version, json.dumps(data, separators=(",", ":")), at_ns, utc)
            chain = link(chain, row)
            rows.append((*row, chain))
        with self._transaction():
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.executemany(REMEMBER, (words or {}).items())
        self._tips[match] = seq, chain
        self._note(match, seq)
        return seq

    def remember(self, words: Mapping[str, str]) -> None:
        """Keep words beside the events, durably, all or none; raises as `append` does."""
        with self._transaction():
            self._db.executemany(REMEMBER, words.items())

    def recall(self, key: str) -> str | None:
        """Return what was remembered under a key; None when nothing was."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def last_at_ns(self) -> int:
        """Return the latest time of any event, in journal time; 0 when there is none."""
        return int(self._db.execute("SELECT MAX(at_ns) FROM events").fetchone()[0] or 0)

    @property
    def health(self) -> tuple[str, str]:
        """State and sentence for the status: where events go."""
        return "ok", "Every step is on disk."

    def close(self) -> None:
        """Close the file; what was appended is safe whether this is called or not."""
        self._db.close()
        if self._last >= 0:
            os.close(self._last)
            self._last = -1

    def __enter__(self) -> Journal:
        """Return the journal itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def _tip(self, match: str) -> tuple[int, str]:
        # Kept, not asked anew: a place that somebody else took in between must collide.
        if match not in self._tips:
            query = "SELECT seq, chain FROM events WHERE match = ? ORDER BY seq DESC LIMIT 1"
            self._tips[match] = self._db.execute(query, (match,)).fetchone() or (0, "")
        return self._tips[match]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as no:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise _named(no, self.path) from no

    def _note(self, match: str, seq: int) -> None:
        # Not synced: after a crash of the program the kernel still has it, and after a power cut an older
        # note only notices less. It is never ahead of what is on disk.
        try:
            os.pwrite(self._last, note_line(match, seq), 0)
        except OSError as no:
            LOG.warning("the note beside the journal could not be written: %s", no.strerror)


def _named(error: sqlite3.Error, path: Path) -> Exception:
    """Return our name for an error of SQLite's; the error itself where we cannot say what is on disk."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CONSTRAINT:
        return SecondWriter(f"somebody else writes to {path} (expected one table at a time)")
    if code == sqlite3.SQLITE_FULL:
        return CardRefuses(f"the disk is full, at {path}", full=True)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return NotWritten(f"another program holds {path}")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return CardRefuses(f"{path} cannot be written to ({error})", full=False)
    return error


def _records(rows: Iterable[Sequence[Any]], match: str, after: int, path: Path) -> list[Record]:
    """Return the records past `after`; raises for a gap and for what is no event."""
    records = []
    for expected, (seq, name, version, data, at_ns, utc, _) in enumerate(rows, start=after + 1):
        where = where_in(expected, match, path)
        if seq != expected:
            raise JournalDamaged(f"the journal has a gap, {where}: {WAYS_OUT}")
        records.append(Record(seq, _decoded(name, version, data, where), at_ns, utc))
    return records


def _decoded(name: str, version: int, data: str, where: str) -> Event:
    try:
        return alphabet.decode(name, version, json.loads(data))
    except NewerJournal as no:
        raise newer(no, where) from None
    except (BadMessage, ValueError) as no:
        raise JournalDamaged(f"the journal has a line that is no event ({no}), {where}: {WAYS_OUT}") from None
