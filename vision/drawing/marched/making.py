"""Trays by sphere tracing: what lies on them by chance, their light, and what a camera makes of it.

Not in __main__: processes of a pool find their work by its module, and cannot import a __main__.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.folders import save
from vision.drawing.glyphs import GlyphSet, built_in
from vision.drawing.look import Look
from vision.drawing.marched.bodies import DieBody, DiskBody, Mug, TileBody
from vision.drawing.marched.casting import Window, cast
from vision.drawing.marched.chance import Hung, random_camera, random_size
from vision.drawing.marched.clutter import random_clutter, random_rim
from vision.drawing.marched.dye import dyed, like_backs
from vision.drawing.marched.faces import DieFaces, DiskFace, TileFace
from vision.drawing.marched.felt import random_felt
from vision.drawing.marched.lamps import random_light
from vision.drawing.marched.laying import Board, random_board
from vision.drawing.marched.look import DiceStuff, DiskStuff, TileStuff
from vision.drawing.marched.markers import random_markers
from vision.drawing.marched.materials import Textures, Thing, random_textures
from vision.drawing.marched.prints import disk_prints, tile_prints
from vision.drawing.marched.scene import Scene, lit
from vision.drawing.marched.sensor import Sensor, developed, random_sensor
from vision.drawing.marched.sets import random_dice, random_disks, random_tiles
from vision.drawing.marched.shadows import Plane
from vision.drawing.marched.table import TABLE_Z, random_table
from vision.drawing.marched.texture import Array, F
from vision.drawing.marched.throwing import random_beside, thrown
from vision.drawing.marched.truth import Laid, truth_of_marched
from vision.drawing.scene import TRAY_MM, TrayScene
from vision.drawing.stage import Drawn
from vision.drawing.traced.laying import FAMILIES as NAMES
from vision.errors import BadScene

FAMILIES = ("A", "B", "C", "D", "E58", "E41", "F", "G")
"""Families that are marched, named as by `vision.drawing.traced.laying`. A seed counts them."""
DIGITS = 3
"""Of the number in a picture's name."""
TABLE_MM = (1900.0, 1600.0)
FELT_TEXEL_MM, TABLE_TEXEL_MM = 0.25, 0.9
"""For a picture 1280 pixels wide; a small one needs fewer."""
_RAYS, _RAYS_SMALL = 3, 4
"""Each way of a pixel with pieces in it; more in a small picture."""
OTHER_LIGHT = 0.5
"""So many bare trays are taken in another light than the one with pieces."""
_PRESS, _DYE = 20261130, 20261201
_Pieces = tuple[Laid, tuple[Thing, ...]]
"""What lies on the felt, as it is known and as it is made."""
Job = tuple[tuple[str, int, int, tuple[GlyphSet, ...], Path], bool, bool]
"""One picture to make: family, seed, index, a font's glyphs or none, folder; whether its felt has prints, and whether
it is dyed as the tiles' backs are."""


def march_tray(
    family: str,
    *,
    seed: int,
    index: int,
    glyphs: GlyphSet | None = None,
    size_wh_px: tuple[int, int] | None = None,
    printed: bool = False,
    alike: bool = False,
) -> Drawn:
    """Return tray number `index` of a family, the same for the same seed, glyphs and size.

    glyphs: None for strokes of our own. size_wh_px: None for any that such cameras take. printed: whether its felt has
    prints; then it is drawn bare as well, in this light or another. alike: whether it is dyed nearly as backs of tiles
    are. Raises BadScene for an unknown family. Some three seconds for a picture of 1280 x 960.
    """
    rng = np.random.default_rng([seed, index, FAMILIES.index(checked(family))])
    size = random_size(rng) if size_wh_px is None else size_wh_px
    hung = random_camera(size, TRAY_MM, rng)
    press, dye = (
        np.random.default_rng([seed, index, FAMILIES.index(family), own]) if wanted else None
        for own, wanted in ((_PRESS, printed), (_DYE, alike))
    )
    laid, scene = _scene(family, glyphs, hung, size, rng, press, dye)
    sensor = random_sensor(rng)
    picture, mugs = _taken(scene, size, sensor, rng)
    truth = truth_of_marched(laid, scene, hung, sensor, picture)
    truth["tags"] += ["mug_near"] * bool(mugs)
    truth.update(family=family, family_name=NAMES[family], seed=seed, index=index)
    if press is None:
        return Drawn(picture, truth)
    other = bool(press.random() < OTHER_LIGHT)
    truth["tags"] += ["printed"] + ["other_light"] * other
    before = scene.bare(random_light(press) if other else None)
    return Drawn(picture, truth, bare=_taken(before, size, sensor, press)[0])


