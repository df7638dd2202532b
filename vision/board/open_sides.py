"""Whether anything ends where a piece of the felt's own colour would: at the sides on which it has no neighbour.

Felt that other tiles frame looks like a back to the nets, as the frame is all they go by, and a hair or a crumb like a
digit. But where nothing lies beside it felt goes on as it is, and a tile has an edge there, a bevel, or a shadow.
"""

from __future__ import annotations

import numpy as np

from vision.finding.scene import EMPTY_SCORE, Scene
from vision.geometry import Bools, Floats, overlap, widths
from vision.ground.felt import BARE
from vision.ground.felt_light import LIFT
from vision.tray.rectify import Image, Tray, seen_at

ALONG = np.linspace(0.18, 0.82, 24)
"""Where a side is looked at, over its length: away from its corners."""
REACH, EDGE, STEP_MM = 0.3, 0.17, 0.4
"""So far to either side of it, over the tile's width, in such steps; up to the second an edge may lie, beyond is seen
how felt goes on."""
SAME, NEAR = 0.3, 1.9
"""What is nearer than the first from middle to middle, over the tile's width, is the tile itself; what is further away
than the second reaches none of its sides."""
STRAYS = 1e-3
"""What goes on strays by so much at least, as a natural logarithm of light."""
LIKE_THE_REST, CALM, FRAMED = 6.5, 0.25, 0.15
"""A side ends nothing that stands out by less than the first, over how much what goes on beyond it strays, and by less
than the second, as a natural logarithm; where but one side or two are open, by less than the third."""
LONE = 3
"""What has so many open sides lies by itself, or at the end of a row. Of 623 tiles that do, on 305 boards by two
programs, 75 of these bare felt by their colour, all that stand out by less than CALM do by 10 times; of 48 hairs and
crumbs there that pass for a piece by 0.35 and more 31 have nothing that ends."""
MOSTLY_FELT, HARDLY_FOUND = 0.35, 0.65
"""What of a hair, or of felt between tiles, is no felt, and how well it is found, at most. Better were all of 37 tiles
of the felt's colour but two of which nothing ends to be seen at the one side that is open; these are further from lit
felt (`vision.board.backs.a_little_unlike`), or no back to the nets either."""
PLAIN_SCORE = 0.5
"""What is found at least this well, and is more than felt by its colour, is a neighbour."""


def marks_on_felt(picture_bgr: Image, tray: Tray, scene: Scene) -> Bools:
    """Return (n,) which finds of a scene are hairs and crumbs on felt that goes on around them as it is."""
    score = scene.found.score
    may_be = (scene.covered < MOSTLY_FELT) & (score >= EMPTY_SCORE) & (score < HARDLY_FOUND)
    # Nobody asks about a disk of the felt's colour but for its surface.
    may_be &= ~scene.found.are("disk") | (scene.covered >= BARE)
    may_be[may_be] = nothing_ends(picture_bgr, tray, scene.quads_mm[may_be], scene)
    return np.asarray(may_be)


def nothing_ends(picture_bgr: Image, tray: Tray, quads_mm: Floats, scene: Scene) -> Bools:
    """Return (n,) in which places (n, 4, 2), by themselves on the felt, no piece ends."""
    count, most, sigmas = stand_out(picture_bgr, tray, quads_mm, _plain(scene))
    return np.asarray((count >= LONE) & (sigmas < LIKE_THE_REST) & (most < CALM))


def framed_alone(picture_bgr: Image, tray: Tray, quads_mm: Floats, scene: Scene) -> Bools:
    """Return (n,) in which places (n, 4, 2) between others nothing ends at the sides that are open, one at least."""
    count, most, sigmas = stand_out(picture_bgr, tray, quads_mm, _plain(scene))
    return np.asarray((count > 0) & (sigmas < LIKE_THE_REST) & (most < FRAMED))


def _plain(scene: Scene) -> Floats:
    """Return (m, 4, 2) what was plainly found."""
    return np.asarray(scene.quads_mm[(scene.found.score >= PLAIN_SCORE) & (scene.covered >= BARE)])


def stand_out(picture_bgr: Image, tray: Tray, quads_mm: Floats, others_mm: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (n,) how many sides of places (n, 4, 2) are open, and by how much the plainest of these stands out.

    As a natural logarithm of light, and over how much what goes on beyond strays; 0 where none is open. others_mm:
    (m, 4, 2) what else lies there: pieces.
    """
    seen = [_stands_out(picture_bgr, tray, quad, others_mm) for quad in quads_mm]
    count, most, sigmas = np.array(seen, dtype=np.float64).reshape(-1, 3).T
    return count, most, sigmas


def _stands_out(picture_bgr: Image, tray: Tray, quad_mm: Floats, others_mm: Floats) -> tuple[int, float, float]:
    middle, wide = quad_mm.mean(axis=0), float(widths(quad_mm[None])[0])
    away = np.linalg.norm(others_mm.mean(axis=1) - middle, axis=1)
    # It may be one of them itself.
    others_mm = others_mm[(away < NEAR * wide) & (away > SAME * wide)]
    found = []
    for side in np.stack([quad_mm, np.roll(quad_mm, -1, axis=0)], axis=1):
        inwards = middle - side.mean(axis=0)
        inwards *= REACH * wide / np.linalg.norm(inwards)
        ends = side[0] + (side[1] - side[0]) * ALONG[[0, -1], None]
        beyond = np.concatenate([ends, ends[::-1] - inwards])
        if all(overlap(beyond, other) == 0.0 for other in others_mm):
            found.append(_across(picture_bgr, tray, side, inwards))
    return len(found), max((most for most, _ in found), default=0.0), max((sd for _, sd in found), default=0.0)


def _across(picture_bgr: Image, tray: Tray, side_mm: Floats, inwards_mm: Floats) -> tuple[float, float]:
    """Return by how much light at a side (2, 2) strays from what goes on, and that over how much this strays.

    inwards_mm: (2,) from the side to where it is looked at, at most.
    """
    across = np.arange(-1.0, 1.0, STEP_MM / float(np.linalg.norm(inwards_mm)))
    at_mm = side_mm[0] + (side_mm[1] - side_mm[0]) * ALONG[None, :, None] + across[:, None, None] * inwards_mm
    light = np.median(np.log(seen_at(picture_bgr, tray, at_mm) + LIFT), axis=1)
    edge, straight = np.abs(across) < EDGE / REACH, np.stack([np.ones_like(across), across], axis=1)
    off = np.abs(light - straight @ np.linalg.lstsq(straight[~edge], light[~edge], rcond=None)[0])
    noise = np.sqrt((off[~edge] ** 2).mean(axis=0)) + STRAYS
    return float(off[edge].max()), float((off[edge].max(axis=0) / noise).max())
