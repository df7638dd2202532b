"""Issue 'The eye': a wrong reading never passes as sure, whatever people do with tiles, trays and cameras."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.trays import ROWS, cells, drawn, knowing, shown, with_tiles
from vision.crops.symbols import Symbols
from vision.drawing import DrawnTile, TrayScene, scene_for_layout
from vision.geometry import Floats
from vision.reader import read
from vision.reading import Problem, Reading, Status
from vision.tray.rectify import Image

TRUTH = [symbols for _, symbols in ROWS]
LAID = scene_for_layout(cells(), layout="rows", seed=1)
Change = Callable[[tuple[DrawnTile, ...]], tuple[DrawnTile, ...]]


def seen(change: Change, *, expect: str = "rows") -> Reading:
    scene: TrayScene = replace(LAID, tiles=change(LAID.tiles))
    return read(drawn(scene=scene).picture_bgr, expect=expect)


def turned(tiles: tuple[DrawnTile, ...], colour: str, symbol: str) -> tuple[DrawnTile, ...]:
    return tuple(
        replace(t, angle_deg=t.angle_deg + 180) if (t.colour, t.symbol) == (colour, symbol) else t for t in tiles
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda tiles: (*tiles, DrawnTile(0.0, 95.0, 0.0, "5", "green", True)),
        lambda tiles: tiles[:-1],
        lambda tiles: tiles[:23] + tiles[24:],
        lambda tiles: tiles[10:],
    ],
    ids=["41 tiles", "39 tiles", "39 tiles, one out of the middle", "three rows"],
)
def test_a_wrong_number_of_tiles_is_no_reading(change: Change) -> None:
    """RULES 1: `rows` are 4 rows of 10."""
    reading = seen(change)
    assert reading.status is Status.UNSURE
    assert reading.problems & (Problem.COUNT | Problem.LAYOUT)


def test_a_tile_stacked_on_another_shows_what_lies_on_top_and_its_double_is_named() -> None:
    reading = seen(lambda t: (*t, replace(t[14], x_mm=t[14].x_mm + 3, y_mm=t[14].y_mm + 2, symbol="3")))
    assert reading.status is Status.UNSURE
    assert Problem.SET in reading.problems
    assert shown(reading)[1] == "5489370136"
    assert [(t.row, t.symbol) for t in reading.tiles if not t.sure] == [(1, "3"), (1, "3")]


@pytest.mark.parametrize(
    "change",
    [
        lambda tiles: turned(tiles, "green", "7"),
        lambda tiles: turned(tiles, "blue", "6"),
        lambda tiles: tuple(replace(t, x_mm=t.x_mm + 9) if k == 13 else t for k, t in enumerate(tiles)),
        lambda tiles: tiles + tuple(DrawnTile(-150.0 + 30 * k, 165.0, 0.0, str(k), "red", True) for k in range(10)),
    ],
    ids=["a 7 upside down", "a 6 upside down", "a tile on its neighbour", "a second set beside the tray"],
)
def test_disorder_that_changes_no_number_is_read_right_or_doubted(change: Change) -> None:
    reading = seen(change)
    assert reading.status in (Status.READ, Status.UNSURE)
    assert reading.status is Status.UNSURE or shown(reading) == TRUTH


@pytest.mark.parametrize("doubt", [1e-7, 1e-3])
def test_a_six_and_a_nine_that_may_lie_the_other_way_up_are_doubted_for_more_than_their_symbols(doubt: float) -> None:
    """Else what several frames say together of the symbol would make it sure. Of square tiles: arcs would tell."""
    picture = drawn(scene=LAID, look=with_tiles(sag_mm=0.0))
    known = knowing(picture.truth, doubt=doubt)
    turnable = [k for k, tile in enumerate(picture.truth["tiles"]) if tile["label"] in "69" and tile["row"] == 2]

    def look(seen_bgr: Image, quads: Floats) -> Symbols:
        said = known.look(seen_bgr, quads)
        middle = np.mean([picture.truth["tiles"][k]["quad"] for k in turnable], axis=1)
        here = np.linalg.norm(quads.mean(axis=1)[:, None] - middle, axis=2).min(axis=1) < 10.0
        return replace(said, p_upside_down=np.where(here, 0.5, said.p_upside_down).astype(np.float32))

    reading = read(picture.picture_bgr, expect="rows", eyes=replace(known, look=look))
    assert [k for k, tile in enumerate(reading.tiles) if tile.doubted] == turnable
    assert not any(reading.tiles[k].sure for k in turnable)


@pytest.mark.parametrize("markers", [True, False], ids=["markers", "no markers"])
@pytest.mark.parametrize(
    "view",
    [lambda p: p[:, ::-1], lambda p: p[:480], lambda p: p[:, :640], lambda p: p[480:, 640:]],
    ids=["mirrored", "top half", "left half", "a quarter"],
)
def test_half_a_picture_or_a_mirrored_one_is_never_sure(view: Callable[[Image], Image], markers: bool) -> None:
    picture = np.ascontiguousarray(view(drawn(markers=markers).picture_bgr))
    assert read(picture, expect="rows").status is not Status.READ


@pytest.mark.parametrize("markers", [True, False], ids=["markers", "no markers"])
def test_a_tray_upside_down_is_read_as_it_lies_or_doubted(markers: bool) -> None:
    """The markers say which way up the tray is; without them rows may come out back to front, whole."""
    reading = read(np.ascontiguousarray(drawn(markers=markers).picture_bgr[::-1, ::-1]), expect="rows")
    backwards = [row[::-1] for row in reversed(TRUTH)]
    assert reading.status is Status.UNSURE or shown(reading) in ([TRUTH] if markers else [TRUTH, backwards])
