"""Which way round a board lies: as its tiles stand, whichever side the camera or the players are on.

All tiles are laid in the same direction: that tells which way up a row is (RULES 1). Markers say how the tray lies, not
how the tiles on it do, and the edge of a felt does not even say that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from vision.crops.symbols import TURNABLE
from vision.reading import SYMBOLS, Problem, Reading, Status, TileReading
from vision.tray.rectify import Tray

FEW = 2
"""So many tiles may be laid the wrong way round by mistake; more of them are a row, or a part of the board, or a board:
who laid them sat on the other side. Of 5,700 open tiles on 200 traced trays none was taken for one on its head; 60
trays turned round had more than these each."""

TELLING = frozenset("23457")
"""Symbols that say by themselves how a tile stands: in a set without arcs no others do."""
SIX_OR_NINE = frozenset(SYMBOLS[k] for k in TURNABLE)


def as_its_tiles_stand(look: Callable[[Tray], Reading], tray: Tray) -> Reading:
    """Return what lies on the tray, from that side of it from which its tiles are upright.

    look: the tray, from one of its sides -> what lies on it. Called once, and again where more than FEW tiles stand on
    their heads, or half of all where nothing but the felt's edge says how the tray lies. The reading's own tray stays
    as it is.
    """
    reading = look(tray)
    on_heads = count_on_heads(reading, tray)
    if on_heads <= FEW and not (tray.found == "edge" and _most_on_heads(reading, on_heads)):
        return with_rows_asked(reading, tray)
    turned = other_way_round(tray)
    other = look(turned)
    if count_on_heads(other, turned) < on_heads:
        return replace(with_rows_asked(other, turned), tray=tray.corners)
    return with_rows_asked(reading, tray)


def _most_on_heads(reading: Reading, on_heads: int) -> bool:
    """Return whether half of the open tiles stand on their heads, few as they are: a 0 does not say how it stands."""
    return 0 < 2 * on_heads >= sum(tile.symbol != "down" for tile in reading.tiles)


def on_its_head(tile: TileReading, tray: Tray) -> bool:
    """Return whether a tile stands the other way round than its tray."""
    (ax, ay), (bx, by) = tile.corners[0], tile.corners[1]
    (cx, cy), (dx, dy) = tray.corners[0], tray.corners[1]
    return (bx - ax) * (dx - cx) + (by - ay) * (dy - cy) < 0


def count_on_heads(reading: Reading, tray: Tray) -> int:
    """Return how many open tiles stand the other way round than their tray."""
    return sum(on_its_head(tile, tray) for tile in reading.tiles if tile.symbol != "down")


def other_way_round(tray: Tray) -> Tray:
    """Return the same tray seen from its other side: what was its bottom right corner is its top left one."""
    w, h = tray.size_mm
    turn = np.array([[-1.0, 0.0, w], [0.0, -1.0, h], [0.0, 0.0, 1.0]]) @ tray.matrix
    a, b, c, d = tray.corners
    rows = tuple((float(x), float(y), float(z)) for x, y, z in turn / turn[2, 2])
    markers, hidden = (tuple(sorted(((i + 2) % 4, q) for i, q in m)) for m in (tray.markers, tray.hidden))
    return replace(tray, homography=rows, corners=(c, d, a, b), markers=markers, hidden=hidden)


def with_rows_asked(reading: Reading, tray: Tray) -> Reading:
    """Return the reading; where a row stands the other way round than the rest, which end it begins at is asked.

    So are its sixes and nines, which may be each other: a 0, 1, 6, 8 or 9 does not say how it stands by itself. Where
    more than FEW tiles stand so, in whichever rows, all are asked about.
    """
    rows, divided = sorted({tile.row for tile in reading.tiles}), _is_divided(reading, tray)
    asked = [row for row in rows if divided or _stands_on_its_head(reading, row, tray)]
    if not asked:
        return reading
    tiles = tuple(
        replace(t, sure=False, doubted=True) if t.row in asked and t.symbol in SIX_OR_NINE else t for t in reading.tiles
    )
    status = Status.UNSURE if reading.status is Status.READ else reading.status
    return replace(reading, tiles=tiles, status=status, problems=reading.problems | Problem.LAYOUT)


def _is_divided(reading: Reading, tray: Tray) -> bool:
    """Return whether more than FEW of the tiles that say how they stand do so the other way round than the rest."""
    return sum(_telling(reading.tiles, tray)) > FEW


def _telling(tiles: Iterable[TileReading], tray: Tray) -> list[bool]:
    """Return of each tile that says by itself how it stands whether that is on its head."""
    return [on_its_head(tile, tray) for tile in tiles if tile.symbol in TELLING]


def _stands_on_its_head(reading: Reading, row: int, tray: Tray) -> bool:
    """Return whether all of a row may stand the other way round than the rest, by those of it that say how they stand.

    One alone may be laid so by mistake, which matters where it is all that tells how a 6 or a 9 beside it lies.
    """
    here = [tile for tile in reading.tiles if tile.row == row]
    telling = _telling(here, tray)
    turnable = any(tile.symbol in SIX_OR_NINE for tile in here)
    return sum(telling) > len(telling) / 2 and (len(telling) > 1 or turnable)
