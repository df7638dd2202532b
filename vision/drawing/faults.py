"""What the daily enemies do to a picture: shadows, lamps, the lens, the sensor and what camera programs make of it.

Pieces stay where they are, so that the labels of a picture hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.paint import GAMMA, as_seen, linear
from vision.drawing.reel import blurred
from vision.geometry import Floats
from vision.tray.rectify import Image

Fault = Callable[[Image, np.random.Generator], Image]
"""A picture and chance -> the picture with the fault; where it lies and how it points is left to chance."""
BAR = 0.06
"""Half the width of the shadow of an arm or a stand, over the picture's."""


def shaded(picture: Image, rng: np.random.Generator, *, light: float, soft: float, half: float | None = None) -> Image:
    """Return the picture with a straight shadow that leaves a share of the light.

    soft: how wide its edge is, over the picture's width. half: half the width of a bar, likewise; None for a shadow
    that covers all on one side.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / np.float32(w)
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1, 0.1)
    far = (x - 0.5 - off) * np.cos(turn) + (y - 0.5 * h / w) * np.sin(turn)
    if half is not None:
        far = np.abs(far) - half
    left = light + (1 - light) * rising(far / (0.25 * soft))
    return in_light(picture, left[..., None])


def lit(picture: Image, rng: np.random.Generator, *, bgr: tuple[float, float, float]) -> Image:
    """Return the picture in so much light of each colour, blown out where that is too much."""
    return in_light(picture, np.array(bgr))


def veiled(
    picture: Image, rng: np.random.Generator, *, light: float, wide: float, bgr: tuple[float, float, float]
) -> Image:
    """Return the picture with light added in one place, as by a window or a lamp that is mirrored in the lens.

    light: what is added in its middle, over that of full white; wide: standard deviation, over the picture's width;
    bgr: its colour.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / np.float32(w)
    u, v = 0.5 + rng.uniform(-0.2, 0.2), 0.5 * h / w + rng.uniform(-0.15, 0.15)
    spot = light * np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * wide**2))
    seen = linear(picture) + spot[..., None] * np.array(bgr)
    return picture_of(as_seen(np.clip(seen, 0, 1)))


def round_spot(
    shape: tuple[int, ...], middle_px: Sequence[float], radius_px: float, *, rim: float, squeezed: float = 1.0
) -> Floats:
    """Return (h, w) how much of a round lamp's image lies on each pixel, 0..1.

    shape: (h, w, ...). rim: how wide its edge is, over its radius; squeezed: its width over its height.
    """
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    far = np.hypot(x - middle_px[0], (y - middle_px[1]) * squeezed) / max(radius_px, 1.0)
    return np.asarray(1 / (1 + np.exp(np.clip((far - 1) / rim, -50, 50))))


def defocused(picture: Image, rng: np.random.Generator, *, sigma: float) -> Image:
    """Return the picture out of focus; sigma: over its width."""
    return blurred(sigma * picture.shape[1])(picture)


def smeared(picture: Image, rng: np.random.Generator, *, length: float) -> Image:
    """Return the picture moved while it was taken; length: over its width, in any direction."""
    size = max(3, round(length * picture.shape[1]) | 1)
    turn, middle = rng.uniform(0, np.pi), size // 2
    ends = [middle + sign * middle * np.array([np.cos(turn), np.sin(turn)]) for sign in (-1, 1)]
    kernel = np.zeros((size, size), np.float32)
    a, b = ((round(float(x)), round(float(y))) for x, y in ends)
    cv2.line(kernel, a, b, (1.0,))
    return picture_of(cv2.filter2D(picture, -1, kernel / kernel.sum()))


