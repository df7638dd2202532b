"""Trays by sphere tracing: distances are distances, lamps are mirrored by the law, and the truth is what is seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.drawing.folders import save
from vision.drawing.look import TileLook
from vision.drawing.marched.__main__ import main
from vision.drawing.marched.bodies import Block, DieBody, DiskBody, Mug, TileBody
from vision.drawing.marched.casting import march
from vision.drawing.marched.faces import DieFaces, faces_of
from vision.drawing.marched.lamps import Lamp, Light, mirror_place
from vision.drawing.marched.laying import gaps, random_board
from vision.drawing.marched.making import FAMILIES, make_file, march_tray
from vision.drawing.marched.materials import random_textures
from vision.drawing.marched.sensor import developed, random_sensor
from vision.drawing.marched.sets import random_dice, random_tiles
from vision.drawing.marched.shadows import Plane, light_on
from vision.drawing.marched.throwing import Place, apart, thrown
from vision.drawing.scene import TRAY_MM
from vision.errors import BadScene
from vision.reader import read
from vision.reading import Status
from vision.tray.fiducials import find_markers
from vision.trials.labelled import bare_path, find_samples, unlabelled
from vision.trials.scoring import expectation_of, score

SMALL = (400, 300)
SQUARE = TileLook(size_mm=(24.0, 26.0), thickness_mm=4.0, sag_mm=0.0, corner_mm=1.0, bevel_mm=0.5)
ARCS = replace(SQUARE, sag_mm=3.0)
BODIES = {
    "block": Block(x=0, y=0, half=(9.0, 6.0), height=5.0),
    "tile": TileBody(x=0, y=0, shape=SQUARE),
    "die": DieBody(x=0, y=0, side=16.0, radius=2.0, ball=23.0),
    "disk": DiskBody(x=0, y=0, radius=11.0, height=4.0, bevel=0.4),
    "mug": Mug(x=0, y=0, radius=20.0, height=30.0),
}
points = st.tuples(*[st.floats(-30, 30)] * 3)


def column(*point: float) -> np.ndarray:
    return np.array(point, np.float32)[:, None]


@pytest.mark.parametrize(
    ("name", "point", "away"),
    [
        ("block", (0, 0, 7), 2), ("block", (12, 0, 2.5), 3), ("block", (0, 0, 2.5), -2.5), ("tile", (0, 0, 5), 1),
        ("tile", (15, 0, 2), 3), ("tile", (0, -20, 2), 7), ("die", (0, 0, 20), 4), ("die", (-10, 0, 8), 2),
        ("disk", (14, 0, 2), 3), ("disk", (0, 0, 2), -2), ("mug", (25, 0, 10), 5),
    ],
)  # fmt: skip
def test_the_distance_is_that_of_a_known_point(name: str, point: tuple[float, float, float], away: float):
    assert BODIES[name].distance(column(*point))[0] == pytest.approx(away, abs=1e-4)


@given(st.sampled_from(sorted(BODIES)), points, points)
def test_a_distance_grows_no_faster_than_one_walks(name: str, a: tuple[float, ...], b: tuple[float, ...]):
    """What sphere tracing asks of a distance: no step of its length passes through the body (Hart 1996)."""
    first, second = (BODIES[name].distance(column(*p))[0] for p in (a, b))
    assert abs(first - second) <= np.linalg.norm(np.subtract(a, b)) + 1e-3


@given(points, points)
def test_with_arcs_it_grows_by_a_quarter_more_at_most(a: tuple[float, ...], b: tuple[float, ...]):
    body = TileBody(x=0, y=0, shape=ARCS)
    first, second = (body.distance(column(*p))[0] for p in (a, b))
    assert abs(first - second) <= 1.25 * np.linalg.norm(np.subtract(a, b)) + 1e-3


@pytest.mark.parametrize("name", BODIES)
def test_rays_from_above_meet_a_body_where_its_surface_is(name: str):
    body = BODIES[name]
    x, y = np.meshgrid(np.linspace(-24, 24, 40, dtype=np.float32), np.linspace(-24, 24, 40, dtype=np.float32))
    start = np.stack([x.ravel(), y.ravel(), np.full(x.size, 60, np.float32)])
    way = np.repeat(column(0, 0, -1), x.size, 1)
    near, far = body.through(start, way)
    on = np.flatnonzero(far > near)
    ends = [march(body, start[:, k : k + 1], way[:, k : k + 1], near[[k]], far[[k]]) for k in on[::7]]
    met = [start[:, k] - (0, 0, run[0]) for k, (run, hit) in zip(on[::7], ends, strict=True) if hit[0]]
    assert len(met) > 0.5 * len(ends)
    assert np.abs(body.distance(np.array(met, np.float32).T)).max() < 0.2
    middle = np.argmin([np.hypot(*p[:2]) for p in met])
    high = body.level if isinstance(body, Mug) else body.top
    assert met[middle][2] == pytest.approx(high, abs=0.05)


@given(st.floats(-400, 400), st.floats(-400, 400), st.floats(300, 1500), st.floats(-100, 100), st.floats(0, 5))
def test_a_lamp_is_mirrored_where_ways_in_and_out_are_equally_steep(
    x: float, y: float, z: float, eye: float, at: float
):
    camera = (eye, -eye / 2, 600.0)
    place = np.array([*mirror_place((x, y, z), camera, at), at])
    to_lamp, to_eye = np.subtract((x, y, z), place), np.subtract(camera, place)
    both = to_lamp / np.linalg.norm(to_lamp) + to_eye / np.linalg.norm(to_eye)
    assert np.hypot(both[0], both[1]) < 1e-6, "the normal halves the angle between them"


@pytest.mark.parametrize("shape", ["round", "panel"])
def test_a_glossy_plane_shows_the_lamp_where_the_law_says(shape: str):
    lamp, eye = Lamp((200.0, -150.0, 1100.0), 60.0, 3500.0, 1.0, shape, 0.8), np.array([20.0, 10.0, 600.0])
    light = Light("even", (lamp,), np.full(3, 0.2, np.float32))
    x, y = (v.ravel() for v in np.meshgrid(np.arange(-180, 181, 2.0), np.arange(-130, 131, 2.0)))
    at = np.stack([x, y, np.zeros_like(x)]).astype(np.float32)
    way = at - eye[:, None].astype(np.float32)
    back = way / np.linalg.norm(way, axis=0) * [[1], [1], [-1]]
    seen = light.mirrored(at, back.astype(np.float32), 0.05)[1]
    brightest = at[:2, seen > 0.9 * seen.max()].mean(1)
    assert np.hypot(*(brightest - mirror_place(lamp.at, tuple(eye), 0.0))) < 4.0
    assert seen.max() > 5 * np.median(seen)


def test_a_shadow_falls_on_the_side_away_from_the_lamp():
    lamp = Lamp((-500.0, 0.0, 800.0), 20.0, 4000.0, 1.0, "round", 0.8)
    plane = Plane(0.0, (200.0, 100.0), 1.0)
    block = Block(x=0, y=0, half=(10.0, 10.0), height=20.0)
    level, rough = light_on(
        Light("hard", (lamp,), np.full(3, 0.2, np.float32)), [block], plane, lamp_points=16, ways=16
    )
    middle = level[50, :, 1]
    assert rough is level
    assert middle[115] < 0.4 * middle[85]


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("right_handed", [True, False])
def test_opposite_faces_of_a_die_add_up_to_seven_and_run_one_way(value: int, right_handed: bool):
    x, y, z = faces_of(value, right_handed=right_handed, rng=np.random.default_rng(value))
    assert z == value
    ways = {face: sign * axis for n, axis in zip((x, y, z), np.eye(3), strict=True)
            for face, sign in ((n, 1), (7 - n, -1))}  # fmt: skip
    assert sorted(ways) == [1, 2, 3, 4, 5, 6]
    assert (np.linalg.det([ways[1], ways[2], ways[3]]) > 0) == right_handed


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_as_many_pips_as_it_says(value: int):
    rng = np.random.default_rng(value)
    dice, textures = replace(random_dice(rng), marble=0.0, red_one=False), random_textures(rng)
    colour, side = next(iter(dice.bodies)), dice.shape.size_mm
    x, y = (v.ravel().astype(np.float32) for v in np.meshgrid(*[np.linspace(-0.45, 0.45, 90) * side] * 2))
    up = np.stack([np.zeros_like(x), np.zeros_like(x), np.ones_like(x)])
    seen = DieFaces(dice, colour, value, textures, rng)(np.stack([x, y, np.full_like(x, side)]), up)
    corner = seen.albedo[:, :1]
    pips = (np.abs(seen.albedo - corner).max(0) > 1e-6).reshape(90, 90).astype(np.uint8)
    assert cv2.connectedComponents(pips)[0] - 1 == value


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "F"])
def test_tiles_lie_beside_each_other_on_the_felt_and_the_board_lies_anywhere(family: str):
    off = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        stuff = random_tiles(rng, small=family == "E41")
        board = random_board(family, list(stuff.bodies), stuff.shape, TRAY_MM, rng)
        xy, turns = (np.array(v) for v in zip(*[((t.x_mm, t.y_mm), np.radians(t.angle_deg)) for t in board.tiles],
                                              strict=True))  # fmt: skip
        pairs = np.stack(np.triu_indices(len(xy), 1), 1)
        pairs = pairs[np.hypot(*(xy[pairs[:, 0]] - xy[pairs[:, 1]]).T) < 40]
        assert gaps(xy, turns, pairs, stuff.shape).min() > 0
        assert (np.abs(xy) + np.array(stuff.shape.size_mm) / 2 < np.array(TRAY_MM) / 2).all()
        off.append(board.off_middle())
    assert max(off) > 10, "off the middle"


def test_a_draw_bridge_array_has_both_its_ends():
    """An array that lies anywhere shows its columns by nothing else."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        stuff = random_tiles(rng, small=False)
        columns = {t.column for t in random_board("D", list(stuff.bodies), stuff.shape, TRAY_MM, rng).tiles}
        assert {0, 9} <= columns


