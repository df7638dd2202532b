"""How the weights are found by which a lamp's image is told from a middle pip."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.drawing.folders import save
from vision.training import fit_middle_pip
from vision.trials.labelled import find_samples


def test_the_fit_finds_the_weights_that_made_the_dice() -> None:
    made = np.array([-1.0, 2.0, 0.5, -1.0, 1.5])
    rng = np.random.default_rng(1)
    seen = rng.normal(size=(20_000, 4))
    fake = rng.random(len(seen)) < 1 / (1 + np.exp(-made[0] - seen @ made[1:]))
    found = fit_middle_pip.fit(seen[~fake], seen[fake])
    # Were half of them so: the bend speaks of as many of either, whatever there was.
    as_many = np.log((~fake).sum() / fake.sum())
    assert np.abs(found - made - (as_many, 0, 0, 0, 0)).max() < 0.15


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    look = replace(Look.plain(), palette={"own": (40.0, 40.0, 200.0)})
    places = ((-50.0, 30.0, 5), (0.0, 0.0, 3), (45.0, 20.0, 6), (-40.0, -40.0, 2), (40.0, -40.0, 4))
    dice = tuple(DrawnDie(x, y, 15.0, value, "own") for x, y, value in places)
    drawn = draw(TrayScene(dice=dice, seed=3), look, size_wh_px=(1280, 960), rng=np.random.default_rng(1))
    drawn.truth.update(family="F")
    save(drawn, tmp_path, "F_000")
    return tmp_path


def test_threes_and_fives_teach_pips_and_what_a_lamp_makes_of_twos_and_fours_teaches_lamps(folder: Path) -> None:
    (sample,) = find_samples(folder)
    true, fake = fit_middle_pip.lessons_of(sample)
    assert len(true) == 2
    assert len(fake) <= 2
    assert all(len(traits) == 4 and np.isfinite(traits).all() for traits in [*true, *fake])


def test_a_folder_without_dice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "A_000.json").write_text('{"family": "A"}')
    (tmp_path / "A_000.jpg").touch()
    assert fit_middle_pip.main([str(tmp_path)]) == 2
    assert "expected trays of dice" in capsys.readouterr().err


def test_what_is_no_picture_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "F_000.jpg").write_bytes(b"")
    assert fit_middle_pip.main([str(folder)]) == 2
    assert "F_000.jpg: not a picture" in capsys.readouterr().err
