"""What the picture is like: hands, arms, darkness, blur, glare."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.ground.felt import Residue
from vision.ground.felt_light import BLOWN_OUT
from vision.reading import Problem
from vision.tray.rectify import Image, Tray

HAND_MM2 = 250.0
"""A smaller patch of hand is a smudge of the net, not a finger."""
HAND_CERTAIN = 0.5
HAND_PERHAPS = 0.2
"""Of 36 hands on traced trays the net sees some, somewhere, with 0.39 at least; of letters on felts with 0.12."""
HAND_CELL_MM = 8.0
"""Side of one value of the hand map."""
DARK_LEVEL = 28.0
"""Usual brightness of the tray (0..255) below which a picture is called dark."""
LIGHTEST, NOTHING = 99, 64
"""A picture of which all but the lightest hundredth is darker than the second, of 255, shows nothing."""
LIT_PAPER = 4 * DARK_LEVEL
"""... unless the markers' white paper is as bright as this, or without markers what is lightest of a piece: then it is
the felt that is dark, not the light."""
ALL_WHITE = 0.5
"""A picture that shows no tray is too bright where in so much of it two of three colours are blown out. Of 41 traced
pictures and seven drawn ones, four to twelve times as bright, 74 showed no tray, and two colours in 0.64 of it at
least; as they were taken, in 0.05 at most."""
WHITE_SHARE = 0.8
"""Less of a marker is black than this: there lies the white of its paper."""
WITHIN = 0.7
"""Of a piece so much is looked at, over its width: however it lies, that is no felt."""
BLUR_SHARPNESS = 0.13
"""Ratio of fine to coarse contrast on the pieces below which a picture is called blurred."""
STREAK_PX, DIRECTIONS, STREAKED, AROUND_PX = 5, 8, 0.4, 6.0
"""Of what a line of so many pixels takes out of pieces and so much around them, in each of so many directions, there is
less than the third along the one with least, over the one with most, where the picture was moved while it was taken. Of
706 pictures by three programs none is called so (0.461 at least), of 1,600 hard drawn ones two; smeared along 11 to 18
pixels nine of ten, along 8 to 10 more than half. Half a millisecond."""
GLARE_SHARE = 0.06
"""Share of a tile that is blown out from which glare is reported."""
BESIDE_CELLS, ON_FELT_CELLS = 3, 2
"""So many cells at each edge lie beside the felt, at least in part: a table of the colour of skin is no hand. Of 108
hands over traced trays each covered more than the second on the felt itself."""
ARM_MM2 = 700.0
"""Something larger than this that reaches in over the edge is an arm."""
HEAP_MM2 = 2500.0
"""Something larger than this is no piece of ours, wherever it lies."""
PLAIN_ARM_MM2, PLAIN_HEAP_MM2 = 1000.0, 4500.0
"""... or than this, if it may be an emblem on the felt, or a lamp's image, as the net sees nothing of a hand in it."""


def as_arms(found: list[Residue], *, hand_at: Callable[[Floats], float] = lambda _: 1.0) -> list[Residue]:
    """Return what is as large as an arm, and no line.

    hand_at: tells how likely the net sees some of a hand within an upright rectangle (4, 2) mm. What is not much larger
    and looks like none is printed there, or was laid there: no use to wait until it is gone.
    """
    large = [r for r in found if not r.line and r.area_mm2 > (ARM_MM2 if r.at_rim else HEAP_MM2)]
    plainly = (r.area_mm2 > (PLAIN_ARM_MM2 if r.at_rim else PLAIN_HEAP_MM2) for r in large)
    return [r for sure, r in zip(plainly, large, strict=True) if sure or hand_at(r.outline_mm) >= HAND_PERHAPS]


def lit_alone(
    arms: list[Residue], *, hand_at: Callable[[Floats], float], light: Callable[[Residue], bool]
) -> list[Residue]:
    """Return those of some arms that are nothing but light on felt, as no hand is certain there.

    hand_at: as for `as_arms`. light: tells whether something looks so (`vision.ground.hard_light`).
    """
    return [r for r in arms if hand_at(r.outline_mm) < HAND_CERTAIN and light(r)]


