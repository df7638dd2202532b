"""What the eye says of counters, pawns and dice, kept in the journal as it was read, and what the table says of it.

A reading that a game makes moves of is taken down before them (`EyeRead`), and so is one in which a piece is
in doubt that the game needs to know: then the table is asked, and its answer (`PieceTold`) is a later event,
never an edit. The same answer corrects the latest move: what followed from the reading is taken back and
ruled on anew with the piece as the table says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pi.rules.commands import command
from pi.rules.events import event

EMPTY, DARK, LIGHT = "empty", "dark", "light"
FIRST, SECOND = "first", "second"
"""Pawns of player 1 and of player 2."""
A_DIE, A_PLACE = "die", "place"
FACES = ("1", "2", "3", "4", "5", "6")
About = tuple[str, int]
"""A_DIE or A_PLACE, and its number in the reading."""


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """One place of a mat as read: a claim with its certainty."""

    place: int
    holds: str
    sure: bool = True
    likely: tuple[tuple[str, float], ...] = ()
    """What it may hold with its probability, likeliest first."""


@dataclass(frozen=True, slots=True)
class SeenStray:
    """A piece on no place."""

    near: tuple[int, ...]
    """The places it lies nearest to, one or two."""


@dataclass(frozen=True, slots=True)
class SeenMatDie:
    """A die on a mat whose players each have a roll zone."""

    player: int
    """From 0; -1 in nobody's zone."""
    value: int
    at: tuple[float, ...]
    """(x, y) in millimetres of the felt."""
    sure: bool = True
    likely: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die as read on Run Buster's mat."""

    zone: int
    """Seat in whose hand zone it lies; 0 is the roll zone, -1 a line or no zone at all."""
    value: int
    sure: bool = True
    likely: tuple[tuple[int, float], ...] = ()
    """Faces with their probability, likeliest first."""


@command("read-mat")
@dataclass(frozen=True, slots=True)
class ReadMat:
    """The watcher settled on a reading of a printed mat."""

    mat: str
    """As the ruleset says what it expects, e.g. 'blob:8'."""
    places: tuple[SeenPlace, ...]
    """Every place, in order."""
    strays: tuple[SeenStray, ...] = ()
    dice: tuple[SeenMatDie, ...] = ()
    frame: str = ""
    source: str = "camera"
    strange: bool = False
    """Something lies in a roll zone that is no single flat die, or elsewhere and was not read."""
    unseen: bool = False
    """Something may lie where nobody can see it."""


@command("buster-read")
@dataclass(frozen=True, slots=True)
class ReadDice:
    """A settled reading of Run Buster's whole mat: the roll zone and every hand zone."""

    dice: tuple[SeenDie, ...]
    frame: str = ""
    source: str = "camera"
    strange: bool = False
    """Something lies there that is no plain die: a die on another, a counter, a leaning die."""
    unseen: bool = False
    """Something may lie where nobody can see it."""


Reading = ReadMat | ReadDice


@command("tell-piece")
@dataclass(frozen=True, slots=True)
class TellPiece:
    """The table says what a die or a place of the latest reading shows: asked by the eye, or correcting it."""

    kind: str
    """A_DIE or A_PLACE."""
    number: int
    shows: str
    frame: str = ""
    """The reading that is meant; empty for the latest."""
    by: str = "table"


@event("eye-read")
@dataclass(frozen=True, slots=True)
class EyeRead:
    """A reading was taken in: the moves that follow rest on it, or the table is asked about it."""

    reading: Reading | None
    """None: what was asked about has gone, so that nothing is asked any more."""
    asked: tuple[About, ...] = ()
    """The pieces the table must tell; () when moves follow."""
    why: str = ""
    """The question in one sentence; empty when moves follow."""
    frame: str = ""
    by: str = "referee"
    automatic: bool = False
    """True for a question: undone together with the step before it."""


@event("piece-told")
@dataclass(frozen=True, slots=True)
class PieceTold:
    """Somebody said what a piece of the reading shows; the reading itself stays in the journal."""

    kind: str
    number: int
    shows: str
    was: str
    by: str
    frame: str = ""
    instead: int = 0
    """How many events that followed from the reading are ruled on anew with it; they stay in the journal."""
    asked: tuple[About, ...] = ()
    """What must still be told."""
    why: str = ""
    """The question about that, in one sentence."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A die or a place of a reading."""

    kind: str
    number: int
    shows: str
    sure: bool
    likely: tuple[tuple[str, float], ...] = ()


def pieces(reading: Reading) -> tuple[Piece, ...]:
    """Return everything a reading says, dice first."""
    lying: tuple[SeenMatDie | SeenDie, ...] = reading.dice
    dice = [
        Piece(A_DIE, n, str(die.value), die.sure, tuple((str(face), chance) for face, chance in die.likely))
        for n, die in enumerate(lying)
    ]
    places = reading.places if isinstance(reading, ReadMat) else ()
    return (*dice, *(Piece(A_PLACE, n, seen.holds, seen.sure, seen.likely) for n, seen in enumerate(places)))


def piece_of(reading: Reading, kind: str, number: int) -> Piece | None:
    """Return one piece of a reading; None when it has no such piece."""
    return next((piece for piece in pieces(reading) if (piece.kind, piece.number) == (kind, number)), None)


def may_show(reading: Reading, kind: str) -> tuple[str, ...]:
    """Return everything that a die or a place can show.

    >>> may_show(ReadDice(()), "die")
    ('1', '2', '3', '4', '5', '6')
    """
    if kind == A_DIE:
        return FACES
    places = reading.places if isinstance(reading, ReadMat) else ()
    named = {name for seen in places for name in (seen.holds, *(holds for holds, _ in seen.likely))}
    return (EMPTY, FIRST, SECOND) if named & {FIRST, SECOND} else (EMPTY, DARK, LIGHT)


def with_piece(reading: Reading, kind: str, number: int, shows: str) -> Reading:
    """Return the reading with one piece as the table says, surely; a piece it does not have changes nothing."""
    if kind == A_PLACE and isinstance(reading, ReadMat):
        return replace(reading, places=_told(reading.places, number, holds=shows))
    if kind != A_DIE or shows not in FACES:
        return reading
    lying: tuple[SeenMatDie | SeenDie, ...] = reading.dice
    changed: Reading = replace(reading, dice=_told(lying, number, value=int(shows)))  # type: ignore[arg-type]
    return changed


def _told(seen: tuple[Any, ...], number: int, **now: Any) -> tuple[Any, ...]:
    return tuple(replace(p, sure=True, likely=(), **now) if n == number else p for n, p in enumerate(seen))


def in_doubt(reading: Reading, kind: str, which: Iterable[int]) -> tuple[About, ...]:
    """Return those of some pieces that the eye is not sure of."""
    wanted = set(which)
    return tuple((p.kind, p.number) for p in pieces(reading) if p.kind == kind and p.number in wanted and not p.sure)
