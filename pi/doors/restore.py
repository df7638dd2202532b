"""`feltside restore FILE`: brings a backup's matches and pictures back, onto a blank card for instance.

The table must not run. A journal that is there already is kept beside the restored one. The settings in the
backup are shown on request and never put in place: they belong to the board that is wired here.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from pi import archive
from pi.doors.upkeep import installed_settings
from pi.settings import load_settings
from pi.table import only_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside restore` takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a file of `feltside backup`")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="where matches and pictures are kept")
    parser.add_argument("--look", action="store_true", help="only say what is in the backup")


def run(args: argparse.Namespace) -> int:
    """Restore, or only look."""
    if args.look:
        backup = archive.read_head(args.file)
    else:
        settings = load_settings(installed_settings(args.config), state=args.state)
        aside = f".{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        with only_table(settings.state):
            backup = archive.restore(args.file, state=settings.state, aside=aside)
    pictures = sum(name.startswith(archive.EVIDENCE) for name in backup.files)
    done = "holds" if args.look else "is restored:"
    print(f"{args.file} {done} {pictures} files of evidence; made {backup.made} by Feltside {backup.version}")
    return 0
