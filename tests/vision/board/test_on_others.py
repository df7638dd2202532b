"""A referee who sees everything: a tile dropped on others is asked about, however neatly it lies there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import ROWS, cells, drawn
from vision.board.arrange import Arrangement
from vision.board.on_others import ASKED, CROP_WH, FAR, LEAST, TAUGHT, Look, askew, classify, cut, on_others, shared
from vision.board.spots import Spots
from vision.drawing import scene_for_layout
from vision.eyes import shipped_eyes
from vision.geometry import Floats
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import Image

BOARD = scene_for_layout(cells(ROWS), layout="rows", seed=1)
THICK_MM = 3.5


def with_one_more(under: int, off_mm: tuple[float, float], turn_deg: float, symbol: str) -> Image:
    """Return the picture of the board with a tile more, which lies on one of the others."""
    below = BOARD.tiles[under]
    upper = replace(
        below,
        x_mm=below.x_mm + off_mm[0],
        y_mm=below.y_mm + off_mm[1],
        angle_deg=below.angle_deg + turn_deg,
        symbol=symbol,
        z_mm=THICK_MM,
    )
    return drawn(scene=replace(BOARD, tiles=(*BOARD.tiles, upper))).picture_bgr


@pytest.mark.parametrize(
    ("under", "off_mm", "turn_deg"),
    [(27, (-4.0, 4.0), 8.0), (5, (1.0, 1.0), 14.0), (12, (6.0, -6.0), 0.0), (18, (4.0, 3.0), -12.0)],
)
def test_a_tile_that_hides_most_of_another_is_asked_about(
    under: int, off_mm: tuple[float, float], turn_deg: float
) -> None:
    """Never silently wrong: which symbol lies below nobody can say; the number that all see is another tile's."""
    symbol = BOARD.tiles[under].symbol
    reading = read(with_one_more(under, off_mm, turn_deg, symbol), expect="wild")
    assert reading.status is Status.UNSURE
    row, column = divmod(under, 10)
    assert [(t.row, t.column) for t in reading.tiles if not t.sure] == [(row, column)]
    assert [(t.row, t.column) for t in reading.tiles if t.doubted] == [(row, column)], "however sure of its symbol"


def test_by_its_own_symbol_alone_such_a_tile_would_have_passed() -> None:
    picture = with_one_more(12, (6.0, -6.0), 0.0, BOARD.tiles[12].symbol)
    nobody = replace(shipped_eyes(), lie_on_others=None)
    assert read(picture, expect="wild", eyes=nobody).status is Status.READ


@pytest.mark.parametrize("expect", ["rows", "wild"])
def test_no_tile_of_a_board_laid_by_hand_is_asked_about(expect: str) -> None:
    for seed in range(4):
        scene = scene_for_layout(cells(ROWS), layout="rows", seed=seed, untidy=1.3)
        assert read(drawn(scene=scene, seed=seed).picture_bgr, expect=expect).status is Status.READ


def test_whoever_lies_upside_down_is_shown_with_the_arcs_up() -> None:
    """The net has learnt from tiles seen so; a turned tile would be a sight it does not know."""
    spots, places = row_of(6, off={2: (0.0, 8.0)}, upside_down={2})
    shown: list[Floats] = []

    def look(picture: Image, quads_px: Floats) -> Floats:
        shown.append(quads_px)
        return np.ones(len(quads_px)) if len(shown) == 1 else np.zeros(len(quads_px))

    seen = on_others(np.zeros((9, 9, 3), np.uint8), spots, places, look)
    assert seen[2]
    assert np.array_equal(shown[0][0], np.roll(spots.quads_px[2], 2, axis=0))


@pytest.mark.parametrize(("said", "n", "told"), [(0.4, 6, False), (0.7, 6, True), (0.7, 2, False), (0.9, 2, True)])
def test_where_nothing_says_how_a_tile_should_lie_the_net_has_to_be_surer(said: float, n: int, told: bool) -> None:
    spots, places = row_of(n, off={1: (0.0, 8.0)})
    assert on_others(np.zeros((9, 9, 3), np.uint8), spots, places, saying({1: said}, spots))[1] == told


