"""What was not read is shown to people where it lies, and once."""

from __future__ import annotations

from vision.unread import each_once

ONE = ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0))
NEARLY = ((3.0, 2.0), (23.0, 2.0), (23.0, 22.0), (3.0, 22.0))
BESIDE = ((15.0, 0.0), (35.0, 0.0), (35.0, 20.0), (15.0, 20.0))


def test_what_is_seen_twice_is_outlined_once_as_it_was_seen_first() -> None:
    assert each_once([ONE, NEARLY, BESIDE, ONE]) == (ONE, BESIDE)
    assert each_once([]) == ()
