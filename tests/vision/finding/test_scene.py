"""Which found pieces count as laid: plain ones, and tiles that go on where their row goes on."""

from __future__ import annotations

import numpy as np
import pytest

from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.finding.pieces import KINDS, Pieces
from vision.finding.scene import (
    MARGIN_MM,
    SCALE,
    Scene,
    _laid_beside,
    _on_the_felt,
    _over_the_rim,
    look_around,
    nothing_lies,
)
from vision.tray.aslant import camera_over
from vision.tray.rectify import rectify, tray_from_clicks


def tiles(places: list[tuple[float, float, float, float]]) -> Pieces:
    """Return tiles of 25 x 28 mm at (x, y, angle, score)."""
    x, y, angle, score = (np.array(v, np.float32) for v in zip(*places, strict=True))
    size = np.tile(np.float32([25, 28]), (len(places), 1))
    kind = np.full(len(places), KINDS.index("tile"))
    return Pieces(kind, np.stack([x, y], 1), size, angle, score, np.zeros((4, 4), np.float32))


def laid(found: Pieces) -> list[bool]:
    return _laid_beside(found, found.quads_px().astype(np.float64), found.score >= 0.45).tolist()


def test_face_down_tiles_that_continue_a_row_are_laid() -> None:
    row = [(40.0, 50.0, 1.0, 0.9)] + [(40.0 + 26 * k, 50.0, 2.0, 0.32) for k in range(1, 9)]
    assert laid(tiles(row)) == [True] * 9


def test_what_lies_apart_or_askew_or_is_fainter_is_not() -> None:
    found = tiles([(40, 50, 0, 0.9), (66, 50, 30, 0.35), (140, 50, 0, 0.35), (40, 79, 0, 0.25)])
    assert laid(found) == [True, False, False, False]


def test_without_a_plain_piece_nothing_is_laid() -> None:
    assert laid(tiles([(40, 50, 0, 0.4), (66, 50, 0, 0.4)])) == [False, False]


def test_no_tile_lies_in_the_rim_but_the_top_of_a_die_may_seem_to() -> None:
    tray = tray_from_clicks([(0, 0), (540, 0), (540, 390), (0, 390)])
    w, h = tray.size_mm
    middles = np.array([(3.0, 130.0), (w - 3.0, 130.0), (180.0, h - 3.0), (9.0, 130.0), (-1.0, 130.0), (-5.0, 130.0)])
    quads = middles[:, None] + 8.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for kind, wanted in (("tile", [0, 0, 0, 1, 0, 0]), ("disk", [1, 1, 1, 1, 0, 0]), ("die", [1, 1, 1, 1, 1, 0])):
        on = _on_the_felt(quads, np.full(6, KINDS.index(kind)), tray)
        assert on.tolist() == [bool(v) for v in wanted], kind


@pytest.mark.parametrize(
    ("x", "y", "angle", "score", "kept"),
    [
        (180.0, -3.0, 0.0, 0.8, True),
        (180.0, 2.0, 1.0, 0.5, True),
        (180.0, -3.0, 0.0, 0.4, False),
        (180.0, -3.0, 20.0, 0.8, False),
        (180.0, -12.0, 0.0, 0.8, False),
        (300.0, -3.0, 0.0, 0.8, False),
    ],
    ids=["goes on", "in the rim", "hardly found", "askew", "beyond the rim", "apart"],
)
def test_a_tile_over_the_rim_counts_where_it_goes_on_with_plain_others(
    x: float, y: float, angle: float, score: float, kept: bool
) -> None:
    """RULES.md 1, diamond: nine rows, of tiles 29 mm high 261 mm on a felt of 260. A rim's corner is no tile."""
    tray = tray_from_clicks([(0, 0), (540, 0), (540, 390), (0, 390)])
    column = [(180.0, 26.0 + 29 * k, 0.0, 0.9) for k in range(7)]
    found = tiles([*column, (x, y, angle, score)])
    quads = found.quads_px().astype(np.float64)
    lies = _on_the_felt(quads, found.kind, tray)
    assert _over_the_rim(found, quads, lies, tray).tolist() == [*[False] * 7, kept]
    few = tiles([*column[:4], (x, y, angle, score)])
    quads = few.quads_px().astype(np.float64)
    assert not _over_the_rim(few, quads, _on_the_felt(quads, few.kind, tray), tray).any(), "too few to go on with"


@pytest.mark.parametrize(("score", "arm"), [(0.39, False), (0.2, True)])
def test_dice_together_at_the_rim_are_no_arm_however_hardly_they_are_found(score: float, arm: bool) -> None:
    """Together they are as large as a finger; what is not found at all may be one."""
    dice = tuple(DrawnDie(x, y, 0.0, 3, "red") for x in (166.0, 149.5) for y in (20.0, 3.5))
    drawn = draw(TrayScene(dice=dice, seed=1), Look.plain(), size_wh_px=(1280, 960), rng=np.random.default_rng(1))
    tray = tray_from_clicks([(float(x), float(y)) for x, y in drawn.truth["tray"]["corners"]])
    flat = rectify(drawn.picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    middles = np.array([np.mean(d["top_quad"], axis=0) for d in drawn.truth["dice"]])
    found = Pieces(
        np.full(4, KINDS.index("die")),
        (tray.to_mm(middles) + MARGIN_MM).astype(np.float32),
        np.full((4, 2), 18.0, np.float32),
        np.zeros(4, np.float32),
        np.full(4, score, np.float32),
        np.zeros((38, 50), np.float32),
    )
    assert look_around(flat, tray, found, camera_over(tray, picture_wh=(1280, 960))).arm is arm


def _found_on_bare_felt(kind: str, scores: list[float]) -> Scene:
    """Return what an empty tray looks like where the finder takes some of its felt for pieces."""
    drawn = draw(TrayScene(seed=1), Look.plain(), size_wh_px=(1280, 960), rng=np.random.default_rng(1))
    tray = tray_from_clicks([(float(x), float(y)) for x, y in drawn.truth["tray"]["corners"]])
    n = len(scores)
    found = Pieces(
        np.full(n, KINDS.index(kind)),
        np.array([(110.0 + 30 * k, 120.0) for k in range(n)], np.float32),
        np.full((n, 2), 18.0, np.float32),
        np.zeros(n, np.float32),
        np.array(scores, np.float32),
        np.zeros((38, 50), np.float32),
    )
    flat = rectify(drawn.picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    return look_around(flat, tray, found, camera_over(tray, picture_wh=(1280, 960)))


@pytest.mark.parametrize("kind", ["die", "tile"])
def test_a_few_fibres_leave_a_tray_of_tiles_empty(kind: str) -> None:
    """Issue 3: an empty tray is `empty`. A fibre covers no felt; a die of the felt's own colour is asked about."""
    scene = _found_on_bare_felt(kind, [0.5, 0.36])
    assert nothing_lies(scene, fibres=True)
    assert not nothing_lies(scene, fibres=False)


@pytest.mark.parametrize("scores", [[0.9], [0.4] * 6], ids=["one plain", "six together"])
def test_what_is_plain_or_comes_in_rows_is_no_fibre(scores: list[float]) -> None:
    assert not nothing_lies(_found_on_bare_felt("tile", scores), fibres=True)


def test_nothing_found_is_nothing() -> None:
    assert nothing_lies(_found_on_bare_felt("tile", [0.2]), fibres=False)
