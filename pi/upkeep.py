"""What the pages ask of the one who may: a word in a file, an answer in another, and nothing in between.

The web may change nothing but its own folder. To have the table brought up to date or looked over it leaves one of a
few known words there (`request`); systemd sees the file and starts the steward (`pi.doors.steward`), which takes the
word away, does that one thing and writes how it goes (`result.json`, and the doctor's bundle beside it) into a folder
the web can only read. No command, path or option ever crosses.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path

from pi.errors import BadSource, MatchRunning
from pi.journal import JournalReader
from pi.rules.match import replay

REQUEST, RESULT, BUNDLE = "request", "result.json", "bundle.zip"
STEWARD = Path("/run/feltside-upkeep")
"""Where the installed steward answers; there is none where this folder is not."""
INSTALLED = Path("/opt/feltside")
"""Where the installer keeps the releases."""
KEPT = "told"
"""The folder there with how the last update went, by whomever: the steward's own answers are gone after a boot."""
LONGEST = 64
LONGEST_RESULT = 64 * 1024
ASLEEP = timedelta(hours=6)
"""A match in which nothing has happened for this long was left lying; it goes on after an update all the same."""


class Task(Enum):
    """What can be asked for."""

    UPDATE = "update"
    DOCTOR = "doctor"


class State(Enum):
    """How it goes."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Result:
    """How the last task went, or goes."""

    task: Task
    state: State
    words: str
    """In one sentence."""
    utc: str
    """When that was, ISO 8601."""
    lines: tuple[str, ...] = ()
    """What was said on the way; for the doctor: the findings, a line each."""


def ask(folder: Path, task: Task) -> None:
    """Leave a request; one that lies there already is replaced. Raises BadSource when it cannot be written."""
    fresh = folder / f".{REQUEST}"
    try:
        fresh.write_text(task.value)
        fresh.replace(folder / REQUEST)
    except OSError as no:
        raise BadSource(f"the request cannot be left: {no.strerror}, at {folder}") from None


def taken(folder: Path) -> Task | None:
    """Take the request away and return it; None for none, or for anything that is not one of the known words.

    The folder belongs to somebody who may be up to no good: no link is followed, nothing but a small file is read.
    """
    path = folder / REQUEST
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        _away(path)
        return None
    try:
        text = os.read(handle, LONGEST) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    finally:
        os.close(handle)
        _away(path)
    with suppress(ValueError):
        return Task(text.decode("ascii", "replace").strip())
    return None


def _away(path: Path) -> None:
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink()


def tell(folder: Path, result: Result) -> None:
    """Write how it goes; who reads sees the old or the new one, whole."""
    told = asdict(result) | {"task": result.task.value, "state": result.state.value}
    fresh = folder / f".{RESULT}"
    fresh.write_text(json.dumps(told))
    fresh.chmod(0o640)
    fresh.replace(folder / RESULT)


def told(folder: Path) -> Result | None:
    """Return how the last task went; None when there was none."""
    try:
        raw = json.loads((folder / RESULT).read_bytes()[:LONGEST_RESULT])
        lines = tuple(str(line) for line in raw["lines"])
        return Result(Task(raw["task"]), State(raw["state"]), str(raw["words"]), str(raw["utc"]), lines)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember(prefix: Path, result: Result) -> None:
    """Keep how an update went for everybody to read, through every boot."""
    folder = prefix / KEPT
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    tell(folder, result)
    (folder / RESULT).chmod(0o644)


def installed(prefix: Path = INSTALLED) -> str | None:
    """Return the commit of the release at work; None when it is not known."""
    try:
        return (prefix / "current" / "COMMIT").read_text().strip() or None
    except OSError:
        return None


def check_idle(journal: Path, *, now: datetime) -> None:
    """Raise MatchRunning while a match is being played. now: in UTC."""
    reader = JournalReader(journal)
    newest = reader.latest()
    records = reader.events(newest) if newest else []
    if not records or replay(record.event for record in records).outcome().over:
        return
    # A clock that was set back would make a running match look as if it lay ahead: that counts as now.
    if now - datetime.fromisoformat(records[-1].utc.replace("Z", "+00:00")) < ASLEEP:
        raise MatchRunning(f"match {newest} is being played (expected none); end it first, or use --force")
