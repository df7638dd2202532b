"""Issue 3: figures on pictures no net saw. Whole lawful trays are drawn by the thousand, the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.drawing.__main__ import main
from vision.drawing.folders import save
from vision.drawing.many import LAYOUT_OF, draw_tray
from vision.errors import BadScene
from vision.trials.scoring import expectation_of


@pytest.mark.parametrize("family", LAYOUT_OF)
def test_trays_of_every_family_are_lawful(family: str) -> None:
    """RULES 1: each number once a colour; a colour has at most one wild."""
    truth = draw_tray(family, seed=3, index=1).truth
    assert truth["family"] == family
    faces = Counter((t["color"], t["label"]) for t in truth["tiles"] if t["label"] != "down")
    assert set(faces.values()) == {1}
    assert len({t["color"] for t in truth["tiles"]} - {None}) <= 4
    places = {"D": range(1, 41), "E41": [41]}.get(family, [40])
    assert len(truth["tiles"]) in places
    assert expectation_of(truth).value in (LAYOUT_OF[family], "wild")


def test_some_lie_face_down_only_where_they_may() -> None:
    down = {f: sum(t["label"] == "down" for t in draw_tray(f, seed=3, index=2).truth["tiles"]) for f in LAYOUT_OF}
    assert down.pop("C") > 0
    assert set(down.values()) == {0}


def test_the_same_seed_draws_the_same_tray() -> None:
    one, again, other = (draw_tray("A", seed=seed, index=0) for seed in (5, 5, 6))
    assert np.array_equal(one.picture_bgr, again.picture_bgr)
    assert not np.array_equal(one.picture_bgr, other.picture_bgr)


def test_digits_may_be_of_one_height_on_the_tiles_that_lie_there_anyway() -> None:
    usual, small = (draw_tray("A", seed=5, index=0, digits=height) for height in (None, 0.2))
    assert [t["label"] for t in usual.truth["tiles"]] == [t["label"] for t in small.truth["tiles"]]
    assert not np.array_equal(usual.picture_bgr, small.picture_bgr)


@pytest.mark.parametrize("index", [0, 3, 7])
@pytest.mark.parametrize("family", ["A", "D"])
def test_sixes_and_nines_may_lie_upside_down_in_a_set_with_arcs(family: str, index: int) -> None:
    """RULES 1: that is what tells a 6 from a 9. The truth is what it is, not what it looks like."""
    usual, heads = (draw_tray(family, seed=5, index=index, heads=heads).truth["tiles"] for heads in (False, True))
    assert [(t["label"], t["color"]) for t in heads] == [(t["label"], t["color"]) for t in usual]
    turned = [t for t in heads if np.cos(t["world"][2]) < 0]
    if any(t["label"] in "69" for t in usual):
        assert 1 <= len(turned) <= 2
        assert len({t["color"] for t in turned}) == 1
    assert {t["label"] for t in turned} <= {"6", "9"}


@pytest.mark.parametrize("text", ["2", "0", "-0.3", "tall", "nan"])
def test_a_height_that_is_no_share_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), f"--digits={text}"])
    assert f"{text!r} is no number between 0 and 1" in capsys.readouterr().err


def test_where_nothing_can_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(BadScene, match="A_000.jpg cannot be written: File exists"):
        save(drawn(), tmp_path / "notes", "A_000")


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(BadScene, match="'F' is not drawn here"):
        draw_tray("F", seed=1, index=0)


def test_the_command_writes_pictures_with_labels_and_leaves_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(tmp_path), "--scenes", "2", "--family", "A", "--fonts", "none", "--jobs", "1"]
    assert main(words) == 0
    label = json.loads((tmp_path / "A" / "A_0001.json").read_text())
    assert (label["image"], label["split"], label["index"]) == ("A_0001.jpg", "drawn", 1)
    kept = (tmp_path / "A" / "A_0001.jpg").stat().st_mtime_ns
    assert main(words) == 0
    assert (tmp_path / "A" / "A_0001.jpg").stat().st_mtime_ns == kept
    assert main([str(tmp_path), "--family", "A,X"]) == 2
    assert "'X' is not drawn here (expected one of A, B," in capsys.readouterr().err
