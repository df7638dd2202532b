"""A process whose GPIO chip is played by us: the real gpiozero and lgpio over `fakegpio.c`.

`FakeChip` compiles the C file once (any `cc` will do), starts a Python process above it and speaks with both:
with the chip over a Unix socket (`tell`), with the process over its standard input and output in lines of
JSON (`ask`, `heard`).
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

SOURCE = Path(__file__).parent / "fakegpio" / "fakegpio.c"
ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0
"""No answer for this long: something hangs."""


def missing() -> str | None:
    """Return why no fake chip can be had here, in words; None when one can."""
    if sys.platform != "linux":
        return "a fake GPIO chip needs Linux"
    if compiler() is None:
        return "a fake GPIO chip needs a C compiler (cc); apt-get install gcc libc6-dev"
    if find_spec("lgpio") is None:
        return "lgpio is not installed (pip install lgpio)"
    return None


def compiler() -> str | None:
    """Return the C compiler of this machine; None when it has none."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


@cache
def library() -> Path:
    """Return the compiled chip, built once a run in a folder that goes with the machine's temporary files."""
    folder = Path(tempfile.mkdtemp(prefix="fakegpio-"))
    built = folder / "fakegpio.so"
    how = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O2", "-pthread"]
    command = [str(compiler()), *how, "-o", str(built), str(SOURCE), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the fake chip does not compile: {done.stderr}")
    return built


class FakeChip:
    """A Python process over a chip of ours: `with FakeChip(["-m", "tests.kit.panel_child"]) as chip`.

    orders: commands for the chip before anything opens it. revision: the Pi we claim to be (a 4B).
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        orders: Iterable[str] = (),
        environ: Mapping[str, str] | None = None,
        revision: str = "c03111",
        complaints: IO[str] | None = None,
    ) -> None:
        """Keep what to run; nothing is started yet. complaints: where its standard error goes; None: to ours."""
        self._complaints = complaints
        self._arguments, self._orders, self._revision = list(arguments), list(orders), revision
        self._environ = dict(environ or {})
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._talking = threading.Lock()

    def __enter__(self) -> Self:
        """Start the process and hand its chip the first orders."""
        self._folder = tempfile.TemporaryDirectory(prefix="chip-")
        place = Path(self._folder.name) / "chip.sock"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.bind(str(place))
            door.listen(1)
            door.settimeout(PATIENCE_S)
            self.process = self._started(place)
            self._socket, _ = door.accept()
        self._socket.settimeout(PATIENCE_S)
        self._chip: IO[bytes] = self._socket.makefile("rb")
        assert self._chip.readline().startswith(b"hello")
        for order in self._orders:
            self._expect_ok(self._say([order]))
        self._say(["start"])
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End the process, by force if it does not end when its input does."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        self._chip.close()
        self._socket.close()
        self._folder.cleanup()

    def tell(self, *commands: str) -> list[str]:
        """Give the chip commands (see fakegpio.c); returns its answers, which must not be complaints."""
        answers: list[str] = []
        # In portions: two sides that both write and neither reads would wait for each other for ever.
        for start in range(0, len(commands), 500):
            answers += self._say(commands[start : start + 500])
        self._expect_ok(answers)
        return answers

    def ask(self, request: Mapping[str, Any]) -> None:
        """Send the process one line of JSON."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def heard(self) -> dict[str, Any] | None:
        """Return the next line of JSON that the process says; None when it has ended."""
        line = self.line()
        return None if line is None else json.loads(line)

    def line(self) -> str | None:
        """Return the next line that the process says; None when it has ended."""
        return self._lines.get(timeout=PATIENCE_S)

    def level(self, line: int) -> int:
        """Return what the line reads, physically: 0 or 1."""
        return int(self.tell(f"get {line}")[0].split()[1])

    def outputs(self) -> list[tuple[int, int, int]]:
        """Return (line, value, CLOCK_MONOTONIC ns) of every change of an output since the last call."""
        words = [w for w in self.tell("log")[0].split(";") if w]
        return [(int(a), int(b), int(c)) for a, b, c in (w.split() for w in words)]

    def _started(self, place: Path) -> subprocess.Popen[str]:
        environ = {
            **os.environ,
            "LD_PRELOAD": str(library()),
            "FELTSIDE_FAKECHIP": str(place),
            "FELTSIDE_FAKECHIP_REVISION": self._revision,
            # lgpio leaves a named pipe in its working folder.
            "LG_WD": self._folder.name,
            "PYTHONPATH": str(ROOT),
            **self._environ,
        }
        environ.pop("GPIOZERO_PIN_FACTORY", None)
        return subprocess.Popen(
            [sys.executable, *self._arguments],
            env=environ,
            cwd=self._folder.name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
        )

    def _say(self, commands: Sequence[str]) -> list[str]:
        with self._talking:
            self._socket.sendall("".join(f"{c}\n" for c in commands).encode())
            return [self._chip.readline().decode().strip() for _ in commands]

    def _expect_ok(self, answers: Iterable[str]) -> None:
        for answer in answers:
            if not answer.startswith(("ok", "in ", "out ", "free ", "events ")) and ";" not in answer and answer:
                raise ValueError(f"the fake chip does not know: {answer}")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)
