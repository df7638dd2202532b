"""How a scene looks: felt, tiles, lamp, camera, sensor. `Look.plain()` for the demo, `random_look` for training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.drawing.camera import CameraLook
from vision.drawing.glyphs import GlyphSet, built_in
from vision.drawing.scene import COLOURS

Bgr = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""

PALETTE: Mapping[str, Bgr] = {
    "red": (36, 32, 190),
    "orange": (22, 108, 242),
    "yellow": (28, 198, 244),
    "lime": (44, 196, 130),
    "green": (60, 128, 18),
    "teal": (130, 132, 10),
    "sky": (228, 160, 86),
    "blue": (172, 74, 22),
    "purple": (142, 44, 102),
    "pink": (138, 84, 228),
    "brown": (28, 60, 100),
    "black": (24, 23, 22),
    "grey": (126, 130, 122),
    "white": (232, 238, 240),
}


@dataclass(frozen=True, slots=True)
class TileLook:
    """The set of tiles."""

    size_mm: tuple[float, float] = (25.0, 28.0)
    thickness_mm: float = 3.5
    sag_mm: float = 2.6
    """Rise of the arcs; 0 = square tiles."""
    corner_mm: float = 2.0
    bevel_mm: float = 0.4
    digit_height: float = 0.62
    """Over the tile's height."""
    digit_shift_mm: tuple[float, float] = (0.0, 0.0)
    """How far right of the tile's middle and above it."""
    body: Bgr | None = None
    """None: the body has the tile's colour and the ink is light or dark; else light bodies with coloured ink."""
    ink_light: Bgr = (232, 238, 240)
    ink_dark: Bgr = (20, 18, 18)
    back: Bgr | None = None
    """None: backs as the body."""
    ink_alpha: float = 1.0
    engraved: float = 0.0
    """Depth of a dark upper-left and a light lower-right lip around the ink, 0..1."""
    wear: float = 0.0
    """Share of ink worn away in specks and scratches, 0..1."""
    grain: float = 0.0
    """Wood grain on the body, 0..1."""
    underline: bool = False
    """6 and 9 carry a bar."""
    spread: float = 3.0
    """How much bodies of one colour differ, in grey values."""


@dataclass(frozen=True, slots=True)
class DieLook:
    """The set of dice."""

    size_mm: float = 16.0
    round: float = 0.16
    """Radius of the edges over the size."""
    pip: tuple[float, float] = (0.09, 0.25)
    """Radius of a pip and distance of the pips from the middle, over the size."""
    pip_bgr: Bgr | None = None
    """None: dark on light dice, light on dark ones."""
    paints: Mapping[int, Bgr] = field(default_factory=dict)
    """Faces whose pips have another colour: a red one and four are common."""
    one: float = 1.0
    """How much larger the pip of the one is."""
    hollow: float = 0.5
    """How steep a pip's rim falls, 0 = painted flat, 0.9 = half a ball."""
    contrast: float = 0.4
    """Share of the light that comes from the one lamp: 0 = no side is darker, 1 = black shadows."""
    gloss: float = 0.0
    """Strength of the lamp's mirror image, 1 = white."""
    pip_shine: float = 1.0
    """How strongly pips mirror, over the body."""
    sheen: float = 0.0
    """Strength of the bright ceiling's mirror image."""
    rough: float = 0.2
    """Blur of the mirror images, over the lamp's size."""
    lamp_half_mm: tuple[float, float] = (120.0, 120.0)
    """Half the size of the lamp that is mirrored, some 700 mm above the tray."""
    lamp_off_mm: tuple[float, float] = (0.0, 0.0)
    """Where that lamp hangs, from the place in which a level die in the tray's middle mirrors it."""
    marble: float = 0.0
    """Strength of veins through the body, 0..1."""


