"""Chance: looks and scenes as different as tables are. Wide on purpose: the nets see real tables through it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import cv2
import numpy as np

from vision.drawing.camera import CameraLook
from vision.drawing.glyphs import GlyphSet, built_in
from vision.drawing.look import PALETTE, Bgr, DieLook, FilmLook, LampLook, Look, TileLook, near

FELTS: tuple[Bgr, ...] = (
    (35, 35, 150), (90, 90, 16), (110, 40, 60), (28, 52, 74), (110, 140, 155), (50, 100, 20), (130, 70, 20),
    (40, 40, 40), (120, 120, 120), (60, 60, 100), (190, 195, 200), (20, 120, 170), (80, 40, 100),
)  # fmt: skip
BODIES: tuple[Bgr, ...] = ((176, 208, 226), (214, 232, 240), (236, 240, 240), (150, 186, 214), (190, 205, 205))

_near = partial(near, within=(4.0, 250.0))
"""Neither as dark nor as light as a sensor's ends."""


def _any_colour(rng: np.random.Generator, low: int = 0, high: int = 255) -> Bgr:
    hsv = np.array([[[rng.integers(180), rng.integers(256), rng.integers(low, high)]]], np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return float(b), float(g), float(r)


def _pick(rng: np.random.Generator, colours: Sequence[Bgr]) -> Bgr:
    return colours[int(rng.integers(len(colours)))]


def random_palette(rng: np.random.Generator) -> dict[str, Bgr]:
    """Return colours for this set: the usual ones, shifted, some replaced by any colour at all."""
    out = {}
    for name, colour in PALETTE.items():
        out[name] = _any_colour(rng, 20, 256) if rng.random() < 0.2 else _near(rng, colour, 16)
    return out


def random_tile(rng: np.random.Generator, *, difficulty: float) -> TileLook:
    """Return a set of tiles."""
    light = rng.random() < 0.45
    body = _near(rng, _pick(rng, BODIES), 10) if light else None
    if body is not None and rng.random() < 0.15:
        body = _any_colour(rng)
    inks = (_near(rng, (232, 238, 240), 10), _near(rng, (20, 18, 18), 10))
    if rng.random() < 0.12:
        inks = (inks[1], inks[0])
    back = None if rng.random() < 0.4 else _near(rng, _pick(rng, [*BODIES, (228, 226, 224)]), 12)
    height = rng.uniform(21.5, 31)
    return TileLook(
        size_mm=(rng.uniform(21.5, 28), height),
        thickness_mm=rng.uniform(2.5, 5.0),
        sag_mm=0.0 if rng.random() < 0.4 else rng.uniform(1.6, 4.0),
        corner_mm=rng.uniform(0.4, 3.2),
        bevel_mm=rng.choice([0.0, rng.uniform(0.2, 1.0)]),
        digit_height=rng.uniform(0.45, 0.74),
        digit_shift_mm=(rng.normal(0, 0.5), rng.normal(0, 0.6)),
        body=body,
        ink_light=inks[0],
        ink_dark=inks[1],
        back=back,
        ink_alpha=1.0 if rng.random() < 0.7 else 1 - rng.uniform(0, 0.6) * difficulty,
        engraved=rng.choice([0.0, rng.uniform(0.2, 1.0)]),
        wear=rng.choice([0.0, 0.0, rng.uniform(0, 1.0) * difficulty]),
        grain=rng.uniform(0, 1.3) if light and rng.random() < 0.6 else rng.uniform(0, 0.15),
        underline=rng.random() < 0.4,
        spread=rng.uniform(0, 7),
    )


def random_lamp(rng: np.random.Generator, tray_mm: tuple[float, float], *, difficulty: float) -> LampLook:
    """Return a light: from even daylight to a hard warm lamp with its mirror image on the tiles."""
    warm = rng.normal(0, 0.13) * difficulty
    exposure = np.exp(rng.normal(-0.08, 0.24))
    tint = rng.normal(0, 0.04, 3)
    gain = (
        float(exposure * (1 - warm + tint[0])),
        float(exposure * (1 + tint[1])),
        float(exposure * (1 + warm + tint[2])),
    )
    turn, length = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 8))
    glossy = rng.random() < 0.45
    at = rng.uniform(-0.8, 0.8, 2) * tray_mm
    return LampLook(
        gain=gain,
        gradient=tuple(rng.normal(0, 0.14, 2)),
        vignette=rng.uniform(0, 0.25),
        shadow_mm=(float(length * np.cos(turn)), float(length * np.sin(turn))),
        shadow=rng.uniform(0.15, 0.8),
        shadow_blur_mm=rng.uniform(0.3, 5),
        gloss=rng.uniform(0.03, 1.05) * difficulty if glossy else 0.0,
        gloss_at_mm=(float(at[0]), float(at[1])),
        gloss_mm=float(np.exp(rng.uniform(np.log(8), np.log(110)))),
        gloss_spread_mm=rng.uniform(0, 45),
        patch=rng.choice([0.0, 0.0, 0.0, rng.uniform(-0.6, 0.5)]),
    )


