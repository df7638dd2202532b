"""Before the table is asked: a look at the still tray in a shorter exposure (bracketing).

A pip that blooms, a white tile beside a window: in the same exposure no number of frames tells more of them. The camera
lets in less light for about a second, its frames are read and settled as all frames are, and the usual light comes
back. Where a doubt stays even less is let in once. No camera in here: its `LightLock` is told, and says in what light
each frame was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pi.camera_light import LightLock
from pi.frames import Frame, Picture
from vision.frames.blend import Blend
from vision.frames.in_less_light import seen_of
from vision.layout import Expectation
from vision.mats.mat import Mat
from vision.reading import Problem, Reading, Status
from vision.settle import Settler
from vision.tray.glance import Glance, Part, stirred, unchanged

SAME_LIGHT = 0.05
"""Two frames whose brightness differs by less than this share were taken in the same light."""
MOST_FRAMES = 10
"""So many frames of less light that do not settle are enough: the table is asked."""

Look = Callable[[Picture, Expectation | Mat], Reading]


@dataclass(slots=True)
class Bracket:
    """One look at one still tray in less light."""

    lock: LightLock
    look: Look
    settler: Settler
    """Of the frames of less light alone."""
    reading: Reading | None = None
    """What settled of these; None before, and where nothing did."""
    frame: Frame | None = None
    """The latest of them; None before the first."""
    frames: int = 0
    ended: bool = False
    """Whether the usual light was asked for again."""
    disturbed: bool = False
    """Whether something moved meanwhile: then nobody knows that it is the same tray."""
    _blend: Blend = field(default_factory=Blend)
    _glance: Glance | None = None
    _before: Glance | None = None

    @classmethod
    def begin(cls, lock: LightLock, look: Look, expect: Expectation | Mat, small: Glance, *, share: float) -> Bracket:
        """Let in less light. lock: one that `can_dim`; look: reads a picture, expecting this; small: of this frame.

        share: of the light, over the usual, 0..1.
        """
        lock.dim(share)
        return cls(lock, look, Settler(expect), _before=small)

    @property
    def over(self) -> bool:
        """Whether the usual light is back."""
        return self.lock.light == 1.0

    @property
    def refused(self) -> bool:
        """Whether the camera did not do as it was told."""
        return self.over and self.frame is None and not self.ended

    def seen_of(self, usual: Reading, pictures: Sequence[Picture]) -> tuple[list[Reading], Frame | None]:
        """Return what was read in less light, and the frame that shows it; nothing and None where nothing was.

        usual: what was read in more light; pictures: in that, the lightest first, and its own `picture` at last.
        """
        if self.reading is None or self.frame is None:
            return [], None
        seen, shows = seen_of(self.reading, usual, pictures, self._look)
        return seen, replace(self.frame, picture_bgr=shows)

    @property
    def picture(self) -> Picture | None:
        """The mean of its frames; None without any."""
        return None if self.frame is None else self._blend.mean()

    def _look(self, picture_bgr: Picture) -> Reading:
        return self.look(picture_bgr, self.settler.expect)

    def end(self) -> None:
        """Let the usual light in again, whatever was seen."""
        self.ended = True
        self.lock.undim()

    def step(self, frame: Frame, small: Glance, *, part: Part | None = None) -> None:
        """Take a frame that was not taken in the usual light; those taken while it changes tell that nothing moves.

        part: where the tray lies in its glance; None for all of it.
        """
        if self._moves(small, part):
            self.disturbed = True
            self.end()
        if self.lock.light is None or self.over or self.disturbed:
            return
        still = self._glance is not None and unchanged(self._glance, small, part=part)
        self._blend.add(frame.picture_bgr, anew=not still)
        seen = self._look(frame.picture_bgr)
        self._glance, self.frame, self.frames = small, frame, self.frames + 1
        self.settler, self.reading = self.settler.step(
            seen, at_ns=frame.at_ns, still=still, mean=lambda: self._look(self._blend.mean())
        )
        self.disturbed = Problem.HAND in seen.problems
        if self.reading is not None or seen.status is Status.BUSY or self.frames >= MOST_FRAMES:
            self.end()

    def _moves(self, small: Glance, part: Part | None) -> bool:
        """Return whether something moved since the frame before, if that was taken in the same light."""
        before, self._before = self._before, small
        if before is None or before.small.shape != small.small.shape:
            return False
        was, now = (float(seen.small.mean()) for seen in (before, small))
        return abs(now - was) < SAME_LIGHT * max(was, 1.0) and stirred(before, small, part=part)
