"""How a tray modelled in Blender looks, by chance: sets as shops sell them, rooms as people live in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.drawing.blender.sensor import SensorLook, random_sensor
from vision.drawing.camera import CameraLook
from vision.drawing.look import Bgr, DieLook, Look, TileLook, near

INKS: dict[str, Bgr] = {
    "red": (45, 35, 195), "blue": (175, 75, 30), "green": (70, 125, 25), "yellow": (40, 190, 235),
    "orange": (25, 115, 235), "purple": (140, 45, 110), "white": (225, 230, 232), "black": (35, 33, 33),
    "pink": (150, 90, 225), "sky": (225, 165, 90),
}  # fmt: skip
ON_LIGHT = ("red", "blue", "green", "black", "purple", "orange")
"""Inks that are seen on pale bodies."""
ON_DARK = ("white", "yellow", "orange", "sky", "pink")
"""Inks that are seen on black ones."""
FELTS: tuple[Bgr, ...] = (
    (60, 100, 25), (120, 55, 25), (35, 25, 130), (34, 32, 32), (120, 118, 116), (105, 40, 80), (50, 75, 105),
    (110, 105, 15), (160, 175, 185),
)  # fmt: skip
TABLES: tuple[tuple[str, Bgr], ...] = (
    ("wood", (70, 110, 155)), ("wood", (35, 60, 100)), ("wood", (120, 165, 200)), ("plain", (215, 218, 220)),
    ("plain", (55, 50, 48)), ("marble", (200, 200, 205)), ("plain", (150, 80, 60)),
)  # fmt: skip
SIZES_MM = ((22.0, 26.0), (24.0, 28.0), (25.0, 30.0), (24.0, 24.0), (26.0, 26.0), (20.0, 24.0), (23.0, 31.0))
APART = 80.0
"""How far the colours of bodies lie from the felt's, in grey values."""
DARK = 330.0
"""Sum of the three colours of a body on which pale ink is seen."""
LAMPS: tuple[Bgr, ...] = ((0.45, 0.72, 1.0), (0.68, 0.87, 1.0), (0.95, 0.98, 1.0), (1.0, 0.92, 0.84))
"""Bulb, warm LED, white LED, sky: linear BGR."""
BODIES = ("plastic", "painted wood", "ivory", "ivory", "wood", "marble", "black", "card")


@dataclass(frozen=True, slots=True)
class LampSpec:
    """One lamp over the table, in mm of the tray."""

    kind: str
    """AREA, POINT, SPOT or SUN, as Blender has them."""
    at: tuple[float, float, float]
    towards: tuple[float, float, float]
    size: tuple[float, float]
    """In mm; of a SUN its width in radians."""
    bgr: Bgr
    share: float
    """Of the light on the middle of the tray, over that of the other lamps."""


@dataclass(frozen=True, slots=True)
class BlenderLook:
    """Everything that decides how Blender models and lights a tray."""

    look: Look
    """Sizes, colours and camera. What else a `Look` says is for our own drawing."""
    font: Path | None
    """A font's file; None for Blender's own."""
    body: str
    """One of BODIES."""
    how: str
    """"printed", "raised" or "engraved" digits."""
    digit: float
    """Height of a 0 over the tile's height."""
    spacing: float
    """How wide letters are over the font's own."""
    rough: float
    coat: float
    round_mm: float
    """Radius of the edges of tiles."""
    dice: str
    """"plain", "glass", "milky", "marble", "wood" or "metal"."""
    deep: float
    """Of pips, over their radius."""
    rim: tuple[float, float, str]
    """Width and height in mm, and what it is made of."""
    table: str
    felt_grain: float
    felt_nap: float
    sheen: float
    lamps: tuple[LampSpec, ...]
    room: tuple[float, float, float]
    """Light from all sides over the lamps', how uneven it is, how small its patches."""
    glossy_marks: bool
    beside: int
    """Things that lie beside the tray."""
    sensor: SensorLook


