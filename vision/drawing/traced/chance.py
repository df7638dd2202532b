"""Chance: looks of traced scenes, as different as tables are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from vision.drawing.camera import CameraLook
from vision.drawing.chance import random_palette
from vision.drawing.look import PALETTE, Bgr, TileLook, near
from vision.drawing.traced.look import (
    MOODS,
    DiceMaterial,
    DiskMaterial,
    Lamp,
    Point,
    Rgb,
    SensorLook,
    TileMaterial,
    TracedLook,
)

FELTS: Mapping[str, Bgr] = {
    "red": (32, 30, 148), "teal": (92, 86, 20), "purple": (92, 36, 68), "brown": (40, 55, 82),
    "beige": (128, 150, 170), "green": (48, 92, 22), "blue": (120, 62, 22), "black": (30, 28, 28),
    "grey": (112, 114, 116), "wine": (40, 24, 86), "olive": (40, 88, 92), "sand": (140, 178, 196),
}  # fmt: skip
SPREAD, SMALLER = 0.15, 0.3
"""How far from where flat faces mirror it a lamp hangs, over its height, as those that bulge mirror it some way off,
too; and how much smaller it is than usual at most."""
LOW_MM = 260, 420
"""How high a lamp hangs that stands on the table."""
LACQUERED, MIRRORING = 0.5, 0.2
"""Share of such dice whose pips mirror it, too; and of the training's trays with such dice."""
LOW_SHARE, LOW_SIZE = (0.6, 0.95), (0.05, 0.15)
"""Its share of the light, and its size over its height, where level dice mirror it."""
POLISHED = ("gloss", "ivory", "glass")
"""Finishes that mirror a lamp."""
TABLES = ("wood", "wood", "wood", "checks", "carpet", "plain", "linen")
RIMS = ("wood", "darkwood", "plastic_black", "plastic_white", "leather", "painted", "metal")
SETS: tuple[tuple[str, str, str, str], ...] = (
    ("red", "blue", "yellow", "black"), ("green", "purple", "orange", "blue"), ("pink", "lime", "sky", "brown"),
    ("red", "teal", "yellow", "grey"), ("orange", "teal", "purple", "black"), ("red", "green", "blue", "black"),
    ("yellow", "blue", "pink", "green"), ("orange", "sky", "brown", "green"),
)  # fmt: skip
BODIES: Mapping[str, Bgr] = {
    "white": (226, 230, 230), "ivory": (184, 214, 226), "maple": (124, 172, 206), "beech": (134, 178, 210),
    "cream": (200, 226, 236), "walnut": (52, 80, 112), "bakelite": (70, 120, 190), "slate": (70, 66, 62),
}  # fmt: skip
ALIKE = 0.2
"""Share of the training's trays whose felt is nearly of the pieces' own colour."""
AS_LARGE = (0.9, 1.2)
"""Diameter of the disks that lie among dice, over the dice's side."""
DARK = 0.15
"""Share of the small ones in a picture of too little light."""
DICE_BODIES: Mapping[str, Bgr] = {
    **PALETTE, "white": (226, 230, 232), "black": (24, 22, 22), "purple": (150, 34, 90), "yellow": (10, 200, 240),
}  # fmt: skip

_near = partial(near, within=(3.0, 250.0))
"""Neither as dark nor as light as a sensor's ends."""


def _grey(colour: Bgr) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _place(reach: float, heights: tuple[float, float], rng: np.random.Generator) -> Point:
    x, y = rng.uniform(-reach, reach, 2).tolist()
    return x, y, float(rng.uniform(*heights))


def _towards(turn: float, away: float, height: float) -> Point:
    return float(away * np.cos(turn)), float(away * np.sin(turn)), float(height)


