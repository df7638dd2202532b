"""`feltside print board runaround`: our own drawing of the loop, after the words of the rule sheet (RULES.md 3)."""

from __future__ import annotations

import argparse

from pi.errors import BadSettings
from pi.pdf import Sheet
from pi.rules.games.runaround_rules import PAWNS, RUNS_TO_WIN, SPACES, across, spaces_problem
from pi.sheets import paper
from pi.sheets.fiducials import draw_in_corners
from pi.stand_ins.mats import TRAY_MM

LANE_MM = 42.0
"""Height of a lane."""


def centre_of(space: int, *, spaces: int) -> tuple[float, float]:
    """Return the middle of a space on the board, (x, y) in millimetres."""
    half, side = spaces // 2, _side(spaces)
    column = space if space <= half else spaces - space
    x = (TRAY_MM[0] - side * (half + 1)) / 2 + (column + 0.5) * side
    if space in (0, half):
        return x, TRAY_MM[1] / 2
    return x, TRAY_MM[1] / 2 + (-LANE_MM / 2 if space < half else LANE_MM / 2)


def _side(spaces: int) -> float:
    return min(32.0, (TRAY_MM[0] - 12) / (spaces // 2 + 1))


def runaround(spaces: int) -> Sheet:
    """Return the board: two lanes back to back between the starting spaces, walls, homes and runs."""
    sheet = Sheet(*TRAY_MM, "Runaround board")
    side, half = _side(spaces), spaces // 2
    for space in range(spaces):
        x, y = centre_of(space, spaces=spaces)
        tall = 2 * LANE_MM if space in (0, half) else LANE_MM
        sheet.box(x - side / 2, y - tall / 2, side, tall, width=0.4)
        sheet.words(x, y - tall / 2 + 6, str(space), size=3.5, anchor="middle", grey=0.4)
        if space < half and across(space, spaces=spaces) is not None:
            wall = TRAY_MM[1] / 2
            sheet.line((x - side / 2, wall), (x + side / 2, wall), width=2.4)
    for player, space in enumerate((0, half)):
        x, y = centre_of(space, spaces=spaces)
        sheet.words(x, y + 2, f"start {player + 1}", size=4, anchor="middle")
    _arrows(sheet, spaces)
    _homes(sheet)
    sheet.words(
        TRAY_MM[0] / 2,
        TRAY_MM[1] - 6,
        "Runaround by Jonathan Leistiko; board drawn by us",
        size=3,
        anchor="middle",
        grey=0.4,
    )
    draw_in_corners(sheet)
    return sheet


def _arrows(sheet: Sheet, spaces: int) -> None:
    middle = TRAY_MM[1] / 2
    for y, text in (
        (middle - LANE_MM - 4, "player 1 runs to the right here, player 2 to the left"),
        (middle + LANE_MM + 7, "player 1 runs to the left here, player 2 to the right"),
    ):
        sheet.words(TRAY_MM[0] / 2, y, text, size=3.5, anchor="middle")


def _homes(sheet: Sheet) -> None:
    """Draw for each player the home of the pawns and the marker's way: player 1 below, player 2 above."""
    for player, y in ((1, TRAY_MM[1] - 40), (2, 24.0)):
        left = 60.0
        sheet.words(left, y - 4, f"home {player}", size=4)
        for n in range(PAWNS):
            sheet.circle(left + 8 + 20 * n, y + 8, 8, width=0.4)
        for run in range(RUNS_TO_WIN + 1):
            x = 180.0 + 20 * run
            sheet.circle(x, y + 8, 8, width=0.4)
            sheet.words(x, y + 10, str(run), size=5, anchor="middle", grey=0.5)
        sheet.words(172, y - 4, "runs", size=4)


BOARDS = {"runaround": runaround}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", choices=sorted(BOARDS))
    parser.add_argument("--spaces", type=int, default=SPACES, metavar="N", help="spaces of the loop, an even number")
    paper.add_output(parser, paper="a3")


def run(args: argparse.Namespace) -> int:
    """Write the board."""
    if sentence := spaces_problem(args.spaces):
        raise BadSettings(f"{sentence.rstrip('.')}, at --spaces")
    return paper.write(paper.pages(BOARDS[args.game](args.spaces), paper=args.paper), args.out)
