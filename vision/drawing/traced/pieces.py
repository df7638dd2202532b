"""Dice that may lie at any angle and lean a little; the other pieces are those of `vision.drawing.scene`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.drawing.scene import DrawnDisk, DrawnTile, Hand

Array = np.ndarray[Any, np.dtype[Any]]

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of each face lie, in steps from its middle; written anew, so that no slip of the drawing is shared."""


@dataclass(frozen=True, slots=True)
class TracedDie:
    """One die on the felt."""

    x_mm: float
    y_mm: float
    angle_deg: float
    value: int
    colour: str
    lean_deg: float = 0.0
    """How far the top face leans; 0 lies flat."""
    lean_towards_deg: float = 0.0
    touching: bool = False
    size: float = 1.0
    """Over that of the set: people mix dice."""

    def side_mm(self, size_mm: float) -> float:
        """Return how large it is, in a set of this size."""
        return self.size * size_mm

    def middle_mm(self, size_mm: float) -> tuple[float, float, float]:
        """Return the middle of the body, in a set of this size; a die that leans stands on an edge."""
        lift = self.side_mm(size_mm) / 2 * float(np.abs(die_turn(self, False)[2]).sum())
        return self.x_mm, self.y_mm, lift


@dataclass(frozen=True, slots=True)
class TracedScene:
    """Everything that lies on one tray."""

    tiles: tuple[DrawnTile, ...] = ()
    dice: tuple[TracedDie, ...] = ()
    disks: tuple[DrawnDisk, ...] = ()
    hand: Hand | None = None
    turn_deg: float = 0.0
    """Of the whole layout."""
    tags: tuple[str, ...] = ()
    on_others: int = 0
    """So many of the last disks, or where there are none of the last tiles, lie on others."""

    def tiles_on_others(self) -> tuple[DrawnTile, ...]:
        """Return the tiles that lie on others."""
        return self.tiles[len(self.tiles) - self.on_others :] if not self.disks else ()

    def disks_on_others(self) -> tuple[DrawnDisk, ...]:
        """Return the disks that lie on others."""
        return self.disks[len(self.disks) - self.on_others :]


def _about(axis: Array, angle: float) -> Array:
    """Return the rotation about a unit vector (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)


def die_turn(die: TracedDie, mirrored: bool) -> Array:
    """Return the rotation (3, 3) from a die that shows 1 to this one (columns: images of the axes)."""
    z, x, y = np.array([0.0, 0, 1]), np.array([1.0, 0, 0]), np.array([0.0, 1, 0])
    flip = -1 if mirrored else 1
    first = {
        1: np.eye(3),
        6: _about(x, np.pi),
        2: _about(y, -np.pi / 2),
        5: _about(y, np.pi / 2),
        3: _about(x, flip * np.pi / 2),
        4: _about(x, -flip * np.pi / 2),
    }[die.value]
    lean = np.radians(die.lean_towards_deg)
    axis = np.array([-np.sin(lean), np.cos(lean), 0])
    return np.asarray(_about(axis, np.radians(die.lean_deg)) @ _about(z, np.radians(die.angle_deg)) @ first)


def top_quad_mm(die: TracedDie, size_mm: float) -> Array:
    """Return the four corners of the top face, (4, 3) mm, TL TR BR BL before the die was turned; size_mm: the set's."""
    box = np.array([[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1]]) * die.side_mm(size_mm) / 2
    flat = TracedDie(0, 0, die.angle_deg, 1, "", die.lean_deg, die.lean_towards_deg)
    return np.asarray(box @ die_turn(flat, False).T + die.middle_mm(size_mm))
