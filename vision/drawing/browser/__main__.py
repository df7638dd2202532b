"""Make a folder of trays drawn by Chromium: `python -m vision.drawing.browser OUT --scenes N --seed S`.

Nothing the nets have learnt from is drawn like these: perspective, shadows, gloss and digits are the browser's. Fonts
as of `python -m vision.drawing.traced`; `--fonts none` takes the browser's own. Some two seconds a picture. Pictures
that are in OUT already are left as they are. Progress goes to standard error. Exit status 2 for what cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from vision.drawing.browser.chromium import browser
from vision.drawing.browser.making import DIGITS, FAMILIES, Job, checked, make_file
from vision.drawing.folders import in_fonts, made, parser_for


def main(argv: Sequence[str] | None = None) -> int:
    """Make the pictures; return the exit status."""
    parser = parser_for("python -m vision.drawing.browser", __doc__, families=FAMILIES, scenes=60)
    options = parser.parse_args(argv)
    return made(make_file, lambda: _jobs(options), processes=options.jobs)


def _jobs(options: argparse.Namespace) -> list[Job]:
    browser()
    return in_fonts(options, checked, digits=DIGITS)


if __name__ == "__main__":
    sys.exit(main())
