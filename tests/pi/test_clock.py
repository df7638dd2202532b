"""The table's clock: only ever forward, over restarts, reboots and dates that jump."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pi.clock import TableClock, this_boot, utc_text


class Memory:
    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.last = 0

    def recall(self, key: str) -> str | None:
        return self.words.get(key)

    def remember(self, words) -> None:
        self.words |= words

    def last_at_ns(self) -> int:
        return self.last


def clock(memory: Memory, boot: str, monotonic: int) -> TableClock:
    return TableClock.recalled(memory, boot_id=boot, monotonic_ns=lambda: monotonic)


def test_the_same_boot_keeps_its_offset_so_that_edges_from_before_a_restart_compare():
    memory = Memory()
    memory.last = 900
    first = clock(memory, "boot-a", 100)
    memory.last = 905
    again = clock(memory, "boot-a", 150)
    assert first.offset_ns == again.offset_ns
    assert again.from_monotonic(120) == first.from_monotonic(120)


def test_a_new_boot_goes_on_after_the_last_event():
    memory = Memory()
    clock(memory, "boot-a", 1_000_000)
    memory.last = 2_000_000
    assert clock(memory, "boot-b", 5).now_ns() == 2_000_001


def test_a_boot_without_a_name_is_always_a_new_one():
    memory = Memory()
    memory.last = 500
    assert clock(memory, "", 5).now_ns() == 501
    memory.last = 900
    assert clock(memory, "", 6).now_ns() == 901


@given(st.lists(st.tuples(st.sampled_from(["a", "b", ""]), st.integers(0, 10**9), st.integers(0, 10**6)), max_size=12))
def test_whatever_boots_come_time_never_goes_back_behind_an_event(lives):
    memory = Memory()
    for boot, monotonic, later in lives:
        now = clock(memory, boot, monotonic)
        assert now.now_ns() > memory.last or memory.last == 0
        memory.last = max(memory.last, now.from_monotonic(monotonic + later))


def test_people_read_utc_to_the_millisecond():
    moment = datetime(2026, 11, 21, 20, 30, 45, 123999, tzinfo=timezone(timedelta(hours=1)))
    assert utc_text(moment) == "2026-11-21T19:30:45.123Z"
    assert datetime.fromisoformat(utc_text()).tzinfo == UTC


def test_a_machine_without_boot_names_has_none(tmp_path: Path):
    assert this_boot(tmp_path / "none") == ""
