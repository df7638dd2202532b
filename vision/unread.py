"""Where something lies, or may, that was not read: what a `count` is about, shown to people."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.board.spots import NO_GAP_SCORE
from vision.board.tiles import Board
from vision.finding.pieces import Pieces
from vision.finding.scene import EMPTY_SCORE, Scene
from vision.geometry import Bools, Floats, nearest, quad, widths
from vision.ground.felt import BARE
from vision.ground.gleams import without_gleams
from vision.ground.hairs import without_hairs
from vision.ground.leftover import OF_TILES, ON_TILES, left_over
from vision.ground.papers import papers_on
from vision.ground.weave import rougher_than_felt
from vision.layout import LAYOUTS, Expectation
from vision.reading import Point
from vision.tray.rectify import Image, Tray

DISGUISED_SCORE = 0.35
"""What has the felt's colour and looks at least this much like a piece is asked about if its surface is not felt's."""
ROUGHER = 0.55
"""So much rougher than the felt around it is a tile of the felt's colour on which a coin lies, or something is printed
that the net cannot read: eight of ten have 0.57 and more, as natural logarithms. Of the finds of felt on 764 boards
with gaps, drawn and traced, two have, on one board, in a crumb. So much smoother is a disk, or a coin that passes for
one (three of four)."""
BESIDE = 0.45
"""A find whose middle is further than this from that of any tile of the board, over a tile's width, is none of them."""

Outline = tuple[Point, ...]
Outlines = tuple[Outline, ...]
"""Of pieces in the picture, as a reading has them."""


def places_of(outlines_mm: list[Floats], tray: Tray) -> Outlines:
    """Return outlines (4, 2) on the tray as outlines in the picture, each place once."""
    return each_once([quad(tray.to_px(outline)) for outline in outlines_mm])


def each_once(outlines: Iterable[tuple[Point, ...]]) -> Outlines:
    """Return outlines in the picture without those whose middle lies within one that comes before.

    The same thing is seen by the finder and by the felt, and by whoever looks for tiles and whoever looks for disks.
    """
    kept: list[tuple[Point, ...]] = []
    for outline in outlines:
        x, y = np.mean(outline, axis=0)
        if not any(cv2.pointPolygonTest(np.array(k, np.float32), (float(x), float(y)), False) >= 0 for k in kept):
            kept.append(outline)
    return tuple(kept)


def beside_tiles(picture_bgr: Image, scene: Scene, board: Board, tray: Tray, tiles_mm: Floats) -> list[Floats]:
    """Return the outlines (4, 2) of what lies on the felt and is none of the tiles (n, 4, 2) of a board."""
    left = scene.unexplained(tiles_mm) + _more(scene, tray, tiles_mm, full=LAYOUTS[board.layout].full)
    if len(tiles_mm):
        seen, side = np.concatenate([tiles_mm, scene.quads_mm]), float(widths(tiles_mm).mean())
        left = without_gleams(left, picture_bgr, tray, pieces_mm=seen, side_mm=side)
        left = without_hairs(left, picture_bgr, tray, scene.ground.strange, pieces_mm=seen, side_mm=side)
    if board.layout is Expectation.DRAWBRIDGE:
        # What looks like felt is felt, as between tiles; whether it reads as one nonetheless is looked at elsewhere.
        there = (scene.covered >= BARE) | (scene.found.score >= NO_GAP_SCORE)
        left += list(scene.quads_mm[_others(scene.found) & there])
    return left


def disguised(picture_bgr: Image, scene: Scene, tray: Tray, tiles_mm: Floats) -> list[Floats]:
    """Return the outlines (4, 2) of finds that pass for felt by their colour, but not by their surface.

    tiles_mm: (n, 4, 2) those of a board with gaps, of which nobody misses a tile on which a coin lies, or one of
    another game.
    """
    if len(tiles_mm) == 0:
        return []
    away = nearest(scene.quads_mm.mean(axis=1), tiles_mm.mean(axis=1)) / float(widths(tiles_mm).mean())
    perhaps = (scene.covered < BARE) & (scene.found.score >= DISGUISED_SCORE) & (away > BESIDE)
    outlines, found = scene.quads_mm[perhaps], scene.found.only(perhaps)
    rougher = rougher_than_felt(picture_bgr, tray, scene.ground, outlines, pieces_mm=scene.quads_mm)
    return list(outlines[(found.are("tile") & (rougher > ROUGHER)) | (found.are("disk") & (rougher < -ROUGHER))])


def not_of_board(board: Board, tray: Tray, tiles_mm: Floats) -> list[Floats]:
    """Return the outlines (4, 2) of what was found and is no tile of a board, and of its places without a tile."""
    extra = list(tray.to_mm(board.extra_px))
    if not board.holes or len(tiles_mm) == 0:
        return extra
    shape = np.median(tiles_mm - tiles_mm.mean(axis=1, keepdims=True), axis=0)
    return extra + [shape + (x, y) for _, _, x, y in board.holes]


def _more(scene: Scene, tray: Tray, tiles_mm: Floats, *, full: bool) -> list[Floats]:
    """Return where something is left beside the tiles (n, 4, 2) of a board: a tile half under another, say.

    full: a board without gaps, of which nobody misses what lies elsewhere; but what sticks out between its tiles may
    be one more that lies on them.
    """
    if len(tiles_mm) == 0:
        return []
    wide = float(widths(tiles_mm).mean())
    least = ON_TILES if full else OF_TILES
    seen = np.concatenate([tiles_mm, scene.quads_mm[_others(scene.found)]]) if full else tiles_mm
    left = left_over(scene.ground.strange, seen, side_mm=wide, papers_mm=papers_on(tray), least=least)
    if not full:
        return left
    middle = tiles_mm.mean(axis=1)
    return [rest for rest in left if np.linalg.norm(middle - rest.mean(axis=0), axis=1).min() < wide]


def _others(found: Pieces) -> Bools:
    """Return (n,) which finds are anything but tiles: where places may be empty, they may be tiles mistaken."""
    return np.asarray(~found.are("tile") & (found.score >= EMPTY_SCORE))
