"""What is wrong with a board, from its edges alone; never telling what a seat pressed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi.faults import BUSY_EDGES, HELD_NS, KERNEL_QUEUE, LATE_NS, REMEMBERED_NS, Faults
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key
from pi.rules.values import Seat

MS = 1_000_000
LOCK, FOUR, NEXT = (Seat(2), Key.LOCK), (Seat(2), Key.FOUR), (TABLE, Key.NEXT)


def after(contact: Contact, *times: int, heard: int | None = None) -> Faults:
    faults = Faults(20 * MS)
    for n, at in enumerate(times):
        faults = faults.edge(contact, at_ns=at, closed=n % 2 == 0, heard_ns=at if heard is None else heard)
    return faults


def told(faults: Faults, now_ns: int = 0, revealed_ns: int | None = None) -> str:
    return " ".join(faults.sentences(now_ns, revealed_ns=revealed_ns))


def test_an_ordinary_press_with_its_bounces_is_no_fault():
    assert told(after(LOCK, *(n * 100_000 for n in range(KERNEL_QUEUE - 1)))) == ""


def test_as_many_edges_as_the_kernel_keeps_within_one_lockout_are_chatter():
    assert "Seat 2's LOCK button chatters" in told(after(LOCK, *(n * MS for n in range(KERNEL_QUEUE))))


def test_a_full_queue_that_came_in_one_batch_is_named_however_far_apart_its_edges_were():
    # Nobody read for a while: sixteen edges are left, older ones may be lost.
    late = after(LOCK, *(n * 30 * MS for n in range(KERNEL_QUEUE)), heard=500 * MS)
    assert "chatters" in told(late, 500 * MS)


def test_slow_chatter_is_chatter_too():
    assert "chatters" in told(after(LOCK, *(n * 4 * MS for n in range(BUSY_EDGES))), BUSY_EDGES * 4 * MS)


def test_chatter_is_forgotten_after_a_minute_of_rest():
    faults = after(NEXT, *(n * MS for n in range(KERNEL_QUEUE)))
    assert told(faults, REMEMBERED_NS) != ""
    assert told(faults, REMEMBERED_NS + KERNEL_QUEUE * MS) == ""


def test_a_digits_chatter_is_told_only_after_a_reveal_that_came_later():
    faults = after(FOUR, *(n * MS for n in range(KERNEL_QUEUE)))
    assert told(faults, 20 * MS) == told(faults, 20 * MS, revealed_ns=3 * MS) == ""
    assert told(faults, 20 * MS, revealed_ns=16 * MS).startswith("A digit contact of seat 2 chatters")
    assert faults.chattering(20 * MS) == {FOUR}, "its owner may know at once"


def test_a_button_held_for_long_is_named_until_it_opens():
    faults = Faults(20 * MS).rests(LOCK, closed_ns=0)
    assert told(faults, HELD_NS) == ""
    assert told(faults, HELD_NS + 1) == "Seat 2's LOCK button has been held down for more than 30 seconds."
    assert told(faults.rests(LOCK, closed_ns=None), HELD_NS + 1) == ""


def test_a_late_digit_is_nobodys_business():
    assert told(after(FOUR, 0, heard=LATE_NS + 1), LATE_NS + 1) == ""
    assert "took 250 ms to reach the table" in told(after(LOCK, 0, heard=LATE_NS + 1), LATE_NS + 1)


digit_edges = st.lists(st.tuples(st.sampled_from([Key.ONE, Key.TWO, Key.FOUR]), st.integers(0, 10**9)), max_size=60)


@given(digit_edges, st.integers(0, 2 * 10**9))
def test_law_before_a_reveal_no_edge_of_a_digit_changes_what_is_told(edges, now_ns: int):
    faults = quiet = after(LOCK, *(n * MS for n in range(KERNEL_QUEUE)))
    for n, (key, at) in enumerate(edges):
        faults = faults.edge((Seat(1 + n % 4), key), at_ns=at, closed=n % 2 == 0, heard_ns=at + n * MS)
    assert told(faults, now_ns) == told(quiet, now_ns)
