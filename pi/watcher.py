"""The table's child process `python -m pi.watcher`: camera and vision, apart from everything that must go on.

A camera that hangs ends this process loudly (the table starts it again), so does a table that has gone.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import cv2

from pi.bare_felt import KeptFelt
from pi.camera import open_camera
from pi.children import PARENT, die_with_parent
from pi.corners import Corners
from pi.errors import FeltsideError, TableAway
from pi.frames import Camera, Metered, Picture
from pi.guard import Guard
from pi.inbox import TableClient
from pi.settings import Settings, load_settings, simulated
from pi.sheets.eyes import eyes_mat
from pi.teaching import Teaching
from pi.watching import Look, Watching, Wish
from vision.errors import VisionError
from vision.ground.conditions import light_amiss
from vision.layout import Expectation
from vision.mats.mat import Mat
from vision.mats.read import read_mat
from vision.reader import read
from vision.reading import Problem, Reading, Status
from vision.tray.rectify import Tray

LOG = logging.getLogger("feltside.watcher")
HUNG = 75
"""Exit status after a camera has given no frame in time (EX_TEMPFAIL: try again)."""
FAILED = 1


class Eye:
    """`vision.reader.read`, told where the tray lies: for frames in which a hand covers its markers."""

    def __init__(
        self, guard: Guard | None = None, *, teaching: Teaching | None = None, felt: KeptFelt | None = None
    ) -> None:
        """Take who knows where the tray lies; without one, it is looked for in each picture.

        teaching: who knows the owner's set; None for the shipped models alone. felt: who knows the table's felt; None
        where nobody does.
        """
        self._guard, self._teaching, self._felt = guard or Guard(), teaching, felt

    def __call__(self, picture_bgr: Picture, expect: Expectation | Mat) -> Reading:
        """Return what lies on the tray."""
        known = self._where(picture_bgr)
        if known is None and self._guard.shown is not None:
            # Where people had to show the corners, what looks like a felt's edge is something else.
            what = expect.name if isinstance(expect, Mat) else expect.value
            return Reading(Status.NO_TRAY, problems=Problem.NO_TRAY | light_amiss(picture_bgr), expected=what)
        if isinstance(expect, Mat):
            return read_mat(picture_bgr, expect, tray=known)
        dice = eyes_mat(expect.value) if expect is Expectation.DICE else None
        if dice is not None and (on_mat := read_mat(picture_bgr, dice, tray=known)).status is not Status.NO_TRAY:
            return on_mat
        owner = self._teaching.owner if self._teaching else None
        # An edge does not say either which side is up: that is as it was, though all markers be hidden now.
        like = self._guard.registration.tray
        bare = self._felt.felt if self._felt else None
        reading = read(picture_bgr, expect=expect, tray=known, like=like, owner=owner, bare=bare)
        return _unless_unlit(reading, picture_bgr)

    def _where(self, picture_bgr: Picture) -> Tray | None:
        """Return where the tray lies, as far as that is known exactly; None: `read` looks for it."""
        tray = self._guard.tray
        if tray is not None and tray.complete:
            return tray
        # An edge is found less exactly than markers: it is looked for in each picture.
        return None if self._guard.shown is None else tray or self._guard.seek(picture_bgr)


def _unless_unlit(reading: Reading, picture_bgr: Picture) -> Reading:
    """Return a reading but where it takes the tray for empty in a light in which none would be seen.

    A black or white frame shows no tray, whatever is remembered of where it lay; a black felt on a table does.
    """
    if reading.status is not Status.EMPTY or not reading.problems & (Problem.DARK | Problem.BLUR):
        return reading
    amiss = light_amiss(picture_bgr)
    if not amiss:
        return reading
    return replace(reading, status=Status.NO_TRAY, problems=reading.problems | Problem.NO_TRAY | amiss)


class Subscription:
    """Keeps the latest wish of the table; says so when the table has gone."""

    def __init__(self, client: TableClient) -> None:
        """Begin with no wish; `start` begins to listen."""
        self._client = client
        self.wish = Wish()
        self.lost: str | None = None
        """Why the table no longer answers; None while it does."""
        self._thread = threading.Thread(target=self._listen, name="subscription", daemon=True)

    def start(self) -> None:
        """Listen on a thread of its own."""
        self._thread.start()

    def _listen(self) -> None:
        try:
            for line in self._client.subscribe():
                self.wish = Wish.of(line)
        except TableAway as no:
            self.lost = str(no)


class Deadline:
    """Ends the process when nobody has kicked it for too long: a hung driver cannot be reasoned with."""

    def __init__(
        self,
        limit_s: float,
        *,
        end: Callable[[int], Any] = os._exit,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin now; `start` begins to watch."""
        self._limit_s, self._end, self._monotonic_s = limit_s, end, monotonic_s
        self._last_s = monotonic_s()
        self._done = threading.Event()

    def kick(self) -> None:
        """A frame has come."""
        self._last_s = self._monotonic_s()

    def check(self) -> bool:
        """End the process if it is time; tell whether it was."""
        if self._monotonic_s() - self._last_s <= self._limit_s:
            return False
        LOG.critical("the camera has given no frame for %.1f s; the watcher ends", self._limit_s)
        self._end(HUNG)
        return True

    def start(self) -> None:
        """Watch on a thread of its own until `stop`."""
        threading.Thread(target=self._watch, name="deadline", daemon=True).start()

    def stop(self) -> None:
        """Watch no more."""
        self._done.set()

    def _watch(self) -> None:
        while not self._done.wait(self._limit_s / 5):
            self.check()


