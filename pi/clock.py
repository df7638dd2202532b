"""The table's clock: nanoseconds that only ever go forward, across restarts and reboots."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""Linux' name of this boot; CLOCK_MONOTONIC begins anew with it."""
_OFFSET, _BOOT = "clock-offset-ns", "clock-boot"


class Memory(Protocol):
    """What the clock needs of the journal: a few remembered words and the last time on record."""

    def recall(self, key: str) -> str | None:
        """Return what was remembered under a key; None when nothing was."""

    def remember(self, words: Mapping[str, str]) -> None:
        """Keep words durably, all or none."""

    def last_at_ns(self) -> int:
        """Return the latest time of any event; 0 when there is none."""


@dataclass(frozen=True, slots=True)
class TableClock:
    """Journal time: CLOCK_MONOTONIC plus an offset that belongs to this boot.

    The date may jump as it likes: nothing here depends on it. Kernel edge stamps are CLOCK_MONOTONIC too,
    so `from_monotonic` puts a press on the same scale.
    """

    offset_ns: int = 0
    monotonic_ns: Callable[[], int] = time.monotonic_ns

    @classmethod
    def recalled(
        cls,
        memory: Memory,
        *,
        boot_id: str,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> TableClock:
        """Return the clock that goes on from everything on record.

        The same boot keeps its offset, so that a press from before a restart of the program and one from
        after it compare truly. A new boot (or an unknown one, '') starts just after the last event.
        """
        known = memory.recall(_BOOT) == boot_id != ""
        offset = int(memory.recall(_OFFSET) or 0) if known else 0
        behind = memory.last_at_ns() - (monotonic_ns() + offset)
        if behind >= 0:
            offset += behind + 1
        memory.remember({_BOOT: boot_id, _OFFSET: str(offset)})
        return cls(offset, monotonic_ns)

    def now_ns(self) -> int:
        """Return journal time now, in nanoseconds."""
        return self.monotonic_ns() + self.offset_ns

    def from_monotonic(self, at_ns: int) -> int:
        """Return the journal time of a CLOCK_MONOTONIC stamp of this boot."""
        return at_ns + self.offset_ns


def this_boot(path: Path = BOOT_ID) -> str:
    """Return the kernel's name of this boot; '' where there is none."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def utc_text(now: datetime | None = None) -> str:
    """Return the date and time as ISO 8601 in UTC, to the millisecond: for people, never for order."""
    moment = now or datetime.now(UTC)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
