"""What the suite says of itself."""

from __future__ import annotations

from tests.conftest import LONGEST_FIRST, ROOT


def test_every_file_that_is_to_begin_is_there_and_named_once():
    assert [name for name in LONGEST_FIRST if not (ROOT / "tests" / f"{name}.py").is_file()] == []
    assert len(set(LONGEST_FIRST)) == len(LONGEST_FIRST)
