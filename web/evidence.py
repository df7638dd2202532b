"""The picture behind a reading: its file, and where each tile lies in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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
class SeenAt:
    """A die or a place of a mat in the picture."""

    at: Point
    percent: float
    """How sure the eye was, never rounded up to certainty."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A top-down picture of the tray and its tiles' corners."""

    frame: str
    size_wh: tuple[float, float]
    """Width and height in pixels."""
    corners: Mapping[Cell, tuple[Point, ...]]
    """Four corners of each tile, clockwise from its own top left."""
    pieces: Mapping[tuple[str, int], SeenAt] = field(default_factory=dict)
    """Dice and places of a mat by kind and number; empty for a tray of tiles."""

    unread: tuple[tuple[Point, ...], ...] = ()
    """Outlines of what lies there, or may, and was not read."""

    def at(self, kind: str, number: int) -> SeenAt | None:
        """Return where a die or a place is; None for one of which nothing was kept."""
        return self.pieces.get((kind, number))

    def tile_at(self, row: int, column: int) -> Point | None:
        """Return the middle of a tile; None for one of which nothing was kept."""
        corners = self.corners.get((row, column))
        return None if corners is None else (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)


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
        pieces = {(str(p["kind"]), int(p["number"])): _piece(p) for p in data.get("pieces", ())}
        unread = tuple(tuple((float(x), float(y)) for x, y in outline) for outline in data.get("unread", ()))
    except FileNotFoundError:
        return None
    except (KeyError, TypeError, ValueError) as no:
        raise BadEvidence(f"the picture's description does not hold ({no}), in {path.name}") from None
    return Evidence(frame, (width, height), corners, pieces, unread)


def _cell(tile: Mapping[str, Any]) -> Cell:
    return int(tile["row"]), int(tile["column"])


def _piece(piece: Mapping[str, Any]) -> SeenAt:
    x, y = (float(n) for n in piece["at"])
    return SeenAt((x, y), min(99.9, int(1000 * float(piece["confidence"])) / 10))


def _corners(tile: Mapping[str, Any]) -> tuple[Point, ...]:
    points = tuple((float(x), float(y)) for x, y in tile["corners"])
    if len(points) != 4:
        raise BadEvidence(f"a tile has {len(points)} corners (expected 4)")
    return points
