"""A bundle for a bug report: one zip of plain text to be read before it is sent, with nothing secret in it.

In it: what the doctor says, the settings without the PIN, the last log lines, what the table says of itself, and of
each match how many events of which kind. Not in it: predictions, players' names, secrets, PINs, pictures, backups.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from pi.errors import BadSource, FeltsideError, TableAway
from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.rules.events import encode
from pi.settings import Settings

UNITS = ("feltside-table", "feltside-web", "feltside-web.socket")
LOG_LINES = 2000
_SECRET = re.compile(r"^(\s*)(pin|password|token|secret)(\s*=\s*).*$", re.IGNORECASE | re.MULTILINE)
README = """This bundle was made by `feltside doctor --bundle` for a bug report. Everything in it is text: read it
before you send it. Predictions, players' names, PINs and pictures were left out.
"""
Run = Callable[[list[str]], str]


def ran(command: list[str]) -> str:
    """Return what a command says (both streams), or why it could not be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, errors="replace", check=False)
    except (OSError, subprocess.TimeoutExpired) as no:
        return f"{' '.join(command)}: {no}\n"
    return done.stdout + done.stderr


def write(file: Path, settings: Settings, *, report: Iterable[str], run: Run = ran) -> list[str]:
    """Write the bundle and return the names in it. report: the doctor's lines. Raises BadSource when it cannot."""
    parts = {
        "README.txt": README,
        "doctor.txt": "\n".join(report) + "\n",
        "settings.toml": _settings(settings),
        "status.json": _status(settings),
        "matches.txt": _matches(settings),
        "services.txt": run(["systemctl", "status", "--no-pager", "--lines=0", *UNITS]),
        "log.txt": run(["journalctl", "--no-pager", f"--lines={LOG_LINES}", *(f"--unit={unit}" for unit in UNITS)]),
        "folder.txt": _folder(settings.state),
    }
    hidden = _names(settings)
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, text in parts.items():
                zipped.writestr(name, _without(text, hidden))
    except OSError as no:
        raise BadSource(f"the bundle cannot be written: {no.strerror or no}, at {file}") from None
    return list(parts)


def _settings(settings: Settings) -> str:
    if settings.file is None:
        return "# the defaults\n"
    return _SECRET.sub(r'\1\2\3"(left out)"', settings.file.read_text(errors="replace"))


def _status(settings: Settings) -> str:
    client = TableClient(settings.socket, timeout_s=2.0)
    try:
        with closing(client.subscribe(silence_s=2.0)) as lines:  # type: ignore[type-var]
            line: Mapping[str, Any] = next(lines)
    except TableAway as no:
        return json.dumps({"table": str(no)}) + "\n"
    return json.dumps(line, indent=1) + "\n"


def _matches(settings: Settings) -> str:
    """Return each match as counts of its kinds of events: nothing in it depends on what anybody chose."""
    reader, lines = JournalReader(settings.journal), []
    try:
        for started in reader.matches():
            kinds = Counter(encode(record.event)[0] for record in reader.events(started.match))
            lines.append(f"{started.match} {started.utc}: {dict(sorted(kinds.items()))}")
    except (FeltsideError, OSError) as no:
        lines.append(str(no))
    return "\n".join(lines) + "\n"


def _folder(state: Path) -> str:
    if not os.access(state, os.R_OK | os.X_OK):
        return "there is none, or this user may not look into it\n"
    sizes = [f"{p.stat().st_size:12} {p.name}" for p in sorted(state.iterdir()) if p.is_file()]
    evidence = list((state / "evidence").glob("*"))
    return "\n".join([*sizes, f"{sum(p.stat().st_size for p in evidence):12} evidence ({len(evidence)} files)"]) + "\n"


def _names(settings: Settings) -> set[str]:
    """Return every player's name on record: none of them leaves."""
    reader, names = JournalReader(settings.journal), set[str]()
    try:
        for started in reader.matches():
            for record in reader.events(started.match):
                names.update(str(player.name) for player in getattr(record.event, "players", ()))
                if "name" in getattr(record.event, "__dataclass_fields__", {}):
                    names.add(str(record.event.name))
    except (FeltsideError, OSError):
        return names  # the report tells of the damage
    return {name for name in names if name}


def _without(text: str, hidden: Iterable[str]) -> str:
    for name in sorted(hidden, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(player)", text)
    return text
