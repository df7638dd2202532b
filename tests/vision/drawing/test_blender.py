"""Trays modelled in Blender: a third opinion is worth something only where its truth is true."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from vision.drawing.blender import making, program
from vision.drawing.blender.__main__ import main
from vision.drawing.blender.chance import APART, colours_of, random_blender_look, with_disks
from vision.drawing.blender.description import described, lamp_bgr, linear, marker_pictures
from vision.drawing.blender.making import FAMILIES, model_tray, scene_of
from vision.drawing.blender.sensor import photographed, random_sensor
from vision.drawing.camera import make_camera
from vision.drawing.stage import Drawn
from vision.errors import BadScene, VisionError
from vision.frames.short import SHARES
from vision.reader import read
from vision.reading import Status
from vision.tray.fiducials import find_markers
from vision.trials.scoring import expectation_of, score

needs_blender = pytest.mark.skipif(shutil.which("blender") is None, reason="no Blender here")
SIZE = (1280, 960)
LOOKS = 20


def _look(seed: int):
    return with_disks(random_blender_look(np.random.default_rng(seed), None), np.random.default_rng(seed))


def _described(family: str, seed: int) -> dict:
    rng, look = np.random.default_rng(seed), _look(seed)
    scene = scene_of(family, look, rng)
    camera = make_camera(look.look.camera, size_wh_px=SIZE)
    return described(scene, look, camera, rng, size_wh_px=SIZE, samples=1, threads=1)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_all_that_lies_there_is_made_of_something_described(family, seed):
    written = json.loads(json.dumps(_described(family, seed)))
    used = {tile[part] for tile in written["tiles"]["laid"] for part in ("body", "ink")}
    used |= {die[part] for die in written["dice"]["laid"] for part in ("body", "pip")}
    used |= {flat["stuff"] for flat in (*written["slabs"], *written["papers"])}
    used |= {written["disks"]["body"], written["disks"]["ink"]}
    assert used <= set(written["stuff"])
    printed = {spec["file"] for spec in written["stuff"].values() if spec["kind"] == "image"}
    assert printed == set(marker_pictures())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_describes_the_same_tray(family):
    assert _described(family, 1) == _described(family, 1)
    assert _described(family, 1) != _described(family, 2)


def test_only_what_shows_is_printed_and_every_disk_has_dots_or_a_number():
    trays = [_described("G", seed) for seed in range(6)]
    assert {len(written["tiles"]["laid"]) for written in trays} == {40}
    disks = [disk for written in trays for disk in written["disks"]["laid"]]
    assert len(disks) > 6
    for disk in disks:
        assert (disk["symbol"] is None) == bool(disk["dots"])
    down = [tile for seed in range(6) for tile in _described("C", seed)["tiles"]["laid"] if tile["symbol"] is None]
    assert down


@pytest.mark.parametrize("seed", range(LOOKS))
def test_a_set_stands_out_from_its_felt_as_whoever_buys_it_sees_to(seed):
    look = _look(seed)
    for name in colours_of(look, np.random.default_rng(seed), 2, dice=True):
        assert np.linalg.norm(np.subtract(look.look.palette[name], look.look.felt)) > APART
    assert len(colours_of(look, np.random.default_rng(seed), 4)) == 4


def test_white_paper_is_white_under_any_lamp_if_the_camera_balances_it():
    look = _look(3)
    sensor = replace(look.sensor, balance=(1.0, 1.0, 1.0), electrons=1e5, vivid=1.0)
    light = np.full((64, 96, 3), 0.3, np.float32) * lamp_bgr(look).astype(np.float32)
    picture = photographed(light, sensor, lamp_bgr(look), np.random.default_rng(1))
    assert np.ptp(picture.reshape(-1, 3).mean(0)) < 3.0


def test_fewer_electrons_mean_more_noise_and_more_exposure_a_brighter_picture():
    sensor = replace(random_sensor(np.random.default_rng(1)), calm=0.0, sharp=0.0, smear_px=0.0)
    light, white = np.full((96, 96, 3), 0.2, np.float32), np.ones(3)

    def made(**changed):
        return photographed(light, replace(sensor, **changed), white, np.random.default_rng(2)).astype(float)

    assert made(electrons=300.0).std() > 2 * made(electrons=30000.0).std()
    assert made(exposure=0.3).mean() > made(exposure=0.1).mean() + 20


def test_a_shorter_exposure_lets_in_its_share_of_the_light_that_was_measured():
    sensor = replace(random_sensor(np.random.default_rng(1)), calm=0.0, sharp=0.0, smear_px=0.0, curve=0.0, vivid=1.0)
    light, white = np.full((96, 96, 3), 0.2, np.float32), np.ones(3)
    usual, *shorter = (
        photographed(light, sensor, white, np.random.default_rng(2), share=s).mean() / 255 for s in (1.0, *SHARES)
    )
    assert [short**2.2 / usual**2.2 for short in shorter] == [pytest.approx(share, abs=0.06) for share in SHARES]


def test_what_blender_cannot_engrave_is_printed(tmp_path, monkeypatch):
    """One digit of thousands ends no run."""
    asked = []

    def model(family, *, engraved=True, **more):
        asked.append((engraved, more["font"]))
        if engraved:
            raise program.NothingCarved("nothing could be carved of '9'")
        picture = np.zeros((90, 120, 3), np.uint8)
        return Drawn(picture, {"family": family}, shorter=(picture, picture))

    monkeypatch.setattr(making, "model_tray", model)
    font = tmp_path / "font.ttf"
    assert making.make_file(("A", 1, 7, (font,), tmp_path, True)) == "A_007.jpg"
    assert asked == [(True, font), (False, font)]
    written = ["A_007.jpg", "A_007.json", "A_007.short.jpg", "A_007.short2.jpg"]
    assert sorted(p.name for p in (tmp_path / "A").iterdir()) == written


def test_colours_of_a_screen_become_light():
    assert linear((255, 0, 0)) == [0.0, 0.0, 1.0]
    assert linear((0, 0, 188)) == pytest.approx([0.503, 0, 0], abs=0.01)


@needs_blender
@pytest.mark.slow
def test_the_picture_shows_what_its_truth_says():
    drawn = model_tray("A", seed=3, index=1, samples=4)
    found = find_markers(drawn.picture_bgr)
    assert len(drawn.truth["markers"]) == 4
    for marker in drawn.truth["markers"]:
        middle = np.array(marker["corners"]).mean(0)
        assert np.linalg.norm(found[marker["id"]].mean(0) - middle) < 1.0
    reading = read(drawn.picture_bgr, expect=expectation_of(drawn.truth))
    assert reading.status is Status.READ
    assert score(reading, drawn.truth).wrong == ()


@needs_blender
@pytest.mark.slow
def test_blender_says_what_it_does_not_like():
    with pytest.raises(program.BlenderFailed, match="KeyError"):
        program.light_of({"stuff": {}}, {})


def test_without_blender_one_sentence_says_what_is_missing(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert main([str(tmp_path / "out"), "--fonts", "none"]) == 2
    assert capsys.readouterr().err.strip() == (
        "blender is not installed (expected the program of Debian's package blender in the path)"
    )
    assert not (tmp_path / "out").exists()


def test_an_unknown_family_is_refused():
    with pytest.raises(BadScene, match="family 'HAND' is not modelled in Blender"):
        model_tray("HAND", seed=1, index=0)
    assert issubclass(program.BlenderFailed, VisionError)
    assert issubclass(program.BlenderFailed, RuntimeError)