def dripped(picture: Image, rng: np.random.Generator, *, drops: int, wide: tuple[float, float]) -> Image:
    """Return the picture through drops on the lens: round places in which all is smeared until no edge is left.

    wide: least and most radius of a drop, over the picture's width. They lie in the middle part, where the tray is.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    out = picture.astype(np.float32)
    for _ in range(drops):
        radius = rng.uniform(*wide) * w
        u, v = rng.uniform(0.2, 0.8) * w, rng.uniform(0.25, 0.75) * h
        smear = cv2.GaussianBlur(picture, (0, 0), 0.45 * radius).astype(np.float32)
        inside = rising((radius - np.hypot(x - u, y - v)) / (0.08 * radius))
        out += inside[..., None] * (smear - out)
    return picture_of(out)


def mirrored(picture: Image, rng: np.random.Generator, *, pieces_px: Floats) -> Image:
    """Return the picture with the image of a small lamp on each piece, as polished ones show it: as white as a pip.

    pieces_px: (n, 4, 2) the pieces' corners. On every other one it lies in the middle, where a three has a pip and a
    two none; else anywhere on it.
    """
    out = picture.astype(np.float32)
    for quad in pieces_px:
        across, down, middle = quad[1] - quad[0], quad[3] - quad[0], quad.mean(axis=0)
        wide = 0.04 if rng.random() < 0.5 else 0.32
        at = middle + rng.uniform(-wide, wide) * across + rng.uniform(-wide, wide) * down
        radius = float(np.linalg.norm(across)) * rng.uniform(0.06, 0.14)
        first = np.maximum(np.floor(at - radius - 3).astype(int), 0)
        window = out[first[1] : int(at[1] + radius + 4), first[0] : int(at[0] + radius + 4)]
        y, x = np.mgrid[0 : window.shape[0], 0 : window.shape[1]]
        far = np.hypot(x + first[0] - at[0], y + first[1] - at[1])
        seen = rng.uniform(0.6, 1.0) * rising((radius - far) / 0.4)[..., None]
        window += seen * (rng.uniform(225, 255) - window)
    return picture_of(out)


def mirrored_on_some(picture: Image, rng: np.random.Generator, *, pieces_px: Floats) -> Image:
    """Return the picture with the image of a small lamp on a quarter of the pieces, which lie side by side.

    pieces_px: as of `mirrored`. So a table sees it: pieces that lie level mirror a lamp in one place of the tray.
    """
    middle = pieces_px.mean(axis=1)
    at = middle[rng.integers(len(middle))] if len(middle) else middle
    order = np.argsort(np.linalg.norm(middle - at, axis=1), kind="stable")
    return mirrored(picture, rng, pieces_px=pieces_px[order[: -(-len(middle) // 4)]])


def noisy(picture: Image, rng: np.random.Generator, *, sigma: float) -> Image:
    """Return the picture with noise of so many grey values in every pixel and colour."""
    return picture_of(picture + rng.normal(0, sigma, picture.shape))


def flickering(picture: Image, rng: np.random.Generator, *, depth: float, periods: float, apart: float = 0.0) -> Image:
    """Return the picture with bands, as a shutter that runs down the rows makes them of a lamp on the mains.

    depth: what the dark bands lack of the light, 0..1; periods: bands in the picture's height. apart: by how much blue
    is before green and red behind it, in radians, as of phosphors that fade one after another.
    """
    rows = np.linspace(0, 2 * np.pi * periods, len(picture)) + rng.uniform(0, 2 * np.pi)
    of_each = rows[:, None] + apart * np.array([1.0, 0.0, -1.0])
    return in_light(picture, (1 - depth * (0.5 + 0.5 * np.sin(of_each)))[:, None])


def darker_outside(picture: Image, rng: np.random.Generator, *, fall: float) -> Image:
    """Return the picture with less light to its edges, as lenses give it.

    fall: (1 / light - 1) at the middle of the left and the right edge.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    far2 = ((x - w / 2) ** 2 + (y - h / 2) ** 2) / (w / 2) ** 2
    return in_light(picture, (1 / (1 + fall * far2))[..., None])


def denoised(picture: Image, rng: np.random.Generator, *, sigma: float, strength: float) -> Image:
    """Return the picture with so much noise as in `noisy`, taken out again as camera programs do it: edges stay."""
    return picture_of(cv2.fastNlMeansDenoisingColored(noisy(picture, rng, sigma=sigma), None, strength, 10, 5, 11))


def sharpened(picture: Image, rng: np.random.Generator, *, amount: float) -> Image:
    """Return the picture with its edges overdone: pale and dark seams beside them."""
    seen = picture.astype(np.float32)
    return picture_of(np.rint(seen + amount * (seen - cv2.GaussianBlur(seen, (0, 0), picture.shape[1] / 850))))


def clipped(picture: Image, rng: np.random.Generator, *, light: float, white: float) -> Image:
    """Return the picture in so much light, of a camera that calls white what others call a lighter grey value.

    white: that grey value; the range of video ends at 235.
    """
    return picture_of(np.minimum(in_light(picture, np.array(light)), white))


def enlarged(picture: Image, rng: np.random.Generator, *, size: float) -> Image:
    """Return the picture as of a camera with fewer pixels. size: its width then, over its width now."""
    h, w = picture.shape[:2]
    small = cv2.resize(picture, (round(size * w), round(size * h)), interpolation=cv2.INTER_AREA)
    return picture_of(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR))


def squeezed(picture: Image, rng: np.random.Generator, *, quality: int) -> Image:
    """Return the picture after JPEG of a quality, 1 to 100."""
    return picture_of(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1))


