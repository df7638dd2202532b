"""`feltside print SHEET`: what is printed rather than shown. Each sheet is a module of its own, listed here."""

from __future__ import annotations

import argparse
from importlib import import_module

SHEETS = {
    "wiring": ("pi.wiring", "the wiring diagram of the board, as SVG, from the pin map"),
    "fiducials": ("pi.sheets.fiducials", "the markers for the tray's corners, with a line to check the printer"),
    "mat": ("pi.sheets.mats", "a mat for the tray: Run Buster, Palindromes, Blob"),
    "board": ("pi.sheets.boards", "a board: Runaround"),
    "scoresheet": ("pi.sheets.scores", "a score sheet for paper and pencil"),
}
"""Name -> (module with `add_arguments(parser)` and `run(args) -> int`, one line of help)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare every sheet with its own arguments."""
    sheets = parser.add_subparsers(dest="sheet", required=True, metavar="SHEET")
    for name, (module, line) in SHEETS.items():
        import_module(module).add_arguments(sheets.add_parser(name, help=line, description=line))


def run(args: argparse.Namespace) -> int:
    """Print the sheet; returns the exit status."""
    status: int = import_module(SHEETS[args.sheet][0]).run(args)
    return status
