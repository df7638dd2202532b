"""Run Buster by Mark Steere (2025): straights, complements, busts and extensions (RULES.md 2): pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

SOURCE = "Run Buster by Mark Steere"
FACES = (1, 2, 3, 4, 5, 6)
DICE = 6
"""Hand and cup together are always six dice."""

Hand = tuple[int, ...]
"""A straight in ascending order; () for a player without a hand."""
FULL: Hand = FACES
"""The full straight wins."""


def straights(faces: Iterable[int]) -> tuple[Hand, ...]:
    """Return every straight that can be picked from dice, in the order of their numbers.

    "One or more dice with consecutive different numbers" (RULES.md 2).

    >>> straights([2, 2, 4, 5, 5, 6])
    ((2,), (4,), (4, 5), (4, 5, 6), (5,), (5, 6), (6,))
    """
    there = set(faces)
    ranges = (tuple(range(low, high + 1)) for low in FACES for high in FACES if low <= high)
    return tuple(hand for hand in ranges if there.issuperset(hand))


def complement(hand: Hand) -> Hand:
    """Return the numbers a hand lacks.

    >>> complement((2, 3, 4))
    (1, 5, 6)
    """
    return tuple(face for face in FACES if face not in hand)


def busts(roll: Iterable[int], hand: Hand) -> bool:
    """Tell whether a roll sends a hand back: it must, when it holds the hand's whole complement.

    There is nothing to bust where no hand lies, nor in a full straight, which has already won.
    """
    return bool(hand) and hand != FULL and set(roll).issuperset(complement(hand))


def options(roll: Iterable[int], hand: Hand) -> tuple[Hand, ...]:
    """Return the hands a player may have after this roll; () when it cannot change the hand.

    "Without a hand, form one straight from the roll (at least one die). With a hand, extend it with at
    least one rolled die if that is possible: the new hand is a longer straight that contains the old one,
    the added numbers all from this roll" (RULES.md 2). What can be done must be done.

    >>> options([3, 4, 4, 6], (4, 5))
    ((3, 4, 5), (3, 4, 5, 6), (4, 5, 6))
    """
    longer = straights((*roll, *hand))
    return tuple(new for new in longer if len(new) > len(hand) and set(new).issuperset(hand))


def hand_problem(hand: Sequence[int]) -> str | None:
    """Return why dice are not one straight; None when they are, or when there are none."""
    shown = " ".join(map(str, hand))
    if any(face not in FACES for face in hand):
        return f"{shown} is not a hand: a die shows 1 to 6."
    if len(set(hand)) != len(hand):
        return f"{shown} is not a hand: a straight holds no number twice."
    if hand and max(hand) - min(hand) != len(hand) - 1:
        return f"{shown} is not a hand: its numbers are not consecutive."
    return None


def roll_problem(roll: Sequence[int], hand: Hand) -> str | None:
    """Return why dice cannot be the roll of a player with this hand; None when they can."""
    if hand == FULL:
        return "Who holds the full straight has won and rolls no more."
    wrong = next((face for face in roll if face not in FACES), None)
    if wrong is not None:
        return f"A die does not show {wrong} (expected 1 to 6)."
    if len(roll) + len(hand) != DICE:
        dice = f"{len(roll)} rolled and {len(hand)} in the hand"
        return f"Hand and cup together are always {DICE} dice (there are {dice})."
    return None


def choice_problem(roll: Sequence[int], old: Hand, new: Hand) -> str | None:
    """Return why a player may not end the turn with `new`; None when it is lawful.

    Names a straight that is none, a number that was not rolled, dice given up, and a missed extension.
    """
    lawful = options(roll, old)
    if new in lawful or (new == old and not lawful):
        return None
    if sentence := hand_problem(new):
        return sentence
    if new == old:
        must = "The hand must be extended" if old else "A hand must be formed"
        return f"{must}: {_listed(lawful)}."
    if gone := [str(face) for face in old if face not in new]:
        return f"A hand only grows: {' '.join(gone)} must stay."
    missing = list((Counter(new) - Counter(old) - Counter(roll)).elements())
    return f"{' '.join(map(str, missing))} was not rolled. {_may(lawful)}"


def _may(lawful: Sequence[Hand]) -> str:
    return f"Lawful: {_listed(lawful)}." if lawful else "The hand stays as it is."


def _listed(hands: Sequence[Hand]) -> str:
    return ", or ".join(" ".join(map(str, hand)) for hand in hands)
