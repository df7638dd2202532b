"""Tiles: from pieces on the felt to a board, with what is certain and what is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from vision import infer
from vision.board import blank, on_others
from vision.board.arrange import Arrangement
from vision.board.certainty import Case, by_piece, contested, hidden_tiles, says_nothing, unknown_hand
from vision.board.lines_below import lined_others
from vision.board.smeared import smeared
from vision.board.spots import FORGOTTEN, LEFT_OVER_SCORE, SCORES, Spots, choose, with_holes
from vision.board.strangers import of_another_set, strangers, wild_of_no_row
from vision.board.tile_colours import Namer, groups_of, rows_of
from vision.board.upright import as_arcs_show
from vision.colour import colours
from vision.colour.colour_names import Known
from vision.colour.paint import Paint, clips, measure, pixels_of, shows_colours
from vision.crops import kin
from vision.crops.symbols import Look
from vision.geometry import Bools, Floats, Ints, nearest, quad
from vision.ground.felt import BARE, Felt
from vision.ground.local_light import is_even
from vision.ground.weave import Smoother
from vision.ground.white import Papers
from vision.layout import LAYOUTS, Expectation, Layout
from vision.reading import INCOMPLETE, SYMBOLS, Problem, TileReading
from vision.tray.rectify import Image, Tray

MOST_HOLES = 10
"""More places without a tile than this are not filled in. Where more than FORGOTTEN are, each is asked about: of 1,600
hard drawn boards 1,553 are right after the taps that are asked for (1,548 where no more than two are filled in)."""
MOST_DISPUTED = 8
"""More tiles than this that break the rule of the set are not a mistake of the eye: two sets, or no row of one set. Of
the others a closer look by all nets shows whether the table broke the rule, or the net erred and was sure of it. Two of
1,428 lawful traced boards are shown right for it, and asked about as before; of 500 drawn ones on which a number lay
twice all are asked about, too, 437 shown as they lie (443 without)."""
COLOUR_MARGIN = 3.0
"""CIE distance by which a tile's colour must be nearer its own group than any other, where colours mix: else it is not
told, and the tile is asked about unless no rule asks for its colour and its own pixels show its symbol."""


HARDLY_FOUND, LEGIBLE = 0.55, 0.99
"""What has the felt's colour, was found less well than the first and shows no symbol likelier than the second is none
of the tiles of a full board, all of which are there: a fibre (found at 0.33 to 0.48 on 5 of 1,302 boards, with 0.94 at
most). No tile that was left over on them had the felt's colour."""


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
    extra_px: Floats
    """(k, 4, 2) in the picture: what was found and is no tile of the board."""
    disputed: Ints
    """(d,) which spots are tiles by which the rule of the set is broken."""


