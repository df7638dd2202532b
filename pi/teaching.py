"""Teaching at the running table: what the tablet or the command line asks for, carried out between two frames.

Pages and commands put a wish into the table's status ("teach"); the watcher, which has the camera, carries it out
once and says in "taught" what came of it. Learning itself runs in a process of its own (`pi.lesson`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import cv2

from pi.durable import write_json
from pi.errors import FeltsideError
from pi.frames import Frame
from pi.lesson import DRAFT, MOST_PICTURES, PLAN, RESULT, Planned, forget_doubted, picture_path, read_plan
from pi.own_set_file import OwnSetFile
from vision.errors import BadOwnSet
from vision.own_set import OwnSet
from vision.tray.rectify import Tray

OPEN_ROUND = "A round is open: teach between rounds."
STEPS = ("begin", "take", "insist", "again", "use", "forget", "recall", "stop")
"""What may be wished for: to see what the eye thinks while tiles are laid, a picture and learning from it, to learn
from one that was doubted as was said, to begin anew, to put the result in force, to go back to the shipped models, to
take that back, to leave the lesson."""


class Process(Protocol):
    """What is needed of `subprocess.Popen`."""

    def poll(self) -> int | None:
        """Return the exit status; None while it runs."""

    def kill(self) -> None:
        """End it."""

    def wait(self) -> int:
        """Return the exit status, once it has one."""


Start = Callable[[Sequence[str]], Process]
"""Arguments for `python -m pi.lesson` in, the running process out."""


def recalled(file: OwnSetFile) -> str:
    """Return what to say once an earlier set is back."""
    others = len(file.aside())
    return "The earlier set is back." + (" The others are kept: again brings back the next." if others else "")


@dataclass(slots=True)
class Teaching:
    """The lesson that is being held, and the set in force. `step` takes one frame."""

    state: Path
    start: Start
    now: Callable[[], datetime]
    owner: OwnSet | None = None
    """The set in force, as the eye reads with it."""
    trouble: str = ""
    """Why a set that is there is not in force; empty where nothing is wrong."""
    words: str = ""
    """What became of the last wish."""
    _done: str | None = None
    """The last wish that was seen; None before the first frame: a wish from before our time is not ours."""
    _process: Process | None = None
    _mark: tuple[int, int] | None = None
    _looked: bool = False
    _result: dict[str, Any] = field(default_factory=dict)
    _asked: str = ""
    """The wish that `_result` answers, so that nobody insists on a picture they have not seen refused."""

    @property
    def folder(self) -> Path:
        """Where the lesson's pictures lie."""
        return self.state / "teach"

    @property
    def file(self) -> OwnSetFile:
        """Where the set lies."""
        return OwnSetFile(self.state)

    def refresh(self) -> bool:
        """Take up the set that lies in the state folder; tell whether it is another than before.

        A damaged one is said, and the shipped models are used.
        """
        mark = self.file.mark()
        if self._looked and mark == self._mark:
            return False
        if not self._looked:
            self.end()  # what an earlier process left half done
        self._looked, self._mark = True, mark
        try:
            self.owner, self.trouble = self.file.load(), ""
        except BadOwnSet as no:
            self.owner, self.trouble = None, f"The taught set is not used: {no}."
        # Fitting to new nets has written the file anew.
        self._mark = self.file.mark()
        return True

    def step(self, frame: Frame, wish: Mapping[str, Any], *, open_round: bool, tray: Tray | None = None) -> None:
        """Carry out a new wish, and see how far the lesson's process is.

        tray: where it lies, if people had to show that; None: a lesson's pictures show it.
        """
        self._look_after()
        number = str(wish.get("id") or "")
        if self._done is None and number:
            self.words = "The camera has only just started: ask again."
        if self._done is None or number == self._done:
            self._done = number
            return
        self._done = number
        what = wish.get("do")
        if what not in STEPS:
            self.words = "That is nothing that can be taught."
            return
        if open_round:
            self.words = OPEN_ROUND
            return
        self.words = ""
        try:
            self._carry_out(str(what), wish, frame, tray)
        except (FeltsideError, BadOwnSet) as no:
            self.words = f"{str(no)[:1].upper()}{str(no)[1:]}."
        except OSError as no:
            self.words = f"The card takes nothing ({no.strerror or no}): nothing has changed."

    def _carry_out(self, what: str, wish: Mapping[str, Any], frame: Frame, tray: Tray | None) -> None:
        if what == "begin":
            self.end()
            self._result = {"state": "begun"}
        elif what == "take":
            self._take(wish, frame, tray)
        elif what == "insist":
            self._insist(wish)
        elif what in ("again", "stop"):
            self.end()
        elif what == "use":
            self._use()
        elif what == "forget":
            self.file.forget()
            self.words = (
                "The taught set is forgotten; the shipped models read again. It is kept: one tap brings it back."
            )
        else:
            self.file.recall()
            self.words = recalled(self.file)

    def _take(self, wish: Mapping[str, Any], frame: Frame, tray: Tray | None) -> None:
        if self._process is not None:
            self.words = "The last picture is still being learnt from."
            return
        planned = Planned.of({**wish, "tray": tray.corners if tray is not None else None, "as_said": False})
        if planned is None:
            self.words = "It is not clear what lies there (expected a layout and the rows' colours)."
            return
        plan = read_plan(self.folder)
        # A picture that was refused is taken again in its own place.
        if plan and self._result.get("state") in ("refused", "wrong"):
            plan = plan[:-1]
        if len(plan) >= MOST_PICTURES:
            self.words = f"A lesson has at most {MOST_PICTURES} pictures."
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        good, data = cv2.imencode(".jpg", frame.picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
        if not good:
            raise OSError("a picture could not be written as JPEG")
        picture_path(self.folder, len(plan) + 1).write_bytes(data.tobytes())
        self._learn([*plan, planned])

    def _insist(self, wish: Mapping[str, Any]) -> None:
        """Learn from the pictures that were refused, those that were only doubted as their owner said."""
        doubted = self._doubted
        if not doubted or wish.get("of") != self._asked:
            self.words = "There is no doubt here to be set aside: take the picture again."
            return
        plan = read_plan(self.folder)
        self._learn([replace(p, as_said=p.as_said or k in doubted) for k, p in enumerate(plan, start=1)])

    def _learn(self, plan: Sequence[Planned]) -> None:
        """Let a process of its own learn from the pictures that lie in the folder."""
        write_json(self.folder / PLAN, [p.as_json() for p in plan])
        forget_doubted(self.folder)
        self._asked = self._done or ""
        self._result = {"state": "learning", "progress": 0.0, "words": []}
        write_json(self.folder / RESULT, self._result)
        made = f"{self.now():%Y-%m-%d}"
        self._process = self.start([str(self.folder), "--state", str(self.state), "--made", made])

    def _look_after(self) -> None:
        """Take in what the lesson's process says, and its end."""
        if self._process is None:
            return
        ended = self._process.poll()
        try:
            found = json.loads((self.folder / RESULT).read_text("utf-8"))
        except (OSError, ValueError):
            found = {}
        if isinstance(found, dict) and found:
            self._result = found
        if ended is None:
            return
        self._process = None
        if self._result.get("state") == "learning":
            self._result = {"state": "refused", "words": ["Learning broke off; take the picture again."]}

    def _use(self) -> None:
        if not (self._result.get("state") == "ready" and self._draft.is_file()) and not self._earlier:
            self.words = "There is nothing yet that could be used."
            return
        before = self.file.path.is_file()
        self.file.put_in_force(self._draft.read_bytes())
        self.end()
        self.words = "The taught set is in force."
        if before:
            self.words += " The set before is kept: one tap brings it back."

    @property
    def _draft(self) -> Path:
        return self.folder / DRAFT

    @property
    def _doubted(self) -> list[int]:
        """The pictures, from 1, whose owner may insist on them: nothing else speaks against the lesson."""
        found = self._result.get("doubted")
        return found if self._result.get("state") == "refused" and isinstance(found, list) else []

    @property
    def _earlier(self) -> bool:
        """Whether the last picture teaches nothing, but those before it did."""
        return self._result.get("state") in ("refused", "wrong") and self._draft.is_file()

    def end(self) -> None:
        """Leave the lesson: its pictures go, a running process too."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._result = {}
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def looking(self) -> bool:
        """Tell whether a lesson is being laid: the live picture then shows what the eye thinks."""
        return bool(self._result) and self._process is None

    def said(self) -> str:
        """Return what set the eye reads with, in a sentence; empty for the shipped models alone."""
        return self.trouble or (f"Taught set of {self.owner.made} in force." if self.owner else "")

    def status(self) -> dict[str, Any]:
        """Return how teaching stands, for pages: public and short."""
        earlier, asked = {"earlier": True} if self._earlier else {}, {"of": self._asked} if self._doubted else {}
        return {
            "set": self.owner.made if self.owner else "",
            "doubts": list(self.owner.doubts) if self.owner else [],
            "trouble": self.trouble,
            "aside": bool(self.file.aside()),
            "words": self.words,
            "lesson": {**self._result, **earlier, **asked},
            "done": self._done or "",
        }
