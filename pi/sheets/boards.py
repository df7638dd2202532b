"""`feltside print board runaround`: our own drawing of the loop, after the words of the rule sheet (RULES.md 3)."""

from __future__ import annotations

import argparse

from pi.errors import BadSettings
from pi.pdf import Sheet
from pi.rules.games.runaround_rules import SPACES, across, spaces_problem
from pi.sheets import paper
from pi.sheets.fiducials import draw_in_corners
from pi.sheets.target import ROLL_TONE, draw_target
from pi.stand_ins.mats import LANE_MM, PAWNS, TRAY_MM, runaround_mat, space_mm


def centre_of(space: int, *, spaces: int) -> tuple[float, float]:
    """Return the middle of a space on the board, (x, y) in millimetres."""
    return space_mm(space, spaces=spaces).middle


def runaround(spaces: int) -> Sheet:
    """Return the board: two lanes back to back between the starting spaces, walls, homes and runs."""
    sheet = Sheet(*TRAY_MM, "Runaround board")
    half = spaces // 2
    for place in runaround_mat(spaces).places[:spaces]:
        (x, y), space = place.middle, place.number
        sheet.box(place.left, place.top, place.width, place.height, width=0.6)
        sheet.words(x, place.top + 6, str(space), size=3.5, anchor="middle", grey=0.4)
        draw_target(sheet, x, y)
        if space < half and across(space, spaces=spaces) is not None:
            wall = TRAY_MM[1] / 2
            sheet.line((place.left, wall), (place.left + place.width, wall), width=2.4)
    for player, space in enumerate((0, half)):
        x, y = centre_of(space, spaces=spaces)
        sheet.words(x, y + 12, f"start {player + 1}", size=4, anchor="middle")
    _arrows(sheet, spaces)
    _homes(sheet, spaces)
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


def _homes(sheet: Sheet, spaces: int) -> None:
    """Draw for each player the home of the pawns, the marker's way and where to roll: 1 below, 2 above."""
    mat = runaround_mat(spaces)
    for player, (track, roll) in enumerate(zip(mat.tracks, mat.rolls, strict=True), start=1):
        home = mat.places[track[0] - PAWNS : track[0]]
        for place in (*home, *(mat.places[n] for n in track)):
            sheet.circle(*place.middle, place.width / 2, width=0.4)
            draw_target(sheet, *place.middle)
        label_y = home[0].top - 2.5
        sheet.words(home[0].left, label_y, f"home {player}", size=4)
        sheet.words(mat.places[track[0]].left, label_y, f"runs of player {player}", size=4)
        for runs, number in enumerate(track):
            place = mat.places[number]
            sheet.words(place.left + place.width / 2, place.top + place.height + 4, str(runs), size=4, anchor="middle")
        sheet.box(roll.left, roll.top, roll.width, roll.height, fill=ROLL_TONE, stroke=None)
        sheet.words(roll.left, roll.top - 1.5, f"player {player} rolls here", size=3, grey=0.3)


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
