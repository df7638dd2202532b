"""A camera's picture of linear light: exposure, colour filter, noise, what the camera does about it, JPEG.

Written anew and otherwise than for the traced trays: colours come through a Bayer filter, noise is smoothed in colour
and left in brightness, as small cameras do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
BLACK = 0.004
"""Light below which a sensor tells nothing, over its white."""


@dataclass(frozen=True, slots=True)
class SensorLook:
    """One camera and its settings."""

    soft_px: float
    """Blur of the lens, sigma."""
    flare: float
    """Share of all light that is spread over the picture."""
    exposure: float
    """Brightness of the middle of the picture, over the sensor's white."""
    brightest: float
    """How bright the brightest thirtieth of the middle may be, over the sensor's white: above 1 it is washed out."""
    balance: tuple[float, float, float]
    """What is left of the lamp's colour, BGR."""
    electrons: float
    """Of a white pixel: noise is its root."""
    curve: float
    """0: sRGB alone; 1: a film's curve of dark shadows."""
    vivid: float
    """Colour over the light's own."""
    sharp: float
    """Strength of the sharpening, over a pixel."""
    smear_px: float
    """How far colour is smoothed against noise, sigma."""
    calm: float
    """Difference in grey values up to which the camera takes structure for noise and smooths it; 0: nothing."""
    jpeg: int


def random_sensor(rng: np.random.Generator) -> SensorLook:
    """Return a camera, mostly a good one in a lit room."""
    return SensorLook(
        soft_px=float(rng.uniform(0.35, 1.1)),
        flare=float(rng.uniform(0, 0.06)),
        exposure=float(np.exp(rng.normal(np.log(0.2), 0.3))),
        brightest=float(rng.uniform(0.7, 1.4)),
        balance=tuple(float(v) for v in np.exp(rng.normal(0, 0.04, 3))),  # type: ignore[arg-type]
        electrons=float(np.exp(rng.uniform(np.log(400), np.log(8000)))),
        curve=float(rng.uniform(0, 0.7)),
        vivid=float(rng.uniform(0.85, 1.35)),
        sharp=float(rng.uniform(0, 1.2)),
        smear_px=float(rng.uniform(0, 2.5)),
        calm=float(rng.choice([0.0, 0.0, rng.uniform(2, 7)])),
        jpeg=int(rng.integers(72, 96)),
    )


def photographed(
    light: Array, look: SensorLook, lamp_bgr: Array, rng: np.random.Generator, *, share: float = 1.0
) -> Array:
    """Return the picture, (h, w, 3) uint8 BGR, of light (h, w, 3) float32. lamp_bgr: colour of all lamps together.

    share: how much of the light is let in, over what the camera measured.
    """
    raw = _lens(light, look)
    gains = np.asarray(look.balance) / lamp_bgr
    # No gain below one: what is brighter than the sensor bears is white.
    gains = (gains / gains.min()).astype(np.float32)
    h, w = raw.shape[:2]
    middle = raw[h // 6 : -h // 6, w // 6 : -w // 6] * gains
    bright = float(np.minimum(middle, 5 * np.median(middle)).mean()) + 1e-6
    # As measured and locked over a tray with tiles: what is bright may wash out a little, not for good.
    scale = min(look.exposure / bright, look.brightest / (float(np.quantile(middle, 0.97)) + 1e-6))
    raw = np.minimum(raw * scale * share, 1.0)
    electrons = rng.poisson(np.maximum(raw, 0) * look.electrons).astype(np.float32)
    raw = (electrons + rng.normal(0, 3.0, raw.shape)).astype(np.float32) / look.electrons
    seen = np.clip(_filtered(np.clip(raw - BLACK, 0, 1)) * gains, 0, 1)
    return _filed(_smeared(_curve(seen, look), look), look)


def _lens(light: Array, look: SensorLook) -> Array:
    soft = cv2.GaussianBlur(np.minimum(light, 50.0), (0, 0), look.soft_px)
    small = cv2.resize(soft, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    veil = cv2.resize(cv2.GaussianBlur(small, (0, 0), 12.0), (light.shape[1], light.shape[0]))
    return np.asarray(soft * (1 - look.flare) + veil * look.flare)


def _filtered(raw: Array) -> Array:
    """Return what is left of colours after each pixel saw one of them."""
    mosaic = np.empty(raw.shape[:2], np.float32)
    mosaic[0::2, 0::2], mosaic[0::2, 1::2] = raw[0::2, 0::2, 2], raw[0::2, 1::2, 1]
    mosaic[1::2, 0::2], mosaic[1::2, 1::2] = raw[1::2, 0::2, 1], raw[1::2, 1::2, 0]
    whole = cv2.cvtColor((mosaic * 65535).astype(np.uint16), cv2.COLOR_BayerBG2BGR_EA)
    return np.asarray(whole.astype(np.float32) / 65535)


def _curve(linear: Array, look: SensorLook) -> Array:
    level = np.where(linear < 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055)
    level = level + look.curve * (level * level * (3 - 2 * level) - level)
    grey = level @ np.array([0.114, 0.587, 0.299])
    return np.asarray(np.clip(grey[..., None] + (level - grey[..., None]) * look.vivid, 0, 1), np.float32)


def _smeared(level: Array, look: SensorLook) -> Array:
    """Return the picture with its colour smoothed and its brightness sharpened."""
    y, cr, cb = cv2.split(cv2.cvtColor(level, cv2.COLOR_BGR2YCrCb))
    if look.smear_px > 0.3:
        cr, cb = (cv2.GaussianBlur(c, (0, 0), look.smear_px) for c in (cr, cb))
    y = y + look.sharp * (y - cv2.GaussianBlur(y, (0, 0), 1.3))
    return np.asarray(cv2.cvtColor(cv2.merge([y, cr, cb]), cv2.COLOR_YCrCb2BGR))


def _filed(level: Array, look: SensorLook) -> Array:
    picture: Array = np.clip(level * 255 + 0.5, 0, 255).astype(np.uint8)
    if look.calm:
        picture = cv2.fastNlMeansDenoisingColored(picture, None, look.calm, look.calm, 5, 11)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, look.jpeg])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
