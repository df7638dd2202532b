"""The board on the bench: which press came first, against the truth, and the tie bound that follows.

Outputs of the Pi play the fingers: an output that falls closes every contact wired to it. Three steps, each
with its wiring (HARDWARE.md has the recipe):

- zero: one output on all inputs. Everything closes at once; the spread of the stamps is the board's error.
- skew: output A on seats 1 and 3, output B on seats 2 and 4. A falls first, B after a programmed time.
- bounce: as zero, but the output rattles: one press with the time of its first edge, whatever follows.

`feltside doctor --bench STEP [--stress]` runs them; the tests run them over the fake chip.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from gpiozero import DigitalOutputDevice

from pi.bench_figures import (
    BOUNCES_US,
    MS,
    SKEWS_US,
    Trains,
    Trial,
    report_bounces,
    report_skews,
    report_zero,
    spread_ns,
    verdict,
)
from pi.clock import TableClock
from pi.errors import HardwareMissing
from pi.panel import Panel
from pi.pin_map import contacts_of
from pi.pins import pin_factory
from pi.rules.contacts import Contact
from pi.rules.queueing import Press
from pi.settings import PanelSettings

OUTPUTS = (13, 19)
"""BCM pins of outputs A and B: the first two queue lamps' in the default map, unplugged for the bench."""
VAGUE_US = 300.0
"""A trial whose own writes took longer proves nothing: nobody knows what its skew was."""
HEARD_S = 1.0
"""Presses that are not here by then are missing."""
MOST_SPOILT = 10
"""So many bounce trains for each that is wanted may be too slow: a busy machine cannot always keep them in time."""
BURNER = "while True: sum(range(10000))"
WRITER = """
import os, sys
with open(sys.argv[1], "wb") as file:
    while True:
        file.seek(0); file.write(os.urandom(65536)); file.flush(); os.fsync(file.fileno())
"""


