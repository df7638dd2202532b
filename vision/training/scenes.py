"""Scenes by chance: layouts of all kinds, loose tiles, dice, disks, hands, empty trays."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.drawing import COLOURS, LAYOUTS, DrawnDie, DrawnDisk, DrawnTile, Hand, Look, TrayScene, scene_for_layout
from vision.drawing.glyphs import GlyphSet, crop
from vision.drawing.heads import on_its_head
from vision.drawing.scene import random_value

DIGITS = "0123456789"
TURNED = 0.04
"""Share of the tiles that lie upside down, of those that show it."""
ABOVE, TURNED_ABOVE = 0.08, 0.2
"""Digits higher than this above a tile's middle, over its height, show it by themselves; of such tiles more are turned,
as few sets have them."""


def varied_glyphs(glyphs: GlyphSet, rng: np.random.Generator) -> GlyphSet:
    """Return the set bolder or lighter, leaning, cut like a stencil or wobbling, as other prints of it would be."""
    kind = rng.choice(["as is", "bold", "light", "lean", "stencil", "wobble"], p=[0.42, 0.2, 0.08, 0.1, 0.08, 0.12])
    height = glyphs["0"].shape[0]
    if kind == "bold":
        n = int(height * rng.uniform(0.03, 0.09)) | 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n))
        return {
            c: cv2.dilate(cv2.copyMakeBorder(m, n, n, n, n, 0), kernel)[n // 2 : -(n // 2) or None]
            for c, m in glyphs.items()
        }
    if kind == "light":
        return {c: _lighter(m, int(height * 0.04)) for c, m in glyphs.items()}
    if kind == "lean":
        slant = rng.uniform(-0.12, 0.25)
        return {c: _leaning(m, slant) for c, m in glyphs.items()}
    if kind == "stencil":
        at, wide = rng.uniform(0.4, 0.6), rng.uniform(0.05, 0.1)
        return {c: _stencil(m, at, wide) if c not in "1#7" else m for c, m in glyphs.items()}
    if kind == "wobble":
        return {c: _wobbled(m, rng) for c, m in glyphs.items()}
    return glyphs


def _lighter(mask: np.ndarray, n: int) -> np.ndarray:
    thin = cv2.erode(mask, np.ones((max(1, n), max(1, n)), np.uint8))
    return crop(thin) if thin.sum() > 0.45 * mask.sum() else mask


def _leaning(mask: np.ndarray, slant: float) -> np.ndarray:
    h, w = mask.shape
    pad = int(abs(slant) * h) + 2
    wide = cv2.copyMakeBorder(mask, 0, 0, pad, pad, cv2.BORDER_CONSTANT)
    matrix = np.array([[1, -slant, slant * h / 2], [0, 1, 0]], np.float32)
    return crop(cv2.warpAffine(wide, matrix, (w + 2 * pad, h)))


def _stencil(mask: np.ndarray, at: float, wide: float) -> np.ndarray:
    out = mask.copy()
    w = mask.shape[1]
    out[:, int(w * at) : int(w * at) + max(2, int(mask.shape[0] * wide))] = 0
    return out


def _wobbled(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    pad = 14
    big = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    h, w = big.shape
    field = cv2.resize(rng.normal(0, 1, (5, 5, 2)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    amount = mask.shape[0] * rng.uniform(0.01, 0.045)
    return crop(cv2.remap(big, x + field[..., 0] * amount, y + field[..., 1] * amount, cv2.INTER_LINEAR))


def random_kind(rng: np.random.Generator) -> str:
    """Return what lies on a tray, as in `random_scene`."""
    return str(rng.choice(["layout", "loose", "dice", "disks", "empty"], p=[0.58, 0.08, 0.27, 0.03, 0.04]))


def random_scene(look: Look, rng: np.random.Generator, *, kind: str | None = None) -> TrayScene:
    """Return any scene a tray may hold, laid for the size of the look's tiles.

    kind: "layout", "loose", "dice", "disks" or "empty"; None leaves it to chance.
    """
    kind = kind or random_kind(rng)
    seed = int(rng.integers(2**31))
    if kind == "disks":
        return TrayScene(disks=_disks(look, rng, ()), seed=seed)
    if kind == "empty":
        return TrayScene(seed=seed)
    if kind == "dice":
        disks = _disks(look, rng, ()) if rng.random() < 0.12 else ()
        hand = _hand(look, rng) if rng.random() < 0.1 else None
        return TrayScene(dice=_dice(look, rng), disks=disks, hand=hand, seed=seed)
    tiles = _laid(look, rng, seed) if kind == "layout" else _loose(look, rng)
    tiles = tuple(_turned(t, look, rng) for t in tiles)
    disks = _disks(look, rng, tiles) if rng.random() < 0.25 else ()
    hand = _hand(look, rng) if rng.random() < 0.2 else None
    return TrayScene(tiles, disks=disks, hand=hand, seed=seed)


def _cell(colours: list[str], row: int, mixed: bool, down: float, rng: np.random.Generator) -> str:
    colour = colours[int(rng.integers(len(colours)))] if mixed else colours[row % len(colours)]
    if rng.random() < down:
        return f"{colour}:down"
    return f"{colour}:#" if rng.random() < 0.09 else f"{colour}:{rng.integers(10)}"


def _laid(look: Look, rng: np.random.Generator, seed: int) -> tuple[DrawnTile, ...]:
    layout = str(rng.choice(["rows", "drawbridge", "rect", "diamond"], p=[0.55, 0.17, 0.14, 0.14]))
    colours = [str(c) for c in rng.permutation(COLOURS)[:4]]
    down = rng.choice([0.0, rng.uniform(0.05, 0.7)], p=[0.6, 0.4])
    empty = rng.uniform(0.1, 0.8) if layout == "drawbridge" else rng.choice([0.0, 0.08], p=[0.8, 0.2])
    mixed = layout in ("rect", "diamond")
    rows = [
        [None if rng.random() < empty else _cell(colours, r, mixed, down, rng) for _ in range(n)]
        for r, n in enumerate(LAYOUTS[layout])
    ]
    w, h = look.tile.size_mm
    tight = layout == "diamond"
    pitch = (w + rng.choice([0.15, rng.uniform(0.1, 2.2)]), h + (rng.uniform(0.1, 1) if tight else rng.uniform(0.2, 6)))
    scene = scene_for_layout(
        rows, layout=layout, seed=seed, pitch_mm=pitch, untidy=rng.uniform(0.2, 1.3), turn_deg=rng.normal(0, 5.5)
    )
    return scene.tiles


def _loose(look: Look, rng: np.random.Generator) -> tuple[DrawnTile, ...]:
    colours = [str(c) for c in rng.permutation(COLOURS)[:4]]
    far = float(np.hypot(*look.tile.size_mm))
    spread = 12.0 if rng.random() < 0.7 else 90.0
    out: list[DrawnTile] = []
    for x, y in _places(look, far * 1.02, int(rng.integers(1, 30)), rng):
        symbol = "#" if rng.random() < 0.09 else str(rng.integers(10))
        colour = colours[int(rng.integers(4))]
        out.append(DrawnTile(x, y, float(rng.normal(0, spread)), symbol, colour, bool(rng.random() > 0.12)))
    return tuple(out)


def _places(
    look: Look, apart: float, n: int, rng: np.random.Generator, *, edge: float = 14.0
) -> list[tuple[float, float]]:
    """Return up to n places no nearer to each other than `apart`, no nearer than `edge` to the felt's edges, in mm."""
    half = np.array(look.tray_mm) / 2 - edge
    found: list[tuple[float, float]] = []
    for x, y in np.clip(rng.uniform(-1.1, 1.1, (n * 3, 2)), -1, 1) * half:
        if all((x - a) ** 2 + (y - b) ** 2 > apart**2 for a, b in found) and len(found) < n:
            found.append((float(x), float(y)))
    return found


