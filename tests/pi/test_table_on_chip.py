"""The whole table over the fake chip: real gpiozero, lgpio, referee and journal (FIELD.md 6, promises 1 to 4)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.lamps import Lamp
from pi.pin_map import contacts_of, lamps_of
from pi.rules.events import LockedIn
from pi.rules.queueing import Key, places, queue
from pi.rules.values import Seat
from pi.settings import PanelSettings, Settings
from tests.kit import fakechip
from tests.kit.fakechip import PATIENCE_S, FakeChip

pytestmark = [
    pytest.mark.skipif(fakechip.missing() is not None, reason=str(fakechip.missing())),
    pytest.mark.slow,
]

MS = 1_000_000
PANEL = PanelSettings()
LINES, LAMPS = contacts_of(PANEL), lamps_of(PANEL)
START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": n, "name": f"Player {n}"} for n in (1, 2, 3, 4)],
}


@dataclass
class Evening:
    """A table process and both ways to it."""

    chip: FakeChip
    client: TableClient
    settings: Settings

    def press(self, seat: int, key: Key, *, at_ns: int | None = None) -> int:
        """Press and let go, with a bounce on the way; returns the first edge's stamp."""
        line, at = LINES[Seat(seat), key], time.monotonic_ns() if at_ns is None else at_ns
        moves = [(0, 0), (90_000, 1), (200_000, 0), (60 * MS, 1)]
        self.chip.tell(*(f"level {line} {level} {at + after}" for after, level in moves))
        return at

    def until(self, seq: int) -> None:
        """Wait until the journal has come so far."""
        late = time.monotonic() + PATIENCE_S
        for line in self.client.subscribe():
            if line["seq"] >= seq:
                return
            assert time.monotonic() < late, f"the journal is at {line['seq']}, expected {seq}"

    def locks(self) -> list[LockedIn]:
        """Return the lock-ins on disk."""
        reader = JournalReader(self.settings.journal)
        return [r.event for r in reader.events(reader.latest() or "") if isinstance(r.event, LockedIn)]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    settings = Settings(tmp_path / "state")
    settings.state.mkdir()
    config = tmp_path / "feltside.toml"
    config.write_text(f'state = "{settings.state}"\n[camera]\nkind = "simulated"\n')
    command = ["-m", "pi", "table", "--config", str(config)]
    with (tmp_path / "log").open("w") as log, FakeChip(command, complaints=log) as chip:
        try:
            assert "ready" in (chip.line() or ""), (tmp_path / "log").read_text()
            client = TableClient(settings.socket, timeout_s=PATIENCE_S)
            assert client.ask(START).get("ok")
            table = Evening(chip, client, settings)
            table.press(0, Key.NEXT)
            table.until(2)
            yield table
        finally:
            chip.process.terminate()


def test_the_queue_is_in_order_of_the_fingers_whatever_order_the_edges_arrive_in(evening: Evening):
    start, order = time.monotonic_ns(), [3, 1, 4, 2]
    stamps = {seat: start + place * 3 * MS for place, seat in enumerate(order)}
    for seat in random.Random(7).sample(order, 4):
        evening.press(seat, Key.LOCK, at_ns=stamps[seat])
    evening.until(6)
    locks = evening.locks()
    assert [(place, lock.seat) for place, lock in places(queue(locks))] == list(enumerate(order, start=1))
    first = min(lock.at_ns for lock in locks)
    assert {lock.seat: lock.at_ns - first for lock in locks} == {s: t - start for s, t in stamps.items()}


def test_closer_than_the_published_bound_is_a_tie(evening: Evening):
    start = time.monotonic_ns()
    for seat, after_us in ((2, 0), (1, 1000), (3, 9000), (4, 10_001)):
        evening.press(seat, Key.LOCK, at_ns=start + after_us * 1000)
    evening.until(6)
    assert sorted((place, lock.seat) for place, lock in places(queue(evening.locks()))) == [
        (1, 1),
        (1, 2),
        (3, 3),
        (4, 4),
    ]


def test_the_prediction_is_what_the_keys_said_before_lock(evening: Evening):
    start = time.monotonic_ns()
    for n, key in enumerate((Key.FOUR, Key.ONE, Key.TWO, Key.ONE)):
        evening.press(2, key, at_ns=start + n * 100 * MS)
    evening.press(2, Key.LOCK, at_ns=start + 600 * MS)
    evening.press(2, Key.FOUR, at_ns=start + 700 * MS)
    evening.until(3)
    assert [(lock.seat, lock.prediction) for lock in evening.locks()] == [(2, 6)]


def test_when_the_lamp_lights_the_lock_in_is_on_disk_and_a_second_press_does_not_light_it(evening: Evening):
    # Promise 1: "LED turns 'locked' only after the event is on disk".
    lamp = LAMPS[Lamp.queue(2)]
    evening.chip.outputs()
    evening.press(1, Key.LOCK)
    rises: list[int] = []
    while not rises:
        rises = [at for line, value, at in evening.chip.outputs() if line == lamp and value]
    assert [lock.seat for lock in evening.locks()] == [1]
    reader = JournalReader(evening.settings.journal)
    (record,) = [r for r in reader.events(reader.latest() or "") if isinstance(r.event, LockedIn)]
    assert record.event.at_ns <= record.at_ns, "the press first, then the commit"


def test_a_thousand_edges_on_one_contact_lose_nobody_elses_lock_in(evening: Evening):
    start, bad = time.monotonic_ns(), LINES[Seat(1), Key.ONE]
    evening.chip.tell("hold", *(f"level {bad} {n % 2} {start + n * 1000}" for n in range(1001)))
    for n, seat in enumerate((4, 3, 2)):
        evening.press(seat, Key.LOCK, at_ns=start + n * 5 * MS)
    evening.chip.tell("go")
    evening.until(5)
    assert [lock.seat for _, lock in places(queue(evening.locks()))] == [4, 3, 2]


def test_the_date_jumps_and_the_order_does_not(evening: Evening):
    start = time.monotonic_ns()
    evening.press(2, Key.LOCK, at_ns=start)
    evening.until(3)
    evening.chip.tell("date -86400")
    evening.press(1, Key.LOCK, at_ns=start + 2 * MS)
    evening.until(4)
    evening.chip.tell("date 86400")
    evening.press(3, Key.LOCK, at_ns=start + 1 * MS + 500)
    evening.until(5)
    locks = evening.locks()
    assert [(p, lock.seat) for p, lock in places(queue(locks))] == [(1, 2), (2, 3), (2, 1)]
