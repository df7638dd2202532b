"""Tiles: from pieces on the felt to a board, with what is certain and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision import blank, colours, infer
from vision.arrange import Arrangement
from vision.colour_names import Known
from vision.felt import Felt
from vision.geometry import Bools, Floats, Ints, quad
from vision.layout import Expectation, Layout
from vision.paint import Paint, measure
from vision.reading import SYMBOLS, Problem, TileReading
from vision.rectify import Image, Tray
from vision.spots import SCORES, Spots, choose, with_holes
from vision.symbols import Look

Value = TypeVar("Value", np.bool_, np.int64)

LEFT_OVER_SCORE = 0.3
"""A piece found this well belongs somewhere: left over, it makes the reading unsure."""
MOST_HOLES = 2
"""More places without a tile than this are not filled in."""
WEAK_SCORE = 0.35
"""A tile found no more certainly than this is asked about."""
BEYOND_DOUBT = 0.9999
"""... unless it fills the one free place of a full layout and its own pixels leave no more doubt than this."""
STANDS_OUT = 0.9
"""... and, if it lies face down, at least this share of its place is not felt."""
UNREADABLE = 0.03
"""Below, `p_unreadable` is the net's own noise."""
EXPLAINED_AWAY, HARDLY = 1e-3, 2e-2
"""A symbol that the pixels of one tile find this unlikely was forced on it by the others: the rule was broken
rather; or hardly fits. Of 352 drawn trays none was helped by a symbol below 0.1."""
TURNABLE = (SYMBOLS.index("6"), SYMBOLS.index("9"))
"""Symbols that are each other upside down."""
COLOUR_MARGIN = 3.0
"""CIE distance by which a tile's colour must be nearer its own group than any other, where colours mix: else it is not
told, and the tile is asked about unless no rule asks for its colour and its own pixels show its symbol."""


@dataclass(frozen=True, slots=True)
class Board:
    """A reading of the tiles alone."""

    layout: Expectation
    tiles: tuple[TileReading, ...]
    problems: Problem
    washed: Floats
    """(n,) share of each spot that is blown out."""
    holes: tuple[tuple[int, int, float, float], ...]
    """As in `Arrangement`: where a tile must lie and none was found."""


def read_board(
    picture_bgr: Image,
    spots: Spots,
    tray: Tray,
    *,
    expect: Expectation,
    white_bgr: Floats | None,
    look: Look,
    ground: Felt,
    known: Known | None = None,
) -> Board:
    """Return what the tiles say. expect: a layout of tiles, or AUTO.

    known: the colours of the owner's set.
    look, ground: for places of a full layout where no tile was found; on bare felt there is none.
    """
    spots = spots.only(spots.score >= SCORES[-1])
    board = _read(picture_bgr, spots, tray, expect, white_bgr, known)
    if 0 < len(board.holes) <= MOST_HOLES:
        spots = with_holes(picture_bgr, spots, board.holes, tray, look, ground)
        again = _read(picture_bgr, spots, tray, expect, white_bgr, known)
        if not again.problems & (Problem.COUNT | Problem.LAYOUT):
            return again
    return board


def _read(
    picture_bgr: Image,
    spots: Spots,
    tray: Tray,
    expect: Expectation,
    white_bgr: Floats | None,
    known: Known | None,
) -> Board:
    all_paint = measure(picture_bgr, spots.quads_px)
    plain, spots = spots, replace(spots, log_probs=blank.with_contrast(spots.log_probs, all_paint))
    marks = colours.marks(all_paint, open_tiles=spots.log_probs.argmax(axis=1) != infer.DOWN)
    chosen, layout, places = choose(spots, tray, expect, marks)
    tiles, paint = spots.only(chosen), all_paint.only(chosen)
    washed = np.where(chosen, all_paint.washed, 0.0)
    if len(places.index) == 0:
        return Board(layout.name, (), Problem.COUNT, washed, ())
    if layout.row_colours:
        # Now that the rows are known; from the net alone, or what was added before would count twice.
        heard = blank.with_contrast(plain.only(chosen).log_probs, paint, _rows(places))
        tiles = replace(tiles, log_probs=heard)
    looks = tiles.log_probs.argmax(axis=1)
    shown = looks == infer.DOWN
    tiles = replace(tiles, log_probs=blank.in_this_light(tiles.log_probs, paint, shown))
    named = _name(paint, tiles, places, layout, down=shown, white_bgr=white_bgr, known=known)
    groups = _groups(places, layout, named)
    post = infer.infer(
        tiles.log_probs,
        groups,
        symbols=layout.mask(),
        down=blank.prior_of_down(shown, _by_piece(places.row, places, len(shown), otherwise=-1)),
        unreadable=np.where(tiles.unreadable > UNREADABLE, tiles.unreadable, infer.FLOOR),
    )
    # What one frame can hardly read says little in every frame.
    evidence = infer.faded(tiles.log_probs, np.where(tiles.unreadable > UNREADABLE, tiles.unreadable, 0.0))
    problems = places.problems
    if bool(_bent(post, tiles, limit=EXPLAINED_AWAY).any()) or bool((post.broken > 0.02).any()):
        problems |= Problem.SET
    doubted = _contested(np.where(_bent(post, tiles, limit=HARDLY), looks, post.best), groups)
    post = _as_it_looks(post, tiles)
    if _left_over(spots, chosen, tiles):
        problems |= Problem.COUNT
    sure = infer.sure(post.confidence)
    found = (tiles.score > WEAK_SCORE) | _plainly_shown(tiles, layout, places)
    certain = sure & _by_piece(~places.doubtful, places, len(tiles.score), otherwise=False) & found
    certain &= ~doubted & ~_contested(post.best, groups) & ~_which_way_up(post, tiles, groups)
    if not layout.full:
        certain &= ~_nothing_shown(post.best == infer.DOWN, _by_piece(places.row, places, len(shown), otherwise=-1))
    told = (named.margin > COLOUR_MARGIN) | layout.row_colours
    certain &= told | (_by_its_own_pixels(post, tiles) & (not layout.colours_count))
    # Whoever is asked sees what it looks like.
    names = [named.name(k) if told[k] or not certain[k] else None for k in range(len(told))]
    readings = [
        _tile(places, n, tiles, post, evidence[k], bool(certain[k]), names[k]) for n, k in enumerate(places.index)
    ]
    return Board(layout.name, tuple(readings), problems, washed, places.holes)


