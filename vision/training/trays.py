"""Trays to learn from: drawn or traced, with anything on them, in any font and light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.drawing import Drawn, Look, draw, random_look
from vision.drawing.glyphs import GlyphSet
from vision.drawing.prints import other_print
from vision.drawing.traced.making import render_tray, render_whole
from vision.training.fonts import Face
from vision.training.handwriting import handwritten
from vision.training.learnable import tell_learnable
from vision.training.numbers import with_numbers
from vision.training.scenes import any_print_look, harder_look, random_kind, random_scene, varied_glyphs

WRITTEN = 0.16
"""Share of the sets of tiles that are written by hand."""
TRACED_FAMILIES = ("C", "HAND", "C", "B", "D", "HAND", "C", "E58", "HAND", "E41")
"""What the traced trays of tiles show in turn, as in `vision.drawing.traced.laying`: backs and hands most."""
BARE_FAMILIES = ("F", "EMPTY", "F")
"""What the traced trays without tiles show in turn: that mottled felt alone is no hand."""


def draw_one(
    faces: list[Face],
    rng: np.random.Generator,
    *,
    kind: str | None = None,
    harder: bool = False,
    any_print: bool = False,
    numbers: bool = False,
    other: bool = False,
) -> tuple[Drawn, Look]:
    """Return one drawn tray, framed a little wider than the felt; kind as in `random_scene`.

    harder: a smaller tray at any scale, with what makes dice and disks hard to read, see `harder_look`: what lies on
    it counts, not the felt between. any_print: dice and disks of any colour, printed in any way, see `any_print_look`.
    numbers: some tiles show a number of two digits, as no set of ours does. other: digits small, aside or with an
    ornament, see `other_print`.
    """
    glyphs = any_glyphs(faces, rng)
    look, size = any_look(glyphs, rng)
    camera = look.camera
    kind = kind or random_kind(rng)
    if harder or (kind in ("dice", "disks") and rng.random() < 0.6):
        look = harder_look(look, rng)
    if any_print:
        look = any_print_look(look, rng)
    if harder:
        look = replace(look, tray_mm=(0.55 * look.tray_mm[0], 0.55 * look.tray_mm[1]), clutter=0)
        ppm = float(np.exp(rng.uniform(np.log(1.15), np.log(3.2))))
        size = (int(look.tray_mm[0] * ppm * 1.2), int(look.tray_mm[1] * ppm * 1.25))
        # Seen aslant, too: what counts is the top face, however many pips the sides show.
        tilt = camera.tilt_deg if rng.random() < 0.5 else float(rng.uniform(5, 38))
        camera = replace(camera, tilt_deg=tilt, height_mm=float(rng.uniform(350, 750)))
        look = replace(look, camera=replace(camera, px_per_mm=ppm * 1280 / size[0]))
    if other:
        look = other_print(look, rng)
    if numbers:
        look = replace(look, glyphs=with_numbers(look.glyphs, rng))
    scene = random_scene(look, rng, kind=kind)
    drawn = draw(scene, look, size_wh_px=size, rng=rng)
    tell_learnable(drawn, scene, look)
    return drawn, look


def any_look(glyphs: GlyphSet, rng: np.random.Generator) -> tuple[Look, tuple[int, int]]:
    """Return how a tray looks in some light to some camera, and the size (w, h) of a picture of little more than it."""
    look = random_look(rng, glyph_sets=[glyphs], difficulty=float(rng.uniform(0.15, 1)))
    ppm = look.camera.px_per_mm
    size = (int(look.tray_mm[0] * ppm * 1.15), int(look.tray_mm[1] * ppm * 1.2))
    camera = replace(look.camera, px_per_mm=ppm * 1280 / size[0], aim_mm=tuple(rng.normal(0, 6, 2)))
    return replace(look, camera=camera, clutter=int(rng.integers(0, 3))), size


def any_glyphs(faces: list[Face], rng: np.random.Generator) -> GlyphSet:
    """Return a font as some print of it would be, or digits written by hand."""
    face = faces[int(rng.integers(len(faces)))]
    return handwritten(rng) if rng.random() < WRITTEN else varied_glyphs(face.glyphs, rng)


def trace_tray(faces: list[Face], seed: int, index: int) -> Drawn:
    """Return one small tray traced by POV-Ray, in one of the fonts; raise TracerFailed where that is missing."""
    rng = np.random.default_rng([seed, index, 1001])
    return render_tray(seed, index, glyph_sets=[faces[int(rng.integers(len(faces)))].glyphs])


def trace_tiles(faces: list[Face], seed: int, index: int) -> Drawn:
    """Return one whole tray of tiles traced by POV-Ray, in one of the fonts; raise TracerFailed where that is missing.

    Faces whose ink is hardly to be seen are "blank", as by `tell_unseen_ink`: they teach nothing but doubt about backs.
    """
    rng = np.random.default_rng([seed, index, 1003])
    family = TRACED_FAMILIES[index % len(TRACED_FAMILIES)]
    drawn = render_whole(family, seed=seed, index=index, glyphs=any_glyphs(faces, rng))
    for tile in drawn.truth["tiles"]:
        if tile["legibility"] == "unreadable":
            tile["legibility"] = "blank"
    return drawn


def trace_bare(faces: list[Face], seed: int, index: int) -> Drawn:
    """Return one whole tray without tiles traced by POV-Ray; raise TracerFailed where that is missing."""
    rng = np.random.default_rng([seed, index, 1005])
    family = BARE_FAMILIES[index % len(BARE_FAMILIES)]
    return render_whole(family, seed=seed, index=index, glyphs=any_glyphs(faces, rng))
