"""What may be expected on the tray: which layout, which symbols, which rules of the set.

Sources: RULES 1 (boards `rows`, `rect`, `diamond`; wild tiles; Draw Bridge).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from vision.errors import UnknownExpectation
from vision.reading import SYMBOLS

TRAY_MM: tuple[float, float] = (360.0, 260.0)
"""Width and height of the felt of the nominal tray."""

DIGITS: frozenset[str] = frozenset("0123456789")


class Expectation(Enum):
    """What the caller says lies on the tray."""

    ROWS = "rows"
    """Four rows of ten, each row one colour, numbers only (RULES 1, base game)."""
    WILD = "wild"
    """As ROWS, ten of the eleven tiles of each colour: one may be a wild; some may be face down."""
    RECT = "rect"
    """Five rows of eight, colours mixed: each number once a colour."""
    MIXED = "mixed"
    """Four rows of ten, colours mixed: each number once a colour (RULES 1, solitaire quests)."""
    DIAMOND = "diamond"
    """Rows of 1 3 5 7 9 7 5 3 1, colours mixed: each number once a colour, and one wild."""
    DRAWBRIDGE = "drawbridge"
    """Up to four rows of ten places, growing from both ends, with gaps."""
    DICE = "dice"
    """One to thirty-six dice."""
    DISKS = "disks"
    """Prediction and queue disks; tiles beside them are not read."""
    AUTO = "auto"
    """Find out which of the others it is."""

    @staticmethod
    def parse(text: str) -> Expectation:
        """Return the expectation that `text` names; raise UnknownExpectation.

        >>> Expectation.parse("rows")
        <Expectation.ROWS: 'rows'>
        """
        try:
            return Expectation(text)
        except ValueError:
            names = ", ".join(e.value for e in Expectation)
            raise UnknownExpectation(f"cannot expect {text!r} (expected one of {names})") from None


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of one layout and what may lie on them."""

    name: Expectation
    columns: tuple[tuple[int, ...], ...]
    """For each row the columns of its places, left to right, counted in the widest row."""
    symbols: frozenset[str]
    """What a tile may show."""
    row_colours: bool
    """Each row is of one colour."""
    full: bool
    """Every place holds a tile."""
    colours_count: bool = False
    """Colours are mixed and a rule asks for them (the quests): a tile whose colour is in doubt is asked about."""
    wilds: int | None = None
    """Wilds on the whole board where the rules fix it; None where they do not."""

    @property
    def places(self) -> int:
        """Number of places."""
        return sum(len(row) for row in self.columns)

    @property
    def columns_count(self) -> bool:
        """Whether rules may ask which tiles lie above each other: rows of one colour each are counted one by one."""
        return self.full and not self.row_colours

    @property
    def width(self) -> int:
        """Number of columns of the widest row."""
        return max(len(row) for row in self.columns)

    def mask(self) -> tuple[bool, ...]:
        """Return for each of SYMBOLS whether it may be shown."""
        return tuple(symbol in self.symbols for symbol in SYMBOLS)


def _centred(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    widest = max(lengths)
    return tuple(tuple(range((widest - n) // 2, (widest - n) // 2 + n)) for n in lengths)


_TEN = tuple(range(10))
DIAMOND_ROWS = (1, 3, 5, 7, 9, 7, 5, 3, 1)

LAYOUTS: dict[Expectation, Layout] = {
    Expectation.ROWS: Layout(Expectation.ROWS, (_TEN,) * 4, DIGITS | {"down"}, True, True, wilds=0),
    Expectation.WILD: Layout(Expectation.WILD, (_TEN,) * 4, frozenset(SYMBOLS), True, True),
    Expectation.RECT: Layout(Expectation.RECT, (tuple(range(8)),) * 5, DIGITS | {"down"}, False, True, wilds=0),
    Expectation.MIXED: Layout(
        Expectation.MIXED, (_TEN,) * 4, DIGITS | {"down"}, False, True, colours_count=True, wilds=0
    ),
    Expectation.DIAMOND: Layout(Expectation.DIAMOND, _centred(DIAMOND_ROWS), frozenset(SYMBOLS), False, True, wilds=1),
    Expectation.DRAWBRIDGE: Layout(Expectation.DRAWBRIDGE, (_TEN,) * 4, frozenset(SYMBOLS), True, False),
}
"""The layouts of tiles; dice and disks have no places."""
