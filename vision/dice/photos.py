"""Dice in a photograph without a tray: the picture itself is taken for the tray, at the scale that shows most faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.crops import faces, outline
from vision.dice import loose, loose_doubts, loose_spots
from vision.dice.lint import outlined
from vision.dice.loose import Loose
from vision.dice.loose_spots import LooseSpots
from vision.dice.sizes import NO_TOP, doubted_beside, overlapping
from vision.finding.pieces import KINDS, Pieces, find_loose
from vision.finding.scales import NOMINAL_MM, at_each_scale, likely_sizes
from vision.geometry import Bools, Floats, widths
from vision.tray.rectify import Image, Tray, tray_from_clicks

FAINT = 0.25
"""Score from which a die is looked at."""
DOUBT = 1e-3
"""A die in which there is more doubt is asked about: without felt and rim nothing but its face speaks for it."""
ASLANT = 0.95
"""Two tops lie no nearer than this, over their side: one of the two is a die's side, and without a tray nobody can say
which one looks up."""
SAME_SCALE = 0.03
"""Scales that differ by less than this share show the same."""


@dataclass(frozen=True, slots=True)
class _Look:
    """The dice of a photograph as they are seen at one scale."""

    px_per_mm: float
    spots: LooseSpots
    evidence: float
    """How much speaks for this scale: plain faces on pieces of one size."""


def tray_of_picture(picture_bgr: Image, *, px_per_mm: float) -> Tray:
    """Return the whole picture as a tray seen from straight above."""
    h, w = picture_bgr.shape[:2]
    corners = ((-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5))
    return tray_from_clicks(corners, size_mm=(w / px_per_mm, h / px_per_mm))


def read_dice(picture_bgr: Image) -> Loose:
    """Return the dice in a photograph of unknown scale, seen roughly from above.

    Costs a second: for trying the eye on pictures without a tray. What it asks about, and what it takes for a die, it
    decides as on a tray; but it must be surer of each, and there is no felt by which to see what no die explains.
    """
    looks: list[_Look] = []
    for found, px_per_mm in at_each_scale(picture_bgr, kind="die"):
        true = _true_scale(found, px_per_mm)
        if not any(abs(true / look.px_per_mm - 1.0) < SAME_SCALE for look in looks):
            looks.append(_look(picture_bgr, true))
    best = max(looks, key=lambda look: look.evidence)
    return loose.read_loose(picture_bgr, best.spots, white_bgr=None, doubt=DOUBT)


def _true_scale(found: Pieces, px_per_mm: float) -> float:
    """Return the scale at which dice that were found at another are as large as dice are."""
    plain = found.size_px[found.plainly(loose_doubts.PLAIN)]
    return float(np.median(plain)) / float(NOMINAL_MM[1]) if len(plain) else px_per_mm


def _look(picture_bgr: Image, px_per_mm: float) -> _Look:
    """Return what is seen at a scale."""
    found = find_loose(picture_bgr, px_per_mm=px_per_mm, score=FAINT, kind=KINDS[1])
    tray = tray_of_picture(picture_bgr, px_per_mm=px_per_mm)
    quads_px = found.quads_px().astype(np.float64)
    score = np.asarray(found.score, np.float64)
    dice = np.ones(len(score), dtype=bool)
    # One size for all: nearer dice are larger in a photograph, and what the finder says of each errs more.
    side_px = np.full(len(score), _true_scale(found, px_per_mm) * float(NOMINAL_MM[1]))
    if len(score):
        centre = tray.to_mm(quads_px.mean(axis=1))
        found_deg = np.asarray(found.angle_deg, np.float64)
        quads_px = loose_spots.dice_quads(
            picture_bgr, centre, side_mm=side_px / px_per_mm, tray=tray, found_deg=found_deg
        )
    doubted = _doubted(picture_bgr, quads_px, side_px)
    spots = loose_spots.look_at_loose(
        picture_bgr,
        quads_px,
        dice,
        score,
        look=faces.look,
        apart=faces.look_apart,
        doubted=doubted,
        exactly=outline.exactly,
    )
    spots = _without_crumbs(picture_bgr, spots, tray)
    return _Look(px_per_mm, spots, _evidence(found, spots))


def _doubted(picture_bgr: Image, quads_px: Floats, side_px: Floats) -> Bools:
    """Return (n,) which finds lie on another that may be a die's top. Only what overlaps is asked what it shows."""
    middle = quads_px.mean(axis=1)
    near = overlapping(middle, side_px, limit=ASLANT)
    no_top = np.zeros(len(near), dtype=bool)
    no_top[near] = faces.look(picture_bgr, quads_px[near], near[near]).p_unreadable > NO_TOP
    return doubted_beside(middle, side_px, no_top, limit=ASLANT)


def _evidence(found: Pieces, spots: LooseSpots) -> float:
    """Return how much speaks for what was seen: how plainly dice were found, and showed a face, less for odd sizes.

    At a wrong scale pips or the grain of wood are found in crowds, each a little; so a crowd counts as its root.
    """
    n = len(spots.score)
    if n == 0:
        return 0.0
    away = np.linalg.norm(found.centre_px[None] - spots.quads_px.mean(axis=1)[:, None], axis=2)
    size = np.sqrt(found.size_px.prod(axis=1))[away.argmin(axis=1)]
    shown = np.exp(np.asarray(spots.faces.log_probs).max(axis=1)) * (1.0 - np.asarray(spots.faces.p_unreadable))
    usual = np.linalg.norm(spots.quads_px[:, 1] - spots.quads_px[:, 0], axis=1)
    return float(((shown * spots.score) ** 2 * likely_sizes(size / usual)).sum() / np.sqrt(n))


def _without_crumbs(picture_bgr: Image, spots: LooseSpots, tray: Tray) -> LooseSpots:
    """Return the dice without the ones that have no edges: a crumb on a dark cloth looks like a pip."""
    ones = np.asarray(spots.faces.log_probs.argmax(axis=1) == faces.FACES.index(("die", 1)))
    if not ones.any():
        return spots
    quads_mm = tray.to_mm(spots.quads_px)
    middle, width = quads_mm.mean(axis=1), float(np.median(widths(quads_mm)))
    keep = np.ones(len(ones), dtype=bool)
    keep[ones] = outlined(picture_bgr, middle[ones], middle, width_mm=width, tray=tray)
    return spots.only(keep)