def _plainly_shown(tiles: Spots, layout: Layout, places: Arrangement) -> Bools:
    """Return (n,) tiles that were found, however poorly, where the layout wants one, and leave no doubt what they show.

    A back shows nothing that felt could not show, so it must be more than felt.
    """
    own = infer.soften(tiles.log_probs, floor=0.0)
    beyond = (own.max(axis=1) > BEYOND_DOUBT) & (tiles.unreadable < UNREADABLE)
    there = (own.argmax(axis=1) != infer.DOWN) | (tiles.covered > STANDS_OUT)
    return np.asarray(beyond & there & layout.full & places.fits)


def _nothing_shown(down: Bools, row: Ints) -> Bools:
    """Return (n,) the face-down tiles of rows in which no tile shows anything: their ink may be what nobody can see.

    Where tiles are laid one by one (Draw Bridge, RULES 1) hardly any lies face down. row: (n,) of each tile.
    """
    return np.asarray(down & ~np.isin(row, row[~down]))


def _left_over(spots: Spots, chosen: Bools, tiles: Spots) -> bool:
    """Return whether a piece was found that is no tile of the board, and no shadow of one."""
    rest = spots.centre_mm[~chosen & (spots.score >= LEFT_OVER_SCORE)]
    if len(rest) == 0 or len(tiles.score) == 0:
        return len(rest) > 0
    away = np.linalg.norm(rest[:, None] - tiles.centre_mm[None], axis=2).min(axis=1)
    return bool((away > 0.6 * float(np.median(tiles.size_mm))).any())


def _name(
    paint: Paint,
    tiles: Spots,
    places: Arrangement,
    layout: Layout,
    *,
    down: Bools,
    white_bgr: Floats | None,
    known: Known | None,
) -> colours.Colours:
    """Return the colours: a row's own in `rows`, four mixed ones elsewhere."""
    if not layout.row_colours:
        n = int((~down).sum())
        sizes = [10, 10, 10, 10 + n - 40] if n in (40, 41) else None
        shown = tiles.log_probs.argmax(axis=1)
        return colours.name_colours(
            paint, open_tiles=~down, groups=None, white_bgr=white_bgr, sizes=sizes, known=known, numbers=shown
        )
    rows = _rows(places)
    visible = ~down
    if down.any() and colours.backs_show_colour(paint, rows, down):
        visible = np.ones_like(down)
    return colours.name_colours(paint, open_tiles=visible, groups=rows, white_bgr=white_bgr, known=known)


def _rows(places: Arrangement) -> list[list[int]]:
    return [places.index[places.row == r].tolist() for r in np.unique(places.row)]


def _groups(places: Arrangement, layout: Layout, named: colours.Colours) -> list[list[int]]:
    """Return the tiles that share one set of symbols: a row's, or a colour's where colours are mixed."""
    if layout.row_colours:
        return _rows(places)
    by_colour = [np.flatnonzero(named.group == g).tolist() for g in range(len(named.names))]
    return [g for g in by_colour if g] + [[int(k)] for k in np.flatnonzero(named.group < 0)]


def _bent(post: infer.Posterior, tiles: Spots, *, limit: float) -> Bools:
    """Return (n,) tiles that plainly show something, but hardly what the others leave over for them."""
    own = infer.soften(tiles.log_probs)
    return np.asarray(
        (own[np.arange(len(own)), post.best] < limit) & (own.max(axis=1) > 0.5) & (tiles.unreadable < 0.5)
    )


