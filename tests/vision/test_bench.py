"""The benchmark of the eye: what it prints, not how fast a machine is."""

import json
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import bench


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "A_000.png"), np.full((96, 128, 3), 90, np.uint8))
    (tmp_path / "A_000.json").write_text(json.dumps({"family": "A", "index": 0, "tiles": []}))
    return tmp_path


def test_stages_are_least_of_all_runs_and_all_is_their_sum(folder: Path) -> None:
    (sample,) = bench.find_samples(folder)
    ticks = count()
    laps = bench.measure(np.full((96, 128, 3), 90, np.uint8), sample, repeat=2, clock=lambda: float(next(ticks)))
    assert laps["all"] == sum(ms for name, ms in laps.items() if name != "all") > 0


def test_says_plainly_that_tesseract_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench.shutil, "which", lambda _: None)
    monkeypatch.setattr(bench.cv2, "setNumThreads", lambda _: None)
    assert bench.main([str(folder), "--repeat", "1"]) == 0
    assert "Tesseract: SKIPPED, not installed" in capsys.readouterr().out


def test_an_unchanged_frame_and_a_known_tray_are_timed(folder: Path) -> None:
    from tests.vision.trays import drawn

    (sample,) = bench.find_samples(folder)
    ticks = count()
    picture = drawn().picture_bgr
    laps = bench.measure_fixed(picture, sample, repeat=1, clock=lambda: float(next(ticks)))
    assert set(laps) == {"all, tray known", "unchanged frame"}
    assert laps["unchanged frame"] == 1000.0


def test_tesseract_reads_all_crops_in_one_run(tmp_path: Path) -> None:
    """A stand-in with Tesseract's manners: one page for each picture of the list, parted by form feeds."""
    program = tmp_path / "tesseract"
    program.write_text('#!/bin/sh\nwhile read -r name || [ -n "$name" ]; do printf \'7\\n\\f\'; done < "$1"\n')
    program.chmod(0o755)
    ticks = count()
    crops = [np.full((48, 40, 3), 90, np.uint8)] * 3
    ms, seen = bench.tesseract_reads(crops, program=str(program), clock=lambda: float(next(ticks)))
    assert ms == 1000.0
    assert seen == ["7", "7", "7"]


def test_an_empty_folder_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([str(tmp_path)]) == 2
    assert "no labelled pictures" in capsys.readouterr().err


def test_only_the_families_that_are_asked_for_are_timed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench.shutil, "which", lambda _: None)
    monkeypatch.setattr(bench.cv2, "setNumThreads", lambda _: None)
    assert bench.main([str(folder), "--repeat", "1", "--family", "B", "--family", "A"]) == 0
    assert capsys.readouterr().out.startswith("1 pictures")
    assert bench.main([str(folder), "--repeat", "1", "--family", "F"]) == 2
    assert f"{folder}: no labelled pictures of F" in capsys.readouterr().err
