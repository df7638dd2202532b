"""`python -m vision.trials.evaluate_places`: in which places of Draw Bridge's array tiles are said to lie, by chance.

Tiles are laid by the rule, with one or two against it, or anyhow, on an array off the tray's middle, of a pitch that
a tile's width says to some per cent, each tile and each block somewhat off. No picture is drawn: only where they lie
is told. Reported is how often all places are sure, in doubt, and surely others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np

from vision.board.bridge import places_in
from vision.geometry import Floats, Ints
from vision.options import at_least, one_by_one
from vision.trials.scoring import interval

ROWS, WIDTH, PITCH_MM, MIDDLE_MM = 4, 10, 26.0, 180.0
OFF_SD_MM, PITCH_SD, TILE_SD_MM, BLOCK_SD_MM = 14.0, 0.03, 1.0, 2.5
"""How far the array lies off the tray's middle, its pitch from what is told of it (over itself), a tile off its place,
and a block."""
FEW, MANY = (2, 5), (2, 25)
"""So many tiles, from and to."""
KINDS = {"by the rule, first turns": 0, "by the rule": 0, "one against it": 1, "two against it": 2, "anyhow": None}
"""How tiles are laid, and how many of them against the rule."""
Cell = tuple[int, int]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.trials.evaluate_places", description=__doc__)
    parser.add_argument("--arrays", type=at_least(1), default=2000, help="of each kind")
    parser.add_argument("--seed", type=at_least(0), default=1)
    args = parser.parse_args(argv)
    print(f"{'tiles laid':<26}{'sure':>8}{'in doubt':>10}{'surely elsewhere':>18}")
    for which, kind in enumerate(KINDS):
        said: Counter[str] = Counter()
        for index in one_by_one(range(args.arrays), kind):
            said[_said(kind, np.random.default_rng([args.seed, which, index]))] += 1
        within = interval(said["elsewhere"], args.arrays, digits=2)
        print(f"{kind:<26}{said['sure']:>8}{said['in doubt']:>10}{said['elsewhere']:>18}  ({within})")
    return 0


def laid(kind: str, chance: np.random.Generator) -> list[Cell]:
    """Return the cells (row, column) in which tiles of one of KINDS lie, sorted."""
    against = KINDS[kind]
    low, high = FEW if "first" in kind else MANY
    count = int(chance.integers(low, high + 1))
    if against is None:
        return sorted({_any(chance) for _ in range(count)})
    cells: set[Cell] = set()
    while len(cells) < count:
        row, column = cell = _any(chance)
        if column in (0, WIDTH - 1) or {(row, column - 1), (row, column + 1)} & cells:
            cells.add(cell)
    for _ in range(against):
        lone = [
            (r, c) for r in range(ROWS) for c in range(1, WIDTH - 1) if not {(r, c - 1), (r, c), (r, c + 1)} & cells
        ]
        if lone:
            cells.add(lone[int(chance.integers(len(lone)))])
    return sorted(cells)


def seen(cells: Sequence[Cell], chance: np.random.Generator) -> tuple[Floats, Ints]:
    """Return (n,) mm along the rows at which the tiles in some cells are seen, and (n,) the row of each."""
    rows, columns = np.array(cells).T
    pitch = PITCH_MM * (1 + PITCH_SD * chance.normal())
    off = OFF_SD_MM * chance.normal() + TILE_SD_MM * chance.normal(size=len(rows))
    block = np.cumsum((np.diff(rows, prepend=-1) != 0) | (np.diff(columns, prepend=-1) != 1))
    off = off + BLOCK_SD_MM * chance.normal(size=len(rows) + 1)[block]
    return MIDDLE_MM + pitch * (columns - (WIDTH - 1) / 2) + off, rows


def _said(kind: str, chance: np.random.Generator) -> str:
    cells = laid(kind, chance)
    along, rows = seen(cells, chance)
    places = places_in(along, rows, width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    if places is None or not places.certain:
        return "in doubt"
    return "sure" if places.column.tolist() == [column for _, column in cells] else "elsewhere"


def _any(chance: np.random.Generator) -> Cell:
    return int(chance.integers(ROWS)), int(chance.integers(WIDTH))


if __name__ == "__main__":
    sys.exit(main())