def hand_area(hand: NDArray[np.float32]) -> float:
    """Return the mm2 that a hand or another foreign body covers, 0 where it keeps off the felt.

    hand: as in `vision.finding.pieces.Pieces`.
    """
    covered = hand > HAND_CERTAIN
    if covered[BESIDE_CELLS:-BESIDE_CELLS, BESIDE_CELLS:-BESIDE_CELLS].sum() < ON_FELT_CELLS:
        return 0.0
    return float(covered.sum()) * HAND_CELL_MM**2


def picture_problems(rectified_bgr: Image, tray: Tray, *, washed: Floats, paper: float | None = None) -> Problem:
    """Return what is measured of light and sharpness: DARK, GLARE, BLUR, FIDUCIAL_MISSING.

    washed: (n,) share of each piece that is blown out. paper: brightness of the markers' white paper, 0..255, or of
    what else is light there; None where nothing is seen that would tell.
    """
    found = Problem.NONE
    grey = np.asarray(cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    lit = paper is not None and paper >= LIT_PAPER
    if not lit and _level(grey, 0.9) < 2 * DARK_LEVEL and _level(grey, 0.5) < DARK_LEVEL:
        found |= Problem.DARK
    if len(washed) and float(washed.max()) > GLARE_SHARE:
        found |= Problem.GLARE
    if _sharpness(grey) < BLUR_SHARPNESS:
        found |= Problem.BLUR
    if not tray.complete:
        found |= Problem.FIDUCIAL_MISSING
    return found


def shows_nothing(picture_bgr: Image) -> bool:
    """Return whether hardly anything at all is seen in a picture, as with the lens covered or the lamp out."""
    return bool(np.percentile(picture_bgr[::8, ::8].max(axis=2), LIGHTEST) < NOTHING)


def light_amiss(picture_bgr: Image) -> Problem:
    """Return DARK or BRIGHT for a picture in whose light no tray would be seen, NONE for any other; 1 ms.

    For pictures that show none: then people need not look for the tray, but for the lamp.
    """
    if shows_nothing(picture_bgr):
        return Problem.DARK
    two = np.sort(picture_bgr[::8, ::8], axis=2)[..., 1] >= BLOWN_OUT
    return Problem.BRIGHT if two.mean() >= ALL_WHITE else Problem.NONE


def paper_level(rectified_bgr: Image, papers_px: list[Floats]) -> float | None:
    """Return how bright the white of markers is, 0..255; None without any.

    rectified_bgr: the tray alone; papers_px: (4, 2) each, upright rectangles in it, white but for the black square.
    """
    seen = _levels(rectified_bgr, papers_px, WHITE_SHARE)
    return float(np.median(seen)) if seen else None


def lightest(rectified_bgr: Image, pieces_px: Floats) -> float | None:
    """Return how bright the lightest of some pieces is, most of its light part, 0..255; None without any.

    rectified_bgr: the tray alone; pieces_px: (n, 4, 2) quads in it.
    """
    middle = pieces_px.mean(axis=1, keepdims=True)
    return max(_levels(rectified_bgr, middle + WITHIN * (pieces_px - middle), WHITE_SHARE), default=None)


def _levels(rectified_bgr: Image, outlines_px: Iterable[Floats], share: float) -> list[float]:
    """Return a quantile of the brightness of what lies within each outline (4, 2), but for what is out of sight."""
    seen = []
    for outline in outlines_px:
        (x0, y0), (x1, y1) = np.clip(np.round([outline.min(axis=0), outline.max(axis=0)]), 0, None).astype(int).tolist()
        patch = rectified_bgr[y0:y1, x0:x1]
        if patch.size:
            seen.append(_level(np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)), share))
    return seen


def blown_out(picture_bgr: Image) -> NDArray[np.bool_]:
    """Return (h, w) where the picture is so bright that nothing white would be seen. picture_bgr: (h, w, 3) uint8."""
    # By OpenCV: numpy's least over an axis of three takes 2 ms.
    return np.asarray(cv2.inRange(picture_bgr, (BLOWN_OUT,) * 3, (255,) * 3) > 0)


