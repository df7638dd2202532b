"""Buttons and wells in with their own time, lamps and buzzer out: the board at the table's edge, on gpiozero.

Callbacks only carry: gpiozero's thread puts (contact, time of the edge, level) into a queue, our own thread
debounces (pure, `pi.rules.contacts`) and hands on presses. The time is the one gpiozero's pin passes with
the change: on lgpio the kernel's CLOCK_MONOTONIC stamp, on mock pins the moment they were driven. Pins are
asked for edges without library debounce, which would stamp the last bounce instead of the first edge.
`Button.when_pressed` would not do: its thread reads the clock again, and it keeps one change for several.

A part that fails takes nothing else with it: a busy pin costs its seat's pad, a lamp costs itself, each named
in `status`. Only a board without any chip raises.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Protocol, Self

from gpiozero import DigitalOutputDevice, InputDevice

from pi.errors import HardwareMissing
from pi.faults import LATE_NS, Faults
from pi.lamps import Lamp, Pattern
from pi.lights import Lights
from pi.pin_map import groups_of, lamps_of
from pi.pins import Wakes, kernel_times, pin_factory
from pi.rules.contacts import TABLE, Contact, Contacts
from pi.rules.queueing import Key, PadMode, Press
from pi.rules.values import Seat
from pi.settings import PanelSettings

RawEdge = tuple[Contact, int, bool]
"""(contact, CLOCK_MONOTONIC nanoseconds, closed)."""
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
    None takes lgpio's (or the one that $GPIOZERO_PIN_FACTORY names). Raises HardwareMissing on entering when
    there is no chip, or when no seat's pad could be had.
    """

    def __init__(
        self,
        settings: PanelSettings,
        put: Callable[[Press], None],
        *,
        clock: PressClock,
        factory: Any = None,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        watch: Callable[[RawEdge], None] = lambda edge: None,
        late_after_ns: int = LATE_NS,
    ) -> None:
        """Keep what is needed; pins are claimed on entering.

        watch: hears every raw edge (for the doctor). late_after_ns: an edge on its way for longer is a fault.
        """
        self.settings, self._put, self._clock, self._factory = settings, put, clock, factory
        self._monotonic_ns, self._watch = monotonic_ns, watch
        self._edges: SimpleQueue[RawEdge | threading.Event | None] = SimpleQueue()
        self._board = Contacts(settings.mode, settings.lockout_ns)
        self._faults = Faults(settings.lockout_ns, late_after_ns)
        self._pins: dict[Contact, ContactPin] = {}
        self._plugs: dict[Seat, InputDevice] = {}
        self._lights = Lights({})
        self._revealed_ns: int | None = None
        self._broken: dict[str, str] = {}
        self._resting: list[threading.Event] = []
        self._wakes = Wakes(None, 0)
        self._open = ExitStack()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def __enter__(self) -> Self:
        """Claim every pin, note what is closed already, and begin to listen."""
        try:
            self._factory = self._factory or pin_factory()
            self._claim()
            self._begin()
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Stop listening, put every lamp out, give the pins back."""
        for pin in self._pins.values():
            pin.close()
        self._edges.put(None)
        self._thread.join(CLOSE_WAIT_S)
        self._lights.end(wait_s=CLOSE_WAIT_S)
        self._open.close()

    def show(self, lamps: Mapping[Lamp, Pattern]) -> None:
        """Let each lamp do what it says; a lamp this board does not have is passed over."""
        self._lights.show(lamps)
        if lamps.get(Lamp.BUZZER) is Pattern.PULSE:
            # The reveal: what digit contacts did may be told from now on.
            self._revealed_ns = self._monotonic_ns()

    def status(self) -> dict[str, Any]:
        """Return how the board is, for the table's status: nothing in here depends on a hidden prediction."""
        now_ns = self._monotonic_ns()
        faults = [
            *self._broken.values(),
            *self._unplugged(),
            *self._faults.sentences(now_ns, revealed_ns=self._revealed_ns),
        ]
        faults += [f"The lamp {lamp.value} cannot be driven." for lamp in self._lights.failed]
        if not kernel_times(self._factory):
            faults.append("Times are Python's, not the kernel's: the published bound does not hold.")
        return {
            "state": "faulty" if faults else "ok",
            "words": " ".join(faults) or "The pads answer.",
            "seats": sorted({int(contact[0]) for contact in self._pins} - {int(TABLE)}),
            "mode": self.settings.mode.value,
        }

    def rest(self, timeout_s: float) -> bool:
        """Wait until every edge heard so far is debounced and handed on; False when that takes too long."""
        done = threading.Event()
        self._edges.put(done)
        return done.wait(timeout_s)

    # -- pins ---------------------------------------------------------------------------------------------

    def _claim(self) -> None:
        for group, pins in groups_of(self.settings).items():
            self._claim_group(group, pins)
        outputs = {lamp: self._output(lamp, pin) for lamp, pin in lamps_of(self.settings).items()}
        self._lights = Lights({lamp: output for lamp, output in outputs.items() if output is not None})
        for number, seat in self.settings.seats.items():
            if seat.plug is not None:
                self._claim_plug(Seat(number), seat.plug)
        if self.settings.seats and not any(contact[0] != TABLE for contact in self._pins):
            raise HardwareMissing(" ".join(self._broken.values()))

    def _claim_group(self, group: str, pins: Mapping[Contact, int]) -> None:
        """Claim a seat's contacts, all or none: a pad that lacks one would be silently wrong."""
        with ExitStack() as claimed:
            made: dict[Contact, ContactPin] = {}
            for contact, pin in pins.items():
                try:
                    made[contact] = claimed.enter_context(
                        ContactPin(pin, contact=contact, carry=self._carry, pin_factory=self._factory)
                    )
                except Exception as no:
                    # lgpio's error class derives from Exception alone; whatever it was, it is told.
                    self._broken[group] = f"{group} is off: BCM pin {pin} cannot be had ({_words(no)})."
                    return
            self._pins |= made
            self._open.push(claimed.pop_all())

    def _output(self, lamp: Lamp, pin: int) -> DigitalOutputDevice | None:
        try:
            device = self._open.enter_context(DigitalOutputDevice(pin, pin_factory=self._factory))
        except Exception as no:
            self._broken[lamp.value] = f"The lamp {lamp.value} is off: BCM pin {pin} cannot be had ({_words(no)})."
            return None
        return device

    def _claim_plug(self, seat: Seat, pin: int) -> None:
        try:
            device = self._open.enter_context(InputDevice(pin, pull_up=True, pin_factory=self._factory))
        except Exception as no:
            self._broken[f"plug {seat}"] = f"Seat {seat}'s plug cannot be watched on BCM pin {pin} ({_words(no)})."
            return
        self._plugs[seat] = device

    def _unplugged(self) -> list[str]:
        return [f"Seat {seat}'s pad is unplugged." for seat, plug in sorted(self._plugs.items()) if not plug.is_active]

    def _begin(self) -> None:
        now_ns = self._monotonic_ns()
        levels = {contact: bool(pin.is_active) for contact, pin in self._pins.items()}
        for contact, closed in levels.items():
            self._board = self._board.at_start(contact, closed=closed)
        held = [contact for contact, closed in levels.items() if closed and self._is_well(contact)]
        self._hand_on(tuple(Press(seat, key, now_ns) for seat, key in held))
        self._faults = self._faults.begun(c for c in self._board.closed() if not self._is_well(c))
        self._wakes = Wakes(self._factory, now_ns)
        for contact, pin in self._pins.items():
            pin.listen()
            if (closed := bool(pin.is_active)) != levels[contact]:
                # It changed between our first look and our listening; an edge told twice does no harm.
                self._edges.put((contact, self._monotonic_ns(), closed))
        self._thread.start()
        self._lights.begin()

    def _carry(self, edge: RawEdge) -> None:
        """Take an edge from gpiozero's thread: what it comes through is awake."""
        self._wakes.heard()
        self._edges.put(edge)

    def _is_well(self, contact: Contact) -> bool:
        return self.settings.mode is PadMode.WELLS and contact[1].worth > 0

    # -- edges, on our own thread -------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                item = self._edges.get(timeout=self._wait_s())
            except Empty:
                self._settle()
                self._wake()
                continue
            if item is None:
                self._let_rest()
                return
            if isinstance(item, threading.Event):
                self._resting.append(item)
                self._let_rest_if_quiet()
                continue
            self._hear(*item)

    def _wait_s(self) -> float | None:
        due = [at_ns for at_ns in (self._board.due_ns(), self._wakes.due_ns()) if at_ns is not None]
        return max(0.0, (min(due) - self._monotonic_ns()) / 1e9) if due else None

    def _wake(self) -> None:
        try:
            self._wakes.wake_if_due(self._monotonic_ns())
        except Exception as no:
            # lgpio's error class derives from Exception alone; whatever it was, it is told.
            self._broken["chip"] = f"The GPIO chip does not open any more ({_words(no)})."

    def _hear(self, contact: Contact, at_ns: int, closed: bool) -> None:
        self._watch((contact, at_ns, closed))
        heard_ns = self._monotonic_ns()
        self._faults = self._faults.edge(contact, at_ns=at_ns, closed=closed, heard_ns=heard_ns)
        self._board, presses = self._board.edge(contact, at_ns=at_ns, closed=closed, heard_ns=heard_ns)
        self._hand_on(presses)
        self._note(contact, at_ns)

    def _settle(self) -> None:
        now_ns = self._monotonic_ns()
        self._board, presses = self._board.settled(now_ns)
        self._hand_on(presses)
        for contact in self._pins:
            self._note(contact, now_ns)
        self._let_rest_if_quiet()

    def _note(self, contact: Contact, at_ns: int) -> None:
        """Keep since when a LOCK or NEXT is closed."""
        if contact[1] in (Key.LOCK, Key.NEXT):
            closed = contact in self._board.closed()
            since_ns = self._faults.closed_ns.get(contact, at_ns) if closed else None
            self._faults = self._faults.rests(contact, closed_ns=since_ns)

    def _let_rest_if_quiet(self) -> None:
        if self._board.due_ns() is None:
            self._let_rest()

    def _let_rest(self) -> None:
        for waiter in self._resting:
            waiter.set()
        self._resting.clear()

    def _hand_on(self, presses: tuple[Press, ...]) -> None:
        for press in presses:
            at_ns = self._clock.from_monotonic(press.at_ns)
            self._put(Press(press.seat, press.key, at_ns, press.closed))


def _words(error: BaseException) -> str:
    return str(error).strip("'\"") or type(error).__name__
