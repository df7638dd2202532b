"""Issue 3: glare and shadows are the daily enemy; what they cost stands in the repo as a command anyone can run."""

from __future__ import annotations

import json
from dataclasses import replace
from shutil import copytree

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.drawing.faults import (
    A_LAMP,
    ABSURD,
    BAR,
    FAULTS,
    ON_PIECES,
    darker_outside,
    defocused,
    enlarged,
    faults_on,
    flickering,
    lit,
    mirrored,
    mirrored_on_some,
    shaded,
    sharpened,
    smeared,
    squeezed,
    together,
)
from vision.drawing.folders import save
from vision.errors import BadLabels
from vision.evaluate_faults import main, run, run_together, table
from vision.trials.labelled import find_samples

GREY = np.full((96, 128, 3), 160, np.uint8)


def chance() -> np.random.Generator:
    return np.random.default_rng(4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory):
    tray = drawn()
    tray.truth.update(family="A", index=0)
    out = tmp_path_factory.mktemp("faults")
    save(tray, out / "A", "A_000", split="drawn")
    return out


def test_only_a_lamp_on_each_piece_needs_their_corners(folder) -> None:
    (sample,) = find_samples(folder)
    bare = replace(sample, truth={**sample.truth, "tiles": [{**t, "quad": None} for t in sample.truth["tiles"]]})
    assert len(run([bare], ["as it is"])) == 1
    with pytest.raises(BadLabels, match="no corners of a piece"):
        run([bare], [A_LAMP])


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_keeps_size_and_kind_changes_something_and_comes_again_with_its_seed(name: str) -> None:
    picture = drawn().picture_bgr
    before = picture.copy()
    one, again = (FAULTS[name](picture, chance()) for _ in range(2))
    assert one.shape == picture.shape
    assert one.dtype == np.uint8
    assert (one == again).all()
    assert (picture == before).all()
    assert (one != picture).any() is np.bool_(name != "as it is")


@pytest.mark.parametrize(("half", "least", "most"), [(None, 0.2, 0.8), (BAR, 0.05, 0.3)])
def test_a_shadow_leaves_its_share_of_the_light_and_the_rest_as_it_is(half: float | None, least: float, most: float):
    seen = shaded(GREY, chance(), light=0.5, soft=0.005, half=half)
    dark = seen[..., 0] < 140
    assert least < dark.mean() < most
    assert np.median(seen[dark]) == pytest.approx(160 * 0.5 ** (1 / 2.2), abs=2)
    assert seen.max() == 160


def test_light_is_counted_as_a_sensor_shows_it() -> None:
    assert lit(GREY, chance(), bgr=(1.0, 0.5, 4.0))[0, 0].tolist() == [160, int(160 * 0.5 ** (1 / 2.2)), 255]


def test_defocus_and_motion_take_detail_away() -> None:
    checks = (np.indices((96, 128)).sum(axis=0) % 2 * 200).astype(np.uint8)[..., None].repeat(3, axis=2)
    assert defocused(checks, chance(), sigma=0.01).std() < 0.2 * checks.std()
    assert smeared(checks, chance(), length=0.05).std() < 0.8 * checks.std()


def test_bands_take_what_they_should_and_repeat_as_often_as_they_should() -> None:
    rows = flickering(GREY, chance(), depth=0.5, periods=4.0)[:, 0, 0].astype(float)
    assert rows.min() == pytest.approx(160 * 0.5 ** (1 / 2.2), abs=3)
    assert rows.max() == pytest.approx(160, abs=2)
    assert np.abs(np.fft.rfft(rows - rows.mean())).argmax() == 4


def test_a_lens_leaves_the_middle_as_it_is_and_less_outside() -> None:
    seen = darker_outside(GREY, chance(), fall=1.0)
    assert seen[48, 64, 0] == pytest.approx(160, abs=1)
    assert seen[48, 0, 0] == pytest.approx(160 * 0.5 ** (1 / 2.2), abs=2)


def test_sharpening_overdoes_edges_and_leaves_flat_parts() -> None:
    step = np.where(np.arange(1280)[None, :, None] < 640, 80, 160).repeat(96, 0).repeat(3, 2).astype(np.uint8)
    seen = sharpened(step, chance(), amount=2.0)
    assert seen[:, 639].max() < 80 < 160 < seen[:, 640].min()
    assert (seen[:, :620] == 80).all()
    assert (seen[:, 660:] == 160).all()


def test_fewer_pixels_show_no_fine_pattern() -> None:
    checks = (np.indices((96, 128)).sum(axis=0) % 2 * 200).astype(np.uint8)[..., None].repeat(3, axis=2)
    assert enlarged(checks, chance(), size=0.5).std() < 0.05 * checks.std()


