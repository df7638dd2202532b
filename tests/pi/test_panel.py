"""The panel's contract, alike on mock pins, on real gpiozero and lgpio over a fake chip, and over a chip that the
kernel simulates (where there is one: `modprobe gpio-sim` as root), and on a real board.

Issue 4's words: the first edge of a press is the time of the press; each fault is named; none loses another
seat's press. `edges` are stamped in the past, so that no test waits for a lockout to pass.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from pi.lamps import Lamp, Pattern
from pi.pins import WAKE_AFTER_S, Wakes
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key, PadMode, Press
from pi.rules.values import Seat
from pi.settings import PanelSettings
from tests.kit import fakechip, gpiosim
from tests.kit.boards import SENTINEL, Board, ChipBoard, Edge, MockBoard, settings_text
from tests.kit.kernelboard import KernelBoard

MS = 1_000_000
KEYS = PanelSettings(mode=PadMode.KEYS)
WELLS = PanelSettings(mode=PadMode.WELLS)
NO_CHIP = pytest.mark.skipif(fakechip.missing() is not None, reason=str(fakechip.missing()))

NO_KERNEL_CHIP = pytest.mark.skipif(gpiosim.missing() is not None, reason=str(gpiosim.missing()))

Opened = Callable[..., Board | KernelBoard]


@pytest.fixture(params=["mock", pytest.param("chip", marks=NO_CHIP), pytest.param("kernel", marks=NO_KERNEL_CHIP)])
def board(request: pytest.FixtureRequest):
    """Return a function that opens a board: `board(settings, closed=..., busy=...)`."""
    kind = {"mock": MockBoard, "chip": ChipBoard, "kernel": KernelBoard}[request.param]
    opened: list[Board | KernelBoard] = []

    def make(settings: PanelSettings = KEYS, **how: object) -> Board:
        opened.append(kind(settings, **how).__enter__())
        return opened[-1]

    yield make
    for one in opened:
        one.__exit__(None, None, None)


def contact(seat: int, key: Key) -> Contact:
    return Seat(seat), key


def past_ns() -> int:
    return time.monotonic_ns() - 2_000 * MS


def all_of(board: Board | KernelBoard, edges: list[Edge]) -> list[Press]:
    """Drive edges, then the table's NEXT button; return every press but that one, in order of time."""
    last = max((at for _, at, _ in edges), default=past_ns()) + 500 * MS
    board.drive([*edges, (SENTINEL, last, True), (SENTINEL, last + 100 * MS, False)])
    said = [board.press()]
    while said[-1].key is not Key.NEXT:
        said.append(board.press())
    board.rest()
    said += board.waiting()
    return sorted((p for p in said if p.key is not Key.NEXT), key=lambda p: p.at_ns)


def train(what: Contact, at_ns: int, *offsets_us: int) -> list[Edge]:
    """Return a bounce train that begins closed and changes at each offset."""
    return [(what, at_ns + us * 1000, n % 2 == 0) for n, us in enumerate(offsets_us)]


def test_a_press_has_the_time_of_its_edge(board: Opened):
    at = past_ns()
    lock = contact(2, Key.LOCK)
    assert all_of(board(), [(lock, at, True), (lock, at + 90 * MS, False)]) == [Press(Seat(2), Key.LOCK, at)]


def test_every_contact_of_every_seat_is_told_apart(board: Opened):
    at = past_ns()
    keys = [contact(seat, key) for seat in (1, 2, 3, 4) for key in (Key.ONE, Key.TWO, Key.FOUR, Key.LOCK)]
    edges = [(key, at + n * MS, True) for n, key in enumerate(keys)]
    assert [(p.seat, p.key) for p in all_of(board(), edges)] == keys


def test_the_first_edge_counts_and_bounces_do_not(board: Opened):
    at = past_ns()
    edges = train(contact(1, Key.LOCK), at, 0, 80, 130, 400, 420, 900, 1500, 2100, 2600)
    assert all_of(board(), edges) == [Press(Seat(1), Key.LOCK, at)]


def test_an_edge_read_late_by_the_kernel_is_still_the_first(board: Opened):
    # It bounced open before the interrupt's thread looked: told as open, then as closed.
    at, lock, opened = past_ns(), contact(3, Key.LOCK), board()
    opened.drive_told(lock, at_ns=at, closed=False)
    assert all_of(opened, [(lock, at + 60_000, True)]) == [Press(Seat(3), Key.LOCK, at)]


def test_order_is_by_the_edges_own_time_whatever_arrives_first(board: Opened):
    at = past_ns()
    edges = [(contact(4, Key.LOCK), at + 3000, True), (contact(1, Key.LOCK), at, True)]
    assert [p.seat for p in all_of(board(), edges)] == [1, 4]


def test_a_key_pressed_twice_is_two_presses_and_letting_go_is_none(board: Opened):
    at, key = past_ns(), contact(1, Key.TWO)
    edges = [(key, at, True), (key, at + 80 * MS, False), (key, at + 200 * MS, True), (key, at + 300 * MS, False)]
    assert [(p.key, p.closed) for p in all_of(board(), edges)] == [(Key.TWO, True), (Key.TWO, True)]


