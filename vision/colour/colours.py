"""What colour the tiles are, in plain English.

A tile's colour is its body's, or its ink's where all bodies are alike and light. Which of the two is
decided for the whole tray at once, as are the groups (tiles of one colour) and the names: four groups get
four different names, the set of names that explains all of them best. The lamp's colour is taken out first,
by the white paper of the markers or, without any, by what should be neutral on the tiles themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.colour import mixed
from vision.colour.clusters import cluster
from vision.colour.colour_names import STRANGE, Known, named, unlike
from vision.colour.loose_colours import SURE, parted
from vision.colour.loose_paint import LoosePaint
from vision.colour.misplaced import rows_they_are_of
from vision.colour.paint import WHITE_PAPER, Paint, as_a_lamp, balance, lab_of
from vision.geometry import Bools, Floats, Ints, median
from vision.infer import DOWN

WEIGHTS = (0.6, 1.0, 1.0)
"""Of lightness and the two hues, where colours are compared: light differs over a tray."""
LIGHT_BODY = 58.0
"""CIE L* above which a body may be a light one with coloured ink."""
PALE = 0.8
"""Pieces are as good as white if they have this share of the palest one's weakest colour."""
CLEARER = 0.7
"""Colours are taken to be paled by a lamp, and tiles to lie in a shadow, where they scatter within their groups less
than this, over before, without."""
ALIKE = 22.0
"""CIE distance within which the bodies of all tiles are of one material."""
NEARER = 0.5
"""A die is surely of one of the owner's colours that is so much nearer than the next, where light made more groups of
his dice than he has colours."""
AS_WHITE, GREY, GREY_LIGHT = 235.0, 15.0, (35.0, 88.0)
"""Grey value of a die's weakest colour from which light may make it white; CIE chroma below which dice are grey, and
lightness between which they are neither black nor white: light made four of six grey dice as white as five others."""
BESIDE = 0.5
"""How much what seems to carry no colour counts where tiles are told apart before anything is known of their rows: two
tiles of black bodies, one of orange ink and one of red, passed for one row, surely. Of 110 pairs of a first turn, 30 of
one row, inks of one differ by 4 (median; at most 17, CIE units), others' by 43, or their bodies do."""
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
    misplaced: Bools
    """(n,) which lie in a row of another colour."""

    def untold(self, which: Bools) -> Colours:
        """Return the same, but of some tiles, (n,), nobody can say which colour they have."""
        return replace(self, margin=np.where(which, 0.0, self.margin))

    def name(self, tile: int) -> str | None:
        """Return the plain name of a tile's colour; None where none can be seen."""
        g = int(self.group[tile])
        return None if g < 0 else self.names[g]


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
    at: Floats | None = None,
    by_ink: bool | None = None,
) -> Colours:
    """Return the groups of one colour and their names.

    open_tiles: (n,) tiles that show their face. groups: indices of tiles that share a colour (rows), but for misplaced
    ones; None where colours are mixed: then `count` groups are sought. sizes: how many tiles each group must hold,
    where the rules say (any order). white_bgr: what white paper looks like in this light. known: the colours that the
    owner's set has; None where nobody taught them.
    numbers: (n,) what each tile shows, as index into SYMBOLS; None where nobody says: then none is misplaced. Each
    number comes once in each colour: where these are mixed, tiles of nearly one colour are told apart by that, and in
    rows exchanged ones. at: (n, 2) where the tiles lie, any unit: by that is seen how a lamp pales ink where colours
    are mixed; None where nobody says.
    """
    n = len(paint.body)
    seen = np.flatnonzero(open_tiles)
    if len(seen) == 0:
        return unseen(n)
    if known is not None:
        by_ink = known.by_ink
    elif by_ink is None:
        by_ink = _by_ink(lab_of(paint.body[seen]), lab_of(paint.ink[seen]))
    white = white_bgr if white_bgr is not None else _own_white(paint, seen, by_ink)
    body = balance(paint.body, white)
    balanced = balance(paint.ink, white) if by_ink else body
    lab = lab_of(balanced)
    group, misplaced = np.full(n, -1), np.zeros(n, dtype=bool)
    if groups is not None:
        group, misplaced = _of_rows(lab, [[i for i in g if open_tiles[i]] for g in groups], numbers)
    else:
        start = _known_lab(known) * WEIGHTS if known is not None and len(known.palette) == count <= len(seen) else None
        told = None if numbers is None else numbers[seen]
        share_out = partial(_shared_out, count=count, sizes=sizes, start=start, numbers=told)
        group[seen] = share_out(lab[seen])
        if known is None and at is not None:
            pale = body[seen] if by_ink else np.tile(WHITE_PAPER, (len(seen), 1))
            lab[seen], group[seen] = _unpaled(lab[seen], lab_of(pale), group[seen], at[seen], share_out)
    centre = np.array([_deepest(balanced[group == g], lab[group == g]) for g in range(int(group.max()) + 1)])
    margin = _margins(lab, group, lab_of(centre))
    if groups is None and numbers is not None:
        swap = mixed.swap_margins(lab[seen] * WEIGHTS, group[seen], numbers[seen], count=count)
        margin[seen] = margin[seen] if swap is None else np.maximum(margin[seen], swap)
    on = np.array([median(body[group == g]) for g in range(len(centre))]) if by_ink else None
    return Colours(group, named(centre, known, on), margin, by_ink, misplaced)


