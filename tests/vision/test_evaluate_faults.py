"""Issue 3: glare and shadows are the daily enemy; what they cost stands in the repo as a command anyone can run."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.drawing.folders import save
from vision.evaluate import find_samples
from vision.evaluate_faults import BAR, FAULTS, defocused, lit, main, run, shaded, smeared, squeezed, table

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


def test_jpeg_of_low_quality_keeps_less() -> None:
    picture = drawn().picture_bgr
    off = [np.abs(squeezed(picture, chance(), quality=q).astype(int) - picture).mean() for q in (95, 30, 5)]
    assert off[0] < off[1] < off[2]


def test_the_command_reads_a_folder_with_each_fault(folder, capsys) -> None:
    names = ["as it is", "half in hard shadow, 1/4 of the light"]
    assert main([str(folder), "--fault", names[0], "--fault", names[1], "--list"]) == 0
    said = capsys.readouterr().out
    assert [line[:40].strip() for line in said.splitlines()[-2:]] == names
    assert "1/1" in said.splitlines()[-2]


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


def test_a_folder_that_is_none_is_said(tmp_path, capsys) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere: no such folder" in capsys.readouterr().err
