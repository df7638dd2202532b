"""The traced pictures: truth against geometry and against rendered pixels, chance against seeds, refusals."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.drawing.camera import CameraLook, make_camera
from vision.drawing.glyphs import built_in
from vision.drawing.scene import LAYOUTS, DrawnDisk, DrawnTile
from vision.drawing.stage import Drawn
from vision.drawing.traced import FAMILIES, TracedDie, TracedScene, chance, random_look, random_scene, trace
from vision.drawing.traced.__main__ import main
from vision.drawing.traced.look import SensorLook, lamp_rgb
from vision.drawing.traced.making import render_tray, render_whole
from vision.drawing.traced.pieces import die_turn, top_quad_mm
from vision.drawing.traced.piles import share_hidden
from vision.drawing.traced.povray import TracerFailed, tracer
from vision.drawing.traced.solids import die_faces
from vision.drawing.traced.staging import scene_text
from vision.drawing.traced.truth import truth_of
from vision.errors import BadScene
from vision.frames.short import SHARES
from vision.trials.scoring import expectation_of

needs_povray = pytest.mark.skipif(shutil.which("povray") is None, reason="povray is not installed")


Made = Callable[[str], Any]


@pytest.fixture(scope="module")
def made() -> Iterator[Made]:
    """Return by name what is RENDERED, all of it begun at once: for 0.3 s of work POV-Ray waits 0.7 s for itself."""
    with ThreadPoolExecutor(4) as pool:
        begun = {name: pool.submit(make) for name, make in RENDERED.items()}
        yield lambda name: begun[name].result()
        pool.shutdown(cancel_futures=True)


def plain_look(seed: int = 1):
    """Return a look in which colours tell the pieces apart: grey felt, one high lamp, no clutter, a sharp lens."""
    look = random_look(np.random.default_rng(seed), family="A")
    lamp = replace(look.lamps[0], at_mm=(100.0, 100.0, 1500.0), size_mm=200.0, kelvin=5500.0, share=1.0)
    dice = replace(
        look.dice, size_mm=18.0, form="round", edge=0.1, finish="satin",
        bodies={"red": (20.0, 20.0, 220.0)}, pip={"red": (235.0, 235.0, 235.0)},
    )  # fmt: skip
    tiles = replace(
        look.tiles, inks={"blue": ((235.0, 235.0, 235.0), (220.0, 30.0, 20.0))}, wood=False, wear=0.0, rough=0.5
    )
    camera = CameraLook(
        px_per_mm=3.2, height_mm=600, tilt_deg=9, tilt_towards_deg=40, roll_deg=4, distortion=(-0.03, 0)
    )
    return replace(
        look, lamps=(lamp,), ambient=0.4, dice=dice, tiles=tiles, camera=camera, clutter=0, markers=False,
        felt=(120.0, 120.0, 120.0), table="plain", table_bgr=(150.0, 150.0, 150.0), rim=None,
        disks=replace(look.disks, body=(30.0, 200.0, 40.0), ink=(20.0, 20.0, 20.0), wood=False, rough=0.5),
        sensor=SensorLook(wb_exponent=1.0, blur_px=0.0, sharpen=0.0, contrast=0.0, vignette=0.0),
    )  # fmt: skip


def strong(picture, channel: int):
    """Return where one channel stands far above both others, (h, w) uint8."""
    others = np.delete(picture.astype(int), channel, 2).max(2)
    return (picture[..., channel] > others + 45).astype(np.uint8)


@needs_povray
def test_truth_lies_where_the_pieces_were_rendered(made: Made):
    """Projection law: the corners put through the camera, lens included, are those of the rendered piece."""
    drawn = made("one of each")
    tile = strong(drawn.picture_bgr, 0)
    seen = np.argwhere(tile)[:, ::-1]
    outline = np.array(drawn.truth["tiles"][0]["outline"])
    assert np.abs(seen.min(0) - outline.min(0)).max() < 2.0
    assert np.abs(seen.max(0) - outline.max(0)).max() < 5.0, "the far side shows the wall, no more"
    disk = np.argwhere(strong(drawn.picture_bgr, 1))[:, ::-1].mean(0)
    assert np.linalg.norm(disk - drawn.truth["disks"][0]["center"]) < 2.0
    x, y = np.round(drawn.truth["dice"][0]["center"]).astype(int)
    assert drawn.picture_bgr[y, x].min() > 110, "the one's only pip is white and lies in the middle of the top"
    hull = np.array(drawn.truth["dice"][0]["silhouette"], np.float32)
    for px in np.argwhere(strong(drawn.picture_bgr, 2))[::7, ::-1]:
        assert cv2.pointPolygonTest(hull, (float(px[0]), float(px[1])), True) > -2.5


def one_of_each() -> Drawn:
    """Return a tile, a die and a disk."""
    scene = TracedScene(
        tiles=(DrawnTile(-45.0, 30.0, 12.0, "7", "blue"),),
        dice=(TracedDie(60.0, -35.0, 25.0, 1, "red"),),
        disks=(DrawnDisk(50.0, 45.0, 0.0, "prediction", 1),),
    )
    rng = np.random.default_rng(5)
    return trace(scene, plain_look(), built_in(), family="A", size_wh_px=(480, 360), rng=rng, scale=1.5)


def still_die(**how: Any) -> Drawn:
    """Return a die; how: what else of it is taken."""
    scene, rng = TracedScene(dice=(TracedDie(0.0, 0.0, 20.0, 3, "red"),)), np.random.default_rng(3)
    return trace(scene, plain_look(), built_in(), family="F", size_wh_px=(320, 240), rng=rng, **how)


def black_die(value: int, *, bow: float, lamp_at: tuple[float, float, float]) -> np.ndarray:
    """Return a polished black die with pale pips painted on it, seen from straight above, 0..255."""
    look = plain_look()
    dice = replace(look.dice, finish="gloss", bodies={"red": (8.0, 8.0, 8.0)}, bow=bow, pip_depth=0.08, big_one=False)
    lamp = replace(look.lamps[0], at_mm=lamp_at, size_mm=120.0)
    camera = CameraLook(px_per_mm=24.0, height_mm=600, tilt_deg=0)
    look = replace(look, dice=dice, lamps=(lamp,), camera=camera)
    scene = TracedScene(dice=(TracedDie(0.0, 0.0, 0.0, value, "red"),))
    rng = np.random.default_rng(1)
    drawn = trace(scene, look, built_in(), family="F", size_wh_px=(320, 240), rng=rng, scale=1.0, whole=True)
    (low_x, low_y), (high_x, high_y) = (f(drawn.truth["dice"][0]["top_quad"], axis=0).round() for f in (np.min, np.max))
    return np.asarray(drawn.picture_bgr[int(low_y) : int(high_y), int(low_x) : int(high_x)].min(axis=2))


@needs_povray
def test_a_face_that_bulges_mirrors_a_lamp_that_a_flat_one_does_not(made: Made):
    """FIELD.md: glare is the daily enemy. On a bowed die a lamp's image is a spot between its pips."""
    flat, bowed = made("flat two"), made("bowed two")
    # To the right of the middle, where a two has no pip.
    spot = slice(49, 61), slice(70, 85)
    assert np.ptp(flat[spot]) < 20
    assert bowed[spot].max() > flat[spot].max() + 40