def test_a_disk_taken_out_of_its_well_is_told(board: Opened):
    at, well = past_ns(), contact(1, Key.FOUR)
    edges = [(well, at, True), (well, at + 300 * MS, False)]
    assert [(p.at_ns, p.closed) for p in all_of(board(WELLS), edges)] == [(at, True), (at + 300 * MS, False)]


def test_a_disk_that_lies_in_its_well_from_the_start_counts(board: Opened):
    opened = board(WELLS, closed=[contact(2, Key.FOUR)])
    assert [(p.seat, p.key, p.closed) for p in all_of(opened, [])] == [(2, Key.FOUR, True)]
    assert opened.status()["state"] == "ok"


# -- faults ---------------------------------------------------------------------------------------------------


def test_a_button_stuck_from_the_start_is_named_until_it_opens_and_others_play_on(board: Opened):
    at, stuck, other = past_ns(), contact(2, Key.LOCK), contact(1, Key.LOCK)
    opened = board(closed=[stuck])
    assert opened.status() == {
        "state": "faulty",
        "words": "Seat 2's LOCK button has been closed since the start.",
        "seats": [1, 2, 3, 4],
        "mode": "keys",
    }
    assert [p.seat for p in all_of(opened, [(other, at, True)])] == [1]
    opened.drive([(stuck, at + 700 * MS, False)])
    assert all_of(opened, [(stuck, at + 900 * MS, True)]) == [Press(Seat(2), Key.LOCK, at + 900 * MS)]
    assert opened.status()["state"] == "ok"


def test_a_chattering_lock_is_named_and_loses_nobody_elses_press(board: Opened):
    at, bad = past_ns(), contact(1, Key.LOCK)
    edges = [(bad, at + n * 200_000, n % 2 == 0) for n in range(1001)]
    others = [(contact(seat, Key.LOCK), at + seat * 31 * MS + 7, True) for seat in (2, 3, 4)]
    opened = board()
    said = all_of(opened, sorted([*edges, *others], key=lambda e: e[1]))
    assert [(p.seat, p.at_ns) for p in said if p.seat != 1] == [(c[0], t) for c, t, _ in others]
    # Its own first edge may be among those that the kernel's queue of sixteen dropped: that is what is named.
    assert [p for p in said if p.seat == 1][0].at_ns >= at
    assert "Seat 1's LOCK button chatters" in opened.status()["words"]


def test_a_chattering_digit_is_named_only_after_the_reveal_for_it_tells_that_it_was_used(board: Opened):
    at, bad, opened = past_ns(), contact(1, Key.FOUR), board()
    all_of(opened, [(bad, at + n * 200_000, n % 2 == 0) for n in range(401)])
    assert opened.status()["words"] == "The pads answer."
    opened.show({Lamp.BUZZER: Pattern.PULSE})
    assert opened.status()["words"].startswith("A digit contact of seat 1 chatters")


def test_an_overloaded_computer_is_named_and_the_press_keeps_its_time():
    at = past_ns()
    with MockBoard(KEYS, late_after_ns=250 * MS) as opened:
        assert all_of(opened, [(contact(1, Key.LOCK), at, True)]) == [Press(Seat(1), Key.LOCK, at)]
        assert "ms to reach the table: the computer is overloaded" in opened.status()["words"]


def test_a_busy_pin_costs_its_seats_pad_and_no_other(board: Opened):
    opened = board(busy=[KEYS.seats[3].two])
    status = opened.status()
    assert status["seats"] == [1, 2, 4]
    assert status["words"].startswith(f"Seat 3's pad is off: BCM pin {KEYS.seats[3].two} cannot be had (")
    assert "busy" in status["words"]
    at = past_ns()
    assert [p.seat for p in all_of(opened, [(contact(4, Key.LOCK), at, True)])] == [4]


def test_a_busy_lamp_costs_only_itself(board: Opened):
    opened = board(busy=[KEYS.seats[1].lamp])
    opened.show({Lamp.SEAT_1: Pattern.ON, Lamp.SEAT_2: Pattern.ON})
    assert opened.lit(Lamp.SEAT_2)
    assert opened.status()["words"].startswith("The lamp seat-1 is off")
    assert opened.status()["seats"] == [1, 2, 3, 4]


def test_an_unplugged_pad_is_named_where_its_plug_is_wired(board: Opened):
    seats = {1: replace(KEYS.seats[1], plug=16), 2: KEYS.seats[2]}
    opened = board(replace(KEYS, seats=seats), closed=[])
    opened.plug(16, inside=True)
    assert opened.status()["words"] == "The pads answer."
    opened.plug(16, inside=False)
    assert opened.status()["words"] == "Seat 1's pad is unplugged."


