"""How a traced scene looks: lamps, materials, camera, sensor; and chance, which chooses them as tables differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from vision.drawing.camera import CameraLook
from vision.drawing.look import Bgr, TileLook

Rgb = tuple[float, float, float]
"""Linear red, green, blue; 1 = white under the scene's light."""
Point = tuple[float, float, float]

MOODS = ("even", "evening", "glare", "hard", "window", "desk", "dim")
"""Kinds of light a table may stand in."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp or window that shines on the tray."""

    at_mm: Point
    size_mm: float
    """Side of the square that shines; 0 would cast shadows without a soft edge."""
    kelvin: float
    share: float
    """How much of the light on the middle of the tray is its own."""


@dataclass(frozen=True, slots=True)
class TileMaterial:
    """What the tiles are made of, beside their shape (`TileLook`)."""

    shape: TileLook
    inks: Mapping[str, tuple[Bgr, Bgr]]
    """Colour to (ink, body)."""
    back: Bgr | None
    """None: backs have the body's own colour."""
    wood: bool = False
    engraved: float = 0.0
    """Depth of the digits, 0..1."""
    wear: float = 0.0
    rough: float = 0.4
    """0.1 = polished, 0.6 = dull."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceMaterial:
    """What the dice are made of."""

    size_mm: float
    form: str
    """"round" (round edges), "cut" (a cube cut by a ball) or "soft" (super-ellipsoid)."""
    edge: float
    """How round: 0 sharp .. 1 soft."""
    finish: str
    """"ivory", "gloss", "satin", "glass" or "pearl"."""
    bodies: Mapping[str, Bgr]
    pip: Mapping[str, Bgr]
    pip_radius: float
    """Over the size; 0.07 to 0.12."""
    pip_gap: float
    """From a face's middle to its pips over the size; 0.2 to 0.28."""
    pip_depth: float
    """Over the pip's radius; 0.1 = painted, 1 = half a ball."""
    mirrored: bool = False
    """1, 2 and 3 run the other way round their corner."""
    big_one: bool = False
    """The one is a larger pip, as on many Asian dice."""
    bow: float = 0.0
    """How far faces bulge: the size over the radius of the balls that they are parts of; 0 = flat. A bowed face mirrors
    a lamp wherever it hangs, a flat one in one place only."""
    lacquered: bool = False
    """Pips are printed on the faces and mirror a lamp as these do; else they are of dull paint."""


@dataclass(frozen=True, slots=True)
class DiskMaterial:
    """What the disks are made of."""

    size_mm: float
    thickness_mm: float
    body: Bgr
    ink: Bgr
    wood: bool
    rough: float
    dot: float
    """Radius of a dot over the disk's size."""
    gap: float
    """From the disk's middle to its dots over the size."""
    drilled: bool


@dataclass(frozen=True, slots=True)
class SensorLook:
    """What lens, sensor and file do."""

    ev: float = 0.0
    wb_exponent: float = 0.9
    """How much of the lamps' colour the white balance takes back: 1 = all of it."""
    wb_jitter: Rgb = (1.0, 1.0, 1.0)
    full_well: float = 3000.0
    read_noise: float = 0.002
    vignette: float = 0.2
    sharpen: float = 0.6
    saturation: float = 1.0
    contrast: float = 0.25
    blur_px: float = 0.3
    """Sigma of the lens in pixels of the picture."""
    jpeg: int = 88


@dataclass(frozen=True, slots=True)
class TracedLook:
    """Everything about a traced scene but what lies on the tray."""

    camera: CameraLook
    lamps: tuple[Lamp, ...]
    mood: str
    ambient: float
    """Light from everywhere over the lamps' light."""
    tiles: TileMaterial
    dice: DiceMaterial
    disks: DiskMaterial
    sensor: SensorLook
    felt: Bgr = (80, 70, 30)
    felt_name: str = "teal"
    felt_pile: float = 0.5
    rim: str | None = "wood"
    """Material; None: a mat without a rim."""
    rim_mm: tuple[float, float] = (10.0, 9.0)
    """Width and height."""
    tray_mm: tuple[float, float] = (360.0, 260.0)
    table: str = "wood"
    table_bgr: Bgr = (70, 110, 150)
    markers: bool = True
    marker_turns_deg: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    clutter: int = 1
    tags: tuple[str, ...] = field(default=())


def lamp_rgb(kelvin: float) -> Rgb:
    """Return the linear RGB of a black body, green = 1 (locus: Kim et al., US patent 7024034, cubic fits)."""
    t = 1000.0 / kelvin
    if kelvin < 4000:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    xyz = np.array([x / y, 1.0, (1 - x - y) / y])
    to_rgb = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
    rgb = np.maximum(to_rgb @ xyz, 0.02)
    r, g, b = (rgb / rgb[1]).tolist()
    return r, g, b
