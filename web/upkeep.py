"""The upkeep page: update, backup and doctor for those who know the PIN. The web itself can do none of it.

It leaves a word for the steward (`pi.upkeep`) and shows how that goes. A backup is the exception: the web may read
everything that belongs in one, and sends it as a file.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from flask import Response, abort, redirect, render_template, send_file
from flask.typing import ResponseReturnValue as Answer

from pi import archive
from pi.clock import utc_text
from pi.errors import FeltsideError, MatchRunning
from pi.settings import Settings
from pi.upkeep import BUNDLE, INSTALLED, KEPT, STEWARD, Result, State, Task, ask, check_idle, installed, told
from web.health import signs
from web.present import SPECTATOR, present
from web.room import Room
from web.speech import say

LONGEST_PART = 400_000
"""Characters of a part of the bundle that the page shows; the file holds all of it."""
CHUNK = 1 << 16


@dataclass(slots=True)
class Steward:
    """How to reach who does the work: the installed one by a file, else a process of our own (the demo)."""

    requests: Path
    """Folder where we leave a word."""
    settings: Settings
    installed: Path = STEWARD
    """Where the installed steward answers."""
    prefix: Path = INSTALLED
    """Where the releases are, and how the last update went."""
    start: Callable[[list[str]], object] = subprocess.Popen
    _ours: object = field(default=None)

    @property
    def here(self) -> bool:
        """Whether this is an installed table, which can be brought up to date."""
        return self.installed.is_dir()

    @property
    def results(self) -> Path:
        """Folder of the answers."""
        return self.installed if self.here else self.requests

    def ask(self, task: Task) -> None:
        """Ask for something; raises BadSource when the word cannot be left."""
        ask(self.requests, task)
        if not self.here:
            config = ["--config", str(self.settings.file)] if self.settings.file else []
            command = [sys.executable, "-m", "pi.doors.steward", str(self.requests), str(self.requests), *config]
            self._ours = self.start(command)

    def told(self) -> Result | None:
        """Return how the last task went, or goes."""
        return told(self.results)

    def last_update(self) -> Result | None:
        """Return how the last update went, by button or by command, however long ago; None when there was none."""
        ours = self.told()
        if ours and ours.task is Task.UPDATE and ours.state is State.RUNNING:
            return ours
        kept = told(self.prefix / KEPT) if self.here else None
        return max((r for r in (ours, kept) if r and r.task is Task.UPDATE), key=lambda r: r.utc, default=None)

    def bundle(self) -> Path | None:
        """Return the doctor's last bundle; None when there is none."""
        path = self.results / BUNDLE
        return path if path.is_file() else None


def register(room: Room, settings: Settings) -> None:
    """Hook the routes into the room's app."""
    pages = _Upkeep(room, settings)
    add = room.app.add_url_rule
    add("/upkeep", endpoint="upkeep", view_func=pages.page, methods=["GET"])
    add("/doctor", endpoint="doctor", view_func=pages.doctor, methods=["GET"])
    add("/doctor/bundle.zip", endpoint="bundle", view_func=pages.bundle, methods=["GET"])
    add("/upkeep/update", endpoint="update", view_func=pages.update, methods=["POST"])
    add("/upkeep/doctor", endpoint="look_over", view_func=pages.look_over, methods=["POST"])
    add("/upkeep/backup", endpoint="back_up", view_func=pages.back_up, methods=["POST"])


