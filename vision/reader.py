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

from vision import colours, conditions, pieces, symbols
from vision.errors import BadPicture
from vision.geometry import Floats, transform
from vision.layout import Expectation
from vision.pieces import Pieces
from vision.reading import Problem, Reading, Status
from vision.rectify import Image, Tray, find_tray, rectified_from_mm, rectify
from vision.tiles import SCORES, Board, Spots, read_board

Clock = Callable[[], float]
"""Seconds, monotonic; differences only."""

SCALE = 1.0
"""Pixels per millimetre of the rectified picture in which pieces are sought."""
MARGIN_MM = 20.0
"""Around the felt in that picture: the piece finder has learned what a rim looks like."""
LEAST_SCORE = min(SCORES)
EMPTY_SCORE = 0.3
"""A tray on which nothing is found with this score is empty."""
DISTURBING = Problem.LAYOUT | Problem.COUNT | Problem.SET
"""Problems with which no reading is sure."""
TILE_LAYOUTS = frozenset(
    {
        Expectation.ROWS,
        Expectation.WILD,
        Expectation.RECT,
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


def shipped_eyes() -> Eyes:
    """Return the nets that come with the package."""

    def find(rectified_bgr: Image) -> Pieces:
        return pieces.find_pieces(rectified_bgr, px_per_mm=SCALE, score=LEAST_SCORE)

    def look(picture_bgr: Image, quads_px: Floats) -> symbols.Symbols:
        return symbols.classify(symbols.cut_crops(picture_bgr, quads_px))

    return Eyes(find, look)


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
    owner: Any = None,
    eyes: Eyes | None = None,
) -> Reading:
    """Return what lies on the tray.

    picture_bgr: (h, w, 3) uint8, any size from 64 x 64 up. expect: what the caller knows to lie there.
    tray: registration of the same fixed camera, for pictures in which a hand covers markers; None looks
    afresh. clock: seconds, for `Reading.milliseconds`. owner: what `vision.teach` learned of this table's
    set; None for the shipped models alone. eyes: other nets than the shipped ones.

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
        reading = _read_tray(picture_bgr, found, what, eyes or shipped_eyes(), watch)
    return replace(reading, milliseconds=dict(watch.laps))


def _read_tray(picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, watch: _Stopwatch) -> Reading:
    flat = rectify(picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    watch.lap("rectify")
    found = eyes.find(flat)
    watch.lap("pieces")
    blank = Reading(Status.EMPTY, tray=tray.corners, expected=what.value)
    edge = round(MARGIN_MM * SCALE)
    felt = np.ascontiguousarray(flat[edge:-edge, edge:-edge])
    problems = conditions.picture_problems(felt, tray, washed=np.zeros(0))
    certain = found.score >= EMPTY_SCORE
    quads_felt = found.quads_px().astype(np.float64)[certain] - edge
    strange = conditions.residue(felt, _explained(quads_felt, tray), px_per_mm=SCALE)
    watch.lap("conditions")
    if conditions.hand_area(found.hand) > conditions.HAND_MM2:
        return replace(blank, status=Status.BUSY, problems=problems | Problem.HAND)
    if not certain.any():
        if strange:
            return replace(blank, status=Status.UNSURE, problems=problems | Problem.COUNT)
        return replace(blank, problems=problems)
    if what in TILE_LAYOUTS:
        return _read_tiles(picture_bgr, tray, what, eyes, found, problems, strange, watch)
    return replace(blank, status=Status.UNSURE, problems=problems | Problem.COUNT)


def _read_tiles(
    picture_bgr: Image,
    tray: Tray,
    what: Expectation,
    eyes: Eyes,
    found: Pieces,
    problems: Problem,
    strange: list[conditions.Residue],
    watch: _Stopwatch,
) -> Reading:
    spots = _spots(picture_bgr, found.of("tile"), tray, eyes)
    watch.lap("symbols")
    white = colours.paper_white(picture_bgr, tray)
    board = read_board(picture_bgr, spots, tray, expect=what, white_bgr=white)
    watch.lap("rules")
    problems |= board.problems
    if len(board.washed) and float(board.washed.max()) > conditions.GLARE_SHARE:
        problems |= Problem.GLARE
    if strange:
        problems |= Problem.COUNT
    sure = bool(board.tiles) and all(t.sure for t in board.tiles) and not problems & DISTURBING
    return Reading(
        Status.READ if sure else Status.UNSURE,
        tiles=board.tiles,
        problems=problems,
        tray=tray.corners,
        expected=_layout_shown(board, what),
    )


def _layout_shown(board: Board, what: Expectation) -> str:
    """Return the layout's name; for AUTO four rows of ten without wild or face-down tile are `rows`."""
    if what is Expectation.AUTO and board.layout is Expectation.WILD:
        plain = all(t.symbol.isdigit() for t in board.tiles)
        return str((Expectation.ROWS if plain else Expectation.WILD).value)
    return str(board.layout.value)


def _spots(picture_bgr: Image, found: Pieces, tray: Tray, eyes: Eyes) -> Spots:
    """Return the possible tiles with what the pixels say of each, either way up."""
    flat = found.quads_px().astype(np.float64).reshape(-1, 2)
    to_mm = np.linalg.inv(rectified_from_mm(px_per_mm=SCALE, margin_mm=MARGIN_MM))
    quads_mm = transform(flat, np.asarray(to_mm, dtype=np.float64))
    quads_px = tray.to_px(quads_mm).reshape(-1, 4, 2)
    shown = eyes.look(picture_bgr, quads_px)
    log_probs = np.asarray(shown.log_probs, dtype=np.float64)
    return Spots(
        centre_mm=transform(found.centre_px, np.asarray(to_mm, dtype=np.float64)),
        size_mm=np.asarray(found.size_px, dtype=np.float64) / SCALE,
        lean=-np.radians(np.asarray(found.angle_deg, dtype=np.float64)),
        score=np.asarray(found.score, dtype=np.float64),
        quads_px=quads_px,
        log_probs=log_probs,
        unreadable=np.asarray(shown.p_unreadable, dtype=np.float64),
        upside_down=np.asarray(shown.p_upside_down, dtype=np.float64),
    )


def _explained(quads_felt: Floats, tray: Tray) -> list[Floats]:
    """Return the quadrilaterals of the rectified felt that pieces and markers cover, with their paper."""
    out = list(quads_felt)
    to_flat = rectified_from_mm(px_per_mm=SCALE)
    w, h = tray.size_mm
    # The paper of a marker reaches some millimetres beyond its black square; seen or not, it lies there.
    paper = 40.0
    for x, y in ((0.0, 0.0), (w - paper, 0.0), (w - paper, h - paper), (0.0, h - paper)):
        square = np.array([[x, y], [x + paper, y], [x + paper, y + paper], [x, y + paper]])
        out.append(transform(square, to_flat))
    return out


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
