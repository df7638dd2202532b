"""Dice in the roll zones of a mat: found against a tone of print that no die has, read by the net for faces."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.channels import most, threefold
from vision.dice import loose, loose_spots
from vision.dice.sizes import sides_by_set
from vision.eyes import Eyes
from vision.ground.white import Papers
from vision.mats.mat import Area, Mat
from vision.mats.paper import PX_PER_MM, Paper
from vision.reading import DieReading, Problem
from vision.tray.rectify import Image, Tray

BRIGHTER, DARKER, TINTED = 0.22, -0.75, 0.22
"""Logarithms beside the zone's bare print beyond which something lies there; a shadow is neither."""
SIDES_MM = (9.0, 24.0)
LONGEST = 1.45
"""Longer than wide by more than this it is no single die that lies flat: its side adds a quarter at most."""
LEAST_MM2 = 30.0
HAND_MM2 = 1300.0
"""Larger than four dice that touch: wait for it to go."""
TONE_OFF = 0.3
"""A printer's grey is nearer to the drawing's than this (logarithm), as is no bare felt but a grey one."""
DIE_LEANS = 0.0135
"""How far beside the middle of its outline a die's top face is seen, over its distance from below the camera."""


def read_dice(
    picture_bgr: Image, tray: Tray, mat: Mat, paper: Paper, *, eyes: Eyes
) -> tuple[tuple[DieReading, ...], Problem]:
    """Return the dice in the roll zones, and COUNT where something lies there that is no single flat die."""
    return _faces(picture_bgr, tray, [piece for zone in mat.rolls for piece in _pieces(paper, zone)], eyes)


def _faces(picture_bgr: Image, tray: Tray, found: list[Piece], eyes: Eyes) -> tuple[tuple[DieReading, ...], Problem]:
    """Return what those pieces show that are single flat dice, and COUNT when any is none."""
    plain = [piece for piece in found if _is_die(piece)]
    problem = Problem.NONE if len(plain) == len(found) else Problem.COUNT
    if not plain:
        return (), problem
    middles = np.array([middle for middle, _ in plain])
    middles = middles + DIE_LEANS * (middles - np.array([180.0, 130.0]))
    side = sides_by_set(np.array([(shorter, shorter) for _, (shorter, _) in plain]), np.ones(len(plain), dtype=bool))
    quads = loose_spots.dice_quads(picture_bgr, middles, side_mm=side, tray=tray)
    score = np.ones(len(plain))
    spots = loose_spots.look_at_loose(picture_bgr, quads, np.full(len(plain), True), score, look=eyes.faces)
    read = loose.read_loose(picture_bgr, spots, white_bgr=Papers.of(picture_bgr, tray).white())
    return read.dice, problem | read.problems


Piece = tuple[tuple[float, float], tuple[float, float]]
"""Middle and (shorter, longer) side, millimetres."""


def _pieces(paper: Paper, zone: Area) -> list[Piece]:
    rows, columns = (_span(zone.top, zone.height), _span(zone.left, zone.width))
    change = paper.change[rows, columns] - np.median(paper.change[rows, columns], axis=(0, 1))
    mask = _foreign(change)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    out: list[Piece] = []
    for outline in outlines:
        if cv2.contourArea(outline) < LEAST_MM2 * PX_PER_MM**2:
            continue
        out.append(_piece(outline, left=columns.start, top=rows.start))
    return out


def read_loose_dice(
    picture_bgr: Image, tray: Tray, mat: Mat, paper: Paper, *, eyes: Eyes
) -> tuple[tuple[DieReading, ...], Problem] | None:
    """Return the dice anywhere on a mat that is for dice alone; None when that mat does not lie there.

    HAND where something as large as one is seen, COUNT for what is no single flat die: two that touch, a die
    on another, a leaning one.
    """
    level = _level(paper, mat)
    if level is None:
        return None
    outlines, _ = cv2.findContours(
        _foreign(paper.change - level[..., None]) * _off_markers(level.shape),
        cv2.RETR_EXTERNAL,
        cv2.CHAIN_APPROX_SIMPLE,
    )
    sizes = [cv2.contourArea(outline) / PX_PER_MM**2 for outline in outlines]
    if max(sizes, default=0.0) > HAND_MM2:
        return (), Problem.HAND
    found = [_piece(outline) for outline, size in zip(outlines, sizes, strict=True) if size >= LEAST_MM2]
    return _faces(picture_bgr, tray, found, eyes)


def _level(paper: Paper, mat: Mat) -> NDArray[np.float32] | None:
    """Return (h, w) how the printer's tone departs from the proof; None where the tones are not there at all."""
    level = np.zeros(paper.dimmed.shape, np.float32)
    for zone in mat.rolls:
        at = _span(zone.top, zone.height), _span(zone.left, zone.width)
        level[at] = np.median(paper.dimmed[at])
        if abs(float(level[at].mean())) > TONE_OFF:
            return None
    return level


def _off_markers(shape: tuple[int, ...]) -> NDArray[np.uint8]:
    out = np.ones(shape, np.uint8)
    corner, rim = round(37 * PX_PER_MM), round(2 * PX_PER_MM)
    for rows in (slice(0, corner), slice(-corner, None)):
        for columns in (slice(0, corner), slice(-corner, None)):
            out[rows, columns] = 0
    out[:rim], out[-rim:], out[:, :rim], out[:, -rim:] = 0, 0, 0, 0
    return out


def _piece(outline: NDArray[Any], *, left: int = 0, top: int = 0) -> Piece:
    (x, y), size, _ = cv2.minAreaRect(outline)
    middle = (left + x + 0.5) / PX_PER_MM, (top + y + 0.5) / PX_PER_MM
    return middle, ((min(size) + 1) / PX_PER_MM, (max(size) + 1) / PX_PER_MM)


def _span(start: float, length: float) -> slice:
    # A millimetre inside: the zone's own border is no piece.
    return slice(round((start + 1.0) * PX_PER_MM), round((start + length - 1.0) * PX_PER_MM))


def _foreign(change: NDArray[Any]) -> NDArray[np.uint8]:
    dimmed = change.mean(axis=2)
    tint = most(np.abs(change - threefold(dimmed)))
    rough = ((dimmed > BRIGHTER) | (dimmed < DARKER) | (tint > TINTED)).astype(np.uint8)
    whole = cv2.morphologyEx(rough, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), dtype=np.uint8)


def _is_die(piece: Piece) -> bool:
    short, long = piece[1]
    return SIDES_MM[0] <= short and long <= 1.3 * SIDES_MM[1] and long <= LONGEST * short
