"""`feltside backup FILE`: every match, the pictures behind the readings and the settings as one file.

May be done at any time, also while a match is played.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pi import archive
from pi.clock import utc_text
from pi.doors.upkeep import installed_settings
from pi.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside backup` takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="where to; best on another card or computer")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="where matches and pictures are kept")
    parser.add_argument("--no-pictures", action="store_true", help="leave the pictures out (they are most of it)")
    parser.add_argument("--force", action="store_true", help="put the backup in the place of an older one")


def run(args: argparse.Namespace) -> int:
    """Write the backup."""
    settings = load_settings(installed_settings(args.config), state=args.state)
    backup = archive.write(
        args.file,
        journal=settings.journal,
        evidence=None if args.no_pictures else settings.evidence,
        settings=settings.file,
        made=utc_text(),
        replace=args.force,
    )
    pictures = sum(name.startswith(archive.EVIDENCE) for name in backup.files)
    print(f"{args.file}: {args.file.stat().st_size} bytes, {pictures} files of evidence")
    return 0
