"""Trays by Blender: what lies on them, the light it sheds, and what a camera makes of it.

Not in __main__: processes of a pool find their work by its module, and cannot import a __main__.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.drawing.blender.chance import BlenderLook, colours_of, random_blender_look, with_disks
from vision.drawing.blender.description import described, lamp_bgr, marker_pictures
from vision.drawing.blender.program import NothingCarved, light_of
from vision.drawing.blender.sensor import photographed
from vision.drawing.camera import make_camera
from vision.drawing.folders import save
from vision.drawing.many import SIZE_PX, laid, with_disks_beside
from vision.drawing.scene import DrawnDie, TrayScene
from vision.drawing.stage import Drawn
from vision.drawing.truth import truth_of
from vision.errors import BadScene
from vision.frames.short import SHARES

FAMILIES = ("A", "B", "C", "D", "E58", "F", "G")
"""Families that are modelled, named as by `vision.drawing.traced.laying`."""
DIGITS = 3
"""Of the number in a picture's name."""
MOST_DICE = 12
SAMPLES = 12
"""Rays a pixel: what noise they leave is like a sensor's."""
Job = tuple[str, int, int, tuple[Path, ...], Path, bool]
"""One picture to make: family, seed, index, a font's file or none, folder, whether with shorter exposures."""


def model_tray(
    family: str, *, seed: int, index: int, font: Path | None = None, samples: int = SAMPLES, short: bool = False,
    engraved: bool = True,
) -> Drawn:  # fmt: skip
    """Return tray number `index` of a family, the same for the same seed, font and Blender.

    short: with shorter exposures of it, too. engraved: False prints what chance would have engraved. Raises BadScene
    for an unknown family and BlenderFailed where Blender is missing.
    """
    rng = np.random.default_rng([seed, index, FAMILIES.index(checked(family))])
    look = random_blender_look(rng, font)
    if look.how == "engraved" and not engraved:
        look = replace(look, how="printed")
    if family == "G":
        look = with_disks(look, rng)
    scene = scene_of(family, look, rng)
    camera = make_camera(look.look.camera, size_wh_px=SIZE_PX)
    written = described(scene, look, camera, rng, size_wh_px=SIZE_PX, samples=samples, threads=1)
    light = light_of(written, marker_pictures())
    picture = photographed(light, look.sensor, lamp_bgr(look), rng)
    truth = truth_of(scene, look.look, camera, size_wh_px=SIZE_PX, hand_mask=None, gloss={})
    truth.update(family=family, seed=seed, index=index, tags=["blender", look.dice if scene.dice else look.body])
    shares = SHARES if short else ()
    return Drawn(
        picture, truth, shorter=tuple(photographed(light, look.sensor, lamp_bgr(look), rng, share=s) for s in shares)
    )


def checked(family: str) -> str:
    """Return the family; raise BadScene for one that is not modelled."""
    if family not in FAMILIES:
        raise BadScene(f"family {family!r} is not modelled in Blender (expected one of {', '.join(FAMILIES)})")
    return family


def scene_of(family: str, look: BlenderLook, rng: np.random.Generator) -> TrayScene:
    """Return what lies on a tray of a family, for the sizes and colours of the look."""
    if family == "G":
        return with_disks_beside(_tiles("A", look, rng), look.look, rng)
    return _thrown(look, rng) if family == "F" else _tiles(family, look, rng)


def _tiles(family: str, look: BlenderLook, rng: np.random.Generator) -> TrayScene:
    return laid(family, colours_of(look, rng, 4), look.look, rng)


def _thrown(look: BlenderLook, rng: np.random.Generator) -> TrayScene:
    """Return dice in one or two colours, some side by side."""
    colours = colours_of(look, rng, int(rng.integers(1, 3)), dice=True)
    side, (w, h) = look.look.die.size_mm, look.look.tray_mm
    dice: list[DrawnDie] = []
    for _ in range(int(rng.integers(1, MOST_DICE + 1))):
        x, y = rng.uniform(-1, 1, 2) * (w / 2 - 50, h / 2 - 30)
        angle = float(rng.uniform(0, 360))
        if dice and rng.random() < 0.3:
            angle = dice[-1].angle_deg + float(rng.normal(0, 3))
            turn = np.radians(dice[-1].angle_deg + 90 * int(rng.integers(4)))
            near = side * float(rng.uniform(1.02, 1.2))
            x, y = dice[-1].x_mm + near * np.cos(turn), dice[-1].y_mm + near * np.sin(turn)
        touching = 1.0 if dice and np.hypot(x - dice[-1].x_mm, y - dice[-1].y_mm) < 1.25 * side else 1.45
        free = all(np.hypot(x - d.x_mm, y - d.y_mm) > (touching if d is dice[-1] else 1.45) * side for d in dice)
        if free and abs(x) < w / 2 - 45 and abs(y) < h / 2 - 25:
            value, colour = int(rng.integers(1, 7)), colours[int(rng.integers(len(colours)))]
            dice.append(DrawnDie(float(x), float(y), angle % 360, value, colour))
    return TrayScene(dice=tuple(dice))


def make_file(job: Job) -> str:
    """Make one picture with its label in the family's folder and return its name.

    What Blender cannot engrave is printed: one digit of thousands ends no run.
    """
    family, seed, index, fonts, out, short = job
    font = fonts[0] if fonts else None
    try:
        drawn = model_tray(family, seed=seed, index=index, font=font, short=short)
    except NothingCarved:
        drawn = model_tray(family, seed=seed, index=index, font=font, short=short, engraved=False)
    return save(drawn, out / family, f"{family}_{index:0{DIGITS}d}", split="blender").name
