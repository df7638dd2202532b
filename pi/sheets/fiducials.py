"""`feltside print fiducials`: the four markers for the tray's corners, to cut out."""

from __future__ import annotations

import argparse

from pi.pdf import Sheet
from pi.sheets import paper
from pi.stand_ins.mats import TRAY_MM

MARKER_MM = 24.0
"""Side of the black square; what `vision.tray.rectify` expects (a test compares)."""
INSET_MM = 5.5
"""From the felt's edges to the black square."""
QUIET_MM = 4.0
"""White around it, without which it is not found."""
PATTERNS = (
    ("1011", "0101", "0011", "0010"),
    ("0000", "1111", "1001", "1010"),
    ("0011", "0011", "0010", "1101"),
    ("1001", "1001", "0100", "0110"),
)
"""What is white in markers 0 to 3 of ArUco's DICT_4X4_50, inside the black border (a test compares with cv2)."""
PLACES = ("upper left", "upper right", "lower right", "lower left")


def draw_marker(sheet: Sheet, number: int, x: float, y: float, *, side: float = MARKER_MM) -> None:
    """Draw a marker with its white surround; (x, y) is the black square's upper left corner."""
    sheet.box(x - QUIET_MM, y - QUIET_MM, side + 2 * QUIET_MM, side + 2 * QUIET_MM, fill=1.0, stroke=None)
    sheet.box(x, y, side, side, fill=0.0, stroke=None)
    cell = side / 6
    for row, bits in enumerate(PATTERNS[number], start=1):
        for column, bit in enumerate(bits, start=1):
            if bit == "1":
                sheet.box(x + column * cell, y + row * cell, cell, cell, fill=1.0, stroke=None)


def draw_in_corners(sheet: Sheet) -> None:
    """Draw all four where they belong on a mat as large as the felt."""
    right, low = (size - INSET_MM - MARKER_MM for size in TRAY_MM)
    corners = ((INSET_MM, INSET_MM), (right, INSET_MM), (right, low), (INSET_MM, low))
    for number, (x, y) in enumerate(corners):
        draw_marker(sheet, number, x, y)


def sheet() -> Sheet:
    """Return the markers with cutting lines, each with its corner."""
    found = Sheet(180, 130, "Feltside markers")
    for number, place in enumerate(PLACES):
        x, y = 30.0 + 90.0 * (number % 2), 20.0 + 60.0 * (number // 2)
        outer = MARKER_MM + 2 * QUIET_MM
        found.box(x - QUIET_MM, y - QUIET_MM, outer, outer, width=0.1, dash=(2, 2))
        draw_marker(found, number, x, y)
        found.words(x + MARKER_MM / 2, y + MARKER_MM + QUIET_MM + 5, f"{number}: {place} corner", anchor="middle")
    found.words(90, 128, f"Black square {INSET_MM:g} mm from both edges of the felt.", size=3, anchor="middle")
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    paper.add_output(parser, paper="a4")


def run(args: argparse.Namespace) -> int:
    """Write the sheet."""
    return paper.write(paper.pages(sheet(), paper=args.paper), args.out)
