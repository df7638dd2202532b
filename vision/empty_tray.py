"""An empty tray, shown once: what is kept of its felt, and what is printed there taken out of later pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vision.errors import BadBareFelt, PiecesOnFelt
from vision.eyes import Eyes, shipped_eyes
from vision.finding.scene import MARGIN_MM, SCALE, found_mm
from vision.geometry import quad
from vision.ground.bare_felt import BareFelt, Unprinted
from vision.reading import Problem, Reading, Status
from vision.tray.rectify import Image, Tray, find_tray, rectify

LIKE_A_PIECE = 0.6
"""What the finder takes for a piece by so much may be one that was left there. Of 1,418 pieces on printed felts 96 %
are found by more, and so is something on 29 % of these felts when they are bare: then a person says that it is printed.
"""
UNLIKE_SHARE = 0.12
"""A piece of which less than this share is unlike the bare felt may be a print. Of 4,013 pieces on known prints, 131 of
them whole on a print of nearly their own colour, the least had 0.197; of what was invented there the most 0.046."""
AROUND_POINT_PX = 8.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""What is looked at of a piece whose middle alone is known."""


def felt_of(
    picture_bgr: Image, tray: Tray | None = None, *, eyes: Eyes | None = None, printed: bool = False
) -> BareFelt:
    """Return the felt of an empty tray.

    picture_bgr: (h, w, 3) uint8. tray: where it lies; None looks for it. eyes: None for the shipped nets. printed:
    whether a person has looked, and what looks like a piece is printed. Raises BadBareFelt where no tray is seen or too
    little plain felt, and PiecesOnFelt where something looks like a piece.
    """
    where = tray or find_tray(picture_bgr)
    if where is None:
        raise BadBareFelt("no tray is seen (expected an empty one: its markers, or its felt inside a rim)")
    if not printed:
        flat = rectify(picture_bgr, where, px_per_mm=SCALE, margin_mm=MARGIN_MM)
        _refuse_pieces(found_mm((eyes or shipped_eyes()).find(flat), least=LIKE_A_PIECE), where)
    return BareFelt.of(picture_bgr, where)


def without_print(
    picture_bgr: Image, tray: Tray | None, felt: BareFelt | None, *, eyes: Eyes | None = None
) -> Unprinted:
    """Return a picture without what is printed on its felt, as far as nothing lies on that.

    picture_bgr: (h, w, 3) uint8. tray: where it lies; None looks for it, and leaves a picture that shows none as it is.
    felt: None where none is known. eyes: who looks where pieces may lie; None for the shipped nets.
    """
    where = None if felt is None or not felt.printed.any() else tray or find_tray(picture_bgr)
    if felt is None or where is None:
        return Unprinted(picture_bgr, other=False)
    flat = rectify(picture_bgr, where, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    return felt.without_print(picture_bgr, where, found_mm((eyes or shipped_eyes()).find(flat)))


def doubting_prints(reading: Reading, plain: Unprinted) -> Reading:
    """Return a reading in which no piece is sure that looks just as the bare felt does where it lies.

    A patch of a print that was left in the picture, beside what lies on it, may look like a tile.
    """
    tiles = tuple(replace(t, sure=False, doubted=True) if _bare(plain, t.corners) else t for t in reading.tiles)
    dice = tuple(
        replace(d, sure=False, evidence=None) if _bare(plain, d.corners or d.centre) else d for d in reading.dice
    )
    disks = tuple(replace(d, sure=False, evidence=None) if _bare(plain, d.centre) else d for d in reading.disks)
    if (tiles, dice, disks) == (reading.tiles, reading.dice, reading.disks):
        return reading
    status = Status.UNSURE if reading.status is Status.READ else reading.status
    problems = reading.problems | Problem.COUNT
    return replace(reading, tiles=tiles, dice=dice, disks=disks, status=status, problems=problems)


def _bare(plain: Unprinted, where: Sequence[Any]) -> bool:
    """Return whether a place looks as the bare felt does: an outline in the picture, or what lies around a point."""
    outline = np.array(where, dtype=np.float64)
    return plain.unlike_within(outline if outline.ndim == 2 else outline + AROUND_POINT_PX) < UNLIKE_SHARE


def _refuse_pieces(pieces_mm: list[np.ndarray], tray: Tray) -> None:
    if pieces_mm:
        some = "something looks like a piece" if len(pieces_mm) == 1 else f"{len(pieces_mm)} things look like pieces"
        x, y = pieces_mm[0].mean(axis=0)
        raise PiecesOnFelt(
            f"{some}, the first {x:.0f} mm right of the felt's top left corner and {y:.0f} mm below (expected an empty"
            " tray; unless it is printed)",
            [quad(tray.to_px(piece)) for piece in pieces_mm],
        )


__all__ = ["doubting_prints", "felt_of", "without_print"]
