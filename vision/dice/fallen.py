"""Dice and disks found just beyond the felt: they fell off, or the felt reaches further than is known."""

from __future__ import annotations

import numpy as np

from vision.dice.cast import NO_FACE
from vision.dice.sorting import HINT
from vision.eyes import Eyes
from vision.finding.scene import Scene
from vision.geometry import Floats
from vision.tray.rectify import Image, Tray


def beyond_the_felt(picture_bgr: Image, tray: Tray, eyes: Eyes, scene: Scene) -> list[Floats]:
    """Return the outlines (4, 2), in tray millimetres, of pieces beyond the felt: what shows a face, or what may.

    Tables have patterns of squares as large as dice. Those seen beside 460 traced trays, five, looked like no face
    more than like another, and not like plain felt either.
    """
    if not scene.beside:
        return []
    quads_px = tray.to_px(np.array(scene.beside))
    shown = np.zeros(len(quads_px), dtype=bool)
    for dice in (True, False):
        faces = eyes.faces(picture_bgr, quads_px, np.full(len(quads_px), dice))
        shown |= np.exp(faces.log_probs).max(axis=1) >= NO_FACE
        shown |= np.asarray(faces.p_unreadable) <= HINT
    return [quad for quad, there in zip(scene.beside, shown, strict=True) if there]
