"""An empty tray, shown once: what is kept of its felt, and what is printed there taken out of later pictures."""

from __future__ import annotations

import numpy as np

from vision.errors import BadBareFelt, PiecesOnFelt
from vision.eyes import Eyes, shipped_eyes
from vision.finding.scene import MARGIN_MM, SCALE, found_mm
from vision.geometry import quad
from vision.ground.bare_felt import BareFelt, Unprinted
from vision.tray.rectify import Image, Tray, find_tray, rectify

LIKE_A_PIECE = 0.6
"""What the finder takes for a piece by so much may be one that was left there. Of 1,418 pieces on printed felts 96 %
are found by more, and so is something on 29 % of these felts when they are bare: then a person says that it is printed.
"""


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


def _refuse_pieces(pieces_mm: list[np.ndarray], tray: Tray) -> None:
    if pieces_mm:
        some = "something looks like a piece" if len(pieces_mm) == 1 else f"{len(pieces_mm)} things look like pieces"
        x, y = pieces_mm[0].mean(axis=0)
        raise PiecesOnFelt(
            f"{some}, the first {x:.0f} mm right of the felt's top left corner and {y:.0f} mm below (expected an empty"
            " tray; unless it is printed)",
            [quad(tray.to_px(piece)) for piece in pieces_mm],
        )


__all__ = ["felt_of", "without_print"]
