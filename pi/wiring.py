"""The wiring diagram, drawn from the pin map: what hangs on each pin of the header, and how.

`feltside print wiring` (or `python -m pi.wiring`) prints it as SVG; the copy beside `HARDWARE.md` is what this
prints for the default board, and a test compares.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pi.rules.queueing import PadMode
from pi.settings import PanelSettings, load_settings, pin_notes

HEADER: tuple[tuple[int, str], ...] = (
    *((1, "3V3"), (2, "5V"), (3, "2"), (4, "5V"), (5, "3"), (6, "GND"), (7, "4"), (8, "14"), (9, "GND"), (10, "15")),
    *((11, "17"), (12, "18"), (13, "27"), (14, "GND"), (15, "22"), (16, "23"), (17, "3V3"), (18, "24"), (19, "10")),
    *((20, "GND"), (21, "9"), (22, "25"), (23, "11"), (24, "8"), (25, "GND"), (26, "7"), (27, "0"), (28, "1")),
    *((29, "5"), (30, "GND"), (31, "6"), (32, "12"), (33, "13"), (34, "GND"), (35, "19"), (36, "16"), (37, "26")),
    *((38, "20"), (39, "GND"), (40, "21")),
)
"""(place on the 40-pin header, BCM number or supply): the same on every Pi from the B+ to the 5."""
WIDTH, ROW, TOP, MIDDLE = 1200, 34, 96, 600
RAIL = 70
"""Distance of the ground rails from the picture's edges."""
TINTS = {"seat 1": "#b3261e", "seat 2": "#1b5e20", "seat 3": "#0d47a1", "seat 4": "#7a4f00", "table": "#4a148c"}
FIELDS = {"one": "1", "two": "2", "four": "4"}


@dataclass(frozen=True, slots=True)
class Part:
    """What hangs on one pin."""

    kind: str
    """contact, button, lamp, buzzer or plug."""
    label: str
    """As people call it."""
    owner: str
    """seat 1 to seat 4, or table."""


def parts(panel: PanelSettings) -> dict[int, Part]:
    """Return BCM number -> what hangs there."""
    return {pin: _part(path.split("/"), panel.mode) for path, pin in panel.pins()}


