"""Make many: one tray of a family, small trays of dice and disks for the training, folders with labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.drawing.folders import save
from vision.drawing.glyphs import GlyphSet, built_in
from vision.drawing.stage import Drawn
from vision.drawing.traced.chance import random_look, small_look, training_look
from vision.drawing.traced.laying import FAMILIES, beside, few_tiles, random_scene, thrown
from vision.drawing.traced.look import TracedLook
from vision.drawing.traced.pieces import TracedScene
from vision.drawing.traced.staging import trace
from vision.errors import BadScene

Job = tuple[str, int, int, tuple[int, int], tuple[GlyphSet, ...], Path, int, bool]
"""One picture to make: family, seed, index, size, fonts, folder, frames of it, whether with shorter exposures."""
WITH_HOLES, MISSING = 0.35, 0.1
"""Share of the training's trays of tiles with places left empty, and of these places: felt framed like a tile."""
DIGITS = 3
"""Of the number in a picture's name."""


def trace_one(family: str, *, seed: int, index: int, glyph_sets: Sequence[GlyphSet] = (),
              size_wh_px: tuple[int, int] = (1280, 960), scale: float = 1.4, frames: int = 1,
              short: bool = False) -> Drawn:  # fmt: skip
    """Return tray number `index` of a family, the same for the same seed.

    glyph_sets: choose among these fonts (none: the built-in strokes). frames: that are taken of it. short: with
    shorter exposures of it, too. Raises BadScene for an unknown family or a size that no camera has.
    """
    if family not in FAMILIES:
        raise BadScene(f"family {family!r} is unknown (expected one of {', '.join(FAMILIES)})")
    rng = np.random.default_rng([seed, index, list(FAMILIES).index(family)])
    look = random_look(rng, family=family)
    glyphs = _chosen(glyph_sets, rng)
    scene = random_scene(family, look, rng)
    drawn = trace(
        scene, look, glyphs, family=family, size_wh_px=size_wh_px, rng=rng, scale=scale, frames=frames, short=short
    )
    drawn.truth.update(seed=seed, index=index)
    return drawn


def _chosen(glyph_sets: Sequence[GlyphSet], rng: np.random.Generator) -> GlyphSet:
    k = int(rng.integers(2**31))
    return glyph_sets[k % len(glyph_sets)] if glyph_sets else built_in(0.15 + 0.01 * (k % 6))


def _in_picture(look: TracedLook, width_px: int) -> TracedLook:
    """Return the look with its own pixels per mm said as for a picture 1280 px wide, as the camera wants them."""
    return replace(look, camera=replace(look.camera, px_per_mm=look.camera.px_per_mm * 1280 / width_px))


def render_tray(seed: int, index: int, *, glyph_sets: Sequence[GlyphSet] = (),
                size_wh_px: tuple[int, int] | None = None, scale: float = 1.15) -> Drawn:  # fmt: skip
    """Return one small tray for the training: dice (three in five) or disks, many of them, close together.

    Half of the trays of disks have a few tiles as well.

    size_wh_px: None frames the tray a quarter wider than its felt, at 1.25 to 2.4 pixels per mm.
    """
    rng = np.random.default_rng([seed, index, 1000])
    look = small_look(rng)
    ppmm = look.camera.px_per_mm
    size = size_wh_px or (max(200, int(look.tray_mm[0] * ppmm * 1.22)), max(180, int(look.tray_mm[1] * ppmm * 1.26)))
    look = _in_picture(look, size[0])
    glyphs = _chosen(glyph_sets, rng)
    if index % 5 > 2:
        tiles = few_tiles(look, rng) if rng.random() < 0.5 else ()
        scene = TracedScene(tiles, disks=beside(look, rng, tiles, int(rng.integers(4, 13))))
    else:
        clinging = float(rng.choice([0.2, 0.75]))
        scene = TracedScene(dice=thrown(look, rng, int(rng.integers(4, 16)), clinging=clinging))
    family = "G" if scene.disks else "F"
    drawn = trace(scene, look, glyphs, family=family, size_wh_px=size, rng=rng, scale=scale, whole=True)
    drawn.truth.update(seed=seed, index=index)
    return drawn


def render_whole(family: str, *, seed: int, index: int, glyphs: GlyphSet, scale: float = 1.05) -> Drawn:
    """Return one whole tray of a family for the training, framed a fifth wider than its felt.

    In some a few places are empty, whatever the layout (under a hand none are: there it hides enough).
    """
    rng = np.random.default_rng([seed, index, 1002])
    look = training_look(rng, family=family)
    ppmm = look.camera.px_per_mm
    size = (int(look.tray_mm[0] * ppmm * 1.2), int(look.tray_mm[1] * ppmm * 1.24))
    look = _in_picture(look, size[0])
    scene = random_scene(family, look, rng)
    if family != "HAND" and rng.random() < WITH_HOLES:
        scene = replace(scene, tiles=tuple(t for t in scene.tiles if rng.random() > MISSING))
    drawn = trace(scene, look, glyphs, family=family, size_wh_px=size, rng=rng, scale=scale, whole=True)
    drawn.truth.update(seed=seed, index=index)
    return drawn


def make_file(job: Job) -> str:
    """Make one picture with its label in the family's folder and return its name."""
    family, seed, index, size, glyph_sets, out, frames, short = job
    cv2.setNumThreads(1)
    drawn = trace_one(
        family, seed=seed, index=index, glyph_sets=glyph_sets, size_wh_px=size, frames=frames, short=short
    )
    return save(drawn, out / family, f"{family}_{index:0{DIGITS}d}").name
