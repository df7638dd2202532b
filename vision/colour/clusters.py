"""Points in groups of a given number, and of given sizes where a rule says how many belong together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats, Ints


def cluster(x: Floats, count: int, sizes: Sequence[int] | None, *, start: Floats | None = None) -> Ints:
    """Return (n,) groups 0.. of the given number, by k-means from many starts, filled to the sizes.

    x: (n, 3) points, at least one of them. sizes: how many belong to each group, in any order; None for any.
    start: (count, 3) points that are known to be there: groups near them are preferred, unless others fit far better.
    """
    rng = np.random.default_rng(1)
    starts = [_spread_start(x, count, rng) for _ in range(12)]
    if start is not None:
        starts.append(start)
    centre, label = _settled(x, np.array(starts))
    off = x - np.take_along_axis(centre, label[:, :, None], axis=1)
    cost = (off**2).reshape(len(starts), -1).sum(axis=1)
    if start is not None:
        cost[-1] *= 0.75
    best = label[int(cost.argmin())]
    return _fill(x, best, sizes) if sizes is not None and sum(sizes) == len(x) else best


def _settled(x: Floats, centre: Floats) -> tuple[Floats, Ints]:
    """Return where k-means leads from each of (s, count, 3) starts, and (s, n) the groups there."""
    label = np.zeros((len(centre), len(x)), dtype=np.int64)
    going = np.arange(len(centre))
    for _ in range(12):
        off = x[:, None] - centre[going, None]
        label[going] = np.linalg.norm(off, axis=3).argmin(axis=2)
        fresh = _means(x, label[going], centre[going])
        moved = np.abs(fresh - centre[going]).max(axis=(1, 2)) >= 1e-6
        going = going[moved]
        centre[going] = fresh[moved]
        if len(going) == 0:
            break
    return centre, label


def _means(x: Floats, label: Ints, centre: Floats) -> Floats:
    """Return (s, count, 3) the middle of each group; what `centre` says of one without tiles."""
    s, count, _ = centre.shape
    cell = (label + count * np.arange(s)[:, None]).ravel()
    number = np.bincount(cell, minlength=s * count)
    total = [np.bincount(cell, np.tile(x[:, c], s), minlength=s * count) for c in range(3)]
    mean = (np.stack(total, axis=1) / np.maximum(number, 1)[:, None]).reshape(centre.shape)
    return np.where((number > 0).reshape(s, count, 1), mean, centre)


def _spread_start(x: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Return (count, 3) of the points, each drawn by its squared distance from those before (k-means++)."""
    chosen = [x[rng.integers(len(x))]]
    away = np.full(len(x), np.inf)
    while len(chosen) < count:
        away = np.minimum(away, ((x - chosen[-1]) ** 2).sum(axis=1))
        weight = np.cumsum((away + 1e-9) / (away + 1e-9).sum())
        # As rng.choice with p does it, which spends most of its time on checks.
        chosen.append(x[np.searchsorted(weight / weight[-1], rng.random(), side="right")])
    return np.array(chosen)


def _fill(x: Floats, label: Ints, sizes: Sequence[int]) -> Ints:
    """Return groups of exactly the sizes, moving the tiles that lose least by it."""
    count = len(sizes)
    label = label.copy()
    centre = np.array(
        [np.median(x[label == g], axis=0) if (label == g).any() else x.mean(axis=0) for g in range(count)]
    )
    have = np.bincount(label, minlength=count)
    room = np.zeros(count, dtype=np.int64)
    room[np.argsort(-have, kind="stable")] = sorted(sizes, reverse=True)
    away = np.linalg.norm(x[:, None] - centre[None], axis=2)
    while (np.bincount(label, minlength=count) > room).any():
        have = np.bincount(label, minlength=count)
        loss = away - away[np.arange(len(x)), label][:, None]
        loss[have[label] <= room[label]] = np.inf
        loss[:, have >= room] = np.inf
        tile, group = np.unravel_index(int(np.argmin(loss)), loss.shape)
        label[tile] = group
    return label
