"""From drawn pictures to what a net must not take for a die or a disk: crops of shadows, fibres and bare felt."""

from __future__ import annotations

import cv2
import numpy as np

from vision.crops import around, standing
from vision.drawing import Drawn
from vision.drawing.truth import spread
from vision.geometry import upright_around, widths
from vision.training.samples import jittered

FROM, TO = 0.8, 1.9
"""A piece's shadow lies from and to so far off its middle, over its side."""
TRIED, TRIED_ANYWHERE = 12, 2
"""Places looked at for each that is taken: the darkest beside a piece, the roughest on bare felt, and the roughest of
all, which lie on markers and at the rim."""
WITHIN = 0.86
"""Bare felt lies within this of the tray, over its size: the markers lie without."""
MIDDLE, COVERED = 0.25, 0.15
"""Nothing lies where pieces cover no more than the second of a square without a margin of the first of its side."""
SHADED = 0.5
"""Share of the places on bare felt that lie in a shadow of a piece: such as a small lamp throws lies a piece's width
from it, as dark and nearly as sharp as a dark piece."""
LEFT, TINT = (0.3, 0.85), 0.04
"""Of the light there so much is left, of each colour a little more or less."""
LONG, SOFT = (0.85, 1.5), (0.02, 0.14)
"""How long a shadow is, and how soft its edges are, over the piece's side."""
LINTY = 0.3
"""Share of those places on which fibres or crumbs are painted: few felts have any in the middle of a crop."""
FIBRES, STEP, STRONG = 3, (0.0, 0.4), (15.0, 130.0)
"""So many of them at most, of three steps each, how long over the piece's side, and how much lighter than the felt, in
grey values; one in four is darker."""


def bare_of(drawn: Drawn, rng: np.random.Generator, *, copies: int) -> np.ndarray:
    """Return crops with what is around them, (n, 48, 48, 3) uint8, in whose middle no piece lies.

    As large as the pieces there: the darkest places beside them, the roughest on bare felt, some of these in a shadow,
    and some anywhere. copies: of each of the first two, for each piece. What a hand covers is left out.
    """
    taken, soft = _taken(drawn), cv2.GaussianBlur(drawn.picture_bgr, (0, 0), 0.8).mean(axis=2)
    whole = np.array(drawn.truth["tray"]["corners"])
    inner = whole.mean(axis=0) + WITHIN * (whole - whole.mean(axis=0))
    marked = taken.copy()
    for marker in drawn.truth["markers"]:
        marked |= (
            cv2.fillConvexPoly(np.zeros(taken.shape, np.uint8), np.array(marker["corners"]).astype(np.int32), 1) > 0
        )
    beside, rough = [], []
    for square in _pieces(drawn):
        wide = float(widths(square[None])[0])
        turn = rng.uniform(0, 2 * np.pi, copies * TRIED)
        away = wide * rng.uniform(FROM, TO, (copies * TRIED, 1)) * np.c_[np.cos(turn), np.sin(turn)]
        there = square + away[:, None]
        beside += _best(there, taken, -_seen(soft, there).mean(axis=1), copies)
        # A fibre is thin: between a lattice's points it is missed.
        detail = cv2.blur(np.abs(soft - cv2.blur(soft, _around(wide / 3))), _around(wide / 2))
        for within, full, tried, kept in ((inner, marked, copies * TRIED, copies), (whole, taken, TRIED_ANYWHERE, 1)):
            there = square - square.mean(axis=0) + _places(within, rng, tried)[:, None]
            rough += _best(there, full, _seen(detail, there)[:, 12], kept)
    found = [jittered(quad, rng, turn_deg=60.0, off=0.07) for quad in beside + rough]
    crops = around.cut(drawn.picture_bgr, np.array(found).reshape(-1, 4, 2), share=standing.SHARE)
    for crop in crops[len(beside) :]:
        what = rng.random()
        if what < SHADED:
            crop[...] = _in_shadow(crop, rng)
        elif what < SHADED + LINTY:
            crop[...] = _with_lint(crop, rng)
    return crops


