"""One tray with everything that is seen of it: what a picture is cast from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.marched.bodies import Block, Body
from vision.drawing.marched.clutter import Rim
from vision.drawing.marched.felt import Felt
from vision.drawing.marched.lamps import Light
from vision.drawing.marched.markers import Marker
from vision.drawing.marched.materials import Thing
from vision.drawing.marched.shadows import Plane, light_on
from vision.drawing.marched.table import TABLE_Z, Table
from vision.drawing.marched.texture import Array, F, linear


@dataclass(frozen=True, eq=False)
class Scene:
    """A lit tray."""

    camera: Camera
    light: Light
    felt: Felt
    table: Table
    markers: tuple[Marker, ...]
    pieces: tuple[Thing, ...]
    rim: Rim
    clutter: tuple[Thing, ...]
    felt_light: Array
    """Light on the felt as if it were level, (h, w, 3)."""
    felt_seen: Array
    """What the felt sends back, (h, w, 3)."""
    table_seen: Array
    """The same of the table but for what it mirrors."""

    def bare(self, light: Light | None = None) -> Scene:
        """Return the same tray with nothing on its felt. light: another one; None for the same."""
        return lit(self.camera, light or self.light, self.felt, self.table, markers=self.markers, pieces=(),
                   rim=self.rim, clutter=self.clutter)  # fmt: skip

    @cached_property
    def bodies(self) -> list[Body]:
        """Return all bodies."""
        return [thing.body for thing in (*self.pieces, *self.rim.things, *self.clutter)]

    @cached_property
    def lamp(self) -> Array:
        """Return the colour of the light on the tray, (3,), green 1."""
        mean = self.felt_light.reshape(-1, 3).mean(0)
        return np.asarray(mean / mean[1])

    @cached_property
    def floor(self) -> Array:
        """Return what the felt sends back on the whole, (3,): pieces are lit by it from below."""
        return np.asarray(linear(self.felt.rgb) * self.felt_light.mean((0, 1)))


def lit(
    camera: Camera,
    light: Light,
    felt: Felt,
    table: Table,
    *,
    markers: Sequence[Marker],
    pieces: Sequence[Thing],
    rim: Rim,
    clutter: Sequence[Thing],
) -> Scene:
    """Return a tray in its light, the shadows on felt and table cast."""
    walls = [thing.body for thing in rim.things]
    on_felt = [*(thing.body for thing in pieces), *walls]
    level, rough = light_on(light, on_felt, felt.plane, bump=felt.bump, lamp_points=28, ways=32)
    half = felt.plane.size_mm[0] / 2, felt.plane.size_mm[1] / 2
    on_table = [*walls, *(thing.body for thing in clutter), Block(x=0, y=0, z=TABLE_Z, half=half, height=-TABLE_Z)]
    # The table lies in soft light only: half as many texels do.
    coarse = Plane(TABLE_Z, table.plane.size_mm, 2 * table.plane.texel_mm)
    around, _ = light_on(light, on_table, coarse, lamp_points=24, ways=20)
    h, w = table.plane.shape
    table_seen = table.albedo * cv2.resize(around, (w, h), interpolation=cv2.INTER_LINEAR)
    return Scene(camera, light, felt, table, tuple(markers), tuple(pieces), rim, tuple(clutter), level,
                 (felt.albedo * rough).astype(F), table_seen)  # fmt: skip
