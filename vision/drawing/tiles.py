"""Tiles: walls, face, bevel, ink, wear."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, fill
from vision.drawing.glyphs import underlined
from vision.drawing.look import Bgr, Look, TileLook, ink_and_body, near
from vision.drawing.scene import DrawnTile
from vision.drawing.surfaces import noise_bank

Array = np.ndarray[Any, np.dtype[Any]]


@lru_cache(maxsize=64)
def tile_outline(look: TileLook, *, inset: float = 0.0) -> Array:
    """Return the outline of a tile's face, (n, 2) mm from the middle of its virtual corners, clockwise from TL."""
    w, h, sag = look.size_mm[0] / 2 - inset, look.size_mm[1] / 2 - inset, look.sag_mm
    r = max(look.corner_mm - inset, 0.05)
    t = np.linspace(-1, 1, 9)
    top = np.c_[t * (w - r), h + sag * (1 - (t * (w - r) / w) ** 2)]
    bottom = np.c_[-t * (w - r), -h + sag * (1 - (t * (w - r) / w) ** 2)]
    turn = np.radians([22, 45, 68])
    slope = sag * (1 - ((w - r) / w) ** 2)
    right = [
        *((w - r + r * np.sin(a), h - r + slope * 0.7 + r * np.cos(a)) for a in turn),
        (w, h - r),
        (w, -h + r),
        *((w - r + r * np.cos(a), -h + r + slope * 0.4 - r * np.sin(a)) for a in turn),
    ]
    left = [(-x, y) for x, y in reversed(right)]
    return np.vstack([top, right, bottom, left])


def to_tray(points: Array, x_mm: float, y_mm: float, angle_deg: float, z_mm: float) -> Array:
    """Return local points (n, 2) placed on the tray, (n, 3) mm."""
    a = np.radians(angle_deg)
    c, s = np.cos(a), np.sin(a)
    out = np.empty((len(points), 3))
    out[:, :2] = points @ np.array([[c, s], [-s, c]]) + (x_mm, y_mm)
    out[:, 2] = z_mm
    return out


def tile_quad(tile: DrawnTile, look: TileLook) -> Array:
    """Return the four virtual corners of the face, (4, 3) mm, TL TR BR BL with the arc upwards."""
    w, h = look.size_mm[0] / 2, look.size_mm[1] / 2
    box = np.array([[-w, h], [w, h], [w, -h], [-w, -h]])
    return to_tray(box, tile.x_mm, tile.y_mm, tile.angle_deg, tile.z_mm + look.thickness_mm)


def _scaled(colour: Bgr, factor: float) -> tuple[float, ...]:
    return tuple(min(255.0, max(0.0, v * factor)) for v in colour)


def paint_tile(frame: Array, tile: DrawnTile, look: Look, camera: Camera, rng: np.random.Generator) -> Array:
    """Paint one tile and return its face's outline in pixels, (n, 2)."""
    t = look.tile
    ink, body = ink_and_body(t, look.palette[tile.colour])
    if not tile.face_up and t.back is not None:
        body = t.back
    body = near(rng, body, t.spread)
    place = (tile.x_mm, tile.y_mm, tile.angle_deg)
    low = camera.project(to_tray(tile_outline(t), *place, tile.z_mm))
    high = camera.project(to_tray(tile_outline(t), *place, tile.z_mm + t.thickness_mm))
    _paint_wall(frame, low, high, body)
    fill(frame, high, _scaled(body, 1.0))
    _paint_face(frame, tile, look, camera, ink, body, high, rng)
    return high


def _paint_wall(frame: Array, low: Array, high: Array, body: Bgr) -> None:
    """Paint the sides that the camera sees, each strip lit by the direction it faces."""
    edge, drop = np.roll(high, -1, 0) - high, low - high
    facing = np.nonzero(edge[:, 0] * drop[:, 1] - edge[:, 1] * drop[:, 0] < 0)[0]
    middle = high.mean(0)
    reach = float(np.abs(high - middle).max()) + 1e-6
    after = (facing + 1) % len(low)
    strips = np.stack([low[facing], low[after], high[after], high[facing]], 1)
    for strip, up in zip(strips, ((middle[1] - high[facing, 1]) / reach).tolist(), strict=True):
        fill(frame, strip, _scaled(body, 0.62 + 0.18 * up))


