"""The journal's files: how they are laid out, made and opened. What is in them is `pi.journal`'s."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from pi.durable import sync
from pi.errors import JournalDamaged

SCHEMA = 1
APPLICATION_ID = 0x46454C54  # "FELT"
MAGIC = b"SQLite format 3\x00"
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
ROWS = "SELECT seq, name, version, data, at_ns, utc, chain FROM events WHERE match = ? AND seq > ? ORDER BY seq"
REMEMBER = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
WAYS_OUT = "nothing was changed; move it away together with the files beside it of the same name to begin anew"


def create(path: Path) -> None:
    """Make an empty journal; it appears under its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    for left in (new, *(new.with_name(new.name + end) for end in ("-wal", "-shm", "-journal"))):
        left.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_TABLES)
    new.chmod(0o640)
    sync(new)
    new.rename(path)
    sync(path.parent)


def connected(path: Path) -> sqlite3.Connection:
    """Return a writer's connection: every commit is on disk when it returns (WAL, synchronous=FULL)."""
    # One thread writes at a time; it need not be the one that opened the file.
    db = sqlite3.connect(path, isolation_level=None, timeout=5.0, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    # A transaction that a power cut tore lies behind the good ones still. Were the next one written over its beginning
    # and torn as well, the two ends would pass for lost acknowledged ones (`pi.wal`).
    with suppress(sqlite3.OperationalError):  # on a full card the log stays as it is: just as safe
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return db


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the journal for reading alone; an error of SQLite's becomes JournalDamaged with its sentence."""
    try:
        with closing(sqlite3.connect(_uri(path), uri=True, timeout=5.0)) as db:
            db.execute("PRAGMA query_only = ON")
            yield db
    except (sqlite3.Error, UnicodeDecodeError, FileNotFoundError) as no:  # text that is none comes from a rotten page
        raise JournalDamaged(f"{path} cannot be read ({no}): {WAYS_OUT}") from no


def last_seq_in(db: sqlite3.Connection, match: str) -> int:
    """Return the seq of the match's last event; 0 for an unknown match."""
    return int(db.execute("SELECT MAX(seq) FROM events WHERE match = ?", (match,)).fetchone()[0] or 0)


def _uri(path: Path) -> str:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    # Beside a journal without a log SQLite wants to make one, even to read. Where nothing can be made, nobody
    # writes either: the file is what it is. (A log that is there is read, through the index beside it.)
    if not path.with_name(path.name + "-wal").exists() and os.statvfs(path).f_flag & os.ST_RDONLY:
        uri += "&immutable=1"
    return uri


def words_in(db: sqlite3.Connection) -> dict[str, str]:
    """Return what was remembered beside the events."""
    return dict(db.execute("SELECT key, value FROM meta WHERE key != 'schema'"))


def link(chain: str, row: Sequence[object]) -> str:
    """Return the checksum of a line and, through `chain`, of all lines of its match before it."""
    return sha256(json.dumps([chain, *row], default=repr).encode()).hexdigest()[:32]


def where_in(seq: int, match: str, path: Path) -> str:
    """Say a place in the journal."""
    return f"at seq {seq} of match {match} in {path}"


def last_file(path: Path) -> Path:
    """Return the file that notes the last acknowledged seq of the journal `path`."""
    return path.with_name(path.name + ".last")


def note_line(match: str, seq: int) -> bytes:
    """Return the note as `noted` reads it: always of one length, with a checksum."""
    text = json.dumps([match, seq])
    return f"{sha256(text.encode()).hexdigest()[:16]} {text}".ljust(255).encode() + b"\n"


def noted(path: Path) -> tuple[str, int] | None:
    """Return (match, seq) last acknowledged; None when there is no note, or a torn one."""
    try:
        text = path.read_text(encoding="utf-8")
        match, seq = json.loads(text[17:])
    except (OSError, ValueError, TypeError):
        return None
    return (match, seq) if note_line(match, seq).decode() == text else None
