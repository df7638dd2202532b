"""What has happened: the journal's alphabet. Names and versions are given by hand and never reused.

A game with events of its own registers them with `@event` in its own file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from pi.rules.codec import from_json, to_json
from pi.rules.errors import BadMessage, NewerJournal
from pi.rules.values import Cell, Player, Points, Seat

Event = Any
"""Any dataclass registered with `@event`."""
E = TypeVar("E", bound=type)

_ALPHABET: dict[str, tuple[type, int]] = {}
_NAMES: dict[type, tuple[str, int]] = {}
Upcast = Callable[[dict[str, Any]], dict[str, Any]]
_UPCASTS: dict[tuple[str, int], Upcast] = {}
"""(name, old version) -> data of the next version."""


def event(name: str, version: int = 1) -> Callable[[E], E]:
    """Register a frozen dataclass as an event under its lasting name."""

    def register(cls: E) -> E:
        if name in _ALPHABET:
            raise BadMessage(f"the event name {name!r} is taken (expected a new one)")
        _ALPHABET[name] = (cls, version)
        _NAMES[cls] = (name, version)
        return cls

    return register


def upcast(name: str, version: int) -> Callable[[Upcast], Upcast]:
    """Register how data of an event's old version becomes data of the next."""

    def register(function: Upcast) -> Upcast:
        _UPCASTS[name, version] = function
        return function

    return register


def encode(happened: Event) -> tuple[str, int, dict[str, Any]]:
    """Return (name, version, data) of an event, data as JSON values."""
    name, version = _NAMES[type(happened)]
    return name, version, to_json(happened)


def check_known(name: str, version: int) -> None:
    """Raise NewerJournal unless events of this name and version are known here."""
    if name not in _ALPHABET:
        import_module("pi.rules.games")  # a game's own events are registered by its file
    if name not in _ALPHABET:
        raise NewerJournal(f"the event {name!r} is unknown here (expected one of {len(_ALPHABET)} known names)")
    if version > _ALPHABET[name][1]:
        raise NewerJournal(f"the event {name!r} has version {version} (expected at most {_ALPHABET[name][1]})")


def decode(name: str, version: int, data: Any) -> Event:
    """Return the event; raises NewerJournal for a name or version from the future, BadMessage otherwise."""
    check_known(name, version)
    cls, current = _ALPHABET[name]
    for old in range(version, current):
        data = _UPCASTS[name, old](data)
    return from_json(cls, data, where=f"/{name}")


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile as read: a claim with its certainty."""

    row: int
    column: int
    symbol: str
    """'0'-'9', '#' wild, '?' face down, '.' empty."""
    colour: str | None = None
    confidence: float = 1.0
    sure: bool = True
    likely: tuple[tuple[str, float], ...] = ()
    """Symbols with their probability, likeliest first: what a correction offers first."""

    @property
    def cell(self) -> Cell:
        """(row, column)."""
        return self.row, self.column


@dataclass(frozen=True, slots=True)
class Tray:
    """A whole reading of the tray, as the journal keeps it."""

    tiles: tuple[SeenTile, ...]
    frame: str = ""
    """Name of the evidence picture; empty when there is none (typed in)."""
    source: str = "camera"
    """'camera', 'pictures' or 'table' (typed in by people)."""
    placed: bool = True
    """Whether the eye is certain in which rows and places the tiles lie."""
    doubt: tuple[str, ...] = ()
    """What is in doubt besides single tiles, as `pi.rules.vouching` names it; () where nothing is."""
    marks: tuple[tuple[float, ...], ...] = ()
    """(x, y) in millimetres of the felt of what was not read, or may lie there."""

    def symbols(self) -> dict[Cell, str]:
        """Return what lies in each cell."""
        return {tile.cell: tile.symbol for tile in self.tiles}

    def row_colours(self) -> dict[int, str]:
        """Return the colour of each row: that of most of its tiles, as one of another colour may lie there.

        The eye doubts such a one: of two in a row the sure one tells.
        """
        found: dict[int, Counter[str]] = {}
        for tile in sorted(self.tiles, key=lambda tile: not tile.sure):
            if tile.colour:
                found.setdefault(tile.row, Counter())[tile.colour] += 1
        return {row: colours.most_common(1)[0][0] for row, colours in found.items()}

    def strange_row(self, tile: SeenTile) -> str | None:
        """Return the colour of the row in which a tile of another colour lies; None where it is of that colour."""
        own = self.row_colours().get(tile.row)
        return own if tile.colour and own != tile.colour else None


@event("match-started")
@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match began; house rules are written down in full, so that later defaults change nothing."""

    match: str
    game: str
    players: tuple[Player, ...]
    house: tuple[tuple[str, bool | int | str], ...] = ()


