"""Which of a process's loops still turn: one that hangs must not hide behind another that feeds the watchdog."""

from __future__ import annotations

import time
from collections.abc import Callable


class Turns:
    """Remembers when each loop turned last. Threads may share it."""

    def __init__(self, *, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        """Begin with no loop at all."""
        self._monotonic_s = monotonic_s
        self._last_s: dict[str, float] = {}

    def turn(self, name: str) -> None:
        """Note that a loop turns; its first turn makes it one that is missed."""
        self._last_s[name] = self._monotonic_s()

    def end(self, name: str) -> None:
        """Note that a loop has come to its end as it should."""
        self._last_s.pop(name, None)

    def hung(self, limit_s: float) -> str | None:
        """Return the loop that has not turned for longer than the limit, the longest first; None when all turn."""
        now_s = self._monotonic_s()
        late = [(last_s, name) for name, last_s in list(self._last_s.items()) if now_s - last_s > limit_s]
        return min(late)[1] if late else None
