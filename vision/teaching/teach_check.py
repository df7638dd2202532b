"""Does what lies there fit what was said? Each row is read by what the other rows teach, before anything is learnt.

On 48 sets of `vision.teaching.teach_sets` (hand-drawn, signs of one's own; 2026-11-21) rows read each other right in 8
tiles of 10 at least, no row laid as said was blamed, and all of 48 exchanges of two tiles were found; on 68 others, by
the nets of 2026-11-23, none was blamed and all 68 exchanges were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.crops import faces, symbols
from vision.crops.nets import with_features
from vision.geometry import Ints
from vision.reading import SYMBOLS
from vision.teaching.doubts import Doubt
from vision.teaching.english import one
from vision.teaching.teach_fit import lit, moved
from vision.teaching.teach_odd import face_down, in_other_rows, odd_ones
from vision.teaching.teach_order import SURE, Strip, out_of_order

Floats32 = NDArray[np.float32]

COPIES = 5
"""Of each tile in other light, to learn a row from the others."""
PLAIN = 0.2
"""A tile is another than was said where that scores higher by this (scores run from 0 to 1)."""
LEAST_ALIKE = 0.5
"""Share of a row that reads as said, below which the row lies in another order."""


def mistaken(crops: NDArray[np.uint8], shows: Ints, row: Ints, lengths: Sequence[int]) -> Iterator[Doubt]:
    """Yield the tiles that changed places, lie face down, or in another order than was said.

    crops: (n, 48, 40, 3) in the order of pictures, rows and places. shows, row: (n,) as said. lengths: number of tiles
    of each picture. Of a single row only what the shipped net is sure of can be said.
    """
    said = np.exp(symbols.classify(crops).log_probs)
    strips = _strips(row, lengths)
    if len(np.unique(row)) < 2:
        yield from face_down(np.ones(len(crops), np.float32), said, shows, row, strips)
    else:
        scores, known = _by_others(crops, shows, row)
        column = np.searchsorted(known, shows)
        yield from face_down(scores[np.arange(len(shows)), column], said, shows, row, strips)
        shown = ~np.isnan(in_other_rows(said[:, 0], shows, row))
        yield from _unlike(scores, known, said, shows, shown, strips)
    yield from out_of_order(said, shows, strips)


def mistaken_dice(crops: NDArray[np.uint8], shows: Ints, row: Ints, lengths: Sequence[int]) -> Iterator[Doubt]:
    """Yield the dice that lie in another order than was said.

    crops: (n, 48, 48, 3). shows: (n,) index into FACES. Else as `mistaken`, but no row is held against another.
    """
    said = np.exp(faces.classify_faces(crops, is_die=np.ones(len(crops), bool)).log_probs)
    yield from out_of_order(said, shows, _strips(row, lengths), [str(value) for _, value in faces.FACES])


def _unlike(
    scores: Floats32, known: Ints, said: Floats32, shows: Ints, shown: NDArray[np.bool_], strips: Sequence[Strip]
) -> Iterator[Doubt]:
    """Yield rows, and tiles of the other rows, that do not look as the rest does.

    scores, known: as `_by_others` returns them. shown: (n,) whether other rows show its number.
    """
    column = np.searchsorted(known, shows)
    like = known[scores.argmax(axis=1)]
    gap = scores.max(axis=1) - scores[np.arange(len(shows)), column]
    plain = np.where(gap > PLAIN, like, shows)
    right = [float((like[at] == shows[at]).mean()) for _, _, at in strips]
    for k, (picture, r, at) in enumerate(strips):
        others = [v for i, v in enumerate(right) if i != k]
        if right[k] < LEAST_ALIKE and (np.median(others) >= LEAST_ALIKE or _contrary(said[at], shows[at])):
            refusal = "does not look as the other rows do in this order: lay each row in order and take it again"
            yield Doubt(picture, r, None, "", "", refusal)
            continue
        looks = _as_exchanged(scores[at], column[at], plain[at], known)
        places = exchanged(shows[at], looks)
        if not places:
            places = odd_ones(scores[at], said[at][:, known], np.where(shown[at], column[at], -1))
            looks = like[at]
        yield from (_instead(picture, r, place, shows[at], looks) for place in places)


def _instead(picture: int, row: int, place: int, shows: Ints, looks: Ints) -> Doubt:
    """Return the doubt of a tile in whose place another lies. shows, looks: (n,) of its row."""
    taught, seen = SYMBOLS[int(shows[place])], SYMBOLS[int(looks[place])]
    wrong = f"should be {one(taught)}, but {one(seen)} lies there, as the other rows show it"
    refusal = f"{wrong}: lay them in order and take it again"
    return Doubt(picture, row, place, taught, seen, refusal)


def _as_exchanged(scores: Floats32, column: Ints, like: Ints, known: Ints) -> Ints:
    """Return what the tiles of a row look like, two that look plainly like each other's symbol as exchanged.

    scores: (n, k) of a row; column: (n,) in them of what was said; like: (n,) symbols. One of the two may look like a
    third symbol still more, as a three that is drawn badly does.
    """
    own = scores[np.arange(len(column)), column]
    gain = scores[:, column] - own[:, None]
    both = np.minimum(gain, gain.T)
    out = like.copy()
    for i, j in np.argwhere(both > PLAIN):
        out[i] = known[column[j]]
    return out


def exchanged(shows: Ints, like: Ints) -> list[int]:
    """Return the tiles of a row from which looks lead back to them, through at least one other.

    A row holds every symbol once, so what was laid wrongly was mostly exchanged: a single tile that looks a little like
    another is only drawn badly (how much is too much: `vision.teaching.teach_odd`).

    >>> exchanged(np.array([0, 1, 2, 3]), np.array([0, 3, 2, 1]))
    [1, 3]
    >>> exchanged(np.array([0, 1, 2, 3]), np.array([0, 3, 2, 3]))
    []
    """
    return [int(place) for place in np.flatnonzero(shows != like) if _leads_back(int(place), shows, like)]


def _leads_back(start: int, shows: Ints, like: Ints) -> bool:
    """Return whether what a tile looks like, and what the tile said to be that looks like, and so on, is the tile."""
    at = start
    for _ in range(len(shows)):
        following = np.flatnonzero(shows == like[at])
        if len(following) != 1 or like[following[0]] == shows[following[0]]:
            return False
        at = int(following[0])
        if at == start:
            return True
    return False


def _by_others(crops: NDArray[np.uint8], shows: Ints, row: Ints) -> tuple[Floats32, Ints]:
    """Return (n, k) how much each tile looks like each of k symbols in the other rows, and those symbols."""
    rng = np.random.default_rng(len(crops))
    seen = [crops, *(np.stack([lit(moved(c, rng), rng) for c in crops]) for _ in range(COPIES))]
    features = np.concatenate([with_features(symbols.MODEL, symbols.normalised(x))[0] for x in seen])
    known = np.unique(shows)
    target = np.tile(np.searchsorted(known, shows), COPIES + 1)
    rows = np.tile(row, COPIES + 1)
    out = np.zeros((len(crops), len(known)), np.float32)
    for r in np.unique(row):
        rest, here = features[rows != r], row == r
        middle = rest.mean(axis=0)
        products = ((rest - middle) @ (rest - middle).T).astype(np.float64)
        products[np.diag_indices_from(products)] += 0.1 * np.trace(products) / len(products)
        wanted = np.eye(len(known))[target[rows != r]]
        level = wanted.mean(axis=0)
        weights = np.linalg.solve(products, wanted - level).astype(np.float32)
        out[here] = (features[: len(crops)][here] - middle) @ (rest - middle).T @ weights + level
    return out, np.asarray(known, np.int64)


def _strips(row: Ints, lengths: Sequence[int]) -> list[Strip]:
    """Return (picture, row, indices) of every row of every picture."""
    out, start = [], 0
    for picture, n in enumerate(lengths):
        here = np.arange(start, start + n)
        out += [(picture, int(r), here[row[here] == r]) for r in np.unique(row[here])]
        start += n
    return out


def _contrary(said: Floats32, shows: Ints) -> bool:
    """Return whether the shipped net is sure that most of a row is something else."""
    return bool(((said.argmax(axis=1) != shows) & (said.max(axis=1) > SURE)).mean() > 0.5)
