"""The exact truth beside a traced picture, in the form of the label files that `vision.evaluate` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, camera_json, fill
from vision.drawing.legible import lab_of, measured
from vision.drawing.scene import DrawnDisk, DrawnTile, Hand
from vision.drawing.tiles import tile_quad, to_tray
from vision.drawing.traced.faces import Sheet
from vision.drawing.traced.laying import FAMILIES
from vision.drawing.traced.look import TracedLook
from vision.drawing.traced.pieces import TracedDie, TracedScene, top_quad_mm
from vision.drawing.traced.piles import share_hidden
from vision.drawing.traced.solids import hand_bones
from vision.drawing.truth import pixels, spread, tile_truth

Array = np.ndarray[Any, np.dtype[Any]]


def marker_corners_mm(look: TracedLook) -> Array:
    """Return the corners of the four black squares, (4, 4, 2) mm: markers 0 to 3, each TL TR BR BL."""
    x, y = look.tray_mm[0] / 2 - 17, look.tray_mm[1] / 2 - 17
    box = np.array([[-12, 12], [12, 12], [12, -12], [-12, -12]], float)
    out = []
    for (a, b), turn in zip(((-1, 1), (1, 1), (1, -1), (-1, -1)), np.radians(look.marker_turns_deg), strict=True):
        c, s = np.cos(turn), np.sin(turn)
        out.append(box @ np.array([[c, s], [-s, c]]) + (a * x, b * y))
    return np.array(out)


def hand_mask_of(hand: Hand | None, camera: Camera, size_wh_px: tuple[int, int]) -> Array | None:
    """Return (h, w) uint8, 255 where the hand's rods lie in the picture; None without a hand."""
    if hand is None:
        return None
    mask = np.zeros((size_wh_px[1], size_wh_px[0]), np.uint8)
    t = np.linspace(0, 2 * np.pi, 20)[:-1]
    ring = np.c_[np.cos(t), np.sin(t), np.zeros(19)]
    for start, end, radius in hand_bones(hand):
        points = np.vstack([start + ring * radius, end + ring * radius])
        hull = cv2.convexHull(camera.project(points).astype(np.float32)).reshape(-1, 2)
        fill(mask, hull, 255.0)
    return mask


def _seen(camera: Camera, points_mm: Array, mask: Array | None) -> float:
    if mask is None:
        return 1.0
    px = camera.project(points_mm).round().astype(int)
    inside = (px >= 0).all(1) & (px < np.array(mask.shape[::-1])).all(1)
    px = px[inside]
    return 1 - float((mask[px[:, 1], px[:, 0]] > 127).mean()) if len(px) else 0.0


def _tile(
    k: int, tile: DrawnTile, look: TracedLook, camera: Camera, mask: Array | None, touching: bool
) -> dict[str, Any]:
    quad = tile_quad(tile, look.tiles.shape)
    px = camera.project(quad)
    across = px[1] - px[0]
    coloured = tile.face_up or (look.tiles.back is None and not _common_body(look))
    return tile_truth(k, tile, look.tiles.shape, camera, coloured=coloured) | {
        "rotation_px_deg": round(float(np.degrees(np.arctan2(-across[1], across[0]))), 3),
        "touching": touching,
        "visible": round(_seen(camera, spread(quad), mask), 3),
        "legibility": "clear",
    }


def _common_body(look: TracedLook) -> bool:
    return len({body for _, body in look.tiles.inks.values()}) == 1


