"""Drawn trays: the same chance gives the same picture, and the truth beside it is where the picture says."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.drawing import (
    LAYOUTS,
    DrawnDie,
    DrawnDisk,
    FilmLook,
    Hand,
    LampLook,
    Look,
    Stage,
    TrayScene,
    built_in,
    camera_of,
    draw,
    random_look,
    scene_for_layout,
)
from vision.errors import BadScene

SIZE = (640, 480)
ROWS = [["red:7", "red:#", "down"], ["blue:0"], [], [None, "green:9"]]


def _scene(seed: int = 1, turn: float | None = None) -> TrayScene:
    return scene_for_layout(ROWS, layout="rows", seed=seed, turn_deg=turn)


def test_same_seed_same_picture():
    a, b = (draw(_scene(), Look.plain(), size_wh_px=SIZE, rng=np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(a.picture_bgr, b.picture_bgr)
    assert a.truth == b.truth


def test_another_rng_changes_only_the_noise():
    a, b = (draw(_scene(), Look.plain(), size_wh_px=SIZE, rng=np.random.default_rng(k)) for k in (1, 2))
    assert not np.array_equal(a.picture_bgr, b.picture_bgr)
    assert a.truth == b.truth


def test_truth_lists_every_tile_with_its_place():
    truth = draw(_scene(), Look.plain(), size_wh_px=SIZE, rng=np.random.default_rng(0)).truth
    told = [(t["row"], t["col"], t["label"]) for t in truth["tiles"]]
    assert told == [(0, 0, "7"), (0, 1, "#"), (0, 2, "down"), (1, 0, "0"), (3, 1, "9")]
    assert truth["grid"][3] == [None, "green:9", None]
    assert truth["ready"]
    assert not truth["hand_present"]
    assert [m["id"] for m in truth["markers"]] == [0, 1, 2, 3]


def test_columns_of_the_diamond_count_in_the_widest_row():
    rows = [["red:1"], *([] for _ in range(8))]
    assert scene_for_layout(rows, layout="diamond", seed=0).tiles[0].column == 4


def test_opencv_finds_the_drawn_markers_where_the_truth_says():
    drawn = draw(_scene(), Look.plain(), rng=np.random.default_rng(0))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(drawn.picture_bgr)
    found = {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}
    for marker in drawn.truth["markers"]:
        assert np.abs(found[marker["id"]] - np.array(marker["corners"])).max() < 1.5


def test_quads_frame_the_tiles_in_the_picture():
    """The middle of a face-down tile has the colour of its back, a point just outside has not."""
    calm = replace(Look.plain(), lamp=LampLook(shadow=0), film=FilmLook(noise=0, jpeg=None))
    scene = scene_for_layout([["down"], [], [], []], layout="rows", seed=3, turn_deg=0.0)
    drawn = draw(scene, calm, rng=np.random.default_rng(0))
    quad = np.array(drawn.truth["tiles"][0]["quad"])
    inside = quad.mean(0).round().astype(int)
    left = (quad[0] + quad[3]) / 2
    outside = (left + (left - quad.mean(0)) * 0.5).round().astype(int)
    picture = drawn.picture_bgr.astype(int)
    assert picture[inside[1], inside[0], 2] > 150
    assert picture[outside[1], outside[0], 2] < 90


def test_the_camera_projects_as_opencv_does():
    look = random_look(np.random.default_rng(8))
    camera = camera_of(look)
    points = np.random.default_rng(0).uniform(-150, 150, (20, 3)) * (1, 1, 0.1)
    rvec, _ = cv2.Rodrigues(camera.rotation)
    expected, _ = cv2.projectPoints(points, rvec, camera.translation, camera.matrix, camera.distortion)
    assert np.abs(camera.project(points) - expected.reshape(-1, 2)).max() < 1e-6


def test_a_hand_covers_tiles_and_is_told():
    drawn = draw(_scene(turn=0.0), Look.plain(), size_wh_px=SIZE, rng=np.random.default_rng(0), hand=Hand(-100, 40))
    assert drawn.truth["hand_present"]
    assert not drawn.truth["ready"]
    assert min(t["visible"] for t in drawn.truth["tiles"]) < 0.5
    assert drawn.hand_mask is not None
    assert drawn.hand_mask.shape == (480, 640)


def test_a_stage_gives_many_frames_of_one_scene():
    stage = Stage(_scene(), Look.plain(), size_wh_px=SIZE)
    rng = np.random.default_rng(0)
    first, second = stage.frame(rng=rng), stage.frame(rng=rng)
    apart = np.abs(first.picture_bgr.astype(int) - second.picture_bgr).mean()
    assert 0 < apart < 4
    assert stage.frame(rng=rng, hand=Hand(0, 0)).truth["hand_present"]
    assert not stage.frame(rng=rng).truth["hand_present"]


def test_dice_and_disks_are_told():
    scene = TrayScene(
        dice=(DrawnDie(-40, 0, 30, 5, "white"), DrawnDie(40, 0, 3, 1, "red")),
        disks=(DrawnDisk(0, 60, 0, "queue", 3), DrawnDisk(0, -60, 0, "prediction", 4)),
    )
    truth = draw(scene, Look.plain(), size_wh_px=SIZE, rng=np.random.default_rng(0)).truth
    assert truth["dice_sum"] == 6
    assert [(d["kind"], d["value"]) for d in truth["disks"]] == [("queue", 3), ("prediction", 4)]


def test_built_in_glyphs_need_no_font():
    glyphs = built_in()
    assert set(glyphs) == set("0123456789#")
    turned = glyphs["9"][::-1, ::-1].astype(int)
    assert np.abs(glyphs["6"] - turned).mean() < 1.0 < np.abs(glyphs["6"].astype(int) - glyphs["9"]).mean()


@pytest.mark.parametrize("cell", ["red:11", "mauve:3", "7", "", "red:"])
def test_cells_that_are_no_tiles_are_refused(cell):
    with pytest.raises(BadScene, match="row 0"):
        scene_for_layout([[cell], [], [], []], layout="rows", seed=0)


def test_unknown_layouts_and_overfull_rows_are_refused():
    with pytest.raises(BadScene, match="unknown"):
        scene_for_layout([[]], layout="spiral", seed=0)
    with pytest.raises(BadScene, match="4 rows"):
        scene_for_layout([[]], layout="rows", seed=0)
    with pytest.raises(BadScene, match="at most 1"):
        scene_for_layout([["red:1", "red:2"], *([] for _ in range(8))], layout="diamond", seed=0)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), layout=st.sampled_from(sorted(LAYOUTS)))
def test_any_look_draws_any_layout(seed, layout):
    rng = np.random.default_rng(seed)
    rows = [[f"blue:{rng.integers(10)}" for _ in range(n)] for n in LAYOUTS[layout]]
    drawn = draw(scene_for_layout(rows, layout=layout, seed=seed), random_look(rng), size_wh_px=(400, 300), rng=rng)
    assert drawn.picture_bgr.shape == (300, 400, 3)
    assert drawn.picture_bgr.dtype == np.uint8
    assert len(drawn.truth["tiles"]) == sum(LAYOUTS[layout])


def test_a_smaller_die_is_drawn_smaller_where_its_label_says():
    """The top of the smaller one is white where its label says, and felt beside it."""
    dice = (DrawnDie(-40.0, 0.0, 0.0, 1, "white"), DrawnDie(40.0, 0.0, 0.0, 1, "white", size=0.7))
    drawn = draw(TrayScene(dice=dice, seed=1), Look.plain(), rng=np.random.default_rng(0))
    large, small = (np.array(d["top_quad"]) for d in drawn.truth["dice"])
    wide = [float(np.linalg.norm(top[1] - top[0])) for top in (large, small)]
    assert wide[1] / wide[0] == pytest.approx(0.7, abs=0.03)
    assert [d["size_mm"] for d in drawn.truth["dice"]] == pytest.approx([16.0, 11.2])
    middle = small.mean(axis=0)
    for grown, white in ((0.75, True), (1.45, False)):
        x, y = np.round(middle + grown * (small[1] - middle)).astype(int)
        assert bool(drawn.picture_bgr[y, x].min() > 150) is white


def test_a_tile_on_another_is_nearer_to_the_camera_and_throws_its_shadow_there():
    rows: list[list[str | None]] = [["red:7"], [], [], []]
    board = scene_for_layout(rows, layout="rows", seed=3, untidy=0, turn_deg=0)
    (below,) = board.tiles
    upper = replace(below, y_mm=below.y_mm + 12, symbol="4", z_mm=3.5)
    both = replace(board, tiles=(below, upper))
    one, two = (draw(scene, Look.plain(), rng=np.random.default_rng(1)) for scene in (board, both))
    first, second = two.truth["tiles"]
    assert (second["label"], second["row"], second["col"], second["grid_col"]) == ("4", None, None, None)
    assert first == one.truth["tiles"][0]
    assert two.truth["grid"] == one.truth["grid"]
    wide = [np.linalg.norm(np.subtract(t["quad"][1], t["quad"][0])) for t in (first, second)]
    assert wide[1] > wide[0] * 1.003
    # Just below its lower edge lies its shadow, on the other tile.
    x, y = np.mean(second["quad"][2:], axis=0).astype(int)
    strip = (slice(y + 2, y + 5), slice(x - 6, x + 6))
    assert two.picture_bgr[strip].mean() < 0.93 * one.picture_bgr[strip].mean()
    # And what is far from it is as it was.
    far = np.abs(two.picture_bgr.astype(int) - one.picture_bgr)[600:].mean()
    assert far < 3
