"""The plug is pulled, a thousand times: every acknowledged step is there once, and the match goes on.

    python -m tests.appliance.powercut [--cuts 1000] [--lives 40] [--seed 1]

A real table process plays under `filelog.c`, which writes down every write and sync in its order, and every answer
that left. From that log `disks.py` makes what the card may hold after a cut at a random point: unsynced writes there,
lost, torn, reordered, names not yet certain. Each such disk is opened by a Journal and a Referee as at a start, and
plays on. Some become the disk of the next life of the real table, so that damage on damage is tried as well.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi.inbox import Done, Envelope, TableClient, read_line
from pi.journal import Journal, JournalReader, Record
from pi.referee import Referee, Terms, Ways
from pi.rules import commands as ask
from pi.rules.values import Player, Seat
from pi.sense import Sense
from tests.appliance.disks import Disk, Op, lay, read_log
from tests.conftest import ROOT
from tests.pi.test_crash import CONFIG, START

SHIM = Path(__file__).with_name("filelog.c")
PATIENCE_S = 60.0
HARSH = (0.0, 0.5, 1.0, 1.0)
"""A cut in four is only a killed process: everything that was written is there."""
Told = dict[str, list[Record]]


@dataclass
class Books:
    """What the cuts have shown."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def compiled(folder: Path) -> Path:
    """Return the shim, compiled."""
    made = folder / "filelog.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(made), str(SHIM), "-ldl"], check=True)
    return made


def live(state: Path, shim: Path, log: Path, *, steps: int, chance: random.Random) -> None:
    """Let a real table play some steps on a folder, then kill it."""
    config = state.parent / "feltside.toml"
    config.write_text(CONFIG.format(grace_ms=0))
    environ = {**os.environ, "LD_PRELOAD": str(shim), "FILELOG_FOLDER": str(state), "FILELOG_OUT": str(log)}
    command = [sys.executable, "-m", "tests.pi.bare_table", str(state), str(config)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=pipe, stderr=pipe, text=True)
    try:
        assert process.stdout is not None
        if not process.stdout.readline().startswith("ready"):
            raise AssertionError(f"the table did not start: {process.communicate(timeout=PATIENCE_S)[1]}")
        client = TableClient(state / "table.sock", timeout_s=PATIENCE_S)
        for _ in range(steps):
            step(client, chance)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


def step(client: TableClient, chance: random.Random) -> None:
    """Ask for something sensible: whatever the last life left open."""
    round_number = next(client.subscribe()).get("round") or 1
    wanted: list[dict[str, Any]] = [
        {"command": "lock-in", "seat": seat, "prediction": chance.randrange(8)} for seat in (1, 2)
    ]
    wanted += [
        {"command": "rule-total", "round": round_number, "total": chance.randrange(8)},
        {"command": "next"},
        START,
    ]
    for request in wanted:
        if client.ask(request).get("ok"):
            return


def acknowledged(data: bytes, into: dict[str, int]) -> None:
    """Take in an answer that left the table."""
    for line in data.splitlines():
        answer = read_line(line)
        if answer.get("ok") and "seq" in answer:
            into[answer["match"]] = max(into.get(answer["match"], 0), answer["seq"])


def told(state: Path) -> Told:
    """Return every match on record."""
    reader = JournalReader(state / "feltside.sqlite")
    return {started.match: reader.events(started.match) for started in reader.matches()}


