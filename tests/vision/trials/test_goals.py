"""The issue: "`python -m vision.evaluate FOLDER` ... prints the table above with Wilson intervals"."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision import evaluate
from vision.crops.faces import FACES, SIDE
from vision.drawing.folders import save
from vision.errors import BadOwnSet
from vision.layout import Expectation
from vision.own_set import OwnSet, Taught, to_bytes
from vision.reading import Status
from vision.trials.goals import Goal, goals
from vision.trials.scoring import Score


def scored(expect: Expectation = Expectation.ROWS, *, status: Status = Status.READ, wrong: int = 0) -> Score:
    """Return the score of a tray of forty pieces."""
    return Score(expect, status, Status.READ, 40, ("x",) * wrong, wrong, 0, 40, 0, (40, 0), ())


@pytest.mark.parametrize(
    ("bound", "hits", "trials", "below", "verdict"),
    [
        (0.995, 2000, 2000, False, "met"),
        (0.995, 20, 20, False, "so far met"),
        (0.995, 99, 100, False, "so far missed"),
        (0.995, 900, 1000, False, "missed"),
        (0.03, 0, 10, True, "so far met"),
        (0.03, 1, 10, True, "so far missed"),
        (0.03, 90, 1000, True, "missed"),
        (0.03, 1, 1000, True, "met"),
    ],
)
def test_a_goal_is_met_or_missed_only_where_chance_does_not_explain_it(bound, hits, trials, below, verdict) -> None:
    assert Goal("trays", bound, hits, trials, below=below).verdict == verdict


def test_each_line_of_the_issue_that_was_read_has_its_goal_share_and_interval() -> None:
    table = goals([*[scored()] * 9, scored(wrong=1), scored(Expectation.DICE, status=Status.UNSURE)])
    lines = {line[:44].strip(): line for line in table.splitlines()}
    assert "99.5 %   90.00 %" in lines["tiles in rows, 4 x 10: trays right at first"]
    assert "59.6-98.2 %" in lines["tiles in rows, 4 x 10: trays right at first"]
    assert "1/10" in lines["trays called read that are wrong"]
    assert "399/400" in lines["tiles right"]
    assert "below 3 %  100.00 %" in [line for line in table.splitlines() if "unsure" in line][1]
    assert not any("disks" in line for line in lines), "nothing of that kind was read"


def test_a_taught_set_is_read_with_and_one_that_is_none_is_said(tmp_path: Path, capsys, monkeypatch) -> None:
    """Must turn a set that the shipped model reads poorly into one read to the goals: the command can measure that."""
    save(drawn(), tmp_path / "in", "p0")
    seen = []
    monkeypatch.setattr("vision.trials.evaluate_frames.read", lambda *_, owner, **__: seen.append(owner) or 1 / 0)
    crops = np.random.default_rng(1).integers(0, 255, (6, SIDE, SIDE, 3), dtype=np.uint8)
    shows = np.array([FACES.index(("die", n)) for n in range(1, 7)], np.uint8)
    paint = np.full((1, 3), 200.0, np.float32)
    dice = Taught(crops, shows, np.zeros(6, np.uint8), ("white",), paint, paint, by_ink=False)
    (tmp_path / "own_set.npz").write_bytes(to_bytes(OwnSet("2026-11-29", dice=dice)))
    with pytest.raises(ZeroDivisionError):
        evaluate.main([str(tmp_path / "in"), "--set", str(tmp_path / "own_set.npz")])
    assert [(own.made, own.fitted) for own in seen] == [("2026-11-29", True)]
    for name, words in (("nowhere.npz", "cannot be read"), ("in/p0.json", "damaged")):
        with pytest.raises(BadOwnSet):
            evaluate.load_set(tmp_path / name)
        assert evaluate.main([str(tmp_path / "in"), "--set", str(tmp_path / name)]) == 2
        assert words in capsys.readouterr().err
