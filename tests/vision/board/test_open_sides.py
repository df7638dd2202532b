"""Issue 3, few questions: felt that goes on as it is around a find holds no piece, whatever the nets see in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.trays import BRIDGE, cells, drawn, tray_of
from vision.board.open_sides import framed_alone, marks_on_felt, nothing_ends, stand_out
from vision.finding.pieces import KINDS
from vision.tray.rectify import Image

BOARD = drawn(cells(BRIDGE), layout="drawbridge")
TRAY = tray_of(BOARD)
TILES = TRAY.to_mm(np.array([t["quad"] for t in BOARD.truth["tiles"]]))
SHAPE = np.median(TILES - TILES.mean(axis=1, keepdims=True), axis=0)
PLACES = {(t["row"], t["grid_col"]): quad.mean(axis=0) for t, quad in zip(BOARD.truth["tiles"], TILES, strict=True)}
STEP = PLACES[0, 1] - PLACES[0, 0]
FREE = SHAPE + PLACES[0, 0] + 5 * STEP
"""Where nothing lies, nor beside it."""


def scene(finds: np.ndarray, **found: Any) -> Any:
    """Return one with so many finds before the tiles, which were plainly found."""
    n, m = len(finds), len(TILES)
    known = {"score": 0.4, "covered": 0.1, "kind": "tile"} | found
    kind = np.array([known["kind"]] * n + ["tile"] * m)
    assert set(kind) <= set(KINDS)
    return SimpleNamespace(
        quads_mm=np.concatenate([finds, TILES]),
        covered=np.array([known["covered"]] * n + [1.0] * m),
        found=SimpleNamespace(score=np.array([known["score"]] * n + [0.9] * m), are=lambda which: kind == which),
    )


def painted(*, dark: float = 0.0, edge: float = 0.0, hair: bool = False) -> Image:
    """Return the picture with the free place darker by a share of its light, all of it or its edge, or with a hair."""
    out, corners = BOARD.picture_bgr.astype(np.float64), TRAY.to_px(FREE).round().astype(np.int32)
    inside = cv2.fillConvexPoly(np.zeros(out.shape[:2], np.uint8), corners, 1) > 0
    rim = cv2.polylines(np.zeros(out.shape[:2], np.uint8), [corners], True, 1, 2) > 0
    out[inside] *= 1.0 - dark
    out[rim] *= 1.0 - edge
    if hair:
        x, y = corners.mean(axis=0).round().astype(int).tolist()
        cv2.ellipse(out, (x, y), (4, 6), 20.0, 0, 200, (230, 235, 240), 2)
    return out.round().astype(np.uint8)


@pytest.mark.parametrize("hair", [False, True])
def test_nothing_ends_around_a_hair(hair: bool) -> None:
    """A curl passes for a digit, by 0.99 and more, on a tile of which nothing is seen."""
    picture = painted(hair=hair)
    assert nothing_ends(picture, TRAY, FREE[None], scene(FREE[None])).tolist() == [True]
    assert marks_on_felt(picture, TRAY, scene(FREE[None])).tolist() == [True] + [False] * len(TILES)


@pytest.mark.parametrize(
    "seen", [{"dark": 0.35}, {"edge": 0.3}, {"dark": 0.35, "hair": True}], ids=["darker", "an edge", "a digit on it"]
)
def test_a_tile_of_nearly_the_felts_colour_ends(seen: dict[str, Any]) -> None:
    """Never silently wrong: by a shade, or by an edge alone."""
    assert not nothing_ends(painted(**seen), TRAY, FREE[None], scene(FREE[None])).any()
    assert not marks_on_felt(painted(**seen), TRAY, scene(FREE[None])).any()


@pytest.mark.parametrize(
    ("found", "mark"),
    [
        pytest.param({}, True, id="hardly found"),
        pytest.param({"score": 0.7}, False, id="well found"),
        pytest.param({"covered": 0.5}, False, id="more than felt"),
        pytest.param({"kind": "disk"}, False, id="a disk of the felt's colour, told by its surface"),
        pytest.param({"kind": "disk", "covered": 0.25}, True, id="a hair that looks like a disk"),
    ],
)
def test_what_is_more_than_a_mark_on_felt_is_left_to_others(found: dict[str, Any], mark: bool) -> None:
    assert marks_on_felt(painted(hair=True), TRAY, scene(FREE[None], **found))[0] == mark


def test_of_what_others_hide_all_around_nothing_is_said() -> None:
    inner = next(k for k, at in enumerate(PLACES) if at == (0, 0))
    around = np.array([TILES[inner] + step for step in (STEP, -STEP, STEP[::-1] * (-1, 1), STEP[::-1] * (1, -1))])
    count, most, sigmas = stand_out(painted(), TRAY, TILES[inner][None], around)
    assert (count[0], most[0], sigmas[0]) == (0.0, 0.0, 0.0)
    framed: Any = SimpleNamespace(quads_mm=around, covered=np.ones(4), found=SimpleNamespace(score=np.full(4, 0.9)))
    assert not framed_alone(painted(), TRAY, TILES[inner][None], framed).any()


@pytest.mark.parametrize(("seen", "alone"), [({}, True), ({"edge": 0.3}, False), ({"dark": 0.35}, False)])
def test_felt_that_two_others_frame_goes_on_at_its_open_sides(seen: dict[str, Any], alone: bool) -> None:
    """Draw Bridge: between tiles felt looks like a back to the nets, as the frame is all that they go by."""
    beside = np.array([FREE + STEP, FREE - STEP])
    framed: Any = SimpleNamespace(quads_mm=beside, covered=np.ones(2), found=SimpleNamespace(score=np.full(2, 0.9)))
    assert framed_alone(painted(**seen), TRAY, FREE[None], framed).tolist() == [alone]


def test_without_finds_nothing_is_a_mark() -> None:
    none = scene(np.zeros((0, 4, 2)))
    assert not marks_on_felt(painted(), TRAY, none).any()
    assert [len(each) for each in stand_out(painted(), TRAY, np.zeros((0, 4, 2)), TILES)] == [0, 0, 0]
