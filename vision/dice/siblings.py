"""What plain dice of a tray say of a doubtful one of their colour: how a pip looks on it, and how its body looks.

The dice of a set are alike. Lower pips that shine through glass are paler than those on top, veins of pearl have
another colour than pips, and a flank's pips lie beside the face: the net, which sees one die at a time, leaves a doubt
of such faces at times, where people who see the others have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import infer
from vision.crops.faces import DISPUTED, FACES, MARGIN, Faces, cut_faces
from vision.crops.kin import normalised
from vision.crops.pips import ways_of
from vision.crops.second_look import LEGIBLE
from vision.dice.loose_doubts import plainly_there
from vision.dice.loose_spots import LooseSpots
from vision.geometry import Bools, Floats, Ints
from vision.tray.rectify import Image

GRID = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)])
"""The nine places of a face where pips may lie, from its middle."""
PATTERNS = (
    (1, (4,)), (2, (0, 8)), (2, (2, 6)), (3, (0, 4, 8)), (3, (2, 4, 6)), (4, (0, 2, 6, 8)), (5, (0, 2, 4, 6, 8)),
    (6, (0, 2, 3, 5, 6, 8)), (6, (0, 1, 2, 6, 7, 8)),
)  # fmt: skip
"""Each face with the places of GRID where its pips lie, one way and the other."""
VALUES = np.array([value for value, _ in PATTERNS])
ON = np.array([np.isin(np.arange(9), pips) for _, pips in PATTERNS])
ASKEW_PX, TURNS_DEG = (-3.0, -1.5, 0.0, 1.5, 3.0), (-14.0, -7.0, 0.0, 7.0, 14.0)
"""How many pixels of a crop a face may be off on each side, and how far it may be turned."""
SOFT_PX = 1.2
"""Less noise, and a pip keeps its colour."""
NOISE = 8.0
"""Grey values by which pips, or bodies, may differ in each colour, however alike those of the siblings are."""
FEWEST = 2
"""So many siblings must be plain."""
A_PIP, A_BODY, PLAIN = 0.55, 0.35, 2.5
"""Nine in ten of their pips have more ink than the first, nine in ten of the other places less than the second: 0 is
what these have in the mean, 1 what pips have, which is more than the third times what either differ by. Else nobody
could say from them what is a pip."""
INK = 0.5
"""What has more is ink."""
GAP, SLIGHT = 0.4, 0.45
"""A face is shown where each of its pips has more ink than all other places, by the first, and no ink is left
elsewhere; and where no other face is by the second of what that is."""
REACH, FACE, ELSEWHERE = (2.4, 1.7), 0.38, 0.03
"""Ink is a pip's within the first of its middle, of a one and of others, over the radius of the siblings' pips. What
is nearer to the face's middle than the second, over the side, is not a flank's; a share of it below the third is none,
and below twice as much for another face."""
WITNESSED, LIKELY = 8.0, 0.9
"""How much likelier a face becomes that a die shows to its siblings, too, and from where on: of what is seen, pips that
are counted have had their say (`vision.crops.faces.AGREED`), and all doubtful ones that siblings told had 0.95 and
more."""


class Style(NamedTuple):
    """How the dice of a set look, as differences from the middle of all that a face shows, (3,) BGR in grey values."""

    body: Floats
    """Where no pip is."""
    pip: Floats
    """A pip, less that."""
    along: Floats
    """What is no body, times this, is ink: 1 for a pip."""
    radius: float = 0.0
    """Of a pip, over the crop's side."""


def with_siblings(
    picture_bgr: Image, spots: LooseSpots, names: Sequence[str | None], *, doubt: float = infer.DOUBT_PER_TILE
) -> LooseSpots:
    """Return pieces with what the plain dice of its colour say of each doubtful one: it shows that, too, or else.

    names: colours of the dice among them, None for one in doubt. doubt: probability of error of a die that is sure.
    """
    dice, torn = np.flatnonzero(spots.is_die), spots.torn
    sure = infer.soften(np.asarray(spots.faces.log_probs, np.float64)).max(axis=1, initial=0.0) >= 1.0 - doubt
    plain = (sure & plainly_there(spots) & (True if torn is None else torn == 0))[dice]
    asking = dice[(~sure & (spots.faces.p_unreadable < LEGIBLE))[dice]]
    if len(asking) == 0 or not plain.any():
        return spots
    log_probs, unreadable = spots.faces.log_probs.astype(np.float64), spots.faces.p_unreadable.copy()
    name_of, styles = dict(zip(dice.tolist(), names, strict=True)), {}
    for name in {name_of[k] for k in asking.tolist()} - {None}:
        alike = dice[plain & np.array([other == name for other in names])]
        crops = cut_faces(picture_bgr, spots.quads_px[alike])
        styles[name] = style_of(crops, [FACES[k][1] for k in log_probs[alike].argmax(axis=1)])
    for k in asking.tolist():
        style = styles.get(name_of[k])
        seen = 0 if style is None else told(cut_faces(picture_bgr, spots.quads_px[[k]])[0], style)
        best = int(log_probs[k].argmax())
        if seen == FACES[best][1] and log_probs[k, best] > np.log(LIKELY):
            log_probs[k, best] += np.log(WITNESSED)
        elif seen and seen != FACES[best][1]:
            unreadable[k] = max(unreadable[k], DISPUTED)
    return replace(spots, faces=Faces(normalised(log_probs), unreadable))