def wiring_svg(panel: PanelSettings) -> str:
    """Return the diagram of a board as an SVG document."""
    hung = parts(panel)
    rows = len(HEADER) // 2
    notes = [
        *("Contacts join their pin to ground: the Pi's own pull-ups do the rest.",),
        *("Every lamp has its own resistor of 330 ohm. 3.3 volts only: nothing of this touches the 5V pins.",),
        *pin_notes(panel),
    ]
    height = TOP + rows * ROW + 60 + 24 * len(notes)
    bottom = TOP + rows * ROW
    body = [
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(MIDDLE, 40, "Feltside: what hangs on the header", size=24, anchor="middle", weight="bold"),
        _text(MIDDLE, 66, f"{len(hung)} of 26 lines in use; pads with {panel.mode.value}", anchor="middle"),
        _rail(RAIL, bottom),
        _rail(WIDTH - RAIL, bottom),
        f'<rect x="{MIDDLE - 112}" y="{TOP - 6}" width="224" height="{rows * ROW + 4}" rx="8" fill="#1e4d2b"/>',
        *(line for place, name in HEADER for line in _pin(place, name, hung)),
        *(_text(RAIL, bottom + 50 + 24 * n, note, size=15) for n, note in enumerate(notes)),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">'
    return "\n".join([head, "<title>Feltside wiring diagram</title>", *body, "</svg>"]) + "\n"


def _part(path: list[str], mode: PadMode) -> Part:
    match path:
        case ["seats", seat, "lock"]:
            return Part("button", f"Seat {seat} LOCK", f"seat {seat}")
        case ["seats", seat, "lamp"]:
            return Part("lamp", f"Seat {seat} lamp", f"seat {seat}")
        case ["seats", seat, "plug"]:
            return Part("plug", f"Seat {seat} plug", f"seat {seat}")
        case ["seats", seat, field]:
            what = "well" if mode is PadMode.WELLS else "key"
            return Part(
                "contact" if mode is PadMode.WELLS else "button", f"Seat {seat} {what} {FIELDS[field]}", f"seat {seat}"
            )
        case ["panel", "queue", place]:
            return Part("lamp", f"Queue lamp {int(place) + 1}", "table")
        case ["panel", "next"]:
            return Part("button", "START / NEXT", "table")
    return Part("buzzer", "Buzzer", "table")


def _pin(place: int, name: str, hung: dict[int, Part]) -> Iterator[str]:
    left = place % 2 == 1
    side = -1 if left else 1
    y = TOP + (place - 1) // 2 * ROW + ROW // 2 - 4
    x = MIDDLE + side * 24
    supply = not name.isdigit()
    fill = {"3V3": "#e8a33d", "5V": "#c62828", "GND": "#111111"}.get(name, "#f2e6b8")
    yield f'<circle cx="{x}" cy="{y}" r="10" fill="{fill}" stroke="#000000"/>'
    yield _text(x, y + 4, str(place), size=10, anchor="middle", fill="#ffffff" if name in ("GND", "5V") else "#000000")
    label = name if supply else f"GPIO{name}"
    yield _text(x + side * 18, y + 5, label, size=13, anchor="end" if left else "start", fill="#ffffff")
    part = None if supply else hung.get(int(name))
    edge = MIDDLE + side * 112
    if part is not None:
        yield from _hung(part, edge, y, side)
    elif name == "GND":
        rail = RAIL if left else WIDTH - RAIL
        yield f'<path d="M{edge} {y}H{rail}" stroke="#111111" stroke-width="1.5" stroke-dasharray="3 5" fill="none"/>'


def _hung(part: Part, edge: int, y: int, side: int) -> Iterator[str]:
    """Draw a wire from the header's edge through the part to the ground rail."""
    tint = TINTS[part.owner]
    rail = RAIL if side < 0 else WIDTH - RAIL
    symbol = edge + side * 250
    yield f'<g stroke="{tint}" stroke-width="2" fill="none">'
    yield f'<path d="M{edge} {y}H{symbol - side * 40}M{symbol + side * 40} {y}H{rail}"/>'
    yield f'<path transform="translate({symbol} {y}) scale({side} 1)" d="{_SYMBOLS[part.kind]}"/>'
    yield "</g>"
    yield f'<circle cx="{rail}" cy="{y}" r="3" fill="#111111"/>'
    yield _text(
        edge + side * 14, y - 6, part.label, size=14, anchor="end" if side < 0 else "start", fill=tint, weight="bold"
    )


_SYMBOLS = {
    # Drawn from -40 (pin) to 40 (ground) around the origin.
    "button": "M-40 0H-14M-14 0L14 -11M14 0H40M0 -7V-15M-7 -15H7",
    "contact": "M-40 0H-16M16 0H40M-16 -7V7M16 -7V7M-20 -12H20",
    "lamp": "M-40 0H-34M-34 -6H-10V6H-34ZM-10 0H6M6 -8V8L22 0ZM22 -8V8M22 0H40M12 -11L18 -17M18 -10L24 -16",
    "buzzer": "M-40 0H-12M-12 -12V12M-12 -12A14 12 0 0 1 -12 12M2 0H40",
    "plug": "M-40 0H-12M-12 -7H4M-12 7H4M-12 -7V7M-2 0H40",
}


def _rail(x: int, bottom: int) -> str:
    ground = (
        f"M{x} {TOP}V{bottom}M{x - 12} {bottom}H{x + 12}M{x - 8} {bottom + 5}H{x + 8}M{x - 4} {bottom + 10}H{x + 4}"
    )
    return f'<path d="{ground}" stroke="#111111" stroke-width="2.5" fill="none"/>' + _text(
        x, TOP - 8, "ground", size=13, anchor="middle"
    )


def _text(
    x: int, y: int, words: str, *, size: int = 15, anchor: str = "start", fill: str = "#111111", weight: str = "normal"
) -> str:
    how = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {how}>{escape(words)}</text>'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside print wiring` takes."""
    parser.add_argument("--config", type=Path, help="settings file whose pin map is drawn")
    parser.add_argument("--out", type=Path, help="write the SVG here instead of printing it")


def run(args: argparse.Namespace) -> int:
    """Print the diagram of the board in the settings."""
    svg = wiring_svg(load_settings(args.config).panel)
    if args.out is None:
        print(svg, end="")
    else:
        args.out.write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(_parser)
    raise SystemExit(run(_parser.parse_args()))
