"""A tray of tiles: which finds are some, what board they make, and whether that is all."""

from __future__ import annotations

from functools import partial

import numpy as np

from vision.board import lamp_images
from vision.board.backs import PLAINLY_A_BACK, a_little_unlike, backs_in_gaps, framed_felt, like_felt, with_backs
from vision.board.open_sides import HARDLY_FOUND, framed_alone, marks_on_felt, nothing_ends
from vision.board.spots import NO_GAP_SCORE, Spots
from vision.board.stacked import hardly_found
from vision.board.tiles import Board, read_board
from vision.crops import kin, symbols
from vision.crops.print_size import as_near, closer_look
from vision.eyes import Eyes, Stopwatch
from vision.finding.pieces import Pieces
from vision.finding.scene import PLAIN_SCORE, SCALE, WITHIN_MM, Scene
from vision.geometry import Bools, Floats, nearest, widths
from vision.ground import conditions
from vision.ground.papers import on_papers, papers_on
from vision.ground.weave import smoother_than_felt
from vision.layout import LAYOUTS, Expectation
from vision.reading import DISTURBING, Problem, Reading, Status
from vision.tray.rectify import Image, Tray
from vision.unread import beside_tiles, disguised, not_of_board, places_of

FAMILIAR, FAMILIAR_SCORE = 0.95, 0.4
"""What looks this much like a tile of the owner's set counts as found at least this well."""
BY_ITSELF = 1.8
"""A tile further than this from all others, over its width, continues no row."""
FULL = frozenset(name for name, layout in LAYOUTS.items() if layout.full)


def read_tiles_tray(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: Stopwatch
) -> Reading:
    """Return the board that lies there, and where tiles may lie that are not in it."""
    if what not in FULL:
        scene = scene.without(marks_on_felt(picture_bgr, tray, scene))
    board, problems = _board(picture_bgr, tray, what, eyes, scene, watch)
    problems |= scene.problems | board.problems
    if len(board.washed) and float(board.washed.max()) > conditions.GLARE_SHARE:
        problems |= Problem.GLARE
    tiles_mm = tray.to_mm(np.array([t.corners for t in board.tiles]).reshape(-1, 4, 2))
    gaps, look = board.layout not in FULL, eyes.untaught or eyes.look
    unread = beside_tiles(picture_bgr, scene, board, tray, tiles_mm)
    hardly = hardly_found(picture_bgr, tray, scene, tiles_mm, look, hasty=eyes.hasty, gaps=gaps)
    if gaps:
        hardly = [o for o in hardly if not nothing_ends(picture_bgr, tray, o[None], scene)[0]]
        unread += disguised(picture_bgr, scene, tray, tiles_mm)
    unread += hardly
    if unread:
        problems |= Problem.COUNT
    # Where there may be gaps nobody misses a tile that is not seen at all: black felt in the dark, white in glare.
    unseen = gaps and (tray.vague or bool(scene.problems & (Problem.DARK | Problem.GLARE)))
    sure = bool(board.tiles) and all(t.sure for t in board.tiles) and not problems & DISTURBING and not unseen
    return Reading(
        Status.READ if sure else Status.UNSURE,
        tiles=board.tiles,
        unread=places_of([*unread, *not_of_board(board, tray, tiles_mm)], tray),
        unseen=unseen,
        problems=problems,
        tray=tray.corners,
        expected=_layout_shown(board, what),
    )


def _board(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: Stopwatch
) -> tuple[Board, Problem]:
    """Return the board, and what speaks against its layout; a full one has backs of the felt's colour, too."""
    possible, look = _spots(picture_bgr, scene, tray, eyes, full=what in FULL)
    lying_mm = tray.to_mm(possible.quads_px)
    between = possible if what in FULL else possible.only(_in_gaps(picture_bgr, tray, possible, lying_mm, scene))
    smoother = partial(smoother_than_felt, picture_bgr, tray, scene.ground, pieces_mm=scene.quads_mm)
    spots = between if what is Expectation.DRAWBRIDGE else with_backs(possible, lying_mm, scene.ground, smoother)
    watch.lap("symbols")
    board_of = partial(
        read_board,
        picture_bgr,
        tray=tray,
        expect=what,
        look=look,
        ground=scene.ground,
        smoother=smoother,
        known=eyes.tile_colours,
        lie_on_others=eyes.lie_on_others,
        sides=eyes.hasty or eyes.untaught,
        closely=None if eyes.closely is None else as_near(eyes.closely, look),
    )
    board, felt_like, problems = board_of(spots), like_felt(spots), Problem.NONE
    others = felt_like.any() or len(between.score) > len(spots.score)
    if board.layout not in FULL and spots is not between and others:
        # Between the tiles of a board with gaps lies felt. But what plainly is a back makes the board a full one.
        if (spots.unreadable[felt_like] < PLAINLY_A_BACK).any():
            problems = Problem.LAYOUT
        board = board_of(between)
    watch.lap("rules")
    return board, problems


