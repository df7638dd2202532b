"""A picture and what is expected in, a reading out: the one door of the eye.

Order of work: tray -> rectified picture -> where pieces lie -> rows and columns -> what they show ->
rules of the set -> how sure. Nothing here touches a file (but the shipped models), a clock (but the one
handed in) or chance.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from vision.board.backs import PLAINLY_A_BACK, like_felt, with_backs
from vision.board.spots import NO_GAP_SCORE, Spots
from vision.board.stacked import hardly_found, shows_symbols
from vision.board.tiles import Board, read_board
from vision.board.turning import as_its_tiles_stand
from vision.crops import kin, symbols
from vision.crops.print_size import as_near, closer_look
from vision.dice.aim import aimed_finds
from vision.dice.fallen import beyond_the_felt
from vision.dice.overlooked import seen_by_both
from vision.dice.reader_loose import read_loose_tray
from vision.errors import BadPicture
from vision.eyes import Clock, Eyes, Stopwatch, shipped_eyes
from vision.finding.finer import with_finer
from vision.finding.pieces import Pieces
from vision.finding.scene import EMPTY_SCORE, MARGIN_MM, PLAIN_SCORE, SCALE, Scene, in_flat, look_around, nothing_lies
from vision.geometry import Floats
from vision.ground import conditions
from vision.ground.weave import smoother_than_felt
from vision.layout import LAYOUTS, Expectation
from vision.own_set import OwnSet
from vision.reading import DISTURBING, Problem, Reading, Status
from vision.tray.aslant import camera_over
from vision.tray.rectify import LEAST_PX, Image, Tray, find_tray, rectify
from vision.tray.registration import shift_mm
from vision.unread import beside_tiles, each_once, not_of_board, places_of

BUMP_MM = 1.5
"""A tray that moved further than this since its registration was bumped: say so, and read it where it lies."""
FAMILIAR, FAMILIAR_SCORE = 0.95, 0.4
"""What looks this much like a tile of the owner's set counts as found at least this well."""
ONES = 0.5
"""The finder takes dice that show a one for disks, disks hardly ever for dice: this share of dice makes all of them
dice."""
LOOSE = frozenset({Expectation.DICE, Expectation.DISKS})
FULL = frozenset(name for name, layout in LAYOUTS.items() if layout.full)
TILE_LAYOUTS = frozenset(
    {
        Expectation.ROWS,
        Expectation.WILD,
        Expectation.RECT,
        Expectation.MIXED,
        Expectation.DIAMOND,
        Expectation.DRAWBRIDGE,
        Expectation.AUTO,
    }
)


def read(
    picture_bgr: Image,
    *,
    expect: Expectation | str = Expectation.ROWS,
    tray: Tray | None = None,
    clock: Clock | None = None,
    like: Tray | None = None,
    owner: OwnSet | None = None,
    eyes: Eyes | None = None,
    turn: bool = True,
) -> Reading:
    """Return what lies on the tray.

    picture_bgr: (h, w, 3) uint8, any size from 64 x 64 up. expect: what the caller knows to lie there.
    tray: registration of the same fixed camera, for pictures in which a hand covers markers; None looks
    afresh. like: as `find_tray` has it. clock: seconds, for `Reading.milliseconds`. owner: what `vision.teach`
    learned of this table's set, fitted; None for the shipped models alone. eyes: other nets than the shipped ones;
    owner then has no say.
    turn: whether a board whose tiles stand on their heads is read from the tray's other side; False while signs are
    taught that the eye may not know.

    Raises BadPicture for an array that is no colour picture and UnknownExpectation for a text that names
    no layout; never for what is in the picture.
    """
    check_picture(picture_bgr)
    what = expect if isinstance(expect, Expectation) else Expectation.parse(expect)
    watch = Stopwatch(clock)
    found = find_tray(picture_bgr, hint=tray, like=like)
    watch.lap("tray")
    if found is None:
        reading = Reading(Status.NO_TRAY, problems=Problem.NO_TRAY, expected=what.value)
    else:
        look = partial(_read_tray, picture_bgr, what=what, eyes=eyes or shipped_eyes(owner), watch=watch)
        reading = as_its_tiles_stand(look, found) if turn else look(found)
        if tray is not None and shift_mm(tray, found) > BUMP_MM:
            reading = replace(reading, problems=reading.problems | Problem.BUMPED)
    watch.lap("rest")
    return replace(reading, milliseconds=dict(watch.laps))


