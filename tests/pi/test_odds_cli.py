"""`feltside odds`: every question answered, every bad one refused in one sentence."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from pi.doors.odds import add_arguments, run
from pi.errors import FeltsideError


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]):
    """Return a function that runs `feltside odds WORDS` and returns what it printed."""

    def asked(*words: str) -> str:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        assert run(parser.parse_args(words)) == 0
        return capsys.readouterr().out

    return asked


def test_rows_says_the_numbers_worth_showing(ask):
    said = ask("rows")
    assert "2843980, 611200, 135600, 29200, 6900, 1200, 700, 0, 0, 0, 20" in said
    assert "(OEIS A078628): 284398." in said
    assert "Some run lies there in 21.63 %." in said


def test_rows_of_other_lengths(ask):
    assert "(OEIS A078628): 46250325111346491694." in ask("rows", "--n", "22")
    assert json.loads(ask("rows", "--n", "4", "--json"))["right"] == {"0": 2 / 3, "4": 1 / 3}


def test_a_row_with_its_wild(ask):
    assert "the chance that a prediction is right" in ask("rows", "--wilds")


def test_a_board_says_62_percent_and_puts_the_rarest_together(ask):
    said = ask("board")
    assert "Some run lies there in 62.27 %." in said
    assert "to 40" in said
    assert "\n40 " in ask("board", "--all")


def test_a_board_with_the_elevator_is_exact(ask):
    answer = json.loads(ask("board", "--elevator", "--json"))
    assert answer["exact"] is True
    assert round(answer["right"]["0"], 6) == 0.256196


def test_a_board_with_vertical_is_drawn_and_says_so(ask):
    said = ask("board", "--vertical", "--boards", "20000")
    assert "Drawn: 20000 boards; ± is one standard error." in said
    assert "The exact mean is 86/45" in said


def test_open_reads_text_or_a_file(ask, tmp_path: Path):
    text = "0 1 2 3 4 5 ? ? ? ?\n? ? ? ? ? 1 2 3 4 5\n"
    (tmp_path / "board.txt").write_text(text)
    assert ask("open", str(tmp_path / "board.txt")) == ask("open", "--text", text.replace("\n", "/"))


def test_open_knows_the_diamond_and_its_wild(ask):
    answer = json.loads(ask("open", "--board", "diamond", "--text", "1/2 ? 3/4", "--json"))
    assert answer["exact"] is True
    assert answer["standard_error"] is None


def test_sample_repeats_itself_by_its_seed(ask):
    first = ask("sample", "--boards", "5000", "--seed", "3", "--elevator")
    assert first == ask("sample", "--boards", "5000", "--seed", "3", "--elevator")
    assert first != ask("sample", "--boards", "5000", "--seed", "4", "--elevator")


def test_svg_is_written_beside_the_answer(ask, tmp_path: Path):
    ask("rows", "--n", "6", "--svg", str(tmp_path / "six.svg"))
    assert (tmp_path / "six.svg").read_text().startswith("<svg ")


def test_buster_values_each_choice(ask):
    # RULES.md 2: "hand 4 5, roll 3 4 4 6: may become 3 4 5, 3 4 5 6 or 4 5 6"
    said = ask("buster", "--mine", "4 5", "--roll", "3 4 4 6")
    assert "3 4 5 6      51.14 %  best" in said
    assert said.count("%") == 4
    assert "wins 50.85 %, 17.45 turns to come" in ask("buster")
    assert json.loads(ask("buster", "--json"))["choices"] is None


def test_wilds_that_may_hide_anywhere_are_drawn_and_it_says_so(ask):
    said = ask("board", "--wilds", "--vertical", "--boards", "3000")
    assert "3000" in said
    assert "exact" not in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rows", "--n", "51"], "expected 3 to 50"),
        (["rows", "--n", "9", "--wilds"], "lays rows of 10"),
        (["open", "--text", "1 1"], "row 1 holds 1 twice"),
        (["open", "--text", "1 X"], "'X' is not a symbol"),
        (["sample", "--boards", "0"], "expected 1 or more"),
        (["open", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["rows", "--svg", "no/such/folder.svg"], "cannot be written"),
        (["buster", "--mine", "1 3"], "is not a hand"),
        (["buster", "--roll", "1 x"], "is not a list of dice"),
        (["buster", "--roll", "1 ²"], "is not a list of dice"),
    ],
)
def test_bad_questions_are_refused_in_one_sentence(ask, words: list[str], said: str):
    with pytest.raises(FeltsideError) as no:
        ask(*words)
    assert said in str(no.value)
