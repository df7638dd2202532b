"""The doors of the command line: their contract in JSON, and one clear sentence for bad input."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import cv2
import numpy as np
import pytest

from pi.cli import SUBCOMMANDS, main
from pi.doors import read as door
from pi.own_set_file import OwnSetFile
from pi.simulator import demo_look, scene_of_laid
from pi.stand_ins.tray_on_disk import Laid
from tests.conftest import ROOT
from tests.pi.test_teaching import small_set
from tests.vision.trays import drawn, on_a_table_of_felt
from vision.drawing import draw
from vision.own_set import to_bytes
from vision.reading import Reading, Status
from vision.teaching.teach_fit import fit

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

ROW = "1 2 8 7 6 3 5 4 9 0\n"


def feltside(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(list(argv))
    out, err = capsys.readouterr()
    return status, out, err


def test_count_reads_boards_parted_by_an_empty_line(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(ROW + "\n \n" + "? ? ? . 5 6 7 8 . ?\n"))
    status, out, _ = feltside(capsys, "count", "--json")
    assert status == 0
    assert [json.loads(line)["totals"] for line in out.splitlines()] == [[3], [2]]


def test_count_gives_cells_of_a_run_sorted_and_no_assignment_without_wilds(capsys, tmp_path):
    (tmp_path / "b.txt").write_text(ROW)
    _, out, _ = feltside(capsys, "count", "--json", str(tmp_path / "b.txt"))
    assert json.loads(out) == {
        "totals": [3],
        "runs": [[[0, 0], [0, 1], [0, 9]], [[0, 0], [0, 8], [0, 9]], [[0, 2], [0, 3], [0, 4]]],
        "assignment": None,
    }


def test_count_shows_an_assignment_for_every_attainable_total(capsys, tmp_path):
    (tmp_path / "b.txt").write_text("0 1 # 5 4 9 9 8 1 2")
    _, out, _ = feltside(capsys, "count", "--json", str(tmp_path / "b.txt"))
    assert json.loads(out) == {"totals": [0, 1], "runs": None, "assignment": {"0": [[0, 2, 0]], "1": [[0, 2, 2]]}}


def test_count_agrees_with_the_worked_cases_through_the_command(capsys, tmp_path, vectors):
    cases = vectors("run_counts")
    for switches in {
        tuple(sorted(k for k in ("elevator", "vertical") if c.get(k)))
        + (c["board"],)
        + (() if c.get("wrap", True) else ("no-wrap",))
        for c in cases
    }:
        board = next(s for s in switches if s in ("rows", "rect", "diamond"))
        flags = [f"--{s}" for s in switches if s != board]
        own = [
            c
            for c in cases
            if c["board"] == board
            and c.get("wrap", True) == ("--no-wrap" not in flags)
            and all(bool(c.get(k)) == (f"--{k}" in flags) for k in ("elevator", "vertical"))
        ]
        text = "\n\n".join("\n".join(" ".join(map(str, row)) for row in c["cells"]) for c in own)
        (tmp_path / "b.txt").write_text(text)
        status, out, _ = feltside(capsys, "count", "--json", "--board", board, *flags, str(tmp_path / "b.txt"))
        answers = [json.loads(line) for line in out.splitlines()]
        assert status == 0
        assert len(own) == len(answers) > 0
        for case, answer in zip(own, answers, strict=True):
            assert answer["totals"] == case["totals"]
            assert case.get("runs") in (None, answer["runs"])


def bad_files(folder):
    (folder / "bad.txt").write_text("\n1 2 X")
    (folder / "empty.txt").write_text(" \n")
    (folder / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (folder / "no.jpg").write_bytes(b"not a picture")
    cv2.imwrite(str(folder / "bare.png"), np.full((96, 128, 3), 90, np.uint8))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["count", "bad.txt"], "'X' is not a symbol (expected 0-9, #, ? or .), in row 1, in the board from line 2 of"),
        (["count", "empty.txt"], "there is no board in"),
        (["count", "nowhere.txt"], "cannot be read: No such file"),
        (["count", "binary.txt"], "is not text (expected UTF-8)"),
        (["count", "--board", "rect", "--elevator", "rows.txt"], "the elevator is not defined for rect"),
        (["read", "nowhere.jpg"], "is not there"),
        (["read", "."], "is a folder (expected a picture)"),
        (["read", ""], "a name is empty (expected a picture's)"),
        (["teach", "--pictures", ""], "a name is empty (expected a picture's)"),
        (["count", ""], "a name is empty (expected a file's, or - for standard input)"),
        (["judge", "divisors", ""], "a name is empty (expected a file's, or - for standard input)"),
        (["read", "no.jpg"], "is not a picture"),
        (
            ["read", "--corners", "0,0 90,0 90,60 0,999", "bare.png"],
            "a tray's corners lie in the picture of 128 x 96, got",
        ),
        (
            ["read", "--corners", "0,0 0,60 90,60 90,0", "bare.png"],
            "span no tray (expected top left first, then clockwise)",
        ),
        (["read", "--expect", "blob:8", "--corners", "0,0 90,0 90,60 0,60", "bare.png"], "expected no --corners"),
        (["read", "--state", ".", "bare.png"], "no set is taught (expected one in force, see `feltside teach`), in ."),
    ],
)
def test_bad_input_is_one_clear_sentence_and_exit_status_2(capsys, tmp_path, monkeypatch, argv, said):
    bad_files(tmp_path)
    (tmp_path / "rows.txt").write_text(ROW)
    monkeypatch.chdir(tmp_path)
    status, out, err = feltside(capsys, *argv)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_one_bad_board_prints_nothing_of_the_good_ones_before_it(capsys, tmp_path):
    (tmp_path / "b.txt").write_text(ROW + "\n1 2 X")
    assert feltside(capsys, "count", str(tmp_path / "b.txt"))[1] == ""


def test_read_prints_one_json_object_a_picture(capsys, tmp_path):
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.full((96, 128, 3), 90, np.uint8))
    status, out, _ = feltside(capsys, "read", "--expect", "rows", str(tmp_path / "a.png"), str(tmp_path / "b.png"))
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["status"] for line in lines] == ["no-tray", "no-tray"]
    assert set(lines[0]) == {"picture", "status", "problems", "tiles", "dice", "disks", "milliseconds"}


def test_read_takes_the_corners_of_a_tray_that_nothing_shows(capsys, tmp_path):
    """The issue: "clicking four corners the last"; on the command line they are numbers."""
    tray = drawn(seed=6, markers=False)
    cv2.imwrite(str(tmp_path / "a.png"), on_a_table_of_felt(tray))
    status, out, _ = feltside(capsys, "read", "--expect", "rows", str(tmp_path / "a.png"))
    assert (status, json.loads(out)["status"]) == (0, "no-tray")
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in tray.truth["tray"]["corners"])
    status, out, _ = feltside(capsys, "read", "--expect", "rows", "--corners", corners, str(tmp_path / "a.png"))
    line = json.loads(out)
    assert (status, line["status"]) == (0, "read")
    assert "".join(tile["symbol"] for tile in line["tiles"][:10]) == "0836572914"


def test_read_refuses_corners_a_quarter_turn_off(capsys, tmp_path):
    tray = drawn(seed=6, markers=False)
    cv2.imwrite(str(tmp_path / "a.png"), on_a_table_of_felt(tray))
    top_left, *others = (f"{x:.0f},{y:.0f}" for x, y in tray.truth["tray"]["corners"])
    corners = " ".join([*others, top_left])
    status, out, said = feltside(capsys, "read", "--expect", "rows", "--corners", corners, str(tmp_path / "a.png"))
    assert (status, out) == (2, "")
    assert said.count("\n") == 1
    assert "turned by a quarter" in said
    assert "(expected the tray's top left corner first, then along its long side), in " in said


def test_teach_takes_the_corners_of_a_tray_that_nothing_shows(capsys, tmp_path):
    """As `read` does, and as the tablet: a lesson on felt that lies on a table of its colour."""
    tray = drawn(seed=6, markers=False)
    cv2.imwrite(str(tmp_path / "a.png"), on_a_table_of_felt(tray))
    rows = [[t["label"] for t in tray.truth["tiles"] if t["row"] == row] for row in range(4)]
    (tmp_path / "board.txt").write_text("\n".join(" ".join(row) for row in rows))
    asked = ["teach", "--state", str(tmp_path / "own"), "--layout", str(tmp_path / "board.txt")]
    status, _, said = feltside(capsys, *asked, "--pictures", str(tmp_path / "a.png"))
    assert status == 2
    assert "no tray" in said
    assert not (tmp_path / "own").exists()
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in tray.truth["tray"]["corners"])
    status, out, _ = feltside(capsys, *asked, "--corners", corners, "--pictures", str(tmp_path / "a.png"))
    assert (status, "The taught set is in force" in out) == (0, True)


def test_corners_of_pictures_are_not_the_tables(capsys, tmp_path):
    status, _, said = feltside(capsys, "teach", "--state", str(tmp_path), "--corners", "0,0 90,0 90,60 0,60")
    assert status == 2
    assert "--check, --corners and --draw go with --pictures" in said


@pytest.mark.parametrize("text", ["", "1,2 3,4", "a,b c,d e,f g,h", "1,2,3 4,5 6,7 8,9"])
def test_what_is_no_four_corners_is_said(capsys, text):
    with pytest.raises(SystemExit) as ended:
        main(["read", "--corners", text, "a.png"])
    assert ended.value.code == 2
    assert "is not four corners (expected 'x,y x,y x,y x,y' in pixels)" in capsys.readouterr().err


def test_read_takes_the_set_that_was_taught_at_a_table(capsys, tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(door, "read", lambda *_, owner, **__: seen.append(owner) or Reading(Status.EMPTY))
    cv2.imwrite(str(tmp_path / "a.png"), np.full((96, 128, 3), 90, np.uint8))
    OwnSetFile(tmp_path).put_in_force(to_bytes(fit(small_set("2026-11-29"))))
    assert feltside(capsys, "read", "--state", str(tmp_path), str(tmp_path / "a.png"))[0] == 0
    assert [own.made for own in seen] == ["2026-11-29"]


def test_what_was_not_read_is_outlined(capsys):
    """Never silently wrong: who is asked about no piece must be told where to look."""
    asked = Reading(Status.UNSURE, unread=(((1.04, 2.0), (3.0, 2.0), (3.0, 4.0)),)).as_json()
    assert asked["unread"] == [[[1.0, 2.0], [3.0, 2.0], [3.0, 4.0]]]


def test_read_takes_a_printed_mat_by_its_name(capsys, tmp_path):
    scene = scene_of_laid(Laid("m", 0, 1, mat="palindromes:8", pieces=((2, "dark"), (5, "light"))), seed=1)
    cv2.imwrite(str(tmp_path / "a.png"), draw(scene, demo_look(), rng=np.random.default_rng(1)).picture_bgr)
    status, out, _ = feltside(capsys, "read", "--expect", "palindromes:8", str(tmp_path / "a.png"))
    line = json.loads(out)
    assert (status, line["status"], line["strays"]) == (0, "read", [])
    assert {p["place"]: p["holds"] for p in line["places"] if p["holds"] != "empty"} == {2: "dark", 5: "light"}


def test_pictures_of_one_name_are_drawn_one_beside_the_other(capsys, tmp_path):
    for part in "ab":
        (tmp_path / part).mkdir()
        cv2.imwrite(str(tmp_path / part / "tray.png"), np.zeros((96, 128, 3), np.uint8))
    names = [str(tmp_path / part / "tray.png") for part in "ab"]
    status, out, _ = feltside(capsys, "read", "--draw", str(tmp_path / "out"), *names)
    assert (status, len(out.splitlines())) == (0, 2)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["tray-2.png", "tray.png"]


def test_a_picture_is_never_drawn_over_itself(capsys, tmp_path):
    """Bad input changes nothing: whoever names the folder that his pictures lie in keeps them."""
    mine = tmp_path / "tray.png"
    cv2.imwrite(str(mine), np.zeros((96, 128, 3), np.uint8))
    before = mine.read_bytes()
    assert feltside(capsys, "read", "--draw", str(tmp_path), str(mine))[0] == 0
    assert mine.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tray-2.png", "tray.png"]


def test_what_ends_like_a_picture_is_no_folder_to_draw_in(capsys, tmp_path):
    with pytest.raises(SystemExit):
        main(["read", "--draw", str(tmp_path / "out.png"), str(tmp_path / "a.png")])
    assert "out.png is a picture's name (expected a folder" in capsys.readouterr().err
    assert not (tmp_path / "out.png").exists()


def test_a_file_is_no_folder_to_draw_in_and_nothing_is_read_before_that_is_said(capsys, tmp_path):
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(SystemExit):
        main(["read", "--draw", str(tmp_path / "notes"), str(tmp_path / "a.png")])
    out, err = capsys.readouterr()
    assert "notes is a file (expected a folder" in err
    assert out == ""


def test_a_folder_that_cannot_be_is_said_in_a_sentence(capsys, tmp_path):
    cv2.imwrite(str(tmp_path / "tray.png"), np.zeros((96, 128, 3), np.uint8))
    status, _, err = feltside(capsys, "read", "--draw", str(tmp_path / ("x" * 300)), str(tmp_path / "tray.png"))
    assert status == 2
    assert "cannot be written" in err


def test_read_names_what_can_be_expected(capsys, tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(["read", "--expect", "blob:99", str(tmp_path / "a.png")])
    assert stop.value.code == 2
    assert "'blob:99' cannot be expected" in capsys.readouterr().err


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_explains_itself(capsys, name: str):
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: feltside {name}")


def test_the_table_needs_no_eye_of_its_own():
    """The watcher has the pictures; beside it the table stays small (a Pi 3 has 1 GB)."""
    told = "import sys, pi.table; print([name for name in ('numpy', 'cv2', 'flask') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