def _turned(tile: DrawnTile, look: Look, rng: np.random.Generator) -> DrawnTile:
    """Turn a few tiles upside down, where one can see that they are."""
    t = look.tile
    above = t.digit_shift_mm[1] > ABOVE * t.size_mm[1]
    marked = t.sag_mm > 0 or above or tile.symbol in "23457" or (t.underline and tile.symbol in "69")
    if tile.face_up and marked and rng.random() < (TURNED_ABOVE if above else TURNED):
        return on_its_head(tile)
    return tile


def _dice(look: Look, rng: np.random.Generator) -> tuple[DrawnDie, ...]:
    """Return dice: some against the rim, some touching one or more others."""
    colours = [str(c) for c in rng.permutation([*COLOURS, "white", "white", "red", "white"])[:2]]
    side, clinging = look.die.size_mm, float(rng.choice([0.2, 0.8]))
    out: list[DrawnDie] = []
    for x, y in _places(look, side * 1.45, int(rng.integers(1, 14)), rng, edge=side * 0.75):
        if any(np.hypot(d.x_mm - x, d.y_mm - y) < side * 1.45 for d in out):
            continue
        out.append(_die(x, y, float(rng.uniform(0, 360)), colours, rng))
        while rng.random() < clinging and len(out) < 14:
            more = _neighbour(out, look, colours, rng)
            if more is None:
                break
            out.append(more)
    return tuple(out)


def _die(x: float, y: float, angle: float, colours: list[str], rng: np.random.Generator) -> DrawnDie:
    return DrawnDie(float(x), float(y), angle, int(rng.integers(1, 7)), colours[int(rng.integers(2))])


