"""The mathematics of the table, for people who liked the rule book's chapter on probability: texts, figures, pictures.

Everything is worked out by the functions of this room when it is asked for (and then kept), never typed in, so that no
page can say what the code does not find. The rule book's own numbers stand beside ours where it rounds. Each chapter
takes up to about two seconds the first time on a desktop computer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

from pi.odds import quests
from pi.odds.buster import HANDS, rolls, solve
from pi.odds.chances import Chances, together
from pi.odds.elevator import elevator_chances, mean_total
from pi.odds.errors import BadQuestion
from pi.odds.hindsight import fresh_chances
from pi.odds.plot import Bar, as_svg, percent
from pi.odds.rows import board_chances, row_chances, row_counts, runless_orders
from pi.rules.games.run_buster_rules import FACES
from pi.rules.games.scramble import SCRAMBLE
from pi.rules.quests import sums
from pi.rules.runs import Variant

BOOK_SEVERAL, BOOK_ROW, BOOK_BOARD = 0.032, 0.20, 0.59
"""What the rule book of RunnuRound says of several runs in a row, of some run in a row, and of some run in four."""
TAIL = 1e-6
"""Totals that together are rarer share one bar."""


TITLES: Mapping[str, str] = {
    "row": "One row of ten",
    "board": "Four rows",
    "wild": "With wild tiles",
    "elevator": "Elevator and vertical",
    "buster": "Run Buster, solved",
    "quests": "The solitaire quests",
}
"""The chapters by key, in the order they are read."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number worth knowing."""

    label: str
    value: str
    """As people read it."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One section of the page."""

    key: str
    title: str
    paragraphs: tuple[str, ...]
    """Plain text, one paragraph each."""
    figures: tuple[Figure, ...] = ()
    svg: str = ""
    """A complete picture; empty where there is none."""


@lru_cache(maxsize=16)
def chapter(key: str) -> Chapter:
    """Return one chapter by its key (see TITLES); raises BadQuestion for another."""
    if key not in _CHAPTERS:
        raise BadQuestion(f"there is no chapter {key!r} (expected one of {', '.join(TITLES)})")
    return _CHAPTERS[key]()


def chapters() -> tuple[Chapter, ...]:
    """Return all chapters in the order they are read."""
    return tuple(chapter(key) for key in TITLES)


def _row() -> Chapter:
    counts, some = row_counts(), _some(row_chances())
    single = float(row_chances().attainable(1))
    return Chapter(
        "row",
        TITLES["row"],
        (
            f"Ten different tiles can lie in {factorial(10):,} orders. {counts[1]:,} of them hold exactly one run, as "
            f"the rule book says, and {counts[0]:,} hold none.",
            f"So some run lies in {percent(some)} of all rows. The rule book says close to {percent(BOOK_ROW)}: "
            f"{percent(single)} with exactly one run, which is right, and about {percent(BOOK_SEVERAL)} with several. "
            f"Those are really {percent(some - single)}.",
            f"No row holds 7, 8 or 9 runs, but {counts[10]} hold ten: the straights that close the whole ring.",
            f"Rows without a run, divided by ten, are {runless_orders(10):,}: the tenth member of a sequence that "
            "mathematicians have studied (OEIS A078628). We count them for up to 50 numbers.",
        ),
        (Figure("Some run", percent(some)), Figure("The rule book rounds to", percent(BOOK_ROW)), _mean(row_chances())),
        as_svg(_bars(row_chances()), title="Runs in one row"),
    )


def _board() -> Chapter:
    row, some = _some(row_chances()), _some(board_chances())
    return Chapter(
        "board",
        TITLES["board"],
        (
            "The rows of a board have nothing to do with each other, so the chance that there is no run in any is "
            f"that of one row, four times multiplied: {percent((1 - row) ** 4)}. Some run lies on {percent(some)} "
            "of boards.",
            f"The rule book starts from {percent(BOOK_ROW)} a row and arrives at {percent(BOOK_BOARD)}, as 0.8 x 0.8 x "
            "0.8 x 0.8 is 0.41. The step is right; its first number was too small.",
            _best_guess(board_chances()),
        ),
        (
            Figure("Some run", percent(some)),
            Figure("The rule book estimates", percent(BOOK_BOARD)),
            _mean(board_chances()),
        ),
        as_svg(_bars(board_chances()), title="Runs on a board of four rows"),
    )


def _wild() -> Chapter:
    chances = fresh_chances({**_DEFAULTS, "wild": True})
    return Chapter(
        "wild",
        TITLES["wild"],
        (
            "A wild is whatever number a player likes, so a board has not one right total but several. The bars show "
            "how often each prediction is right; they add up to more than a hundred percent.",
            f"The most that a board can be made to hold is {float(chances.mean()):.2f} runs on average, against "
            f"{float(board_chances().mean()):.2f} without wilds.",
        ),
        (Figure("Best total on average", f"{float(chances.mean()):.4f}"),),
        as_svg(_bars(chances), title="How often a prediction is right, with wilds"),
    )


def _more_lines() -> Chapter:
    chances = elevator_chances()
    vertical, both = (mean_total(Variant(elevator=elevator, vertical=True)) for elevator in (False, True))
    return Chapter(
        "elevator",
        TITLES["elevator"],
        (
            "With the elevator the rows are no longer strangers: every end meets every start. Still only a row's first "
            "two and last two numbers matter to the others, and that is enough to count all boards exactly.",
            f"Some run lies on {percent(_some(chances))} of boards with the elevator; on average there are "
            f"{float(chances.mean()):.4f}.",
            "Columns join all rows at all places at once. For those we know the mean exactly, but the rest only from "
            "shuffling millions of boards.",
        ),
        (
            Figure("Mean with the elevator", f"{chances.mean()} = {float(chances.mean()):.4f}"),
            Figure("Mean with vertical", f"{vertical} = {float(vertical):.4f}"),
            Figure("Mean with both", f"{both} = {float(both):.4f}"),
        ),
        as_svg(_bars(chances), title="Runs on a board with the elevator"),
    )