def random_lamps(mood: str, rng: np.random.Generator) -> tuple[Lamp, ...]:
    """Return the lamps of a mood; their shares add up to 1."""
    base = {"evening": 2950, "window": 6100, "dim": 3500}.get(mood, rng.uniform(2900, 5600))
    lamps: list[tuple[tuple[float, float, float], float, float]] = []

    def far(size: tuple[float, float], share: float) -> None:
        at = _place(900, (950, 1900), rng)
        lamps.append((at, rng.uniform(*size), share))

    if mood == "desk":
        away, turn = rng.uniform(230, 460), rng.uniform(0, 2 * np.pi)
        at = _towards(turn, away, rng.uniform(*LOW_MM))
        lamps.append((at, rng.uniform(45, 115), rng.uniform(0.3, 1)))
    elif mood == "hard":
        at = _place(600, (1000, 1700), rng)
        lamps.append((at, rng.uniform(12, 30), rng.uniform(0.5, 1)))
    elif mood == "glare":
        at = _place(260, (900, 1300), rng)
        lamps.append((at, rng.uniform(80, 260), rng.uniform(0.4, 0.7)))
    elif mood == "window":
        turn = rng.uniform(0, 2 * np.pi)
        away = rng.uniform(900, 1700)
        at = _towards(turn, away, rng.uniform(700, 1300))
        lamps.append((at, rng.uniform(500, 1000), rng.uniform(0.5, 0.9)))
    low, high = (120, 380) if mood == "evening" else (180, 650)
    for _ in range(int(rng.integers(1, 3 if lamps else 4))):
        far((low, high), rng.uniform(0.2, 1) * (0.5 if lamps else 1.0))
    total = sum(share for _, _, share in lamps)
    return tuple(
        Lamp(at, float(size), float(np.clip(base + rng.normal(0, 260), 2500, 7000)), float(share / total))
        for at, size, share in lamps
    )


def random_camera(rng: np.random.Generator) -> CameraLook:
    """Return an overhead Pi camera, as a rule 66 degrees wide."""
    wide = rng.random() < 0.2
    focal = 640 / np.tan(np.radians(rng.uniform(72, 80) if wide else rng.uniform(63, 68)) / 2)
    height = rng.uniform(500, 590) if wide else rng.uniform(505, 690)
    tilt = float(rng.choice([abs(rng.normal(0, 4)), rng.uniform(8, 18)]))
    return CameraLook(
        px_per_mm=float(focal / height),
        height_mm=height,
        tilt_deg=min(tilt, 18.0),
        tilt_towards_deg=rng.uniform(0, 360),
        roll_deg=rng.normal(0, 2.6),
        aim_mm=(rng.normal(0, 14), rng.normal(0, 14)),
        distortion=(rng.normal(-0.014, 0.02), rng.uniform(0.0, 0.008)),
    )


def random_sensor(mood: str, rng: np.random.Generator) -> SensorLook:
    """Return what the sensor does to the picture."""
    dim = mood == "dim"
    jitter: Rgb = tuple(float(v) for v in rng.normal(1, 0.032, 3))  # type: ignore[assignment]
    return SensorLook(
        ev=rng.uniform(-0.75, -0.4) if dim else rng.uniform(-0.3, 0.3),
        wb_exponent=rng.uniform(0.7, 1.04),
        wb_jitter=jitter,
        full_well=rng.uniform(550, 900) if dim else rng.uniform(1300, 5800),
        read_noise=rng.uniform(0.0014, 0.003),
        vignette=rng.uniform(0.1, 0.3),
        sharpen=rng.uniform(0.25, 0.9),
        saturation=rng.uniform(0.92, 1.18),
        contrast=rng.uniform(0, 0.5),
        blur_px=rng.uniform(0.7, 1.15) if rng.random() < 0.1 else rng.uniform(0.08, 0.4),
        jpeg=int(rng.integers(78, 94)),
    )


def random_tiles(rng: np.random.Generator, *, family: str) -> TileMaterial:
    """Return a set of tiles: wood, plastic or bakelite, printed or engraved."""
    colours = SETS[int(rng.integers(len(SETS)))]
    light = rng.random() < 0.5
    name = str(rng.choice(["white", "ivory", "maple", "beech", "cream", "walnut", "bakelite", "slate"],
                          p=[0.22, 0.22, 0.18, 0.1, 0.12, 0.06, 0.06, 0.04]))  # fmt: skip
    body = _near(rng, BODIES[name], 6)
    palette = {c: _near(rng, PALETTE[c], 9) for c in colours}
    if rng.random() < 0.1:
        palette = {c: random_palette(rng)[c] for c in colours}
    arc = rng.random() < 0.58
    inks = {c: _ink_and_body(palette[c], body if light else None) for c in colours}
    if not light and rng.random() < 0.3:
        ink: Bgr = (232, 238, 240) if rng.random() < 0.6 else (18, 18, 18)
        inks = {c: (ink if abs(_grey(ink) - _grey(b)) > 60 else other, b) for c, (other, b) in inks.items()}
    polished = rng.random() < 0.28
    back = None if light or rng.random() < 0.4 else _near(rng, ((218, 226, 228), (124, 172, 206), (50, 80, 120))[
        int(rng.integers(3))], 6)  # fmt: skip
    h = rng.uniform(22.3, 30.1)
    if family == "E41":
        h = rng.uniform(22.3, 25.2)
    shape = TileLook(
        size_mm=(rng.uniform(22, 27.4) if family != "E41" else rng.uniform(22, 26), h),
        thickness_mm=rng.uniform(2.8, 4.6),
        sag_mm=rng.uniform(2.0, 3.4) if arc else 0.0,
        corner_mm=rng.uniform(1.2, 2.8),
        bevel_mm=rng.uniform(0.22, 0.6),
        digit_height=rng.uniform(0.52, 0.72),
        digit_shift_mm=(rng.normal(0, 0.25), rng.normal(0, 0.3)),
        underline=bool(rng.random() < 0.5),
        spread=rng.uniform(0, 4),
    )
    wood = name in ("maple", "beech", "walnut") if light else rng.random() < 0.4
    wear = float(rng.choice([0.0, 0.3, 0.6, 1.0], p=[0.4, 0.25, 0.2, 0.15]))
    tags = ["arc_tiles" if arc else "square_tiles"] + ["underlined_6_9"] * shape.underline
    tags += ["worn"] * (wear >= 0.6) + ["glossy"] * polished
    return TileMaterial(
        shape=shape,
        inks=inks,
        back=back,
        wood=wood,
        engraved=float(rng.choice([0.0, rng.uniform(0.3, 1)])),
        wear=wear,
        rough=rng.uniform(0.09, 0.2) if polished else rng.uniform(0.3, 0.6),
        tags=tuple(tags),
    )


