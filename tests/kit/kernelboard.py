"""The panel in a process of its own, on real gpiozero, lgpio and the kernel's simulated GPIO chip.

Here time is real: a test's plan of edges is played at its pace, the kernel stamps each, and each stamp is held
against the moment at which the line was pulled. What fits is handed back as the planned time, so that the same
test runs on this board as on the others; what does not fit is handed back as it is, and the test fails.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import pytest

from pi.lamps import Lamp, Pattern
from pi.pin_map import contacts_of, lamps_of
from pi.rules.contacts import Contact
from pi.rules.queueing import Key, Press
from pi.rules.values import Seat
from pi.settings import PanelSettings
from tests.kit.boards import Edge, settings_text
from tests.kit.fakechip import PATIENCE_S, ROOT
from tests.kit.gpiosim import GpioSim

APART_NS = 60_000_000
"""Between two plans: longer than any lockout, so that one plan's end is no bounce of the next."""
SLOW_NS = 20_000_000
"""A plan that was played this much late was another plan: then there is nothing to judge."""
HEARD_S = 0.2
"""What an edge that makes no press (a plug) takes to be heard, at the very most."""


@dataclass(frozen=True, slots=True)
class Played:
    """One edge of a plan as the world made it: the kernel's stamp lies between before and after."""

    line: int
    planned_ns: int
    before_ns: int
    after_ns: int


class KernelBoard:
    """A panel over gpio-sim; the same face as the other boards of the kit."""

    def __init__(self, settings: PanelSettings, *, closed: Iterable[Contact] = (), busy: Iterable[int] = ()) -> None:
        """Keep what to open; `busy` pins are held by this process."""
        if list(closed):
            pytest.skip("gpio-sim: the pull-up of whoever claims a line wins over a contact held from the start")
        self.settings = settings
        self._lines, self._lamps, self._busy = contacts_of(settings), lamps_of(settings), list(busy)
        self._chip, self._folder = GpioSim(), tempfile.TemporaryDirectory(prefix="kernel-board-")
        self._heard: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._said: list[Press] = []
        self._played: list[Played] = []
        self._ahead_ns: int | None = None

    def __enter__(self) -> Self:
        """Make the chip, take the busy pins, start the panel and wait until it listens."""
        self._chip.__enter__()
        environ = {**os.environ, "LG_WD": self._folder.name, "PYTHONPATH": str(ROOT)}
        os.environ["LG_WD"] = self._folder.name
        self._held = self._hold()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.kernel_child", settings_text(self.settings), str(self._chip.number)],
            env=environ,
            cwd=self._folder.name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        while "ready" not in (line := self._line()):
            self._take(line)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End the panel and take the chip away."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        self._reader.join()
        self._process.stdout.close()
        if self._held is not None:
            import lgpio

            lgpio.gpiochip_close(self._held)
        self._chip.__exit__(kind, error, where)
        self._folder.cleanup()

    def drive(self, edges: Sequence[Edge]) -> None:
        """Play the edges in the order of their planned times, at their pace."""
        plan = sorted(edges, key=lambda edge: edge[1])
        if not plan:
            return
        self._set_pace(plan[0][1])
        for contact, planned_ns, closed in plan:
            self._wait_until(planned_ns + self._ahead)
            line = self._lines[contact]
            self._played.append(Played(line, planned_ns, *self._chip.pull(line, up=not closed)))
        late_ns = self._played[-1].before_ns - plan[-1][1] - self._ahead
        if late_ns > SLOW_NS:
            pytest.skip(f"this machine played {len(plan)} edges {late_ns / 1e6:.0f} ms late: too slow for this plan")

    def drive_told(self, contact: Contact, *, at_ns: int, closed: bool) -> None:
        """A real kernel cannot be told how to label an edge: this test is not for it."""
        pytest.skip("gpio-sim: the kernel labels its edges itself")

    def plug(self, pin: int, *, inside: bool) -> None:
        """Push a plug in or pull it out, and give the panel the time to hear it."""
        self._chip.pull(pin, up=not inside)
        time.sleep(HEARD_S)

    def show(self, lamps: dict[Lamp, Pattern]) -> None:
        """Show lamps; returns when they are shown."""
        self._answer({"show": {lamp.value: pattern.value for lamp, pattern in lamps.items()}}, "shown")

    def lit(self, lamp: Lamp) -> bool:
        """Tell whether a lamp is lit now: what the kernel's line drives."""
        return bool(self._chip.level(self._lamps[lamp]))

    def status(self) -> dict[str, Any]:
        """Return the panel's status."""
        return dict(self._answer({"status": True}, "status"))

    def press(self) -> Press:
        """Return the next press that the panel hands on."""
        while not self._said:
            self._take(self._line())
        return self._said.pop(0)

    def rest(self) -> None:
        """Wait until everything heard is handed on."""
        assert self._answer({"rest": PATIENCE_S}, "rests")

    def waiting(self) -> list[Press]:
        """Return what was handed on and not yet taken."""
        said, self._said = self._said, []
        return said

    @property
    def _ahead(self) -> int:
        assert self._ahead_ns is not None
        return self._ahead_ns

    def _set_pace(self, first_ns: int) -> None:
        """Choose by how much real times are ahead of the plan's; never so that a plan would lie in the past."""
        earliest = time.monotonic_ns() + 1_000_000
        if self._played:
            earliest = max(earliest, self._played[-1].after_ns + APART_NS)
        if self._ahead_ns is None or first_ns + self._ahead_ns < earliest:
            self._ahead_ns = earliest - first_ns

    @staticmethod
    def _wait_until(at_ns: int) -> None:
        # Sleep most of the way; the last stretch is spun, for a bounce may be 50 us long.
        while (left := at_ns - time.monotonic_ns()) > 0:
            if left > 2_000_000:
                time.sleep((left - 1_000_000) / 1e9)

    def _hold(self) -> int | None:
        if not self._busy:
            return None
        import lgpio

        chip = lgpio.gpiochip_open(self._chip.number)
        for pin in self._busy:
            lgpio.gpio_claim_input(chip, pin)
        return int(chip)

    def _planned(self, press: Press) -> Press:
        """Return the press at its planned time, if the kernel's stamp fits the moment of that edge."""
        line = self._lines[press.seat, press.key]
        for edge in self._played:
            if edge.line == line and edge.before_ns <= press.at_ns <= edge.after_ns:
                return replace(press, at_ns=edge.planned_ns)
        return press

    def _answer(self, request: dict[str, Any], word: str) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        while word not in (line := self._line()):
            self._take(line)
        return line[word]

    def _line(self) -> dict[str, Any]:
        return self._heard.get(timeout=PATIENCE_S) or {"end": True}

    def _take(self, line: dict[str, Any]) -> None:
        if "press" not in line:
            raise RuntimeError(f"the panel said {line}")
        seat, key, at_ns, closed = line["press"]
        self._said.append(self._planned(Press(Seat(seat), Key(key), at_ns, closed)))

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._heard.put(json.loads(line))
        self._heard.put(None)
