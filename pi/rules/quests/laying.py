"""Tiles with their colours, laid in rows: what a quest looks at, as text and from a reading of the tray."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pi.rules.quests.errors import BadLaying
from pi.rules.values import DOWN, EMPTY, NUMBERS, SYMBOLS, WILD, Board, Cell, Layout

COLOURS = ("red", "blue", "green", "yellow")
"""Names for solutions that start from an empty tray; a layout brings its own."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as it lies: what it shows, and its colour."""

    symbol: str
    """'0'-'9', '#' wild, '?' face down, '.' nothing lies there."""
    colour: str = ""
    """Plain English name in small letters; empty: not known."""

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile written as symbol and colour without a space, as 7red or 7; raises BadLaying."""
        if text[:1] not in SYMBOLS or not (text[1:] == "" or text[1:].isalpha()):
            raise BadLaying(f"{text!r} is not a tile (expected 0-9, #, ? or ., then its colour or nothing, as 7red)")
        return cls(text[0], text[1:].lower())

    def __str__(self) -> str:
        """Write the tile as `parse` reads it."""
        return self.symbol + self.colour

    @property
    def is_number(self) -> bool:
        """Tell whether it shows a number."""
        return self.symbol in NUMBERS

    def said(self) -> str:
        """Return the tile's name in a sentence: 'red 7', '7', 'wild'."""
        name = {WILD: "wild", DOWN: "tile face down", EMPTY: "empty place"}.get(self.symbol, self.symbol)
        return f"{self.colour} {name}".strip()

    def one(self) -> str:
        """Return its name with the article, as it is spoken.

        >>> Tile("8").one(), Tile("7", "red").one(), Tile("7", "orange").one()
        ('an 8', 'a red 7', 'an orange 7')
        """
        name = self.said()
        return f"{'an' if name[:1] in tuple('8aeiou') else 'a'} {name}"


NOTHING = Tile(EMPTY)


@dataclass(frozen=True, slots=True)
class Laying:
    """Tiles in rows; rows may differ in length, as a table may really lay them (a quest's check says so)."""

    rows: tuple[tuple[Tile, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Laying:
        """Return the layout written as lines of tiles parted by spaces; raises BadLaying.

        >>> Laying.parse("7red 3 .").at((0, 0)).said()
        'red 7'
        """
        rows = tuple(tuple(map(Tile.parse, line.split())) for line in text.splitlines() if line.strip())
        if not rows:
            raise BadLaying("there are no tiles (expected lines of tiles parted by spaces)")
        return cls(rows)

    @classmethod
    def of(cls, tiles: Mapping[Cell, Tile], *, shape: tuple[int, int]) -> Laying:
        """Return the layout of tiles by cell, (rows, columns) at least; the places between them are empty."""
        rows = max([shape[0], *(r + 1 for r, _ in tiles)])
        columns = max([shape[1], *(c + 1 for _, c in tiles)])
        return cls(tuple(tuple(tiles.get((r, c), NOTHING) for c in range(columns)) for r in range(rows)))

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> Laying:
        """Return an empty tray of (rows, columns)."""
        return cls.of({}, shape=shape)

    def __str__(self) -> str:
        """Write the layout as `parse` reads it, columns below each other."""
        width = max(len(str(tile)) for row in self.rows for tile in row)
        return "\n".join(" ".join(str(tile).ljust(width) for tile in row).rstrip() for row in self.rows)

    def cells(self) -> dict[Cell, Tile]:
        """Return what lies in every cell, row by row."""
        return {(r, c): tile for r, row in enumerate(self.rows) for c, tile in enumerate(row)}

    def laid(self) -> dict[Cell, Tile]:
        """Return the cells where something lies."""
        return {cell: tile for cell, tile in self.cells().items() if tile.symbol != EMPTY}

    def at(self, cell: Cell) -> Tile:
        """Return what lies in a cell; KeyError when there is no such cell."""
        return self.cells()[cell]

    def has(self, shape: tuple[int, int]) -> bool:
        """Tell whether the layout has so many (rows, columns)."""
        return len(self.rows) == shape[0] and all(len(row) == shape[1] for row in self.rows)

    def changed(self, tiles: Mapping[Cell, Tile]) -> Laying:
        """Return the layout with other tiles in some cells."""
        return Laying(
            tuple(tuple(tiles.get((r, c), tile) for c, tile in enumerate(row)) for r, row in enumerate(self.rows))
        )

    def board(self, layout: Layout = Layout.ROWS) -> Board:
        """Return the symbols alone, for counting runs; raises BadBoard for rows of different lengths."""
        return Board.of(layout, ([tile.symbol for tile in row] for row in self.rows))

    def colours(self) -> tuple[str, ...]:
        """Return the colours that lie there, in the order they are met."""
        return tuple(dict.fromkeys(tile.colour for tile in self.laid().values() if tile.colour))


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a layout, and where."""

    cells: tuple[Cell, ...]
    """The places it concerns, sorted; () when it concerns the layout as a whole."""
    sentence: str
    """One sentence, readable aloud; rows and columns counted from 1."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One step: a tile to lay, or one to take off because nothing can be completed around it."""

    cell: Cell
    tile: Tile
    """What to lay there; NOTHING: take away what lies there."""
    sentence: str


def deck(colours: Iterable[str] = COLOURS) -> tuple[Tile, ...]:
    """Return the 40 number tiles (RULES.md 1, equipment)."""
    return tuple(Tile(number, colour) for colour in colours for number in NUMBERS)


def where(cell: Cell) -> str:
    """Return a cell's name in a sentence.

    >>> where((0, 3))
    'row 1 column 4'
    """
    return f"row {cell[0] + 1} column {cell[1] + 1}"
