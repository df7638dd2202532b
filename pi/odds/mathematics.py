"""The mathematics of the table, for people who liked the rule book's chapter on probability: texts, figures, pictures.

The numbers are worked out by the functions of this room and kept (`pi.odds.mathematics_numbers`); the rule book's own
stand beside ours where it rounds. Texts come with places for values, so that whoever shows them may say them in
another language and write numbers as people do there; `str()` says them in English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pi.odds.errors import BadQuestion
from pi.odds.mathematics_numbers import BOOK_BOARD, BOOK_ROW, BOOK_SEVERAL, Numbers, kept
from pi.odds.plot import Bar, as_svg, percent

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
class Share:
    """A part of all cases, shown as percent."""

    value: float
    """0.0 to 1.0."""


@dataclass(frozen=True, slots=True)
class Rounded:
    """A number with so many digits after the point."""

    value: float
    digits: int


@dataclass(frozen=True, slots=True)
class Told:
    """A text with places for values, in English."""

    text: str
    values: tuple[tuple[str, Value], ...] = ()
    one: str = ""
    """The text where the value `n` is one; empty where nothing is counted."""

    def __str__(self) -> str:
        """Return the text in English, with its values."""
        values = dict(self.values)
        text = self.one if self.one and values["n"] == 1 else self.text
        return text.format_map({name: english(value) for name, value in values.items()})


Value = int | str | Share | Rounded | tuple[str, ...] | Told
"""What a text is about: a count, words, a share, a number, a list, another text."""


def told(text: str, /, *, singular: str = "", **values: Value) -> Told:
    """Return a text with its values; singular: the text where `n` is one."""
    return Told(text, tuple(values.items()), singular)


def english(value: Value) -> str:
    """Return a value as English readers write it."""
    match value:
        case Share(value=share):
            return percent(share)
        case Rounded(value=number, digits=digits):
            return f"{number:.{digits}f}"
        case int():
            return f"{value:,}"
        case tuple():
            return " and ".join(value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number worth knowing."""

    label: str
    value: Value


@dataclass(frozen=True, slots=True)
class Chapter:
    """One section of the page."""

    key: str
    title: str
    paragraphs: tuple[Told, ...]
    figures: tuple[Figure, ...] = ()
    plot: str = ""
    """What the picture shows."""
    bars: tuple[tuple[Value, float], ...] = ()
    """Its bars: label and share."""

    def svg(self) -> str:
        """Return the picture in English."""
        return as_svg([Bar(english(label), share) for label, share in self.bars], title=self.plot)


def chapter(key: str) -> Chapter:
    """Return one chapter by its key (see TITLES); raises BadQuestion for another."""
    if key not in _CHAPTERS:
        raise BadQuestion(f"there is no chapter {key!r} (expected one of {', '.join(TITLES)})")
    numbers = kept()[key]
    paragraphs, figures, plot = _CHAPTERS[key](numbers)
    bars = tuple((label, share) for label, share in numbers["bars"])
    return Chapter(key, TITLES[key], paragraphs, figures, plot, bars)


def chapters() -> tuple[Chapter, ...]:
    """Return all chapters in the order they are read."""
    return tuple(chapter(key) for key in TITLES)


Words = tuple[tuple[Told, ...], tuple[Figure, ...], str]
"""Paragraphs, figures, and what the picture shows."""


def _row(n: Numbers) -> Words:
    return (
        (
            told(
                "Ten different tiles can lie in {orders} orders. {single} of them hold exactly one run, as the rule "
                "book says, and {none} hold none.",
                orders=n["orders"],
                single=n["one"],
                none=n["none"],
            ),
            told(
                "So some run lies in {some} of all rows. The rule book says close to {book}: {single} with exactly one "
                "run, which is right, and about {several} with several. Those are really {really}.",
                some=Share(n["some"]),
                book=Share(BOOK_ROW),
                single=Share(n["single"]),
                several=Share(BOOK_SEVERAL),
                really=Share(n["some"] - n["single"]),
            ),
            told(
                "No row holds 7, 8 or 9 runs, but {ten} hold ten: the straights that close the whole ring.",
                ten=n["ten"],
            ),
            told(
                "Rows without a run, divided by ten, are {runless}: the tenth member of a sequence that mathematicians "
                "have studied (OEIS A078628). We count them for up to 50 numbers.",
                runless=n["runless"],
            ),
        ),
        (
            Figure("Some run", Share(n["some"])),
            Figure("The rule book rounds to", Share(BOOK_ROW)),
            Figure("Mean", Rounded(n["mean"], 4)),
        ),
        "Runs in one row",
    )


