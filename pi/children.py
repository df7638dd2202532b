"""Child processes on a lead: started again when they die, killed when they hang, gone when their parent goes."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

LOG = logging.getLogger("feltside.children")
PARENT = "FELTSIDE_PARENT"
"""Environment variable with the process id of the parent that holds the lead."""
FIRST_WAIT_NS, LONGEST_WAIT_NS = 1_000_000_000, 30_000_000_000
"""Before a child that died is started again: doubled each time, up to the longest."""
WELL_NS = 60_000_000_000
"""A child that lived this long was well; its next start waits the shortest again."""
STARTING = 3
"""So many times as long may a child be silent before its first word. (Killed too soon, a slow one never gets there.)"""
CLOSE_S = 3.0
_PR_SET_PDEATHSIG = 1
Start = Callable[[Sequence[str]], "subprocess.Popen[bytes]"]


def start_process(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a child that knows who holds its lead; it reads nothing from our terminal."""
    environ = {**os.environ, PARENT: str(os.getpid())}
    # lgpio moves the whole process into its working folder: a checkout's own packages would not be found there.
    here = str(Path(__file__).resolve().parent.parent)
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, environ.get("PYTHONPATH", ""))))
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environ)


def die_with_parent(environ: Mapping[str, str] = os.environ) -> None:
    """Let the kernel kill this process when the one that started it is gone, however it went.

    To be called first thing by a child of `Child`. Without it a killed table would leave a watcher behind
    that holds the camera. Does nothing where there is no such parent, or no Linux.
    """
    parent = environ.get(PARENT, "")
    if not parent.isdigit() or not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        LOG.warning("prctl failed with errno %d: this process may outlive its parent", ctypes.get_errno())
    if os.getppid() != int(parent):  # it went before we asked
        os._exit(1)


class Child:
    """One child process, looked after by calling `tick` now and then (always from the same thread)."""

    def __init__(self, command: Sequence[str], *, name: str, hang_ns: int, start: Start = start_process) -> None:
        """Keep the command; the first `tick` starts it. hang_ns: a child silent for this long is killed."""
        self._command, self._name, self._hang_ns, self._start = tuple(command), name, hang_ns, start
        self._process: subprocess.Popen[bytes] | None = None
        self._started_ns = 0
        self._due_ns: int | None = None
        self._wait_ns = FIRST_WAIT_NS

    @property
    def pid(self) -> int | None:
        """Process id of the running child; None while there is none."""
        return self._process.pid if self._process else None

    def tick(self, now_ns: int, *, heard_ns: int | None) -> None:
        """Start the child when that is due, or kill it when it hangs. heard_ns: when it last spoke."""
        if self._process is None:
            if self._due_ns is None or now_ns >= self._due_ns:
                self._begin(now_ns)
            return
        status = self._process.poll()
        if status is not None:
            self._gone(now_ns, f"ended with status {status}")
        elif now_ns - max(self._started_ns, heard_ns or 0) > self._patience_ns(heard_ns):
            self._process.kill()
            self._process.wait()
            self._gone(now_ns, "hung and was killed")

    def close(self) -> None:
        """End the child: politely first."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(CLOSE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _patience_ns(self, heard_ns: int | None) -> int:
        """Return how long the child may be silent: longer before its first word, for it may start on a busy machine."""
        spoke = heard_ns is not None and heard_ns > self._started_ns
        return self._hang_ns if spoke else STARTING * self._hang_ns

    def _begin(self, now_ns: int) -> None:
        self._started_ns = now_ns
        try:
            self._process = self._start(self._command)
        except OSError as no:
            self._gone(now_ns, f"could not be started ({no.strerror or no})")

    def _gone(self, now_ns: int, how: str) -> None:
        self._process = None
        if now_ns - self._started_ns >= WELL_NS:
            self._wait_ns = FIRST_WAIT_NS
        LOG.warning("the %s %s; it is started again in %.0f s", self._name, how, self._wait_ns / 1e9)
        self._due_ns = now_ns + self._wait_ns
        self._wait_ns = min(2 * self._wait_ns, LONGEST_WAIT_NS)