def _neighbour(others: list[DrawnDie], look: Look, colours: list[str], rng: np.random.Generator) -> DrawnDie | None:
    """Return a die that touches the last one, face to face or at a corner, or None if something is in the way."""
    last, side = others[-1], look.die.size_mm
    turn = float(rng.choice([0.0, rng.uniform(0, 90)]))
    along = float(rng.uniform(-0.8, 0.8)) * side
    # Half the width of a turned square, seen along the other's axis.
    away = side * (0.51 + 0.5 * (abs(np.cos(np.radians(turn))) + abs(np.sin(np.radians(turn)))))
    a = np.radians(last.angle_deg + 90 * rng.integers(4))
    x = last.x_mm + away * np.cos(a) - along * np.sin(a)
    y = last.y_mm + away * np.sin(a) + along * np.cos(a)
    if abs(x) > look.tray_mm[0] / 2 - 0.75 * side or abs(y) > look.tray_mm[1] / 2 - 0.75 * side:
        return None
    if any(np.hypot(d.x_mm - x, d.y_mm - y) < side * 1.42 for d in others[:-1]):
        return None
    return _die(x, y, last.angle_deg + turn, colours, rng)


def harder_look(look: Look, rng: np.random.Generator) -> Look:
    """Return the look with what makes dice and disks hard to read: the lamp on their faces, hard shadows, pale felt."""
    if rng.random() < 0.55:
        die = replace(look.die, gloss=float(rng.uniform(0.5, 2.5)), lamp_off_mm=tuple(rng.normal(0, 70, 2)))
        look = replace(look, die=die)
    if rng.random() < 0.3:
        # Dark bodies with light pips: the lamp's white patch can pass for a pip, or hide one.
        dark = {name: tuple(v * float(rng.uniform(0.25, 0.8)) for v in bgr) for name, bgr in look.palette.items()}
        pale = float(rng.uniform(150, 235))
        look = replace(look, palette=dark, die=replace(look.die, pip_bgr=(pale, pale + 6, pale + 8)))
    if rng.random() < 0.3:
        away = rng.normal(0, 7, 2)
        lamp = replace(look.lamp, shadow=float(rng.uniform(0.5, 0.9)), shadow_blur_mm=float(rng.uniform(0.2, 1)))
        look = replace(look, lamp=replace(lamp, shadow_mm=(float(away[0]), float(away[1]))))
    if rng.random() < 0.25:
        grey = float(rng.uniform(150, 245))
        look = replace(look, felt=(grey - 15, grey, grey + 5))
    if rng.random() < 0.25:
        # No felt at all: dice on wood, cloth or stone, as people photograph them.
        look = replace(look, bare=True, markers=False)
    return look


def any_print_look(look: Look, rng: np.random.Generator) -> Look:
    """Return the look with dice and disks of any colour, pips, dots and digits of any other, and digits of any size."""
    look = replace(look, disk_digit=float(rng.uniform(0.38, 0.66)))
    if rng.random() < 0.5:
        look = replace(look, disk_grain=float(rng.uniform(0.3, 2.2)))
    if rng.random() < 0.4:
        return look
    body, other = (_any_bgr(rng) for _ in range(2))
    ink = next(ink for ink in iter(lambda: _any_bgr(rng), None) if min(_apart(ink, body), _apart(ink, other)) > 60)
    dice = {name: body if rng.random() < 0.5 else other for name in look.palette}
    die = replace(look.die, pip_bgr=ink)
    return replace(look, disk_bgr=body, disk_ink=ink, palette=dice, die=die)


def _any_bgr(rng: np.random.Generator) -> tuple[float, float, float]:
    b, g, r = rng.uniform(8, 247, 3).tolist()
    return b, g, r


def _apart(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    """Return how far apart two colours are: as grey values, in the channel that tells them apart best."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def _disks(look: Look, rng: np.random.Generator, tiles: tuple[DrawnTile, ...]) -> tuple[DrawnDisk, ...]:
    out = []
    for x, y in _places(look, look.disk_mm * 1.1, 12, rng, edge=look.disk_mm * 0.55):
        if any(np.hypot(t.x_mm - x, t.y_mm - y) < look.disk_mm / 2 + 17 for t in tiles):
            continue
        queue = rng.random() < 0.5
        value = random_value(queue, rng)
        out.append(DrawnDisk(x, y, float(rng.uniform(0, 360)), "queue" if queue else "prediction", value))
    return tuple(out)


def _hand(look: Look, rng: np.random.Generator) -> Hand:
    x, y = rng.uniform(-0.5, 0.5, 2) * look.tray_mm
    inward = np.degrees(np.arctan2(-y, -x)) + rng.normal(0, 50)
    return Hand(float(x), float(y), float(inward), int(rng.integers(2**31)))
