"""How a browser's tray looks, by chance: plain sets, plain lamps, digits of any size a printer would choose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.drawing.camera import CameraLook
from vision.drawing.look import Bgr, DieLook, Look, TileLook, near

INKS: dict[str, Bgr] = {
    "red": (40, 40, 200), "blue": (190, 80, 40), "green": (60, 130, 30), "yellow": (50, 195, 235),
    "orange": (30, 120, 240), "purple": (150, 50, 120), "white": (225, 232, 235), "black": (38, 35, 35),
}  # fmt: skip
ON_LIGHT = ("red", "blue", "green", "black", "purple")
"""Inks that are seen on pale bodies."""
FELTS: tuple[Bgr, ...] = (
    (55, 95, 20), (130, 60, 25), (30, 25, 140), (32, 30, 30), (112, 110, 110), (100, 35, 75), (40, 65, 95),
    (105, 100, 10),
)  # fmt: skip
TABLES: tuple[Bgr, ...] = ((75, 110, 150), (40, 60, 90), (185, 190, 190), (66, 62, 60), (150, 180, 205))
LIGHTS: tuple[Bgr, ...] = ((170, 214, 255), (229, 244, 255), (255, 255, 255), (255, 235, 225))
SIZES_MM = ((22.0, 25.0), (24.0, 27.0), (25.0, 28.0), (23.0, 23.0), (26.0, 26.0), (20.0, 23.0))
APART = 75.0
"""How far the colours of bodies lie from the felt's, in grey values: whoever buys a set sees to that."""
DARK = 330.0
"""Sum of the three colours of a body on which pale ink is seen."""
LETTERS = (0.45, 0.9)
"""Size of the letters over the tile's height; digits are about 0.7 of it."""


@dataclass(frozen=True, slots=True)
class BrowserLook:
    """Everything that decides how a browser draws a tray."""

    look: Look
    """Sizes, colours and camera. What else a `Look` says is for our own drawing."""
    font: Path | None
    """A font's file; None for the browser's own sans-serif."""
    letter: float
    bold: bool
    lit: tuple[float, float]
    """Where the shadow of 1 mm of height falls, mm to the right and down."""
    light: Bgr
    dim: float
    """Share of the light left in the farthest corner."""
    lamp_at: tuple[float, float]
    """The brightest place, over the frame's width and height."""
    shine: float
    """Strength of a lamp's veil, 1 = white."""
    wood: bool
    grain: float
    """How plainly felt and table show theirs, 0..1."""
    fibre: float
    """Waves of the felt's grain per mm."""
    seed: int


def random_browser_look(rng: np.random.Generator, font: Path | None) -> BrowserLook:
    """Return a look in the given font."""
    felt = near(rng, FELTS[int(rng.integers(len(FELTS)))], 8)
    kind = str(rng.choice(["body", "body", "ink", "wood"]))
    palette = {name: near(rng, bgr, 10) for name, bgr in INKS.items()}
    body = {"ink": (210.0, 226.0, 232.0), "wood": (115.0, 165.0, 205.0)}.get(kind)
    size = SIZES_MM[int(rng.integers(len(SIZES_MM)))]
    arcs = size[0] != size[1] and rng.random() < 0.7
    tile = TileLook(
        size_mm=size,
        thickness_mm=float(rng.uniform(2.5, 5)),
        sag_mm=float(rng.uniform(1.5, 3)) if arcs else 0.0,
        corner_mm=float(rng.uniform(0.6, 3.0)),
        digit_shift_mm=(0.0, float(rng.normal(0, 0.6))),
        body=None if body is None else near(rng, body, 8),
        back=near(rng, (200.0, 210.0, 215.0), 5) if body is None else None,
        underline=bool(rng.random() < 0.6),
    )
    die = DieLook(size_mm=float(rng.uniform(13, 19)), round=float(rng.uniform(0.08, 0.3)),
                  pip=(float(rng.uniform(0.08, 0.115)), float(rng.uniform(0.24, 0.29))))  # fmt: skip
    look = Look(tile=tile, die=die, camera=_camera(rng), palette=palette, felt=felt,
                rim=near(rng, (45.0, 80.0, 120.0), 20), rim_mm=float(rng.uniform(8, 16)),
                table_bgr=near(rng, TABLES[int(rng.integers(len(TABLES)))], 8),
                markers=bool(rng.random() < 0.8))  # fmt: skip
    return BrowserLook(
        look=look, font=font, letter=float(rng.uniform(*LETTERS)), bold=bool(rng.random() < 0.5),
        lit=(float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1))),
        light=LIGHTS[int(rng.integers(len(LIGHTS)))], dim=float(rng.uniform(0.35, 0.8)),
        lamp_at=(float(rng.uniform(0, 1)), float(rng.uniform(0, 1))), shine=float(rng.uniform(0, 0.35)),
        wood=kind == "wood", grain=float(rng.uniform(0.06, 0.32)),
        fibre=float(rng.uniform(0.6, 1.6)), seed=int(rng.integers(1000)),
    )  # fmt: skip


DISK_BODIES: tuple[Bgr, ...] = ((120, 170, 205), (225, 230, 232), (60, 62, 66), (60, 60, 190), (190, 110, 50))
"""Wood, white, black, red and blue."""


def with_disks(look: BrowserLook, rng: np.random.Generator) -> BrowserLook:
    """Return the look with disks of any size and a colour that stands out from the felt, their ink from them."""
    felt = look.look.felt
    bodies = [body for body in DISK_BODIES if np.linalg.norm(np.subtract(body, felt)) > APART]
    body = near(rng, bodies[int(rng.integers(len(bodies)))], 10)
    ink = (28.0, 26.0, 26.0) if sum(body) > DARK else (235.0, 238.0, 238.0)
    size, digit = float(rng.uniform(16, 26)), float(rng.uniform(0.45, 0.75))
    disks = replace(look.look, disk_mm=size, disk_bgr=body, disk_ink=near(rng, ink, 8), disk_digit=digit)
    return replace(look, look=disks)


def _camera(rng: np.random.Generator) -> CameraLook:
    return replace(
        CameraLook(),
        px_per_mm=float(rng.uniform(1.4, 2.7)),
        height_mm=float(rng.uniform(520, 760)),
        tilt_deg=float(abs(rng.normal(0, 8))),
        tilt_towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0, 4)),
        aim_mm=(float(rng.normal(0, 10)), float(rng.normal(0, 8))),
    )


def colours_of(look: BrowserLook, rng: np.random.Generator, count: int) -> list[str]:
    """Return the colours of a set: bodies that stand out from the felt, or inks that do from pale bodies."""
    names = list(ON_LIGHT if look.look.tile.body is not None else INKS)
    names = [names[int(k)] for k in rng.permutation(len(names))]
    if look.look.tile.body is None:
        names = [n for n in names if np.linalg.norm(np.subtract(look.look.palette[n], look.look.felt)) > APART]
    return names[:count]
