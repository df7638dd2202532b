"""Two frames of a fixed camera -> did anything lie or move differently? Quick: most frames show nothing new.

The light may change as a whole, from row to row (a lamp's 100 Hz under a rolling shutter, a step of the automatic
exposure) and the sensor may be noisy; a digit or a pip that changed must still be seen. So each row of the later
frame is first brought to the light of the earlier one, and what is left is held against the frame's own noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import rectangle
from vision.tray.rectify import Image, Tray

Part = tuple[slice, slice]
"""Rows and columns of a glance."""

BESIDE_MM = 25.0
"""What moves further from the felt than this moves beside the tray: who drinks there disturbs nobody. No reading sees
as far (`vision.finding.scene.MARGIN_MM`)."""
LEAST_PART = 16
"""Rows and columns that a part of a glance has at least: noise is measured in it, too."""
GLANCE_PX = 320
"""Width of the picture in which change is looked for: a pip of the smallest die still fills half a cell of it."""
BLACK = 4.0
"""Added to every level, so that ratios of dark ones do not jump."""
FULL = 254.0 + BLACK
"""A level (with BLACK) that is blown out."""
NEARLY_FULL = (238.0, 220.0)
"""Levels due and seen from which a cell may be blown out in part: white paper, no ink."""
LIGHTS = (0.35, 3.0)
"""How much darker or brighter a whole row may be in another light; a black frame is no light."""
NOISES = 11.0
"""Change, in standard deviations of the noise, from which it is none. Drawn frames 1280 wide that differ only by
noise (1.2 to 5 levels) and the file's traces (quality 70 to none) stay below 10.2; one digit or pip that differs,
35 px tiles, a third of the usual contrast, is 16 to 90."""
LEAST, MOST = 3.0, 12.0
"""Bounds of that limit, in levels: a picture without noise is still rounded, and a hand is not noise."""
STIR = 26.0
"""Change, in levels, that is motion and no trembling of the arm: an edge that moved by two pixels or so."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame boiled down for the question "did anything change?" (some 230 kB)."""

    small: NDArray[np.uint8]
    factor: int
    """By which it is smaller than the frame, each way."""


def glance(picture_bgr: Image) -> Glance:
    """Return the frame's glance; 1.5 ms for 1280 x 960."""
    h, w = picture_bgr.shape[:2]
    # A whole factor keeps cv2 on its fast path; what does not fill a last block is not looked at.
    factor = max(1, round(w / GLANCE_PX))
    size = (w // factor, h // factor)
    whole = picture_bgr[: size[1] * factor, : size[0] * factor]
    return Glance(np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), factor)


def part_of(seen: Glance, tray: Tray | None) -> Part | None:
    """Return where in the glance of a frame the tray lies, with BESIDE_MM around it; None for all of it.

    tray: as the frame shows it; None where nobody knows.
    """
    if tray is None:
        return None
    high, wide = seen.small.shape[:2]
    across, down = tray.size_mm
    around_mm = rectangle((across + 2 * BESIDE_MM, down + 2 * BESIDE_MM)) - BESIDE_MM
    corners = tray.to_px(around_mm) / seen.factor
    (left, top), (right, bottom) = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    rows = slice(max(0, int(top)), min(high, int(bottom)))
    columns = slice(max(0, int(left)), min(wide, int(right)))
    enough = min(rows.stop - rows.start, columns.stop - columns.start) >= LEAST_PART
    return (rows, columns) if enough else None


def identical(before: Glance, now: Glance) -> bool:
    """Return whether both are one and the same frame: no sensor gives the same noise twice."""
    return before.small.shape == now.small.shape and bool((before.small == now.small).all())


def unchanged(before: Glance, now: Glance, *, part: Part | None = None) -> bool:
    """Return whether nothing is different between two frames of a fixed camera, light and noise apart; 1.2 ms.

    part: where to look; None: everywhere.
    """
    change = _change(before, now, part)
    if change is None:
        return False
    some = change[::5, ::5].ravel()
    noise = float(np.partition(some, int(0.95 * len(some)))[int(0.95 * len(some))]) / 1.96
    return bool(change.max() <= min(max(NOISES * noise, LEAST), MOST))


def stirred(before: Glance, now: Glance, *, part: Part | None = None) -> bool:
    """Return whether something moved by more than a camera's arm trembles. part: as for `unchanged`."""
    change = _change(before, now, part)
    return change is None or bool(change.max() > STIR)


def _change(before: Glance, now: Glance, part: Part | None) -> NDArray[np.float32] | None:
    """Return (h, w, 3) the change in levels within cells of 2 x 2, in equal light; None for other sizes."""
    if before.small.shape != now.small.shape:
        return None
    rows, columns = part or (slice(None), slice(None))
    a, b = (seen.small[rows, columns].astype(np.float32) + BLACK for seen in (before, now))
    ratio = b[:, ::8] / a[:, ::8]
    middle = ratio.shape[1] // 2
    light = np.clip(np.partition(ratio, middle, axis=1)[:, middle], *LIGHTS)[:, None, :]
    # Spread out first: numpy multiplies by rows of three five times as slowly.
    spread = cv2.resize(light, (a.shape[1], a.shape[0]), interpolation=cv2.INTER_NEAREST)
    due = np.asarray(cv2.threshold(cv2.multiply(a, spread), FULL, FULL, cv2.THRESH_TRUNC)[1], dtype=np.float32)
    off = np.asarray(cv2.subtract(b, due), dtype=np.float32)
    if float(due.max()) > NEARLY_FULL[0]:
        # What is blown out, now or before, hides how bright it is; what was and is darker than it could be does not.
        hidden = ((a >= FULL) & (off > 0)) | ((due > NEARLY_FULL[0]) & (b > NEARLY_FULL[1]))
        off = off * ~hidden
    return np.abs(np.asarray(cv2.blur(off, (2, 2)), dtype=np.float32))


__all__ = ["Glance", "Part", "glance", "identical", "part_of", "stirred", "unchanged"]
