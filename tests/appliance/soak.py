"""A week of play in half an hour or so: memory, open files, threads and disk stay within stated bounds.

    python -m tests.appliance.soak [--rounds 3000] [--samples 12] [--seed 1]

Every real process (table, watcher, web) plays on drawn trays without waiting between frames, with two scoreboards
open on the web server and pages fetched in every round. A club evening has some 60 rounds, so 420 are a week of
evenings and 3,000 a week of playing without a break. Prints a table; status 1 when something grew past its bound.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi.inbox import TableClient
from pi.settings import Settings
from pi.stand_ins.launch import Household, free_port, write_settings

WARM = 0.25
"""Part of the rounds after which caches are full and growth counts."""
MOST_GROWTH = {"memory": 0.15, "files": 0.0, "threads": 0.0}
"""Of the warm value; files and threads may differ by FEW, for what comes and goes."""
FEW = 4
MOST_JOURNAL_PER_ROUND = 40_000
"""Bytes: a reading of 40 tiles with its probabilities is most of it."""
SLOW_S, PATIENCE_S = 20.0, 300.0
"""How long the eye is waited for before the table counts by hand; how long a page may take on a loaded machine."""
PLAYERS = [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}]
START = {"command": "start-match", "game": "scramble", "players": PLAYERS, "house": [["target", 99]]}


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at a process."""

    memory: int
    """Resident, in bytes."""
    files: int
    threads: int


def sample(pid: int) -> Sample:
    """Look at a process."""
    proc = Path(f"/proc/{pid}")
    fields = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
    return Sample(
        int(fields["VmRSS"].split()[0]) * 1024, len(list((proc / "fd").iterdir())), int(fields["Threads"].split()[0])
    )


def processes(house: Household) -> dict[str, int]:
    """Return the process ids by name; the watcher is the table's child."""
    table, web = house._running["table"].pid, house._running["web"].pid
    children = Path(f"/proc/{table}/task/{table}/children").read_text().split()
    return {"table": table, "web": web, **({"watcher": int(children[0])} if children else {})}


@contextmanager
def scoreboard(port: int) -> Iterator[None]:
    """Keep a scoreboard's stream open and read what comes."""
    with socket.create_connection(("127.0.0.1", port)) as stream:
        stream.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")

        def read() -> None:
            try:
                while stream.recv(65536):
                    pass
            except OSError:
                return  # closed: the trial is over

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        yield
        stream.shutdown(socket.SHUT_RDWR)
        reader.join(SLOW_S)


def play_round(client: TableClient, news: Iterator[dict[str, Any]], port: int) -> bool:
    """Play one round; tell whether the eye counted it (else the table did, by hand)."""
    if not client.ask({"command": "next"}).get("ok"):
        client.ask(START)
        client.ask({"command": "next"})
    for seat in (1, 2):
        client.ask({"command": "lock-in", "seat": seat, "prediction": seat})
    late = time.monotonic() + SLOW_S
    number = None
    for line in news:
        number = line["round"]
        if line["expects"] is None:
            break
        if time.monotonic() > late:
            client.ask({"command": "rule-total", "round": number, "total": 1})
            break
    view = json.loads(fetched(port, "/api/state"))
    rounds = [f"/round/{played['number']}" for played in view.get("rounds", [])[-1:]]
    for page in ("/", "/table", "/history", *rounds):
        fetched(port, page)
    return time.monotonic() <= late


def fetched(port: int, page: str) -> bytes:
    """Return a page, as a browser would fetch it."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=PATIENCE_S) as answer:
        found: bytes = answer.read()
    return found


def size(folder: Path, pattern: str) -> int:
    """Return the bytes of some files."""
    return sum(path.stat().st_size for path in folder.glob(pattern))


def soak(settings: Settings, *, rounds: int, samples: int) -> list[str]:
    """Play and look; return what grew past its bound."""
    seen: list[tuple[int, dict[str, int], dict[str, Sample], int, int]] = []
    port, seen_by_eye, begun = settings.web.port, 0, time.monotonic()
    with Household(settings, web=True) as house, scoreboard(port), scoreboard(port):
        house.client.ask(START)
        news = house.client.subscribe()
        for number in range(1, rounds + 1):
            seen_by_eye += play_round(house.client, news, port)
            if number % max(1, rounds // samples) == 0:
                pids = processes(house)
                looks = {name: sample(pid) for name, pid in pids.items()}
                journal, evidence = size(settings.state, "feltside.sqlite*"), size(settings.evidence, "*")
                seen.append((number, pids, looks, journal, evidence))
                told = "  ".join(f"{n} {s.memory >> 20} MB {s.files} fd {s.threads} th" for n, s in looks.items())
                took_s = time.monotonic() - begun
                print(f"{number:6} rounds {took_s:6.0f} s  {told}  journal {journal >> 10} KB", flush=True)
    print(f"the eye counted {seen_by_eye} of {rounds} rounds; pictures {seen[-1][4] >> 20} MB")
    return judged(seen)


def judged(seen: list[tuple[int, dict[str, int], dict[str, Sample], int, int]]) -> list[str]:
    """Return what grew past its bound after the warm-up."""
    warm = seen[int(len(seen) * WARM)]
    last, faults = seen[-1], []
    for name, before in warm[2].items():
        after = last[2].get(name)
        if after is None or warm[1][name] != last[1][name]:
            faults.append(f"the {name} did not live through it")
            continue
        for what, bound in MOST_GROWTH.items():
            was, now = getattr(before, what), getattr(after, what)
            if now > was * (1 + bound) + (FEW if bound == 0 else 0):
                faults.append(f"the {name}'s {what} grew from {was} to {now}")
    per_round = (last[3] - warm[3]) / max(1, last[0] - warm[0])
    print(f"journal {per_round:.0f} bytes a round")
    if per_round > MOST_JOURNAL_PER_ROUND:
        faults.append(f"the journal grew by {per_round:.0f} bytes a round")
    return faults


def main() -> int:
    """Run the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--samples", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="feltside-soak-") as folder:
        camera = {"kind": "simulated", "seed": args.seed, "hurried": True, "fps": 5.0}
        web = {"host": "127.0.0.1", "port": free_port(0)}
        settings = write_settings(Path(folder) / "state", {"camera": camera, "web": web})
        faults = soak(settings, rounds=args.rounds, samples=args.samples)
    print("\n".join(faults) or "everything stayed within its bounds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
