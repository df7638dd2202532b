"""Colours where they are mixed: the set is a check here too, as each number comes once in each colour (RULES 1).

Grey, brown and black lie close together under a warm lamp, and gloss moves one tile of a colour to another's. But
the four sevens are of four colours, and so are the four of every other number: for each number there are 24 ways
to share out the colours, and a tile that looks a little more like another colour is kept by its fellow's claim.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from vision.geometry import Bools, Floats, Ints, median

ROUNDS = 10
"""Of sharing out colours and taking their means again; five are the usual number."""
LEAST_BOLD, FADING = 8.0, 16
"""CIE distance from what it is drawn towards below which a colour says nothing of how bold it is; and how many more
plain ones than colours there must be to tell how they fade over the tray."""
FAR = 6.0
"""CIE units by which a tile may look more like another colour than like the one its number leaves for it."""


def shared_out(points: Floats, label: Ints, numbers: Ints, *, count: int) -> Ints:
    """Return (n,) groups in which each number comes once; `label` where the tiles show not each number so often.

    points: (n, 3) colours, comparable by distance. label: (n,) groups 0..count-1 as the colours alone say.
    numbers: (n,) 0..9, more for what is no number: such a tile goes where it looks like.
    """
    of_number = _of_each_number(numbers, count)
    if of_number is None:
        return label
    starts = [np.array([points[label == g].mean(axis=0) for g in range(count)])] if _all(label, count) else []
    starts += [points[tiles] for tiles in of_number]
    found = [_settled(points, start, of_number) for start in starts]
    return min(found, key=lambda f: f[0])[1]


def as_bold_everywhere(lab: Floats, pale_lab: Floats, group: Ints, at: Floats) -> Floats:
    """Return (n, 3) the colours as they would look were all as bold as in the middle of the tray.

    A lamp's veil pales what lies on one side of a tray: it draws all colours towards one, inks towards that of the
    bodies and bodies towards white, by the same share at the same place. lab, pale_lab: (n, 3) CIE colours of printed
    tiles and what they are drawn towards. group: (n,) which are of one colour, as far as is known. at: (n, 2) where the
    tiles lie, any unit.
    """
    away = lab - pale_lab
    bold = np.linalg.norm(away, axis=1)
    plain = bold > LEAST_BOLD
    off = at - at.mean(axis=0)
    place = off / max(float(np.abs(off).max()), 1e-9)
    own = (group[plain, None] == np.unique(group[plain])).astype(np.float64)
    if plain.sum() < own.shape[1] + FADING:
        return lab
    slope = np.linalg.lstsq(np.hstack([own, place[plain]]), np.log(bold[plain]), rcond=None)[0][-2:]
    return np.asarray(median(pale_lab) + away * np.exp(-(place @ slope))[:, None])


def scatter(points: Floats, group: Ints) -> float:
    """Return the sum of the squares of how far points (n, 3) lie from the middle of their group (n,)."""
    return sum(float(((own - own.mean(axis=0)) ** 2).sum()) for own in (points[group == g] for g in np.unique(group)))


def agreeing(group: Ints, other: Ints) -> Bools:
    """Return (n,) which tiles two ways to share them out, -1 for none, agree on, whatever each calls its groups."""
    count = int(max(group.max(), other.max())) + 1
    both = (group >= 0) & (other >= 0)
    shared = np.zeros((count, count), dtype=np.int64)
    np.add.at(shared, (group[both], other[both]), 1)
    same = max(permutations(range(count)), key=lambda way: int(shared[np.arange(count), way].sum()))
    return np.asarray(both & (np.array(same)[np.where(both, group, 0)] == other))


def swap_margins(points: Floats, label: Ints, numbers: Ints, *, count: int) -> Floats | None:
    """Return (n,) what each tile's cheapest lawful exchange of colours would cost, half of it a tile's own share.

    To be of another colour, a tile must change places with the one of that colour that shows the same number.
    Minus infinity for tiles without a number, and where its own colour is further than FAR behind another; None
    where the tiles are not of one set.
    """
    of_number = _of_each_number(numbers, count)
    if of_number is None or any(len(set(label[tiles].tolist())) != count for tiles in of_number):
        return None
    away = _distance(points, np.array([points[label == g].mean(axis=0) for g in range(count)]))
    own = away[np.arange(len(points)), label]
    out = np.full(len(points), -np.inf)
    for tiles in of_number:
        there = away[tiles][:, label[tiles]]
        cost = there - own[tiles][:, None]
        swap = (cost + cost.T) / 2 + np.where(np.eye(count, dtype=bool), np.inf, 0.0)
        astray = (cost + np.where(np.eye(count, dtype=bool), np.inf, 0.0)).min(axis=1) < -FAR
        out[tiles] = np.where(astray, -np.inf, swap.min(axis=1))
    return out


def _of_each_number(numbers: Ints, count: int) -> list[Ints] | None:
    tiles = [np.flatnonzero(numbers == s) for s in range(10)]
    return tiles if all(len(t) == count for t in tiles) else None


def _all(label: Ints, count: int) -> bool:
    return len(np.unique(label)) == count


def _distance(points: Floats, centre: Floats) -> Floats:
    return np.asarray(np.linalg.norm(points[:, None] - centre[None], axis=2))


def _settled(points: Floats, centre: Floats, of_number: list[Ints]) -> tuple[float, Ints]:
    """Return the sum of squares, and the groups, to which centres settle."""
    count = len(centre)
    ways = np.array(list(permutations(range(count))))
    tiles = np.array(of_number)
    label = np.zeros(len(points), dtype=np.int64)
    for _ in range(ROUNDS):
        away2 = _distance(points, centre) ** 2
        fresh = away2.argmin(axis=1)
        cost = away2[tiles[:, None, :], ways[None]].sum(axis=2)
        fresh[tiles] = ways[cost.argmin(axis=1)]
        if (fresh == label).all():
            break
        label = fresh
        centre = np.array([points[label == g].mean(axis=0) for g in range(count)])
    return float((_distance(points, centre)[np.arange(len(points)), label] ** 2).sum()), label