@pytest.mark.parametrize(
    ("off_mm", "said", "told"),
    [((0.0, 4.0), 0.9, False), ((0.0, 4.0), 0.95, True), ((0.0, 8.0), 0.7, True), ((-2.5, 2.0), 0.7, True)],
    ids=["beside", "surely", "far", "touching"],
)
def test_of_one_that_lies_a_little_aside_and_on_nobody_the_net_has_to_be_surer(
    off_mm: tuple[float, float], said: float, told: bool
) -> None:
    """Few questions: people lay rows untidily, and a tile beside its row throws its shadow, too."""
    spots, places = row_of(6, off={2: off_mm})
    assert askew(spots, places)[2] > 1.0
    assert on_others(np.zeros((9, 9, 3), np.uint8), spots, places, saying({2: said}, spots))[2] == told


@pytest.mark.parametrize(("usual", "told"), [(0.9, False), (0.1, True)])
def test_in_a_light_in_which_all_tiles_look_so_none_is_told(usual: float, told: bool) -> None:
    """Few questions: one tile of a board may lie on others, but not all of them."""
    spots, places = row_of(12, off={5: (0.0, 6.0)})
    look = saying(dict.fromkeys(range(12), usual) | {5: 0.99}, spots)
    assert on_others(np.zeros((9, 9, 3), np.uint8), spots, places, look).tolist() == [
        k == 5 and told for k in range(12)
    ]


def saying(said: dict[int, float], spots: Spots) -> Look:
    """Return a look that says so much of some of the tiles, by where they lie, and nothing of the others."""

    def look(picture: Image, quads_px: Floats) -> Floats:
        at = np.linalg.norm(spots.quads_px.mean(axis=1)[:, None] - quads_px.mean(axis=1), axis=2).argmin(axis=0)
        return np.array([said.get(int(k), 0.0) for k in at])

    return look


@pytest.mark.parametrize(("off_mm", "share"), [((0.0, 0.0), 0.0), ((-6.0, 0.0), 0.25), ((-11.0, 15.0), 0.25)])
def test_so_much_of_a_tile_lies_on_another(off_mm: tuple[float, float], share: float) -> None:
    """Tiles 20 mm wide, a millimetre apart."""
    spots, _ = row_of(4, off={2: off_mm})
    assert shared(spots.quads_px, np.array([2]))[0] == pytest.approx(share, abs=1e-6)


def row_of(
    n: int, *, off: dict[int, tuple[float, float]] | None = None, turn_deg: dict[int, float] | None = None,
    lean: float = 0.0, upside_down: set[int] | None = None,
) -> tuple[Spots, Arrangement]:  # fmt: skip
    """Return n tiles of 20 x 30 mm in one row that leans (radians), some of them off (mm) or turned."""
    right, down = np.array([np.cos(lean), np.sin(lean)]), np.array([-np.sin(lean), np.cos(lean)])
    at = 50.0 + 21.0 * np.arange(n)[:, None] * right
    leans = np.full(n, lean)
    for k, (along, across) in (off or {}).items():
        at[k] += along * right + across * down
    for k, turn in (turn_deg or {}).items():
        leans[k] += np.radians(turn)
    quads = at[:, None] + np.array([[-10.0, -15.0], [10.0, -15.0], [10.0, 15.0], [-10.0, 15.0]])
    zero, index = np.zeros(n), np.arange(n)
    head_down = np.array([float(k in (upside_down or ())) for k in range(n)])
    spots = Spots(at, np.tile((20.0, 30.0), (n, 1)), leans, zero, quads, np.zeros((n, 12)), zero, head_down, zero)
    return spots, Arrangement(index, 0 * index, index, zero > 0, zero, Problem.NONE)


@given(st.integers(LEAST, 10), st.data(), st.floats(-0.4, 0.4))
def test_the_one_that_lies_out_of_its_row_is_among_the_first_to_be_looked_at(
    n: int, data: st.DataObject, lean: float
) -> None:
    k = data.draw(st.integers(0, n - 1))
    off = (data.draw(st.floats(2.0, 9.0)), data.draw(st.floats(-9.0, 9.0)))
    away = askew(*row_of(n, off={k: off}, lean=lean))
    assert away[k] >= 1.0
    # A line through it and few others may miss one of these by more.
    assert np.count_nonzero(away > away[k]) <= 2


@given(st.integers(LEAST, 10), st.data(), st.floats(-0.4, 0.4), st.floats(2.0, 60.0))
def test_so_is_the_one_that_is_turned(n: int, data: st.DataObject, lean: float, turn_deg: float) -> None:
    k = data.draw(st.integers(0, n - 1))
    away = askew(*row_of(n, turn_deg={k: turn_deg}, lean=lean))
    assert int(away.argmax()) == k
    assert np.delete(away, k).max() < 1e-6