def test_a_lamp_is_mirrored_once_on_each_piece_and_nowhere_else() -> None:
    pieces = np.array([[[x, 30.0], [x + 24, 30], [x + 24, 54], [x, 54]] for x in (10.0, 50.0, 90.0)])
    seen = mirrored(GREY, chance(), pieces_px=pieces)
    changed = (seen != GREY).any(axis=2)
    for left in (10, 50, 90):
        there = changed[30:54, left : left + 24]
        assert 4 < there.sum() < 0.2 * there.size
        assert seen[30:54, left : left + 24].max() > 190
        changed[30:54, left : left + 24] = False
    assert not changed.any()


def test_a_lamp_is_mirrored_on_a_quarter_of_the_pieces_that_lie_side_by_side() -> None:
    pieces = np.array([[[x, 30.0], [x + 12, 30], [x + 12, 42], [x, 42]] for x in range(8, 104, 12)])
    changed = (mirrored_on_some(GREY, chance(), pieces_px=pieces) != GREY).any(axis=2)
    lit = [k for k, x in enumerate(range(8, 104, 12)) if changed[30:42, x + 1 : x + 11].any()]
    assert len(lit) == 2
    assert lit[1] == lit[0] + 1
    assert (mirrored_on_some(GREY, chance(), pieces_px=np.zeros((0, 4, 2))) == GREY).all()


def test_a_lamp_on_a_piece_at_the_picture_s_edge_is_cut_off() -> None:
    seen = mirrored(GREY, chance(), pieces_px=np.array([[[-9.0, -9], [9, -9], [9, 9], [-9, 9]]]))
    assert seen.shape == GREY.shape
    assert (mirrored(GREY, chance(), pieces_px=np.zeros((0, 4, 2))) == GREY).all()


def test_the_command_knows_where_the_pieces_lie(folder, capsys) -> None:
    sample = find_samples(folder)[0]
    tried = run([sample], [A_LAMP])
    assert tried[0].score.items == len(sample.truth["tiles"])
    assert not tried[0].score.silently_wrong
    assert set(faults_on(np.zeros((0, 4, 2)))) == {*FAULTS, *ON_PIECES}


def test_faults_together_are_done_one_after_the_other() -> None:
    names = ["dim, 1/8 of the light", "warm light"]
    both = FAULTS[names[1]](FAULTS[names[0]](GREY, chance()), chance())
    assert (together(names)(GREY, chance()) == both).all()


def test_each_picture_gets_faults_of_its_own_and_the_same_again_with_the_seed(folder) -> None:
    samples = find_samples(folder)
    one, again, other = (run_together(samples, 2, seed=seed)[0].fault for seed in (1, 1, 2))
    assert one == again != other
    assert not ABSURD & set(one.split(", "))


def test_the_command_reads_with_faults_together(folder, capsys) -> None:
    assert main([str(folder), "--together", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 faults at once")


@pytest.mark.parametrize("count", ["0", "99", "two"])
def test_a_number_of_faults_that_cannot_be_is_said(folder, capsys, count: str) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(folder), "--together", count])
    assert left.value.code == 2
    assert "argument --together" in capsys.readouterr().err


def test_jpeg_of_low_quality_keeps_less() -> None:
    picture = drawn().picture_bgr
    off = [np.abs(squeezed(picture, chance(), quality=q).astype(int) - picture).mean() for q in (95, 30, 5)]
    assert off[0] < off[1] < off[2]


def test_the_command_reads_a_folder_with_each_fault(folder, capsys) -> None:
    names = ["as it is", "half in hard shadow, 1/4 of the light"]
    assert main([str(folder), "--fault", names[0], "--fault", names[1], "--list"]) == 0
    said = capsys.readouterr().out
    assert [line[:46].strip() for line in said.splitlines()[-2:]] == names
    assert "1/1" in said.splitlines()[-2]
    assert [line.split()[-3:-1] for line in said.splitlines()[-2:]] == [["40", "(0)"]] * 2, "colours told, and wrong"


def test_what_is_silently_wrong_is_counted_and_ends_with_one(folder, capsys, monkeypatch) -> None:
    samples = find_samples(folder)
    samples[0].truth["grid"][0][0], samples[0].truth["tiles"][0]["label"] = "red:9", "9"
    monkeypatch.setattr("vision.evaluate_faults.find_samples", lambda folder, families: samples)
    assert main([str(folder), "--fault", "as it is"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].split()[-1] == "1"
    assert table(run(samples, ["as it is"])).splitlines()[-1].split()[-1] == "1"


def test_a_folder_without_labelled_pictures_is_said(tmp_path, capsys) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no labelled picture" in capsys.readouterr().err


def test_a_label_without_corners_is_said(folder, tmp_path, capsys) -> None:
    (label,) = copytree(folder, tmp_path / "labels").rglob("*.json")
    truth = json.loads(label.read_text("utf-8"))
    del truth["tiles"][0]["quad"]
    label.write_text(json.dumps(truth), "utf-8")
    assert main([str(tmp_path), "--fault", A_LAMP]) == 2
    assert "no corners of a piece ('quad')" in capsys.readouterr().err


def test_a_folder_that_is_none_is_said(tmp_path, capsys) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere: no such folder" in capsys.readouterr().err
