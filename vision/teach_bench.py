"""What teaching is worth: `python -m vision.teach_bench [--sets N] [--trays N] [--pictures 1|2] [--jobs N]`.

Draws sets that no training saw (`vision.teaching.teach_sets`: hand-drawn, a child's, signs of one's own, segments,
dots), teaches each from a picture or two, and reads other trays of it, in other light, with and without what was
taught: four rows, and one tray in four as five rows of eight with mixed colours. Prints whole trays right at first,
asked for, silently wrong, with Wilson intervals, by kind of set. Progress goes to standard error. About 3 s a set and 1
s a tray on one core. Exit status 1 if any taught tray was silently wrong or any set could not be taught.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

import cv2
import numpy as np

from vision.drawing import Drawn
from vision.errors import CannotLearn
from vision.layout import Expectation
from vision.options import at_least
from vision.own_set import OwnSet
from vision.reader import read
from vision.reading import Status
from vision.teach import learn
from vision.teaching.lessons import Lesson
from vision.teaching.teach_sets import DIGITS, MAKERS, DrawnSet, odd_set
from vision.trials.scoring import Score, interval, score

FIRST = 10_000
"""Sets below this seed were looked at while the fit was made; the figures are of others."""


@dataclass(slots=True)
class Tally:
    """Scores of trays read in one way."""

    scores: list[Score] = field(default_factory=list)

    @property
    def silent(self) -> int:
        """Return how many trays were wrong and reported as read."""
        return sum(s.silently_wrong for s in self.scores)

    def line(self) -> str:
        """Return the figures as one line of the table."""
        n = len(self.scores)
        right, taps = sum(s.right for s in self.scores), sum(s.right_after_taps for s in self.scores)
        unsure = [s for s in self.scores if s.status is not Status.READ]
        given = [s for s in self.scores if s.given]
        items, wrong = sum(s.items for s in given), sum(len(s.wrong) for s in given)
        colours, misnamed = sum(s.colour_items for s in given), sum(s.colour_wrong for s in given)
        asked = sum(s.asked for s in unsure) / max(1, len(unsure))
        return (
            f"{right:4}/{n:<4} {interval(right, n):>13} {taps:6} {self.silent:6} "
            f"{len(unsure):6} {100 * len(unsure) / max(1, n):5.1f} % {asked:6.1f} "
            f"{items - wrong:6}/{items:<6} {colours - misnamed:6}/{colours:<6}"
        )


HEAD = (
    f"{'':20}{'right at first':>25} {'taps':>6} {'SILENT':>6} {'unsure':>14} {'asked':>6} {'tiles':>13} {'colours':>13}"
)


def trays_of(owned: DrawnSet, *, seed: int, count: int) -> Iterator[tuple[Drawn, Expectation]]:
    """Yield trays of a set in any order, each fourth with its colours mixed."""
    for k in range(count):
        rng = np.random.default_rng([seed, k, 5])
        if k % 4 == 3:
            cells = [f"{c}:{s}" for c in owned.colours for s in DIGITS]
            mixed = [str(c) for c in rng.permutation(cells)]
            rows = [mixed[8 * r : 8 * r + 8] for r in range(5)]
            yield owned.picture(rows, layout="rect", seed=seed * 1000 + k), Expectation.RECT
        else:
            rows = [[f"{c}:{s}" for s in rng.permutation(list(DIGITS))] for c in owned.colours]
            yield owned.picture(rows, layout="rows", seed=seed * 1000 + k), Expectation.ROWS


def teach(owned: DrawnSet, *, seed: int, pictures: int, as_said: bool = False) -> OwnSet | None:
    """Return the set as taught; None where it was refused, which is said.

    as_said: the owner insists where the eye doubts, which is said, too.
    """
    pictures_bgr = [owned.taught(seed=seed * 1000 + 900 + k).picture_bgr for k in range(pictures)]
    lessons = [Lesson(picture_bgr, as_said=as_said) for picture_bgr in pictures_bgr]
    try:
        learnt = learn(lessons, colours=owned.colours, made="drawn")
    except CannotLearn as no:
        print(f"  set {seed} ({owned.kind}) is not taught: {no}", file=sys.stderr)
        return None
    for doubt in learnt.doubts:
        print(f"  set {seed} ({owned.kind}) is taught against a doubt: {doubt}", file=sys.stderr)
    if not learnt.holds:
        print(f"  set {seed} ({owned.kind}) does not hold: {learnt.faults()[0]}", file=sys.stderr)
    return learnt.own if learnt.holds else None


def bench_set(
    seed: int, *, trays: int, pictures: int, kind: str | None, as_said: bool
) -> tuple[str, tuple[Tally, Tally]] | None:
    """Return a set's kind and its trays before and after teaching; None where the set was refused."""
    cv2.setNumThreads(1)
    owned = odd_set(seed, kind=kind)
    own = teach(owned, seed=seed, pictures=pictures, as_said=as_said)
    if own is None:
        return None
    found = (Tally(), Tally())
    for drawn, expect in trays_of(owned, seed=seed, count=trays):
        for tally, owner in zip(found, (None, own), strict=True):
            reading = read(drawn.picture_bgr, expect=expect, owner=owner)
            tally.scores.append(score(reading, drawn.truth, expect=expect))
    return owned.kind, found


