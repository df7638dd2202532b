"""A picture and what is expected in, a reading out: the one door of the eye.

Order of work: tray -> rectified picture -> where pieces lie -> rows and columns -> what they show ->
rules of the set -> how sure. Nothing here touches a file (but the shipped models), a clock (but the one
handed in) or chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision import conditions, digits, faces, kin, loose, pieces, symbols
from vision.colours import Known
from vision.errors import BadPicture
from vision.finer import with_finer
from vision.geometry import Floats
from vision.layout import LAYOUTS, Expectation
from vision.leftover import left_over
from vision.lint import outlined
from vision.own_set import OwnSet
from vision.paint import paper_white
from vision.pieces import Pieces
from vision.reading import SYMBOLS, Problem, Reading, Status
from vision.rectify import Image, Tray, find_tray, moved, rectify
from vision.scene import EMPTY_SCORE, MARGIN_MM, SCALE, Scene, look_around, only, papers_of
from vision.spots import SCORES, Spots
from vision.tiles import Board, read_board

Clock = Callable[[], float]
"""Seconds, monotonic; differences only."""

LEAST_SCORE = min(SCORES)
TOO_LARGE = 1.22
"""A round thing this much larger than the dice is a disk after all."""
BUMP_MM = 1.5
"""A tray that moved further than this since its registration was bumped: say so, and read it where it lies."""
FAMILIAR, FAMILIAR_SCORE = 0.95, 0.4
"""What looks this much like a tile of the owner's set counts as found at least this well."""
BACK_SCORE = 0.35
"""A face-down tile in a colour that felt has in a shadow is found at least this well. Of felt in a full layout nothing
is (0.34 at most, on 332 trays); between the tiles of a layout with gaps it may be (up to 0.71)."""
HALF = 0.5
"""What is not even half covered by anything may be the gap between other pieces, or felt with a fibre on it."""
AMONG = 3
"""A piece with so many tiles beside it lies in the middle of them."""
DISTURBING = Problem.LAYOUT | Problem.COUNT | Problem.SET
"""Problems with which no reading is sure."""
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


@dataclass(frozen=True, slots=True)
class Eyes:
    """The two learned parts, so that tests and an owner's own set can put others in their place."""

    find: Callable[[Image], Pieces]
    """Rectified picture at SCALE -> pieces."""
    look: Callable[[Image, Floats], symbols.Symbols]
    """Picture and (n, 4, 2) quads in it -> what the tiles show."""
    faces: loose.Look
    """Picture, (n, 4, 2) quads and which of them are dice -> what dice and disks show."""
    tile_colours: Known | None = None
    """The colours of the owner's tiles; None where nobody taught them."""
    die_colours: Known | None = None
    find_loose: Callable[[Image], Pieces] | None = None
    """Rectified picture as `vision.finer` makes it -> dice and disks; None: `find` alone finds them."""
    digits: loose.SecondOpinion | None = None
    """Heard on the digits of doubtful disks; None for nobody."""


def shipped_eyes(owner: OwnSet | None = None) -> Eyes:
    """Return the nets that come with the package. owner: with what was learnt of this owner's set on top."""
    tile_head = None if owner is None else owner.tile_head
    die_head = None if owner is None else owner.die_head

    def find(rectified_bgr: Image) -> Pieces:
        return pieces.find_pieces(rectified_bgr, px_per_mm=SCALE, score=LEAST_SCORE)

    def look(picture_bgr: Image, quads_px: Floats) -> symbols.Symbols:
        return symbols.classify(symbols.cut_crops(picture_bgr, quads_px), head=tile_head)

    def look_at_faces(picture_bgr: Image, quads_px: Floats, is_die: NDArray[np.bool_]) -> faces.Faces:
        return faces.look(picture_bgr, quads_px, is_die, head=die_head)

    def find_loose(rectified_bgr: Image) -> Pieces:
        return pieces.find_loose(rectified_bgr, px_per_mm=pieces.LOOSE_PX_PER_MM, score=LEAST_SCORE)

    return Eyes(find, look, look_at_faces, *_known_colours(owner), find_loose, digits.second_opinion)


