"""Before a match every button can be tried; from its first event on no press is shown to anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi.inbox import Status
from pi.lamps import Lamp, Pattern
from pi.rules import commands as ask
from pi.rules.queueing import PadMode
from pi.stamps import status_of
from pi.tryout import PART, READ_NS
from tests.pi.bench import MS, Bench, bench
from web.setup import DO, wish

KEYS = ("1", "2", "4", "lock")


@pytest.fixture
def table(tmp_path: Path):
    found = bench(tmp_path)
    yield found
    found.journal.close()


def tried(table: Bench) -> list[str]:
    return list(table.news[-1]["status"].get(PART, {}).get("seen", ()))


def test_every_key_that_is_pressed_is_seen_and_lights_its_lamp(table):
    for seat in (1, 2, 3, 4):
        for key in KEYS:
            table.press(seat, key)
            assert f"{seat}/{key}" in tried(table)
            if key != "lock":
                assert table.lamp(Lamp.seat(seat)) is Pattern.ON
            table.pass_ms(2000)
            assert table.lamp(Lamp.seat(seat)) is Pattern.OFF
    table.press(1, "next")
    assert "next" in tried(table)
    assert len(tried(table)) == 17


def test_all_lamps_can_be_tried_and_the_list_begins_anew(table):
    table.press(2, "4")
    table.give(Status({PART: {"do": "lamps"}}))
    table.pass_ms(5)
    assert tried(table) == []
    assert all(table.lamp(lamp) is Pattern.ON for lamp in Lamp if lamp is not Lamp.BUZZER)
    assert table.lamp(Lamp.BUZZER) is Pattern.OFF
    table.pass_ms(2000)
    assert all(pattern is Pattern.OFF for pattern in table.shown[-1].values())


def test_the_eye_reads_for_a_look_for_ten_minutes(table):
    table.give(Status({PART: {"do": "read"}}))
    table.pass_ms(5)
    assert table.news[-1]["status"][PART] == {"seen": [], "read": True}
    table.clock.ns += READ_NS
    table.pass_ms(5)
    assert PART not in table.news[-1]["status"]


@pytest.mark.parametrize("what", [{"do": "reveal"}, {}, {"do": ["lamps"]}, {"seen": ["1/1"]}])
def test_anything_else_changes_nothing(table, what):
    table.give(Status({PART: what}))
    table.pass_ms(5)
    assert PART not in table.news[-1]["status"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(PadMode)), st.lists(st.tuples(st.integers(1, 2), st.sampled_from(KEYS)), max_size=8))
def test_law_once_a_match_is_played_no_press_is_shown(tmp_path_factory, mode, presses):
    table = bench(tmp_path_factory.mktemp("match"), mode=mode)
    table.press(1, "1")
    table.start("Ann", "Bob")
    table.news.clear()
    for seat, key in presses:
        table.clock.ns += 50 * MS
        table.press(seat, key)
        table.give(Status({PART: {"do": "lamps"}}))
        table.give(Status({PART: {"do": "read"}}))
        table.pass_ms(5)
    assert all(PART not in news["status"] for news in table.news)
    table.journal.close()


def test_a_disk_that_is_laid_before_the_match_is_not_told_for_it_may_stay(tmp_path):
    said = []
    for number, keys in enumerate((("1",), ("2", "4"))):
        table = bench(tmp_path / str(number), mode=PadMode.WELLS)
        for key in keys:
            table.press(1, key)
        table.start("Ann", "Bob")
        lit = [lamp for shown in table.shown for lamp, pattern in shown.items() if pattern is Pattern.ON]
        said.append(([news["status"].get(PART) for news in table.news if PART in news["status"]], lit))
        table.journal.close()
    assert said == [([], []), ([], [])]


def test_a_well_counts_as_tried_when_its_disk_is_lifted(tmp_path):
    table = bench(tmp_path, mode=PadMode.WELLS)
    table.press(3, "4")
    table.press(3, "4", closed=False)
    assert tried(table) == ["3/4"]
    table.journal.close()


def test_after_the_match_they_can_be_tried_again(table):
    table.start("Ann", "Bob")
    table.press(1, "1")
    table.ask(ask.EndMatch())
    assert tried(table) == []
    table.press(1, "2")
    assert tried(table) == ["1/2"]


@pytest.mark.parametrize("do", DO)
def test_the_door_takes_what_the_page_asks(do):
    wanted = wish({"do": do})
    assert status_of(wanted) == Status(wanted)
