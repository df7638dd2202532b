"""Trays by a browser: what lies on them, the picture of a page, and what a camera makes of it.

Not in __main__: processes of a pool find their work by its module, and cannot import a __main__.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.drawing.browser.chance import BrowserLook, colours_of, random_browser_look, with_disks
from vision.drawing.browser.chromium import screenshot
from vision.drawing.browser.page import page_of
from vision.drawing.camera import make_camera
from vision.drawing.folders import save
from vision.drawing.many import SIZE_PX, laid, with_disks_beside
from vision.drawing.scene import DrawnDie, TrayScene
from vision.drawing.stage import Drawn
from vision.drawing.truth import truth_of
from vision.errors import BadScene

Array = np.ndarray[Any, np.dtype[Any]]
FAMILIES = ("A", "B", "C", "D", "E58", "F", "G")
"""Families that a browser draws, named as by `vision.drawing.traced.laying`."""
DIGITS = 3
"""Of the number in a picture's name."""
MOST_DICE = 12
Job = tuple[str, int, int, tuple[Path, ...], Path]
"""One picture to make: family, seed, index, a font's file or none, folder."""


def browse_tray(family: str, *, seed: int, index: int, font: Path | None = None) -> Drawn:
    """Return tray number `index` of a family, the same for the same seed, font and Chromium.

    Raises BadScene for an unknown family and BrowserFailed where Chromium is missing.
    """
    rng = np.random.default_rng([seed, index, FAMILIES.index(checked(family))])
    look = random_browser_look(rng, font)
    if family == "G":
        look = with_disks(look, rng)
        scene = with_disks_beside(_tiles("A", look, rng), look.look, rng)
    else:
        scene = _thrown(look, rng) if family == "F" else _tiles(family, look, rng)
    camera = make_camera(look.look.camera, size_wh_px=SIZE_PX)
    picture = _photographed(screenshot(page_of(scene, look, camera, size_wh_px=SIZE_PX), size_wh_px=SIZE_PX), rng)
    truth = truth_of(scene, look.look, camera, size_wh_px=SIZE_PX, hand_mask=None, gloss={})
    truth.update(family=family, seed=seed, index=index, tags=["browser"])
    return Drawn(picture, truth)


def checked(family: str) -> str:
    """Return the family; raise BadScene for one that no browser draws."""
    if family not in FAMILIES:
        raise BadScene(f"family {family!r} is not drawn by a browser (expected one of {', '.join(FAMILIES)})")
    return family


def _tiles(family: str, look: BrowserLook, rng: np.random.Generator) -> TrayScene:
    return laid(family, colours_of(look, rng, 4), look.look, rng)


def _thrown(look: BrowserLook, rng: np.random.Generator) -> TrayScene:
    """Return dice in one or two colours, some side by side."""
    colours = colours_of(replace(look, look=replace(look.look, tile=replace(look.look.tile, body=None))), rng, 2)
    side, (w, h) = look.look.die.size_mm, look.look.tray_mm
    dice: list[DrawnDie] = []
    for _ in range(int(rng.integers(1, MOST_DICE + 1))):
        x, y = rng.uniform(-1, 1, 2) * (w / 2 - 55, h / 2 - 35)
        if dice and rng.random() < 0.3:
            turn = rng.uniform(0, 2 * np.pi)
            x, y = dice[-1].x_mm + 1.3 * side * np.cos(turn), dice[-1].y_mm + 1.3 * side * np.sin(turn)
        free = all(np.hypot(x - d.x_mm, y - d.y_mm) > 1.28 * side for d in dice)
        if free and abs(x) < w / 2 - 50 and abs(y) < h / 2 - 30:
            angle, value = float(rng.uniform(0, 360)), int(rng.integers(1, 7))
            dice.append(DrawnDie(float(x), float(y), angle, value, colours[int(rng.integers(len(colours)))]))
    return TrayScene(dice=tuple(dice))


def _photographed(picture_bgr: Array, rng: np.random.Generator) -> Array:
    """Return what a camera makes of it: a little soft, exposed and balanced by chance, with noise, through a JPEG."""
    soft = cv2.GaussianBlur(picture_bgr.astype(np.float32), (0, 0), float(rng.uniform(0.3, 1.2)))
    seen: Array = soft * np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.05, 3))
    seen = seen + rng.normal(0, rng.uniform(1, 6), seen.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 96))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", seen.clip(0, 255).astype(np.uint8), quality)[1], 1), np.uint8)


def make_file(job: Job) -> str:
    """Make one picture with its label in the family's folder and return its name."""
    family, seed, index, fonts, out = job
    drawn = browse_tray(family, seed=seed, index=index, font=fonts[0] if fonts else None)
    return save(drawn, out / family, f"{family}_{index:0{DIGITS}d}", split="browser").name
