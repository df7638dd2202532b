"""The events of every match in one SQLite file: one writer, append only, synced before anybody is told.

Beside `feltside.sqlite` lies `feltside.sqlite.last`: the last place that was acknowledged. SQLite forgives a
write-ahead log that was cut short (it takes what is whole); with that note we notice when something that
players saw acknowledged is missing, instead of going on without it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from pi.errors import JournalDamaged, NewerJournal, NotWritten, SecondWriter
from pi.rules import events as alphabet
from pi.rules.errors import BadMessage
from pi.rules.events import Event
from pi.wal import lost_commits

SCHEMA = 1
APPLICATION_ID = 0x46454C54  # "FELT"
_MAGIC = b"SQLite format 3\x00"
_TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('schema', '{SCHEMA}');
CREATE TABLE events (
  match TEXT NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
  data TEXT NOT NULL, at_ns INTEGER NOT NULL, utc TEXT NOT NULL, chain TEXT NOT NULL,
  PRIMARY KEY (match, seq)
);
CREATE INDEX first_events ON events (match) WHERE seq = 1;
CREATE INDEX event_times ON events (at_ns);
CREATE TRIGGER never_changed BEFORE UPDATE ON events
  BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
CREATE TRIGGER never_deleted BEFORE DELETE ON events
  BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
"""
_ROWS = "SELECT seq, name, version, data, at_ns, utc, chain FROM events WHERE match = ? AND seq >= ? ORDER BY seq"
_WAYS_OUT = "nothing was changed; move it away together with the files beside it of the same name to begin anew"


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
            return _last_seq(db, match) if db else 0

    def events(self, match: str, *, after: int = 0) -> list[Record]:
        """Return the events of a match past seq `after`; empty for an unknown match.

        Raises JournalDamaged when one is missing or was altered, NewerJournal for unknown ones.
        """
        with self._open() as db:
            rows = db.execute(_ROWS, (match, after)).fetchall() if db else []
        return _checked(rows, match, after, self.path)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection | None]:
        if not self.path.exists():
            yield None
            return
        with _read_only(self.path) as db:
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
            _create(path)
        self._db = _connected(path)
        self._tips: dict[str, tuple[int, str]] = {}
        self._last = os.open(_last_file(path), os.O_WRONLY | os.O_CREAT, 0o640)

    def append(self, match: str, events: Sequence[Event], *, at_ns: int, utc: str) -> int:
        """Write events at the end of a match, all or none, synced to disk; return the match's last seq.

        at_ns: journal time; utc: for people. Raises SecondWriter when somebody else took the place,
        NotWritten when it is certain that nothing was written (disk full, file locked). Any other error of
        sqlite3 leaves open what is on disk: end the program, the next start reads it.
        """
        seq, chain = self._tip(match)
        rows = []
        for event in events:
            seq += 1
            name, version, data = alphabet.encode(event)
            row = (match, seq, name, version, json.dumps(data, separators=(",", ":")), at_ns, utc)
            chain = _link(chain, row)
            rows.append((*row, chain))
        with self._transaction():
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._tips[match] = seq, chain
        self._note(match, seq)
        return seq

    def remember(self, **words: str) -> None:
        """Keep words beside the events, durably, all or none."""
        self.remember_all(words)

    def remember_all(self, words: Mapping[str, str]) -> None:
        """Keep words under any keys; see `remember`."""
        with self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", words.items())

    def recall(self, key: str) -> str | None:
        """Return what was remembered under a key; None when nothing was."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def last_at_ns(self) -> int:
        """Return the latest time of any event, in journal time; 0 when there is none."""
        return int(self._db.execute("SELECT MAX(at_ns) FROM events").fetchone()[0] or 0)

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
        os.pwrite(self._last, _note_line(match, seq), 0)


def check(path: Path) -> None:
    """Look through a whole journal without changing it.

    Raises JournalDamaged or NewerJournal with one sentence: no SQLite file, not ours, pages or lines that
    do not add up, acknowledged lines that are missing.
    """
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head != _MAGIC:
        raise JournalDamaged(f"{path} is not a journal (expected an SQLite file): {_WAYS_OUT}")
    if lost_commits(path.with_name(path.name + "-wal")):
        raise JournalDamaged(f"{path}-wal is damaged before its end (a page lost its checksum): {_WAYS_OUT}")
    with _read_only(path) as db:
        _check_ours(db, path)
        _check_pages(db, path)
        _check_noted(db, path)
        for (match,) in db.execute("SELECT DISTINCT match FROM events").fetchall():
            _checked(db.execute(_ROWS, (match, 0)).fetchall(), match, 0, path)


def _create(path: Path) -> None:
    """Make an empty journal; it appears under its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    for left in (new, *(new.with_name(new.name + end) for end in ("-wal", "-shm", "-journal"))):
        left.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_TABLES)
    new.chmod(0o640)
    _sync(new)
    new.rename(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _connected(path: Path) -> sqlite3.Connection:
    # One thread writes at a time; it need not be the one that opened the file.
    db = sqlite3.connect(path, isolation_level=None, timeout=5.0, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    return db


@contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)) as db:
            db.execute("PRAGMA query_only = ON")
            yield db
    except sqlite3.Error as no:
        raise JournalDamaged(f"{path} cannot be read ({no}): {_WAYS_OUT}") from no


