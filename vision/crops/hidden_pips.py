"""Whether a face may hide pips under a lamp's image: a two or a four the middle one, a four the two of a six.

A tube lamp or a window is mirrored as a bar. One that lies between the two rows of a four may cover the middle pips of
a six, and nothing is left of them; one in the middle of a two may cover the third pip of a three.
"""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np

from vision.crops.middle_pip import ASKEW_PX, SEEN_PIPS, SOFT_PX, TURNS_DEG, ink_at
from vision.crops.pips import hollows, ways_to_lie, widened
from vision.geometry import Bools, Floats, pixels_away
from vision.tray.rectify import Image

TWO, FOUR = 2, 4
FACE = (0.1, 0.4)
"""From and to this distance from the middle, over the side, most of a face is body."""
AROUND = 0.15
"""... where it is further than this from the pips in the corners."""
PIP = 0.06
"""What lies within this of the place of a pip, over the side, is the pip's; a quarter of that may be anything."""
COVERED = 0.3
"""What differs from the body by so much, over the contrast of the pips, covers it. Of 109 fours on 120 traced trays
none has more than 0.25 in both places at once; of 207 on photographs one has. A five with as much there is a six in
whose middle a crumb lies: no face has seven pips, and of 113 true fives by four programs none has it."""
WHITE, HALF, MIDDLE = 248, 0.5, 0.07
"""Grey value from which a lamp's image is white in all colours, and how much must be so of what lies within the third
of the middle, over the side."""
PIPS, NEARLY_WHITE = {TWO: 0.3, FOUR: 0.5}, 230.0
"""More of a face than these shares is no pip, and is darker than the second in one colour but for a lamp. Of 1,892 twos
and fours by four programs five have such a lamp in their middle, one of them among white pips."""


def may_be_six(crop_bgr: Image, value: int = FOUR, *, margin: float) -> bool:
    """Return whether both places where a six has its middle pips are covered, on a face that shows four, or five.

    crop_bgr: (s, s, 3) uint8 as `vision.crops.faces.cut_faces` returns them, maybe askew, with `margin` around the face
    over the crop's side. value: 4 or 5, what it shows. False where the pips are too faint to say.
    """
    side = len(crop_bgr) * (1 - 2 * margin)
    soft = np.asarray(cv2.GaussianBlur(crop_bgr.astype(np.float32), (0, 0), SOFT_PX), dtype=np.float64)
    corners = _corners(crop_bgr, margin)
    away = soft - np.median(soft[_body(len(soft), corners, side, free=value != FOUR)], axis=0)
    ink = ink_at(away, corners)
    contrast, light_pips = float(np.linalg.norm(ink)), float(ink.sum()) > 0
    if contrast < SEEN_PIPS:
        return False
    # Two ways to pair the corners of a square side by side; between each pair one of the middle pips.
    a, b, c, d = corners
    sides = ((a + c) / 2, (b + d) / 2), ((a + d) / 2, (b + c) / 2)
    covered = partial(_covered, away, reach_px=PIP * side, darker=not light_pips)
    return any(min(map(covered, pair)) > COVERED * contrast for pair in sides)


def may_have_a_middle(crop_bgr: Image, value: int, *, margin: float) -> bool:
    """Return whether a lamp's image covers the middle of a face, where it may have one pip more than are seen.

    Arguments as of `may_be_six`; value: 2 or 4. False where the body is nearly white: who knows what is a lamp there?
    """
    darkest = crop_bgr.min(axis=2)
    far = pixels_away(len(darkest), np.full(2, (len(darkest) - 1) / 2)) / (len(darkest) * (1 - 2 * margin))
    body = float(np.quantile(darkest[far < FACE[1]], PIPS[value]))
    return body < NEARLY_WHITE and float((darkest[far < MIDDLE] >= WHITE).mean()) > HALF


def _body(size: int, corners: Floats, side: float, *, free: bool) -> Bools:
    """Return (size, size) which pixels of a crop are mostly a face's body.

    corners: (4, 2) pips; side: of the face, in pixels. free: without what lies around these pips. A lamp between those
    of a four may cover more than half of the rest.
    """
    far = pixels_away(size, corners.mean(axis=0)) / side
    out = np.asarray((far > FACE[0]) & (far < FACE[1]))
    for corner in corners if free else ():
        out &= pixels_away(size, corner) > AROUND * side
    return out


def _corners(crop_bgr: Image, margin: float) -> Floats:
    """Return (4, 2) x and y of a four's pips, in the order of `vision.crops.pips.PLACES`."""
    at = ways_to_lie(len(crop_bgr), FOUR, margin, turns_deg=TURNS_DEG, askew_px=ASKEW_PX)
    faintest = np.array([tone[at[..., 1], at[..., 0]].min(axis=1) for tone in widened(hollows(crop_bgr))])
    _, best = np.unravel_index(int(faintest.argmax()), faintest.shape)
    return np.asarray(at[best], dtype=np.float64)


def _covered(away: Floats, at: Floats, *, reach_px: float, darker: bool) -> float:
    """Return by how much nearly all of a pip's place (2,) differs from the body. away: (s, s, 3) from its colour.

    darker: whether what is darker than the body counts. Between light pips it does not: no lamp is, but a sharpened
    picture.
    """
    there = away[pixels_away(len(away), at) < reach_px]
    if not darker and float(there.mean()) < 0:
        return 0.0
    return float(np.percentile(np.linalg.norm(there, axis=1), 25))
