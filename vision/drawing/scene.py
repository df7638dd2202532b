"""What lies on the tray: tiles, dice, disks and perhaps a hand, in millimetres of the felt.

Coordinates: origin at the tray's centre, x to the right, y *up* (towards row 0), z towards the camera;
angles counter-clockwise as the camera sees them. Everything here is a frozen value; chance is an argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.drawing.mats import DrawnMat
from vision.errors import BadScene
from vision.reading import SYMBOLS

TRAY_MM = (360.0, 260.0)
"""Width and height of the felt the demo and the training draw (true trays differ by some percent)."""

COLOURS: tuple[str, ...] = (
    "red",
    "orange",
    "yellow",
    "lime",
    "green",
    "teal",
    "sky",
    "blue",
    "purple",
    "pink",
    "brown",
    "black",
    "grey",
    "white",
)
"""Names a drawn piece's colour can have."""


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """One tile on the felt."""

    x_mm: float
    y_mm: float
    """Centre of the tile's four virtual corners (an arc bulges above its top edge)."""
    angle_deg: float
    symbol: str
    """"0" to "9" or "#": what its face shows, also while it lies face down."""
    colour: str
    """One of COLOURS."""
    face_up: bool = True
    row: int = 0
    column: int = 0
    """Place in its row, counted as in RULES.md (diamond: in the widest row)."""
    z_mm: float = 0.0
    """How far above the felt it lies: a tile's thickness if it lies on another."""


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die on the felt."""

    x_mm: float
    y_mm: float
    angle_deg: float
    value: int
    """The face that lies up, 1 to 6."""
    colour: str
    size: float = 1.0
    """Over that of the set: people mix dice."""


@dataclass(frozen=True, slots=True)
class DrawnDisk:
    """One prediction disk (value 1, 2 or 4 dots) or queue disk (value 1 to 4)."""

    x_mm: float
    y_mm: float
    angle_deg: float
    kind: str
    """"prediction" or "queue"."""
    value: int


def random_value(queue: bool, rng: np.random.Generator) -> int:
    """Return what a queue disk, or a prediction disk, may show."""
    return int(rng.integers(1, 5)) if queue else int(rng.choice([1, 2, 4]))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the tray, coming in from outside."""

    x_mm: float
    y_mm: float
    """Middle of the palm."""
    angle_deg: float = 120.0
    """Direction in which the fingers point, counter-clockwise from the tray's x axis."""
    seed: int = 0
    """Chooses skin, sleeve and the spread of the fingers."""


@dataclass(frozen=True, slots=True)
class TrayScene:
    """Everything that lies on one tray."""

    tiles: tuple[DrawnTile, ...] = ()
    dice: tuple[DrawnDie, ...] = ()
    disks: tuple[DrawnDisk, ...] = ()
    hand: Hand | None = None
    seed: int = 0
    """Chooses what has no say in the game: clutter, wear of each tile, the grain of the felt."""
    layout: str = "rows"
    """"rows", "rect", "diamond" or "drawbridge"."""
    mat: DrawnMat | None = None
    """A printed mat over the felt, with its counters and pawns."""


LAYOUTS: dict[str, tuple[int, ...]] = {
    "rows": (10,) * 4,
    "wild": (10,) * 4,
    "mixed": (10,) * 4,
    "drawbridge": (10,) * 4,
    "rect": (8,) * 5,
    "diamond": (1, 3, 5, 7, 9, 7, 5, 3, 1),
}
"""Cells in each row, top to bottom."""
ODD_SIZES = (0.62, 0.9)
"""Smaller dice among others, over their size: 12 mm beside 16 mm is 0.75."""


def scene_for_layout(
    rows: Sequence[Sequence[str | None]],
    *,
    layout: str,
    seed: int,
    pitch_mm: tuple[float, float] = (26.2, 31.0),
    untidy: float = 1.0,
    turn_deg: float | None = None,
) -> TrayScene:
    """Return a hand-laid scene with the given cells.

    rows: top to bottom, cells left to right: "red:7", "red:#", "down", "red:down" or None (empty place); a row of the
    diamond may be given with its own cells only. pitch_mm: from tile to tile and from row to row.
    untidy: 0 lays like a machine, 1 like a person. turn_deg: tilt of the whole layout; None draws one in +-7 degrees.
    Raises BadScene for a symbol, colour or layout that does not exist, or a row with too many cells.
    """
    if layout not in LAYOUTS:
        raise BadScene(f"layout {layout!r} is unknown (expected one of {', '.join(LAYOUTS)})")
    shape = LAYOUTS[layout]
    if len(rows) != len(shape):
        raise BadScene(f"a {layout!r} layout has {len(shape)} rows, got {len(rows)}")
    rng = np.random.default_rng(seed)
    turn = float(rng.uniform(-7, 7)) * untidy if turn_deg is None else turn_deg
    shift = rng.normal(0, 4.0, 2) * untidy
    tiles: list[DrawnTile] = []
    for row, cells in enumerate(rows):
        tiles += _row_tiles(row, cells, shape, pitch_mm, untidy, rng)
    return TrayScene(tuple(_moved(t, turn, shift) for t in tiles), seed=seed, layout=layout)


def _row_tiles(
    row: int,
    cells: Sequence[str | None],
    shape: tuple[int, ...],
    pitch_mm: tuple[float, float],
    untidy: float,
    rng: np.random.Generator,
) -> list[DrawnTile]:
    if len(cells) > shape[row]:
        raise BadScene(f"row {row} holds at most {shape[row]} tiles, got {len(cells)}")
    widest, first = max(shape), (max(shape) - shape[row]) // 2
    y = (len(shape) - 1) / 2 * pitch_mm[1] - row * pitch_mm[1] + rng.normal(0, 0.8) * untidy
    slide = rng.normal(0, 1.5) * untidy
    tiles = []
    for k, cell in enumerate(cells):
        jitter, angle = rng.normal(0, [0.25, 0.7]) * untidy, float(rng.normal(0, 2.2)) * untidy
        if cell is None:
            continue
        symbol, colour, face_up = _parse_cell(cell, row, rng)
        x = (first + k - (widest - 1) / 2) * pitch_mm[0] + slide + jitter[0]
        tiles.append(DrawnTile(x, y + jitter[1], angle, symbol, colour, face_up, row, first + k))
    return tiles


def _parse_cell(cell: str, row: int, rng: np.random.Generator) -> tuple[str, str, bool]:
    colour, _, symbol = cell.rpartition(":")
    if symbol not in SYMBOLS or (colour and colour not in COLOURS):
        raise BadScene(f"cell {cell!r} in row {row} is not a tile (expected like 'red:7', 'red:#' or 'down')")
    if symbol == "down":
        return str(rng.integers(10)), colour or ("red", "blue", "green", "yellow")[row % 4], False
    if not colour:
        raise BadScene(f"cell {cell!r} in row {row} has no colour (expected like 'red:7')")
    return symbol, colour, True


def _moved(tile: DrawnTile, turn_deg: float, shift_mm: np.ndarray) -> DrawnTile:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    x = float(c * tile.x_mm - s * tile.y_mm + shift_mm[0])
    y = float(s * tile.x_mm + c * tile.y_mm + shift_mm[1])
    return replace(tile, x_mm=x, y_mm=y, angle_deg=tile.angle_deg + turn_deg)
