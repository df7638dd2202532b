"""QR codes as SVG: dark squares on white, whatever the page's colours, with the quiet edge scanners need."""

from __future__ import annotations

from functools import lru_cache

import segno

EDGE = 4
"""Modules of white around the code (ISO/IEC 18004)."""


@lru_cache(maxsize=32)
def svg(text: str) -> str:
    """Return a QR code as one SVG element; rows of dark modules are drawn as one line each."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    side = len(rows) + 2 * EDGE
    path = "".join(_lines(row, y + EDGE) for y, row in enumerate(rows))
    return (
        f'<svg viewBox="0 0 {side} {side}" shape-rendering="crispEdges" aria-hidden="true">'
        f'<rect width="{side}" height="{side}" fill="#fff"/><path fill="#000" d="{path}"/></svg>'
    )


def _lines(row: bytes, y: int) -> str:
    found, start = [], None
    for x, dark in enumerate((*row, 0)):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            found.append(f"M{start + EDGE} {y}h{x - start}v1h-{x - start}z")
            start = None
    return "".join(found)
