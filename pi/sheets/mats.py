"""`feltside print mat GAME`: mats as large as the felt, markers included, so that the eye knows every place."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pi.errors import BadSettings
from pi.pdf import Sheet
from pi.sheets import paper
from pi.sheets.fiducials import draw_in_corners
from pi.stand_ins.mats import RUN_BUSTER, TRAY_MM, hand_place

DIE_MM = 18.0
MOST_SQUARES = {"palindromes": (2, 16), "blob": (2, 16)}


def run_buster(size: int) -> Sheet:
    """Return Run Buster's mat: the roll zone, and a hand zone with six numbered places for each seat."""
    sheet = Sheet(*TRAY_MM, "Run Buster mat")
    roll = RUN_BUSTER[0]
    sheet.box(roll.left + 2, roll.top + 2, roll.width - 4, roll.height - 4, width=0.8)
    sheet.words(*roll.middle, "roll here", size=7, anchor="middle", grey=0.75)
    sheet.words(
        roll.middle[0], roll.top + roll.height - 5, "Run Buster by Mark Steere", size=3.5, anchor="middle", grey=0.4
    )
    for zone in RUN_BUSTER[1:]:
        sheet.box(zone.left + 2, zone.top + 2, zone.width - 4, zone.height - 4, width=0.8, dash=(4, 2))
        sheet.words(zone.left + 5, zone.top + 9, f"hand {zone.number}", size=4.5, grey=0.4)
        for value in range(1, 7):
            x, y = hand_place(zone.number, value)
            sheet.box(x - DIE_MM / 2, y - DIE_MM / 2, DIE_MM, DIE_MM, width=0.3)
            sheet.words(x, y + 2, str(value), size=6, anchor="middle", grey=0.75)
    draw_in_corners(sheet)
    return sheet


def palindromes(size: int) -> Sheet:
    """Return the row of squares for dark (1) and light (0) counters."""
    sheet = Sheet(*TRAY_MM, "Palindromes mat")
    side = min(22.0, (TRAY_MM[0] - 20) / size)
    left, top = (TRAY_MM[0] - side * size) / 2, (TRAY_MM[1] - side) / 2
    for n in range(size):
        sheet.box(left + n * side, top, side, side, width=0.5)
        sheet.words(left + (n + 0.5) * side, top + side + 6, str(n + 1), anchor="middle")
    sheet.words(TRAY_MM[0] / 2, top - 8, "Palindromes: dark counters are 1, light ones 0", size=6, anchor="middle")
    sheet.words(TRAY_MM[0] / 2, TRAY_MM[1] - 8, "A game by Leroy Quet", size=3.5, anchor="middle", grey=0.4)
    draw_in_corners(sheet)
    return sheet


def blob(size: int) -> Sheet:
    """Return the grid for counters; rows are player 1's, columns player 2's."""
    sheet = Sheet(*TRAY_MM, "Blob mat")
    side = min(28.0, (TRAY_MM[1] - 24) / size)
    left, top = (TRAY_MM[0] - side * size) / 2, (TRAY_MM[1] - side * size) / 2
    for row in range(size):
        sheet.words(left - 4, top + (row + 0.6) * side, str(row + 1), anchor="end")
        sheet.words(left + (row + 0.5) * side, top - 2, str(row + 1), anchor="middle")
        for column in range(size):
            sheet.box(left + column * side, top + row * side, side, side, width=0.4)
    sheet.words(8, TRAY_MM[1] / 2, "player 1: rows", size=4)
    sheet.words(TRAY_MM[0] - 8, TRAY_MM[1] / 2, "player 2: columns", size=4, anchor="end")
    sheet.words(TRAY_MM[0] - 8, TRAY_MM[1] / 2 + 8, "Blob by Leroy Quet", size=3, anchor="end", grey=0.4)
    draw_in_corners(sheet)
    return sheet


MATS: dict[str, tuple[Callable[[int], Sheet], int]] = {
    "run-buster": (run_buster, 0),
    "palindromes": (palindromes, 16),
    "blob": (blob, 8),
}
"""Game -> its mat and how many squares it has as a rule; the rows games are laid on the bare felt."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", choices=sorted(MATS))
    parser.add_argument("--size", type=int, metavar="N", help="squares of the row, or of a side of the grid")
    paper.add_output(parser, paper="a3")


def run(args: argparse.Namespace) -> int:
    """Write the mat."""
    draw, usual = MATS[args.game]
    size = usual if args.size is None else args.size
    if args.game in MOST_SQUARES and not 2 <= size <= MOST_SQUARES[args.game][1]:
        raise BadSettings(f"{size} squares do not fit the tray (expected 2 to 16), at --size")
    return paper.write(paper.pages(draw(size), paper=args.paper), args.out)
