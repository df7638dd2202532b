"""What colour the tiles are, in plain English.

A tile's colour is its body's, or its ink's where all bodies are alike and light. Which of the two is
decided for the whole tray at once, as are the groups (tiles of one colour) and the names: four groups get
four different names, the set of names that explains all of them best. The lamp's colour is taken out first,
by the white paper of the markers or, without any, by what should be neutral on the tiles themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision import mixed
from vision.geometry import Floats, median
from vision.loose_colours import groups_of
from vision.paint import Paint, balance, lab_of, linear

Ints = NDArray[np.int64]

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

WEIGHTS = (0.6, 1.0, 1.0)
"""Of lightness and the two hues, where colours are compared: light differs over a tray."""
LIGHT_BODY = 58.0
"""CIE L* above which a body may be a light one with coloured ink."""
PALE = 0.8
"""Pieces are as good as white if they have this share of the palest one's weakest colour."""
ALIKE = 22.0
"""CIE distance within which the bodies of all tiles are of one material."""
PLAINLY, INKS_APART = 2.5, 15.0
"""How much more than the bodies, and how far at least (CIE), inks vary in hue that carry the colour on dark bodies."""


@dataclass(frozen=True, slots=True)
class Colours:
    """Which tiles share a colour, and its name."""

    group: Ints
    """(n,) 0.. of the names; -1 where no colour can be seen."""
    names: tuple[str, ...]
    """One for each group, all different."""
    margin: Floats
    """(n,) how much nearer its own group's colour a tile is than any other, CIE units; inf without others."""
    by_ink: bool

    def name(self, tile: int) -> str | None:
        """Return the plain name of a tile's colour; None where none can be seen."""
        g = int(self.group[tile])
        return None if g < 0 else self.names[g]


@dataclass(frozen=True, slots=True)
class Known:
    """The colours of an owner's own set."""

    palette: Mapping[str, tuple[tuple[float, float, float], ...]]
    """Names and what they look like under white light, red green blue 0..255."""
    by_ink: bool
    """The colour is in the ink."""


STRANGE = 45.0
"""A group this unlike every colour of the owner's set is of another set: the usual names hold then."""


def name_colours(
    paint: Paint,
    *,
    open_tiles: NDArray[np.bool_],
    groups: Sequence[Sequence[int]] | None,
    white_bgr: Floats | None = None,
    count: int = 4,
    sizes: Sequence[int] | None = None,
    known: Known | None = None,
    numbers: Ints | None = None,
) -> Colours:
    """Return the groups of one colour and their names.

    open_tiles: (n,) tiles that show their face. groups: indices of tiles known to share a colour (rows); None
    where colours are mixed: then `count` groups are sought. sizes: how many tiles each group must hold, where
    the rules say (any order). white_bgr: what white paper looks like in this light. known: the colours that the
    owner's set has; None where nobody taught them.
    numbers: (n,) what each tile shows (0..9, more for other symbols), where colours are mixed and each number
    comes once in each: tiles of nearly one colour are told apart by that.
    """
    n = len(paint.body)
    seen = np.flatnonzero(open_tiles)
    if len(seen) == 0:
        return Colours(np.full(n, -1), (), np.zeros(n), False)
    by_ink = known.by_ink if known is not None else _by_ink(lab_of(paint.body[seen]), lab_of(paint.ink[seen]))
    white = white_bgr if white_bgr is not None else _own_white(paint, seen, by_ink)
    balanced = balance(paint.ink if by_ink else paint.body, white)
    lab = lab_of(balanced)
    group = np.full(n, -1)
    if groups is not None:
        members = [[i for i in g if open_tiles[i]] for g in groups]
        used = [m for m in members if m]
        for g, m in enumerate(used):
            group[m] = g
    else:
        start = _known_lab(known) if known is not None and len(known.palette) == count <= len(seen) else None
        group[seen] = _cluster(lab[seen], min(count, len(seen)), sizes, start=start)
        if numbers is not None:
            group[seen] = mixed.shared_out(lab[seen] * WEIGHTS, group[seen], numbers[seen], count=count)
    centre = np.array([_deepest(balanced[group == g], lab[group == g]) for g in range(int(group.max()) + 1)])
    margin = _margins(lab, group, lab_of(centre))
    if groups is None and numbers is not None:
        swap = mixed.swap_margins(lab[seen] * WEIGHTS, group[seen], numbers[seen], count=count)
        margin[seen] = margin[seen] if swap is None else np.maximum(margin[seen], swap)
    return Colours(group, _named(centre, known), margin, by_ink)


