"""Grain of the table beyond the felt, and of the rim around it, that passes for a die: it looks so all around."""

from __future__ import annotations

import numpy as np

from vision.geometry import Bools, Floats, widths
from vision.ground.felt_light import LIFT
from vision.tray.places import on_felt
from vision.tray.rectify import Image, Tray, seen_at

RINGS = 1.4, 2.4
"""So far from a find, over its side, lie the middles of the places with which it is compared."""
AROUND = np.stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)], axis=1)
ALONG = np.array([-4.6, -3.8, -3.0, -2.2, -1.4, 1.4, 2.2, 3.0, 3.8, 4.6])
"""... and of those along the felt's edge."""
ON_RIM, CORNER = 0.5, 0.7
"""A find lies on the felt's edge if its middle lies no further from it than the first, over its side; nearer to a
corner than the second another edge begins."""
ENOUGH = 5
"""Fewer such places tell nothing of a pattern."""
INNER, CELLS = 0.8, 12
"""How much of the side is looked at, and in how many points each way: not what it stands on."""
OF_NORMAL = 1.4826
"""A normal distribution's standard deviation over its median absolute deviation."""
USUAL, LEAST = 2.5, 0.03
"""A place looks like the others within so many of their standard deviations, and this much more (natural logarithms of
grey values and of their spread)."""
PLAINLY = 0.9
"""What shows a face this likely is no pattern, nor what can surely be read."""


def like_the_table(picture_bgr: Image, tray: Tray, quad_mm: Floats) -> bool:
    """Return whether a find beyond the felt, (4, 2) mm, looks as the table does in the same light all around it.

    Compared are the colour and its spread within it and within places as large beside it, none of which is felt.
    """
    middle, side = quad_mm.mean(axis=0), float(widths(quad_mm[None])[0])
    places = middle + side * np.concatenate([AROUND * RINGS[0], AROUND * RINGS[1]])
    away = np.linalg.norm(np.clip(places, 0.0, np.array(tray.size_mm)) - places, axis=1)
    # The find itself may lie on the edge in part; what it is compared with does not.
    return _as_usual(picture_bgr, tray, middle, places[away > 0.5 * side], side_mm=side)


def on_the_rim(quads_mm: Floats, tray: Tray) -> Bools:
    """Return (n,) which finds (n, 4, 2) lie on the felt's edge, or beyond it."""
    return ~on_felt(quads_mm.mean(axis=1), tray, inset_mm=ON_RIM * widths(quads_mm)[:, None])


def like_the_rim(picture_bgr: Image, tray: Tray, quad_mm: Floats) -> bool:
    """Return whether a find on the felt's edge, or beyond it, (4, 2) mm, looks as all do that lie along that edge.

    Rims have grain, as tables have. Compared are places as far from the nearest edge, along it to both sides.
    """
    if not on_the_rim(quad_mm[None], tray)[0]:
        return False
    middle, side, size = quad_mm.mean(axis=0), float(widths(quad_mm[None])[0]), np.array(tray.size_mm)
    across = int(np.minimum(middle, size - middle).argmin())
    places = np.tile(middle, (len(ALONG), 1))
    places[:, 1 - across] += side * ALONG
    along = places[:, 1 - across]
    # At the corners another edge begins.
    within = (along > CORNER * side) & (along < size[1 - across] - CORNER * side)
    return _as_usual(picture_bgr, tray, middle, places[within], side_mm=side)


def _as_usual(picture_bgr: Image, tray: Tray, middle_mm: Floats, others_mm: Floats, *, side_mm: float) -> bool:
    """Return whether a square of that side looks as most others (n, 2) do; not where too few lie in the picture."""
    at_px = tray.to_px(others_mm)
    others_mm = others_mm[((at_px > 0) & (at_px < picture_bgr.shape[1::-1])).all(axis=1)]
    if len(others_mm) < ENOUGH:
        return False
    grid = side_mm * INNER * np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, CELLS)] * 2), axis=-1).reshape(-1, 2)
    seen = np.log(seen_at(picture_bgr, tray, np.vstack([middle_mm, others_mm])[:, None] + grid) + LIFT)
    told = np.concatenate([seen.mean(axis=1), seen.std(axis=1)], axis=1)
    usual = np.median(told[1:], axis=0)
    # Other pieces, and markers, may lie among them.
    spread = OF_NORMAL * np.median(np.abs(told[1:] - usual), axis=0)
    return bool((np.abs(told[0] - usual) < USUAL * spread + LEAST).all())