@needs_povray
def test_pips_painted_on_a_face_that_bulges_are_as_wide_as_on_a_flat_one(made: Made):
    """Such a face lies lower, and aslant, where its pips are: they must not float above it, nor grow."""
    flat, bowed = made("flat four") > 90, made("bowed four") > 90
    # Inside of the edges, where lamps are seen, too.
    inside = np.s_[15:-15, 15:-15]
    wide = [
        cv2.connectedComponentsWithStats(die[inside].astype(np.uint8))[2][1:, cv2.CC_STAT_AREA] for die in (flat, bowed)
    ]
    assert len(wide[0]) == len(wide[1]) == 4
    assert wide[1] / wide[0].mean() == pytest.approx(1.0, abs=0.12)


@pytest.mark.parametrize("tilt", [0.0, 15.0])
def test_a_lamp_of_theirs_hangs_where_dice_mirror_it(tilt: float):
    """The law of reflection: seen in a face that lies flat, it lies near the middle of the picture."""
    camera = CameraLook(tilt_deg=tilt, tilt_towards_deg=30)
    away = make_camera(camera, size_wh_px=(640, 480)).position_mm()
    lamp = plain_look().lamps[0]
    off = []
    for seed in range(300):
        moved, other = chance._in_the_dice((lamp, lamp), camera, np.random.default_rng(seed))
        assert other == lamp
        off.append(np.array(moved.at_mm[:2]) / moved.at_mm[2] + away[:2] / away[2])
        assert 0.3 * lamp.size_mm <= moved.size_mm <= lamp.size_mm
    assert np.abs(np.mean(off, axis=0)).max() < 0.05
    assert np.std(off) == pytest.approx(0.15, abs=0.03)


