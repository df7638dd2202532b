"""`feltside print scoresheet GAME`: a sheet for tables that keep score on paper for once."""

from __future__ import annotations

import argparse

from pi.pdf import Sheet
from pi.rules.games import RULESETS
from pi.sheets import paper

ROWS = 24
LEFT, TOP, ROW_MM, FIRST_MM, WIDE_MM = 15.0, 42.0, 9.0, 24.0, 180.0


def sheet(game: str) -> Sheet:
    """Return a table with a column for each seat, a row for each round or turn, and a sum."""
    rules = RULESETS[game]
    found = Sheet(210, 287, f"{rules.title}: score sheet")
    found.words(LEFT, 22, rules.title, size=9)
    found.words(LEFT, 31, "date, players, house rules:", size=4, grey=0.4)
    seats = max(2, rules.seats[1])
    columns = [LEFT, *(LEFT + FIRST_MM + (WIDE_MM - FIRST_MM) / seats * n for n in range(seats + 1))]
    for row in range(ROWS + 3):
        y = TOP + ROW_MM * row
        found.line((LEFT, y), (LEFT + WIDE_MM, y), width=0.5 if row in (0, 1, ROWS + 1, ROWS + 2) else 0.2)
        label = "seat" if row == 0 else "sum" if row == ROWS + 1 else str(row) if row <= ROWS else ""
        found.words(LEFT + 2, y + 6.3, label, size=4, grey=0.4)
    for x in columns:
        found.line((x, TOP), (x, TOP + ROW_MM * (ROWS + 2)), width=0.3)
    for seat in range(seats):
        found.words((columns[seat + 1] + columns[seat + 2]) / 2, TOP + 6.3, str(seat + 1), anchor="middle", grey=0.4)
    found.words(LEFT, TOP - 4, rules.source, size=3, grey=0.4)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", choices=list(RULESETS))
    paper.add_output(parser, paper="a4")


def run(args: argparse.Namespace) -> int:
    """Write the sheet."""
    return paper.write(paper.pages(sheet(args.game), paper=args.paper), args.out)
