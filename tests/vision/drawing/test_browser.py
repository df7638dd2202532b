"""Trays drawn by Chromium: a second opinion is worth something only where its truth is true."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from tests.conftest import CHROMIUM
from vision.drawing.browser import chromium
from vision.drawing.browser.__main__ import main
from vision.drawing.browser.making import browse_tray
from vision.errors import BadScene, VisionError
from vision.reader import read
from vision.reading import Status
from vision.tray.fiducials import find_markers
from vision.trials.labelled import find_samples
from vision.trials.scoring import expectation_of, score

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
SEED = 3


@needs_chromium
def test_the_picture_shows_what_its_truth_says():
    drawn = browse_tray("A", seed=SEED, index=1)
    reading = read(drawn.picture_bgr, expect=expectation_of(drawn.truth))
    assert reading.status is Status.READ
    assert score(reading, drawn.truth).wrong == ()


@needs_chromium
def test_markers_lie_where_the_truth_has_them_to_a_pixel():
    drawn = browse_tray("F", seed=SEED, index=0)
    found = find_markers(drawn.picture_bgr)
    assert len(drawn.truth["markers"]) == 4
    for marker in drawn.truth["markers"]:
        middle = np.array(marker["corners"]).mean(0)
        assert np.linalg.norm(found[marker["id"]].mean(0) - middle) < 1.0


@needs_chromium
def test_disks_lie_beside_the_tiles_and_are_what_the_truth_says():
    drawn = browse_tray("G", seed=SEED, index=0)
    assert len(drawn.truth["disks"]) > 1
    assert len(drawn.truth["tiles"]) == 40
    reading = read(drawn.picture_bgr, expect=expectation_of(drawn.truth))
    assert reading.status is not Status.BUSY
    assert len(reading.disks) == len(drawn.truth["disks"])
    for disk in drawn.truth["disks"]:
        assert min(np.hypot(*np.subtract(disk["center"], seen.centre)) for seen in reading.disks) < 4.0
    assert score(reading, drawn.truth).wrong == ()


@needs_chromium
def test_a_folder_is_made_once_and_what_is_there_is_left(tmp_path, capsys):
    command = [str(tmp_path), "--scenes", "1", "--family", "F", "--fonts", "none", "--jobs", "1"]
    assert main(command) == 0
    (sample,) = find_samples(tmp_path)
    assert sample.truth["dice"]
    made = sample.picture.stat().st_mtime_ns
    assert main(command) == 0
    assert sample.picture.stat().st_mtime_ns == made


def test_without_chromium_one_sentence_says_what_is_missing(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert main([str(tmp_path / "out"), "--fonts", "none"]) == 2
    assert capsys.readouterr().err.strip() == (
        "chromium is not installed (expected the program of Debian's package chromium in the path)"
    )
    assert not (tmp_path / "out").exists()


def test_an_unknown_family_is_refused(tmp_path, capsys):
    with pytest.raises(BadScene, match="family 'HAND' is not drawn by a browser"):
        browse_tray("HAND", seed=1, index=0)
    assert issubclass(chromium.BrowserFailed, VisionError)
    assert issubclass(chromium.BrowserFailed, RuntimeError)
