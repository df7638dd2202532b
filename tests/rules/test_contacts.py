"""A board of contacts (issue 4: the first edge counts; RULES.md 1: a lock-in is final)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi.rules.contacts import WELLS, Contacts
from pi.rules.queueing import Key, PadMode, Press, debounce
from pi.rules.values import Seat

LOCKOUT = 1000
ONE, LOCK = (Seat(1), Key.ONE), (Seat(1), Key.LOCK)


def board(mode: PadMode = PadMode.WELLS) -> Contacts:
    return Contacts(mode, LOCKOUT)


def heard(contacts: Contacts, *edges: tuple) -> tuple[Contacts, list[Press]]:
    presses: list[Press] = []
    for contact, at_ns, closed in edges:
        contacts, certain = contacts.edge(contact, at_ns=at_ns, closed=closed)
        presses += certain
    return contacts, presses


def test_a_lock_waits_for_wells_that_still_rattle_and_keeps_its_time():
    contacts, presses = heard(board(), (ONE, 100, True), (LOCK, 400, True))
    assert [p.key for p in presses] == [Key.ONE]
    assert contacts.due_ns() == 1100
    contacts, presses = contacts.settled(1099)
    assert presses == ()
    contacts, presses = contacts.settled(1100)
    assert presses == (Press(Seat(1), Key.LOCK, 400),)
    assert contacts.due_ns() is None


def test_a_disk_that_jumped_out_again_is_told_before_the_lock_that_waited():
    contacts, _ = heard(board(), (ONE, 100, True), (ONE, 300, False), (LOCK, 400, True))
    _, presses = contacts.settled(5000)
    assert [(p.key, p.at_ns, p.closed) for p in presses] == [(Key.ONE, 300, False), (Key.LOCK, 400, True)]


def test_a_waiting_lock_is_due_when_the_last_of_its_wells_rests_so_nobody_asks_in_vain():
    contacts, _ = heard(board(), (ONE, 100, True), ((Seat(1), Key.TWO), 900, True), (LOCK, 950, True))
    assert contacts.due_ns() == 1900


def test_another_seats_lock_does_not_wait():
    _, presses = heard(board(), (ONE, 100, True), ((Seat(2), Key.LOCK), 400, True))
    assert [(p.seat, p.key) for p in presses] == [(1, Key.ONE), (2, Key.LOCK)]


def test_keys_never_wait_for_they_toggle_at_their_first_edge():
    _, presses = heard(board(PadMode.KEYS), (ONE, 100, True), (LOCK, 400, True))
    assert [p.key for p in presses] == [Key.ONE, Key.LOCK]


def test_bounces_that_reach_us_late_are_still_bounces():
    # The thread that reads edges waited its turn for 5000: silence by the clock is not silence at the contact.
    contacts, presses = board(PadMode.KEYS).edge(ONE, at_ns=0, closed=True, heard_ns=5000)
    assert len(presses) == 1
    contacts, _ = contacts.edge(ONE, at_ns=80, closed=False, heard_ns=5001)
    contacts, presses = contacts.settled(5002)
    assert presses == ()
    contacts, _ = contacts.edge(ONE, at_ns=130, closed=True, heard_ns=5500)
    assert contacts.settled(9000)[1] == ()


moves = st.lists(
    st.tuples(st.sampled_from([*((Seat(s), k) for s in (1, 2) for k in WELLS), LOCK, (Seat(2), Key.LOCK)]),
              st.integers(0, 20_000), st.booleans()),
    max_size=40, unique_by=lambda m: (m[0], m[1]),
)  # fmt: skip


@given(moves, st.lists(st.integers(0, 30_000), max_size=10))
def test_law_a_board_says_what_each_of_its_contacts_says_alone_no_more_and_no_less(edges, asked):
    contacts, presses = board(), []
    timeline = sorted([(at, 1, c, closed) for c, at, closed in edges] + [(at, 0, None, None) for at in asked],
                      key=lambda m: m[:2])  # fmt: skip
    for at, _, contact, closed in timeline:
        contacts, certain = contacts.settled(at) if contact is None else contacts.edge(contact, at_ns=at, closed=closed)
        presses += certain
    for _ in range(3):
        contacts, certain = contacts.settled(10**9)
        presses += certain
    assert contacts.due_ns() is None
    for contact in {c for c, _, _ in edges}:
        alone = debounce([(at, closed) for c, at, closed in edges if c == contact], lockout_ns=LOCKOUT)
        told = [(p.at_ns, p.closed) for p in presses if (p.seat, p.key) == contact]
        meant = [change for change in alone if change[1] or contact[1] in WELLS]
        assert sorted(told) == sorted(meant)
