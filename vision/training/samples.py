"""From drawn pictures to what the nets learn from: crops of tiles, rectified pictures with targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.crops.symbols import cut_crops
from vision.drawing import Drawn
from vision.finding.pieces import LOOSE_PX_PER_MM, PX_PER_MM, SIZE_MM, STRIDE
from vision.geometry import SQUARE, upright_around
from vision.reading import SYMBOLS

UNREADABLE = 255
"""What is said of a face on which nothing can be read."""
CANVAS_WH = (400, 304)
"""Size of the rectified training pictures in pixels (1 px = 1 mm)."""
REACH = 6.0
"""Heat is drawn as far as this, over its spread: further off it is less than 2^-25, and 1 less that is 1 in float32."""
LOOSE_WH = (360, 288)
"""Size of those for the net that finds dice and disks, at LOOSE_PX_PER_MM: a small tray, or part of a large one."""


@dataclass(frozen=True)
class Crops:
    """Crops with labels: all arrays of one length n."""

    image: np.ndarray
    """(n, 48, 40, 3) uint8."""
    symbol: np.ndarray
    """(n,) uint8, index into SYMBOLS; 255 = nothing there to read."""
    upside_down: np.ndarray
    """(n,) uint8, 1 = lies the other way round."""


def jittered(quad: np.ndarray, rng: np.random.Generator, *, turn_deg: float = 2.2, off: float = 0.055) -> np.ndarray:
    """Return a quad as a detector would find it: a bit off in place, size and angle."""
    middle = quad.mean(0)
    across, down = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    turn = np.radians(rng.normal(0, turn_deg))
    c, s = np.cos(turn), np.sin(turn)
    shift = rng.normal(0, off, 2)
    middle = middle + across * shift[0] + down * shift[1]
    a = np.exp(rng.normal(0, 0.04)) * np.array([across * c + down * s])
    b = np.exp(rng.normal(0, 0.04)) * np.array([down * c - across * s])
    return np.vstack([middle - a - b, middle + a - b, middle + a + b, middle - a + b])


def crops_of(drawn: Drawn, rng: np.random.Generator, *, copies: int = 2) -> Crops:
    """Return crops of all tiles, `copies` of each, and some of what is no tile."""
    quads, symbols, turned = [], [], []
    for tile in drawn.truth["tiles"]:
        if 0.4 < tile["visible"] < 0.85:
            continue
        quad = np.array(tile["quad"])
        upside = bool(np.cos(tile["world"][2]) < -0.5)
        if abs(np.sin(tile["world"][2])) > 0.5:
            continue
        hidden = tile["visible"] <= 0.4 or tile["legibility"] == "unreadable"
        left_out = tile["legibility"] == "blank"
        for _ in range(copies):
            q = jittered(quad, rng)
            # The crop is cut as the tray says, so an upside-down tile shows upside down.
            quads.append(np.roll(q, 2, 0) if upside else q)
            symbols.append(-1 if left_out else UNREADABLE if hidden else SYMBOLS.index(tile["label"]))
            turned.append(int(upside and tile["label"] != "down"))
    for quad in _strays(drawn, rng):
        quads.append(quad)
        symbols.append(UNREADABLE)
        turned.append(0)
    kept = np.array(symbols, int) >= 0
    image = cut_crops(drawn.picture_bgr, np.array(quads, np.float32).reshape(-1, 4, 2)[kept])
    return Crops(image, np.array(symbols)[kept].astype(np.uint8), np.array(turned, np.uint8)[kept])


def _strays(drawn: Drawn, rng: np.random.Generator) -> list[np.ndarray]:
    """Return quads around what is no tile: bare felt, free places between tiles, dice, disks."""
    truth = drawn.truth
    tiles = [np.array(t["quad"]) for t in truth["tiles"]]
    size = np.ptp(tiles[0], axis=0) if tiles else np.array([40.0, 44.0])
    box = SQUARE * size / 2
    corners = np.array(truth["tray"]["corners"])
    out = []
    for _ in range(3):
        u, v = rng.uniform(0.05, 0.95, 2)
        at = (corners[0] * (1 - u) + corners[1] * u) * (1 - v) + (corners[3] * (1 - u) + corners[2] * u) * v
        if all(np.linalg.norm(q.mean(0) - at) > 0.45 * size.min() for q in tiles):
            out.append(jittered(box + at, rng))
    out += [jittered(quad, rng) for quad in _free_places(truth["tiles"])]
    out += [jittered(box + np.array(p["center"]), rng) for p in [*truth["dice"], *truth["disks"]][:3]]
    return out


def _free_places(tiles: Sequence[dict[str, Any]]) -> list[np.ndarray]:
    """Return (4, 2) quads of places without a tile that lie between two of one row: felt that is framed like a tile."""
    at = {(t["row"], t["col"]): np.array(t["quad"]) for t in tiles if t.get("row") is not None}
    return [
        (at[row, column - 1] + at[row, column + 1]) / 2
        for row, column in sorted({(r, c + 1) for r, c in at} - set(at))
        if (row, column - 1) in at and (row, column + 1) in at
    ]


def _canvas_from_frame(truth: dict[str, Any], rng: np.random.Generator) -> np.ndarray:
    """Return the homography frame -> canvas, as loose as a rectification may be."""
    corners = np.array(truth["tray"]["corners"], np.float32)
    world = np.array(truth["tray"]["corners_world"])[:, :2] * 1000 * (1, -1)
    if rng.random() < 0.7:
        world += rng.normal(0, 2.0, world.shape)
    scale, turn = np.exp(rng.normal(0, 0.12)), np.radians(rng.normal(0, 4))
    c, s = np.cos(turn), np.sin(turn)
    target = world @ np.array([[c, s], [-s, c]]) * scale * PX_PER_MM
    target += np.array(CANVAS_WH) / 2 + rng.normal(0, 10, 2)
    return cv2.getPerspectiveTransform(corners, target.astype(np.float32))


def _moved(points: Any, matrix: np.ndarray) -> np.ndarray:
    return cv2.perspectiveTransform(np.array(points, np.float64).reshape(-1, 1, 2), matrix).reshape(-1, 2)


def targets_of(drawn: Drawn, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (picture, pieces, hand) for the detector.

    (304, 400, 3) uint8; (n, 7) float32 rows kind, x, y, w, h, angle (radians), weight; (38, 50) uint8.
    """
    matrix = _canvas_from_frame(drawn.truth, rng)
    picture = cv2.warpPerspective(
        drawn.picture_bgr, matrix, CANVAS_WH, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    hand = np.zeros((CANVAS_WH[1] // 8, CANVAS_WH[0] // 8), np.uint8)
    if drawn.hand_mask is not None:
        big = cv2.warpPerspective(drawn.hand_mask, matrix, CANVAS_WH)
        hand = cv2.resize(big, (hand.shape[1], hand.shape[0]), interpolation=cv2.INTER_AREA)
    return picture, _rows(drawn.truth, matrix), hand


def _rows(truth: dict[str, Any], matrix: np.ndarray) -> np.ndarray:
    """Return (n, 7) float32 the pieces of a truth, moved by a homography."""
    rows = []
    for tile in truth["tiles"]:
        rows.append(_row(0, _moved(tile["quad"], matrix), tile["visible"]))
    for die in truth["dice"]:
        rows.append(_row(1, _moved(die["top_quad"], matrix), die["visible"]))
    for disk in truth["disks"]:
        rows.append(_row(2, upright_around(_moved(disk["outline"], matrix)), 1.0))
    return np.array(rows, np.float32).reshape(-1, 7)


def loose_targets_of(drawn: Drawn, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return (picture, pieces) for the net that finds dice and disks: (1, 288, 360, 3) uint8 and (n, 7) float32 rows.

    The whole of a small tray; of a large one the part around one of its dice or disks, or, where there are none, of
    its tiles: what is no disk has to be learnt, too. Nothing, (0, 288, 360, 3), of an empty tray. Pieces whose middle
    is cut off have weight -1.
    """
    truth, size = drawn.truth, np.array(LOOSE_WH)
    pieces = [*truth["dice"], *truth["disks"]] or truth["tiles"]
    if not pieces:
        return np.zeros((0, LOOSE_WH[1], LOOSE_WH[0], 3), np.uint8), np.zeros((0, 7), np.float32)
    corners = np.array(truth["tray"]["corners"], np.float32)
    world = np.array(truth["tray"]["corners_world"])[:, :2] * 1000 * (1, -1)
    if rng.random() < 0.7:
        world += rng.normal(0, 1.5, world.shape)
    target = world * LOOSE_PX_PER_MM
    matrix = cv2.getPerspectiveTransform(corners, target.astype(np.float32))
    middle = target.mean(0)
    if (np.ptp(target, axis=0) > size).any():
        middle = _moved([pieces[int(rng.integers(len(pieces)))]["center"]], matrix)[0]
    shift = np.eye(3)
    shift[:2, 2] = size / 2 - middle + rng.normal(0, 12, 2)
    matrix = shift @ matrix
    picture = cv2.warpPerspective(
        drawn.picture_bgr, matrix, LOOSE_WH, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    rows = _rows(truth, matrix)
    rows[~((rows[:, 1:3] >= 0) & (rows[:, 1:3] < size)).all(1), 6] = -1
    return picture[None], rows


def _row(kind: int, quad: np.ndarray, visible: float) -> list[float]:
    middle = quad.mean(0)
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    angle = float(np.arctan2(-across[1], across[0]))
    weight = 1.0 if visible > 0.6 else 0.0 if visible < 0.15 else -1.0
    return [kind, *middle.tolist(), float(np.hypot(*across)), float(np.hypot(*down)), angle, weight]


def quad_of(row: np.ndarray, *, grown: float = 1.0) -> np.ndarray:
    """Return (4, 2) the corners of a piece, TL TR BR BL px, so many times as large. row: (7,) as of `targets_of`."""
    _, x, y, wide, high, angle, _ = row
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(SQUARE / 2 * (wide, high) * grown @ np.array([[c, -s], [s, c]]) + (x, y))


def maps_of(
    rows: np.ndarray, *, size_wh_px: tuple[int, int] = CANVAS_WH, px_per_mm: float = PX_PER_MM
) -> tuple[np.ndarray, np.ndarray]:
    """Return (maps, weight) for the detector, (9, H, W) and (2, H, W).

    maps: heat x3, offset x and y, log of width and height, cos and sin of the folded angle.
    weight[0]: where heat counts; weight[1]: where a piece's middle says its offset, size and angle.
    """
    h, w = size_wh_px[1] // STRIDE, size_wh_px[0] // STRIDE
    maps, weight = np.zeros((9, h, w), np.float32), np.zeros((2, h, w), np.float32)
    weight[0] = 1
    all_y, all_x = np.mgrid[0:h, 0:w].astype(np.float32)
    for kind, px, py, pw, ph, angle, seen in rows:
        cx, cy = (px + 0.5) / STRIDE, (py + 0.5) / STRIDE
        if not (0 <= cx < w and 0 <= cy < h) or seen == 0:
            continue
        sigma = 0.11 * min(pw, ph) / STRIDE
        around = _window(cx, cy, max(3.0, REACH * sigma))  # no heat is wanted within 3 of what hardly shows
        x, y = all_x[around], all_y[around]
        away = (x - (cx - 0.5)) ** 2 + (y - (cy - 0.5)) ** 2
        if seen < 0:
            weight[0][around][away < 9] = 0
            continue
        heat = maps[int(kind)]
        heat[around] = np.maximum(heat[around], np.exp(-away / (2 * sigma * sigma)))
        heat[min(int(cy), h - 1), min(int(cx), w - 1)] = 1.0
        near = away < 1.9
        fold = (2, 4, 0)[int(kind)]
        size = np.log([pw / px_per_mm / SIZE_MM, ph / px_per_mm / SIZE_MM])
        values = np.array([*size, np.cos(fold * angle), np.sin(fold * angle)])
        maps[3][around][near], maps[4][around][near] = cx - x[near], cy - y[near]
        maps[5:9, *around][:, near] = values[:, None]
        weight[1][around][near] = 1
    return maps, weight


def _window(x: float, y: float, reach: float) -> tuple[slice, slice]:
    """Return the rows and columns within reach of a place; those beyond the map's end are left out by slicing."""
    rows, columns = (slice(max(0, int(at - reach)), int(at + reach) + 2) for at in (y, x))
    return rows, columns