def random_camera(rng: np.random.Generator, *, difficulty: float) -> CameraLook:
    """Return a camera above the tray, too high as a rule."""
    return CameraLook(
        px_per_mm=float(np.exp(rng.uniform(np.log(1.2), np.log(2.3)))),
        height_mm=rng.uniform(450, 750),
        tilt_deg=abs(rng.normal(0, 8)) * (0.3 + 0.7 * difficulty),
        tilt_towards_deg=rng.uniform(0, 360),
        roll_deg=rng.normal(0, 3),
        aim_mm=tuple(rng.normal(0, 25, 2)),
        distortion=(rng.normal(-0.01, 0.02), rng.normal(0.003, 0.003)),
    )


def random_film(rng: np.random.Generator, *, difficulty: float) -> FilmLook:
    """Return lens softness and sensor."""
    moving = rng.random() < 0.06 * difficulty
    return FilmLook(
        blur_px=abs(rng.normal(0, 0.5)) + (rng.uniform(0, 1.7) * difficulty if rng.random() < 0.2 else 0.1),
        motion_px=tuple(rng.normal(0, 3, 2)) if moving else (0.0, 0.0),
        noise=rng.gamma(1.5, 1.8) * (0.5 + 0.5 * difficulty),
        sharpen=rng.choice([0.0, rng.uniform(0, 1.2)]),
        contrast=rng.uniform(-0.3, 0.6),
        saturation=rng.uniform(0.6, 1.3),
        jpeg=int(rng.integers(60, 97)),
    )


def random_die(rng: np.random.Generator, *, difficulty: float) -> DieLook:
    """Return a set of dice: painted, hollow or engraved pips, dull or mirroring, sharp-edged or nearly round."""
    paints = {}
    if rng.random() < 0.12:
        red = _near(rng, (40, 40, 190), 20)
        paints = {1: red, 4: red} if rng.random() < 0.6 else {n: _any_colour(rng, 20, 250) for n in range(1, 7)}
    shiny = rng.random() < 0.6
    return DieLook(
        size_mm=rng.uniform(12, 20),
        round=rng.uniform(0.05, 0.32),
        pip=(rng.uniform(0.055, 0.13), rng.uniform(0.2, 0.295)),
        pip_bgr=_any_colour(rng) if rng.random() < 0.15 else None,
        paints=paints,
        one=float(rng.choice([1.0, rng.uniform(1.0, 2.0)])),
        hollow=rng.uniform(0, 0.9),
        contrast=rng.uniform(0.1, 0.85),
        gloss=rng.uniform(0.1, 1.8) * min(1.0, difficulty + 0.3) if shiny else 0.0,
        pip_shine=float(rng.choice([1.0, rng.uniform(0, 1.2)])),
        sheen=float(rng.choice([0.0, rng.uniform(0, 0.35)])),
        rough=float(rng.choice([rng.uniform(0.02, 0.2), rng.uniform(0.2, 1.0)])),
        lamp_half_mm=tuple(np.exp(rng.uniform(np.log(20), np.log(260), 2))),
        lamp_off_mm=tuple(rng.normal(0, 190, 2)),
        marble=rng.uniform(0.1, 0.6) if rng.random() < 0.12 else 0.0,
    )


def random_look(rng: np.random.Generator, *, glyph_sets: Sequence[GlyphSet] = (), difficulty: float = 1.0) -> Look:
    """Return any look a table may have; glyph_sets: choose among these (none given: the built-in strokes).

    difficulty: 0 spares glare, blur and low contrast, 1 is as wild as the training needs it.
    """
    tray = (360.0 * rng.uniform(0.93, 1.08), 260.0 * rng.uniform(0.93, 1.08))
    # Thrown whether strokes of our own are shown or not: what comes after them stays the same.
    weight, slant = round(float(rng.uniform(0.08, 0.24)), 2), round(float(rng.uniform(-0.05, 0.25)), 2)
    tile = random_tile(rng, difficulty=difficulty)
    felt = _near(rng, _pick(rng, FELTS), 12) if rng.random() < 0.6 else _any_colour(rng, 20, 240)
    palette = random_palette(rng)
    if rng.random() < 0.18:
        felt = _near(rng, tile.body or _pick(rng, list(palette.values())), 10)
    return Look(
        tile=tile,
        lamp=random_lamp(rng, tray, difficulty=difficulty),
        camera=random_camera(rng, difficulty=difficulty),
        film=random_film(rng, difficulty=difficulty),
        glyphs=glyph_sets[int(rng.integers(len(glyph_sets)))] if glyph_sets else built_in(weight, slant),
        palette=palette,
        tray_mm=tray,
        felt=felt,
        felt_texture=rng.uniform(0.05, 1.2),
        rim=None if rng.random() < 0.3 else _any_colour(rng, 20, 240),
        rim_mm=rng.uniform(4, 16),
        markers=rng.random() < 0.75,
        table=str(rng.choice(["wood", "cloth", "plain", "stone"])),
        table_bgr=_any_colour(rng, 30, 245),
        clutter=int(rng.integers(0, 4)),
        die=random_die(rng, difficulty=difficulty),
        disk_mm=rng.uniform(16, 26),
        disk_bgr=_any_colour(rng) if rng.random() < 0.4 else _near(rng, (150, 190, 214), 18),
        disk_ink=_near(rng, (30, 44, 78), 25),
    )
