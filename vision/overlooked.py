"""Dice that the finder hardly sees: what shows a face beyond doubt where none was read is asked about.

Grey dice of glass on pale felt look to the finder, and by their light alone, like a shadow; their pips do not.
"""

from __future__ import annotations

import numpy as np

from vision import loose
from vision.faces import FACES
from vision.geometry import Floats
from vision.papers import on_papers, papers_on
from vision.rectify import Image, Tray
from vision.scene import Scene
from vision.second_look import Look

APART = 0.6
"""What lies nearer to a die that was read than this, over its side, is that die once more."""
READABLE, PLAINLY = 0.1, 0.99
"""A face by less `p_unreadable` than the first, and likelier than the second, is one. Of 782 traced trays of dice two
dice show themselves so, one of which nobody would have missed; and nothing that is no die, but crumbs that look like a
single pip, and print on the markers."""


def overlooked(picture_bgr: Image, tray: Tray, scene: Scene, dice_mm: Floats, look: Look) -> list[Floats]:
    """Return the outlines (4, 2) of dice among what the finder hardly sees. dice_mm: (n, 4, 2) those that were read."""
    if len(scene.faint_mm) == 0 or len(dice_mm) == 0:
        return []
    side_mm = float(np.median(np.linalg.norm(dice_mm[:, 1] - dice_mm[:, 0], axis=1)))
    middle = scene.faint_mm.mean(axis=1)
    away = np.linalg.norm(middle[:, None] - dice_mm.mean(axis=1), axis=2).min(axis=1)
    middle = middle[(away > APART * side_mm) & ~on_papers(middle, papers_on(tray))]
    if len(middle) == 0:
        return []
    quads_px = loose.dice_quads(picture_bgr, middle, side_mm=np.full(len(middle), side_mm), tray=tray)
    shown = look(picture_bgr, quads_px, np.ones(len(middle), dtype=bool))
    plain = (np.exp(shown.log_probs).max(axis=1) > PLAINLY) & (np.asarray(shown.p_unreadable) < READABLE)
    plain &= shown.log_probs.argmax(axis=1) != FACES.index(("die", 1))
    return list(tray.to_mm(quads_px[plain]))
