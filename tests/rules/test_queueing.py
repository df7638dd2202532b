"""Presses, pads, order and ties (RULES.md 1: the last Ruling; the board's published bound)."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from pi.rules.queueing import TIE_BOUND_NS, Debouncer, Key, Pad, PadMode, Press, debounce, places, queue
from pi.rules.values import Seat

MS = 1_000_000


@dataclass(frozen=True)
class At:
    at_ns: int
    bound_ns: int = MS


def press(key: Key, at_ns: int, closed: bool = True) -> Press:
    return Press(Seat(1), key, at_ns, closed)


def test_order_is_by_the_presses_own_time_and_not_by_arrival():
    late, early = At(9 * MS), At(2 * MS)
    assert queue([late, early]) == ((early,), (late,))


def test_two_within_the_published_bound_tie_and_the_default_is_one_millisecond():
    assert TIE_BOUND_NS == MS
    assert queue([At(0), At(MS)]) == ((At(0), At(MS)),)
    assert queue([At(0), At(MS + 1)]) == ((At(0),), (At(MS + 1),))


def test_a_chain_of_ties_is_one_tie():
    a, b, c = At(0), At(MS), At(2 * MS)
    assert queue([c, a, b]) == ((a, b, c),)


def test_of_two_bounds_the_wider_decides():
    phone, pad = At(0, bound_ns=50 * MS), At(30 * MS)
    assert queue([pad, phone]) == ((phone, pad),)


def test_a_wide_bound_joins_everyone_in_between():
    a, b, phone = At(0), At(5 * MS), At(9 * MS, bound_ns=50 * MS)
    assert queue([a, b, phone]) == ((a, b, phone),)


def test_tied_ones_share_the_better_place_and_the_next_is_skipped():
    assert [place for place, _ in places([[At(0), At(1)], [At(9)]])] == [1, 1, 3]


times = st.lists(st.builds(At, st.integers(0, 20 * MS), st.sampled_from([MS, 5 * MS])), max_size=6)


@given(times, st.randoms(use_true_random=False))
def test_law_arrival_never_matters(entries: list[At], rng):
    shuffled = list(entries)
    rng.shuffle(shuffled)
    regroup = lambda groups: [sorted(g, key=lambda e: (e.at_ns, e.bound_ns)) for g in groups]  # noqa: E731
    assert regroup(queue(entries)) == regroup(queue(shuffled))


@given(times)
def test_law_whoever_is_told_apart_is_further_apart_than_the_bound(entries: list[At]):
    groups = queue(entries)
    assert sorted(e.at_ns for g in groups for e in g) == sorted(e.at_ns for e in entries)
    for before, after in zip(groups, groups[1:], strict=False):
        for a in before:
            for b in after:
                assert b.at_ns - a.at_ns > max(a.bound_ns, b.bound_ns)


def test_predictions_are_sums_of_the_disks_1_2_and_4():
    pad = Pad().pressed(press(Key.ONE, 1)).pressed(press(Key.FOUR, 2))
    assert pad.prediction(at_ns=5) == 5
    assert Pad().prediction(at_ns=5) == 0  # "No disk = a prediction of zero"


def test_keys_toggle_and_wells_hold():
    twice = Pad().pressed(press(Key.TWO, 1)).pressed(press(Key.TWO, 2))
    assert twice.prediction(at_ns=5) == 0
    well = Pad(PadMode.WELLS).pressed(press(Key.TWO, 1)).pressed(press(Key.TWO, 3, closed=False))
    assert well.prediction(at_ns=2) == 2
    assert well.prediction(at_ns=3) == 0


def test_a_key_pressed_before_lock_counts_even_when_it_arrives_after():
    pad = Pad().pressed(press(Key.FOUR, 30)).pressed(press(Key.ONE, 10))
    assert pad.prediction(at_ns=20) == 1


def test_a_new_round_clears_keys_but_not_disks_that_still_lie_in_their_wells():
    keys = Pad().pressed(press(Key.ONE, 1))
    wells = Pad(PadMode.WELLS).pressed(press(Key.ONE, 1))
    assert keys.cleared(at_ns=9).prediction(at_ns=9) == 0
    assert wells.cleared(at_ns=9).prediction(at_ns=9) == 1


def test_the_first_edge_is_the_time_of_the_press_whatever_bounces_after_it():
    bouncing = [(100, True), (120, False), (130, True), (150, False), (160, True)]
    assert debounce(bouncing, lockout_ns=1000) == [(100, True)]


def test_a_release_inside_the_lockout_is_not_lost():
    assert debounce([(100, True), (300, False)], lockout_ns=1000) == [(100, True), (300, False)]


def test_a_release_that_bounces_past_the_lockout_is_not_a_second_press():
    # A short tap: its release begins to bounce just before the lockout ends and goes on after it.
    tap = [(0, True), (980, False), (990, True), (995, False), (1005, True), (1010, False)]
    assert debounce(tap, lockout_ns=1000) == [(0, True), (995, False)]


def test_an_edge_already_undone_when_the_kernel_looked_is_still_the_first_edge():
    # gpiolib-cdev.c, edge_irq_thread: stamped by the interrupt, labelled by a level read later.
    told = [(100, False), (180, True), (190, False), (200, True)]
    assert debounce(told, lockout_ns=1000) == [(100, True)]


def test_a_lone_spike_begins_no_press_and_ages():
    assert debounce([(100, False)], lockout_ns=1000) == []
    assert debounce([(100, False), (100 + 251, True)], lockout_ns=1000) == [(351, True)]


edges_of_one_contact = st.lists(st.tuples(st.integers(0, 10_000), st.booleans()), max_size=30)


@given(edges_of_one_contact, st.integers(1, 3000))
def test_law_accepted_changes_alternate_in_time_order_and_end_where_the_contact_rests(edges, lockout: int):
    unique = sorted(dict(edges).items())
    accepted = debounce(unique, lockout_ns=lockout)
    assert [closed for _, closed in accepted] == [n % 2 == 0 for n in range(len(accepted))]
    assert [at for at, _ in accepted] == sorted(at for at, _ in accepted)
    assert {at for at, _ in accepted} <= {at for at, _ in unique}, "only edges that were give times"
    if unique:
        assert (accepted[-1][1] if accepted else False) == unique[-1][1]


@given(edges_of_one_contact, st.integers(1, 3000))
def test_law_the_first_closing_edge_of_all_is_never_lost_and_never_later_than_told(edges, lockout: int):
    unique = sorted(dict(edges).items())
    closing = [at for at, closed in unique if closed]
    if closing:
        first = debounce(unique, lockout_ns=lockout)[0]
        assert first[1]
        assert closing[0] - lockout // 4 <= first[0] <= closing[0]


@given(edges_of_one_contact, st.integers(1, 3000), st.lists(st.integers(0, 15_000), max_size=10))
def test_law_one_edge_at_a_time_gives_what_all_at_once_gives_whenever_somebody_asks(edges, lockout: int, asked):
    unique = sorted(dict(edges).items())
    state, changes = Debouncer(lockout), []
    moments = sorted([(at, 1, closed) for at, closed in unique] + [(at, 0, None) for at in asked], key=lambda m: m[:2])
    for at, _, closed in moments:
        state, told = state.settled(at) if closed is None else state.edge(at, closed)
        changes += told
    for _ in range(2):  # the end of one deaf time may begin another
        state, told = state.settled(10**9)
        changes += told
    assert changes == debounce(unique, lockout_ns=lockout)
