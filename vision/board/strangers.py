"""What lies among the tiles of an array with gaps and is none of this set: a coin with a number, say.

The net reads a clear digit whatever carries it. Where tiles are laid one by one nobody misses a symbol that is not
there, and nobody sees that there is one too many.
"""

from __future__ import annotations

import numpy as np

from vision.board.arrange import Arrangement
from vision.board.certainty import by_piece
from vision.colour.paint import Paint, lab_of
from vision.geometry import Bools, Floats

WELL_FOUND = 0.8
"""What is found as well as this looks like a tile, whatever its colour."""
UNLIKE_ITS_ROW, UNLIKE_ANY = 24.0, 18.0
"""By so much the body of a stranger differs from those of all others of its row, and of the array (CIE units). Of 657
drawn and traced arrays that are read at once none holds a tile that differs so much and is found less well than
WELL_FOUND; of 6 coins with a number beside a block all do."""


def strangers(paint: Paint, score: Floats, places: Arrangement) -> Bools:
    """Return (n,) which tiles are hardly found and unlike all others by their bodies.

    score: (n,) how well each is found. Of a tile that is alone in its row nothing is said: each row has a colour.
    """
    row = by_piece(places.row, places, len(score), otherwise=-1)
    body = lab_of(paint.body)
    away = np.linalg.norm(body[:, None] - body[None], axis=2)
    np.fill_diagonal(away, np.inf)
    mates = (row[:, None] == row[None]) & (row >= 0)[:, None]
    from_row = np.where(mates, away, np.inf).min(axis=1, initial=np.inf)
    unlike = (from_row > UNLIKE_ITS_ROW) & np.isfinite(from_row) & (away.min(axis=1, initial=np.inf) > UNLIKE_ANY)
    return np.asarray(unlike & (score < WELL_FOUND))
