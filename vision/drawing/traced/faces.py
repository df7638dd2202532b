"""What is printed on tiles and disks: one picture with all faces, and how deep each point of it is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import fill
from vision.drawing.glyphs import GlyphSet, underlined
from vision.drawing.look import Bgr
from vision.drawing.scene import DrawnDisk, DrawnTile
from vision.drawing.surfaces import noise_bank
from vision.drawing.tiles import warp_mask
from vision.drawing.traced.look import DiskMaterial, TileMaterial
from vision.drawing.traced.pieces import PIPS

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Sheet:
    """All faces side by side."""

    colour: Array
    """(h, w, 3) uint8."""
    height: Array
    """(h, w) uint8; 255 is the surface, less is cut."""
    ink: tuple[Array, ...]
    """Of each face, how much of it is ink, (ch, cw) float32."""
    cell_mm: tuple[float, float]
    columns: int

    def uv(self, k: int, xy_mm: Array) -> Array:
        """Return where points of face k, (n, 2) mm from its middle, lie on the sheet, (n, 2) in 0..1, v upwards."""
        rows = self.colour.shape[0] // self.ink[0].shape[0]
        u = (k % self.columns + 0.5 + xy_mm[:, 0] / self.cell_mm[0]) / self.columns
        v = 1 - (k // self.columns + 0.5 - xy_mm[:, 1] / self.cell_mm[1]) / rows
        return np.asarray(np.c_[u, v])


def _noise(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> Array:
    bank = noise_bank(kind)
    x, y = int(rng.integers(1024 - shape[1])), int(rng.integers(1024 - shape[0]))
    return np.asarray(bank[y : y + shape[0], x : x + shape[1]])


def _body(shape: tuple[int, int], colour: Bgr, *, wood: bool, spread: float, rng: np.random.Generator) -> Array:
    face = np.empty((*shape, 3), np.float32)
    face[:] = np.clip(np.array(colour) + rng.normal(0, spread, 3) + rng.normal(0, spread), 2, 252)
    if wood:
        face *= (1 + rng.uniform(0.03, 0.09) * _noise("wood", shape, rng))[..., None]
    else:
        face *= (1 + 0.012 * _noise("stone", shape, rng))[..., None]
    return face


def _worn(face: Array, ink: Array, wear: float, rng: np.random.Generator) -> Array:
    """Scratch the face, which changes, and return what is left of the ink."""
    if wear <= 0:
        return ink
    shape = (ink.shape[0], ink.shape[1])
    left = 1 - np.clip((_noise("fine", shape, rng) - 2.5 + 1.1 * wear) * 1.2, 0, 1)
    left *= 1 - np.clip((_noise("stone", shape, rng) - 2.6 + 0.9 * wear) * 2.0, 0, 0.8)
    left = np.ascontiguousarray(left, np.float32)
    scratches = np.zeros(shape, np.float32)
    for _ in range(rng.poisson(3.5 * wear)):
        a = rng.uniform(0, 1, 2) * shape[::-1]
        b = a + rng.normal(0, 0.35, 2) * shape[::-1]
        ends = [(int(p[0]), int(p[1])) for p in (a, b)]
        cv2.line(scratches, ends[0], ends[1], (float(rng.uniform(0.2, 0.8)),), 1, cv2.LINE_AA)
    pale = 170.0 if face.mean() < 140 else 120.0
    face += (pale - face) * (scratches * 0.5)[..., None]
    return np.asarray(ink * np.minimum(left, 1 - 0.6 * scratches))


def tile_sheet(tiles: Sequence[DrawnTile], material: TileMaterial, glyphs: GlyphSet, *, ppmm: float,
               rng: np.random.Generator) -> Sheet:  # fmt: skip
    """Return the faces of the tiles, in their order. ppmm: pixels of the sheet per mm."""
    t = material.shape
    cell_mm = (t.size_mm[0] + 1.0, t.size_mm[1] + 2 * t.sag_mm + 1.0)
    size = (round(cell_mm[0] * ppmm), round(cell_mm[1] * ppmm))
    faces, depths, inks = [], [], []
    for tile in tiles:
        ink, body = material.inks[tile.colour]
        if not tile.face_up and material.back is not None:
            body = material.back
        face = _body((size[1], size[0]), body, wood=material.wood, spread=t.spread, rng=rng)
        mask = np.zeros((size[1], size[0]), np.float32)
        if tile.face_up:
            mask = warp_mask(*_placed(tile.symbol, material, glyphs, size, ppmm), size)
        left = _worn(face, mask, material.wear, rng)
        face += (np.array(ink, np.float32) - face) * left[..., None]
        faces.append(np.clip(face, 0, 255).astype(np.uint8))
        depths.append(np.clip(255 - 255 * material.engraved * mask, 0, 255).astype(np.uint8))
        inks.append(mask)
    return _joined(faces, depths, inks, cell_mm)


def _placed(symbol: str, material: TileMaterial, glyphs: GlyphSet, size: tuple[int, int],
            ppmm: float) -> tuple[Array, Array]:  # fmt: skip
    """Return a digit's mask and the four points of its cell where it goes, (4, 2) px."""
    t, mask = material.shape, glyphs[symbol]
    height = t.digit_height * t.size_mm[1] * mask.shape[0] / max(glyphs["0"].shape[0], 1)
    if symbol == "#":
        height = min(height, t.digit_height * t.size_mm[1])
    ratio = height / mask.shape[0]
    if t.underline and symbol in "69":
        mask = underlined(mask)
    h, w = mask.shape[0] * ratio, mask.shape[1] * ratio
    squeeze = min(1.0, 0.84 * t.size_mm[0] / w, 0.86 * t.size_mm[1] / h)
    cx, cy = t.digit_shift_mm[0], t.digit_shift_mm[1] + 0.75 * t.sag_mm
    box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 * squeeze + (cx, -cy)
    return mask, box * ppmm + np.array(size) / 2 - 0.5