def _read_tray(picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, watch: Stopwatch) -> Reading:
    flat = rectify(picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    watch.lap("rectify")
    found = eyes.find(flat)
    watch.lap("pieces")
    return _read_found(picture_bgr, tray, what, eyes, watch, flat, found)


def _read_found(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, watch: Stopwatch, flat: Image, found: Pieces
) -> Reading:
    """Read what was found in the rectified picture `flat`, dice and disks sought more finely first."""
    coarse = found
    if what in LOOSE and eyes.find_loose is not None:
        found = with_finer(picture_bgr, tray, found, find=eyes.find_loose)
        if what is Expectation.DICE:
            found = seen_by_both(picture_bgr, tray, found, coarse, eyes.faces)
            found = aimed_finds(picture_bgr, tray, found, eyes.faces)
        watch.lap("pieces")
    high, wide = picture_bgr.shape[:2]
    scene = look_around(flat, tray, found, camera_over(tray, picture_wh=(wide, high)))
    watch.lap("conditions")
    blank = Reading(Status.EMPTY, problems=scene.problems, tray=tray.corners, expected=what.value)
    if conditions.hand_area(found.hand) > conditions.HAND_MM2 or scene.arm:
        return replace(blank, status=Status.BUSY, problems=scene.problems | Problem.HAND)
    if what is Expectation.AUTO and (kind := _what_lies_there(scene.found)) in LOOSE:
        return _read_found(picture_bgr, tray, kind, eyes, watch, flat, coarse)
    if nothing_lies(scene, fibres=what in TILE_LAYOUTS) and not _tiles_like_felt(picture_bgr, tray, what, eyes, scene):
        unread, loose = scene.unexplained(), what not in TILE_LAYOUTS - {Expectation.AUTO}
        if loose:
            unread += [*scene.hidden, *beyond_the_felt(picture_bgr, tray, eyes, scene)]
        # Two dice on the two markers of one side lie beyond what is known of the tray then.
        if unread or (loose and tray.vague):
            asked, problems = places_of(unread, tray), scene.problems | Problem.COUNT
            return replace(blank, status=Status.UNSURE, problems=problems, unread=asked)
        return blank
    if conditions.moved_while_taken(flat, in_flat(scene.quads_mm[scene.found.score >= EMPTY_SCORE])):
        return replace(blank, status=Status.BUSY, problems=scene.problems | Problem.MOTION)
    if what not in TILE_LAYOUTS:
        return read_loose_tray(picture_bgr, tray, what, eyes, scene, watch)
    reading = _read_tiles(picture_bgr, tray, what, eyes, scene, watch)
    if what is Expectation.AUTO and _lies_there(scene.found, "disk"):
        return _with_disks(reading, _read_found(picture_bgr, tray, Expectation.DISKS, eyes, watch, flat, coarse))
    if what is Expectation.AUTO and _lies_there(scene.found, "die"):
        # No game of ours lays dice beside tiles: it may be a tile or a disk.
        return replace(reading, status=Status.UNSURE, problems=reading.problems | Problem.COUNT)
    return reading


def _tiles_like_felt(picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene) -> bool:
    """Return whether tiles lie on a tray that is bare by its colour: a game's first two, on felt as pale as they."""
    if what not in TILE_LAYOUTS:
        return False
    seen = scene.found.are("tile") & (scene.found.score >= EMPTY_SCORE)
    return shows_symbols(picture_bgr, tray.to_px(scene.quads_mm[seen]), eyes.look)


def _with_disks(tiles: Reading, disks: Reading) -> Reading:
    """Return what lies on a tray of tiles with disks beside them; nothing where the finer look sees a hand."""
    if disks.status is Status.BUSY:
        return disks
    problems = tiles.problems | disks.problems
    unseen = tiles.unseen or disks.unseen
    read = tiles.status is Status.READ and all(d.sure for d in disks.disks) and not problems & DISTURBING
    read = read and not unseen
    status, unread = Status.READ if read else Status.UNSURE, each_once(tiles.unread + disks.unread)
    return replace(tiles, status=status, disks=disks.disks, unread=unread, unseen=unseen, problems=problems)


def _read_tiles(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: Stopwatch
) -> Reading:
    possible, look = _spots(picture_bgr, scene, tray, eyes)
    between = possible.only(~like_felt(possible) | (possible.score >= NO_GAP_SCORE))
    found_mm = scene.quads_mm[scene.found.are("tile")]
    smoother = partial(smoother_than_felt, picture_bgr, tray, scene.ground, pieces_mm=scene.quads_mm)
    spots = between if what is Expectation.DRAWBRIDGE else with_backs(possible, found_mm, scene.ground, smoother)
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
        closely=None if eyes.closely is None else as_near(eyes.closely, look),
    )
    board, felt_like, problems = board_of(spots), like_felt(spots), scene.problems
    others = felt_like.any() or len(between.score) > len(spots.score)
    if board.layout not in FULL and spots is not between and others:
        # Between the tiles of a board with gaps lies felt. But what plainly is a back makes the board a full one.
        if (spots.unreadable[felt_like] < PLAINLY_A_BACK).any():
            problems |= Problem.LAYOUT
        board = board_of(between)
    watch.lap("rules")
    problems |= board.problems
    if len(board.washed) and float(board.washed.max()) > conditions.GLARE_SHARE:
        problems |= Problem.GLARE
    tiles_mm = tray.to_mm(np.array([t.corners for t in board.tiles]).reshape(-1, 4, 2))
    unread = beside_tiles(scene, board, tray, tiles_mm)
    unread += hardly_found(
        picture_bgr, tray, scene, tiles_mm, eyes.untaught or eyes.look, hasty=eyes.hasty, gaps=board.layout not in FULL
    )
    if unread:
        problems |= Problem.COUNT
    # Where there may be gaps nobody misses a tile that is not seen at all: black felt in the dark, white in glare.
    unseen = (tray.vague or bool(scene.problems & (Problem.DARK | Problem.GLARE))) and board.layout not in FULL
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


