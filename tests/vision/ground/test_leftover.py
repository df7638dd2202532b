"""A die too few is the worst error of all: what is as large as one and read as none must raise a question."""

from __future__ import annotations

import numpy as np
import pytest

from vision.ground.leftover import OF_DICE, OF_DISKS, OF_TILES, left_over

SIDE = 16.0


def _tray(*boxes_mm: tuple[float, float, float, float]) -> np.ndarray:
    """Return what is strange on a tray of 360 x 260 mm (half a pixel a millimetre): boxes x0 y0 x1 y1."""
    strange = np.zeros((130, 180), bool)
    for x0, y0, x1, y1 in boxes_mm:
        strange[round(y0 / 2) : round(y1 / 2), round(x0 / 2) : round(x1 / 2)] = True
    return strange


def _die(x: float, y: float) -> np.ndarray:
    return np.array([[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]])


def _ask(strange: np.ndarray, *dice: np.ndarray, papers: list[np.ndarray] | None = None) -> bool:
    quads = np.array(dice, float).reshape(-1, 4, 2)
    return bool(left_over(strange, quads, side_mm=SIDE, papers_mm=papers or [], least=OF_DICE))


def test_a_die_that_was_read_is_explained_with_its_sides() -> None:
    assert not _ask(_tray((90, 90, 110, 110)), _die(99, 99))


@pytest.mark.parametrize("box", [(200, 100, 216, 116), (0, 100, 16, 116), (344, 244, 360, 260)])
def test_a_die_that_was_not_read_is_asked_about_even_against_the_rim(box: tuple[float, float, float, float]) -> None:
    assert _ask(_tray((90, 90, 108, 108), box), _die(99, 99))


def test_a_die_that_touches_one_that_was_read_is_asked_about() -> None:
    assert _ask(_tray((90, 90, 124, 106)), _die(98, 98))


def test_a_strip_of_rim_a_speck_and_a_marker_are_nothing() -> None:
    strange = _tray((0, 0, 360, 5), (200, 100, 205, 105), (20, 20, 40, 40))
    assert not _ask(strange, _die(99, 99), papers=[_die(30, 30) * 1.2 - 6.0])


@pytest.mark.parametrize("rim", [(0, 0, 360, 12), (0, 60, 12, 260), (348, 0, 360, 200), (100, 248, 300, 260)])
def test_a_rim_that_is_seen_within_the_felts_edge_is_nothing(rim: tuple[float, float, float, float]) -> None:
    """A tray's rim has a height: the camera sees it over the felt, as wide as half a die."""
    assert not _ask(_tray(rim), _die(99, 99))


@pytest.mark.parametrize("die", [(170, 0, 186, 26), (0, 100, 26, 116), (334, 100, 360, 116), (12, 240, 28, 260)])
def test_a_die_that_leans_against_such_a_rim_is_asked_about(die: tuple[float, float, float, float]) -> None:
    rims = [(0, 0, 360, 10), (0, 250, 360, 260), (0, 0, 10, 260), (350, 0, 360, 260)]
    assert not _ask(_tray(*rims), _die(99, 99))
    assert _ask(_tray(*rims, die), _die(99, 99))


def test_two_dice_side_by_side_along_the_edge_are_no_rim() -> None:
    assert _ask(_tray((100, 0, 132, 12)), _die(99, 99))


@pytest.mark.parametrize(("box", "asked"), [
    ((200, 100, 216, 106), True), ((200, 100, 250, 106), True), ((200, 100, 212, 106), False),
    ((200, 100, 250, 104), False), ((200, 0, 214, 6), False), ((90, 108, 110, 109.5), False),
])  # fmt: skip
def test_a_bar_on_the_felt_is_asked_about(box: tuple[float, float, float, float], asked: bool) -> None:
    """Never silently wrong: disks on their edges, a pencil with a die under it, a card with dice printed on it."""
    strange = _tray((90, 90, 108, 108), box)
    for least in (OF_DICE, OF_DISKS):
        found = left_over(strange, _die(99, 99)[None], side_mm=SIDE, papers_mm=[], least=least)
        assert len(found) == asked


def test_the_seam_of_a_markers_paper_is_no_bar_and_a_pencil_beside_it_is() -> None:
    """Paper is cut out by hand, and may be wider than the square that explains it: what is left of it is an angle."""
    paper = np.array([[4, 220], [40, 220], [40, 256], [4, 256]], float)
    seam, pencil = [(4, 216, 44, 256)], [(4, 216, 44, 256), (44, 210, 50, 240)]
    for boxes, asked in ((seam, False), (pencil, True)):
        assert _ask(_tray((90, 90, 108, 108), *boxes), _die(99, 99), papers=[paper]) == asked


@pytest.mark.parametrize(("sticks_out_mm", "asked"), [(3, False), (12, True), (20, True)])
def test_a_tile_that_sticks_out_from_under_another_is_asked_about(sticks_out_mm: int, asked: bool) -> None:
    """On a board with gaps nothing else tells: what lies on top is read as the one tile of its place."""
    top = np.array([[[100, 100], [124, 100], [124, 132], [100, 132]]], float)
    strange = _tray((98, 98, 126, 134), (124, 100, 124 + sticks_out_mm, 132))
    found = left_over(strange, top, side_mm=24.0, papers_mm=[], least=OF_TILES)
    assert len(found) == asked
    for where in found:
        assert 124 <= where[:, 0].min() < where[:, 0].max() <= 126 + sticks_out_mm
