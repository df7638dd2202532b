"""The turns of a match, each with its evidence: what the eye read, what people said of it, what it was worth.

For games of turns what `/round/N` is for Random Scramble. A turn is an event that its game tells in words;
what it rests on is in the journal before it (the reading, the table's answers) or after it (a tile corrected
later). Called by `web.present` only, with a veiled match; decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from pi.rules.events import Event, SeenTile, TileCorrected, Tray, TrayConfirmed, TrayRead
from pi.rules.match import Match, apply, replay
from pi.rules.ruleset import Context, Refused
from pi.rules.seen import (
    A_DIE,
    DARK,
    EMPTY,
    FIRST,
    LIGHT,
    EyeRead,
    Piece,
    PieceTold,
    Reading,
    may_show,
    piece_of,
    pieces,
    with_piece,
)
from pi.rules.turns import turns as played
from pi.rules.values import NUMBERS, WILD, Cell
from web import words
from web.speech import echo, say

View = dict[str, Any]
LEAST_LIKELY = 0.01
"""What is less likely than this is not offered first."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that still counts."""

    number: int
    """From 1."""
    at: int
    """Where its event stands in the match's history."""
    event: Event


def turns(match: Match) -> tuple[Turn, ...]:
    """Return the turns that count, in order."""
    return tuple(Turn(n, at, event) for n, (at, event) in enumerate(played(match), start=1))


def turn_view(match: Match, number: int, *, acts: bool) -> View | None:
    """Return a turn's evidence as JSON values; None when there is no such turn.

    acts: whether the looker may correct what was read.
    """
    all_turns = turns(match)
    if not 1 <= number <= len(all_turns):
        return None
    turn = all_turns[number - 1]
    before, after = _around(match, turn)
    return {
        "number": turn.number,
        "turns": len(all_turns),
        "what": match.ruleset.told(match.context, turn.event) or "",
        "by": getattr(turn.event, "by", "table"),
        "frame": getattr(turn.event, "frame", ""),
        "points": _points(before, after),
        **(_of_tiles(match, turn, acts=acts) if hasattr(turn.event, "tiles") else _of_pieces(match, turn, acts=acts)),
    }


def as_of(match: Match, number: int) -> Match:
    """Return the match as it stood after a turn, later corrections of its tiles included."""
    turn = turns(match)[number - 1]
    return _around(match, turn)[1]


def _around(match: Match, turn: Turn) -> tuple[Match, Match]:
    """Return the match before and after a turn."""
    start = turn.at
    own = {tile.cell for tile in getattr(turn.event, "tiles", ())}
    while start and _leads_to(match.history[start - 1], own):
        start -= 1
    before = replay(match.history[:start])
    after = replay(match.history[start : turn.at + 1], start=before)
    return before, reduce(apply, _fixes(match, turn, later=True), after)


def _leads_to(event: Event, own: set[Cell]) -> bool:
    """Tell whether an event right before a turn is a part of it: its reading, or an answer about its pieces."""
    if isinstance(event, TileCorrected):
        return fix_cell(event) in own
    return isinstance(event, (EyeRead, PieceTold, TrayRead, TrayConfirmed))


def _points(before: Match, after: Match) -> list[View]:
    old, new = before.standing(), after.standing()
    return [
        {"seat": seat, "name": after.context.name(seat), "then": old.get(seat, 0), "now": points}
        for seat, points in new.items()
    ]


# -- counters, pawns and dice ---------------------------------------------------------------------------------


def question(match: Match) -> View | None:
    """Return what the table is asked about the latest reading; None when nothing is asked."""
    latest = match.latest
    if latest is None or not latest.asked:
        return None
    asked = [piece for about in latest.asked if (piece := piece_of(latest.reading, *about)) is not None]
    return {
        "why": latest.why,
        "frame": latest.reading.frame,
        "pieces": [_piece(match, latest.reading, piece) for piece in asked],
    }


