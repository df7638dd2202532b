"""Dice as they come to rest, alone and against each other, and disks beside tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.drawing.look import TileLook
from vision.drawing.marched.bodies import ring, turning
from vision.drawing.marched.distances import to_outline
from vision.drawing.marched.texture import Array, chosen
from vision.drawing.scene import DrawnDie, DrawnDisk, DrawnTile
from vision.geometry import SQUARE

MOST_DICE = 12
TOUCHING = 0.4
"""Dice closer than this touch, mm."""
_CLEAR = 1.2
"""How far a die that lies alone is from others."""
_CORNER, _MARGIN = 52.0, 22.0
"""How far from the tray's edges no die lies: at corners, where markers are, and else."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die lies."""

    x: float
    y: float
    turn: float
    """Radians."""

    def corners(self, side: float) -> Array:
        """Return the corners of its foot, (4, 2)."""
        return np.asarray(SQUARE * (side / 2) @ turning(self.turn).T + (self.x, self.y))


def apart(first: Place, second: Place, side: float) -> float:
    """Return how far two dice are apart at least, below 0 where they lie into each other.

    The largest gap in front of any side of either: two convex shapes that are apart are so there (separating axes).
    """
    a, b = first.corners(side), second.corners(side)
    turns = np.array([first.turn, first.turn + np.pi / 2, second.turn, second.turn + np.pi / 2])
    axes = np.stack([np.cos(turns), np.sin(turns)])
    along_a, along_b = a @ axes, b @ axes
    return float(np.maximum(along_b.min(0) - along_a.max(0), along_a.min(0) - along_b.max(0)).max())


def thrown(
    side: float, colours: Sequence[str], tray_mm: tuple[float, float], rng: np.random.Generator
) -> tuple[tuple[DrawnDie, ...], tuple[bool, ...]]:
    """Return one to twelve dice, six as a rule of some games, and which of them touch another."""
    wanted = int(rng.integers(1, MOST_DICE + 1)) if rng.random() < 0.7 else 6
    lie: list[Place] = []
    for _ in range(300):
        if len(lie) >= wanted:
            break
        left = wanted - len(lie)
        together = left >= 2 and rng.random() < 0.45
        new = _group(min(left, int(rng.integers(2, 5))), side, rng) if together else [_anywhere((155, 105), rng)]
        if _fit(new, lie, side, tray_mm):
            lie += new
    dice = []
    for k, place in enumerate(lie):
        # The first two show that there are two colours.
        colour = colours[k % len(colours)] if k < 2 else chosen(rng, colours)
        dice.append(DrawnDie(place.x, place.y, float(np.degrees(place.turn)), int(rng.integers(1, 7)), colour))
    touching = tuple(any(apart(a, b, side) < TOUCHING for b in lie if b is not a) for a in lie)
    return tuple(dice), touching


def _anywhere(reach: tuple[float, float], rng: np.random.Generator) -> Place:
    x, y = (rng.uniform(-1, 1, 2) * reach).tolist()
    return Place(x, y, float(rng.uniform(0, 2 * np.pi)))


def _group(count: int, side: float, rng: np.random.Generator) -> list[Place]:
    """Return dice that touch: each lies against one before it, face to face or with a corner to its face."""
    out = [_anywhere((120, 80), rng)]
    while len(out) < count:
        at, face = chosen(rng, out), int(rng.integers(4)) * np.pi / 2
        turned = rng.uniform(0.15, 0.75) if rng.random() < 0.35 else 0.0
        away = side / 2 + side / 2 * (np.cos(turned) + np.sin(turned)) + 0.2
        along = rng.uniform(-0.4, 0.4) if turned else rng.uniform(-0.5, 0.5)
        x, y = (turning(at.turn + face) @ (away, along * side)).tolist()
        out.append(Place(at.x + x, at.y + y, (at.turn + turned) % (2 * np.pi)))
    return out


def _fit(new: Sequence[Place], lie: Sequence[Place], side: float, tray_mm: tuple[float, float]) -> bool:
    """Tell whether dice lie on the felt and not into each other; one that lies alone has room about it."""
    for k, place in enumerate(new):
        x, y = (half / 2 - abs(at) for half, at in zip(tray_mm, (place.x, place.y), strict=True))
        if min(x, y) < _MARGIN or max(x, y) < _CORNER:
            return False
        if any(apart(place, other, side) < 0.05 for other in (*lie, *new[:k])):
            return False
    return len(new) > 1 or all(apart(new[0], other, side) > _CLEAR for other in lie)


def random_beside(
    tiles: Sequence[DrawnTile], shape: TileLook, width: float, tray_mm: tuple[float, float], rng: np.random.Generator
) -> tuple[DrawnDisk, ...]:
    """Return four to eight disks clear of tiles, of markers and of each other; fewer where there is no room."""
    kinds = [("prediction", v) for v in (1, 2, 4, 1, 2, 4)] + [("queue", v) for v in (1, 2, 3, 4)]
    wanted, out = int(rng.integers(4, 9)), list[DrawnDisk]()
    for kind, value in (kinds[int(k)] for k in rng.permutation(len(kinds))):
        if len(out) == wanted:
            break
        for x, y in rng.uniform(-1, 1, (60, 2)) * (np.array(tray_mm) / 2 - 16):
            if _free(x, y, width, out, tiles, shape, tray_mm):
                out.append(DrawnDisk(float(x), float(y), float(rng.uniform(0, 360)), kind, value))
                break
    return tuple(out)


def _free(
    x: float, y: float, width: float, disks: Sequence[DrawnDisk], tiles: Sequence[DrawnTile], shape: TileLook,
    tray_mm: tuple[float, float],
) -> bool:  # fmt: skip
    """Tell whether there is room for a disk at a place."""
    if abs(x) > tray_mm[0] / 2 - 58 and abs(y) > tray_mm[1] / 2 - 58:
        return False
    if any(np.hypot(x - d.x_mm, y - d.y_mm) < width + 2 for d in disks):
        return False
    edge = np.vstack([ring(width / 2), [[0, 0]]])
    for tile in tiles:
        own = (edge + (x - tile.x_mm, y - tile.y_mm)) @ turning(float(np.radians(tile.angle_deg)))
        reach = float(np.hypot(*shape.size_mm)) / 2 + width
        near = np.hypot(x - tile.x_mm, y - tile.y_mm) < reach + shape.sag_mm
        if near and to_outline(own[:, 0], own[:, 1], shape).min() < 0.8:
            return False
    return True