class Rig:
    """The board with outputs for fingers: `with Rig(settings.panel) as rig`. Lamps stay unclaimed."""

    def __init__(self, settings: PanelSettings, *, outputs: tuple[int, int] = OUTPUTS, factory: Any = None) -> None:
        """Keep what is needed; raises HardwareMissing when an output is also a contact."""
        taken = set(contacts_of(settings).values())
        if clash := [pin for pin in outputs if pin in taken]:
            raise HardwareMissing(f"BCM pin {clash[0]} is a contact of the board (expected a free pin), at --outputs")
        seats = {n: replace(pins, plug=None) for n, pins in settings.seats.items()}
        self._settings = replace(settings, seats=seats, queue=(), buzzer=None)
        self._pins, self._factory = outputs, factory
        self._said: SimpleQueue[Press] = SimpleQueue()
        self.rest_s = settings.lockout_ns / 1e9 + 0.012

    def __enter__(self) -> Self:
        """Claim outputs (open) and inputs."""
        self._factory = self._factory or pin_factory()
        self._outputs = [DigitalOutputDevice(p, initial_value=True, pin_factory=self._factory) for p in self._pins]
        self._panel = Panel(self._settings, self._said.put, clock=TableClock(), factory=self._factory)
        self._panel.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Give everything back."""
        self._panel.__exit__(kind, error, where)
        for output in self._outputs:
            output.close()

    @property
    def contacts(self) -> list[Contact]:
        """Every contact that listens."""
        return list(contacts_of(self._settings))

    def fall(self, output: int) -> tuple[int, int]:
        """Close what hangs on an output (0 or 1); returns the times just before and just after."""
        before_ns = time.monotonic_ns()
        self._outputs[output].off()
        return before_ns, time.monotonic_ns()

    def rise(self) -> None:
        """Open everything and let it come to rest."""
        for output in self._outputs:
            output.on()
        time.sleep(self.rest_s)
        while not self._said.empty():
            self._said.get()

    def rattle(self, output: int, turns_us: Sequence[int]) -> tuple[int, int]:
        """Turn an output at each of the times (even: closed); returns (time before the first, ns taken)."""
        start_ns, begun_ns = self.fall(output)
        for n, us in enumerate(turns_us[1:], start=1):
            wait_until(start_ns + us * 1000)
            (self._outputs[output].off if n % 2 == 0 else self._outputs[output].on)()
        vague = begun_ns - start_ns > VAGUE_US * 1000
        return start_ns, 10 * MS if vague else time.monotonic_ns() - start_ns

    def heard(self, count: int) -> list[Press]:
        """Return the presses of the last move, at most `count` and one more if there is one."""
        said: list[Press] = []
        until = time.monotonic() + HEARD_S
        while len(said) < count and (left := until - time.monotonic()) > 0:
            try:
                said.append(self._said.get(timeout=left))
            except Empty:
                break
        time.sleep(self.rest_s)
        while not self._said.empty():
            said.append(self._said.get())
        return said


def wait_until(at_ns: int) -> None:
    """Wait for a moment of CLOCK_MONOTONIC: asleep while it is far, awake for the last stretch."""
    while (left := at_ns - time.monotonic_ns()) > 0:
        if left > 2 * MS:
            time.sleep((left - MS) / 1e9)


def zero(rig: Rig, *, trials: int) -> list[int]:
    """Return the spread of every trial in nanoseconds; raises HardwareMissing when contacts do not answer."""
    spreads = []
    for _ in range(trials):
        rig.fall(0)
        heard = rig.heard(len(rig.contacts))
        if missing := set(rig.contacts) - {(p.seat, p.key) for p in heard}:
            raise HardwareMissing(f"{len(missing)} contacts do not follow output A: wire it to all inputs (step zero)")
        spreads.append(spread_ns(heard))
        rig.rise()
    return spreads


def skews(rig: Rig, *, trials: int, bound_ns: int, skews_us: Sequence[int] = SKEWS_US) -> list[Trial]:
    """Return order against truth; A and B are first in turn, so that no channel is favoured."""
    return [_skew(rig, skew_us, one=n % 2, bound_ns=bound_ns) for skew_us in skews_us for n in range(trials)]


def _skew(rig: Rig, skew_us: int, *, one: int, bound_ns: int) -> Trial:
    first = rig.fall(one)
    wait_until(first[1] + skew_us * 1000)
    second = rig.fall(1 - one)
    real_us = (second[0] - first[1]) / 1000
    vague_us = (second[1] - first[0]) / 1000 - real_us
    heard = rig.heard(len(rig.contacts))
    rig.rise()
    a, b = ([p for p in heard if p.seat in seats] for seats in ((1, 3), (2, 4)))
    if vague_us > VAGUE_US:
        return Trial(real_us, "vague")
    if not a or not b:
        return Trial(real_us, "missing")
    return Trial(real_us, verdict(a, b, bound_ns=bound_ns) if one == 0 else verdict(b, a, bound_ns=bound_ns))


def bounces(rig: Rig, *, trials: int) -> Trains:
    """Return what bounce trains gave; one that the bench could not keep in time is tried again, but not for ever."""
    expected = heard_count = spoilt = 0
    late: list[int] = []
    while expected < trials * len(rig.contacts) and spoilt < MOST_SPOILT * trials:
        start_ns, took_ns = rig.rattle(0, BOUNCES_US)
        heard = rig.heard(len(rig.contacts))
        rig.rise()
        if took_ns > 2000 * BOUNCES_US[-1]:
            spoilt += 1
            continue
        expected += len(rig.contacts)
        heard_count += len(heard)
        late += [press.at_ns - start_ns for press in heard]
    return Trains(expected, heard_count, tuple(late), spoilt)


@contextmanager
def stress(*, burners: int = 2) -> Iterator[None]:
    """Keep the processors and the disk busy meanwhile."""
    with TemporaryDirectory(prefix="feltside-stress-") as folder:
        writer = [sys.executable, "-c", WRITER, str(Path(folder) / "data")]
        commands = [[sys.executable, "-c", BURNER]] * burners + [writer]
        children = [subprocess.Popen(command) for command in commands]
        try:
            yield
        finally:
            for child in children:
                child.kill()
            for child in children:
                child.wait()


def report(step: str, rig: Rig, *, trials: int, bound_ns: int, say: Callable[[str], None] = print) -> bool:
    """Run a step, say its table and what follows from it; returns whether the bound holds."""
    match step:
        case "zero":
            return report_zero(zero(rig, trials=trials), bound_ns, say)
        case "skew":
            return report_skews(skews(rig, trials=trials, bound_ns=bound_ns), bound_ns, say)
    return report_bounces(bounces(rig, trials=trials), bound_ns, say)
