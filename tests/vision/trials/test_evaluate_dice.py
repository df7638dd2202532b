"""Photographs of dice against their labels: what counts as found, right, silently wrong, invented."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import BadLabels
from vision.evaluate import main
from vision.reading import DieReading
from vision.trials.evaluate_dice import Counts, by_source, count_dice, load_labels, look, table
from vision.trials.photographs import kind_of


def _die(value: int, x: float, y: float, *, sure: bool = True, colour: str = "white", half: float = 10.0) -> DieReading:
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return DieReading(value=value, colour=colour, sure=sure, confidence=0.99, centre=(x, y), corners=corners)


def _label(*dice: tuple[int, list[float]], **more: object) -> dict[str, object]:
    return {"file": "maker/one.png", "dice": [{"value": v, "colour": "white", "bbox": b} for v, b in dice], **more}


def test_dice_are_matched_by_their_middles() -> None:
    label = _label((3, [90, 90, 110, 110]), (5, [190, 90, 210, 110]))
    seen = [_die(5, 203, 101), _die(3, 98, 99, sure=False, colour="grey")]
    assert count_dice(seen, label) == Counts(dice=2, found=2, right=2, sure=1, coloured=1)


def test_a_wrong_value_said_as_sure_is_counted_apart() -> None:
    """Never silently wrong."""
    label = _label((3, [90, 90, 110, 110]), (2, [190, 90, 210, 110]))
    seen = [_die(4, 100, 100), _die(1, 200, 100, sure=False)]
    assert count_dice(seen, label) == Counts(dice=2, found=2, right=0, sure=1, sure_wrong=1, coloured=2)


def test_a_die_is_not_the_one_beside_it_that_was_not_seen() -> None:
    """A reading must not count as wrong because its neighbour is missing: the nearest two belong together."""
    label = _label((5, [90, 90, 110, 110]), (4, [102, 90, 122, 110]))
    assert count_dice([_die(4, 111, 100)], label) == Counts(dice=2, found=1, right=1, sure=1, coloured=1)


def test_what_lies_beside_every_die_is_invented_unless_the_label_leaves_it_out() -> None:
    label = _label((3, [90, 90, 110, 110]), ignore=[[280, 80, 320, 120]])
    seen = [_die(3, 100, 100), _die(6, 300, 100), _die(6, 400, 100), _die(2, 500, 100, sure=False)]
    counts = count_dice(seen, label)
    assert (counts.found, counts.invented, counts.invented_sure) == (1, 2, 1)


def test_dice_without_pips_are_neither_wanted_nor_invented() -> None:
    label = _label((3, [90, 90, 110, 110]))
    label["dice"].append({"value": 6, "colour": "blue", "bbox": [190, 90, 210, 110], "face": "symbol"})
    assert count_dice([_die(3, 100, 100), _die(1, 200, 100)], label) == Counts(
        dice=1, found=1, right=1, sure=1, coloured=1
    )


def test_a_box_around_the_pips_only_may_be_small() -> None:
    label = _label((1, [98, 98, 104, 104]))
    label["dice"][0]["bbox_kind"] = "pips"
    assert count_dice([_die(1, 108, 100, half=14)], label).found == 1
    assert count_dice([_die(1, 130, 100, half=14)], label).found == 0


def test_a_folder_is_read_and_told_by_source(tmp_path: Path) -> None:
    (tmp_path / "maker").mkdir()
    cv2.imwrite(str(tmp_path / "maker/one.png"), np.zeros((64, 64, 3), np.uint8))
    (tmp_path / "labels.json").write_text(json.dumps([_label((2, [20, 20, 40, 40]))]), "utf-8")
    counts = by_source(look(tmp_path, load_labels(tmp_path), read=lambda picture: [_die(2, 30, 30)]))
    assert counts == {"maker": Counts(dice=1, found=1, right=1, sure=1, coloured=1)}
    rows = table(counts).splitlines()
    assert rows[1].split()[:4] == ["maker", "1", "1", "1"]
    assert rows[-1].startswith("all")


def test_labels_of_other_things_are_not_ours(tmp_path: Path) -> None:
    assert kind_of(tmp_path) is None
    for text, kind in (("{}", None), ("[]", None), ("[1]", None), ('[{"file": "a.jpg", "tiles": []}]', "tiles")):
        (tmp_path / "labels.json").write_text(text, "utf-8")
        assert kind_of(tmp_path) == kind
    (tmp_path / "labels.json").write_text("[", "utf-8")
    with pytest.raises(BadLabels, match="not JSON"):
        kind_of(tmp_path)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ({"dice": []}, "photograph 0 does not say its file"),
        ({"file": "a.png", "dice": None}, "photograph 0 does not say its file and its dice"),
        ({"file": "a.png", "dice": [{"value": 1, "colour": "red"}]}, r"dice\[0\] does not say its bbox"),
        (_label((2, [20, 20, 40])), r"dice\[0\] has bbox \[20, 20, 40\] \(expected four numbers\)"),
        (_label((2, [20, 20, 40, "40"])), r"dice\[0\] has bbox .* \(expected four numbers\)"),
        (_label((2, "0 0 9 9")), r"dice\[0\] has bbox '0 0 9 9' \(expected four numbers\)"),
    ],
)
def test_a_photograph_whose_label_leaves_something_out_is_named(label: object, said: str, tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps([label]), "utf-8")
    with pytest.raises(BadLabels, match=said):
        load_labels(tmp_path)


@pytest.mark.parametrize(("seen", "status"), [([_die(2, 30, 30)], 0), ([_die(3, 30, 30)], 1), ([_die(1, 90, 90)], 1)])
def test_the_command_fails_where_a_die_is_silently_wrong(
    seen: list[DieReading], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "maker").mkdir()
    cv2.imwrite(str(tmp_path / "maker/one.png"), np.full((128, 128, 3), 90, np.uint8))
    (tmp_path / "labels.json").write_text(json.dumps([_label((2, [20, 20, 40, 40]))]), "utf-8")
    found = [(_label((2, [20, 20, 40, 40])), seen)]
    monkeypatch.setattr("vision.trials.evaluate_dice.look", lambda *_: found)
    assert main([str(tmp_path), "--out", str(tmp_path / "out")]) == status
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert ("one.jpg" in page) == (status == 1), "a page of the failures as pictures"
    assert (tmp_path / "out" / "one.jpg").is_file() == (status == 1)
    assert ">n 1<" in (tmp_path / "out" / "reliability.svg").read_text("utf-8") or seen[0].centre == (90, 90)


def test_what_does_not_go_with_photographs_of_dice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.json").write_text(json.dumps([_label((2, [20, 20, 40, 40]))]), "utf-8")
    assert main([str(tmp_path), "--half", "odd"]) == 2
    assert "--half is not for photographs" in capsys.readouterr().err


def test_the_command_takes_a_folder_of_photographs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "maker").mkdir()
    cv2.imwrite(str(tmp_path / "maker/one.png"), np.full((128, 128, 3), 90, np.uint8))
    (tmp_path / "labels.json").write_text(json.dumps([_label((2, [20, 20, 40, 40]))]), "utf-8")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[:4] == ["all", "1", "0", "0"]
