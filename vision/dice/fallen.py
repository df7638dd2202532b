"""Dice and disks found just beyond the felt: they fell off, or the felt reaches further than is known."""

from __future__ import annotations

import numpy as np

from vision.crops.standing import PERHAPS
from vision.dice.cast import NO_FACE
from vision.dice.patterns import PLAINLY, like_the_rim, like_the_table
from vision.dice.sorting import HINT
from vision.eyes import Eyes
from vision.finding.scene import Scene
from vision.geometry import Floats
from vision.tray.rectify import Image, Tray

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
    shown, hinted, plain = np.zeros((3, len(quads_px)), dtype=bool)
    there = np.ones(len(quads_px), dtype=bool)
    if eyes.there is not None:
        there = eyes.there(picture_bgr, quads_px) > PERHAPS
    for dice in (True, False):
        faces = eyes.faces(picture_bgr, quads_px, np.full(len(quads_px), dice))
        unreadable = np.asarray(faces.p_unreadable)
        likeliest = np.exp(faces.log_probs).max(axis=1)
        shown |= (likeliest >= NO_FACE) & (there | (unreadable < READABLE))
        hinted |= unreadable <= HINT
        plain |= likeliest >= PLAINLY
    asked = np.flatnonzero(shown | hinted).tolist()
    # What looks like the rim hardly ever is a die; of those on a mottled table one in eight looks like it.
    grain = {k for k in asked if not plain[k] and like_the_rim(picture_bgr, tray, scene.beside[k])}
    grain |= {k for k in asked if not (plain | hinted)[k] and like_the_table(picture_bgr, tray, scene.beside[k])}
    return [scene.beside[k] for k in asked if k not in grain]
