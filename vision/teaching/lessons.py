"""What an owner lays before the eye to be learnt, and what came of it, in words."""

from __future__ import annotations

from dataclasses import dataclass

from vision.errors import CannotLearn, Spot
from vision.layout import Expectation
from vision.own_set import OwnSet
from vision.reading import SYMBOLS, Point
from vision.teaching.english import one
from vision.tray.rectify import Image, Tray

IN_ORDER = "0123456789"
WILD_ORDER = "123456789#"
DIE_ORDER = "123456"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A picture and what its owner says lies there."""

    picture_bgr: Image
    rows: tuple[tuple[str, ...], ...] = (tuple(IN_ORDER),) * 4
    """Top to bottom, left to right: of SYMBOLS for tiles, "1" to "6" for dice."""
    dice: bool = False
    """The rows are of dice."""
    tray: Tray | None = None
    """Where the tray lies, if people had to show that; None: the picture shows it."""
    colours: tuple[str, ...] | None = None
    """What its owner calls the rows, top to bottom; None where this picture leaves that to others, or to the eye."""
    as_said: bool = False
    """Its owner has looked again where the eye doubted, and insists: what it looks like counts no longer."""

    @property
    def expect(self) -> Expectation:
        """Return how such a picture is read."""
        if self.dice:
            return Expectation.DICE
        plain = all(s.isdigit() for row in self.rows for s in row) and [len(r) for r in self.rows] == [10] * 4
        return Expectation.ROWS if plain else Expectation.WILD if self._tens() else Expectation.DRAWBRIDGE

    def _tens(self) -> bool:
        return [len(r) for r in self.rows] == [10] * 4


@dataclass(frozen=True, slots=True)
class Checked:
    """One piece of a picture, read back."""

    row: int
    column: int
    taught: str
    seen: str
    """Empty where nothing was found."""
    colour: str
    seen_colour: str
    sure: bool
    corners: tuple[Point, ...] = ()
    """Where it lies in the picture."""

    @property
    def right(self) -> bool:
        """Return whether it was read as it was taught."""
        return self.taught == self.seen and self.colour == self.seen_colour

    def sentence(self, picture: int | None = None) -> str:
        """Return what is wrong with it, in a sentence. picture: its number, from 1, where there are several."""
        where = f"row {self.row + 1}, place {self.column + 1}" + (f", of picture {picture}" if picture else "")
        if not self.seen:
            return f"Nothing is found in {where}, where {one(self.taught)} was said to lie."
        if self.seen == "down":
            return f"The {self.taught} in {where} reads as face down."
        if self.taught != self.seen:
            return f"The {self.taught} in {where} reads as {one(self.seen)}."
        if not self.seen_colour:
            return f"The colour of the {self.taught} in {where} is not to be seen: it was said to be {self.colour}."
        return f"The {self.taught} in {where} is taken for {self.seen_colour}, not {self.colour}."


@dataclass(frozen=True, slots=True)
class Learnt:
    """A set, and how its pictures read with it."""

    own: OwnSet
    checked: tuple[tuple[Checked, ...], ...]
    """For each picture, those kept out of the learning too."""
    before: tuple[int, ...]
    """How many pieces of each picture the shipped models read right and were sure of."""
    doubts: tuple[str, ...] = ()
    """What of these pictures the eye doubted and their owner insisted on, a sentence each."""
    where: tuple[Spot, ...] = ()
    """Where each of them lies."""

    @property
    def wrong(self) -> tuple[Checked, ...]:
        """Return the pieces that do not read as they were taught."""
        return tuple(c for picture in self.checked for c in picture if not c.right)

    @property
    def holds(self) -> bool:
        """Return whether the set may be put in force: everything it was taught reads right."""
        return not self.wrong and bool(self.checked)

    def faults(self) -> list[str]:
        """Return what is wrong with each piece that does not read as it was taught, in a sentence."""
        several = len(self.checked) > 1
        return [
            piece.sentence(number if several else None)
            for number, picture in enumerate(self.checked, start=1)
            for piece in picture
            if not piece.right
        ]

    def sentences(self) -> list[str]:
        """Return the outcome in plain words, a sentence for each picture."""
        out = []
        for k, (picture, before) in enumerate(zip(self.checked, self.before, strict=True)):
            right, sure = sum(c.right for c in picture), sum(c.right and c.sure for c in picture)
            out.append(
                f"Picture {k + 1}: {right} of {len(picture)} read right, {sure} of them for certain "
                f"(before: {before} for certain)."
            )
        return out


def rows_of(name: str, colours: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows that a layout's name stands for: "rows" 0 to 9, "wild" 1 to 9 and #, "dice" 1 to 6.

    Raises CannotLearn for another name.
    """
    orders = {"rows": IN_ORDER, "wild": WILD_ORDER, "dice": DIE_ORDER}
    if name not in orders:
        raise CannotLearn(f"{name!r} is no layout to be taught (expected one of {', '.join(orders)})")
    return (tuple(orders[name]),) * colours


def parse_boards(text: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the rows of each board in a text: cells parted by spaces, boards by an empty line.

    Raises CannotLearn for a cell that no tile shows.
    """
    boards: list[list[tuple[str, ...]]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        cells = tuple(line.split())
        for cell in cells:
            if cell not in SYMBOLS or cell == "down":
                raise CannotLearn(f"{cell!r} is no tile (expected 0 to 9 or #), in line {number}")
        if cells:
            boards[-1].append(cells)
        elif boards[-1]:
            boards.append([])
    found = tuple(tuple(b) for b in boards if b)
    if not found:
        raise CannotLearn("there is no tile in the layout")
    return found
