"""Looks through a whole journal before anybody writes to it, and changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pi.errors import JournalDamaged, NewerJournal
from pi.journal_file import (
    APPLICATION_ID,
    MAGIC,
    ROWS,
    SCHEMA,
    WAYS_OUT,
    last_file,
    last_seq_in,
    link,
    noted,
    read_only,
    where_in,
)
from pi.rules import events as alphabet
from pi.wal import lost_commits


def check(path: Path) -> None:
    """Look through a whole journal without changing it.

    Raises JournalDamaged or NewerJournal with one sentence: no SQLite file, not ours, pages or lines that
    do not add up, acknowledged lines that are missing.
    """
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if head != MAGIC:
        raise JournalDamaged(f"{path} is not a journal (expected an SQLite file): {WAYS_OUT}")
    if lost_commits(path.with_name(path.name + "-wal")):
        raise JournalDamaged(f"{path}-wal is damaged before its end (a page lost its checksum): {WAYS_OUT}")
    with read_only(path) as db:
        _check_pages(db, path)
        _check_ours(db, path)
        _check_noted(db, path)
        for (match,) in db.execute("SELECT DISTINCT match FROM events").fetchall():
            _check_chain(db.execute(ROWS, (match, 0)), match, path)


def check_absent(path: Path) -> None:
    """Raise JournalDamaged when the journal is missing but was there: its log or its note still lie here."""
    log, note = path.with_name(path.name + "-wal"), last_file(path)
    left = [file.name for file in (log, note) if file.exists() and file.stat().st_size]
    if left:
        raise JournalDamaged(
            f"{path} is missing, but {' and '.join(left)} beside it show that it was there (expected all of "
            "them or none): bring it back, or move those away to begin anew"
        )


def _check_chain(rows: Iterable[Sequence[Any]], match: str, path: Path) -> None:
    """Check a whole match: no gap, nothing altered, every event known here (decoding all would take long)."""
    chain = ""
    for expected, (seq, name, version, data, at_ns, utc, written) in enumerate(rows, start=1):
        where = where_in(expected, match, path)
        if seq != expected:
            raise JournalDamaged(f"the journal has a gap, {where}: {WAYS_OUT}")
        chain = link(chain, (match, seq, name, version, data, at_ns, utc))
        if chain != written:
            raise JournalDamaged(f"the journal was altered, {where}: {WAYS_OUT}")
        try:
            alphabet.check_known(name, version)
        except NewerJournal as no:
            raise newer(no, where) from None


def newer(no: NewerJournal, where: str) -> NewerJournal:
    """Return the same refusal with the place in the journal."""
    return NewerJournal(f"{no}: a newer Feltside wrote this, {where}; nothing was changed")


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalDamaged(f"{path} is an SQLite file but not a Feltside journal: {WAYS_OUT}")
    row = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    if row is None or not str(row[0]).isdigit():
        raise JournalDamaged(f"{path} does not say which version it is of: {WAYS_OUT}")
    if int(row[0]) > SCHEMA:
        raise NewerJournal(
            f"{path} was written by a newer Feltside (version {row[0]}, expected at most {SCHEMA}); nothing was changed"
        )


def _check_pages(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise JournalDamaged(f"{path} is damaged ({found}): {WAYS_OUT}".replace("\n", " "))


def _check_noted(db: sqlite3.Connection, path: Path) -> None:
    if (last := noted(last_file(path))) is None:
        return
    match, seq = last
    if (there := last_seq_in(db, match)) < seq:
        raise JournalDamaged(
            f"{path} ends at seq {there} of match {match}, but seq {seq} was acknowledged: bring back the newer "
            f"file and the files beside it, or delete {last_file(path).name} to go on without the missing lines; "
            "nothing was changed"
        )
