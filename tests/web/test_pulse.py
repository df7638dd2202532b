"""The web's watchdog is fed by the loop and by a worker, or not at all."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import urllib.request

from pi.errors import TableAway
from tests.conftest import PATIENCE_S, ROOT
from tests.web.builders import end, house
from web import serve
from web.desk import DEAF_S, Desk
from web.pulse import EVERY_S, Pulse


class Line:
    """A notifier that remembers that it was fed."""

    def __init__(self) -> None:
        self.fed = threading.Event()

    def alive(self) -> None:
        self.fed.set()


class Workers:
    """Takes jobs and does none of them by itself."""

    def __init__(self) -> None:
        self.jobs: list[Pulse] = []

    def add_task(self, task: Pulse) -> None:
        self.jobs.append(task)


def test_one_job_at_a_time_and_nothing_is_fed_before_a_worker_has_done_it():
    now, fed, workers = [0.0], [], Workers()
    pulse = Pulse(workers, lambda: fed.append(now[0]), monotonic_s=lambda: now[0])
    assert not pulse.readable()
    assert not pulse.writable()
    now[0] = 10 * EVERY_S
    pulse.readable()
    assert (len(workers.jobs), fed) == (1, []), "all workers hang: nothing is fed, and no jobs pile up"
    workers.jobs[0].service()
    assert fed == [now[0]]
    pulse.readable()
    now[0] += EVERY_S
    pulse.readable()
    assert len(workers.jobs) == 2, "the next one when it is due"


def test_a_listener_that_hangs_and_a_lock_that_is_sat_on_starve_it(tmp_path):
    now = [0.0]
    desk = Desk(house(tmp_path).room.reader, Away(), monotonic_s=lambda: now[0])
    assert desk.well(), "nobody listens yet"
    stop = threading.Event()
    desk.table.told = stop.set
    desk.follow(stop)
    now[0] = DEAF_S - 1
    assert desk.well()
    now[0] = DEAF_S + 1
    assert not desk.well(), "the listener has not been round for too long"
    fed, workers = [], Workers()
    pulse = Pulse(workers, lambda: fed.append(1), well=desk.well, monotonic_s=lambda: 10.0)
    pulse.readable()
    workers.jobs[0].service()
    assert fed == []
    now[0] = 0.0
    with desk._reading:  # a worker that hangs while it reads the journal
        asked = threading.Thread(target=pulse.service)
        asked.start()
        asked.join(0.2)
        assert asked.is_alive()
        assert fed == []
    asked.join(PATIENCE_S)
    assert fed == [1]


class Away:
    """A table that is away, and says when it was asked."""

    def subscribe(self):
        self.told()
        raise TableAway("away")


def test_the_real_server_feeds_the_watchdog(tmp_path):
    line = Line()
    server = serve.make_server(house(tmp_path).app, host="127.0.0.1", port=0, threads=4, notifier=line)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert line.fed.wait(PATIENCE_S)
    finally:
        end(server)
        thread.join(PATIENCE_S)


def test_sockets_meant_for_another_process_are_left_alone():
    assert serve.handed_over({}, pid=7) == []
    assert serve.handed_over({"LISTEN_FDS": "1", "LISTEN_PID": "8"}, pid=7) == []
    assert serve.handed_over({"LISTEN_FDS": "0", "LISTEN_PID": "7"}, pid=7) == []


HANDED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
from pi.cli import main
sys.exit(main(["web", "--state", sys.argv[2], "--port", "1"]))
"""


def test_pages_are_served_on_the_socket_that_systemd_holds(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as held:
        command = [sys.executable, "-c", HANDED, str(held.fileno()), str(tmp_path)]
        environ = {k: v for k, v in os.environ.items() if k != "NOTIFY_SOCKET"}
        service = subprocess.Popen(command, cwd=ROOT, pass_fds=[held.fileno()], env=environ, stdout=subprocess.DEVNULL)
        try:
            # The kernel keeps us waiting until the service is up: nobody is refused.
            address = f"http://127.0.0.1:{held.getsockname()[1]}/api/state"
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                assert answer.status == 200
        finally:
            service.kill()
            service.wait(PATIENCE_S)
