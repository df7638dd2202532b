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

from vision.drawing.folders import fonts, made, missing, parser_for
from vision.drawing.many import DIGITS, LAYOUT_OF, Job, checked, make_file
from vision.options import share


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = parser_for("python -m vision.drawing", __doc__, families=list(LAYOUT_OF), scenes=100)
    parser.add_argument("--digits", type=share, help="height of the digits over the tile's (default: any usual one)")
    parser.add_argument("--prints", choices=("usual", "other"), default="usual", help="other: small, aside, ornaments")
    parser.add_argument(
        "--on-heads", action="store_true", help="the six and nine of one colour lie upside down, by arcs"
    )
    options = parser.parse_args(argv)
    return made(make_file, lambda: _jobs(options), processes=options.jobs)


def _jobs(options: argparse.Namespace) -> list[Job]:
    families = [checked(family) for family in options.family.split(",")]
    glyph_sets = fonts(options.fonts, seed=options.seed)
    return [
        (family, options.seed, index, few, options.digits, options.prints == "other", options.on_heads, options.out)
        for family, index, few in missing(options, families, glyph_sets, digits=DIGITS)
    ]


if __name__ == "__main__":
    sys.exit(main())
