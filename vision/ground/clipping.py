"""Where a camera clips: some call white what is 235 and no more (the range of video, ITU-R BT.601), others 255.

Whether a place is blown out is asked in many rooms, each time by its grey value. So a picture that clips below white is
made one that clips at white before anybody looks at it. What clips shows itself: next to each other, many pixels are
the lightest of all and alike, in all colours and to a grey value or two, as paper and tiles hardly are that a camera
takes with its noise. Where they are, all that happens is that they count as blown out.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.ground.felt_light import BLOWN_OUT
from vision.tray.rectify import Image

WHITE = 255
LEAST = 200
"""Nobody clips below this grey value: where nothing is lighter, nothing is known of it."""
CELLS_WIDE = 200
"""A picture, or a rectified tray, is looked at in so many squares across: in noise the darkest colour is darker than a
mean's."""
ABOUT, COLOURED = 2, 5
"""Grey values by which squares that clip lie below the lightest, and by which their colours differ, at most."""
SPECKS = 6
"""So many squares are lighter still: what is sharpened beside an edge."""
LARGE = 3.3e-4
"""Share of the picture that clips at least in one piece, 40 mm2 of the tray: less hides no number. Of 1,727 pictures by
four programs that clip at 255 a level is found for 40, of which none is read otherwise (one is said to glare). Of 346
traced and modelled trays of tiles that mirror lamps, clipped at 235 and at 215, as light and half as light again, 14
were silently wrong and none is."""


def clipping_level(picture_bgr: Image) -> int | None:
    """Return the grey value that this camera calls white, where the picture shows it; None where it is 255, or unknown.

    picture_bgr: (h, w, 3) uint8. Half a millisecond for a rectified tray, three for a picture of a million pixels.
    """
    cell = max(1, picture_bgr.shape[1] // CELLS_WIDE)
    darkest, lightest = _cells(picture_bgr, cell)
    as_light = np.bincount(darkest.ravel(), minlength=WHITE + 1)[::-1].cumsum()[::-1]
    level = int(np.flatnonzero(as_light >= SPECKS).max(initial=0))
    if not LEAST <= level < BLOWN_OUT:
        return None
    top = (darkest >= level - ABOUT) & (cv2.subtract(lightest, darkest) <= COLOURED)
    _, _, pieces, _ = cv2.connectedComponentsWithStats(top.astype(np.uint8))
    return level if pieces[1:, cv2.CC_STAT_AREA].max(initial=0) >= LARGE * top.size else None


def up_to_white(picture_bgr: Image, level: int | None) -> Image:
    """Return a picture that clips at a grey value, or next to it, as one that clips at WHITE; None: as it is."""
    if level is None:
        return picture_bgr
    return np.asarray(cv2.convertScaleAbs(picture_bgr, alpha=WHITE / (level - 1)), dtype=np.uint8)


def _cells(picture_bgr: Image, cell: int) -> list[Image]:
    """Return the darkest and the lightest colour, (h / cell, w / cell) each, the mean over the pixels of a square."""
    b, g, r = cv2.split(picture_bgr)
    size = picture_bgr.shape[1] // cell, max(1, picture_bgr.shape[0] // cell)
    ends = cv2.min(cv2.min(b, g), r), cv2.max(cv2.max(b, g), r)
    return [np.asarray(cv2.resize(end, size, interpolation=cv2.INTER_AREA), dtype=np.uint8) for end in ends]


__all__ = ["clipping_level", "up_to_white"]
