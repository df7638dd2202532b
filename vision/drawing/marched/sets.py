"""Sets of tiles, dice and disks by chance: sizes, colours, stuffs and how they are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.drawing.look import DieLook, TileLook
from vision.drawing.marched.look import Coat, DiceStuff, DiskStuff, TileStuff
from vision.drawing.marched.texture import Rgb, chosen

SUITS: Mapping[tuple[str, ...], float] = {
    ("red", "blue", "yellow", "black"): 0.2, ("green", "purple", "orange", "blue"): 0.16,
    ("red", "teal", "yellow", "grey"): 0.12, ("pink", "lime", "sky", "brown"): 0.12,
    ("red", "blue", "orange", "black"): 0.16, ("red", "green", "blue", "yellow"): 0.16,
    ("purple", "green", "red", "black"): 0.08,
}  # fmt: skip
BODIES: Mapping[str, Rgb] = {
    "red": (190, 30, 40), "blue": (20, 74, 172), "yellow": (240, 196, 30), "black": (26, 26, 28),
    "green": (22, 124, 58), "purple": (104, 44, 140), "orange": (242, 106, 24), "teal": (8, 124, 122),
    "grey": (118, 120, 126), "pink": (228, 86, 146), "lime": (138, 186, 44), "sky": (86, 172, 228),
    "brown": (100, 66, 40),
}  # fmt: skip
ON_LIGHT: Mapping[str, Rgb] = {
    "red": (194, 26, 34), "blue": (26, 70, 172), "yellow": (212, 150, 4), "black": (24, 24, 26),
    "green": (16, 120, 54), "purple": (106, 40, 146), "orange": (226, 98, 14), "teal": (0, 122, 120),
    "grey": (98, 102, 108), "pink": (222, 76, 136), "lime": (92, 150, 20), "sky": (30, 130, 200),
    "brown": (104, 62, 34),
}  # fmt: skip
"""Inks on pale bodies."""
ON_DARK: Mapping[str, Rgb] = {
    "red": (236, 60, 56), "blue": (70, 140, 240), "yellow": (246, 206, 50), "white": (236, 236, 232),
    "green": (70, 190, 96), "purple": (186, 120, 226), "orange": (250, 140, 40), "teal": (50, 190, 184),
    "grey": (180, 182, 188), "pink": (246, 130, 176), "lime": (170, 220, 70), "sky": (120, 200, 250),
    "brown": (190, 136, 90),
}  # fmt: skip
"""Inks on black bodies, where the black suit is the white one."""
PALE: Mapping[str, Rgb] = {
    "white": (232, 232, 228), "ivory": (228, 216, 186), "bone": (220, 206, 172), "maple": (208, 174, 126),
    "cream": (240, 232, 208),
}  # fmt: skip
DARK: Rgb = (34, 34, 38)
STAINED: Rgb = (196, 150, 98)
"""What shows of wood through its paint."""
BACKS: tuple[Rgb, ...] = ((228, 226, 218), (206, 172, 124), (120, 80, 50), (40, 40, 44), (96, 104, 120))
LIGHT_INK: Rgb = (240, 238, 232)
DARK_INK: Rgb = (18, 18, 20)
DICE: Mapping[str, tuple[Rgb, float]] = {
    "white": ((236, 234, 228), 0.34), "black": ((28, 28, 30), 0.1), "red": ((186, 22, 32), 0.14),
    "blue": ((24, 66, 170), 0.1), "green": ((18, 120, 56), 0.1), "yellow": ((240, 200, 24), 0.08),
    "orange": ((240, 110, 20), 0.04), "purple": ((98, 36, 140), 0.04), "teal": ((10, 130, 130), 0.02),
    "pink": ((232, 100, 150), 0.02), "grey": ((130, 132, 138), 0.02),
}  # fmt: skip
"""A die's colour and how often it is the only or the first one."""
ALIKE = frozenset(map(frozenset, (
    ("red", "orange"), ("red", "pink"), ("orange", "yellow"), ("blue", "purple"), ("green", "teal"), ("blue", "teal"),
    ("grey", "white"), ("pink", "purple"), ("grey", "teal"), ("red", "purple"), ("black", "purple"), ("black", "blue"),
    ("orange", "pink"),
)))  # fmt: skip
"""Colours of dice that nobody would throw together."""
DISKS: tuple[tuple[Rgb, Rgb], ...] = (
    ((236, 232, 222), (24, 24, 26)), ((228, 214, 182), (120, 30, 30)), ((40, 42, 48), (238, 236, 230)),
    ((24, 72, 160), (238, 236, 230)), ((176, 30, 36), (238, 236, 230)), ((240, 196, 40), (20, 20, 22)),
    ((22, 116, 60), (238, 236, 230)),
)  # fmt: skip
"""Body and ink of disks of plastic."""
BURNT: tuple[Rgb, ...] = ((24, 24, 26), (130, 28, 28), (26, 50, 130), (20, 90, 46), (70, 40, 20))
"""Inks of wooden disks."""


