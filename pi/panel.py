"""Buttons and wells in with their own time, lamps and buzzer out: the board at the table's edge, on gpiozero.

Callbacks only carry: gpiozero's thread puts (contact, time of the edge, level) into a queue, our own thread
debounces (pure, `pi.rules.contacts`) and hands on presses. The time is the one gpiozero's pin passes with
the change: on lgpio the kernel's CLOCK_MONOTONIC stamp, on mock pins the moment they were driven. Pins are
asked for edges without library debounce, which would stamp the last bounce instead of the first edge.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Protocol, Self

from gpiozero import Device, DigitalOutputDevice, InputDevice
from gpiozero.exc import BadPinFactory, GPIOZeroError

from pi.errors import HardwareMissing
from pi.lamps import Lamp, Pattern
from pi.rules.contacts import TABLE, Contact, Contacts
from pi.rules.queueing import Key, PadMode, Press
from pi.rules.values import Seat
from pi.settings import PanelSettings

RawEdge = tuple[Contact, int, bool]
"""(contact, CLOCK_MONOTONIC nanoseconds, closed)."""
BLINKS: Mapping[Pattern, tuple[float, float]] = {
    Pattern.SLOW: (0.5, 0.5),
    Pattern.FAST: (0.0625, 0.0625),
    Pattern.PULSE: (0.12, 0.38),
}
"""Seconds on, seconds off of the patterns that blink."""
CLOSE_WAIT_S = 2.0


class PressClock(Protocol):
    """What the panel needs of `pi.clock.TableClock`."""

    def from_monotonic(self, at_ns: int) -> int:
        """Return the journal time of a CLOCK_MONOTONIC stamp of this boot."""


class ContactPin(InputDevice):  # type: ignore[misc]
    """One contact between a pin and ground; hands every raw edge on with the pin's own time."""

    def __init__(self, pin: int, *, contact: Contact, carry: Callable[[RawEdge], None], pin_factory: Any) -> None:
        """Claim the pin with its pull-up; a closed contact reads as active."""
        super().__init__(pin, pull_up=True, pin_factory=pin_factory)
        self.contact, self._carry = contact, carry

    def listen(self) -> None:
        """Begin to hand on edges."""
        self.pin.bounce = None
        self.pin.edges = "both"
        self.pin.when_changed = self._changed

    def _changed(self, ticks: float, state: int) -> None:
        self._carry((self.contact, round(ticks * 1e9), not state))