def run(
    seeds: Sequence[int],
    *,
    trays: int,
    pictures: int,
    kind: str | None = None,
    as_said: bool = False,
    jobs: int = 1,
    progress: Callable[[str], None] = lambda line: None,
) -> tuple[dict[str, tuple[Tally, Tally]], int]:
    """Return for each kind of set the trays before and after teaching, and how many sets were refused."""
    found: dict[str, tuple[Tally, Tally]] = defaultdict(lambda: (Tally(), Tally()))
    refused = 0
    one = partial(bench_set, trays=trays, pictures=pictures, kind=kind, as_said=as_said)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for seed, result in zip(seeds, pool.map(one, seeds), strict=True):
            if result is None:
                refused += 1
                continue
            name, tallies = result
            for whole, part in zip(found[name], tallies, strict=True):
                whole.scores.extend(part.scores)
            asked = sum(s.asked for s in tallies[1].scores)
            progress(f"{seed} ({name}): {asked} tiles asked for, {sum(len(s.wrong) for s in tallies[1].scores)} wrong")
    return dict(found), refused


def table(found: dict[str, tuple[Tally, Tally]]) -> str:
    """Return the figures as text: by kind and of all, before and after."""
    total = (Tally(), Tally())
    lines = [HEAD]
    for kind in sorted(found):
        for name, tally, whole in zip(("before", "taught"), found[kind], total, strict=True):
            lines.append(f"{kind:12}{name:8}{tally.line()}")
            whole.scores.extend(tally.scores)
    lines += [f"{'all':12}{name:8}{whole.line()}" for name, whole in zip(("before", "taught"), total, strict=True)]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.teach_bench", description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=at_least(1), default=40)
    parser.add_argument("--trays", type=at_least(1), default=5, help="trays read of each set")
    parser.add_argument("--pictures", type=int, default=1, choices=(1, 2), help="taught from one picture or two")
    parser.add_argument("--seed", type=at_least(0), default=FIRST, help="seed of the first set")
    parser.add_argument("--kind", choices=sorted(MAKERS), help="only sets of this kind")
    parser.add_argument("--as-said", action="store_true", help="the owner insists where a lesson is doubted")
    parser.add_argument("--jobs", type=at_least(1), default=1, help="sets read at the same time")
    args = parser.parse_args(argv)
    seeds = range(args.seed, args.seed + args.sets)
    found, refused = run(
        seeds,
        trays=args.trays,
        pictures=args.pictures,
        kind=args.kind,
        as_said=args.as_said,
        jobs=args.jobs,
        progress=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(table(found))
    print(f"taught from {args.pictures} picture{'s' * (args.pictures > 1)}; {refused} of {len(seeds)} sets refused")
    return 1 if refused or any(after.silent for _, after in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