def test_of_one_family_all_dice_bulge_and_mirror_a_lamp_and_of_no_other():
    for family in FAMILIES:
        dice = [random_look(np.random.default_rng(seed), family=family).dice for seed in range(10)]
        assert {die.bow > 0 for die in dice} == {family == "FB"}
        assert family != "FB" or {die.finish for die in dice} <= {"gloss", "ivory", "glass"}


def mirrored_middle(value: int, seed: int, *, aside_mm: float = 0.0, **dice: object):
    """Return (3,) the middle of a polished red die's top that lies where it mirrors a lamp, or so far beside it."""
    rng, look = np.random.default_rng(seed), plain_look()
    high = float(rng.uniform(300, 900))
    lamp = replace(look.lamps[0], at_mm=(*rng.uniform(-150, 150, 2).tolist(), high), size_mm=0.1 * high)
    look = replace(look, lamps=(lamp,), dice=replace(look.dice, finish="gloss", **dice))
    camera, side = make_camera(look.camera, size_wh_px=(320, 240)), look.dice.size_mm
    above, eye = np.array(lamp.at_mm) - (0, 0, side), camera.position_mm() - (0, 0, side)
    x, y = ((eye * above[2] + above * eye[2]) / (eye[2] + above[2]))[:2]
    scene = TracedScene(dice=(TracedDie(float(x) + aside_mm, float(y), 0.0, value, "red"),))
    drawn = trace(scene, look, built_in(), family="F", size_wh_px=(320, 240), rng=rng, scale=1.5)
    u, v = np.rint(drawn.truth["dice"][0]["center"]).astype(int)
    return drawn.picture_bgr[v, u]


ASIDE, FAR = (280.0, 0.0, 1200.0), (900.0, 900.0, 900.0)
BLACK = {"pip": {"red": (20.0, 20.0, 20.0)}, "pip_radius": 0.11, "pip_depth": 0.1}
RENDERED: dict[str, Callable[[], Any]] = {
    "one of each": one_of_each,
    "flat two": partial(black_die, 2, bow=0.0, lamp_at=ASIDE),
    "bowed two": partial(black_die, 2, bow=0.5, lamp_at=ASIDE),
    "flat four": partial(black_die, 4, bow=0.0, lamp_at=FAR),
    "bowed four": partial(black_die, 4, bow=0.6, lamp_at=FAR),
    **{f"mirrors {seed}": partial(mirrored_middle, 4, seed) for seed in range(3)},
    **{f"aside {seed}": partial(mirrored_middle, 4, seed, aside_mm=75.0) for seed in range(3)},
    "lacquered": partial(mirrored_middle, 5, 1, lacquered=True, **BLACK),
    "dull": partial(mirrored_middle, 5, 1, **BLACK),
    **{
        name: partial(render_tray, seed, 1, size_wh_px=(160, 160), scale=1.0)
        for name, seed in (("seed 3", 3), ("seed 3 again", 3), ("seed 4", 4))
    },
    **{f"tiles {k}": partial(render_whole, "C", seed=2, index=k, glyphs=built_in(), scale=0.5) for k in (1, 2)},
    "hand": partial(render_whole, "HAND", seed=2, index=1, glyphs=built_in(), scale=0.5),
    "one frame": still_die,
    "three frames": partial(still_die, frames=3),
    "shorter": partial(still_die, short=True),
}
"""What the tests look at, in their order."""


@needs_povray
@pytest.mark.parametrize("seed", range(3))
def test_a_polished_die_mirrors_a_lamp_where_the_law_of_reflection_says_and_nowhere_else(made: Made, seed: int):
    assert made(f"mirrors {seed}").min() >= 240
    assert made(f"aside {seed}").min() < 180


@needs_povray
def test_lacquered_pips_mirror_a_lamp_and_dull_ones_are_seen_under_it(made: Made):
    assert made("lacquered").min() >= 240
    assert made("dull").max() < 150