def _taken(
    scene: Scene, size_wh_px: tuple[int, int], sensor: Sensor, rng: np.random.Generator
) -> tuple[Array, tuple[Thing, ...]]:
    """Return what the camera makes of a scene, and the mugs that stand before its tray."""
    tray = _around_tray(scene.camera, size_wh_px, scene.rim.height)
    mugs = _mugs_near(scene, size_wh_px, tray)
    light = _cast_all(scene, size_wh_px, tray, mugs)
    return developed(light, sensor, scene.lamp, np.s_[tray.y0 : tray.y1, tray.x0 : tray.x1], rng), mugs


def checked(family: str) -> str:
    """Return the family; raise BadScene for one that is not marched."""
    if family not in FAMILIES:
        raise BadScene(f"family {family!r} is not marched (expected one of {', '.join(FAMILIES)})")
    return family


def _pieces(family: str, glyphs: GlyphSet, textures: Textures, hung: Hung, rng: np.random.Generator) -> _Pieces:
    """Return the pieces of a family, by chance."""
    if family == "F":
        return _dice(random_dice(rng), textures, hung, rng)
    stuff = random_tiles(rng, small=family == "E41")
    board = random_board(family, list(stuff.bodies), stuff.shape, TRAY_MM, rng)
    things = _tiles(board, stuff, glyphs, textures, rng)
    if family != "G":
        look = Look(tile=stuff.shape, camera=hung.look, tray_mm=TRAY_MM, markers=False)
        return Laid(TrayScene(board.tiles), look, glyphs, tiles=stuff, board=board), things
    disks = random_disks(rng)
    scene = TrayScene(board.tiles, disks=random_beside(board.tiles, stuff.shape, disks.width, TRAY_MM, rng))
    look = Look(tile=stuff.shape, camera=hung.look, tray_mm=TRAY_MM, markers=False,
                disk_mm=disks.width, disk_thick_mm=disks.height)  # fmt: skip
    laid = Laid(scene, look, glyphs, tiles=stuff, board=board, disks=disks)
    return laid, things + _disks(scene, disks, glyphs, textures, rng)


def _tiles(
    board: Board, stuff: TileStuff, glyphs: GlyphSet, textures: Textures, rng: np.random.Generator
) -> tuple[Thing, ...]:
    prints = tile_prints(glyphs, stuff.shape)
    out = []
    for tile in board.tiles:
        body = TileBody(x=tile.x_mm, y=tile.y_mm, turn=float(np.radians(tile.angle_deg)), shape=stuff.shape)
        ink = prints[tile.symbol] if tile.face_up else None
        out.append(Thing(body, TileFace(stuff, tile.colour, ink, tile.symbol, textures, rng)))
    return tuple(out)


def _disks(
    scene: TrayScene, stuff: DiskStuff, glyphs: GlyphSet, textures: Textures, rng: np.random.Generator
) -> tuple[Thing, ...]:
    prints = disk_prints(glyphs, stuff.width)
    out = []
    for disk in scene.disks:
        body = DiskBody(x=disk.x_mm, y=disk.y_mm, turn=float(np.radians(disk.angle_deg)), radius=stuff.width / 2,
                        height=stuff.height, bevel=stuff.bevel)  # fmt: skip
        ink = prints[disk.value] if disk.kind == "queue" else None
        out.append(Thing(body, DiskFace(stuff, disk.kind, disk.value, ink, textures, rng)))
    return tuple(out)


def _dice(stuff: DiceStuff, textures: Textures, hung: Hung, rng: np.random.Generator) -> _Pieces:
    side = stuff.shape.size_mm
    dice, touching = thrown(side, list(stuff.bodies), TRAY_MM, rng)
    things = []
    for die in dice:
        body = DieBody(x=die.x_mm, y=die.y_mm, turn=float(np.radians(die.angle_deg)), side=side,
                       radius=stuff.shape.round * side, ball=stuff.ball * side)  # fmt: skip
        things.append(Thing(body, DieFaces(stuff, die.colour, die.value, textures, rng)))
    look = Look(die=stuff.shape, camera=hung.look, tray_mm=TRAY_MM, markers=False)
    return Laid(TrayScene(dice=dice), look, {}, dice=stuff, touching=touching), tuple(things)


