"""What the bench of the board measured, as figures: pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log

from pi.rules.queueing import Press, queue

SKEWS_US = (50, 100, 200, 500, 750, 1000, 1250, 1500, 2000, 5000, 10_000, 20_000)
BOUNCES_US = (0, 60, 140, 150, 400, 900, 1000, 1700, 2500)
"""When the output turns in a bounce train, microseconds after its first fall; it ends closed."""
MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Timed:
    """A press as the queue sees it."""

    press: Press
    bound_ns: int

    @property
    def at_ns(self) -> int:
        """Monotonic nanoseconds of the press."""
        return self.press.at_ns


@dataclass(frozen=True, slots=True)
class Trial:
    """One pair of falls."""

    real_us: float
    """How far apart they were at least, by the clock around the writes."""
    verdict: str
    """right, tied, wrong, missing, or vague: the bench could not say what it had done."""


@dataclass(frozen=True, slots=True)
class Trains:
    """What bounce trains gave."""

    expected: int
    heard: int
    """Presses; one for every contact and train is right."""
    late_ns: tuple[int, ...]
    """How long after the first fall each press was stamped."""
    spoilt: int
    """Trains that the bench itself stretched beyond what a contact does: not counted."""


def spread_ns(presses: Iterable[Press]) -> int:
    """Return how far apart the stamps of one and the same moment are; 0 for fewer than two."""
    times = [press.at_ns for press in presses]
    return max(times) - min(times) if times else 0


def verdict(first: Sequence[Press], second: Sequence[Press], *, bound_ns: int) -> str:
    """Tell "right", "tied" or "wrong" for two groups of which the first really came first.

    The queue of the match decides, pair by pair; the worst pair counts.
    """
    seen = {"right"}
    for a in first:
        for b in second:
            groups = queue([Timed(a, bound_ns), Timed(b, bound_ns)])
            seen.add("tied" if len(groups) == 1 else "right" if groups[0][0].press is a else "wrong")
    return next(word for word in ("wrong", "tied", "right") if word in seen)


def bound_that_follows_ns(spreads_ns: Iterable[int], wrong_us: Iterable[int] = ()) -> int:
    """Return the tie bound: whole milliseconds, twice the worst spread and above any skew told wrong."""
    worst = max([2 * max(spreads_ns, default=0), *(us * 1000 for us in wrong_us), 1])
    return -(-worst // MS) * MS


def percentile(values: Sequence[float], percent: float) -> float:
    """Return a percentile by the nearest rank; values must not be empty."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, round(percent / 100 * (len(ranked) - 1)))]


def report_zero(spreads: Sequence[int], bound_ns: int, say: Callable[[str], None]) -> bool:
    """Say what zero skew gave; returns whether everything tied."""
    us = [spread / 1000 for spread in spreads]
    tied = sum(spread <= bound_ns for spread in spreads)
    middle, high = percentile(us, 50), percentile(us, 99)
    say(f"zero skew, {len(us)} trials: spread p50 {middle:.1f} us, p99 {high:.1f} us, max {max(us):.1f} us")
    say(f"all tied within {bound_ns / MS:g} ms: {tied} of {len(us)}")
    say(f"the bound that follows: {bound_that_follows_ns(spreads) / MS:g} ms (twice the worst, in whole milliseconds)")
    return tied == len(spreads)


def report_skews(trials: Sequence[Trial], bound_ns: int, say: Callable[[str], None]) -> bool:
    """Say order against truth; returns whether nothing was wrong or lost, nor tied beyond twice the bound."""
    say(f"order against truth, tie bound {bound_ns / MS:g} ms; rows by what the outputs really did")
    say("skew us   right   tied   wrong   missing")
    for skew_us in SKEWS_US:
        row = [t.verdict for t in trials if nearest(t.real_us) == skew_us and t.verdict != "vague"]
        if row:
            right, tied, wrong, missing = (row.count(word) for word in ("right", "tied", "wrong", "missing"))
            say(f"{skew_us:7d} {right:7d} {tied:6d} {wrong:7d} {missing:9d}")
    say(f"({sum(t.verdict == 'vague' for t in trials)} trials that the bench itself could not time are not counted)")
    clear = [t for t in trials if t.real_us * 1000 >= 2 * bound_ns]
    sound = all(t.verdict in ("right", "vague") for t in clear)
    return sound and not any(t.verdict in ("wrong", "missing") for t in trials)


def nearest(real_us: float) -> int:
    """Return the programmed skew that a real one is closest to, as ratios go."""
    return min(SKEWS_US, key=lambda us: abs(log(max(real_us, 1.0) / us)))


def report_bounces(trains: Trains, bound_ns: int, say: Callable[[str], None]) -> bool:
    """Say what bounce trains gave; returns whether each was one press with the time of its first edge."""
    if not trains.late_ns:
        say("bounce trains: nothing was heard; wire output A to all inputs (step bounce)")
        return False
    us = [ns / 1000 for ns in trains.late_ns]
    say(f"bounce trains of {len(BOUNCES_US)} edges: {trains.heard} presses for {trains.expected}")
    say(f"({trains.spoilt} trains that the bench itself could not keep in time are not counted)")
    say(f"stamp after the first fall: p50 {percentile(us, 50):.1f} us, max {max(us):.1f} us")
    return trains.heard == trains.expected and max(trains.late_ns) <= bound_ns
