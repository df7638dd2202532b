"""The web server's own heartbeat: its loop turns, and a worker is there for whoever comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

EVERY_S = 2.0


class Workers(Protocol):
    """What the pulse needs of waitress' task dispatcher."""

    def add_task(self, task: Any) -> None:
        """Let the next free worker call `task.service()`."""


class Pulse:
    """Lies in waitress' map of open files beside the real ones, because the loop asks each in every turn.

    It is never readable nor writable, so the loop asks and passes on. Each time it hands a tiny job to the
    workers and feeds the watchdog once that was done: a loop that hangs, and workers that all hang, both
    starve it. (The loop turns at least once a second: waitress' `asyncore_loop_timeout`.)
    """

    accepting = False

    def __init__(
        self,
        workers: Workers,
        alive: Callable[[], None],
        *,
        well: Callable[[], bool] = lambda: True,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the workers and what to call as a sign of life. well: asked first, by the worker; it may hang, too."""
        self._workers, self._alive, self._well, self._monotonic_s = workers, alive, well, monotonic_s
        self._asked_s = -EVERY_S
        self._done = True

    def readable(self) -> bool:
        """Beat, and say that there is nothing to read."""
        now_s = self._monotonic_s()
        if self._done and now_s - self._asked_s >= EVERY_S:
            self._asked_s, self._done = now_s, False
            self._workers.add_task(self)
        return False

    def writable(self) -> bool:
        """Say that there is nothing to write."""
        return False

    def service(self) -> None:
        """Be done by a worker."""
        if self._well():
            self._alive()
        self._done = True

    def cancel(self) -> None:
        """Be dropped: the server is closing."""

    def close(self) -> None:
        """Have nothing to close."""
