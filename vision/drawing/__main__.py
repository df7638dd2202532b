"""Make a folder of drawn trays of tiles, many and quickly: `python -m vision.drawing OUT --scenes N --seed S`.

Whole lawful sets, laid by hand in the layouts of the families. Drawn, not traced: flat light, no translucence, but a
hundred times as many. Fonts as of `python -m vision.drawing.traced`, which makes better pictures, of dice and disks
too. Pictures that are in OUT already are left as they are. Progress goes to standard error. Exit status 2 for what
cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

from vision.drawing.folders import fonts
from vision.drawing.many import LAYOUT_OF, Job, checked, make_file
from vision.errors import VisionError


def _jobs(options: argparse.Namespace) -> list[Job]:
    families = [checked(family) for family in options.family.split(",")]
    glyph_sets = fonts(options.fonts, seed=options.seed)
    jobs: list[Job] = []
    for k in range(options.scenes):
        family, index = families[k % len(families)], k // len(families)
        if not (options.out / family / f"{family}_{index:04d}.json").is_file():
            few = (glyph_sets[(options.seed * 31 + k * 7919) % len(glyph_sets)],) if glyph_sets else ()
            jobs.append((family, options.seed, index, few, options.out))
    return jobs


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--family", default=",".join(LAYOUT_OF), help="several with commas, taken in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", choices=("check", "train", "none"), default="check")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    try:
        jobs = _jobs(options)
        with get_context("spawn").Pool(max(1, options.jobs)) as pool:
            for done, name in enumerate(pool.imap_unordered(make_file, jobs, chunksize=4), 1):
                print(f"\r{done}/{len(jobs)} {name}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
