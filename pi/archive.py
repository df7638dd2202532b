"""A backup as one file, and the way back onto a blank card.

A zip with `feltside-backup.json` first (format, Feltside's version, the journal's schema, SHA-256 of everything
else), then the journal as SQLite's own online backup gives it (whole, also while a match is played), settings
and evidence. Version rules: a backup opens in the Feltside that made it and in every later one; an older
Feltside refuses it in one sentence and changes nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pi.durable import sync
from pi.errors import BadSource, JournalDamaged, NewerJournal
from pi.journal_check import check
from pi.journal_file import SCHEMA, last_file, read_only

FORMAT = 1
HEAD, JOURNAL, SETTINGS, EVIDENCE = "feltside-backup.json", "feltside.sqlite", "feltside.toml", "evidence/"
KNOWN = ("own_set.npz", "bare_felt.npz")
"""What the eye was shown, beside the journal: an owner's tiles (`pi.own_set_file`) and felt (`pi.bare_felt`)."""
LARGEST_HEAD = 64 << 20
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup file says of itself."""

    made: str
    """ISO 8601, UTC."""
    version: str
    """The Feltside that made it."""
    schema: int
    files: dict[str, str]
    """Name within the backup -> SHA-256."""


@cache
def our_version() -> str:
    """Return this Feltside's version; 'unknown' when it runs without being installed.

    Read once: each page says it, and what runs stays what it was when it began.
    """
    try:
        return version("feltside")
    except PackageNotFoundError:
        return "unknown"


def write(
    file: Path, *, journal: Path, evidence: Path | None, settings: Path | None, made: str, replace: bool = False
) -> Backup:
    """Write a backup; it appears under its name when it is whole and synced. made: ISO 8601.

    evidence, settings: None leaves them out. Raises BadSource when it cannot be written or stands there already
    (unless `replace`), JournalDamaged when the journal cannot be read.
    """
    if file.exists() and not replace:
        raise BadSource(f"{file} is there already (expected a new name, or --force)")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".feltside-backup-") as folder:
            draft = Path(folder) / "draft"
            backup = _write(draft, Path(folder), journal, evidence, settings, made)
            draft.chmod(0o600)
            sync(draft)
            draft.replace(file)
            sync(file.parent)
    except OSError as no:
        if isinstance(no, JournalDamaged):
            raise
        raise BadSource(f"the backup cannot be written: {no.strerror or no}, at {file}") from None
    return backup


def _write(draft: Path, folder: Path, journal: Path, evidence: Path | None, settings: Path | None, made: str) -> Backup:
    sources: dict[str, Path] = {}
    if journal.exists():
        sources[JOURNAL] = _copied(journal, folder / JOURNAL)
    sources.update({name: path for name in KNOWN if (path := journal.with_name(name)).is_file()})
    if settings is not None:
        sources[SETTINGS] = settings
    if evidence is not None and evidence.is_dir():
        sources.update({EVIDENCE + p.name: p for p in sorted(evidence.iterdir()) if p.is_file()})
    files = {name: _digest(path) for name, path in sources.items()}
    backup = Backup(made, our_version(), SCHEMA, files)
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr(HEAD, json.dumps({"feltside-backup": FORMAT, **_as_json(backup)}, indent=1))
        for name, path in sources.items():
            # Pictures are packed already.
            kind = zipfile.ZIP_STORED if path.suffix == ".jpg" else zipfile.ZIP_DEFLATED
            zipped.write(path, name, compress_type=kind)
    return backup


def _copied(journal: Path, to: Path) -> Path:
    with read_only(journal) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        # One file, without a log beside it.
        copy.execute("PRAGMA journal_mode = DELETE")
    return to


def _as_json(backup: Backup) -> dict[str, Any]:
    return {"made": backup.made, "version": backup.version, "schema": backup.schema, "files": backup.files}


def read_head(file: Path) -> Backup:
    """Return what a backup says of itself; raises BadSource when it is none, NewerJournal for a later Feltside's."""
    with _opened(file) as zipped:
        return _head(zipped, file)


