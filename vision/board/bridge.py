"""Which places tiles lie in where an array has gaps, as in Draw Bridge, and how certain that is.

The array is ten places wide wherever it lies; a few tiles show neither its pitch nor where it begins. So every pitch
and place that it may have is tried: each says in which columns the tiles lie, how far off these are, and whether they
may have come there by the rule. What all that agree on together is likely is certain.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log

import numpy as np

from vision.geometry import Bools, Floats, Ints

ARRAY_SD_MM = 14.0
"""How far people lay the middle of an array from the middle of the tray."""
ANYWHERE = 1e-6
"""... and by how much likelier than nothing it is that they lay it anywhere."""
PITCH_SD, NEXT_SD = 0.06, 0.02
"""How far the pitch is from what a tile's width says, and from what neighbours say, over itself."""
TILE_SD_MM, BLOCK_SD_MM = 1.5, 5.0
"""How far a tile is off its place among those beside it, and these together off theirs: nobody measures how far it is
to the other end of a row."""
NEXT = (0.75, 1.45)
"""Tiles that are so far from each other, over the pitch, are neighbours."""
LAWFUL, LOOSE = 2.0, 0.32
"""How strictly people lay by the rule (RULES, Draw Bridge: the first tile of a colour goes to either end of its row,
later ones beside one of it) nobody knows before their array is seen, so the array says it, too: so many blocks at an
end, and elsewhere, count as seen before (a beta distribution; a lone block lies at an end by 25 to one)."""
ELSEWHERE = 4.0
"""How many times as many places a block finds elsewhere as at an end: eight of ten, so each is that much unlikelier."""
BEYOND, AT_ONCE = 0.01, 2
"""How likely it is that tiles lie beside the array, a place beyond either end of their rows, as those of a turn do that
are about to be laid, and each further one: if that is likelier than that all lie in it nobody knows the places."""
CERTAIN = 0.99
HOPELESS = 25.0
"""What is less likely than the best by more than this, as a natural logarithm, before the rule is heard, is none."""
PITCHES = np.linspace(-3.0, 3.0, 25)
"""Tried, in standard deviations."""
REACH_MM, STEP_MM = 66.0, 1.5
"""So far from the middle of the tray the array's is sought, and in such steps."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where n tiles lie in an array."""

    column: Ints
    """(n,) from 0."""
    off: Floats
    """(n,) how far from there, over the pitch, but for what all of its block are."""
    pitch_mm: float
    certain: bool
    """Nothing else is likely."""


def places_in(along: Floats, rows: Ints, *, width: int, pitch_mm: float, middle_mm: float) -> Places | None:
    """Return the likeliest places; None where the array would have to be wider than it is, or plainly is.

    along: (n,) mm along the rows' lean; rows: (n,) of each. width: columns. pitch_mm: as a tile's width, or neighbours,
    say. middle_mm: of the tray, along the same lean.
    """
    blocks, touching = _blocks(along, rows, pitch_mm)
    pitch = pitch_mm * (1.0 + (NEXT_SD if touching else PITCH_SD) * PITCHES)
    tried = _ways(along, blocks, pitch, width=width, middle_mm=middle_mm)
    if tried is None:
        return None
    ways, which = np.unique(tried.column, axis=0, return_inverse=True)
    which = which.reshape(-1)
    lawful = np.array([_lawfulness(way, rows, width) for way in ways])
    total = np.bincount(which, np.exp(tried.weight - tried.weight.max() + lawful[which] - lawful.max()))
    inside = np.asarray(((ways >= 0) & (ways < width)).all(axis=1))
    if total[inside].sum() < total[~inside].sum():
        return None
    best = int(np.where(inside, total, -1.0).argmax())
    k = int(np.flatnonzero(which == best)[tried.weight[which == best].argmax()])
    rest = tried.exact[k] - tried.column[k]
    apart = rest - (np.bincount(blocks, rest) / np.bincount(blocks))[blocks]
    return Places(ways[best], np.abs(apart), float(tried.pitch_mm[k]), bool(total[best] > CERTAIN * total.sum()))