def _named(error: sqlite3.Error, path: Path) -> Exception:
    """Return our name for an error of SQLite's; the error itself where we cannot say what is on disk."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CONSTRAINT:
        return SecondWriter(f"somebody else writes to {path} (expected one table at a time)")
    if code == sqlite3.SQLITE_FULL:
        return NotWritten(f"the disk is full, at {path}")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return NotWritten(f"another program holds {path}")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return NotWritten(f"{path} cannot be written to ({error})")
    return error


def _last_seq(db: sqlite3.Connection, match: str) -> int:
    return int(db.execute("SELECT MAX(seq) FROM events WHERE match = ?", (match,)).fetchone()[0] or 0)


def _link(chain: str, row: Sequence[object]) -> str:
    """Return the checksum of a line and, through `chain`, of all lines of its match before it."""
    return sha256(json.dumps([chain, *row]).encode()).hexdigest()[:32]


def _checked(rows: Sequence[Sequence[Any]], match: str, after: int, path: Path) -> list[Record]:
    """Return the records past `after`, gapless and unaltered; `rows` begin at `after` (or at 1)."""
    records, expected, chain = [], max(after, 1), None if after else ""
    for seq, name, version, data, at_ns, utc, written in rows:
        where = f"at seq {expected} of match {match} in {path}"
        if seq != expected:
            raise JournalDamaged(f"the journal has a gap, {where}: {_WAYS_OUT}")
        if chain is not None and _link(chain, (match, seq, name, version, data, at_ns, utc)) != written:
            raise JournalDamaged(f"the journal was altered, {where}: {_WAYS_OUT}")
        if seq > after:
            records.append(Record(seq, _decoded(name, version, data, where), at_ns, utc))
        expected, chain = expected + 1, written
    return records


def _decoded(name: str, version: int, data: str, where: str) -> Event:
    try:
        return alphabet.decode(name, version, json.loads(data))
    except NewerJournal as no:
        raise NewerJournal(f"{no}: a newer Feltside wrote this, {where}; nothing was changed") from None
    except (BadMessage, ValueError) as no:
        raise JournalDamaged(f"the journal has a line that is no event ({no}), {where}: {_WAYS_OUT}") from None


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalDamaged(f"{path} is an SQLite file but not a Feltside journal: {_WAYS_OUT}")
    row = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    if row is None or not row[0].isdigit():
        raise JournalDamaged(f"{path} does not say which version it is of: {_WAYS_OUT}")
    if int(row[0]) > SCHEMA:
        raise NewerJournal(
            f"{path} was written by a newer Feltside (version {row[0]}, expected at most {SCHEMA}); nothing was changed"
        )


def _check_pages(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise JournalDamaged(f"{path} is damaged ({found}): {_WAYS_OUT}".replace("\n", " "))


def _check_noted(db: sqlite3.Connection, path: Path) -> None:
    noted = _noted(_last_file(path))
    if noted is None:
        return
    match, seq = noted
    if (there := _last_seq(db, match)) < seq:
        raise JournalDamaged(
            f"{path} ends at seq {there} of match {match}, but seq {seq} was acknowledged: bring back the newer "
            f"file and the files beside it, or delete {_last_file(path).name} to go on without the missing lines; "
            "nothing was changed"
        )


def _last_file(path: Path) -> Path:
    return path.with_name(path.name + ".last")


def _note_line(match: str, seq: int) -> bytes:
    text = json.dumps([match, seq])
    return f"{sha256(text.encode()).hexdigest()[:16]} {text}".ljust(255).encode() + b"\n"


def _noted(path: Path) -> tuple[str, int] | None:
    """Return (match, seq) last acknowledged; None when there is no note, or a torn one."""
    try:
        text = path.read_text(encoding="utf-8")
        match, seq = json.loads(text[17:])
    except (OSError, ValueError, TypeError):
        return None
    return (match, seq) if _note_line(match, seq).decode() == text else None
