"""Palindromes by Leroy Quet (2011): what a row of 0s and 1s is worth (RULES.md 4): pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

SOURCE = "Palindromes by Leroy Quet"
DIGITS = ("0", "1")
Span = tuple[int, int]
"""(first square, square after the last), from 0."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Every scoring pattern of a row, overlapping ones included.

    Each kind as pairs (gap, reach): around the gap before square `gap` the squares match as far as `reach`
    to either side, which makes `reach` patterns, of the lengths 2, 4, ..., 2 * reach.
    """

    palindromes: tuple[tuple[int, int], ...]
    antipalindromes: tuple[tuple[int, int], ...]

    @property
    def points(self) -> tuple[int, int]:
        """(player 1's, player 2's): the lengths of their patterns, added up."""
        return _length(self.palindromes), _length(self.antipalindromes)


def patterns(row: Sequence[str | None]) -> Patterns:
    """Return the even palindromes (player 1) and antipalindromes (player 2) of a row.

    An antipalindrome's second half is the complement of its reversed first half. An empty square (None)
    is part of no pattern, so a row may be scored while it is being filled.

    >>> patterns("1001001101000100").points
    (24, 46)
    """
    gaps = range(1, len(row))
    equal = ((gap, _reach(row, gap, lambda left, right: left == right)) for gap in gaps)
    unlike = ((gap, _reach(row, gap, lambda left, right: left != right)) for gap in gaps)
    return Patterns(tuple(p for p in equal if p[1]), tuple(p for p in unlike if p[1]))


def spans(found: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Return each single pattern of one kind, to show them."""
    return tuple((gap - n, gap + n) for gap, reach in found for n in range(1, reach + 1))


def _reach(row: Sequence[str | None], gap: int, agree: Callable[[str, str], bool]) -> int:
    for reach in range(min(gap, len(row) - gap)):
        left, right = row[gap - reach - 1], row[gap + reach]
        if left is None or right is None or not agree(left, right):
            return reach
    return min(gap, len(row) - gap)


def _length(found: Iterable[tuple[int, int]]) -> int:
    return sum(reach * (reach + 1) for _, reach in found)  # 2 + 4 + ... + 2 * reach


def row_problem(row: str) -> str | None:
    """Return why a text is not a filled row; None when it is one."""
    if not row:
        return "The row has no squares."
    for place, digit in enumerate(row, start=1):
        if digit not in DIGITS:
            return f"{digit!r} in square {place} is neither 0 nor 1."
    return None
