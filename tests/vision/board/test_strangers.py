"""Never silently wrong: a coin with a number beside a block of Draw Bridge, or in a full board, is no tile of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.trays import BRIDGE, cells, drawn
from vision.board.arrange import Arrangement
from vision.board.spots import Spots
from vision.board.strangers import WELL_FOUND, of_another_set, strangers, wild_of_no_row
from vision.colour.paint import Paint, as_seen, linear
from vision.drawing import Drawn
from vision.infer import WILD
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import Image


def array(
    score: float,
    bodies: list[tuple[float, ...]],
    rows: list[int],
    *,
    round_: bool = False,
    down: tuple[int, ...] = (),
    inks: list[tuple[float, ...]] | None = None,
) -> np.ndarray:
    """Return which of n tiles beside each other are strangers.

    score: of the first; round_: it has no corners; down: which look face down; inks: black where None.
    """
    n, row, index = len(bodies), np.array(rows), np.arange(len(bodies))
    paint = Paint(np.array(bodies), np.full((n, 3), 20.0) if inks is None else np.array(inks), np.zeros(n))
    picture = np.full((40, 30 * n, 3), (40, 90, 50), np.uint8)
    quads = np.array([[[30 * k, 0], [30 * k + 24, 0], [30 * k + 24, 30], [30 * k, 30]] for k in index], np.float64) + 3
    for k, quad in enumerate(quads):
        if k == 0 and round_:
            cv2.circle(picture, (15, 18), 12, bodies[k], -1)
        else:
            cv2.fillConvexPoly(picture, quad.astype(np.int32), bodies[k])
    nothing = np.zeros(n)
    found = np.where(index == 0, score, 0.95)
    tiles = Spots(
        quads.mean(axis=1), quads[:, 2] - quads[:, 0], nothing, found, quads, np.zeros((n, 12)), *[nothing] * 3
    )
    places = Arrangement(index, row, index, row < 0, nothing, Problem.NONE)
    return strangers(picture, paint, tiles, places, np.isin(index, down))


PALE, PALER, COPPER = (170.0, 190.0, 200.0), (178.0, 196.0, 206.0), (60.0, 110.0, 170.0)


def test_what_is_hardly_found_and_unlike_all_is_a_stranger() -> None:
    assert array(0.5, [COPPER, PALE, PALER, PALE], [0, 0, 1, 1]).tolist() == [True, False, False, False]


def test_what_is_round_and_unlike_all_is_one_however_well_it_was_found() -> None:
    assert array(0.95, [COPPER, PALE, PALER, PALE], [0, 0, 1, 1], round_=True).tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    ("score", "bodies", "rows"),
    [(WELL_FOUND, [COPPER, PALE, PALER], [0, 0, 1]), (0.5, [PALER, PALE, PALE], [0, 0, 1]),
     (0.5, [COPPER, PALE, PALER], [1, 0, 0]), (0.5, [COPPER, PALE, COPPER], [0, 0, 1]), (0.5, [COPPER], [0])],
    ids=["well found", "like its row", "alone in its row", "like another", "alone"],
)  # fmt: skip
def test_no_other_is(score: float, bodies: list[tuple[float, float, float]], rows: list[int]) -> None:
    assert not array(score, bodies, rows).any()


def test_a_tile_that_has_but_a_back_beside_it_is_none() -> None:
    """A back has the colour of backs: nobody knows by it what the other tiles of its row look like."""
    assert array(0.5, [COPPER, PALE, PALER], [0, 0, 1])[0]
    assert not array(0.5, [COPPER, PALE, PALER], [0, 0, 1], down=(1,)).any()


RED, GREEN, DARK = (30.0, 25.0, 190.0), (60.0, 150.0, 60.0), (20.0, 20.0, 20.0)


@pytest.mark.parametrize("lamp", [0.1, 0.3, 0.5])
def test_a_tile_that_mirrors_a_lamp_beside_its_fellows_is_none(lamp: float) -> None:
    """What a lamp adds to a tile's paint is white: a red tile is pink there, its ink grey, and it has corners."""
    pink, grey = (tuple(as_seen(np.minimum(linear(np.array(c)) + lamp, 1.0)).tolist()) for c in (RED, DARK))
    rows, fellows = [0, 0, 0, 1], [RED, RED, GREEN]
    assert not array(0.5, [pink, *fellows], rows, inks=[grey, DARK, DARK, DARK]).any()
    assert not array(0.5, [RED, pink, pink, GREEN], rows, inks=[DARK, grey, grey, DARK]).any(), "all others mirror it"
    assert array(0.5, [COPPER, *fellows], rows)[0], "no lamp makes a red tile a coin"
    assert array(0.5, [pink, *fellows], rows)[0], "black ink that no lamp makes paler is another set's"
    assert array(0.5, [pink, *fellows], rows, inks=[grey, DARK, DARK, DARK], round_=True)[0], "a disk"


def with_a_coin(picture: Drawn, radius: float, colour: tuple[int, int, int]) -> Image:
    """Return the picture with a 5 on a coin where the next tile of the first row's block would lie, right of its 6.

    radius: over the width of a place.
    """
    tiles = {(t["row"], t["grid_col"]): np.array(t["quad"]).mean(axis=0) for t in picture.truth["tiles"]}
    step = tiles[0, 1] - tiles[0, 0]
    x, y = (tiles[0, 1] + step).round().astype(int).tolist()
    out = picture.picture_bgr.copy()
    cv2.circle(out, (x, y), int(radius * np.linalg.norm(step)), colour, -1, cv2.LINE_AA)
    (w, h), _ = cv2.getTextSize("5", cv2.FONT_HERSHEY_SIMPLEX, 1.0, 2)
    cv2.putText(out, "5", (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 30, 50), 2, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (3, 3), 0)


