"""A GPIO chip that the kernel itself simulates (gpio-sim): pushed through sysfs, its edges stamped by the kernel.

It needs Linux 5.17 or newer with the module gpio-sim (Debian 13's kernel has it), root, and configfs:
`modprobe gpio-sim`. Documentation: Documentation/admin-guide/gpio/gpio-sim.rst of the kernel.
"""

from __future__ import annotations

import os
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

CONFIG = Path("/sys/kernel/config/gpio-sim")
LABEL = "pinctrl-bcm2711"
"""What the chip of a Pi 4B is called."""
LINES = 54
HEADER = range(2, 28)


def missing() -> str | None:
    """Return why the kernel simulates no chip here, in words; None when it does."""
    if not CONFIG.is_dir():
        return "the kernel has no gpio-sim here (root, modprobe gpio-sim)"
    if not os.access(CONFIG, os.W_OK):
        return "gpio-sim needs root"
    if find_spec("lgpio") is None:
        return "lgpio is not installed (pip install lgpio)"
    return None


class GpioSim:
    """A simulated chip: `with GpioSim() as chip: chip.pull(17, up=False)`."""

    def __init__(self, *, name: str = "feltside") -> None:
        """Keep the name that the chip has in configfs; nothing is made yet."""
        self._root = CONFIG / name
        self._pulls: dict[int, int] = {}

    def __enter__(self) -> Self:
        """Make the chip; every line of the header rests high, as an open contact under a pull-up does."""
        self._unmake()
        bank = self._root / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(LINES))
        (bank / "label").write_text(LABEL)
        for line in HEADER:
            (bank / f"line{line}").mkdir()
            (bank / f"line{line}" / "name").write_text(f"GPIO{line}")
        (self._root / "live").write_text("1")
        chip = (bank / "chip_name").read_text().strip()
        self.number = int(chip.removeprefix("gpiochip"))
        self._lines = Path("/sys/devices/platform") / (self._root / "dev_name").read_text().strip() / chip
        for line in HEADER:
            self.pull(line, up=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Take the chip away."""
        for opened in self._pulls.values():
            os.close(opened)
        self._pulls.clear()
        self._unmake()

    def pull(self, line: int, *, up: bool) -> tuple[int, int]:
        """Pull a line; returns CLOCK_MONOTONIC ns before and after: the kernel's stamp lies between."""
        if line not in self._pulls:
            self._pulls[line] = os.open(self._lines / f"sim_gpio{line}" / "pull", os.O_WRONLY)
        word = b"pull-up" if up else b"pull-down"
        before_ns = time.monotonic_ns()
        os.pwrite(self._pulls[line], word, 0)
        return before_ns, time.monotonic_ns()

    def level(self, line: int) -> int:
        """Return what the line reads, physically: 0 or 1."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())

    def _unmake(self) -> None:
        """Take away what is there, a chip that a killed run left behind too."""
        if not self._root.exists():
            return
        (self._root / "live").write_text("0")
        for line in sorted((self._root / "bank0").glob("line*")):
            line.rmdir()
        for folder in (self._root / "bank0", self._root):
            if folder.exists():
                folder.rmdir()
