"""What white is on a tray: the markers' paper, in the light that pieces have."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Bools, Floats, median, transform
from vision.ground.felt import Felt
from vision.ground.local_light import DARKENED, felt_beside
from vision.ground.papers import papers_of
from vision.tray.rectify import Image, Tray

SHADED = 0.75
"""Where one paper is less light than this, over another, in grey values, a shadow lies on it: on three of 602 trays."""
TOO_PALE, BLACK = 252, 12
"""Grey values beyond which a colour tells nothing of a lamp."""


@dataclass(frozen=True, slots=True)
class Papers:
    """The white paper of the markers that a picture shows, but for what is blown out or black."""

    where_mm: Floats
    """(m, 4, 2) on the tray."""
    bgr: Floats
    """(m, 3) blue green red."""

    @classmethod
    def of(cls, picture_bgr: Image, tray: Tray) -> Papers:
        """Return the papers of a picture's markers."""
        seen = {number: _paper_of(picture_bgr, np.array(corners)) for number, corners in tray.markers}
        usable = {n: colour for n, colour in seen.items() if colour.max() < TOO_PALE and colour.min() > BLACK}
        where = np.array(papers_of(tray))[list(usable)]
        return cls(where.reshape(-1, 4, 2), np.array(list(usable.values())).reshape(-1, 3))

    def lit(self) -> Bools:
        """Return (m,) on which of them no shadow lies."""
        level = self.bgr.mean(axis=1)
        return np.asarray(level > SHADED * level.max(initial=0.0))

    def white(
        self, *, ground: Felt | None = None, pieces_mm: Floats | None = None, lightest: float = 0.0
    ) -> Floats | None:
        """Return (3,) what white is in the light of the pieces, blue green red; None without any paper.

        Where a shadow lies on some of them those count that have the light of the pieces, by the felt beside both; the
        lightest ones if that does not tell. pieces_mm: (n, 4, 2) in the light that is meant; None, as for ground:
        unknown. lightest: grey value of what is lightest on them, than which white is no darker.
        """
        if len(self.bgr) == 0:
            return None
        lit = self.lit()
        if not lit.all() and ground is not None and pieces_mm is not None and len(pieces_mm):
            alike = _in_light_of(pieces_mm, self.where_mm, ground) & (self.bgr.mean(axis=1) >= lightest)
            lit = alike if alike.any() else lit
        return median(self.bgr[lit])


def _in_light_of(pieces_mm: Floats, papers_mm: Floats, ground: Felt) -> Bools:
    """Return (m,) which papers, (m, 4, 2), have the light that most of the pieces have, as the felt beside them tells.

    Of none where no felt is seen beside pieces.
    """
    lacks, _, told = felt_beside(ground, np.concatenate([pieces_mm, papers_mm]))
    n = len(pieces_mm)
    if not told[:n].any():
        return np.zeros(len(papers_mm), dtype=bool)
    usual = float(median(lacks[:n][told[:n]]))
    return np.asarray(told[n:] & (np.abs(lacks[n:] - usual) < DARKENED / 2))


def _paper_of(picture_bgr: Image, square_px: Floats) -> Floats:
    """Return (3,) the colour of a marker's paper, beside its black square (4, 2)."""
    to_px = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32), square_px.astype(np.float32)
    )
    along = np.linspace(0.05, 0.95, 10)
    out = 1.07
    around = np.concatenate([
        np.column_stack([along, np.full(10, 1 - out)]), np.column_stack([along, np.full(10, out)]),
        np.column_stack([np.full(10, 1 - out), along]), np.column_stack([np.full(10, out), along]),
    ])  # fmt: skip
    at = transform(around, np.asarray(to_px, dtype=np.float64)).astype(np.float32)
    line = cv2.remap(picture_bgr, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR)[0].astype(np.float64)
    light = line.sum(axis=1)
    return median(line[light >= median(light)])
