"""`feltside quest`: every question answered, every bad one refused in one sentence."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from pi import cli
from pi.doors.quest import NAMES, add_arguments, run
from pi.errors import FeltsideError

DEAL = "1 2 8 7 6 3 5 4 9 0\n0 5 1 6 2 7 3 8 4 9\n9 8 7 6 5 4 3 2 1 0\n2 0 4 6 8 1 3 5 7 9\n"


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]):
    """Return a function that runs `feltside quest WORDS` and returns what it printed."""

    def asked(*words: str) -> str:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        assert run(parser.parse_args(words)) == 0
        return capsys.readouterr().out

    return asked


@pytest.fixture
def file(tmp_path: Path):
    """Return a function that writes a text into a file and returns its name."""

    def written(text: str, name: str = "tray") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return written


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("most-runs", "sums")])
def test_what_solve_prints_check_accepts_and_hint_completes(name: str, ask, file):
    solution = ask("solve", name, "--seed", "3")
    assert ask("check", name, file(solution)) == "Nothing is wrong: solved.\n"
    first = solution.split()[0]
    assert ask("hint", name, file(solution.replace(first, ".", 1))).startswith(f"Lay a {first[1:]} {first[0]} in row 1")
    told = json.loads(ask("solve", name, "--json"))
    assert len(told["tiles"]) == 40


def test_a_layout_from_the_camera_is_checked_and_doubts_are_faults(ask, file):
    tiles = json.loads(ask("solve", "latin", "--json"))["tiles"]
    reading = {"status": "unsure", "tiles": [{**t, "sure": t["column"] != 4 or t["row"] != 0} for t in tiles]}
    told = json.loads(ask("check", "latin", file(json.dumps(reading)), "--json"))
    assert told["solved"] is False
    assert told["faults"] == [{"cells": [[0, 4]], "sentence": "The eye is not sure of the tile in row 1 column 5."}]
    reading["tiles"] = [{**t, "sure": True} for t in tiles[:-1]]
    assert ask("check", "latin", file(json.dumps(reading))) == "Row 4 column 10 is empty.\n"
    assert "row 4 column 10" in ask("hint", "latin", file(json.dumps(reading)))


def test_most_runs_best_check_and_hint(ask, file):
    deal = file(DEAL)
    best = json.loads(ask("best", "most-runs", deal, "--json"))
    assert best["by_row"][2] == 10
    laid = file("\n".join(ask("best", "most-runs", deal).splitlines()[1:]), "laid")
    assert ask("check", "most-runs", laid, "--dealt", deal) == f"{best['runs']} of {best['runs']} possible.\n"
    assert "of" in ask("check", "most-runs", deal, "--dealt", deal)
    assert ask("hint", "most-runs", deal, "--dealt", deal).startswith("Row ")
    wrong = file(DEAL.replace("1 2 8 7", "2 1 8 7"), "wrong")
    assert "left their order" in ask("check", "most-runs", wrong, "--dealt", deal)


def test_sums_check_best_hint_and_prove(ask, file):
    assert ask("check", "sums", file("2 9 8\n3 1 10\n7 6 15")).startswith("1 to 19; 20 is missing. 26 is the most")
    assert json.loads(ask("best", "sums", "--json"))["score"] == 26
    assert "not proved" in ask("best", "sums", "--size", "4")
    assert ask("hint", "sums", file("8 2 1\n5 . 15\n12 14 7")) == "Write 4 in row 2 column 2.\n"
    assert "is empty" in ask("check", "sums", file(". 1\n2 3")) or "empty" in ask("check", "sums", file(". 1\n2 3"))
    assert ask("prove", "--size", "2", "--most", "8").startswith("8 grids of 2 x 2 reach 8, 1 up to turns")
    assert json.loads(ask("prove", "--size", "2", "--most", "8", "--json"))["solutions"] == 8


def test_count_says_how_many_solutions_there_are(ask):
    assert "1 in 5752 of all" in ask("count", "magic-sums")
    assert json.loads(ask("count", "magic-sums", "--json"))["solutions"] == 2237116939003900020312000000000
    assert "On average 7.426 on four rows." in ask("count", "most-runs")
    told = json.loads(ask("count", "no-runs", "--boards", "20000", "--json"))
    assert abs(told["share"] - 0.2084) < 5 * told["standard_error"]


@pytest.mark.parametrize(
    "words",
    [
        ["check", "latin", "no-such-file"],
        ["best", "latin"],
        ["check", "most-runs"],
        ["best", "sums", "--size", "5"],
        ["prove", "--most", "20"],
    ],
)
def test_a_bad_question_is_refused_in_one_sentence_with_status_2(words: list[str], capsys):
    assert cli.main(["quest", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("feltside: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("text", ['{"status": "busy", "tiles": []}', '{"tiles": 3}', "{", '{"tiles": [{"row": -1}]}'])
def test_json_that_is_no_reading_is_refused(text: str, file):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with pytest.raises(FeltsideError):
        run(parser.parse_args(["check", "latin", file(text)]))


def test_tiles_that_cannot_be_completed_are_refused_with_their_fault(file):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with pytest.raises(FeltsideError, match="there is only one"):
        run(
            parser.parse_args(
                [
                    "solve",
                    "no-runs",
                    file("7red 7red . . . . . . . .\n" + ". " * 10 + "\n" + ". " * 10 + "\n" + ". " * 10),
                ]
            )
        )


def test_the_file_may_stand_before_or_after_the_options(ask, file):
    name = file(ask("solve", "latin"))
    answers = {ask("check", "latin", *words) for words in ([name, "--json"], ["--json", name])}
    assert [json.loads(answer)["solved"] for answer in answers] == [True]
