"""Whether the pip in the middle of a three or a five is one, or a lamp's image on a two or a four.

The pips of a face are alike and lie evenly. A lamp's image lies as it happens to, and is as large and as bright as the
lamp: white among white pips it is one more to whoever counts, but hardly ever just as large, as white and as central.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops.pips import hollows, ways_to_lie, widened
from vision.geometry import Floats, pixel_grid, pixels_away
from vision.tray.rectify import Image

FACE, NEAR = (0.12, 0.33), (0.13, 0.2)
"""From and to this distance from the middle, over the side, most of a face is body; nothing else, a pip's width around
the middle."""
ASKEW_PX, TURNS_DEG = (-4, -2, 0, 2, 4), range(0, 180, 15)
"""How many pixels of a crop a face may be off on each side, and how it may lie: of a round die nobody knows."""
PIP, REACH = 0.12, 0.15
"""A pip lies within the first of where it was seen, over the side, and nothing else within the second of its middle."""
SOFT_PX = 0.7
"""Less noise, and a pip of three pixels keeps its colour."""
PLAIN_PIPS = 80.0
"""Contrast of pips to the body, in grey values over three colours, from which their middle one must be like them."""
SEEN_PIPS, EMPTY = 40.0, 0.135
"""The same from which it may be said that there is none: less than the second of the ink of one of the others. Of 2,302
threes and fives on traced trays, of all materials, and 417 on photographs none has so little (0.155 at least), of 2,367
and 386 twos and fours 94 and 96 in a hundred have."""
PLAIN_WIDE, PLAIN = 0.1, 0.18
"""... and nothing within the first of it, over the side, differs from what is around it by the second, over the others'
contrast: a lamp's image that hides a pip is no body. Of 530 such twos and fours 95 in a hundred have less."""
DARKER, HALF = -0.8, 0.5
"""Pips so much darker than the body, in grey values over three colours and over their contrast, and a middle with so
much of the ink of one of them, or more: that is no lamp, whose light comes on top of the body's."""
THREE = 3
"""The face with but two pips around its middle one."""
MOST = 1.5
"""A pixel counts no more than this, over the pips' contrast: on dark dice a lamp can be three times as bright."""
FLOORS = (0.01, 0.05, 0.003)
"""Noise: no pip is more like the others, fainter or more central than this, where logarithms are taken."""
ALIKE, AS_LARGE, BETWEEN = 0.1, (0.75, 1.35), 0.02
"""A middle pip that differs from the others by less than the first, over their contrast, has a share of their ink
within the second and lies nearer to their middle than the third, over the side, is one of their row: nine in ten of 521
threes on 450 traced trays."""
SAME, AS_LARGE_AS, RIGHT_BETWEEN = 0.05, (0.93, 1.07), 0.01
"""The same where it must be a pip like the others beyond doubt. The bars of a printed 3 lie in a row, too, and pass for
pips: of 13,764 cuts of 1,100 disks by three programs 424 are a three to the net beyond doubt, of 8 the middle is like
the others by the looser three, but has 1.15 of their ink or more, or 0.89 or less."""
OTHER_INK, OTHER_LEVELS = 0.15, 18.0
"""A middle whose colour strays by more than this from the line between the body's and the others', over their contrast,
is none of the set's pips, however dark it is: a sticker, say. Along the line light and shade may move it. Of 309 threes
and fives on 120 traced trays none strays by more than 0.10. Of a contrast below 120 it is the second, in grey values
over three colours: noise, and what is cut off at white, do not shrink with it (the pip of a three on bright pink, both
nearly blown out, strayed by 16, which was 0.17)."""
BEND, WEIGHTS = 3.78, (2.58, 7.35, 3.22, 3.08)
"""By `python -m vision.training.fit_middle_pip`, of `traits`. Fitted anew since the row of a three is found by its
plainer pip they would ask about as many true pips, and about 291 images instead of 308, and were left."""


