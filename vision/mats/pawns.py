"""Pawns of two colours on a board: where one stands, and whose it is by the colour of the markers on their tracks."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.ground.blobs import blobs
from vision.mats.counters import Told
from vision.mats.mat import Area, Mat
from vision.mats.paper import PX_PER_MM, Paper
from vision.reading import EMPTY

KINDS = ("first", "second")
TINTED = 0.3
"""Logarithm by which the three colours must differ from paper's: no shadow does that."""
SKIN = 0.12
"""The same for a hand, of which there is more to be seen."""
BLACK = -1.35
"""So dark (logarithm beside paper) no shadow is as a rule."""
LEAST_MM2, PLAIN_MM2 = 14.0, 34.0
"""What is smaller is ink seen beside its place; what lies between may be a part of a pawn."""
RIM_MM = 4.0
"""What comes this near to the edge of the mat reaches it."""
MOST_MM2 = 420.0
"""Larger than any pawn as the camera sees it."""
INSIDE_MM = 5.0
"""A pawn nearer to its place's border than this stands on the line."""
BARE = 0.997
"""Least probability of a bare space that is not asked about."""
UNLIKE = 0.45
"""The two colours must differ by so much to be told apart."""
WHITE, NO_WHITE = -0.25, -1.35
"""Print lighter than this (logarithm) is paper; of 630 bare figures none had its paper darker than -1.07."""
TWICE = 0.55
"""A pawn is sure when the nearer colour is nearer than this, over the other's distance."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the mat that is neither paper nor print nor shadow."""

    middle_mm: tuple[float, float]
    area_mm2: float
    tone: tuple[float, float, float]
    """Median logarithm beside paper: blue, green, red."""
    at_rim: bool


def skin(paper: Paper) -> NDArray[np.bool_]:
    """Return (h, w) what is of another hue than paper: hands are, whatever their colour; shadows are not."""
    rough = (cv2.blur(paper.tint, (5, 5)) > SKIN).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((13, 13), np.uint8)) > 0)


def foreign(paper: Paper) -> NDArray[np.bool_]:
    """Return (h, w) what is neither paper nor print nor shadow."""
    rough = ((paper.tint > TINTED) | (paper.dimmed < BLACK)).astype(np.uint8)
    # Ink seen half a millimetre beside where it should be leaves thin lines.
    opened = cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return np.asarray(opened > 0)


def things(paper: Paper, mask: NDArray[np.bool_]) -> tuple[Thing, ...]:
    """Return what lies on the mat, largest first."""
    found, labels = blobs(mask, px_per_mm=PX_PER_MM, least_mm2=LEAST_MM2, edge_mm=RIM_MM)
    out = []
    for blob in found:
        part = labels[blob.rows, blob.columns] == blob.number
        tone = np.median(paper.change[blob.rows, blob.columns][part], axis=0)
        out.append(Thing(blob.middle_mm, blob.area_mm2, (float(tone[0]), float(tone[1]), float(tone[2])), blob.at_rim))
    return tuple(out)


def inside_mm(area: Area, point: tuple[float, float]) -> float:
    """Return how far a point lies inside an area; negative outside."""
    x, y = point[0] - area.left, point[1] - area.top
    return min(x, y, area.width - x, area.height - y)


def place_of(mat: Mat, thing: Thing) -> int | None:
    """Return the place a thing stands on; None on a line or beside all places."""
    inside = [inside_mm(area, thing.middle_mm) for area in mat.places]
    best = int(np.argmax(inside))
    return best if inside[best] >= min(INSIDE_MM, 0.15 * mat.places[best].side) else None


def nearest_places(mat: Mat, point: tuple[float, float]) -> tuple[int, ...]:
    """Return the places nearest to a point: two when it lies about between them; () far from all."""
    away = -np.array([inside_mm(area, point) for area in mat.places])
    order = np.argsort(away, kind="stable")
    return tuple(sorted(int(k) for k in order[:2] if away[k] < 8.0))


def hidden(paper: Paper, mat: Mat) -> NDArray[np.bool_]:
    """Return (n,) which places' figures are dark where they should be white.

    A black pawn on a figure of black and white looks like the figure, and with its ink taken out like paper.
    """
    reach = round(mat.figure_mm * PX_PER_MM)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.hypot(rows, columns) <= reach
    height, width = paper.dimmed.shape
    out = np.zeros(len(mat.places), np.bool_)
    for k, (x, y) in enumerate(np.round(mat.middles() * PX_PER_MM - 0.5).astype(int)):
        at = np.clip(rows + y, 0, height - 1), np.clip(columns + x, 0, width - 1)
        white = disc & (paper.proof.ink[at] > WHITE)
        out[k] = bool(white.any() and float(np.median(paper.dimmed[at][white])) < NO_WHITE)
    return out


def tell_pawns(mat: Mat, found: tuple[Thing, ...], shown: Floats) -> tuple[tuple[Told, ...], tuple[Thing, ...]]:
    """Return what each place holds, and the things that stand on no place.

    shown: (n,) how plainly each place's figure shows, as `vision.mats.marks.Marks.shown`.
    """
    on: dict[int, list[Thing]] = {}
    strays = []
    for thing in found:
        place = place_of(mat, thing)
        if place is None:
            strays.append(thing)
        else:
            on.setdefault(place, []).append(thing)
    tones = _tones(mat, on)
    told = tuple(_told(on.get(k, []), float(shown[k]), tones) for k in range(len(mat.places)))
    return told, tuple(strays)


def _tones(mat: Mat, on: dict[int, list[Thing]]) -> Floats | None:
    """Return (2, 3) the colours of the two markers; None unless each track holds just one and they differ."""
    tones = []
    for track in mat.tracks:
        markers = [thing for place in track for thing in on.get(place, []) if thing.area_mm2 >= PLAIN_MM2]
        if len(markers) != 1:
            return None
        tones.append(markers[0].tone)
    both = np.array(tones, dtype=np.float64)
    return both if len(both) == 2 and np.linalg.norm(_hue(both[0]) - _hue(both[1])) > UNLIKE else None


def _hue(tone: Floats) -> Floats:
    """Return a colour with its brightness, which changes from place to place, at half weight."""
    tone = np.asarray(tone, dtype=np.float64)
    return np.append(tone - tone.mean(), 0.5 * tone.mean())


def _told(here: list[Thing], shown: float, tones: Floats | None) -> Told:
    plain = [thing for thing in here if thing.area_mm2 >= PLAIN_MM2]
    if not here:
        bare = 1.0 / (1.0 + np.exp(-20.0 * (shown - 0.45)))
        half = (1.0 - bare) / 2
        return Told(((EMPTY, float(bare)), (KINDS[0], float(half)), (KINDS[1], float(half))), bool(bare > BARE))
    chance = np.array([0.5, 0.5])
    clear = False
    if tones is not None:
        hue = _hue(np.array(here[0].tone))
        away = np.array([np.linalg.norm(hue - _hue(tone)) for tone in tones])
        clear = bool(away.min() < TWICE * away.max())
        odds = np.exp(-8.0 * away / max(float(away.sum()), 1e-6))
        chance = odds / odds.sum()
    order = sorted(range(2), key=lambda k: -chance[k])
    sure = clear and len(plain) == len(here) == 1 and plain[0].area_mm2 < MOST_MM2
    return Told(tuple((KINDS[k], float(chance[k])) for k in order), sure)
