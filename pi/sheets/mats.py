"""`feltside print mat GAME`: mats as large as the felt, markers included, so that the eye knows every place."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pi.errors import BadSettings
from pi.pdf import Sheet
from pi.sheets import paper
from pi.sheets.fiducials import draw_in_corners
from pi.sheets.target import ROLL_TONE, draw_target
from pi.stand_ins.mats import MOST_SQUARES, RUN_BUSTER, TRAY_MM, blob_mat, palindromes_mat


def run_buster(size: int) -> Sheet:
    """Return Run Buster's mat: the roll zone, and a hand zone for each seat, in a tone that no die has."""
    sheet = Sheet(*TRAY_MM, "Run Buster mat")
    roll = RUN_BUSTER[0]
    sheet.box(roll.left + 2, roll.top + 2, roll.width - 4, roll.height - 4, fill=ROLL_TONE, stroke=None)
    sheet.words(*roll.middle, "roll here", size=7, anchor="middle", grey=0.5)
    sheet.words(
        roll.middle[0], roll.top + roll.height - 5, "Run Buster by Mark Steere", size=3.5, anchor="middle", grey=0.4
    )
    for zone in RUN_BUSTER[1:]:
        sheet.box(zone.left + 2, zone.top + 2, zone.width - 4, zone.height - 4, fill=ROLL_TONE, stroke=None)
        sheet.words(zone.left + 5, zone.top + 8, f"hand {zone.number}", size=4, grey=0.4)
    draw_in_corners(sheet)
    return sheet


def palindromes(size: int) -> Sheet:
    """Return the row of squares for dark (1) and light (0) counters."""
    sheet = Sheet(*TRAY_MM, "Palindromes mat")
    places = palindromes_mat(size).places
    for place in places:
        sheet.box(place.left, place.top, place.width, place.height, width=0.6)
        draw_target(sheet, *place.middle)
        sheet.words(place.middle[0], place.top + place.height + 7, str(place.number + 1), anchor="middle")
    top = places[0].top
    sheet.words(TRAY_MM[0] / 2, top - 10, "Palindromes: dark counters are 1, light ones 0", size=6, anchor="middle")
    sheet.words(TRAY_MM[0] / 2, TRAY_MM[1] - 8, "A game by Leroy Quet", size=3.5, anchor="middle", grey=0.4)
    draw_in_corners(sheet)
    return sheet


def blob(size: int) -> Sheet:
    """Return the grid for counters; rows are player 1's, columns player 2's."""
    sheet = Sheet(*TRAY_MM, "Blob mat")
    places = blob_mat(size).places
    for place in places:
        sheet.box(place.left, place.top, place.width, place.height, width=0.6)
        draw_target(sheet, *place.middle)
    for n in range(size):
        down, right = places[n * size], places[n]
        sheet.words(down.left - 4, down.middle[1] + 1.5, str(n + 1), anchor="end")
        sheet.words(right.middle[0], right.top - 2.5, str(n + 1), anchor="middle")
    sheet.words(5, TRAY_MM[1] / 2, "player 1: dark", size=4)
    sheet.words(5, TRAY_MM[1] / 2 + 6, "counters, rows", size=4)
    sheet.words(TRAY_MM[0] - 5, TRAY_MM[1] / 2, "player 2: light", size=4, anchor="end")
    sheet.words(TRAY_MM[0] - 5, TRAY_MM[1] / 2 + 6, "counters, columns", size=4, anchor="end")
    sheet.words(TRAY_MM[0] - 5, TRAY_MM[1] / 2 + 14, "Blob by Leroy Quet", size=3, anchor="end", grey=0.4)
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
    if args.size is not None and not usual:
        raise BadSettings(f"the mat of {args.game} has one size (expected no --size), at --size {args.size}")
    size = usual if args.size is None else args.size
    if usual and not 2 <= size <= MOST_SQUARES:
        raise BadSettings(f"{size} squares do not fit the tray (expected 2 to 16), at --size")
    return paper.write(paper.pages(draw(size), paper=args.paper), args.out)
