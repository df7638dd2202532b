"""Put it together: what lies there and how it looks become POV-Ray text, the text a picture with its truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, make_camera
from vision.drawing.glyphs import GlyphSet
from vision.drawing.stage import Drawn
from vision.drawing.traced import solids
from vision.drawing.traced.faces import Sheet, disk_sheet, tile_sheet
from vision.drawing.traced.ground import felt_picture, marker_picture, table_picture
from vision.drawing.traced.look import Lamp, Rgb, SensorLook, TracedLook, lamp_rgb
from vision.drawing.traced.pieces import TracedScene
from vision.drawing.traced.povray import Studio, shown
from vision.drawing.traced.sensor import develop, undistorted
from vision.drawing.traced.truth import hand_mask_of, legibility, marker_corners_mm, truth_of
from vision.errors import BadScene
from vision.frames.short import SHARES

Array = np.ndarray[Any, np.dtype[Any]]
LIMITS_PX = (160, 4096)
"""Smallest and largest side of a picture."""
FLICKER = 0.01
"""How much the light of a lamp changes from frame to frame (one sigma)."""


@dataclass(frozen=True)
class SceneText:
    """A scene ready for POV-Ray."""

    text: str
    pictures: dict[str, Array]
    sheet: Sheet | None
    """Faces of the tiles."""
    lamp: Rgb
    """Mean colour of the light."""
    incident: float
    """Light that falls on the middle of the tray; white felt would send back as much."""


def scene_text(scene: TracedScene, look: TracedLook, glyphs: GlyphSet, *, ppmm: float,
               rng: np.random.Generator) -> SceneText:  # fmt: skip
    """Return the scene without its camera. ppmm: pixels per mm at which it will be rendered."""
    pictures: dict[str, Array] = {
        "felt": felt_picture(look.felt, look.felt_pile, rng),
        "table": table_picture(look.table, look.table_bgr, rng),
    }
    floor = -3.0 if look.rim is None else -4.0
    parts = [_ground(look, floor, rng)]
    if look.markers:
        parts.append(_markers(look, pictures))
    if look.rim is not None:
        parts.append(solids.rim_text(look.tray_mm, *look.rim_mm, look.rim, floor, rng))
    parts.append(solids.clutter_text(look.clutter, look.tray_mm, floor, rng))
    sheet = None
    if scene.tiles:
        sheet = tile_sheet(scene.tiles, look.tiles, glyphs, ppmm=max(2.5, 1.3 * ppmm), rng=rng)
        _add_sheet(pictures, "tiles", sheet)
        mesh = solids.tiles_mesh(scene.tiles, look.tiles, sheet.uv, rng, on_others=len(scene.tiles_on_others()))
        parts.append(mesh + _printed("tiles", look.tiles.rough, 0.5 * look.tiles.engraved))
    if scene.disks:
        dots = disk_sheet(scene.disks, look.disks, glyphs, ppmm=max(2.5, 1.3 * ppmm), rng=rng)
        _add_sheet(pictures, "disks", dots)
        size, on_others = (look.disks.size_mm, look.disks.thickness_mm), len(scene.disks_on_others())
        mesh = solids.disks_mesh(scene.disks, *size, dots.uv, rng, on_others=on_others)
        parts.append(mesh + _printed("disks", look.disks.rough, 0.6 * look.disks.drilled))
    parts.append(solids.dice_text(scene.dice, look.dice))
    if scene.hand is not None:
        parts.append(solids.hand_text(scene.hand))
    mirrored = any("reflection" in part for part in parts)
    before = [_globals(look), *(_lamp(lamp, mirrored=mirrored) for lamp in look.lamps)]
    return SceneText("\n".join([*before, *parts]), pictures, sheet, _mean_light(look.lamps), _incident(look))


def _add_sheet(pictures: dict[str, Array], name: str, sheet: Sheet) -> None:
    pictures[name] = sheet.colour
    pictures[f"{name}-cut"] = sheet.height


def _mean_light(lamps: tuple[Lamp, ...]) -> Rgb:
    r, g, b = np.sum([np.array(lamp_rgb(lamp.kelvin)) * lamp.share for lamp in lamps], 0).tolist()
    return float(r), float(g), float(b)


def _incident(look: TracedLook) -> float:
    return look.ambient + sum(lamp.share * lamp.at_mm[2] / float(np.linalg.norm(lamp.at_mm)) for lamp in look.lamps)


def _globals(look: TracedLook) -> str:
    mean = np.array(_mean_light(look.lamps))
    sky = mean * (0.9 + 0.1 / mean) * look.ambient
    return (
        f"global_settings{{assumed_gamma 1.0 max_trace_level 7 ambient_light rgb {solids.vec(sky)}}}\n"
        f"background{{rgb {solids.vec(sky * 0.7)}}}\n"
        "#default{finish{ambient 1 diffuse 0.88}}"
    )


def _lamp(lamp: Lamp, *, mirrored: bool) -> str:
    """Return the light and, where there are any mirrors, its shining square, which only these see."""
    at = np.array(lamp.at_mm)
    far = float(np.linalg.norm(at))
    away = at / far
    side = np.cross(away, [0.3, 0.9, 0.1])
    side /= np.linalg.norm(side)
    up = np.cross(away, side)
    colour = np.array(lamp_rgb(lamp.kelvin)) * lamp.share
    a = lamp.size_mm
    n = 2 if a / far < 0.04 else 3 if a / far < 0.2 else 4
    light = (
        f"light_source{{{solids.vec(at)} rgb {solids.vec(colour)} "
        f"area_light {solids.vec(side * a)},{solids.vec(up * a)},{n},{n} adaptive 0 jitter "
        f"fade_distance {far:.1f} fade_power 2}}"
    )
    if not mirrored:
        return light
    # A square of this radiance lights the middle of the tray as the light source does.
    shining = np.minimum(colour * np.pi * far**2 / a**2, 400.0)
    corners = [solids.vec(at + a / 2 * (i * side + j * up) + away) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    # Two triangles: of a polygon whose corners, once rounded, lie in no one plane it shows nothing, without a word.
    halves = "".join(f"triangle{{{','.join(corners[k] for k in half)}}}" for half in ((0, 1, 2), (0, 2, 3)))
    glow = f"pigment{{rgb {solids.vec(shining)}}}finish{{ambient 0 diffuse 0 emission 1}}"
    return f"{light}\nmesh{{{halves} {glow} no_image no_shadow}}"


def _ground(look: TracedLook, floor: float, rng: np.random.Generator) -> str:
    x, y = look.tray_mm[0] / 2, look.tray_mm[1] / 2
    wide, turn = (float(rng.uniform(600, 1000)), float(rng.normal(0, 20) + 90 * rng.integers(2)))
    shine = {"wood": (0.35, 0.02), "plain": (0.12, 0.04)}.get(look.table, (0.0, 0.1))
    polish = rng.uniform(0.2, 1.4)
    sheen = f"finish{{specular {shine[0] * polish:.3f} roughness {shine[1] * rng.uniform(0.5, 2):.4f}}}"
    table = (
        f"plane{{<0,0,1>,{floor} pigment{{image_map{{{shown('table')}}} scale {wide:.1f} "
        f"rotate <0,0,{turn:.1f}> translate <{rng.uniform(-300, 300):.1f},{rng.uniform(-300, 300):.1f},0>}}{sheen} "
        "no_shadow}"
    )
    grow = 0.0 if look.rim is not None else float(rng.uniform(0, 1.5))
    felt = (
        f"box{{<{-x - grow:.3f},{-y - grow:.3f},{floor}>,<{x + grow:.3f},{y + grow:.3f},0> "
        f"pigment{{image_map{{{shown('felt')}}} scale 400 translate <-200,-200,0>}}"
        f"normal{{bumps {0.55 * look.felt_pile:.3f} scale 0.9}}}}"
    )
    return table + "\n" + felt


def _markers(look: TracedLook, pictures: dict[str, Array]) -> str:
    out = []
    for number, corners in enumerate(marker_corners_mm(look)):
        pictures[f"marker{number}"] = marker_picture(number)
        middle = corners.mean(0)
        out.append(
            f"box{{<-15,-15,0>,<15,15,0.35> pigment{{image_map{{{shown(f'marker{number}')}}} scale 30 "
            f"translate <-15,-15,0>}} finish{{diffuse 0.9 specular 0.05 roughness 0.1}} "
            f"rotate <0,0,{look.marker_turns_deg[number]:.3f}> translate {solids.vec([*middle, 0.02])}}}"
        )
    return "\n".join(out)


def _printed(name: str, rough: float, depth: float) -> str:
    """Return the texture of a mesh with printed faces, and the end of the mesh."""
    gloss = float(np.clip((0.42 - rough) / 0.3, 0.0, 1.0))
    shine = f"specular {0.08 + 0.7 * gloss:.3f} roughness {0.004 + 0.28 * rough**1.6:.4f}"
    mirror = f"reflection{{0,{gloss * 0.9:.3f} fresnel on}}conserve_energy" if gloss > 0.3 else ""
    bumps = f"{shown(f'{name}-cut', gamma='1.0')} bump_size {2.0 * depth:.3f}"
    cut = f"normal{{bump_map{{{bumps}}}}}" if depth else ""
    return (
        f"texture{{uv_mapping pigment{{image_map{{{shown(name)}}}}}{cut}"
        f"finish{{diffuse 0.86 {shine} {mirror}}}}}interior{{ior 1.48}}}}"
    )


@dataclass(frozen=True)
class View:
    """A rectangle of the picture of a lens without distortion, in its pixels."""

    low: tuple[float, float]
    high: tuple[float, float]
    scale: float
    """Rendered pixels per pixel of the picture."""

    @property
    def size_wh_px(self) -> tuple[int, int]:
        """Return the size of the rendering."""
        return round((self.high[0] - self.low[0]) * self.scale), round((self.high[1] - self.low[1]) * self.scale)


def camera_text(camera: Camera, view: View) -> str:
    """Return POV-Ray's camera for a view."""
    focal = camera.matrix[0, 0]
    right, down, ahead = camera.rotation
    size = view.size_wh_px
    wide, tall = size[0] / view.scale, size[1] / view.scale
    dx = view.low[0] + wide / 2 - 0.5 - camera.matrix[0, 2]
    dy = view.low[1] + tall / 2 - 0.5 - camera.matrix[1, 2]
    way = ahead + right * dx / focal + down * dy / focal
    words = [
        f"{name} <{','.join(f'{v:.8f}' for v in vector)}>"
        for name, vector in (
            ("location", camera.position_mm()),
            ("direction", way),
            ("right", right * wide / focal),
            ("up", -down * tall / focal),
        )
    ]
    return "camera{perspective " + " ".join(words) + "}"


