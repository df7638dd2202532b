"""The picture behind a reading: its file, and where each tile lies in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi.errors import FeltsideError
from pi.rules.values import Cell

Point = tuple[float, float]
"""(x, y) in the pixels of the top-down picture."""
_FRAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}\Z")
MOST_BYTES = 1_000_000
"""A description larger than this is not one of ours."""


class BadEvidence(FeltsideError, ValueError):
    """Raised when the picture's description is there but not of its form."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A top-down picture of the tray and its tiles' corners."""

    frame: str
    size_wh: tuple[float, float]
    """Width and height in pixels."""
    corners: Mapping[Cell, tuple[Point, ...]]
    """Four corners of each tile, clockwise from its own top left."""


def is_frame(name: str) -> bool:
    """Tell whether a text can be a frame's name; everything else stays out of file names."""
    return _FRAME.match(name) is not None


def load(folder: Path, frame: str | None) -> Evidence | None:
    """Return a frame's evidence; None when there is no picture. Raises BadEvidence for a broken description."""
    if frame is None or not is_frame(frame) or not (folder / f"{frame}.tray.jpg").is_file():
        return None
    path = folder / f"{frame}.json"
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadEvidence(f"the description is larger than {MOST_BYTES} bytes, in {path.name}")
        data = json.loads(path.read_bytes())
        width, height = (float(n) for n in data["size"])
        corners = {_cell(tile): _corners(tile) for tile in data["tiles"]}
    except FileNotFoundError:
        return None
    except (KeyError, TypeError, ValueError) as no:
        raise BadEvidence(f"the picture's description does not hold ({no}), in {path.name}") from None
    return Evidence(frame, (width, height), corners)


def _cell(tile: Mapping[str, Any]) -> Cell:
    return int(tile["row"]), int(tile["column"])


def _corners(tile: Mapping[str, Any]) -> tuple[Point, ...]:
    points = tuple((float(x), float(y)) for x, y in tile["corners"])
    if len(points) != 4:
        raise BadEvidence(f"a tile has {len(points)} corners (expected 4)")
    return points
