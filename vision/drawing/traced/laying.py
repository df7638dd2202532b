"""What lies on the tray, family by family: hand-laid layouts, thrown dice, disks, a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.drawing.scene import LAYOUTS, ODD_SIZES, DrawnDisk, DrawnTile, Hand, random_value
from vision.drawing.traced.look import TracedLook
from vision.drawing.traced.pieces import TracedDie, TracedScene
from vision.drawing.traced.piles import disks_on_others, tile_on_others
from vision.errors import BadScene

FAMILIES: dict[str, str] = {
    "A": "scramble", "B": "wild", "C": "partial", "D": "drawbridge", "E58": "rect58", "E41": "diamond41",
    "F": "dice", "G": "disks", "HAND": "hand", "EMPTY": "empty", "F2": "dice",
    "FM": "dice", "GM": "disks", "FD": "dice", "GD": "disks", "BP": "wild", "GP": "disks",
    "FB": "dice", "FL": "dice",
}  # fmt: skip
"""Family and its name in the labels. A seed counts them: a new one goes to the end."""
CLOSE = 0.35
SPREADS = (CLOSE, 0.65, 1.0)
"""How far dice roll, over half the felt."""
Cell = tuple[str, str] | None
"""(colour, symbol); a symbol with a trailing "v" lies face down."""


def random_scene(family: str, look: TracedLook, rng: np.random.Generator) -> TracedScene:
    """Return what lies on a tray of the family; raise BadScene for a family that does not exist."""
    if family not in FAMILIES:
        raise BadScene(f"family {family!r} is unknown (expected one of {', '.join(FAMILIES)})")
    if family == "EMPTY":
        return TracedScene()
    if family in ("F", "FB"):
        return TracedScene(dice=thrown(look, rng, int(rng.integers(1, 13))))
    if family == "FL":
        return TracedScene(dice=thrown(look, rng, int(rng.integers(4, 13)), spread=CLOSE))
    if family == "F2":
        return TracedScene(dice=thrown(look, rng, int(rng.integers(2, 13)), odd=float(rng.uniform(*ODD_SIZES))))
    if family == "FM":
        return TracedScene(dice=(*thrown(look, rng, int(rng.integers(0, 9))), *_dice_on_markers(look, rng)))
    if family == "FD":
        dice = thrown(look, rng, int(rng.integers(1, 13)))
        return TracedScene(dice=dice, disks=_dotted(beside(look, rng, (), int(rng.integers(1, 3)), dice=dice), rng))
    if family == "GD":
        dice = thrown(look, rng, int(rng.integers(1, 3)))
        return TracedScene(dice=dice, disks=beside(look, rng, (), int(rng.integers(2, 9)), dice=dice))
    cells = cells_of(family, sorted(look.tiles.inks, key=lambda c: rng.random()), rng)
    tiles, turn, tags = _laid(cells, family, look, rng)
    disks = beside(look, rng, tiles, int(rng.integers(2, 9))) if family in ("G", "GM", "GP") else ()
    disks += _disks_on_markers(look, rng) if family == "GM" else ()
    hand = _hand(look, rng) if family == "HAND" else None
    scene = TracedScene(tiles, disks=disks, hand=hand, turn_deg=turn, tags=tags)
    if family == "BP":
        return tile_on_others(scene, look.tiles.shape.size_mm, rng)
    return disks_on_others(scene, look.disks.size_mm, rng) if family == "GP" else scene


def cells_of(family: str, colours: Sequence[str], rng: np.random.Generator) -> list[list[Cell]]:
    """Return the cells of each row of a whole lawful set, padded to the shape of the layout."""
    digits = "0123456789"
    if family in ("E58", "E41"):
        every = [(c, d) for c in colours for d in digits]
        if family == "E41":
            every.append((colours[int(rng.integers(4))], "#"))
        order = [every[int(k)] for k in rng.permutation(len(every))]
        out: list[list[Cell]] = []
        for n in LAYOUTS["rect" if family == "E58" else "diamond"]:
            out.append(list(order[:n]))
            order = order[n:]
        return out
    wild = family in ("B", "C", "D", "BP") or (family == "G" and rng.random() < 0.3)
    rows: list[list[Cell]] = []
    for colour in colours:
        pool = list(digits + "#" if wild else digits)
        row: list[Cell] = [(colour, pool[int(k)]) for k in rng.permutation(len(pool))[:10]]
        rows.append(row)
    if family == "C":
        rows = [_partly_down(row, rng) for row in rows]
    if family == "D":
        rows = [_from_both_ends(row, rng) for row in rows]
    return rows


def _partly_down(row: list[Cell], rng: np.random.Generator) -> list[Cell]:
    shown = int(rng.integers(0, 10))
    up = set(range(shown)) if rng.random() < 0.6 else {int(k) for k in rng.permutation(10)[:shown]}
    return [c if c is None or k in up else (c[0], c[1] + "v") for k, c in enumerate(row)]


def _from_both_ends(row: list[Cell], rng: np.random.Generator) -> list[Cell]:
    left, right = int(rng.integers(0, 6)), int(rng.integers(0, 5))
    kept = [k for k in range(10) if k < left or k >= 10 - right]
    gone = {k for k in kept if rng.random() < 0.2}
    return [c if k in kept and k not in gone else None for k, c in enumerate(row)]


def _laid(cells: list[list[Cell]], family: str, look: TracedLook,
          rng: np.random.Generator) -> tuple[tuple[DrawnTile, ...], float, tuple[str, ...]]:  # fmt: skip
    """Lay the cells as a person does: each row pushed together or loose, a little turned."""
    w, h = look.tiles.shape.size_mm
    sag, tight = look.tiles.shape.sag_mm, family in ("E41", "E58", "D")
    untidy = bool(rng.random() < 0.3)
    gap = 0.12 if rng.random() < 0.55 else float(rng.uniform(0.3, 1.6))
    spare = look.tray_mm[1] - 16 - len(cells) * (h + 0.3 * sag)
    aisle = min(float(rng.uniform(0.2, 0.8 if family == "E41" else 5.5)), max(0.2, spare / max(1, len(cells) - 1)))
    if sag and not tight:
        aisle += sag * 0.5
    wobble = float(rng.uniform(1.6, 3.0) if untidy else rng.uniform(0.2, 1.4))
    turn = float(rng.normal(0, 4.0)) if family != "E41" else float(rng.normal(0, 1.5))
    widest = max(len(row) for row in cells)
    tiles: list[DrawnTile] = []
    for r, row in enumerate(cells):
        y = ((len(cells) - 1) / 2 - r) * (h + aisle)
        slide = 0.0 if tight else float(rng.normal(0, 2.4 if untidy else 1.2))
        tiles += _row(row, r, (widest - len(row)) // 2, widest, y, slide, gap, wobble, w, h, rng)
    moved = _turned(tiles, turn, rng.normal(0, 5, 2) if len(cells) < 6 else rng.normal(0, 2, 2))
    tags = ("touching",) * (gap < 0.2) + ("untidy",) * untidy
    return moved, turn, tags


def _row(row: Sequence[Cell], r: int, first: int, widest: int, y: float, slide: float, gap: float, wobble: float,
         w: float, h: float, rng: np.random.Generator) -> list[DrawnTile]:  # fmt: skip
    turns = rng.normal(0, wobble, len(row))
    steps = w + gap + np.abs(np.diff(np.radians(turns))) * h / 2 + np.maximum(rng.normal(0, 0.12, len(row) - 1), 0)
    xs = np.append(0.0, np.cumsum(steps))
    xs += (first + (len(row) - 1) / 2 - (widest - 1) / 2) * (w + gap) - xs.mean() + slide
    out = []
    for k, cell in enumerate(row):
        if cell is None:
            continue
        symbol, up = cell[1].rstrip("v"), not cell[1].endswith("v")
        place = (float(xs[k]), float(y + rng.normal(0, 0.16 * wobble)))
        out.append(DrawnTile(*place, float(turns[k]), symbol, cell[0], up, r, first + k))
    return out


def _turned(tiles: Sequence[DrawnTile], turn_deg: float, shift_mm: np.ndarray) -> tuple[DrawnTile, ...]:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return tuple(
        replace(
            t,
            x_mm=float(c * t.x_mm - s * t.y_mm + shift_mm[0]),
            y_mm=float(s * t.x_mm + c * t.y_mm + shift_mm[1]),
            angle_deg=t.angle_deg + turn_deg,
        )
        for t in tiles
    )


def _corners_taken(look: TracedLook) -> list[tuple[float, float, float]]:
    """Return the markers as (x, y, radius)."""
    if not look.markers:
        return []
    x, y = look.tray_mm[0] / 2 - 17, look.tray_mm[1] / 2 - 17
    return [(a * x, b * y, 19.0) for a in (-1, 1) for b in (-1, 1)]


def thrown(look: TracedLook, rng: np.random.Generator, count: int, *, clinging: float = 0.4,
           odd: float | None = None, spread: float | None = None) -> tuple[TracedDie, ...]:  # fmt: skip
    """Return `count` dice, or fewer where the tray is full: scattered, some face to face or at a corner.

    clinging: how often a die is laid against one that lies there. odd: the size of the second colour's dice (of some,
    where there is one colour) over that of the others; None for one size. spread: how far from the middle, over the
    felt; None for any of SPREADS.
    """
    s, colours = look.dice.size_mm, list(look.dice.bodies)
    half = np.array(look.tray_mm) / 2 - s * 0.75
    taken, out = _corners_taken(look), list[TracedDie]()
    if spread is None:
        spread = float(rng.choice(SPREADS))
    for _ in range(count * 12):
        if len(out) == count:
            break
        die = _thrown_one(half * spread, colours, rng)
        if odd is not None and (die.colour == colours[1] if len(colours) > 1 else rng.random() < 0.4):
            die = replace(die, size=odd)
        partner = out[int(rng.integers(len(out)))] if out and rng.random() < clinging else None
        if partner is not None:
            die = _beside(die, partner, s, rng)
        near = rng.random() < 0.06
        if near and partner is None:
            side = int(rng.integers(2))
            at = [die.x_mm, die.y_mm]
            at[side] = float(np.sign(at[side]) * (half[side] + s * 0.2))
            die = replace(die, x_mm=at[0], y_mm=at[1], angle_deg=float(rng.normal(0, 2)))
        if not _fits(die, out, partner, s, half, taken):
            continue
        if partner is not None:
            out[out.index(partner)] = replace(partner, touching=True)
            die = replace(die, touching=True)
        out.append(die)
    return tuple(out)


def _thrown_one(reach: np.ndarray, colours: list[str], rng: np.random.Generator) -> TracedDie:
    x, y = rng.uniform(-1, 1, 2) * reach
    lean = float(rng.uniform(0.5, 5)) if rng.random() < 0.04 else 0.0
    return TracedDie(
        float(x), float(y), float(rng.uniform(0, 360)), int(rng.integers(1, 7)),
        colours[int(rng.integers(len(colours)))], lean, float(rng.uniform(0, 360)),
    )  # fmt: skip


def _beside(die: TracedDie, partner: TracedDie, s: float, rng: np.random.Generator) -> TracedDie:
    """Move a die against a partner's face: flush, or with a corner to the face."""
    face = partner.angle_deg + 90 * int(rng.integers(4))
    turn = 0.0 if rng.random() < 0.5 else float(rng.uniform(10, 80))
    own = np.radians(turn % 90)
    half, reach = partner.side_mm(s) / 2, die.side_mm(s) / 2
    away = half + reach * (np.cos(own) + np.sin(own)) + 0.05 if turn else half + reach + 0.05
    along = float(rng.normal(0, 0.22) * s)
    a = np.radians(face)
    x = partner.x_mm + away * np.cos(a) - along * np.sin(a)
    y = partner.y_mm + away * np.sin(a) + along * np.cos(a)
    return replace(die, x_mm=float(x), y_mm=float(y), angle_deg=float(face + turn), lean_deg=0.0)


