"""Dice and disks, sought more finely than all pieces are: small, dark, and touching each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.finding.pieces import LOOSE_PX_PER_MM, Pieces
from vision.finding.scene import EMPTY_SCORE, MARGIN_MM, SCALE
from vision.geometry import nearest
from vision.tray.rectify import Image, Tray, rectify

FINE_MARGIN_MM = 16.0
"""Around the felt in the finer picture: seen aslant, the top of a die at the rim lies beyond the felt."""
APART = 0.5
"""A tile nearer to a loose piece than this, over the tile's width, is that piece."""


def with_finer(picture_bgr: Image, tray: Tray, found: Pieces, *, find: Callable[[Image], Pieces]) -> Pieces:
    """Return the tiles and hands as found, with dice and disks as a finer net finds them; faint are dice alone.

    found: in the rectified picture at SCALE with MARGIN_MM, as the answer is. find: as
    `vision.finding.pieces.find_loose`.
    """
    seen = find(rectify(picture_bgr, tray, px_per_mm=LOOSE_PX_PER_MM, margin_mm=FINE_MARGIN_MM))
    fine = replace(_as_coarse(seen), hand=found.hand)
    tiles = found.only(found.are("tile") & (found.score >= EMPTY_SCORE))
    if len(tiles.kind) and len(fine.kind):
        away = nearest(tiles.centre_px, fine.centre_px)
        tiles = tiles.only(away > APART * tiles.size_px.min(axis=1))
    faint = None if seen.faint is None else _as_coarse(seen.faint.of("die"))
    return replace(fine.and_(tiles), faint=faint)


def _as_coarse(fine: Pieces) -> Pieces:
    """Return what lies in the finer picture where it lies in the one at SCALE."""
    ratio = SCALE / LOOSE_PX_PER_MM
    centre = (fine.centre_px + 0.5) * ratio + (MARGIN_MM - FINE_MARGIN_MM) * SCALE - 0.5
    return replace(fine, centre_px=centre.astype(np.float32), size_px=fine.size_px * np.float32(ratio))
