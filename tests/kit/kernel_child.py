"""The panel's child process over a chip that the kernel simulates: `kernel_child SETTINGS CHIP`."""

from __future__ import annotations

import sys

from gpiozero import Device
from gpiozero.pins.lgpio import LGPIOFactory

from tests.kit import panel_child


class SimFactory(LGPIOFactory):  # type: ignore[misc]
    """lgpio's pins on a machine that is no Pi: only the board's revision is made up (a 4B)."""

    def _get_revision(self) -> int:
        return 0xC03111


if __name__ == "__main__":
    Device.pin_factory = SimFactory(chip=int(sys.argv[2]))
    panel_child.main()
