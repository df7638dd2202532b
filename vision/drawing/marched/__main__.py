"""Make a folder of trays by sphere tracing: `python -m vision.drawing.marched OUT --scenes N --seed S`.

Needs no other program, and is the hardest in lamps that pieces mirror: in three trays of ten one is seen among them.
Boards lie off the middle, felts have hairs, prints are worn. Fonts as of `python -m vision.drawing.traced`; `--fonts
none` takes the built-in strokes. Some three seconds a picture. Pictures that are in OUT already are left as they are.
Progress goes to standard error. Exit status 2 for what cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from vision.drawing.folders import fonts, jobs_of, made, parser_for
from vision.drawing.marched.making import DIGITS, FAMILIES, Job, checked, make_file


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = parser_for("python -m vision.drawing.marched", __doc__, families=FAMILIES, scenes=60)
    parser.add_argument("--printed", action="store_true", help="prints on each felt, which is taken bare as well")
    parser.add_argument("--like-backs", action="store_true", help="felts of nearly the colour of the tiles' backs")
    options = parser.parse_args(argv)
    return made(make_file, lambda: _jobs(options), processes=options.jobs)


def _jobs(options: argparse.Namespace) -> list[Job]:
    jobs = jobs_of(options, checked, lambda: fonts(options.fonts, seed=options.seed), digits=DIGITS)
    return [(job, options.printed, options.like_backs) for job in jobs]


if __name__ == "__main__":
    sys.exit(main())
