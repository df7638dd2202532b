"""A match on a folder of pictures: what may be typed, and a whole match from pictures to points."""

from __future__ import annotations

import json
import subprocess
import sys

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.cli import main
from pi.doors.play import Typist, players_of
from pi.doors.said import Lock, Said, Tile, parse_file, parse_line
from pi.errors import BadTyping
from pi.simulator import demo_look, scene_of
from pi.stand_ins.shuffle import deal
from tests.builders import players
from tests.conftest import ROOT
from vision.drawing import draw

PEOPLE = players("Ann", "Bob", "Ann Marie")


def test_predictions_are_typed_in_lock_order():
    assert parse_line("Bob 3, Ann 0", PEOPLE) == Said((Lock(2, 3), Lock(1, 0)))


@pytest.mark.parametrize("text", ["bob 3", "BOB: 3", "Bob=3", "seat 2 3", "2: 3", " Bob   3 "])
def test_a_player_may_be_named_in_several_ways(text):
    assert parse_line(text, PEOPLE).locks == (Lock(2, 3),)


def test_names_of_two_words_are_names():
    assert parse_line("Ann Marie 2, Ann 1", PEOPLE).locks == (Lock(3, 2), Lock(1, 1))


def test_answers_to_the_eye_stand_in_the_same_line():
    said = parse_line("Ann 1, tile 1 4 7, tile 5 2 #, total 3", PEOPLE)
    assert said == Said((Lock(1, 1),), (Tile(0, 3, "7"), Tile(4, 1, "#")), 3)


def test_an_empty_line_says_nothing():
    assert parse_line("  ", PEOPLE) == Said()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Bob 8", "a sum of disks, 0 to 7"),
        ("Bob -1", "a sum of disks, 0 to 7"),
        ("Zoe 1", "nobody of that name plays"),
        ("seat 4 1", "nobody of that name plays"),
        ("Bob", "'Bob' is no prediction"),
        ("Bob three", "no prediction"),
        ("Bob 1, Ann 2, Bob 3", "a lock-in is final"),
        ("tile 0 1 7", "names no tile"),
        ("tile 1 1 12", "names no tile"),
    ],
)
def test_what_cannot_be_understood_is_named(text, sentence):
    with pytest.raises(BadTyping) as no:
        parse_line(text, PEOPLE)
    assert sentence in str(no.value)


@given(st.text(max_size=40))
def test_no_typing_breaks_anything(text):
    try:
        said = parse_line(text, PEOPLE)
    except BadTyping:
        return
    assert all(0 <= lock.prediction <= 7 and 1 <= lock.seat <= 3 for lock in said.locks)


def test_a_file_has_a_line_for_each_round_and_says_where_it_is_wrong():
    lines = ["# Friday", "", "Bob 3, Ann 2", "Ann 1"]
    assert [len(said.locks) for said in parse_file(lines, PEOPLE, name="x.txt")] == [2, 1]
    with pytest.raises(BadTyping, match=r"in x\.txt line 2$"):
        parse_file(["Ann 1", "Bob 9"], PEOPLE, name="x.txt")


def test_a_person_who_mistypes_is_asked_again(capsys):
    answers = iter(["Bob 9", "Bob 3"])
    typist = Typist(None, PEOPLE, ask=lambda prompt: next(answers))
    assert typist.typed("? ") == Said((Lock(2, 3),))
    assert "sum of disks" in capsys.readouterr().err


def test_a_file_with_too_few_lines_is_said():
    typist = Typist([Said()], PEOPLE)
    assert list(typist.round(1)) == [Said()]
    with pytest.raises(BadTyping, match="no predictions for round 2"):
        next(typist.round(2))


def test_players_sit_in_the_order_in_which_they_are_named():
    assert players_of(" Ann , Bob") == players("Ann", "Bob")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("pictures")
    for number in (1, 2):
        scene = scene_of(deal("rows", seed=9, match="", round=number), seed=number)
        drawn = draw(scene, demo_look(), rng=np.random.default_rng(number))
        cv2.imwrite(str(place / f"round{number}.jpg"), drawn.picture_bgr)
    return place


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--pictures", "nowhere"], "nowhere is not a folder"),
        (["--pictures", "{folder}", "--players", "Ann"], "1 players"),
        (["--pictures", "{folder}", "--house", "bored=rect"], "no house rule"),
        (["--pictures", "{folder}", "--predictions", "gone.txt"], "gone.txt cannot be read"),
    ],
)
def test_bad_input_is_one_clear_sentence_and_status_2(folder, words, sentence, capsys):
    assert main(["play", *(word.format(folder=folder) for word in words)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("feltside: ")
    assert sentence in said
    assert said.count("\n") == 1


def test_a_broken_picture_is_said_before_anything_is_started(tmp_path, capsys):
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    assert main(["play", "--pictures", str(tmp_path)]) == 2
    assert "a.jpg is not a picture" in capsys.readouterr().err


def feltside_play(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pi", "play", *words]
    return subprocess.run(command, cwd=ROOT, input=typed, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.slow
def test_a_match_on_pictures_from_typed_predictions_to_points(folder, tmp_path):
    """The rule book's queue bonus: 4, 3, 2, 1; wrong ones fall out and those behind move up (RULES.md 1)."""
    played = feltside_play(
        "--pictures", str(folder), "--json", "--state", str(tmp_path / "state"), typed="Bob 3\nAnn 0\nAnn 1, Bob 2\n"
    )
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout)
    assert [r["totals"] for r in told["rounds"]] == [[0], [1]]
    claims = [(c["player"], c["prediction"], c["points"]) for r in told["rounds"] for c in r["queue"]]
    assert claims == [("Bob", 3, 0), ("Ann", 0, 5), ("Ann", 1, 5), ("Bob", 2, 0)]
    assert told["standing"] == {"Ann": 10, "Bob": 0}
    assert told["winner"] == "Ann"
    for number, played_round in enumerate(told["rounds"], start=1):
        truth = deal("rows", seed=9, match="", round=number).symbols()
        assert played_round["board"] == [" ".join(row) for row in truth]
    assert len(list((tmp_path / "state" / "evidence").glob("*.tray.jpg"))) == 2


@pytest.mark.slow
def test_a_picture_that_cannot_be_read_is_counted_by_hand_or_refused(tmp_path):
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros((480, 640, 3), dtype=np.uint8))
    (tmp_path / "said.txt").write_text("Ann 2, Bob 1, total 2\n")
    words = ("--pictures", str(tmp_path), "--json", "--predictions")
    played = feltside_play(*words, str(tmp_path / "said.txt"))
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout)
    assert told["rounds"][0]["ruled_by_hand"]
    assert told["standing"] == {"Ann": 6, "Bob": 0}