def _paint_face(
    frame: Array,
    tile: DrawnTile,
    look: Look,
    camera: Camera,
    ink: Bgr,
    body: Bgr,
    outline_px: Array,
    rng: np.random.Generator,
) -> None:
    t = look.tile
    x0, y0 = np.maximum(np.floor(outline_px.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(outline_px.max(0)).astype(int) + 2, (frame.shape[1], frame.shape[0]))
    if x1 - x0 < 3 or y1 - y0 < 3:
        return
    part = frame[y0:y1, x0:x1]
    offset = np.array([x0, y0])
    mask = np.zeros(part.shape[:2], np.uint8)
    fill(mask, outline_px - offset, 255.0)
    face = np.empty(part.shape, np.float32)
    face[:] = body
    if t.grain > 0:
        face *= (1 + t.grain * 0.07 * _grain(part.shape[:2], rng))[..., None]
    _paint_bevel(face, tile, t, camera, offset)
    if tile.face_up:
        _paint_ink(face, tile, look, camera, offset, ink, rng)
    alpha = (mask.astype(np.float32) / 255)[..., None]
    part[:] = part + (face - part) * alpha


def _grain(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    x, y = int(rng.integers(900)), int(rng.integers(900))
    bank = noise_bank("wood")
    return bank[y : y + shape[0], x : x + shape[1]] if shape[0] < 120 and shape[1] < 120 else np.zeros(shape)


def _paint_bevel(face: Array, tile: DrawnTile, t: TileLook, camera: Camera, offset: Array) -> None:
    """Paint the rounded edge: lighter on one side, darker on the other."""
    if t.bevel_mm <= 0:
        return
    place = (tile.x_mm, tile.y_mm, tile.angle_deg, tile.z_mm + t.thickness_mm)
    inner = camera.project(to_tray(tile_outline(t, inset=t.bevel_mm), *place)) - offset
    mask = np.zeros(face.shape[:2], np.uint8)
    fill(mask, inner, 255.0)
    rim = 1 - mask.astype(np.float32) / 255
    ramp = np.linspace(1.18, 0.78, face.shape[0], dtype=np.float32)[:, None]
    face *= (1 + rim * (ramp - 1))[..., None]


def _paint_ink(
    face: Array,
    tile: DrawnTile,
    look: Look,
    camera: Camera,
    offset: Array,
    ink: Bgr,
    rng: np.random.Generator,
) -> None:
    alpha = glyph_alpha(tile, look, camera, offset, (face.shape[1], face.shape[0])) * look.tile.ink_alpha
    if look.tile.wear > 0:
        alpha = alpha * _worn(alpha.shape, look.tile.wear, rng)
    if look.tile.engraved > 0:
        lip = np.roll(alpha, (1, 1), (0, 1)) - np.roll(alpha, (-1, -1), (0, 1))
        face *= (1 + 0.35 * look.tile.engraved * lip)[..., None]
    face += (np.array(ink, np.float32) - face) * alpha[..., None]


def glyph_alpha(tile: DrawnTile, look: Look, camera: Camera, offset: Array, size_wh: tuple[int, int]) -> Array:
    """Return how much of each pixel the ink covers, (h, w) float32 0..1, seen from `offset` in the frame."""
    t = look.tile
    # A set made by hand has a digit of its own on each tile, "red:7"; printed ones have one for all colours.
    mask = look.glyphs.get(f"{tile.colour}:{tile.symbol}", look.glyphs[tile.symbol])
    height = t.digit_height * t.size_mm[1] * mask.shape[0] / max(look.glyphs["0"].shape[0], 1)
    if tile.symbol == "#":
        height = min(height, t.digit_height * t.size_mm[1])
    ratio = height / mask.shape[0]
    if t.underline and tile.symbol in "69":
        mask = underlined(mask)
    h, w = mask.shape[0] * ratio, mask.shape[1] * ratio
    squeeze = min(1.0, 0.86 * t.size_mm[0] / w)
    cx, cy = t.digit_shift_mm[0], t.digit_shift_mm[1] + 0.75 * t.sag_mm
    box = np.array([[-w, h], [w, h], [w, -h], [-w, -h]]) / 2 * (squeeze, 1) + (cx, cy)
    place = (tile.x_mm, tile.y_mm, tile.angle_deg, tile.z_mm + t.thickness_mm)
    target = camera.project(to_tray(box, *place)) - offset
    return warp_mask(mask, target, size_wh)


def warp_mask(mask: Array, target_px: Array, size_wh: tuple[int, int]) -> Array:
    """Return a mask laid onto four points TL TR BR BL, (h, w) float32 0..1; shrunk without aliasing."""
    tall = max(float(np.linalg.norm(target_px[3] - target_px[0])), 2.0)
    factor = 2.0 * tall / mask.shape[0]
    if factor < 1:
        size = (max(2, round(mask.shape[1] * factor)), max(2, round(mask.shape[0] * factor)))
        mask = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
        mask = cv2.blur(cv2.copyMakeBorder(mask, 2, 2, 2, 2, cv2.BORDER_CONSTANT), (2, 2))
        inset = 2
    else:
        inset = 0
    h, w = mask.shape[0] - 2 * inset, mask.shape[1] - 2 * inset
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) + inset - 0.5
    matrix = cv2.getPerspectiveTransform(source, target_px.astype(np.float32))
    return cv2.warpPerspective(mask, matrix, size_wh).astype(np.float32) / 255


def _worn(shape: tuple[int, ...], wear: float, rng: np.random.Generator) -> Array:
    """Return the share of ink left, specks and scratches gone."""
    x, y = int(rng.integers(1024 - shape[1])), int(rng.integers(1024 - shape[0]))
    specks = noise_bank("fine")[y : y + shape[0], x : x + shape[1]]
    left = 1 - np.clip((specks - 2.2 + 1.6 * wear) * 1.5, 0, 1) * min(1.0, wear + 0.3)
    for _ in range(rng.poisson(2.0 * wear)):
        a, b = rng.uniform(0, shape[1::-1], 2), rng.uniform(0, shape[1::-1], 2)
        ends = [(int(p[0]), int(p[1])) for p in (a, b)]
        left = np.ascontiguousarray(left, np.float32)
        cv2.line(left, ends[0], ends[1], (0.3,), 1, cv2.LINE_AA)
    return np.asarray(left, np.float32)