def style_of(crops_bgr: Image, values: Sequence[int]) -> Style | None:
    """Return how dice look, by crops (n, s, s, 3) as of `vision.crops.faces.cut_faces` and what they show.

    None for fewer than FEWEST, and where their pips do not look like pips.
    """
    if len(crops_bgr) < FEWEST:
        return None
    shown = [_shown_by(crop, value) for crop, value in zip(crops_bgr, values, strict=True)]
    pips, bodies = (np.concatenate(seen) for seen in zip(*shown, strict=True))
    pip, body = pips.mean(axis=0), bodies.mean(axis=0)
    spread = np.cov(np.concatenate([pips - pip, bodies - body]).T) + NOISE**2 * np.eye(3)
    along = np.linalg.solve(spread, pip - body)
    strength = max(float(along @ (pip - body)), 1e-9)
    along /= strength
    apart = np.quantile((pips - body) @ along, 0.1) > A_PIP and np.quantile((bodies - body) @ along, 0.9) < A_BODY
    if not apart or strength < PLAIN**2:
        return None
    style = Style(body, pip - body, along)
    areas = [
        (_ink(crop, style) > INK)[_face(len(crop))].sum() / value for crop, value in zip(crops_bgr, values, strict=True)
    ]
    return style._replace(radius=float(np.sqrt(np.median(areas) / np.pi)) / len(crops_bgr[0]))


def told(crop_bgr: Image, style: Style) -> int:
    """Return what a die shows to who knows its siblings, 1 to 6; 0 where that is not plain.

    crop_bgr: (s, s, 3) uint8 as of `vision.crops.faces.cut_faces`.
    """
    seen = _differences(crop_bgr) - style.body
    ink, at = seen @ style.along, _ways(len(crop_bgr))
    there = ink[at[..., 1], at[..., 0]]
    gaps = np.array([there[:, on].min(axis=1) - there[:, ~on].max(axis=1) for on in ON])
    # Neither pip nor body, but a lamp's image, say, that may hide a pip.
    strange = np.linalg.norm(seen - ink[..., None] * style.pip, axis=2) > INK * np.linalg.norm(style.pip)
    strange |= ink < -INK
    best, left = np.zeros(6), np.ones(6)
    for k in range(6):
        ways = np.flatnonzero(k == VALUES - 1)
        which, way = np.unravel_index(int(gaps[ways].argmax()), (len(ways), len(at)))
        best[k] = gaps[ways[which], way]
        left[k] = _elsewhere(ink > INK, strange, at[way][ON[ways[which]]], REACH[min(k, 1)] * style.radius * len(ink))
    k = int(np.where(left < ELSEWHERE, best, -np.inf).argmax())
    perhaps = (best > SLIGHT * best[k]) & (left < 2 * ELSEWHERE)
    return k + 1 if best[k] > GAP and left[k] < ELSEWHERE and perhaps.sum() == 1 else 0


@cache
def _ways(size: int) -> Ints:
    """Return (ways, 9, 2) x and y where GRID may lie in a crop."""
    return ways_of(GRID, size, MARGIN, turns_deg=TURNS_DEG, askew_px=ASKEW_PX)


def _differences(crop_bgr: Image) -> NDArray[np.float64]:
    """Return (s, s, 3) how a crop differs from the median of its face, in grey values."""
    low = round(len(crop_bgr) * MARGIN) + 2
    body = np.median(crop_bgr[low:-low, low:-low].reshape(-1, 3), axis=0)
    return np.asarray(cv2.GaussianBlur(crop_bgr.astype(np.float64), (0, 0), SOFT_PX) - body)


def _shown_by(crop_bgr: Image, value: int) -> tuple[Floats, Floats]:
    """Return (value, 3) the pips of a plain die, and (9 - value, 3) what is seen where it has none."""
    seen, at = _differences(crop_bgr), _ways(len(crop_bgr))
    there = seen[at[..., 1], at[..., 0]]
    far = np.linalg.norm(there, axis=2)
    ways = np.flatnonzero(value == VALUES).tolist()
    plain = np.array([far[:, ON[way]].min(axis=1) - far[:, ~ON[way]].max(axis=1) for way in ways])
    which, best = np.unravel_index(int(plain.argmax()), plain.shape)
    on = ON[ways[int(which)]]
    return there[best][on], there[best][~on]


def _ink(crop_bgr: Image, style: Style) -> Floats:
    """Return (s, s) how much ink is seen."""
    return np.asarray((_differences(crop_bgr) - style.body) @ style.along)


def _elsewhere(ink: Bools, strange: Bools, pips: Ints, reach_px: float) -> float:
    """Return the share of a face that has ink (s, s) further off than that from places (k, 2), or something strange."""
    y, x = np.mgrid[: len(ink), : len(ink)]
    far = np.hypot(x - pips[:, 0, None, None], y - pips[:, 1, None, None]).min(axis=0) > reach_px
    return float((strange | (ink & far))[_face(len(ink))].mean())


@cache
def _face(size: int) -> Bools:
    """Return (size, size) which pixels of a crop are a face's."""
    far = np.abs(np.arange(size) - (size - 1) / 2) < FACE * size * (1 - 2 * MARGIN)
    return np.asarray(far[:, None] & far)
