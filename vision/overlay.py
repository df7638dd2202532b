"""Draws a reading for people. Decides nothing: what it is given, it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.reading import EMPTY, Reading, Status
from vision.tray.rectify import Image

Bgr = tuple[int, int, int]
Canvas = NDArray[np.uint8]

SURE: Bgr = (112, 214, 96)
UNSURE: Bgr = (36, 170, 255)
INK: Bgr = (26, 22, 20)
PAPER: Bgr = (250, 250, 248)
FONT = cv2.FONT_HERSHEY_DUPLEX
BADGE_PX = 24
"""Height of a number that is looked up in a list: a phone shows a picture of 900 pixels at two fifths of its size."""
LETTER_PX = 22
"""Height of letters at scale 1."""
SHIFT = 4
"""Bits behind the point in coordinates that cv2 draws."""


def _tone(sure: bool) -> Bgr:
    return SURE if sure else UNSURE


def draw_reading(picture_bgr: Image, reading: Reading) -> Image:
    """Return the picture with every piece outlined and named: what the eye thinks, for the live view.

    Green: sure. Amber with a question mark: to be asked about, or not read at all. The line on top says the status in
    words.
    """
    out = np.ascontiguousarray(picture_bgr).copy()
    unit = max(1.0, out.shape[1] / 1280)
    if reading.tray is not None:
        _outline(out, np.array(reading.tray), (200, 200, 190), 1.2 * unit)
    for tile in reading.tiles:
        colour = SURE if tile.sure else UNSURE
        _outline(out, np.array(tile.corners), colour, (1.4 if tile.sure else 2.4) * unit)
        where = np.array(tile.corners)
        at = 0.5 * (where[0] + where[1]) + 0.1 * (where[3] - where[0])
        _chip(out, _short(tile.symbol) + ("" if tile.sure else "?"), at, colour, 0.34 * unit)
    for place in reading.places:
        if place.holds != EMPTY or not place.sure:
            _chip(
                out, place.holds + ("" if place.sure else "?"), np.array(place.centre), _tone(place.sure), 0.34 * unit
            )
    for unread in reading.unread:
        _outline(out, np.array(unread), UNSURE, 2.4 * unit)
        above = np.array(unread).mean(axis=0) - (0.0, _half_height(unread) + 9 * unit)
        _chip(out, "?", above, UNSURE, 0.42 * unit)
    for stray in reading.strays:
        _chip(out, "?", np.array(stray.centre), UNSURE, 0.42 * unit)
    for die in reading.dice:
        colour = SURE if die.sure else UNSURE
        if die.corners:
            _outline(out, np.array(die.corners), colour, 1.6 * unit)
        beside = np.array(die.centre) - (0.0, _half_height(die.corners) + 9 * unit)
        _chip(out, f"{die.value}" + ("" if die.sure else "?"), beside, colour, 0.42 * unit)
    for disk in reading.disks:
        colour = SURE if disk.sure else UNSURE
        sign = "#" if disk.kind == "queue" else ""
        text = f"{sign}{disk.value}" + ("" if disk.sure else "?")
        _chip(out, text, np.array(disk.centre) - (0.0, 22 * unit), colour, 0.42 * unit)
    _banner(out, _status_words(reading), unit)
    return out


def draw_doubts(picture_bgr: Image, outlines: Mapping[int, Floats]) -> Image:
    """Return the picture with what is doubted outlined, each with its number beside it.

    outlines: (n, 2) corners in the picture, by the number under which the doubt is told.
    """
    out = np.ascontiguousarray(picture_bgr).copy()
    unit = max(1.0, out.shape[1] / 1280)
    for outline in outlines.values():
        _outline(out, outline, UNSURE, 2.4 * unit)
    away = BADGE_PX * unit
    for number, outline in outlines.items():
        # Beyond the upper left corner: neither the sign on the piece is hidden, nor those on its neighbours.
        at = np.maximum(outline.min(axis=0) - 0.6 * away, away)
        _chip(out, f"{number}.", at, UNSURE, away / LETTER_PX)
    return out


def _chip(canvas: Canvas, text: str, at: Floats, colour: Bgr, scale: float) -> None:
    """Draw a word on a dark plate with a coloured border."""
    (w, h), base = cv2.getTextSize(text, FONT, scale, 1)
    pad = max(2, round(6 * scale))
    x0, y0 = round(at[0] - w / 2 - pad), round(at[1] - h / 2 - pad)
    x1, y1 = x0 + w + 2 * pad, y0 + h + 2 * pad
    cv2.rectangle(canvas, (x0, y0), (x1, y1), INK, -1)
    cv2.rectangle(canvas, (x0, y0), (x1, y1), colour, 1, cv2.LINE_AA)
    cv2.putText(canvas, text, (x0 + pad, y1 - pad), FONT, scale, PAPER, max(1, round(1.6 * scale)), cv2.LINE_AA)


def _banner(canvas: Canvas, text: str, unit: float) -> None:
    scale = 0.7 * unit
    (w, h), _ = cv2.getTextSize(text, FONT, scale, 1)
    pad = round(10 * unit)
    right, low = min(canvas.shape[1], w + 2 * pad), min(canvas.shape[0], h + 2 * pad)
    canvas[:low, :right] = (canvas[:low, :right] * 0.25 + np.array(INK) * 0.75).astype(np.uint8)
    cv2.putText(canvas, text, (pad, pad + h), FONT, scale, PAPER, 1, cv2.LINE_AA)


def _outline(canvas: Canvas, points: Floats, colour: Bgr, thick: float) -> None:
    for tint, width in ((INK, thick + 2), (colour, thick)):
        cv2.polylines(canvas, [_fixed(points)], True, tint, max(1, round(width)), cv2.LINE_AA, SHIFT)


def _fixed(points: Floats) -> NDArray[np.int32]:
    """Return points as cv2 wants them with SHIFT bits behind the point."""
    limited = np.clip(np.asarray(points, dtype=np.float64), -4000, 12000)
    return np.round(limited * (1 << SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def _half_height(corners: Sequence[tuple[float, float]]) -> float:
    return float(np.ptp([y for _, y in corners])) / 2 if corners else 0.0


def _short(symbol: str) -> str:
    return "-" if symbol == "down" else symbol


def _status_words(reading: Reading) -> str:
    sure = [t.sure for t in reading.tiles] + [d.sure for d in reading.dice] + [d.sure for d in reading.disks]
    asked = sure.count(False)
    words = {
        Status.READ: "read",
        Status.UNSURE: f"not sure of {asked}" if asked else "not sure",
        Status.BUSY: "busy",
        Status.NO_TRAY: "no tray",
        Status.EMPTY: "empty",
    }[reading.status]
    problems = reading.problems.words()
    return words + (": " + ", ".join(problems) if problems else "")


__all__ = ["draw_doubts", "draw_reading"]
