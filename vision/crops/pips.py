"""A second opinion on dice: the pips counted, without anything learned."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, TypeVar

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Seen = TypeVar("Seen")

PIP_AREA = (0.004, 0.09)
"""Area of one pip over that of the face."""
INSIDE = 0.46
"""A pip's middle lies no further than this from the face's middle, along its sides, over the side."""
ROUND = 0.6
"""Least area of a pip over that of the circle around it."""
ALIKE = 2.5
"""Most by which the pips of one face may differ in area."""
DEEP = 0.3
"""Least contrast of the faintest pip over that of the deepest."""
FAINTEST = 14.0
"""Least contrast of the deepest pip, in grey values."""
AROUND = 0.27
"""What lies around a place is the median of a window so wide, over the crop's side: wider than two strokes."""
INK_SHARE = 0.985
"""The contrast of a piece's ink is that of which all but the deepest of its places have less, by this share."""
PLAIN, TWO_INKS = 25.0, 0.12
"""Grey values by which pips are plain, and the share of that below which one of them is none: of 390 fours, fives and
sixes on 120 traced trays the least even has 0.52."""
MORE, RINGED = (1, 2), 0.86
"""By so many more pips than a four or a five has, and its own faintest below the second, over the others, it may be no
such face: six pips in a ring are a five to the net, five a four. Of 1,981 usual dice six are counted so, none of which
is as uneven; of 11 trays of such dice that were silently wrong nine are asked about."""
SIX, SEVENTH, MIDDLE_REACH = 6, 1.45, 1 / 16
"""A six has nothing in its middle, up to so far from it over the crop's side, that is so many times as plain as its
pips: of 430 on 340 trays by three programs, many under lamps that they mirror, none has more than 1.32; a one of amber
glass through which the six below it shines has 1.7 to 2.1."""
BEYOND = 1.25
"""What is counted so many times as far from a face's middle as the last of its own pips is none of its pips, wherever
these lie: those of a ring are as far away as each other. On two of some 220 trays of dice that mirror lamps a five was
asked about as the edge, or a neighbour's pip, was counted."""
AWAY = (0.2, 0.225, 0.25, 0.275, 0.3)
"""How far pips may lie from a face's middle along its sides, over the side."""
_CORNERS = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
PLACES = {
    2: np.array(_CORNERS[:2]),
    3: np.array([*_CORNERS[:2], (0, 0)]),
    4: np.array(_CORNERS),
    5: np.array([*_CORNERS, (0, 0)]),
    6: np.array([*_CORNERS, (-1, 0), (1, 0)]),
}
"""Where the pips of a face lie, as usual dice have them."""
STRONGER = 2.0
"""Dark spots on a face count beside light ones (or the other way round) only where their contrast is so much larger."""


def count_pips(crops_bgr: Array, *, margin: float) -> Array:
    """Return (n,) int64 the pips on each die's face, 0 where they cannot be told from gloss, edges or noise.

    crops_bgr: (n, s, s, 3) uint8 as `vision.crops.faces.cut_faces` returns them, the die's edges upright, with `margin`
    around the face over the crop's side. Where it counts at all it is right 19 times in 20 (photographs), and its
    errors have nothing to do with those of the net.
    """
    return np.array([len(_counted(crop, margin)) for crop in crops_bgr], np.int64)


def evenness(crop_bgr: Array, value: int, *, margin: float) -> float:
    """Return how faint the faintest pip of a face is, over the median of its pips: 1 where all are alike.

    crop_bgr: (s, s, 3) uint8 as `count_pips` has them; value: what the face is said to show, 2 to 6. Near 0, or below,
    where there is no pip at all: a lamp's mirror image, or what shines through glass, makes a three a five.
    """
    pips, _ = _plainest(crop_bgr, value, margin)
    return float(pips.min() / max(float(np.median(pips)), 1e-3))


def of_two_inks(crop_bgr: Array, value: int, *, margin: float) -> bool:
    """Return whether a face shows plain pips, and one that is no darker than its body where they are, or no lighter.

    Arguments as of `evenness`. Images of two lamps make a four with black pips a six; no die is printed so.
    """
    pips, _ = _plainest(crop_bgr, value, margin)
    typical = float(np.median(pips))
    return typical > PLAIN and float(pips.min()) < TWO_INKS * typical


def shows_more(crop_bgr: Array, value: int, *, margin: float) -> bool:
    """Return whether a four or a five may be another face: more pips are counted than it has, and its own are uneven.

    Arguments as of `evenness`; False for every other value.
    """
    if value not in (4, 5):
        return False
    away = np.sort(_counted(crop_bgr, margin))
    if len(away) - value not in MORE or away[value] > BEYOND * away[value - 1]:
        return False
    return evenness(crop_bgr, value, margin=margin) < RINGED


def shows_a_seventh(crop_bgr: Array, *, margin: float) -> bool:
    """Return whether a plain six has a plainer pip in its middle: a one, above the six of a die of glass.

    Arguments as of `evenness`. Through a die of glass the pips of its lower face are seen.
    """
    pips, tone = _plainest(crop_bgr, SIX, margin)
    middle, reach = len(crop_bgr) // 2, round(MIDDLE_REACH * len(crop_bgr))
    there = tone[middle - reach : middle + reach + 1, middle - reach : middle + reach + 1]
    typical = float(np.median(pips))
    return typical > PLAIN and float(there.max()) > SEVENTH * typical