class _Upkeep:
    def __init__(self, room: Room, settings: Settings) -> None:
        self._room, self._settings = room, settings
        self._steward = Steward(settings.web_folder, settings)

    def page(self) -> str:
        """Return the page with the buttons and how the last task went."""
        self._only_table()
        last, update = self._steward.told(), self._steward.last_update()
        return render_template(
            "upkeep.html",
            csrf=self._room.access.csrf(),
            installed=self._steward.here,
            version=archive.our_version(),
            commit=(installed(self._steward.prefix) or "")[:12] if self._steward.here else "",
            last=update,
            ago=_days_since(update.utc) if update else None,
            running=last is not None and last.state is State.RUNNING,
            playing=self._playing(),
            secrets=self._secrets(),
            signs=self._signs(),
        )

    def doctor(self) -> str:
        """Return what the doctor said last, and all that its bundle holds, to be read before it is sent."""
        self._only_table()
        last = self._steward.told()
        return render_template(
            "doctor.html",
            csrf=self._room.access.csrf(),
            last=last if last and last.task is Task.DOCTOR else None,
            running=last is not None and last.state is State.RUNNING,
            findings=[_finding(line) for line in last.lines] if last and last.task is Task.DOCTOR else [],
            parts_of=list(_parts(self._steward.bundle())),
            signs=self._signs(),
        )

    def update(self) -> Answer:
        """Ask for the newest version; refused while a match is played."""
        self._only_table()
        if not self._steward.here:
            abort(409, say("Only an installed table can be brought up to date from here."))
        if problem := self._playing():
            abort(409, problem)
        return self._asked(Task.UPDATE, "/upkeep")

    def look_over(self) -> Answer:
        """Ask for the doctor."""
        self._only_table()
        return self._asked(Task.DOCTOR, "/doctor")

    def back_up(self) -> Answer:
        """Send every match, its pictures and the settings as one file; refused while a match is played."""
        self._only_table()
        if problem := self._secrets():
            abort(409, problem)
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.feltside"
        # Where the web may write at all; the file has no name any more by the time it is sent.
        with tempfile.TemporaryDirectory(dir=self._settings.web_folder, prefix=".backup-") as folder:
            file = Path(folder) / name
            try:
                archive.write(
                    file,
                    journal=self._settings.journal,
                    evidence=self._settings.evidence,
                    settings=self._settings.file,
                    made=utc_text(),
                )
            except FeltsideError as no:
                abort(503, f"{no}.")
            size, opened = file.stat().st_size, file.open("rb")
        answer = Response(_chunks(opened), mimetype="application/zip")
        answer.call_on_close(opened.close)
        answer.content_length = size
        answer.headers.set("Content-Disposition", "attachment", filename=f"feltside-{name}")
        return answer

    def bundle(self) -> Answer:
        """Return the doctor's bundle."""
        self._only_table()
        path = self._steward.bundle() or abort(404, say("The doctor has not looked yet."))
        return send_file(path.absolute(), mimetype="application/zip", as_attachment=True, download_name=BUNDLE)

    def _asked(self, task: Task, back: str) -> Answer:
        last = self._steward.told()
        if last and last.state is State.RUNNING:
            abort(409, say("Something is being done already: wait for its end."))
        try:
            self._steward.ask(task)
        except FeltsideError as no:
            abort(503, f"{no}.")
        return redirect(back, code=303)

    def _playing(self) -> str | None:
        """Return why nothing may be disturbed now; None when it may."""
        try:
            check_idle(self._settings.journal, now=datetime.now(UTC))
        except MatchRunning:
            return say("A match is being played: end it first.")
        except FeltsideError as no:
            return f"{no}."
        return None

    def _secrets(self) -> str | None:
        """Return why no backup may leave: an unfinished match holds predictions, however long it has been lying."""
        match = self._room.desk.look().match
        if match.started and not match.outcome().over:
            return say("A match is being played: end it first.")
        return self._playing()

    def _signs(self) -> object:
        sight = self._room.desk.look()
        status = present(sight.match, SPECTATOR, status=sight.status)["status"]
        return signs(status, state=self._room.state, alone=self._room.alone)

    def _only_table(self) -> None:
        if not self._room.access.may_act():
            abort(403, say("Only the table may do that: enter its PIN on the table page."))


def _days_since(utc: str) -> int | None:
    """Return how many days ago a moment was; None for what is no moment, or lies ahead by a wrong clock."""
    try:
        days = (datetime.now(UTC) - datetime.fromisoformat(utc.replace("Z", "+00:00"))).days
    except (ValueError, TypeError):
        return None
    return days if days >= 0 else None


def _finding(line: str) -> dict[str, str]:
    state, _, rest = line.partition("  ")
    what, _, words = rest.strip().partition(": ")
    return {"state": state.strip(), "what": what, "words": words}


def _parts(bundle: Path | None) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of everything in a bundle."""
    if bundle is None:
        return
    try:
        with zipfile.ZipFile(bundle) as zipped:
            for name in zipped.namelist():
                yield name, zipped.read(name).decode(errors="replace")[:LONGEST_PART]
    except (OSError, zipfile.BadZipFile):
        return  # a new one is being written at this moment


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
