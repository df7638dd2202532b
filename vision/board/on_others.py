"""Tiles that lie on others, by how they look among what is around them.

What sticks out below a tile, the shadow that it throws there, the digits that it cuts: a small net has learnt to see
these. It is asked only of the tiles that lie least as their neighbours do, as whatever lies on others does: six of
forty cost a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from vision.board.arrange import Arrangement
from vision.board.spots import Spots
from vision.crops import symbols
from vision.crops.nets import MODELS, outputs
from vision.geometry import Bools, Floats, Ints, overlap
from vision.tray.rectify import Image

MODEL = MODELS / "stacked.onnx"
CROP_WH = (48, 56)
"""Size of a crop in pixels."""
TILE_BOX = (10.5, 12.5, 37.5, 43.5)
"""Where the tile's four virtual corners come to lie in it: half of a neighbour is to be seen on each side."""
PLACE, TURN = 0.042, 1.05
"""What is still usual: how far a tile lies out of its row, over its size, and how many degrees it is turned from it, as
the finder has it, who takes tiles for straighter than they lie."""
LEAST_FREE = 0.05
"""Share of a tile's own place that the line through its row leaves free, at least."""
ASKED = 6
"""So many tiles of a board are looked at, at most. Of 106 that lie on others and that the finder sees, on 150 traced
boards, 99 are among these and 83 are told; if all were looked at it would be 86."""
LEAST = 4
"""Tiles in a row that says how one of them should lie."""
LIES_ON_OTHERS = 0.5
"""By this the net calls a tile so. On 794 traced boards without such tiles none was called more than 0.48."""
IN_SHORT_ROWS = 0.8
"""... and by this where nothing says how the tile should lie: its row is too short, or it has no place. Of 56 that lie
on others on 60 traced boards 29 are above it and 38 above the other; of some 5,000 in 992 first turns of Draw Bridge
none and six."""

FAR, A_TOUCH, BESIDE_OTHERS = 3.5, 0.01, 0.92
"""... and by the third where the tile lies less far from where it should than the first, over what is still usual, and
shares no more of its area with another than the second: rows that people lay untidily look so, too. On 680 boards of
two other makers, of which no tile lay on others, 11 were called so, by 0.54 to 0.91; one of them still is. Of 120
traced boards with one tile more, across others, as many are asked about as before."""

TAUGHT = 4.0
"""By so much a logit is lowered where an owner's set was taught: long strokes of a child's hand, and signs that end at
a tile's edge, look like digits that a tile on others cuts. Of 200 trays of such sets 14 were asked about without this,
8 with it, 7 if nobody looks for tiles on others."""

Look = Callable[[Image, Floats], Floats]
"""Picture and (n, 4, 2) quads in it -> (n,) how likely each lies on others."""


def on_others(picture_bgr: Image, tiles: Spots, places: Arrangement, look: Look, *, full: bool = True) -> Bools:
    """Return (n,) the tiles that look as if they lay on others. full: of a layout without gaps."""
    out = np.zeros(len(tiles.score), dtype=bool)
    away = askew(tiles, places)
    from_its_block = away if full else askew(tiles, places, full=False)
    unknown = np.isnan(from_its_block)
    away[np.isnan(away)] = 1.0
    asked = np.argsort(-away, kind="stable")[:ASKED]
    asked = asked[away[asked] >= 1.0]
    if len(asked):
        beside = (from_its_block[asked] < FAR) & (shared(tiles.quads_px, asked) < A_TOUCH)
        least = np.where(unknown[asked], IN_SHORT_ROWS, np.where(beside, BESIDE_OTHERS, LIES_ON_OTHERS))
        out[asked] = look(picture_bgr, tiles.own_corners()[asked]) > least
    if out.any():
        # Where those that lie best look so, too, it is the light: nobody lays a board on another.
        best = np.setdiff1d(np.argsort(away, kind="stable")[:ASKED], asked)
        if len(best) >= LEAST and np.median(look(picture_bgr, tiles.own_corners()[best])) > LIES_ON_OTHERS:
            out[:] = False
    return out


def shared(quads: Floats, which: Ints) -> Floats:
    """Return (k,) the largest overlap that some of the quads (n, 4, 2) have with another."""
    away = np.linalg.norm(quads[which].mean(axis=1)[:, None] - quads.mean(axis=1), axis=2)
    away[np.arange(len(which)), which] = np.inf
    near = away < np.ptp(quads, axis=1).max(axis=1)
    return np.array([max((overlap(quads[k], other) for other in quads[n]), default=0.0)
                     for k, n in zip(which, near, strict=True)])  # fmt: skip


def askew(tiles: Spots, places: Arrangement, *, full: bool = True) -> Floats:
    """Return (n,) how far each tile lies from how its row has it, over what is still usual.

    NaN for a tile without a place, and in rows too short to say. full: else how the tiles right beside it have it, as
    blocks that are laid from either end of a row lie as they come to lie.
    """
    out = np.full(len(tiles.score), np.nan)
    for here in _rows(places, full=full):
        mates = places.index[here]
        if len(mates) >= LEAST:
            lean = tiles.lean[mates]
            turn_deg = np.degrees(np.abs(lean - np.median(lean)))
            away = _out_of_line(places.column[here], tiles.centre_mm[mates]) / np.median(tiles.size_mm, axis=0)
            out[mates] = np.maximum(turn_deg / TURN, np.hypot(away[:, 0], away[:, 1]) / PLACE)
    return out


def _rows(places: Arrangement, *, full: bool) -> Iterator[Bools]:
    """Yield (k,) which places are of one row each, or else of one block of a row without a gap."""
    for row in np.unique(places.row):
        here = places.row == row
        if full:
            yield here
            continue
        taken = np.unique(places.column[here])
        for block in np.split(taken, np.flatnonzero(np.diff(taken) > 1) + 1):
            yield here & np.isin(places.column, block)


def _out_of_line(column: Ints, centre_mm: Floats) -> Floats:
    """Return (k, 2) how far each tile of a row is from where a straight line through all the others has it, in mm."""
    x, y = column - column.mean(), centre_mm - centre_mm.mean(axis=0)
    spread = max(float(x @ x), 1e-9)
    off = y - x[:, None] * (x @ y / spread)
    # Off a line through all of them, itself included, a point is less than off one through the others. Where the others
    # lie in one column they have no line.
    free = 1.0 - 1.0 / len(x) - x * x / spread
    return np.asarray(off / np.maximum(free, LEAST_FREE)[:, None])


def classify(picture_bgr: Image, quads_px: Floats, *, taught: bool = False) -> Floats:
    """Return (n,) how likely each tile lies on others, by the net that comes with the package.

    quads_px: (n, 4, 2), arcs up. taught: they are of a set whose signs the net may not know. Raises BadModel when the
    model is missing. Not for two threads at once.
    """
    if len(quads_px) == 0:
        return np.zeros(0)
    said = outputs(MODEL, symbols.normalised(cut(picture_bgr, quads_px)))
    logits = said.astype(np.float64).reshape(-1) - (TAUGHT if taught else 0.0)
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))))


def cut(picture_bgr: Image, quads_px: Floats) -> Image:
    """Return the tiles (n, 4, 2) in the picture with what is around them, (n, 56, 48, 3) uint8."""
    return np.asarray(symbols.cut_crops(picture_bgr, quads_px, size_wh=CROP_WH, box=TILE_BOX))
