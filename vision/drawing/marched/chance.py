"""How the camera hangs, by chance."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.drawing.camera import Camera, CameraLook, make_camera
from vision.drawing.marched.texture import Array, chosen

SIZES: dict[tuple[int, int], float] = {(1280, 960): 0.84, (960, 720): 0.10, (1640, 1232): 0.06}
"""Width and height of a picture in pixels, and how often a camera takes such."""
STEEPEST = 18.0
_ALL_SEEN_PX = 8
_AROUND_MM = 14.0


@dataclass(frozen=True, eq=False)
class Hung:
    """A camera over the tray."""

    look: CameraLook
    camera: Camera
    lens: str
    """"standard" or "mid", which is wider."""
    wide_deg: float
    """Angle that the picture is wide."""


def random_size(rng: np.random.Generator) -> tuple[int, int]:
    """Return the size of a picture, width and height in pixels."""
    return chosen(rng, list(SIZES), list(SIZES.values()))


def random_camera(size_wh_px: tuple[int, int], tray_mm: tuple[float, float], rng: np.random.Generator) -> Hung:
    """Return a camera that sees the whole tray."""
    lens = chosen(rng, ["standard", "mid"], [0.8, 0.2])
    wide = float(rng.uniform(62.5, 68) if lens == "standard" else rng.uniform(70, 75))
    bend = rng.uniform(-0.035, 0.012) if lens == "standard" else rng.uniform(-0.06, -0.01)
    distortion = (float(bend), float(rng.uniform(0, 0.004)))
    off = rng.normal(0, 3, 2) * size_wh_px[0] / 1280
    for _ in range(200):
        look = replace(_hung(lens, wide, rng), distortion=distortion)
        camera = make_camera(look, size_wh_px=size_wh_px)
        matrix = camera.matrix.copy()
        matrix[:2, 2] += off
        camera = replace(camera, matrix=matrix)
        if _sees(camera, size_wh_px, tray_mm):
            break
    return Hung(look, camera, lens, wide)


def _hung(lens: str, wide_deg: float, rng: np.random.Generator) -> CameraLook:
    """Return where a camera hangs and where it looks."""
    height = float(rng.uniform(500, 700)) * (1.0 if lens == "standard" else 0.9)
    tilt = abs(rng.normal(0, 7)) if rng.random() < 0.7 else rng.uniform(6, STEEPEST)
    tilt = float(min(tilt, STEEPEST))
    aim_x, aim_y = rng.uniform(-18, 18, 2).tolist()
    focal = 640 / np.tan(np.radians(wide_deg / 2))
    return CameraLook(
        px_per_mm=float(focal * np.cos(np.radians(tilt)) / height),
        height_mm=height,
        tilt_deg=tilt,
        tilt_towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.uniform(-6, 6)),
        aim_mm=(aim_x, aim_y),
    )


def _sees(camera: Camera, size_wh_px: tuple[int, int], tray_mm: tuple[float, float]) -> bool:
    x, y = tray_mm[0] / 2 + _AROUND_MM, tray_mm[1] / 2 + _AROUND_MM
    corners: Array = camera.project(np.array([[a * x, b * y, 10.0] for a in (-1, 1) for b in (-1, 1)]))
    edge = _ALL_SEEN_PX * size_wh_px[0] / 1280
    return bool((corners > edge).all() and (corners < np.array(size_wh_px) - edge).all())
