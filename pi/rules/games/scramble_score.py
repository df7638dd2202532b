"""Scoring one round of Random Scramble (RULES.md 1): pure, from predictions, queue and truth."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pi.rules.ruleset import Award
from pi.rules.values import Points, Seat

SOURCE = "RunnuRound, Random Scramble: scoring"
QUEUE_BONUS = (4, 3, 2, 1)
"""Points for the place among those who are right, also with fewer than four players."""
MOST_PREDICTED = 7
"""The disks 1, 2 and 4 reach seven."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The house rules that touch the points."""

    tough: bool = False
    """Wrong costs one point for each run miscounted."""
    seven_or_more: bool = False
    """A prediction of 7 means 'at least 7'."""
    wild_must_be_best: bool = False
    """With wilds only the highest attainable total is right."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a seat predicted, and how it fares."""

    seat: Seat
    prediction: int | None
    """None: no lock-in before the reveal; neither points nor penalty."""
    right: bool
    place: int | None
    """Place in the queue among those who are right, from 1; None for those who dropped out."""
    award: Award


def right_totals(totals: Collection[int], *, terms: Terms) -> tuple[int, ...]:
    """Return the totals a prediction may name: all attainable ones, or only the best."""
    return (max(totals),) if terms.wild_must_be_best else tuple(sorted(totals))


def is_right(prediction: int, totals: Collection[int], *, terms: Terms) -> bool:
    """Tell whether a prediction is right (RULES.md 1: if some assignment reaches exactly it)."""
    if terms.seven_or_more and prediction == MOST_PREDICTED:
        return max(totals) >= MOST_PREDICTED
    return prediction in totals


def score_round(
    predictions: Mapping[Seat, int],
    groups: Sequence[Sequence[Seat]],
    totals: Collection[int],
    *,
    terms: Terms | None = None,
) -> tuple[Claim, ...]:
    """Return each queued seat's claim in queue order.

    groups: the queue, ties together, only of seats that predicted. totals: attainable run counts of the
    board. Wrong ones leave the queue, so those behind move up; tied ones share the better place's bonus.
    """
    terms = terms or Terms()
    truth = right_totals(totals, terms=terms)
    claims, ahead = [], 0
    for group in groups:
        right = [seat for seat in group if is_right(predictions[seat], truth, terms=terms)]
        for seat in group:
            place = ahead + 1 if seat in right else None
            award = _award(seat, predictions[seat], truth, place, terms)
            claims.append(Claim(seat, predictions[seat], place is not None, place, award))
        ahead += len(right)
    return tuple(claims)


def _award(seat: Seat, prediction: int, truth: tuple[int, ...], place: int | None, terms: Terms) -> Award:
    if place is None:
        return _wrong(seat, prediction, truth, terms)
    bonus = QUEUE_BONUS[place - 1] if place <= len(QUEUE_BONUS) else 0
    runs = max(truth) if terms.seven_or_more and prediction == MOST_PREDICTED else prediction
    if runs == 0:
        why = f"Right: no run, 1 point, and {bonus} for place {place}."
    else:
        why = f"Right: {runs} for {_runs(runs)}, and {bonus} for place {place}."
    return Award(seat, Points(max(runs, 1) + bonus), why, SOURCE)


def _wrong(seat: Seat, prediction: int, truth: tuple[int, ...], terms: Terms) -> Award:
    miss = min(abs(prediction - total) for total in truth)
    said = f"Wrong: {prediction} predicted, {_there(truth)}"
    if not terms.tough:
        return Award(seat, Points(0), f"{said}; no points and out of the queue.", SOURCE)
    return Award(seat, Points(-miss), f"{said}; {_runs(miss)} miscounted.", f"{SOURCE}, tough")


def _there(truth: tuple[int, ...]) -> str:
    if len(truth) == 1:
        return f"{truth[0]} {'lies' if truth[0] == 1 else 'lie'} there"
    return f"{', '.join(map(str, truth[:-1]))} or {truth[-1]} can be made"


def _runs(count: int) -> str:
    return f"{count} run" if count == 1 else f"{count} runs"
