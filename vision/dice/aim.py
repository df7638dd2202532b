"""Where exactly the face of a doubtful die lies: in the middle of all places from which it can be read.

The finder errs where a flank looks like the top: dark dice with pale pips, seen aslant, by up to 0.4 of a side. The net
of faces has learnt that what lies half on a die cannot be read, and says so on every side of a face alike.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.crops.faces import Faces
from vision.crops.second_look import Look, certainty, look_again, most_doubtful
from vision.dice import loose_spots
from vision.dice.finds import angles_of, sides_of
from vision.finding.pieces import Pieces
from vision.finding.scene import MARGIN_MM, SCALE
from vision.geometry import Floats, inverse, transform
from vision.infer import DOUBT_PER_TILE
from vision.tray.rectify import Image, Tray, rectified_from_mm

STEPS = (-0.32, -0.16, 0.0, 0.16, 0.32)
GRID = np.array([(x, y) for y in STEPS for x in STEPS])
"""Where the face is sought, over its side: as far as the finder errs."""
READABLE = 0.5
"""Below this `p_unreadable` a place counts."""
ENOUGH = 1.0
"""So many places, each counted by how readable it is, tell where the face lies."""
ASKED = 1 - DOUBT_PER_TILE
"""Less certain faces than this are sought elsewhere, too: others need no question."""
AIMED = 0.18
"""A face no further off than this stays where it was found: so little does not hinder reading it. With 0.08 flanks came
so near to their dice that they were dice as well, on three of 462 traced trays."""
APART = 0.6
"""Nearer to another piece than this, over the side, lies that piece."""
PASSES = 2
"""A face at the edge of the places sought is sought again from there."""
FROM_MM = rectified_from_mm(px_per_mm=SCALE, margin_mm=MARGIN_MM)
"""(3, 3) from the tray's millimetres to the rectified picture in which pieces are found."""


def aimed_finds(picture_bgr: Image, tray: Tray, found: Pieces, look: Look) -> Pieces:
    """Return what was found in the rectified picture of a tray of dice, doubtful ones moved to where they can be read.

    look: as `vision.crops.faces.look`.
    """
    dice = np.flatnonzero(~found.are("tile") & (found.score >= loose_spots.FOUND))
    if len(dice) == 0:
        return found
    few = found.only(dice)
    quads = tops_of(picture_bgr, tray, few, side_mm=sides_of(few))
    there = aimed(picture_bgr, quads, few.score, look)
    moved = (there != quads).any(axis=(1, 2))
    if not moved.any():
        return found
    centre = found.centre_px.copy()
    centre[dice[moved]] = transform(tray.to_mm(there[moved]).mean(axis=1), FROM_MM)
    return replace(found, centre_px=centre)


def tops_of(picture_bgr: Image, tray: Tray, dice: Pieces, *, side_mm: Floats) -> Floats:
    """Return (n, 4, 2) the tops of dice in the picture, as finder and edges say that they lie.

    dice: in the rectified picture at SCALE with MARGIN_MM; side_mm: (n,).
    """
    middle = transform(dice.centre_px.astype(np.float64), inverse(FROM_MM))
    return loose_spots.dice_quads(picture_bgr, middle, side_mm=side_mm, tray=tray, found_deg=angles_of(dice))


def aimed(picture_bgr: Image, quads_px: Floats, score: Floats, look: Look) -> Floats:
    """Return the tops of dice (n, 4, 2), doubtful ones moved to where they can be read, and better so.

    score: (n,) how well each was found: none is moved onto one that was found better, or that can be read already.
    """
    first = look(picture_bgr, quads_px, np.ones(len(quads_px), dtype=bool))
    left = most_doubtful(first, below=ASKED)
    before = _certainty(picture_bgr, quads_px[left], first.only(left), look)
    left, before = left[before < ASKED], before[before < ASKED]
    there = _moved(picture_bgr, quads_px, left, score, look)
    moved = (there[left] != quads_px[left]).any(axis=(1, 2))
    left, before = left[moved], before[moved]
    if len(left):
        seen = look(picture_bgr, there[left], np.ones(len(left), dtype=bool))
        worse = left[_certainty(picture_bgr, there[left], seen, look) <= before]
        there[worse] = quads_px[worse]
    return there


def _certainty(picture_bgr: Image, quads_px: Floats, shown: Faces, look: Look) -> Floats:
    """Return (n,) how likely the likeliest face of each die is, after a second look at what is shown."""
    return certainty(look_again(picture_bgr, quads_px, np.ones(len(quads_px), dtype=bool), shown, look))


def _moved(picture_bgr: Image, quads_px: Floats, left: NDArray[np.int64], score: Floats, look: Look) -> Floats:
    """Return the tops (n, 4, 2), those that are left moved, as `aimed` does, whatever is seen there."""
    quads, plain = quads_px.copy(), np.delete(np.arange(len(quads_px)), left)
    for _ in range(PASSES):
        if len(left) == 0:
            break
        moved = []
        for k, (x, y) in zip(left, _steps(picture_bgr, quads[left], look), strict=True):
            quad = quads[k] + x * (quads[k, 1] - quads[k, 0]) + y * (quads[k, 3] - quads[k, 0])
            better = np.union1d(plain, np.flatnonzero(score > score[k]))
            if np.hypot(x, y) > AIMED and _free(quad, quads[better]):
                quads[k] = quad
                moved.append(k)
        left = np.array(moved, dtype=np.int64)
    return quads


def _steps(picture_bgr: Image, quads_px: Floats, look: Look) -> Floats:
    """Return (n, 2) how far each face lies from its quad, along its sides, over them; 0 where nobody knows."""
    across, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    cuts = [quads_px + (x * across + y * down)[:, None] for x, y in GRID]
    shown = look(picture_bgr, np.concatenate(cuts), np.ones(len(GRID) * len(quads_px), dtype=bool))
    unreadable = np.asarray(shown.p_unreadable, dtype=np.float64).reshape(len(GRID), -1)
    weight = np.where(unreadable < READABLE, 1 - unreadable, 0.0)
    total = weight.sum(axis=0)
    middle = weight.T @ GRID / np.maximum(total, ENOUGH)[:, None]
    return np.asarray(np.where((total >= ENOUGH)[:, None], middle, 0.0))


def _free(quad: Floats, others: Floats) -> bool:
    """Return whether no other piece, of (n, 4, 2), lies there."""
    if len(others) == 0:
        return True
    side = float(np.linalg.norm(quad[1] - quad[0]))
    return bool(np.linalg.norm(others.mean(axis=1) - quad.mean(axis=0), axis=1).min() > APART * side)
