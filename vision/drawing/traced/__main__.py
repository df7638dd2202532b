"""Make a folder of traced pictures: `python -m vision.drawing.traced OUT --scenes N --family A,F --seed S`.

Fonts: the packages named in vision/training/fonts.txt that are installed; `--fonts check` (as it stands) takes those
that the training never sees, `--fonts train` the others, `--fonts none` the built-in strokes. Pictures that are in
OUT already are left as they are. `--frames 6` keeps five further frames of each tray beside its picture, for
`vision.evaluate --frames 6`. Progress goes to standard error. Exit status 2 for what cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from vision.drawing.folders import fonts, made, missing, parser_for, with_short
from vision.drawing.traced.laying import FAMILIES
from vision.drawing.traced.making import DIGITS, Job, make_file
from vision.drawing.traced.povray import tracer
from vision.drawing.traced.staging import LIMITS_PX
from vision.errors import BadScene
from vision.options import at_least


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
    tracer()
    families = options.family.split(",")
    for family in families:
        if family not in FAMILIES:
            raise BadScene(f"family {family!r} is unknown (expected one of {', '.join(FAMILIES)})")
    glyph_sets = fonts(options.fonts, seed=options.seed)
    sizes = [size_of(s) for s in options.size.split(",")]
    return [
        (family, options.seed, index, sizes[index % len(sizes)], few, options.out, options.frames, options.short)
        for family, index, few in missing(options, families, glyph_sets, digits=DIGITS, first=options.first)
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = parser_for("python -m vision.drawing.traced", __doc__, families=list(FAMILIES), scenes=20)
    parser.add_argument("--first", type=at_least(0), default=0, help="number of the first picture of each family")
    parser.add_argument("--size", default="1280x960", help="several with commas, taken in turn")
    parser.add_argument(
        "--frames", type=at_least(1), default=1, help="of each still tray, each with noise of its own (default: one)"
    )
    options = with_short(parser).parse_args(argv)
    return made(make_file, lambda: _jobs(options), processes=options.jobs)


if __name__ == "__main__":
    sys.exit(main())