FAULTS: Mapping[str, Fault] = {
    "as it is": lambda picture, rng: picture,
    "half in soft shadow, 1/2 of the light": partial(shaded, light=0.5, soft=0.05),
    "half in soft shadow, 1/4 of the light": partial(shaded, light=0.25, soft=0.05),
    "half in hard shadow, 1/4 of the light": partial(shaded, light=0.25, soft=0.005),
    "half in soft shadow, 1/8 of the light": partial(shaded, light=0.125, soft=0.05),
    "a bar of shadow, 1/2 of the light": partial(shaded, light=0.5, soft=0.01, half=BAR),
    "a bar of shadow, 1/4 of the light": partial(shaded, light=0.25, soft=0.01, half=BAR),
    "dim, 1/8 of the light": partial(lit, bgr=(0.125, 0.125, 0.125)),
    "bright, 2 times the light": partial(lit, bgr=(2.0, 2.0, 2.0)),
    "no white but 235": partial(clipped, light=1.0, white=235.0),
    "bright, 1.5 times the light, no white but 216": partial(clipped, light=1.5, white=216.0),
    "warm light": partial(lit, bgr=(0.5, 0.9, 1.1)),
    "cold light": partial(lit, bgr=(1.2, 1.0, 0.6)),
    "a veil of light, 1/20 of white": partial(veiled, light=0.05, wide=0.08, bgr=(1.0, 1.0, 1.0)),
    "a veil of light, 1/7 of white": partial(veiled, light=0.15, wide=0.08, bgr=(1.0, 1.0, 1.0)),
    "a warm veil, 1/10 of white": partial(veiled, light=0.1, wide=0.05, bgr=(0.5, 0.8, 1.0)),
    "defocused, 1/1000 of the width": partial(defocused, sigma=0.001),
    "defocused, 2/1000 of the width": partial(defocused, sigma=0.002),
    "moved, 5/1000 of the width": partial(smeared, length=0.005),
    "moved, 10/1000 of the width": partial(smeared, length=0.01),
    "four drops on the lens": partial(dripped, drops=4, wide=(0.015, 0.03)),
    "noise of 10 grey values": partial(noisy, sigma=10.0),
    "noise of 25 grey values": partial(noisy, sigma=25.0),
    "JPEG of quality 30": partial(squeezed, quality=30),
    "JPEG of quality 12": partial(squeezed, quality=12),
    "bands of a flickering lamp, 1/3 of the light": partial(flickering, depth=0.33, periods=3.0),
    "bands of a flickering lamp, 2/3 of the light": partial(flickering, depth=0.67, periods=4.0),
    "half of the light at the edges": partial(darker_outside, fall=1.0),
    "noise, and a program that takes it out": partial(denoised, sigma=10.0, strength=7.0),
    "sharpened far too much": partial(sharpened, amount=2.5),
    "half of the pixels each way": partial(enlarged, size=0.5),
}
"""What is done to each picture, from the daily to the absurd."""
ABSURD = frozenset({
    "as it is", "defocused, 2/1000 of the width", "moved, 10/1000 of the width", "noise of 25 grey values",
    "JPEG of quality 12",
})  # fmt: skip
"""Not worth another one on top."""


A_LAMP = "a lamp mirrored on each piece"
"""A fault of `faults_on`: where it lies the pieces say, not chance."""
ON_PIECES = {A_LAMP: mirrored, "a lamp mirrored on a quarter of the pieces": mirrored_on_some}
"""All faults that lie on pieces."""


def faults_on(pieces_px: Floats) -> Mapping[str, Fault]:
    """Return all faults, of a picture with such pieces, (n, 4, 2) corners in its pixels, by their names."""
    return {**FAULTS, **{name: partial(fault, pieces_px=pieces_px) for name, fault in ON_PIECES.items()}}


def together(names: Sequence[str]) -> Fault:
    """Return the faults of some names as one, done in this order."""

    def all_of(picture: Image, rng: np.random.Generator) -> Image:
        for name in names:
            picture = FAULTS[name](picture, rng)
        return picture

    return all_of


def rising(x: NDArray[Any]) -> NDArray[Any]:
    """Return a soft step: from 0 far below 0 to 1 far above."""
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -50, 50))))


def in_light(picture: Image, light: NDArray[Any]) -> Image:
    """Return the picture with another share of light in each pixel or colour, as the sensor's curve shows it."""
    return picture_of(picture * light ** (1 / GAMMA))


def picture_of(values: Any) -> Image:
    """Return grey values, whatever they are, as a picture has them."""
    return np.asarray(np.clip(values, 0, 255), dtype=np.uint8)