@given(st.integers(LEAST, 10), st.floats(-0.4, 0.4))
def test_of_a_row_laid_straight_nobody_looks_at_any(n: int, lean: float) -> None:
    assert askew(*row_of(n, lean=lean)).max() < 1e-6


@pytest.mark.parametrize("n", range(LEAST))
def test_where_too_few_tiles_say_how_one_should_lie_all_may_be_looked_at(n: int) -> None:
    assert np.isnan(askew(*row_of(n))).all()


@pytest.mark.parametrize(("full", "said", "told"), [(True, 0.7, True), (False, 0.7, False), (False, 0.95, True)])
def test_a_block_that_lies_apart_has_its_tiles_beside_each_other(full: bool, said: float, told: bool) -> None:
    """Few questions: in Draw Bridge the two ends of a row lie as they come, and lie on nobody for that."""
    spots, places = row_of(10, off=dict.fromkeys((6, 7, 8, 9), (0.0, 14.0)))
    ends = np.array([0, 1, 2, 3, 6, 7, 8, 9])
    both = Arrangement(ends, 0 * ends, ends, ends < 0, 0.0 * ends, Problem.NONE)
    assert askew(spots, both)[6] > FAR
    assert askew(spots, both, full=False)[ends].max() < 1e-6
    assert askew(spots, places, full=False)[6] == askew(spots, places)[6]
    assert on_others(np.zeros((9, 9, 3), np.uint8), spots, both, saying({6: said}, spots), full=full)[6] == told


@pytest.mark.parametrize(("said", "told"), [(0.7, False), (0.85, True)])
def test_a_block_too_short_to_say_how_its_tiles_should_lie_is_a_short_row(said: float, told: bool) -> None:
    spots, _ = row_of(10, off={9: (0.0, 9.0)})
    ends = np.array([0, 1, 2, 3, 8, 9])
    both = Arrangement(ends, 0 * ends, ends, ends < 0, 0.0 * ends, Problem.NONE)
    assert np.isnan(askew(spots, both, full=False)[[8, 9]]).all()
    assert on_others(np.zeros((9, 9, 3), np.uint8), spots, both, saying({9: said}, spots), full=False)[9] == told


def test_tiles_without_a_row_of_their_own_columns_are_no_reason_to_fail() -> None:
    spots, places = row_of(4, off={0: (5.0, 0.0)})
    one_column = replace(places, column=np.array([0, 3, 3, 3]))
    assert np.isfinite(askew(spots, one_column)).all()


def test_only_the_worst_are_looked_at() -> None:
    """A millisecond for a board: somebody who lays all of them untidily pays no more."""
    asked: list[int] = []

    def look(picture: Image, quads_px: Floats) -> Floats:
        asked.append(len(quads_px))
        return np.zeros(len(quads_px))

    spots, places = row_of(10, off={k: (0.0, 9.0 * (-1) ** k) for k in range(10)})
    assert not on_others(np.zeros((9, 9, 3), np.uint8), spots, places, look).any()
    assert asked == [ASKED]


def test_the_net_says_of_each_tile_how_likely_it_lies_on_others() -> None:
    picture = with_one_more(12, (6.0, -6.0), 0.0, "3")
    quads = np.array([t["quad"] for t in drawn(scene=BOARD).truth["tiles"]])
    assert cut(picture, quads[:3]).shape == (3, CROP_WH[1], CROP_WH[0], 3)
    said = classify(picture, quads)
    assert said.shape == (40,)
    assert said[12] > 0.5 > np.delete(said, 12).max()
    assert classify(picture, quads[:0]).shape == (0,)


def test_of_a_set_that_was_taught_only_what_plainly_lies_on_others_is_asked_about() -> None:
    """Long strokes of a child's hand look like digits that a tile cuts; a stack is one whoever wrote its digits."""
    picture = with_one_more(12, (6.0, -6.0), 0.0, "3")
    quads = np.array([t["quad"] for t in drawn(scene=BOARD).truth["tiles"]])
    plain, taught = classify(picture, quads), classify(picture, quads, taught=True)
    assert (taught < plain).all()
    assert np.log(plain / (1.0 - plain)) - np.log(taught / (1.0 - taught)) == pytest.approx(TAUGHT)
    assert taught[12] > 0.5