def _of_pieces(match: Match, turn: Turn, *, acts: bool) -> View:
    """Return what the eye read for a turn, what people said of it, and what it would have been worth as read."""
    rested = _rested_on(match.history, turn.at)
    if rested is None:
        return {"pieces": [], "told": [], "as_read": None, "fixable": False, "rest": 0}
    start, read, told = rested
    reading = read.reading
    assert reading is not None
    counts = reduce(lambda seen, fix: with_piece(seen, fix.kind, fix.number, fix.shows), told, reading)
    news = _news(reading, _reading_before(match.history, start)) | {(fix.kind, fix.number) for fix in told}
    shown = [piece for piece in pieces(reading) if (piece.kind, piece.number) in news]
    fixable = acts and match.latest is not None and match.latest.reading.frame == reading.frame
    return {
        "pieces": [_read_and_counts(match, reading, counts, piece) for piece in shown],
        "told": [
            {
                "kind": fix.kind,
                "number": fix.number,
                "label": _label(match, fix.kind, fix.number),
                "was": face(match.context, fix.kind, fix.was),
                "is": face(match.context, fix.kind, fix.shows),
                "by": fix.by,
            }
            for fix in told
        ],
        "as_read": _as_read(match, start, read) if told else None,
        "fixable": fixable and bool(match.latest and match.latest.moves),
        "rest": len(pieces(reading)) - len(shown),
    }


def _rested_on(history: Sequence[Event], at: int) -> tuple[int, EyeRead, tuple[PieceTold, ...]] | None:
    """Return where the reading stands on which an event rests, the reading, and what people said of it."""
    frame = getattr(history[at], "frame", "")
    told: list[PieceTold] = []
    for n in range(at - 1, -1, -1):
        event = history[n]
        if isinstance(event, PieceTold) and frame and event.frame == frame:
            told.insert(0, event)
        elif isinstance(event, EyeRead) and frame and event.frame == frame and event.reading is not None:
            return n, event, tuple(told)
        elif getattr(event, "frame", "") != frame:
            return None
    return None


def _reading_before(history: Sequence[Event], at: int) -> Reading | None:
    read = next((e for e in reversed(history[:at]) if isinstance(e, EyeRead) and e.reading is not None), None)
    return read.reading if read is not None else None


def _news(reading: Reading, before: Reading | None) -> set[tuple[str, int]]:
    """Return the pieces that a reading shows otherwise than the one before it; dice are always news."""
    found = set()
    for piece in pieces(reading):
        was = piece_of(before, piece.kind, piece.number) if before is not None else None
        if piece.kind == A_DIE or not piece.sure or (was.shows if was else EMPTY) != piece.shows:
            found.add((piece.kind, piece.number))
    return found


def _as_read(match: Match, start: int, read: EyeRead) -> list[View] | None:
    """Return what everybody had if the reading counted as it was read; None when it could not count so."""
    before = replay(match.history[:start])
    assert read.reading is not None
    ruling = before.ruleset.decide(before.context, before.state, read.reading)
    if isinstance(ruling, Refused):
        return None
    return _points(before, reduce(apply, ruling, before))


def _read_and_counts(match: Match, reading: Reading, counts: Reading, piece: Piece) -> View:
    now = piece_of(counts, piece.kind, piece.number) or piece
    return _piece(match, reading, piece) | {
        "counts": now.shows,
        "counts_said": face(match.context, piece.kind, now.shows),
    }


def _piece(match: Match, reading: Reading, piece: Piece) -> View:
    allowed = may_show(reading, piece.kind)
    likely = [(name, chance) for name, chance in piece.likely if name in allowed and chance >= LEAST_LIKELY]
    offered = {name for name, _ in likely}
    return {
        "kind": piece.kind,
        "number": piece.number,
        "label": _label(match, piece.kind, piece.number),
        "shows": piece.shows,
        "said": face(match.context, piece.kind, piece.shows),
        "sure": piece.sure,
        "likely": [
            {"shows": name, "said": face(match.context, piece.kind, name), "percent": min(99, int(100 * chance))}
            for name, chance in likely
        ],
        "others": [
            {"shows": name, "said": face(match.context, piece.kind, name)} for name in allowed if name not in offered
        ],
    }


def _label(match: Match, kind: str, number: int) -> str:
    return (
        say("Die {number}", number=number + 1) if kind == A_DIE else echo(match.ruleset.called(match.context, number))
    )


