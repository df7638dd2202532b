"""The demo: simulated people, what they say at the terminal, and the whole evening twice the same."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.cli import main
from pi.doors.demo import Teller, house_rules, seats_of
from pi.doors.telling import match_json, round_lines
from pi.errors import BadSettings, TableRunning
from pi.journal import JournalReader
from pi.rules import commands as ask
from pi.rules.games.scramble_score import SOURCE
from pi.rules.match import NEW
from pi.rules.queueing import Key
from pi.rules.values import Seat
from pi.settings import CameraKind
from pi.stand_ins.evening import symbol_at
from pi.stand_ins.launch import free_port, write_settings
from pi.stand_ins.players import plan, players, true_totals
from pi.stand_ins.shuffle import DEALT, deal
from pi.table import only_table
from tests.builders import ONE_RUN, lock, play, start, tray
from tests.conftest import PATIENCE_S, ROOT

SEATS = (Seat(1), Seat(2), Seat(3), Seat(4))
HOUSE = {"rows": {}, "wild": {"wild": True}, "rect": {"board": "rect"}, "diamond": {"board": "diamond"}}


@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=5),
    st.integers(0, 2**32),
    st.integers(1, 50),
)
def test_every_seat_plans_a_prediction_that_disks_can_say(totals, seed, number):
    """RULES.md 1: a sum of disks, 0 to 7."""
    planned = plan(totals, SEATS, seed=seed, match="", round=number)
    assert sorted(p.seat for p in planned) == list(SEATS)
    assert [p.after_s for p in planned] == sorted(p.after_s for p in planned)
    for p in planned:
        *disks, last = p.presses()
        assert last is Key.LOCK
        assert sum(key.worth for key in disks) == p.prediction
        assert 0 <= p.prediction <= 7


def test_players_are_often_right_and_often_wrong():
    plans = [plan([3], SEATS, seed=1, match="", round=n) for n in range(200)]
    right = sum(p.prediction == 3 for planned in plans for p in planned) / 800
    assert 0.5 < right < 0.85


@pytest.mark.parametrize("expects", DEALT)
def test_the_simulated_players_know_the_truth_of_every_board(expects):
    house = {"board": "rows", "wrap": True} | HOUSE[expects]
    totals = true_totals(deal(expects, seed=1, match="", round=1), house=house)
    assert totals
    assert all(total >= 0 for total in totals)


@pytest.mark.parametrize("expects", DEALT)
def test_the_simulated_table_knows_what_lies_where(expects):
    dealt = deal(expects, seed=3, match="", round=2)
    widest = max(len(row) for row in dealt.cells)
    for row, cells in enumerate(dealt.symbols()):
        for place, symbol in enumerate(cells):
            assert symbol_at(dealt, row, place + (widest - len(cells)) // 2) == symbol


def test_house_rules_are_read_as_the_game_knows_them():
    assert house_rules("scramble", ["wild=yes", "tough", "target=7", "board=rows", "wrap=no"]) == {
        "wild": True,
        "tough": True,
        "target": 7,
        "board": "rows",
        "wrap": False,
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--house", "wilde=yes"], "'wilde' is no house rule of scramble"),
        (["--house", "wild=perhaps"], "neither yes nor no"),
        (["--house", "target=ten"], "not a whole number"),
        (["--players", "5"], "5 players (expected 2 to 4)"),
        (["--players", "2", "--humans", "3"], "seat 3 does not play (expected 1 to 2)"),
        (["--rounds", "0"], "0 rounds cannot be played"),
        (["--seed", "-1"], "-1 is no seed"),
        (["--humans", "1"], "nobody can press pads without pages"),
    ],
)
def test_a_bad_word_on_the_command_line_is_one_clear_sentence_and_status_2(words, sentence, capsys):
    assert main(["demo", "--headless", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("feltside: ")
    assert sentence in said
    assert said.count("\n") == 1


def test_seats_of_people():
    assert seats_of(" 1, 3", 3) == (1, 3)
    assert seats_of("", 2) == ()


def test_names_fit_the_seats():
    assert [(p.seat, p.name) for p in players(3)] == [(1, "Ann"), (2, "Bob"), (3, "Cleo")]


def test_a_port_in_use_is_said_before_anything_is_started():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadSettings, match=f"port {port} cannot be used"):
            free_port(port)
    assert free_port(0) > 0


def test_the_settings_file_says_what_was_meant(tmp_path):
    state = tmp_path / 'a "strange" folder'
    settings = write_settings(state, {"camera": {"kind": "simulated", "seed": 4, "hurried": True}, "web": {"port": 0}})
    assert (settings.camera.kind, settings.camera.seed, settings.camera.hurried) == (CameraKind.SIMULATED, 4, True)
    assert settings.state == state


def demo(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pi", "demo", "--headless", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=5 * PATIENCE_S, check=False)


@pytest.mark.slow
def test_the_whole_table_plays_by_itself_and_the_same_seed_plays_the_same_evening():
    """Table, watcher, pins, eye, journal: every process; only camera and pins are stand-ins."""
    one, two = (demo("--rounds", "2", "--seed", "1", "--json") for _ in range(2))
    assert (one.returncode, one.stderr) == (0, "")
    assert one.stdout == two.stdout
    told = json.loads(one.stdout)
    assert [r["round"] for r in told["rounds"]] == [1, 2]
    for played in told["rounds"]:
        truth = deal("rows", seed=1, match="", round=played["round"]).symbols()
        assert played["board"] == [" ".join(row) for row in truth]
        assert sorted(c["player"] for c in played["queue"]) == ["Ann", "Bob", "Cleo"]
        assert [c["locked"] for c in played["queue"]] == [1, 2, 3]
    points = dict.fromkeys(told["standing"], 0)
    for claim in (c for r in told["rounds"] for c in r["queue"]):
        points[claim["player"]] += claim["points"]
        assert claim["source"].startswith(SOURCE)
    assert points == told["standing"]
    assert told["over"]
    assert told["winners"] == [n for n, p in points.items() if p == max(points.values())]


def gone(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=1).close()
    except OSError:
        return True
    return False


def nobody_holds(state: Path) -> bool:
    try:
        with only_table(state):
            return True
    except TableRunning:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_however_the_demo_ends_no_process_is_left_behind_and_the_match_goes_on(tmp_path, how):
    """Pull the plug: start again, and the match stands as the players last saw it."""
    command = [sys.executable, "-m", "pi", "demo", "--port", "0", "--seed", "1", "--fast", "--state", str(tmp_path)]
    matches = []
    for _ in range(2):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            said = process.stdout.readline()
            address = ("127.0.0.1", int(re.search(r":(\d+)/", said)[1]))
            assert not gone(address)
            process.send_signal(how)
            process.communicate(timeout=PATIENCE_S)
        late = time.monotonic() + PATIENCE_S
        while not (gone(address) and nobody_holds(tmp_path)):
            assert time.monotonic() < late, "a process was left behind"
        matches.append(JournalReader(tmp_path / "feltside.sqlite").matches())
    assert len(matches[0]) == 1
    assert matches[0] == matches[1]


def test_a_round_is_told_with_the_rule_each_point_rests_on():
    match = play(
        NEW,
        start("Ann", "Bob"),
        ask.Next(at_ns=0),
        lock(2, 1, at=1.0),
        lock(1, 3, at=2.0),
        ask.ReadTray(tray(ONE_RUN, doubts=[(0, 0)])),
        ask.CorrectTile(1, 0, 0, "4", by="Ann"),
    )
    lines = list(round_lines(match_json(match)["rounds"][0]))
    assert lines[0] == "Round 1: 1 run"
    assert lines[1] == "    4 1 7 2 9 5 0 8 3 6"
    assert lines[5] == "    the eye asked about row 1 place 1 (it saw 4); Ann said 4"
    assert [line.split()[:4] for line in lines[6:]] == [["1.", "Bob", "said", "1"], ["2.", "Ann", "said", "3"]]
    assert "+5  Right: 1 for 1 run, and 4 for place 1. (RunnuRound, Random Scramble: scoring)" in lines[6]


def test_before_the_reveal_nothing_of_a_round_is_told():
    match = play(NEW, start("Ann", "Bob"), ask.Next(at_ns=0), lock(2, 1), ask.ReadTray(tray(ONE_RUN)))
    assert match_json(match)["rounds"] == []


def test_another_game_is_played_by_itself_from_its_first_step_to_its_winner(capsys):
    words = ["demo", "--game", "divisors", "--players", "2", "--house", "r=5", "--headless", "--seed", "2", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["over"], told["house"]["r"]) == ("divisors", True, 5)
    assert len(told["steps"]) == 4  # 1 is claimed at the start
    assert told["winners"]


@pytest.mark.parametrize(("game", "players"), [("blob", "3"), ("run-buster", "7"), ("scramble", "1")])
def test_each_game_says_how_many_may_play(game: str, players: str, capsys):
    assert main(["demo", "--game", game, "--players", players, "--headless"]) == 2
    assert f"{players} players (expected" in capsys.readouterr().err


def test_rounds_of_an_earlier_evening_are_told_and_only_then_how_it_stands_now(capsys):
    """A demo that goes on said after round 1 how it stood after round 2."""
    after_two = play(NEW, start("Ann", "Bob", target=50))
    for board in (ONE_RUN, ONE_RUN[::-1]):
        after_two = play(after_two, ask.Next(at_ns=0), lock(1, 1), lock(2, 0), ask.ReadTray(tray(board)))
    tell = Teller()
    assert not tell(after_two)
    said = capsys.readouterr().out
    assert said.index("Round 1") < said.index("Round 2") < said.index("Standing")
    assert said.count("Standing") == 1
    assert not tell(after_two)
    assert capsys.readouterr().out == ""