def _scene(
    family: str,
    glyphs: GlyphSet | None,
    hung: Hung,
    size_wh_px: tuple[int, int],
    rng: np.random.Generator,
    press: np.random.Generator | None,
    dye: np.random.Generator | None,
) -> tuple[Laid, Scene]:
    """Return what lies on the tray, and all of it in its light.

    press: the chance of prints; None for plain felt. dye: of a felt like the tiles' backs, or the sides of one colour
    where these show it; None for any felt.
    """
    strokes = built_in(round(float(rng.uniform(0.1, 0.2)), 2), round(float(rng.uniform(-0.05, 0.15)), 2))
    textures = random_textures(rng)
    laid, things = _pieces(family, strokes if glyphs is None else glyphs, textures, hung, rng)
    coarse = max(1.0, 960 / size_wh_px[0])
    rim = random_rim(TRAY_MM, textures, rng)
    felt = random_felt(Plane(0.0, TRAY_MM, FELT_TEXEL_MM * coarse), rng)
    if dye is not None and laid.tiles is not None:
        felt = like_backs(felt, laid.tiles.back or next(iter(laid.tiles.bodies.values())), dye)
    felt = felt if press is None else dyed(felt, press)
    table = random_table(Plane(TABLE_Z, TABLE_MM, TABLE_TEXEL_MM * coarse), rng)
    clutter = random_clutter(TRAY_MM, textures, rng)
    markers = random_markers(TRAY_MM, rng)
    light = random_light(rng)
    return laid, lit(hung.camera, light, felt, table, markers=markers, pieces=things, rim=rim, clutter=clutter)


def _window(points_px: Array, size_wh_px: tuple[int, int], rays: int) -> Window | None:
    """Return the pixels around points (n, 2) of the picture; None where there are hardly any."""
    low = np.clip(points_px.min(0) - 3, 0, size_wh_px).astype(int)
    high = np.clip(points_px.max(0) + 4, 0, size_wh_px).astype(int)
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return Window(x0, y0, x1, y1, rays) if min(x1 - x0, y1 - y0) >= 4 else None


def _around_tray(camera: Camera, size_wh_px: tuple[int, int], rim_mm: float) -> Window:
    x, y = TRAY_MM[0] / 2 + 15, TRAY_MM[1] / 2 + 15
    corners = [[a * x, b * y, z] for a in (-1, 1) for b in (-1, 1) for z in (TABLE_Z, rim_mm)]
    rays = _RAYS if size_wh_px[0] >= 1280 else _RAYS_SMALL
    window = _window(camera.project(np.array(corners)), size_wh_px, rays)
    return window or Window(0, 0, *size_wh_px, rays)


def _around(thing: Thing, camera: Camera, size_wh_px: tuple[int, int]) -> Window | None:
    return _window(camera.project(thing.body.box_corners()), size_wh_px, _RAYS)


def _mugs_near(scene: Scene, size_wh_px: tuple[int, int], tray: Window) -> tuple[Thing, ...]:
    """Return what may be seen before the tray's edge: of all that lies beside it only a mug is so high."""
    mugs = [thing for thing in scene.clutter if isinstance(thing.body, Mug)]
    seen = [(mug, _around(mug, scene.camera, size_wh_px)) for mug in mugs]
    return tuple(mug for mug, window in seen if window is not None and _meet(window, tray))


def _cast_all(scene: Scene, size_wh_px: tuple[int, int], tray: Window, mugs: tuple[Thing, ...]) -> Array:
    """Return the light of a whole picture, (h, w, 3): the tray with many rays a pixel, the table with one.

    mugs: that stand before the tray.
    """
    light = cast(scene, Window(0, 0, *size_wh_px), ())
    on_tray = (*scene.rim.things, *scene.pieces)
    parts: list[tuple[Window | None, tuple[Thing, ...]]]
    parts = [(_around(thing, scene.camera, size_wh_px), (thing,)) for thing in scene.clutter]
    parts += [(tray, on_tray)]
    parts += [(_around(mug, scene.camera, size_wh_px), (*on_tray, mug)) for mug in mugs]
    for window, things in parts:
        if window is not None:
            light[window.y0 : window.y1, window.x0 : window.x1] = cast(scene, window, things)
    return light.astype(F)


def _meet(first: Window, second: Window) -> bool:
    return first.x0 < second.x1 and second.x0 < first.x1 and first.y0 < second.y1 and second.y0 < first.y1


def make_file(job: Job) -> str:
    """Make one picture with its label in the family's folder and return its name."""
    (family, seed, index, glyph_sets, out), printed, alike = job
    cv2.setNumThreads(1)
    glyphs = glyph_sets[0] if glyph_sets else None
    drawn = march_tray(family, seed=seed, index=index, glyphs=glyphs, printed=printed, alike=alike)
    return save(drawn, out / family, f"{family}_{index:0{DIGITS}d}", split="marched").name