def _in_gaps(picture_bgr: Image, tray: Tray, possible: Spots, lying_mm: Floats, scene: Scene) -> Bools:
    """Return (n,) which possible tiles are some even where there may be gaps: what looks like felt there is felt.

    lying_mm: (n, 4, 2) where they lie on the tray.
    """
    plain = ~(like_felt(possible) | framed_felt(possible)) | (possible.score >= NO_GAP_SCORE)
    backs = backs_in_gaps(possible, lying_mm, scene.ground)
    hardly = backs & ~plain & (possible.score < HARDLY_FOUND)
    hardly[hardly] = ~a_little_unlike(lying_mm[hardly], scene.ground)
    backs[hardly] = ~framed_alone(picture_bgr, tray, lying_mm[hardly], scene)
    return plain | backs


def _layout_shown(board: Board, what: Expectation) -> str:
    """Return the layout's name; for AUTO four rows of ten without wild or face-down tile are `rows`."""
    if what is Expectation.AUTO and board.layout is Expectation.WILD:
        plain = all(t.symbol.isdigit() for t in board.tiles)
        return str((Expectation.ROWS if plain else Expectation.WILD).value)
    return str(board.layout.value)


def _spots(picture_bgr: Image, scene: Scene, tray: Tray, eyes: Eyes, *, full: bool) -> tuple[Spots, symbols.Look]:
    """Return the possible tiles with what the pixels say of each, and how they were looked at.

    full: a board without gaps is expected, of which nobody misses what lies by itself on a marker.
    """
    tiles = scene.found.are("tile")
    if full:
        tiles &= ~_rather_markers(scene, tray, tiles)
    found, quads_mm, covered = scene.found.only(tiles), scene.quads_mm[tiles], scene.covered[tiles]
    quads_px = tray.to_px(quads_mm)
    look, shown, plain = eyes.look, eyes.look(picture_bgr, quads_px), found.score >= PLAIN_SCORE
    # An owner's own set is known as it was taught.
    if eyes.tile_colours is None and kin.doubtful(shown.log_probs[plain]).any():
        closer = closer_look(picture_bgr, quads_px[plain], eyes.look)
        if closer is not None:
            look, shown = closer, closer.beside(picture_bgr, quads_px, shown)
    log_probs = kin.look_again(picture_bgr, quads_px, shown, look)
    if shown.features is not None:
        log_probs = kin.compare(log_probs, shown.features)
    log_probs, unreadable = lamp_images.looked_past(picture_bgr, quads_px, log_probs, kin.unreadable(shown), look)
    return Spots(
        centre_mm=quads_mm.mean(axis=1),
        size_mm=np.asarray(found.size_px, dtype=np.float64) / SCALE,
        lean=-np.radians(np.asarray(found.angle_deg, dtype=np.float64)),
        score=_scores(found, shown),
        quads_px=quads_px,
        log_probs=log_probs,
        unreadable=unreadable,
        upside_down=np.asarray(shown.p_upside_down, dtype=np.float64),
        covered=covered,
    ), look


def _rather_markers(scene: Scene, tray: Tray, tiles: Bools) -> Bools:
    """Return (n,) which tiles (a mask) lie by themselves where a marker does that this picture does not show.

    A marker that a lamp blanks out is as square and as white as a tile.
    """
    seen = {number for number, _ in tray.markers}
    unseen = [paper for number, paper in enumerate(papers_on(tray)) if number not in seen]
    middle, wide = scene.quads_mm.mean(axis=1), widths(scene.quads_mm)
    out = tiles & on_papers(middle, unseen, beyond_mm=-WITHIN_MM)
    for k in np.flatnonzero(out).tolist():
        others = np.delete(middle, k, axis=0)
        out[k] = len(others) > 0 and nearest(middle[k : k + 1], others)[0] > BY_ITSELF * wide[k]
    return np.asarray(out)


def _scores(found: Pieces, shown: symbols.Symbols) -> Floats:
    """Return (n,) how well each tile is found: what reads as one of the owner's own is one, however it was found."""
    score = np.asarray(found.score, dtype=np.float64)
    if shown.familiar is None:
        return score
    return np.where(np.asarray(shown.familiar) > FAMILIAR, np.maximum(score, FAMILIAR_SCORE), score)
