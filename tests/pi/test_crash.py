"""The plug is pulled: a real table process, played through its socket and killed with SIGKILL again and again.

Whatever it had acknowledged is there exactly once; what was under way when it died is there once or not at
all; the standing is what an independent count of the acknowledged rounds says. No sleeps: the test waits on
sockets, pipes and process handles alone.
"""

from __future__ import annotations

import os
import random
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pi.inbox import TableClient, read_line, write_line
from pi.journal import JournalReader
from pi.rules import events as happened
from pi.rules.match import Match, replay
from tests.conftest import PATIENCE_S, ROOT

BONUS = (4, 3)
CONFIG = """
[table]
phone_ms = 0
grace_ms = {grace_ms}
watcher_hang_s = 1.0
[panel]
kind = "none"
"""
START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}],
    "house": [["target", 99]],
}


@dataclass
class Life:
    """A table process and a line to it."""

    process: subprocess.Popen[str]
    state: Path

    @property
    def client(self) -> TableClient:
        return TableClient(self.state / "table.sock", timeout_s=PATIENCE_S)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def interrupted(self, request: dict[str, Any], *, patience_s: float) -> dict[str, Any] | None:
        """Send a request and kill the table once it answers or patience ends; return its answer if any."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.connect(str(self.state / "table.sock"))
            line.sendall(write_line(request))
            select.select([line], [], [], patience_s)
            self.kill()
            line.settimeout(PATIENCE_S)
            heard = b""
            while chunk := _received(line):
                heard += chunk
        return read_line(heard) if heard.endswith(b"\n") else None


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(65536)
    except ConnectionResetError:
        return b""


@contextmanager
def life(state: Path, *extra: str, grace_ms: float = 1.0) -> Iterator[Life]:
    config = state.parent / "feltside.toml"
    config.write_text(CONFIG.format(grace_ms=grace_ms))
    command = [sys.executable, "-m", "tests.pi.bare_table", str(state), str(config), *extra]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], PATIENCE_S)[0], "the table did not get ready"
        said = process.stdout.readline()
        assert said.startswith("ready"), process.communicate(timeout=PATIENCE_S)
        yield Life(process, state)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


@dataclass
class Evening:
    """What was acknowledged, and an independent count of it."""

    chance: random.Random
    round: int = 0
    locks: dict[tuple[int, int], int] = field(default_factory=dict)
    """(round, seat) -> prediction, in the order of their acknowledgement."""
    totals: dict[int, int] = field(default_factory=dict)
    seq: int = 0

    def request(self) -> dict[str, Any]:
        """Return what comes next."""
        if self.round == 0 or self.round in self.totals:
            return {"command": "next"}
        waiting = [seat for seat in (1, 2) if (self.round, seat) not in self.locks]
        if waiting:
            seat = self.chance.choice(waiting)
            return {"command": "lock-in", "seat": seat, "prediction": self.chance.randrange(8)}
        return {"command": "rule-total", "round": self.round, "total": self.chance.randrange(8)}

    def took(self, request: dict[str, Any], seq: int) -> None:
        """Keep what was acknowledged (or found on disk)."""
        self.seq = max(self.seq, seq)
        match request:
            case {"command": "next"}:
                self.round += 1
            case {"command": "lock-in", "seat": seat, "prediction": prediction}:
                self.locks[self.round, seat] = prediction
            case {"command": "rule-total", "total": total}:
                self.totals[self.round] = total

    def standing(self) -> dict[int, int]:
        """Count by RULES.md 1: one point for each run (a right zero: one), and 4, 3 for the place."""
        score = {1: 0, 2: 0}
        for number, total in self.totals.items():
            queue = [(seat, said) for (of, seat), said in self.locks.items() if of == number]
            right = [seat for seat, said in queue if said == total]
            for place, seat in enumerate(right):
                score[seat] += max(total, 1) + BONUS[place]
        return score


def on_disk(state: Path) -> tuple[str, list[Any], Match]:
    reader = JournalReader(state / "feltside.sqlite")
    newest = reader.latest()
    assert newest is not None
    events = [record.event for record in reader.events(newest)]
    return newest, events, replay(events)


def locks_of(events: list[Any]) -> list[tuple[tuple[int, int], int]]:
    return [((e.round, e.seat), e.prediction) for e in events if isinstance(e, happened.LockedIn)]


def settle(evening: Evening, pending: dict[str, Any] | None, state: Path) -> None:
    """Compare the journal with what was acknowledged; find out what became of the request under way."""
    _, events, match = on_disk(state)
    if pending is not None and len(events) > evening.seq:
        evening.took(pending, len(events))
    assert len(events) == evening.seq, "nothing acknowledged is missing and nothing is there twice"
    assert locks_of(events) == list(evening.locks.items())
    assert match.standing() == evening.standing()


@pytest.mark.parametrize("seed", [1, 2])
def test_whenever_the_table_is_killed_every_acknowledged_step_is_there_exactly_once(tmp_path: Path, seed: int):
    state, chance = tmp_path / "s", random.Random(seed)
    evening, pending = Evening(chance), None
    with life(state) as table:
        answer = table.client.ask(START)
        evening.seq = answer["seq"]
        table.kill()
    for _ in range(8):
        with life(state) as table:
            settle(evening, pending, state)
            news = table.client.subscribe()
            assert next(news)["seq"] == evening.seq
            news.close()
            for _ in range(chance.randrange(6)):
                request = evening.request()
                answer = table.client.ask(request)
                assert answer.get("ok"), (request, answer)
                evening.took(request, answer["seq"])
            pending = evening.request()
            got = table.interrupted(pending, patience_s=chance.uniform(0, 0.006))
            if got is not None:
                evening.took(pending, got["seq"])
                pending = None
    settle(evening, pending, state)
    assert len(evening.locks) >= 4, "the evening was long enough to mean something"


def test_asking_again_after_a_lost_answer_takes_nothing_twice(tmp_path: Path):
    state = tmp_path / "s"
    lock = {"command": "lock-in", "seat": 1, "prediction": 3}
    with life(state) as table:
        table.client.ask(START)
        table.client.ask({"command": "next"})
        got = table.interrupted(lock, patience_s=PATIENCE_S)
        assert got is not None
    with life(state) as table:
        assert table.client.ask(lock)["refused"] == "already-locked"
    assert locks_of(on_disk(state)[1]) == [((1, 1), 3)]


def test_two_tables_on_one_folder_fail_with_one_sentence(tmp_path: Path):
    state = tmp_path / "s"
    with life(state):
        second = subprocess.run(
            [sys.executable, "-m", "pi", "table", "--state", str(state)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert second.returncode == 2
        assert second.stderr == f"feltside: a table is already at work (expected one at a time), in {state}\n"
        assert TableClient(state / "table.sock", timeout_s=PATIENCE_S).ask(START)["ok"], "the first one goes on"


def test_a_damaged_journal_stops_the_table_with_one_sentence(tmp_path: Path):
    (tmp_path / "feltside.sqlite").write_bytes(b"garbage" * 1000)
    said = subprocess.run(
        [sys.executable, "-m", "pi", "table", "--state", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert "is not a journal (expected an SQLite file): nothing was changed" in said.stderr
    assert (tmp_path / "feltside.sqlite").read_bytes() == b"garbage" * 1000


def watcher_in(news: Iterator[dict[str, Any]], *, other_than: int = 0) -> int:
    """Return the process id of the watcher, once there is one (another one)."""
    for line in news:
        words = line["status"]["camera"]["words"]
        if words.isdigit() and int(words) != other_than:
            return int(words)
    raise AssertionError("the news ended")


def gone(pid: int) -> bool:
    """Wait until a process has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = select.select([handle], [], [], PATIENCE_S)
    os.close(handle)
    return bool(ended)


def test_a_killed_or_hung_watcher_comes_back_and_the_table_plays_on(tmp_path: Path):
    state = tmp_path / "s"
    with life(state, "watcher") as table:
        news = table.client.subscribe()
        first = watcher_in(news)
        os.kill(first, signal.SIGKILL)
        assert table.client.ask(START)["ok"]
        second = watcher_in(news, other_than=first)
        os.kill(second, signal.SIGSTOP)
        assert table.client.ask({"command": "next"})["ok"]
        third = watcher_in(news, other_than=second)
        assert gone(first)
        assert gone(second)
        news.close()
        table.kill()
        assert gone(third), "no watcher outlives its table and holds the camera"
