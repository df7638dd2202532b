"""A second opinion on the digits of queue disks: by the net that reads tiles.

The net of dice and disks knows thirteen faces in any direction; the net of tiles has seen each digit in hundreds of
fonts, but upright. A doubtful disk is shown to it turned step by step, in two sizes, its rim painted over. Both err, on
other disks.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.crops import symbols
from vision.crops.faces import FACES, Array, Faces, cut_faces
from vision.geometry import Floats, pixels_away
from vision.reading import SYMBOLS
from vision.tray.rectify import Image

QUEUE = np.array([k for k, (kind, _) in enumerate(FACES) if kind == "queue"])
"""Which of FACES have a digit."""
SHOWN = np.array([SYMBOLS.index(str(FACES[k][1])) for k in QUEUE])
"""... and which of SYMBOLS it is."""
SIDE = 96
"""Side in pixels of the crops that are turned, twice that of what the first net sees: there a disk is 29 pixels wide,
as it lies in the frame 40 to 60, and small digits are seen no more."""
TURNS = 12
"""So many directions, 30 degrees apart: the net of tiles knows digits that lean by 15."""
LARGER = (1.4, 2.0)
"""A disk's digit, some half of its width or a third, is shown as large as that of a tile. Of plain ones to fours, three
tenths of the disk's width high, in eighteen directions, the lead (of logarithms) over the next digit is 3.9 at least
and 13.2 in the median, by the first size alone (from coarser crops) 0.6 and 9.9; of ones eight tenths high 2.4 and 8.1,
instead of 3.3 and 10.6, as the wrong digits may choose among more views, too."""
LEAST = 1e-6
"""No digit is surer than that: its odds say 13.8 at most, the others' speak against it besides."""
RIM = (20.0, 26.0)
"""From and to this distance from the middle of a crop, in its pixels, a disk shows its bare body."""
EDGE, SOFT = 26.4, 3.0
"""Further out than this is felt; over so many pixels the disk ends."""
FIRST, SECOND = 0.85, 0.5
"""How much of what each net says counts: both have seen the same picture, so that together they say less than their
sum. Of 3,102 digits drawn as hard to read as the training's, in fonts that neither net saw, 90 in 100 are then above
99.2 % (the first net alone: 86), three of them wrong: fours of stencils without their thin strokes, which are wrong
with half of the second weight as well. The weights were chosen on these digits; others fit them hardly better."""


def second_opinion(picture_bgr: Image, quads_px: Floats, shown: Faces) -> Faces:
    """Return what disks show, with the second net heard on which digit it is.

    quads_px: (n, 4, 2) squares around the disks. How likely it is a digit at all stays as it was.
    """
    if len(quads_px) == 0:
        return shown
    log_probs = np.asarray(shown.log_probs, np.float64).copy()
    first = log_probs[:, QUEUE]
    both = FIRST * first + SECOND * evidence(picture_bgr, quads_px)
    log_probs[:, QUEUE] = both + (np.logaddexp.reduce(first, axis=1) - np.logaddexp.reduce(both, axis=1))[:, None]
    return Faces(log_probs.astype(np.float32), shown.p_unreadable)


def evidence(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n, 4) the odds of each digit of QUEUE, as logarithms, in the direction and size in which it fits best.

    quads_px: (n, 4, 2) squares around the disks, TL TR BR BL in the picture; n >= 1.
    """
    turned = np.concatenate([_turned(crop) for crop in cut_faces(picture_bgr, quads_px, side=SIDE)])
    said = symbols.classify(turned).log_probs.astype(np.float64).reshape(len(quads_px), -1, len(SYMBOLS))
    best = said[:, :, SHOWN].max(axis=1)
    return np.asarray(best - np.log(np.maximum(-np.expm1(best), LEAST)))


def _turned(crop_bgr: Array) -> Array:
    """Return (len(LARGER) * TURNS, 48, 40, 3) uint8: a disk as a tile of its colour would show it, turned and sized."""
    far, inside, matrices = _geometry()
    body = np.median(crop_bgr[(far > RIM[0]) & (far < RIM[1])], axis=0)
    plain = (inside * crop_bgr + (1.0 - inside) * body).astype(np.uint8)
    return np.stack([
        cv2.warpAffine(plain, matrix, symbols.CROP_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for matrix in matrices
    ])  # fmt: skip


@cache
def _geometry() -> tuple[Floats, Floats, tuple[Floats, ...]]:
    """Return (s, s) distances from the middle, (s, s, 1) what of a pixel is disk, a map for each turn and size."""
    middle = (SIDE - 1) / 2
    far = pixels_away(SIDE, np.full(2, middle))
    # The digit of a tile stands a little below the middle of its crop.
    shift = (np.array(symbols.CROP_WH) - 1) / 2 - middle + (0.0, 1.0)
    moved = np.zeros((2, 3))
    moved[:, 2] = shift
    # A disk is as wide in a crop of the net of tiles as in one of its own, times LARGER.
    turns = (
        cv2.getRotationMatrix2D((middle, middle), 360.0 * k / TURNS, larger * symbols.CROP_WH[1] / SIDE)
        for larger in LARGER
        for k in range(TURNS)
    )
    matrices = tuple(np.asarray(turn, dtype=np.float64) + moved for turn in turns)
    return far, np.clip((EDGE - far) / SOFT, 0.0, 1.0)[..., None], matrices
