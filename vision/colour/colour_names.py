"""What colours are called: the plain names, or those of an owner's set, that fit all groups best together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.colour.paint import as_seen, lab_of, linear
from vision.geometry import Floats, Ints

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
THIN = (1.0, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35, 0.3)
"""How much of what is seen of a stroke is ink: the rest is the body beside it. A blue hairline on wood is grey, on
white sky; a red one is brown."""
THICKER = 7.0
"""What a thinner stroke costs for each group, times the logarithm of its share."""
HARDLY_INK = {"grey": 6.0, "brown": 4.0, "white": 6.0}
"""What names cost that any ink may seem to have where it is thin. Of 14,081 tiles with coloured ink, drawn by three
programs, 6,076 had another name than their paint, and have 3,520; of 6,312 tiles on 255 traced trays that chose nothing
here 1,510 and 1,095, most of these a neighbouring one (blue for sky, red for orange)."""


def named(centre_bgr: Floats, known: Known | None, on_bgr: Floats | None = None) -> tuple[str, ...]:
    """Return the groups' names: those of the owner's set where it has such colours, else the usual ones.

    on_bgr: (g, 3) what inks are printed on; None where the colours are the bodies' own.
    """
    if known is not None and 0 < len(centre_bgr) <= len(known.palette):
        cost, names = _names(centre_bgr, _ideals_of(known.palette), list(known.palette))
        if cost <= STRANGE * len(centre_bgr):
            return names
    return plain_names(centre_bgr, on_bgr)


def unlike(lab: Floats, known: Known) -> Floats:
    """Return (n, names) how unlike each of the owner's colours a colour is, (n, 3) CIE, as STRANGE counts it."""
    return _unlike(lab, _ideals_of(known.palette), len(known.palette))


def plain_names(centre_bgr: Floats, on_bgr: Floats | None = None) -> tuple[str, ...]:
    """Return the plain names, all different for up to five, that fit (g, 3) colours under white light best together.

    on_bgr: as of `named`.
    """
    return _names(centre_bgr, _ideals(), list(NAMES_RGB), on_bgr)[1]


def _names(
    centre_bgr: Floats, ideals: tuple[Floats, Ints], called: list[str], on_bgr: Floats | None = None
) -> tuple[float, tuple[str, ...]]:
    """Return the different names that fit all groups best together, and what is left to explain.

    centre_bgr: (g, 3) balanced colours; on_bgr: as of `named`. What is common to all groups (`_explanations`) is tried,
    and the best explanation counts: a black row under a veil is black beside its blue neighbour, and grey only where
    nothing better is left for it.
    """
    best: tuple[float, tuple[str, ...]] = (np.inf, ())
    lit, extras = _explanations(linear(centre_bgr), None if on_bgr is None else linear(on_bgr))
    costs = _unlike(lab_of(as_seen(lit)).reshape(-1, 3), ideals, len(called)).reshape(*lit.shape[:2], -1)
    if on_bgr is not None:
        costs += np.array([HARDLY_INK.get(name, 0.0) for name in called])
    for each, extra in zip(costs, extras * len(centre_bgr), strict=True):
        if float(each.min(axis=1).sum()) + extra > best[0]:
            continue  # even with names that need not differ
        cost, names = _match_names(each, called)
        best = min(best, (cost + float(extra), names))
    return best


def _explanations(light: Floats, on: Floats | None) -> tuple[Floats, Floats]:
    """Return (m, g, 3) what groups may look like in white light, and (m,) what it costs for each group to believe it.

    light: (g, 3) linear. Exposure is common to all groups, and so is the grey veil that gloss lays over bodies, or how
    thin the strokes of inks on bodies `on`, (g, 3), are.
    """
    if on is None:
        seen = [((light - veil * light.max()) / (1.0 - veil), 40.0 * veil) for veil in (0.0, 0.03, 0.08)]
    else:
        seen = [(on + (light - on) / share, -THICKER * float(np.log(share))) for share in THIN]
    tries = [
        (shown * gain, extra + 3.0 * abs(float(np.log(gain)))) for shown, extra in seen for gain in (0.7, 1.0, 1.4)
    ]
    return np.clip([shown for shown, _ in tries], 0.0, 1.0), np.array([extra for _, extra in tries])


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
