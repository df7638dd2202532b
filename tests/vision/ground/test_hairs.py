"""Few questions: a hair on the felt is no piece, and hides none. But edges of a piece in the felt's colour are none."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.trays import BRIDGE, cells, drawn
from vision.geometry import Floats
from vision.ground.felt import RESIDUE_PX_PER_MM
from vision.ground.hairs import without_hairs
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import Image, Tray, tray_from_clicks

PX = 3
"""Pixels of a millimetre of the felt that is looked at."""
FELT, PALE = (60, 95, 45), (190, 200, 205)
SIDE_MM = 20.0
Path = Sequence[tuple[float, float]]

ARC: Path = [(40 + 24 * np.cos(a), 60 - 24 * np.sin(a)) for a in np.linspace(0.3, 2.6, 40)]
WAVE: Path = [(30 + x, 50 + 6 * np.sin(x / 9.0)) for x in np.linspace(0, 50, 60)]
STRAIGHT: Path = [(30, 50), (75, 52)]
CORNER: Path = [(35, 75), (35, 50), (60, 50)]
BOX: Path = [(35, 50), (55, 50), (55, 74), (35, 74), (35, 50)]
TILE_TOP: Path = [(35, 60), *((35 + x, 50 - 4 * np.sin(np.pi * x / 20)) for x in np.linspace(0, 20, 20)), (55, 60)]


def tray() -> Tray:
    w, h = 120 * PX, 100 * PX
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], dtype=np.float64) - 0.5
    return tray_from_clicks(corners, size_mm=(120.0, 100.0))


def felt_with(*paths: Path, wide_px: int = 2, colour: tuple[int, int, int] = PALE) -> Image:
    """Return 120 x 100 mm of felt, seen from above, with things along some paths (mm)."""
    fibres = np.random.default_rng(4).normal(0.0, 3.0, (100 * PX, 120 * PX, 3))
    picture = np.full(fibres.shape, FELT, np.uint8)
    for path in paths:
        points = np.round(np.array(path) * PX * 16).astype(np.int32)
        cv2.polylines(picture, [points], False, colour, wide_px, cv2.LINE_AA, 4)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + fibres, 0, 255).astype(np.uint8)


def left_of(picture: Image, *, patch_mm: tuple[float, float, float, float] | None = None) -> list[Floats]:
    """Return what is left of one outline around all that differs from felt, in cells of 2 mm that are blurred.

    patch_mm: x, y, width and height of what differs so little that only such cells show it.
    """
    cell = round(PX / RESIDUE_PX_PER_MM)
    off = np.abs(picture.astype(np.float32) - np.array(FELT, np.float32)).max(axis=2)
    small = cv2.blur(cv2.resize(off, None, fx=1 / cell, fy=1 / cell, interpolation=cv2.INTER_AREA), (3, 3))
    strange = small > 8.0
    if patch_mm is not None:
        x, y, w, h = (round(v * RESIDUE_PX_PER_MM) for v in patch_mm)
        strange[y : y + h, x : x + w] = True
    y, x = np.nonzero(strange)
    low, high = np.array([x.min(), y.min()]) / RESIDUE_PX_PER_MM, np.array([x.max(), y.max()]) / RESIDUE_PX_PER_MM + 2.0
    outline = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    nothing = np.zeros((0, 4, 2))
    return without_hairs([outline], picture, tray(), strange, pieces_mm=nothing, side_mm=SIDE_MM)


@pytest.mark.parametrize("path", [ARC, WAVE], ids=["arc", "wave"])
@pytest.mark.parametrize("colour", [PALE, (15, 20, 15)], ids=["pale", "dark"])
def test_a_hair_is_nothing(path: Path, colour: tuple[int, int, int]) -> None:
    assert left_of(felt_with(path, colour=colour)) == []


@pytest.mark.parametrize(
    "path", [STRAIGHT, CORNER, BOX, TILE_TOP], ids=["straight", "a corner", "a box", "a tile's arc and sides"]
)
def test_edges_of_pieces_in_the_felts_colour_are_no_hairs(path: Path) -> None:
    """Never silently wrong: of a piece as green as its felt no more may be seen than some of its edges."""
    assert len(left_of(felt_with(path))) == 1


def test_what_is_thick_is_no_hair() -> None:
    """A cable may hide what lies under it."""
    assert len(left_of(felt_with(WAVE, wide_px=4 * PX))) == 1


def test_a_hair_beside_what_is_seen_in_the_large_only_explains_nothing() -> None:
    """A die in nearly the felt's colour: its faces show in cells of 2 mm, and to nobody who looks at single pixels."""
    assert left_of(felt_with(WAVE)) == []
    assert len(left_of(felt_with(WAVE), patch_mm=(40.0, 70.0, 16.0, 16.0))) == 1


def test_edges_beside_a_hair_are_asked_about() -> None:
    assert len(left_of(felt_with(WAVE, [(x + 10, y + 15) for x, y in CORNER]))) == 1


def with_hairs(picture: Image, *hairs_px: Path) -> Image:
    out = picture.copy()
    for path in hairs_px:
        points = np.round(np.array(path) * 16).astype(np.int32)
        cv2.polylines(out, [points], False, (215, 220, 225), 1, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(out, (0, 0), 0.6)


def test_a_tray_with_cats_hairs_is_read_at_once() -> None:
    picture = drawn(cells(BRIDGE), layout="drawbridge").picture_bgr
    curl: Path = [(600 + 60 * np.cos(a), 560 - 45 * np.sin(a)) for a in np.linspace(0.2, 2.9, 60)]
    wave: Path = [(560 + t, 330 + 14 * np.sin(t / 26.0)) for t in np.linspace(0, 130, 80)]
    reading = read(with_hairs(picture, curl, wave), expect="drawbridge")
    assert reading.status is Status.READ
    assert not reading.unread


def test_a_pencil_there_is_asked_about() -> None:
    picture = drawn(cells(BRIDGE), layout="drawbridge").picture_bgr.copy()
    cv2.line(picture, (560, 520), (690, 600), (60, 170, 220), 16, cv2.LINE_AA)
    reading = read(picture, expect="drawbridge")
    assert reading.status is not Status.READ
    assert reading.problems & (Problem.COUNT | Problem.HAND)
