"""What colours are called: the plain names, or those of an owner's set, that fit all groups best together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.geometry import Floats, Ints
from vision.paint import as_seen, lab_of, linear

NAMES_RGB: dict[str, tuple[tuple[int, int, int], ...]] = {
    "red": ((196, 30, 36), (165, 25, 30)),
    "orange": ((244, 110, 20), (232, 96, 10)),
    "yellow": ((240, 200, 25), (214, 150, 0)),
    "lime": ((135, 190, 45), (90, 150, 20)),
    "green": ((20, 128, 60), (30, 110, 50)),
    "teal": ((6, 130, 130), (0, 120, 122)),
    "sky": ((85, 170, 235), (30, 130, 200)),
    "blue": ((28, 72, 176), (24, 74, 176)),
    "purple": ((104, 46, 142), (120, 60, 160)),
    "pink": ((228, 84, 138), (235, 120, 160)),
    "brown": ((105, 68, 40), (92, 58, 30)),
    "black": ((24, 24, 27), (40, 40, 42)),
    "grey": ((125, 128, 128), (100, 103, 108)),
    "white": ((235, 235, 230),),
}
"""Plain names and what they look like as paint and as ink, sRGB."""


@dataclass(frozen=True, slots=True)
class Known:
    """The colours of an owner's own set."""

    palette: Mapping[str, tuple[tuple[float, float, float], ...]]
    """Names and what they look like under white light, red green blue 0..255."""
    by_ink: bool
    """The colour is in the ink."""


STRANGE = 45.0
"""A group this unlike every colour of the owner's set is of another set: the usual names hold then."""


def named(centre_bgr: Floats, known: Known | None) -> tuple[str, ...]:
    """Return the groups' names: those of the owner's set where it has such colours, else the usual ones."""
    if known is not None and 0 < len(centre_bgr) <= len(known.palette):
        cost, names = _names(centre_bgr, _ideals_of(known.palette), list(known.palette))
        if cost <= STRANGE * len(centre_bgr):
            return names
    return plain_names(centre_bgr)


def unlike(lab: Floats, known: Known) -> Floats:
    """Return (n, names) how unlike each of the owner's colours a colour is, (n, 3) CIE, as STRANGE counts it."""
    return _unlike(lab, _ideals_of(known.palette), len(known.palette))


def plain_names(centre_bgr: Floats) -> tuple[str, ...]:
    """Return the plain names, all different for up to five, that fit (g, 3) colours under white light best together."""
    return _names(centre_bgr, _ideals(), list(NAMES_RGB))[1]


def _names(centre_bgr: Floats, ideals: tuple[Floats, Ints], called: list[str]) -> tuple[float, tuple[str, ...]]:
    """Return the different names that fit all groups best together, and what is left to explain.

    centre_bgr: (g, 3) balanced colours. Exposure and the grey veil that gloss lays over everything are
    common to all groups, so a few of both are tried and the best explanation counts: a black row under a
    veil is black beside its blue neighbour, and grey only where nothing better is left for it.
    """
    best: tuple[float, tuple[str, ...]] = (np.inf, ())
    light = linear(centre_bgr)
    tries = [(veil, gain) for veil in (0.0, 0.03, 0.08) for gain in (0.7, 1.0, 1.4)]
    lit = [np.clip((light - veil * light.max()) / (1.0 - veil) * gain, 0.0, 1.0) for veil, gain in tries]
    lab = lab_of(as_seen(np.array(lit)))
    costs = _unlike(lab.reshape(-1, 3), ideals, len(called)).reshape(len(tries), len(light), -1)
    for (veil, gain), each in zip(tries, costs, strict=True):
        extra = len(light) * (40.0 * veil + 3.0 * abs(float(np.log(gain))))
        if float(each.min(axis=1).sum()) + extra > best[0]:
            continue  # even with names that need not differ
        cost, names = _match_names(each, called)
        best = min(best, (cost + extra, names))
    return best


def _match_names(cost: Floats, names: list[str]) -> tuple[float, tuple[str, ...]]:
    """Return the cheapest choice of different names for groups, and its cost. cost: (g, names) of each for each."""
    nearest = cost.argmin(axis=1)
    if len(cost) > 5 or len(set(nearest.tolist())) == len(cost):
        return float(cost.min(axis=1).sum()), tuple(names[int(i)] for i in nearest)
    order = np.argsort(cost, axis=1)[:, : max(6, len(cost))]
    choice = np.stack(np.meshgrid(*order, indexing="ij"), axis=-1).reshape(-1, len(cost))
    ranked = np.sort(choice, axis=1)
    choice = choice[(np.diff(ranked, axis=1) > 0).all(axis=1)]
    total = cost[np.arange(len(cost)), choice].sum(axis=1)
    pick = int(total.argmin())
    return float(total[pick]), tuple(names[int(i)] for i in choice[pick])


def _unlike(lab: Floats, known: tuple[Floats, Ints], names: int) -> Floats:
    """Return (g, names) how unlike each name a colour is: hue counts most, lightness least."""
    ideals, owner = known
    d = lab[:, None, :] - ideals[None, :, :]
    dc = np.hypot(lab[:, 1], lab[:, 2])[:, None] - np.hypot(ideals[:, 1], ideals[:, 2])[None, :]
    hue2 = np.maximum(0.0, d[..., 1] ** 2 + d[..., 2] ** 2 - dc**2)
    away = np.sqrt(1.6 * hue2 + 0.5 * dc**2 + 0.35 * d[..., 0] ** 2)
    # The looks of one name stand side by side.
    return np.asarray(np.minimum.reduceat(away, np.searchsorted(owner, np.arange(names)), axis=1))


@cache
def _ideals() -> tuple[Floats, Ints]:
    return _ideals_of(NAMES_RGB)


def _ideals_of(palette: Mapping[str, Sequence[Sequence[float]]]) -> tuple[Floats, Ints]:
    rgb = [(c, k) for k, colours in enumerate(palette.values()) for c in colours]
    return lab_of(np.array([c[::-1] for c, _ in rgb], dtype=np.float64)), np.array([k for _, k in rgb])
