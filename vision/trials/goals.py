"""What the eye is to reach, against what it reached on some labelled pictures: the table of goals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vision.layout import Expectation
from vision.reading import Status
from vision.trials.scoring import Score, interval, wilson

LOOSE = (Expectation.DICE, Expectation.DISKS)
MOST_MS = 60
MOST_ASKED = 2
"""Pieces that a tray asks about at most, as a rule."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of the table: a share of hits, and what it is to be."""

    what: str
    bound: float
    """The share that is wanted: at least so much, or less than that."""
    hits: int
    trials: int
    below: bool = False
    """The share is to lie below the bound."""

    @property
    def verdict(self) -> str:
        """Say whether the goal is met: "met" and "missed" only where chance alone does not explain it (95 %)."""
        low, high = wilson(self.hits, self.trials)
        reached = self.hits / self.trials < self.bound if self.below else self.hits / self.trials >= self.bound
        beyond = high < self.bound if self.below else low >= self.bound
        short = low >= self.bound if self.below else high < self.bound
        return "met" if beyond else "missed" if short else "so far met" if reached else "so far missed"

    def line(self) -> str:
        """Return the goal as a line of text."""
        wanted = f"{'below ' if self.below else ''}{100 * self.bound:g} %"
        share = f"{100 * self.hits / self.trials:.2f} %"
        got = f"{self.hits}/{self.trials}"
        return f"{self.what:44}{wanted:>12}{share:>10}{got:>14}{interval(self.hits, self.trials):>16}  {self.verdict}"


def goals(scores: Sequence[Score], *, ms: float | None = None) -> str:
    """Return the table as text: only lines of which something was read.

    ms: median milliseconds of processor time for a tray of forty tiles in rows; None where none was read.
    """
    head = f"{'':44}{'goal':>12}{'got':>10}{'of':>14}{'95 % interval':>16}"
    lines = [head, *(goal.line() for goal in _goals(scores) if goal.trials)]
    if ms is not None:
        verdict = "met" if ms < MOST_MS else "missed"
        lines.append(
            f"{'a reading of 40 tiles, one core, this machine':44}{f'{MOST_MS} ms':>12}{ms:7.0f} ms{verdict:>38}"
        )
    return "\n".join(lines)


def _goals(scores: Sequence[Score]) -> Iterable[Goal]:
    laid = [s for s in scores if s.wanted is Status.READ]
    kinds = {
        "tiles in rows, 4 x 10": [s for s in laid if s.expect is Expectation.ROWS],
        "tiles, other layouts": [s for s in laid if s.expect not in (Expectation.ROWS, *LOOSE)],
        "dice": [s for s in laid if s.expect is Expectation.DICE],
        "disks": [s for s in laid if s.expect is Expectation.DISKS],
    }
    for what, of in kinds.items():
        yield Goal(f"{what}: trays right at first", 0.995, sum(s.right for s in of), len(of))
        yield Goal("  right after the taps asked for", 1.0, sum(s.right_after_taps for s in of), len(of))
        unsure = [s for s in of if s.status is Status.UNSURE]
        yield Goal("  unsure: it asks", 0.03, len(unsure), len(of), below=True)
        few = sum(s.asked <= MOST_ASKED for s in unsure)
        yield Goal(f"  of these about {MOST_ASKED} pieces at most", 0.5, few, len(unsure))
    read = [s for s in scores if s.status is Status.READ]
    yield Goal("trays called read that are wrong", 0.001, sum(s.silently_wrong for s in read), len(read), below=True)
    tiles = [s for s in laid if s.expect not in LOOSE and s.given]
    yield _of_pieces("tiles", 0.998, tiles)
    yield _of_colours("  colours of tiles", 0.999, tiles)
    dice = [s for s in laid if s.expect is Expectation.DICE and s.given]
    yield _of_pieces("dice", 0.995, dice)
    yield Goal("  silently wrong", 0.001, sum(s.wrong_sure for s in dice), sum(s.items for s in dice), below=True)
    yield _of_colours("  colours of dice", 0.995, dice)
    yield _of_pieces("disks", 0.99, [s for s in laid if s.expect is Expectation.DISKS and s.given])
    for status, what in ((Status.BUSY, "hands and motion: busy"), (Status.EMPTY, "empty trays: empty")):
        wanted = [s for s in scores if s.wanted is status]
        yield Goal(what, 1.0, sum(s.right for s in wanted), len(wanted))


def _of_pieces(what: str, bound: float, scores: Sequence[Score]) -> Goal:
    items = sum(s.items for s in scores)
    return Goal(f"{what} right", bound, max(0, items - sum(len(s.wrong) for s in scores)), items)


def _of_colours(what: str, bound: float, scores: Sequence[Score]) -> Goal:
    named = sum(s.colour_items for s in scores)
    return Goal(what, bound, named - sum(s.colour_wrong for s in scores), named)
