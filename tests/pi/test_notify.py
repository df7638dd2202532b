"""systemd is told the truth, in time, and never at the cost of the service."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pi.notify import Notifier


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def heard(manager: socket.socket) -> list[str]:
    lines = []
    while True:
        try:
            lines.append(manager.recv(4096).decode())
        except BlockingIOError:
            return lines


def notifier(manager: socket.socket, **environ: str) -> Notifier:
    return Notifier.from_environ({"NOTIFY_SOCKET": manager.getsockname(), **environ}, pid=42)


def test_ready_and_stopping_and_words_go_out_as_sd_notify_says(manager):
    with closing(notifier(manager)) as line:
        line.ready("serving\nat port 80")
        line.say("match 3")
        line.stopping()
    assert heard(manager) == ["READY=1\nSTATUS=serving at port 80", "STATUS=match 3", "STOPPING=1"]


def test_the_watchdog_is_fed_four_times_a_period_however_often_the_loop_turns(manager):
    now = iter(0.5 * n for n in range(200))
    line = Notifier(manager.getsockname(), period_s=20, monotonic_s=lambda: next(now))
    with closing(line):
        for _ in range(100):  # 50 s of a loop that turns twice a second
            line.alive()
    assert heard(manager) == ["WATCHDOG=1"] * 10


@pytest.mark.parametrize("environ", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "9", "WATCHDOG_PID": "41"}])
def test_without_a_watchdog_of_our_own_there_are_no_signs_of_life(manager, environ):
    with closing(notifier(manager, **environ)) as line:
        line.alive()
    assert heard(manager) == []


def test_the_watchdog_that_is_ours_is_fed(manager):
    with closing(notifier(manager, WATCHDOG_USEC="20000000", WATCHDOG_PID="42")) as line:
        line.alive()
    assert heard(manager) == ["WATCHDOG=1"]


def test_an_abstract_socket_is_understood():
    name = f"\0feltside-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name)
        manager.setblocking(False)
        with closing(Notifier("@" + name[1:], period_s=None)) as line:
            line.ready()
        assert heard(manager) == ["READY=1"]


def test_without_systemd_or_with_a_deaf_one_nothing_fails(tmp_path, manager):
    with closing(Notifier.from_environ({})) as line:
        line.ready("x")
        line.alive()
    with closing(Notifier(str(tmp_path / "nobody"), period_s=1)) as line:
        line.ready("x")
    with closing(Notifier(manager.getsockname(), period_s=None)) as line:
        for _ in range(5000):  # more than any queue holds: a full one is not waited for
            line.say("again")
    assert heard(manager)
