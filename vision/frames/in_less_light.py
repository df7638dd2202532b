"""What the pictures of several exposures say beyond their readings: what is too dark to tell, or blank without a lamp.

Of a still scene whose usual exposure leaves a doubt; the readings are put together in `vision.frames.short`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.paint import as_seen
from vision.frames.merge import merged
from vision.frames.short import SHARES, in_all
from vision.geometry import Floats
from vision.ground.clipping import clipping_level, up_to_white
from vision.reading import Problem, Reading, Status, TileReading
from vision.tray.rectify import Image
from vision.unread import Outline, each_once

BLANK, VEILED, BRIGHT = 0.999, 1.5, 0.75
"""A back is blank that a shorter exposure finds at least so likely, and of which so much is darker there than so many
times full white is: then a lamp's image adds no more than half of white's light, and of ink's contrast leaves half.
On 57 trays of tiles that are asked about the 40 such backs, of six trays, are backs. Twenty numbers that an exposure
called a back, four of them by 0.999, had 1.6 times white and more, but one that lay half in a lamp's image."""
TOO_DARK = 40.0
"""Grey value, of the brightest colour, below which a shorter exposure does not show that nothing lies in a place. The
five doubts of 291 trays that are gone in it, all rightly, were about places of 49 to 225 there."""
AS_BEFORE = 0.02
"""A place of which less than this is blown out in the usual exposure is as that shows it: what cannot be read there is
hidden by no light."""


def seen_of(
    short: Reading, usual: Reading, pictures_bgr: Sequence[Image], look: Callable[[Image], Reading]
) -> tuple[list[Reading], Image]:
    """Return what a shorter exposure shows, for `in_all`, and the picture that shows it.

    Where that leaves a doubt, all exposures are looked at in one picture, too; what could not be read in the usual one
    stays a question where that picture shows it as the usual one does. short: of the darkest; usual: what the others
    show; pictures_bgr: all of them, the lightest first.
    """
    short = _with_its_blanks(short, pictures_bgr[-1], share=SHARES[len(pictures_bgr) - 2])
    seen = [with_its_darkness(short, usual, pictures_bgr[-1])]
    # Paper is lit evenly in no picture that is made of several: on a mat its patches look like counters.
    if usual.places or in_all(usual, seen).status is not Status.UNSURE:
        return seen, pictures_bgr[-1]
    level = clipping_level(pictures_bgr[0])
    pictures = [up_to_white(picture, level) for picture in pictures_bgr]
    together = merged(pictures)
    shown = with_its_darkness(look(together), usual, together)
    as_before = [outline for outline in usual.unread if _as_in(together, pictures[0], outline)]
    return [*seen, _asking_about(shown, as_before)], together


def with_its_darkness(short: Reading, usual: Reading, picture_bgr: Image) -> Reading:
    """Return a shorter exposure's reading that doubts what the usual one could not read, where it is too dark to tell.

    picture_bgr: the shorter exposure. Something dark that the usual exposure hardly shows it does not show at all.
    """
    return _asking_about(short, [o for o in usual.unread if np.median(_part(picture_bgr, o).max(axis=2)) < TOO_DARK])


def _with_its_blanks(short: Reading, picture_bgr: Image, *, share: float) -> Reading:
    """Return a shorter exposure's reading that says which of its backs no lamp's image makes as blank.

    picture_bgr: that exposure; share: how much of the usual light it has.
    """
    most = float(as_seen(np.array(VEILED * share)))
    tiles = (
        replace(t, blank=_is_blank(t) and float(np.quantile(_inside(picture_bgr, t.corners), BRIGHT)) < most)
        for t in short.tiles
    )
    return replace(short, tiles=tuple(tiles))


def _is_blank(tile: TileReading) -> bool:
    """Return whether a tile is surely a back by its reading."""
    return tile.sure and tile.symbol == "down" and tile.confidence >= BLANK


def _inside(picture_bgr: Image, outline: Outline) -> Floats:
    """Return how bright the pixels of an outline are, the mean of their colours."""
    low, end = _box(picture_bgr, outline)
    part = picture_bgr[low[1] : end[1], low[0] : end[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(outline) - low).astype(np.int32), 1)
    # Of a tile that lies beyond the picture there is nothing to be seen, and so nothing that is dark.
    return np.asarray(part[mask > 0].mean(axis=1), dtype=np.float64) if mask.any() else np.array([255.0])


def _asking_about(reading: Reading, outlines: Sequence[Outline]) -> Reading:
    """Return a reading that is sure of everything as one that also doubts what lies in some places; others as is."""
    if not outlines or reading.status is not Status.READ:
        return reading
    problems, unread = reading.problems | Problem.COUNT, each_once([*reading.unread, *outlines])
    return replace(reading, status=Status.UNSURE, problems=problems, unread=unread)


def _as_in(picture_bgr: Image, other_bgr: Image, outline: Outline) -> bool:
    """Return whether two pictures show nearly all of a place alike, to the last grey value."""
    differ = (_part(picture_bgr, outline) != _part(other_bgr, outline)).any(axis=2)
    return float(differ.mean()) < AS_BEFORE


def _part(picture_bgr: Image, outline: Outline) -> Image:
    """Return the part of a picture, of a pixel at least, that an outline lies in."""
    low, end = _box(picture_bgr, outline)
    return picture_bgr[low[1] : end[1], low[0] : end[0]]


def _box(picture_bgr: Image, outline: Outline) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where that part begins and ends, (x, y) each."""
    high, wide = picture_bgr.shape[:2]
    low = np.clip(np.floor(np.min(outline, axis=0)).astype(np.int64), 0, (wide - 1, high - 1))
    return low, np.clip(np.ceil(np.max(outline, axis=0)).astype(np.int64) + 1, low + 1, (wide, high))


__all__ = ["seen_of", "with_its_darkness"]