def _ink_and_body(colour: Bgr, body: Bgr | None) -> tuple[Bgr, Bgr]:
    """Return (ink, body): coloured ink on a common body, or light or dark ink on a coloured one."""
    if body is None:
        dark = _grey(colour) > 125
        return ((20, 18, 18) if dark else (232, 238, 240)), colour
    if _grey(body) < 125 and _grey(colour) < 140:
        return _scaled(colour, 1.2, 85.0), body
    if _grey(body) >= 125 and _grey(colour) > _grey(body) - 60:
        return _scaled(colour, max(0.3, (_grey(body) - 60) / _grey(colour)), 0.0), body
    return colour, body


def _scaled(colour: Bgr, factor: float, plus: float) -> Bgr:
    b, g, r = (min(250.0, v * factor + plus) for v in colour)
    return b, g, r


def random_dice(rng: np.random.Generator) -> DiceMaterial:
    """Return the dice of a game: one or two colours."""
    names = [str(n) for n in rng.permutation(["white", "white", "white", *DICE_BODIES])]
    names = list(dict.fromkeys(names))[: 1 + int(rng.random() < 0.5)]
    bodies = {n: _near(rng, DICE_BODIES[n], 8) for n in names}
    finish = str(rng.choice(["gloss", "ivory", "satin", "glass", "pearl"], p=[0.38, 0.2, 0.16, 0.14, 0.12]))
    pips: dict[str, Bgr] = {}
    for n, body in bodies.items():
        light = _grey(body) < 105 or (n != "white" and rng.random() < 0.45 and _grey(body) < 150)
        pips[n] = _near(rng, (232, 236, 236), 6) if light else _near(rng, (24, 22, 22), 6)
    if "white" in bodies and rng.random() < 0.15:
        pips["white"] = _near(rng, ((40, 30, 190), (150, 50, 20), (50, 110, 20))[int(rng.integers(3))], 8)
    if rng.random() < 0.06:
        pips = dict.fromkeys(pips, (60.0, 150.0, 190.0))
    return DiceMaterial(
        size_mm=rng.uniform(12, 19.5),
        # A merged body of glass costs five times as much time as one shape.
        form=str(rng.choice(["round", "cut", "soft"], p=[0.6, 0.24, 0.16] if finish != "glass" else [0, 1, 0])),
        edge=rng.uniform(0.1, 1.0),
        finish=finish,
        bodies=bodies,
        pip=pips,
        pip_radius=rng.uniform(0.075, 0.118),
        pip_gap=rng.uniform(0.21, 0.275),
        pip_depth=float(rng.choice([0.08, rng.uniform(0.3, 0.95)], p=[0.2, 0.8])),
        mirrored=bool(rng.random() < 0.5),
        big_one=bool(rng.random() < 0.08),
    )


