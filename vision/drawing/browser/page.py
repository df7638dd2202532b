"""A tray as one page of HTML: planes at the heights of felt, sides and faces, each seen in perspective by CSS."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from vision.drawing.browser.chance import BrowserLook
from vision.drawing.browser.pieces import die_face, die_outline, disk_face, rgb, tile_face, tile_shape
from vision.drawing.camera import Camera
from vision.drawing.look import ink_and_body
from vision.drawing.scene import DrawnTile, TrayScene
from vision.drawing.surfaces import marker_corners_mm

Array = np.ndarray[Any, np.dtype[Any]]
PX_PER_MM = 4.0
"""How finely Chromium paints a plane before it is seen in perspective."""
SIDES = 10
"""Planes between felt and faces, that together look like the pieces' sides."""
DISK_MM = 3.5
"""Thickness of a disk, as the labels have it."""


def page_of(scene: TrayScene, look: BrowserLook, camera: Camera, *, size_wh_px: tuple[int, int]) -> str:
    """Return the page on which a scene looks as through the camera (which must have no distortion)."""
    w, h = size_wh_px
    font = f'@font-face{{font-family:"set";src:url("file://{look.font}")}}' if look.font else ""
    height = look.look.die.size_mm if scene.dice else look.look.tile.thickness_mm
    planes = [_plane(_ground(scene, look, height), 0.0, look, camera)]
    for k in range(SIDES):
        planes.append(_plane(_sides(scene, look, k / SIDES), height * k / SIDES, look, camera))
    planes.append(_plane(_faces(scene, look), height, look, camera))
    if scene.disks:
        planes += [_plane(_disk_sides(scene, look), DISK_MM * k / SIDES, look, camera) for k in range(SIDES)]
        planes.append(_plane(_disk_faces(scene, look), DISK_MM, look, camera))
    x, y = (100 * v for v in look.lamp_at)
    far = rgb([v * look.dim for v in look.light])
    return f"""<!doctype html><meta charset="utf-8"><style>{font}
body{{margin:0;width:{w}px;height:{h}px;overflow:hidden;position:relative}}
#table,#light,#shine{{position:absolute;inset:0}}
svg.plane{{position:absolute;left:0;top:0;overflow:visible;transform-origin:0 0}}
text{{font-family:{'"set"' if look.font else "sans-serif"};font-weight:{"bold" if look.bold else "normal"}}}
#light{{mix-blend-mode:multiply;background:radial-gradient(circle at {x:.0f}% {y:.0f}%,{rgb(look.light)},{far} 90%)}}
#shine{{mix-blend-mode:screen;
background:radial-gradient(circle at {100 - y:.0f}% {x:.0f}%,rgba(255,255,255,{look.shine:.2f}),rgba(0,0,0,0) 25%)}}
</style><svg width="0" height="0" style="position:absolute">{_filters(look)}</svg>
<svg id="table" width="{w}" height="{h}"><rect width="100%" height="100%" fill="{rgb(look.look.table_bgr)}"
filter="url(#table-grain)"/></svg>{"".join(planes)}<div id="light"></div><div id="shine"></div>"""


def _plane(content: str, z_mm: float, look: BrowserLook, camera: Camera) -> str:
    w, h = look.look.tray_mm
    matrix = _perspective(z_mm, look, camera)
    style = ",".join(f"{v:.10g}" for v in matrix)
    return (
        f'<svg class="plane" width="{w * PX_PER_MM}" height="{h * PX_PER_MM}" '
        f'viewBox="{-w / 2} {-h / 2} {w} {h}" style="transform:matrix3d({style})">{content}</svg>'
    )


def _perspective(z_mm: float, look: BrowserLook, camera: Camera) -> list[float]:
    """Return the sixteen numbers of CSS's matrix3d that bring a plane of the tray, in CSS pixels, into the frame."""
    w, h = look.look.tray_mm
    r = camera.rotation
    seen = camera.matrix @ np.column_stack([r[:, 0], r[:, 1], r[:, 2] * z_mm + camera.translation])
    from_css = np.array([[1 / PX_PER_MM, 0, -w / 2], [0, -1 / PX_PER_MM, h / 2], [0, 0, 1]])
    m = seen @ from_css
    # The middle of the first pixel is 0.5 for CSS, 0 for cameras.
    m = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]]) @ m
    m = m / m[2, 2]
    return [m[0, 0], m[1, 0], 0, m[2, 0], m[0, 1], m[1, 1], 0, m[2, 1], 0, 0, 1, 0, m[0, 2], m[1, 2], 0, 1]


def _filters(look: BrowserLook) -> str:
    def grain(name: str, x: float, y: float) -> str:
        amount = look.grain
        mix = f'k2="1" k3="1" k4="{-amount / 2}"'
        return (
            f'<filter id="{name}" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" '
            f'baseFrequency="{x} {y}" numOctaves="3" seed="{look.seed}" result="n"/><feColorMatrix in="n" '
            f'values="{amount} 0 0 0 0 {amount} 0 0 0 0 {amount} 0 0 0 0 0 0 0 0 1"/>'
            f'<feComposite operator="arithmetic" in2="SourceGraphic" {mix}/></filter>'
        )

    soft = '<filter id="soft" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="{}"/></filter>'
    wood = (
        '<pattern id="wood" width="7" height="40" patternUnits="userSpaceOnUse" patternTransform="rotate(86)">'
        '<rect width="1.4" height="40" fill="#5a3208" fill-opacity=".12"/>'
        '<rect x="3.5" width="2" height="40" fill="#ffe6be" fill-opacity=".1"/></pattern>'
    )
    return grain("table-grain", 0.005, 0.12) + grain("felt-grain", look.fibre, look.fibre) + soft.format(1.2) + wood


