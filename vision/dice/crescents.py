"""What a disk that lies partly under another of its size leaves to be seen: a crescent, by its shape alone.

A shadow of the upper disk may part the two, or ink look like felt, so that nothing seems to stick out of the upper
one; the rest of the lower disk's area, and the felt around it, say together that it is there.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.geometry import Bools, Floats

RAYS = 48
TURNS: Floats = np.arange(RAYS) * 2 * np.pi / RAYS
DIRECTIONS: Floats = np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
"""(RAYS, 2) directions in which is looked from a disk's middle."""
REACH: Floats = np.arange(0.8, 2.3, 0.05)
"""How far is looked, over the disk's radius."""
AWAY = (0.8, 0.9, 1.0, 1.15, 1.3, 1.5)
"""How far the lower disk's middle may lie from the upper one's, over the radius. A nearer one hardly sticks out more
than the upper one's own edge, seen aslant."""
BEYOND = 1.2
"""From this far on, over the radius, one may look for the lower one: the upper one's edge and its shadow lie nearer."""
WITHIN, AROUND = 0.92, (1.1, 1.35)
"""What lies within the first of a disk's radius is the disk, and between the others there is felt around it."""
SEEN, SEEN_AROUND = 0.6, 0.3
"""Share of a crescent that must be free of other pieces, and of the felt around it to be asked."""


def crescent(more: Bools, free: Bools) -> tuple[float, Floats]:
    """Return how much rather a crescent than felt is seen beside a disk, up to 1, and where the lower disk would lie.

    more, free: (RAYS, len(REACH)) where more than felt is seen, and where no other piece was found. The first is the
    share of the likeliest crescent that is more than felt, without the share of what lies around it; the second (2,)
    from the upper disk's middle, over its radius.
    """
    inside, around, way = _shapes()
    seen, there = free.ravel().astype(np.float64), (more & free).ravel().astype(np.float64)
    share, beside = _share(inside, seen, there, least=SEEN), _share(around, seen, there, least=SEEN_AROUND)
    sure = np.where(np.isnan(share), -1.0, share - np.nan_to_num(beside))
    best = int(sure.argmax())
    return float(sure[best]), way[best]


def _share(shapes: Floats, seen: Floats, there: Floats, *, least: float) -> Floats:
    """Return (m,) how much of what is seen of each shape (m, cells) is there; NaN where too little is seen."""
    area = shapes @ seen
    enough = area > least * shapes.sum(axis=1)
    return np.where(enough, (shapes @ there) / np.maximum(area, 1e-9), np.nan)


@cache
def _shapes() -> tuple[Floats, Floats, Floats]:
    """Return (m, cells) the area of crescents and of the felt around them, cell by cell, and (m, 2) their disks."""
    cells = (DIRECTIONS[:, None] * REACH[None, :, None]).reshape(-1, 2)
    lower = (np.array(AWAY)[:, None, None] * DIRECTIONS).reshape(-1, 2)
    far = np.linalg.norm(cells, axis=1)
    own = np.linalg.norm(cells - lower[:, None], axis=2)
    beyond = (lower[:, None] * cells).sum(axis=2) > 0.5 * (lower**2).sum(axis=1)[:, None]
    inside = (own < WITHIN) & (far > BEYOND)
    around = (own > AROUND[0]) & (own < AROUND[1]) & (far > BEYOND) & beyond
    return inside * far, around * far, lower