@pytest.mark.parametrize("side", [12.0, 19.0])
def test_dice_lie_beside_each_other_some_alone_and_some_touching(side: float):
    alone = together = 0
    for seed in range(12):
        dice, touching = thrown(side, ["red"], TRAY_MM, np.random.default_rng(seed))
        places = [Place(d.x_mm, d.y_mm, float(np.radians(d.angle_deg))) for d in dice]
        assert all(apart(a, b, side) > 0 for k, a in enumerate(places) for b in places[:k])
        assert all((abs(p.corners(side)) < np.array(TRAY_MM) / 2).all() for p in places)
        alone, together = alone + touching.count(False), together + touching.count(True)
    assert min(alone, together) > 10


def test_a_grey_sheet_stays_grey_where_all_of_the_lamps_colour_is_taken_back():
    rng = np.random.default_rng(1)
    sensor = replace(random_sensor(rng), balance=1.0, cast=(1.0, 1.0, 1.0), vignette=0.0, mosaic=True)
    lamp = np.array([1.5, 1.0, 0.4], np.float32)
    picture = developed(np.ones((60, 80, 3), np.float32) * 0.4 * lamp, sensor, lamp, np.s_[0:60, 0:80], rng)
    blue, green, red = picture.reshape(-1, 3).mean(0)
    assert abs(blue - green) < 4
    assert abs(red - green) < 4


