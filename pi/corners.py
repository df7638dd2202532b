"""The tray's corners as people showed them on a page: taken between two frames, kept for the next start.

The last resort where neither markers nor the felt's edge tell where the tray lies. Pages put a wish into the table's
status ("corners"); the watcher, which has the camera, keeps them with what lies around them in that very frame.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi.durable import sync, write_json
from pi.frames import Frame
from vision.errors import BadCorners, TurnedCorners
from vision.tray.landmarks import Landmarks

FILE = "corners.json"
SPAN_NONE = "corners-wrong"
TURNED = "corners-turned"
UNKEPT = "corners-unkept"
TOLD_NS = 30_000_000_000
"""For how long it is told that corners span no tray, or one that is turned."""


@dataclass(slots=True)
class Corners:
    """The corners in force, and how the last wish went."""

    state: Path
    landmarks: Landmarks | None = None
    """The corners that were shown, with what lies around them; None: markers or the felt's edge tell."""
    notice: str = ""
    """What people should know of the last wish: SPAN_NONE, TURNED, UNKEPT or nothing."""
    _done: str = ""
    """The last wish that was carried out, by this watcher or the one before."""
    _noticed_ns: int = 0

    @property
    def path(self) -> Path:
        """Where they are kept."""
        return self.state / FILE

    def load(self) -> Landmarks | None:
        """Take up the corners that are kept; without any, or with a damaged file, None."""
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            self.landmarks = Landmarks.from_json(kept)
            self._done = str(kept.get("wish", ""))
        except (OSError, ValueError):  # BadCorners is one: they are shown again
            self.landmarks = None
        return self.landmarks

    def told(self, at_ns: int) -> str:
        """Return what people should know of the last wish, at a time of the frames' clock: a refusal for a while."""
        late = self.notice in (SPAN_NONE, TURNED) and not 0 <= at_ns - self._noticed_ns < TOLD_NS
        return "" if late else self.notice

    def step(self, frame: Frame, wish: Mapping[str, Any] | None) -> bool:
        """Carry out a new wish; tell whether the corners in force are others now.

        wish: {"id", "do": "show" or "forget", "at": four (x, y), shares of the picture's width and height}; None while
        the table has not been heard.
        """
        if wish is None:
            return False
        number = str(wish.get("id") or "")
        if not number or number == self._done:
            return False
        self._done, self.notice, self._noticed_ns = number, "", frame.at_ns
        if wish.get("do") == "forget":
            return self._put(None)
        high, wide = frame.picture_bgr.shape[:2]
        try:
            corners = [(float(x) * wide - 0.5, float(y) * high - 0.5) for x, y in wish["at"]]
            return self._put(Landmarks.of(frame.picture_bgr, corners))
        except (BadCorners, KeyError, TypeError, ValueError) as no:
            self.notice = TURNED if isinstance(no, TurnedCorners) else SPAN_NONE
            return False

    def _put(self, landmarks: Landmarks | None) -> bool:
        """Let other corners count, and keep them; where the card takes nothing they count until the next start."""
        self.landmarks = landmarks
        try:
            if landmarks is None:
                self.path.unlink(missing_ok=True)
            else:
                write_json(self.path, {**landmarks.as_json(), "wish": self._done})
            sync(self.state)
        except OSError:
            self.notice = UNKEPT
        return True
