"""What a marched picture shows, in the form of the label files, with all that makes it hard in its tags."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.glyphs import GlyphSet
from vision.drawing.legible import lab_of, measured
from vision.drawing.look import Look
from vision.drawing.marched.chance import Hung
from vision.drawing.marched.lamps import Light, mirror_place
from vision.drawing.marched.laying import Board
from vision.drawing.marched.look import DiceStuff, DiskStuff, TileStuff
from vision.drawing.marched.prints import shift_mm, tile_prints
from vision.drawing.marched.scene import Scene
from vision.drawing.marched.sensor import Sensor
from vision.drawing.marched.texture import Array, F
from vision.drawing.scene import TrayScene
from vision.drawing.tiles import to_tray
from vision.drawing.truth import pixels, truth_of

OFF_MIDDLE_MM = 10.0
"""A board farther from the middle of the felt is tagged."""
HAIRY = 8
"""A felt with so many hairs is."""
_LATTICE = 60
"""Points across a face at which its digit is measured."""
_INSET = 1.8
"""How far from a tile's edge its face begins, mm: the edge is round."""


@dataclass(frozen=True, eq=False)
class Laid:
    """What lies on a tray, and what it is made of; None: there are no such pieces."""

    scene: TrayScene
    look: Look
    glyphs: GlyphSet
    tiles: TileStuff | None = None
    board: Board | None = None
    dice: DiceStuff | None = None
    touching: tuple[bool, ...] = ()
    """Of the dice."""
    disks: DiskStuff | None = None


def truth_of_marched(laid: Laid, scene: Scene, hung: Hung, sensor: Sensor, picture: Array) -> dict[str, Any]:
    """Return the label of a picture (h, w, 3) uint8."""
    size = (picture.shape[1], picture.shape[0])
    truth = truth_of(laid.scene, laid.look, hung.camera, size_wh_px=size, hand_mask=None, gloss={})
    if laid.board is not None and laid.tiles is not None:
        _add_tiles(truth, laid, laid.board, laid.tiles, hung.camera, picture)
    for die, touching in zip(truth["dice"], laid.touching, strict=True):
        die["touching"] = touching
    truth["markers"] = [{"id": m.number, "corners": pixels(hung.camera, m.corners())} for m in scene.markers]
    truth["tray"] |= {
        "felt": scene.felt.name, "felt_material": scene.felt.stuff, "felt_rgb": scene.felt.rgb.round().tolist(),
        "rim": scene.rim.kind is not None, "rim_material": scene.rim.kind,
        "rim_height_m": round(scene.rim.height / 1000, 4), "table": scene.table.kind,
    }  # fmt: skip
    truth["camera"] |= {
        "lens": hung.lens, "hfov_deg": round(hung.wide_deg, 2), "height_m": round(hung.look.height_mm / 1000, 4),
        "tilt_deg": round(hung.look.tilt_deg, 2), "roll_deg": round(hung.look.roll_deg, 2),
    }  # fmt: skip
    truth["lighting"] = {"mood": scene.light.mood, "lamps": _lamps(scene.light)}
    truth["sensor"] = sensor.labelled()
    sets = {"tile_set": laid.tiles, "die_set": laid.dice, "disk_set": laid.disks}
    truth |= {name: asdict(stuff) for name, stuff in sets.items() if stuff is not None}
    truth["tags"] = sorted(_tags(laid, scene, hung, sensor, size))
    return truth


def _lamps(light: Light) -> list[dict[str, Any]]:
    return [
        {"pos": [round(v / 1000, 3) for v in lamp.at], "size": round(lamp.size / 1000, 3),
         "kelvin": round(lamp.kelvin), "share": round(lamp.share, 2), "shape": lamp.shape}
        for lamp in light.lamps
    ]  # fmt: skip


def _add_tiles(
    truth: dict[str, Any], laid: Laid, board: Board, stuff: TileStuff, camera: Camera, picture: Array
) -> None:
    """Add to the labels of tiles what is known of them here alone; changes the truth."""
    prints, lab = tile_prints(laid.glyphs, stuff.shape), lab_of(picture)
    for tile, touching, label in zip(board.tiles, board.touching, truth["tiles"], strict=True):
        across = np.subtract(label["quad"][1], label["quad"][0])
        label["rotation_px_deg"] = round(float(np.degrees(np.arctan2(-across[1], across[0]))), 2)
        label["touching"] = touching
        if not tile.face_up:
            if not stuff.back_tells_colour():
                label |= {"color": None, "hidden_color": tile.colour}
            continue
        points, face = _lattice(stuff)
        x, y = (points - shift_mm(stuff.shape, tile.symbol)).T.astype(F)
        ink = prints[tile.symbol].at(x, y).reshape(_LATTICE, _LATTICE)
        place = (tile.x_mm, tile.y_mm, tile.angle_deg, stuff.shape.thickness_mm)
        label |= measured(lab, camera.project(to_tray(points, *place)).astype(F), ink, face)
    wide = [np.hypot(*np.subtract(label["quad"][1], label["quad"][0])) for label in truth["tiles"]]
    truth["tile_width_px"] = round(float(np.mean(wide)), 1)
    truth["array_rotation_deg"] = round(board.turn_deg, 2)


