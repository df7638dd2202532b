"""One loop that hangs is noticed, whichever it is, though all others turn."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from pi import table
from pi.settings import Settings
from pi.table import Fittings, Table
from pi.turns import Turns
from tests.pi.test_table import PATIENCE_S, Board


def test_the_loop_that_is_late_longest_is_named():
    now = [0.0]
    turns = Turns(monotonic_s=lambda: now[0])
    assert turns.hung(1.0) is None, "no loop, none late"
    turns.turn("door")
    now[0] = 1.0
    turns.turn("referee")
    assert turns.hung(1.0) is None
    now[0] = 3.0
    assert turns.hung(1.0) == "door"
    turns.turn("door")
    assert turns.hung(1.0) == "referee"
    turns.end("referee")
    assert turns.hung(1.0) is None


class Stuck:
    """Something that hangs when it is told to."""

    def __init__(self) -> None:
        self.now, self.free, self.here = threading.Event(), threading.Event(), threading.Event()
        self.dead = False

    def __call__(self, *_, **__):
        if self.now.is_set():
            self.here.set()
            self.free.wait(PATIENCE_S)
            if self.dead:
                threading.Event().wait()  # in real life the process has ended
        return {"state": "ok", "words": "The pads answer."}


@pytest.fixture
def stuck():
    found = Stuck()
    yield found
    found.free.set()


class Hanging(Board):
    """A board whose status never comes."""

    def __init__(self, stuck: Stuck) -> None:
        super().__init__()
        self.status = stuck


@pytest.mark.parametrize("what", ["referee", "door", "house"])
def test_a_single_hung_thread_starves_the_watchdog(tmp_path: Path, monkeypatch, stuck, what):
    """Systemd's watchdog is fed by the referee's loop; each of the others that hangs must stop that, too."""
    monkeypatch.setattr(table, "LATE_S", 1.5)  # the door turns once a second
    fed, ready, ended = [], threading.Event(), []
    if what == "referee":
        monkeypatch.setattr("pi.spare.Keeping.tend", stuck)
    if what == "door":
        monkeypatch.setattr("pi.door.Door._beat", stuck)
    fittings = Fittings(panel=Hanging(stuck)) if what == "house" else Fittings()
    work = Table(
        Settings(state=tmp_path),
        fittings=fittings,
        ready=ready.set,
        heartbeat=lambda: fed.append(time.monotonic()),
    )
    thread = threading.Thread(target=lambda: ended.append(work.run()))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        stuck.now.set()
        assert stuck.here.wait(PATIENCE_S)
        late = time.monotonic() + PATIENCE_S
        # Both, for on a busy machine the feeding may pause before the hung loop is late.
        while work._turns.hung(1.5) != what or (fed and time.monotonic() - fed[-1] < 2.0):
            assert time.monotonic() < late, f"the watchdog is fed though the {what} hangs"
            stuck.free.wait(0.05)
    finally:
        stuck.now.clear()
        stuck.free.set()
        work.stop()
        thread.join(PATIENCE_S)
    assert ended == [0]


def test_without_a_watchdog_a_hung_door_ends_the_program(tmp_path: Path, monkeypatch, stuck):
    monkeypatch.setattr(table, "HUNG_S", 0.5)
    monkeypatch.setattr("pi.door.Door._beat", stuck)
    stuck.now.set()
    stuck.dead = True
    assert Table(Settings(state=tmp_path)).run() == 1
