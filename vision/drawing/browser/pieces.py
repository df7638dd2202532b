"""The faces of tiles and dice in SVG, in millimetres from their middle, y running down."""

from __future__ import annotations

from collections.abc import Sequence

from vision.drawing.browser.chance import BrowserLook
from vision.drawing.look import DieLook, TileLook, ink_and_body
from vision.drawing.scene import DrawnDie, DrawnDisk, DrawnTile
from vision.drawing.tiles import tile_outline

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""Where the pips of each face lie; written anew, as for the traced ones: a second opinion shares no slip."""
DOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, 0), (1, 0)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
}
"""Where the dots of a prediction disk lie."""
DOT, DOT_AWAY = 0.17, 0.4
"""Radius of a dot, and how far it is from the middle along each side, over the disk's radius."""


def rgb(bgr: Sequence[float]) -> str:
    """Return a colour as CSS writes it."""
    b, g, r = (round(min(255.0, max(0.0, v))) for v in bgr)
    return f"rgb({r},{g},{b})"


def tile_shape(tile: TileLook) -> str:
    """Return the outline of a tile as the `d` of a path."""
    return "M" + "L".join(f"{x:.2f} {-y:.2f}" for x, y in tile_outline(tile)) + "Z"


def die_outline(die: DieLook) -> str:
    """Return the outline of a die as the `d` of a path."""
    a, r = die.size_mm / 2, die.round * die.size_mm
    arc, s = f"a{r:.2f} {r:.2f} 0 0 1 ", 2 * (a - r)
    return (
        f"M{-a + r:.2f} {-a:.2f}h{s:.2f}{arc}{r:.2f} {r:.2f}v{s:.2f}{arc}{-r:.2f} {r:.2f}"
        f"h{-s:.2f}{arc}{-r:.2f} {-r:.2f}v{-s:.2f}{arc}{r:.2f} {-r:.2f}z"
    )


def _edge(shape: str, look: BrowserLook) -> str:
    """Return a light and a dark line within an outline: the edge towards the lamp, and the one away from it."""
    x, y = (0.25 * v for v in look.lit)
    return (
        f'<path d="{shape}" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width=".5" '
        f'transform="translate({x:.2f} {y:.2f}) scale(.96)"/><path d="{shape}" fill="none" stroke="#000" '
        f'stroke-opacity=".25" stroke-width=".6" transform="translate({-x:.2f} {-y:.2f}) scale(.975)"/>'
    )


def tile_face(tile: DrawnTile, look: BrowserLook, body_bgr: Sequence[float]) -> str:
    """Return a tile's face, or its back."""
    shape = tile_shape(look.look.tile)
    parts = [f'<path d="{shape}" fill="{rgb(body_bgr)}"/>']
    if look.wood:
        parts.append(f'<path d="{shape}" fill="url(#wood)"/>')
    parts.append(_edge(shape, look))
    if tile.face_up:
        ink, _ = ink_and_body(look.look.tile, look.look.palette[tile.colour])
        x, y = look.look.tile.digit_shift_mm
        bar = ' text-decoration="underline"' if look.look.tile.underline and tile.symbol in "69" else ""
        parts.append(
            f'<text x="{x:.2f}" y="{-y:.2f}" font-size="{look.letter * look.look.tile.size_mm[1]:.2f}" '
            f'text-anchor="middle" dominant-baseline="central" fill="{rgb(ink)}"{bar}>{tile.symbol}</text>'
        )
    return "".join(parts)


def disk_face(disk: DrawnDisk, look: BrowserLook) -> str:
    """Return the top of a disk with its dots or its number."""
    r, ink = look.look.disk_mm / 2, rgb(look.look.disk_ink)
    x, y = (0.25 * v for v in look.lit)
    parts = [
        f'<circle r="{r:.2f}" fill="{rgb(look.look.disk_bgr)}"/>',
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{0.95 * r:.2f}" fill="none" stroke="#fff" stroke-opacity=".3" '
        'stroke-width=".5"/>',
    ]
    if disk.kind == "queue":
        parts.append(
            f'<text font-size="{look.look.disk_digit * 2 * r:.2f}" text-anchor="middle" dominant-baseline="central" '
            f'fill="{ink}">{disk.value}</text>'
        )
    else:
        parts += [f'<circle cx="{DOT_AWAY * r * a:.2f}" cy="{DOT_AWAY * r * b:.2f}" r="{DOT * r:.2f}" fill="{ink}"/>'
                  for a, b in DOTS[disk.value]]  # fmt: skip
    return "".join(parts)


def die_face(die: DrawnDie, look: BrowserLook) -> str:
    """Return the top of a die with its pips."""
    shape, side = die_outline(look.look.die), look.look.die.size_mm
    bgr = look.look.palette[die.colour]
    radius, away = look.look.die.pip
    pip = (28, 25, 25) if sum(bgr) > 480 else (240, 245, 245)
    pips = (
        f'<circle cx="{x * away * side:.2f}" cy="{y * away * side:.2f}" r="{radius * side:.2f}" fill="{rgb(pip)}"/>'
        for x, y in PIPS[die.value]
    )
    return f'<path d="{shape}" fill="{rgb(bgr)}"/>{_edge(shape, look)}{"".join(pips)}'
