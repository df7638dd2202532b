"""A real Mosquitto on loopback for tests, started and ended by them."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pi.stand_ins.launch import free_port
from tests.conftest import PATIENCE_S

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


class Broker:
    """One broker on a port of its own; `stop` and `start` as often as wanted."""

    def __init__(self, folder: Path, *, users: dict[str, str] | None = None) -> None:
        """Write its settings; nothing runs yet. users: name -> password; None lets everybody in."""
        self.port = free_port(0)
        self._file = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "log_type error", "max_queued_messages 10000"]
        if users is None:
            lines.append("allow_anonymous true")
        else:
            passwords = folder / "passwords"
            passwords.write_text("".join(f"{name}:{word}\n" for name, word in users.items()))
            passwords.chmod(0o600)
            subprocess.run(["mosquitto_passwd", "-U", str(passwords)], check=True)
            lines += [f"password_file {passwords}", "allow_anonymous false", "user root"]
        self._file.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it listens when this returns."""
        assert MOSQUITTO
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._file)], stderr=subprocess.DEVNULL)
        until(lambda: self._listens(), "the broker")

    def stop(self) -> None:
        """Kill it."""
        if self._process:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    def _listens(self) -> bool:
        import socket

        assert self._process
        assert self._process.poll() is None, "mosquitto ended by itself"
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=0.5).close()
        except OSError:
            return False
        return True


@contextmanager
def broker(folder: Path, *, users: dict[str, str] | None = None) -> Iterator[Broker]:
    """Run a broker."""
    found = Broker(folder, users=users)
    found.start()
    try:
        yield found
    finally:
        found.stop()


def until(true: Callable[[], bool], what: str) -> None:
    """Wait until something in another process or thread has become true."""
    late = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < late, f"{what} did not come"
        time.sleep(0.01)