def random_blender_look(rng: np.random.Generator, font: Path | None) -> BlenderLook:
    """Return a look in the given font."""
    felt = near(rng, FELTS[int(rng.integers(len(FELTS)))], 8)
    body = BODIES[int(rng.integers(len(BODIES)))]
    table, table_bgr = TABLES[int(rng.integers(len(TABLES)))]
    tile = _tile(body, rng)
    die = DieLook(size_mm=float(rng.choice([12.0, 14.0, 16.0, 16.0, 18.0, 19.0])) + float(rng.uniform(-0.3, 0.3)),
                  round=float(rng.uniform(0.07, 0.2)),
                  pip=(float(rng.uniform(0.08, 0.115)), float(rng.uniform(0.23, 0.28))),
                  one=float(rng.choice([1.0, 1.0, 1.0, 1.5])))  # fmt: skip
    rim = (float(rng.uniform(6, 22)), float(rng.uniform(2, 28)), str(rng.choice(["wood", "plain", "plain"])))
    look = Look(tile=tile, die=die, camera=_camera(rng), felt=felt, rim_mm=rim[0],
                palette={name: near(rng, bgr, 10) for name, bgr in INKS.items()},
                tray_mm=(360.0 * float(rng.uniform(0.97, 1.03)), 260.0 * float(rng.uniform(0.97, 1.03))),
                rim=near(rng, (45.0, 80.0, 125.0) if rim[2] == "wood" else (50.0, 48.0, 48.0), 15),
                table_bgr=near(rng, table_bgr, 8), markers=bool(rng.random() < 0.85))  # fmt: skip
    engraved = body in ("ivory", "marble", "wood", "black") and rng.random() < 0.5
    return BlenderLook(
        look=look, font=font, body=body,
        how="engraved" if engraved else str(rng.choice(["printed", "printed", "raised"])),
        digit=float(rng.uniform(0.36, 0.66)),
        spacing=float(rng.uniform(0.88, 1.1)), rough=float(rng.uniform(0.12, 0.7)),
        coat=float(rng.choice([0.0, 0.0, 0.5])), round_mm=float(rng.uniform(0.2, 0.45) * tile.thickness_mm * 0.7),
        dice=str(rng.choice(["plain", "plain", "plain", "plain", "glass", "milky", "marble", "wood", "metal"])),
        deep=float(rng.uniform(0.25, 0.75)), rim=rim, table=table,
        felt_grain=float(rng.uniform(6, 22)), felt_nap=float(rng.uniform(0.1, 0.8)), sheen=float(rng.uniform(0, 0.5)),
        lamps=random_lamps(rng), room=(float(rng.uniform(0.05, 1.0)), float(rng.uniform(0, 0.9)),
                                       float(rng.uniform(0.7, 3))),
        glossy_marks=bool(rng.random() < 0.25), beside=int(rng.integers(0, 4)),
        sensor=random_sensor(rng),
    )  # fmt: skip


def _tile(body: str, rng: np.random.Generator) -> TileLook:
    size = SIZES_MM[int(rng.integers(len(SIZES_MM)))]
    pale = {"ivory": (200.0, 222.0, 230.0), "wood": (120.0, 170.0, 208.0), "marble": (215.0, 218.0, 220.0),
            "card": (205.0, 212.0, 215.0), "black": (38.0, 36.0, 36.0)}.get(body)  # fmt: skip
    arcs = size[0] != size[1] and rng.random() < 0.6
    thick = float(rng.uniform(1.5, 2.2) if body == "card" else rng.uniform(3, 8))
    colour = None if pale is None else near(rng, pale, 8)
    return TileLook(
        size_mm=size, thickness_mm=thick, sag_mm=float(rng.uniform(1.5, 3)) if arcs else 0.0,
        corner_mm=float(rng.uniform(0.6, 3.5)), digit_shift_mm=(0.0, float(rng.normal(0, 0.7))),
        body=colour, back=near(rng, (190.0, 200.0, 205.0), 8) if colour is None else None,
        underline=bool(rng.random() < 0.7),
    )  # fmt: skip


