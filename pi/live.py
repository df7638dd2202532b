"""The live picture, and what the eye makes of it: one file, so that both are always of the same instant.

What the eye thinks travels as a comment in the JPEG (marker FE of ITU-T T.81, B.2.4.5): compact JSON in the
pixels of that very picture. The web lets only the table's own page see it. Prediction disks are never in it,
whatever lies on the tray.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi.frames import Picture
from vision.reading import (
    EMPTY,
    DieReading,
    DiskReading,
    PlaceReading,
    Point,
    Problem,
    Reading,
    StrayReading,
    TileReading,
)
from vision.tray.rectify import Tray

LIVE_WIDTH_PX = 640
LIVE_QUALITY = 75
LONGEST = 65_000
"""Bytes that fit into one comment."""
START, COMMENT = b"\xff\xd8", b"\xff\xfe"


def keep_live(path: Path, picture_bgr: Picture, *, number: int = 0, thought: dict[str, Any] | None = None) -> None:
    """Replace the live picture at once: readers see the old one or the new one, never half of it.

    number: the frame's. thought: as `thought_of` made it for this frame.
    """
    h, w = picture_bgr.shape[:2]
    if w > LIVE_WIDTH_PX:
        size = (LIVE_WIDTH_PX, round(h * LIVE_WIDTH_PX / w))
        picture_bgr = np.asarray(cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    good, data = cv2.imencode(".jpg", picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, LIVE_QUALITY])
    if not good:
        raise OSError("a picture could not be written as JPEG")
    said = {"frame": number, "size": [picture_bgr.shape[1], picture_bgr.shape[0]], **(thought or {})}
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_bytes(commented(data.tobytes(), said))
    draft.replace(path)


def commented(jpeg: bytes, said: dict[str, Any]) -> bytes:
    """Return a JPEG with JSON as its first comment; what would be too long is left out."""
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=True).encode()
    if not jpeg.startswith(START) or len(text) > LONGEST:
        return jpeg
    return START + COMMENT + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


def thought_of(
    reading: Reading | None, *, width_px: int, problems: Problem = Problem.NONE, tray: Tray | None = None
) -> dict[str, Any]:
    """Return what the eye thinks of a frame, in the live picture's pixels.

    reading: None while it rests. width_px: of the frame that was read. problems: those of the watch besides.
    tray: where it lies as far as the watch knows, told while the eye rests.
    """
    scale = min(1.0, LIVE_WIDTH_PX / width_px)
    if reading is None:
        resting: dict[str, Any] = {"status": "resting", "problems": problems.words()}
        return resting if tray is None else resting | {"tray": _flat(tray.corners, scale)}
    found: dict[str, Any] = {"status": reading.status.value, "problems": (reading.problems | problems).words()}
    if reading.tray is not None:
        found["tray"] = _flat(reading.tray, scale)
    found["tiles"] = [_tile(tile, scale) for tile in reading.tiles]
    found["dice"] = [_die(die, scale) for die in reading.dice]
    found["disks"] = [_disk(disk, scale) for disk in reading.disks if disk.kind == "queue"]
    # A bare place is no news: only what lies there, or may lie there, is told.
    held = [place for place in reading.places if place.holds != EMPTY or not place.sure]
    found["places"] = [_place(place, scale) for place in held]
    found["places"] += [_stray(stray, scale) for stray in reading.strays]
    # Where, never what: a hidden prediction disk may lie there.
    found["unread"] = [_flat(outline, scale) for outline in reading.unread]
    return found


def with_felt(
    thought: dict[str, Any],
    *,
    width_px: int,
    printed: Sequence[Sequence[Point]],
    asked: Sequence[Sequence[Point]],
) -> dict[str, Any]:
    """Return a thought with what is known to be printed on the felt, and what there looks like a piece; in its pixels.

    width_px: of the frame.
    """
    scale = min(1.0, LIVE_WIDTH_PX / width_px)
    found = dict(thought)
    if printed:
        found["printed"] = [_flat(outline, scale) for outline in printed]
    if asked:
        found["unread"] = [*found.get("unread", []), *(_flat(outline, scale) for outline in asked)]
    return found


def with_outcomes(thought: dict[str, Any], told: Sequence[str]) -> dict[str, Any]:
    """Return a thought with what became of what people have just shown under the live picture: they look there."""
    return {**thought, "told": list(told)} if told else thought


def _place(place: PlaceReading, scale: float) -> dict[str, Any]:
    likely = [[holds, _percent(p)] for holds, p in place.likely[:3]] if not place.sure else []
    return {
        "place": place.place,
        "holds": place.holds,
        "percent": _percent(place.confidence),
        "sure": bool(place.sure),
        "likely": likely,
        "centre": _flat([place.centre], scale),
    }


def _stray(stray: StrayReading, scale: float) -> dict[str, Any]:
    """Return something that lies on no place."""
    nowhere: dict[str, Any] = {"place": None, "holds": "stray", "percent": 0.0, "sure": False, "likely": []}
    return nowhere | {"centre": _flat([stray.centre], scale)}


def _tile(tile: TileReading, scale: float) -> dict[str, Any]:
    likely = [[symbol, _percent(p)] for symbol, p in tile.likely[:3]] if not tile.sure else []
    return {
        "row": tile.row,
        "column": tile.column,
        "symbol": tile.symbol,
        "colour": tile.colour,
        "percent": _percent(tile.confidence),
        "sure": bool(tile.sure),
        "likely": likely,
        "corners": _flat(tile.corners, scale),
    }


def _die(die: DieReading, scale: float) -> dict[str, Any]:
    return {
        "value": die.value,
        "colour": die.told,
        "percent": _percent(die.confidence),
        "sure": bool(die.sure),
        "centre": _flat([die.centre], scale),
        "corners": _flat(die.corners, scale),
    }


def _disk(disk: DiskReading, scale: float) -> dict[str, Any]:
    return {
        "value": disk.value,
        "percent": _percent(disk.confidence),
        "sure": bool(disk.sure),
        "centre": _flat([disk.centre], scale),
    }


def _percent(confidence: float) -> float:
    """Return a confidence as it may be shown: rounded down, so that nothing is called certain that is not."""
    return int(float(confidence) * 1000) / 10


def _flat(points: Sequence[Point], scale: float) -> list[float]:
    """Return points of the frame as x, y, x, y ... of the live picture."""
    return [round((float(v) + 0.5) * scale - 0.5, 1) for point in points for v in point]
