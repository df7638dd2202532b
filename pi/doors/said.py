"""What people type at `feltside play`: predictions in lock order, and answers to the eye's questions. Pure.

One line a round, its items parted by commas: `Bob 3, Ann 2`; `seat 2 4` and `2: 4` name a seat instead of a
player. `tile 1 4 7` says that row 1 place 4 shows a 7, `total 3` that three runs were counted by hand, `as read` that
the tray lies as it was read, though the eye doubts it as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pi.errors import BadTyping
from pi.rules.games.scramble_score import MOST_PREDICTED
from pi.rules.values import NUMBERS, WILD, Player, Seat


@dataclass(frozen=True, slots=True)
class Lock:
    """A prediction, in the order in which it was typed."""

    seat: Seat
    prediction: int


@dataclass(frozen=True, slots=True)
class Tile:
    """What lies in a place, as people see it; counted from 0."""

    row: int
    column: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Said:
    """One line, understood."""

    locks: tuple[Lock, ...] = ()
    tiles: tuple[Tile, ...] = ()
    total: int | None = None
    """Runs counted by hand; None when nobody did."""
    as_read: bool = False
    """Whether the tray lies as it was read."""


TILE = re.compile(r"tile\s+(\d+)\s+(\d+)\s+(\S+)", re.IGNORECASE)
AS_READ = "as read"
TOTAL = re.compile(r"total\s+(\d+)", re.IGNORECASE)
CLAIM = re.compile(r"(?P<who>.+?)\s*[:=\s]\s*(?P<number>[+-]?\d+)")


def parse_line(text: str, players: Sequence[Player]) -> Said:
    """Return what a line says; raises BadTyping naming the item that cannot be understood."""
    locks: list[Lock] = []
    tiles: list[Tile] = []
    total: int | None = None
    as_read = False
    for item in filter(None, (part.strip() for part in text.split(","))):
        if found := TILE.fullmatch(item):
            tiles.append(_tile(found, item))
        elif found := TOTAL.fullmatch(item):
            total = int(found[1])
        elif item.casefold() == AS_READ:
            as_read = True
        else:
            lock = _lock(item, players)
            if any(lock.seat == other.seat for other in locks):
                raise BadTyping(f"{item!r}: a lock-in is final, and this seat has one in this line already")
            locks.append(lock)
    return Said(tuple(locks), tuple(tiles), total, as_read)


def parse_file(lines: Iterable[str], players: Sequence[Player], *, name: str) -> list[Said]:
    """Return what each round's line says; empty lines and lines that start with '#' are passed over.

    Raises BadTyping naming the file and the line.
    """
    said = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            said.append(parse_line(line, players))
        except BadTyping as no:
            raise BadTyping(f"{no}, in {name} line {number}") from None
    return said


def _tile(found: re.Match[str], item: str) -> Tile:
    row, place, symbol = int(found[1]), int(found[2]), found[3]
    if row < 1 or place < 1 or symbol not in (*NUMBERS, WILD):
        raise BadTyping(f"{item!r} names no tile (expected like 'tile 1 4 7': row, place, 0-9 or #)")
    return Tile(row - 1, place - 1, symbol)


def _lock(item: str, players: Sequence[Player]) -> Lock:
    found = CLAIM.fullmatch(item)
    if found is None:
        raise BadTyping(f"{item!r} is no prediction (expected like '{players[0].name} 3')")
    prediction = int(found["number"])
    if not 0 <= prediction <= MOST_PREDICTED:
        raise BadTyping(f"{item!r}: a prediction is a sum of disks, 0 to {MOST_PREDICTED}")
    return Lock(_seat(found["who"], players, item), prediction)


def _seat(who: str, players: Sequence[Player], item: str) -> Seat:
    named = [p.seat for p in players if p.name.casefold() == who.casefold()]
    seat = re.fullmatch(r"(?:seat\s*)?(\d)", who, re.IGNORECASE)
    if not named and seat:
        named = [p.seat for p in players if p.seat == int(seat[1])]
    if not named:
        names = ", ".join(p.name for p in players)
        raise BadTyping(f"{item!r}: nobody of that name plays (expected {names})")
    return named[0]
