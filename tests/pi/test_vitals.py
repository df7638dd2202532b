"""The doctor on the machine itself: power problems are named as such, and nothing secret goes into a bundle."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi import vitals
from pi.doors import bundle, doctor
from pi.errors import BadSource
from pi.journal import Journal
from pi.live import keep_live
from pi.rules.match import apply, decide
from pi.settings import load_settings
from pi.simulator import demo_look, scene_of
from pi.stand_ins.shuffle import deal
from tests import builders
from tests.pi.test_doctor import settings as doctors
from vision.drawing import draw

NOW_S = 1_795_000_000.0


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_under_voltage_is_a_power_problem_and_not_the_camera_s(tmp_path):
    put(tmp_path, vitals.THROTTLED, "50005\n")
    (found,) = vitals.power(tmp_path)
    assert found.state == "bad"
    assert "voltage is too low right now" in found.words
    assert "power supply" in found.words
    assert "no fault of the camera" in found.words


def test_a_power_problem_of_the_past_is_remembered_and_a_good_supply_praised(tmp_path):
    put(tmp_path, vitals.THROTTLED, "10000\n")
    assert [(v.state, "the voltage was too low" in v.words) for v in vitals.power(tmp_path)] == [("note", True)]
    put(tmp_path, vitals.THROTTLED, "0\n")
    assert [v.state for v in vitals.power(tmp_path)] == ["ok"]
    assert list(vitals.power(tmp_path / "none")) == [], "no Pi: no word"


@pytest.mark.parametrize(("milli", "state"), [("48312", "ok"), ("72000", "note"), ("81000", "bad")])
def test_warmth(tmp_path, milli, state):
    put(tmp_path, "sys/class/thermal/thermal_zone0/temp", milli + "\n")
    assert vitals.degrees_c(tmp_path) == int(milli) / 1000
    assert [v.state for v in vitals.warmth(tmp_path)] == [state]


@pytest.mark.parametrize("text", ["", "warm\n", "--5\n"])
def test_a_measure_that_is_no_number_is_none(tmp_path, text):
    put(tmp_path, "sys/class/thermal/thermal_zone0/temp", text)
    assert vitals.degrees_c(tmp_path) is None
    assert vitals.degrees_c(tmp_path / "none") is None
    assert list(vitals.warmth(tmp_path)) == []


def test_a_wrong_date_is_told_and_does_not_matter(tmp_path):
    assert "cannot be" in vitals.clock(tmp_path, 0.0).words
    assert vitals.clock(tmp_path, NOW_S).state == "note"
    put(tmp_path, "run/systemd/timesync/synchronized", "")
    assert vitals.clock(tmp_path, NOW_S) == vitals.Vital("clock", "ok", "2026-11-18 11:06 UTC")
    assert "the game does not mind" in vitals.clock(tmp_path, 0.0).words


def test_versions_are_named(tmp_path):
    put(tmp_path, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    put(tmp_path, "etc/os-release", 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    words = vitals.versions(tmp_path).words
    assert "Raspberry Pi 4 Model B Rev 1.5, Debian GNU/Linux 12 (bookworm), kernel " in words
    assert "numpy " in words


def pictured(live: Path, picture: np.ndarray, *, age_s: float = 1.0) -> dict[str, str]:
    cv2.imwrite(str(live), picture)
    os.utime(live, (NOW_S - age_s, NOW_S - age_s))
    return {v.what: v.state for v in vitals.picture(live, NOW_S)}


def test_a_picture_is_judged_by_light_and_markers(tmp_path):
    live = tmp_path / "live.jpg"
    assert [v.state for v in vitals.picture(live, NOW_S)] == ["note"]
    scene = scene_of(deal("rows", seed=9, match="", round=1), seed=1)
    shot = draw(scene, demo_look(), rng=np.random.default_rng(1))
    keep_live(live, shot.picture_bgr)
    drawn = cv2.imread(str(live))
    assert drawn is not None
    assert pictured(live, drawn) == {"exposure": "ok", "markers": "ok"}
    assert pictured(live, drawn // 8)["exposure"] == "bad"
    assert pictured(live, np.full((480, 640, 3), 255, np.uint8)) == {"exposure": "note", "markers": "bad"}
    assert pictured(live, np.ascontiguousarray(drawn[:, ::-1]))["markers"] == "bad"
    assert "mirror" in next(v.words for v in vitals.picture(live, NOW_S) if v.what == "markers")
    covered = drawn.copy()
    covered[:, :320] = 90
    assert pictured(live, covered)["markers"] == "bad"
    assert pictured(live, drawn, age_s=60) == {"picture": "bad"}
    live.write_bytes(b"no picture")
    os.utime(live, (NOW_S, NOW_S))
    assert [v.state for v in vitals.picture(live, NOW_S)] == ["bad"]


def test_everything_together_is_told_on_any_machine(tmp_path):
    found = [v.what for v in vitals.vitals(doctors(tmp_path), root=tmp_path, now_s=NOW_S)]
    assert found == ["versions", "clock", "network", "picture"]


def test_nothing_secret_goes_into_a_bundle(tmp_path):
    config = tmp_path / "feltside.toml"
    config.write_text('state = "."\n[web]\npin = "483920"\n# pin = "777"\n')
    of = load_settings(config)
    state = builders.NEW
    with Journal(of.journal) as journal:
        for command in (
            builders.start("Wilhelmina", "Bo", target=99),
            builders.ask.Next(10**9),
            builders.lock(1, 6, at=2),
        ):
            events = decide(state, command)
            for event in events:
                state = apply(state, event)
            journal.append("m1", events, at_ns=1, utc="2026-11-21T19:30:45.000Z")
    (tmp_path / "web-secret").write_bytes(b"TOPSECRET" * 4)
    asked: list[list[str]] = []

    def run(command: list[str]) -> str:
        asked.append(command)
        return "feltside-table: hello Wilhelmina and Bo, Bob is somebody else\n"

    names = bundle.write(tmp_path / "b.zip", of, report=["ok    all: well"], run=run)
    with zipfile.ZipFile(tmp_path / "b.zip") as zipped:
        assert zipped.namelist() == names
        texts = {name: zipped.read(name).decode() for name in names}
    everything = "\n".join(texts.values())
    for secret in ("483920", "Wilhelmina", "Bo ", "TOPSECRET", "nonce-1", "prediction"):
        assert secret not in everything.replace(bundle.README.strip(), "").replace("Predictions", ""), secret
    assert 'pin = "(left out)"' in texts["settings.toml"]
    assert texts["log.txt"] == "feltside-table: hello (player) and (player), Bob is somebody else\n"
    assert texts["doctor.txt"] == "ok    all: well\n"
    assert "locked-in" in texts["matches.txt"].replace("LockedIn", "locked-in")
    assert [command[0] for command in asked] == ["systemctl", "journalctl"]


def test_a_bundle_is_made_on_a_broken_table_too(tmp_path):
    of = doctors(tmp_path)
    of.journal.write_bytes(b"rubbish" * 99)
    bundle.write(tmp_path / "b.zip", of, report=[], run=bundle.ran)
    with zipfile.ZipFile(tmp_path / "b.zip") as zipped:
        assert "cannot be read" in zipped.read("matches.txt").decode()
        assert "does not answer" in zipped.read("status.json").decode()
    with pytest.raises(BadSource, match="cannot be written"):
        bundle.write(tmp_path / "none" / "b.zip", of, report=[], run=lambda command: "")


def test_a_user_who_may_not_look_is_told_how_to(tmp_path, monkeypatch):
    def forbidden(self: Path, **how: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", forbidden)
    found = doctor._journal(tmp_path / "feltside.sqlite")
    assert (found.state, found.words) == ("note", "this user may not look at it: sudo feltside doctor")
    monkeypatch.undo()
    assert "may not look" in bundle._folder(tmp_path / "none")