@dataclass(frozen=True, slots=True)
class LampLook:
    """Light over the tray."""

    gain: Bgr = (1.0, 1.0, 1.0)
    """Colour of the light after white balance, and exposure."""
    gradient: tuple[float, float] = (0.05, 0.05)
    """Change of brightness across the frame's width and height."""
    vignette: float = 0.1
    shadow_mm: tuple[float, float] = (2.0, -2.0)
    """Where the shadow of 10 mm of height falls."""
    shadow: float = 0.45
    shadow_blur_mm: float = 1.5
    gloss: float = 0.0
    """Strength of the lamp's mirror image on the pieces, 1 = washed out."""
    gloss_at_mm: tuple[float, float] = (60.0, 60.0)
    gloss_mm: float = 45.0
    gloss_spread_mm: float = 25.0
    """How far each tile's slightly different tilt moves its mirror image."""
    patch: float = 0.0
    """Strength of a soft-edged large shadow or light patch, -1..1."""


@dataclass(frozen=True, slots=True)
class FilmLook:
    """Lens softness, sensor and file."""

    blur_px: float = 0.35
    """Sigma of the defocus."""
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 1.5
    """Sigma in grey values at mid grey (half read noise, half shot noise)."""
    sharpen: float = 0.3
    contrast: float = 0.15
    saturation: float = 1.0
    jpeg: int | None = 90
    """None: no file in between."""


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that decides how a scene looks."""

    tile: TileLook = field(default_factory=TileLook)
    lamp: LampLook = field(default_factory=LampLook)
    camera: CameraLook = field(default_factory=CameraLook)
    film: FilmLook = field(default_factory=FilmLook)
    glyphs: GlyphSet = field(default_factory=built_in)
    palette: Mapping[str, Bgr] = field(default_factory=lambda: PALETTE)
    tray_mm: tuple[float, float] = (360.0, 260.0)
    felt: Bgr = (96, 92, 20)
    felt_texture: float = 0.5
    rim: Bgr | None = (52, 88, 130)
    rim_mm: float = 10.0
    bare: bool = False
    """No tray: the pieces lie on the table."""
    markers: bool = True
    table: str = "wood"
    """"wood", "cloth", "plain" or "stone"."""
    table_bgr: Bgr = (92, 138, 178)
    clutter: int = 2
    """Things that lie beside the tray."""
    die: DieLook = field(default_factory=DieLook)
    disk_mm: float = 20.0
    disk_thick_mm: float = 3.5
    disk_bgr: Bgr = (150, 190, 214)
    disk_ink: Bgr = (30, 44, 78)
    disk_digit: float = 0.5
    """Height of a queue disk's digit over the disk's width."""
    disk_grain: float = 0.0
    """How plainly a disk shows the grain of wood: 0 for none, 2 for oak."""

    @staticmethod
    def plain() -> Look:
        """Return the demo's look: a teal felt, maple tiles with coloured ink, a calm lamp."""
        tile = TileLook(body=(176, 208, 226), back=(150, 186, 208), grain=0.5, bevel_mm=0.5)
        lamp = LampLook(gradient=(0.06, -0.05), gloss=0.12)
        return Look(tile=tile, lamp=lamp, film=FilmLook(noise=1.2, jpeg=None))

    def with_film(self, *, blur_px: float | None = None, noise: float | None = None) -> Look:
        """Return this look with another blur or noise."""
        film = self.film
        film = film if blur_px is None else replace(film, blur_px=blur_px)
        return replace(self, film=film if noise is None else replace(film, noise=noise))


def near(
    rng: np.random.Generator, colour: Sequence[float], spread: float, *, within: tuple[float, float] = (0.0, 255.0)
) -> Bgr:
    """Return a colour close to another. spread: standard deviation of each channel; within: its least and most."""
    b, g, r = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), *within).tolist()
    return b, g, r


def ink_and_body(tile: TileLook, colour: Bgr) -> tuple[Bgr, Bgr]:
    """Return (ink, body) of a tile of the given colour."""
    if tile.body is not None:
        return colour, tile.body
    grey = 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]
    return (tile.ink_dark if grey > 140 else tile.ink_light), colour


assert set(PALETTE) == set(COLOURS)  # noqa: S101 - a typo here would surface far away
