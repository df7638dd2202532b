"""After the round: how lucky the board was, when a perfect player would have locked in, and each player's nerve.

Everything here looks back at a revealed round and must not be shown before the reveal: a chance that moves as tiles
are turned would tell every player what only the eye has counted. Functions that take a round of a match raise
BadQuestion while it is not revealed.

**The early call.** At every moment a player knows the tiles that lie open; `pi.odds.open` turns them into the chance
of each prediction. A prediction's worth at that moment is its expected points (RULES.md 1, Random Scramble) with the
queue disk that would have been next: one behind everybody who had locked in by then. A perfect player picks the
prediction worth most at the moment when it is worth most; of equal moments the first. (It is hindsight: nobody at the
table knows how long the others will wait.)

**Nerve** is what locking in while tiles still lie face down takes. It held when the prediction was right. Beside it
stands how often it should have held by the chances of those moments, so that luck and judgement can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pi.odds.chances import Chances
from pi.odds.elevator import elevator_chances
from pi.odds.errors import BadQuestion
from pi.odds.open import DRAWS, open_chances
from pi.odds.rows import board_chances
from pi.odds.sample import sample
from pi.rules.games.scramble import layout_of, result, terms_of, variant_of
from pi.rules.games.scramble_books import Round
from pi.rules.games.scramble_score import MOST_PREDICTED, QUEUE_BONUS, Terms, is_right, right_totals, score_round
from pi.rules.ruleset import Context, House
from pi.rules.values import DOWN, EMPTY, SHAPES, Board, Cell, Layout, Seat


@dataclass(frozen=True, slots=True)
class Luck:
    """How a board stands among all that the same shuffle could have laid."""

    runs: int
    """The highest attainable total that lay there."""
    at_least: Fraction
    """Chance of at least so many."""
    exactly: Fraction
    mean: Fraction
    exact: bool
    """False when the chances were drawn, not counted."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What lay open from some time on."""

    at_ns: int
    """Monotonic nanoseconds, as lock-ins have them."""
    board: Board
    """'?' for every tile still face down."""

    @property
    def hidden(self) -> int:
        """Tiles still face down."""
        return list(self.board.cells().values()).count(DOWN)


@dataclass(frozen=True, slots=True)
class Call:
    """The best that could be said at a moment."""

    at_ns: int
    hidden: int
    """Tiles that still lay face down."""
    place: int
    """The queue disk that was next, from 1."""
    prediction: int
    chance: Fraction
    """That the prediction would be right."""
    points: Fraction
    """Expected points; below zero only with `tough`."""
    right: bool | None
    """Whether it was; None when the truth was not given."""


@dataclass(frozen=True, slots=True)
class LockedEarly:
    """A lock-in while tiles lay face down."""

    seat: Seat
    round: int
    hidden: int
    prediction: int
    chance: Fraction
    """That it would be right, by what lay open then."""
    held: bool


@dataclass(frozen=True, slots=True)
class Nerve:
    """A player's early lock-ins, over any number of rounds."""

    early: int
    held: int
    expected: Fraction
    """How many of them should have held, by the chances of their moments."""


def fresh_chances(house: House, *, rng: np.random.Generator | None = None, draws: int | None = None) -> Chances:
    """Return the chances of a shuffled board under the house rules before any tile lies open.

    Exact for rows (with wilds or elevator, not with both; not with vertical); else drawn with `rng`. Raises
    BadQuestion where only drawing would tell and there is no generator, and for wilds with elevator or vertical.
    """
    variant, layout, wilds = variant_of(house), layout_of(house), bool(house.get("wild"))
    if layout is Layout.ROWS and not wilds:
        if not variant.vertical:
            return elevator_chances() if variant.elevator else board_chances()
        if rng is None:
            raise BadQuestion("with vertical the chances must be drawn (expected a random generator)")
        return sample(draws or DRAWS, rng=rng, elevator=variant.elevator, vertical=True)
    hidden = Board(layout, tuple((DOWN,) * n for n in SHAPES[layout]))
    return open_chances(hidden, variant=variant, wilds=True if wilds else None, rng=rng, draws=draws)


def luck(context: Context, played: Round, *, rng: np.random.Generator | None = None, draws: int | None = None) -> Luck:
    """Return how lucky the board of a revealed round was; see `fresh_chances` for what is exact and what raises."""
    judged = result(context, played)
    if judged is None:
        raise BadQuestion(f"round {played.number} is not revealed (expected a round that is over)")
    return luck_of(max(judged.count.totals), fresh_chances(context.house, rng=rng, draws=draws))


def luck_of(runs: int, chances: Chances) -> Luck:
    """Return how so many runs stand among the chances.

    >>> float(luck_of(4, board_chances()).at_least)   # doctest: +ELLIPSIS
    0.0450...
    """
    best = chances.best()
    return Luck(runs, chances.at_least(runs), best.get(runs, Fraction(0)), chances.mean(), chances.exact)


