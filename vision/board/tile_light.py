"""How much light falls on each tile, as the tiles themselves tell: in a shadow colours are compared as in the light.

A person's shadow over half a board makes one colour look like two. But light changes from place to place, colours
change from tile to tile, or from row to row. Where colours are in the ink, all bodies are of one material: what light
they lack, the inks on them lack, too, colour by colour. Where each row has a colour of its own, whatever it is, light
is what changes along the rows, from neighbour to neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.colour.paint import Paint, bodies_of
from vision.geometry import Bools, Floats, Ints, median
from vision.ground.felt import Felt
from vision.ground.local_light import felt_beside
from vision.tray.rectify import Image

ENOUGH, NEIGHBOURS = 12, 5
"""So many tiles tell what light does on a board; the nearest ones to each have nearly its light."""
UNEVEN = 0.2
"""Bodies differ by as much as this from the first to the ninth of ten, a natural logarithm of grey values, or light is
even enough. Those of one material do by 0.07 as a rule, by 0.35 under a lamp at the side."""
SMOOTH, ONE_HUE = 0.2, 0.25
"""Seven of ten tiles differ, in each colour, from the nearest ones by no more than the first share of that, and nearly
all in hue from the usual one by no more than the second, a natural logarithm. With a shadow's edge drawn through 159
traced boards whose colours are in the ink these are 0.02 to 0.2 and 0.01 to 0.15 as a rule, more where shadows have
another colour; on 185 whose colours are in the bodies, mixed or a row each, however they are lit, 0.3 and 0.3 at
least. Four greys that lie sorted pass, but not the felt beside them (SO_DOES_FELT)."""
SMOOTH_ROWS, ONE_HUE_ROWS, UNEVEN_ROWS = 0.15, 0.25, 0.25
"""The same of rows, by their light alone, of how their tiles differ in hue from the row's usual one, and least spread:
across the edges of shadows 0.02 to 0.2 and 0.02 to 0.2; without any the first are 0.06 to 0.5."""
FOLLOWS = (0.3, 2.5)
"""What inks lack of light over what their bodies lack: those on bodies of black, grey and white, a row each, do not
follow them, and a lamp's veil changes inks more than what is light."""
SO_DOES_FELT = 0.25
"""What the felt beside tiles lacks of light over what these lack, at least: bodies of four greys that lie sorted are as
light is, but on felt in even light."""
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


def light_on_tiles(
    paint: Paint, *, at: Floats, shown: Bools, row: Ints | None, by_ink: bool | None = None
) -> TileLight | None:
    """Return the light of tiles; None where it is even, or nothing tells it from their colours.

    at: (n, 2) where tiles lie, any unit; shown: (n,) which of them show their face, the others have the light of the
    nearest of these; row: (n,) the row of each, where each row has a colour of its own, else None. by_ink: False where
    bodies are known to have the colours.
    """
    seen = np.flatnonzero(shown)
    if len(seen) < ENOUGH:
        return None
    rows = np.zeros(len(seen), dtype=np.int64) if row is None else np.unique(row[seen], return_inverse=True)[1]
    body = _Tone.of(paint.body[seen])
    spread = _spread(_within_rows(body.level, rows))
    if spread < UNEVEN:
        return None
    beside = _nearest(at[seen])
    if by_ink is not False and _of_one_material(body, beside, spread):
        light = _by_bodies(body, _Tone.of(paint.ink[seen]), rows)
    else:
        light = None if row is None else _by_rows(body, rows, beside)
    if light is None:
        return None
    own = np.linalg.norm(at[:, None] - at[seen], axis=2).argmin(axis=1)
    own[seen] = np.arange(len(seen))
    return TileLight(light.gain[own], light.lit[own], light.one_material)


def differ_smoothly(paint: Paint, *, at: Floats, shown: Bools) -> bool:
    """Return whether bodies differ from place to place as light does, in one hue, whatever felt and inks say of that.

    A lamp that black tiles mirror makes grey and white ones of them, and leaves the felt as it is: which tiles share a
    colour their bodies do not tell then. at, shown: as of `light_on_tiles`.
    """
    seen = np.flatnonzero(shown)
    if len(seen) < ENOUGH:
        return False
    body = _Tone.of(paint.body[seen])
    spread = _spread(body.level)
    return spread >= UNEVEN and _of_one_material(body, _nearest(at[seen]), spread)