def _of_rows(lab: Floats, rows: Sequence[Sequence[int]], numbers: Ints | None) -> tuple[Ints, NDArray[np.bool_]]:
    """Return which colour each tile has (n,), -1 for none, and (n,) which lie in another one's row.

    rows: of each the indices of its open tiles, some rows without any; numbers: as of `name_colours`.
    """
    n = len(lab)
    group, misplaced = np.full(n, -1), np.zeros(n, dtype=bool)
    used = [row for row in rows if row]
    colour_of = rows_they_are_of(lab * WEIGHTS, used, numbers if numbers is not None else np.full(n, DOWN))
    for r, row in enumerate(used):
        misplaced[row] = colour_of[row] != r
    # Both tiles of a row of two may be misplaced: nothing is of that row's colour then.
    in_rows = colour_of >= 0
    group[in_rows] = np.unique(colour_of[in_rows], return_inverse=True)[1]
    return group, misplaced


def clearer(found: Colours, paint: Paint, other: Colours, other_paint: Paint) -> bool:
    """Return whether colours scatter plainly less within their groups than other colours, of the same open tiles, do.

    Of inks and of bodies nobody says which scatter less.
    """
    if found.by_ink is not other.by_ink:
        return False
    seen = found.group >= 0
    now, before = (lab_of((p.ink if found.by_ink else p.body)[seen]) for p in (paint, other_paint))
    return _parted_better(now, found.group[seen], before, other.group[seen])


def _parted_better(lab: Floats, group: Ints, before: Floats, group_before: Ints) -> bool:
    """Return whether colours (n, 3) scatter plainly less within their groups than they did within others."""
    return mixed.scatter(lab * WEIGHTS, group) < CLEARER * mixed.scatter(before * WEIGHTS, group_before)


def unseen(n: int) -> Colours:
    """Return the colours of n tiles of which nobody can see any."""
    return Colours(np.full(n, -1), (), np.zeros(n), False, np.zeros(n, dtype=bool))


def _shared_out(
    lab: Floats, *, count: int, sizes: Sequence[int] | None, start: Floats | None, numbers: Ints | None
) -> Ints:
    """Return (n,) which colours (n, 3) are one: `count` of them, each number once in each where these are told."""
    points = lab * WEIGHTS
    group = cluster(points, min(count, len(lab)), sizes, start=start)
    return group if numbers is None else mixed.shared_out(points, group, numbers, count=count)


def _unpaled(
    lab: Floats, pale: Floats, group: Ints, at: Floats, share_out: Callable[[Floats], Ints]
) -> tuple[Floats, Ints]:
    """Return colours (n, 3) and their groups (n,): as they are, or evened out if that parts them better.

    pale: (n, 3) what a lamp's veil draws them towards: inks towards their bodies, bodies towards white.
    """
    even = mixed.as_bold_everywhere(lab, pale, group, at)
    other = share_out(even)
    return (even, other) if _parted_better(even, other, lab, group) else (lab, group)


