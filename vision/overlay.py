"""Draws a reading for people. Decides nothing: what it is given, it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, homography4, quad, transform
from vision.reading import EMPTY, Reading, Status, TileReading
from vision.rectify import Image, felt_from_px

Cell = tuple[int, int]
Run = Sequence[Cell]
Bgr = tuple[int, int, int]
Canvas = NDArray[np.uint8]

SURE: Bgr = (112, 214, 96)
UNSURE: Bgr = (36, 170, 255)
INK: Bgr = (26, 22, 20)
PAPER: Bgr = (250, 250, 248)
RUN_COLOURS: tuple[Bgr, ...] = (
    (0, 159, 230), (233, 180, 86), (115, 158, 0), (66, 228, 240), (178, 114, 0), (0, 94, 213), (167, 121, 204),
)  # fmt: skip
"""Okabe and Ito's colours: apart for colour-blind eyes too."""
FONT = cv2.FONT_HERSHEY_DUPLEX
SHIFT = 4
"""Bits behind the point in coordinates that cv2 draws."""
MARGIN_MM = 16.0


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


def draw_round(picture_bgr: Image, reading: Reading, *, runs: Sequence[Run] = (), width_px: int = 1200) -> Image:
    """Return the tiles from straight above, with the runs drawn and numbered from 1 in the order given.

    runs: each a list of cells (row, column), as `feltside count` gives them. A run that wraps round an end, or
    takes the elevator to another row, is drawn in pieces with an arrow at each end and one number.
    Without tiles: the tray, or the picture itself where no tray was found.
    """
    view = _view(picture_bgr, reading, width_px)
    out = view.picture
    places = {(t.row, t.column): transform(t.corners, view.matrix) for t in reading.tiles}
    layer, lanes = out.copy(), _lanes(runs)
    drawn = [
        (RUN_COLOURS[k % len(RUN_COLOURS)], _pieces(run, places, lane))
        for k, (run, lane) in enumerate(zip(runs, lanes, strict=True))
    ]
    thick = max(3.0, 0.11 * view.tile_px)
    for colour, pieces in drawn:
        for piece in pieces:
            _path(layer, piece.points, colour, thick, piece.arrow_first, piece.arrow_last)
    out = cv2.addWeighted(layer, 0.78, out, 0.22, 0.0).astype(np.uint8)
    for k, (colour, pieces) in enumerate(drawn):
        for piece in pieces:
            _badge(out, str(k + 1), piece.points[0], colour, 0.17 * view.tile_px)
    for tile in reading.tiles:
        if not tile.sure:
            _outline(out, places[tile.row, tile.column], UNSURE, max(2.0, 0.05 * view.tile_px))
    return out


def crop_tile(picture_bgr: Image, tile: TileReading, *, size_px: int = 160) -> Image:
    """Return one tile upright and square, with a little of its surroundings: for the dispute page."""
    grow = 0.18
    low, high = grow / (1 + 2 * grow) * size_px, (1 + grow) / (1 + 2 * grow) * size_px
    target = np.array([[low, low], [high, low], [high, high], [low, high]]) - 0.5
    corners = np.array(tile.corners, dtype=np.float64)
    warp = homography4(corners, target)
    size = (size_px, size_px)
    out = cv2.warpPerspective(picture_bgr, warp, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class _View:
    picture: Canvas
    matrix: Floats
    """Picture pixels -> pixels of this view."""
    tile_px: float


def _view(picture_bgr: Image, reading: Reading, width_px: int) -> _View:
    """Return the picture from above, cut to the tiles with a margin, or to the tray."""
    if reading.tray is None:
        scale = width_px / picture_bgr.shape[1]
        small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return _View(np.asarray(small, dtype=np.uint8), np.diag([scale, scale, 1.0]), 40.0)
    to_mm = felt_from_px(reading.tray)
    level = _level(reading, to_mm) @ to_mm
    if reading.tiles:
        points = np.concatenate([transform(t.corners, level) for t in reading.tiles])
        width = np.median([np.ptp(transform(t.corners, level)[:, 0]) for t in reading.tiles])
    else:
        points, width = transform(reading.tray, level), 25.0
    low, high = points.min(axis=0) - MARGIN_MM, points.max(axis=0) + MARGIN_MM
    scale = width_px / (high[0] - low[0])
    matrix = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1.0]]) @ level
    size = (width_px, max(8, round((high[1] - low[1]) * scale)))
    flags, border = cv2.INTER_CUBIC, cv2.BORDER_REPLICATE
    flat = cv2.warpPerspective(picture_bgr, matrix, size, flags=flags, borderMode=border)
    return _View(np.asarray(flat, dtype=np.uint8), matrix, float(width * scale))


