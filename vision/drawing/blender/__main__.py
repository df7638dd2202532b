"""Make a folder of trays modelled and traced by Blender: `python -m vision.drawing.blender OUT --scenes N --seed S`.

Nothing the nets have learnt from looks like these: bodies, materials, lamps and camera are made anew. Fonts as of
`python -m vision.drawing.traced`; `--fonts none` takes Blender's own. Some half a minute a picture and core. Pictures
that are in OUT already are left as they are. Progress goes to standard error. Exit status 2 for what cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from vision.drawing.blender.making import DIGITS, FAMILIES, Job, checked, make_file
from vision.drawing.blender.program import blender
from vision.drawing.folders import in_fonts, made, parser_for, with_short


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = parser_for("python -m vision.drawing.blender", __doc__, families=FAMILIES, scenes=60)
    options = with_short(parser).parse_args(argv)
    return made(make_file, lambda: _jobs(options), processes=options.jobs)


def _jobs(options: argparse.Namespace) -> list[Job]:
    blender()
    return [(*job, options.short) for job in in_fonts(options, checked, digits=DIGITS)]


if __name__ == "__main__":
    sys.exit(main())
