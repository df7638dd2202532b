"""Safe mode: with settings that do not hold the table comes up for play by hand, and says which line is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.errors import BadSettings
from pi.inbox import TableClient
from pi.rescue import FOLDERS, INSTALLED, rescued, settings_of_service
from pi.settings import CameraKind, PanelKind, load_settings
from tests.conftest import PATIENCE_S, ROOT
from web.pin import guard_of

GOOD = 'state = "here"\nrun = "memory"\n[web]\npin = "2468"\nfolder = "web"\n'


def put(folder: Path, text: str) -> Path:
    path = folder / "feltside.toml"
    path.write_text(text)
    return path


def test_settings_that_hold_are_as_ever(tmp_path):
    path = put(tmp_path, GOOD)
    assert rescued(path, environ={}) == load_settings(path, environ={})


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("[camera]\nfps = 100000\n", "camera/fps"),
        ("[camera]\nfsp = 10\n", "camera"),
        ("[panel]\nnext = 0\n", "panel/next"),
        ("[camera\n", "line 6"),
        ('[table]\ntie_ms = "soon"\n', "table/tie_ms"),
        ("[cameras]\n", "cameras"),
    ],
)
def test_what_is_wrong_is_named_nothing_wired_is_touched_and_pin_and_folders_stay(tmp_path, wrong, named):
    path = put(tmp_path, GOOD + wrong)
    found = rescued(path, environ={})
    assert named in found.fault
    assert str(path) in found.fault
    assert (found.panel.kind, found.camera.kind) == (PanelKind.NONE, CameraKind.NONE)
    assert (found.state, found.run) == (tmp_path / "here", tmp_path / "memory")
    assert (found.web.pin, found.web.folder) == ("2468", "web")


def test_a_pin_without_quotation_marks_still_bars_the_door(tmp_path):
    found = rescued(put(tmp_path, "[web]\npin = 2468\n"), state=tmp_path)
    assert "web/pin" in found.fault
    guard = guard_of(found.web.pin, tmp_path / "web-pin")
    assert not guard.open
    assert not guard.unclaimed
    assert guard.right("2468")


def test_the_installed_table_finds_its_folders_even_without_its_file():
    if INSTALLED.exists():
        pytest.skip("a table is installed here")
    found = rescued(INSTALLED, environ={})
    assert "cannot be read" in found.fault
    assert (str(found.state), str(found.run), found.web.folder) == tuple(FOLDERS.values())
    shipped = load_settings(ROOT / "systemd" / "feltside.toml")
    assert (str(shipped.state), str(shipped.run), shipped.web.folder) == tuple(FOLDERS.values())


@given(st.binary(max_size=400))
def test_law_no_file_whatever_keeps_the_table_down(tmp_path_factory, noise: bytes):
    path = tmp_path_factory.mktemp("any") / "feltside.toml"
    path.write_bytes(GOOD.encode() + noise)
    found = rescued(path, environ={"STATE_DIRECTORY": "/nowhere"})
    assert found.fault == "" or found.panel.kind is PanelKind.NONE


def test_only_services_are_rescued(tmp_path):
    path = put(tmp_path, "[camera\n")
    with pytest.raises(BadSettings, match="not TOML"):
        settings_of_service(path, environ={})
    assert settings_of_service(path, environ={"FELTSIDE_RESCUE": "1", "STATE_DIRECTORY": "/x"}).fault


def test_the_table_comes_up_says_so_and_takes_a_match_by_hand(tmp_path):
    path = put(tmp_path, 'state = "."\n[seats.9]\none = 2\n')
    command = [sys.executable, "-m", "pi", "table", "--config", str(path)]
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "FELTSIDE_RESCUE": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert "ready" in process.stdout.readline()
            client = TableClient(tmp_path / "table.sock", timeout_s=PATIENCE_S)
            players = [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}]
            assert client.ask({"command": "start-match", "game": "scramble", "players": players})["ok"]
            assert client.ask({"command": "next"})["ok"]
            lines = iter(client.subscribe())
            status = next(line["status"] for line in lines if line["status"].get("settings"))
            assert status["settings"]["state"] == "safe mode"
            assert "seats/9" in json.dumps(status["settings"])
            assert (status["camera"]["state"], status["panel"]["state"]) == ("none", "none")
            assert client.ask({"command": "lock-in", "seat": 1, "prediction": 1})["ok"]
        finally:
            process.terminate()
        assert process.wait(PATIENCE_S) == 0
