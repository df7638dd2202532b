"""Where the camera hangs over the tray, and so on which side of a die its flanks are seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.geometry import Floats, inverse
from vision.tray.rectify import Tray

FOCAL = 0.8
"""Focal length over the picture's width: 0.77 of a Camera Module 3, 0.8 to 1 of phones. How a tray narrows with its
distance would tell, but not from above: on 201 trays with lenses of 0.6 to 0.86 this one number puts the foot of a die
of 16 mm 0.2 mm off (99 of 100: 1.7); what the tray's corners say of the lens put it up to 6 mm off."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a camera is, in the tray's millimetres."""

    below_mm: tuple[float, float]
    """The point of the felt's plane straight below it."""
    height_mm: float

    def foot_of(self, points_mm: Floats, *, height_mm: float | Floats) -> Floats:
        """Return where on the felt points (..., 2) stand that are so high above it. points_mm: as they are seen.

        height_mm: a number or an array of the same leading shape, without the last axis.
        """
        share = np.asarray(height_mm, dtype=np.float64)[..., None] / self.height_mm
        return np.asarray(points_mm + (np.array(self.below_mm) - points_mm) * share)


@lru_cache(maxsize=4)
def camera_over(tray: Tray, *, picture_wh: tuple[int, int]) -> Camera:
    """Return where the camera hangs that saw the tray in a picture of so many pixels.

    For square pixels and a lens of FOCAL whose axis meets the picture's middle (Zhang, "A Flexible New Technique for
    Camera Calibration", 2000, section 3.1).
    """
    w, h = picture_wh
    middle = np.array([[1.0, 0.0, -(w - 1) / 2], [0.0, 1.0, -(h - 1) / 2], [0.0, 0.0, 1.0]])
    rays = np.diag([1 / (FOCAL * w), 1 / (FOCAL * w), 1.0]) @ middle @ inverse(tray.matrix)
    rays /= np.sqrt(np.linalg.norm(rays[:, 0]) * np.linalg.norm(rays[:, 1])) * np.sign(rays[2, 2])
    u, _, v = np.linalg.svd(np.column_stack([rays[:, 0], rays[:, 1], np.cross(rays[:, 0], rays[:, 1])]))
    at = -(u @ v).T @ rays[:, 2]
    return Camera((float(at[0]), float(at[1])), float(abs(at[2])))


def bodies_of(tops_mm: Floats, camera: Camera, *, height_mm: Floats) -> list[Floats]:
    """Return (4, 2) the tops of pieces, (n, 4, 2) as they are seen, their feet, and what lies half way in between.

    Together they cover what is seen of the pieces, flanks and all. height_mm: (n,).
    """
    feet = camera.foot_of(tops_mm, height_mm=np.asarray(height_mm)[:, None])
    return [*tops_mm, *(tops_mm + feet) / 2, *feet]
