"""`feltside print scoresheet GAME`: a sheet for tables that keep score on paper for once."""

from __future__ import annotations

import argparse

from pi.pdf import Sheet
from pi.rules.games import RULESETS
from pi.sheets import paper

LEFT, TOP, ROW_MM, FIRST_MM, WIDE_MM = 15.0, 42.0, 9.0, 24.0, 180.0
WIDTH_MM, EDGE_MM = 210.0, 10.0
"""Width of the sheet, which fits every paper, and how much less high than the paper it is."""
FOOT_MM = 11.0
"""Left free below the table: there is the line that checks the printer's scale."""


def sheet(game: str, *, paper_mm: float = paper.PAPERS["a4"][1]) -> Sheet:
    """Return a table with a column for each seat, a row for each round or turn, and a sum.

    paper_mm: how high the paper is; rows are as high on all, for a hand to write in, and fewer on a lower one.
    """
    rules = RULESETS[game]
    found = Sheet(WIDTH_MM, paper_mm - EDGE_MM, f"{rules.title}: score sheet")
    rows = int((found.height - FOOT_MM - TOP) / ROW_MM) - 2
    found.words(LEFT, 22, rules.title, size=9)
    found.words(LEFT, 31, "date, players, house rules:", size=4, grey=0.4)
    seats = max(2, rules.seats[1])
    columns = [LEFT, *(LEFT + FIRST_MM + (WIDE_MM - FIRST_MM) / seats * n for n in range(seats + 1))]
    for row in range(rows + 3):
        y = TOP + ROW_MM * row
        found.line((LEFT, y), (LEFT + WIDE_MM, y), width=0.5 if row in (0, 1, rows + 1, rows + 2) else 0.2)
        label = "seat" if row == 0 else "sum" if row == rows + 1 else str(row) if row <= rows else ""
        found.words(LEFT + 2, y + 6.3, label, size=4, grey=0.4)
    for x in columns:
        found.line((x, TOP), (x, TOP + ROW_MM * (rows + 2)), width=0.3)
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
    high = min(paper.PAPERS.get(args.paper, paper.PAPERS["a4"])[1], paper.PAPERS["a4"][1])
    return paper.write(paper.pages(sheet(args.game, paper_mm=high), paper=args.paper), args.out)
