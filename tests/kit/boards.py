"""A board of buttons and lamps as tests see one: the same whether its pins are mock, played or real.

Edges are stamped by the test: on the mock by a pin that lets its time be set, on the fake chip as the kernel
would stamp them. Nothing here sleeps; everything waits for what the panel says, with a time-out.
"""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from gpiozero.pins.mock import MockFactory, MockPin

from pi.clock import TableClock
from pi.lamps import Lamp, Pattern
from pi.panel import Panel
from pi.pin_map import contacts_of, lamps_of
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key, PadMode, Press
from pi.rules.values import Seat
from pi.settings import PanelSettings, SeatPins
from tests.kit.fakechip import PATIENCE_S, FakeChip

Edge = tuple[Contact, int, bool]
"""(contact, CLOCK_MONOTONIC ns, closed) as the world makes it."""
SENTINEL = (TABLE, Key.NEXT)
NEVER_LATE_NS = 10**15
"""Tests stamp edges in the past, so that no lockout has to be waited for."""


class TimedPin(MockPin):
    """A mock pin whose changes carry the time that the test says."""

    def drive_at(self, high: bool, at_ns: int, *, told: bool | None = None) -> None:
        """Change the level with a stamp; `told` is the level handed on, where it differs (read late)."""
        changed = self._change_state(high)
        if not changed and told is None:
            return
        self._last_change = at_ns / 1e9
        if self._edges == "both" and self._when_changed is not None:
            method = self._when_changed()
            if method is not None:
                method(at_ns / 1e9, high if told is None else told)


class MockBoard:
    """The panel on gpiozero's mock pins, in this process."""

    def __init__(
        self,
        settings: PanelSettings,
        *,
        closed: Iterable[Contact] = (),
        busy: Iterable[int] = (),
        late_after_ns: int = NEVER_LATE_NS,
    ) -> None:
        """Make the pins; `closed` contacts are held from the start, `busy` pins cannot be had."""
        self.settings = settings
        taken = set(busy)

        class Factory(MockFactory):  # type: ignore[misc]
            def reserve_pins(self, requester: Any, *pins: Any) -> None:
                if taken & {getattr(pin, "number", pin) for pin in map(_number, pins)}:
                    raise RuntimeError("GPIO busy")
                super().reserve_pins(requester, *pins)

        self.factory = Factory(pin_class=TimedPin)
        self._lines = contacts_of(settings)
        for contact in closed:
            self._hold(self.factory.pin(self._lines[contact]))
        self._said: queue.SimpleQueue[Press] = queue.SimpleQueue()
        how: dict[str, Any] = {"clock": TableClock(), "factory": self.factory, "late_after_ns": late_after_ns}
        self.panel = Panel(settings, self._said.put, **how)

    @staticmethod
    def _hold(pin: TimedPin) -> None:
        # The panel sets the pull-up as it claims a pin, which drives a mock pin high; a held one stays low.
        pin._set_pull = lambda value: setattr(pin, "_pull", value)  # type: ignore[method-assign]
        pin._change_state(False)

    def __enter__(self) -> Self:
        """Enter the panel."""
        self.panel.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Leave the panel and give the pins back."""
        self.panel.__exit__(kind, error, where)
        self.factory.close()

    def drive(self, edges: Sequence[Edge]) -> None:
        """Let the world move contacts."""
        for contact, at_ns, closed in edges:
            self.factory.pin(self._lines[contact]).drive_at(not closed, at_ns)

    def drive_told(self, contact: Contact, *, at_ns: int, closed: bool) -> None:
        """Hand on an edge labelled so, whatever the level is (the kernel looked late)."""
        pin = self.factory.pin(self._lines[contact])
        pin.drive_at(pin.state, at_ns, told=not closed)

    def plug(self, pin: int, *, inside: bool) -> None:
        """Push a plug in or pull it out."""
        self.factory.pin(pin).drive_at(not inside, 1)

    def show(self, lamps: dict[Lamp, Pattern]) -> None:
        """Show lamps."""
        self.panel.show(lamps)

    def lit(self, lamp: Lamp) -> bool:
        """Tell whether a lamp is lit now."""
        return bool(self.factory.pin(lamps_of(self.settings)[lamp]).state)

    def status(self) -> dict[str, Any]:
        """Return the panel's status."""
        return self.panel.status()

    def press(self) -> Press:
        """Return the next press that the panel hands on."""
        return self._said.get(timeout=PATIENCE_S)

    def rest(self) -> None:
        """Wait until everything heard is handed on."""
        assert self.panel.rest(PATIENCE_S)

    def waiting(self) -> list[Press]:
        """Return what was handed on and not yet taken."""
        said = []
        while not self._said.empty():
            said.append(self._said.get())
        return said


