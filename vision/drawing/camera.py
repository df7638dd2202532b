"""The drawn camera: from millimetres of the tray to pixels of the frame, lens included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class CameraLook:
    """Where the camera hangs and what its lens does."""

    px_per_mm: float = 1.55
    """Pixels of the frame per millimetre of felt below the camera, for a frame 1280 pixels wide."""
    height_mm: float = 600.0
    tilt_deg: float = 4.0
    """Between the optical axis and the vertical."""
    tilt_towards_deg: float = 270.0
    """Side on which the camera stands, counter-clockwise from the tray's x axis."""
    roll_deg: float = 0.0
    aim_mm: tuple[float, float] = (0.0, 0.0)
    """Point of the felt in the middle of the frame."""
    distortion: tuple[float, float] = (0.0, 0.0)
    """k1, k2 of the lens."""


@dataclass(frozen=True)
class Camera:
    """A camera look made ready for one frame size."""

    matrix: Array
    """(3, 3) float64."""
    rotation: Array
    """(3, 3) float64, tray to camera."""
    translation: Array
    """(3,) float64, millimetres."""
    distortion: Array
    """(5,) float64: k1, k2, p1, p2, k3."""

    def project(self, points_mm: Array) -> Array:
        """Return (n, 2) float64 pixels for (n, 3) or (n, 2) points of the tray in mm (two columns: z = 0)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, np.shape(points_mm)[-1])
        if points.shape[1] == 2:
            flat, points = points, np.zeros((len(points), 3))
            points[:, :2] = flat
        p = points @ self.rotation.T
        p += self.translation
        xy = p[:, :2] / p[:, 2:]
        focal, middle, k1, k2 = self._lens
        x2, y2 = (xy * xy).T
        r2 = (x2 + y2)[:, None]
        xy *= 1 + r2 * (k1 + r2 * k2)
        xy *= focal
        xy += middle
        return xy

    @cached_property
    def _lens(self) -> tuple[Array, Array, float, float]:
        """Focal lengths and middle of the picture, (2,) each, k1 and k2: pieces are painted edge by edge."""
        return np.diag(self.matrix)[:2], self.matrix[:2, 2], float(self.distortion[0]), float(self.distortion[1])

    def position_mm(self) -> Array:
        """Return where the camera hangs, (3,) in tray coordinates."""
        return np.asarray(-self.rotation.T @ self.translation)


def make_camera(look: CameraLook, *, size_wh_px: tuple[int, int]) -> Camera:
    """Return the camera for a frame of the given size; `px_per_mm` scales with the frame's width."""
    tilt, side = np.radians(look.tilt_deg), np.radians(look.tilt_towards_deg)
    away = np.array([np.cos(side) * np.sin(tilt), np.sin(side) * np.sin(tilt), np.cos(tilt)])
    aim = np.array([*look.aim_mm, 0.0])
    position = aim + away * (look.height_mm / np.cos(tilt))
    forward = -away
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = np.radians(look.roll_deg)
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.array([c * right + s * down, c * down - s * right, forward])
    focal = look.px_per_mm * float(np.linalg.norm(position - aim)) * size_wh_px[0] / 1280
    matrix = np.array([[focal, 0, (size_wh_px[0] - 1) / 2], [0, focal, (size_wh_px[1] - 1) / 2], [0, 0, 1]], np.float64)
    distortion = np.array([*look.distortion, 0, 0, 0], np.float64)
    return Camera(matrix, rotation, -rotation @ position, distortion)


def camera_json(camera: Camera) -> dict[str, Any]:
    """Return the camera in the form of the label files (metres)."""
    return {
        "K": camera.matrix.tolist(),
        "dist": camera.distortion.tolist(),
        "R": camera.rotation.tolist(),
        "t": (camera.translation / 1000).tolist(),
    }


def fill(image: Array, polygon_px: Array, colour: tuple[float, ...] | float) -> None:
    """Fill a polygon, (n, 2) float pixels, with smooth edges; changes `image`."""
    points = np.rint(np.asarray(polygon_px) * 16).astype(np.int32).reshape(-1, 1, 2)
    value = colour if isinstance(colour, tuple) else (colour,)
    cv2.fillPoly(image, [points], value, cv2.LINE_AA, 4)


def cover(frame: Array, layer: Array, mask: Array) -> None:
    """Lay a picture over the frame, both (h, w, 3) float32, where the uint8 mask (h, w) says so."""
    # Only along its edge the mask lets something through: a few pixels.
    rim = np.nonzero((mask > 0) & (mask < 255))
    edge = frame[rim]
    edge += (layer[rim] - edge) * (mask[rim].astype(np.float32) / 255)[:, None]
    # Assigned as well: into an array of another type OpenCV would write nothing, without a word.
    frame[:] = cv2.copyTo(layer, (mask == 255).astype(np.uint8), frame)
    frame[rim] = edge