def hides_a_piece(blown: NDArray[np.bool_], *, side_px: float) -> bool:
    """Return whether a square so wide fits into the part of a picture that is blown out. blown: (h, w)."""
    side = max(1, round(side_px))
    white, square = blown.astype(np.uint8), np.ones((side, side), np.uint8)
    return bool(cv2.erode(white, square, borderType=cv2.BORDER_CONSTANT, borderValue=0).any())


def _sharpness(grey: NDArray[np.uint8]) -> float:
    """Return the strongest fine contrast over the strongest coarse contrast: near 0 in a blurred picture."""
    h, w = grey.shape
    middle = grey[h // 5 : -h // 5, w // 6 : -w // 6]
    fine = cv2.absdiff(middle, cv2.blur(middle, (3, 3)))
    coarse = cv2.absdiff(middle, cv2.blur(middle, (25, 25)))
    return _level(fine, 0.995) / max(1.0, _level(coarse, 0.995))


def moved_while_taken(rectified_bgr: Image, pieces_px: Floats) -> bool:
    """Return whether pieces are smeared along one direction, as where camera or tray moved.

    pieces_px: (n, 4, 2) where they lie in the rectified picture. What lies around them is not asked: felt may be
    brushed one way, and of a piece that a border cuts through one side is seen.
    """
    low = np.clip(np.floor(pieces_px.min(axis=1) - AROUND_PX), 0, None).astype(int)
    high = np.clip(np.ceil(pieces_px.max(axis=1) + AROUND_PX), 0, None).astype(int)
    near = np.zeros(rectified_bgr.shape[:2], np.uint8)
    for (x0, y0), (x1, y1) in zip(low.tolist(), high.tolist(), strict=True):
        near[y0:y1, x0:x1] = 1
    if not near.any():
        return False
    (x0, y0), (x1, y1) = low.min(axis=0).tolist(), high.max(axis=0).tolist()
    grey = np.asarray(cv2.cvtColor(rectified_bgr[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY))
    return _along_and_across(grey, near[y0:y1, x0:x1]) < STREAKED


def _along_and_across(grey: NDArray[Any], near: NDArray[np.uint8]) -> float:
    """Return the least fine contrast along any direction over the most: small where a picture is smeared along one.

    near: (h, w) 1 for the pixels that count.
    """
    fine = [_level_between(cv2.absdiff(grey, cv2.filter2D(grey, -1, line)), 0.99, near) for line in _lines()]
    return max(1.0, min(fine)) / max(1.0, *fine)


@cache
def _lines() -> list[NDArray[np.float32]]:
    """Return the kernels of lines through the middle, of STREAK_PX pixels in DIRECTIONS directions."""
    reach, out = (STREAK_PX - 1) / 2, []
    for turn in np.arange(DIRECTIONS) * np.pi / DIRECTIONS:
        x, y = np.round(reach * np.cos(turn)), np.round(reach * np.sin(turn))
        kernel = np.zeros((STREAK_PX, STREAK_PX), np.float32)
        ends = np.array([[reach - x, reach - y], [reach + x, reach + y]]).astype(int).tolist()
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        out.append(kernel / kernel.sum())
    return out


def _level_between(values: NDArray[Any], share: float, near: NDArray[np.uint8]) -> float:
    """Return the same quantile as `_level` of some pixels, between whole values: fine contrast is a few of them."""
    counts = cv2.calcHist([values], [0], near, [256], [0.0, 256.0]).ravel().cumsum()
    due = share * counts[-1]
    at = int(np.searchsorted(counts, due))
    below = counts[at - 1] if at else 0.0
    return float(at - 1 + (due - below) / max(1.0, counts[at] - below))


def _level(values: NDArray[Any], share: float) -> float:
    """Return a quantile of uint8 values, by counting."""
    counts = cv2.calcHist([values], [0], None, [256], [0.0, 256.0]).ravel().cumsum()
    return float(np.searchsorted(counts, share * counts[-1]))