def _deepest(bgr: Floats, lab: Floats) -> Floats:
    """Return (3,) the colour of a group: gloss only ever lightens and greys, so the darker half speaks."""
    dark = np.argsort(lab[:, 0], kind="stable")[: max(1, len(lab) // 2)]
    return median(bgr[dark])


def marks(paint: Paint, *, open_tiles: NDArray[np.bool_]) -> Floats:
    """Return (n, 6) a colour for each tile in CIE units, lightness weighed less; NaN for face-down ones.

    That in which the colour seems to be, of bodies or of ink, and BESIDE of the other. Good for telling which tiles
    belong together before anything is known of rows or names.
    """
    out = np.full((len(paint.body), 6), np.nan)
    if open_tiles.any():
        body, ink = lab_of(paint.body), lab_of(paint.ink)
        told, other = (ink, body) if _by_ink(body[open_tiles], ink[open_tiles]) else (body, ink)
        seen = np.concatenate([told, BESIDE * other], axis=1) * (0.5, 1.0, 1.0, 0.5, 1.0, 1.0)
        out[open_tiles] = seen[open_tiles]
    return out


def name_loose(
    shown: LoosePaint, *, white_bgr: Floats | None = None, known: Known | None = None
) -> tuple[Colours, NDArray[np.bool_]]:
    """Return the colours of dice, of which nobody says how many colours there are, and (n,) which are sure.

    Which dice belong together: `vision.colour.loose_colours`.
    """
    paint = shown.paint
    white = white_bgr if white_bgr is not None else _palest(paint)
    balanced = balance(paint.body, white)
    lab = lab_of(balanced)
    group, likely = parted(shown.shown(white))
    sure = (likely >= SURE) & ~_perhaps_grey(paint.body, lab, group)
    if known is not None and int(group.max()) >= len(known.palette):
        # More groups than the owner has colours: light made several of one.
        away = unlike(lab, known)
        if float(away.min(axis=1).max()) <= STRANGE:
            group = np.unique(away.argmin(axis=1), return_inverse=True)[1].reshape(-1)
            sure = _plainly(away)
    centre = np.array([median(balanced[group == g]) for g in range(int(group.max()) + 1)])
    return Colours(group, named(centre, known), _margins(lab, group, lab_of(centre)), False, np.zeros_like(sure)), sure


def _perhaps_grey(body: Floats, lab: Floats, group: Ints) -> NDArray[np.bool_]:
    """Return (n,) which dice light may have made white where grey ones lie, too: how light they are nobody can say.

    body: (n, 3) as the picture shows them; lab: (n, 3) CIE, in white light; group: (n,) of each.
    """
    blown = body.min(axis=1) >= AS_WHITE
    middle = {g: median(lab[group == g]) for g in np.unique(group).tolist()}
    low, high = GREY_LIGHT
    grey = [g for g, (light, a, b) in middle.items() if np.hypot(a, b) < GREY and low < light < high]
    return np.asarray(blown & (len(grey) > np.isin(group, grey)))


def _plainly(away: Floats) -> NDArray[np.bool_]:
    """Return (n,) which pieces are plainly nearest to one of the owner's colours. away: (n, colours) as of `unlike`."""
    if away.shape[1] == 1:
        return np.ones(len(away), dtype=bool)
    nearest, next_ = np.sort(away, axis=1)[:, :2].T
    return np.asarray(nearest < NEARER * next_)


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
    if _dark_ink_on_light(body, ink):
        return alike and inks_vary > bodies_vary
    return alike and inks_vary > max(PLAINLY * bodies_vary, INKS_APART)


def _dark_ink_on_light(body: Floats, ink: Floats) -> bool:
    """Return whether bodies are light, and their ink darker. body, ink: (n, 3) CIE."""
    return bool(median(body[:, 0]) > LIGHT_BODY * 0.7 and median(body[:, 0] - ink[:, 0]) > 0)


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
    return as_a_lamp(median(neutral[least >= PALE * least.max()]))


def _own_white(paint: Paint, seen: Ints, by_ink: bool) -> Floats:
    """Return a guess of white paper: light bodies, or the lightest inks of others."""
    # Nothing on the tray is lighter than white, as light ink on middling bodies would be.
    light_bodies = by_ink and _dark_ink_on_light(lab_of(paint.body[seen]), lab_of(paint.ink[seen]))
    neutral = paint.body[seen] if light_bodies else np.maximum(paint.ink[seen], paint.body[seen])
    light = neutral.sum(axis=1)
    best = neutral[light >= np.quantile(light, 0.5)]
    white = np.median(best, axis=0)
    # Ivory and maple are no white: believe only half of what they say of the lamp's colour.
    return np.asarray(np.sqrt(white * white.max()) if by_ink else as_a_lamp(white))


def _known_lab(known: Known) -> Floats:
    """Return (names, 3) the colours of the owner's set in CIE units."""
    return lab_of(np.array([c[0][::-1] for c in known.palette.values()], dtype=np.float64))


def _margins(lab: Floats, group: Ints, centre: Floats) -> Floats:
    margin = np.full(len(lab), np.inf)
    if len(centre) < 2:
        return margin
    away = np.linalg.norm((lab[:, None] - centre[None]) * WEIGHTS, axis=2)
    own = np.where(group >= 0, group, 0)
    mine = away[np.arange(len(lab)), own]
    away[np.arange(len(lab)), own] = np.inf
    return np.asarray(np.where(group >= 0, away.min(axis=1) - mine, 0.0))