def _fits(die: TracedDie, others: list[TracedDie], partner: TracedDie | None, s: float, half: np.ndarray,
          taken: list[tuple[float, float, float]]) -> bool:  # fmt: skip
    if abs(die.x_mm) > half[0] + s * 0.22 or abs(die.y_mm) > half[1] + s * 0.22:
        return False
    if any(np.hypot(die.x_mm - x, die.y_mm - y) < r + s * 0.75 for x, y, r in taken):
        return False
    return all(d is partner or np.hypot(die.x_mm - d.x_mm, die.y_mm - d.y_mm) > s * 1.43 for d in others)


def beside(look: TracedLook, rng: np.random.Generator, tiles: Sequence[DrawnTile], count: int, *,
           dice: Sequence[TracedDie] = ()) -> tuple[DrawnDisk, ...]:  # fmt: skip
    """Return `count` disks beside the tiles and dice, or fewer where there is no room."""
    r = look.disks.size_mm / 2
    half = np.array(look.tray_mm) / 2 - r - 1
    far = float(np.hypot(*look.tiles.shape.size_mm)) / 2 - 3
    taken = [*_corners_taken(look), *((t.x_mm, t.y_mm, far) for t in tiles)]
    taken += [(d.x_mm, d.y_mm, 0.75 * d.side_mm(look.dice.size_mm)) for d in dice]
    out: list[DrawnDisk] = []
    for x, y in rng.uniform(-1, 1, (count * 30, 2)) * half:
        if len(out) == count:
            break
        if any(np.hypot(x - a, y - b) < q + r for a, b, q in taken):
            continue
        queue = bool(rng.random() < 0.5)
        value = random_value(queue, rng)
        turn = float(rng.normal(0, 25)) if rng.random() < 0.5 else float(rng.uniform(0, 360))
        out.append(DrawnDisk(float(x), float(y), turn, "queue" if queue else "prediction", value))
        taken.append((float(x), float(y), r + float(rng.choice([0.2, 3.0]))))
    return tuple(out)


