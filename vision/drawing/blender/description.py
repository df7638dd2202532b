"""A scene and its look as the description that Blender is given: see `inside/paint.py`, which reads it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.drawing.blender.chance import DARK, BlenderLook
from vision.drawing.camera import Camera
from vision.drawing.look import Bgr, ink_and_body
from vision.drawing.scene import DrawnDisk, DrawnTile, TrayScene
from vision.drawing.surfaces import marker_corners_mm
from vision.drawing.tiles import tile_outline

Array = np.ndarray[Any, np.dtype[Any]]
Spec = dict[str, Any]
DISK_MM = 3.5
"""Thickness of a disk, as the labels have it."""
DOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, 0), (1, 0)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
}
"""Where the dots of a prediction disk lie."""
ROUNDEST = 0.7
"""Radius of the upper edges over that of the corners: rounder bodies cut themselves, and nothing can be carved."""
BESIDE_MM = 8.0
"""How much of the table around the rim is traced finely."""


def described(
    scene: TrayScene, look: BlenderLook, camera: Camera, rng: np.random.Generator, *, size_wh_px: tuple[int, int],
    samples: int, threads: int,
) -> Spec:  # fmt: skip
    """Return the description; its papers show the files `marker_files` names."""
    stuff = _stuff(scene, look, rng)
    return {
        "stuff": stuff,
        "slabs": _slabs(look, rng, stuff),
        "papers": _papers(look),
        "tiles": _tiles(scene, look, rng),
        "dice": _dice(scene, look),
        "disks": _disks(scene, look),
        "lamps": [_lamp(k, look) for k in range(len(look.lamps))],
        "room": {"colour": [0.9, 0.95, 1.0], "strength": 1.2 * look.room[0], "uneven": look.room[1],
                 "patches": look.room[2]},
        "camera": _camera(camera, look, size_wh_px),
        "render": {"size": list(size_wh_px), "samples": samples, "threads": threads,
                   "window": _window(look, camera, size_wh_px), "seed": int(rng.integers(2**31))},
    }  # fmt: skip


def _window(look: BlenderLook, camera: Camera, size_wh_px: tuple[int, int]) -> list[float]:
    """Return the part of the frame that holds the tray and its rim: left, bottom, right, top, whole pixels of it."""
    w, h = look.look.tray_mm
    x, y = w / 2 + look.rim[0] + BESIDE_MM, h / 2 + look.rim[0] + BESIDE_MM
    corners = [(a * x, b * y, z) for a in (-1, 1) for b in (-1, 1) for z in (0.0, look.rim[1])]
    px = camera.project(np.array(corners))
    (left, top), (right, bottom) = np.floor(px.min(0)), np.ceil(px.max(0))
    wide, tall = size_wh_px
    left, right = (min(max(float(v), 0.0), float(wide)) for v in (left, right))
    low, high = (min(max(float(tall - v), 0.0), float(tall)) for v in (bottom, top))
    return [left / wide, low / tall, right / wide, high / tall]


def lamp_bgr(look: BlenderLook) -> Array:
    """Return the colour of all light together, (3,) linear."""
    shares = [lamp.share for lamp in look.lamps]
    parts = [np.multiply(lamp.bgr, lamp.share) for lamp in look.lamps]
    parts.append(np.array([1.0, 0.95, 0.9]) * look.room[0])
    return np.asarray(np.sum(parts, 0) / (sum(shares) + look.room[0]))


def linear(bgr: Bgr) -> list[float]:
    """Return a colour of a screen as light, RGB 0..1."""
    level = np.clip(np.asarray(bgr, np.float64)[::-1] / 255, 0, 1)
    return np.where(level < 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).tolist()  # type: ignore[no-any-return]


def _stuff(scene: TrayScene, look: BlenderLook, rng: np.random.Generator) -> dict[str, Spec]:
    """Return all materials by name."""
    base = look.look
    turn = float(rng.uniform(0, np.pi))
    stuff: dict[str, Spec] = {
        "table": {"kind": look.table, "colour": linear(base.table_bgr), "vein": _darker(base.table_bgr, 0.7),
                  "rough": float(rng.uniform(0.15, 0.6)), "grain": float(rng.uniform(0.3, 1)), "turn": turn},
        "felt": {"kind": "felt", "colour": _darker(base.felt, 0.6), "vein": _darker(base.felt, 1.4), "rough": 0.95,
                 "grain": look.felt_grain, "nap": look.felt_nap, "sheen": look.sheen},
        "rim": {"kind": look.rim[2], "colour": linear(base.rim or (50, 48, 48)), "rough": 0.45,
                "vein": _darker(base.rim or (50, 48, 48), 0.7)},
        "paper": {"kind": "plain", "colour": [0.8, 0.8, 0.78], "rough": 0.15 if look.glossy_marks else 0.8},
    }  # fmt: skip
    for k in range(4):
        stuff[f"marker{k}"] = dict(stuff["paper"], kind="image", file=marker_file(k))
    for tile in scene.tiles:
        ink, body = ink_and_body(base.tile, base.palette[tile.colour])
        stuff[f"body {tile.colour}"] = _body(look, body)
        stuff[f"ink {tile.colour}"] = {"kind": "plain", "colour": linear(ink), "rough": min(look.rough + 0.1, 1.0)}
    if base.tile.back is not None:
        stuff["back"] = _body(look, base.tile.back)
    for die in scene.dice:
        bgr = base.palette[die.colour]
        pip = (28.0, 25.0, 25.0) if sum(bgr) > 1.4 * DARK else (235.0, 240.0, 240.0)
        stuff[f"die {die.colour}"] = _die_body(look, bgr)
        stuff[f"pip {die.colour}"] = {"kind": "plain", "rough": 0.5, "colour": linear(pip)}
    stuff["disk"] = {"kind": "plain", "colour": linear(base.disk_bgr), "rough": look.rough, "coat": look.coat}
    stuff["disk ink"] = {"kind": "plain", "colour": linear(base.disk_ink), "rough": 0.5}
    return stuff


def _darker(bgr: Bgr, by: float) -> list[float]:
    return [min(v * by, 1.0) for v in linear(bgr)]


def _body(look: BlenderLook, bgr: Bgr) -> Spec:
    kind = {"wood": "wood", "painted wood": "plain", "marble": "marble"}.get(look.body, "plain")
    spec: Spec = {"kind": kind, "colour": linear(bgr), "vein": _darker(bgr, 0.75), "rough": look.rough,
                  "coat": look.coat, "each": True}  # fmt: skip
    if look.body == "ivory":
        spec["depth"] = 0.15
    if look.body == "card":
        spec["rough"], spec["coat"] = 0.9, 0.0
    return spec


def _die_body(look: BlenderLook, bgr: Bgr) -> Spec:
    kind = {"glass": "glass", "milky": "glass"}.get(look.dice, look.dice)
    spec: Spec = {"kind": kind, "colour": linear(bgr), "vein": _darker(bgr, 0.5), "rough": look.rough,
                  "coat": look.coat, "each": True, "grain": 2.0}  # fmt: skip
    if kind == "glass":
        spec["rough"], spec["clear"] = (0.03, 0.9) if look.dice == "glass" else (0.25, 0.6)
        spec["colour"] = [v**0.4 for v in spec["colour"]]
    return spec


def _box(x: float, y: float) -> list[list[float]]:
    return [[-x, -y], [x, -y], [x, y], [-x, y]]


def _slabs(look: BlenderLook, rng: np.random.Generator, stuff: dict[str, Spec]) -> list[Spec]:
    """Return table, felt, rim and what lies beside the tray; the felt's top is at 0."""
    w, h = look.look.tray_mm
    wide, high, _ = look.rim
    slabs = [
        {"outline": _box(1500, 1200), "height": 20.0, "round": 0.0, "at": [0, 0, -26.0], "stuff": "table"},
        {"outline": _box(w / 2 + wide - 1, h / 2 + wide - 1), "height": 5.9, "round": 0.0, "at": [0, 0, -6.0],
         "stuff": "rim"},
        {"outline": _box(w / 2 + 0.5, h / 2 + 0.5), "height": 2.0, "round": 0.0, "at": [0, 0, -2.0], "stuff": "felt"},
    ]  # fmt: skip
    bars: tuple[tuple[float, float, tuple[float, float]], ...] = (
        (w / 2 + wide, wide / 2, (0, h / 2 + wide / 2)), (w / 2 + wide, wide / 2, (0, -h / 2 - wide / 2)),
        (wide / 2, h / 2, (w / 2 + wide / 2, 0)), (wide / 2, h / 2, (-w / 2 - wide / 2, 0)),
    )  # fmt: skip
    for x, y, at in bars:
        slabs.append({"outline": _box(x, y), "height": high + 6.0, "round": 0.12 * min(wide, high), "stuff": "rim",
                      "at": [*at, -6.0]})  # fmt: skip
    for k in range(look.beside):
        stuff[f"beside{k}"] = {"kind": "plain", "colour": rng.uniform(0.01, 0.8, 3).tolist(),
                               "rough": float(rng.uniform(0.1, 0.9))}  # fmt: skip
        slabs.append(_beside(look, rng) | {"stuff": f"beside{k}"})
    return slabs


