"""`feltside count`: the runs on boards written as text."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from typing import Any

from pi.doors.sources import read_text
from pi.errors import BadBoard
from pi.rules.runs import Count, Variant, count
from pi.rules.values import Board, Layout


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside count`."""
    parser.add_argument("--board", choices=[x.value for x in Layout], default="rows", help="how the tiles lie")
    parser.add_argument("--elevator", action="store_true", help="row ends meet the starts of all rows")
    parser.add_argument("--vertical", action="store_true", help="columns count too")
    parser.add_argument("--no-wrap", action="store_true", help="lines do not close to rings")
    parser.add_argument("--json", action="store_true", help="one JSON object a board")
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        help="cells parted by spaces (# wild, ? face down, . empty), boards by an empty line; - is standard input",
    )


def run(args: argparse.Namespace) -> int:
    """Count every board of the file; all are checked before the first is printed."""
    variant = Variant(elevator=args.elevator, vertical=args.vertical, wrap=not args.no_wrap)
    counted = []
    for line, text in boards(read_text(args.file)):
        try:
            counted.append(count(Board.parse(text, layout=Layout(args.board)), variant=variant))
        except BadBoard as no:
            raise BadBoard(f"{no}, in the board from line {line} of {args.file}") from None
    if not counted:
        raise BadBoard(f"there is no board in {args.file} (expected lines of cells parted by spaces)")
    for found in counted:
        print(json.dumps(as_json(found)) if args.json else as_text(found))
    return 0


def boards(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number of the first line, text) of each board."""
    for match in re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|$))+", text):
        yield text.count("\n", 0, match.start()) + 1, match.group()


def as_json(found: Count) -> dict[str, Any]:
    """Return a count in the form of the contract.

    `assignment` is null without wilds; with wilds it holds, for each total, [row, column, number] of
    every wild, and `runs` is null because they depend on the assignment.
    """
    wilds = found.runs is None
    return {
        "totals": list(found.totals),
        "runs": None if found.runs is None else [[list(cell) for cell in run] for run in found.runs],
        "assignment": {
            str(total): [[*cell, int(number)] for cell, number in sorted(found.assignments[total].items())]
            for total in found.totals
        }
        if wilds
        else None,
    }


def as_text(found: Count) -> str:
    """Return a count for people."""
    if found.runs is None:
        return "\n".join(
            f"{_runs(total)}: {', '.join(f'{_cell(c)} as {n}' for c, n in sorted(found.assignments[total].items()))}"
            for total in found.totals
        )
    listed = "; ".join(" ".join(_cell(cell) for cell in run) for run in found.runs)
    return f"{_runs(found.totals[0])}{': ' + listed if listed else ''}"


def _runs(total: int) -> str:
    return f"{total} run" if total == 1 else f"{total} runs"


def _cell(cell: tuple[int, int]) -> str:
    return f"({cell[0]},{cell[1]})"
