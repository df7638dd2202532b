"""Tiles as people lay them: rows that slide and tilt, none into another, the board anywhere on the felt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.drawing.look import TileLook
from vision.drawing.marched.bodies import turning
from vision.drawing.marched.distances import to_outline
from vision.drawing.marched.texture import Array, chosen
from vision.drawing.scene import DrawnTile
from vision.drawing.tiles import tile_outline
from vision.drawing.traced.laying import Cell, cells_of
from vision.geometry import SQUARE

APART, TOUCHING = 0.14, 0.35
"""How far apart tiles are pushed that lie into each other, and what counts as touching, mm."""
_OVERLAP = 0.08
_PUSHES = 300
_MARGIN, _CORNER = (6.0, 7.0), (38.0, 38.0)
"""How far from the felt's edges no tile lies, and the size of the corners that belong to the markers."""


@dataclass(frozen=True, slots=True)
class Tidy:
    """How somebody lays tiles."""

    name: str
    off: float
    """Deviation of a tile's place in mm, and of its turn, of a row's slide (mm) and of a row's tilt in degrees."""
    turn: float
    slide: float
    tilt: float


TIDY: dict[Tidy, float] = {
    Tidy("neat", 0.3, 0.6, 0.6, 0.15): 0.25, Tidy("normal", 0.7, 1.5, 2.0, 0.4): 0.45,
    Tidy("untidy", 1.3, 2.8, 4.0, 0.7): 0.3,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Board:
    """Tiles on the felt."""

    tiles: tuple[DrawnTile, ...]
    touching: tuple[bool, ...]
    """Of each tile, whether another is closer than TOUCHING."""
    turn_deg: float
    tidy: str

    def off_middle(self) -> float:
        """Return how far the middle of the tiles is from that of the felt, mm."""
        places = np.array([(t.x_mm, t.y_mm) for t in self.tiles])
        return float(np.hypot(*(places.min(0) + places.max(0)) / 2))


def bridge_cells(colours: Sequence[str], rng: np.random.Generator) -> list[list[Cell]]:
    """Return two to four rows of Draw Bridge, each grown from both ends; one array of four with tiles face down.

    Both ends are there in some row: an array that lies anywhere shows its columns by nothing else.
    """
    rows = cells_of("B" if rng.random() < 0.5 else "A", colours, rng)
    ends: list[tuple[int, int]] = []
    while not (ends and all(map(sum, ends)) and all(map(any, zip(*ends, strict=True))) and sum(map(sum, ends)) >= 5):
        count = chosen(rng, [2, 3, 4, 4, 4])
        ends = [(int(rng.integers(0, 6)), int(rng.integers(0, 5))) for _ in range(count)]
    down = 0.12 if rng.random() < 0.25 else 0.0

    def kept(row: list[Cell], left: int, right: int) -> list[Cell]:
        return [
            (cell[0], cell[1] + "v" * bool(rng.random() < down)) if cell and (k < left or k >= 10 - right) else None
            for k, cell in enumerate(row)
        ]

    return [kept(row, *end) for row, end in zip(rows, ends, strict=False)]


def random_board(
    family: str, colours: Sequence[str], shape: TileLook, tray_mm: tuple[float, float], rng: np.random.Generator
) -> Board:
    """Return a whole lawful set of a family, laid by hand anywhere on the felt."""
    suit = [colours[int(k)] for k in rng.permutation(len(colours))]
    cells = bridge_cells(suit, rng) if family == "D" else cells_of(family, suit, rng)
    flat = _flat(cells)
    tidy = chosen(rng, list(TIDY), list(TIDY.values()))
    grid = np.array([(t.column - (max(map(len, cells)) - 1) / 2, (len(cells) - 1) / 2 - t.row) for t in flat])
    rows = np.array([t.row for t in flat])
    xy, turns, turn = _laid(grid, rows, tidy, shape, tray_mm, rng)
    pairs = _neighbours(xy, shape)
    xy = pushed_apart(xy, turns, pairs, shape, turn)
    xy -= _beyond(_corners(xy, turns, shape), tray_mm)
    near = pairs[gaps(xy, turns, pairs, shape) < TOUCHING]
    tiles = (
        DrawnTile(x, y, float(np.degrees(a)), t.symbol, t.colour, t.face_up, t.row, t.column)
        for t, (x, y), a in zip(flat, xy.tolist(), turns, strict=True)
    )
    return Board(tuple(tiles), tuple(k in near for k in range(len(flat))), float(np.degrees(turn)), tidy.name)


def _flat(cells: Sequence[Sequence[Cell]]) -> list[DrawnTile]:
    """Return the tiles of rows of cells, each row in the middle of the widest, with no place yet."""
    widest = max(map(len, cells))
    return [
        DrawnTile(0, 0, 0, cell[1].rstrip("v"), cell[0], not cell[1].endswith("v"), r, (widest - len(row)) // 2 + k)
        for r, row in enumerate(cells)
        for k, cell in enumerate(row)
        if cell is not None
    ]


def _laid(
    grid: Array, rows: Array, tidy: Tidy, shape: TileLook, tray_mm: tuple[float, float], rng: np.random.Generator
) -> tuple[Array, Array, float]:
    """Return places (n, 2) in mm and turns (n,) in radians of tiles in a grid, and the turn of the whole.

    grid: (n, 2) of columns and rows from the middle; rows: (n,) to which each belongs.
    """
    across, down = 2 * np.abs(grid).max(0) + 1
    diamond = down > 8
    pitch = _pitch(shape, down, rng)
    turn = float(np.radians(rng.uniform(-8, 8) * (0.6 if diamond else 1)))
    room = _room(np.array([across, down]) * pitch, turn, tray_mm, diamond=diamond)
    slide = rng.normal(0, tidy.slide * (0.35 if diamond else 1), rows.max() + 1)[rows]
    tilt = np.radians(rng.normal(0, tidy.tilt, rows.max() + 1))[rows]
    for trial in range(60):
        middle = rng.uniform(-1, 1, 2) * room * (0.4 if trial > 20 else 1)
        turn *= 0.8 if trial > 40 else 1
        own = grid * pitch + rng.normal(0, (tidy.off, 0.8 * tidy.off), grid.shape)
        own[:, 0] += slide
        own[:, 1] += own[:, 0] * tilt
        xy = own @ turning(turn).T + middle
        turns = turn + tilt + np.radians(rng.normal(0, tidy.turn, len(grid)))
        if _on_felt(_corners(xy, turns, shape), tray_mm):
            break
    return xy, turns, turn


def _pitch(shape: TileLook, rows: float, rng: np.random.Generator) -> Array:
    """Return from tile to tile and from row to row, mm; closer where the rows would not fit else."""
    gap = rng.uniform((0.3, 0.4), (2.2, 2.6))
    if rows * (shape.size_mm[1] + gap[1]) > 235:
        gap[1] = 0.4
    return np.asarray(gap + shape.size_mm)


def _room(size: Array, turn: float, tray_mm: tuple[float, float], *, diamond: bool) -> Array:
    """Return how far the middle of a board of a size may be from that of the felt, (2,) mm."""
    c, s = (1.0, 0.0) if diamond else (np.cos(turn), abs(np.sin(turn)))
    room = np.array(tray_mm) / 2 - (8, 6) - (size * c + size[::-1] * s) / 2
    return np.asarray(np.maximum(room if diamond else np.minimum(room, (20, 30)), 0))


def _corners(xy: Array, turns: Array, shape: TileLook) -> Array:
    """Return the corners of all tiles, (n, 4, 2) mm."""
    corners = SQUARE * shape.size_mm / 2
    return np.stack([place + corners @ turning(angle).T for place, angle in zip(xy, turns, strict=True)])


def _on_felt(corners: Array, tray_mm: tuple[float, float]) -> bool:
    """Tell whether all tiles lie on the felt and none in the corners of the markers."""
    left = np.array(tray_mm) / 2 - np.abs(corners)
    return bool((left > _MARGIN).all() and not (left < _CORNER).all(-1).any())


def _beyond(corners: Array, tray_mm: tuple[float, float]) -> Array:
    """Return how far tiles that were pushed lie beyond the felt, (2,) mm."""
    most = np.array(tray_mm) / 2 - _MARGIN
    high, low = corners.max((0, 1)) - most, corners.min((0, 1)) + most
    return np.asarray(np.maximum(high, 0) + np.minimum(low, 0))


def _neighbours(xy: Array, shape: TileLook) -> Array:
    """Return pairs of tiles that may touch, (p, 2)."""
    away = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    first, second = np.nonzero(np.triu(away < 1.55 * max(shape.size_mm), 1))
    return np.stack([first, second], 1)


def _edge(shape: TileLook) -> Array:
    """Return points on a tile's outline, (m, 2), close together."""
    points = tile_outline(shape)
    points = np.concatenate([points + (np.roll(points, -1, 0) - points) * share for share in (0, 1 / 3, 2 / 3)])
    for _ in range(6):
        # Newton's steps onto the line where the distance is 0.
        away = to_outline(points[:, 0], points[:, 1], shape)
        slope = np.stack([to_outline(points[:, 0] + (k == 0) * 0.01, points[:, 1] + (k == 1) * 0.01, shape) - away
                          for k in (0, 1)], 1) / 0.01  # fmt: skip
        points = points - slope * (away / np.maximum((slope**2).sum(1), 1e-6))[:, None]
    return np.asarray(points)


def gaps(xy: Array, turns: Array, pairs: Array, shape: TileLook) -> Array:
    """Return how far the tiles of pairs (p, 2) are apart, (p,) mm; below 0 where they lie into each other."""
    edge, out = _edge(shape), []
    for a, b in (pairs.T, pairs.T[::-1]):
        on_tray = np.stack([edge @ turning(t).T for t in turns])[a] + xy[a][:, None] - xy[b][:, None]
        c, s = np.cos(turns[b])[:, None], np.sin(turns[b])[:, None]
        x, y = on_tray[..., 0], on_tray[..., 1]
        out.append(to_outline(c * x + s * y, c * y - s * x, shape).min(1))
    return np.asarray(np.minimum(*out))


def pushed_apart(xy: Array, turns: Array, pairs: Array, shape: TileLook, turn: float) -> Array:
    """Return places (n, 2) where no two tiles lie into each other: each is pushed along its row or column."""
    xy, axes = xy.copy(), turning(turn)
    for _ in range(_PUSHES):
        apart = gaps(xy, turns, pairs, shape)
        close = apart < _OVERLAP
        if not close.any():
            break
        a, b = pairs[close].T
        way = (xy[b] - xy[a]) @ axes / shape.size_mm
        along = np.abs(way).argmax(1)
        push = axes[:, along].T * (np.sign(way[np.arange(len(a)), along]) * (APART - apart[close]) * 0.55)[:, None]
        np.add.at(xy, a, -push)
        np.add.at(xy, b, push)
    return xy
