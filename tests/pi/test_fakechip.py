"""The fake GPIO chip of the test kit keeps what the kernel keeps: it is only worth as much as this."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit import fakechip
from tests.kit.fakechip import FakeChip

pytestmark = pytest.mark.skipif(fakechip.missing() is not None, reason=str(fakechip.missing()))

LISTENER = """
import sys, json, threading, time
from gpiozero import Device, InputDevice, LED
from gpiozero.exc import GPIOZeroError
from pi.pins import Wakes
def say(**words): print(json.dumps(words), flush=True)
try:
    button = InputDevice(17, pull_up=True)
except Exception as no:
    say(no=repr(no))
    sys.exit()
awake = threading.Event()
def wake():
    # lgpio's thread may have missed that there is a line to read: it is told as by the panel.
    wakes = Wakes(Device.pin_factory, time.monotonic_ns())
    while (due_ns := wakes.due_ns()) is not None and not awake.wait(max(0, due_ns - time.monotonic_ns()) / 1e9):
        wakes.wake_if_due(time.monotonic_ns())
def heard(ticks, state):
    awake.set()
    say(at=round(ticks * 1e9), high=state)
button.pin.edges = "both"
button.pin.when_changed = heard
threading.Thread(target=wake, daemon=True).start()
say(factory=type(Device.pin_factory).__name__, model=Device.pin_factory.board_info.model, closed=bool(button.is_active))
lamp = LED(18)
for line in sys.stdin:
    try:
        lamp.value = json.loads(line)["lamp"]
    except Exception as no:
        say(no=repr(no))
"""


def chip(*orders: str) -> FakeChip:
    return FakeChip(["-c", LISTENER], orders=orders)


@pytest.fixture
def listener() -> Iterator[FakeChip]:
    with chip() as running:
        assert running.heard() == {"factory": "LGPIOFactory", "model": "4B", "closed": False}
        yield running


def test_gpiozero_takes_it_for_a_pi_and_sees_a_button_that_is_held_from_the_start():
    with chip("level 17 0") as running:
        assert running.heard() == {"factory": "LGPIOFactory", "model": "4B", "closed": True}


def test_the_stamp_of_an_edge_arrives_to_the_nanosecond(listener: FakeChip):
    at = 123_456_789_012_345
    listener.tell(f"level 17 0 {at}", f"level 17 1 {at + 1}")
    assert listener.heard() == {"at": at, "high": 0}
    assert listener.heard() == {"at": at + 1, "high": 1}


def test_an_edge_is_labelled_by_the_level_at_which_the_kernel_looked(listener: FakeChip):
    # drivers/gpio/gpiolib-cdev.c, edge_irq_thread: the stamp is the interrupt's, the level is read later.
    listener.tell("edge 17 rise 1000", "edge 17 fall 2000")
    assert [listener.heard(), listener.heard()] == [{"at": 1000, "high": 1}, {"at": 2000, "high": 0}]


def test_of_a_burst_nobody_could_read_the_kernel_drops_the_oldest(listener: FakeChip):
    # drivers/gpio/gpiolib-cdev.c, linereq_put_event: kfifo_skip when full; 16 events for one line.
    listener.tell("hold", *(f"level 17 {n % 2} {1000 + n}" for n in range(40)), "go")
    assert [(listener.heard() or {})["at"] for _ in range(16)] == list(range(1024, 1040))
    assert listener.tell("stats") == ["events 40 dropped 24"]


def test_a_line_that_somebody_else_holds_is_busy():
    with chip("busy 17") as running:
        assert "busy" in (running.heard() or {})["no"]


def test_without_a_chip_there_is_no_factory():
    with chip("gone") as running:
        assert "no" in (running.heard() or {})


def test_outputs_are_logged_with_their_time_and_drive_what_is_wired_to_them(listener: FakeChip):
    listener.ask({"lamp": 0})
    listener.tell("level 17 1 1", "wire 18 17 500")
    before = listener.tell("log")
    assert len(before) == 1
    listener.ask({"lamp": 1})
    listener.ask({"lamp": 0})
    fallen = listener.heard() or {}
    ((line, value, at),) = [change for change in listener.outputs() if change[1] == 0]
    assert (line, value) == (18, 0)
    assert fallen == {"at": at + 500, "high": 0}


def test_a_command_the_chip_does_not_know_is_a_fault_of_the_test(listener: FakeChip):
    with pytest.raises(ValueError, match="does not know"):
        listener.tell("dance 17")
