"""`python -m web.bench`: how long from an event on disk to the pixel, with twenty scoreboards open.

A journal in a folder of its own, the real server, and lock-ins written one after another. The clock starts
when the journal says that the event is on disk, and stops in each browser after the frame that shows it.
One scoreboard is a Chromium window that this machine draws; the other streams are only read, for tablets
draw their own pixels (`--browsers 20` draws all of them here). Each view is rendered once for all scoreboards.
Also told: when an event reaches the streams that are only read, the weight of the first page, how much its
layout jumps, and how busy the machine was. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pi.journal import Journal
from pi.rules import commands as ask
from pi.rules.match import NEW, Match, decide, replay
from pi.rules.ruleset import Refused
from pi.rules.values import Player, Seat
from pi.settings import Settings, WebSettings
from web.app import create_app
from web.room import Room
from web.serve import make_server, port_of

SEQ = re.compile(rb"(?m)^id: (\d+)$")
GOAL_MS, GOAL_BYTES, GOAL_SHIFT = 150.0, 100_000, 0.0
WATCH = """() => {
  window.stamps = {};
  const board = () => document.querySelector(".board");
  let last = board().dataset.seq;
  new MutationObserver(() => {
    const seq = board().dataset.seq;
    if (seq === last) return;
    last = seq;
    requestAnimationFrame(() => { const channel = new MessageChannel();
      channel.port1.onmessage = () => { window.stamps[seq] = performance.timeOrigin + performance.now(); };
      channel.port2.postMessage(0); });
  }).observe(document.getElementById("view"), {subtree: true, childList: true, attributes: true});
}"""
"""Stamps each new seq when the frame with it has been handed to the screen."""
WEIGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter((one) => !one.name.includes("/events") && !one.name.includes("live.jpg"))
  .reduce((sum, one) => sum + one.transferSize, 0)"""
SHIFT = """() => new Promise((done) => { let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { sum += one.value; }))
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 500); })"""


@dataclass
class _Table:
    """Writes as the referee does and tells the web server to look again."""

    journal: Journal
    room: Room
    match: Match = NEW
    seq: int = 0

    def do(self, command: Any) -> float:
        """Write what follows from a command; returns when it was on disk, in ms since 1970."""
        events = decide(self.match, command)
        if isinstance(events, Refused):
            raise AssertionError(events.sentence)
        self.match = replay(events, start=self.match)
        utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.seq = self.journal.append(self.match.id, events, at_ns=time.monotonic_ns(), utc=utc)
        written_ms = time.time_ns() / 1e6
        self.room.desk.told({"status": {"simulation": True, "camera": {"state": "ok"}}})
        return written_ms


@contextmanager
def _serving(state: Path) -> Iterator[tuple[_Table, int]]:
    settings = Settings(state=state, web=WebSettings(pin="open"))
    journal = Journal(settings.journal)
    app = create_app(settings)
    table = _Table(journal, app.extensions["feltside"])
    players = tuple(Player(Seat(n), name) for n, name in enumerate(("Ann", "Bob", "Cleo", "Dan"), start=1))
    table.do(ask.StartMatch("bench", "scramble", players))
    table.do(ask.Next(0))
    server = make_server(app, host="127.0.0.1", port=0, threads=64)
    threading.Thread(target=server.run, daemon=True).start()
    yield table, port_of(server)


