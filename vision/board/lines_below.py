"""Lines below six and nine: where a set has them, a tile with one is no other number, whatever it looks like.

A worn six is a five to the net, and surely; the line below it is as plain as ever. So where the sixes and nines of a
board have lines, others that have one in the same place are asked about.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.colour.paint import Paint
from vision.crops.symbols import CROP_WH, TURNABLE, cut_crops
from vision.geometry import Bools, Floats, Ints
from vision.infer import DOWN
from vision.tray.rectify import Image

LOW = (28, 43)
"""Rows of a crop among which the middle of a line below a number lies: above a tile's lower edge."""
INKED = 0.45
"""What has more than this of the way from the body's colour to the ink's is ink."""
THICK, WIDE, ASIDE = 5, (7, 19), 5.0
"""A line is at most so many pixels of a crop high, and so wide, and no further from the crop's middle: a printed frame
is wider, a two's foot belongs to a two."""
ALIKE_ROWS, ALIKE_WIDTH = 1.5, 0.7
"""No more rows from the lines of sixes and nines, and no less of their width, or more over that, is another's line."""
LEAST, MOST_OF_THEM = 2, 0.6
"""So many sixes and nines must have one, and that share of all of them."""
NOT_ABSURD = -13.0
"""A logarithm: what the net finds less likely a six or nine than this is none. A worn six was a five with -6 against
it; of some 12,000 other tiles on 920 marched and drawn boards, half of whose sixes and nines have lines, three have a
stroke of their own there, with -20 and less."""


def lined_others(picture_bgr: Image, quads_px: Floats, paint: Paint, shown: Ints, log_probs: Floats) -> Bools:
    """Return (n,) which open tiles have the line of a six or nine below them, and show another symbol.

    quads_px: (n, 4, 2), arcs up. shown: (n,) index into SYMBOLS. log_probs: (n, 12) of each tile alone.
    """
    out, turnable = np.zeros(len(shown), dtype=bool), np.isin(shown, TURNABLE)
    own, open_ = np.flatnonzero(turnable), ~turnable & (shown != DOWN)
    others = np.flatnonzero(open_ & (log_probs[:, TURNABLE].max(axis=1, initial=-np.inf) > NOT_ABSURD))
    if len(own) < LEAST or len(others) == 0:
        return out
    lines = _lines(picture_bgr, quads_px[own], paint.only(own))
    have = np.isfinite(lines[:, 0])
    if have.sum() < LEAST or have.mean() < MOST_OF_THEM:
        return out
    row, wide = np.median(lines[have], axis=0)
    found = _lines(picture_bgr, quads_px[others], paint.only(others))
    as_wide = (found[:, 1] > ALIKE_WIDTH * wide) & (found[:, 1] * ALIKE_WIDTH < wide)
    out[others] = (np.abs(found[:, 0] - row) < ALIKE_ROWS) & as_wide
    return out


def _lines(picture_bgr: Image, quads_px: Floats, paint: Paint) -> Floats:
    """Return (n, 2) of each tile the row of a crop in which its lowest line lies, and its width; NaN without one."""
    inked = _inked(cut_crops(picture_bgr, quads_px), paint)
    return np.array([_line(tile) for tile in inked]).reshape(-1, 2)


def _inked(crops: Image, paint: Paint) -> Bools:
    """Return (n, h, w) which pixels of crops (n, h, w, 3) are ink."""
    way = (paint.ink - paint.body)[:, None, None]
    off = crops.astype(np.float64) - paint.body[:, None, None]
    return np.asarray((off * way).sum(axis=3) > INKED * np.maximum((way * way).sum(axis=3), 1.0))


def _line(inked: Bools) -> tuple[float, float]:
    """Return the row and width of the lowest line in a crop (h, w); NaN without one."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(inked.astype(np.uint8), connectivity=8)
    wide, high = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    x, y = middles[1:].T
    is_line = (high <= THICK) & (wide >= WIDE[0]) & (wide <= WIDE[1]) & (np.abs(x - (CROP_WH[0] - 1) / 2) < ASIDE)
    is_line &= (y >= LOW[0]) & (y < LOW[1])
    if not is_line.any():
        return float("nan"), float("nan")
    k = int(np.where(is_line, y, -1.0).argmax())
    return float(y[k]), float(wide[k])