def lamp_odds(crop_bgr: Image, value: int, *, margin: float) -> float:
    """Return the logarithm of the odds that the middle pip of a three or five is a lamp's image, were half of them so.

    crop_bgr: (s, s, 3) uint8 as `vision.crops.faces.cut_faces` returns them, maybe askew, with `margin` around the face
    over the crop's side; value: 3 or 5. -inf where its pips are too faint to say, and where its middle is as dark as
    they; inf where it has another colour than they.
    """
    seen = _seen(crop_bgr, value, margin)
    if seen is None or seen.contrast < PLAIN_PIPS:
        return -np.inf
    if seen.astray > max(OTHER_INK, OTHER_LEVELS / seen.contrast):
        return np.inf
    if seen.darker < DARKER and seen.share > HALF:
        return -np.inf
    return float(BEND + np.array(WEIGHTS) @ _traits(seen))


def traits(crop_bgr: Image, value: int, *, margin: float) -> Floats | None:
    """Return (4,) what of the middle pip speaks for a lamp; None where the others are fainter than PLAIN_PIPS.

    Natural logarithms of `_Seen`: how much more, or less, ink there is without sign; the contrast makes the first three
    surer. Arguments as of `lamp_odds`.
    """
    seen = _seen(crop_bgr, value, margin)
    return None if seen is None or seen.contrast < PLAIN_PIPS else _traits(seen)


def _traits(seen: _Seen) -> Floats:
    alike, faint, central = FLOORS
    logs = np.log([max(seen.unlike, alike), max(seen.share, faint), max(seen.off, central), seen.contrast])
    logs[1] = abs(logs[1])
    return np.asarray(logs)


def empty_middle(crop_bgr: Image, value: int, *, margin: float) -> bool:
    """Return whether a face, a three or a five or one less, plainly shows nothing in the middle of its other pips.

    Arguments as of `lamp_odds`. False where these are too faint to say.
    """
    seen = _seen(crop_bgr, value, margin)
    return seen is not None and seen.share < EMPTY and seen.most < PLAIN


def in_a_row(crop_bgr: Image, value: int, *, margin: float, exactly: bool = False) -> bool:
    """Return whether the middle pip of a three or a five is plainly like its others, and right between them.

    Arguments as of `lamp_odds`. exactly: as nothing but a pip is. False where they are too faint to say.
    """
    seen = _seen(crop_bgr, value, margin)
    if seen is None or seen.contrast < PLAIN_PIPS:
        return False
    unlike, (least, most), off = (SAME, AS_LARGE_AS, RIGHT_BETWEEN) if exactly else (ALIKE, AS_LARGE, BETWEEN)
    return seen.unlike < unlike and least < seen.share < most and seen.off < off


class _Seen(NamedTuple):
    """What is seen in the middle of a face, beside its other pips."""

    unlike: float
    """How much its colour differs from theirs, over their contrast."""
    share: float
    """How much ink there is, over that of one of them."""
    off: float
    """How far that is from their middle, over the side."""
    contrast: float
    """Theirs, in grey values over three colours."""
    darker: float
    """How much lighter they are than the body, in grey values over three colours, over their contrast; below 0, darker.
    """
    astray: float
    """How much its colour differs from all between the body's and theirs, likewise."""
    most: float
    """How much anything there differs from what is around it, over their contrast."""