def _dotted(disks: Sequence[DrawnDisk], rng: np.random.Generator) -> tuple[DrawnDisk, ...]:
    """Return the disks with dots instead of digits: these are what passes for dice."""
    return tuple(replace(disk, kind="prediction", value=random_value(False, rng)) for disk in disks)


def _dice_on_markers(look: TracedLook, rng: np.random.Generator) -> tuple[TracedDie, ...]:
    """Return dice that came to rest on one or two markers, or partly on them; none where there are no markers."""
    return tuple(
        replace(_thrown_one(np.zeros(2), list(look.dice.bodies), rng), x_mm=x, y_mm=y, lean_deg=0.0)
        for x, y in _on_markers(look, rng, look.dice.size_mm * 0.75)
    )


def _disks_on_markers(look: TracedLook, rng: np.random.Generator) -> tuple[DrawnDisk, ...]:
    """Return disks that were laid on one or two markers, or partly on them; none where there are no markers."""
    return tuple(
        DrawnDisk(x, y, float(rng.uniform(0, 360)), "queue", int(rng.integers(1, 5)))
        for x, y in _on_markers(look, rng, look.disks.size_mm / 2 + 1)
    )


def _on_markers(look: TracedLook, rng: np.random.Generator, reach_mm: float) -> list[tuple[float, float]]:
    """Return one or two places on different markers. reach_mm: how far a piece reaches that must stay on the felt."""
    corners, half = _corners_taken(look), np.array(look.tray_mm) / 2 - reach_mm
    chosen = rng.permutation(len(corners))[: int(rng.integers(1, 3))]
    places = [np.clip(np.array(corners[k][:2]) + rng.uniform(-13, 13, 2), -half, half) for k in chosen]
    return [(float(x), float(y)) for x, y in places]


def _hand(look: TracedLook, rng: np.random.Generator) -> Hand:
    x, y = rng.uniform(-0.4, 0.4, 2) * look.tray_mm
    inward = np.degrees(np.arctan2(-y, -x)) + rng.normal(0, 45)
    return Hand(float(x), float(y), float(inward), int(rng.integers(2**31)))


def few_tiles(look: TracedLook, rng: np.random.Generator) -> tuple[DrawnTile, ...]:
    """Return two rows of three tiles, as they lie beside disks."""
    cells = [[(str(c), str(rng.integers(10))) for _ in range(3)] for c in list(look.tiles.inks)[:2]]
    return _laid([list(row) for row in cells], "A", look, rng)[0]
