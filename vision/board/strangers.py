"""What lies among the tiles of a board and is none of this set: a coin with a number, or another game's tile.

The net reads a clear digit whatever carries it. Where tiles are laid one by one nobody misses a symbol that is not
there, and nobody sees that there is one too many; on a full board the rule of the set leaves one symbol for its place,
whatever it shows.
"""

from __future__ import annotations

import numpy as np

from vision.board.arrange import Arrangement
from vision.board.certainty import by_piece
from vision.board.spots import Spots
from vision.colour.paint import Paint, lab_of
from vision.colour.sheen import beyond
from vision.geometry import Bools, Floats, Ints, across_and_down
from vision.infer import DOWN, WILD
from vision.tray.felt_sides import colours_at
from vision.tray.rectify import Image

WELL_FOUND = 0.8
"""What is found as well as this, and has corners, looks like a tile, whatever its colour."""
CORNERS, MOST_CORNERS = across_and_down(np.array([0.1, 0.9, 0.9, 0.1]), np.array([0.1, 0.1, 0.9, 0.9])), 3
"""Where a tile's corners are, however round, and how many of these a coin lacks."""
UNLIKE_ITS_ROW, UNLIKE_ANY = 24.0, 18.0
"""By so much the body of a stranger differs from those of all others of its row, and of the array (CIE units). Of 657
drawn and traced arrays that are read at once none holds a tile that differs so much and is found less well than
WELL_FOUND; of 6 coins with a number beside a block all do."""
PAINTED_ALIKE = 12.0
"""... unless it differs by less than this, in body and ink, from one of its row but for a lamp that either mirrors, and
has corners. Of 534 marched boards (320 of Draw Bridge) seven were asked about for such tiles, which differ by 0 to 10.9
(13.9 in the ink of another lamp's light); of 91 coins with a number painted beside tiles as many pass as without."""

OTHER_BODY, OTHER_INK, MATES = 12.0, 18.0, 2
"""What is of another set differs by so much in body from all other tiles, and in ink from all open ones of its row (CIE
units), if there are so many. Of 420 full boards, drawn and traced, that are read at once none holds such a tile; of 58
coins, letters and tiles of other games in a tile's place, that were read, 34 do."""


def strangers(picture_bgr: Image, paint: Paint, tiles: Spots, places: Arrangement, down: Bools) -> Bools:
    """Return (n,) which tiles are unlike all others by their bodies, and hardly found or without corners.

    down: (n,) which look face down: backs have a colour of their own. Of a tile without others in its row that show a
    side as it does nothing is said: each row has a colour.
    """
    score = tiles.score
    body, others = lab_of(paint.body), _others(len(score))
    mates = others & _of_one_row(by_piece(places.row, places, len(score), otherwise=-1))
    mates &= down[:, None] | ~down[None]
    from_row, from_any = (_nearest(body, which) for which in (mates, others))
    unlike = (from_row > UNLIKE_ITS_ROW) & np.isfinite(from_row) & (from_any > UNLIKE_ANY)
    out = np.zeros(len(score), dtype=bool)
    for k in np.flatnonzero(unlike).tolist():
        fellows = _but_for_a_lamp(paint, k, mates[k]) if not down[k] else np.zeros((0, 3))
        hardly = score[k] < WELL_FOUND and not len(fellows)
        out[k] = hardly or _round(picture_bgr, tiles.quads_px[k], paint.body[k], fellows)
    return out


def _but_for_a_lamp(paint: Paint, k: int, mates: Bools) -> Floats:
    """Return (m, 3) the bodies of tile k, and of those mates (a mask) that it is like but for a lamp; none if of none.

    Whichever of two mirrors it, by body and ink: a coin is no tile that mirrors none beside tiles that do.
    """
    both, own = (np.stack([p.body, p.ink], axis=1) for p in (paint.only(mates), paint.only(np.array([k]))))
    alike = np.minimum(beyond(own, both)[0], beyond(both, own)[:, 0]) < PAINTED_ALIKE
    return np.asarray(np.concatenate([both[alike, 0], own[:, 0]])) if alike.any() else np.zeros((0, 3))


def _round(picture_bgr: Image, quad_px: Floats, body_bgr: Floats, paints_bgr: Floats) -> bool:
    """Return whether most corners of a quadrilateral (4, 2) have another colour than its body (3,).

    paints_bgr: (m, 3) which it may have, and some of the corners more of a lamp than others.
    """
    corners = colours_at(picture_bgr, CORNERS @ quad_px)
    away = np.linalg.norm(lab_of(corners) - lab_of(body_bgr), axis=1)
    if len(paints_bgr):
        away = np.minimum(away, beyond(corners[:, None], paints_bgr[:, None]).min(axis=1))
    return bool((away > OTHER_BODY).sum() >= MOST_CORNERS)


def of_another_set(paint: Paint, down: Bools, rows: Ints | None) -> Bools:
    """Return (n,) which open tiles have neither the body of any other nor the ink of those of their row.

    down: (n,) which look face down; rows: (n,) the row of each, -1 for none; None where colours are mixed, and all
    tiles are its mates. Nothing is said of a tile with fewer than MATES; nor where there are gaps, as tiles of short
    rows lie in light of their own.
    """
    others = _others(len(down))
    mates = others & ~down[None]
    if rows is not None:
        mates &= _of_one_row(rows)
    body, ink = (_nearest(lab_of(seen), which) for seen, which in ((paint.body, others), (paint.ink, mates)))
    out = ~down & (mates.sum(axis=1) >= MATES) & (body > OTHER_BODY) & (ink > OTHER_INK)
    for k in np.flatnonzero(out).tolist():
        out[k] = not len(_but_for_a_lamp(paint, k, mates[k]))
    return np.asarray(out)


def wild_of_no_row(paint: Paint, looks: Ints, rows: Ints) -> Bools:
    """Return (n,) which wild tiles have neither the body nor the ink of their row's numbers: printed backs, perhaps.

    RULES 1: the wild tiles are one a colour. looks: (n,) index into SYMBOLS; rows: (n,) the row of each, -1 for none.
    """
    wild, number = looks == WILD, (looks != WILD) & (looks != DOWN)
    if not wild.any():
        return np.zeros(len(looks), dtype=bool)
    mates = _of_one_row(rows) & number[None]
    body, ink = (_nearest(lab_of(seen), mates) for seen in (paint.body, paint.ink))
    return np.asarray(wild & (mates.sum(axis=1) >= MATES) & (body > OTHER_BODY) & (ink > OTHER_INK))


def _others(n: int) -> Bools:
    """Return (n, n) which are another than each."""
    return ~np.eye(n, dtype=bool)


def _of_one_row(rows: Ints) -> Bools:
    """Return (n, n) which lie in the row of each. rows: (n,), -1 for none."""
    return np.asarray((rows[:, None] == rows[None]) & (rows >= 0)[:, None])


def _nearest(lab: Floats, which: Bools) -> Floats:
    """Return (n,) the CIE distance of each colour (n, 3) to the nearest of those a mask (n, n) has for it."""
    away = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    return np.asarray(np.where(which, away, np.inf).min(axis=1, initial=np.inf))