def _die(k: int, die: TracedDie, look: TracedLook, camera: Camera, mask: Array | None) -> dict[str, Any]:
    s = look.dice.size_mm
    top = top_quad_mm(die, s)
    middle = np.array(die.middle_mm(s))
    low = 2 * middle - top
    hull = cv2.convexHull(camera.project(np.vstack([top, low])).astype(np.float32)).reshape(-1, 2)
    return {
        "id": k,
        "value": die.value,
        "color": die.colour,
        "center": pixels(camera, top.mean(0, keepdims=True))[0],
        "body_center": pixels(camera, middle[None])[0],
        "top_quad": pixels(camera, top),
        "silhouette": [[round(float(x), 2), round(float(y), 2)] for x, y in hull],
        "size_mm": round(die.side_mm(s), 2),
        "rotation_deg": round(die.angle_deg, 2),
        "lean_deg": round(die.lean_deg, 2),
        "touching": die.touching,
        "visible": round(_seen(camera, spread(top), mask), 3),
        "world": [die.x_mm / 1000, die.y_mm / 1000, float(np.radians(die.angle_deg))],
    }


def _disk(disk: DrawnDisk, look: TracedLook, camera: Camera) -> dict[str, Any]:
    t = np.linspace(0, 2 * np.pi, 17)[:-1]
    ring = np.c_[np.cos(t), np.sin(t)] * look.disks.size_mm / 2
    high = look.disks.thickness_mm
    return {
        "kind": disk.kind,
        "value": disk.value,
        "center": pixels(camera, np.array([[disk.x_mm, disk.y_mm, high]]))[0],
        "outline": pixels(camera, to_tray(ring, disk.x_mm, disk.y_mm, disk.angle_deg, high)),
        "rotation_deg": round(disk.angle_deg % 360, 2),
    }


def _grid(tiles: Sequence[DrawnTile], family: str) -> list[list[str | None]]:
    if not tiles:
        return []
    rows, columns = max(t.row for t in tiles) + 1, max(t.column for t in tiles) + 1
    if family == "D":
        columns = 10
    grid: list[list[str | None]] = [[None] * columns for _ in range(rows)]
    for t in tiles:
        grid[t.row][t.column] = f"{t.colour}:{t.symbol}" if t.face_up else "down"
    return [[c for c in row if c is not None] for row in grid] if family == "E41" else grid


def truth_of(scene: TracedScene, look: TracedLook, camera: Camera, *, family: str, size_wh_px: tuple[int, int],
             hand_mask: Array | None) -> dict[str, Any]:  # fmt: skip
    """Return the label of a traced picture."""
    x, y = look.tray_mm[0] / 2, look.tray_mm[1] / 2
    corners = np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])
    touching = "touching" in scene.tags
    tiles = [_tile(k, t, look, camera, hand_mask, touching) for k, t in enumerate(scene.tiles)]
    for label, tile in zip(tiles, scene.tiles, strict=True):
        label["visible"] = round(label["visible"] * (1 - share_hidden(tile, scene, look.tiles.shape.size_mm)), 3)
        if tile in scene.tiles_on_others():
            label |= {"row": None, "col": None, "grid_col": None}
    empty = not (scene.tiles or scene.dice or scene.disks)
    wide = [np.ptp(np.array(t["quad"])[:2, 0]) for t in tiles]
    return {
        "family": family,
        "family_name": FAMILIES[family],
        "width": size_wh_px[0],
        "height": size_wh_px[1],
        "grid": _grid(scene.tiles[: len(scene.tiles) - len(scene.tiles_on_others())], family),
        "array_rotation_deg": round(scene.turn_deg, 2),
        "tile_width_px": round(float(np.mean(wide)), 1) if wide else None,
        "tiles": tiles,
        "dice": [_die(k, d, look, camera, hand_mask) for k, d in enumerate(scene.dice)],
        "dice_sum": sum(d.value for d in scene.dice) if scene.dice else None,
        "disks": [_disk(d, look, camera) for d in scene.disks],
        "markers": _markers(look, camera),
        "tray": {
            "corners": pixels(camera, corners),
            "corners_world": (corners / 1000).tolist(),
            "felt": look.felt_name,
            "felt_rgb": [round(v) for v in reversed(look.felt)],
            "rim": look.rim is not None,
            "rim_material": look.rim,
        },
        "camera": camera_json(camera) | {
            "tilt_deg": round(look.camera.tilt_deg, 2), "height_m": round(look.camera.height_mm / 1000, 4),
        },
        "lighting": {
            "mood": look.mood,
            "lamps": [
                {"pos": [round(v / 1000, 3) for v in lamp.at_mm], "size": round(lamp.size_mm / 1000, 3),
                 "kelvin": round(lamp.kelvin), "share": round(lamp.share, 2)}
                for lamp in look.lamps
            ],
        },
        "hand_present": scene.hand is not None,
        "ready": scene.hand is None and not empty,
        "empty": empty,
        "tags": _tags(scene, look, size_wh_px),
    }  # fmt: skip


