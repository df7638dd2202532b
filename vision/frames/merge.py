"""Several exposures of one still scene in one picture: each place from the first in which it is not blown out.

In a shorter exposure what a lamp blanks out is seen, and all else is dark: whoever reads it alone guesses at pale ink
in the dark, and of a die that is half in a lamp's image at one half. Here all of it is seen at once (exposure fusion,
Mertens and others 2007, with no more weight than whether a place is blown out).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.channels import least
from vision.tray.rectify import Image

PLAIN, BLOWN = 225.0, 250.0
"""A place of which the darkest colour is lighter than the first, in grey values, is taken from the next exposure in
part, from the second on whole. By the darkest, the middle and the lightest colour 18, 19 and 15 of 53 trays that mirror
lamps were read, of 14 without: chance, but for the last, by which bright paint is patched as well."""


def merged(pictures_bgr: Sequence[Image]) -> Image:
    """Return one picture of several of the same size, (h, w, 3) uint8 each, at least one, the lightest first."""
    *lighter, darkest = pictures_bgr
    out = darkest.astype(np.float32)
    for picture in reversed(lighter):
        weight = _not_blown_out(picture)[:, :, None]
        out += weight * (picture - out)
    return np.round(out).astype(np.uint8)


def _not_blown_out(picture_bgr: Image) -> NDArray[np.float32]:
    """Return (h, w) 1 where a picture shows what is there, 0 where it is blown out, and right beside, where that spills
    over.
    """
    weight = np.clip((BLOWN - least(picture_bgr)) / (BLOWN - PLAIN), 0.0, 1.0).astype(np.float32)
    return np.asarray(cv2.erode(weight, np.ones((3, 3))))


__all__ = ["merged"]
