"""Sets that go out of force are kept, whatever is taught, forgotten and brought back, and when the plug is pulled."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi import own_set_file
from pi.own_set_file import KEPT, NoSetTaught, OwnSetFile
from tests.pi.test_teaching import small_set
from vision.own_set import to_bytes

STEPS = st.lists(st.sampled_from(["teach", "forget", "recall"]), max_size=14)


@cache
def number(n: int) -> bytes:
    """The n-th set."""
    return to_bytes(small_set(f"2026-11-{n + 1:02}", seed=n))


def kept(file: OwnSetFile) -> list[bytes]:
    return [path.read_bytes() for path in file.aside()]


def in_force(file: OwnSetFile) -> bytes | None:
    return file.path.read_bytes() if file.path.is_file() else None


def carry_out(file: OwnSetFile, step: str, data: bytes) -> None:
    try:
        file.put_in_force(data) if step == "teach" else file.forget() if step == "forget" else file.recall()
    except NoSetTaught:
        assert (in_force(file) if step == "forget" else file.aside()) in (None, [])


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_no_order_of_teaching_forgetting_and_recalling_loses_a_set(tmp_path_factory, steps):
    """Issue 3: one tap undoes it; and so does one more."""
    file, taught = OwnSetFile(tmp_path_factory.mktemp("state")), []
    for step in steps:
        if step == "teach" and len(taught) == KEPT:
            continue
        if step == "teach":
            taught.append(number(len(taught)))
        carry_out(file, step, taught[-1] if taught else b"")
        there = [*kept(file), *filter(None, [in_force(file)])]
        assert sorted(there) == sorted(taught)


def test_after_a_second_lesson_recalling_brings_back_the_first_and_then_the_second(tmp_path):
    file = OwnSetFile(tmp_path)
    file.put_in_force(number(0))
    file.put_in_force(number(1))
    for n in (0, 1, 0):
        before = file.mark()
        file.recall()
        assert file.mark() != before
        assert in_force(file) == number(n)
    file.forget()
    file.recall()
    assert in_force(file) == number(0)
    file.recall()
    assert in_force(file) == number(1)


def test_each_set_comes_round_and_the_oldest_goes_at_last(tmp_path):
    file = OwnSetFile(tmp_path)
    for n in range(KEPT + 2):
        file.put_in_force(number(n))
    assert kept(file) == [number(n) for n in range(KEPT, 0, -1)]
    seen = []
    for _ in range(KEPT + 1):
        file.recall()
        seen.append(in_force(file))
    assert seen == [number(n) for n in (*range(KEPT, 0, -1), KEPT + 1)]


def test_a_set_that_an_earlier_version_put_aside_is_brought_back(tmp_path):
    (tmp_path / "own_set.off.npz").write_bytes(number(0))
    file = OwnSetFile(tmp_path)
    file.put_in_force(number(1))
    file.recall()
    assert in_force(file) == number(0)
    assert kept(file) == [number(1)]


def test_without_a_set_there_is_nothing_to_forget_or_bring_back(tmp_path):
    file = OwnSetFile(tmp_path)
    with pytest.raises(NoSetTaught, match="no set is taught"):
        file.forget()
    with pytest.raises(NoSetTaught, match="no earlier set is kept"):
        file.recall()


class Cut(Exception):
    """The power is gone."""


@pytest.mark.parametrize("step", ["teach", "forget", "recall"])
@pytest.mark.parametrize("after", range(5))
def test_a_cut_at_any_moment_leaves_a_set_in_force_and_loses_none(tmp_path, monkeypatch, step, after):
    file = OwnSetFile(tmp_path)
    for n in range(3):
        file.put_in_force(number(n))
    left = [after]

    def counted(real):
        def call(*args, **kwargs):
            left[0] -= 1
            if left[0] < 0:
                raise Cut
            return real(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(own_set_file.os, "link", counted(os.link))
        patch.setattr(Path, "replace", counted(Path.replace))
        patch.setattr(Path, "unlink", counted(Path.unlink))
        try:
            carry_out(file, step, number(3))
        except Cut:
            assert in_force(file) in (number(1), number(2), number(3))
    there = {*kept(file), in_force(file)}
    assert there >= {number(n) for n in range(3)}
    for _ in range(5):
        file.recall()
        there.add(in_force(file))
    assert there >= {number(n) for n in range(3)}


def test_a_card_whose_files_have_one_name_each_keeps_a_copy(tmp_path, monkeypatch):
    def no_links(*args):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(own_set_file.os, "link", no_links)
    file = OwnSetFile(tmp_path)
    file.put_in_force(number(0))
    file.put_in_force(number(1))
    assert kept(file) == [number(0)]
