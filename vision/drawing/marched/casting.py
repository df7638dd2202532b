"""Rays from the camera through every pixel, and what they meet first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.marched.bodies import Body, Mug
from vision.drawing.marched.markers import PAPER_Z, Marker
from vision.drawing.marched.materials import Thing
from vision.drawing.marched.scene import Scene
from vision.drawing.marched.shading import fresnel, shaded
from vision.drawing.marched.table import TABLE_Z
from vision.drawing.marched.texture import Array, F

_STRIP = 64
"""Rows that are cast at a time: what a processor's cache holds."""
_STEPS, _STEPS_HOLLOW = 28, 64
_HIT, _NEARLY = 0.02, 0.2
"""Distances, in mm, at which a ray has met a body, and at which it has after its last step."""
_COARSE = 4
"""Rays of a glossy table that share one mirror image, each way."""


@dataclass(frozen=True)
class Window:
    """Pixels x0 to x1 and y0 to y1 (these not among them), each seen by rays * rays rays."""

    x0: int
    y0: int
    x1: int
    y1: int
    rays: int = 1

    def strips(self) -> list[Window]:
        """Return it in strips."""
        tops = range(self.y0, self.y1, _STRIP)
        return [Window(self.x0, y, self.x1, min(y + _STRIP, self.y1), self.rays) for y in tops]

    def pixels(self) -> tuple[Array, Array]:
        """Return x (w,) and y (h,) of its rays in the picture, whose pixels have whole numbers in their middles."""
        x, y = ((np.arange((high - low) * self.rays) + 0.5) / self.rays + low - 0.5
                for low, high in ((self.x0, self.x1), (self.y0, self.y1)))  # fmt: skip
        return x, y

    def rays_of(self, corners_px: Array) -> tuple[slice, slice] | None:
        """Return rows and columns of the rays about points (n, 2) of the picture; None where there are none."""
        low = (corners_px.min(0) - 1.5 - (self.x0, self.y0)) * self.rays
        high = (corners_px.max(0) + 2.5 - (self.x0, self.y0)) * self.rays
        (a0, b0), (a1, b1) = np.maximum(low, 0).astype(int).tolist(), np.maximum(high, 0).astype(int).tolist()
        a1, b1 = min(a1, (self.x1 - self.x0) * self.rays), min(b1, (self.y1 - self.y0) * self.rays)
        return (slice(b0, b1), slice(a0, a1)) if a1 > a0 and b1 > b0 else None


def ways(camera: Camera, x: Array, y: Array) -> Array:
    """Return the unit ways, (3, h, w) float32 of the tray, in which a camera sees pixels: columns x and rows y."""
    u = (x - camera.matrix[0, 2]) / camera.matrix[0, 0]
    v = ((y - camera.matrix[1, 2]) / camera.matrix[1, 1])[:, None]
    # How much the lens bends depends on how far out a ray is alone: found once for each distance, not for each ray.
    out = np.linspace(0, 1.5, 600)
    bend = 1 + out**2 * (camera.distortion[0] + out**2 * camera.distortion[1])
    straight = np.interp(u * u + v * v, (out * bend) ** 2, 1 / bend).astype(F)
    right, down = u.astype(F) * straight, v.astype(F) * straight
    r = camera.rotation.astype(F)
    way = np.stack([right * r[0, k] + down * r[1, k] + r[2, k] for k in range(3)])
    return np.asarray(way / np.sqrt(right * right + down * down + 1))


@dataclass(frozen=True, eq=False)
class _Sight:
    """What the rays of a window have met so far; changed in place."""

    start: Array
    """The camera, (3,) float32."""
    way: Array
    """(3, h, w)."""
    far: Array
    """How far each ray runs, (h, w)."""
    light: Array
    """What comes along it, (3, h, w)."""

    def on_plane(self, z: float) -> tuple[Array, Array, Array]:
        """Return how far off a plane is along each ray, and where it is met, x and y; (h, w) each."""
        far = (F(z) - self.start[2]) / self.way[2]
        return far, self.start[0] + far * self.way[0], self.start[1] + far * self.way[1]


def cast(scene: Scene, window: Window, things: Sequence[Thing]) -> Array:
    """Return the light of a window's pixels, (h, w, 3) float32: the ground, and some things on it."""
    return np.concatenate([_strip(scene, strip, things) for strip in window.strips()])


def _strip(scene: Scene, window: Window, things: Sequence[Thing]) -> Array:
    sight = _ground(scene, window)
    for marker in scene.markers:
        _see_marker(scene, sight, window, marker)
    for thing in things:
        _see(scene, sight, window, thing)
    size = (window.x1 - window.x0, window.y1 - window.y0)
    # The mean of each pixel's rays, by OpenCV: numpy takes far longer over such small axes.
    return np.stack([cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in sight.light], -1)


