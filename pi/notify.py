"""Tells systemd how a service is (ready, alive, why not), over the datagram socket it names.

Protocol: sd_notify(3). Without $NOTIFY_SOCKET everything here does nothing. Nothing here ever blocks or fails
a service: whoever cannot be told is not told, and the watchdog draws its own conclusion.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

BEATS = 4
"""Signs of life in each watchdog period: three may get lost."""


class Notifier:
    """A line to the service manager; share it between threads as you like."""

    def __init__(
        self,
        address: str,
        *,
        period_s: float | None,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep the socket's address ('' for none) and the watchdog's period (None: there is no watchdog)."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every_s = None if period_s is None else period_s / BEATS
        self._monotonic_s = monotonic_s
        self._beaten_s: float | None = None
        self._sock: socket.socket | None = None
        if address:
            self._sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._sock.setblocking(False)

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] = os.environ, *, pid: int | None = None) -> Notifier:
        """Return the notifier that the service manager asked for: $NOTIFY_SOCKET, $WATCHDOG_USEC, $WATCHDOG_PID.

        A watchdog that was meant for another process (a parent of ours) is not fed.
        """
        usec, whose = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
        ours = whose in ("", str(os.getpid() if pid is None else pid))
        period_s = int(usec) / 1e6 if usec.isdigit() and int(usec) and ours else None
        return cls(environ.get("NOTIFY_SOCKET", ""), period_s=period_s)

    def ready(self, words: str = "") -> None:
        """Say that the service serves from now on."""
        self._tell("READY=1", words)

    def stopping(self) -> None:
        """Say that the service comes to its end because it was asked to."""
        self._tell("STOPPING=1", "")

    def say(self, words: str) -> None:
        """Put one line into `systemctl status`."""
        self._tell("", words)

    def alive(self) -> None:
        """Feed the watchdog; as cheap as a look at the clock when it was fed a moment ago."""
        if self._every_s is None:
            return
        now_s = self._monotonic_s()
        if self._beaten_s is None or now_s - self._beaten_s >= self._every_s:
            self._beaten_s = now_s
            self._tell("WATCHDOG=1", "")

    def close(self) -> None:
        """Hang up."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    def _tell(self, state: str, words: str) -> None:
        lines = [state, f"STATUS={' '.join(words.split())}" if words else ""]
        message = "\n".join(line for line in lines if line)
        if self._sock is None or not message:
            return
        with suppress(OSError):
            self._sock.sendto(message.encode(), self._address)