def test_the_same_seed_makes_the_same_picture_and_another_does_not():
    first, again, other = (march_tray("F", seed=s, index=0, size_wh_px=SMALL) for s in (1, 1, 2))
    assert np.array_equal(first.picture_bgr, again.picture_bgr)
    assert first.truth == again.truth
    assert not np.array_equal(first.picture_bgr, other.picture_bgr)


def test_the_picture_shows_what_its_truth_says():
    drawn = march_tray("A", seed=11, index=0, size_wh_px=(960, 720))
    assert {"marched", "off_middle"} <= set(drawn.truth["tags"])
    reading = read(drawn.picture_bgr, expect=expectation_of(drawn.truth))
    assert reading.status is Status.READ
    assert score(reading, drawn.truth).wrong == ()
    found = find_markers(drawn.picture_bgr)
    for marker in drawn.truth["markers"]:
        assert np.linalg.norm(found[marker["id"]] - marker["corners"], axis=1).max() < 1.0


def test_a_tile_lies_where_its_quad_is_and_felt_beside_it():
    drawn = march_tray("D", seed=11, index=0, size_wh_px=(640, 480))
    lab = cv2.cvtColor(drawn.picture_bgr, cv2.COLOR_BGR2LAB).astype(float)
    tiles = np.zeros(lab.shape[:2], np.uint8)
    tray = tiles.copy()
    cv2.fillPoly(tray, [np.round(drawn.truth["tray"]["corners"]).astype(np.int32)], (255,))
    quads = [np.round(t["outline"]).astype(np.int32) for t in drawn.truth["tiles"]]
    cv2.fillPoly(tiles, quads, (255,))
    felt = np.median(lab[(tray > 0) & (cv2.dilate(tiles, np.ones((9, 9))) == 0)], 0)
    for quad in quads:
        own = np.zeros_like(tiles)
        cv2.fillPoly(own, [quad], (255,))
        inside = lab[cv2.erode(own, np.ones((3, 3))) > 0]
        assert (np.linalg.norm(inside - felt, axis=1) > 12).mean() > 0.9