def disk_sheet(disks: Sequence[DrawnDisk], material: DiskMaterial, glyphs: GlyphSet, *, ppmm: float,
               rng: np.random.Generator) -> Sheet:  # fmt: skip
    """Return the faces of the disks, in their order."""
    side = round((material.size_mm + 1.0) * ppmm)
    faces, depths, inks = [], [], []
    for disk in disks:
        face = _body((side, side), material.body, wood=material.wood, spread=3.0, rng=rng)
        mask = np.zeros((side, side), np.float32)
        if disk.kind == "queue":
            glyph = glyphs[str(disk.value)]
            h = material.size_mm * 0.5 * ppmm
            w = min(h * glyph.shape[1] / glyph.shape[0], 0.62 * material.size_mm * ppmm)
            box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 + side / 2 - 0.5
            mask = warp_mask(glyph, box, (side, side))
        else:
            mask = _dots(disk.value, material, side, ppmm)
        face += (np.array(material.ink, np.float32) - face) * mask[..., None]
        faces.append(np.clip(face, 0, 255).astype(np.uint8))
        depths.append(np.clip(255 - 255 * mask * material.drilled, 0, 255).astype(np.uint8))
        inks.append(mask)
    return _joined(faces, depths, inks, (side / ppmm, side / ppmm))


def _dots(value: int, material: DiskMaterial, side: int, ppmm: float) -> Array:
    big = np.zeros((side * 4, side * 4), np.uint8)
    gap, radius = material.gap * material.size_mm, material.dot * material.size_mm
    spots = {1: PIPS[1], 2: ((-1, 0), (1, 0)), 4: PIPS[4]}[value]
    t = np.linspace(0, 2 * np.pi, 33)[:-1]
    for x, y in spots:
        ring = np.c_[x * gap + radius * np.cos(t), y * gap + radius * np.sin(t)] * ppmm * 4 + side * 2
        fill(big, ring, 255.0)
    return cv2.resize(big, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _joined(faces: list[Array], depths: list[Array], inks: list[Array], cell_mm: tuple[float, float]) -> Sheet:
    columns = min(10, len(faces))
    blank = (-len(faces)) % columns
    faces, depths = faces + [faces[-1]] * blank, depths + [depths[-1]] * blank

    def sheet(parts: list[Array]) -> Array:
        return np.vstack([np.hstack(parts[k : k + columns]) for k in range(0, len(parts), columns)])

    return Sheet(sheet(faces), sheet(depths), tuple(inks), cell_mm, columns)