def _level(reading: Reading, to_mm: Floats) -> Floats:
    """Return the turn in millimetres that lays the rows level; none without tiles."""
    if not reading.tiles:
        return np.eye(3)
    tops = [transform(t.corners, to_mm) for t in reading.tiles]
    lean = float(np.median([np.arctan2(*(c[1] - c[0])[::-1]) for c in tops]))
    cos, sin = np.cos(-lean), np.sin(-lean)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a run whose cells touch: a line through them."""

    points: Floats
    arrow_first: bool
    arrow_last: bool


def _lanes(runs: Sequence[Run]) -> list[int]:
    """Return for each run a lane 0.. such that runs which share a cell lie beside each other."""
    taken: dict[Cell, set[int]] = {}
    out = []
    for run in runs:
        busy = {lane for row, column in run for lane in taken.get((row, column), ())}
        lane = next(n for n in range(len(runs) + 1) if n not in busy)
        for cell in run:
            taken.setdefault((cell[0], cell[1]), set()).add(lane)
        out.append(lane)
    return out


def _pieces(run: Run, places: dict[Cell, Floats], lane: int) -> list[_Piece]:
    """Return the lines of a run: one where its cells touch, two with arrows where it goes round an end."""
    cells = sorted((int(r), int(c)) for r, c in run if (int(r), int(c)) in places)
    chains: list[list[Cell]] = []
    for cell in cells:
        near = [c for c in chains if max(abs(c[-1][0] - cell[0]), abs(c[-1][1] - cell[1])) <= 1]
        if near:
            near[0].append(cell)
        else:
            chains.append([cell])
    broken = len(chains) > 1
    return [_line_of(chain, places, lane, broken) for chain in chains]


def _line_of(chain: list[Cell], places: dict[Cell, Floats], lane: int, broken: bool) -> _Piece:
    corners = [places[c] for c in chain]
    down = np.mean([(q[3] - q[0] + q[2] - q[1]) / 2 for q in corners], axis=0)
    right = np.mean([(q[1] - q[0] + q[2] - q[3]) / 2 for q in corners], axis=0)
    upright = len(chain) > 1 and chain[0][1] == chain[-1][1]
    aside = (right if upright else down) * (0.40 - 0.2 * (lane % 5))
    middles = np.array([q.mean(axis=0) for q in corners]) + aside
    step = down if upright else right
    last_column = max(c for _, c in places)
    goes_on = broken and (chain[-1][0] > 0 if upright else chain[-1][1] > last_column / 2)
    comes_in = broken and not goes_on
    first = middles[0] - (0.75 if comes_in else 0.28) * step
    last = middles[-1] + (0.75 if goes_on else 0.28) * step
    return _Piece(np.vstack([first, middles, last]), comes_in, goes_on)


def _path(canvas: Canvas, points: Floats, colour: Bgr, thick: float, first: bool, last: bool) -> None:
    """Draw a line with a dark border, with arrow heads where it goes on elsewhere."""
    line = _fixed(points)
    for tint, width in ((INK, thick + max(2.0, 0.3 * thick)), (colour, thick)):
        cv2.polylines(canvas, [line], False, tint, max(1, round(width)), cv2.LINE_AA, SHIFT)
    for on, tip, tail in ((first, points[0], points[1]), (last, points[-1], points[-2])):
        if on:
            _arrow_head(canvas, tip, tail, colour, 1.5 * thick)


def _arrow_head(canvas: Canvas, tip: Floats, tail: Floats, colour: Bgr, size: float) -> None:
    ahead = (tip - tail) / max(1e-6, float(np.linalg.norm(tip - tail)))
    side = np.array([-ahead[1], ahead[0]])
    head = np.array([tip + ahead * size, tip + side * size * 0.8, tip - side * size * 0.8])
    cv2.fillPoly(canvas, [_fixed(head)], colour, cv2.LINE_AA, SHIFT)
    cv2.polylines(canvas, [_fixed(head)], True, INK, 2, cv2.LINE_AA, SHIFT)


def _badge(canvas: Canvas, text: str, at: Floats, colour: Bgr, radius: float) -> None:
    """Draw a number in a disk."""
    centre = tuple(int(v) for v in _fixed(at.reshape(1, 2))[0, 0])
    r = max(9.0, radius)
    for tint, size in ((INK, r + max(1.5, 0.12 * r)), (PAPER, r), (colour, 0.86 * r)):
        cv2.circle(canvas, centre, round(size * (1 << SHIFT)), tint, -1, cv2.LINE_AA, SHIFT)
    dark = 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2] > 110
    _text(canvas, text, at, INK if dark else PAPER, 0.046 * r)


def _chip(canvas: Canvas, text: str, at: Floats, colour: Bgr, scale: float) -> None:
    """Draw a word on a dark plate with a coloured border."""
    (w, h), base = cv2.getTextSize(text, FONT, scale, 1)
    pad = max(2, round(6 * scale))
    x0, y0 = round(at[0] - w / 2 - pad), round(at[1] - h / 2 - pad)
    x1, y1 = x0 + w + 2 * pad, y0 + h + 2 * pad
    cv2.rectangle(canvas, (x0, y0), (x1, y1), INK, -1)
    cv2.rectangle(canvas, (x0, y0), (x1, y1), colour, 1, cv2.LINE_AA)
    cv2.putText(canvas, text, (x0 + pad, y1 - pad), FONT, scale, PAPER, 1, cv2.LINE_AA)


def _banner(canvas: Canvas, text: str, unit: float) -> None:
    scale = 0.7 * unit
    (w, h), _ = cv2.getTextSize(text, FONT, scale, 1)
    pad = round(10 * unit)
    right, low = min(canvas.shape[1], w + 2 * pad), min(canvas.shape[0], h + 2 * pad)
    canvas[:low, :right] = (canvas[:low, :right] * 0.25 + np.array(INK) * 0.75).astype(np.uint8)
    cv2.putText(canvas, text, (pad, pad + h), FONT, scale, PAPER, 1, cv2.LINE_AA)


def _text(canvas: Canvas, text: str, at: Floats, colour: Bgr, scale: float) -> None:
    thick = max(1, round(2.2 * scale))
    (w, h), _ = cv2.getTextSize(text, FONT, scale, thick)
    where = (round(float(at[0]) - w / 2), round(float(at[1]) + h / 2))
    cv2.putText(canvas, text, where, FONT, scale, colour, thick, cv2.LINE_AA)


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


def tile_corners_in_view(
    picture_bgr: Image, reading: Reading, *, width_px: int = 1200
) -> dict[Cell, tuple[tuple[float, float], ...]]:
    """Return where `draw_round` shows each tile, TL TR BR BL in its pixels: for taps on the picture."""
    view = _view(picture_bgr, reading, width_px)
    return {(t.row, t.column): quad(transform(t.corners, view.matrix)) for t in reading.tiles}


__all__ = ["crop_tile", "draw_reading", "draw_round", "tile_corners_in_view"]
