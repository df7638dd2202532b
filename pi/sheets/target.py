"""The figure in every place of a mat: where the eye sees it nothing lies, where it is hidden something does."""

from __future__ import annotations

from math import cos, pi, sin

from pi.pdf import Shape, Sheet

RADIUS_MM = 3.5
"""Small enough to vanish below any counter, large enough for ten pixels of a frame."""
INK = 0.25
ROLL_TONE = 0.62
"""Grey of the zones for dice: white dice are lighter, black ones darker, and the others coloured."""


def draw_target(sheet: Sheet, x: float, y: float, *, radius: float = RADIUS_MM) -> None:
    """Draw a circle of which two opposite quarters are dark: no counter, coin or shadow looks like it."""
    for start in (0.0, pi):
        arc = [start + pi / 2 * k / 8 for k in range(9)]
        points = ((x, y), *((x + radius * cos(a), y + radius * sin(a)) for a in arc))
        sheet.things.append(Shape(points, fill=INK, stroke=None))
    sheet.circle(x, y, radius, width=0.4)