def _with_lint(crop_bgr: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a crop (s, s, 3) uint8 with fibres and crumbs about its middle."""
    size, side, out = len(crop_bgr), len(crop_bgr) * standing.SHARE, crop_bgr.astype(np.float32)
    for _ in range(rng.integers(1, FIBRES + 1)):
        turns = np.cumsum(rng.normal(0, 0.9, 3)) + rng.uniform(0, 2 * np.pi)
        steps = side * rng.uniform(*STEP) * np.c_[np.cos(turns), np.sin(turns)]
        points = size / 2 + np.cumsum([rng.normal(0, 0.35 * side, 2), *steps], axis=0)
        there = np.zeros((size, size), np.uint8)
        # Sixteenths of a pixel.
        cv2.polylines(there, [np.round(16 * points).astype(np.int32)], False, 255, 1, cv2.LINE_AA, 4)
        cover = cv2.GaussianBlur(there.astype(np.float32) / 255, (0, 0), rng.uniform(0.3, 0.9))
        strong = rng.uniform(*STRONG) * rng.choice([1, 1, 1, -1])
        out += (cover * strong)[..., None] * rng.normal(1, 0.1, 3).astype(np.float32)
    return out.round().clip(0, 255).astype(np.uint8)


def _in_shadow(crop_bgr: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a crop (s, s, 3) uint8 with the shadow of a piece in its middle."""
    size, side = len(crop_bgr), len(crop_bgr) * standing.SHARE
    wide = side * np.array([rng.uniform(*LONG), rng.uniform(0.85, 1.15)])
    turn = np.radians(rng.uniform(0, 180))
    middle = (size - 1) / 2 + rng.normal(0, 0.05 * side, 2)
    y, x = np.mgrid[:size, :size] - middle[::-1, None, None]
    along, across = np.abs(np.cos(turn) * x + np.sin(turn) * y), np.abs(np.cos(turn) * y - np.sin(turn) * x)
    round_ = rng.uniform(0.1, 0.5) * wide.min()
    out = np.hypot(*np.maximum([along - wide[0] / 2 + round_, across - wide[1] / 2 + round_], 0)) - round_
    shade = 1 / (1 + np.exp(np.clip(out / (side * rng.uniform(*SOFT)) * 2, -30, 30)))
    left = rng.uniform(*LEFT) * rng.normal(1, TINT, 3)
    return (crop_bgr * (1 - shade[..., None] * (1 - left))).round().clip(0, 255).astype(np.uint8)


def _around(wide: float) -> tuple[int, int]:
    """Return the odd sides of a window so wide, in pixels."""
    return (int(wide) | 1, int(wide) | 1)


def _places(quad: np.ndarray, rng: np.random.Generator, n: int) -> np.ndarray:
    """Return places (n, 2) in a quad (4, 2)."""
    across, down = rng.uniform(0, 1, (2, n, 1))
    top, bottom = (quad[a] + across * (quad[b] - quad[a]) for a, b in ((0, 1), (3, 2)))
    return top + down * (bottom - top)


def _pieces(drawn: Drawn) -> np.ndarray:
    """Return the tops of dice and the squares around disks, (n, 4, 2)."""
    tops = [np.array(die["top_quad"]) for die in drawn.truth["dice"]]
    tops += [upright_around(disk["outline"]) for disk in drawn.truth["disks"]]
    return np.array(tops, dtype=np.float64).reshape(-1, 4, 2)


def _taken(drawn: Drawn) -> np.ndarray:
    """Return (h, w) bool where pieces, tiles or a hand lie."""
    mask = np.zeros(drawn.picture_bgr.shape[:2], np.uint8)
    outlines = [np.array(piece["outline"]) for kind in ("disks", "tiles") for piece in drawn.truth[kind]]
    for die in drawn.truth["dice"]:
        top = np.array(die["top_quad"])
        outlines.append(np.concatenate([top, top + 2 * (np.array(die["body_center"]) - top.mean(axis=0))]))
    for outline in outlines:
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(outline).astype(np.int32)), 1)
    return (mask > 0) if drawn.hand_mask is None else (mask > 0) | (drawn.hand_mask > 127)


def _seen(picture: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """Return (n, 25) what is seen of a picture (h, w) in the middle of squares (n, 4, 2)."""
    points = np.array([spread(quad, inset=MIDDLE) for quad in quads]).round().astype(int)
    h, w = picture.shape
    return picture[points[..., 1].clip(0, h - 1), points[..., 0].clip(0, w - 1)]


def _best(quads: np.ndarray, taken: np.ndarray, worth: np.ndarray, copies: int) -> list[np.ndarray]:
    """Return those of squares (n, 4, 2) in whose middle nothing lies that are worth (n,) most, no more than copies."""
    free = np.flatnonzero(_seen(taken, quads).mean(axis=1) <= COVERED)
    return [*quads[free[np.argsort(-worth[free], kind="stable")[:copies]]]]
