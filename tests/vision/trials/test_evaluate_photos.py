"""The issue: "Photographs of real dice and real number tiles are in ../shared/photos: the reader must work on them".
The command itself, on drawn pictures in the same form; the figures of the real ones stand in vision/FIGURES.md."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.drawing import Hand
from vision.drawing.reel import lamp
from vision.evaluate import main
from vision.reading import Status
from vision.trials import photos_of_tiles
from vision.trials.photographs import folders_of, labels_of
from vision.trials.photos_of_tiles import Look, Whole, report


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Photographs in the form of the shared ones: single tiles, a picture of tiles, frames of a board."""
    place = tmp_path_factory.mktemp("photos")
    for name in ("tiles/crops", "boards"):
        (place / name).mkdir(parents=True)
    tray = drawn(seed=3)
    crops, tiles = [], []
    for k, tile in enumerate(tray.truth["tiles"][:6]):
        quad = np.array(tile["quad"], np.float32)
        target = np.array([[0, 0], [80, 0], [80, 96], [0, 96]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(quad, target)
        cv2.imwrite(str(place / f"tiles/crops/{k}.png"), cv2.warpPerspective(tray.picture_bgr, warp, (80, 96)))
        number = int(tile["label"]) if k < 4 else 12
        crops.append({"file": f"crops/{k}.png", "number": number, "joker": k == 5, "set": "Mathable"})
    for tile in tray.truth["tiles"]:
        tiles.append({"number": int(tile["label"]), "joker": False, "polygon": [list(p) for p in tile["quad"]]})
    cv2.imwrite(str(place / "tiles/tray.png"), tray.picture_bgr)
    (place / "tiles/crops.json").write_text(json.dumps(crops))
    (place / "tiles/labels.json").write_text(json.dumps([{"file": "tray.png", "tiles": tiles}]))
    boards = []
    for k, (hand, stops) in enumerate([(None, 0.0), (Hand(20, -30, 90, seed=2), 0.0), (None, 0.8)]):
        picture = lamp(stops)(drawn(seed=3, hand=hand).picture_bgr)
        cv2.imwrite(str(place / f"boards/{k}.png"), picture)
        sequence = {} if hand else {"sequence": "light-err"}
        boards.append({"file": f"{k}.png", "hand_in_view": hand is not None, **sequence})
    (place / "boards/labels.json").write_text(json.dumps(boards))
    return place


def test_the_command_reads_single_tiles_whole_pictures_and_boards(folder, capsys):
    out = folder / "out"
    assert main([str(folder), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Mathable: numbers 0-9") and " 4/4 " in line for line in lines)
    assert any(line.startswith("Mathable: numbers from 10") and "(to be doubted)" in line for line in lines)
    assert "tiles found once told how large they are: 40/40" in "\n".join(lines)
    assert "exposure or white balance named as another light: 1/1" in "\n".join(lines)
    assert any(line.startswith("frames with a hand called busy: 1/1") for line in lines)
    assert "What the eye got wrong" in (out / "index.html").read_text("utf-8")
    assert "n " in (out / "reliability.svg").read_text("utf-8"), "how sure it was, and how often that was right"


def test_a_tile_that_is_called_surely_another_fails_and_is_on_the_page(folder, tmp_path, monkeypatch):
    """Never silently wrong: the exit status says so, and the page shows where."""
    seen = {"some set": [Look("7", "1", True, 0.9999, picture=folder / "tiles/crops/0.png"), Look("7", "7", True, 1.0)]}
    monkeypatch.setattr(photos_of_tiles, "crops", lambda _: seen)
    assert main([str(folder / "tiles"), "--out", str(tmp_path)]) == 1
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "1 read wrong, 1 of them surely" in page
    assert "7 as 1 (0.9999)" in page
    assert (tmp_path / "0.jpg").is_file()


def test_a_folder_of_folders_of_photographs_is_read_whole(folder):
    assert {path.name: kind for path, kind in folders_of(folder).items()} == {"tiles": "tiles", "boards": "boards"}


def test_sure_and_wrong_is_counted_of_what_was_sure():
    looks = [
        Look("7", "7", True, 1.0),
        Look("7", "1", True, 1.0),
        Look("7", "1", False, 0.6),
        Look(None, "1", True, 1.0),
    ]
    (line,) = [line for line in report({"some set": looks}, []) if line.startswith("some set")]
    assert line.split()[:4] == ["some", "set", "4", "1/4"]
    assert "2/3" in line


def test_a_picture_read_surely_is_never_hidden_in_the_report():
    wholes = [Whole(Status.NO_TRAY, 3, [], 0), Whole(Status.READ, 3, [], 2)]
    assert "read 1, no-tray 1" in "\n".join(report({}, wholes))


@pytest.mark.parametrize(("text", "words"), [("{", "not JSON"), ("{}", "a list of objects"), ("[{}]", "its file")])
def test_labels_of_another_form_are_named(tmp_path, capsys, text, words):
    (tmp_path / "labels.json").write_text(json.dumps([{"file": "gone.jpg", "tiles": []}]))
    (tmp_path / "crops.json").write_text(text)
    assert main([str(tmp_path)]) == 2
    assert words in capsys.readouterr().err


def test_a_picture_that_is_missing_is_named(tmp_path, capsys):
    (tmp_path / "labels.json").write_text(json.dumps([{"file": "gone.jpg", "tiles": []}]))
    assert main([str(tmp_path)]) == 2
    assert "gone.jpg: not a picture" in capsys.readouterr().err


def test_the_shared_photographs_have_the_form_that_is_read():
    shared = Path(__file__).resolve().parents[4] / "shared" / "photos"
    if not shared.is_dir():
        pytest.skip("the shared photographs are not here")
    assert len(labels_of(shared / "tiles" / "crops.json")) == 944
    assert sum(bool(photos_of_tiles._tiles(one)) for one in labels_of(shared / "tiles" / "labels.json")) > 200


def test_a_picture_of_which_no_tile_is_left_is_no_error():
    """Met on a photograph of a board: every piece the finder saw was turned down."""
    from vision.colour.paint import lab_of, measure

    assert lab_of(np.zeros((0, 3))).shape == (0, 3)
    assert measure(drawn(seed=3).picture_bgr, np.zeros((0, 4, 2))).contrast().shape == (0,)
