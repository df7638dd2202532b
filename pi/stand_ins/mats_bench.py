"""How well mats are read: `python -m pi.stand_ins.mats_bench [--pictures N] [--seed S] [--mat NAME]...
[--lamp [--exposures]]`.

Draws mats as they are printed, pieces laid by chance in any light and before any camera (glare, shadows, blur,
wavy paper, pieces off the middle or on a line, a hand now and then), reads them, and prints shares with Wilson
intervals. Nothing of what is drawn reaches the eye but the picture and the mat's own print.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from pi.sheets.eyes import eyes_mat
from pi.stand_ins.laid_mats import UNCLIPPED, LaidMat, laminated, lay_at_random
from pi.stand_ins.mats import mat_of
from vision.mats.read import read_mat
from vision.reading import EMPTY, Reading, Status
from vision.trials.evaluate_frames import by_exposures
from vision.trials.scoring import interval

MATS = ("palindromes:16", "blob:8", "runaround:20")


@dataclass(frozen=True, slots=True)
class Scored:
    """One reading beside the truth."""

    mat: str
    tally: Counter[str]
    """Places by how they were read, pictures by what became of them."""
    wrong: tuple[str, ...]
    """Places that are sure and wrong, in words."""


def score(laid: LaidMat, reading: Reading) -> Scored:
    """Return how a mat was read. A place on which a piece lies over the line may only be asked about."""
    tally: Counter[str] = Counter()
    wrong = []
    name = laid.mat.name
    if laid.busy:
        tally["busy pictures"] += 1
        tally["busy seen"] += reading.status in (Status.BUSY, Status.NO_TRAY)
        return Scored(name, tally, () if tally["busy seen"] else ("a hand was not noticed",))
    tally["pictures"] += 1
    if not reading.places:
        tally["refused"] += 1
        return Scored(name, tally, ())
    strays = {place for stray in reading.strays for place in stray.near}
    for place in reading.places:
        truth = laid.holds[place.place]
        if place.place in laid.doubtful:
            tally["over a line"] += 1
            # A picture with a stray or a doubt beside the piece is asked about, whatever its places say.
            asked = not place.sure or place.place in strays
            tally["over a line, asked"] += asked
            if not asked and place.holds != EMPTY:
                wrong.append(f"place {place.place}: a piece over its line read as {place.holds}")
            continue
        kind = "bare" if truth == EMPTY else "held"
        tally[f"{kind} places"] += 1
        tally[f"{kind} right"] += place.holds == truth
        tally[f"{kind} asked"] += not place.sure
        if place.sure and place.holds != truth:
            tally[f"{kind} silent"] += 1
            wrong.append(f"place {place.place}: {truth} read as {place.holds} ({place.confidence:.4f})")
    plain = laid.strays == 0
    tally["plain pictures"] += plain
    tally["plain read"] += plain and reading.status is Status.READ
    tally["plain strays"] += plain and bool(reading.strays)
    tally["stray pictures"] += not plain
    tally["stray asked"] += not plain and reading.status is not Status.READ
    return Scored(name, tally, tuple(wrong))


LINES = (
    ("bare places right", "bare right", "bare places"),
    ("bare places asked about", "bare asked", "bare places"),
    ("bare places silently wrong", "bare silent", "bare places"),
    ("held places right", "held right", "held places"),
    ("held places asked about", "held asked", "held places"),
    ("held places silently wrong", "held silent", "held places"),
    ("pictures read at once, all pieces in place", "plain read", "plain pictures"),
    ("pictures with something invented on a line", "plain strays", "plain pictures"),
    ("pictures with a piece on a line, asked about", "stray asked", "stray pictures"),
    ("pictures without a mat that could be read", "refused", "pictures"),
    ("pictures with a hand, waited for", "busy seen", "busy pictures"),
)


def report(scores: Sequence[Scored]) -> str:
    """Return the figures by mat, each share with its Wilson interval."""
    lines = []
    for name in dict.fromkeys(scored.mat for scored in scores):
        total: Counter[str] = Counter()
        for scored in scores:
            if scored.mat == name:
                total.update(scored.tally)
        lines.append(f"{name}: {total['pictures']} pictures, and {total['busy pictures']} with a hand")
        lines += [_line(words, total[hit], total[of]) for words, hit, of in LINES if total[of]]
    return "\n".join(lines)


def _line(words: str, hits: int, trials: int) -> str:
    share = 100 * hits / trials
    return f"  {words:46}{hits:6d} of {trials:6d}  {share:7.2f} %  ({interval(hits, trials, digits=2)})"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; 1 when anything was silently wrong."""
    parser = argparse.ArgumentParser(prog="python -m pi.stand_ins.mats_bench", description="How well mats are read.")
    parser.add_argument("--pictures", type=int, default=60, help="how many to draw and read")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mat", action="append", metavar="NAME", help=f"default: {', '.join(MATS)}")
    parser.add_argument("--lamp", action="store_true", help="laminated mats, which mirror a lamp each, in bright rooms")
    parser.add_argument("--exposures", action="store_true", help="with --lamp: in less light, too, where it would ask")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the pictures with errors there")
    args = parser.parse_args(argv)
    if args.exposures and not args.lamp:
        print("mats_bench: exposures are drawn of mats in a lamp (expected --lamp), at --exposures", file=sys.stderr)
        return 2
    names = args.mat or list(MATS)
    if unknown := [name for name in names if mat_of(name) is None]:
        print(f"mats_bench: {unknown[0]!r} is no mat (expected one like {', '.join(MATS)}), at --mat", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    scores = []
    for number in range(args.pictures):
        name = names[number % len(names)]
        mat = eyes_mat(name)
        assert mat is not None
        rng = np.random.default_rng([args.seed, number])
        laid = laminated(lay_at_random(name, rng, share=UNCLIPPED), rng) if args.lamp else lay_at_random(name, rng)
        shorter = laid.shorter_bgr if args.exposures else ()
        scored = score(laid, by_exposures([laid.picture_bgr, *shorter], partial(read_mat, mat=mat)))
        scores.append(scored)
        for words in scored.wrong:
            print(f"seed {args.seed} picture {number} ({name}): {words}")
        if scored.wrong and args.out is not None:
            args.out.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(args.out / f"{args.seed}-{number}.jpg"), laid.picture_bgr)
    print(report(scores))
    return 1 if any(scored.wrong for scored in scores) else 0


if __name__ == "__main__":
    sys.exit(main())