def _beside(look: BlenderLook, rng: np.random.Generator) -> Spec:
    """Return a card, a box, a cup or a pencil beside the tray."""
    w, h = look.look.tray_mm
    side, along = int(rng.integers(4)), float(rng.uniform(-1, 1))
    out = look.rim[0] + float(rng.uniform(60, 160))
    x, y = [(w / 2 + out, along * h / 2), (-w / 2 - out, along * h / 2), (along * w / 2, h / 2 + out),
            (along * w / 2, -h / 2 - out)][side]  # fmt: skip
    if rng.random() < 0.3:
        t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        outline = (np.c_[np.cos(t), np.sin(t)] * rng.uniform(25, 45)).tolist()
        height = float(rng.uniform(10, 100))
    else:
        outline, height = _box(float(rng.uniform(5, 55)), float(rng.uniform(5, 45))), float(rng.uniform(0.5, 25))
    return {"outline": outline, "height": height, "round": min(1.0, height / 3), "at": [x, y, -6.0],
            "angle": float(rng.uniform(0, 360))}  # fmt: skip


def marker_file(number: int) -> str:
    """Return the name of a marker's picture."""
    return f"marker{number}.png"


def marker_pictures() -> dict[str, Array]:
    """Return the four markers with the white paper around them, by file name."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return {
        marker_file(k): cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(book, k, 240), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=235
        )
        for k in range(4)
    }


def _papers(look: BlenderLook) -> list[Spec]:
    """Return the printed markers: paper an eighth of the square wider on each side."""
    if not look.look.markers:
        return []
    every = marker_corners_mm(look.look)
    return [
        {"corners": (corners.mean(0) + (corners - corners.mean(0)) * 1.25).tolist(), "z": 0.15, "stuff": f"marker{k}"}
        for k, corners in enumerate(every)
    ]


def _tiles(scene: TrayScene, look: BlenderLook, rng: np.random.Generator) -> Spec:
    tile = look.look.tile
    size = look.digit * tile.size_mm[1]
    bar = [[x * size, y * size] for x, y in ((-0.3, -0.75), (0.3, -0.75), (0.3, -0.65), (-0.3, -0.65))]
    fits = 0.8 * size < tile.size_mm[1] / 2 - 1
    return {
        "outline": tile_outline(tile).tolist(), "height": tile.thickness_mm,
        "round": min(look.round_mm, ROUNDEST * tile.corner_mm) if look.how == "engraved" else look.round_mm,
        "mark": {"font": str(look.font) if look.font else None, "size": size,
                 "spacing": look.spacing, "how": look.how, "shift": list(tile.digit_shift_mm),
                 "depth": {"printed": 0.0, "raised": 0.35, "engraved": 0.5}[look.how],
                 "bar": bar if tile.underline and fits else None},
        "laid": [_tile(one, look) for one in scene.tiles],
    }  # fmt: skip


def _tile(tile: DrawnTile, look: BlenderLook) -> Spec:
    back = not tile.face_up and look.look.tile.back is not None
    return {
        "x": tile.x_mm, "y": tile.y_mm, "z": tile.z_mm, "angle": tile.angle_deg,
        "symbol": tile.symbol if tile.face_up else None, "ink": f"ink {tile.colour}",
        "body": "back" if back else f"body {tile.colour}",
    }  # fmt: skip


def _dice(scene: TrayScene, look: BlenderLook) -> Spec:
    die = look.look.die
    return {
        "size": die.size_mm, "round": die.round, "radius": die.pip[0], "away": die.pip[1], "one": die.one,
        "deep": look.deep,
        "laid": [{"x": d.x_mm, "y": d.y_mm, "angle": d.angle_deg, "value": d.value, "body": f"die {d.colour}",
                  "pip": f"pip {d.colour}"} for d in scene.dice],
    }  # fmt: skip


def _disks(scene: TrayScene, look: BlenderLook) -> Spec:
    radius = look.look.disk_mm / 2
    return {
        "radius": radius, "height": DISK_MM, "round": 0.5, "body": "disk", "ink": "disk ink", "dot": 0.17 * radius,
        "mark": {"font": str(look.font) if look.font else None, "size": look.look.disk_digit * 2 * radius,
                 "how": "printed", "depth": 0.0},
        "laid": [_disk(one, radius) for one in scene.disks],
    }  # fmt: skip


def _disk(disk: DrawnDisk, radius: float) -> Spec:
    queue = disk.kind == "queue"
    dots = [] if queue else [[0.42 * radius * x, 0.42 * radius * y] for x, y in DOTS[disk.value]]
    return {"x": disk.x_mm, "y": disk.y_mm, "angle": disk.angle_deg, "symbol": str(disk.value) if queue else None,
            "dots": dots}  # fmt: skip


def _lamp(k: int, look: BlenderLook) -> Spec:
    """Return a lamp that sheds its share on the tray, from wherever it hangs."""
    lamp = look.lamps[k]
    far_cm = float(np.linalg.norm(np.subtract(lamp.at, lamp.towards))) / 10
    power = lamp.share * {"SUN": 3.0, "AREA": 3.0 * far_cm**2 * np.pi, "POINT": 3.0 * far_cm**2 * 4 * np.pi,
                          "SPOT": 3.0 * far_cm**2 * 4 * np.pi}[lamp.kind]  # fmt: skip
    return {"kind": lamp.kind, "at": list(lamp.at), "towards": list(lamp.towards), "size": list(lamp.size),
            "colour": list(lamp.bgr[::-1]), "power": float(power), "cone": 1.1}  # fmt: skip


def _camera(camera: Camera, look: BlenderLook, size_wh_px: tuple[int, int]) -> Spec:
    return {
        "size": list(size_wh_px), "focal_px": float(camera.matrix[0, 0]), "rotation": camera.rotation.tolist(),
        "at": camera.position_mm().tolist(),
    }  # fmt: skip
