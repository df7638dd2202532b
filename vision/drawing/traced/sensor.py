"""From linear light to the file: exposure, white balance, vignette, noise, tone curve, JPEG."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.traced.look import Rgb, SensorLook

Array = np.ndarray[Any, np.dtype[Any]]


def undistorted(camera: Camera, size_wh_px: tuple[int, int]) -> Array:
    """Return for each pixel where a lens without distortion would see it, (h, w, 2) float32 pixels."""
    w, h = size_wh_px
    x, y = np.meshgrid(np.arange(w, dtype=np.float64), np.arange(h, dtype=np.float64))
    fx, fy, cx, cy = camera.matrix[0, 0], camera.matrix[1, 1], camera.matrix[0, 2], camera.matrix[1, 2]
    u, v = (x - cx) / fx, (y - cy) / fy
    a, b = u.copy(), v.copy()
    for _ in range(5):
        r2 = a * a + b * b
        bend = 1 + r2 * (camera.distortion[0] + r2 * camera.distortion[1])
        a, b = u / bend, v / bend
    return np.stack([a * fx + cx, b * fy + cy], 2).astype(np.float32)


def develop(light: Array, look: SensorLook, lamp: Rgb, rng: np.random.Generator, *, incident: float) -> Array:
    """Return the picture (h, w, 3) uint8 of linear light (h, w, 3) float32 BGR. lamp: the light's mean colour.

    incident: light on the middle of the tray, see SceneText.
    """
    h, w = light.shape[:2]
    if look.blur_px > 0.1:
        light = cv2.GaussianBlur(light, (0, 0), look.blur_px)
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    light = light * (1 - look.vignette * 0.5 * (x * x + y * y))[..., None]
    gains = np.array([(c**-look.wb_exponent) * j for c, j in zip(lamp, look.wb_jitter, strict=True)])[::-1]
    gains = gains / gains[1]
    balanced = np.minimum(light * gains, 4.0)
    grey = balanced @ np.array([0.07, 0.72, 0.21], np.float32)
    # Between a camera that measures the light and one that measures the picture.
    middle = float(np.mean(np.minimum(grey, 4 * np.median(grey)))) + 1e-4
    scale = (0.78 / incident) ** 0.75 * (0.17 / middle) ** 0.25 * 2.0**look.ev
    raw = light * scale
    sigma = np.sqrt(np.maximum(raw, 0) / look.full_well + look.read_noise**2)
    grains = rng.standard_normal(raw.shape, np.float32)
    grains = cv2.GaussianBlur(grains, (0, 0), 0.55) * 1.6
    raw = np.clip((raw + grains * sigma) * gains.astype(np.float32), 0, 1).astype(np.float32)
    return _toned(raw, look)


def _toned(raw: Array, look: SensorLook) -> Array:
    """Return the picture after tone curve, colour, sharpening and file; raw: (h, w, 3) float32 0..1."""
    level = np.where(raw < 0.0031308, raw * 12.92, 1.055 * np.power(np.maximum(raw, 0.0031308), 1 / 2.4) - 0.055)
    level = level + look.contrast * (level * level * (3 - 2 * level) - level)
    grey = (level @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    level = (grey + (level - grey) * look.saturation).astype(np.float32)
    level = level + look.sharpen * (level - cv2.GaussianBlur(level, (0, 0), 1.0))
    picture = np.clip(level * 255 + 0.5, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, look.jpeg])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