def test_a_picture_is_written_with_its_label(tmp_path):
    assert make_file((("F", 3, 0, (), tmp_path), False, False)) == "F_000.jpg"
    (sample,) = find_samples(tmp_path)
    assert sample.truth["dice_sum"] == sum(die["value"] for die in sample.truth["dice"])
    assert sample.pixels().shape == (sample.truth["height"], sample.truth["width"], 3)


def test_a_printed_felt_is_drawn_bare_as_well(tmp_path):
    """What is printed shows in both pictures, in the same places; what lies there in one only."""
    plain, printed = (march_tray("F", seed=5, index=1, size_wh_px=SMALL, printed=p) for p in (False, True))
    assert plain.bare is None
    assert printed.bare is not None
    assert printed.bare.shape == printed.picture_bgr.shape
    assert "printed" in printed.truth["tags"]
    assert [d["silhouette"] for d in plain.truth["dice"]] == [d["silhouette"] for d in printed.truth["dice"]]
    grey = [cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(float) for p in (printed.picture_bgr, printed.bare)]
    free = np.zeros(grey[0].shape, np.uint8)
    cv2.fillPoly(free, [np.round(printed.truth["tray"]["corners"]).astype(np.int32)], 1)
    for die in printed.truth["dice"]:
        cv2.circle(free, np.round(np.mean(die["silhouette"], axis=0)).astype(int).tolist(), 22, 0, cv2.FILLED)
    rough = [(g - cv2.blur(g, (15, 15)))[free > 0] for g in grey]
    assert np.corrcoef(*rough)[0, 1] > 0.8
    path = save(printed, tmp_path, "F_001")
    assert bare_path(path).is_file()
    assert unlabelled(tmp_path) == 0, "it is no picture of a label that is missing"


def test_a_felt_like_backs_has_nearly_their_colour():
    """The hardest face-down tiles (issue 3): of the felt's colour. What lies there, and how, is the same."""
    plain, alike = (march_tray("C", seed=5, index=2, size_wh_px=SMALL, alike=a) for a in (False, True))
    assert [(t["label"], t["quad"]) for t in plain.truth["tiles"]] == [
        (t["label"], t["quad"]) for t in alike.truth["tiles"]
    ]
    backs = [np.mean(t["quad"], axis=0) for t in alike.truth["tiles"] if t["label"] == "down"]
    free = np.mean(alike.truth["tray"]["corners"], axis=0) * 0.1 + np.array(alike.truth["tray"]["corners"]) * 0.9

    def apart(drawn):
        there = [np.median([_about(drawn.picture_bgr, at) for at in places], axis=0) for places in (backs, free)]
        return float(np.abs(np.log(there[0] + 4) - np.log(there[1] + 4)).max())

    assert apart(alike) < 0.6 < apart(plain)


def _about(picture, at):
    x, y = np.round(at).astype(int)
    return picture[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).astype(float).mean(axis=0)


def test_an_unknown_family_is_refused_in_one_sentence(tmp_path, capsys):
    with pytest.raises(BadScene, match="family 'HAND' is not marched"):
        march_tray("HAND", seed=1, index=0)
    assert main([str(tmp_path / "out"), "--family", "A,HAND", "--fonts", "none"]) == 2
    assert capsys.readouterr().err.strip() == (
        "family 'HAND' is not marched (expected one of A, B, C, D, E58, E41, F, G)"
    )
    assert not (tmp_path / "out").exists()
