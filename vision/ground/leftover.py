"""Something as large as a piece on the felt that no piece explains: better a question than a piece too few."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, scaled
from vision.ground.blobs import blobs
from vision.ground.felt import RESIDUE_PX_PER_MM
from vision.ground.lines import without_lines

RIM_LONG, RIM_WIDE = 2.5, 0.8
"""A strip along the felt's edge is the rim, seen from within or over the edge: at least so long and at most so wide,
both over a die's side. A die that leans against it, or stands out of it, remains."""


APART_MM = 3.0
"""A line on the felt keeps so far away from what is seen of the pieces; what comes nearer may lie across one."""


@dataclass(frozen=True, slots=True)
class Least:
    """How much must be left for a piece to be missed."""

    around: float
    """What is seen of a piece explains what lies within it times this: what its outline errs by, and a soft shadow."""
    core: float
    """What is left counts where a disc of this diameter, over the piece's side, fits into it."""
    share: float
    """... and where its area is at least this, over that of a square with the piece's side."""
    bars: bool = False
    """... and where it is a BAR."""


OF_DICE = Least(around=1.0, core=0.5, share=0.3, bars=True)
"""... of which their flanks are known. Of 1,029 traced trays on which nothing else was asked two of three that lacked a
die are asked about, and one of the others."""
OF_DISKS = Least(around=1.35, core=0.5, share=0.3, bars=True)
"""Tiles lie beside them, and have arcs that no square explains."""
OF_TILES = Least(around=1.15, core=0.3, share=0.15)
"""Flat and all of one size. Of 98 traced boards with gaps nothing at all was left; of a tile half under another there
is."""
ON_TILES = Least(around=1.1, core=0.4, share=0.1)
"""... where it touches a full board: of 564 traced ones nothing was left there. With a core of 0.3 what rises of arcs
beyond their tiles' squares was left on one of 50 boards by a browser, and of 60 traced boards with a tile across others
as many, three, were silently wrong."""
BAR, BARS_AROUND = (0.8, 0.33, 0.2), 1.2
"""A thing so long and so wide, over a piece's side, and of such an area, over its square, that does not reach the
felt's edge, is a bar: a disk that stands on its edge, or what lies across a die and may hide one. What is seen of a
piece explains what lies within it times the last at least. On 380 traced trays of dice and disks nothing is one: what
is so long is 0.27 wide at most. A crumb of five millimetres looks 0.7 long in cells so coarse."""
SEAM, SEAMS = 1.3, 0.8
"""Paper of markers is cut out by hand: of what lies so much no further from its middle than the first, over what it
should measure, as the second says, nothing is a bar. On one of 150 trays by a browser an angle of paper, 4 mm wide, was
taken for one."""


def left_over(
    strange: NDArray[np.bool_], quads_mm: Floats, *, side_mm: float, papers_mm: list[Floats], least: Least
) -> list[Floats]:
    """Return where pieces may lie and none was found: (4, 2) upright rectangles in millimetres.

    strange: (h, w) at RESIDUE_PX_PER_MM, what is neither felt nor shadow (`vision.ground.felt.Felt`), right up to the
    rim: a die leaning against it is nearly always seen by this, even where the finder hesitates. quads_mm: (n, 4, 2)
    what is seen of the pieces found (of dice their flanks, too); papers_mm: markers.
    """
    side_px = side_mm * RESIDUE_PX_PER_MM
    left = _unexplained(strange, [*scaled(quads_mm, least.around), *papers_mm])
    if np.count_nonzero(left) < min(least.share, BAR[2] if least.bars else np.inf) * side_px**2:
        return []
    left = _without_lines(_without_rim(left, side_px), quads_mm)
    wide = max(2, round(least.core * side_px))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    # Beyond the edge lies the rim, which is strange as well: a thin strip of it must not grow into a core.
    opened = cv2.morphologyEx(left, cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    large, _ = blobs(opened, px_per_mm=RESIDUE_PX_PER_MM, least_mm2=least.share * side_mm**2, edge_mm=0.0)
    if large or not least.bars:
        return [blob.outline_mm for blob in large]
    if least.around < BARS_AROUND:
        beside = _without_rim(_unexplained(strange, [*scaled(quads_mm, BARS_AROUND), *papers_mm]), side_px)
        left = _without_lines(beside, quads_mm)
    return _bars(left, side_mm, [*scaled(np.array(papers_mm).reshape(-1, 4, 2), SEAM)])


def _without_lines(left: NDArray[np.uint8], quads_mm: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return what is left (h, w) without the lines that keep off the pieces (n, 4, 2)."""
    return without_lines(left, quads_mm, apart_mm=APART_MM, px_per_mm=RESIDUE_PX_PER_MM)


def _unexplained(strange: NDArray[np.bool_], outlines_mm: list[Floats]) -> NDArray[np.uint8]:
    """Return what is strange (h, w) and lies in none of some outlines (4, 2), 0 or 1."""
    left = strange.astype(np.uint8)
    for points in outlines_mm:
        cv2.fillConvexPoly(left, np.round(points * RESIDUE_PX_PER_MM - 0.5).astype(np.int32), 0)
    return left


def _bars(left: NDArray[np.uint8], side_mm: float, seams_mm: list[Floats]) -> list[Floats]:
    """Return the outlines (4, 2) of bars (BAR) among what is left (h, w). seams_mm: (4, 2) what papers may reach to."""
    longest, widest, share = BAR
    one_px_mm = 1 / RESIDUE_PX_PER_MM
    found, labels = blobs(left, px_per_mm=RESIDUE_PX_PER_MM, least_mm2=share * side_mm**2, edge_mm=one_px_mm)
    beyond, out = _unexplained(left > 0, seams_mm), []
    for blob in found:
        within = labels[blob.rows, blob.columns] == blob.number
        _, sides_px, _ = cv2.minAreaRect(np.argwhere(within).astype(np.float32))
        narrow, long = sorted((one + 1) * one_px_mm / side_mm for one in sides_px)
        paper = np.mean(beyond[blob.rows, blob.columns][within]) < 1 - SEAMS
        if not blob.at_rim and not paper and narrow > widest and long > longest:
            out.append(blob.outline_mm)
    return out


def _without_rim(left: NDArray[np.uint8], side_px: float) -> NDArray[np.uint8]:
    """Return what is left (h, w) without the strips along its four edges."""
    strips = [np.rot90(_strip(np.rot90(left, turns), side_px), -turns) for turns in range(4)]
    return np.asarray(np.where(np.any(strips, axis=0), 0, left), dtype=np.uint8)


def _strip(left: NDArray[np.uint8], side_px: float) -> NDArray[np.bool_]:
    """Return (h, w) where the strip along the upper edge lies: what is left there, row after row, over a long run."""
    widest, longest = round(RIM_WIDE * side_px), round(RIM_LONG * side_px)
    down = np.logical_and.accumulate(left[: widest + 1].astype(bool), axis=0).sum(axis=0)
    # What is deeper than a rim may be is cut off there, so that a die in the rim's run does not break it.
    depth = np.minimum(down, widest).astype(np.uint8)[None]
    run = cv2.morphologyEx(depth, cv2.MORPH_OPEN, np.ones((1, longest), np.uint8), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(np.arange(len(left))[:, None] < run)
