"""`feltside judge`: rounds, turns and boards, written as JSON lines, with the answers added.

Every line is an object; the answers a line already carries are replaced. A line that is JSON but not
lawful gets `{"refused": "reason"}`. A line that is not JSON ends everything: one sentence with its number,
exit status 2, and nothing is printed, not even for the lines before it (they are all read first).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

from pi.doors.judge_lines import Line, Unlawful, closed, whole_object
from pi.doors.judge_pencil import blob, divisors, palindromes, sums_grid
from pi.doors.judge_table import draw_bridge, run_buster, scramble_round
from pi.doors.sources import read_text
from pi.errors import BadLine

GAMES: dict[str, Callable[[Line], Line]] = {
    "scramble-round": scramble_round,
    "draw-bridge": draw_bridge,
    "run-buster": run_buster,
    "palindromes": palindromes,
    "blob": blob,
    "sums-grid": sums_grid,
    "divisors": divisors,
}
"""What can be judged: name -> (a line) -> the line with its answers; raises Unlawful."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside judge`."""
    parser.add_argument("game", choices=list(GAMES), help="what the lines describe")
    parser.add_argument("file", nargs="?", default="-", help="JSON lines; - is standard input")


def run(args: argparse.Namespace) -> int:
    """Judge every line of the file; raises BadLine before anything is printed when one is not JSON."""
    answers = [judged(args.game, data) for data in parsed(read_text(args.file), name=args.file)]
    for answer in answers:
        print(json.dumps(answer))
    return 0


def judged(game: str, data: Any) -> Line:
    """Return a line with its answers, or `{"refused": reason}`; KeyError for an unknown game."""
    try:
        if isinstance(data, Unlawful):
            raise data
        return GAMES[game](whole_object(data))
    except Unlawful as no:
        return {"refused": str(no)}


def parsed(text: str, *, name: str) -> Iterator[Any]:
    """Yield what each line that is not blank holds; Unlawful (not raised) for a field named twice.

    Raises BadLine naming the first line that is not JSON.
    """
    # Not splitlines: JSON strings may hold other line breaks (U+2028) that are no end of a line.
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield json.loads(line, object_pairs_hook=closed, parse_constant=_no_number)
        except Unlawful as no:
            yield no
        except (ValueError, RecursionError) as no:
            reason = getattr(no, "msg", None) or "it is nested too deeply or holds no JSON number"
            raise BadLine(f"line {number} of {name} is not JSON (expected one object): {reason}") from None


def _no_number(word: str) -> Any:
    raise ValueError(word)
