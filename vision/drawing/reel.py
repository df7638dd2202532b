"""Short films of a tray with everything that happens over one: for the tests of what settles, and of the watch.

A `Reel` collects frames with their own times; each method adds what a camera would have seen. Nothing here draws
tiles anew but `Stage`; nuisances are done to its frames, as lens, lamp and people do them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from vision.colour.paint import GAMMA
from vision.drawing.scene import DrawnTile, Hand, TrayScene
from vision.drawing.stage import Stage

Array = np.ndarray[Any, np.dtype[Any]]
Change = Callable[[Array], Array]


@dataclass(slots=True)
class Reel:
    """Frames of one evening's minute, at a steady rate unless something is done to the time."""

    stage: Stage
    rng: np.random.Generator
    period_ns: int = 100_000_000
    frames: list[tuple[Array, int]] = field(default_factory=list)
    """(h, w, 3) uint8 pictures, each with its time in nanoseconds."""
    always: Change | None = None
    """What lamp and lens do to every frame from now on."""
    at_ns: int = 0

    def still(self, count: int = 1, *, change: Change | None = None) -> Reel:
        """Add frames in which nothing happens; change: what is done to each of them besides."""
        for _ in range(count):
            self._take(self.stage.frame(rng=self.rng).picture_bgr, change)
        return self

    def hand(self, path: list[tuple[float, float]], *, seed: int = 3, angle_deg: float = 90.0) -> Reel:
        """Add a frame for each place of a hand's palm, in tray millimetres."""
        for x, y in path:
            hand = Hand(x, y, angle_deg=angle_deg, seed=seed)
            self._take(self.stage.frame(rng=self.rng, hand=hand).picture_bgr, None)
        return self

    def passing(self, count: int, change: Callable[[float], Change]) -> Reel:
        """Add frames of something that passes; change: how far it has gone, 0 to 1, to what it does."""
        for k in range(count):
            self.still(change=change((k + 0.5) / count))
        return self

    def onto(self, stage: Stage) -> Reel:
        """Show another scene (or another camera's) from now on."""
        self.stage = stage
        return self

    def repeated(self, count: int) -> Reel:
        """Add the last frame again and again, as a driver does that hangs: the time goes on, the noise does not."""
        last = self.frames[-1][0]
        for _ in range(count):
            self._put(last)
        return self

    def dropped(self, count: int) -> Reel:
        """Let time go by without frames."""
        self.at_ns += count * self.period_ns
        return self

    def late(self, picture: Array, *, by_ns: int) -> Reel:
        """Add a frame that was taken some time ago."""
        self.frames.append((picture, self.at_ns - by_ns))
        return self

    def picture(self, picture: Array) -> Reel:
        """Add any frame."""
        self._put(picture)
        return self

    def _take(self, picture: Array, change: Change | None) -> None:
        for done in (self.always, change):
            picture = picture if done is None else done(picture)
        self._put(picture)

    def _put(self, picture: Array) -> None:
        self.frames.append((picture, self.at_ns))
        self.at_ns += self.period_ns


def flicker(depth: float, *, rows: float, phase: float) -> Change:
    """Return the bands of a lamp at 100 Hz under a rolling shutter: `rows` from crest to crest, depth 0 to 1."""

    def change(picture: Array) -> Array:
        wave = 1 + depth * np.sin(2 * np.pi * (np.arange(len(picture)) / rows + phase))
        return _lit(picture, wave[:, None, None])

    return change


def lamp(stops: float = 0.0, *, red: float = 0.0, blue: float = 0.0, side: tuple[float, float] = (0.0, 0.0)) -> Change:
    """Return another lamp: brighter by so many stops, with more red or blue (stops too), more at one side.

    side: stops gained at the right and at the lower edge of the picture, lost at the others.
    """

    def change(picture: Array) -> Array:
        tint = np.array([blue, 0.0, red])
        if not any(side):
            return _lit(picture, 2.0 ** (stops + tint))
        h, w = picture.shape[:2]
        x, y = np.linspace(-1, 1, w)[None, :, None], np.linspace(-1, 1, h)[:, None, None]
        return _lit(picture, 2.0 ** (stops + side[0] * x + side[1] * y + tint))

    return change


def shadow(x: float, y: float, *, radius: float = 0.25, depth: float = 0.5) -> Change:
    """Return a soft shadow at a place of the picture (shares of its width and height), 1 - depth of the light left."""

    def change(picture: Array) -> Array:
        h, w = picture.shape[:2]
        at_x, at_y = np.linspace(0, 1, w)[None, :], np.linspace(0, h / w, h)[:, None]
        away = np.hypot(at_x - x, at_y - y * h / w) / radius
        return _lit(picture, (1 - depth / (1 + np.exp(np.clip((away - 1) * 8, -30, 30))))[..., None])

    return change


def blurred(sigma: float) -> Change:
    """Return a lens out of focus."""
    return lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.2)), dtype=np.uint8)


def moved(x_px: float, y_px: float) -> Change:
    """Return a camera that was pushed."""
    warp = np.array([[1, 0, x_px], [0, 1, y_px]], np.float32)

    def change(picture: Array) -> Array:
        size = (picture.shape[1], picture.shape[0])
        return np.asarray(cv2.warpAffine(picture, warp, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)

    return change


def with_tile(scene: TrayScene, index: int, **changes: Any) -> TrayScene:
    """Return the scene with one tile changed: pushed by a finger, or another one in its place."""
    tiles = list(scene.tiles)
    tiles[index] = replace(tiles[index], **changes)
    return replace(scene, tiles=tuple(tiles))


def pushed(scene: TrayScene, index: int, *, x_mm: float = 0.0, y_mm: float = 0.0, turn_deg: float = 0.0) -> TrayScene:
    """Return the scene with one tile pushed."""
    tile: DrawnTile = scene.tiles[index]
    return with_tile(scene, index, x_mm=tile.x_mm + x_mm, y_mm=tile.y_mm + y_mm, angle_deg=tile.angle_deg + turn_deg)


def _lit(picture: Array, light: Array) -> Array:
    """Return the picture under so many times the light, for each channel, row or pixel."""
    if light.shape == (3,):  # the same at every pixel: each grey value becomes one other
        greys = np.arange(256)[:, None, None] * np.ones(3)
        return np.asarray(cv2.LUT(picture, _lit_each(greys, light).reshape(1, 256, 3)), dtype=np.uint8)
    return _lit_each(picture, light)


def _lit_each(values: Array, light: Array) -> Array:
    return np.asarray(np.clip(values * light ** (1 / GAMMA) + 0.5, 0, 255).astype(np.uint8))


__all__ = ["Reel", "blurred", "flicker", "lamp", "moved", "pushed", "shadow", "with_tile"]
