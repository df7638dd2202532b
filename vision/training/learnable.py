"""Which of a drawing's labels a net is to learn: not what nobody could see, nor a number that no set has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np

from vision.drawing import Drawn, Look, TrayScene, camera_of
from vision.drawing.dice import number_alpha
from vision.drawing.tiles import glyph_alpha

ALIKE, SHARP = 0.35, 1.3
"""A digit is seen where its face's colours agree with its shape better than this (a correlation), or where its outline
is so much sharper than the rest of the face."""


def tell_learnable(drawn: Drawn, scene: TrayScene, look: Look) -> None:
    """Mark in a truth what its picture cannot teach: first numbers as unreadable, then what nobody could see as blank.

    In that order: a number whose ink nobody sees looks like a tile that lies face down, not like a number.
    """
    tell_numbers(drawn, scene, look)
    tell_unseen_ink(drawn, scene, look)


def tell_numbers(drawn: Drawn, scene: TrayScene, look: Look) -> None:
    """Mark tiles in a truth that show a number of two digits (`vision.training.numbers`) as unreadable.

    That is what a reader should say of them: no set of ours has such a tile, and half a number is no digit.
    """
    for tile, label in zip(scene.tiles, drawn.truth["tiles"], strict=True):
        if tile.face_up and f"{tile.colour}:{tile.symbol}" in look.glyphs:
            label["legibility"] = "unreadable"


def tell_unseen_ink(drawn: Drawn, scene: TrayScene, look: Look) -> None:
    """Mark tiles and queue disks in a truth whose ink cannot be seen, for its colour, the light or the grain of wood.

    `legibility` becomes "blank": nobody could tell such a tile from one that lies face down, so it teaches nothing but
    doubt about face-down ones. Where light hides a whole face is told by its brightness, which the net is not shown.
    """
    h, w = drawn.picture_bgr.shape[:2]
    camera = camera_of(look, size_wh_px=(w, h))
    for tile, label in zip(scene.tiles, drawn.truth["tiles"], strict=True):
        ink = partial(glyph_alpha, tile, look, camera)
        if tile.face_up and label["visible"] >= 0.85 and not _ink_seen(drawn.picture_bgr, label["quad"], ink):
            label["legibility"] = "blank"
    for disk, label in zip(scene.disks, drawn.truth["disks"], strict=True):
        ink = partial(number_alpha, disk, look, camera)
        if disk.kind == "queue" and not _ink_seen(drawn.picture_bgr, label["outline"], ink):
            label["legibility"] = "blank"


def _ink_seen(
    picture_bgr: np.ndarray,
    outline_px: Sequence[Sequence[float]],
    ink_of: Callable[[np.ndarray, tuple[int, int]], np.ndarray],
) -> bool:
    """Return whether a digit can be seen on a face, or so little of the face that nobody can say.

    outline_px: (n, 2) convex. ink_of: from where in the picture on, (width, height) -> how much of each pixel is ink.
    """
    outline = np.array(outline_px)
    h, w = picture_bgr.shape[:2]
    low = np.maximum(np.floor(outline.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(0)).astype(int), (w, h))
    if (high - low).min() < 8:
        return True
    part = picture_bgr[low[1] : high[1], low[0] : high[0]]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(0.85 * outline + 0.15 * outline.mean(0) - low).astype(np.int32), 1)
    return _stands_out(part, ink_of(low, (part.shape[1], part.shape[0])), inside > 0)


def _stands_out(part_bgr: np.ndarray, ink: np.ndarray, inside: np.ndarray) -> bool:
    """Return whether a digit stands out from its face: by its colour, or (cut, or in uneven light) by its outline."""
    deep, bare = inside & (ink > 0.7 * ink.max()), inside & (cv2.dilate(ink, np.ones((5, 5), np.uint8)) < 0.05)
    outline = inside & (cv2.morphologyEx(ink, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0.3)
    if min(deep.sum(), bare.sum(), outline.sum()) < 4:
        return True
    values = cv2.cvtColor(part_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    along = values[inside] @ (values[deep].mean(0) - values[bare].mean(0))
    if along.std() > 1e-6 and np.corrcoef(along, ink[inside])[0, 1] > ALIKE:
        return True
    soft = cv2.GaussianBlur(part_bgr.astype(np.float32), (0, 0), 0.8)
    steep = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)).max(axis=2)
    return bool(np.median(steep[outline]) > SHARP * max(float(np.median(steep[bare])), 1.0))
