"""The trial of the power cut is itself on trial: what its disks keep, what they lose, and that it would notice."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.appliance import powercut
from tests.appliance.disks import Disk, Op

SEEDS = range(60)
needs_cc = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")


def op(what: str, name: str, data: bytes = b"", *, at: int = 0, other: str = "") -> Op:
    return Op(what, f"/d/{name}" if name else "/d", f"/d/{other}" if other else "", at, data)


def outcomes(*ops: Op, before: dict[str, bytes] | None = None) -> list[dict[str, bytes]]:
    """Return the disks that a cut after these operations may leave."""
    found = []
    for seed in SEEDS:
        disk = Disk(Path("/nowhere"))
        for name, data in (before or {}).items():
            for made in (op("C", name), op("W", name, data), op("S", name), op("S", "")):
                disk.do(made)
        for made in ops:
            disk.do(made)
        left = disk.left(random.Random(seed), harsh=1.0)
        found.append({path.removeprefix("/d/"): data for path, data in left.items()})
    return found


def test_what_was_synced_with_its_folder_is_there_whatever_happens():
    ops = (op("C", "a"), op("W", "a", b"x" * 2000), op("S", "a"), op("S", ""))
    assert all(left == {"a": b"x" * 2000} for left in outcomes(*ops))


def test_a_name_without_its_folder_s_sync_may_be_gone():
    found = outcomes(op("C", "a"), op("W", "a", b"x"), op("S", "a"))
    assert {} in found
    assert {"a": b"x"} in found


def test_what_was_not_synced_is_there_or_lost_or_torn_at_a_sector():
    found = {left["a"] for left in outcomes(op("W", "a", b"n" * 1024), before={"a": b"o" * 1024})}
    assert {b"o" * 1024, b"n" * 1024, b"n" * 512 + b"o" * 512, b"o" * 512 + b"n" * 512} == found


def test_a_write_may_come_true_before_an_earlier_one():
    found = [left["a"] for left in outcomes(op("W", "a", b"1"), op("W", "a", b"2", at=1), before={"a": b"oo"})]
    assert b"o2" in found


def test_a_rename_happens_at_once_or_not_at_all():
    for left in outcomes(op("R", "new", other="a"), before={"new": b"n", "a": b"o"}):
        assert left in ({"a": b"n"}, {"a": b"o", "new": b"n"})


@needs_cc
@pytest.mark.parametrize("lying", [False, True])
def test_cuts_in_a_real_table_s_life(monkeypatch, capsys, lying):
    """Twenty cuts: nothing is lost on an honest card, and a card that lies about its syncs is caught."""
    words = ["powercut", "--cuts", "20", "--lives", "1", "--seed", "4"]
    monkeypatch.setattr("sys.argv", words + (["--lying-card"] if lying else []))
    status = powercut.main()
    told = capsys.readouterr().out
    assert status == (1 if lying else 0), told
    assert "20 cuts in 1 lives" in told
