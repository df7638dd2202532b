"""The lamp language: a pure table, never telling what a seat chose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.lamps import LANGUAGE, Flash, Flashing, Lamp, Pattern, lamps
from pi.rules import commands as ask
from pi.rules.match import NEW, Match
from pi.rules.values import Seat
from tests import builders

OFF, ON, SLOW, FAST, PULSE = Pattern.OFF, Pattern.ON, Pattern.SLOW, Pattern.FAST, Pattern.PULSE


def row(match: Match, *flashes: Flashing, of: str = "seat") -> list[Pattern]:
    shown = lamps(match, flashes)
    return [pattern for lamp, pattern in shown.items() if lamp.value.startswith(of)]


def opened(*more, **house) -> Match:
    return builders.match(builders.start("Ann", "Bob", "Cid", **house), ask.Next(1), *more)


def test_without_a_match_and_between_rounds_everything_is_dark():
    assert set(lamps(NEW).values()) == {OFF}
    assert set(lamps(builders.match(builders.start())).values()) == {OFF}


def test_an_open_round_awaits_every_seat_that_plays():
    assert row(opened()) == [SLOW, SLOW, SLOW, OFF]
    assert row(opened(), of="queue") == [SLOW, OFF, OFF, OFF]


def test_a_lock_in_lights_its_seat_and_the_next_queue_lamp():
    match = opened(builders.lock(2, 3), builders.lock(1, 0, at=2))
    assert row(match) == [ON, ON, SLOW, OFF]
    assert row(match, of="queue") == [ON, ON, SLOW, OFF]


def test_when_all_are_in_no_place_is_awaited():
    match = opened(builders.lock(1, 1), builders.lock(2, 1, at=2), builders.lock(3, 1, at=3))
    assert row(match, of="queue") == [ON, ON, ON, OFF]


def test_a_held_match_awaits_nobody_and_forgets_nobody():
    match = opened(builders.lock(1, 1), ask.Hold())
    assert row(match) == [ON, OFF, OFF, OFF]
    assert row(match, of="queue") == [ON, OFF, OFF, OFF]


def test_after_the_reveal_those_who_were_right_pulse_until_the_next_round():
    match = opened(builders.lock(1, 3), builders.lock(2, 5, at=2), builders.lock(3, 3, at=3), ask.RuleTotal(1, 3))
    assert row(match) == [PULSE, OFF, PULSE, OFF]
    assert row(match, of="queue") == [OFF] * 4
    assert row(builders.play(match, ask.Next(9))) == [SLOW, SLOW, SLOW, OFF]


def test_the_winner_pulses():
    match = opened(
        builders.lock(1, 3), builders.lock(2, 3, at=2), builders.lock(3, 0, at=3), ask.RuleTotal(1, 3), target=7
    )
    assert row(match) == [PULSE, OFF, OFF, OFF]


def test_a_refused_press_blinks_over_whatever_the_lamp_shows():
    flash = Flashing(Flash.REFUSED, 0, Seat(1))
    match = opened(builders.lock(1, 1))
    assert row(match, flash) == [FAST, SLOW, SLOW, OFF]
    assert row(match, Flashing(Flash.REFUSED, 0), of="buzzer") == [FAST]
    assert row(match, Flashing(Flash.REFUSED, 0, Seat(9))) == row(match)


@pytest.mark.parametrize(("flash", "pattern"), [(Flash.ACCEPTED, ON), (Flash.REVEALED, PULSE)])
def test_the_buzzer_tells_acceptance_and_reveal(flash: Flash, pattern: Pattern):
    assert row(opened(), Flashing(flash, 0, Seat(1)), of="buzzer") == [pattern]


@given(one=st.integers(0, 7), other=st.integers(0, 7), seat=st.integers(1, 3))
def test_before_the_reveal_no_lamp_depends_on_a_prediction(one: int, other: int, seat: int):
    assert lamps(opened(builders.lock(seat, one))) == lamps(opened(builders.lock(seat, other)))


def test_every_meaning_in_the_printed_language_has_its_own_pattern():
    for kind in ("seat", "queue", "buzzer"):
        patterns = [pattern for lamp, _, pattern in LANGUAGE if lamp == kind]
        assert len(patterns) == len(set(patterns)), f"two meanings of the {kind} lamp look alike"


def test_a_board_has_lamps_for_four():
    assert Lamp.seat(Seat(4)) is Lamp.SEAT_4
    with pytest.raises(ValueError):
        Lamp.queue(5)