def _views(camera: Camera, look: TracedLook, ideal: Array, scale: float, *, whole: bool) -> list[View]:
    """Return the views to render: the tray sharply, the table around it coarsely (all of it sharply if `whole`)."""
    low, high = ideal.reshape(-1, 2).min(0) - 1.5, ideal.reshape(-1, 2).max(0) + 2.5
    everything = View((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), scale)
    if whole:
        return [everything]
    x, y = look.tray_mm[0] / 2 + 22, look.tray_mm[1] / 2 + 22
    corners = np.array([[a * x, b * y, z] for a in (-1, 1) for b in (-1, 1) for z in (0.0, 20.0)])
    bare = Camera(camera.matrix, camera.rotation, camera.translation, np.zeros(5))
    seen = bare.project(corners)
    near, far = np.maximum(seen.min(0), low), np.minimum(seen.max(0), high)
    close = View((float(near[0]), float(near[1])), (float(far[0]), float(far[1])), scale)
    return [View(everything.low, everything.high, 0.52 * scale), close]


def _taken(studio: Studio, camera: Camera, view: View, ideal: Array) -> tuple[Array, Array]:
    """Return a rendered view as the lens bends it, and where it covers the picture, (h, w) bool."""
    light = studio.render(camera_text(camera, view), size_wh_px=view.size_wh_px)
    if view.scale > 1.05:
        light = cv2.GaussianBlur(light, (0, 0), 0.42 * view.scale)
    at = (ideal - np.array(view.low, np.float32) + 0.5) * np.float32(view.scale) - 0.5
    x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    inside = (x > 3) & (y > 3) & (x < light.shape[1] - 4) & (y < light.shape[0] - 4)
    return cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), inside


