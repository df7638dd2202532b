"""The bench of the board: promise 2 of FIELD.md, "lock order is true to a published bound; closer is a tie"."""

from __future__ import annotations

from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.bench_figures import Trial, bound_that_follows_ns, nearest, percentile, report_skews, spread_ns, verdict
from pi.bench_panel import OUTPUTS, Rig
from pi.errors import HardwareMissing
from pi.pin_map import contacts_of
from pi.rules.queueing import TIE_BOUND_NS, Key, Press
from pi.rules.values import Seat
from pi.settings import PanelSettings
from tests.kit import fakechip
from tests.kit.fakechip import PATIENCE_S, FakeChip

MS = 1_000_000
NO_CHIP = pytest.mark.skipif(fakechip.missing() is not None, reason=str(fakechip.missing()))


def at(*times: int) -> list[Press]:
    return [Press(Seat(n), Key.LOCK, ns) for n, ns in enumerate(times, start=1)]


def test_the_spread_of_one_moment_is_from_the_first_stamp_to_the_last():
    assert spread_ns(at(5, 3, 9)) == 6
    assert spread_ns([]) == 0


def test_the_queue_itself_judges_and_the_worst_pair_counts():
    assert verdict(at(0), at(2 * MS), bound_ns=MS) == "right"
    assert verdict(at(0), at(MS), bound_ns=MS) == "tied"
    assert verdict(at(0, 2 * MS), at(2 * MS), bound_ns=MS) == "tied"
    assert verdict(at(9 * MS), at(2 * MS), bound_ns=MS) == "wrong"


@given(st.lists(st.integers(0, 40 * MS), min_size=1), st.lists(st.integers(1, 50_000)))
def test_law_the_bound_covers_twice_every_spread_and_every_skew_told_wrong(spreads: list[int], wrong: list[int]):
    bound = bound_that_follows_ns(spreads, wrong)
    assert bound % MS == 0, "no digits the hardware cannot honour"
    assert all(2 * spread <= bound for spread in spreads)
    assert all(us * 1000 <= bound for us in wrong)


def test_percentiles_are_measured_values():
    assert percentile([3.0, 1.0, 2.0], 50) == 2.0
    assert percentile([1.0], 99) == 1.0


def test_a_trial_counts_where_it_really_was():
    assert nearest(1100) == 1000
    assert nearest(0.1) == 50


def test_an_order_told_wrong_is_never_excused():
    said: list[str] = []
    assert report_skews([Trial(5000, "right")], MS, said.append)
    assert not report_skews([Trial(100, "wrong")], MS, said.append)
    assert not report_skews([Trial(5000, "tied")], MS, said.append)
    assert report_skews([Trial(5000, "vague"), Trial(500, "tied")], MS, said.append)


def test_an_output_that_is_a_contact_is_refused():
    with pytest.raises(HardwareMissing, match="BCM pin 17 is a contact"):
        Rig(PanelSettings(), outputs=(17, 19))


def bench(step: str, trials: int, *, orders: Sequence[str] = ()) -> dict[str, Any]:
    """Run a step over the fake chip with everything wired as HARDWARE.md says."""
    a, b = OUTPUTS
    wires = [
        f"wire {b if step == 'skew' and seat in (2, 4) else a} {pin}"
        for (seat, _), pin in contacts_of(PanelSettings()).items()
    ]
    with FakeChip(["-m", "tests.kit.bench_child", step, str(trials)], orders=[*wires, *orders]) as chip:
        return chip.heard() or {}


@NO_CHIP
def test_one_output_on_all_inputs_is_a_tie_every_time():
    result = bench("zero", 5)
    assert result["said"][0].endswith("max 0.0 us")
    assert result["said"][1] == f"all tied within {TIE_BOUND_NS / MS:g} ms: 5 of 5"
    assert result["holds"]


@NO_CHIP
def test_a_board_with_the_jitter_of_a_busy_pi_still_ties_and_the_default_bound_follows():
    # 17 interrupts one after the other, 8 us each, and up to 150 us of jitter: worse than a Pi 3B+ shows.
    result = bench("zero", 10, orders=["latency 8000 150000"])
    assert result["said"][2].startswith(f"the bound that follows: {TIE_BOUND_NS / MS:g} ms")
    assert result["holds"]


@NO_CHIP
@pytest.mark.slow
def test_no_programmed_skew_is_told_in_the_wrong_order():
    result = bench("skew", 2, orders=["latency 8000 150000"])
    assert result["holds"], result["said"]


@NO_CHIP
@pytest.mark.slow
def test_a_bounce_train_is_one_press_with_the_time_of_its_first_edge():
    result = bench("bounce", 10)
    assert result["holds"], result["said"]


@NO_CHIP
def test_contacts_that_do_not_follow_are_said_to_be_wired_wrongly():
    with (
        TemporaryFile("w+") as complaints,
        FakeChip(["-m", "tests.kit.bench_child", "zero", "1"], complaints=complaints) as chip,
    ):
        assert chip.heard() is None
        assert chip.process.wait(PATIENCE_S) != 0
        complaints.seek(0)
        contacts = len(contacts_of(PanelSettings()))
        assert f"{contacts} contacts do not follow output A: wire it to all inputs" in complaints.read()