def test_of_another_family_level_dice_mirror_a_low_lamp_and_so_do_some_that_are_learnt_from():
    """Reflection: the lamp that lights most is mirrored near the middle, where all of them lie."""
    seeds = [np.random.default_rng(seed) for seed in range(60)]
    looks = [random_look(rng, family="FL") for rng in seeds]
    assert {look.dice.finish for look in looks} == {"gloss", "ivory", "glass"}
    assert {look.dice.bow for look in looks} == {0.0}
    assert {look.dice.lacquered for look in looks if look.dice.finish != "glass"} == {True, False}
    lie = []
    for rng, look in zip(seeds, looks, strict=True):
        lamp = look.lamps[0]
        assert 260 <= lamp.at_mm[2] <= 420
        assert 0.6 <= lamp.share <= 0.95
        assert sum(other.share for other in look.lamps) < 1.001
        lie += [np.hypot(die.x_mm, die.y_mm) for die in random_scene("FL", look, rng).dice]
    assert np.median(lie) < 55
    learnt = [chance.small_look(np.random.default_rng(seed)) for seed in range(200)]
    low = [look for look in learnt if look.mood != "desk" and look.lamps[0].at_mm[2] <= 420]
    assert 20 <= len(low) <= 60
    assert {look.dice.finish for look in low} <= {"gloss", "ivory", "glass"}


@needs_povray
def test_the_same_seed_gives_the_same_picture_and_another_seed_another(made: Made):
    a, b, c = made("seed 3"), made("seed 3 again"), made("seed 4")
    assert np.array_equal(a.picture_bgr, b.picture_bgr)
    assert a.truth == b.truth
    assert not np.array_equal(a.picture_bgr, c.picture_bgr)


@needs_povray
def test_a_tray_to_learn_tiles_from_shows_them_all_and_may_have_places_left_empty(made: Made):
    counts = []
    for index in (1, 2):
        drawn = made(f"tiles {index}")
        high, wide = drawn.picture_bgr.shape[:2]
        quads = np.array([t["quad"] for t in drawn.truth["tiles"]])
        assert quads.min() >= 0
        assert (quads.max(axis=(0, 1)) < (wide, high)).all()
        counts.append(len(quads))
    assert max(counts) == 40
    assert 25 < min(counts) < 40


@needs_povray
def test_a_tray_to_learn_hands_from_says_where_the_hand_lies_and_what_it_hides(made: Made):
    """Issue 3: hands are `busy`, never a reading. The net learns it from where each hand is."""
    drawn = made("hand")
    assert drawn.hand_mask is not None
    assert drawn.hand_mask.shape == drawn.picture_bgr.shape[:2]
    assert len(drawn.truth["tiles"]) == 40
    seen = [t["visible"] for t in drawn.truth["tiles"]]
    assert min(seen) < 0.2
    assert max(seen) == pytest.approx(1.0)
    hidden = min(drawn.truth["tiles"], key=lambda t: t["visible"])
    x, y = np.array(hidden["quad"]).mean(axis=0).round().astype(int)
    assert drawn.hand_mask[y, x] == 255


@settings(deadline=None)
@given(value=st.integers(1, 6), angle=st.floats(0, 360), mirrored=st.booleans())
def test_the_value_lies_up_and_opposite_faces_sum_to_seven(value: int, angle: float, mirrored: bool):
    turn = die_turn(TracedDie(0, 0, angle, value, "red"), mirrored)
    faces = die_faces(mirrored)
    assert np.allclose(turn @ turn.T, np.eye(3))
    assert np.isclose(np.linalg.det(turn), 1)
    assert np.allclose(turn @ faces[value][0], (0, 0, 1))
    assert np.allclose(faces[value][0], -faces[7 - value][0])


@settings(deadline=None)
@given(size=st.floats(12, 20), angle=st.floats(0, 360), lean=st.floats(0, 6), towards=st.floats(0, 360))
def test_a_leaning_die_stands_on_the_felt_and_keeps_its_size(size: float, angle: float, lean: float, towards: float):
    die = TracedDie(10, -20, angle, 3, "red", lean, towards)
    top = top_quad_mm(die, size)
    low = 2 * np.array(die.middle_mm(size)) - top
    assert np.isclose(min(top[:, 2].min(), low[:, 2].min()), 0, atol=1e-9)
    assert np.allclose(np.linalg.norm(top - np.roll(top, 1, 0), axis=1), size)


def laid(family: str, seed: int):
    """Return a look and a scene of a family, by chance."""
    rng = np.random.default_rng(seed)
    look = random_look(rng, family=family)
    return look, random_scene(family, look, rng)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), family=st.sampled_from(["A", "B", "C", "D", "E58", "E41", "G"]))
