"""The composition: whatever part fails, the program ends with a status other than zero; children on a lead."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from pi.children import FIRST_WAIT_NS, PARENT, WELL_NS, Child, die_with_parent, start_process
from pi.errors import BadSettings, HardwareMissing, TableRunning
from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.rules.queueing import Key, Press
from pi.settings import Settings
from pi.table import Fittings, Table, only_table
from tests import builders
from tests.conftest import PATIENCE_S
from tests.pi.test_crash import START


class Board:
    """A panel that remembers what it was shown; it may be broken."""

    def __init__(self, *, missing: bool = False, broken: bool = False) -> None:
        self.missing, self.broken = missing, broken
        self.shown: list[Any] = []
        self.pressed: list[dict[str, Any]] = []

    def __call__(self, settings: Any, put: Any, /, *, clock: Any) -> Board:
        self.put, self.clock = put, clock
        return self

    def __enter__(self) -> Board:
        if self.missing:
            raise HardwareMissing("there are no GPIO pins here")
        return self

    def __exit__(self, *how: object) -> None:
        self.shown.append("closed")

    def show(self, lamps: Any) -> None:
        if self.broken:
            raise RuntimeError("a lamp died")
        self.shown.append(lamps)

    def status(self) -> dict[str, Any]:
        return {"state": "ok", "words": "The pads answer."}

    def press(self, *, seat, key, closed, simulated, round) -> dict[str, Any]:
        self.pressed.append({"seat": seat, "key": key, "closed": closed, "simulated": simulated, "round": round})
        return {"ok": True}


@contextmanager
def at_work(state: Path, **fittings: Any) -> Iterator[tuple[TableClient, SimpleQueue[int], Table]]:
    """Run a table on a thread; the queue holds its status when it has ended."""
    ready, ended = threading.Event(), SimpleQueue[int]()
    table = Table(Settings(state=state), fittings=Fittings(**fittings), ready=ready.set)
    thread = threading.Thread(target=lambda: ended.put(table.run()))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield TableClient(state / "table.sock", timeout_s=PATIENCE_S), ended, table
    finally:
        table.stop()
        thread.join(PATIENCE_S)


def test_a_table_plays_and_ends_when_asked(tmp_path: Path):
    with at_work(tmp_path) as (client, ended, table):
        assert client.ask(START)["seq"] == 1
        table.stop()
        assert ended.get(timeout=PATIENCE_S) == 0
    assert not (tmp_path / "table.sock").exists()
    assert (tmp_path / "feltside.sqlite").exists()


def test_a_journal_that_fails_is_answered_and_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with at_work(tmp_path) as (client, ended, _):

        def broken(*args: Any, **how: Any) -> int:
            raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr("pi.journal.Journal.append", broken)
        assert "error" in client.ask(START)
        assert ended.get(timeout=PATIENCE_S) == 1


def test_a_lamp_that_fails_ends_the_program_but_not_what_was_on_disk(tmp_path: Path):
    board = Board()
    with at_work(tmp_path, panel=board) as (client, ended, _):
        client.ask(START)
        board.broken = True
        assert client.ask({"command": "next"}) == {**client_answer(tmp_path), "seq": 2}
        assert ended.get(timeout=PATIENCE_S) == 1


def client_answer(state: Path) -> dict[str, Any]:
    return {"ok": True, "match": JournalReader(state / "feltside.sqlite").latest()}


def test_a_door_that_fails_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with at_work(tmp_path) as (client, ended, _):
        monkeypatch.setattr("pi.door.Door._accept", lambda door: 1 / 0)
        with pytest.raises(ConnectionError):
            client.ask(START)
        assert ended.get(timeout=PATIENCE_S) == 1


def test_without_a_board_the_table_plays_on_and_says_so(tmp_path: Path):
    with at_work(tmp_path, panel=Board(missing=True)) as (client, _, _):
        news = client.subscribe()
        said = next(line["status"]["panel"] for line in news if line["status"]["panel"]["state"] != "none")
        assert said == {"state": "missing", "words": "there are no GPIO pins here."}
        assert client.ask(START)["ok"]
        news.close()


def test_presses_of_the_board_lock_in_on_the_tables_clock(tmp_path: Path):
    board = Board()
    with at_work(tmp_path, panel=board) as (client, _, _):
        news = client.subscribe()
        client.ask(START)
        for seat, key in ((0, "next"), (1, "2"), (1, "lock")):
            board.put(Press(builders.Seat(seat), Key(key), board.clock.now_ns()))
        assert next(line["seq"] for line in news if line["seq"] >= 3) == 3
        news.close()
    assert board.shown[-1] == "closed"


def test_a_simulated_tables_pads_are_pressed_through_the_door(tmp_path: Path):
    board = Board()
    with at_work(tmp_path, panel=board, fingers=board) as (client, _, _):
        client.ask(START)
        client.ask({"command": "next"})
        assert client.ask({"press": {"seat": 1, "key": "lock"}}) == {"ok": True}
        for bad in ({"seat": "1", "key": "lock"}, {"seat": 1}, {"seat": 1, "key": "lock", "closed": 2}):
            assert "error" in client.ask({"press": bad})
    assert board.pressed == [{"seat": 1, "key": "lock", "closed": None, "simulated": False, "round": 1}]


def test_only_one_table_works_on_a_folder(tmp_path: Path):
    with (
        only_table(tmp_path / "state"),
        pytest.raises(TableRunning, match="already at work"),
        only_table(tmp_path / "state"),
    ):
        pass
    with only_table(tmp_path / "state"):
        assert (tmp_path / "state").is_dir()


def test_a_state_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSettings, match="state folder cannot be used"), only_table(tmp_path / "file" / "state"):
        pass


# -- children -------------------------------------------------------------------------------------------

S = 1_000_000_000


class Process:
    """A child process that does as it is told."""

    def __init__(self, pid: int) -> None:
        self.pid, self.status, self.done = pid, None, []

    def poll(self) -> int | None:
        return self.status

    def kill(self) -> None:
        self.done.append("killed")

    def terminate(self) -> None:
        self.done.append("asked")

    def wait(self, timeout: float | None = None) -> int:
        if timeout is not None and "deaf" in self.done:
            raise subprocess.TimeoutExpired("child", timeout)
        return 0


class Nursery:
    def __init__(self) -> None:
        self.born: list[Process] = []

    def __call__(self, command: Sequence[str]) -> Any:
        self.born.append(Process(len(self.born) + 1))
        return self.born[-1]


@pytest.fixture
def nursery() -> Nursery:
    return Nursery()


@pytest.fixture
def child(nursery: Nursery) -> Child:
    return Child(["watch"], name="watcher", hang_ns=10 * S, start=nursery)


def test_a_child_that_died_is_started_again_after_a_wait_that_doubles(nursery: Nursery, child: Child):
    child.tick(0, heard_ns=None)
    now, waits = 0, []
    for _ in range(7):
        nursery.born[-1].status = 1
        child.tick(now, heard_ns=None)
        died = now
        count = len(nursery.born)
        while len(nursery.born) == count:
            now += S // 2
            child.tick(now, heard_ns=None)
        waits.append((now - died) // S)
    assert waits == [1, 2, 4, 8, 16, 30, 30]


def test_a_child_that_lived_long_is_started_again_at_once(nursery: Nursery, child: Child):
    child.tick(0, heard_ns=None)
    for _ in range(3):
        nursery.born[-1].status = 1
        child.tick(0, heard_ns=0)
        child.tick(100 * S, heard_ns=0)
    nursery.born[-1].status = 1
    child.tick(100 * S + WELL_NS, heard_ns=None)
    count = len(nursery.born)
    child.tick(100 * S + WELL_NS + FIRST_WAIT_NS, heard_ns=None)
    assert len(nursery.born) == count + 1


def test_a_silent_child_is_killed_and_one_that_speaks_is_not(nursery: Nursery, child: Child):
    child.tick(0, heard_ns=None)
    child.tick(9 * S, heard_ns=None)
    child.tick(18 * S, heard_ns=9 * S)
    assert nursery.born[0].done == []
    child.tick(20 * S, heard_ns=9 * S)
    assert nursery.born[0].done == ["killed"]
    child.tick(22 * S, heard_ns=9 * S)
    assert child.pid == 2


def test_a_child_that_has_not_spoken_yet_is_given_longer(nursery: Nursery, child: Child):
    """On a loaded machine the watcher needs more than its 20 s to come up; killed each time, it never would."""
    child.tick(0, heard_ns=None)
    child.tick(29 * S, heard_ns=None)
    assert nursery.born[0].done == []
    child.tick(31 * S, heard_ns=None)
    assert nursery.born[0].done == ["killed"]


def test_a_child_that_cannot_be_started_is_tried_again(child: Child, nursery: Nursery):
    def missing(command: Sequence[str]) -> Any:
        raise FileNotFoundError(2, "No such file or directory")

    lost = Child(["none"], name="watcher", hang_ns=S, start=missing)
    lost.tick(0, heard_ns=None)
    assert lost.pid is None
    lost._start = nursery
    lost.tick(FIRST_WAIT_NS, heard_ns=None)
    assert lost.pid == 1


def test_a_deaf_child_is_killed_at_the_end(nursery: Nursery, child: Child):
    child.tick(0, heard_ns=None)
    nursery.born[0].done.append("deaf")
    child.close()
    assert nursery.born[0].done == ["deaf", "asked", "killed"]
    child.close()


def test_a_process_without_a_lead_is_left_alone_and_one_whose_parent_went_ends():
    die_with_parent({})
    code = "from pi.children import die_with_parent; die_with_parent(); print('alive')"
    gone = {**os.environ, PARENT: "1"}
    ended = subprocess.run([sys.executable, "-c", code], env=gone, capture_output=True, timeout=PATIENCE_S)
    assert (ended.returncode, ended.stdout) == (1, b"")


def test_a_child_finds_our_packages_from_whatever_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """lgpio changes the whole process's working folder as it is imported."""
    monkeypatch.chdir(tmp_path)
    child = start_process([sys.executable, "-c", "import pi.watcher"])
    assert child.wait(PATIENCE_S) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_lock_that_root_made_is_the_tables_own_users(tmp_path: Path):
    """`sudo feltside restore` on a blank card: the service, another user, opens the lock next."""
    os.chown(tmp_path, 65534, 65534)
    with only_table(tmp_path):
        assert (tmp_path / "table.lock").stat().st_uid == 65534
