"""Which pin factory a board gets: lgpio's, whose times are the kernel's, or the one somebody chose."""

from __future__ import annotations

import os
import tempfile
from collections.abc import MutableMapping
from typing import Any

from gpiozero import Device
from gpiozero.exc import BadPinFactory, GPIOZeroError, PinUnknownPi

from pi.errors import HardwareMissing

CHOICE = "GPIOZERO_PIN_FACTORY"
WORK_FOLDER = "LG_WD"
WAKE_AFTER_S = (0.1, 1.0, 10.0, 60.0)
"""When to signal to lgpio after its lines were claimed, as long as no edge has come through."""


class Wakes:
    """Signals once more to lgpio that there are lines to read, in case it missed that; nothing for other factories.

    Its thread looks for lines to read and, seeing none, waits for a signal (lgPthAlerts.c, xWaitForSignal in
    0.2.2). Lines claimed between its look and its wait signal nobody: it would sleep for ever, and no press be heard.
    Until then edges wait in the kernel, with their times.
    """

    def __init__(self, factory: Any, claimed_ns: int) -> None:
        """Take the factory and when its lines are claimed, in CLOCK_MONOTONIC nanoseconds."""
        self._factory = factory
        after_s = WAKE_AFTER_S if is_lgpio(factory) else ()
        self._left_ns = tuple(claimed_ns + round(s * 1e9) for s in after_s)

    def heard(self) -> None:
        """Note that an edge came through: whoever reads them is awake, and stays so."""
        self._left_ns = ()

    def due_ns(self) -> int | None:
        """Return when the next signal is due; None: no more."""
        return next(iter(self._left_ns), None)

    def wake_if_due(self, now_ns: int) -> None:
        """Signal when it is time: closing a handle does, and touches no line of another; raises lgpio's error.

        It holds this process up for a tenth of a second.
        """
        due = self.due_ns()
        if due is None or now_ns < due:
            return
        self._left_ns = self._left_ns[1:]
        # Not above: only machines with pins have it, and it leaves a pipe in its working folder as it is imported.
        import lgpio

        lgpio.gpiochip_close(lgpio.gpiochip_open(self._factory.chip))


def pin_factory(environ: MutableMapping[str, str] = os.environ) -> Any:
    """Return gpiozero's factory for this machine's pins; raises HardwareMissing, saying what to do.

    Left to itself gpiozero falls back to drivers that stamp an edge when Python hears of it, without
    failing: then the published bound would not hold. So it is lgpio or nothing, unless
    $GPIOZERO_PIN_FACTORY says otherwise.
    """
    if Device.pin_factory is not None:
        return Device.pin_factory
    try:
        if environ.get(CHOICE):
            return Device.ensure_pin_factory() or Device.pin_factory
        Device.pin_factory = _lgpio(environ)
    except ImportError as no:
        raise HardwareMissing(f"the GPIO library is not here: {no} (pip install lgpio)") from no
    except PinUnknownPi as no:
        raise HardwareMissing(f"this is not a Raspberry Pi: {no}") from no
    except (BadPinFactory, GPIOZeroError, OSError, RuntimeError) as no:
        raise HardwareMissing(f"there are no GPIO pins here: {no}") from no
    except Exception as no:
        if not is_lgpio_error(no):
            raise
        raise HardwareMissing(f"the GPIO chip does not open: {no} (is the user in the group gpio?)") from no
    return Device.pin_factory


def is_lgpio_error(error: BaseException) -> bool:
    """Tell whether lgpio raised this: its class derives from Exception alone, and exists only with lgpio."""
    return any(kind.__module__ == "lgpio" for kind in type(error).__mro__)


def kernel_times(factory: Any) -> bool:
    """Tell whether the factory's pins hand on the kernel's stamps (mock pins hand on exact ones, too)."""
    return is_lgpio(factory) or _is_kind(factory, "MockFactory")


def is_lgpio(factory: Any) -> bool:
    """Tell whether the factory's pins are lgpio's."""
    return _is_kind(factory, "LGPIOFactory")


def _is_kind(factory: Any, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(factory).__mro__)


def _lgpio(environ: MutableMapping[str, str]) -> Any:
    # lgpio leaves a named pipe in its working folder as it is imported: never in ours.
    if not environ.get(WORK_FOLDER):
        run = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        environ[WORK_FOLDER] = run or tempfile.mkdtemp(prefix="feltside-lgpio-")
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()
