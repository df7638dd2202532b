"""Small questions that the installer and the update ask before they touch anything.

`python -m pi.doors.upkeep idle --state FOLDER`: may the services be restarted now, or is a match being played?
`python -m pi.doors.upkeep settings --config FILE`: do these settings hold?
Status 0 for yes, 2 for no with one sentence.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pi.errors import FeltsideError
from pi.rescue import INSTALLED
from pi.settings import load_settings
from pi.upkeep import check_idle


def installed_settings(given: Path | None, *, installed: Path = INSTALLED) -> Path | None:
    """Return the settings file that a command reads: the one named, else the installed one, else None: the defaults."""
    return given or (installed if installed.exists() else None)


def main(argv: Sequence[str] | None = None) -> int:
    """Answer one question."""
    parser = argparse.ArgumentParser(prog="python -m pi.doors.upkeep", description=__doc__)
    parser.add_argument("question", choices=("idle", "settings"))
    parser.add_argument("--config", type=Path)
    parser.add_argument("--state", type=Path)
    args = parser.parse_args(argv)
    try:
        settings = load_settings(args.config, state=args.state)
        if args.question == "idle":
            check_idle(settings.journal, now=datetime.now(UTC))
    except FeltsideError as no:
        print(f"feltside: {no}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