def _buster() -> Chapter:
    solution = solve()
    first, turns = solution.win((), ()), solution.length((), ())
    at_once = rolls(len(FACES))[FACES] / 6 ** len(FACES)
    # Rounded, so that mirror images stand together, whatever the last digit of their chances.
    worth = sorted((-round(1 - solution.win((), hand), 9), hand) for hand in HANDS if hand)
    best, least = ([_hand(h) for win, h in worth if win == end] for end in (worth[0][0], worth[-1][0]))
    return Chapter(
        "buster",
        TITLES["buster"],
        (
            f"For two players Mark Steere's Run Buster can be solved: from each of the {len(HANDS) ** 2} positions we "
            "know the best choice after every roll, and prove the chances right to twelve digits.",
            f"Who rolls first wins {percent(first)} of rounds between perfect players. A round lasts {turns:.2f} turns "
            f"on average; {percent(at_once)} of rounds are over at the first roll.",
            f"The bars show what a first hand is worth: {' and '.join(best)} the most, {' and '.join(least)} "
            "the least.",
        ),
        (
            Figure("First player wins", percent(first)),
            Figure("Turns in a round", f"{turns:.2f}"),
            Figure("Full straight at the first roll", percent(at_once)),
        ),
        as_svg([Bar(_hand(hand), -less) for less, hand in worth], title="Chance to win with a first hand"),
    )


def _quests() -> Chapter:
    row = quests.most_runs_row()
    board = together([row] * 4)
    magic, every = quests.magic_sums_solutions(), quests.number_layouts()
    return Chapter(
        "quests",
        TITLES["quests"],
        (
            f"Most-Runs: a dealt row can be made to hold {float(row.mean()):.2f} runs on average, the whole board "
            f"{float(board.mean()):.2f}; {percent(float(row.attainable(0)))} of rows hold none whatever you do.",
            f"Magic sums: 1 in {every / magic:,.0f} ways to lay the numbers solves it. The harder form is never out of "
            "reach: any solution can be put right by moving tiles up and down within their columns.",
            f"Sums 1...m: {sums.standing(3)} On 4 x 4, {sums.standing(4)}",
        ),
        (
            Figure("Most-Runs, four rows", f"{float(board.mean()):.3f}"),
            Figure("Magic sums, one in", f"{every / magic:,.0f}"),
            Figure("Sums on 3 x 3, the most", str(sums.most_known(3))),
        ),
        as_svg(_bars(row), title="Most-Runs: the most a dealt row can hold"),
    )


_CHAPTERS: Mapping[str, Callable[[], Chapter]] = {
    "row": _row,
    "board": _board,
    "wild": _wild,
    "elevator": _more_lines,
    "buster": _buster,
    "quests": _quests,
}
_DEFAULTS = {rule.name: rule.default for rule in SCRAMBLE.house_rules}


def against(seen: Sequence[int], chances: Chances, *, title: str = "Your table") -> Chapter:
    """Return a table's own history beside what shuffled boards should show.

    seen: the (highest attainable) total of each round that was played under the rules of `chances`. Raises
    BadQuestion without any.
    """
    if not seen:
        raise BadQuestion("there is no history to compare (expected at least one round)")
    rounds, some = len(seen), 1 - float(chances.best().get(0, 0))
    there = sum(total > 0 for total in seen)
    expected, spread = rounds * some, (rounds * some * (1 - some)) ** 0.5
    away = abs(there - expected) / spread if spread else 0.0
    said = "as shuffling would have it" if away <= 2 else "further off than in one table of twenty; shuffle well"
    counts, best = Counter(seen), chances.best()
    bars = []
    for total in range(max(max(seen), min(max(best), 7)) + 1):
        bars.append(Bar(str(total), float(best.get(total, 0))))
        bars.append(Bar(f"{total} here", counts[total] / rounds))
    return Chapter(
        "history",
        title,
        (
            f"In {rounds} {'round' if rounds == 1 else 'rounds'} some run lay there {_times(there)}; {expected:.1f} ± "
            f"{spread:.1f} were to be expected. That is {said}.",
        ),
        (Figure("Mean here", f"{sum(seen) / rounds:.3f}"), _mean(chances)),
        as_svg(bars, title=f"{title}: chances, and what lay here"),
    )


def _some(chances: Chances) -> float:
    return float(1 - chances.attainable(0))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _mean(chances: Chances) -> Figure:
    return Figure("Mean", f"{float(chances.mean()):.4f}")


def _best_guess(chances: Chances) -> str:
    right = chances.right()
    likely = max(right, key=lambda k: right[k])
    points = {k: float(share) * (max(k, 1) + 4) for k, share in right.items() if k <= 7}
    worth = max(points, key=lambda k: points[k])
    same = "and" if worth == likely else "but"
    return (
        f"With nothing turned up yet, {likely} is right most often ({percent(float(right[likely]))}), {same} {worth} "
        f"is worth most to the first in the queue: {points[worth]:.2f} points on average."
    )


def _bars(chances: Chances) -> list[Bar]:
    right = chances.right()
    last = max(right)
    cut = next((k for k in right if k > 1 and chances.at_least(k) < TAIL), last)
    bars = [Bar(str(k), float(share)) for k, share in right.items() if k < cut or k == last == cut]
    return bars if cut == last else [*bars, Bar(f"{cut}+", float(chances.at_least(cut)))]


def _hand(hand: tuple[int, ...]) -> str:
    return " ".join(map(str, hand))