def _number(pin: Any) -> Any:
    return pin.info.name if hasattr(pin, "info") and not hasattr(pin, "number") else pin


class ChipBoard:
    """The panel in a process of its own, on real gpiozero and lgpio over the fake chip."""

    def __init__(
        self,
        settings: PanelSettings,
        *,
        closed: Iterable[Contact] = (),
        busy: Iterable[int] = (),
        orders: Iterable[str] = (),
    ) -> None:
        """Make the chip; `closed` contacts are held from the start, `busy` pins belong to somebody else.

        orders: more commands for the chip before anything opens it.
        """
        self.settings = settings
        self._lines, self._lamps = contacts_of(settings), lamps_of(settings)
        held = [f"level {self._lines[contact]} 0" for contact in closed]
        orders = [*held, *(f"busy {pin}" for pin in busy), *orders]
        self.chip = FakeChip(["-m", "tests.kit.panel_child", settings_text(settings)], orders=orders)
        self._said: list[Press] = []

    def __enter__(self) -> Self:
        """Start the process and wait until its panel listens."""
        self.chip.__enter__()
        try:
            while "ready" not in (line := self.chip.heard() or {"end": True}):
                self._take(line)
        except BaseException:
            self.chip.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End the process."""
        self.chip.__exit__(kind, error, where)

    def drive(self, edges: Sequence[Edge]) -> None:
        """Let the world move contacts."""
        self.chip.tell(*(f"level {self._lines[c]} {int(not closed)} {at}" for c, at, closed in edges))

    def drive_told(self, contact: Contact, *, at_ns: int, closed: bool) -> None:
        """Report an edge labelled so, whatever the level is (the kernel looked late)."""
        self.chip.tell(f"edge {self._lines[contact]} {'fall' if closed else 'rise'} {at_ns}")

    def plug(self, pin: int, *, inside: bool) -> None:
        """Push a plug in or pull it out."""
        self.chip.tell(f"level {pin} {int(not inside)}")

    def show(self, lamps: dict[Lamp, Pattern]) -> None:
        """Show lamps; returns when they are shown."""
        self._answer({"show": {lamp.value: pattern.value for lamp, pattern in lamps.items()}}, "shown")

    def lit(self, lamp: Lamp) -> bool:
        """Tell whether a lamp is lit now."""
        return bool(self.chip.level(self._lamps[lamp]))

    def status(self) -> dict[str, Any]:
        """Return the panel's status."""
        return dict(self._answer({"status": True}, "status"))

    def date(self) -> float:
        """Return the date as the panel's process sees it, in seconds."""
        return float(self._answer({"date": True}, "date"))

    def press(self) -> Press:
        """Return the next press that the panel hands on."""
        while not self._said:
            self._take(self.chip.heard() or {})
        return self._said.pop(0)

    def rest(self) -> None:
        """Wait until everything heard is handed on."""
        assert self._answer({"rest": PATIENCE_S}, "rests")

    def waiting(self) -> list[Press]:
        """Return what was handed on and not yet taken."""
        said, self._said = self._said, []
        return said

    def _answer(self, request: dict[str, Any], word: str) -> Any:
        self.chip.ask(request)
        while word not in (line := self.chip.heard() or {"end": True}):
            self._take(line)
        return line[word]

    def _take(self, line: dict[str, Any]) -> None:
        if "press" not in line:
            raise RuntimeError(f"the panel said {line}")
        seat, key, at_ns, closed = line["press"]
        self._said.append(Press(Seat(seat), Key(key), at_ns, closed))


Board = MockBoard | ChipBoard
Boards = Callable[..., Board]


def settings_text(settings: PanelSettings) -> str:
    """Return panel settings as the child reads them."""
    seats = {str(number): asdict(pins) for number, pins in settings.seats.items()}
    return json.dumps({"mode": settings.mode.value, "lockout_ms": settings.lockout_ms, "seats": seats})


def settings_of(text: str) -> PanelSettings:
    """Return the panel settings of `settings_text`."""
    raw = json.loads(text)
    seats = {int(number): SeatPins(**pins) for number, pins in raw["seats"].items()}
    return PanelSettings(mode=PadMode(raw["mode"]), lockout_ms=raw["lockout_ms"], seats=seats)
