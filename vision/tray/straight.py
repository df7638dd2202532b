"""A picture of a tray as a lens that bends nothing would have taken it, and what is read there taken back.

Where a tray lies is kept in the pixels of the pictures that are given, bent as they are: a registration holds for them
and for nothing else. What a lens bends is undone after the tray is found, anew in each reading, by the corners that its
markers have there, or by its edge. So nothing that lasts is of a straight picture, and the two cannot be taken for each
other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from vision.geometry import Floats, Quad, line_through, quad, turns, where_sides_meet
from vision.reading import Point, Reading
from vision.tray.bending import FEWEST, farthest
from vision.tray.bowed import bend_of_sides, sides_of
from vision.tray.felt_sides import refined_sides
from vision.tray.lens import Lens, lens_of, lens_that_bends
from vision.tray.rectify import Image, Tray, find_tray, tray_from_clicks, tray_from_markers


@dataclass(frozen=True, slots=True)
class Straight:
    """A picture in which a tray's edges are straight, and where the tray lies in it."""

    picture_bgr: Image
    tray: Tray
    lens: Lens | None = None
    """What bent the given picture; None: nothing that matters, and the picture is the given one itself."""

    def as_given(self, reading: Reading) -> Reading:
        """Return a reading of the straight picture with all that it holds where the given picture shows it."""
        return reading if self.lens is None else _bent(reading, self.lens)


def straightened(picture_bgr: Image, tray: Tray) -> Straight:
    """Return a picture without what its lens bends; the given one where that hardly matters, or nobody can tell.

    picture_bgr: (h, w, 3) uint8. tray: where it lies there, found or known. Its markers tell (0.4 ms for a tray that is
    new, else no time), or where it was found by its edge how that is bowed (7 ms). 15 ms more where a picture of 1280 x
    960 is bent, and 80 ms for one of another size or lens than the last two.
    """
    height, width = picture_bgr.shape[:2]
    by_edge = len(_known(tray)) < FEWEST and tray.found == "edge"
    sides = sides_of(picture_bgr, np.array(tray.corners)) if by_edge else []
    lens = _lens_of(tray, sides, (width, height))
    if lens is None:
        return Straight(picture_bgr, tray)
    straight = lens.straightened(picture_bgr)
    lies = _lies_in(straight, tray, sides, lens)
    # Markers that were moved span no tray, straight or not: such a picture is read as it is.
    return Straight(picture_bgr, tray) if lies is None else Straight(straight, lies, lens)


def _lens_of(tray: Tray, sides_px: list[Floats], picture_wh: tuple[int, int]) -> Lens | None:
    """Return the lens of a picture, by a felt's sides where these are given, else by the markers of its tray."""
    if not sides_px:
        return lens_of(tuple(corners for _, corners in _known(tray)), picture_wh)
    return lens_that_bends(*bend_of_sides(sides_px, picture_wh), farthest([tray.corners], picture_wh), picture_wh)


def _lies_in(straight: Image, tray: Tray, sides_px: list[Floats], lens: Lens) -> Tray | None:
    """Return where a tray lies in the straight picture; None where that is no tray. tray: in the bent picture."""
    if sides_px:
        return _by_sides(straight, tray, sides_px, lens)
    return _straight_tray(tray, lens) if len(_known(tray)) == 4 else find_tray(straight)


def _by_sides(straight: Image, tray: Tray, sides_px: list[Floats], lens: Lens) -> Tray | None:
    """Return where a felt lies in the straight picture, by its sides in the bent one; None where that is no tray.

    Its corners there were those of straight lines along bowed sides: up to 50 mm off where k is 0.2.
    """
    corners = refined_sides(where_sides_meet([line_through(lens.straight(side)) for side in sides_px]), straight)
    if turns(corners).min() <= 1.0:
        return None
    markers = tuple((number, quad(lens.straight(np.array(seen)))) for number, seen in tray.markers)
    return replace(tray_from_clicks(quad(corners), size_mm=tray.size_mm), found="edge", markers=markers)


def _known(tray: Tray) -> list[tuple[int, Quad]]:
    """Return the ids of a tray's markers, seen and hidden, ascending, with their corners."""
    return sorted((*tray.markers, *tray.hidden))


@lru_cache(maxsize=8)
def _straight_tray(tray: Tray, lens: Lens) -> Tray | None:
    """Return where a tray, all of whose markers are known, lies in the straight picture; None where they span none."""
    markers = {number: lens.straight(np.array(corners)) for number, corners in _known(tray)}
    lies = tray_from_markers(markers, picture_wh=lens.straight_wh, size_mm=tray.size_mm)
    if lies is None:
        return None
    hidden = dict(tray.hidden)
    seen = tuple((number, corners) for number, corners in lies.markers if number not in hidden)
    return replace(lies, markers=seen, hidden=tuple((i, corners) for i, corners in lies.markers if i in hidden))


def _bent(reading: Reading, lens: Lens) -> Reading:
    """Return a reading of a straight picture with its points where the bent one shows them."""

    def at(point: Point) -> Point:
        x, y = lens.bent(np.array(point)).tolist()
        return x, y

    return replace(
        reading,
        tiles=tuple(replace(t, corners=quad(lens.bent(np.array(t.corners)))) for t in reading.tiles),
        dice=tuple(replace(d, centre=at(d.centre), corners=tuple(map(at, d.corners))) for d in reading.dice),
        disks=tuple(replace(d, centre=at(d.centre)) for d in reading.disks),
        places=tuple(replace(p, centre=at(p.centre)) for p in reading.places),
        strays=tuple(replace(s, centre=at(s.centre)) for s in reading.strays),
        unread=tuple(tuple(map(at, outline)) for outline in reading.unread),
        tray=None if reading.tray is None else quad(lens.bent(np.array(reading.tray))),
    )


__all__ = ["Straight", "straightened"]
