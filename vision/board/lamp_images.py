"""Backs with a lamp's mirror image on them, which is no print: a lacquered tile shows one, as sharp as a digit.

Who sits at the table knows how this set is printed, and looks past the light. So where open tiles show that no ink of
the tray is as light as a lamp, and the light on a doubtful tile is less tall than a digit, the light is painted over
with what lies around it, and the tile is looked at once more. Of what is left only a back is believed: a lamp's image
may cover what tells an eight from a three, but not all of a digit that is taller than it.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.board.blank import BARE_WITNESS, CERTAIN, FEWEST, LIKE_BACKS, PLAIN
from vision.colour.paint import Paint, measure, off_white, pixels_of
from vision.crops import kin
from vision.crops.print_size import print_of
from vision.crops.symbols import Look, cut_crops
from vision.geometry import Bools, Floats
from vision.reading import SYMBOLS
from vision.tray.rectify import Image

DOWN = SYMBOLS.index("down")
AS_A_LAMP, NO_LAMP = 12.0, 40.0
"""CIE distance from white of what mirrors a lamp at most, and of a tray's lightest ink at least."""
FEW_WHITE = 0.15
"""... but for this share of the printed tiles, whose light is too tall to be painted over: less than a row in white."""
LEAST_LIT, MOST_LIT = 0.004, 0.3
"""Share of a tile's face that mirrors a lamp: less is noise, more may hide a digit."""
SKIRT = 0.13
"""Over a tile's height, how far around a lamp's image its light spreads."""
NEAR_PX = 2
"""How far around it is looked for what to paint over it with."""
LESS_TALL = 0.6
"""A lamp's image is no taller than this, over a digit's height, or it could hide one."""
A_BACK = 0.9
"""How sure the net must be of a back once the light is painted over. With lamps painted on all tiles of 340 trays,
drawn and traced, small ones and long ones, 95 backs were more certain for it and no other tile; where FEWEST backs need
not be seen beside it two were more, printed in an ink that hardly differs from their bodies."""


def looked_past(
    picture_bgr: Image, quads_px: Floats, log_probs: Floats, unreadable: Floats, look: Look
) -> tuple[Floats, Floats]:
    """Return (n, 12) what tiles (n, 4, 2) show and (n,) how likely nothing can be read, of backs without lamps on them.

    log_probs, unreadable: the same, as they were seen. look: who looks at tiles. Takes next to no time where no tile
    that is in doubt has light on it, and some 40 ms where a dozen have.
    """
    doubtful = np.flatnonzero(kin.doubtful(log_probs))
    lit = doubtful[_lit(picture_bgr, quads_px[doubtful])]
    printed = print_of(cut_crops(picture_bgr, quads_px)) if len(lit) else None
    if printed is None:
        return log_probs, unreadable
    painted = picture_bgr.copy()
    low = np.array([_paint_over(painted, quad, LESS_TALL * printed.height) for quad in quads_px])
    paint = measure(painted, quads_px)
    bare = lit[low[lit] & (paint.contrast()[lit] <= _most_of_a_back(log_probs, paint))]
    shown = look(painted, quads_px[bare])
    back = np.exp(shown.log_probs[:, DOWN]) > A_BACK
    without, mute = log_probs.copy(), unreadable.copy()
    without[bare[back]], mute[bare[back]] = shown.log_probs[back], shown.p_unreadable[back]
    # As ink says of what is dry, see `vision.board.blank`.
    without[bare[back], DOWN] += BARE_WITNESS
    return kin.normalised(without), mute


def _lit(picture_bgr: Image, quads_px: Floats) -> Bools:
    """Return (n,) which tiles (n, 4, 2) show a little of what may be a lamp."""
    if len(quads_px) == 0:
        return np.zeros(0, dtype=bool)
    share = (off_white(pixels_of(picture_bgr, quads_px)) < AS_A_LAMP).mean(axis=1)
    return np.asarray((share > LEAST_LIT) & (share < MOST_LIT))


def _most_of_a_back(log_probs: Floats, paint: Paint) -> float:
    """Return the most contrast that backs show on this tray; 0 where few lie, or ink is as light as a lamp, or faint.

    log_probs: (n, 12) of the same tiles.
    """
    p_down, contrast = np.exp(log_probs[:, DOWN]), paint.contrast()
    printed, backs = (p_down < 1 - CERTAIN) & ~kin.doubtful(log_probs), p_down > CERTAIN
    if min(np.count_nonzero(printed), np.count_nonzero(backs)) < FEWEST:
        return 0.0
    bold = float(np.quantile(contrast[printed], 0.1))
    white = off_white(paint.ink[printed]) < NO_LAMP
    if bold < PLAIN or white.mean() > FEW_WHITE:
        return 0.0
    return min(float(contrast[backs].max()), LIKE_BACKS * bold)


def _paint_over(picture_bgr: Image, quad_px: Floats, tallest: float) -> bool:
    """Paint over what may be a lamp on one tile (4, 2), if it is no taller than that; return whether it is not.

    tallest: over the tile's height, 0..1.
    """
    left, top = np.maximum(np.floor(quad_px.min(axis=0)).astype(int), 0).tolist()
    right, bottom = np.maximum(np.ceil(quad_px.max(axis=0)).astype(int), 0).tolist()
    here = picture_bgr[top:bottom, left:right]
    lit = _lit_within(here, quad_px - (left, top))
    down = (quad_px[2:] - quad_px[1::-1]).mean(axis=0)
    y, x = np.nonzero(lit)
    along = np.column_stack([x, y]) @ (down / (down @ down))
    if len(along) == 0 or float(np.ptp(along)) > tallest:
        return False
    reach = max(1, round(SKIRT * float(np.linalg.norm(down))))
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    here[...] = cv2.inpaint(here, cv2.dilate(lit.astype(np.uint8), wide), NEAR_PX, cv2.INPAINT_TELEA)
    return True


def _lit_within(picture_bgr: Image, quad_px: Floats) -> Bools:
    """Return (h, w) what may be a lamp within a quadrilateral (4, 2) of a picture; nothing in an empty one."""
    inside = np.zeros(picture_bgr.shape[:2], np.uint8)
    if inside.size == 0:
        return inside.astype(bool)
    cv2.fillConvexPoly(inside, np.round(quad_px).astype(np.int32), 1)
    return np.asarray(inside.astype(bool) & (off_white(picture_bgr) < AS_A_LAMP))
