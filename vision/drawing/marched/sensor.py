"""From light to the file: exposure, vignette, lens, a mosaic of colours, noise, white balance, tone, sharpening, JPEG.

Noise is that of photons and of reading them out (Janesick, "Photon Transfer", SPIE 2007): its variance grows with the
light, over the electrons of a full well. Gains of the white balance are given to the mosaic, before colours are made
of it, as a camera does.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import cv2
import numpy as np

from vision.drawing.marched.texture import Array, F, levels

LUMA = np.array([0.2126, 0.7152, 0.0722], F)
_BLACK, _WHITE = 2000, 62000
"""Of the mosaic's sixteen bits, so that noise below black is kept."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """One camera and its settings."""

    stops: float
    """How much brighter than metered, in powers of two."""
    balance: float
    """How much of the lamps' colour is taken back: 1 for all of it."""
    cast: tuple[float, float, float]
    """What is wrong with its white, of red, green and blue."""
    full_well: float
    """Electrons of a white pixel."""
    read_noise: float
    """Over white."""
    vignette: float
    """Share of the light that the corners lose."""
    blur_px: float
    """Sigma of the lens in a picture 1280 pixels wide."""
    soft_colours: bool
    """Red and blue are less sharp than green."""
    mosaic: bool
    """Each pixel sees one colour; else three."""
    saturation: float
    contrast: float
    smoothed: bool
    """The camera smooths what it takes for noise."""
    sharpen: float
    jpeg: int

    def labelled(self) -> dict[str, Any]:
        """Return it for a label."""
        return {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(self).items()}


def random_sensor(rng: np.random.Generator) -> Sensor:
    """Return a camera, now and then one that is out of focus."""
    soft = abs(rng.normal(0.35, 0.18)) + 0.12
    red, green, blue = rng.normal(1, 0.028, 3).tolist()
    return Sensor(
        stops=float(rng.normal(0, 0.22)),
        balance=float(rng.uniform(0.72, 1.04)),
        cast=(red, green, blue),
        full_well=float(rng.uniform(1200, 6000)),
        read_noise=float(rng.uniform(0.0015, 0.003)),
        vignette=float(rng.uniform(0.12, 0.32)),
        blur_px=float(rng.uniform(0.8, 1.15) if rng.random() < 0.08 else soft),
        soft_colours=bool(rng.random() < 0.15),
        mosaic=bool(rng.random() < 0.65),
        saturation=float(rng.uniform(0.92, 1.18)),
        contrast=float(rng.uniform(0.15, 0.45)),
        smoothed=bool(rng.random() < 0.5),
        sharpen=float(rng.uniform(0.3, 0.9)),
        jpeg=int(rng.integers(75, 96)),
    )


def developed(light: Array, sensor: Sensor, lamp: Array, tray: tuple[slice, slice], rng: np.random.Generator) -> Array:
    """Return the picture, (h, w, 3) uint8 BGR, of light (h, w, 3) float32 RGB.

    lamp: colour of the light on the tray, (3,), green 1. tray: rows and columns in which it lies, for the exposure.
    """
    gains = np.array(sensor.cast) / lamp**sensor.balance
    gains = gains / gains[1]
    exposed = light * F(_exposure(light @ (gains * LUMA).astype(F), tray, 2**sensor.stops))
    seen = _through_lens(exposed, sensor)
    balanced = (
        _mosaic(seen, np.maximum(gains, 0.5), sensor, rng)
        if sensor.mosaic
        else _noisy(seen * np.maximum(gains, 0.5).astype(F), np.maximum(gains, 0.5) * 0.6, sensor, rng)
    )
    return _filed(_toned(np.clip(balanced, 0, 1), sensor), sensor)


def _exposure(grey: Array, tray: tuple[slice, slice], more: float) -> float:
    """Return by what light is multiplied: for a middle grey, mostly on the tray, whose brightest is hardly washed out.

    more: over what is metered; but the brightest is never left dark.
    """
    middle = grey[tray]
    bright = float(np.percentile(middle, 98.5))
    return max(min(0.19 / float(0.65 * middle.mean() + 0.35 * grey.mean()), 1.05 / bright) * more, 0.3 / bright)


def _through_lens(light: Array, sensor: Sensor) -> Array:
    h, w = light.shape[:2]
    x, y = np.arange(w, dtype=F)[None] - F(w / 2), np.arange(h, dtype=F)[:, None] - F(h / 2)
    off = (x * x + y * y) / F((w * w + h * h) / 4)
    seen = cv2.GaussianBlur(light * (1 - F(sensor.vignette) * off)[..., None], (0, 0), sensor.blur_px * w / 1280)
    if sensor.soft_colours:
        for k, soft in ((0, 0.5), (2, 0.6)):
            seen[..., k] = cv2.GaussianBlur(np.ascontiguousarray(seen[..., k]), (0, 0), soft)
    return np.clip(seen, 0, 4)


def _noisy(light: Array, gain: Array, sensor: Sensor, rng: np.random.Generator) -> Array:
    """Return light with noise. gain: what it was multiplied by, which multiplies its noise, too."""
    spread = np.sqrt(light * (gain / sensor.full_well).astype(F) + ((sensor.read_noise * gain) ** 2).astype(F))
    return np.asarray(light + rng.standard_normal(light.shape, F) * spread)


def _mosaic(light: Array, gains: Array, sensor: Sensor, rng: np.random.Generator) -> Array:
    """Return what is made of one colour for each pixel: red and green in one row, green and blue in the next."""
    mosaic = np.empty(light.shape[:2], F)
    for row, column, k in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        cells = np.s_[row::2, column::2]
        mosaic[cells] = _noisy(light[(*cells, k)] * F(gains[k]), gains[k : k + 1], sensor, rng)
    bits = np.clip(np.clip(mosaic, 0, 1) * (_WHITE - _BLACK) + _BLACK, 0, 65535).astype(np.uint16)
    # OpenCV names a mosaic by its second row's second and third pixel.
    whole = cv2.cvtColor(bits, cv2.COLOR_BayerBG2RGB_EA)
    return np.asarray((whole.astype(F) - _BLACK) / F(_WHITE - _BLACK))


def _toned(light: Array, sensor: Sensor) -> Array:
    """Return levels (h, w, 3) 0..1 after saturation, tone curve, smoothing and sharpening."""
    grey = (light @ LUMA)[..., None]
    level = levels(np.clip(grey + (light - grey) * F(sensor.saturation), 0, 1))
    curve = F(sensor.contrast * 0.5)
    level = level * (1 - curve) + curve * level * level * (3 - 2 * level)
    if sensor.smoothed:
        level = cv2.merge([cv2.bilateralFilter(plane, 3, 0.04, 1.0) for plane in cv2.split(level)])
    return np.clip(level + F(sensor.sharpen) * (level - cv2.GaussianBlur(level, (0, 0), 0.9)), 0, 1)


def _filed(level: Array, sensor: Sensor) -> Array:
    picture = (level[..., ::-1] * 255 + 0.5).astype(np.uint8)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
