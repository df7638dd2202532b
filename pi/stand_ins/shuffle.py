"""Tiles shuffled by a seed: the simulated camera draws them, and simulated players know them without a picture.

A file of its own, for players need no more than this: what draws takes as long to import as all the rules.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from pi.rules.values import NUMBERS, SHAPES, Layout

SET_COLOURS = ("red", "blue", "green", "purple")
"""The four colours of the drawn set."""
DEALT = ("rows", "wild", "rect", "diamond")
"""Layouts that a shuffle fills at once."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a shuffle has laid in a round."""

    expects: str
    """As in `feltside read --expect`: rows, wild, rect or diamond."""
    cells: tuple[tuple[str, ...], ...]
    """Rows of "colour:symbol", as `vision.drawing.scene_for_layout` takes them."""

    def symbols(self) -> tuple[tuple[str, ...], ...]:
        """Return the rows with symbols only: '0'-'9' and '#'."""
        return tuple(tuple(cell.rpartition(":")[2] for cell in row) for row in self.cells)


def deal(expects: str, *, seed: int, match: str, round: int) -> Dealt:
    """Return the tiles of one round; the same arguments give the same tiles in every process.

    match: '' deals the same trays in every match. RULES.md 1: each number once in each of four colours;
    `wild` adds a wild to each colour and sets one tile of each aside; `diamond` adds one wild.
    """
    chance = random.Random(f"{seed}/{match}/{round}/{expects}")
    wilds = expects == "wild"
    by_colour = [[f"{c}:{d}" for d in (*NUMBERS, *"#" * wilds)] for c in SET_COLOURS]
    for tiles in by_colour:
        chance.shuffle(tiles)
    if expects in ("rows", "wild"):
        return Dealt(expects, tuple(tuple(tiles[:10]) for tiles in by_colour))
    mixed = [tile for tiles in by_colour for tile in tiles]
    if expects == "diamond":
        mixed.append(f"{chance.choice(SET_COLOURS)}:#")
    chance.shuffle(mixed)
    rows, rest = [], iter(mixed)
    for length in SHAPES[Layout(expects)]:
        rows.append(tuple(next(rest) for _ in range(length)))
    return Dealt(expects, tuple(rows))
