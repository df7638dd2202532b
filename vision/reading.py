"""What vision says about one picture of the tray: pieces, confidences, problems.

A reading is a claim, never a score. Coordinates are pixels of the picture that was read, x to the
right and y down, pixel centres at integers (OpenCV's convention); rows and columns count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import Any

Point = tuple[float, float]

SYMBOLS: tuple[str, ...] = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "#", "down")
"""Everything a tile can show, in the order in which every array of probabilities counts them."""


class Status(Enum):
    """How far a reading may be believed."""

    READ = "read"
    """Every piece is sure."""
    UNSURE = "unsure"
    """At least one piece must be asked about."""
    BUSY = "busy"
    """A hand, a sleeve or motion is in view: come back later."""
    NO_TRAY = "no-tray"
    """Neither markers nor the edge of the felt were found."""
    EMPTY = "empty"
    """The tray is there and nothing lies on it."""


class Problem(Flag):
    """Everything that is wrong with a picture, all of it at once."""

    NONE = 0
    HAND = auto()
    MOTION = auto()
    """Something moved between two frames, or the camera or the tray while one was taken."""
    GLARE = auto()
    BLUR = auto()
    DARK = auto()
    BRIGHT = auto()
    """So much is blown out that no tray would be seen."""
    FIDUCIAL_MISSING = auto()
    NO_TRAY = auto()
    BUMPED = auto()
    """The tray or the camera moved since the registration."""
    LIGHT_CHANGED = auto()
    LAYOUT = auto()
    """Pieces were found, but not in the places of the expected layout."""
    COUNT = auto()
    """More or fewer pieces than the expected layout holds."""
    SET = auto()
    """The symbols cannot be those of one set (a number twice in a colour)."""
    MIRRORED = auto()
    """The picture shows the tray as a mirror does: what is read of it would be something else."""
    OTHER_FELT = auto()
    """What is printed on the felt is not what was kept of it: it may be another one."""

    def words(self) -> list[str]:
        """Return the names of the single problems, lower case, with hyphens, in declared order."""
        return [p.name.lower().replace("_", "-") for p in Problem if p in self and p.name]


INCOMPLETE = Problem.LAYOUT | Problem.COUNT
"""With these the pieces may not be all, or not those of the layout."""
DISTURBING = INCOMPLETE | Problem.SET
"""Problems with which no reading is sure."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile: where it lies, what it shows, how sure."""

    row: int
    column: int
    symbol: str
    """One of SYMBOLS: the likeliest under the rules of the set."""
    colour: str | None
    """Plain English name; None where it cannot be seen (face down with a neutral back)."""
    sure: bool
    confidence: float
    """Probability that it shows `symbol`, 0..1: by its pixels and the rules of the set, and no more than is right of
    the tiles about which as much else is in doubt (`vision.board.certainty`)."""
    corners: tuple[Point, Point, Point, Point]
    """TL TR BR BL of the piece itself (arc upwards), in the picture's pixels."""
    likely: tuple[tuple[str, float], ...] = ()
    """Symbols with their posterior, likeliest first: what a correction offers first."""
    evidence: tuple[float, ...] | None = field(default=None, compare=False, repr=False)
    """Log-likelihood of each of SYMBOLS from the pixels alone, before the rules of the set; None where a
    person said what it is, all 0 where something lies on it. What `settle` adds up over frames."""
    doubted: bool = field(default=False, compare=False, repr=False)
    """Whether more is in doubt than its symbol: where it lies, what lies on it, its colour, which way up it lies."""
    at_most: float = field(default=1.0, compare=False, repr=False)
    """How probable its symbol is at most while it is not sure, for what else is in doubt."""
    blank: bool = field(default=False, compare=False, repr=False)
    """Whether it is a shorter exposure's back, and as blank without a lamp (`vision.frames.in_less_light`)."""

    @property
    def centre(self) -> Point:
        """Return the middle of the tile, in the picture's pixels."""
        return (sum(p[0] for p in self.corners) / 4.0, sum(p[1] for p in self.corners) / 4.0)

    def as_json(self) -> dict[str, Any]:
        """Return the tile as in the contract of `feltside read`."""
        return {
            "row": self.row,
            "column": self.column,
            "symbol": self.symbol,
            "colour": self.colour,
            "sure": self.sure,
            "confidence": round(self.confidence, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
        }


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die: the face that lies up."""

    value: int
    colour: str
    sure: bool
    confidence: float
    centre: Point
    """Centre of the top face, in the picture's pixels."""
    corners: tuple[Point, ...] = ()
    """Outline of the top face for drawing; empty where it was not measured."""
    likely: tuple[tuple[int, float], ...] = field(default=(), compare=False)
    """Faces with their probability, likeliest first: what a question offers first."""
    evidence: tuple[float, ...] | None = field(default=None, compare=False, repr=False)
    """Log-likelihood of each of `vision.crops.faces.FACES`; None where the die is doubted for more than its face. What
    `settle` adds up over frames."""
    colour_sure: bool = True
    """Whether the die is surely of the colour of those, and of those alone, that are called as it is."""

    @property
    def told(self) -> str | None:
        """The colour where it is sure, else None: no rule may go by it then."""
        return self.colour if self.colour_sure else None

    def as_json(self) -> dict[str, Any]:
        """Return the die as in the contract of `feltside read`."""
        return {
            "value": self.value,
            "colour": self.colour,
            "colour_sure": self.colour_sure,
            "sure": self.sure,
            "confidence": round(self.confidence, 4),
            "centre": [round(v, 1) for v in self.centre],
        }


@dataclass(frozen=True, slots=True)
class DiskReading:
    """One prediction disk (1, 2 or 4 dots) or queue disk (number 1 to 4)."""

    kind: str
    """"prediction" or "queue"."""
    value: int
    sure: bool
    confidence: float
    centre: Point
    evidence: tuple[float, ...] | None = field(default=None, compare=False, repr=False)
    """As of a die."""

    def as_json(self) -> dict[str, Any]:
        """Return the disk as in the contract of `feltside read`."""
        return {
            "kind": self.kind,
            "value": self.value,
            "sure": self.sure,
            "confidence": round(self.confidence, 4),
            "centre": [round(v, 1) for v in self.centre],
        }


EMPTY = "empty"
"""What a place of a mat holds when nothing lies on it."""


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """One place of a printed mat: what it holds."""

    place: int
    """As the mat numbers its places."""
    holds: str
    """"empty", or one of the kinds of piece that the mat takes: "dark" and "light", "first" and "second"."""
    sure: bool
    confidence: float
    """Probability of `holds`, 0..1."""
    centre: Point
    """Middle of the place, in the picture's pixels."""
    likely: tuple[tuple[str, float], ...] = ()
    """What it may hold, likeliest first."""
    alike: bool = False
    """Whether it holds a light counter as bright as others of the mat, in which no lamp's image shows: of those alone a
    shorter exposure's word counts."""

    def as_json(self) -> dict[str, Any]:
        """Return the place as in the contract of `feltside read`."""
        return {
            "place": self.place,
            "holds": self.holds,
            "sure": self.sure,
            "confidence": round(self.confidence, 4),
            "centre": [round(v, 1) for v in self.centre],
        }


@dataclass(frozen=True, slots=True)
class StrayReading:
    """Something on a mat that lies on no place: between two, or beside all of them."""

    near: tuple[int, ...]
    """The places it lies nearest to, one or two."""
    centre: Point
    """In the picture's pixels."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything seen in one picture."""

    status: Status
    tiles: tuple[TileReading, ...] = ()
    """Sorted by row, then column."""
    dice: tuple[DieReading, ...] = ()
    disks: tuple[DiskReading, ...] = ()
    places: tuple[PlaceReading, ...] = ()
    """Every place of the expected mat, in its order; () where no mat was expected or none was seen."""
    strays: tuple[StrayReading, ...] = ()
    unread: tuple[tuple[Point, ...], ...] = field(default=(), compare=False)
    """Outlines of what lies there, or may, and is none of the pieces above: where it can be shown what a `count` is
    about. For people's eyes."""
    unseen: bool = field(default=False, compare=False)
    """Whether something may lie where nobody could see it: in a glare, in the dark. Never sure, then, however sure of
    all pieces, and however many frames say the same; what hardly any frame says (`vision.frames.missed.SEEN_BY`) is not
    heard."""
    problems: Problem = Problem.NONE
    tray: tuple[Point, Point, Point, Point] | None = None
    """Corners TL TR BR BL of the felt in the picture; None when no tray was found."""
    expected: str | None = None
    """Which layout was read (a value of `vision.layout.Expectation`); None before one was told apart."""
    milliseconds: dict[str, float] = field(default_factory=dict, compare=False)
    """Time by stage, only where the caller handed in a clock."""

    def as_json(self) -> dict[str, Any]:
        """Return the reading as in the contract of `feltside read`, without picture and time."""
        strays = [{"near": list(s.near), "centre": [round(v, 1) for v in s.centre]} for s in self.strays]
        places = {"places": [place.as_json() for place in self.places], "strays": strays} if self.places else {}
        unread = [[[round(x, 1), round(y, 1)] for x, y in outline] for outline in self.unread]
        return {
            "status": self.status.value,
            "problems": self.problems.words(),
            "tiles": [tile.as_json() for tile in self.tiles],
            "dice": [die.as_json() for die in self.dice],
            "disks": [disk.as_json() for disk in self.disks],
            **places,
            **({"unread": unread} if unread else {}),
        }