@dataclass(frozen=True, slots=True)
class _Ways:
    """Ways in which n tiles may lie in an array, or beside it; arrays of one length m."""

    weight: Floats
    """How likely each is before the rule is heard, a logarithm."""
    column: Ints
    """(m, n), from -1 to the array's width."""
    exact: Floats
    """(m, n) the same, in parts of a place."""
    pitch_mm: Floats


def _ways(along: Floats, blocks: Ints, pitch_mm: Floats, *, width: int, middle_mm: float) -> _Ways | None:
    """Return the likely ones of all pitches (p,) and places; None if none of them, however unlikely, fits the array."""
    aside = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    exact = (along - middle_mm - aside[:, None]) / pitch_mm[:, None, None] + (width - 1) / 2
    column = np.rint(exact)
    weight = -0.5 * PITCHES[:, None] ** 2 + np.log(np.exp(-0.5 * (aside / ARRAY_SD_MM) ** 2) + ANYWHERE)
    weight = weight - 0.5 * _misfit((exact - column) * pitch_mm[:, None, None], blocks)
    beyond = np.asarray(((column < 0) | (column >= width)).sum(axis=2))
    weight = weight + np.log(BEYOND) * (np.minimum(beyond, 1) + np.maximum(beyond - AT_ONCE, 0))
    near = np.asarray(((column >= -1) & (column <= width)).all(axis=2))
    if not (near & (beyond == 0)).any():
        return None
    likely = near & (weight > weight[near].max() - HOPELESS)
    pitches = np.broadcast_to(pitch_mm[:, None], likely.shape)
    return _Ways(weight[likely], column[likely].astype(np.int64), exact[likely], pitches[likely])


def _blocks(along: Floats, rows: Ints, pitch_mm: float) -> tuple[Ints, bool]:
    """Return (n,) which block of neighbours each tile is of, and whether any has neighbours."""
    order = np.lexsort((along, rows))
    step = np.diff(along[order])
    beside = (np.diff(rows[order]) == 0) & (step > NEXT[0] * pitch_mm) & (step < NEXT[1] * pitch_mm)
    out = np.zeros(len(along), dtype=np.int64)
    out[order[1:]] = np.cumsum(~beside)
    return out, bool(beside.any())


def _misfit(off_mm: Floats, blocks: Ints) -> Floats:
    """Return how badly tiles (..., n) lie that are so far off, in squares of standard deviations, by block and each."""
    member = (blocks == np.arange(int(blocks.max()) + 1)[:, None]).astype(np.float64)
    number, together = member.sum(axis=1), off_mm @ member.T
    shared = BLOCK_SD_MM**2 / (TILE_SD_MM**2 + number * BLOCK_SD_MM**2)
    return np.asarray(((off_mm**2).sum(axis=-1) - (together**2 * shared).sum(axis=-1)) / TILE_SD_MM**2)


def _lawfulness(column: Ints, rows: Ints, width: int) -> float:
    """Return how likely it is that tiles come to lie in these columns, a logarithm up to a constant.

    What lies beside the array was not laid by the rule yet.
    """
    at_end, loose, within = 0, 0, (column >= 0) & (column < width)
    for row in np.unique(rows[within]):
        lying = np.sort(column[within & (rows == row)])
        if (np.diff(lying) == 0).any():
            return -HOPELESS  # no two tiles lie in one place
        block = np.concatenate([[0], np.cumsum(np.diff(lying) > 1)])
        of_ends = len(np.unique(block[(lying == 0) | (lying == width - 1)]))
        at_end, loose = at_end + of_ends, loose + int(block.max()) + 1 - of_ends
    lawful, broken = LAWFUL + at_end, LOOSE + loose
    return at_end * log(ELSEWHERE) + lgamma(lawful) + lgamma(broken) - lgamma(lawful + broken)


def beyond_doubt(gap: Floats, unsure: Floats) -> Bools:
    """Return (k,) which distances between rows, over a row's height, are surely the whole number that they are near to.

    unsure: (k,) by how much they may be off (one standard deviation). Two rows lie one apart at least, however near
    they seem.
    """
    number = np.maximum(1, np.rint(gap))
    off, reach = gap - number, 2.33 * unsure
    return np.asarray((off + reach < 0.5) & ((off - reach > -0.5) | (number == 1)))