def _opened(file: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except OSError as no:
        raise BadSource(f"the backup cannot be read: {no.strerror or no}, at {file}") from None
    except zipfile.BadZipFile:
        raise BadSource(f"{file} is no backup, or only part of one (expected a file of `feltside backup`)") from None


def _head(zipped: zipfile.ZipFile, file: Path) -> Backup:
    try:
        if zipped.getinfo(HEAD).file_size > LARGEST_HEAD:
            raise ValueError
        head = json.loads(zipped.read(HEAD))
        known, schema = int(head["feltside-backup"]), int(head["schema"])
        backup = Backup(str(head["made"]), str(head["version"]), schema, dict(head["files"]))
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile):
        raise BadSource(f"{file} is no backup (expected a file of `feltside backup`)") from None
    if known > FORMAT or schema > SCHEMA:
        raise NewerJournal(f"{file} was made by a newer Feltside ({backup.version}); nothing was changed")
    for name in backup.files:
        flat = name.removeprefix(EVIDENCE)
        lawful = name in (JOURNAL, SETTINGS, *KNOWN) or name.startswith(EVIDENCE)
        if not lawful or "/" in flat or "\\" in flat or flat in ("", ".", ".."):
            raise BadSource(f"{file} holds {name!r}, which no backup of ours does; nothing was changed")
    return backup


def restore(file: Path, *, state: Path, aside: str) -> Backup:
    """Bring journal and evidence of a backup into a state folder that nobody uses; settings are left to people.

    What is there already is kept: a journal as `feltside.sqlite<aside>`. Everything is unpacked and checked
    before the journal changes its place in one step. Raises BadSource, NewerJournal, JournalDamaged, and then
    nothing has changed.
    """
    with _opened(file) as zipped, tempfile.TemporaryDirectory(dir=state, prefix=".restore-") as name:
        backup, folder = _head(zipped, file), Path(name)
        for part in backup.files:
            _unpack(zipped, part, backup.files[part], folder, file)
        new = folder / JOURNAL
        if new.exists():
            check(new)
        for path in _owned(folder, state):
            sync(path)
        _place_evidence(folder / EVIDENCE, state / EVIDENCE)
        for name in KNOWN:
            if (folder / name).exists():
                (folder / name).replace(state / name)
        if new.exists():
            _place_journal(new, state / JOURNAL, aside)
    return backup


def _unpack(zipped: zipfile.ZipFile, part: str, digest: str, folder: Path, file: Path) -> None:
    target = folder / part
    target.parent.mkdir(exist_ok=True)
    try:
        with zipped.open(part) as packed, target.open("wb") as out:
            shutil.copyfileobj(packed, out, _CHUNK)
    except (KeyError, zipfile.BadZipFile, EOFError):
        raise BadSource(f"{file} is damaged, at {part}; nothing was changed") from None
    if _digest(target) != digest:
        raise BadSource(f"{file} is damaged, at {part} (its checksum differs); nothing was changed")


def _owned(folder: Path, state: Path) -> Iterator[Path]:
    """Yield every file, given to the owner of the state folder (root restores for the table's user)."""
    owner = state.stat()
    for path in sorted(folder.rglob("*")):
        path.chmod(0o750 if path.is_dir() else 0o640)
        if os.geteuid() == 0:
            os.chown(path, owner.st_uid, owner.st_gid)
        if path.is_file():
            yield path


def _place_evidence(folder: Path, to: Path) -> None:
    if not folder.is_dir():
        return
    if not to.exists():
        folder.rename(to)
        sync(to.parent)
        return
    for path in folder.iterdir():
        path.replace(to / path.name)
    sync(to)


def _place_journal(new: Path, journal: Path, aside: str) -> None:
    """Put the new journal in the old one's place: at any moment there is one whole journal under its name."""
    log, note = journal.with_name(journal.name + "-wal"), last_file(journal)
    if journal.exists():
        try:
            check(journal)
            with closing(sqlite3.connect(journal)) as db:
                # The old log must go into the old file: SQLite would play it into the new one.
                db.execute("PRAGMA journal_mode = DELETE")
            os.link(journal, journal.with_name(journal.name + aside))
        except (JournalDamaged, sqlite3.Error):
            journal.rename(journal.with_name(journal.name + aside))
            if log.exists():
                log.rename(log.with_name(journal.name + aside + "-wal"))
    for left in (note, log, journal.with_name(journal.name + "-shm")):
        left.unlink(missing_ok=True)
    sync(journal.parent)
    new.replace(journal)
    sync(journal.parent)


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