def _ground(scene: Scene, window: Window) -> _Sight:
    """Return the sight of felt and table alone."""
    start, way = scene.camera.position_mm().astype(F), ways(scene.camera, *window.pixels())
    sight = _Sight(start, way, np.empty(way.shape[1:], F), np.empty_like(way))
    far, x, y = sight.on_plane(0.0)
    half = np.array(scene.felt.plane.size_mm) / 2
    inside = (np.abs(x) < half[0]) & (np.abs(y) < half[1])
    table_far, table_x, table_y = sight.on_plane(TABLE_Z)
    sight.far[:] = np.where(inside, far, table_far)
    if not inside.all():
        sight.light[:] = _looked_up(scene.table_seen, *scene.table.plane.texels(table_x, table_y), mirror=True)
        if scene.table.gloss > 0:
            sight.light[:] += _table_mirror(scene, way, table_x, table_y)
    if inside.any():
        felt = _looked_up(scene.felt_seen, *scene.felt.plane.texels(x, y))
        np.copyto(sight.light, felt, where=inside)
    return sight


def _looked_up(picture: Array, u: Array, v: Array, *, mirror: bool = False) -> Array:
    """Return what a picture (h, w, 3) holds at texels (h, w), (3, h, w). mirror: it goes on where it ends."""
    border = cv2.BORDER_REFLECT_101 if mirror else cv2.BORDER_REPLICATE
    return cv2.remap(picture, u.astype(F), v.astype(F), cv2.INTER_LINEAR, borderMode=border).transpose(2, 0, 1)


def _table_mirror(scene: Scene, way: Array, x: Array, y: Array) -> Array:
    """Return what a table mirrors, (3, h, w), from some of its rays: there is nothing sharp in it."""
    step = min(_COARSE, *x.shape)
    some = np.s_[..., step // 2 :: step, step // 2 :: step]
    few = way[some]
    at = np.stack([x[some], y[some], np.full(few.shape[1:], TABLE_Z, F)])
    back = few * np.array([1, 1, -1], F)[:, None, None]
    seen = scene.light.mirrored(at.reshape(3, -1), back.reshape(3, -1), scene.table.rough)
    seen = seen * (fresnel(-few[2].ravel()) * F(scene.table.gloss))
    small = seen.T.reshape(*few.shape[1:], 3).astype(F)
    return cv2.resize(small, x.shape[::-1], interpolation=cv2.INTER_LINEAR).transpose(2, 0, 1)


def _see_marker(scene: Scene, sight: _Sight, window: Window, marker: Marker) -> None:
    """Lay a marker's paper into the sight."""
    cut = window.rays_of(scene.camera.project(marker.corners(marker.paper_mm)))
    if cut is None:
        return
    part = _Sight(sight.start, sight.way[:, *cut], sight.far[cut], sight.light[:, *cut])
    far, x, y = part.on_plane(PAPER_Z)
    on, albedo = marker.seen(x.ravel(), y.ravel())
    at = np.stack([x, y, np.full(x.shape, PAPER_Z, F)]).reshape(3, -1)
    back = (part.way * np.array([1, 1, -1], F)[:, None, None]).reshape(3, -1)
    mirrored = scene.light.mirrored(at, back, marker.coat.rough) * fresnel(-part.way[2].ravel())
    seen = _looked_up(scene.felt_light, *scene.felt.plane.texels(x, y)) * albedo.reshape(part.way.shape)
    seen = seen + F(marker.coat.gloss) * mirrored.reshape(part.way.shape)
    np.copyto(part.light, seen, where=on.reshape(x.shape))
    np.copyto(part.far, far, where=on.reshape(x.shape))


def march(body: Body, start: Array, way: Array, near: Array, far: Array) -> tuple[Array, Array]:
    """Return how far rays run until they meet a body, (n,), and which do, (n,) bool: sphere tracing.

    start: (3, 1) and way: (3, n) of the body's own axes. near, far: (n,) where rays enter and leave the box around it.
    """
    run, met, live = near.copy(), np.zeros(len(near), bool), np.arange(len(near))
    for _ in range(_STEPS_HOLLOW if isinstance(body, Mug) else _STEPS):
        away = body.distance(start + way[:, live] * run[live])
        there = away < _HIT
        met[live[there]] = True
        live, away = live[~there], away[~there]
        run[live] += away
        live = live[run[live] < far[live] + 0.1]
        if not len(live):
            return run, met
    met[live] = body.distance(start + way[:, live] * run[live]) < _NEARLY
    return run, met


def _see(scene: Scene, sight: _Sight, window: Window, thing: Thing) -> None:
    """Lay a thing into the sight, where nothing is before it."""
    body = thing.body
    cut = window.rays_of(scene.camera.project(body.box_corners()))
    if cut is None:
        return
    way, before = sight.way[:, *cut].reshape(3, -1), sight.far[cut].reshape(-1)
    start, own_way = body.own(sight.start[:, None]), body.own_way(way)
    near, far = body.through(start, own_way)
    on = np.flatnonzero((far > near) & (near < before))
    run, met = march(body, start, own_way[:, on], near[on], far[on])
    met &= run < before[on]
    on, run = on[met], run[met]
    if not len(on):
        return
    own = start + own_way[:, on] * run
    at = sight.start[:, None] + way[:, on] * run
    seen = shaded(scene, body, at, -way[:, on], thing.stuff(own, body.normal(own)))
    rows, columns = np.unravel_index(on, sight.far[cut].shape)
    rows, columns = rows + cut[0].start, columns + cut[1].start
    sight.far[rows, columns] = run
    sight.light[:, rows, columns] = seen
