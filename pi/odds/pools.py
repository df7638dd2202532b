"""Which tiles may still lie face down, given those that lie open (RULES.md 1, equipment and wild tiles).

`rows`: one colour a row, so a row's hidden tiles come from the numbers its colour has not shown yet. With wilds
in play a colour has 11 tiles of which ten are laid. `rect`: colours mixed, four of each number (and four wilds
if they are shuffled in, four tiles then staying aside). `diamond`: four of each number and one wild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pi.odds.errors import BadQuestion
from pi.rules.values import DOWN, EMPTY, NUMBERS, WILD, Board, Layout

COLOURS = 4


def row_pool(row: Sequence[str], *, wilds: bool, number: int = 1) -> tuple[str, ...]:
    """Return the tiles of a row's colour that do not lie open, wild last.

    Raises BadQuestion when a symbol lies twice in the row or it is longer than a colour's ten places.
    """
    seen = Counter(symbol for symbol in row if symbol not in (DOWN, EMPTY))
    twice = next((symbol for symbol, times in seen.items() if times > 1), None)
    if twice is not None:
        raise BadQuestion(f"row {number} holds {twice} twice (expected each once: a colour has one of each)")
    if len(row) > len(NUMBERS):
        raise BadQuestion(f"row {number} has {len(row)} cells (expected at most {len(NUMBERS)}, one colour's)")
    pool = tuple(n for n in NUMBERS if n not in seen)
    if wilds and WILD not in seen:
        pool = (*pool, WILD)
    return pool


def mixed_pool(board: Board, *, wilds: bool) -> Counter[str]:
    """Return how many of each symbol do not lie open on a board of mixed colours.

    Raises BadQuestion when more of a symbol lie open than there are, or more face down than are left.
    """
    there = Counter(dict.fromkeys(NUMBERS, COLOURS))
    there[WILD] = 1 if board.layout is Layout.DIAMOND else COLOURS
    seen = Counter(symbol for symbol in board.cells().values() if symbol not in (DOWN, EMPTY))
    for symbol, times in seen.items():
        if times > there[symbol]:
            raise BadQuestion(f"{symbol} lies {times} times on the board (expected at most {there[symbol]})")
    kinds = (*NUMBERS, WILD) if wilds else NUMBERS
    pool = Counter({symbol: there[symbol] - seen[symbol] for symbol in kinds if there[symbol] > seen[symbol]})
    if (down := list(board.cells().values()).count(DOWN)) > pool.total():
        raise BadQuestion(f"{down} tiles lie face down (expected at most {pool.total()} that are left)")
    return pool


def wilds_in_play(board: Board) -> bool:
    """Tell whether wilds may lie face down: one lies open, or the layout always holds one (the diamond)."""
    return board.layout is Layout.DIAMOND or WILD in board.cells().values()