def _near(rng: np.random.Generator, rgb: Sequence[float] | np.ndarray) -> Rgb:
    """Return a colour close to another, as one dye is to the next."""
    red, green, blue = np.clip(np.array(rgb) * rng.uniform(0.9, 1.08) + rng.uniform(-6, 6, 3), 4, 250).tolist()
    return red, green, blue


def random_tiles(rng: np.random.Generator, *, small: bool) -> TileStuff:
    """Return a set of tiles. small: so that nine rows of them lie on a tray."""
    suit = chosen(rng, list(SUITS), list(SUITS.values()))
    style = chosen(rng, ["coloured_body", "light_body", "dark_body"], [0.5, 0.43, 0.07])
    wood = style != "dark_body" and bool(rng.random() < 0.35)
    shape = _tile_shape(rng, small=small)
    coat = Coat(rng.uniform(0.35, 0.6), 0.35) if wood else Coat(rng.uniform(0.07, 0.45))
    if style == "coloured_body":
        bodies, inks = _coloured(suit, wood, rng)
        back = chosen(rng, BACKS) if rng.random() < 0.5 else None
        return TileStuff(shape, style, inks, bodies, back, wood, coat, bool(rng.random() < 0.1))
    body, inks = _on_dark(suit, rng) if style == "dark_body" else _on_light(suit, wood, rng)
    return TileStuff(shape, style, inks, dict.fromkeys(inks, body), None, wood, coat, bool(rng.random() < 0.1))


def _tile_shape(rng: np.random.Generator, *, small: bool) -> TileLook:
    arcs = bool(rng.random() < 0.72)
    w, tall = rng.uniform(22, 26.8), rng.uniform(0.98, 1.14)
    if small:
        w, tall = min(w, 23.8), rng.uniform(0.96, 1.0)
    sag = w * rng.uniform(0.09, 0.135) if arcs else 0.0
    return TileLook(
        size_mm=(w, w * tall),
        thickness_mm=rng.uniform(2.8, 6.2),
        sag_mm=sag,
        corner_mm=rng.uniform(0.6, 2.8),
        bevel_mm=rng.uniform(0.2, 0.7),
        digit_height=rng.uniform(0.54, 0.68),
        # A tile with arcs has its middle above that of its corners.
        digit_shift_mm=(0.0, 0.5 * sag),
        underline=not arcs or bool(rng.random() < 0.3),
        engraved=float(rng.random() < 0.5),
        wear=chosen(rng, [0.0, 0.0, 0.4, 0.8]),
    )


def _coloured(suit: Sequence[str], wood: bool, rng: np.random.Generator) -> tuple[dict[str, Rgb], dict[str, Rgb]]:
    """Return coloured bodies and their light or dark inks."""
    dark = {"yellow", "lime", "sky"} if rng.random() < 0.5 else {"yellow"}
    bodies = {c: _near(rng, BODIES[c]) for c in suit}
    if wood:
        bodies = {c: _mix(rgb, STAINED, 0.14) for c, rgb in bodies.items()}
    return bodies, {c: DARK_INK if c in dark else LIGHT_INK for c in suit}


def _mix(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(first, second, strict=True))
    return red, green, blue


