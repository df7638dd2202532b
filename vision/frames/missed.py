"""Whether the pieces of a still scene are all that lie there, by all frames of it.

Noise hides a die of glass from one frame and shows it to the next. What some frames saw lying there unread, or as a
piece that the others do not see, is not forgotten because the last frame saw nothing of it; and what light hides, more
frames do not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from vision.reading import INCOMPLETE, Point, Problem, Reading, Status
from vision.unread import Outlines, each_once

SEEN_BY = 0.2
"""Share of the frames that must doubt it, so that all together do: one of the three that settle a scene, two of six. Of
1,182 traced trays three are asked about that would not be if only half of the frames counted: two of these were wrong,
with a die that was not noticed and a disk among dice. With 0.15 there is one more, which is right."""
MOST = 0.5
"""Share of the frames from which their doubt stands, whatever their mean shows."""
AROUND_PX = 10.0
"""Half of the square that is shown where a frame saw a piece whose outline it did not measure."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What one frame says may lie there beside its pieces; false where it says nothing."""

    problems: Problem = Problem.NONE
    """Of INCOMPLETE."""
    unread: Outlines = ()
    unseen: bool = False

    def __bool__(self) -> bool:
        """Return whether the frame doubts that its pieces are all."""
        return self.unseen or bool(self.problems)


def missed_of(reading: Reading, *, now: Reading | None = None) -> Missed:
    """Return what a frame's reading says of what may lie there beside its pieces.

    now: a later frame of the same still picture, which may not show all that were pieces to the first; None for the
    same frame.
    """
    problems = reading.problems & INCOMPLETE
    lost = () if now is None else _lost(reading, now)
    outlines = (*(reading.unread if problems else ()), *lost)
    return Missed(problems | (Problem.COUNT if lost else Problem.NONE), outlines, reading.unseen)


def _lost(before: Reading, now: Reading) -> Outlines:
    """Return the outlines of the pieces that are none any more."""
    there = [middle for middle, _ in _pieces(now)]
    return tuple(outline for middle, outline in _pieces(before) if not _any_near(middle, outline, there))


def seen_by_enough(few: int, frames: int, *, cleared: bool = False) -> bool:
    """Return whether so many of the frames are enough for what they doubt to be doubted by all together.

    cleared: the mean of all frames leaves no doubt, so that it takes most of them.
    """
    return few > 0 and few >= (MOST if cleared else SEEN_BY) * frames


def with_missed(reading: Reading, frames: Sequence[Missed], *, cleared: bool = False) -> Reading:
    """Return a scene's reading, unsure where enough of its frames doubt that its pieces are all.

    cleared: as of `seen_by_enough`.
    """
    doubting = [frame for frame in frames if frame]
    if not seen_by_enough(len(doubting), len(frames), cleared=cleared):
        return reading
    problems, unread = reading.problems, list(reading.unread)
    for frame in doubting:
        problems |= frame.problems
        unread += frame.unread
    status = Status.UNSURE if reading.status is Status.READ else reading.status
    unseen = any(frame.unseen for frame in doubting)
    return replace(reading, status=status, problems=problems, unread=each_once(unread), unseen=unseen)


def _pieces(reading: Reading) -> Iterator[tuple[Point, tuple[Point, ...]]]:
    """Yield the middle and the outline of every piece."""
    for tile in reading.tiles:
        yield tile.centre, tile.corners
    for die in reading.dice:
        yield die.centre, die.corners or _around(die.centre)
    for disk in reading.disks:
        yield disk.centre, _around(disk.centre)


def _around(middle: Point) -> tuple[Point, ...]:
    x, y = middle
    return tuple((x + AROUND_PX * a, y + AROUND_PX * b) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _any_near(middle: Point, outline: tuple[Point, ...], others: Sequence[Point]) -> bool:
    """Return whether another piece's middle lies nearer than half a side: then it is the same piece."""
    reach = 0.5 * float(np.linalg.norm(np.subtract(outline[1], outline[0])))
    return any(hypot(x - middle[0], y - middle[1]) < reach for x, y in others)


__all__ = ["Missed", "missed_of", "seen_by_enough", "with_missed"]
