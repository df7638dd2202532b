"""Boards on which somebody dropped tiles: crops of tiles with what is around them, and whether they lie on others."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.board.on_others import cut
from vision.drawing import Drawn, DrawnTile, Look, TrayScene, draw
from vision.training.fonts import Face
from vision.training.samples import jittered
from vision.training.scenes import random_scene
from vision.training.trays import any_glyphs, any_look

BARE = 4
"""On one board in so many nothing lies on others."""
LOOSE = 8
"""One in so many is no board: tiles lie about at any turn."""
MOST, APART = 8, 2.2
"""Tiles that lie on others, on one board; how far from each other, over a tile's height."""
FAR, NEAR, OFTEN_NEAR = 0.6, 0.25, 0.35
"""How far the middle of an upper tile is from that of the lower one, over its size; how far in so many cases."""
TURNS = (12.0, 12.0, 4.0)
"""Degrees by which an upper tile is turned from the lower one, by normal chance: one of these."""
LEAST_OFF, LEAST_TURN = 0.09, 6.0
"""Nearer than the first and turned by less than the second it hides the lower one, and nobody sees that."""
OWN_COLOUR, FACE_UP, WILD = 0.7, 0.92, 0.05
"""Share of the upper tiles that have the lower one's colour; that lie face up; of these that are wild."""
UNDER = 0.35
"""A tile of which an upper one hides more than this is shown too: the finder may have found it and not the other."""
BETWEEN = (0.1, 0.6)
"""The finder may take the two for one that lies so far from the upper to the lower one."""


def draw_stacked(faces: list[Face], rng: np.random.Generator, k: int) -> tuple[Drawn, list[int]]:
    """Return the k-th tray with tiles on others, in one of the fonts, and which tiles these lie on, in their order.

    The upper tiles are the last ones of the truth's.
    """
    look, size_wh_px = any_look(any_glyphs(faces, rng), rng)
    scene = random_scene(look, rng, kind="loose" if k % LOOSE == 0 else "layout")
    scene, under = replace(scene, hand=None, disks=()), list[int]()
    if k % BARE != BARE - 1:
        scene, under = with_upper(scene, look, rng)
    return draw(scene, look, size_wh_px=size_wh_px, rng=rng), under


def with_upper(scene: TrayScene, look: Look, rng: np.random.Generator) -> tuple[TrayScene, list[int]]:
    """Return the scene with up to MOST tiles more, and on which of its tiles these lie, each far from the others."""
    upper: list[DrawnTile] = []
    under: list[int] = []
    apart = APART * look.tile.size_mm[1]
    for k in rng.permutation(len(scene.tiles)).tolist():
        below = scene.tiles[k]
        if len(upper) == MOST:
            break
        if any(np.hypot(u.x_mm - below.x_mm, u.y_mm - below.y_mm) < apart for u in upper):
            continue
        laid = _on(below, scene, look, rng)
        if laid is not None:
            upper.append(laid)
            under.append(k)
    return replace(scene, tiles=(*scene.tiles, *upper)), under


def _on(below: DrawnTile, scene: TrayScene, look: Look, rng: np.random.Generator) -> DrawnTile | None:
    """Return a tile that lies on another, or None if nobody could see that it does."""
    off = rng.uniform(-1, 1, 2) * (NEAR if rng.random() < OFTEN_NEAR else FAR)
    turn = float(rng.normal(0, rng.choice(TURNS)))
    if np.hypot(*off) < LEAST_OFF and abs(turn) < LEAST_TURN:
        return None
    a, (x, y) = np.radians(below.angle_deg), off * look.tile.size_mm
    other = scene.tiles[int(rng.integers(len(scene.tiles)))]
    return replace(
        below,
        x_mm=float(below.x_mm + np.cos(a) * x - np.sin(a) * y),
        y_mm=float(below.y_mm + np.sin(a) * x + np.cos(a) * y),
        angle_deg=below.angle_deg + turn,
        symbol="#" if rng.random() < WILD else str(rng.integers(10)),
        colour=below.colour if rng.random() < OWN_COLOUR else other.colour,
        face_up=bool(rng.random() < FACE_UP),
        z_mm=look.tile.thickness_mm,
    )


def crops_of_stacks(drawn: Drawn, under: list[int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return crops (n, 56, 48, 3) of the tiles of such a tray and (n,) uint8 whether they lie on others.

    Three of each upper tile, one of each other; none of tiles that are hidden a little.
    """
    quads = [np.array(t["quad"]) for t in drawn.truth["tiles"]]
    lower, upper = quads[: len(quads) - len(under)], quads[len(quads) - len(under) :]
    found: list[np.ndarray] = []
    stacked: list[bool] = []
    for k, quad in enumerate(lower):
        hidden = max((_shared(quad, other) for other in upper), default=0.0)
        if hidden == 0 or (hidden > UNDER and k in under):
            found.append(quad)
            stacked.append(hidden > 0)
    for quad, k in zip(upper, under, strict=True):
        share = rng.uniform(*BETWEEN)
        found += [quad, quad, (1 - share) * quad + share * lower[k]]
        stacked += [True] * 3
    seen = np.array([jittered(quad, rng) for quad in found], np.float32).reshape(-1, 4, 2)
    return cut(drawn.picture_bgr, seen), np.array(stacked, np.uint8)


def _shared(quad: np.ndarray, other: np.ndarray) -> float:
    """Return how much of a quad another covers, over its area."""
    own = quad.astype(np.float32)
    return float(cv2.intersectConvexConvex(own, other.astype(np.float32))[0]) / cv2.contourArea(own)
