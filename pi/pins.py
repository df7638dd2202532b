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
    return any(kind.__name__ in {"LGPIOFactory", "MockFactory"} for kind in type(factory).__mro__)


def _lgpio(environ: MutableMapping[str, str]) -> Any:
    # lgpio leaves a named pipe in its working folder as it is imported: never in ours.
    if not environ.get(WORK_FOLDER):
        run = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        environ[WORK_FOLDER] = run or tempfile.mkdtemp(prefix="feltside-lgpio-")
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()
