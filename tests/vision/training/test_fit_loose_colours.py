"""The weights of `vision.colour.loose_colours` are made by a command that anybody can run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision.colour.loose_colours import Shown
from vision.errors import BadLabels
from vision.training import fit_loose_colours
from vision.training.fit_loose_colours import (
    SIGNS,
    Tray,
    figures,
    fit,
    lessons_of,
    log_loss,
    main,
    photo_of,
    tray_of,
    trays_in,
)
from vision.trials.labelled import Sample

COLOURS = {"red": (50.0, 60.0, 40.0), "pink": (60.0, 62.0, 5.0), "white": (93.0, 0.0, 2.0), "grey": (60.0, 0.0, 2.0)}


def tray(rng: np.random.Generator, spread: float) -> Tray:
    names = rng.choice(list(COLOURS), 2, replace=False)[: int(rng.integers(1, 3))]
    painted = tuple(str(name) for name in rng.choice(names, int(rng.integers(2, 8))))
    lab = np.array([COLOURS[name] for name in painted])
    seen = [lab + rng.normal(0, spread, lab.shape) for _ in range(3)]
    shown = Shown(*seen, np.tile([20.0, 0.0, 0.0], (len(lab), 1)))
    return Tray(shown, shown, painted)


def trays(seed: int, count: int) -> list[Tray]:
    rng = np.random.default_rng(seed)
    return [tray(rng, 4.0) for _ in range(count)]


def test_what_is_learnt_tells_dice_that_taught_nothing() -> None:
    lessons = lessons_of(trays(1, 60))
    weights = fit(lessons)
    assert log_loss(weights, lessons) < 0.3 * log_loss(np.zeros(len(weights)), lessons)
    dice, wrong, _, silent = figures(weights, trays(2, 60))
    assert dice > 200
    assert wrong <= 0.02 * dice
    assert silent <= 0.005 * dice


def test_no_step_speaks_for_one_colour() -> None:
    """By lamps of one program weights may fit best that make no sense under others."""
    assert (fit(lessons_of(trays(3, 40))) * SIGNS >= 0).all()


def test_trays_of_three_colours_teach_nothing() -> None:
    three = Tray(Shown(*[np.zeros((3, 3))] * 4), Shown(*[np.zeros((3, 3))] * 4), ("red", "white", "blue"))
    assert lessons_of([three]) == []


def test_a_folder_without_dice_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "A_000.json").write_text('{"family": "A"}')
    (tmp_path / "A_000.jpg").touch()
    assert main([str(tmp_path)]) == 2
    assert "0 trays with two dice and more (expected 5)" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "gone")]) == 2
    assert "gone is no folder (expected labelled trays or photographs)" in capsys.readouterr().err


def test_photographs_teach_by_what_their_labels_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other one is left for checks; those whose labels are no use are left out, and one die teaches nothing."""
    dice = [{"value": 1, "colour": "white", "bbox": [40, 40, 80, 80], "face": "pips"}] * 2
    files = ["a/0.png", "a/1.png", "b/2.png", "a/3.png", "a/4.png"]
    labels = [{"file": name, "dice": dice if name != "a/4.png" else dice[:1]} for name in files]
    (tmp_path / "labels.json").write_text(json.dumps(labels), "utf-8")
    asked: list[str] = []
    monkeypatch.setattr(fit_loose_colours, "photo_of", lambda folder, label: asked.append(label["file"]))
    assert trays_in(tmp_path, ["b/"]) == []
    assert asked == ["a/0.png"]


def test_a_tray_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(BadLabels, match=r"a\.png: not a picture"):
        tray_of(Sample("a", tmp_path / "a.png", {"family": "F", "dice": []}))


def test_a_photograph_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadLabels, match=r"a\.png: not a picture"):
        photo_of(tmp_path, {"file": "a.png", "dice": []})