def examine(state: Path, seen: dict[str, int], whole: Told) -> str:
    """Start on a disk that a cut has left and play on; raises AssertionError or our own errors for any loss."""
    journal = Journal(state / "feltside.sqlite")  # looks through everything first
    with closing(journal):
        found = told(state)
        for match, records in found.items():
            assert records == whole.get(match, [])[: len(records)], f"match {match} tells another story"
        for match, seq in seen.items():
            there = len(found.get(match, ()))
            assert there >= seq, f"seq {seq} of match {match} was acknowledged, {there} is there"
        _play_on(journal, sum(map(len, found.values())))
    with closing(sqlite3.connect(state / "feltside.sqlite")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    more = sum(map(len, found.values())) - sum(seen.values())
    return "an unacknowledged step was there" if more > 0 else "exactly the acknowledged steps"


def _play_on(journal: Journal, before: int) -> None:
    now_ns = journal.last_at_ns() + 1
    ways = Ways(lambda: now_ns, lambda: "2026-11-21T20:00:00.000Z", lambda: "n", lambda lamps: None, lambda news: None)
    referee = Referee(journal, ways=ways, terms=Terms(), sense=Sense())
    answers: list[Any] = []
    players = (Player(Seat(1), "Ann"), Player(Seat(2), "Bob"))
    for command in (
        ask.Next(now_ns),
        *(ask.LockIn(Seat(seat), 3, now_ns, nonce="n") for seat in (1, 2)),
        ask.RuleTotal(referee.round or 1, 3),
        ask.Next(now_ns),
        ask.StartMatch("after-the-cut", "scramble", players),
    ):
        referee.receive(Envelope(command, now_ns, answers.append))
        referee.work()
    assert any(isinstance(answer, Done) for answer in answers), f"the match does not go on: {answers}"
    after = sum(journal.last_seq(started.match) for started in journal.matches())
    assert after > before


def cut_life(
    state: Path,
    log: Path,
    *,
    cuts: int,
    chance: random.Random,
    books: Books,
    before: dict[str, int],
    keep: Path,
    lying: bool,
) -> dict[str, int]:
    """Try cuts along one life, in the order of their moments; one of them becomes `keep`. Returns what it knew."""
    # The life began on what `keep` holds; `state` is what it became.
    ops, whole = read_log(log), told(state)
    disk, seen, chosen = Disk(keep), dict(before), dict(before)
    moments = sorted(chance.randrange(len(ops)) for _ in range(cuts))
    base, next_keep = keep, keep.with_name("next")
    pick = chance.randrange(cuts)
    at = 0
    for number, moment in enumerate(moments):
        for op in ops[at : moment + 1]:
            if op.what == "A":
                acknowledged(op.data, seen)
            elif op.what != "S" or not lying:
                disk.do(_moved(op, state, base))
        at = moment + 1
        with tempfile.TemporaryDirectory() as name:
            trial = Path(name)
            image = disk.left(chance, harsh=chance.choice(HARSH))
            lay(image, of=base, to=trial, chance=chance)
            if number == pick:
                shutil.rmtree(next_keep, ignore_errors=True)
                shutil.copytree(trial, next_keep)
                chosen = dict(seen)
            try:
                books.counts[examine(trial, seen, whole)] += 1
            except Exception as no:  # every kind of failure is the finding
                books.faults.append(f"cut after operation {moment} of {len(ops)}: {type(no).__name__}: {no}")
    shutil.rmtree(keep)
    next_keep.rename(keep)
    return chosen


def _moved(op: Op, state: Path, base: Path) -> Op:
    """Return the operation as if it had happened in the folder the disk model began with."""
    path, other = (text.replace(str(state), str(base), 1) for text in (op.path, op.other))
    return Op(op.what, path, other, op.offset, op.data)


def main() -> int:
    """Run the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.powercut", description=__doc__)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--lives", type=int, default=40, help="of the real table process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--lying-card", action="store_true", help="nothing is ever synced: the trial must find losses then"
    )
    args = parser.parse_args()
    chance, books, begun = random.Random(args.seed), Books(), time.monotonic()
    steps_taken = 0
    with tempfile.TemporaryDirectory(prefix="feltside-powercut-") as name:
        home = Path(name)
        shim, keep, seen = compiled(home), home / "keep", {}
        keep.mkdir()
        for number in range(args.lives):
            state, log = home / "state", home / "log"
            shutil.rmtree(state, ignore_errors=True)
            log.unlink(missing_ok=True)
            shutil.copytree(keep, state)
            steps = chance.choice((2, 5, 20, 60, 200))
            steps_taken += steps
            live(state, shim, log, steps=steps, chance=chance)
            cuts = args.cuts // args.lives + (number < args.cuts % args.lives)
            seen = cut_life(
                state, log, cuts=cuts, chance=chance, books=books, before=seen, keep=keep, lying=args.lying_card
            )
            if args.lying_card:
                shutil.rmtree(keep)
                keep.mkdir()
                seen = {}
    done, took_s = sum(books.counts.values()) + len(books.faults), time.monotonic() - begun
    print(f"{done} cuts in {args.lives} lives of {steps_taken} steps, {took_s:.0f} s")
    for what, count in sorted(books.counts.items()):
        print(f"  {count:5}  {what}")
    print(f"  {len(books.faults):5}  something lost, doubled, or no start")
    for fault in books.faults[:20]:
        print(fault)
    return 1 if books.faults else 0


if __name__ == "__main__":
    sys.exit(main())