def random_disks(rng: np.random.Generator) -> DiskMaterial:
    """Return prediction and queue disks."""
    wood = rng.random() < 0.55
    body: Bgr = BODIES["maple"] if wood else _near(rng, list(PALETTE.values())[int(rng.integers(len(PALETTE)))], 14)
    if not wood and rng.random() < 0.4:
        body = BODIES["ivory"]
    body = _near(rng, body, 8)
    inks: tuple[Bgr, ...] = ((28, 34, 70), (24, 24, 24), (130, 60, 40), (30, 60, 30), (30, 30, 160))
    ink = _near(rng, inks[int(rng.integers(5))], 8) if _grey(body) > 95 else _near(rng, (225, 235, 238), 5)
    return DiskMaterial(
        size_mm=rng.uniform(17, 25),
        thickness_mm=rng.uniform(2.2, 5),
        body=body,
        ink=ink,
        wood=wood,
        rough=rng.uniform(0.12, 0.6),
        dot=rng.uniform(0.06, 0.1),
        gap=rng.uniform(0.14, 0.22),
        drilled=bool(rng.random() < 0.5),
    )


def random_look(rng: np.random.Generator, *, family: str) -> TracedLook:
    """Return any look a tray of the family may have."""
    mood = str(rng.choice(MOODS, p=[0.2, 0.17, 0.15, 0.15, 0.13, 0.14, 0.06]))
    felt_name = str(rng.choice(list(FELTS)))
    felt = _near(rng, FELTS[felt_name], 7)
    tiles = random_tiles(rng, family=family)
    table = str(rng.choice(TABLES))
    rim = None if rng.random() < 0.14 else str(rng.choice(RIMS))
    low = rng.random() < 0.1
    if low:
        felt = _near(rng, list(tiles.inks.values())[int(rng.integers(4))][1], 8)
        felt_name = "like a tile"
    dice = random_dice(rng)
    if family == "F" and rng.random() < 0.06:
        felt, felt_name = _near(rng, list(dice.bodies.values())[0], 14), "like a die"
    scale = rng.uniform(0.96, 1.04, 2) if rng.random() < 0.3 else np.ones(2)
    look = TracedLook(
        camera=random_camera(rng),
        lamps=random_lamps(mood, rng),
        mood=mood,
        ambient=rng.uniform(0.12, 0.5) if mood not in ("hard", "desk") else rng.uniform(0.05, 0.3),
        tiles=tiles,
        dice=dice,
        disks=random_disks(rng),
        sensor=random_sensor(mood, rng),
        felt=felt,
        felt_name=felt_name,
        felt_pile=rng.uniform(0.2, 1.0),
        rim=rim,
        rim_mm=(rng.uniform(6.5, 13), rng.uniform(6, 15)),
        tray_mm=(float(360 * scale[0]), float(260 * scale[1])),
        table=table,
        table_bgr=_table_colour(table, rng),
        markers=bool(rng.random() < 0.75),
        marker_turns_deg=tuple(rng.normal(0, 1.5, 4).tolist()),
        clutter=int(rng.choice([0, 1, 2, 3], p=[0.3, 0.3, 0.25, 0.15])),
    )
    if family in ("FD", "GD"):
        # Each among the other, and told by nothing but its shape.
        look = replace(look, disks=replace(look.disks, size_mm=dice.size_mm * rng.uniform(*AS_LARGE)))
    if family == "FB":
        dice = replace(_polished(dice), bow=float(0.05 * 12 ** rng.random()))
        look = replace(look, dice=dice, lamps=_in_the_dice(look.lamps, look.camera, rng))
    if family == "FL":
        # A level face shows the lamp in all of it, or nothing; one whose rim falls away keeps its outer pips.
        form = str(rng.choice(["round", "cut", "soft"])) if dice.finish != "glass" else "cut"
        look = _mirroring(replace(look, dice=replace(dice, form=form)), rng)
    return look


def _table_colour(table: str, rng: np.random.Generator) -> Bgr:
    if table == "wood":
        woods: tuple[Bgr, ...] = ((72, 118, 160), (60, 84, 118), (34, 44, 60), (110, 160, 196), (58, 92, 150))
        return _near(rng, woods[int(rng.integers(5))], 8)
    if table == "checks":
        cloths: tuple[Bgr, ...] = ((36, 30, 140), (130, 60, 30), (40, 100, 40), (60, 60, 60), (30, 140, 190))
        return _near(rng, cloths[int(rng.integers(5))], 10)
    grey = rng.uniform(60, 220)
    return _near(rng, (grey, grey, grey), 12)


