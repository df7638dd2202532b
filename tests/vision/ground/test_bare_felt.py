"""A felt that was shown empty: what is printed there is no piece and no hand, in any light, and hides nothing."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.prints import INK, oval, printed
from tests.vision.trays import drawn, tray_of
from vision.drawing import Hand, TrayScene
from vision.empty_tray import doubting_prints, felt_of
from vision.errors import BadBareFelt, PiecesOnFelt
from vision.geometry import rectangle, scaled
from vision.ground.bare_felt import BareFelt
from vision.reader import read
from vision.reading import DieReading, DiskReading, Problem, Status
from vision.tray.rectify import Image, tray_from_clicks

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

EMBLEM = oval((180.0, 214.0), (70.0, 22.0))
"""It is 48 cm2, larger than an arm must be, and lies half under the lowest row."""
LEFT = oval((90.0, 100.0), (60.0, 60.0))
ALL_UNDER = oval((180.0, 130.0), (150.0, 100.0))
BARE = drawn(scene=TrayScene(()), seed=5)
BOARD = drawn()


def in_the_same(picture_bgr: Image) -> Image:
    return picture_bgr


def in_other_light(picture_bgr: Image) -> Image:
    """Return a picture as another lamp would show it: warmer, and falling off to one side."""
    ramp = np.linspace(1.1, 0.75, picture_bgr.shape[1])[None, :, None]
    return np.clip(picture_bgr * ramp * (0.8, 0.95, 1.05), 0, 255).astype(np.uint8)


def known(outline: np.ndarray, ink: str = "white", *, wide_mm: float | None = None) -> BareFelt:
    return felt_of(printed(BARE, outline, INK[ink], wide_mm=wide_mm), printed=True)


def symbols(picture: Image, felt: BareFelt | None = None) -> list[str]:
    return [tile.symbol for tile in read(picture, bare=felt).tiles]


@pytest.mark.parametrize(("ink", "light"), [("white", in_the_same), ("gold", in_other_light), ("dark", in_other_light)])
def test_an_emblem_that_was_asked_about_or_waited_for_is_not_where_the_felt_is_known(ink: str, light) -> None:
    seen = light(printed(BOARD, EMBLEM, INK[ink], wide_mm=None))
    assert read(seen).status is not Status.READ, "nobody knows whether it is an arm"
    reading = read(seen, bare=known(EMBLEM, ink))
    assert reading.status is Status.READ
    assert [tile.symbol for tile in reading.tiles] == symbols(BOARD.picture_bgr)


def test_a_felt_that_is_printed_all_over_is_an_empty_tray() -> None:
    seen = printed(BARE, ALL_UNDER, INK["gold"], wide_mm=5.0)
    again = drawn(scene=TrayScene(()), seed=6)
    assert read(printed(again, ALL_UNDER, INK["gold"], wide_mm=5.0), bare=felt_of(seen)).status is Status.EMPTY


@pytest.mark.parametrize(
    ("ink", "outline"), [("white", ALL_UNDER), ("white", LEFT), ("gold", LEFT), ("gold", EMBLEM), ("dark", LEFT)]
)
def test_no_tile_is_painted_over_whatever_it_lies_on(ink: str, outline: np.ndarray) -> None:
    """Never silently wrong: a white tile on a white emblem is seen by its edges, its shadow and its number."""
    seen, tray = printed(BOARD, outline, INK[ink], wide_mm=None), tray_of(BOARD)
    found = [tray.to_mm(np.array(tile["quad"])) for tile in BOARD.truth["tiles"]]
    plain = known(outline, ink).without_print(seen, tray, found)
    for tile in BOARD.truth["tiles"]:
        face = np.zeros(seen.shape[:2], np.uint8)
        cv2.fillConvexPoly(face, np.round(scaled(np.array(tile["quad"])[None], 0.9)[0]).astype(np.int32), 1)
        assert np.array_equal(plain.picture_bgr[face > 0], seen[face > 0]), tile["label"]
    reading = read(seen, bare=known(outline, ink))
    middles = np.array([np.mean(tile.corners, axis=0) for tile in reading.tiles])
    for tile in BOARD.truth["tiles"]:
        away = np.hypot(*(middles - np.mean(tile["quad"], axis=0)).T)
        got = reading.tiles[int(away.argmin())]
        assert away.min() < 12
        assert got.symbol == tile["label"] or not got.sure
    assert len(reading.tiles) == 40 or reading.status is Status.UNSURE, "what is left of a print may look like a tile"


def test_what_looks_as_the_bare_felt_does_is_no_sure_piece() -> None:
    """Met when tried: a patch of an emblem that was left beside tiles of its colour was surely a tile, face down."""
    seen = printed(BARE, LEFT, INK["white"], wide_mm=None)
    tray = tray_of(BARE)
    plain = known(LEFT).without_print(seen, tray)
    patch, board = tray.to_px(oval((90.0, 100.0), (12.0, 12.0))[::30]), read(BOARD.picture_bgr)
    point = tuple(patch.mean(axis=0).tolist())
    tile = replace(board.tiles[0], corners=tuple(map(tuple, patch.tolist())))
    die, disk = DieReading(1, "white", True, 1.0, point), DiskReading("queue", 1, True, 1.0, point)
    reading = replace(board, tiles=(tile, *board.tiles[1:]), dice=(die,), disks=(disk,))
    doubted = doubting_prints(reading, plain)
    assert [one.sure for one in (doubted.tiles[0], *doubted.dice, *doubted.disks)] == [False] * 3
    assert doubted.status is Status.UNSURE
    real = known(LEFT).without_print(printed(BOARD, LEFT, INK["white"], wide_mm=None), tray_of(BOARD))
    assert doubting_prints(board, real) is board, "tiles that lie there are no prints"


@pytest.mark.parametrize("ink", ["white", "gold"])
def test_what_the_finder_overlooks_on_an_emblem_is_not_painted_over_whole(ink: str) -> None:
    """A tile that is nearly of the print's colour: its number and its edges stay, and are asked about."""
    seen, tray = printed(BOARD, LEFT, INK[ink], wide_mm=None), tray_of(BOARD)
    plain = known(LEFT, ink).without_print(seen, tray)
    for tile in BOARD.truth["tiles"]:
        face = np.zeros(seen.shape[:2], np.uint8)
        cv2.fillConvexPoly(face, np.round(scaled(np.array(tile["quad"])[None], 0.6)[0]).astype(np.int32), 1)
        same = (plain.picture_bgr[face > 0] == seen[face > 0]).all(axis=1).mean()
        assert same > 0.8, tile["label"]


