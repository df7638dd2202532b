"""The table's PIN: set by the first who visits, kept only as a salted hash, tired of by wrong guesses.

The file `web-pin` in the web's own folder holds scrypt's salt and digest. Who forgets the PIN removes that file
at the table itself (`sudo rm /var/lib/feltside-web/web-pin`) and sets a new one on the next visit: no restart is
needed, and every session that was made with the old PIN ends.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import scrypt
from pathlib import Path
from typing import Any

from pi.errors import BadSettings

COST: dict[str, Any] = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}
"""About 60 ms and 16 MB a try on a Raspberry Pi: nothing for one PIN, much for a million."""
MOST_TRIES, REST_S = 5, 30.0
"""After this many wrong PINs the door rests this long, for everybody; each further time twice as long."""
LONGEST_REST_S = 3600.0
FIGURES = range(4, 13)
"""How many figures a PIN may have."""


@dataclass(frozen=True, slots=True)
class KeptPin:
    """A PIN as it is kept: nobody can read it back."""

    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, pin: str) -> KeptPin:
        """Return the hash of a fresh PIN."""
        salt = secrets.token_bytes(16)
        return cls(salt, scrypt(pin.encode(), salt=salt, **COST))

    def right(self, tried: str) -> bool:
        """Tell whether this is the PIN."""
        return hmac.compare_digest(scrypt(tried.encode(), salt=self.salt, **COST), self.digest)

    @property
    def mark(self) -> str:
        """What tells this PIN from another without telling it."""
        return self.digest.hex()


def load_pin(path: Path) -> KeptPin | None:
    """Return the PIN that was set; None before the first visit. Raises BadSettings for a damaged file."""
    try:
        kept = json.loads(path.read_bytes())
        return KeptPin(bytes.fromhex(kept["salt"]), bytes.fromhex(kept["digest"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as no:
        raise BadSettings(f"{path} does not hold a PIN ({no}); remove it to set a new one") from None


def save_pin(path: Path, pin: KeptPin) -> bool:
    """Keep the first PIN, readable for its owner only; False when somebody was faster."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            json.dump({"salt": pin.salt.hex(), "digest": pin.digest.hex()}, file)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)  # never replaces a PIN that another visitor has just set
        except FileExistsError:
            return False
        return True
    finally:
        fresh.unlink()


@dataclass(slots=True)
class PinGuard:
    """Checks the table's PIN and tires of wrong ones."""

    pin: str | KeptPin | None
    """As the settings say it, as it was set, or None: nobody is asked, or nobody has set one yet."""
    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    unclaimed: bool = False
    """Whether the first visitor is to set the PIN; until then nobody may act."""
    path: Path | None = None
    """Where the PIN that was set is kept; when that file is taken away, the next visitor sets a new one."""
    _wrong: int = field(default=0)
    _rests: int = field(default=0)
    _rests_until: float = field(default=0.0)

    def forget(self) -> None:
        """Let the next visitor set a new PIN when somebody at the table has taken the file away."""
        if isinstance(self.pin, KeptPin) and self.path is not None and not self.path.exists():
            self.pin, self.unclaimed, self._wrong, self._rests, self._rests_until = None, True, 0, 0, 0.0

    @property
    def open(self) -> bool:
        """Whether everybody may act."""
        return self.pin is None and not self.unclaimed

    @property
    def mark(self) -> str:
        """What tells this PIN from another one; changes with it."""
        return self.pin.mark if isinstance(self.pin, KeptPin) else str(self.pin)

    def resting_s(self) -> float:
        """Return for how many seconds no PIN is looked at; 0 when they are."""
        return max(0.0, self._rests_until - self.clock())

    def right(self, tried: str) -> bool:
        """Tell whether a PIN is right; counts wrong ones. Do not call while it rests."""
        if self.pin is not None and self._is(tried):
            self._wrong = self._rests = 0
            return True
        self._wrong += 1
        if self._wrong >= MOST_TRIES:
            rest_s = min(LONGEST_REST_S, REST_S * 2**self._rests)
            self._wrong, self._rests, self._rests_until = 0, self._rests + 1, self.clock() + rest_s
        return False

    def _is(self, tried: str) -> bool:
        if isinstance(self.pin, KeptPin):
            return self.pin.right(tried)
        return hmac.compare_digest(tried.encode(), str(self.pin).encode())

    def claim(self, pin: str, path: Path) -> bool:
        """Set the first PIN; False when it has been set already."""
        if not self.unclaimed:
            return False
        fresh = KeptPin.of(pin)
        if not save_pin(path, fresh):
            self.pin, self.unclaimed = load_pin(path), False
            return False
        self.pin, self.unclaimed = fresh, False
        return True


def guard_of(setting: str, path: Path) -> PinGuard:
    """Return the guard of a table. setting: 'open', figures, or empty: the first visit sets the PIN."""
    if setting == "open":
        return PinGuard(None)
    if setting:
        return PinGuard(setting)
    kept = load_pin(path)
    return PinGuard(kept, unclaimed=kept is None, path=path)


def pin_problem(pin: str, again: str) -> str | None:
    """Return why a PIN cannot be taken; None when it can."""
    if not (pin.isascii() and pin.isdigit() and len(pin) in FIGURES):
        return f"A PIN is {FIGURES[0]} to {FIGURES[-1]} figures."
    if pin != again:
        return "The two PINs differ: type the same one twice."
    return None
