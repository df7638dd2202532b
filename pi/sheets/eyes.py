"""Printed mats as the eye is told of them: places and print, from the same numbers and the same drawing."""

from __future__ import annotations

from functools import lru_cache

from pi.sheets.raster import printed
from pi.stand_ins.mats import RUN_BUSTER, Zone, mat_of
from vision.mats.mat import Area, Mat

DICE = "dice"
"""What Run Buster expects; its zones are told apart afterwards, by millimetres."""


@lru_cache(maxsize=8)
def eyes_mat(expects: str) -> Mat | None:
    """Return the mat that a ruleset's `expects` names, e.g. 'blob:8'; None when it names none."""
    if expects == DICE:
        rolls = tuple(Area(z.left + 2, z.top + 2, z.width - 4, z.height - 4) for z in RUN_BUSTER)
        return Mat(DICE, (), printed("run-buster", words=False), printed("run-buster"), rolls=rolls)
    mat = mat_of(expects)
    if mat is None:
        return None
    return Mat(
        name=mat.name,
        places=tuple(_area(zone) for zone in mat.places),
        print_grey=printed(expects, words=False),
        words_grey=printed(expects),
        pawns=mat.pawns,
        tracks=mat.tracks,
        rolls=tuple(_area(zone) for zone in mat.rolls),
    )


def _area(zone: Zone) -> Area:
    return Area(zone.left, zone.top, zone.width, zone.height)
