"""The exact truth beside a drawn picture, in the form of the label files that `vision.evaluate` reads."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from vision.drawing.camera import Camera, camera_json
from vision.drawing.dice import rounded_square, sized
from vision.drawing.look import Look, TileLook
from vision.drawing.scene import DrawnDie, DrawnDisk, DrawnTile, TrayScene
from vision.drawing.surfaces import marker_corners_mm
from vision.drawing.tiles import tile_outline, tile_quad, to_tray

Array = np.ndarray[Any, np.dtype[Any]]

FAMILIES = {
    "rows": ("A", "scramble"),
    "wild": ("B", "wild"),
    "drawbridge": ("D", "drawbridge"),
    "rect": ("E58", "rect58"),
    "diamond": ("E41", "diamond41"),
}


def pixels(camera: Camera, points_mm: Array) -> list[list[float]]:
    """Return points of the tray, (n, 2 or 3) mm, in pixels as a truth says them."""
    return [[round(x, 2), round(y, 2)] for x, y in camera.project(points_mm).tolist()]


def _tile(k: int, tile: DrawnTile, look: Look, camera: Camera, visible: float, gloss: float) -> dict[str, Any]:
    legibility = (
        "covered" if visible < 0.7 else "unreadable" if gloss > 0.93 else "marginal" if gloss > 0.75 else "clear"
    )
    seen = {"visible": round(visible, 3), "legibility": legibility}
    return tile_truth(k, tile, look.tile, camera, coloured=tile.face_up or look.tile.back is None) | seen


def tile_truth(k: int, tile: DrawnTile, shape: TileLook, camera: Camera, *, coloured: bool) -> dict[str, Any]:
    """Return what a tile is and where it lies, as every truth says it.

    coloured: its colour is to be seen, also when it lies face down.
    """
    quad = tile_quad(tile, shape)
    high = tile.z_mm + shape.thickness_mm
    outline = to_tray(tile_outline(shape), tile.x_mm, tile.y_mm, tile.angle_deg, high)
    return {
        "id": k,
        "label": tile.symbol if tile.face_up else "down",
        "color": tile.colour if coloured else None,
        "hidden_digit": None if tile.face_up else tile.symbol,
        "hidden_color": None if tile.face_up else tile.colour,
        **_place(tile),
        "quad": pixels(camera, quad),
        "outline": pixels(camera, outline),
        "center": pixels(camera, quad.mean(0, keepdims=True))[0],
        "rotation_deg": round(tile.angle_deg, 3),
        "world": [tile.x_mm / 1000, tile.y_mm / 1000, float(np.radians(tile.angle_deg))],
    }


def _place(tile: DrawnTile) -> dict[str, int | None]:
    """Return a tile's place in its layout; one that lies on others has none."""
    row, column = (None, None) if tile.z_mm > 0 else (tile.row, tile.column)
    return {"row": row, "col": column, "grid_col": column}


def _die(k: int, die: DrawnDie, look: Look, camera: Camera, visible: float) -> dict[str, Any]:
    s = sized(look.die, die).size_mm
    place = (die.x_mm, die.y_mm, die.angle_deg)
    box = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * s / 2
    return {
        "id": k,
        "value": die.value,
        "color": die.colour,
        "center": pixels(camera, np.array([[die.x_mm, die.y_mm, s]]))[0],
        "body_center": pixels(camera, np.array([[die.x_mm, die.y_mm, s / 2]]))[0],
        "top_quad": pixels(camera, to_tray(box, *place, s)),
        "silhouette": pixels(camera, to_tray(rounded_square(s / 2, look.die.round * s), *place, s)),
        "size_mm": s,
        "rotation_deg": die.angle_deg,
        "visible": round(visible, 3),
    }