class Panel:
    """The board while it is in use: `with Panel(...) as panel`.

    put: called with each accepted `Press`, from the panel's own thread. factory: a gpiozero pin factory;
    None takes gpiozero's choice for this machine. Raises HardwareMissing naming the pin.
    """

    def __init__(
        self,
        settings: PanelSettings,
        put: Callable[[Press], None],
        *,
        clock: PressClock,
        factory: Any = None,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Keep what is needed; pins are claimed on entering."""
        self.settings, self._put, self._clock, self._factory = settings, put, clock, factory
        self._monotonic_ns = monotonic_ns
        self._edges: SimpleQueue[RawEdge | None] = SimpleQueue()
        self._board = Contacts(settings.mode, settings.lockout_ns)
        self._pins: dict[Contact, ContactPin] = {}
        self._lamps: dict[Lamp, DigitalOutputDevice] = {}
        self._shown: dict[Lamp, Pattern] = {}
        self._stuck: frozenset[Contact] = frozenset()
        self._open = ExitStack()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def __enter__(self) -> Self:
        """Claim every pin, note what is closed already, and begin to listen."""
        try:
            self._claim()
        except BaseException:
            self._open.close()
            raise
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Stop listening, put every lamp out, give the pins back."""
        for pin in self._pins.values():
            pin.close()
        self._edges.put(None)
        self._thread.join(CLOSE_WAIT_S)
        self._open.close()

    def show(self, lamps: Mapping[Lamp, Pattern]) -> None:
        """Let each lamp do what it says; a lamp this board does not have is passed over."""
        for lamp, pattern in lamps.items():
            device = self._lamps.get(lamp)
            if device is not None and self._shown.get(lamp) is not pattern:
                self._shown[lamp] = pattern
                _do(device, pattern)

    def status(self) -> dict[str, Any]:
        """Return how the board is, secret-free, for the table's status."""
        stuck = sorted(self._stuck & self._board.closed(), key=lambda c: (c[0], c[1].value))
        words = [f"{_name(contact)} has been closed since the start" for contact in stuck]
        return {
            "state": "stuck" if stuck else "ok",
            "words": "; ".join(words) or "The pads answer.",
            "seats": sorted(self.settings.seats),
            "mode": self.settings.mode.value,
        }

    def _claim(self) -> None:
        for contact, pin in contacts_of(self.settings).items():
            device = self._device(_name(contact), pin, ContactPin, contact=contact, carry=self._edges.put)
            self._pins[contact] = device
        for lamp, pin in lamps_of(self.settings).items():
            self._lamps[lamp] = self._device(f"lamp {lamp.value}", pin, DigitalOutputDevice)

    def _device(self, name: str, pin: int, kind: Callable[..., Any], **how: Any) -> Any:
        try:
            factory = self._factory or Device.ensure_pin_factory() or Device.pin_factory
            return self._open.enter_context(kind(pin, pin_factory=factory, **how))
        except BadPinFactory as no:
            raise HardwareMissing(
                f"there are no GPIO pins here: {no} (expected a Raspberry Pi, or kind = 'none' in [panel])"
            ) from no
        except (GPIOZeroError, OSError, RuntimeError) as no:
            raise HardwareMissing(f"{name} cannot have BCM pin {pin}: {no}") from no
        except Exception as no:
            # lgpio's own error class derives from Exception alone and exists only where lgpio does.
            raise HardwareMissing(f"{name} cannot have BCM pin {pin}: {no!r}") from no

    def _begin(self) -> None:
        now_ns = self._monotonic_ns()
        for contact, pin in self._pins.items():
            closed = bool(pin.is_active)
            self._board = self._board.at_start(contact, closed=closed)
            if closed and self.settings.mode is PadMode.WELLS and contact[1].worth:
                self._hand_on((Press(contact[0], contact[1], now_ns),))
        self._stuck = frozenset(c for c in self._board.closed() if not self._is_well(c))
        for pin in self._pins.values():
            pin.listen()
        self._thread.start()

    def _is_well(self, contact: Contact) -> bool:
        return self.settings.mode is PadMode.WELLS and contact[1].worth > 0

    def _run(self) -> None:
        while True:
            due = self._board.due_ns()
            wait_s = None if due is None else max(0.0, (due - self._monotonic_ns()) / 1e9)
            try:
                edge = self._edges.get(timeout=wait_s)
            except Empty:
                self._board, presses = self._board.settled(self._monotonic_ns())
                self._hand_on(presses)
                continue
            if edge is None:
                return
            contact, at_ns, closed = edge
            self._board, presses = self._board.edge(contact, at_ns=at_ns, closed=closed)
            self._hand_on(presses)

    def _hand_on(self, presses: tuple[Press, ...]) -> None:
        for press in presses:
            at_ns = self._clock.from_monotonic(press.at_ns)
            self._put(Press(press.seat, press.key, at_ns, press.closed))


def contacts_of(settings: PanelSettings) -> dict[Contact, int]:
    """Return every contact of the board with its BCM pin."""
    found: dict[Contact, int] = {}
    for number, pins in settings.seats.items():
        keys = {Key.ONE: pins.one, Key.TWO: pins.two, Key.FOUR: pins.four, Key.LOCK: pins.lock}
        found |= {(Seat(number), key): pin for key, pin in keys.items()}
    if settings.next is not None:
        found[TABLE, Key.NEXT] = settings.next
    return found


def lamps_of(settings: PanelSettings) -> dict[Lamp, int]:
    """Return every lamp (and the buzzer) of the board with its BCM pin."""
    found = {Lamp.seat(Seat(number)): pins.lamp for number, pins in settings.seats.items()}
    found |= {Lamp.queue(place): pin for place, pin in enumerate(settings.queue, start=1)}
    if settings.buzzer is not None:
        found[Lamp.BUZZER] = settings.buzzer
    return found


def _do(device: DigitalOutputDevice, pattern: Pattern) -> None:
    match pattern:
        case Pattern.OFF:
            device.off()
        case Pattern.ON:
            device.on()
        case _:
            on_s, off_s = BLINKS[pattern]
            device.blink(on_time=on_s, off_time=off_s, background=True)


def _name(contact: Contact) -> str:
    seat, key = contact
    return "The table's NEXT button" if seat == TABLE else f"Seat {seat}'s {key.value.upper()} contact"