def face(context: Context, kind: str, shows: str) -> str:
    """Return what a die or a place shows, in words."""
    if kind == A_DIE:
        return shows
    if shows == EMPTY:
        return say("nothing")
    if shows in (DARK, LIGHT):
        return say("a dark counter") if shows == DARK else say("a light counter")
    seats = context.seats()
    return say("{name}'s pawn", name=context.name(seats[0 if shows == FIRST else -1]))


# -- tiles ----------------------------------------------------------------------------------------------------


def _of_tiles(match: Match, turn: Turn, *, acts: bool) -> View:
    """Return what the eye read of a turn's tiles, which of them people corrected, and what it was worth before."""
    number = turn.event.round
    seen = _tray_of(match.history, getattr(turn.event, "frame", ""))
    tiles = {tile.cell: tile for tile in (seen.tiles if seen else ())}
    fixes = [*_fixes(match, turn, later=False), *_fixes(match, turn, later=True)]
    cells = [tile.cell for tile in turn.event.tiles]
    allowed = (*NUMBERS, WILD) if dict(match.house).get("wild") else NUMBERS
    now = {fix_cell(fix): fix.symbol for fix in fixes}
    return {
        "round": number,
        "pieces": [
            _tile(tiles.get(tile.cell), tile.cell, now.get(tile.cell, tile.symbol), allowed)
            for tile in turn.event.tiles
        ],
        "told": [
            {
                "kind": "tile",
                "number": cells.index(fix_cell(fix)),
                "label": say("Row {row} place {column}", row=fix.row + 1, column=fix.column + 1),
                "was": words.face(fix.was),
                "is": words.face(fix.symbol),
                "by": fix.by,
                "cell": list(fix_cell(fix)),
            }
            for fix in fixes
        ],
        "as_read": _tiles_as_read(match, turn, fixes) if fixes else None,
        "fixable": acts,
        "rest": max(0, len(tiles) - len(cells)),
    }


def _tile(read: SeenTile | None, cell: Cell, counts: str, allowed: Sequence[str]) -> View:
    likely = [(s, p) for s, p in (read.likely if read else ()) if s in allowed]
    offered = {symbol for symbol, _ in likely}
    return {
        "kind": "tile",
        "number": 0,
        "cell": list(cell),
        "label": say("Row {row} place {column}", row=cell[0] + 1, column=cell[1] + 1),
        "shows": read.symbol if read else counts,
        "said": words.face(read.symbol if read else counts),
        "sure": read.sure if read else True,
        "percent": None if read is None else min(99.9, int(1000 * read.confidence) / 10),
        "counts": counts,
        "counts_said": words.face(counts),
        "likely": [{"shows": s, "said": s, "percent": min(99, int(100 * p))} for s, p in likely],
        "others": [{"shows": s, "said": s} for s in allowed if s not in offered],
    }


def fix_cell(fix: TileCorrected) -> Cell:
    """Return the cell that a correction is about."""
    return fix.row, fix.column


def _fixes(match: Match, turn: Turn, *, later: bool) -> list[TileCorrected]:
    """Return the corrections of a turn's tiles: those that came after it, or those it came with."""
    cells = {tile.cell for tile in getattr(turn.event, "tiles", ())}
    span = match.history[turn.at + 1 :] if later else match.history[: turn.at]
    return [
        e
        for e in span
        if isinstance(e, TileCorrected) and e.round == getattr(turn.event, "round", None) and fix_cell(e) in cells
    ]


def _tray_of(history: Sequence[Event], frame: str) -> Tray | None:
    return next((e.tray for e in history if isinstance(e, TrayRead) and frame and e.tray.frame == frame), None)


def _tiles_as_read(match: Match, turn: Turn, fixes: Sequence[TileCorrected]) -> list[View] | None:
    """Return what everybody had after the turn if its tiles counted as the eye first read them."""
    before, _ = _around(match, turn)
    first = {fix_cell(fix): fix.was for fix in reversed(fixes)}
    tiles = tuple(replace(t, symbol=first.get(t.cell, t.symbol)) for t in turn.event.tiles)
    if any(tile.symbol not in (*NUMBERS, WILD) for tile in tiles):
        return None
    return _points(before, apply(before, replace(turn.event, tiles=tiles)))
