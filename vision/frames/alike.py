"""Whether two readings show the same scene, say the same of it, or contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import hypot

import numpy as np

from vision.frames.loose_votes import beside, loose_votes_of, matched
from vision.geometry import transform
from vision.layout import LAYOUTS
from vision.reading import INCOMPLETE, Point, Reading, Status, TileReading
from vision.tray.rectify import felt_from_px

SAME_PLACE_MM = 6.0
"""Dice lie elsewhere on a felt that was found anew if they moved on it by this: more than an edge is found amiss."""
COLOURED = frozenset(name.value for name, layout in LAYOUTS.items() if layout.colours_count)
"""Layouts of which a tile counts for its colour, too."""


def same_scene(a: Reading, b: Reading, *, shift: float = 0.3) -> bool:
    """Return whether pieces lie in the same places: none came, went or moved."""
    if (a.status is Status.EMPTY) != (b.status is Status.EMPTY) or not same_board(a, b, shift=shift):
        return False
    return len(a.strays) == len(b.strays) and matched(loose_votes_of(a), loose_votes_of(b)) is not None


def same_board(a: Reading, b: Reading, *, shift: float = 0.3) -> bool:
    """Return whether tiles lie in the same places, and both show as many places of a mat."""
    if [(t.row, t.column) for t in a.tiles] != [(t.row, t.column) for t in b.tiles]:
        return False
    if not all(in_place(s, t, shift) for s, t in zip(a.tiles, b.tiles, strict=True)):
        return False
    return len(a.places) == len(b.places)


def in_place(s: TileReading, t: TileReading, shift: float) -> bool:
    """Return whether a tile lies where another one lay, but for so many of its widths."""
    width = hypot(s.corners[1][0] - s.corners[0][0], s.corners[1][1] - s.corners[0][1])
    return hypot(s.centre[0] - t.centre[0], s.centre[1] - t.centre[1]) <= shift * max(width, 1.0)


def contradict(a: Reading, b: Reading) -> bool:
    """Return whether two frames, between which the picture changed, show two scenes.

    They do where both are sure of a loose piece or a place and differ. Of tiles none need be sure: one that was laid
    in another's place and is hard to read would be outvoted by the looks at the one before.
    """
    there = loose_votes_of(b)
    for s in loose_votes_of(a):
        others = {t.claim for t in there if t.is_die is s.is_die and beside(t.centre, s.centre)} - {None}
        if s.claim is not None and others and s.claim not in others:
            return True
    if any(s.sure and t.sure and s.holds != t.holds for s, t in zip(a.places, b.places, strict=True)):
        return True
    return any(s.symbol != t.symbol for s, t in zip(a.tiles, b.tiles, strict=True))


def same(a: Reading, b: Reading) -> bool:
    """Return whether two readings say the same, as far as they are sure; of dice also where they lie.

    That is told in millimetres of the felt: where dice stay and the felt was found to lie elsewhere, they lie in other
    zones. Of tiles whose colours the rules go by, and no row tells, their colours, too.
    """
    dice = [[((d.value, d.told, d.sure), d.centre) for d in reading.dice] for reading in (a, b)]
    return _key(a) == _key(b) and _beside(dice[0], dice[1]) and _on_one_felt(a, b)


def takes_back(now: Reading, told: Reading) -> bool:
    """Return whether a reading doubts, or knows otherwise, what another one was sure of, or finds more unread."""
    if _sure(told) - _sure(now) or now.problems & INCOMPLETE & ~told.problems:
        return True
    return finds_more(now, told)


def finds_more(now: Reading, told: Reading) -> bool:
    """Return whether a reading finds more unread, or unseen, than another one, however alike their pieces are."""
    return now.unseen > told.unseen or len(now.unread) > len(told.unread) or len(now.strays) > len(told.strays)


def _sure(reading: Reading) -> Counter[tuple[object, ...]]:
    """Return what a reading is sure of, and how often."""
    return Counter([
        *((t.row, t.column, t.symbol, t.colour) for t in reading.tiles if t.sure),
        *(("die", d.value, d.told) for d in reading.dice if d.sure),
        *((d.kind, d.value) for d in reading.disks if d.sure),
        *(("place", p.place, p.holds) for p in reading.places if p.sure),
    ])  # fmt: skip


def _on_one_felt(a: Reading, b: Reading) -> bool:
    """Return whether the dice of one reading lie where they do on the felt as the other found it, too."""
    if not a.dice or a.tray == b.tray or a.tray is None or b.tray is None:
        return True
    at = np.array([die.centre for die in a.dice])
    there, here = (transform(at, felt_from_px(tray)) for tray in (a.tray, b.tray))
    return float(np.linalg.norm(there - here, axis=1).max()) < SAME_PLACE_MM


def _beside(a: Sequence[tuple[object, Point]], b: Sequence[tuple[object, Point]]) -> bool:
    """Return whether loose pieces match one to one, within some pixels."""
    if len(a) != len(b):
        return False
    left = list(b)
    for value, centre in a:
        near = [p for p in left if p[0] == value and beside(p[1], centre)]
        if not near:
            return False
        left.remove(near[0])
    return True


def _key(reading: Reading) -> tuple[object, ...]:
    coloured = reading.expected in COLOURED
    tiles = tuple(
        (t.row, t.column, t.symbol if t.sure else None, t.colour if t.sure and coloured else None)
        for t in reading.tiles
    )
    dice = tuple(sorted((d.value, d.told or "", d.sure) for d in reading.dice))
    disks = tuple(sorted((d.kind, d.value, d.sure) for d in reading.disks))
    places = tuple(p.holds if p.sure else None for p in reading.places)
    strays = tuple(sorted(stray.near for stray in reading.strays))
    return reading.status, reading.problems & INCOMPLETE, tiles, dice, disks, places, strays