def _known_colours(owner: OwnSet | None) -> tuple[Known | None, Known | None]:
    """Return the colours of an owner's tiles, and of their dice."""
    taught = (None, None) if owner is None else (owner.tiles, owner.dice)
    tiles, dice = (None if t is None else Known(t.palette, t.by_ink) for t in taught)
    return tiles, dice


@dataclass(slots=True)
class _Stopwatch:
    clock: Clock | None
    laps: dict[str, float] = field(default_factory=dict)
    last: float = 0.0

    def __post_init__(self) -> None:
        if self.clock is not None:
            self.last = self.clock()

    def lap(self, name: str) -> None:
        if self.clock is not None:
            now = self.clock()
            self.laps[name] = self.laps.get(name, 0.0) + (now - self.last) * 1e3
            self.last = now


def read(
    picture_bgr: Image,
    *,
    expect: Expectation | str = Expectation.ROWS,
    tray: Tray | None = None,
    clock: Clock | None = None,
    owner: OwnSet | None = None,
    eyes: Eyes | None = None,
) -> Reading:
    """Return what lies on the tray.

    picture_bgr: (h, w, 3) uint8, any size from 64 x 64 up. expect: what the caller knows to lie there.
    tray: registration of the same fixed camera, for pictures in which a hand covers markers; None looks
    afresh. clock: seconds, for `Reading.milliseconds`. owner: what `vision.teach` learned of this table's
    set, fitted; None for the shipped models alone. eyes: other nets than the shipped ones; owner then has no say.

    Raises BadPicture for an array that is no colour picture and UnknownExpectation for a text that names
    no layout; never for what is in the picture.
    """
    check_picture(picture_bgr)
    what = expect if isinstance(expect, Expectation) else Expectation.parse(expect)
    watch = _Stopwatch(clock)
    found = find_tray(picture_bgr, hint=tray)
    watch.lap("tray")
    if found is None:
        reading = Reading(Status.NO_TRAY, problems=Problem.NO_TRAY, expected=what.value)
    else:
        reading = _read_tray(picture_bgr, found, what, eyes or shipped_eyes(owner), watch)
        if tray is not None and moved(tray, found) > BUMP_MM:
            reading = replace(reading, problems=reading.problems | Problem.BUMPED)
    return replace(reading, milliseconds=dict(watch.laps))


