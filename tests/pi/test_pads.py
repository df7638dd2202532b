"""The pads between LOCK and LOCK: what counts is what was pressed in this round, also after a crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.errors import JournalDamaged
from pi.pads import MOST_PRESSES, Pads, recalled, turn_of
from pi.rules import commands as ask
from pi.rules.match import NEW, Match
from pi.rules.queueing import Key, Pad, PadMode, Press
from pi.rules.values import Seat
from tests import builders
from tests.pi.bench import press

ROUND: Match = builders.match(builders.start("Ann", "Bob"), ask.Next(100))
DISKS = (Key.ONE, Key.TWO, Key.FOUR)
presses = st.lists(
    st.builds(Press, st.just(Seat(1)), st.sampled_from(DISKS), st.integers(100, 400), st.booleans()), max_size=300
)


def pads(mode: PadMode = PadMode.KEYS) -> Pads:
    return Pads(mode, turn_of(ROUND))


def test_keys_pressed_before_the_round_opened_do_not_count():
    early = pads().pressed(press(1, "4", at_ns=99)).pressed(press(1, "1", at_ns=100))
    assert early.prediction(Seat(1), at_ns=500) == 1
    assert Pads(PadMode.KEYS).pressed(press(1, "4", at_ns=99)) == Pads(PadMode.KEYS)


@given(presses, st.sampled_from(PadMode))
def test_folding_a_long_row_of_presses_changes_no_prediction(several: list[Press], mode: PadMode):
    ours, whole = pads(mode), Pad(mode)
    for one in sorted(several, key=lambda p: p.at_ns):
        ours, whole = ours.pressed(one), whole.pressed(one)
        assert ours.prediction(Seat(1), at_ns=one.at_ns) == whole.prediction(at_ns=one.at_ns)
    assert all(len(pad.presses) <= MOST_PRESSES for pad in ours.pads.values())


@given(presses)
def test_the_pads_come_back_from_their_text(several: list[Press]):
    ours = pads()
    for one in several:
        ours = ours.pressed(one)
    assert recalled(ours.text(), ROUND, mode=PadMode.KEYS).pads == ours.pads


def test_pads_of_another_round_or_match_are_not_taken_up():
    text = pads().pressed(press(1, "4", at_ns=150)).text()
    later = builders.match(builders.start("Ann", "Bob"), ask.Next(101))
    assert recalled(text, later, mode=PadMode.KEYS).prediction(Seat(1), at_ns=500) == 0
    assert recalled(text, NEW, mode=PadMode.KEYS).pads == {}


def test_wells_are_reported_anew_after_a_start():
    text = pads(PadMode.WELLS).pressed(press(1, "4", at_ns=150)).text()
    assert recalled(text, ROUND, mode=PadMode.WELLS).pads == {}


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"match": "m1", "opened_ns": 100, "pads": 5}'])
def test_a_text_that_is_none_is_refused(text: str):
    with pytest.raises(JournalDamaged, match="pads kept beside the journal"):
        recalled(text, ROUND, mode=PadMode.KEYS)


def test_a_withdrawn_lock_clears_that_seats_keys_alone():
    locked = builders.play(ROUND, builders.lock(1, 4))
    ours = pads().pressed(press(1, "4", at_ns=150)).pressed(press(2, "2", at_ns=150)).following(locked)
    after = ours.following(builders.play(locked, ask.WithdrawLockIn(Seat(1))))
    assert [after.prediction(Seat(s), at_ns=500) for s in (1, 2)] == [0, 2]