def felt_agrees(light: TileLight, ground: Felt, quads_mm: Floats) -> bool:
    """Return whether felt lacks light where tiles do; so it is taken to be where too little of it is seen beside them.

    quads_mm: (n, 4, 2) where the tiles lie.
    """
    felt, _, told = felt_beside(ground, quads_mm)
    tiles = np.log(light.gain.mean(axis=1))[told]
    apart = tiles - tiles.mean() if len(tiles) else tiles
    if len(tiles) < ENOUGH or _spread(tiles) < UNEVEN:
        return True
    return float(apart @ felt[told]) > SO_DOES_FELT * float(apart @ apart)


@dataclass(frozen=True, slots=True)
class _Tone:
    """The colours of n tiles."""

    log: Floats
    """(n, 3) natural logarithms of grey values."""
    level: Floats
    """(n,) of all three together."""
    weight: Floats
    """(n, 3) how much each of a colour's three says, up to 1: what is nearly black is noise."""

    @classmethod
    def of(cls, bgr: Floats) -> _Tone:
        most = np.maximum(bgr.max(axis=1, keepdims=True), LEAST)
        return cls(np.log(bgr + LEAST), np.log(bgr.mean(axis=1) + LEAST), bgr / most)


def _by_bodies(body: _Tone, ink: _Tone, rows: Ints) -> TileLight | None:
    """Return the light of tiles whose bodies are alike; None where the inks do not follow them."""
    within = _within_rows(body.level, rows)
    follows = float(within @ _within_rows(ink.level, rows)) / float(within @ within)
    if not FOLLOWS[0] < follows < FOLLOWS[1]:
        return None
    most = float(np.quantile(body.level, 0.9))
    lacks = median(body.log[body.level >= most - AN_EDGE / 2]) - body.log
    gain = np.exp(np.clip(lacks, -AN_EDGE, MOST_LACKING))
    return TileLight(gain, lacks.mean(axis=1) < AN_EDGE / 2, True)


def _by_rows(body: _Tone, rows: Ints, beside: Ints) -> TileLight | None:
    """Return the light of tiles whose rows, (n,), have a body of one colour each; None if they do not.

    beside: (n, NEIGHBOURS) the nearest ones.
    """
    within = np.column_stack([_within_rows(colour, rows) for colour in body.log.T])
    level = _within_rows(body.level, rows)
    strange = np.linalg.norm((within - level[:, None]) * body.weight, axis=1)
    light = level + _of_rows(level, rows, beside)[rows]
    spread = _spread(light)
    if spread < UNEVEN_ROWS or np.quantile(strange, MOSTLY) > ONE_HUE_ROWS:
        return None
    if np.quantile(np.abs(light - np.median(light[beside], axis=1)), MANY) > SMOOTH_ROWS * spread:
        return None
    # A misplaced tile is not to tell its own light.
    around = np.median(np.column_stack([light, light[beside]]), axis=1)
    lacks = np.clip(float(np.quantile(light, 0.9)) - around, 0.0, MOST_LACKING)
    return TileLight(np.tile(np.exp(lacks)[:, None], 3), lacks < AN_EDGE / 2, False)


def _of_rows(level: Floats, rows: Ints, beside: Ints) -> Floats:
    """Return (r,) what is added to the rows' own light, (n,) about the usual one of each, to compare all of it.

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


def _of_one_material(body: _Tone, beside: Ints, spread: float) -> bool:
    """Return whether bodies differ as light does over a board, by so much from dark to light."""
    step = (np.abs(body.log - np.median(body.log[beside], axis=1)) * body.weight).max(axis=1)
    hue = body.log - body.level[:, None]
    strange = np.linalg.norm((hue - median(hue)) * body.weight, axis=1)
    return bool(np.quantile(step, MANY) < SMOOTH * spread and np.quantile(strange, MOSTLY) < ONE_HUE)


def _nearest(at: Floats) -> Ints:
    """Return (n, NEIGHBOURS) which of points (n, 2) lie nearest to each."""
    away = np.linalg.norm(at[:, None] - at[None], axis=2)
    np.fill_diagonal(away, np.inf)
    return np.asarray(np.argsort(away, axis=1, kind="stable")[:, :NEIGHBOURS])


def _spread(values: Floats) -> float:
    low, high = np.quantile(values, (0.1, 0.9))
    return float(high - low)


def _within_rows(values: Floats, rows: Ints) -> Floats:
    """Return (n,) how far each value is from the usual one of its row, about zero."""
    out = values.copy()
    for r in np.unique(rows):
        out[rows == r] -= median(values[rows == r])
    return np.asarray(out - out.mean())