def _on_light(suit: Sequence[str], wood: bool, rng: np.random.Generator) -> tuple[Rgb, dict[str, Rgb]]:
    """Return a pale body and the inks on it."""
    name = chosen(rng, ["maple", "maple", "cream"] if wood else ["white", "ivory", "bone", "cream"])
    # Yellow ink is not seen on these but for being darker.
    darker = {"yellow": 0.86} if name in ("maple", "bone") else {}
    return _near(rng, PALE[name]), {c: _near(rng, np.array(ON_LIGHT[c]) * darker.get(c, 1.0)) for c in suit}


def _on_dark(suit: Sequence[str], rng: np.random.Generator) -> tuple[Rgb, dict[str, Rgb]]:
    names = ["white" if c == "black" else c for c in suit]
    return _near(rng, DARK), {c: _near(rng, ON_DARK[c]) for c in names}


def random_dice(rng: np.random.Generator) -> DiceStuff:
    """Return a set of dice in one or two colours."""
    names = _dice_colours(rng)
    bodies = {c: _die_body(c, rng) for c in names}
    side = chosen(rng, [12.0, 14.5, 16.0, 16.0, 16.0, 18.0, 19.0]) * rng.uniform(0.98, 1.02)
    shape = DieLook(
        size_mm=side,
        round=rng.uniform(0.06, 0.2),
        pip=(rng.uniform(0.085, 0.115), rng.uniform(0.23, 0.275)),
        one=chosen(rng, [1.0, 1.0, 1.6]),
        hollow=chosen(rng, [0.0, 0.6, 0.9]),
    )
    return DiceStuff(
        shape=shape,
        bodies=bodies,
        pips={c: _pips(c, rng) for c in names},
        ball=float(rng.uniform(1.36, 1.5)) if rng.random() < 0.35 else 0.0,
        right_handed=bool(rng.random() < 0.5),
        red_one=bool("white" in names and rng.random() < 0.12),
        coat=Coat(float(rng.uniform(0.04, 0.35))),
        marble=chosen(rng, [0.02, 0.02, 0.02, 0.12, 0.3]),
    )


def _dice_colours(rng: np.random.Generator) -> list[str]:
    first = chosen(rng, list(DICE), [share for _, share in DICE.values()])
    others = [c for c in DICE if c != first and frozenset((c, first)) not in ALIKE]
    return [first, chosen(rng, others)] if rng.random() < 0.5 else [first]


def _die_body(name: str, rng: np.random.Generator) -> Rgb:
    rgb = np.array(DICE[name][0]) * rng.uniform(0.9, 1.05)
    if name == "white" and rng.random() < 0.3:
        rgb = np.array((226, 212, 180)) * rng.uniform(0.95, 1.03)
    red, green, blue = np.clip(rgb, 4, 246).tolist()
    return red, green, blue


def _pips(name: str, rng: np.random.Generator) -> Rgb:
    dark = name in ("black", "red", "blue", "green", "purple", "teal", "grey")
    if name in ("black", "green", "red") and rng.random() < 0.15:
        return 226, 186, 70
    if dark or (name in ("orange", "pink") and rng.random() < 0.5):
        return 238, 236, 230
    return chosen(rng, [(18, 18, 20), (18, 18, 20), (24, 40, 110)])


def random_disks(rng: np.random.Generator) -> DiskStuff:
    """Return a set of disks: of wood with one ink, or of plastic, prediction and queue disks alike or not."""
    wood = bool(rng.random() < 0.5)
    if wood:
        first = second = ((214.0, 180.0, 132.0), chosen(rng, BURNT))
    else:
        first = chosen(rng, DISKS)
        second = first if rng.random() < 0.5 else chosen(rng, DISKS)
    return DiskStuff(
        width=float(rng.uniform(19.5, 25)),
        height=float(rng.uniform(2.5, 5)),
        bevel=float(rng.uniform(0.2, 0.6)),
        bodies={"prediction": first[0], "queue": second[0]},
        inks={"prediction": first[1], "queue": second[1]},
        wood=wood,
        coat=Coat(0.5, 0.3) if wood else Coat(float(rng.uniform(0.08, 0.3))),
        dot=float(rng.uniform(0.075, 0.11)),
        dot_off=float(rng.uniform(0.16, 0.21)),
        ring=bool(rng.random() < 0.2),
    )