def _what_lies_there(found: Pieces) -> Expectation:
    """Return AUTO (a layout of tiles, to be told apart by its places), DICE or DISKS, by what there is most of."""
    tiles, dice, disks = (float(found.score[found.are(k)].sum()) for k in ("tile", "die", "disk"))
    if tiles >= max(dice, disks):
        return Expectation.AUTO
    return Expectation.DICE if dice >= ONES * disks else Expectation.DISKS


def _lies_there(found: Pieces, kind: str) -> bool:
    """Return whether a piece of one of KINDS was found."""
    return bool((found.are(kind) & (found.score >= EMPTY_SCORE)).any())


def _layout_shown(board: Board, what: Expectation) -> str:
    """Return the layout's name; for AUTO four rows of ten without wild or face-down tile are `rows`."""
    if what is Expectation.AUTO and board.layout is Expectation.WILD:
        plain = all(t.symbol.isdigit() for t in board.tiles)
        return str((Expectation.ROWS if plain else Expectation.WILD).value)
    return str(board.layout.value)


def _spots(picture_bgr: Image, scene: Scene, tray: Tray, eyes: Eyes) -> tuple[Spots, symbols.Look]:
    """Return the possible tiles with what the pixels say of each, and how they were looked at."""
    tiles = scene.found.are("tile")
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
    return Spots(
        centre_mm=quads_mm.mean(axis=1),
        size_mm=np.asarray(found.size_px, dtype=np.float64) / SCALE,
        lean=-np.radians(np.asarray(found.angle_deg, dtype=np.float64)),
        score=_scores(found, shown),
        quads_px=quads_px,
        log_probs=log_probs,
        unreadable=kin.unreadable(shown),
        upside_down=np.asarray(shown.p_upside_down, dtype=np.float64),
        covered=covered,
    ), look


def _scores(found: Pieces, shown: symbols.Symbols) -> Floats:
    """Return (n,) how well each tile is found: what reads as one of the owner's own is one, however it was found."""
    score = np.asarray(found.score, dtype=np.float64)
    if shown.familiar is None:
        return score
    return np.where(np.asarray(shown.familiar) > FAMILIAR, np.maximum(score, FAMILIAR_SCORE), score)


def check_picture(picture_bgr: Any) -> None:
    """Raise BadPicture unless the array is a colour picture of at least LEAST_PX each way."""
    if not isinstance(picture_bgr, np.ndarray):
        raise BadPicture(f"a picture is a numpy array, got {type(picture_bgr).__name__}")
    if picture_bgr.dtype != np.uint8 or picture_bgr.ndim != 3 or picture_bgr.shape[2] != 3:
        raise BadPicture(
            f"a picture is uint8 of shape (height, width, 3), got {picture_bgr.dtype} of {picture_bgr.shape}"
        )
    if min(picture_bgr.shape[:2]) < LEAST_PX:
        got = f"got {picture_bgr.shape[1]} x {picture_bgr.shape[0]}"
        raise BadPicture(f"a picture has at least {LEAST_PX} x {LEAST_PX} pixels, {got}")