def test_lamps_show_at_once_and_a_lamp_the_board_lacks_is_passed_over(board: Opened):
    opened = board(replace(KEYS, seats={1: KEYS.seats[1]}))
    opened.show({Lamp.SEAT_1: Pattern.ON, Lamp.SEAT_4: Pattern.ON, Lamp.QUEUE_1: Pattern.SLOW})
    assert opened.lit(Lamp.SEAT_1)
    assert opened.lit(Lamp.QUEUE_1)
    opened.show({Lamp.SEAT_1: Pattern.OFF})
    assert not opened.lit(Lamp.SEAT_1)


@NO_CHIP
def test_a_library_that_missed_that_there_are_lines_to_read_is_woken_and_no_press_is_lost():
    # lgpio's thread sees no line to read, and every line is claimed before it waits to be told of one.
    at, lock = past_ns(), contact(3, Key.LOCK)
    with ChipBoard(KEYS, orders=["drowse"]) as opened:
        opened.drive([(lock, at, True)])
        opened.chip.tell("wake")
        assert all_of(opened, []) == [Press(Seat(3), Key.LOCK, at)]


@NO_CHIP
def test_a_chip_that_is_gone_when_the_library_is_to_be_woken_is_named_and_stops_nothing():
    with ChipBoard(KEYS) as opened:
        opened.chip.tell("gone")
        late = time.monotonic() + fakechip.PATIENCE_S
        while (status := opened.status())["state"] == "ok":
            assert time.monotonic() < late, "nobody names it"
        assert status["words"].startswith("The GPIO chip does not open any more (")
        opened.rest()


def test_the_library_is_woken_until_an_edge_came_through_and_no_other_ever():
    wakes = Wakes(type("LGPIOFactory", (), {})(), claimed_ns=5)
    assert wakes.due_ns() == 5 + round(WAKE_AFTER_S[0] * 1e9)
    wakes.wake_if_due(5)
    assert wakes.due_ns() == 5 + round(WAKE_AFTER_S[0] * 1e9), "not before its time"
    wakes.heard()
    assert wakes.due_ns() is None
    assert Wakes(MockBoard(KEYS).factory, claimed_ns=5).due_ns() is None


@NO_CHIP
def test_of_a_burst_nobody_could_read_each_line_loses_only_its_own_oldest_edges():
    # The kernel keeps 16 events a line: a thousand edges at once, before lgpio's thread gets a turn.
    at, bad, good = past_ns(), contact(1, Key.LOCK), contact(2, Key.LOCK)
    with ChipBoard(KEYS) as opened:
        opened.chip.tell("hold")
        opened.drive([(bad, at + n * 1000, n % 2 == 0) for n in range(1001)])
        opened.drive([(good, at + 5000, True)])
        opened.chip.tell("go")
        said = all_of(opened, [])
        assert [p.at_ns for p in said if p.seat == 2] == [at + 5000]
        assert "Seat 1's LOCK button chatters: its times may be late" in opened.status()["words"]
        assert opened.chip.tell("stats")[0].endswith("dropped 985")


@NO_CHIP
def test_without_a_chip_the_board_is_missing_and_says_what_to_look_at():
    with fakechip.FakeChip(["-m", "tests.kit.panel_child", settings_text(KEYS)], orders=["gone"]) as chip:
        said = chip.heard() or {}
    assert "GPIO chip" in said["missing"]


@NO_CHIP
def test_somewhere_that_is_no_pi_the_board_is_missing():
    with fakechip.FakeChip(["-m", "tests.kit.panel_child", settings_text(KEYS)], revision="0") as chip:
        said = chip.heard() or {}
    assert "missing" in said


@NO_CHIP
def test_the_date_may_jump_a_day_either_way_and_presses_keep_their_order_and_time():
    day = 86_400
    at = past_ns()
    locks = [(contact(seat, Key.LOCK), at + seat * MS, True) for seat in (3, 1, 2)]
    with ChipBoard(KEYS) as opened:
        before = opened.date()
        opened.drive(locks[:1])
        opened.chip.tell(f"date {day}")
        assert opened.date() - before > day - 60, "the process does see another date"
        opened.drive(locks[1:2])
        opened.chip.tell(f"date -{day}")
        assert opened.date() - before < 60 - day
        said = all_of(opened, locks[2:])
    assert [(p.seat, p.at_ns) for p in said] == [(1, at + MS), (2, at + 2 * MS), (3, at + 3 * MS)]


@pytest.mark.hardware
def test_a_real_board_rests_open_and_shows_its_lamps():
    if not os.path.exists("/dev/gpiochip0"):
        pytest.skip("no GPIO chip here")
    from pi.clock import TableClock
    from pi.panel import Panel

    said: list[Press] = []
    with Panel(KEYS, said.append, clock=TableClock()) as panel:
        panel.show(dict.fromkeys(Lamp, Pattern.ON))
        assert panel.rest(5.0)
        assert panel.status()["state"] == "ok", "hands off the pads while this runs"
    assert said == []
    assert Seat(0) == TABLE