def _plainest(crop_bgr: Array, value: int, margin: float) -> tuple[Array, Array]:
    """Return (value,) the contrast of a face's pips, seen as plainly as may be, and (s, s) the tone that shows it."""
    seen = [(pips, tone) for tone in widened(hollows(crop_bgr)) for pips in _at_pips(tone, value, margin)]
    return max(seen, key=lambda one: float(one[0].mean()))


def hollows(crop_bgr: Array) -> list[Array]:
    """Return `hollow` of a crop (s, s, 3) for dark and for light pips in each of its three colours, (s, s) float32.

    Not of what they add up to: amber pips are as light as the grey die that they are on.
    """
    crop = np.asarray(crop_bgr, np.float32)
    return [*_hollows(crop.tobytes(), crop.shape)]


@lru_cache(maxsize=16)
def _hollows(pixels: bytes, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """Return the same, kept for the next doubt of the same face: what is around each place takes a fifth of a ms."""
    planes = cv2.split(np.frombuffer(pixels, np.float32).reshape(shape))
    seen = tuple(hollow(tone) for plane in planes for tone in (plane, 255 - plane))
    for tone in seen:
        tone.flags.writeable = False
    return seen


def widened(tones: Iterable[Array]) -> list[Array]:
    """Return tones (s, s) in which a pixel counts for those next to it, too: a pip is seldom right where it is due."""
    return [cv2.dilate(tone, np.ones((3, 3), np.uint8)) for tone in tones]


def _at_pips(plain: Array, value: int, margin: float) -> Array:
    """Return (ways, value) what is seen where the pips of a face may lie: nearer and farther, and turned."""
    at = ways_to_lie(len(plain), value, margin)
    return np.asarray(plain[at[..., 1], at[..., 0]])


@cache
def ways_to_lie(
    size: int, value: int, margin: float, *, turns_deg: Iterable[int] = (0, 90), askew_px: Iterable[int] = (0,)
) -> Array:
    """Return (ways, value, 2) int64 x and y where the pips of a face may lie in a crop, nearer and farther.

    turns_deg: how the face may lie; askew_px: how far it may be off on each side. Both hashable.
    """
    return ways_of(PLACES[value], size, margin, turns_deg=turns_deg, askew_px=askew_px)


def ways_of(places: Array, size: int, margin: float, *, turns_deg: Iterable[float], askew_px: Iterable[float]) -> Array:
    """Return (ways, k, 2) int64 as `ways_to_lie` has it of any places (k, 2), which are as far off as pips by 1."""
    middle, side = (size - 1) / 2, size * (1 - 2 * margin)
    turns = np.radians(np.array([*turns_deg]))
    turn = np.array([[np.cos(turns), np.sin(turns)], [-np.sin(turns), np.cos(turns)]]).transpose(2, 0, 1)
    spots = (np.array(AWAY)[:, None, None, None] * side * (places @ turn)).reshape(-1, 1, len(places), 2)
    moved = np.array([(x, y) for y in askew_px for x in askew_px])
    at = middle + spots + moved[:, None]
    return np.asarray(np.clip(np.round(at), 0, size - 1).astype(np.int64).reshape(-1, len(places), 2))


def _counted(crop_bgr: Array, margin: float) -> Array:
    """Return (k,) how far from the middle the pips lie that are counted on a face, in pixels; none if none can be."""
    grey = crop_bgr.astype(np.float32).mean(axis=2)
    away = plainer(_pips(grey, margin), _pips(255 - grey, margin))
    return np.zeros(0) if away is None else away


def plainer(dark: tuple[Seen, float] | None, light: tuple[Seen, float] | None) -> Seen | None:
    """Return what is seen dark or light, each with its contrast: whichever is much plainer, None where neither is."""
    if dark is None or light is None:
        only = dark or light
        return only[0] if only else None
    (_, weak), (seen, strong) = sorted((dark, light), key=lambda found: found[1])
    return seen if strong > STRONGER * weak else None


def hollow(grey: Array) -> Array:
    """Return (s, s) how much darker each place of a crop (s, s) is than what lies around it, in grey values."""
    around = cv2.medianBlur(np.clip(grey, 0, 255).astype(np.uint8), round(AROUND * len(grey)) | 1).astype(np.float32)
    return np.asarray(around - cv2.GaussianBlur(grey, (0, 0), 0.7))


def _pips(grey: Array, margin: float) -> tuple[Array, float] | None:
    """Return (k,) how far from the middle dark round spots lie on the face, in pixels, and their contrast; None where
    it is no pattern of pips.
    """
    side = len(grey)
    face, low = side * (1 - 2 * margin), round(side * margin)
    deep = hollow(grey)
    deepest = float(np.quantile(deep[low:-low, low:-low], INK_SHARE))
    if deepest < FAINTEST:
        return None
    mask = (deep > 0.5 * deepest).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4)
    areas, depths, away = [], [], []
    for k in range(1, count):
        pixels = float(stats[k, cv2.CC_STAT_AREA])
        area = pixels / face**2
        if np.abs(centres[k] - (side - 1) / 2).max() > INSIDE * face or area < PIP_AREA[0]:
            continue
        longest = float(max(stats[k, cv2.CC_STAT_WIDTH], stats[k, cv2.CC_STAT_HEIGHT]))
        if area > PIP_AREA[1] or pixels < ROUND * np.pi / 4 * longest**2:
            return None
        areas.append(area)
        depths.append(float(deep[labels == k].max()))
        away.append(float(np.hypot(*(centres[k] - (side - 1) / 2))))
    if not 1 <= len(areas) <= 6 or max(areas) > ALIKE * min(areas) or min(depths) < DEEP * max(depths):
        return None
    return np.array(away), float(np.mean(depths))
