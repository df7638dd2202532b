"""RULES.md 1, Draw Bridge: whichever colour is begun first, the referee takes each turn as it was laid."""

from __future__ import annotations

import pytest

from pi.stand_ins import openings_bench
from vision.drawing import Look


@pytest.mark.parametrize("seed", [3, 4])
def test_the_first_turns_of_a_plain_table_are_taken_as_they_were_laid(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(openings_bench, "random_look", lambda rng, difficulty: Look.plain())
    assert [kind for kind, _ in openings_bench.opening(seed, 3)] == ["taken as laid"] * 3


def test_a_turn_that_was_taken_otherwise_makes_the_command_fail(monkeypatch: pytest.MonkeyPatch, capsys):
    told = [("taken as laid", ""), ("taken wrongly", "the 3 in row 1")]
    monkeypatch.setattr(openings_bench, "opening", lambda seed, turns: iter(told))
    assert openings_bench.main(["--games", "2", "--turns", "2"]) == 1
    said = capsys.readouterr().out
    assert "game 1 turn 2: taken wrongly the 3 in row 1" in said
    assert "turns taken as laid          2 of      4" in said
    assert "openings taken whole         0 of      2" in said


@pytest.mark.parametrize("option", ["--games", "--turns"])
def test_no_game_and_no_turn_is_said_to_be_none(option: str, capsys):
    with pytest.raises(SystemExit) as no:
        openings_bench.main([option, "0"])
    assert no.value.code == 2
    assert f"argument {option}: " in capsys.readouterr().err