def moments(board: Board, openings: Iterable[tuple[int, Iterable[Cell]]]) -> tuple[Moment, ...]:
    """Return what lay open after each opening of some cells: (at_ns, cells), in any order; first of all nothing.

    board: as it lay at last. Raises BadQuestion for a cell that the board has not.
    """
    there = board.cells()
    shown = {cell: symbol if symbol == EMPTY else DOWN for cell, symbol in there.items()}
    ordered = sorted(((at_ns, tuple(cells)) for at_ns, cells in openings), key=lambda o: o[0])
    found = [Moment(ordered[0][0] if ordered else 0, _as_board(board, shown))]
    for at_ns, cells in ordered:
        if strange := [cell for cell in cells if cell not in there]:
            raise BadQuestion(f"the board has no cell {strange[0]} that could have been turned up")
        shown.update((cell, there[cell]) for cell in cells)
        step = Moment(at_ns, _as_board(board, shown))
        found = [*(found[:-1] if found[-1].at_ns == at_ns and len(found) > 1 else found), step]
    return tuple(found)


def _as_board(board: Board, symbols: dict[Cell, str]) -> Board:
    cells = iter(symbols.values())  # in the order of board.cells(): row by row
    return Board(board.layout, tuple(tuple(next(cells) for _ in row) for row in board.rows))


def expected_points(prediction: int, chances: Chances, *, place: int = 1, terms: Terms | None = None) -> Fraction:
    """Return the expected points of a prediction with the queue disk of a place (from 1)."""
    terms, seat = terms or Terms(), Seat(1)
    bonus = QUEUE_BONUS[place - 1] if place <= len(QUEUE_BONUS) else 0
    total = 0
    for totals, weight in chances.weights.items():
        claim = score_round({seat: prediction}, [[seat]], totals, terms=terms)[0]
        total += weight * (claim.award.points + (bonus - QUEUE_BONUS[0] if claim.right else 0))
    return Fraction(total, chances.whole)


def chance_right(prediction: int, chances: Chances, *, terms: Terms | None = None) -> Fraction:
    """Return the chance that a prediction is right under the house's terms."""
    terms = terms or Terms()
    right = sum(
        weight
        for totals, weight in chances.weights.items()
        if is_right(prediction, right_totals(totals, terms=terms), terms=terms)
    )
    return Fraction(right, chances.whole)


def best_call(chances: Chances, *, place: int = 1, terms: Terms | None = None) -> tuple[int, Fraction]:
    """Return the prediction (0 ... 7) worth most and its expected points; of equal ones the surer, then the lower."""
    worth = {k: expected_points(k, chances, place=place, terms=terms) for k in range(MOST_PREDICTED + 1)}
    best = max(worth, key=lambda k: (worth[k], chance_right(k, chances, terms=terms), -k))
    return best, worth[best]


def calls(
    seen: Sequence[Moment],
    *,
    house: House,
    others_ns: Iterable[int] = (),
    totals: Sequence[int] | None = None,
    rng: np.random.Generator | None = None,
    draws: int | None = None,
) -> tuple[Call, ...]:
    """Return the best call of every moment.

    others_ns: when the others locked in. totals: what lay there at last. rng: for boards on which chances must be
    drawn (see `pi.odds.open`).
    """
    terms, others = terms_of(house), sorted(others_ns)
    found = []
    for moment in seen:
        chances = _open(moment, house, rng, draws)
        place = 1 + sum(at_ns < moment.at_ns for at_ns in others)
        k, points = best_call(chances, place=place, terms=terms)
        right = None if totals is None else is_right(k, right_totals(totals, terms=terms), terms=terms)
        chance = chance_right(k, chances, terms=terms)
        found.append(Call(moment.at_ns, moment.hidden, place, k, chance, points, right))
    return tuple(found)


def perfect_call(made: Sequence[Call]) -> Call:
    """Return the call worth most, of equal ones the first; raises BadQuestion without any."""
    if not made:
        raise BadQuestion("there is no moment to call at (expected at least one)")
    return max(made, key=lambda call: (call.points, -call.at_ns))


def locked_early(
    context: Context,
    played: Round,
    seen: Sequence[Moment],
    *,
    rng: np.random.Generator | None = None,
    draws: int | None = None,
) -> tuple[LockedEarly, ...]:
    """Return every lock-in of a revealed round that was made while tiles lay face down, in order of time.

    seen: by time. Before its first moment nothing lay open.
    """
    judged = result(context, played)
    if judged is None:
        raise BadQuestion(f"round {played.number} is not revealed (expected a round that is over)")
    terms, right = terms_of(context.house), {claim.seat for claim in judged.claims if claim.right}
    found = []
    for lock in sorted(played.lock_ins, key=lambda x: x.at_ns):
        moment = next((m for m in reversed(seen) if m.at_ns <= lock.at_ns), seen[0] if seen else None)
        if moment is None or not moment.hidden:
            continue
        chance = chance_right(lock.prediction, _open(moment, context.house, rng, draws), terms=terms)
        found.append(LockedEarly(lock.seat, played.number, moment.hidden, lock.prediction, chance, lock.seat in right))
    return tuple(found)


def nerve(locks: Iterable[LockedEarly], seat: Seat) -> Nerve:
    """Return a seat's nerve over the early lock-ins of any number of rounds."""
    own = [lock for lock in locks if lock.seat == seat]
    return Nerve(len(own), sum(lock.held for lock in own), sum((lock.chance for lock in own), Fraction(0)))


def _open(moment: Moment, house: House, rng: np.random.Generator | None, draws: int | None) -> Chances:
    symbols = moment.board.cells().values()
    if DOWN in symbols and set(symbols) <= {DOWN}:
        return fresh_chances(house, rng=rng, draws=draws)
    wilds = True if house.get("wild") else None
    return open_chances(moment.board, variant=variant_of(house), wilds=wilds, rng=rng, draws=draws)
