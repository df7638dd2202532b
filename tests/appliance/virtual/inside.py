"""Runs inside the root of `tests.appliance.picamera`: our camera class on the real picamera2, then a whole table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from pi.camera import PiCamera
from pi.inbox import TableClient
from pi.settings import CameraKind, CameraSettings

TRIAL = Path(os.environ["FELTSIDE_TRIAL"])
STATE = TRIAL / "state"
FRAMES = 30
PATIENCE_S = 300.0


def say(what: str, value: object) -> None:
    print(f"{what:<58} {value}", flush=True)


def frames() -> None:
    """Take frames by our class."""
    settings = CameraSettings(kind=CameraKind.PICAMERA2, size=(1280, 960), fps=30.0)
    begun = time.monotonic()
    with PiCamera(settings) as camera:
        say("opened in", f"{time.monotonic() - begun:.1f} s")
        begun = time.monotonic()
        taken = [camera.frame() for _ in range(FRAMES)]
        per_s = FRAMES / (time.monotonic() - begun)
        assert all(frame.picture_bgr.shape == (960, 1280, 3) for frame in taken)
        assert [frame.number for frame in taken] == list(range(FRAMES))
        times = [frame.at_ns for frame in taken]
        assert times == sorted(set(times))
        import cv2

        original = cv2.imread("/opt/frames/0.jpg")
        # (Through YUV and back a picture loses some; a swapped colour order would lose much more.)
        off, swapped = (
            float(np.abs(one.astype(int) - taken[-1].picture_bgr.astype(int)).mean())
            for one in (original, original[:, :, ::-1])
        )
        assert off < 12.0, off
        assert off < swapped, (off, swapped)
        say(f"{FRAMES} frames", f"{per_s:.0f} a second, {off:.1f} levels off the picture that is played")
        say("controls that this camera has", ", ".join(sorted(camera._device.camera_controls)) or "none")
        say("format that it gives", camera._device.camera_configuration()["main"]["format"])
        camera.lock.tray_found()
        for _ in range(20):
            camera.frame()
        say("locking exposure and white balance", f"{camera.lock.state}: {camera.lock.words}")


@contextmanager
def table():
    """Run a real table with this camera."""
    STATE.mkdir(parents=True, exist_ok=True)
    file = TRIAL / "feltside.toml"
    camera = '[camera]\nkind = "picamera2"\nsize = [1280, 960]\nfps = 10\nstall_s = 10.0\n'
    file.write_text(f'state = "{STATE}"\n[panel]\nkind = "none"\n{camera}')
    with (TRIAL / "table.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "pi", "table", "--config", str(file)], stdout=log, stderr=log)
    client = TableClient(STATE / "table.sock")
    try:
        until(lambda: process.poll() is not None or (STATE / "table.sock").exists(), "the table")
        yield client
    finally:
        process.terminate()
        process.wait(30)


def until(true, what: str) -> float:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < PATIENCE_S, (
            f"{what} did not come:\n{(TRIAL / 'table.log').read_text()[-3000:]}"
        )
        time.sleep(0.05)
    return time.monotonic() - begun


def news(client: TableClient) -> dict:
    lines = client.subscribe()
    try:
        return next(lines)
    finally:
        lines.close()


def camera_is(client: TableClient, *states: str) -> bool:
    return news(client)["status"]["camera"]["state"] in states


def play() -> None:
    """Let the eye read through this camera; then let the camera hang, go, and come back."""
    players = [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}]
    start = {"command": "start-match", "game": "scramble", "players": players, "house": [["target", 99]]}
    with table() as client:
        say("the camera works after", f"{until(lambda: camera_is(client, 'ok'), 'the camera'):.1f} s")
        assert client.ask(start)["ok"]
        assert client.ask({"command": "next"})["ok"]
        say("the eye has read the tray after", f"{until(lambda: news(client)['read'], 'a reading'):.1f} s")
        say("it says", json.dumps(news(client)["status"]["eye"]))
        for seat in (1, 2):
            assert client.ask({"command": "lock-in", "seat": seat, "prediction": 1})["ok"]
        for what in ("hang", "gone"):
            (TRIAL / what).touch()
            away = until(lambda: camera_is(client, "away"), "the word that the camera is away")
            if news(client)["expects"] is None:
                client.ask({"command": "next"})
            number = news(client)["round"]
            taken = client.ask({"command": "rule-total", "round": number, "total": 2})
            assert "ok" in taken or taken.get("refused") in ("not-open", "wrong-phase", "already"), taken
            (TRIAL / what).unlink()
            back = until(lambda: camera_is(client, "ok"), "the camera's return")
            say(f"{what}: said after / works again after", f"{away:.1f} s / {back:.1f} s; counted by hand meanwhile")


if __name__ == "__main__":
    frames()
    play()
