"""What the watcher does with each frame: look, wait until it is settled, keep the evidence, hand it in.

No camera, process, thread or socket in here: all of that is handed in (`pi.watcher` puts it together).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pi.camera import Cue, Frame, Picture
from pi.evidence import frame_name, keep, keep_live
from pi.thin import make_room
from pi.translate import handed_in
from vision.glance import Glance, glance, unchanged
from vision.layout import Expectation
from vision.reading import Reading, Status
from vision.settle import Settler

LOG = logging.getLogger("feltside.watcher")
LIVE_EVERY_NS = 500_000_000
STATUS_EVERY_NS = 1_000_000_000
LOOKS: Mapping[Status, int] = {Status.UNSURE: 12, Status.READ: 4}
LOOKS_ELSE = 3
"""Looks at a still tray, by what they said; what so many did not tell, more will not."""

Look = Callable[[Picture, Expectation], Reading]
"""Picture and what to expect in, reading out."""
Send = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A request to the table in, its answer out; raises TableAway."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the table wants of the eye, from a line of its subscription."""

    cue: Cue = Cue()
    read: bool = False
    """The open round has a reading already."""
    seq: int = 0

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Wish:
        """Return the wish that a subscription's line carries; fields it lacks are as at the start."""
        number, expects = line.get("round"), line.get("expects")
        cue = Cue(
            match=str(line.get("match") or ""),
            round=number if isinstance(number, int) else None,
            expects=expects if isinstance(expects, str) else None,
        )
        return cls(cue, bool(line.get("read")), int(line.get("seq") or 0))


@dataclass(slots=True)
class Watching:
    """The loop's body and its memory. `step` takes one frame and one wish."""

    look: Look
    send: Send
    evidence_folder: Path
    live: Path
    now: Callable[[], datetime]
    """The date in UTC, for names that people read."""
    monotonic_ns: Callable[[], int]
    wish: Wish = Wish()
    settler: Settler | None = None
    reading: Reading | None = None
    """The latest look; None while the eye rests."""
    looks: int = 0
    """Looks since the tray last changed."""
    said: dict[str, Any] = field(default_factory=dict)
    """The status as last told."""
    words: str = ""
    """What the table answered to the last reading handed in."""
    unkept: str = ""
    """Why the last picture could not be kept; empty while they can."""
    _glance: Glance | None = None
    _live_ns: int | None = None
    _said_ns: int | None = None
    _missed: int = 0
    _number: int = -1

    def step(self, frame: Frame, wish: Wish) -> None:
        """Take one frame; `wish` is what the table wants now."""
        self._count(frame)
        self._show_live(frame)
        self._turn_to(wish)
        if self.settler is not None:
            self._watch(frame, self.settler)
        self._tell()

    def _count(self, frame: Frame) -> None:
        if self._number >= 0:
            self._missed += frame.number - self._number - 1
        self._number = frame.number

    def _show_live(self, frame: Frame) -> None:
        now_ns = self.monotonic_ns()
        if self._live_ns is None or now_ns - self._live_ns >= LIVE_EVERY_NS:
            self._live_ns = now_ns
            self._try(lambda: keep_live(self.live, frame.picture_bgr))

    def _turn_to(self, wish: Wish) -> None:
        """Begin anew for a new round, and when the table wants the same round read again."""
        asked_again = self.wish.read and not wish.read
        if wish.cue == self.wish.cue and not asked_again:
            self.wish = wish
            return
        self.wish, self.words = wish, ""
        self.settler = _settler(wish.cue.expects)
        self._forget()

    def _forget(self) -> None:
        self.reading, self._glance, self.looks = None, None, 0

    def _watch(self, frame: Frame, settler: Settler) -> None:
        now = glance(frame.picture_bgr)
        still = self._glance is not None and unchanged(self._glance, now)
        if still and self._seen_enough():
            self.settler, settled = settler.again(at_ns=frame.at_ns)
        else:
            # Compared with the frame that was looked at, not the one before: slow changes add up.
            self._glance, self.looks = now, self.looks + 1 if still else 1
            self.reading = self.look(frame.picture_bgr, settler.expect)
            self.settler, settled = settler.step(self.reading, at_ns=frame.at_ns)
        if settled is not None:
            self._hand_in(frame, settled)

    def _seen_enough(self) -> bool:
        """Tell whether another look at the same picture would tell nothing new."""
        reading = self.reading
        return reading is not None and self.looks >= LOOKS.get(reading.status, LOOKS_ELSE)

    def _hand_in(self, frame: Frame, settled: Reading) -> None:
        if not worth_telling(settled):
            return
        name = frame_name(frame, now=self.now())
        make_room(self.evidence_folder)
        self._try(lambda: keep(self.evidence_folder, frame, settled, name=name))
        answer = self.send(handed_in(settled, frame=name))
        self.words = str(answer.get("sentence") or answer.get("error") or "")
        if "error" in answer:
            LOG.error("the table could not take a reading: %s", answer["error"])

    def _try(self, write: Callable[[], None]) -> None:
        """Write pictures; a card that takes none costs the picture, not the reading, and is named."""
        try:
            write()
        except OSError as no:
            if not self.unkept:
                LOG.error("a picture could not be kept: %s", no.strerror or no)
            self.unkept = no.strerror or str(no)
        else:
            self.unkept = ""

    def _tell(self) -> None:
        """Tell the table how camera and eye are: when that changed, and as a sign of life."""
        status = {"camera": self._camera_status(), "eye": self._eye_status()}
        now_ns = self.monotonic_ns()
        due = self._said_ns is None or now_ns - self._said_ns >= STATUS_EVERY_NS
        if due or status != self.said:
            self.said, self._said_ns = status, now_ns
            self.send({"status": status})

    def _camera_status(self) -> dict[str, Any]:
        words = "The camera sees the tray."
        if self._missed:
            words = f"The camera works, but has dropped {self._missed} frames."
        if self.unkept:
            words = f"The camera works, but its pictures cannot be kept ({self.unkept})."
        return {"state": "ok", "words": words, "dropped": self._missed}

    def _eye_status(self) -> dict[str, Any]:
        if self.settler is None or self.reading is None:
            return {"status": "resting", "problems": [], "tiles": 0, "unsure": 0, "down": 0, "words": ""}
        # Of a scene that lies still the frames together tell more than the last one.
        reading = self.settler.fused() if self.settler.scene is not None else self.reading
        tiles = reading.tiles
        return {
            "status": reading.status.value,
            "problems": reading.problems.words(),
            "tiles": len(tiles),
            "unsure": sum(not tile.sure for tile in tiles),
            "down": sum(tile.symbol == "down" for tile in tiles),
            "words": self.words,
        }


def worth_telling(reading: Reading) -> bool:
    """Tell whether a settled reading is a claim about a laid tray.

    An empty tray is none, and one that still lies face down for the most part says only that the players
    are not ready; both are told as status.
    """
    if reading.status in (Status.READ, Status.UNSURE) and reading.expected == "dice":
        return bool(reading.dice)
    if reading.status not in (Status.READ, Status.UNSURE) or not reading.tiles:
        return False
    return 2 * sum(tile.symbol == "down" for tile in reading.tiles) < len(reading.tiles)


def _settler(expects: str | None) -> Settler | None:
    return None if expects is None else Settler(Expectation.parse(expects))