def _seen(crop_bgr: Image, value: int, margin: float) -> _Seen | None:
    """Return what is seen in the middle of a three or five, or of one pip less; None for faint pips (SEEN_PIPS)."""
    seen, side = crop_bgr.astype(np.float32), len(crop_bgr) * (1 - 2 * margin)
    outer = _outer_pips(seen, value, margin)
    middle = outer.mean(axis=0)
    soft = np.asarray(cv2.GaussianBlur(seen, (0, 0), SOFT_PX), dtype=np.float64)
    far = pixels_away(len(soft), middle) / side
    body, near = (np.median(soft[(far > low) & (far < high)], axis=0) for low, high in (FACE, NEAR))
    pip = ink_at(soft - body, outer)
    contrast = float(np.linalg.norm(pip))
    if contrast < SEEN_PIPS:
        return None
    # Where exactly the middle lies is not known to a pixel.
    inks = _around(soft, middle) - near
    unlike = float(np.linalg.norm(inks - pip, axis=1).min()) / contrast
    astray = float(np.linalg.norm(inks - np.outer(inks @ pip, pip) / contrast**2, axis=1).min()) / contrast
    ink = np.clip((soft - body) @ pip / contrast**2, 0.0, MOST)
    share, off_px = _beside_others(ink, middle, outer, REACH * side)
    most = float(np.linalg.norm(soft[far < PLAIN_WIDE] - near, axis=1).max()) / contrast
    return _Seen(unlike, share, off_px / side, contrast, float(pip.sum()) / contrast, astray, most)


def _beside_others(ink: Floats, middle: Floats, outer: Floats, reach_px: float) -> tuple[float, float]:
    """Return how much ink lies in the middle, over that of the others, and how far from their middle, in pixels."""
    mass, at = _masses(ink, np.array([middle, *outer]), reach_px)
    share = mass[0] / max(float(np.median(mass[1:])), 1e-6)
    return float(share), float(np.linalg.norm(at[0] - at[1:].mean(axis=0)))


def _outer_pips(seen: NDArray[np.float32], value: int, margin: float) -> Floats:
    """Return (value - 1, 2) x and y of a face's pips without the middle one, which may be of another colour.

    Of two ways to see some the one counts by which the middle shows another: a rim of black is as dark as any pip.
    """
    planes = hollows(seen)
    tones = widened(planes)
    at = ways_to_lie(len(seen), value - 1, margin, turns_deg=TURNS_DEG, askew_px=ASKEW_PX)
    x, y = np.round(at.mean(axis=1)).astype(np.int64).T
    outer = np.array([tone[at[..., 1], at[..., 0]] for tone in tones])
    pips = outer.min(axis=2)
    # With the middle one: else an outer pip of a three and its middle one may pass for the two outer ones. Where there
    # are but two it is held against the plainer, as the other may be much paler.
    limit = pips if value > THREE else outer.max(axis=2)
    plain = pips + np.minimum(limit, [tone[y, x] for tone in tones])
    which, best = np.unravel_index(int(plain.argmax()), plain.shape)
    ink = np.square(cv2.GaussianBlur(planes[which], (0, 0), SOFT_PX).clip(0), dtype=np.float64)
    return _masses(ink, at[best].astype(np.float64), PIP * len(seen) * (1 - 2 * margin))[1]


def _masses(ink: Floats, at: Floats, reach_px: float) -> tuple[Floats, Floats]:
    """Return (k,) how much ink (s, s) lies within reach of places (k, 2), and (k, 2) its middle there."""
    grid = pixel_grid(len(ink))
    there = np.hypot(*(grid[:, None] - at.T[..., None, None])) < reach_px
    mass = (there * ink).sum(axis=(1, 2))
    middle = (there[:, None] * ink * grid).sum(axis=(2, 3)) / np.maximum(mass, 1e-6)[:, None]
    return mass, np.where(mass[:, None] > 0, middle, at)


def ink_at(away: Floats, pips: Floats) -> Floats:
    """Return (3,) how much the ink of some pips differs from the body. away: (s, s, 3) as pixels do; pips: (k, 2)."""
    return np.asarray(np.median([_strongest(_around(away, at)) for at in pips], axis=0))


def _around(seen: Floats, at: Floats) -> Floats:
    """Return (k, 3) the pixels of a crop (s, s, 3) at a place (2,) and next to it."""
    x, y = np.round(at).astype(np.int64)
    return np.asarray(seen[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3))


def _strongest(away: Floats) -> Floats:
    """Return the longest (3,) of some differences (k, 3)."""
    return np.asarray(away[int(np.linalg.norm(away, axis=1).argmax())])