def _lattice(stuff: TileStuff) -> tuple[Array, Array]:
    """Return points over a tile's box, (n, 2) mm, row by row from above, and which are on its face."""
    w, h = stuff.shape.size_mm
    steps = (np.arange(_LATTICE) + 0.5) / _LATTICE - 0.5
    points = np.stack(np.meshgrid(steps * w, -steps * h + stuff.shape.sag_mm / 2), 2).reshape(-1, 2)
    face = (np.abs(points - (0, stuff.shape.sag_mm / 2)) < np.array([w, h]) / 2 - _INSET).all(1)
    return points, np.asarray(face)


def _tags(laid: Laid, scene: Scene, hung: Hung, sensor: Sensor, size_wh_px: tuple[int, int]) -> set[str]:
    """Return what makes a picture hard, and of which kind it is."""
    said = {
        "marched": True,
        f"light_{scene.light.mood}": True,
        "glare": _lamp_among_pieces(scene, hung.camera),
        "tilt>9" if hung.look.tilt_deg > 9 else "tilt<=9": True,
        f"felt_{scene.felt.stuff}": True,
        "hairs": scene.felt.hairs >= HAIRY,
        "clutter": bool(scene.clutter),
        "no_rim": scene.rim.kind is None,
        "no_markers": not scene.markers,
        f"{size_wh_px[0]}x{size_wh_px[1]}": size_wh_px != (1280, 960),
        "mid_lens": hung.lens == "mid",
        "defocus": sensor.blur_px > 0.75,
        "colour_cast": abs(sensor.balance - 1) > 0.18 or np.ptp(sensor.cast) > 0.07,
    }
    said |= _tile_tags(laid) | _dice_tags(laid)
    if laid.disks is not None:
        said |= {"rings": laid.disks.ring, "wooden_disks": laid.disks.wood}
    return {tag for tag, so in said.items() if so}


def _lamp_among_pieces(scene: Scene, camera: Camera) -> bool:
    """Tell whether a level mirror of the pieces' height and width would show the camera a lamp."""
    bodies = [thing.body for thing in scene.pieces]
    xy = np.array([(body.x, body.y) for body in bodies])
    low, high = xy.min(0) - bodies[0].reach, xy.max(0) + bodies[0].reach
    x, y, z = camera.position_mm().tolist()
    places = np.array([mirror_place(lamp.at, (x, y, z), bodies[0].top) for lamp in scene.light.lamps])
    return bool(((places > low) & (places < high)).all(1).any())


def _tile_tags(laid: Laid) -> dict[str, bool]:
    stuff, board = laid.tiles, laid.board
    if stuff is None or board is None:
        return {}
    return {
        "arc_tiles" if stuff.shape.sag_mm else "square_tiles": True,
        stuff.style: True,
        "underlined_6_9": stuff.shape.underline,
        "worn": stuff.shape.wear > 0,
        "engraved": stuff.shape.engraved > 0,
        "glossy": stuff.coat.rough < 0.14,
        "framed": stuff.framed,
        "untidy": board.tidy == "untidy",
        "touching": any(board.touching),
        "off_middle": board.off_middle() > OFF_MIDDLE_MM,
        "wild": any(t.symbol == "#" and t.face_up for t in board.tiles),
        "face_down": not all(t.face_up for t in board.tiles),
        "mixed_rows": len({(t.row, t.colour) for t in board.tiles}) > len({t.row for t in board.tiles}),
    }


def _dice_tags(laid: Laid) -> dict[str, bool]:
    if laid.dice is None:
        return {}
    return {
        "touching_dice": any(laid.touching),
        "two_dice_colours": len({d.colour for d in laid.scene.dice}) > 1,
        "marbled": laid.dice.marble > 0.1,
        "painted_pips": laid.dice.shape.hollow == 0,
        "glossy": laid.dice.coat.rough < 0.14,
    }
