"""How high the camera hangs over a tray, from its field of view: for HARDWARE.md (`python -m pi.optics`)."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, ceil, degrees, hypot, radians, tan

MARGIN = 1.08
"""The picture is this much larger than the tray: its rim must be seen, and no arm hangs exactly."""
PICTURE_PX = 1280
"""Width of the picture that Feltside takes by default."""
TRAINED_MM = (450.0, 750.0)
"""Heights at which the eye was trained and measured: nearer, a tile's side walls and its tilt grow."""
RIM_MM = 30.0
"""Felt and rim around a board of tiles, on each side."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera as it is sold."""

    name: str
    across_deg: float
    """Field of view across the picture's long side, degrees."""
    along_deg: float
    """Field of view along its short side, degrees."""


LENSES = (
    Lens("Camera Module 3", 66.0, 41.0),
    Lens("Camera Module 3 Wide", 102.0, 67.0),
    Lens("Camera Module 2 (and its twins)", 62.2, 48.8),
    Lens("USB camera, 78 degrees across the corner, 1080p", 70.4, 43.3),
)
"""Makers' figures; the USB camera's are its diagonal's, taken apart for 16:9."""

TRAYS: tuple[tuple[str, float, float], ...] = (
    ("rows, 4 x 10 (and a tray of 360 x 260)", 360.0, 260.0),
    ("rect, 5 x 8", 8 * 26.2 + 2 * RIM_MM, 5 * 31.0 + 2 * RIM_MM),
    ("diamond, 9 x 9", 9 * 26.2 + 2 * RIM_MM, 9 * 31.0 + 2 * RIM_MM),
    ("a large tray, 500 x 400", 500.0, 400.0),
)
"""(what lies there, width and height in mm); tiles of about 25 x 28 mm with their gaps."""


def height_mm(lens: Lens, *, width_mm: float, depth_mm: float) -> float:
    """Return from what height above the felt the lens just sees the tray and a margin.

    The tray's longer side lies along the picture's longer side.
    """
    longer, shorter = max(width_mm, depth_mm), min(width_mm, depth_mm)
    across = longer / (2 * tan(radians(lens.across_deg / 2)))
    along = shorter / (2 * tan(radians(lens.along_deg / 2)))
    return max(across, along) * MARGIN


def pixels_per_mm(lens: Lens, *, height_mm: float) -> float:
    """Return how many pixels a millimetre of felt has in the middle of a picture `PICTURE_PX` wide."""
    return PICTURE_PX / (2 * height_mm * tan(radians(lens.across_deg / 2)))


def lean_deg(*, width_mm: float, depth_mm: float, height_mm: float) -> float:
    """Return under what angle the lens sees the tray's corner; a lamp nearer than twice this may glare."""
    return degrees(atan(hypot(width_mm, depth_mm) / 2 / height_mm))


def table_markdown() -> str:
    """Return heights and resolutions for every tray and camera, as HARDWARE.md holds them."""
    lines = [
        "| tray | camera | just fits at | hang it at | pixels a mm | a tile's width | its corner seen at |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for what, width, depth in TRAYS:
        for lens in LENSES:
            least = height_mm(lens, width_mm=width, depth_mm=depth)
            height = ceil(max(least, TRAINED_MM[0]) / 10) * 10
            fine = pixels_per_mm(lens, height_mm=height)
            lean = lean_deg(width_mm=width, depth_mm=depth, height_mm=height)
            cells = f"{ceil(least / 10)} cm | {height // 10} cm | {fine:.1f} | {25 * fine:.0f} px | {lean:.0f} degrees"
            lines.append(f"| {what} | {lens.name} | {cells} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table_markdown(), end="")
