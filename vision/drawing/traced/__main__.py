"""Make a folder of traced pictures: `python -m vision.drawing.traced OUT --scenes N --family A,F --seed S`.

Fonts: the packages named in vision/training/fonts.txt that are installed; `--fonts check` (as it stands) takes those
that the training never sees, `--fonts train` the others, `--fonts none` the built-in strokes. Pictures that are in
OUT already are left as they are. Progress goes to standard error. Exit status 2 for what cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

from vision.drawing.folders import fonts
from vision.drawing.traced.laying import FAMILIES
from vision.drawing.traced.making import Job, make_file
from vision.drawing.traced.povray import tracer
from vision.drawing.traced.staging import LIMITS_PX
from vision.errors import BadScene, VisionError


def size_of(text: str) -> tuple[int, int]:
    """Return a size written as 1280x960; raise BadScene for anything else."""
    parts = text.split("x")
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() for p in parts):
        raise BadScene(f"size {text!r} is not understood (expected like 1280x960)")
    wide, tall = int(parts[0]), int(parts[1])
    if not all(LIMITS_PX[0] <= side <= LIMITS_PX[1] for side in (wide, tall)):
        raise BadScene(f"size {text} cannot be traced (expected sides of {LIMITS_PX[0]} to {LIMITS_PX[1]} pixels)")
    return wide, tall


def _jobs(options: argparse.Namespace) -> list[Job]:
    families = options.family.split(",")
    for family in families:
        if family not in FAMILIES:
            raise BadScene(f"family {family!r} is unknown (expected one of {', '.join(FAMILIES)})")
    sizes = [size_of(s) for s in options.size.split(",")]
    glyph_sets = fonts(options.fonts, seed=options.seed)
    jobs: list[Job] = []
    count = dict.fromkeys(families, options.first)
    for k in range(options.scenes):
        family = families[k % len(families)]
        index = count[family]
        count[family] += 1
        if (options.out / family / f"{family}_{index:03d}.json").is_file():
            continue
        few = (glyph_sets[(options.seed * 31 + k * 7919) % len(glyph_sets)],) if glyph_sets else ()
        jobs.append((family, options.seed, index, sizes[index % len(sizes)], few, options.out))
    return jobs


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing.traced", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--family", default=",".join(FAMILIES), help="several with commas, taken in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first picture of each family")
    parser.add_argument("--size", default="1280x960", help="several with commas, taken in turn")
    parser.add_argument("--fonts", choices=("check", "train", "none"), default="check")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    try:
        tracer()
        jobs = _jobs(options)
        with get_context("spawn").Pool(max(1, options.jobs)) as pool:
            for done, name in enumerate(pool.imap_unordered(make_file, jobs), 1):
                print(f"\r{done}/{len(jobs)} {name}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