def test_a_tray_holds_what_its_family_says_and_nothing_overlaps(seed: int, family: str):
    """RULES 1: rows hold one colour each, each number once; all colours' numbers once on the mixed boards."""
    look, scene = laid(family, seed)
    cells = [(t.colour, t.symbol) for t in scene.tiles]
    assert len(set(cells)) == len(cells)
    if family in ("A", "B", "C", "D", "G"):
        assert all(len({t.colour for t in scene.tiles if t.row == r}) <= 1 for r in range(4))
    if family in ("A", "B", "C", "G"):
        assert len(scene.tiles) == 40
    if family in ("E58", "E41"):
        shape = LAYOUTS["rect" if family == "E58" else "diamond"]
        assert [sum(t.row == r for t in scene.tiles) for r in range(len(shape))] == list(shape)
    assert ("#" in {s for _, s in cells}) == (family == "E41") or family in ("B", "C", "D", "G")
    w = look.tiles.shape.size_mm[0]
    for a, b in zip(scene.tiles, scene.tiles[1:], strict=False):
        if a.row == b.row:
            assert np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > w - 0.3


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), family=st.sampled_from(["F", "F2"]))
def test_thrown_dice_lie_on_the_felt_side_by_side(seed: int, family: str):
    look, scene = laid(family, seed)
    assert len({die.size for die in scene.dice}) <= (2 if family == "F2" else 1)
    assert 1 <= len(scene.dice) <= 12
    for k, die in enumerate(scene.dice):
        top = top_quad_mm(die, look.dice.size_mm)
        assert (np.abs(top[:, :2]) < np.array(look.tray_mm) / 2 + 0.3 * look.dice.size_mm).all()
        for other in scene.dice[:k]:
            away = np.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm)
            assert away > look.dice.size_mm * (die.size + other.size) / 2 * 0.999


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), family=st.sampled_from(["FM", "GM"]))
def test_where_asked_for_pieces_lie_on_one_or_two_markers(seed: int, family: str):
    rng = np.random.default_rng(seed)
    look = replace(random_look(rng, family=family), markers=True)
    scene = random_scene(family, look, rng)
    half = np.array(look.tray_mm) / 2
    places = np.array([(p.x_mm, p.y_mm) for p in (*scene.dice, *scene.disks)])
    on = (np.abs(half - 17 - np.abs(places)) < 15).all(axis=1)
    assert 1 <= on.sum() <= 2
    assert (np.abs(places) < half).all()
    bare = replace(look, markers=False)
    assert not random_scene("GM", bare, rng).dice


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), family=st.sampled_from(["FD", "GD"]))
def test_where_asked_for_disks_lie_among_dice_and_touch_none(seed: int, family: str):
    look, scene = laid(family, seed)
    assert len(scene.dice) <= (12 if family == "FD" else 2)
    assert len(scene.disks) <= (2 if family == "FD" else 8)
    for disk in scene.disks:
        for die in scene.dice:
            away = np.hypot(die.x_mm - disk.x_mm, die.y_mm - disk.y_mm)
            assert away > (look.dice.size_mm + look.disks.size_mm) / 2


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_where_asked_for_disks_lie_on_others_and_leave_a_part_of_them_to_be_seen(seed: int):
    """A referee who sees everything: players lay disks on disks."""
    look, scene = laid("GP", seed)
    size, upper = look.disks.size_mm, scene.disks_on_others()
    assert len(upper) in (1, 2)
    for disk in upper:
        below = scene.disks[: len(scene.disks) - len(upper)]
        assert 0.19 < min(np.hypot(disk.x_mm - d.x_mm, disk.y_mm - d.y_mm) for d in below) / size < 0.66
    assert scene.tiles_on_others() == ()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_where_asked_for_one_tile_lies_on_others_and_has_no_place(seed: int):
    look, scene = laid("BP", seed)
    assert len(scene.tiles) == 41
    (upper,) = scene.tiles_on_others()
    size = look.tiles.shape.size_mm
    assert share_hidden(upper, scene, size) == 0
    assert 0.1 < sum(share_hidden(tile, scene, size) for tile in scene.tiles) < 1.01
    camera = make_camera(look.camera, size_wh_px=(1280, 960))
    truth = truth_of(scene, look, camera, family="BP", size_wh_px=(1280, 960), hand_mask=None)
    assert [tile["row"] for tile in truth["tiles"]].count(None) == 1
    assert [len(row) for row in truth["grid"]] == [10] * 4


def test_a_smaller_die_stands_lower_and_says_so():
    top = top_quad_mm(TracedDie(10.0, 5.0, 30.0, 4, "white", size=0.75), 16.0)
    assert np.allclose(top[:, 2], 12.0)
    assert np.allclose(np.linalg.norm(top[1] - top[0]), 12.0)