def _read_tray(picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, watch: _Stopwatch) -> Reading:
    flat = rectify(picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    watch.lap("rectify")
    found = eyes.find(flat)
    watch.lap("pieces")
    return _read_found(picture_bgr, tray, what, eyes, watch, flat, found)


def _read_found(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, watch: _Stopwatch, flat: Image, found: Pieces
) -> Reading:
    """Read what was found in the rectified picture `flat`, dice and disks sought more finely first."""
    coarse = found
    if what in LOOSE and eyes.find_loose is not None:
        found = with_finer(picture_bgr, tray, found, find=eyes.find_loose)
        watch.lap("pieces")
    scene = look_around(flat, tray, found)
    watch.lap("conditions")
    blank = Reading(Status.EMPTY, problems=scene.problems, tray=tray.corners, expected=what.value)
    if conditions.hand_area(found.hand) > conditions.HAND_MM2 or scene.arm:
        return replace(blank, status=Status.BUSY, problems=scene.problems | Problem.HAND)
    if not (scene.found.score >= EMPTY_SCORE).any():
        if scene.strange:
            return replace(blank, status=Status.UNSURE, problems=scene.problems | Problem.COUNT)
        return blank
    if what is Expectation.AUTO and (what := _what_lies_there(scene.found)) in LOOSE:
        return _read_found(picture_bgr, tray, what, eyes, watch, flat, coarse)
    if what in TILE_LAYOUTS:
        return _read_tiles(picture_bgr, tray, what, eyes, scene, watch)
    return _read_loose(picture_bgr, tray, what, eyes, scene, watch)


def _read_tiles(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: _Stopwatch
) -> Reading:
    spots = _spots(picture_bgr, scene, tray, eyes, gaps=what not in FULL)
    watch.lap("symbols")
    white = paper_white(picture_bgr, tray)
    board = read_board(
        picture_bgr,
        spots,
        tray,
        expect=what,
        white_bgr=white,
        look=eyes.look,
        ground=scene.ground,
        known=eyes.tile_colours,
    )
    watch.lap("rules")
    problems = scene.problems | board.problems
    if len(board.washed) and float(board.washed.max()) > conditions.GLARE_SHARE:
        problems |= Problem.GLARE
    if scene.strange or (board.layout is Expectation.DRAWBRIDGE and _others(scene.found)):
        problems |= Problem.COUNT
    # In the dark a black tile on black felt is not seen at all, and where there may be gaps nobody misses it.
    unseen = Problem.DARK in problems and board.layout not in FULL
    sure = bool(board.tiles) and all(t.sure for t in board.tiles) and not problems & DISTURBING and not unseen
    return Reading(
        Status.READ if sure else Status.UNSURE,
        tiles=board.tiles,
        problems=problems,
        tray=tray.corners,
        expected=_layout_shown(board, what),
    )


def _what_lies_there(found: Pieces) -> Expectation:
    """Return AUTO (a layout of tiles, to be told apart by its places), DICE or DISKS, by what there is most of."""
    weight = [float(found.score[found.kind == k].sum()) for k in range(len(pieces.KINDS))]
    kind = pieces.KINDS[int(np.argmax(weight))]
    return {"tile": Expectation.AUTO, "die": Expectation.DICE, "disk": Expectation.DISKS}[kind]


def _read_loose(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: _Stopwatch
) -> Reading:
    """Return the dice, or the disks; tiles may lie beside disks, but nothing else beside what is expected.

    The finder takes a die that shows a one for a disk at times; whoever expects dice has no disks there.
    """
    dice = what is Expectation.DICE
    tiles = scene.found.kind == pieces.KINDS.index("tile")
    bare, thin = scene.covered < conditions.BARE, scene.covered < HALF
    wanted = ~tiles & (True if dice else scene.found.kind == pieces.KINDS.index("disk"))
    lint = _lint(picture_bgr, tray, scene, wanted & thin & (scene.found.score < loose.PLAINER))
    wanted &= ~lint
    foreign = ~wanted & (scene.found.score >= EMPTY_SCORE) & ~bare & ~lint
    if not dice:
        foreign &= ~_real_tiles(picture_bgr, tray, eyes, scene) & ~(tiles & thin)
    # Dice may be of the felt's colour. What looks like bare felt and was not plainly found is no piece to read, nor is
    # it nothing.
    faint = bare & (scene.found.score < loose.PLAIN)
    foreign |= wanted & faint & (scene.found.score >= EMPTY_SCORE)
    real = wanted & ~faint
    if dice and real.any():
        real &= ~_sides(scene, real)
        side = _die_side(only(scene.found, real))
        foreign |= real & (scene.found.size_px.min(axis=1) > TOO_LARGE * side * SCALE)
        quads_px = loose.dice_quads(picture_bgr, scene.quads_mm[real].mean(axis=1), side_mm=side, tray=tray)
    else:
        quads_px = tray.to_px(scene.quads_mm[real].reshape(-1, 2)).reshape(-1, 4, 2)
    score = np.asarray(scene.found.score[real], dtype=np.float64)
    spots = loose.look_at_loose(
        picture_bgr, quads_px, np.full(len(score), dice), score, look=eyes.faces, second=eyes.digits
    )
    watch.lap("symbols")
    white = paper_white(picture_bgr, tray)
    found = loose.read_loose(picture_bgr, spots, white_bgr=white, known=eyes.die_colours)
    watch.lap("rules")
    problems = scene.problems | found.problems
    if scene.strange or foreign.any() or _left_over(scene, tray, real, spots):
        problems |= Problem.COUNT
    items = [d.sure for d in found.dice] + [d.sure for d in found.disks]
    if not items and not problems & DISTURBING and not (tiles & (scene.found.score >= EMPTY_SCORE)).any():
        return Reading(Status.EMPTY, problems=problems, tray=tray.corners, expected=what.value)
    certain = bool(items) and all(items) and not problems & DISTURBING
    return Reading(
        Status.READ if certain else Status.UNSURE,
        dice=found.dice,
        disks=found.disks,
        problems=problems,
        tray=tray.corners,
        expected=what.value,
    )


def _lint(picture_bgr: Image, tray: Tray, scene: Scene, doubted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n,) which of the doubted pieces are but fibres on the felt."""
    out = np.zeros(len(doubted), dtype=bool)
    if doubted.any():
        plain = scene.found.score >= min(loose.PLAINER, float(scene.found.score.max()))
        width = float(np.median(scene.found.size_px[plain].min(axis=1))) / SCALE
        middle = scene.quads_mm.mean(axis=1)
        papers = [np.mean(p, axis=0, keepdims=True) for p in papers_of(tray)]
        others = np.concatenate([middle, *papers])
        out[doubted] = ~outlined(picture_bgr, middle[doubted], others, width_mm=width, tray=tray)
    return out


def _left_over(scene: Scene, tray: Tray, real: NDArray[np.bool_], spots: loose.LooseSpots) -> bool:
    """Return whether something as large as a piece lies where none was read: at the rim, in a cluster of dice."""
    quads_mm = tray.to_mm(spots.quads_px.reshape(-1, 2)).reshape(-1, 4, 2)
    if len(quads_mm) == 0:
        return False
    side = float(np.median(np.linalg.norm(quads_mm[:, 1] - quads_mm[:, 0], axis=1)))
    tiles = scene.quads_mm[~real & (scene.found.kind == pieces.KINDS.index("tile"))]
    read_there = np.concatenate([quads_mm, tiles])
    papers = papers_of(tray) if tray.markers else []
    return left_over(scene.ground.strange, read_there, side_mm=side, papers_mm=papers)


def _real_tiles(picture_bgr: Image, tray: Tray, eyes: Eyes, scene: Scene) -> NDArray[np.bool_]:
    """Return (n,) which pieces are tiles in earnest: not alone, and with something to be read on them, or among them.

    Beside disks, a disk that was mistaken for a tile must not go unnoticed.
    """
    out = scene.found.kind == pieces.KINDS.index("tile")
    at = np.flatnonzero(out)
    if len(at) == 0:
        return np.asarray(out)
    middle = scene.quads_mm[at].mean(axis=1)
    away = np.linalg.norm(middle[:, None] - middle[None], axis=2) + 1e3 * np.eye(len(at))
    width = float(np.median(scene.found.size_px[at, 0])) / SCALE
    quads_px = tray.to_px(scene.quads_mm[at].reshape(-1, 2)).reshape(-1, 4, 2)
    readable = np.asarray(eyes.look(picture_bgr, quads_px).p_unreadable) < 0.5
    beside = away < 1.35 * width
    out[at] = beside.any(axis=1) & (readable | (beside.sum(axis=1) >= AMONG))
    return np.asarray(out)


def _sides(scene: Scene, real: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n,) which of the dice in a mask (n,) are but the side of another."""
    found, out = only(scene.found, real), np.zeros(len(real), dtype=bool)
    wide, middle = found.size_px.mean(axis=1) / SCALE, scene.quads_mm[real].mean(axis=1)
    out[real] = loose.sides_of_dice(middle, wide, np.asarray(found.score), side_mm=_die_side(found))
    return out


def _die_side(found: Pieces) -> float:
    """Return the side of the dice in millimetres: one for all, as the plainly found ones have it."""
    plain = found.score >= min(loose.PLAIN, float(found.score.max()))
    return float(np.median(found.size_px[plain])) / SCALE


def _others(found: Pieces) -> bool:
    """Return whether anything but tiles was found: where places may be empty, it may be a tile mistaken."""
    return bool(((found.kind != pieces.KINDS.index("tile")) & (found.score >= EMPTY_SCORE)).any())


def _layout_shown(board: Board, what: Expectation) -> str:
    """Return the layout's name; for AUTO four rows of ten without wild or face-down tile are `rows`."""
    if what is Expectation.AUTO and board.layout is Expectation.WILD:
        plain = all(t.symbol.isdigit() for t in board.tiles)
        return str((Expectation.ROWS if plain else Expectation.WILD).value)
    return str(board.layout.value)


def _spots(picture_bgr: Image, scene: Scene, tray: Tray, eyes: Eyes, *, gaps: bool) -> Spots:
    """Return the possible tiles with what the pixels say of each. gaps: felt may show between them."""
    tiles = scene.found.kind == pieces.KINDS.index("tile")
    found, quads_mm, covered = only(scene.found, tiles), scene.quads_mm[tiles], scene.covered[tiles]
    quads_px = tray.to_px(quads_mm.reshape(-1, 2)).reshape(-1, 4, 2)
    shown = eyes.look(picture_bgr, quads_px)
    log_probs = kin.look_again(picture_bgr, quads_px, shown, eyes.look)
    if shown.features is not None:
        log_probs = kin.compare(log_probs, shown.features)
    unreadable = np.asarray(shown.p_unreadable, dtype=np.float64)
    spots = Spots(
        centre_mm=quads_mm.mean(axis=1),
        size_mm=np.asarray(found.size_px, dtype=np.float64) / SCALE,
        lean=-np.radians(np.asarray(found.angle_deg, dtype=np.float64)),
        score=_scores(found, shown),
        quads_px=quads_px,
        log_probs=log_probs,
        unreadable=unreadable,
        upside_down=np.asarray(shown.p_upside_down, dtype=np.float64),
    )
    symbol = (spots.log_probs.argmax(axis=1) != SYMBOLS.index("down")) & (unreadable < 0.5)
    real = (covered >= conditions.BARE) | symbol
    back = ~real & (spots.score >= BACK_SCORE)
    if back.any() and not gaps:
        real[back] = scene.ground.unlike(quads_mm[back]) > conditions.UNLIKE
    return spots.only(real)


def _scores(found: Pieces, shown: symbols.Symbols) -> Floats:
    """Return (n,) how well each tile is found: what reads as one of the owner's own is one, however it was found."""
    score = np.asarray(found.score, dtype=np.float64)
    if shown.familiar is None:
        return score
    return np.where(np.asarray(shown.familiar) > FAMILIAR, np.maximum(score, FAMILIAR_SCORE), score)


def check_picture(picture_bgr: Any) -> None:
    """Raise BadPicture unless the array is a colour picture of at least 64 x 64 pixels."""
    if not isinstance(picture_bgr, np.ndarray):
        raise BadPicture(f"a picture is a numpy array, got {type(picture_bgr).__name__}")
    if picture_bgr.dtype != np.uint8 or picture_bgr.ndim != 3 or picture_bgr.shape[2] != 3:
        raise BadPicture(
            f"a picture is uint8 of shape (height, width, 3), got {picture_bgr.dtype} of {picture_bgr.shape}"
        )
    if min(picture_bgr.shape[:2]) < 64:
        raise BadPicture(f"a picture has at least 64 x 64 pixels, got {picture_bgr.shape[1]} x {picture_bgr.shape[0]}")
