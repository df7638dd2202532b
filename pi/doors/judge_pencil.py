"""Judging lines of the four pencil games: Palindromes, Blob, Sums, Divisors and multiples."""

from __future__ import annotations

from typing import Any

from pi.doors.judge_lines import Line, Unlawful, field, known_fields, lawful, listed, short, whole
from pi.rules.games import blob_score, divisors_score, palindromes_score, sums_grid_score
from pi.rules.values import Cell

FILLED, BARE = "*", "o"
"""How a square of a Blob grid is written."""
MOST_PLAYERS = 99
"""More do not sit at a table."""


def palindromes(line: Line) -> Line:
    """Return the line with `palindromes` and `antipalindromes`, the points of players 1 and 2.

    row: the filled row, a text of 0 and 1.
    """
    known_fields(line, ("row", "palindromes", "antipalindromes"))
    row = field(line, "row")
    if not isinstance(row, str):
        raise Unlawful(f"row is a text of 0 and 1 (got {short(row)}).")
    lawful(palindromes_score.row_problem(row))
    first, second = palindromes_score.patterns(row).points
    return {**line, "palindromes": first, "antipalindromes": second}


def blob(line: Line) -> Line:
    """Return the line with `rows` and `columns`, the points of players 1 and 2.

    grid: the rows at the end of the game, '*' filled and 'o' empty.
    """
    known_fields(line, ("grid", "rows", "columns"))
    filled, size = _squares(listed(field(line, "grid"), "grid"))
    lawful(blob_score.grid_problem(filled, size=size))
    rows, columns = blob_score.scoring_lines(filled, size=size).points
    return {**line, "rows": rows, "columns": columns}


def _squares(grid: list[Any]) -> tuple[set[Cell], int]:
    size = len(grid)
    if size < 2:
        raise Unlawful(f"A grid has at least 2 rows (got {size}).")
    for number, row in enumerate(grid, start=1):
        if not isinstance(row, str) or set(row) - {FILLED, BARE}:
            raise Unlawful(f"Row {number} is a text of {FILLED} and {BARE} (got {short(row)}).")
        if len(row) != size:
            raise Unlawful(f"Row {number} has {len(row)} squares (expected {size}: the grid is square).")
    return {(r, c) for r, row in enumerate(grid) for c, square in enumerate(row) if square == FILLED}, size


def sums_grid(line: Line) -> Line:
    """Return the line with `score`. grid: rows of different positive whole numbers, as many as rows."""
    known_fields(line, ("grid", "score"))
    grid = [
        [whole(number, "A number of the grid", least=1) for number in listed(row, "A row of the grid")]
        for row in listed(field(line, "grid"), "grid")
    ]
    lawful(sums_grid_score.grid_problem(grid))
    return {**line, "score": sums_grid_score.score(grid)}


def divisors(line: Line) -> Line:
    """Return the line with the `cost` of each turn, `claimed` in order from 1, and `scores`.

    r: the largest number; players: how many; turns: [{"player": from 0, "picks": [...]}] in order. A game
    may break off after any turn.
    """
    known_fields(line, ("r", "players", "turns", "claimed", "scores"))
    most = whole(field(line, "r"), "r", least=1)
    players = whole(field(line, "players"), "The number of players", least=2, most=MOST_PLAYERS)
    at, claimed, scores, turns = divisors_score.START, [divisors_score.START], [0] * players, []
    for number, turn in enumerate(listed(field(line, "turns"), "turns")):
        try:
            picks = _picks(turn, number % players, players)
            if len(claimed) == most:
                raise Unlawful("All numbers are claimed: the game is over.")
            lawful(divisors_score.turn_problem(at, picks, claimed=claimed, most=most))
        except Unlawful as no:
            raise Unlawful(f"Turn {number + 1}: {no}") from None
        cost = sum(step.cost for step in divisors_score.steps(at, picks, claimed=claimed))
        at = picks[-1]
        claimed.append(at)
        scores[number % players] += cost
        turns.append({**turn, "cost": cost})
    return {**line, "turns": turns, "claimed": claimed, "scores": scores}


def _picks(turn: Any, expected: int, players: int) -> list[int]:
    if not isinstance(turn, dict):
        raise Unlawful(f"A turn is an object (got {short(turn)}).")
    known_fields(turn, ("player", "picks", "cost"))
    player = whole(field(turn, "player"), "The player", least=0, most=players - 1)
    if player != expected:
        raise Unlawful(f"It is not the turn of player {player} (expected {expected}).")
    return [whole(n, "A pick") for n in listed(field(turn, "picks"), "picks")]
