"""Tiles that lie on other tiles: somebody dropped one there, and what is below is guessed at best.

Three signs, as nothing else shows all of them: tiles lie flat, so two that overlap lie on each other; one that overlaps
a little and is far out of its row does, too; and where the finder hardly sees a tile, between those of the board, its
symbol is seen plainly. So it is where a tile on felt of its own colour is hardly seen, on a board with gaps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.board.arrange import Arrangement
from vision.board.spots import Spots
from vision.crops.symbols import Look, Symbols
from vision.finding.scene import Scene
from vision.geometry import SQUARE, Bools, Floats, nearest, overlap
from vision.ground.papers import on_papers, papers_on
from vision.infer import DOWN
from vision.tray.places import on_felt
from vision.tray.rectify import Image, Tray

ON_ANOTHER = 0.15
"""Of two tiles that share more than this of their area one lies on the other, and hides of it, or of a third, what it
shows. On 564 traced boards none share more than 0.073, by what the finder errs; drawn ones are laid so that some share
0.1, and with 0.1 instead 3 in 100 more of those would be asked about."""
A_LITTLE, OUT_OF_ROW = 0.05, 0.145
"""... and of two that share more than the first the one that lies further out of its row than the second, over its own
size, does: on 692 usual boards, drawn and traced, none does both, on 200 of sets drawn by hand, laid untidily, one."""
NEIGHBOURS, LEAST = 4, 3
"""So many tiles of a row, the nearest, say where another one is due; at least so many must."""
BETWEEN = (0.28, 0.85)
"""A find whose middle lies so far from that of the nearest tile of the board, over a tile's width, is none of the board
and lies on it: nearer it is that tile once more, further the edge of the outermost tiles is taken for one."""
PERHAPS, NOT_BLANK = 0.5, 0.3
"""At a hasty look it may be a tile if its symbol is likelier than the first, its `p_unreadable` below the second. Of
1,838 finds on 810 traced boards 144 are; those 57 that show a symbol plainly have 0.96 and more, 0.07 and less."""
PLAINLY, READABLE = 0.995, 0.03
"""It is a tile if its symbol is likelier than the first, its `p_unreadable` below the second. On 1,700 usual boards,
drawn and traced, no part of a digit was likelier than 0.987; of 19 tiles that lay across others on 70 boards, and that
the finder hardly saw, 16 were. What shows no symbol there looks face down."""
HARDLY = 0.08
"""What lies further from the tiles, on a board with gaps, is looked at if it is found at least this well: some ten
finds a tray, on 219 trays. The only tile among these showed its symbol plainly, no felt did (0.968 at most)."""


def on_another(quads: Floats, off: Callable[[int], float] = lambda _: 0.0) -> Bools:
    """Return (n,) tiles that lie on another, or under one.

    quads: (n, 4, 2) outlines. off: how far a tile lies out of its row, over its size; asked only of those that overlap.
    """
    out = np.zeros(len(quads), dtype=bool)
    away = np.linalg.norm(quads.mean(axis=1)[:, None] - quads.mean(axis=1), axis=2)
    near = np.triu(away < np.ptp(quads, axis=1).max(axis=1), 1)
    for i, j in np.argwhere(near).tolist():
        share = overlap(quads[i], quads[j])
        if share > ON_ANOTHER or (share > A_LITTLE and max(off(i), off(j)) > OUT_OF_ROW):
            out[[i, j]] = True
    return out


def out_of_row(tiles: Spots, places: Arrangement, k: int) -> float:
    """Return how far tile k lies from where its neighbours in the row have it, over its width and height.

    0 for a tile without a place, or with too few neighbours, or none in another column.
    """
    here = places.index == k
    if not here.any():
        return 0.0
    column = int(places.column[here][0])
    others = np.flatnonzero((places.row == places.row[here]) & ~here)
    others = others[np.argsort(np.abs(places.column[others] - column), kind="stable")][:NEIGHBOURS]
    if len(others) < LEAST:
        return 0.0
    x = places.column[others].astype(np.float64)
    points, spread = tiles.centre_mm[places.index[others]], float(((x - x.mean()) ** 2).sum())
    if spread == 0.0:
        return 0.0
    step = (x - x.mean()) @ points / spread
    away = tiles.centre_mm[k] - points.mean(axis=0) - step * (column - x.mean())
    along = step / np.linalg.norm(step)
    parts = np.array([away @ along, away @ (-along[1], along[0])])
    return float(np.linalg.norm(parts / tiles.size_mm[k]))


def hardly_found(
    picture_bgr: Image,
    tray: Tray,
    scene: Scene,
    tiles_mm: Floats,
    look: Look,
    *,
    hasty: Look | None = None,
    gaps: bool = False,
) -> list[Floats]:
    """Return the outlines (4, 2) of tiles that lie across those of a board, (n, 4, 2), all on the tray.

    The finder hardly sees them, as it has learnt that tiles lie side by side, or takes them for something else; the net
    that reads tiles knows better. look: of the nets that come with the package, which know digits only: of 200 trays of
    sets that were taught six had parts of digits that the taught ones were sure of. hasty: a quicker one, asked first.
    gaps: a board with gaps, of which nobody misses a tile: those that lie beside the others, too.
    """
    if len(tiles_mm) == 0:
        return []
    as_tiles = _as_tiles(scene, tray, tiles_mm, gaps=gaps)
    if hasty is not None and len(as_tiles):
        as_tiles = as_tiles[_showing(hasty(picture_bgr, tray.to_px(as_tiles)), PERHAPS, NOT_BLANK)]
    if len(as_tiles) == 0:
        return []
    return list(as_tiles[_showing(look(picture_bgr, tray.to_px(as_tiles)), PLAINLY, READABLE)])


def shows_symbols(picture_bgr: Image, quads_px: Floats, look: Look) -> bool:
    """Return whether any of some finds (n, 4, 2), bare felt by its colour, plainly shows a symbol: fibres show none."""
    return len(quads_px) > 0 and bool(_showing(look(picture_bgr, quads_px), PLAINLY, READABLE).any())


def _as_tiles(scene: Scene, tray: Tray, tiles_mm: Floats, *, gaps: bool) -> Floats:
    """Return (k, 4, 2) finds that may be tiles across those of a board, as large as these; gaps: or beside them."""
    seen = np.concatenate([scene.quads_mm, scene.faint_mm])
    sides = np.stack([tiles_mm[:, 1] - tiles_mm[:, 0], tiles_mm[:, 3] - tiles_mm[:, 0]], axis=1)
    wide, high = np.median(np.linalg.norm(sides, axis=2), axis=0)
    middle = seen.mean(axis=1)
    away = nearest(middle, tiles_mm.mean(axis=1)) / wide
    may_be = (away > BETWEEN[0]) & (away < BETWEEN[1])
    if gaps:
        there = on_felt(middle, tray, inset_mm=wide / 4) & ~on_papers(middle, papers_on(tray))
        may_be |= there & (_scores_of(scene) >= HARDLY) & (away >= BETWEEN[1])
    return _of_size(seen[may_be], wide, high)


def _scores_of(scene: Scene) -> Floats:
    """Return how well each of `quads_mm`, and then of `faint_mm`, of a scene was found."""
    faint = scene.found.faint
    return np.concatenate([scene.found.score, np.zeros(0) if faint is None else faint.score])


def _showing(shown: Symbols, least: float, unreadable: float) -> Bools:
    """Return (n,) which show a symbol that is likelier than `least`, with less `p_unreadable` than that."""
    likely = np.exp(shown.log_probs).max(axis=1) > least
    return np.asarray(likely & (shown.log_probs.argmax(axis=1) != DOWN) & (np.asarray(shown.p_unreadable) < unreadable))


def _of_size(quads: Floats, wide: float, high: float) -> Floats:
    """Return quadrilaterals (n, 4, 2), TL TR BR BL, as rectangles of one size around the same middles."""
    right = quads[:, 1] - quads[:, 0]
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    down = np.stack([-right[:, 1], right[:, 0]], axis=1)
    signs = SQUARE / 2
    box = signs[:, :1, None] * right * wide + signs[:, 1:, None] * down * high
    return np.asarray(quads.mean(axis=1, keepdims=True) + box.transpose(1, 0, 2))
