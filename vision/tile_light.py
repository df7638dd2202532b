"""How much light falls on each tile, as the tiles themselves tell: in a shadow colours are compared as in the light.

A person's shadow over half a board makes one colour look like two. But light changes from place to place, colours
change from tile to tile, or from row to row. Where colours are in the ink, all bodies are of one material: what light
they lack, the inks on them lack, too, colour by colour. Where each row has a colour of its own, whatever it is, light
is what changes along the rows, from neighbour to neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Bools, Floats, Ints, median
from vision.paint import Paint, bodies_of
from vision.rectify import Image

ENOUGH, NEIGHBOURS = 12, 5
"""So many tiles tell what light does on a board; the nearest ones to each have nearly its light."""
UNEVEN = 0.2
"""Bodies differ by as much as this from the first to the ninth of ten, a natural logarithm of grey values, or light is
even enough. Those of one material do by 0.07 as a rule, by 0.35 under a lamp at the side."""
SMOOTH, ONE_HUE = 0.2, 0.25
"""Seven of ten tiles differ, in each colour, from the nearest ones by no more than the first share of that, and nearly
all in hue from the usual one by no more than the second, a natural logarithm. With a shadow's edge drawn through 170
traced boards whose colours are in the ink these are 0.02 to 0.25 and 0.02 to 0.15; on 185 whose colours are in the
bodies, however they are lit, 0.35 and 0.34 at least."""
SMOOTH_ROWS, UNEVEN_ROWS = 0.15, 0.25
"""The same of rows, by their light alone: across the edges of shadows 0.03 to 0.2; without any 0.1 to 0.5."""
FOLLOWS = 0.3
"""What inks lack of light over what their bodies lack, at least: those on bodies of black, grey and white, a row each,
do not follow them."""
MOST_LACKING = 2.5
"""No body lacks more light than this, a natural logarithm of grey values, or it is no body."""
AN_EDGE = 0.3
"""Of a body through which a shadow's edge goes one pixel in five is lighter by this than another one in five, a natural
logarithm of grey values: of 5,700 tiles without a shadow that one in 500 is so."""
MANY, MOSTLY = 0.7, 0.85
"""Shares of the tiles that must be so: others lie at edges, under gloss, or where they do not belong."""
LEAST = 2.0
"""Grey values added before logarithms are taken: what is nearly black is noise."""


@dataclass(frozen=True, slots=True)
class TileLight:
    """The light of n tiles."""

    gain: Floats
    """(n, 3) by how many times, blue green red, the grey values of a tile would be those it has in the most light."""
    lit: Bools
    """(n,) which lie in the most light."""
    one_material: bool
    """All bodies are alike, so that the colours are in the inks."""


def light_on_tiles(paint: Paint, *, at: Floats, shown: Bools, row: Ints | None) -> TileLight | None:
    """Return the light of tiles; None where it is even, or nothing tells it from their colours.

    at: (n, 2) where tiles lie, any unit; shown: (n,) which of them show their face; row: (n,) the row of each, where
    each row has a colour of its own, else None.
    """
    seen = np.flatnonzero(shown)
    if len(seen) < ENOUGH:
        return None
    rows = np.zeros(len(seen), dtype=np.int64) if row is None else np.unique(row[seen], return_inverse=True)[1]
    body = np.log(paint.body + LEAST)
    spread = _spread(_within_rows(body[seen].mean(axis=1), rows))
    if spread < UNEVEN:
        return None
    beside = _nearest(at[seen])
    if _of_one_material(body[seen], beside, spread):
        return _by_bodies(body, np.log(paint.ink + LEAST), seen, rows)
    return None if row is None else _by_rows(body, seen, rows, beside)


def _by_bodies(body: Floats, ink: Floats, seen: Ints, rows: Ints) -> TileLight | None:
    """Return the light of tiles whose bodies, (n, 3) logarithms, are alike; None where the inks do not follow them."""
    level, within = body.mean(axis=1), _within_rows(body[seen].mean(axis=1), rows)
    follows = float(within @ _within_rows(ink[seen].mean(axis=1), rows)) / float(within @ within)
    if follows < FOLLOWS:
        return None
    most = float(np.quantile(level[seen], 0.9))
    lacks = median(body[seen][level[seen] >= most - AN_EDGE / 2]) - body
    gain = np.exp(np.clip(lacks, -AN_EDGE, MOST_LACKING))
    return TileLight(gain, lacks.mean(axis=1) < AN_EDGE / 2, True)


def _by_rows(body: Floats, seen: Ints, rows: Ints, beside: Ints) -> TileLight | None:
    """Return the light of tiles whose rows, (s,) of those seen, have a body of one colour each; None if they do not.

    body: (n, 3) logarithms; beside: (s, NEIGHBOURS) the nearest ones of those seen.
    """
    within = np.column_stack([_within_rows(colour, rows) for colour in body[seen].T])
    level = within.mean(axis=1)
    strange = np.linalg.norm(within - level[:, None], axis=1)
    light = level + _of_rows(level, rows, beside)[rows]
    spread = _spread(light)
    if spread < UNEVEN_ROWS or np.quantile(strange, MOSTLY) > ONE_HUE:
        return None
    if np.quantile(np.abs(light - np.median(light[beside], axis=1)), MANY) > SMOOTH_ROWS * spread:
        return None
    # A misplaced tile is not to tell its own light.
    around = np.median(np.column_stack([light, light[beside]]), axis=1)
    lacks = np.zeros(len(body))
    lacks[seen] = np.clip(float(np.quantile(light, 0.9)) - around, 0.0, MOST_LACKING)
    return TileLight(np.tile(np.exp(lacks)[:, None], 3), lacks < AN_EDGE / 2, False)


def _of_rows(level: Floats, rows: Ints, beside: Ints) -> Floats:
    """Return (r,) what is added to the rows' own light, (s,) about the usual one of each, to compare all of it.

    Neighbours in different rows have nearly the same.
    """
    one, other = np.repeat(np.arange(len(rows)), beside.shape[1]), beside.ravel()
    across = rows[one] != rows[other]
    one, other = one[across], other[across]
    row = np.eye(int(rows.max()) + 1)
    # The last line: what is added is nothing, all in all.
    terms = np.vstack([row[rows[one]] - row[rows[other]], np.ones(len(row))])
    return np.asarray(np.linalg.lstsq(terms, np.append(level[other] - level[one], 0.0), rcond=None)[0])


def at_an_edge(picture_bgr: Image, quads_px: Floats) -> Bools:
    """Return (n,) through which tiles a shadow's edge goes: what light their ink has nobody knows.

    quads_px: (n, 4, 2) corners TL TR BR BL in the picture.
    """
    dark, light = np.quantile(np.log(bodies_of(picture_bgr, quads_px).mean(axis=2) + LEAST), (0.2, 0.8), axis=1)
    return np.asarray(light - dark > AN_EDGE)


def _of_one_material(body: Floats, beside: Ints, spread: float) -> bool:
    """Return whether logarithms of bodies (s, 3) differ as light does over a board, by so much from dark to light."""
    step = np.abs(body - np.median(body[beside], axis=1)).max(axis=1)
    hue = body - body.mean(axis=1, keepdims=True)
    strange = np.linalg.norm(hue - median(hue), axis=1)
    return bool(np.quantile(step, MANY) < SMOOTH * spread and np.quantile(strange, MOSTLY) < ONE_HUE)


def _nearest(at: Floats) -> Ints:
    """Return (s, NEIGHBOURS) which of points (s, 2) lie nearest to each."""
    away = np.linalg.norm(at[:, None] - at[None], axis=2)
    np.fill_diagonal(away, np.inf)
    return np.asarray(np.argsort(away, axis=1, kind="stable")[:, :NEIGHBOURS])


def _spread(values: Floats) -> float:
    low, high = np.quantile(values, (0.1, 0.9))
    return float(high - low)


def _within_rows(values: Floats, rows: Ints) -> Floats:
    """Return (s,) how far each value is from the usual one of its row, about zero."""
    out = values.copy()
    for r in np.unique(rows):
        out[rows == r] -= median(values[rows == r])
    return np.asarray(out - out.mean())