def read_board(
    picture_bgr: Image,
    spots: Spots,
    tray: Tray,
    *,
    expect: Expectation,
    look: Look,
    ground: Felt,
    smoother: Smoother,
    known: Known | None = None,
    lie_on_others: on_others.Look | None = None,
    sides: Look | None = None,
    closely: Look | None = None,
) -> Board:
    """Return what the tiles say. expect: a layout of tiles, or AUTO.

    known: the colours of the owner's set. lie_on_others: as of `vision.eyes.Eyes`; None: nobody looks whether they do.
    look, ground, smoother: for places of a full layout where no tile was found; on bare felt there is none; the first
    for what lies upside down, too. sides: at which a tile may be upright; None: as `look`. closely: for tiles by which
    the rule of the set is broken, by the table or by the eye; None: what they show is left as it is.
    """
    spots = spots.only(spots.score >= SCORES[-1])
    # Where colours may be mixed that of a row tells nothing of its tiles.
    in_rows = expect is not Expectation.AUTO and LAYOUTS[expect].row_colours
    papers = Papers.of(picture_bgr, tray)
    even = in_rows and bool(papers.lit().all()) and is_even(ground, tray.to_mm(spots.quads_px))
    namer = Namer(picture_bgr, tray, ground, known, in_rows=in_rows, even=even, papers=papers)
    upright = partial(as_arcs_show, picture_bgr, look=look, sides=sides or look)
    read = partial(
        _read, picture_bgr, tray=tray, expect=expect, namer=namer, lie_on_others=lie_on_others, upright=upright
    )
    board, ask = read(spots), np.zeros(0, dtype=np.int64)
    if 0 < len(board.holes) <= MOST_HOLES:
        filled = with_holes(picture_bgr, spots, board.holes, tray, look, ground, smoother)
        # Nobody forgets more tiles than that, but nobody is to miss it either.
        many = np.arange(len(spots.score), len(filled.score)) if len(board.holes) > FORGOTTEN else ask
        again = read(filled, ask=many)
        if not again.problems & INCOMPLETE:
            board, spots, ask = again, filled, many
    if closely is None or board.problems & INCOMPLETE or not 0 < len(board.disputed) <= MOST_DISPUTED:
        return board
    heard = spots.log_probs.copy()
    heard[board.disputed] = kin.look_closely(picture_bgr, spots.quads_px[board.disputed], closely)
    return read(replace(spots, log_probs=heard), once_disputed=board.disputed, ask=ask)


def _read(
    picture_bgr: Image,
    spots: Spots,
    *,
    tray: Tray,
    expect: Expectation,
    namer: Namer,
    lie_on_others: on_others.Look | None,
    upright: Callable[[Spots, Ints, list[list[int]]], Spots],
    once_disputed: Ints | tuple[()] = (),
    ask: Ints | tuple[()] = (),
) -> Board:
    """upright: `as_arcs_show` of this picture. ask: indices of spots that are asked about whatever they show.

    once_disputed: of those that broke the rule of the set before they were looked at closely.
    """
    all_paint = measure(picture_bgr, spots.quads_px)
    plain, spots = spots, replace(spots, log_probs=blank.with_contrast(spots.log_probs, all_paint))
    marks = colours.marks(all_paint, open_tiles=spots.log_probs.argmax(axis=1) != infer.DOWN)
    chosen, layout, places = choose(spots, tray, expect, marks)
    tiles, paint, at = spots.only(chosen), all_paint.only(chosen), np.flatnonzero(chosen)
    washed = np.where(chosen, all_paint.washed, 0.0)
    if len(places.index) == 0:
        return Board(layout.name, (), Problem.COUNT, washed, (), spots.quads_px, np.zeros(0, dtype=np.int64))
    if layout.row_colours:
        # Now that the rows are known; from the net alone, or what was added before would count twice.
        heard = blank.with_contrast(plain.only(chosen).log_probs, paint, rows_of(places))
        tiles = replace(tiles, log_probs=heard)
    looks = tiles.log_probs.argmax(axis=1)
    down = looks == infer.DOWN
    shows = _light_shows_ink(picture_bgr, tiles, paint, down, places) if layout.row_colours else None
    tiles = replace(tiles, log_probs=blank.in_this_light(tiles.log_probs, paint, down, shows))
    named = colours.unseen(len(looks))
    if shows_colours(picture_bgr):
        named = namer.name(paint, tiles, places, layout, down=down)
    groups, closely_seen = groups_of(places, layout, named), np.isin(at, once_disputed)
    seen, tiles = tiles, upright(tiles, looks, groups)
    other_way = (tiles.log_probs != seen.log_probs).any(axis=1)
    looks = np.where(other_way, tiles.log_probs.argmax(axis=1), looks)
    told = ~named.misplaced if layout.row_colours else named.margin > COLOUR_MARGIN
    post, mute = _posterior(tiles, places, layout, groups, looks, closely_seen)
    hidden = _hidden(picture_bgr, tiles, places, paint, looks, layout) | np.isin(at, ask)
    hidden |= lined_others(picture_bgr, tiles.own_corners(), paint, post.best, tiles.log_probs)
    if lie_on_others is not None:
        hidden |= on_others.on_others(picture_bgr, tiles, places, lie_on_others, full=layout.full)
    case = Case(tiles, mute, places, layout, groups, looks, post, told, hidden, paint.contrast(), closely_seen)
    problems = places.problems | (Problem.SET if case.set_broken else Problem.NONE)
    extra = _left_over(spots, chosen, tiles)
    if layout.full and places.fits:
        extra &= ~_lint(plain)
    if extra.any():
        problems |= Problem.COUNT
    disputed = at[case.disputed()]
    return Board(layout.name, _readings(case, named), problems, washed, places.holes, spots.quads_px[extra], disputed)


