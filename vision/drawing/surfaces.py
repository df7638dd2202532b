"""Table, rim, felt and markers: everything below the pieces. All painters change the frame they are given."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, cover, fill
from vision.drawing.look import Bgr, Look
from vision.geometry import SQUARE
from vision.tray.marker_print import marker_cells

Array = np.ndarray[Any, np.dtype[Any]]


@lru_cache(maxsize=8)
def noise_bank(kind: str) -> Array:
    """Return a (1024, 1024) float32 texture with mean 0 and deviation 1, the same in every process."""
    rng = np.random.default_rng(sum(kind.encode()))
    white = rng.standard_normal((1024, 1024)).astype(np.float32)
    if kind == "fibre":
        out = sum(_stretched(white, rng, a) for a in (20, 75, 130)) + 0.7 * white
    elif kind == "wood":
        out = cv2.blur(white, (121, 1)) * 9 + cv2.blur(cv2.resize(white[:128], (1024, 1024)), (61, 3)) * 3
    elif kind == "stone":
        out = cv2.GaussianBlur(white, (0, 0), 6) * 16 + cv2.GaussianBlur(white, (0, 0), 2) * 5
    elif kind == "cloud":
        out = cv2.resize(cv2.GaussianBlur(white[:64, :64], (0, 0), 1.5), (1024, 1024))
    elif kind == "white":
        out = white
    else:
        out = cv2.GaussianBlur(white, (0, 0), 0.8)
    out = np.asarray(out, np.float32)
    return np.asarray((out - out.mean()) / out.std())


def _stretched(white: Array, rng: np.random.Generator, angle: float) -> Array:
    kernel = np.zeros((9, 9), np.float32)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    ends = [(round(4 - 4 * c), round(4 - 4 * s)), (round(4 + 4 * c), round(4 + 4 * s))]
    cv2.line(kernel, ends[0], ends[1], (1.0,), 1)
    return np.asarray(cv2.filter2D(np.roll(white, int(rng.integers(999)), 0), -1, kernel / kernel.sum() * 3))


def texture(kind: str, size_wh: tuple[int, int], rng: np.random.Generator) -> Array:
    """Return a (h, w) float32 piece of the bank, mirrored on where the bank ends."""
    bank = noise_bank(kind)
    x, y = int(rng.integers(1024)), int(rng.integers(1024))
    across = 1023 - np.abs((np.arange(size_wh[0]) + x) % 2046 - 1023)
    down = 1023 - np.abs((np.arange(size_wh[1]) + y) % 2046 - 1023)
    return np.asarray(bank.take(down, 0).take(across, 1))


def blend(frame: Array, colour: Bgr, mask: Array, grain: Array, amount: float) -> None:
    """Lay a textured colour over the frame where the uint8 mask says so."""
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0:
        return
    part, share = frame[y : y + h, x : x + w], mask[y : y + h, x : x + w]
    shade = 1 + amount * grain[y : y + h, x : x + w]
    # Plane by plane: numpy takes three times as long over (h, w, 3) with a broadcast third axis. In one place: new
    # memory costs more than the sums.
    planes = [shade * c for c in colour]
    cover(part, cv2.merge([np.clip(plane, 0, 255, out=plane) for plane in planes]), share)


def paint_table(frame: Array, look: Look, camera: Camera, rng: np.random.Generator) -> None:
    """Paint the table top all over the frame."""
    h, w = frame.shape[:2]
    kind = {"wood": "wood", "stone": "stone"}.get(look.table, "fine")
    amount = {"wood": 0.07, "stone": 0.16, "cloth": 0.05}.get(look.table, 0.025)
    shade = 1 + amount * texture(kind, (w, h), rng)
    # Into the frame itself, which is of just their size and type.
    cv2.merge([shade * c for c in look.table_bgr], frame)
    if look.table == "cloth":
        _paint_checks(frame, camera, rng)
    for _ in range(look.clutter):
        _paint_clutter(frame, look, camera, rng)


def _paint_checks(frame: Array, camera: Camera, rng: np.random.Generator) -> None:
    size, turn = rng.uniform(12, 40), rng.uniform(0, np.pi)
    colour = tuple(float(v) for v in rng.uniform(20, 230, 3))
    n = np.arange(-14, 14)
    gx, gy = (g.ravel()[(np.add.outer(n, n) % 2 == 0).ravel()] for g in np.meshgrid(n, n, indexing="ij"))
    box = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
    c, s = np.cos(turn), np.sin(turn)
    for x, y in zip(gx * size, gy * size, strict=True):
        square = (box + (x, y)) @ np.array([[c, s], [-s, c]])
        fill(frame, camera.project(square), colour)


def _paint_clutter(frame: Array, look: Look, camera: Camera, rng: np.random.Generator) -> None:
    """Paint a card, a sheet, a telephone, a pencil or a cup beside the tray."""
    half = np.array(look.tray_mm) / 2 + 30
    side = rng.integers(4)
    at = rng.uniform(-1.3, 1.3, 2) * half
    at[side % 2] = (1 if side < 2 else -1) * (half[side % 2] + rng.uniform(25, 140))
    size = (rng.uniform(50, 160), rng.uniform(6, 100))
    turn = rng.uniform(0, np.pi)
    c, s = np.cos(turn), np.sin(turn)
    box = SQUARE * size / 2 @ np.array([[c, s], [-s, c]]) + at
    colour = tuple(float(v) for v in rng.uniform(10, 245, 3))
    if rng.random() < 0.25:
        t = np.linspace(0, 2 * np.pi, 32)
        box = np.c_[np.cos(t), np.sin(t)] * size[0] / 3 + at
    fill(frame, camera.project(box), colour)
    inner = (box - at) * rng.uniform(0.5, 0.93) + at
    fill(frame, camera.project(inner), tuple(min(255.0, v * rng.uniform(0.7, 1.3)) for v in colour))


def _frame_polygon(size_mm: tuple[float, float], grow: float = 0.0, z: float = 0.0) -> Array:
    """Return the outline of a rectangle around the origin, (n, 3) mm, sides divided so that a lens can bend them."""
    x, y = size_mm[0] / 2 + grow, size_mm[1] / 2 + grow
    t = np.linspace(-1, 1, 9)[:-1]
    flat = [(x * u, y) for u in t] + [(x, -y * u) for u in t] + [(-x * u, -y) for u in t] + [(-x, y * u) for u in t]
    return np.array([(a, b, z) for a, b in flat])


def rim_bars(size_mm: tuple[float, float]) -> list[Array]:
    """Return the four inner edges of the rim as thin quadrilaterals on the tray, each (4, 3) mm."""
    x, y = size_mm[0] / 2, size_mm[1] / 2
    edges = (((-x, y), (x, y)), ((x, y), (x, -y)), ((x, -y), (-x, -y)), ((-x, -y), (-x, y)))
    return [np.array([(*a, 0.0), (*b, 0.0), (b[0] * 1.01, b[1] * 1.01, 0.0), (a[0] * 1.01, a[1] * 1.01, 0.0)])
            for a, b in edges]  # fmt: skip


def paint_felt(frame: Array, look: Look, camera: Camera, rng: np.random.Generator) -> None:
    """Paint rim and felt with its fibres, lighter and darker clouds and some lint."""
    h, w = frame.shape[:2]
    grain = texture("fine", (w, h), rng)
    if look.rim is not None:
        mask = np.zeros((h, w), np.uint8)
        fill(mask, camera.project(_frame_polygon(look.tray_mm, look.rim_mm)), 255.0)
        blend(frame, tuple(v * 0.75 for v in look.rim), mask, grain, 0.03)  # type: ignore[arg-type]
        mask[:] = 0
        fill(mask, camera.project(_frame_polygon(look.tray_mm, look.rim_mm, look.rim_mm)), 255.0)
        blend(frame, look.rim, mask, grain, 0.05)
    mask = np.zeros((h, w), np.uint8)
    fill(mask, camera.project(_frame_polygon(look.tray_mm)), 255.0)
    fibre = texture("fibre", (w, h), rng) * 0.09 + texture("cloud", (w, h), rng) * 0.05
    blend(frame, look.felt, mask, fibre, look.felt_texture * 2)
    for _ in range(int(rng.integers(0, 12))):
        at = rng.uniform(-0.5, 0.5, 2) * look.tray_mm
        line = camera.project(np.array([at, at + rng.normal(0, 2.0, 2)])).round().astype(int)
        grey = float(rng.uniform(60, 190))
        cv2.line(frame, tuple(line[0].tolist()), tuple(line[1].tolist()), (grey, grey, grey), 1, cv2.LINE_AA)


def marker_corners_mm(look: Look, *, size_mm: float = 24.0) -> Array:
    """Return the corners of the four black squares, (4, 4, 2) mm: marker 0 to 3, each TL TR BR BL."""
    x, y = look.tray_mm[0] / 2 - 5, look.tray_mm[1] / 2 - 5
    s = size_mm
    box = np.array([[0, 0], [s, 0], [s, -s], [0, -s]])
    tops = np.array([[-x, y], [x - s, y], [x - s, -y + s], [-x, -y + s]])
    return np.asarray(tops[:, None] + box[None])


def paint_markers(frame: Array, look: Look, camera: Camera) -> None:
    """Paint the four printed markers in the corners of the felt."""
    for number, corners in enumerate(marker_corners_mm(look)):
        middle = corners.mean(0)
        fill(frame, camera.project((corners - middle) * 1.25 + middle), (226.0, 232.0, 234.0))
        u, v = (corners[1] - corners[0]) / 6, (corners[3] - corners[0]) / 6
        fill(frame, camera.project(corners), (26.0, 25.0, 24.0))
        for row, column in np.argwhere(marker_cells(number) > 0):
            start = corners[0] + column * u + row * v
            cell = np.array([start, start + u, start + u + v, start + v])
            fill(frame, camera.project(cell), (226.0, 232.0, 234.0))