def small_look(rng: np.random.Generator) -> TracedLook:
    """Return a look for a small tray of dice or disks: less felt between the pieces, the camera's own scale.

    `camera.px_per_mm` is meant here as it stands, not for a picture 1280 px wide: see `render_tray`.
    """
    look = random_look(rng, family="F")
    lens = replace(
        look.camera,
        px_per_mm=float(np.exp(rng.uniform(np.log(1.25), np.log(2.4)))),
        aim_mm=(0.0, 0.0),
        # The far corners of a whole tray are seen this much aslant, sides and all.
        tilt_deg=look.camera.tilt_deg if rng.random() < 0.35 else float(rng.uniform(5, 32)),
    )
    small = (look.tray_mm[0] * 0.42, look.tray_mm[1] * 0.52)
    markers = look.markers and bool(rng.random() < 0.35)
    if rng.random() < ALIKE:
        look = _on_its_own_colour(look, [*look.dice.bodies.values(), look.disks.body], rng)
    if rng.random() < DARK:
        look = replace(look, sensor=random_sensor("dim", rng))
    clutter = int(rng.random() < 0.3)
    look = replace(look, camera=lens, lamps=_fewer(look.lamps), tray_mm=small, clutter=clutter, markers=markers)
    return _mirroring(look, rng) if rng.random() < MIRRORING else look


def _polished(dice: DiceMaterial) -> DiceMaterial:
    """Return dice that mirror a lamp: these, or as these but for their finish."""
    return dice if dice.finish in POLISHED else replace(dice, finish=POLISHED[0])


def _mirroring(look: TracedLook, rng: np.random.Generator) -> TracedLook:
    """Return the look with polished dice, in which a lamp beside the tray is mirrored."""
    dice = _polished(look.dice)
    if dice.finish != "glass" and rng.random() < LACQUERED:
        dice = replace(dice, lacquered=True)
    return replace(look, dice=dice, lamps=_in_the_dice(_with_a_low_lamp(look.lamps, rng), look.camera, rng))


def _with_a_low_lamp(lamps: tuple[Lamp, ...], rng: np.random.Generator) -> tuple[Lamp, ...]:
    """Return the lamps, the first beside the tray: so much brighter than what it lights that its image is white.

    It has `LOW_SHARE` of all light, from a square as small as `LOW_SIZE` of its height.
    """
    high, share = float(rng.uniform(*LOW_MM)), float(rng.uniform(*LOW_SHARE))
    low = replace(lamps[0], at_mm=(0.0, 0.0, high), size_mm=high * float(rng.uniform(*LOW_SIZE)), share=share)
    rest = sum(lamp.share for lamp in lamps[1:])
    return low, *(replace(lamp, share=lamp.share * (1 - share) / rest) for lamp in lamps[1:])


def _in_the_dice(lamps: tuple[Lamp, ...], camera: CameraLook, rng: np.random.Generator) -> tuple[Lamp, ...]:
    """Return the lamps, the first of them about where dice mirror it into the camera."""
    side, high = np.radians(camera.tilt_towards_deg), lamps[0].at_mm[2]
    away = -np.tan(np.radians(camera.tilt_deg)) * np.array([np.cos(side), np.sin(side)])
    x, y = (high * (away + rng.normal(0, SPREAD, 2))).tolist()
    # The smaller a lamp, the whiter its image.
    size = lamps[0].size_mm * float(SMALLER ** rng.random())
    return replace(lamps[0], at_mm=(x, y, high), size_mm=size), *lamps[1:]


def training_look(rng: np.random.Generator, *, family: str) -> TracedLook:
    """Return a look for a whole tray of tiles that is to be learnt from, `camera.px_per_mm` as of `small_look`."""
    look = random_look(rng, family=family)
    lens = replace(
        look.camera,
        px_per_mm=float(np.exp(rng.uniform(np.log(0.85), np.log(1.9)))),
        aim_mm=(0.0, 0.0),
    )
    if rng.random() < ALIKE:
        bodies = [body for _, body in look.tiles.inks.values()]
        look = _on_its_own_colour(look, bodies if look.tiles.back is None else [*bodies, look.tiles.back], rng)
    return replace(look, camera=lens, lamps=_fewer(look.lamps))


def _fewer(lamps: tuple[Lamp, ...]) -> tuple[Lamp, ...]:
    """Return two lamps of these at most, as bright together: each further one costs a third of the time."""
    kept = lamps[:2]
    rest = 1 - sum(lamp.share for lamp in kept)
    return tuple(replace(lamp, share=lamp.share + rest / len(kept)) for lamp in kept)


def _on_its_own_colour(look: TracedLook, bodies: Sequence[Bgr], rng: np.random.Generator) -> TracedLook:
    """Return the look with felt of nearly the colour of one of the bodies."""
    like = bodies[int(rng.integers(len(bodies)))]
    felt = _near(rng, _scaled(like, float(rng.uniform(0.6, 1.1)), 0.0), 14)
    return replace(look, felt=felt, felt_name="like a piece")