def _light_shows_ink(picture_bgr: Image, tiles: Spots, paint: Paint, down: Bools, places: Arrangement) -> Bools | None:
    """Return (n,) in whose light the ink of its row is seen; None where no tile that looks face down is too light."""
    if not (down & blank.too_light(paint)).any():
        return None
    rows = by_piece(places.row, places, len(down), otherwise=-1)
    return blank.light_shows_ink(paint, clips(pixels_of(picture_bgr, tiles.quads_px)), down, rows)


def _hidden(picture_bgr: Image, tiles: Spots, places: Arrangement, paint: Paint, looks: Ints, layout: Layout) -> Bools:
    """Return (n,) which tiles may show something else than is seen of them: it is smeared, or their ink is."""
    down = looks == infer.DOWN
    out = hidden_tiles(tiles, places, full=layout.full) | smeared(picture_bgr, tiles.quads_px, down)
    out |= blank.like_open_tiles(paint, down)
    rows = by_piece(places.row, places, len(down), otherwise=-1)
    if layout.row_colours:
        out |= wild_of_no_row(paint, looks, rows)
    if layout.full:
        return out | of_another_set(paint, down, rows if layout.row_colours else None)
    # Elsewhere a game asks to turn up what lies face down, a scrap of paper or not.
    return out | blank.like_no_other(paint, down) | strangers(picture_bgr, paint, tiles, places, down)


def _posterior(
    tiles: Spots, places: Arrangement, layout: Layout, groups: list[list[int]], looks: Ints, closely_seen: Bools
) -> tuple[infer.Posterior, Floats]:
    """Return what the tiles show by their pixels and the rules, and (n,) how likely these pixels say nothing.

    looks: (n,) what each shows by itself. closely_seen: (n,) which broke the rule of the set until they were looked at
    closely.
    """
    down, mute = looks == infer.DOWN, says_nothing(tiles)
    posterior = partial(
        infer.infer,
        tiles.log_probs,
        groups,
        symbols=layout.mask(),
        down=blank.prior_of_down(down, by_piece(places.row, places, len(down), otherwise=-1)),
        broken=np.array([infer.BROKEN_AGAIN if closely_seen[g].any() else infer.BROKEN for g in groups]),
    )
    post = posterior(unreadable=mute)
    strange = unknown_hand(tiles.log_probs, post.best, mute)
    if strange <= infer.FLOOR:
        return post, mute
    mute = np.maximum(mute, strange)
    return posterior(unreadable=mute), mute


