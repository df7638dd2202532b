"""Random Scramble as its audiences may see it; called by `web.present` only, with a veiled state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pi.rules.events import SeenTile, Tray
from pi.rules.games.scramble import Result, board_of, layout_of, result, variant_of
from pi.rules.games.scramble_books import Round, Scramble
from pi.rules.games.scramble_score import Claim
from pi.rules.queueing import places, queue
from pi.rules.ruleset import Context
from pi.rules.runs import Count, Triple, Variant, count, is_run, with_assignment
from pi.rules.values import DOWN, NUMBERS, SHAPES, WILD, Board, Cell, Layout, Seat
from web import playing

View = dict[str, Any]

__all__ = ["Scramble", "add", "round_view", "veil"]

MOST_LIKELY = 4
"""How many likely symbols a doubt offers first."""


def veil(state: Scramble) -> Scramble:
    """Take out of every round that is not revealed what players must not know yet."""
    return Scramble(tuple(r if r.revealed else _veiled(r) for r in state.rounds))


def _veiled(played: Round) -> Round:
    locks = tuple(replace(lock, prediction=0, nonce="") for lock in played.lock_ins)
    ruled = replace(played.ruled, total=0, others=()) if played.ruled else None
    return replace(played, lock_ins=locks, ruled=ruled)


def add(view: View, context: Context, state: Scramble) -> None:
    """Add to a match's view its rounds, the round to show, and what each player did in it."""
    judged = {r.number: result(context, r) for r in state.rounds if r.revealed}
    view["rounds"] = [_line(r, judged[r.number]) for r in state.rounds if r.revealed]
    current = state.current
    shown = current or (state.rounds[-1] if state.rounds else None)
    view["phase"] = "over" if view["over"] else "open" if current else "between"
    view["round"] = round_view(context, shown, tiles=False) if shown else None
    for player in view["players"]:
        player |= _deed(player["seat"], view["round"])


def _line(played: Round, judged: Result | None) -> View:
    claims = judged.claims if judged else ()
    return {
        "number": played.number,
        "totals": list(judged.count.totals) if judged else [],
        "points": {str(c.seat): c.award.points for c in claims},
    }


def _deed(seat: Seat, shown: View | None) -> View:
    """Return what a player did in the round that is shown."""
    queue_ = shown["queue"] if shown else []
    entry = next((e for e in queue_ if e["seat"] == seat), None)
    claims = shown["claims"] if shown else []
    order = next((n for n, c in enumerate(claims) if c["seat"] == seat), None)
    return {
        "locked": entry is not None,
        "place": entry["place"] if entry else None,
        "tied": bool(entry and entry["tied"]),
        "claim": claims[order] if order is not None else None,
        "order": order,
    }


def round_view(context: Context, played: Round, *, tiles: bool, total: int | None = None) -> View:
    """Return one round as JSON values; predictions, counts and runs only when it is revealed.

    tiles: whether each tile's symbol may be shown before the reveal too (the table corrects misreadings).
    """
    view: View = {
        "number": played.number,
        "revealed": played.revealed,
        "queue": _queue(context, played),
        "waiting": [s for s in context.seats() if s not in played.seats_in()],
        "tray": _tray(played),
        "doubts": [_doubt(context, tile, played.tray) for tile in played.doubts()],
        "question": playing.question(played.tray, asked=_asked(played)),
        "tiles": _tiles(context, played) if tiles else [],
        "layout": layout_of(context.house).value,
        "corrections": _corrections(played) if tiles else [],
        "before": None,
        "claims": [],
        "truth": None,
        "proofs": [],
    }
    judged = result(context, played)
    if judged is not None:
        chosen = _chosen(judged, total)
        view["truth"] = _truth(context, played, judged, chosen)
        view["claims"] = [_claim(context, c, judged) for c in judged.claims]
        view["before"] = _before(context, played)
        view["proofs"] = [_proof(context, lock) for lock in played.lock_ins]
    return view


def _queue(context: Context, played: Round) -> list[View]:
    groups = queue(played.lock_ins)
    tied = {lock.seat for group in groups if len(group) > 1 for lock in group}
    return [
        {
            "place": place,
            "tied": lock.seat in tied,
            "seat": lock.seat,
            "name": context.name(lock.seat),
            "seconds": round((lock.at_ns - played.opened_ns) / 1e9, 3),
            "bound_ms": lock.bound_ns / 1e6,
            "via": lock.via,
            "commitment": lock.commitment,
        }
        for place, lock in places(groups)
    ]


def _tray(played: Round) -> View:
    """Tell how far the reading is, without a word on what lies there."""
    down = sum(symbol == DOWN for symbol in played.symbols().values())
    doubts = len(played.doubts())
    whole = "down" if down else "questioned" if played.in_question() else "read"
    state = "unread" if played.tray is None else "doubts" if doubts else whole
    return {
        "state": "ruled" if played.ruled is not None else state,
        "tiles": len(played.tray.tiles) if played.tray else 0,
        "doubts": doubts,
        "down": down,
        "corrections": len(played.corrections),
        "confirmed": played.confirmed,
        "frame": (played.tray.frame or None) if played.tray else None,
        "source": played.tray.source if played.tray else None,
    }


def _asked(played: Round) -> bool:
    """Tell whether the table is asked about the tray now; while tiles lie face down nobody is done laying it."""
    return _tray(played)["state"] in ("doubts", "questioned") and played.in_question() and not played.revealed


def _symbols(context: Context) -> tuple[str, ...]:
    wilds = context.house.get("wild") or layout_of(context.house) is Layout.DIAMOND
    return (*NUMBERS, WILD) if wilds else NUMBERS