def _deepest(bgr: Floats, lab: Floats) -> Floats:
    """Return (3,) the colour of a group: gloss only ever lightens and greys, so the darker half speaks."""
    dark = np.argsort(lab[:, 0], kind="stable")[: max(1, len(lab) // 2)]
    return median(bgr[dark])


def marks(paint: Paint, *, open_tiles: NDArray[np.bool_]) -> Floats:
    """Return (n, 3) a colour for each tile in CIE units, lightness weighed less; NaN for face-down ones.

    Good for telling which tiles belong together before anything is known of rows or names.
    """
    out = np.full((len(paint.body), 3), np.nan)
    if open_tiles.any():
        by_ink = _by_ink(lab_of(paint.body[open_tiles]), lab_of(paint.ink[open_tiles]))
        lab = lab_of(paint.ink if by_ink else paint.body)
        out[open_tiles] = (lab * (0.5, 1.0, 1.0))[open_tiles]
    return out


def name_loose(paint: Paint, *, white_bgr: Floats | None = None, known: Known | None = None) -> Colours:
    """Return the colours of pieces of which nobody says how many colours there are (dice: one or two).

    Pieces belong together when a chain of small steps leads from one's body to the other's (`vision.loose_colours`).
    """
    white = white_bgr if white_bgr is not None else _palest(paint)
    balanced = balance(paint.body, white)
    lab = lab_of(balanced)
    group = groups_of(lab, lab_of(balance(paint.ink, white)))
    if known is not None and int(group.max()) >= len(known.palette):
        # More groups than the owner has colours: light made several of one.
        away = _unlike(lab, _ideals_of(known.palette), len(known.palette))
        if float(away.min(axis=1).max()) <= STRANGE:
            group = np.unique(away.argmin(axis=1), return_inverse=True)[1].reshape(-1)
    centre = np.array([median(balanced[group == g]) for g in range(int(group.max()) + 1)])
    return Colours(group, _named(centre, known), _margins(lab, group, lab_of(centre)), False)


def backs_show_colour(paint: Paint, rows: Sequence[Sequence[int]], down: NDArray[np.bool_]) -> bool:
    """Return whether face-down tiles show their colour: their backs differ from row to row like the fronts.

    rows: indices of the tiles of each row. down: (n,) which lie face down.
    """
    lab = lab_of(paint.body)
    backs = [np.median(lab[[i for i in r if down[i]]], axis=0) for r in rows if any(down[i] for i in r)]
    fronts = [np.median(lab[[i for i in r if not down[i]]], axis=0) for r in rows if any(~down[list(r)])]
    if len(backs) >= 2:
        between = max(float(np.linalg.norm(a[1:] - b[1:])) for a in backs for b in backs)
        return between > ALIKE
    if not backs or not fronts:
        return False
    return min(float(np.linalg.norm(backs[0] - f)) for f in fronts) < 0.6 * ALIKE


def _by_ink(body: Floats, ink: Floats) -> bool:
    """Return whether the colour is in the ink: all bodies alike, and the ink telling tiles apart.

    Dark ink on light bodies does as soon as it varies more than they do; on other bodies it must do so plainly, as
    the light ink of coloured tiles takes on some of their colour.
    """
    middle = median(body)
    away = np.linalg.norm((body - middle) * (0.6, 1.0, 1.0), axis=1)
    alike = float(np.quantile(away, 0.85)) < ALIKE
    bodies_vary = float(np.linalg.norm(body[:, 1:] - middle[1:], axis=1).mean())
    inks_vary = float(np.linalg.norm(ink[:, 1:] - median(ink[:, 1:]), axis=1).mean())
    darker = float(median(body[:, 0] - ink[:, 0])) > 0
    if middle[0] > LIGHT_BODY * 0.7 and darker:
        return alike and inks_vary > bodies_vary
    return alike and inks_vary > max(PLAINLY * bodies_vary, INKS_APART)


def white_without_paper(paint: Paint, *, loose: bool) -> Floats:
    """Return the white that `name_colours`, or with loose `name_loose`, goes by where no paper shows it."""
    if loose:
        return _palest(paint)
    return _own_white(paint, np.arange(len(paint.body)), _by_ink(lab_of(paint.body), lab_of(paint.ink)))


def _palest(paint: Paint) -> Floats:
    """Return a guess of white paper: the palest bodies or pips, those that lack least of any colour.

    Not the lightest: seven dice of sky blue beside four white ones would be taken for white.
    """
    neutral = np.maximum(paint.ink, paint.body)
    least = neutral.min(axis=1)
    return median(neutral[least >= PALE * least.max()])


def _own_white(paint: Paint, seen: Ints, by_ink: bool) -> Floats:
    """Return a guess of white paper: light bodies, or the lightest inks of others."""
    light_bodies = by_ink and float(median(lab_of(paint.body[seen]))[0]) > LIGHT_BODY * 0.7
    neutral = paint.body[seen] if light_bodies else np.maximum(paint.ink[seen], paint.body[seen])
    light = neutral.sum(axis=1)
    best = neutral[light >= np.quantile(light, 0.5)]
    white = np.median(best, axis=0)
    # Ivory and maple are no white: believe only half of what they say of the lamp's colour.
    return np.asarray(np.sqrt(white * white.max()) if by_ink else white)


def _known_lab(known: Known) -> Floats:
    """Return (names, 3) the colours of the owner's set in CIE units."""
    return lab_of(np.array([c[0][::-1] for c in known.palette.values()], dtype=np.float64))


def _cluster(lab: Floats, count: int, sizes: Sequence[int] | None, *, start: Floats | None = None) -> Ints:
    """Return (n,) groups 0.. of the given number, by k-means from many starts, filled to the sizes.

    start: (count, 3) colours that are known to be there: groups near them are preferred, unless others fit far better.
    """
    x = lab * np.array([0.6, 1.0, 1.0])
    rng = np.random.default_rng(1)
    starts = [_spread_start(x, count, rng) for _ in range(12)]
    if start is not None:
        starts.append(start * (0.6, 1.0, 1.0))
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


def _margins(lab: Floats, group: Ints, centre: Floats) -> Floats:
    margin = np.full(len(lab), np.inf)
    if len(centre) < 2:
        return margin
    away = np.linalg.norm((lab[:, None] - centre[None]) * (0.6, 1.0, 1.0), axis=2)
    own = np.where(group >= 0, group, 0)
    mine = away[np.arange(len(lab)), own]
    away[np.arange(len(lab)), own] = np.inf
    return np.asarray(np.where(group >= 0, away.min(axis=1) - mine, 0.0))


def _named(centre_bgr: Floats, known: Known | None) -> tuple[str, ...]:
    """Return the groups' names: those of the owner's set where it has such colours, else the usual ones."""
    if known is not None and 0 < len(centre_bgr) <= len(known.palette):
        cost, names = _names(centre_bgr, _ideals_of(known.palette), list(known.palette))
        if cost <= STRANGE * len(centre_bgr):
            return names
    return plain_names(centre_bgr)


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
    lab = lab_of(255.0 * np.array(lit) ** (1 / 2.2))
    unlike = _unlike(lab.reshape(-1, 3), ideals, len(called)).reshape(len(tries), len(light), -1)
    for (veil, gain), each in zip(tries, unlike, strict=True):
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