def _listen(port: int, stack: ExitStack) -> dict[str, float]:
    """Hold a scoreboard's stream open and read all of it, as a tablet on the network does.

    Returns when each seq arrived, in ms since 1970; filled as they come.
    """
    heard: dict[str, float] = {}
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
    line.sendall(b"GET /events?page=board HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

    def read() -> None:
        with suppress(OSError):
            while chunk := line.recv(1 << 16):
                for seq in SEQ.findall(chunk):
                    heard.setdefault(seq.decode(), time.time_ns() / 1e6)

    threading.Thread(target=read, daemon=True).start()
    return heard


def measure(*, streams: int, browsers: int, events: int, chromium: str, pause_s: float) -> dict[str, Any]:
    """Return {"ms": every delay of every browser, "bytes": the first page's weight, "shift": its layout shift}."""
    playwright = import_module("playwright.sync_api")  # a tool of tests, no dependency of ours
    with ExitStack() as stack:
        state = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table, port = stack.enter_context(_serving(state))
        browser = stack.enter_context(playwright.sync_playwright()).chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        pages = [browser.new_context(viewport={"width": 1280, "height": 800}).new_page() for _ in range(browsers)]
        for page in pages:
            page.goto(f"http://127.0.0.1:{port}/")
        readers = [_listen(port, stack) for _ in range(streams - browsers)]
        weight, shift = pages[0].evaluate(WEIGHT), pages[0].evaluate(SHIFT)
        for page in pages:
            page.evaluate(WATCH)
        written = dict(_play(table, events, pages[0], pause_s))
        pages[0].wait_for_timeout(1000)
        shown = [page.evaluate("window.stamps") for page in pages]
        browser.close()
    delays, arrivals = _delays(written, shown), _delays(written, readers)
    missed = len(written) * browsers - len(delays)
    return {"ms": delays, "arrived": arrivals, "bytes": weight, "shift": shift, "missed": missed}


def _delays(written: dict[int, float], stamps: Sequence[Mapping[str, float]]) -> list[float]:
    return sorted(one[str(seq)] - at for seq, at in written.items() for one in stamps if str(seq) in one)


def _told(ms: Sequence[float]) -> str:
    if not ms:
        return "nothing"
    p50, p95 = (ms[min(len(ms) - 1, int(share * len(ms)))] for share in (0.50, 0.95))
    return f"p50 {p50:.0f} ms, p95 {p95:.0f} ms, worst {ms[-1]:.0f} ms"


def _play(table: _Table, events: int, page: Any, pause_s: float) -> Iterator[tuple[int, float]]:
    """Let seat 1 lock in and be taken back, in turn; yields each seq and when it was on disk."""
    for n in range(events):
        lock = ask.LockIn(Seat(1), 3, time.monotonic_ns(), nonce=f"{n:032x}")
        written = table.do(lock if n % 2 == 0 else ask.WithdrawLockIn(Seat(1)))
        yield table.seq, written
        page.wait_for_timeout(1000 * pause_s)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; returns 1 when one misses its goal."""
    parser = argparse.ArgumentParser(prog="python -m web.bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--streams", type=int, default=20, help="scoreboards open at once (default: 20)")
    parser.add_argument(
        "--browsers",
        type=int,
        default=1,
        help="how many of them are Chromium windows drawn by this machine; the others are read only (default: 1)",
    )
    parser.add_argument("--events", type=int, default=40, help="events written (default: 40)")
    parser.add_argument("--pause", type=float, default=0.4, help="seconds between them (default: 0.4)")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium", help="the browser")
    args = parser.parse_args(argv)
    found = measure(
        streams=args.streams,
        browsers=min(args.browsers, args.streams),
        events=args.events,
        chromium=args.chromium,
        pause_s=args.pause,
    )
    ms = found["ms"]
    print(
        f"{args.streams} streams, {args.events} events: {len(ms)} pixels, {found['missed']} overtaken by a newer view"
    )
    print(f"event on disk to pixel: {_told(ms)} (goal: p95 under {GOAL_MS:.0f} ms)")
    print(f"event on disk to the other streams' ends: {_told(found['arrived'])}")
    print(f"load of this machine meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"first page: {found['bytes'] / 1000:.1f} KB without the camera's picture (goal: under 100 KB)")
    print(f"layout shift: {found['shift']:.4f} (goal: 0)")
    good = ms[int(0.95 * len(ms))] < GOAL_MS and found["bytes"] < GOAL_BYTES and found["shift"] <= GOAL_SHIFT
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