def _disk(disk: DrawnDisk, look: Look, camera: Camera) -> dict[str, Any]:
    t = np.linspace(0, 2 * np.pi, 17)[:-1]
    ring = np.c_[np.cos(t), np.sin(t)] * look.disk_mm / 2
    middle = np.array([[disk.x_mm, disk.y_mm, look.disk_thick_mm]])
    return {
        "kind": disk.kind,
        "value": disk.value,
        "center": pixels(camera, middle)[0],
        "outline": pixels(camera, to_tray(ring, disk.x_mm, disk.y_mm, disk.angle_deg, look.disk_thick_mm)),
        "rotation_deg": disk.angle_deg % 360,
    }


def _grid(scene: TrayScene) -> list[list[str | None]]:
    rows = max((t.row for t in scene.tiles), default=-1) + 1
    columns = max((t.column for t in scene.tiles), default=-1) + 1
    grid: list[list[str | None]] = [[None] * columns for _ in range(rows)]
    for t in (t for t in scene.tiles if t.z_mm == 0):
        grid[t.row][t.column] = f"{t.colour}:{t.symbol}" if t.face_up else "down"
    return grid


def truth_of(
    scene: TrayScene,
    look: Look,
    camera: Camera,
    *,
    size_wh_px: tuple[int, int],
    hand_mask: Array | None,
    gloss: dict[int, float],
) -> dict[str, Any]:
    """Return the label of a drawn picture. hand_mask: (h, w) uint8 or None; gloss: brightness by tile index."""

    def seen(points_mm: Array) -> float:
        if hand_mask is None:
            return 1.0
        px = np.clip(camera.project(points_mm).round().astype(int), 0, np.array(size_wh_px) - 1)
        return 1 - float((hand_mask[px[:, 1], px[:, 0]] > 127).mean())

    x, y = look.tray_mm[0] / 2, look.tray_mm[1] / 2
    corners = np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])
    tiles = [
        _tile(k, t, look, camera, seen(spread(tile_quad(t, look.tile))), gloss.get(k, 0.0))
        for k, t in enumerate(scene.tiles)
    ]
    dice = [
        _die(k, d, look, camera, seen(np.array([[d.x_mm, d.y_mm, sized(look.die, d).size_mm]])))
        for k, d in enumerate(scene.dice)
    ]
    empty = not (scene.tiles or scene.dice or scene.disks)
    family = FAMILIES.get(scene.layout, ("A", "scramble"))
    if scene.dice:
        family = ("F", "dice")
    return {
        "family": "HAND" if hand_mask is not None else "EMPTY" if empty else family[0],
        "family_name": "hand" if hand_mask is not None else "empty" if empty else family[1],
        "width": size_wh_px[0],
        "height": size_wh_px[1],
        "grid": _grid(scene),
        "tiles": tiles,
        "dice": dice,
        "dice_sum": sum(d.value for d in scene.dice) if scene.dice else None,
        "disks": [_disk(d, look, camera) for d in scene.disks],
        "markers": [
            {"id": k, "corners": pixels(camera, c)} for k, c in enumerate(marker_corners_mm(look)) if look.markers
        ],
        "tray": {"corners": pixels(camera, corners), "corners_world": (corners / 1000).tolist()},
        "camera": camera_json(camera),
        "hand_present": hand_mask is not None,
        "ready": hand_mask is None and not empty,
        "empty": empty,
        "tags": ["drawn"],
    }


@lru_cache(maxsize=8)
def _lattice(across: int, inset: float) -> tuple[Array, ...]:
    """Return how far to the right and down each point of `spread` lies, (across^2, 1) each, over the sides."""
    return tuple(part.ravel()[:, None] for part in np.meshgrid(*[np.linspace(inset, 1 - inset, across)] * 2))


def spread(quad: Array, *, across: int = 5, inset: float = 0.1) -> Array:
    """Return a lattice of points over a quad, (across^2, 2 or 3); inset: how far from its sides, over their length."""
    a, b = _lattice(across, inset)
    top, bottom = quad[0] * (1 - a) + quad[1] * a, quad[3] * (1 - a) + quad[2] * a
    return np.asarray(top * (1 - b) + bottom * b)