def _doubt(context: Context, tile: SeenTile, tray: Tray | None) -> View:
    allowed = _symbols(context)
    likely = [symbol for symbol, _ in tile.likely if symbol in allowed][:MOST_LIKELY]
    rows = tray if layout_of(context.house) is Layout.ROWS else None
    return {
        "row": tile.row,
        "column": tile.column,
        "colour": tile.colour,
        "row_colour": rows.strange_row(tile) if rows else None,
        "likely": [{"symbol": s, "percent": min(99, int(100 * p))} for s, p in tile.likely if s in likely],
        "others": [symbol for symbol in allowed if symbol not in likely],
    }


def _tiles(context: Context, played: Round) -> list[View]:
    fixes = {(fix.row, fix.column): fix for fix in played.corrections}
    doubtful = {tile.cell for tile in played.doubts()}
    found = []
    for tile in played.tray.tiles if played.tray else ():
        fix = fixes.get(tile.cell)
        found.append(
            _doubt(context, tile, played.tray)
            | {
                "read": tile.symbol,
                "counts": fix.symbol if fix else tile.symbol,
                "percent": _percent(tile, played),
                "doubtful": tile.cell in doubtful,
                "corrected_by": fix.by if fix else None,
            }
        )
    return found


def _percent(tile: SeenTile, played: Round) -> float | None:
    """Return how sure the eye was, never rounded up to certainty; None for a tile that people typed in."""
    if played.tray is not None and played.tray.source == "table":
        return None
    return min(99.9, int(1000 * tile.confidence) / 10)


def _chosen(judged: Result, total: int | None) -> int:
    """Return the total whose runs are drawn: the one asked for, the first right claim's, or the best."""
    totals = judged.count.totals
    if total in totals:
        return total
    right = (c.prediction for c in judged.claims if c.right and c.prediction in totals)
    return next((p for p in right if p is not None), max(totals))


def _truth(context: Context, played: Round, judged: Result, chosen: int) -> View:
    by_hand = played.ruled is not None
    board = None if by_hand else board_of(played, layout=layout_of(context.house))
    assignment = judged.count.assignments.get(chosen, {})
    variant = variant_of(context.house)
    return {
        "totals": list(judged.count.totals),
        "chosen": chosen,
        "by_hand": played.ruled.by if played.ruled is not None else None,
        "assignment": [{"row": r, "column": c, "symbol": s} for (r, c), s in assignment.items()],
        "runs": _runs(board, tuple(sorted(assignment.items())), variant) if board else [],
    }


def _runs(board: Board, assignment: tuple[tuple[Cell, str], ...], variant: Variant) -> list[View]:
    filled = with_assignment(board, dict(assignment))
    cells = filled.cells()
    return [
        {"number": n, "cells": [list(c) for c in _in_order(run, cells)], "symbols": _spelt(run, cells)}
        for n, run in enumerate(_counted(filled, variant).runs or (), start=1)
    ]


@lru_cache(maxsize=64)
def _counted(board: Board, variant: Variant) -> Count:
    return count(board, variant=variant)


def _in_order(run: Triple, cells: Mapping[Cell, str]) -> Triple:
    """Return a run's cells along its line, its lower end first; of three steps in a row only one fits."""
    for order in ((0, 1, 2), (1, 0, 2), (0, 2, 1)):
        one, middle, other = (run[i] for i in order)
        if is_run(cells[one], cells[middle], cells[other]):
            rising = (int(cells[middle]) - int(cells[one])) % 10 == 1
            return (one, middle, other) if rising else (other, middle, one)
    return run


def _spelt(run: Triple, cells: Mapping[Cell, str]) -> str:
    return " ".join(cells[cell] for cell in _in_order(run, cells))


def _corrections(played: Round) -> list[View]:
    """Return what people corrected, in order: what was read there, what counts, and who said so."""
    return [
        {"row": fix.row, "column": fix.column, "was": fix.was, "symbol": fix.symbol, "by": fix.by}
        for fix in played.corrections
    ]


def _before(context: Context, played: Round) -> View | None:
    """Return how the round stood as the eye read it; None when nobody corrected it, or it could not stand."""
    if not played.corrections and played.ruled is None:
        return None
    read = result(context, replace(played, corrections=(), ruled=None))
    if read is None:
        return None
    points = [{"name": context.name(c.seat), "points": c.award.points} for c in read.claims]
    return {"totals": list(read.count.totals), "points": points}


def _claim(context: Context, claim: Claim, judged: Result) -> View:
    made = judged.count.assignments.get(claim.prediction, {}) if claim.right and claim.prediction is not None else {}
    return {
        "made": [{"row": r, "column": c, "symbol": s} for (r, c), s in made.items()],
        "seat": claim.seat,
        "name": context.name(claim.seat),
        "prediction": claim.prediction,
        "right": claim.right,
        "place": claim.place,
        "points": claim.award.points,
        "why": claim.award.why,
        "source": claim.award.source,
    }


def _proof(context: Context, lock: Any) -> View:
    """Return all that anybody needs to check a commitment for themselves."""
    return {
        "seat": lock.seat,
        "name": context.name(lock.seat),
        "prediction": lock.prediction,
        "nonce": lock.nonce,
        "commitment": lock.commitment,
        "text": f"{context.match}/{lock.round}/{lock.seat}/{lock.prediction}/{lock.nonce}",
    }


def blank_cells(layout: Layout) -> tuple[Cell, ...]:
    """Return every cell of a layout as the rule book lays it, row by row."""
    widest = max(SHAPES[layout])
    return tuple((r, (widest - n) // 2 + c) for r, n in enumerate(SHAPES[layout]) for c in range(n))
