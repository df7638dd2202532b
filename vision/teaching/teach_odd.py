"""Is a single tile of a lesson face down, hidden, or another than was said, though nothing was exchanged with it?

Measured on `vision.teaching.teach_sets` as they are, with one tile face down and with one number twice in a row (seeds
890000 to 890149; FIGURES.md has fresh ones).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Ints
from vision.reading import SYMBOLS
from vision.teaching.doubts import Doubt
from vision.teaching.english import one
from vision.teaching.teach_order import Floats32, Strip

DOWN = SYMBOLS.index("down")
SURELY = 0.97
"""So sure the shipped net must be of a back or of another number. Of 150 backs two were below (0.73 and 0.95); of
12,000 tiles that lay face up two were above, crops of a child's that were cut askew, in ordinary ink."""
ALONE = 0.99
"""The same of a back, where no other row shows its number."""
SEEN_DOWN = 0.25
"""Where others of its number look so much like a back, it is faint ink, or a sign of one's own, and no back. With 0.5
one of 20 sets that were taught before was refused: of its own sign for a three others looked so by 0.16 to 0.82."""
UNLIKE_BACK, UNLIKE = 0.5, 0.35
"""So little such a tile scores for its number by the other rows: backs 0.47 at most, other numbers 0.31."""
FAR, NEARER = 0.75, 0.6
"""So much more another number scores there; the second where the shipped net is sure of it, too. With them 138 of 150
numbers laid twice are found (of a child's 19 of 25), and of 450 right lessons one is refused, in ink hardly to be seen:
a child's odd digits score up to 0.53 more for another number, very small ones 0.74."""


def face_down(own: Floats32, said: Floats32, shows: Ints, row: Ints, strips: Sequence[Strip]) -> Iterator[Doubt]:
    """Yield the tiles that lie face down or hidden.

    own: (n,) how much each looks like its number in the other rows, whatever where those do not show it. said: (n, 12)
    probability of each of SYMBOLS by the shipped net. shows, row: (n,) as the owner says.
    """
    down = said[:, DOWN]
    others = in_other_rows(down, shows, row)
    compared = (down > SURELY) & (others < SEEN_DOWN) & (own < UNLIKE_BACK)
    for picture, r, at in strips:
        # Where nothing shows the same number, ink so faint that whole rows look blank must not count.
        single = np.isnan(others[at]) & (down[at] > ALONE) & (np.median(down[at]) < 1 - ALONE)
        for place in np.flatnonzero(compared[at] | single):
            taught = SYMBOLS[int(shows[at][place])]
            wrong = f"should be {one(taught)}, but lies face down, hidden or askew"
            refusal = f"{wrong}: lay it as you said and take it again"
            yield Doubt(picture, r, int(place), taught, "", refusal)


def odd_ones(scores: Floats32, said: Floats32, column: Ints) -> list[int]:
    """Return the tiles of a row that are plainly another number by the other rows.

    scores: (n, k) how much the row's tiles look like each of k numbers in the other rows. said: (n, k) probability of
    each by the shipped net. column: (n,) which of them the owner says, -1 where the other rows do not show it.

    >>> odd_ones(np.array([[1.0, 0.0], [0.9, 0.1]]), np.full((2, 2), 0.5), np.array([0, 1]))
    [1]
    """
    every, like = np.arange(len(column)), scores.argmax(axis=1)
    own = scores[every, column]
    enough = np.where(said[every, like] > SURELY, NEARER, FAR)
    odd = (column >= 0) & (own < UNLIKE) & (scores[every, like] - own > enough)
    return [int(place) for place in np.flatnonzero(odd)]


def in_other_rows(values: Floats32, shows: Ints, row: Ints) -> NDArray[np.float64]:
    """Return (n,) the mean of values over the tiles of each one's number in other rows; NaN where there are none."""
    same = (shows[:, None] == shows[None]) & (row[:, None] != row[None])
    count = same.sum(axis=1)
    return np.where(count > 0, (same * values).sum(axis=1) / np.maximum(count, 1), np.nan)
