"""The pictures behind a reading, on disk and synced before the reading is handed in.

`<frame>.jpg` is the camera's picture, `<frame>.tray.jpg` the tray from straight above, `<frame>.json` what
was read and where each tile lies in the tray picture. A score that nobody can look up is only a claim.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pi.durable import sync
from pi.frames import Frame, Picture
from vision.layout import TRAY_MM
from vision.reading import DieReading, PlaceReading, Reading

TRAY_WIDTH_PX = 1000
MARGIN_PX = 25
"""Around the felt: tiles that reach over its edge are evidence too."""
JPEG_QUALITY = 88
MOST_LIKELY = 4
"""Alternatives kept of each die and place."""
Floats = NDArray[np.float64]


def frame_name(frame: Frame, *, now: datetime) -> str:
    """Return the name under which a frame is kept: UTC for people, the number to tell two of one second apart.

    now: in UTC.
    """
    return f"{now:%Y%m%dT%H%M%S}-{frame.number:06d}"


def keep(folder: Path, frame: Frame, reading: Reading, *, name: str) -> None:
    """Write a frame's three files and return when they are on disk; OSError when they are not."""
    folder.mkdir(parents=True, exist_ok=True)
    above, warp = from_above(frame.picture_bgr, reading)
    _write(folder / f"{name}.jpg", _jpeg(frame.picture_bgr, JPEG_QUALITY))
    _write(folder / f"{name}.tray.jpg", _jpeg(above, JPEG_QUALITY))
    _write(folder / f"{name}.json", json.dumps(_described(above, warp, reading)).encode())
    sync(folder)


def from_above(picture_bgr: Picture, reading: Reading) -> tuple[Picture, Floats]:
    """Return the tray from straight above, `TRAY_WIDTH_PX` wide, and the (3, 3) map from picture to it.

    A reading without a tray gives the whole picture.
    """
    h, w = picture_bgr.shape[:2]
    corners = reading.tray or ((0.0, 0.0), (w - 1.0, 0.0), (w - 1.0, h - 1.0), (0.0, h - 1.0))
    ratio, edge = (TRAY_MM[1] / TRAY_MM[0], MARGIN_PX) if reading.tray else (h / w, 0)
    width, height = TRAY_WIDTH_PX, round((TRAY_WIDTH_PX - 2 * edge) * ratio) + 2 * edge
    right, below = width - 1 - edge, height - 1 - edge
    target = np.array([[edge, edge], [right, edge], [right, below], [edge, below]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(np.array(corners, dtype=np.float32), target)
    above = cv2.warpPerspective(picture_bgr, warp, (width, height), flags=cv2.INTER_LINEAR)
    return np.asarray(above, dtype=np.uint8), np.asarray(warp, dtype=np.float64)


def _described(above: Picture, warp: Floats, reading: Reading) -> dict[str, Any]:
    tiles = [
        {
            "row": tile.row,
            "column": tile.column,
            "symbol": tile.symbol,
            "colour": tile.colour,
            "confidence": round(float(tile.confidence), 4),
            "corners": _moved(tile.corners, warp),
        }
        for tile in reading.tiles
    ]
    size = [above.shape[1], above.shape[0]]
    found = {"size": size, "tiles": tiles, "pieces": _pieces(warp, reading), "reading": reading.as_json()}
    unread = [_moved(outline, warp) for outline in reading.unread if outline]
    return {**found, "unread": unread} if unread else found


def _pieces(warp: Floats, reading: Reading) -> list[dict[str, Any]]:
    """Return dice and places in the order in which the rules number them, with where they are in the tray picture."""
    found: list[tuple[str, int, str, DieReading | PlaceReading]] = [
        *(("die", n, str(die.value), die) for n, die in enumerate(reading.dice)),
        *(("place", place.place, place.holds, place) for place in reading.places),
    ]
    centres = _moved([piece.centre for _, _, _, piece in found], warp) if found else []
    return [
        {
            "kind": kind,
            "number": number,
            "shows": shows,
            "sure": bool(piece.sure),
            "confidence": round(float(piece.confidence), 4),
            "likely": [[str(name), round(float(chance), 4)] for name, chance in piece.likely[:MOST_LIKELY]],
            "at": at,
        }
        for (kind, number, shows, piece), at in zip(found, centres, strict=True)
    ]


def _moved(corners: Sequence[tuple[float, float]], warp: Floats) -> list[list[float]]:
    points = np.array(corners, dtype=np.float64).reshape(-1, 1, 2)
    return [[round(float(x), 1), round(float(y), 1)] for x, y in cv2.perspectiveTransform(points, warp)[:, 0]]


def _jpeg(picture_bgr: Picture, quality: int) -> bytes:
    good, data = cv2.imencode(".jpg", picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        raise OSError("a picture could not be written as JPEG")
    return bytes(data)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