def _markers(look: TracedLook, camera: Camera) -> list[dict[str, Any]]:
    if not look.markers:
        return []
    corners = marker_corners_mm(look)
    raised = [np.c_[c, np.full(4, 0.37)] for c in corners]
    return [{"id": k, "corners": pixels(camera, c)} for k, c in enumerate(raised)]


def _tags(scene: TracedScene, look: TracedLook, size_wh_px: tuple[int, int]) -> list[str]:
    tags = [f"light_{look.mood}", "tilt>9" if look.camera.tilt_deg > 9 else "tilt<=9", "traced", *look.tags]
    if scene.tiles:
        tags += [*look.tiles.tags, *scene.tags]
        bodies = np.array([b for _, b in look.tiles.inks.values()])
        inks = np.array([i for i, _ in look.tiles.inks.values()])
        if _lab(bodies, np.array([look.felt])).min() < 25:
            tags.append("low_contrast_felt")
        if _lab(bodies, inks).min() < 38:
            tags.append("low_contrast_ink")
    if scene.dice:
        tags += ["touching_dice"] * any(d.touching for d in scene.dice) + [f"dice_{look.dice.finish}"]
        tags += ["two_dice_colours"] * (len({d.colour for d in scene.dice}) > 1)
        tags += ["cocked"] * any(d.lean_deg > 0 for d in scene.dice)
    tags += ["no_markers"] * (not look.markers) + ["no_rim"] * (look.rim is None) + ["clutter"] * (look.clutter > 0)
    tags += ["colour_cast"] * (look.sensor.wb_exponent < 0.8) + ["defocus"] * (look.sensor.blur_px > 0.65)
    tags += ["like_felt"] * look.felt_name.startswith("like") + ["occluded"] * (scene.hand is not None)
    return sorted(tags + [f"{size_wh_px[0]}x{size_wh_px[1]}"] * (size_wh_px != (1280, 960)))


def _lab(a: Array, b: Array) -> Array:
    """Return distances in CIE Lab of BGR colours, (n, 3) each (b may hold one)."""

    def lab(c: Array) -> Array:
        return np.asarray(cv2.cvtColor((c[None] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0])

    return np.asarray(np.linalg.norm(lab(a) - lab(b), axis=1))


def legibility(truth: dict[str, Any], picture: Array, sheet: Sheet, scene: TracedScene, look: TracedLook,
               camera: Camera) -> None:  # fmt: skip
    """Measure in the finished picture how well each digit stands out; adds to the truth."""
    lab = lab_of(picture)
    for k, (tile, label) in enumerate(zip(scene.tiles, truth["tiles"], strict=True)):
        if label["visible"] < 0.7:
            label["legibility"] = "covered"
            continue
        if not tile.face_up:
            continue
        mask = sheet.ink[k]
        h, w = mask.shape
        x = ((np.arange(w) + 0.5) / w - 0.5) * sheet.cell_mm[0]
        y = (0.5 - (np.arange(h) + 0.5) / h) * sheet.cell_mm[1]
        points = np.stack(np.meshgrid(x, y), 2).reshape(-1, 2)
        size = look.tiles.shape.size_mm
        face = (np.abs(points) < np.array(size) / 2 - 1.8).all(1)
        place = (tile.x_mm, tile.y_mm, tile.angle_deg, look.tiles.shape.thickness_mm)
        at = camera.project(to_tray(points, *place)).astype(np.float32)
        label |= measured(lab, at, mask, face)
