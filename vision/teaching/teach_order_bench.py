"""Lessons refused: `python -m vision.teaching.teach_order_bench [--sets N] [--seed S] [--jobs N] [--as-said]`.

Draws sets of `vision.teaching.teach_sets`, each kind as often, and of each a lesson as it should lie, one with a tile
face down and one with a number twice in a row. Of the first it is also said that its rows lie in another order than
they do, as people lay them by mistake. Prints for each kind how many of these lessons are refused, those with a wrong
tile naming it. About 2 s a set on one core. With --as-said their owner insists on those that are refused, and what is
printed is how many of them read back right: their doubts are then all that tells a wrong one. About 20 s a set.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
import numpy as np

from vision.drawing import Drawn
from vision.errors import CannotLearn
from vision.geometry import Ints
from vision.options import at_least
from vision.teach import learn
from vision.teaching.lessons import IN_ORDER, Lesson
from vision.teaching.teach_check import mistaken
from vision.teaching.teach_look import Seen, look_at
from vision.teaching.teach_sets import MAKERS, DrawnSet, odd_set

FIRST = 891_000
"""The limits were chosen on sets from 890000 to 890149."""
SAID = {
    "right": "0123456789", "1 to 9, 0": "9012345678", "9, 0 to 8": "1234567890", "reversed": "9876543210",
    "1-7": "0723456189", "6-9": "0123459786", "1 to #": "123456789#", "any": "3709182564",
}  # fmt: skip
"""What is said of the tiles from 0 to 9, by what a person did who laid them so or said so."""


def trials(seed: int) -> tuple[str, dict[str, bool]]:
    """Return a set's kind, and of each trial whether the lesson is refused; a trial that cannot be seen is left out."""
    cv2.setNumThreads(1)
    kinds = sorted(MAKERS)
    kind = kinds[seed % len(kinds)]
    owned, found = odd_set(seed, kind=kind), {}
    for name, drawn, where in _laid(owned, seed):
        try:
            seen = look_at(Lesson(drawn.picture_bgr), 1)
        except CannotLearn:
            continue
        if where:
            found[name] = (refusal(seen, IN_ORDER) or "").startswith(where)
        else:
            found |= {said: refusal(seen, order) is not None for said, order in SAID.items()}
    return kind, found


def insisted(seed: int) -> tuple[str, dict[str, bool]]:
    """Return a set's kind, and of each trial that is doubted whether it reads back right where its owner insists."""
    cv2.setNumThreads(1)
    kinds = sorted(MAKERS)
    owned, found = odd_set(seed, kind=kinds[seed % len(kinds)]), {}
    for name, drawn, where in _laid(owned, seed):
        for said, order in {name: IN_ORDER}.items() if where else SAID.items():
            try:
                lesson = Lesson(drawn.picture_bgr, (tuple(order),) * 4, as_said=True)
                learnt = learn([lesson], colours=owned.colours, made="drawn")
            except CannotLearn:
                continue
            if learnt.doubts:
                found[said] = learnt.holds
    return kinds[seed % len(kinds)], found


def _laid(owned: DrawnSet, seed: int) -> Iterator[tuple[str, Drawn, str]]:
    """Yield the pictures: what was done, and where, in the words of a refusal."""
    rng = np.random.default_rng([seed, 9])
    row, place, other = int(rng.integers(4)), int(rng.integers(10)), int(rng.integers(1, 10))
    yield "right", owned.taught(seed=seed), ""
    for name, cell in (("down", "down"), ("twice", IN_ORDER[(place + other) % 10])):
        rows = [[f"{c}:{s}" for s in IN_ORDER] for c in owned.colours]
        rows[row][place] = f"{owned.colours[row]}:{cell}"
        drawn = owned.picture(rows, layout="rows", seed=seed + 1, difficulty=0.2)
        yield name, drawn, f"row {row + 1}, place {place + 1}, of"


def refusal(seen: Seen, order: str) -> str | None:
    """Return why a lesson is refused, if this is said of its tiles from 0 to 9; None where it is taught."""
    # The lesson lies as it was said: what is said is put in order, and the tiles with it.
    places = sorted(range(10), key=lambda k: (order[k] == "#", order[k]))
    at = np.concatenate([10 * r + np.array(places) for r in range(4)])
    shows: Ints = np.tile(np.array([10 if order[k] == "#" else int(order[k]) for k in places], np.int64), 4)
    first = next(mistaken(seen.crops[at], shows, seen.row.astype(np.int64), [len(at)]), None)
    return f"{first.where} {first.refusal}" if first is not None else None


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.teaching.teach_order_bench", description=__doc__)
    parser.add_argument("--sets", type=at_least(1), default=60)
    parser.add_argument("--seed", type=at_least(0), default=FIRST, help="seed of the first set")
    parser.add_argument("--jobs", type=at_least(1), default=1, help="sets looked at at the same time")
    parser.add_argument("--as-said", action="store_true", help="the owner insists on what is refused")
    args = parser.parse_args(argv)
    refused: dict[str, Counter[str]] = defaultdict(Counter)
    tried: dict[str, Counter[str]] = defaultdict(Counter)
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        for kind, found in pool.map(insisted if args.as_said else trials, range(args.seed, args.seed + args.sets)):
            tried[kind].update(found.keys())
            refused[kind].update(name for name, no in found.items() if no)
    names = [*SAID, "down", "twice"]
    print(f"{'read back' if args.as_said else 'refused':10}" + "".join(f"{name:>12}" for name in names))
    for kind in sorted(tried):
        print(f"{kind:10}" + "".join(f"{refused[kind][n]:>8}/{tried[kind][n]:<3}" for n in names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