def watch(camera: Camera, watching: Watching, *, wish: Callable[[], Wish], kick: Callable[[], None]) -> None:
    """Take frames until the source ends; whatever goes wrong is raised."""
    watching.lock = camera.lock if isinstance(camera, Metered) else None
    while True:
        camera.cue(wish().cue)
        frame = camera.frame()
        if frame is None:
            return
        kick()
        watching.step(frame, wish())


def run(settings: Settings, *, look: Look | None = None) -> int:
    """Watch until told to stop; returns the exit status."""
    client = TableClient(settings.socket)
    subscription, deadline = Subscription(client), Deadline(settings.camera.stall_s)
    corners = Corners(settings.state)
    guard = Guard(shown=corners.load())
    felt = KeptFelt(settings.state)
    felt.load()
    teaching = Teaching(settings.state, start=_start_lesson, now=lambda: datetime.now(UTC))
    teaching.refresh()
    watching = Watching(
        look=look or Eye(guard, teaching=teaching, felt=felt),
        guard=guard,
        teaching=teaching,
        corners=corners,
        felt=felt,
        send=client.ask,
        evidence_folder=settings.evidence,
        live=settings.live,
        now=lambda: datetime.now(UTC),
        monotonic_ns=time.monotonic_ns,
    )

    def wish() -> Wish:
        if subscription.lost is not None:
            raise TableAway(subscription.lost)
        return subscription.wish

    try:
        with open_camera(settings.camera) as camera:
            subscription.start()
            deadline.kick()
            deadline.start()
            watch(camera, watching, wish=wish, kick=deadline.kick)
    except (FeltsideError, VisionError) as no:
        _say_away(client, str(no))
        LOG.error("%s", no)
        return FAILED
    finally:
        deadline.stop()
        teaching.end()
    return 0


def _start_lesson(args: Sequence[str]) -> subprocess.Popen[bytes]:
    """Let another process learn from the pictures: the frames go on."""
    # We are its parent, not the table that started us: it goes when we go.
    return subprocess.Popen([sys.executable, "-m", "pi.lesson", *args], env={**os.environ, PARENT: str(os.getpid())})


def _say_away(client: TableClient, why: str) -> None:
    """Let the table know why there is no camera, if it still listens."""
    try:
        client.ask({"status": {"camera": {"state": "away", "words": why}}})
    except TableAway as no:
        LOG.info("nobody to tell: %s", no)


def _ended(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the watcher's process."""
    die_with_parent()
    parser = argparse.ArgumentParser(prog="python -m pi.watcher", description="Camera and eye of the table.")
    parser.add_argument("--config", type=Path, help="the settings file")
    parser.add_argument("--state", type=Path, help="the state folder")
    parser.add_argument("--simulated", action="store_true", help="a drawn tray instead of a device")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    signal.signal(signal.SIGTERM, _ended)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which then ends us.
    cv2.setNumThreads(max(1, (os.cpu_count() or 1) - 1))
    try:
        settings = load_settings(args.config, state=args.state)
        return run(simulated(settings) if args.simulated else settings)
    except FeltsideError as no:
        print(f"feltside watcher: {no}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
