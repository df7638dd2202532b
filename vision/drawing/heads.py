"""Boards on which somebody laid a six or a nine upside down, as its arcs show (RULES 1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.drawing.look import Look
from vision.drawing.scene import DrawnTile, TrayScene

TURNABLE = "69"
SAGS_MM = (1.5, 3.2)
"""How high arcs rise where the set has none: nobody sees how a square 6 lies."""


def with_arcs(look: Look, rng: np.random.Generator) -> Look:
    """Return the look of a set whose sixes and nines are told by arcs alone."""
    sag = look.tile.sag_mm or float(rng.uniform(*SAGS_MM))
    return replace(look, tile=replace(look.tile, sag_mm=sag, underline=False))


def some_on_their_heads(scene: TrayScene, rng: np.random.Generator) -> TrayScene:
    """Return the scene with the six and nine of one colour upside down, or the one of them that lies there.

    A colour that shows one alone is preferred: of two the rule of the set tells more. As it is where none lies open.
    """
    by_colour: dict[str, list[int]] = {}
    for k, tile in enumerate(scene.tiles):
        if tile.face_up and tile.symbol in TURNABLE:
            by_colour.setdefault(tile.colour, []).append(k)
    lone = [colour for colour, at in by_colour.items() if len(at) == 1]
    if not by_colour:
        return scene
    turned = by_colour[str(rng.choice(lone or list(by_colour)))]
    return replace(scene, tiles=tuple(on_its_head(t) if k in turned else t for k, t in enumerate(scene.tiles)))


def on_its_head(tile: DrawnTile) -> DrawnTile:
    """Return a tile turned half round where it lies."""
    return replace(tile, angle_deg=tile.angle_deg + 180.0)