@event("round-opened")
@dataclass(frozen=True, slots=True)
class RoundOpened:
    """From here lock-ins count."""

    round: int
    at_ns: int
    by: str = "table"


@event("locked-in")
@dataclass(frozen=True, slots=True)
class LockedIn:
    """A seat froze its prediction: the commitment may be shown at once, the rest at the reveal."""

    round: int
    seat: Seat
    at_ns: int
    bound_ns: int
    prediction: int
    nonce: str
    commitment: str
    via: str = "pad"


@event("lock-in-withdrawn")
@dataclass(frozen=True, slots=True)
class LockInWithdrawn:
    """The table openly took a mistaken lock-in back (RULES.md 1, Ruling)."""

    round: int
    seat: Seat
    by: str


@event("tray-read")
@dataclass(frozen=True, slots=True)
class TrayRead:
    """The tray as the camera (or the table) read it; a later reading of the round supersedes it."""

    round: int
    tray: Tray


@event("tray-cleared")
@dataclass(frozen=True, slots=True)
class TrayCleared:
    """ "The tray is right": the reading and the corrections of the round are void; it is read again."""

    round: int
    by: str


@event("tray-confirmed")
@dataclass(frozen=True, slots=True)
class TrayConfirmed:
    """Somebody said that the tray lies as the latest reading has it, whatever the eye doubts besides its tiles."""

    round: int
    by: str
    frame: str = ""
    """The reading's picture."""


@event("tile-corrected")
@dataclass(frozen=True, slots=True)
class TileCorrected:
    """Somebody said what a tile shows. The reading itself stays in the journal."""

    round: int
    row: int
    column: int
    symbol: str
    was: str
    by: str


def unanswered(tray: Tray | None, corrections: Iterable[TileCorrected]) -> tuple[SeenTile, ...]:
    """Return the tiles of a reading that the eye is not sure of and nobody has said yet what they show."""
    answered = {(fix.row, fix.column) for fix in corrections}
    return tuple(t for t in (tray.tiles if tray else ()) if not t.sure and t.cell not in answered)


def still_claimed(corrections: Iterable[TileCorrected], *, before: Tray | None, now: Tray) -> tuple[TileCorrected, ...]:
    """Return the corrections that outlive a new reading: of tiles of which the eye claims the same as before."""
    then, symbols = before.symbols() if before else {}, now.symbols()
    return tuple(fix for fix in corrections if symbols.get((fix.row, fix.column)) == then.get((fix.row, fix.column)))


@event("total-ruled")
@dataclass(frozen=True, slots=True)
class TotalRuled:
    """The table counted by hand; this total stands for the round until a reading is asked for again."""

    round: int
    total: int
    by: str
    others: tuple[int, ...] = ()
    """With wild tiles: further totals that can be made."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Every total that is right, ascending."""
        return tuple(sorted({self.total, *self.others}))


@event("revealed")
@dataclass(frozen=True, slots=True)
class Revealed:
    """The predictions are open; from here no lock-in of the round is accepted."""

    round: int
    automatic: bool
    """True when it followed by itself from the last lock-in or reading: undone together with that."""
    by: str


@event("player-renamed")
@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player's name was put right."""

    seat: Seat
    name: str
    by: str


@event("points-adjusted")
@dataclass(frozen=True, slots=True)
class PointsAdjusted:
    """The table gave or took points by hand."""

    seat: Seat
    points: Points
    why: str
    by: str


@event("match-ended")
@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The table ended the match before its rules did."""

    by: str
    why: str = ""


@event("held")
@dataclass(frozen=True, slots=True)
class Held:
    """Automation rests: no reading is taken and nothing reveals itself until the table goes on."""

    by: str
    why: str = ""


@event("resumed")
@dataclass(frozen=True, slots=True)
class Resumed:
    """Automation goes on."""

    by: str


@event("undone")
@dataclass(frozen=True, slots=True)
class Undone:
    """The last events that still counted no longer do; they stay in the journal."""

    events: int
    by: str


@event("redone")
@dataclass(frozen=True, slots=True)
class Redone:
    """What the last undo took back counts again."""

    events: int
    by: str
