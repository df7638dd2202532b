"""Drawn trays of tiles by family, many and quickly: whole lawful sets, laid by hand.

Not in __main__: processes of a pool find their work by its module, and cannot import a __main__.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.drawing.chance import random_look
from vision.drawing.folders import save
from vision.drawing.glyphs import GlyphSet
from vision.drawing.heads import some_on_their_heads, with_arcs
from vision.drawing.look import Look
from vision.drawing.prints import other_print
from vision.drawing.scene import COLOURS, DrawnDisk, TrayScene, scene_for_layout
from vision.drawing.stage import Drawn, draw
from vision.drawing.traced.laying import cells_of
from vision.errors import BadScene

LAYOUT_OF = {"A": "rows", "B": "wild", "C": "wild", "D": "drawbridge", "E58": "rect", "E41": "diamond"}
"""The layouts of the families that can be drawn here."""
HARDEST = 0.6
"""Difficulty of a look is drawn evenly up to this: above it there are tiles that nobody could read."""
SIZE_PX = (1280, 960)
DIGITS = 4
"""Of the number in a picture's name."""
MOST_DISKS = 8
Job = tuple[str, int, int, tuple[GlyphSet, ...], float | None, bool, bool, Path]
"""One picture to make: family, seed, index, fonts, height of the digits, whether in another print and with some on
their heads, folder."""


def draw_tray(
    family: str,
    *,
    seed: int,
    index: int,
    glyph_sets: Sequence[GlyphSet] = (),
    digits: float | None = None,
    other: bool = False,
    heads: bool = False,
) -> Drawn:
    """Return tray number `index` of a family, the same for the same seed; raise BadScene for an unknown family.

    digits: how tall they are over the tile's height; None for any that are usual. other: digits small, aside or with
    an ornament, see `vision.drawing.prints`. heads: a six or nine upside down, see `vision.drawing.heads`.
    """
    rng = np.random.default_rng([seed, index, list(LAYOUT_OF).index(checked(family))])
    look = random_look(rng, glyph_sets=list(glyph_sets), difficulty=float(rng.uniform(0, HARDEST)))
    if digits is not None:
        look = replace(look, tile=replace(look.tile, digit_height=digits))
    if other:
        look = other_print(look, rng)
    # Chance of its own, so that all else lies as it lies without.
    upset = np.random.default_rng([seed, index, list(LAYOUT_OF).index(family), 1])
    if heads:
        look = with_arcs(look, upset)
    colours = [str(c) for c in rng.permutation(COLOURS)[:4]]
    scene = laid(family, colours, look, rng)
    drawn = draw(some_on_their_heads(scene, upset) if heads else scene, look, size_wh_px=SIZE_PX, rng=rng)
    drawn.truth.update(family=family, seed=seed, index=index)
    return drawn


def checked(family: str) -> str:
    """Return the family; raise BadScene for one that is not drawn here."""
    if family not in LAYOUT_OF:
        raise BadScene(f"family {family!r} is not drawn here (expected one of {', '.join(LAYOUT_OF)})")
    return family


def laid(family: str, colours: Sequence[str], look: Look, rng: np.random.Generator) -> TrayScene:
    """Return a whole lawful set in four colours, laid by hand for the size of the look's tiles."""
    rows = [
        [None if cell is None else f"{cell[0]}:{'down' if cell[1].endswith('v') else cell[1]}" for cell in row]
        for row in cells_of(family, colours, rng)
    ]
    w, h = look.tile.size_mm
    tight = 0.2 if family == "E41" else 3.0
    pitch = (w + float(rng.choice([0.15, rng.uniform(0.3, 1.6)])), h + float(rng.uniform(0.2, tight)))
    untidy = float(rng.uniform(0.2, 1.2))
    turn = float(rng.normal(0, 1.5 if family == "E41" else 4.0))
    layout = LAYOUT_OF[family]
    return scene_for_layout(
        rows, layout=layout, seed=int(rng.integers(2**31)), pitch_mm=pitch, untidy=untidy, turn_deg=turn
    )


def with_disks_beside(scene: TrayScene, look: Look, rng: np.random.Generator) -> TrayScene:
    """Return the tiles with prediction and queue disks beside them, at most eight, clear of tiles and corners."""
    radius, (w, h) = look.disk_mm / 2, look.tray_mm
    tiles = np.array([(t.x_mm, t.y_mm) for t in scene.tiles])
    clear = radius + 0.6 * float(np.hypot(*look.tile.size_mm))
    disks: list[DrawnDisk] = []
    for _ in range(int(rng.integers(8, 30))):
        x, y = rng.uniform(-1, 1, 2) * (w / 2 - radius - 6, h / 2 - radius - 6)
        free = np.hypot(*(tiles - (x, y)).T).min() > clear and not (abs(x) > w / 2 - 60 and abs(y) > h / 2 - 60)
        free &= all(np.hypot(x - d.x_mm, y - d.y_mm) > 2 * radius + 1 for d in disks)
        kind = str(rng.choice(["prediction", "queue"]))
        value = int(rng.choice([1, 2, 4] if kind == "prediction" else [1, 2, 3, 4]))
        angle = float(rng.uniform(0, 360))
        if free and len(disks) < MOST_DISKS:
            disks.append(DrawnDisk(float(x), float(y), angle, kind, value))
    return replace(scene, disks=tuple(disks))


def make_file(job: Job) -> str:
    """Make one picture with its label in the family's folder and return its name."""
    family, seed, index, glyph_sets, digits, other, heads, out = job
    cv2.setNumThreads(1)
    drawn = draw_tray(family, seed=seed, index=index, glyph_sets=glyph_sets, digits=digits, other=other, heads=heads)
    return save(drawn, out / family, f"{family}_{index:0{DIGITS}d}", split="drawn").name