def _board(n: Numbers) -> Words:
    return (
        (
            told(
                "The rows of a board have nothing to do with each other, so the chance that there is no run in any is "
                "that of one row, four times multiplied: {none}. Some run lies on {some} of boards.",
                none=Share((1 - n["row"]) ** 4),
                some=Share(n["some"]),
            ),
            told(
                "The rule book starts from {row} a row and arrives at {board}, as 0.8 x 0.8 x 0.8 x 0.8 is 0.41. The "
                "step is right; its first number was too small.",
                row=Share(BOOK_ROW),
                board=Share(BOOK_BOARD),
            ),
            told(
                _SAME_CALL if n["worth"] == n["likely"] else _OTHER_CALL,
                share=Share(n["likely_share"]),
                worth=n["worth"],
                **({} if n["worth"] == n["likely"] else {"likely": n["likely"]}),
                points=Rounded(n["worth_points"], 2),
            ),
        ),
        (
            Figure("Some run", Share(n["some"])),
            Figure("The rule book estimates", Share(BOOK_BOARD)),
            Figure("Mean", Rounded(n["mean"], 4)),
        ),
        "Runs on a board of four rows",
    )


_SAME_CALL = (
    "With nothing turned up yet, {worth} is right most often ({share}) and also worth most to the first in the queue: "
    "{points} points on average."
)
_OTHER_CALL = (
    "With nothing turned up yet, {likely} is right most often ({share}), but {worth} is worth most to the first in the "
    "queue: {points} points on average."
)


def _wild(n: Numbers) -> Words:
    return (
        (
            told(
                "A wild is whatever number a player likes, so a board has not one right total but several. The bars "
                "show how often each prediction is right; they add up to more than a hundred percent."
            ),
            told(
                "The most that a board can be made to hold is {mean} runs on average, against {without} without wilds.",
                mean=Rounded(n["mean"], 2),
                without=Rounded(n["without"], 2),
            ),
        ),
        (Figure("Best total on average", Rounded(n["mean"], 4)),),
        "How often a prediction is right, with wilds",
    )


def _more_lines(n: Numbers) -> Words:
    return (
        (
            told(
                "With the elevator the rows are no longer strangers: every end meets every start. Still only a row's "
                "first two and last two numbers matter to the others, and that is enough to count all boards exactly."
            ),
            told(
                "Some run lies on {some} of boards with the elevator; on average there are {mean}.",
                some=Share(n["some"]),
                mean=Rounded(n["elevator"], 4),
            ),
            told(
                "Columns join all rows at all places at once, and we know no way to count that. The mean and the "
                "spread are exact, and so are boards with up to some fifteen tiles face down; the rest we know from "
                "shuffling {drawn} boards: some run lies on {vertical} of them with vertical, on {both} with both, "
                "give or take {error}.",
                drawn=n["drawn"],
                vertical=Share(round(n["vertical_some"], 4)),
                both=Share(round(n["both_some"], 4)),
                error=Share(round(2 * (n["vertical_some"] * (1 - n["vertical_some"]) / n["drawn"]) ** 0.5, 4)),
            ),
        ),
        (
            Figure("Mean with the elevator", _exact(n, "elevator")),
            Figure("Mean with vertical", _exact(n, "vertical")),
            Figure("Mean with both", _exact(n, "both")),
            Figure("Spread with the elevator", Rounded(n["elevator_spread"], 4)),
            Figure("Spread with vertical", Rounded(n["vertical_spread"], 4)),
            Figure("Spread with both", Rounded(n["both_spread"], 4)),
        ),
        "Runs on a board with the elevator",
    )


