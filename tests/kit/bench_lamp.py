"""Press to lamp: how long from the edge of a LOCK until its lamp lights, the lock-in synced in between.

Everything is real but the chip and the tray: the table's process on gpiozero and lgpio over the fake chip, its
watcher reading drawn frames, the web server with tablets on its event stream. Times are the chip's own: from
the stamp of the edge to the write of the output, both CLOCK_MONOTONIC. The buzzer is written last of all lamps
in the same breath, so its time is an upper bound for every one.

    python -m tests.kit.bench_lamp [--presses 200] [--tablets 20] [--stress] [--grace MS]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from pi.bench_figures import percentile
from pi.bench_panel import stress
from pi.inbox import TableClient
from pi.pin_map import contacts_of
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key
from pi.rules.values import Seat
from pi.settings import Settings
from pi.stand_ins.launch import LOCALHOST, free_port, write_settings
from tests.kit.fakechip import FakeChip

MS = 1_000_000
PLAYERS = 4
START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": n, "name": f"Player {n}"} for n in range(1, PLAYERS + 1)],
    "house": [["target", 99]],
}
GAP_S = 0.15
"""Between two presses: longer than the buzzer sounds, shorter than anybody waits."""
LAMP_S = 5.0
TABLE_PROCESS = """
import os, runpy
os.nice({nice})
runpy.run_module("pi", run_name="__main__", alter_sys=True)
"""
"""The table as its unit file runs it: before everything that can wait."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the distribution; 0 when the 99th percentile is below 20 ms."""
    args = _parsed(argv)
    with ExitStack() as house:
        folder = Path(house.enter_context(tempfile.TemporaryDirectory(prefix="bench-lamp-", dir=args.folder)))
        sections = {
            "web": {"port": free_port(0), "host": LOCALHOST},
            "camera": {"kind": "simulated"},
            "table": {"grace_ms": args.grace},
        }
        settings = write_settings(folder / "state", sections)
        log = house.enter_context((folder / "table.log").open("w"))
        command = ["-c", TABLE_PROCESS.format(nice=args.nice), "table", "--config", str(settings.file)]
        chip = house.enter_context(FakeChip(command, complaints=log))
        house.callback(chip.process.terminate)
        assert "ready" in (chip.line() or ""), (folder / "table.log").read_text()
        house.enter_context(web(settings))
        tablets = [house.enter_context(tablet(settings.web.port)) for _ in range(args.tablets)]
        house.enter_context(stress() if args.stress else nullcontext())
        syncs = house.enter_context(syncing(folder / "probe"))
        waits = measured(chip, settings, presses=args.presses, chance=random.Random(4), think_s=args.think)
        heard = [count() for count in tablets]
    print(f"{len(waits)} lock-ins, {args.tablets} tablets (views each: {min(heard, default=0)} or more), ", end="")
    print(f"watcher reading, first press after {args.think:g} s, ", end="")
    print(f"grace {args.grace:g} ms{', stress' if args.stress else ''}")
    ms = [wait / MS for wait in waits]
    print("        press to lamp   a bare sync there meanwhile")
    for percent in (0, 50, 90, 99, 100):
        print(f"  p{percent:<3d} {percentile(ms, percent):10.2f} ms {percentile(syncs, percent):10.2f} ms")
    return int(percentile(ms, 99) >= 20)


def measured(
    chip: FakeChip, settings: Settings, *, presses: int, chance: random.Random, think_s: float = 0.0
) -> list[int]:
    """Return the wait of every press, in nanoseconds. think_s: between a round's opening and its first press."""
    client = TableClient(settings.socket)
    lines, waits = contacts_of(settings.panel), []
    while len(waits) < presses:
        answer = client.ask(START)
        assert answer.get("ok"), answer
        press(chip, lines, (TABLE, Key.NEXT))
        wait_open(client)
        time.sleep(think_s)
        for n in chance.sample(range(1, PLAYERS + 1), PLAYERS):
            time.sleep(GAP_S + chance.random() * 0.05)
            chip.outputs()
            at_ns = press(chip, lines, (Seat(n), Key.LOCK))
            waits.append(lit_ns(chip, settings.panel.buzzer) - at_ns)
        assert client.ask({"command": "end-match", "why": "bench"}).get("ok")
    return waits[:presses]


def press(chip: FakeChip, lines: dict[Contact, int], contact: Contact) -> int:
    """Press a contact with some bounces; returns the stamp of its first edge."""
    at_ns = time.monotonic_ns()
    bounces = [(0, 0), (90_000, 1), (160_000, 0), (700_000, 1), (800_000, 0)]
    chip.tell(*(f"level {lines[contact]} {level} {at_ns + after}" for after, level in bounces))
    threading.Timer(0.06, chip.tell, (f"level {lines[contact]} 1",)).start()
    return at_ns


def lit_ns(chip: FakeChip, pin: int | None) -> int:
    """Return when the output rose."""
    late = time.monotonic() + LAMP_S
    while time.monotonic() < late:
        time.sleep(0.002)
        rises = [at_ns for line, value, at_ns in chip.outputs() if line == pin and value == 1]
        if rises:
            return rises[0]
    raise AssertionError("no lamp followed the press")


def wait_open(client: TableClient) -> None:
    """Wait until a round is open."""
    for line in client.subscribe():
        if line["expects"] is not None:
            return


@contextmanager
def syncing(file: Path) -> Iterator[list[float]]:
    """Sync a few kilobytes in place ten times a second; yields how long each took, in ms: the disk's own share."""
    took, end = [0.0], threading.Event()

    def probe() -> None:
        with file.open("wb", buffering=0) as disk:
            disk.write(bytes(1 << 16))
            os.fsync(disk.fileno())
            while not end.wait(0.1):
                os.pwrite(disk.fileno(), os.urandom(8192), 0)
                start = time.perf_counter()
                os.fdatasync(disk.fileno())
                took.append((time.perf_counter() - start) * 1000)

    thread = threading.Thread(target=probe)
    thread.start()
    try:
        yield took
    finally:
        end.set()
        thread.join()


@contextmanager
def web(settings: Settings) -> Iterator[None]:
    """Serve the pages in a process of their own."""
    command = [sys.executable, "-m", "pi", "web", "--config", str(settings.file)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        assert "http" in (said := server.stdout.readline()), said
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(10)


@contextmanager
def tablet(port: int) -> Iterator:
    """Listen to the event stream as a scoreboard does; yields a function that counts the views so far."""
    line = socket.create_connection((LOCALHOST, port))
    line.sendall(f"GET /events HTTP/1.1\r\nHost: {LOCALHOST}:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
    views = [0]

    def listen() -> None:
        while chunk := line.recv(65536):
            views[0] += chunk.count(b"\nid:") + chunk.startswith(b"id:")

    ear = threading.Thread(target=listen, daemon=True)
    ear.start()
    try:
        yield lambda: views[0]
    finally:
        line.shutdown(socket.SHUT_RDWR)
        ear.join(5)
        line.close()


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--tablets", type=int, default=20)
    parser.add_argument("--grace", type=float, default=5.0, help="milliseconds that the referee waits for late edges")
    parser.add_argument("--think", type=float, default=1.0, help="seconds from a round's opening to its first press")
    parser.add_argument("--nice", type=int, default=0, help="the table's priority, as its unit file sets it")
    parser.add_argument("--folder", type=Path, help="where the journal lies (default: the temporary folder)")
    parser.add_argument("--stress", action="store_true", help="processors and disk busy meanwhile")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
