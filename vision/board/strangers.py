"""What lies among the tiles of a board and is none of this set: a coin with a number, or another game's tile.

The net reads a clear digit whatever carries it. Where tiles are laid one by one nobody misses a symbol that is not
there, and nobody sees that there is one too many; on a full board the rule of the set leaves one symbol for its place,
whatever it shows.
"""

from __future__ import annotations

import numpy as np

from vision.board.arrange import Arrangement
from vision.board.certainty import by_piece
from vision.colour.paint import Paint, lab_of
from vision.geometry import Bools, Floats, Ints

WELL_FOUND = 0.8
"""What is found as well as this looks like a tile, whatever its colour."""
UNLIKE_ITS_ROW, UNLIKE_ANY = 24.0, 18.0
"""By so much the body of a stranger differs from those of all others of its row, and of the array (CIE units). Of 657
drawn and traced arrays that are read at once none holds a tile that differs so much and is found less well than
WELL_FOUND; of 6 coins with a number beside a block all do."""

OTHER_BODY, OTHER_INK, MATES = 12.0, 18.0, 2
"""What is of another set differs by so much in body from all other tiles, and in ink from all open ones of its row (CIE
units), if there are so many. Of 420 full boards, drawn and traced, that are read at once none holds such a tile; of 58
coins, letters and tiles of other games in a tile's place, that were read, 34 do."""


def strangers(paint: Paint, score: Floats, places: Arrangement) -> Bools:
    """Return (n,) which tiles are hardly found and unlike all others by their bodies.

    score: (n,) how well each is found. Of a tile that is alone in its row nothing is said: each row has a colour.
    """
    body, others = lab_of(paint.body), _others(len(score))
    mates = others & _of_one_row(by_piece(places.row, places, len(score), otherwise=-1))
    from_row, from_any = (_nearest(body, which) for which in (mates, others))
    unlike = (from_row > UNLIKE_ITS_ROW) & np.isfinite(from_row) & (from_any > UNLIKE_ANY)
    return np.asarray(unlike & (score < WELL_FOUND))


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
    return np.asarray(~down & (mates.sum(axis=1) >= MATES) & (body > OTHER_BODY) & (ink > OTHER_INK))


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
