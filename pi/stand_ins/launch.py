"""Starts the appliance's own processes as children, for `feltside demo` and `feltside play`, and ends them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Self

from pi import cli
from pi.children import PARENT, die_with_parent
from pi.errors import BadSettings, HouseholdFailed, TableAway
from pi.inbox import TableClient
from pi.settings import Settings, load_settings

START_S = 120.0
"""How long a process may take until it answers."""
PARTING_S = 4.0
SHORT_LIFE_S = 3.0
"""A process that ends sooner than this after its start would only end again."""
COMMANDS: Mapping[str, Sequence[str]] = {"table": ("table", "--simulated"), "web": ("web",)}
LOCALHOST = "127.0.0.1"
SETTINGS_NAME = "feltside.toml"


class Household:
    """Table (with its watcher) and, if wanted, web, as children with their words in log files.

    `with Household(...) as house`: inside, everything answers; afterwards everything has ended.
    """

    def __init__(self, settings: Settings, *, web: bool, sleep: Callable[[float], None] = time.sleep) -> None:
        """Keep what is needed; nothing is started yet. settings: from a file, which the children read too."""
        self.settings, self._web, self._sleep = settings, web, sleep
        self.client = TableClient(settings.socket)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._since_s: dict[str, float] = {}

    def __enter__(self) -> Self:
        """Start everything and wait until it answers; raises HouseholdFailed with the reason."""
        try:
            self._start("table")
            self._wait("table", self._table_answers)
            if self._web:
                self._start("web")
                self._wait("web", self._web_answers)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End everything, web first."""
        for process in reversed(self._running.values()):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in reversed(self._running.values()):
            try:
                process.wait(PARTING_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    @property
    def address(self) -> str:
        """Where a browser finds the pages."""
        return f"http://{LOCALHOST}:{self.settings.web.port}/"

    def check(self) -> None:
        """Raise HouseholdFailed if a process has ended by itself."""
        for name, process in self._running.items():
            if (status := process.poll()) is not None:
                raise HouseholdFailed(f"the {name} has ended with status {status}: {_last_words(self._log(name))}")

    def tend(self) -> None:
        """Start again what has ended by itself, as systemd does on a Pi; raise HouseholdFailed if that fails."""
        for name, process in list(self._running.items()):
            if process.poll() is None:
                continue
            if time.monotonic() - self._since_s[name] < SHORT_LIFE_S:
                self.check()
            print(f"feltside demo: the {name} has ended and is started again", file=sys.stderr)
            self._start(name)

    def _start(self, name: str) -> None:
        self.settings.state.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pi.stand_ins.launch", *COMMANDS[name], "--config", str(self.settings.file)]
        # A session of their own: Ctrl-C reaches only us, and we end them in order.
        with self._log(name).open("ab") as out:
            self._running[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, env=_environ()
            )
        self._since_s[name] = time.monotonic()

    def _log(self, name: str) -> Path:
        return self.settings.state / f"{name}.log"

    def _wait(self, name: str, answers: Callable[[], bool]) -> None:
        late = time.monotonic() + START_S
        while not answers():
            self.check()
            if time.monotonic() > late:
                raise HouseholdFailed(f"the {name} did not answer within {START_S:.0f} s")
            self._sleep(0.02)

    def _table_answers(self) -> bool:
        try:
            lines = self.client.subscribe()
            with closing(lines):  # type: ignore[type-var]
                next(lines)
        except TableAway:
            return False
        return True

    def _web_answers(self) -> bool:
        try:
            socket.create_connection((LOCALHOST, self.settings.web.port), timeout=0.5).close()
        except OSError:
            return False
        return True


def _environ() -> dict[str, str]:
    """Return our environment with ourselves as the parent that holds the lead, and our packages to be found."""
    environ = {**os.environ, PARENT: str(os.getpid())}
    here = str(Path(__file__).resolve().parents[2])
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, environ.get("PYTHONPATH", ""))))
    return environ


def _last_words(log: Path) -> str:
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def write_settings(state: Path, sections: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Write a settings file into the state folder and return what it says.

    sections: e.g. {"camera": {"kind": "simulated"}}.
    """
    try:
        state.mkdir(parents=True, exist_ok=True)
        file: IO[str]
        path = state / SETTINGS_NAME
        with path.open("w", encoding="utf-8") as file:
            file.write(f"state = {json.dumps(str(state.resolve()))}\n")
            for name, values in sections.items():
                file.write(f"\n[{name}]\n")
                file.writelines(f"{key} = {_toml(value)}\n" for key, value in values.items())
    except OSError as no:
        raise BadSettings(f"the state folder cannot be used: {no.strerror or no}, at {state}") from None
    return load_settings(path)


def _toml(value: object) -> str:
    # JSON's strings, numbers, booleans and lists of them are TOML's too.
    return json.dumps(value)


def free_port(wanted: int) -> int:
    """Return the port to serve on: the wanted one if it is free, any free one for 0; else BadSettings."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((LOCALHOST, wanted))
        except OSError as no:
            raise BadSettings(f"port {wanted} cannot be used: {no.strerror} (try --port 0)") from None
        port: int = trial.getsockname()[1]
    return port


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand of `feltside` on its parent's lead: however that goes, nothing is left behind."""
    die_with_parent()
    return cli.main(argv)


if __name__ == "__main__":
    sys.exit(main())