def _ground(scene: TrayScene, look: BrowserLook, height_mm: float) -> str:
    """Return rim, felt, markers and the shadows of what lies on it."""
    w, h = look.look.tray_mm
    rim = look.look.rim_mm
    x, y = (v * height_mm for v in look.lit)
    low_x, low_y = (v * DISK_MM for v in look.lit)
    parts = [
        f'<rect x="{-w / 2 - rim}" y="{-h / 2 - rim}" width="{w + 2 * rim}" height="{h + 2 * rim}" rx="3" '
        f'fill="{rgb(look.look.rim or (60, 60, 60))}"/>',
        f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" fill="{rgb(look.look.felt)}" '
        'filter="url(#felt-grain)"/>',
        *(_marker(k, corners) for k, corners in enumerate(marker_corners_mm(look.look)) if look.look.markers),
        f'<g filter="url(#soft)" opacity=".5" transform="translate({x:.2f} {y:.2f})">',
        *(f'<path d="{tile_shape(look.look.tile)}" transform="{at(t.x_mm, t.y_mm, t.angle_deg)}"/>'
          for t in scene.tiles),
        *(f'<path d="{die_outline(look.look.die)}" transform="{at(d.x_mm, d.y_mm, d.angle_deg)}"/>'
          for d in scene.dice),
        "</g>",
        f'<g filter="url(#soft)" opacity=".5" transform="translate({low_x:.2f} {low_y:.2f})">',
        *(f'<circle r="{look.look.disk_mm / 2:.2f}" transform="{at(d.x_mm, d.y_mm, 0.0)}"/>' for d in scene.disks),
        "</g>",
    ]  # fmt: skip
    return "".join(parts)


def _marker(number: int, corners_mm: Array) -> str:
    """Return a printed marker on its white paper."""
    pattern = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 60)
    code = base64.b64encode(cv2.imencode(".png", pattern)[1].tobytes()).decode()
    (left, top), (right, bottom) = corners_mm[:, :2].min(0), corners_mm[:, :2].max(0)
    side, edge = right - left, 0.12 * (right - left)
    return (
        f'<rect x="{left - edge}" y="{-bottom - edge}" width="{side + 2 * edge}" height="{side + 2 * edge}" '
        f'fill="#f4f4f0"/><image x="{left}" y="{-bottom}" width="{side}" height="{bottom - top}" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{code}"/>'
    )


def at(x_mm: float, y_mm: float, angle_deg: float) -> str:
    """Return the SVG transform of a place on the tray, whose y runs up and whose angles run the other way."""
    return f"translate({x_mm:.3f} {-y_mm:.3f}) rotate({-angle_deg:.3f})"


def _sides(scene: TrayScene, look: BrowserLook, up: float) -> str:
    """Return the pieces cut at a height, `up` of their own: darker than their faces."""
    shade = 0.55 + 0.15 * up
    tiles = (
        f'<path d="{tile_shape(look.look.tile)}" transform="{at(t.x_mm, t.y_mm, t.angle_deg)}" '
        f'fill="{rgb([v * shade for v in _body(t, look)])}"/>'
        for t in scene.tiles
    )
    dice = (
        f'<path d="{die_outline(look.look.die)}" transform="{at(d.x_mm, d.y_mm, d.angle_deg)}" '
        f'fill="{rgb([v * shade for v in look.look.palette[d.colour]])}"/>'
        for d in scene.dice
    )
    return "".join((*tiles, *dice))


def _disk_sides(scene: TrayScene, look: BrowserLook) -> str:
    dark = rgb([0.6 * v for v in look.look.disk_bgr])
    radius = look.look.disk_mm / 2
    return "".join(
        f'<circle r="{radius:.2f}" fill="{dark}" transform="{at(d.x_mm, d.y_mm, 0.0)}"/>' for d in scene.disks
    )


def _disk_faces(scene: TrayScene, look: BrowserLook) -> str:
    return "".join(f'<g transform="{at(d.x_mm, d.y_mm, d.angle_deg)}">{disk_face(d, look)}</g>' for d in scene.disks)


def _body(tile: DrawnTile, look: BrowserLook) -> Sequence[float]:
    back = look.look.tile.back
    return (
        back
        if back is not None and not tile.face_up
        else ink_and_body(look.look.tile, look.look.palette[tile.colour])[1]
    )


def _faces(scene: TrayScene, look: BrowserLook) -> str:
    tiles = (
        f'<g transform="{at(t.x_mm, t.y_mm, t.angle_deg)}">{tile_face(t, look, _body(t, look))}</g>'
        for t in scene.tiles
    )
    dice = (f'<g transform="{at(d.x_mm, d.y_mm, d.angle_deg)}">{die_face(d, look)}</g>' for d in scene.dice)
    return "".join((*tiles, *dice))