def test_scene_text_is_the_same_for_the_same_seed():
    def text(seed: int) -> str:
        rng = np.random.default_rng(seed)
        look = random_look(rng, family="G")
        return scene_text(random_scene("G", look, rng), look, built_in(), ppmm=2.0, rng=rng).text

    assert text(2) == text(2)
    assert text(2) != text(3)


def test_warm_lamps_are_red_and_cold_ones_blue():
    """A black body of 6500 K is nearly white in sRGB, one of 2700 K orange (CIE 1931)."""
    r, g, b = lamp_rgb(6500)
    assert abs(r - 1) < 0.06
    assert g == 1
    assert abs(b - 1) < 0.06
    r, g, b = lamp_rgb(2700)
    assert r > 1.6
    assert b < 0.4


def test_a_family_that_does_not_exist_is_refused_in_one_sentence():
    look = random_look(np.random.default_rng(1), family="A")
    with pytest.raises(BadScene, match=r"^family 'Z' is unknown \(expected one of A, B, .*, FD, GD, BP, GP, FB, FL\)$"):
        random_scene("Z", look, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--size", "1280"], "size '1280' is not understood (expected like 1280x960)"),
        (["--size", "20x20"], "size 20x20 cannot be traced (expected sides of 160 to 4096 pixels)"),
        (["--family", "A,Q"], "family 'Q' is unknown"),
    ],
)
def test_the_command_refuses_in_one_sentence_and_makes_nothing(tmp_path, capsys, monkeypatch, words, complaint):
    monkeypatch.setattr("vision.drawing.traced.__main__.tracer", lambda: "povray")
    out = tmp_path / "out"
    assert main([str(out), "--fonts", "none", *words]) == 2
    told = capsys.readouterr().err.strip()
    assert complaint in told
    assert "\n" not in told
    assert not out.exists()


def test_a_missing_program_is_named(monkeypatch):
    which, here = shutil.which, threading.get_ident()  # what is still being rendered must have it
    monkeypatch.setattr(shutil, "which", lambda name: None if threading.get_ident() == here else which(name))
    with pytest.raises(TracerFailed, match="povray is not installed"):
        tracer()


@needs_povray
def test_a_folder_of_traced_pictures_can_be_evaluated(tmp_path):
    assert (
        main(
            [str(tmp_path), "--scenes", "1", "--family", "EMPTY", "--fonts", "none", "--size", "320x240", "--jobs", "1"]
        )
        == 0
    )
    label = json.loads((tmp_path / "EMPTY" / "EMPTY_000.json").read_text("utf-8"))
    assert label["empty"] is True
    assert label["ready"] is False
    assert label["image"] == "EMPTY_000.jpg"
    picture = cv2.imread(str(tmp_path / "EMPTY" / "EMPTY_000.jpg"))
    assert picture is not None
    assert picture.shape == (240, 320, 3)
    assert {expectation_of({"family": f}) for f in FAMILIES}


@needs_povray
def test_later_frames_of_a_still_tray_differ_by_noise_alone(made: Made):
    """FIELD.md: votes over frames. The first frame is the picture that is made without any later ones."""
    one, three = made("one frame"), made("three frames")
    assert np.array_equal(one.picture_bgr, three.picture_bgr)
    assert (len(one.later), len(three.later)) == (0, 2)
    assert one.truth == three.truth
    frames = np.stack([three.picture_bgr, *three.later]).astype(float)
    assert all((frames[j] != frames[k]).any() for j in range(3) for k in range(j))
    assert np.abs(cv2.blur(frames[1], (9, 9)) - cv2.blur(frames[0], (9, 9))).max() < 6.0


@needs_povray
def test_shorter_exposures_of_the_same_tray_are_darker_and_change_nothing_else(made: Made):
    """As a camera that lets in SHARES of the light shows what a lamp blanks out."""
    one, two = made("one frame"), made("shorter")
    assert one.shorter == ()
    assert np.array_equal(one.picture_bgr, two.picture_bgr)
    assert one.truth == two.truth
    light, *less = ((cv2.blur(p, (9, 9)).astype(float) / 255) ** 2.2 for p in (two.picture_bgr, *two.shorter))
    plain = (light > 0.05) & (light < 0.6)
    let_in = [float(np.median(dark[plain] / light[plain])) for dark in less]
    assert let_in == [pytest.approx(share, rel=0.35) for share in SHARES]
