"""The felt without markers: a quadrilateral of one colour inside a rim. Says None rather than guess.

The picture's colours are clustered; every large patch of one colour whose outline is nearly four straight
lines is a candidate, its sides are pulled to the sharpest change of colour, and what remains is scored by
what a tray must be: convex, of the right proportions, filled with its colour, and of another colour outside
on all four sides. Two candidates that score alike and lie apart are no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, area, sides
from vision.tray.felt_sides import colours_at, refined_sides
from vision.tray.four_sided import MOST_SKEW, beside_shape, four_sided
from vision.tray.patches import LEAST_SHARE, MOST_SHARE, Single, hues_of, lab_of, ways_to_part

Image = NDArray[np.uint8]

SMALL_PX = 320
"""Long side of the picture in which candidates are sought."""
LEAST_SCORE = 0.55
ALIKE_SCORE = 0.9
"""A candidate that scores more than this, over the other's score, is as good."""
SAME = 0.12
"""Candidates whose corners are no further apart than this, over their size, are one."""
TILES_SCORE = 0.8
"""What lies on a candidate that scores more than this, over its own score, is tiles: nothing in it differs from felt
but they, and a rim with a lamp's light on it makes a tray score less."""
JUST_INSIDE, JUST_OUTSIDE = 0.05, -0.045
"""Shares of the way to a candidate's middle by which what lies on either side of its outline is looked at."""
NESTED, MOSTLY_FELT = 0.95, 0.7
"""So much of a felt lies within what is felt and rim together, and so much of that is felt at least: a rim is up to a
tenth as wide as its tray."""
OTHER_HUE, MOSTLY_RIM = 12.0, 0.75
"""By so much a rim's hue differs from its felt's (`hues_of`), in so much of what lies between: some lies in its
shade."""
OWN_COLOUR, NO_RIM = 12.0, 0.9
"""CIE distance (lightness counts less than half) within which felt has its own colour, and the share of what lies just
around a thing that has: then the thing lies on the felt."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    corners: Floats
    score: float


def find_felt(picture_bgr: Image, *, aspect: float) -> Floats | None:
    """Return (4, 2) the felt's corners TL TR BR BL in pixels; None where none is convincing.

    aspect: width over height of the felt.
    """
    h, w = picture_bgr.shape[:2]
    scale = SMALL_PX / max(h, w)
    small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = lab_of(cv2.medianBlur(small, 3))
    found: list[_Candidate] = []
    for patches, differs in ways_to_part(lab, small):
        for mask in patches:
            corners = four_sided(mask, aspect)
            score = 0.0 if corners is None else _score(corners, lab, mask, aspect, differs)
            if corners is not None and score > 0.0:
                found.append(_Candidate(corners, score))
        best = _only_best(_on_the_table(found, lab), small)
        if best is not None:
            return refined_sides((best.corners + 0.5) / scale - 0.5, picture_bgr)
    return None


def _score(corners: Floats, lab: Single, mask: NDArray[np.uint8], aspect: float, differs: float) -> float:
    """Return 0..1 how much a quadrilateral is a tray: 0 for what cannot be one. differs: as of `ways_to_part`."""
    height, width = lab.shape[:2]
    share = area(corners) / (height * width)
    if not LEAST_SHARE < share < MOST_SHARE or sides(corners).min() < 20:
        return 0.0
    astray, skew = beside_shape(corners, aspect)
    if max(astray, skew) > 1.0:
        return 0.0
    inside = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    filled = float((mask & inside).sum()) / max(1, int(inside.sum()))
    rim = _other_outside(corners, lab, differs)
    if filled < 0.4 or rim < 0.5:
        return 0.0
    return float((1.0 - 0.4 * astray) * (0.4 + 0.6 * min(1.0, filled / 0.65)) * rim * (1.0 - 0.5 * MOST_SKEW * skew))


def _other_outside(corners: Floats, lab: Single, differs: float) -> float:
    """Return the share of the outline along which the colour just outside differs so much from that just inside.

    The worst side counts as much as the mean: a tray has four edges.
    """
    away = np.linalg.norm(
        colours_at(lab, _along(corners, JUST_INSIDE)) - colours_at(lab, _along(corners, JUST_OUTSIDE)), axis=1
    )
    each = (away > differs).reshape(4, -1).mean(axis=1)
    return float(0.5 * (each.min() + each.mean()))


def _along(corners: Floats, inwards: float) -> Floats:
    """Return (4 x 24, 2) points along an outline, side by side, moved towards its middle by a share of the way."""
    t = np.linspace(0.06, 0.94, 24)[:, None]
    moved = corners + inwards * (corners.mean(axis=0) - corners)
    return np.concatenate([p + t * (q - p) for p, q in zip(moved, np.roll(moved, -1, 0), strict=True)])


def _on_the_table(found: list[_Candidate], lab: Single) -> list[_Candidate]:
    """Return the candidates that lie on no other one, nearly as good: five rows of eight tiles look like a tray."""
    good = [c for c in found if c.score >= LEAST_SCORE]
    lying = [
        (c, o)
        for c in found
        for o in good
        if o.score > TILES_SCORE * c.score and _within(c.corners, o.corners) and _felt_around(c.corners, o.corners, lab)
    ]
    # Of some tiles nearly all are of one colour: what is nearly the same lies there, too.
    return [
        c for c in found if not any(_apart(c, tiles) < SAME and _within(c.corners, o.corners) for tiles, o in lying)
    ]


def _within(inner: Floats, outer: Floats) -> bool:
    """Return whether a quadrilateral lies well inside another."""
    margin = 0.06 * float(np.sqrt(area(outer)))
    shape = outer.astype(np.float32).reshape(-1, 1, 2)
    return all(cv2.pointPolygonTest(shape, (float(x), float(y)), True) >= margin for x, y in inner)


def _felt_around(inner: Floats, outer: Floats, lab: Single) -> bool:
    """Return whether around a quadrilateral is nothing but the own colour of another, on which it lies.

    A felt that lies on something has a rim around it.
    """
    ground = np.median(colours_at(lab, _along(outer, 0.08)), axis=0)
    around = np.linalg.norm((colours_at(lab, _along(inner, -0.09)) - ground) * (0.4, 1.0, 1.0), axis=1)
    return bool((around < OWN_COLOUR).mean() > NO_RIM)


def _apart(one: _Candidate, other: _Candidate) -> float:
    """Return how far apart the corners of two candidates lie, over the size of the second."""
    return float(np.abs(one.corners - other.corners).max() / np.sqrt(area(other.corners)))


def _only_best(found: list[_Candidate], bgr: NDArray[Any]) -> _Candidate | None:
    """Return the best candidate; None if it is poor, or another that lies elsewhere is nearly as good.

    Of a felt, and felt and rim together, it is the felt. bgr: the small picture.
    """
    if not found:
        return None
    best = max(found, key=lambda c: c.score)
    if best.score < LEAST_SCORE:
        return None
    good = [o for o in found if o is best or (o.score > ALIKE_SCORE * best.score and _apart(o, best) > SAME)]
    if len(good) == 1:
        return best
    felt, hues = min(good, key=lambda c: area(c.corners)), hues_of(bgr)
    return felt if all(_apart(o, felt) <= SAME or _rim_between(felt, o, hues) for o in good) else None


def _rim_between(inner: _Candidate, outer: _Candidate, hues: Single) -> bool:
    """Return whether one candidate is another with a rim around it, which has another hue: a shadow on felt has not.

    hues: as of `hues_of`.
    """
    shared, _ = cv2.intersectConvexConvex(inner.corners.astype(np.float32), outer.corners.astype(np.float32))
    if shared < NESTED * area(inner.corners) or shared < MOSTLY_FELT * area(outer.corners):
        return False
    within, beyond = _along(inner.corners, JUST_INSIDE), _along(inner.corners, JUST_OUTSIDE)
    shape = outer.corners.astype(np.float32).reshape(-1, 1, 2)
    between = np.array([cv2.pointPolygonTest(shape, (float(x), float(y)), True) > 1.0 for x, y in beyond])
    away = np.linalg.norm((colours_at(hues, within) - colours_at(hues, beyond))[between, :2], axis=1)
    return len(away) > 0 and float((away > OTHER_HUE).mean()) > MOSTLY_RIM