def test_a_hand_over_a_known_print_is_a_hand() -> None:
    picture = drawn(hand=Hand(20.0, 0.0, 100.0, 3))
    reading = read(printed(picture, EMBLEM, INK["white"], wide_mm=None), bare=known(EMBLEM))
    assert reading.status is Status.BUSY


def test_another_felt_is_said_and_read_as_if_nothing_were_known() -> None:
    felt = known(EMBLEM)
    plain, other = BOARD.picture_bgr, printed(BOARD, oval((180.0, 214.0), (60.0, 9.0)), INK["dark"], wide_mm=None)
    for seen in (plain, other):
        reading = read(seen, bare=felt)
        assert Problem.OTHER_FELT in reading.problems
        assert (reading.status, symbols(seen, felt)) == (read(seen).status, symbols(seen))
    assert "other-felt" in read(plain, bare=felt).problems.words()


def test_a_plain_felt_changes_nothing() -> None:
    felt = felt_of(BARE.picture_bgr)
    assert not felt.printed.any()
    assert felt.without_print(BOARD.picture_bgr, tray_of(BOARD)).picture_bgr is BOARD.picture_bgr


@pytest.mark.parametrize("turned", [False, True], ids=["as it was", "on its head"])
def test_a_tray_that_is_found_by_its_edge_is_a_little_elsewhere(turned: bool) -> None:
    """An edge is found to some millimetres, and does not say which side is up."""
    board, bare = (drawn(markers=False, scene=s) for s in (None, TrayScene(())))
    outline = oval((180.0, 130.0), (150.0, 108.0))
    felt = felt_of(printed(bare, outline, INK["gold"], wide_mm=5.0), tray_of(bare))
    seen = printed(board, outline, INK["gold"], wide_mm=5.0)
    corners = np.array(tray_of(board).corners) + ((9, 4), (-6, 8), (5, -9), (-8, -3))
    plain = felt.without_print(seen, tray_from_clicks(tuple(map(tuple, np.roll(corners, 2 * turned, axis=0)))))
    gold = np.zeros(seen.shape[:2], np.uint8)
    line = np.round(tray_of(board).to_px(outline)).astype(np.int32)
    cv2.polylines(gold, [line], True, 1, 3)
    for tile in board.truth["tiles"]:
        cv2.fillConvexPoly(gold, np.round(scaled(np.array(tile["quad"])[None], 1.3)[0]).astype(np.int32), 0)
    unlike = [np.abs(p[gold > 0].astype(float) - board.picture_bgr[gold > 0]) for p in (plain.picture_bgr, seen)]
    assert np.median(unlike[0]) < 12
    assert np.median(unlike[1]) > 50
    assert not plain.other


@pytest.mark.parametrize("data", [b"", b"PK nothing", felt_of(BARE.picture_bgr).to_bytes()[:-90]])
def test_a_felt_is_kept_whole_or_not_at_all(data: bytes) -> None:
    felt = known(EMBLEM)
    again = BareFelt.from_bytes(felt.to_bytes())
    assert np.array_equal(again.bgr, felt.bgr)
    assert np.array_equal(again.printed, felt.printed)
    with pytest.raises(BadBareFelt, match="kept felt"):
        BareFelt.from_bytes(data)


def test_what_looks_like_a_piece_is_no_bare_felt_unless_a_person_says_so() -> None:
    """A tile that was left there would be taken for a print, and never be seen again."""
    with pytest.raises(PiecesOnFelt, match="40 things look like pieces") as no:
        felt_of(BOARD.picture_bgr)
    middles = np.array(no.value.outlines).mean(axis=1)
    for tile in BOARD.truth["tiles"]:
        assert np.hypot(*(middles - np.mean(tile["quad"], axis=0)).T).min() < 12
    assert felt_of(BOARD.picture_bgr, printed=True).printed.any()


def test_without_a_tray_or_felt_of_one_colour_there_is_nothing_to_know() -> None:
    with pytest.raises(BadBareFelt, match="no tray is seen"):
        felt_of(np.full((480, 640, 3), 90, np.uint8))
    felt = known(EMBLEM)
    all_paper = replace(felt, papers_mm=(rectangle((360.0, 260.0)),))
    with pytest.raises(BadBareFelt, match="too little plain felt"):
        BareFelt.from_bytes(all_paper.to_bytes())
    with pytest.raises(BadBareFelt, match=r"of \(20, 20, 3\)"):
        BareFelt.from_bytes(replace(felt, bgr=felt.bgr[:20, :20]).to_bytes())
