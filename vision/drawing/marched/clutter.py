"""The tray's rim, and what people leave beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vision.drawing.marched.bodies import Block, Body, DiskBody, Mug
from vision.drawing.marched.look import Coat
from vision.drawing.marched.materials import Material, Painted, Textures, Thing, one_colour, planed
from vision.drawing.marched.table import TABLE_Z, WOODS, wood
from vision.drawing.marched.texture import Array, F, Rgb, chosen, linear

RIMS: Mapping[str, float] = {
    "wood": 0.3, "darkwood": 0.2, "plastic_black": 0.17, "plastic_white": 0.11, "leather": 0.12, "none": 0.1,
}  # fmt: skip
_RIM_RGB: Mapping[str, Rgb] = {"plastic_black": (30, 30, 32), "plastic_white": (214, 214, 212), "leather": (78, 50, 40)}
SIZES: Mapping[str, tuple[float, float, float]] = {
    "pencil": (85, 3.6, 7), "paper": (74, 105, 1.2), "phone": (37, 76, 8), "mug": (40, 40, 85),
    "card": (31.5, 44, 0.6), "coin": (11.5, 11.5, 1.9), "book": (70, 100, 20),
}  # fmt: skip
"""Half its length, half its width, and its height."""
REACH_MM = (440.0, 330.0)
"""How far from the middle of the tray things lie."""
_COLOURS: Mapping[str, tuple[Rgb, ...]] = {
    "pencil": ((224, 170, 30), (40, 130, 90), (170, 30, 30)), "phone": ((18, 18, 20),),
    "book": ((40, 70, 110), (140, 50, 40), (200, 190, 160)), "coin": ((170, 140, 84),),
    "mug": ((220, 218, 210), (40, 70, 110), (150, 40, 40), (90, 110, 60)),
    "card": ((150, 30, 40), (30, 60, 130), (110, 120, 160), (60, 110, 80)), "paper": ((232, 230, 224),),
}  # fmt: skip
_COATS: Mapping[str, Coat] = {
    "pencil": Coat(0.35), "phone": Coat(0.15), "book": Coat(0.35), "coin": Coat(0.25, 3.0), "mug": Coat(0.08),
    "card": Coat(0.3, 0.7), "paper": Coat(0.6, 0.2),
}  # fmt: skip
COFFEE: Rgb = (52, 30, 16)
CARD_EDGE: Rgb = (235, 234, 230)
LINES: Rgb = (150, 170, 205)


@dataclass(frozen=True, eq=False)
class Rim:
    """The sides of a tray."""

    kind: str | None
    """What they are made of; None: it has none."""
    height: float
    """Over the felt, mm."""
    things: tuple[Thing, ...]


def random_rim(tray_mm: tuple[float, float], textures: Textures, rng: np.random.Generator) -> Rim:
    """Return four sides of any stuff, or none."""
    kind = chosen(rng, list(RIMS), list(RIMS.values()))
    height, wide = float(rng.uniform(6, 14)), float(rng.uniform(7, 13))
    if kind == "none":
        return Rim(None, 0.0, ())
    x, y = tray_mm[0] / 2, tray_mm[1] / 2
    whole, stuff = height - TABLE_Z, _rim_stuff(kind, textures, rng)
    ends = [Block(x=s * (x + wide / 2), y=0, turn=np.pi / 2, z=TABLE_Z, half=(y + wide, wide / 2), height=whole,
                  radius=0.8) for s in (-1, 1)]  # fmt: skip
    longs = [Block(x=0, y=s * (y + wide / 2), z=TABLE_Z, half=(x, wide / 2), height=whole, radius=0.8)
             for s in (-1, 1)]  # fmt: skip
    return Rim(kind, height, tuple(Thing(body, stuff) for body in (*ends, *longs)))


def _rim_stuff(kind: str, textures: Textures, rng: np.random.Generator) -> Material:
    if kind in ("wood", "darkwood"):
        colours = chosen(rng, [WOODS[k] for k in ((0, 2, 3) if kind == "wood" else (1, 4))])
        return Painted(Coat(rng.uniform(0.2, 0.5), 0.6), planed(wood(rng, (120, 1100), colours, 0.8)))
    leather = kind == "leather"
    coat = Coat(0.45, 0.4) if leather else Coat(0.2)
    return Painted(coat, one_colour(_RIM_RGB[kind], textures.plain, 0.3 if leather else 0.03))


def random_clutter(tray_mm: tuple[float, float], textures: Textures, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Return up to three things beside the tray, clear of it and of each other."""
    out: list[Thing] = []
    for _ in range(int(chosen(rng, [0, 1, 2, 3], [0.3, 0.3, 0.25, 0.15]))):
        placed = _placed(tray_mm, [thing.body for thing in out], rng)
        if placed is not None:
            kind, body = placed
            out.append(Thing(body, _stuff(kind, body, textures, rng)))
    return tuple(out)


def _placed(tray_mm: tuple[float, float], others: list[Body], rng: np.random.Generator) -> tuple[str, Body] | None:
    """Return any thing where there is room for it; None where there was none."""
    turn = float(rng.uniform(0, 2 * np.pi))
    for _ in range(30):
        x, y = rng.uniform(-1, 1, 2) * REACH_MM
        kind = chosen(rng, list(SIZES))
        clear = float(np.hypot(*SIZES[kind][:2])) + 6
        beside = abs(x) > tray_mm[0] / 2 + 20 + clear or abs(y) > tray_mm[1] / 2 + 20 + clear
        if beside and all(np.hypot(x - o.x, y - o.y) > o.reach + clear for o in others):
            return kind, _body(kind, float(x), float(y), turn)
    return None


def _body(kind: str, x: float, y: float, turn: float) -> Body:
    long, wide, height = SIZES[kind]
    if kind == "mug":
        return Mug(x=x, y=y, z=TABLE_Z, radius=long, height=height)
    if kind == "coin":
        return DiskBody(x=x, y=y, z=TABLE_Z, radius=long, height=height, bevel=0.3)
    return Block(x=x, y=y, turn=turn, z=TABLE_Z, half=(long, wide), height=height, radius=min(0.8, 0.4 * height))


def _stuff(kind: str, body: Body, textures: Textures, rng: np.random.Generator) -> Material:
    colour = chosen(rng, _COLOURS[kind])
    if isinstance(body, Mug):
        level = body.level + 1
        return Painted(_COATS[kind], _either(COFFEE, colour, lambda at, n: (at[2] < level) & (n[2] > 0.8)))
    if kind == "card":
        return Painted(_COATS[kind], _either(CARD_EDGE, colour, lambda at, _: _beyond(at, 27.5, 40.0)))
    if kind == "paper":
        pitch, lined = F(rng.uniform(6, 9)), bool(rng.random() < 0.6)
        ruled = _either(LINES, colour, lambda at, _: lined & (np.abs((at[1] / pitch) % 1 - F(0.5)) > 0.47))
        return Painted(_COATS[kind], ruled)
    return Painted(_COATS[kind], one_colour(colour, textures.plain, 0.4 if kind == "coin" else 0.04))


def _beyond(at: Array, x: float, y: float) -> Array:
    return np.asarray((np.abs(at[0]) > x) | (np.abs(at[1]) > y))


def _either(first: Rgb, second: Rgb, where: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Return a colour for `Painted`: the first where it is so, else the second."""
    return lambda at, normal: np.where(where(at, normal), linear(first)[:, None], linear(second)[:, None])
