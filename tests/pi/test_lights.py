"""Rhythms on pins, and the lamp language itself (issue 4: one pure table; not by colour alone)."""

from __future__ import annotations

import pytest

from pi.lamps import LANGUAGE, RHYTHM, Lamp, Pattern, language_markdown, lit
from pi.lights import Lights


class Pin:
    def __init__(self, fails: bool = False) -> None:
        self.states: list[int] = []
        self._fails = fails

    @property
    def value(self) -> int:
        return self.states[-1] if self.states else 0

    @value.setter
    def value(self, value: int) -> None:
        if self._fails:
            raise OSError("no such line")
        self.states.append(value)


def shown(pattern: Pattern, steps: int = 16) -> str:
    return "".join(str(int(lit(pattern, step))) for step in range(steps))


def test_no_two_patterns_look_alike_within_a_second_nor_by_how_long_they_are_lit():
    assert len({shown(pattern) for pattern in Pattern}) == len(Pattern)
    blinking = [shown(p) for p in (Pattern.SLOW, Pattern.FAST, Pattern.PULSE)]
    assert len({text.count("01") for text in blinking}) == 3, "told apart by counting flashes, in any colour"


@pytest.mark.parametrize("kind", ["seat", "queue", "buzzer"])
def test_no_two_meanings_of_a_lamp_share_a_pattern(kind: str):
    patterns = [pattern for lamp, _, pattern in LANGUAGE if lamp == kind]
    assert len(patterns) == len(set(patterns))


def test_a_refused_press_blinks_and_never_lights():
    (refused,) = [p for lamp, when, p in LANGUAGE if lamp == "seat" and "refused" in when]
    assert refused is Pattern.FAST
    assert "11" not in RHYTHM[refused] * 2


def test_a_pattern_begins_with_its_first_step_at_once_and_goes_on_with_every_tick():
    pin = Pin()
    lights = Lights({Lamp.SEAT_1: pin})
    lights.show({Lamp.SEAT_1: Pattern.PULSE, Lamp.SEAT_2: Pattern.ON})
    for _ in range(16):
        lights.tick()
    assert "".join(map(str, pin.states)) == "1010000000000000" + "1"


def test_showing_the_same_again_does_not_start_the_rhythm_anew():
    pin = Pin()
    lights = Lights({Lamp.SEAT_1: pin})
    for _ in range(4):
        lights.show({Lamp.SEAT_1: Pattern.FAST})
        lights.tick()
    assert pin.states == [1, 0, 1, 0, 1]


def test_a_lamp_that_fails_is_named_and_the_others_go_on():
    good = Pin()
    lights = Lights({Lamp.SEAT_1: Pin(fails=True), Lamp.SEAT_2: good})
    lights.show({Lamp.SEAT_1: Pattern.ON, Lamp.SEAT_2: Pattern.ON})
    assert good.value == 1
    assert lights.failed == {Lamp.SEAT_1: "OSError: no such line"}


def test_the_end_is_dark():
    pin = Pin()
    lights = Lights({Lamp.SEAT_1: pin})
    lights.begin()
    lights.show({Lamp.SEAT_1: Pattern.SLOW})
    lights.end(wait_s=10)
    assert pin.value == 0


def test_the_lamp_language_is_a_table_that_names_every_pattern():
    text = language_markdown()
    assert text.startswith("| lamp | does | when |\n")
    assert text.count("\n") == len(LANGUAGE) + 2