@pytest.mark.parametrize(("radius", "colour"), [(0.48, (70, 120, 180)), (0.52, (70, 120, 180)), (0.52, (90, 160, 210))])
def test_a_coin_with_a_number_beside_a_block_is_asked_about(radius: float, colour: tuple[int, int, int]) -> None:
    """The net sees a plain 5: each of these was a tile of the row, surely."""
    picture = drawn(cells(BRIDGE), layout="drawbridge")
    assert read(picture.picture_bgr, expect="drawbridge").status is Status.READ
    assert read(with_a_coin(picture, radius, colour), expect="drawbridge").status is Status.UNSURE


BLACK, WHITE = (20.0, 20.0, 20.0), (250.0, 250.0, 250.0)


@pytest.mark.parametrize(
    ("body", "ink", "down", "rows", "strange"),
    [(COPPER, WHITE, 0, [0, 0, 0, 1], True), (PALER, WHITE, 0, [0, 0, 0, 1], False),
     (COPPER, BLACK, 0, [0, 0, 0, 1], False), (COPPER, WHITE, 1, [0, 0, 0, 1], False),
     (COPPER, WHITE, 0, [0, 0, 1, 1], False), (COPPER, WHITE, 0, None, True)],
    ids=["neither is theirs", "their body", "their ink", "face down", "few in its row", "colours mixed"],
)  # fmt: skip
def test_what_has_neither_the_body_nor_the_ink_of_the_others_is_of_another_set(
    body: tuple[float, float, float], ink: tuple[float, float, float], down: int, rows: list[int] | None, strange: bool
) -> None:
    """Never silently wrong: on a full board the rule of the set leaves one symbol for its place, whatever it shows."""
    paint = Paint(np.array([body, PALE, PALE, PALE]), np.array([ink, BLACK, BLACK, BLACK]), np.zeros(4))
    found = of_another_set(paint, np.arange(4) < down, None if rows is None else np.array(rows))
    assert found.tolist() == [strange, False, False, False]


def test_a_tile_of_a_full_board_that_mirrors_a_lamp_is_of_this_set() -> None:
    """Issue 3: few questions. A lamp makes yellow nearly white: 0.35 of white on body and ink explain it."""
    lamp = [tuple(as_seen(linear(np.array(seen)) + 0.35)) for seen in ((40.0, 190.0, 230.0), (10.0, 30.0, 40.0))]
    bodies, inks = [lamp[0], *[(40.0, 190.0, 230.0)] * 3], [lamp[1], *[(10.0, 30.0, 40.0)] * 3]
    paint, down = Paint(np.array(bodies), np.array(inks), np.zeros(4)), np.zeros(4, dtype=bool)
    assert not of_another_set(paint, down, np.zeros(4, dtype=np.int64)).any()
    other = Paint(paint.body, np.vstack([[20.0, 20.0, 200.0], inks[1:]]), paint.washed)
    assert of_another_set(other, down, np.zeros(4, dtype=np.int64)).tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    ("body", "ink", "looks", "rows", "strange"),
    [(COPPER, WHITE, WILD, [0, 0, 0, 1], True), (PALER, WHITE, WILD, [0, 0, 0, 1], False),
     (COPPER, BLACK, WILD, [0, 0, 0, 1], False), (COPPER, WHITE, 3, [0, 0, 0, 1], False),
     (COPPER, WHITE, WILD, [1, 0, 0, 0], False)],
    ids=["neither is its row's", "its row's body", "its row's ink", "a number", "alone in its row"],
)  # fmt: skip
def test_a_wild_tile_of_no_row_may_be_a_printed_back(
    body: tuple[float, float, float], ink: tuple[float, float, float], looks: int, rows: list[int], strange: bool
) -> None:
    """RULES 1: "4 wild tiles `#`, one a colour". A lattice or a star on a back is a `#` to the net, and surely."""
    paint = Paint(np.array([body, PALE, PALE, PALE]), np.array([ink, BLACK, BLACK, BLACK]), np.zeros(4))
    found = wild_of_no_row(paint, np.array([looks, 4, 5, 6]), np.array(rows))
    assert found.tolist() == [strange, False, False, False]


@pytest.mark.parametrize("symbol", ["4", "K"])
def test_a_coin_or_a_letter_in_the_place_of_a_tile_is_asked_about(symbol: str) -> None:
    """Of 58 that were taken for the tile that was missing, without a word, 34 are asked about."""
    picture = drawn()
    out = picture.picture_bgr.copy()
    (tile,) = [t for t in picture.truth["tiles"] if (t["row"], t["col"]) == (1, 1)]
    assert tile["label"] == "4"
    quad = np.array(tile["quad"])
    x, y = quad.mean(axis=0).round().astype(int).tolist()
    cv2.fillConvexPoly(out, quad.round().astype(np.int32), (70, 120, 180), cv2.LINE_AA)
    (w, h), _ = cv2.getTextSize(symbol, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 2)
    cv2.putText(out, symbol, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 200), 2, cv2.LINE_AA)
    reading = read(cv2.GaussianBlur(out, (3, 3), 0))
    assert reading.status is Status.UNSURE
    assert (1, 1) in [(t.row, t.column) for t in reading.tiles if not t.sure]