def _readings(case: Case, named: colours.Colours) -> tuple[TileReading, ...]:
    """Return the tiles in their places, each with what is certain of it."""
    tiles, post = case.tiles, case.as_it_looks()
    doubted = case.doubted(post)
    certain, at_most = case.certain(post, doubted), case.at_most(post)
    # What one frame can hardly read says little in every frame.
    evidence = infer.faded(tiles.log_probs, case.mute)
    evidence[case.hidden] = 0.0
    # Whoever is asked sees what it looks like.
    names = [named.name(k) if case.colour_told[k] or not certain[k] else None for k in range(len(certain))]
    likely, corners = _likely(post), tiles.own_corners()
    return tuple(
        no_surer(
            TileReading(
                row=int(case.places.row[n]),
                column=int(case.places.column[n]),
                symbol=SYMBOLS[int(post.best[k])],
                colour=names[k],
                sure=bool(certain[k]),
                confidence=float(post.marginals[k, post.best[k]]),
                corners=quad(corners[k]),
                likely=likely[k],
                evidence=tuple(evidence[k].tolist()),
                doubted=bool(doubted[k]),
                at_most=float(at_most[k]),
            )
        )
        for n, k in enumerate(case.places.index.tolist())
    )


def no_surer(tile: TileReading) -> TileReading:
    """Return a tile that is not sure with no more than the probability it may have; a sure one as it is."""
    if tile.sure or tile.confidence <= tile.at_most:
        return tile
    likely = tuple((symbol, min(p, tile.at_most)) for symbol, p in tile.likely)
    return replace(tile, confidence=tile.at_most, likely=likely)


def _left_over(spots: Spots, chosen: Bools, tiles: Spots) -> Bools:
    """Return (n,) which spots are pieces, but no tile of the board, and no shadow of one."""
    rest = ~chosen & (spots.score >= LEFT_OVER_SCORE)
    if not rest.any() or len(tiles.score) == 0:
        return rest
    away = nearest(spots.centre_mm, tiles.centre_mm)
    return np.asarray(rest & (away > 0.6 * float(np.median(tiles.size_mm))))


def _lint(spots: Spots) -> Bools:
    """Return (n,) which spots are felt with a fibre or a crumb on it; the net's word alone is asked for.

    Nobody misses a back in the felt's own colour beside a full board.
    """
    read = np.delete(spots.log_probs, infer.DOWN, axis=1).max(axis=1) > np.log(LEGIBLE)
    return np.asarray((spots.covered < BARE) & (spots.score < HARDLY_FOUND) & ~read)


def refit(tiles: Sequence[TileReading], evidence: Floats, *, layout: Layout) -> tuple[TileReading, ...]:
    """Return tiles read anew from other evidence (several frames' added up), in the places they have.

    evidence: (n, 12) log-likelihoods. Whether more than its symbol is in doubt is for the caller to say.
    """
    groups = _groups_of(tiles, layout)
    shown = np.array([t.symbol == "down" for t in tiles])
    post = infer.infer(
        evidence,
        groups,
        symbols=layout.mask(),
        down=blank.prior_of_down(shown, np.array([t.row for t in tiles], dtype=np.int64)),
    )
    certain = infer.sure(post.confidence) & ~contested(post.best, groups)
    likely = _likely(post)
    return tuple(
        replace(
            tile,
            symbol=SYMBOLS[int(post.best[k])],
            sure=bool(certain[k]),
            confidence=float(post.marginals[k, post.best[k]]),
            likely=likely[k],
            evidence=tuple(evidence[k].tolist()),
        )
        for k, tile in enumerate(tiles)
    )


def _groups_of(tiles: Sequence[TileReading], layout: Layout) -> list[list[int]]:
    kinds: dict[object, list[int]] = {}
    for k, tile in enumerate(tiles):
        shared = tile.row if layout.row_colours else tile.colour
        kinds.setdefault(("alone", k) if shared is None else shared, []).append(k)
    return list(kinds.values())


def _likely(post: infer.Posterior) -> list[tuple[tuple[str, float], ...]]:
    """Return of each tile the few symbols that are likeliest, with their probabilities."""
    order = np.argsort(-post.marginals, axis=1, kind="stable")[:, :5]
    p = np.take_along_axis(post.marginals, order, axis=1)
    return [
        tuple((SYMBOLS[s], likely) for s, likely in zip(*tile, strict=True) if likely > 1e-5)
        for tile in zip(order.tolist(), p.tolist(), strict=True)
    ]