def trace(
    scene: TracedScene,
    look: TracedLook,
    glyphs: GlyphSet,
    *,
    family: str,
    size_wh_px: tuple[int, int],
    rng: np.random.Generator,
    scale: float = 1.4,
    whole: bool = False,
    frames: int = 1,
    short: bool = False,
) -> Drawn:
    """Return the picture of a scene and its truth.

    scale: rendered pixels per pixel; whole: render the table as sharply as the tray (for small pictures). frames: that
    a still camera takes of it, the picture the first of them. short: with shorter exposures, too.
    Raises BadScene for a size that no camera has, TracerFailed without POV-Ray.
    """
    if not all(LIMITS_PX[0] <= side <= LIMITS_PX[1] for side in size_wh_px):
        raise BadScene(f"a picture of {size_wh_px[0]}x{size_wh_px[1]} cannot be traced "
                       f"(expected sides of {LIMITS_PX[0]} to {LIMITS_PX[1]} pixels)")  # fmt: skip
    camera = make_camera(look.camera, size_wh_px=size_wh_px)
    ppmm = look.camera.px_per_mm * size_wh_px[0] / 1280 * scale
    made = scene_text(scene, look, glyphs, ppmm=ppmm, rng=rng)
    ideal = undistorted(camera, size_wh_px)
    with Studio(made.text, made.pictures) as studio:
        light, _ = _taken(studio, camera, (views := _views(camera, look, ideal, scale, whole=whole))[0], ideal)
        for view in views[1:]:
            close, inside = _taken(studio, camera, view, ideal)
            light[inside] = close[inside]
    picture = develop(light, look.sensor, made.lamp, rng, incident=made.incident)
    later = tuple(
        develop(light, _flickering(look.sensor, rng), made.lamp, rng, incident=made.incident) for _ in range(frames - 1)
    )
    shorter = tuple(
        develop(light, _with_less(look.sensor, share), made.lamp, rng, incident=made.incident)
        for share in (SHARES if short else ())
    )
    mask = hand_mask_of(scene.hand, camera, size_wh_px)
    truth = truth_of(scene, look, camera, family=family, size_wh_px=size_wh_px, hand_mask=mask)
    if made.sheet is not None:
        legibility(truth, picture, made.sheet, scene, look, camera)
    return Drawn(picture, truth, mask, later, shorter)


def _with_less(sensor: SensorLook, share: float) -> SensorLook:
    """Return the sensor that is given so much of the light, 0..1."""
    return replace(sensor, ev=sensor.ev + float(np.log2(share)))


def _flickering(sensor: SensorLook, rng: np.random.Generator) -> SensorLook:
    """Return what the sensor sees of a lamp whose light is a little more or less from frame to frame."""
    return replace(sensor, ev=sensor.ev + float(np.log2(1.0 + rng.normal(0.0, FLICKER))))