def random_lamps(rng: np.random.Generator) -> tuple[LampSpec, ...]:
    """Return one to three lamps: panels and bulbs over the table, a window, a spot from the side."""
    return tuple(_lamp(str(rng.choice(["panel", "panel", "bulb", "window", "spot", "sun"])), rng)
                 for _ in range(int(rng.choice([1, 1, 2, 2, 3]))))  # fmt: skip


def _lamp(kind: str, rng: np.random.Generator) -> LampSpec:
    turn, aim = rng.uniform(0, 2 * np.pi), (float(rng.normal(0, 40)), float(rng.normal(0, 40)), 0.0)
    away, high = {
        "panel": (rng.uniform(0, 900), rng.uniform(800, 2000)), "bulb": (rng.uniform(100, 900), rng.uniform(500, 1500)),
        "window": (rng.uniform(1200, 3000), rng.uniform(500, 1200)), "spot": (rng.uniform(300, 800), 800.0),
        "sun": (rng.uniform(1000, 3000), 2000.0),
    }[kind]  # fmt: skip
    at = (float(away * np.cos(turn)), float(away * np.sin(turn)), float(high))
    size = {
        "panel": (float(rng.uniform(80, 800)), float(rng.uniform(80, 600))), "bulb": (float(rng.uniform(8, 80)), 0.0),
        "window": (float(rng.uniform(600, 1500)), float(rng.uniform(800, 1500))),
        "spot": (float(rng.uniform(5, 40)), 0.0), "sun": (float(rng.uniform(0.01, 0.1)), 0.0),
    }[kind]  # fmt: skip
    name = {"panel": "AREA", "window": "AREA", "bulb": "POINT", "spot": "SPOT", "sun": "SUN"}[kind]
    return LampSpec(name, at, aim, size, LAMPS[int(rng.integers(len(LAMPS)))], float(rng.uniform(0.3, 1)))


DISK_BODIES: tuple[Bgr, ...] = ((120, 170, 205), (222, 226, 228), (50, 50, 52), (50, 45, 180), (180, 100, 45))
"""Wood, white, black, red and blue."""


def with_disks(look: BlenderLook, rng: np.random.Generator) -> BlenderLook:
    """Return the look with disks of any size and a colour that stands out from the felt, their ink from them."""
    felt = look.look.felt
    bodies = [body for body in DISK_BODIES if np.linalg.norm(np.subtract(body, felt)) > APART]
    body = near(rng, bodies[int(rng.integers(len(bodies)))], 10)
    ink = (30.0, 28.0, 28.0) if sum(body) > DARK else (232.0, 236.0, 236.0)
    disks = replace(look.look, disk_mm=float(rng.uniform(17, 27)), disk_bgr=body, disk_ink=near(rng, ink, 8),
                    disk_digit=float(rng.uniform(0.42, 0.62)))  # fmt: skip
    return replace(look, look=disks)


def _camera(rng: np.random.Generator) -> CameraLook:
    return replace(
        CameraLook(),
        px_per_mm=float(rng.uniform(1.5, 2.6)),
        height_mm=float(rng.uniform(480, 800)),
        tilt_deg=float(abs(rng.normal(0, 9))),
        tilt_towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0, 5)),
        aim_mm=(float(rng.normal(0, 9)), float(rng.normal(0, 7))),
    )


def colours_of(look: BlenderLook, rng: np.random.Generator, count: int, *, dice: bool = False) -> list[str]:
    """Return the colours of a set: bodies that stand out from the felt, or inks that do from the bodies."""
    names = list(ON_LIGHT if look.look.tile.body is not None and not dice else INKS)
    if look.body == "black" and not dice:
        names = list(ON_DARK)
    names = [names[int(k)] for k in rng.permutation(len(names))]
    if look.look.tile.body is None or dice:
        names = [n for n in names if np.linalg.norm(np.subtract(look.look.palette[n], look.look.felt)) > APART]
    return names[:count]
