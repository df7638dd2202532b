"""Dice in a photograph without a tray: the picture itself is taken for the tray."""

from __future__ import annotations

import numpy as np

from vision import faces, loose
from vision.lint import outlined
from vision.loose import Loose, LooseSpots
from vision.pieces import KINDS, Pieces, find_loose
from vision.rectify import Image, Tray, tray_from_clicks
from vision.scales import NOMINAL_MM, find_at_any_scale

FAINT = 0.25
"""Score from which a die is looked at."""
DOUBT = 1e-3
"""A die in which there is more doubt is asked about: without felt and rim nothing but its face speaks for it."""


def tray_of_picture(picture_bgr: Image, *, px_per_mm: float) -> Tray:
    """Return the whole picture as a tray seen from straight above."""
    h, w = picture_bgr.shape[:2]
    corners = ((-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5))
    return tray_from_clicks(corners, size_mm=(w / px_per_mm, h / px_per_mm))


def read_dice(picture_bgr: Image) -> Loose:
    """Return the dice in a photograph of unknown scale, seen roughly from above.

    Costs some 0.3 s: for trying the eye on pictures without a tray. What it asks about, and what it takes for
    a die, it decides as on a tray; but it must be surer of each, and there is no felt by which to see what no die
    explains.
    """
    found, px_per_mm = find_at_any_scale(picture_bgr, kind="die")
    found, px_per_mm = _again_at_true_size(picture_bgr, found, px_per_mm)
    tray = tray_of_picture(picture_bgr, px_per_mm=px_per_mm)
    found = found.of(KINDS[1])
    quads_px = found.quads_px().astype(np.float64)
    score = np.asarray(found.score, np.float64)
    if len(score):
        side = float(np.median(found.size_px[score >= min(loose.PLAIN, float(score.max()))])) / px_per_mm
        centre = tray.to_mm(quads_px.mean(axis=1))
        quads_px = loose.dice_quads(picture_bgr, centre, side_mm=side, tray=tray)
    spots = loose.look_at_loose(picture_bgr, quads_px, np.ones(len(score), bool), score, look=faces.look)
    return loose.read_loose(picture_bgr, _without_crumbs(picture_bgr, spots, tray), white_bgr=None, doubt=DOUBT)


def _without_crumbs(picture_bgr: Image, spots: LooseSpots, tray: Tray) -> LooseSpots:
    """Return the dice without the ones that have no edges: a crumb on a dark cloth looks like a pip."""
    ones = np.asarray(spots.faces.log_probs.argmax(axis=1) == faces.FACES.index(("die", 1)))
    if not ones.any():
        return spots
    quads_mm = tray.to_mm(spots.quads_px)
    middle, width = quads_mm.mean(axis=1), float(np.median(np.linalg.norm(quads_mm[:, 1] - quads_mm[:, 0], axis=1)))
    keep = np.ones(len(ones), dtype=bool)
    keep[ones] = outlined(picture_bgr, middle[ones], middle, width_mm=width, tray=tray)
    return spots.only(keep)


def _again_at_true_size(picture_bgr: Image, found: Pieces, px_per_mm: float) -> tuple[Pieces, float]:
    """Return the dice sought once more at the scale that makes them as large as dice are, and that scale."""
    plain = found.size_px[found.score >= min(loose.PLAIN, float(found.score.max(initial=0.0)))]
    if len(plain) == 0:
        return found, px_per_mm
    finer = float(np.median(plain)) / float(NOMINAL_MM[1])
    return find_loose(picture_bgr, px_per_mm=finer, score=FAINT, kind="die"), finer
