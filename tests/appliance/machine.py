"""A Debian machine without a machine: real systemd as PID 1 in a container, killed like a machine is.

Needs root, systemd-container and, for `make_root`, mmdebstrap. It brings its own cgroup tree (in a private mount
namespace), so it also works inside containers that have none.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

PACKAGES = (
    "systemd,systemd-sysv,dbus,udev,libpam-systemd,ca-certificates,python3,python3-venv,avahi-daemon,"
    "libgl1,libglib2.0-0,curl,sudo,procps,iproute2,git,mosquitto,mosquitto-clients,network-manager,dnsmasq-base"
)
"""What Raspberry Pi OS has anyway, and what the installer would fetch (the machine has no network)."""
BOOT_S = 90.0
_BEGIN = """
mount --make-rprivate / && mount -t cgroup2 none /sys/fs/cgroup && mkdir -p /sys/fs/cgroup/feltside.$$ &&
echo $$ > /sys/fs/cgroup/feltside.$$/cgroup.procs && exec "$@"
"""


def make_root(folder: Path, *, suite: str, mirror: str) -> None:
    """Make a Debian root for the machine."""
    command = ["mmdebstrap", "--quiet", "--variant=minbase", '--aptopt=Apt::Install-Recommends "false"']
    subprocess.run([*command, f"--include={PACKAGES}", suite, str(folder), mirror], check=True)


class Machine:
    """One machine; its disk is a folder, its network only itself."""

    def __init__(self, root: Path, *, binds: Sequence[str] = ()) -> None:
        """Keep where the disk is; nothing runs yet. binds: PATH:PATH, seen read-only inside."""
        self.root, self._binds = root, binds
        self._process: subprocess.Popen[bytes] | None = None
        self._first = 0
        self.started_s = 0.0

    def start(self) -> None:
        """Switch it on; returns as soon as its PID 1 is there."""
        command = ["systemd-nspawn", "--register=no", "--keep-unit", "-q", "-b", "-D", str(self.root)]
        command += ["--resolv-conf=off", "--timezone=off", "--console=pipe", "--private-network"]
        command += [f"--bind-ro={bind}" for bind in self._binds]
        begin = ["unshare", "-m", "bash", "-c", _BEGIN, "begin"]
        log = self.root.with_name(self.root.name + ".console").open("wb")
        with log:
            self.started_s = time.monotonic()
            self._process = subprocess.Popen(
                [*begin, *command, "systemd.unit=multi-user.target"], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self._until(lambda: self._find() > 0, "no PID 1")
        self._first = self._find()

    def wait(self) -> float:
        """Wait until everything has started (or failed); return the seconds since it was switched on."""
        done = ("running", "degraded")
        self._until(lambda: self.run("systemctl is-system-running", check=False).strip() in done, "no boot")
        return time.monotonic() - self.started_s

    def run(self, command: str, *, check: bool = True, timeout_s: float = 600) -> str:
        """Run a shell command inside and return what it said; AssertionError when it failed and `check`."""
        done = self.ran(command, timeout_s=timeout_s)
        assert not check or done.returncode == 0, f"status {done.returncode} of {command}:\n{done.stdout}"
        return done.stdout

    def ran(self, command: str, *, timeout_s: float = 600) -> subprocess.CompletedProcess[str]:
        """Run a shell command inside; return status and what it said (both streams)."""
        return subprocess.run(
            self.entered(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
        )

    def entered(self, command: str) -> list[str]:
        """Return what runs a shell command inside, for those who do not wait for its end."""
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        enter = ["nsenter", "-t", str(self._first), "-m", "-u", "-i", "-n", "-p", "-C"]
        return [*enter, "/usr/bin/env", "-i", path, "LANG=C.UTF-8", "/bin/bash", "-c", command]

    def cut(self) -> None:
        """Kill everything inside at once. (The page cache survives; `tests.appliance.powercut` loses that, too.)"""
        if self._process is None:
            return
        if self._first:
            os.kill(self._first, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait(30)
        self._process, self._first = None, 0

    def _until(self, true: object, what: str) -> None:
        late = time.monotonic() + BOOT_S
        while not true():  # type: ignore[operator]
            assert self._process is not None
            assert self._process.poll() is None, "the machine ended; see its .console file"
            assert time.monotonic() < late, what
            time.sleep(0.05)

    def _find(self) -> int:
        assert self._process is not None
        todo = [self._process.pid]
        while todo:
            pid = todo.pop()
            try:
                if Path(f"/proc/{pid}/comm").read_text().strip() == "systemd":
                    return pid
                todo += [int(k) for k in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
            except OSError:
                continue
        return 0
