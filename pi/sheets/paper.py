"""Drawings placed on paper and written to a file: what every printed sheet shares."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pi.errors import BadSettings
from pi.pdf import Shape, Sheet, Words, pdf, svg

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Upright, millimetres."""
RULER_MM = 100.0
CHECK = "This line is 100 mm long. If it is not, print again at 100 %, without fitting to the page."


def placed(drawing: Sheet, *, page: tuple[float, float], left: float, top: float) -> Sheet:
    """Return a page with the drawing's upper left corner at a place."""
    things: list[Shape | Words] = []
    for thing in drawing.things:
        if isinstance(thing, Words):
            things.append(replace(thing, x=thing.x + left, y=thing.y + top))
        else:
            things.append(replace(thing, points=tuple((x + left, y + top) for x, y in thing.points)))
    return Sheet(*page, drawing.title, things)


def pages(drawing: Sheet, *, paper: str) -> list[Sheet]:
    """Return the drawing on as few pages as it takes: itself for 'own', else one page, or two halves to glue."""
    if paper == "own":
        return [drawing]
    wide, high = PAPERS[paper]
    for page in ((high, wide), (wide, high)):
        if drawing.width <= page[0] and drawing.height <= page[1]:
            return [_ruled(_centred(drawing, page))]
    if drawing.width / 2 > wide or drawing.height > high:
        raise BadSettings(f"{drawing.width:g} x {drawing.height:g} mm do not fit {paper} (expected a3), at --paper")
    return [_ruled(_half(drawing, (wide, high), right=right)) for right in (False, True)]


def _centred(drawing: Sheet, page: tuple[float, float]) -> Sheet:
    left, top = (page[0] - drawing.width) / 2, (page[1] - drawing.height) / 2
    found = placed(drawing, page=page, left=left, top=top)
    found.box(left, top, drawing.width, drawing.height, width=0.1, dash=(2, 2))
    return found


def _half(drawing: Sheet, page: tuple[float, float], *, right: bool) -> Sheet:
    half = drawing.width / 2
    left, top = (page[0] - half) / 2, (page[1] - drawing.height) / 2
    found = placed(drawing, page=page, left=left - half * right, top=top)
    cut = left if right else left + half
    outside = (0.0, left) if right else (cut, page[0] - cut)
    found.box(outside[0], 0, outside[1], page[1], fill=1.0, stroke=None)
    found.line((cut, top - 5), (cut, top + drawing.height + 5), width=0.1, dash=(2, 2))
    found.words(
        cut + (2 if right else -2),
        top - 2,
        "cut here, glue to the other half",
        size=3,
        anchor="start" if right else "end",
    )
    return found


def _ruled(page: Sheet) -> Sheet:
    """Add the line with which to check the printer's scale."""
    x, y = 12.0, page.height - 6.0
    page.line((x, y), (x + RULER_MM, y), width=0.2)
    for n in range(11):
        page.line((x + 10 * n, y - (2.4 if n % 5 == 0 else 1.4)), (x + 10 * n, y), width=0.2)
    page.words(x + RULER_MM + 3, y, CHECK, size=2.2)
    return page


def add_output(parser: argparse.ArgumentParser, *, paper: str) -> None:
    """Declare where a sheet goes."""
    parser.add_argument("--paper", default=paper, choices=[*PAPERS, "own"], help=f"default: {paper}")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="a .pdf or .svg file (default: PDF to standard output)"
    )


def write(sheets: Sequence[Sheet], out: Path | None) -> int:
    """Write the pages; raises BadSettings for a file that cannot be written. Returns the exit status."""
    if out is None:
        if sys.stdout.isatty():
            raise BadSettings("a PDF is no text for a terminal (expected --out FILE.pdf or a pipe)")
        sys.stdout.buffer.write(pdf(sheets))
        return 0
    if out.suffix.lower() not in (".pdf", ".svg"):
        raise BadSettings(f"{out.name} is neither .pdf nor .svg, at --out")
    try:
        if out.suffix.lower() == ".pdf":
            out.write_bytes(pdf(sheets))
        else:
            _write_svg(sheets, out)
    except OSError as no:
        raise BadSettings(f"the sheet cannot be written: {no.strerror or no}, at {out}") from None
    return 0


def _write_svg(sheets: Sequence[Sheet], out: Path) -> None:
    for number, sheet in enumerate(sheets, start=1):
        name = out if len(sheets) == 1 else out.with_stem(f"{out.stem}-{number}")
        name.write_text(svg(sheet), encoding="utf-8")
