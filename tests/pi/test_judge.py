"""`feltside judge`: lines in, answers out; what is unlawful is refused, what is not JSON ends it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.cli import main
from pi.doors.judge import GAMES, judged

SAMPLES = Path(__file__).parent.parent / "rules" / "vectors"
FILES = {
    "scramble-round": "scramble_rounds",
    "draw-bridge": "draw_bridge",
    "run-buster": "run_buster",
    "palindromes": "palindromes",
    "blob": "blob",
    "sums-grid": "sums_grid",
    "divisors": "divisors",
}
ANSWERS = {
    "scramble-round": {"points"},
    "draw-bridge": {"points"},
    "run-buster": {"busted", "options"},
    "palindromes": {"palindromes", "antipalindromes"},
    "blob": {"rows", "columns"},
    "sums-grid": {"score"},
    "divisors": {"cost", "claimed", "scores"},
}


def asked(value: Any, answers: set[str]) -> Any:
    """Return a line without its answers."""
    if isinstance(value, dict):
        return {k: asked(v, answers) for k, v in value.items() if k not in answers}
    return [asked(v, answers) for v in value] if isinstance(value, list) else value


def sample(game: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / f"{FILES[game]}.jsonl").read_text().splitlines()]


def refusal(game: str, line: Any) -> str:
    answer = judged(game, line)
    assert list(answer) == ["refused"], answer
    return str(answer["refused"])


@pytest.mark.parametrize("game", GAMES)
def test_the_samples_are_answered_exactly_keys_in_order(game: str, capsys: pytest.CaptureFixture[str]):
    assert main(["judge", game, str(SAMPLES / f"{FILES[game]}.jsonl")]) == 0
    assert capsys.readouterr().out == (SAMPLES / f"{FILES[game]}.jsonl").read_text()


@pytest.mark.parametrize("game", GAMES)
def test_lines_without_answers_get_them(game: str):
    for line in sample(game):
        answer = judged(game, asked(line, ANSWERS[game]))
        assert json.dumps(answer) == json.dumps(line)


@pytest.mark.parametrize("game", GAMES)
def test_wrong_answers_are_replaced(game: str):
    for line in sample(game):
        lie = {k: "a lie" if k in ANSWERS[game] else v for k, v in line.items()}
        assert judged(game, lie) == line


@pytest.mark.parametrize("game", GAMES)
def test_every_worked_case_agrees_with_and_without_its_answers(game: str, vectors):
    for case in vectors(FILES[game]):
        assert json.dumps(judged(game, case)) == json.dumps(case)
        assert json.dumps(judged(game, asked(case, ANSWERS[game]))) == json.dumps(case)


def test_standard_input_is_read_and_blank_lines_are_passed_over(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO('\n{"row": "00"}\r\n\n{"row": "2"}\n'))
    assert main(["judge", "palindromes"]) == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert out[0] == {"row": "00", "palindromes": 2, "antipalindromes": 0}
    assert list(out[1]) == ["refused"]


@pytest.mark.parametrize("bad", ["nonsense", '{"row": "00"', "{'row': '00'}", '{"row": NaN}', "[" * 100_000])
def test_a_line_that_is_not_json_ends_it_with_its_number_and_prints_nothing(bad: str, tmp_path, capsys):
    lines = tmp_path / "lines.jsonl"
    lines.write_text(f'{{"row": "00"}}\n{bad}\n')
    assert main(["judge", "palindromes", str(lines)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "line 2 of" in err
    assert "is not JSON" in err
    assert len(err.splitlines()) == 1


def test_a_missing_file_is_one_sentence_and_status_2(capsys):
    assert main(["judge", "blob", "/no/such/file"]) == 2
    assert "/no/such/file cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("line", [None, 7, "x", [], {}, True])
def test_json_that_is_no_line_of_the_game_is_refused(game: str, line: Any):
    assert refusal(game, line).endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_a_field_nobody_knows_is_refused_not_passed_over(game: str):
    assert "'tuogh' is unknown" in refusal(game, {**sample(game)[0], "tuogh": True})


def test_a_field_named_twice_is_refused(tmp_path, capsys):
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"row": "00", "row": "11"}\n')
    assert main(["judge", "palindromes", str(lines)]) == 0
    assert json.loads(capsys.readouterr().out) == {"refused": "The field 'row' is named twice."}


ROUND = {"predictions": {"p1": 4, "p2": 4}, "queue": ["p2", "p1"], "totals": [4], "tough": False}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"predictions": {"p1": 4}}, "2 to 4 players"),
        ({"predictions": dict.fromkeys("abcde", 1)}, "2 to 4 players"),
        ({"predictions": {"p1": 8, "p2": 4}}, "at most 7"),
        ({"predictions": {"p1": -1, "p2": 4}}, "at least 0"),
        ({"predictions": {"p1": None, "p2": 4}}, "whole number"),
        ({"predictions": {"p1": True, "p2": 4}}, "whole number"),
        ({"predictions": {"p1": 4.0, "p2": 4}}, "whole number"),
        ({"predictions": [4, 4]}, "object of players"),
        ({"queue": ["p1"]}, "p2 made a prediction but does not stand in the queue."),
        ({"queue": ["p1", "p2", "p1"]}, "p1 stands in the queue twice."),
        ({"queue": ["p1", "p2", "p3"]}, "'p3' stands in the queue but made no prediction."),
        ({"queue": [["p1", "p2"], []]}, "A place in the queue is empty."),
        ({"queue": [["p1", ["p2"]]]}, "made no prediction"),
        ({"queue": "p1p2"}, "queue is a list"),
        ({"totals": []}, "no total"),
        ({"totals": [-1]}, "at least 0"),
        ({"totals": [3, 3]}, "twice"),
        ({"totals": 4}, "list"),
        ({"tough": 1}, "tough is true or false"),
        ({"tough": "yes"}, "tough is true or false"),
    ],
)
def test_scramble_rounds_that_cannot_be_are_refused(change: dict[str, Any], why: str):
    assert why in refusal("scramble-round", {**ROUND, **change})


def test_tied_players_share_the_better_place_and_points_come_in_queue_order():
    answer = judged("scramble-round", {**ROUND, "queue": [["p2", "p1"]]})
    assert list(answer["points"].items()) == [("p2", 8), ("p1", 8)]


def bridge(*turns: list[list[Any]], **fields: Any) -> dict[str, Any]:
    return {"elevator": False, "vertical": False, "turns": [{"place": t} for t in turns], **fields}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (bridge([[0, 0, 1], [0, 1, 1]]), "Turn 1: The 1 may not lie in row 1: each tile lies once"),
        (bridge([[0, 0, 1], [0, 0, 2]]), "the 1 lies there already"),
        (bridge([[0, 4, 1], [1, 0, 2]]), "next to a tile of its row or at a free end"),
        (bridge([[0, 0, 1], [1, 0, 2]], [[0, 2, 3], [1, 1, 4]]), "Turn 2: The 3 may not lie in row 1 place 3"),
        (bridge([[0, 0, 1]]), "1 tile placed (expected 2 tiles)"),
        (bridge([[0, 0, 1], [0, 1, 2], [0, 2, 3]]), "3 tiles placed (expected 2 tiles)"),
        (bridge([]), "0 tiles placed"),
        (bridge([[4, 0, 1], [0, 0, 2]]), "The row of a tile is at most 3"),
        (bridge([[0, 10, 1], [0, 0, 2]]), "The place of a tile is at most 9"),
        (bridge([[0, -1, 1], [0, 0, 2]]), "at least 0"),
        (bridge([[0, 0, 10], [0, 1, 2]]), "The number of a tile is at most 9"),
        (bridge([[0, 0, True], [0, 1, 2]]), "whole number"),
        (bridge([[0, 0, "1"], [0, 1, 2]]), "whole number"),
        (bridge([[0, 0], [0, 1, 2]]), "row, place and number"),
        (bridge([[0, 0, "#"], [0, 1, 2]]), "Wild tiles are not in play"),
        (bridge([[0, 0, "#"], [0, 1, "#"]], wild=True), "A wild may not lie in row 1"),
        (bridge(elevator="no"), "elevator is true or false"),
        (bridge(players=5), "at most 4"),
        (bridge([[0, 0, 1], [0, 1, 2]], players=3), "'start' is missing"),
        (bridge(players=2, start=[0, 0, 1]), "Only with three players"),
        (bridge(players=3, start=[0, 9, 1]), "left end"),
        ({"turns": [{"place": [[0, 0, 1], [0, 1, 2]], "score": 0}]}, "'score' is unknown"),
        ({"turns": [[[0, 0, 1], [0, 1, 2]]]}, "A turn is an object"),
    ],
)
def test_draw_bridge_turns_that_are_not_lawful_are_refused(line: dict[str, Any], why: str):
    assert why in refusal("draw-bridge", line)


def test_with_three_players_each_last_turn_has_one_tile():
    cells = [(r, c) for r in range(4) for c in range(10)][1:]
    laid = [[r, c, (3 * c) % 10] for r, c in cells]
    turns = [laid[i : i + 2] for i in range(0, 36, 2)] + [[item] for item in laid[36:]]
    answer = judged("draw-bridge", bridge(*turns, start=[0, 0, 0], players=3))
    assert [t["points"] for t in answer["turns"]] == [0] * 21
    assert "expected 1 tile" in refusal("draw-bridge", bridge(*turns[:18], laid[36:38], start=[0, 0, 0]))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"roll": [1, 2, 3]}, "always 6 dice"),
        ({"roll": [1] * 6}, "always 6 dice (there are 6 rolled and 2 in the hand)"),
        ({"roll": [0, 1, 2, 3]}, "at least 1"),
        ({"roll": [7, 1, 2, 3]}, "at most 6"),
        ({"roll": [1.0, 1, 2, 3]}, "whole number"),
        ({"roll": "1234"}, "list"),
        ({"hand": [4, 6]}, "not consecutive"),
        ({"hand": [4, 4]}, "no number twice"),
        ({"hand": [1, 2, 3, 4, 5, 6], "roll": []}, "has won"),
        ({"opponents": []}, "no opponent"),
        ({"opponents": [[1, 3]]}, "not consecutive"),
        ({"opponents": [[1, 2, 3, 4, 5, 6]]}, "has won"),
        ({"opponents": [3]}, "list"),
    ],
)
def test_run_buster_states_that_cannot_be_are_refused(change: dict[str, Any], why: str):
    line = {"roll": [3, 4, 4, 6], "hand": [4, 5], "opponents": [[2, 3]]}
    assert "refused" not in judged("run-buster", line)
    assert why in refusal("run-buster", {**line, **change})


def test_run_buster_tells_each_options_chance_to_win_when_asked():
    line = {"roll": [3, 4, 4, 6], "hand": [4, 5], "opponents": [[2]]}
    plain = judged("run-buster", line)
    told = judged("run-buster", {**line, "chances": True})
    assert {k: told[k] for k in plain} == plain
    assert told["options"] == [[3, 4, 5], [3, 4, 5, 6], [4, 5, 6]]
    assert [round(win, 4) for win in told["wins"]] == [0.5098, 0.5158, 0.4993]
    assert told["win"] == max(told["wins"])
    assert judged("run-buster", {**told, "chances": False}) == {**plain, "chances": False}


def test_run_buster_a_full_straight_wins_and_a_hand_that_stays_has_its_chance():
    full = judged("run-buster", {"roll": [1, 2, 3, 6], "hand": [4, 5], "opponents": [[]], "chances": True})
    assert full["wins"][full["options"].index([1, 2, 3, 4, 5, 6])] == full["win"] == 1.0
    stays = judged("run-buster", {"roll": [4, 4, 4, 4], "hand": [4, 5], "opponents": [[]], "chances": True})
    assert (stays["options"], stays["wins"]) == ([], [])
    assert 0 < stays["win"] < 1


def test_run_buster_chances_are_refused_where_they_are_not_known():
    line = {"roll": [3, 4, 4, 6], "hand": [4, 5], "opponents": [[2], []], "chances": True}
    assert refusal("run-buster", line) == "Win chances are known against one opponent (there are 2)."
    assert "true or false" in refusal("run-buster", {**line, "chances": 1})


@pytest.mark.parametrize("row", ["", "012", "0 1", 1001, ["0", "1"], "٠١"])
def test_palindrome_rows_that_are_none_are_refused(row: Any):
    assert refusal("palindromes", {"row": row}).endswith(".")


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ([], "at least 2 rows"),
        (["**", "oo", "oo"], "the grid is square"),
        (["**x", "ooo", "ooo"], "Row 1 is a text of"),
        ([["*", "*"], ["o", "o"]], "Row 1 is a text of"),
        (["**", "*o"], "3 squares are filled (expected 2: 1 each)."),
        (["oo", "oo"], "0 squares are filled (expected 2: 1 each)."),
        (["*o", "o*"], "do not hang together"),
    ],
)
def test_blob_grids_no_game_ends_with_are_refused(grid: Any, why: str):
    assert why in refusal("blob", {"grid": grid})


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ([], "no rows"),
        ([[1, 2], [3]], "the grid is square"),
        ([[1, 2, 3], [4, 5, 6]], "the grid is square"),
        ([[1, 2], [2, 4]], "already"),
        ([[0, 2], [3, 4]], "at least 1"),
        ([[1.5, 2], [3, 4]], "whole number"),
        ([[True, 2], [3, 4]], "whole number"),
        ([1, 2], "list"),
    ],
)
def test_sums_grids_that_are_none_are_refused(grid: Any, why: str):
    assert why in refusal("sums-grid", {"grid": grid})


def game_of(*picks: list[Any], r: int = 5, players: int = 2) -> dict[str, Any]:
    turns = [{"player": n % players, "picks": p} for n, p in enumerate(picks)]
    return {"r": r, "players": players, "turns": turns}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (game_of([2], [3]), "Turn 2: 3 is neither a divisor nor a multiple of 2."),
        (game_of([6]), "6 is not in the game (expected 1 to 5)."),
        (game_of([1]), "A step from 1 to 1 is not a step."),
        (game_of([2], [1]), "Turn 2: A turn must end on an unclaimed number, and 1 is claimed."),
        (game_of([]), "at least one step"),
        (game_of([2], [4], [1, 3], [1, 5], [1, 2]), "Turn 5: All numbers are claimed: the game is over."),
        (game_of([2.0]), "whole number"),
        (game_of(r=0), "r is at least 1"),
        (game_of(players=1), "at least 2"),
        ({**game_of(), "turns": [{"player": 1, "picks": [2]}]}, "It is not the turn of player 1 (expected 0)."),
        ({**game_of(), "turns": [{"player": 2, "picks": [2]}]}, "at most 1"),
        ({**game_of(), "turns": [{"picks": [2]}]}, "'player' is missing"),
    ],
)
def test_divisor_games_that_are_not_lawful_are_refused(line: dict[str, Any], why: str):
    assert why in refusal("divisors", line)


def test_a_divisor_game_may_break_off_after_any_turn():
    assert judged("divisors", game_of([4], [2])) == {
        "r": 5,
        "players": 2,
        "turns": [{"player": 0, "picks": [4], "cost": 4}, {"player": 1, "picks": [2], "cost": 2}],
        "claimed": [1, 4, 2],
        "scores": [4, 2],
    }


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text("01*o#p", max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(st.sampled_from(sorted(GAMES)), st.data())
def test_law_no_json_makes_the_judge_raise(game: str, data: st.DataObject):
    line = dict(data.draw(st.sampled_from(sample(game))))
    name = data.draw(st.sampled_from(sorted(line)))
    line[name] = data.draw(ANYTHING)
    answer = judged(game, line)
    assert list(answer) == ["refused"] or set(answer) == set(line)