def _exact(n: Numbers, name: str) -> Told:
    return told("{exact} = {mean}", exact=n[f"{name}_exact"], mean=Rounded(n[name], 4))


def _buster(n: Numbers) -> Words:
    return (
        (
            told(
                "For two players Mark Steere's Run Buster can be solved: from each of the {positions} positions we "
                "know the best choice after every roll, and prove the chances right to twelve digits.",
                positions=n["positions"],
            ),
            told(
                "Who rolls first wins {first} of rounds between perfect players. A round lasts {turns} turns on "
                "average; {at_once} of rounds are over at the first roll.",
                first=Share(n["first"]),
                turns=Rounded(n["turns"], 2),
                at_once=Share(n["at_once"]),
            ),
            told(
                "The bars show what a first hand is worth: {best} the most, {least} the least.",
                best=tuple(n["best"]),
                least=tuple(n["least"]),
            ),
        ),
        (
            Figure("First player wins", Share(n["first"])),
            Figure("Turns in a round", Rounded(n["turns"], 2)),
            Figure("Full straight at the first roll", Share(n["at_once"])),
        ),
        "Chance to win with a first hand",
    )


def _quests(n: Numbers) -> Words:
    return (
        (
            told(
                "Most-Runs: a dealt row can be made to hold {row} runs on average, the whole board {board}; {none} of "
                "rows hold none whatever you do.",
                row=Rounded(n["row"], 2),
                board=Rounded(n["board"], 2),
                none=Share(n["none"]),
            ),
            told(
                "Magic sums: 1 in {ways} ways to lay the numbers solves it. The harder form is never out of reach: any "
                "solution can be put right by moving tiles up and down within their columns.",
                ways=round(n["ways"]),
            ),
            told("Sums 1...m: {small} On 4 x 4, {large}", small=n["sums_3"], large=n["sums_4"]),
        ),
        (
            Figure("Most-Runs, four rows", Rounded(n["board"], 3)),
            Figure("Magic sums, one in", round(n["ways"])),
            Figure("Sums on 3 x 3, the most", n["most_3"]),
        ),
        "Most-Runs: the most a dealt row can hold",
    )


_CHAPTERS: Mapping[str, Callable[[Numbers], Words]] = {
    "row": _row,
    "board": _board,
    "wild": _wild,
    "elevator": _more_lines,
    "buster": _buster,
    "quests": _quests,
}


def against(seen: Sequence[int], best: Sequence[float] | None = None) -> Chapter:
    """Return a table's own history beside what shuffled boards should show.

    seen: the (highest attainable) total of each round that was played. best: the chance of each total under the same
    rules, None for four plain rows. Raises BadQuestion without any round.
    """
    if not seen:
        raise BadQuestion("there is no history to compare (expected at least one round)")
    chances = kept()["board"]["best"] if best is None else best
    rounds, some = len(seen), 1 - chances[0]
    there = sum(total > 0 for total in seen)
    expected, spread = rounds * some, (rounds * some * (1 - some)) ** 0.5
    away = abs(there - expected) / spread if spread else 0.0
    text = "In {there} of {n} rounds some run lay there; {expected} ± {spread} were to be expected."
    as_it_must = "That is as shuffling would have it." if away <= 2 else _FAR_OFF
    counts = Counter(seen)
    bars: list[tuple[Value, float]] = []
    for total in range(max(max(seen), min(len(chances) - 1, 7)) + 1):
        bars.append((str(total), chances[total] if total < len(chances) else 0.0))
        bars.append((told("{total} here", total=total), counts[total] / rounds))
    said = told(
        text,
        singular=text.replace("rounds", "round"),
        there=there,
        n=rounds,
        expected=Rounded(expected, 1),
        spread=Rounded(spread, 1),
    )
    mean = sum(total * chance for total, chance in enumerate(chances))
    figures = (Figure("Mean here", Rounded(sum(seen) / rounds, 3)), Figure("Mean", Rounded(mean, 4)))
    plot = "Your table: chances, and what lay here"
    return Chapter("history", "Your table", (said, told(as_it_must)), figures, plot, tuple(bars))


_FAR_OFF = "That is further off than in one table of twenty; shuffle well."
