"""What the daily enemies do to the eye: `python -m vision.evaluate_faults FOLDER [--fault NAME | --together N]`.

Reads each labelled picture of a folder (the form of `python -m vision.evaluate`) once as it is and once with each
fault done to it: hard and soft shadows, dim, bright, warm and cold light, bands of a flickering lamp, veils of light,
defocus, motion, noise, what camera programs do, a lamp mirrored on each piece or on some (see
`vision.drawing.faults`); hairs, mirrored windows, sunlight, two lamps, wide lenses, a sleeve (`table_faults` there: the
label moves along, and what lies under a sleeve is to be waited for). --together reads each picture once, with so many
faults at once, chosen by chance among those that leave the label as it is. Prints a table by fault, of colours how many
are told and, in brackets, how many of these are wrong; --list names what was not read right. Progress goes to standard
error. Exit status 1 if any picture was silently wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from vision.drawing.faults import ABSURD, FAULTS, ON_PIECES, faults_on, together
from vision.drawing.table_faults import WITH_TRAY, TableFault, staying
from vision.errors import BadLabels, VisionError
from vision.geometry import Floats, upright_around
from vision.options import at_least, say_progress
from vision.reader import read
from vision.reading import Status
from vision.trials.labelled import Sample, find_samples
from vision.trials.scoring import Score, Truth, expectation_of, interval, score

ALL = (*FAULTS, *ON_PIECES, *WITH_TRAY)
"""The names of all faults."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One labelled picture, read with one fault."""

    fault: str
    name: str
    score: Score


def run(
    samples: Sequence[Sample],
    faults: Sequence[str],
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Tried]:
    """Return every sample read with every fault. Raises BadLabels for a picture that is none."""
    out = []
    for fault in faults:
        for sample in samples:
            rng = np.random.default_rng(crc32(f"{fault} {sample.name}".encode()))
            out.append(Tried(fault, sample.name, _scored(sample, _named(fault, sample.truth), rng)))
            progress(len(out), len(samples) * len(faults))
    return out


def _named(fault: str, truth: Truth) -> TableFault:
    """Return a fault by its name, for a picture with such a label."""
    if fault in WITH_TRAY:
        return WITH_TRAY[fault]
    # Only a lamp on pieces needs to know where these lie, which not all labels say.
    return staying(FAULTS[fault] if fault in FAULTS else faults_on(pieces_px(truth))[fault])


def run_together(
    samples: Sequence[Sample],
    count: int,
    *,
    seed: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Tried]:
    """Return every sample read with `count` faults at once, others for each. Raises BadLabels as `run` does."""
    usual, out = [name for name in FAULTS if name not in ABSURD], []
    for sample in samples:
        rng = np.random.default_rng([seed, crc32(sample.name.encode())])
        names = [usual[int(k)] for k in rng.choice(len(usual), count, replace=False)]
        out.append(Tried(", ".join(names), sample.name, _scored(sample, staying(together(names)), rng)))
        progress(len(out), len(samples))
    return out


def pieces_px(truth: Truth) -> Floats:
    """Return (n, 4, 2) the corners of all pieces of a label: of tiles, of dice's tops, of squares around disks.

    Raises BadLabels for a piece of which the label does not say them.
    """
    try:
        quads = [tile["quad"] for tile in truth.get("tiles", ())] + [die["top_quad"] for die in truth.get("dice", ())]
        quads += [upright_around(disk["outline"]) for disk in truth.get("disks", ())]
        corners = np.array(quads, dtype=np.float64).reshape(-1, 4, 2)
        if not np.isfinite(corners).all():
            raise ValueError("not all of them are numbers")
        return corners
    except (KeyError, TypeError, ValueError) as problem:
        raise BadLabels(f"labels of {truth.get('image')}: no corners of a piece ({problem})") from None


def _scored(sample: Sample, fault: TableFault, rng: np.random.Generator) -> Score:
    picture, truth = fault(sample.pixels(), sample.truth, rng)
    return score(read(picture, expect=expectation_of(truth)), truth)


def table(tried: Sequence[Tried], *, whole: str | None = None) -> str:
    """Return the figures by fault as text. whole: what to call them all, in one line; None for a line a fault."""
    head = f"{'':46}{'n':>4} {'right at first (95 %)':>24} {'read':>5} {'unsure':>6} {'waits':>6}"
    lines = [f"{head} {'colours':>13} {'WRONG':>6}"]
    for name in [whole] if whole else dict.fromkeys(t.fault for t in tried):
        scores = [t.score for t in tried if whole or t.fault == name]
        right = sum(s.right for s in scores)
        share = f"{right}/{len(scores)} {interval(right, len(scores))}"
        each = [s.status for s in scores]
        told, amiss = (sum(s.colour_sure[k] for s in scores) for k in (0, 1))
        colours = f"{told} ({amiss})"
        waits = len(each) - each.count(Status.READ) - each.count(Status.UNSURE)
        lines.append(
            f"{name:46}{len(scores):4d} {share:>24} {each.count(Status.READ):5d} {each.count(Status.UNSURE):6d} "
            f"{waits:6d} {colours:>13} {sum(s.silently_wrong for s in scores):6d}"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Read a labelled folder with every fault and print the figures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate_faults", description=__doc__)
    parser.add_argument("folder", type=Path)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fault", action="append", choices=ALL, metavar="NAME", help="only these")
    which.add_argument("--together", type=_how_many, metavar="N", help="so many at once, by chance")
    parser.add_argument("--seed", type=at_least(0), default=1, help="of that chance")
    parser.add_argument("--family", action="append", help="only these families")
    parser.add_argument("--list", action="store_true", help="name what was not read right")
    options = parser.parse_args(argv)
    if not options.folder.is_dir():
        print(f"{options.folder}: no such folder", file=sys.stderr)
        return 2
    try:
        samples = find_samples(options.folder, families=options.family)
        started = time.monotonic()
        progress = partial(say_progress, "readings")
        if options.together:
            tried = run_together(samples, options.together, seed=options.seed, progress=progress)
        else:
            tried = run(samples, options.fault or ALL, progress=progress)
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.list:
        for t in (t for t in tried if not t.score.right):
            mark = "SILENT" if t.score.silently_wrong else t.score.status.value
            print(f"{t.name:12} {mark:8} {t.fault}: {'; '.join(t.score.wrong[:4])}")
    print(table(tried, whole=f"{options.together} faults at once" if options.together else None))
    print(f"{len(tried)} readings in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 1 if any(t.score.silently_wrong for t in tried) else 0


def _how_many(text: str) -> int:
    """Return how many faults are meant; for argparse."""
    most = len(FAULTS) - len(ABSURD)
    count = at_least(1)(text)
    if count > most:
        raise argparse.ArgumentTypeError(f"{count} is too many (expected 1 to {most})")
    return count


if __name__ == "__main__":
    sys.exit(main())
