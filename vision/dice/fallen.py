"""Dice and disks found just beyond the felt: they fell off, or the felt reaches further than is known."""

from __future__ import annotations

import numpy as np

from vision.crops.standing import PERHAPS
from vision.dice.cast import NO_FACE
from vision.dice.sorting import HINT
from vision.eyes import Eyes
from vision.finding.scene import Scene
from vision.geometry import Floats, widths
from vision.ground.felt_light import LIFT
from vision.tray.rectify import Image, Tray, seen_at

RINGS = 1.4, 2.4
"""So far from a find, over its side, lie the middles of the places with which it is compared."""
AROUND = np.stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)], axis=1)
ENOUGH = 5
"""Fewer such places tell nothing of a pattern."""
INNER, CELLS = 0.8, 12
"""How much of the side is looked at, and in how many points each way: not what it stands on."""
USUAL, LEAST = 2.5, 0.03
"""A place looks like the others within so many of their standard deviations, and this much more (natural logarithms of
grey values and of their spread)."""
PLAINLY = 0.9
"""What shows a face this likely is no pattern, nor what can surely be read."""
READABLE = 0.5
"""A face has less `p_unreadable` than this, or the net of what stands says that a piece lies there (PERHAPS)."""


def beyond_the_felt(picture_bgr: Image, tray: Tray, eyes: Eyes, scene: Scene) -> list[Floats]:
    """Return the outlines (4, 2), in tray millimetres, of pieces beyond the felt: what shows a face, or what may.

    Tables have patterns of squares as large as dice. Those seen beside 460 traced trays, five, looked like no face
    more than like another, and not like plain felt either. A mottled cloth looked like a two that nobody can read,
    where to the net of what stands nothing lies; another like a three, and to that net like a piece: but it looks so
    all around.
    """
    if not scene.beside:
        return []
    quads_px = tray.to_px(np.array(scene.beside))
    shown, there = np.zeros(len(quads_px), dtype=bool), np.ones(len(quads_px), dtype=bool)
    plain = np.zeros(len(quads_px), dtype=bool)
    if eyes.there is not None:
        there = eyes.there(picture_bgr, quads_px) > PERHAPS
    for dice in (True, False):
        faces = eyes.faces(picture_bgr, quads_px, np.full(len(quads_px), dice))
        unreadable = np.asarray(faces.p_unreadable)
        likeliest = np.exp(faces.log_probs).max(axis=1)
        shown |= (likeliest >= NO_FACE) & (there | (unreadable < READABLE))
        plain |= (likeliest >= PLAINLY) | (unreadable <= HINT)
        shown |= unreadable <= HINT
    return [
        quad
        for quad, seen, face in zip(scene.beside, shown, plain, strict=True)
        if seen and (face or not like_the_table(picture_bgr, tray, np.asarray(quad)))
    ]


def like_the_table(picture_bgr: Image, tray: Tray, quad_mm: Floats) -> bool:
    """Return whether a find beyond the felt, (4, 2) mm, looks as the table does in the same light all around it.

    Compared are the colour and its spread within it and within places as large beside it, none of which is felt.
    """
    middle, side = quad_mm.mean(axis=0), float(widths(quad_mm[None])[0])
    places = middle + side * np.concatenate([[(0.0, 0.0)], AROUND * RINGS[0], AROUND * RINGS[1]])
    size = np.array(tray.size_mm)
    away = np.linalg.norm(np.clip(places, 0.0, size) - places, axis=1)
    # The find itself may lie on the edge in part; what it is compared with does not.
    beyond = away > 0.5 * side
    beyond[0] = True
    at_px = tray.to_px(places)
    beyond &= ((at_px > 0) & (at_px < picture_bgr.shape[1::-1])).all(axis=1)
    if beyond.sum() <= ENOUGH:
        return False
    grid = side * INNER * np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, CELLS)] * 2), axis=-1).reshape(-1, 2)
    seen = np.log(seen_at(picture_bgr, tray, places[beyond][:, None] + grid) + LIFT)
    told = np.concatenate([seen.mean(axis=1), seen.std(axis=1)], axis=1)
    usual, spread = np.median(told[1:], axis=0), told[1:].std(axis=0)
    return bool((np.abs(told[0] - usual) < USUAL * spread + LEAST).all())