def _by_its_own_pixels(post: infer.Posterior, tiles: Spots) -> Bools:
    """Return (n,) tiles that show what they are read as beyond doubt, whichever set they belong to."""
    own = infer.soften(tiles.log_probs)[np.arange(len(post.best)), post.best]
    return np.asarray((1.0 - own <= infer.DOUBT_PER_TILE) & (tiles.unreadable < UNREADABLE))


def _as_it_looks(post: infer.Posterior, tiles: Spots) -> infer.Posterior:
    """Return what is shown: a tile that the rule bent a long way shows what it looks like, to be asked about."""
    bent = _bent(post, tiles, limit=EXPLAINED_AWAY)
    return replace(post, best=np.where(bent, tiles.log_probs.argmax(axis=1), post.best))


def _contested(shown: Ints, groups: list[list[int]]) -> Bools:
    """Return (n,) tiles that show what another tile of their group shows too."""
    out = np.zeros(len(shown), dtype=bool)
    for group in groups:
        here = shown[group]
        out[group] = (here != infer.DOWN) & (np.bincount(here, minlength=len(SYMBOLS))[here] > 1)
    return out


def _which_way_up(post: infer.Posterior, tiles: Spots, groups: list[list[int]]) -> Bools:
    """Return (n,) sixes and nines of which it is not clear which way up they lie.

    A group that shows both has one of each, and both would have to lie the wrong way round.
    """
    turnable = np.isin(post.best, TURNABLE)
    out = turnable & (tiles.upside_down > 0.15) & (tiles.upside_down < 0.85)
    for group in groups:
        if turnable[group].sum() == len(TURNABLE) and not out[group].all():
            out[group] &= bool(out[group].sum() == len(TURNABLE))
    return np.asarray(out)


def _by_piece(values: NDArray[Value], places: Arrangement, n: int, *, otherwise: Value | int | bool) -> NDArray[Value]:
    """Return (n,) by piece what is said place by place; `otherwise` of a piece without a place."""
    out = np.full(n, otherwise, dtype=values.dtype)
    out[places.index] = values
    return out


def _tile(
    places: Arrangement, n: int, tiles: Spots, post: infer.Posterior, evidence: Floats, sure: bool, colour: str | None
) -> TileReading:
    k = int(places.index[n])
    return TileReading(
        row=int(places.row[n]),
        column=int(places.column[n]),
        symbol=SYMBOLS[int(post.best[k])],
        colour=colour,
        sure=sure,
        confidence=float(post.confidence[k]),
        corners=quad(_own_corners(tiles, k)),
        likely=_likely(post, k),
        evidence=tuple(evidence.tolist()),
    )


def _own_corners(tiles: Spots, k: int) -> Floats:
    """Return (4, 2) TL TR BR BL of the tile itself: turned half round where its arcs are."""
    return np.roll(tiles.quads_px[k], 2, axis=0) if tiles.upside_down[k] > 0.5 else tiles.quads_px[k]


def refit(tiles: Sequence[TileReading], evidence: Floats, *, layout: Layout) -> tuple[TileReading, ...]:
    """Return tiles read anew from other evidence (several frames' added up), in the places they have.

    evidence: (n, 12) log-likelihoods. A tile that was doubted for another reason than its symbol (its place,
    its colour) stays doubted.
    """
    groups = _groups_of(tiles, layout)
    shown = np.array([t.symbol == "down" for t in tiles])
    post = infer.infer(
        evidence,
        groups,
        symbols=layout.mask(),
        down=blank.prior_of_down(shown, np.array([t.row for t in tiles], dtype=np.int64)),
    )
    certain = infer.sure(post.confidence) & ~_contested(post.best, groups)
    out = []
    for k, tile in enumerate(tiles):
        doubted = not tile.sure and tile.confidence >= 1.0 - infer.DOUBT_PER_TILE
        out.append(_with_posterior(tile, k, post, evidence, bool(certain[k]) and not doubted))
    return tuple(out)


def _groups_of(tiles: Sequence[TileReading], layout: Layout) -> list[list[int]]:
    kinds: dict[object, list[int]] = {}
    for k, tile in enumerate(tiles):
        shared = tile.row if layout.row_colours else tile.colour
        kinds.setdefault(("alone", k) if shared is None else shared, []).append(k)
    return list(kinds.values())


def _with_posterior(tile: TileReading, k: int, post: infer.Posterior, evidence: Floats, sure: bool) -> TileReading:
    return replace(
        tile,
        symbol=SYMBOLS[int(post.best[k])],
        sure=sure,
        confidence=float(post.confidence[k]),
        likely=_likely(post, k),
        evidence=tuple(evidence[k].tolist()),
    )


def _likely(post: infer.Posterior, k: int) -> tuple[tuple[str, float], ...]:
    p = post.marginals[k].tolist()
    order = sorted(range(len(p)), key=lambda s: -p[s])[:5]
    return tuple((SYMBOLS[s], p[s]) for s in order if p[s] > 1e-5)
