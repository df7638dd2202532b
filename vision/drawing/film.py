"""Light over the scene, the lamp's mirror images, and what lens, sensor and file do to the frame."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, fill
from vision.drawing.look import FilmLook, LampLook
from vision.drawing.surfaces import texture

Array = np.ndarray[Any, np.dtype[Any]]

GREY = np.array([0.114, 0.587, 0.299])
"""Shares of blue, green and red in the brightness (ITU-R BT.601)."""
QUICK_FROM_PX = 1_000_000
"""Frames from this size on get noise from a bank of grains (3 ms instead of 60)."""


def cast_shadows(
    frame: Array, outlines: list[tuple[Array, float]], lamp: LampLook, camera: Camera, px_per_mm: float
) -> None:
    """Darken what pieces lie on. outlines: (polygon of the piece's foot in mm (n, 3), height of the piece in mm)."""
    if not outlines or lamp.shadow <= 0:
        return
    mask = np.zeros(frame.shape[:2], np.uint8)
    for polygon, height in outlines:
        moved = polygon.copy()
        moved[:, :2] += np.array(lamp.shadow_mm) * height / 10
        both = np.vstack([polygon, moved])
        hull = cv2.convexHull(camera.project(both).astype(np.float32)).reshape(-1, 2)
        fill(mask, hull, 255.0)
    x, y, w, h = _grown(cv2.boundingRect(mask), 12, mask.shape)
    cut = (slice(y, y + h), slice(x, x + w))
    soft = cv2.GaussianBlur(mask[cut], (0, 0), max(0.6, lamp.shadow_blur_mm * px_per_mm))
    light = 1 - lamp.shadow / 255 * soft.astype(np.float32)
    frame[cut] *= cv2.merge([light, light, light])


def _grown(box: Any, by: int, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    x, y = max(0, box[0] - by), max(0, box[1] - by)
    return x, y, min(shape[1], box[0] + box[2] + by) - x, min(shape[0], box[1] + box[3] + by) - y


def add_gloss(frame: Array, outline_px: Array, middle_mm: Array, lamp: LampLook, rng: np.random.Generator) -> float:
    """Add the lamp's mirror image on one piece; return how bright it is in the piece's middle, 0..1."""
    if lamp.gloss <= 0:
        return 0.0
    aim = np.array(lamp.gloss_at_mm) + rng.normal(0, lamp.gloss_spread_mm, 2)
    away = middle_mm[:2] - aim
    if float(away @ away) > 9 * lamp.gloss_mm**2:
        return 0.0
    low = np.maximum(np.floor(outline_px.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(outline_px.max(0)).astype(int) + 1, (frame.shape[1], frame.shape[0]))
    if (high - low < 2).any():
        return 0.0
    part = frame[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    fill(mask, outline_px - low, 255.0)
    px = float(np.ptp(outline_px[:, 0])) / 25.0
    xs = (np.arange(part.shape[1]) - part.shape[1] / 2) / px + away[0]
    ys = -(np.arange(part.shape[0]) - part.shape[0] / 2) / px + away[1]
    fall = np.exp(-(xs[None] ** 2 + ys[:, None] ** 2) / (2 * lamp.gloss_mm**2))
    light = (mask.astype(np.float32) / 255 * fall.astype(np.float32) * lamp.gloss)[..., None]
    part += (np.array([250, 253, 255], np.float32) - part) * np.clip(light, 0, 1)
    return float(fall[fall.shape[0] // 2, fall.shape[1] // 2] * lamp.gloss)


def light_frame(frame: Array, lamp: LampLook, rng: np.random.Generator) -> Array:
    """Multiply the frame (float32) by the light field and return it."""
    h, w = frame.shape[:2]
    y, x = np.mgrid[-1 : 1 : h // 8 * 1j, -1 : 1 : w // 8 * 1j].astype(np.float32)
    field = 1 + lamp.gradient[0] * x + lamp.gradient[1] * y - lamp.vignette * (x * x + y * y)
    if lamp.patch:
        c = rng.uniform(-0.6, 0.6, 2)
        a = rng.uniform(0, np.pi * 2)
        edge = ((x - c[0]) * np.cos(a) + (y - c[1]) * np.sin(a)) * rng.uniform(4, 40)
        field += lamp.patch / (1 + np.exp(-np.clip(edge, -30, 30)))
    big = cv2.resize(np.maximum(field, 0.05).astype(np.float32), (w, h))
    return np.asarray(cv2.multiply(frame, cv2.merge([big * np.float32(g) for g in lamp.gain])))


def soften(frame: Array, film: FilmLook) -> Array:
    """Apply defocus, motion, sharpening and the tone curve; float32 in and out."""
    if film.blur_px > 0.15:
        frame = cv2.GaussianBlur(frame, (0, 0), film.blur_px)
    length = float(np.hypot(*film.motion_px))
    if length > 0.7:
        frame = cv2.filter2D(frame, -1, _motion_kernel(film.motion_px))
    if film.sharpen > 0.02:
        # Step by step in one place, here and in `_shot_noise`: new memory costs more than the sums.
        fine = cv2.GaussianBlur(frame, (0, 0), 1.0)
        np.subtract(frame, fine, out=fine)
        np.multiply(fine, film.sharpen, out=fine)
        fine += frame
        frame = fine
    if film.saturation != 1:
        frame = cv2.transform(frame, film.saturation * np.eye(3) + (1 - film.saturation) * GREY)
    return np.asarray(frame, np.float32)


def _motion_kernel(motion_px: tuple[float, float]) -> Array:
    size = int(max(abs(motion_px[0]), abs(motion_px[1]))) | 1
    size = max(3, size + 2)
    kernel = np.zeros((size * 4, size * 4), np.float32)
    c, d = size * 2, np.array(motion_px) * 2
    cv2.line(kernel, (int(c - d[0]), int(c - d[1])), (int(c + d[0]), int(c + d[1])), (1.0,), 4)
    small = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum())


def tone(frame: Array, contrast: float) -> Array:
    """Return uint8 after an S-shaped tone curve."""
    level = np.arange(256, dtype=np.float32) / 255
    curve = level + contrast * (level * level * (3 - 2 * level) - level)
    whole = np.clip(frame, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(whole, np.clip(curve * 255 + 0.5, 0, 255).astype(np.uint8)))


def expose(picture: Array, film: FilmLook, rng: np.random.Generator) -> Array:
    """Add sensor noise and the traces of the file; uint8 in and out."""
    h, w = picture.shape[:2]
    if film.noise > 0 and w * h < QUICK_FROM_PX:
        picture = _shot_noise(picture, film.noise, rng)
    elif film.noise > 0:
        x, y = int(rng.integers(96)), int(rng.integers(96))
        sigma = round(film.noise * 4) / 4
        grains = _grains((h + 96, w + 96), sigma)[y : y + h, x : x + w]
        picture = np.asarray(cv2.add(picture, grains, dtype=cv2.CV_8U))
    if film.jpeg is not None:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return picture


def _shot_noise(picture: Array, sigma: float, rng: np.random.Generator) -> Array:
    """Add noise that grows with the light, fine or (after a denoiser) coarse."""
    size = (picture.shape[1], picture.shape[0])
    bank = "soft" if rng.random() < 0.4 else "white"
    grains = cv2.merge([texture(bank, size, rng) for _ in range(3)])
    level = picture.astype(np.float32)
    amount = 0.6 * level
    amount /= 128
    amount += 0.4
    np.sqrt(amount, out=amount)
    amount *= sigma
    amount *= grains
    amount += level
    amount += 0.5
    return np.asarray(np.clip(amount, 0, 255, out=amount).astype(np.uint8))


@lru_cache(maxsize=4)
def _grains(shape: tuple[int, int], sigma: float) -> Array:
    """Return (*shape, 3) int8 grains of a deviation: the frames of a film share it, and each takes a part."""
    return np.asarray(cv2.multiply(_grain_bank(shape), np.full(4, sigma), dtype=cv2.CV_8S))


@lru_cache(maxsize=2)
def _grain_bank(shape: tuple[int, int]) -> Array:
    """Return (*shape, 3) float32 grains of deviation 1, the same for all levels: what large frames can afford."""
    return np.random.default_rng(11).standard_normal((*shape, 3), np.float32)
