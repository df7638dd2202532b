"""Exposure and white balance, locked once they fit: a lamp judged anew with each hand over the tray drifts.

`LightLock` is a small machine that a camera drives frame by frame: automatic until the tray was found and the
picture's brightness rests, then held, then looked after. A camera that does not keep what it was told is named,
not trusted. No device in here: the camera brings its `Hands`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

RESTS = 8
"""Frames whose brightness must agree before it is held."""
RESTING = 0.02
"""How far they may differ, as a share."""
LONGEST = 90
"""Frames of automatic after which it is held as it is: a lamp that flickers never rests."""
SETTLES = 5
"""Frames until what was told has reached the picture (drivers queue some)."""
TRIES = 5
"""How often an exposure is put right that made the picture brighter or darker when it was held."""
NEAR = 0.06
"""How far the held picture's brightness may lie from the automatic's, as a share of levels."""
KEEPS = 0.05
"""How far a held value may stray, as a share."""
GAMMA = 2.2
DARKER = 0.4
"""Share of the darkening that is due when less light is let in, from which on it counts as done: what is blown out
hardly darkens."""
BACK = 0.3
"""... and that may be left of it when the usual light is back."""
AT_LAST = 20
"""Frames after which a camera that was told another exposure does not do as it is told. A Pi's needs 7 or 8 from the
telling to the picture, as many as it has buffers and four (picamera2, issue 1278); others have more."""
SEARCHING, HELD, IGNORED, ABSENT = "searching", "held", "ignored", "none"
WORDS: Mapping[str, str] = {
    SEARCHING: "The camera is still measuring the light.",
    HELD: "Exposure and white balance are locked.",
    IGNORED: "The camera does not keep its exposure or white balance: colours may drift with every hand.",
    ABSENT: "The camera has no exposure that can be locked: colours may drift with every hand.",
}
"""State -> what it means, for the status."""


class Hands(Protocol):
    """What a camera's driver can do about the light."""

    def free(self) -> None:
        """Turn the automatics on."""

    def values(self) -> Mapping[str, float]:
        """Return what exposure, gain and white balance are now; empty where nobody knows."""

    def hold(self, values: Mapping[str, float]) -> None:
        """Turn the automatics off, at these values."""

    def automatic(self) -> bool:
        """Return whether the driver says that an automatic is still at work; False where it does not say."""

    exposure: str
    """Name of the value that is the exposure time."""
    gain: str | None
    """Name of the value that multiplies the light, 1 at least; None where what drivers call so may be anything."""


class LightLock:
    """Locks a camera's light when its time has come, and looks after it."""

    def __init__(self, hands: Hands) -> None:
        """Begin with the automatics, whatever the camera did before."""
        self._hands = hands
        self._found = False
        self._usual = self._latest = 0.0
        self._share = self._dimmest = 1.0
        self.light: float | None = 1.0
        """In how much of the usual light the latest frame was taken; None while that changes."""
        self.again()

    def again(self) -> None:
        """Let the automatics measure once more: the lamp has changed, or the owner asks."""
        self.state = SEARCHING
        self._levels: list[float] = []
        self._wanted: dict[str, float] = {}
        self._level = 0.0
        self._frames = self._since = self._tries = 0
        # Frames that are dark still, as less light was let in, are none to measure by.
        self.light = 1.0 if self._share == 1.0 and self.light == 1.0 else None
        self._share = 1.0
        self._hands.free()

    @property
    def words(self) -> str:
        """What the state means."""
        return WORDS[self.state]

    def tray_found(self) -> None:
        """The tray is in the picture: from now on its light is worth keeping."""
        self._found = True

    @property
    def can_dim(self) -> bool:
        """Whether less light can be let in: what is held can be held otherwise."""
        return self.state == HELD and self._hands.exposure in self._wanted

    def dim(self, share: float) -> bool:
        """Let in only so much of the usual light, 0..1, by a shorter exposure, until `undim`.

        `light` says when it has come; 1.0 again means that this camera does not do it. Returns False, and changes
        nothing, where the light is not held (`can_dim`).
        """
        if not self.can_dim:
            return False
        self._share, self._dimmest, self._usual = share, share, self._latest
        self._since, self.light = self._frames, None
        self._hands.hold(self._with_less(share))
        return True

    def undim(self) -> None:
        """Let the usual light in again; `light` says when it has come."""
        if self._share < 1.0:
            self._share, self._since, self.light = 1.0, self._frames, None
            self._hands.hold(self._wanted)

    def frame(self, level: float) -> None:
        """Take note of a frame. level: mean brightness of the picture, 0 to 255."""
        self._frames += 1
        self._latest = level
        if self._share < 1.0 or self.light is None:
            self._changing(level)
        elif self.state == SEARCHING and self._wanted:
            self._check(level)
        elif self.state == SEARCHING:
            self._levels = [*self._levels, level][-RESTS:]
            if self._found and (self._rests() or self._frames > LONGEST):
                self._hold()
        elif self._frames % SETTLES == 0:
            self._look_after()

    def _with_less(self, share: float) -> dict[str, float]:
        """Return the values that let in so much of the light: less gain first, as short exposures show a lamp's mains.

        In 1/100 s a lamp on the mains is as bright in every row; in less time some rows are darker.
        """
        values, gain = dict(self._wanted), self._hands.gain
        if gain is not None and values.get(gain, 1.0) > 1.0:
            lowered = max(values[gain] * share, 1.0)
            share *= values[gain] / lowered
            values[gain] = lowered
        return {**values, self._hands.exposure: values[self._hands.exposure] * share}

    def _changing(self, level: float) -> None:
        """Say in how much of the usual light this frame was taken, as soon as that is seen."""
        waited = self._frames - self._since
        if self.light is not None or waited < SETTLES:
            return
        due = 1.0 - self._dimmest ** (1 / GAMMA)
        if self._share < 1.0 and level <= self._usual * (1.0 - DARKER * due):
            self.light = self._share
        elif self._share < 1.0 and waited >= AT_LAST:
            # It may have darkened unseen, beside a lamp that was switched on: the way back is the same.
            self.undim()
        elif self._share == 1.0 and (waited >= AT_LAST or self._is_back(level, due)):
            self.light = 1.0

    def _is_back(self, level: float, due: float) -> bool:
        """Return whether the usual light is seen again, and the driver does not deny it."""
        known = self.state == SEARCHING or self._kept()
        return known and level >= self._usual * (1.0 - BACK * due)

    def _rests(self) -> bool:
        low, high = min(self._levels), max(self._levels)
        return len(self._levels) == RESTS and high - low <= RESTING * max(high, 1.0)

    def _hold(self) -> None:
        values = dict(self._hands.values())
        if not values:
            self.state = ABSENT
            return
        self._level = sum(self._levels) / len(self._levels)
        self._tell(values)

    def _tell(self, values: Mapping[str, float]) -> None:
        self._wanted, self._since = dict(values), self._frames
        self._hands.hold(self._wanted)

    def _check(self, level: float) -> None:
        """See whether the held picture is as bright as the automatic's; put the exposure right if not."""
        if self._frames - self._since < SETTLES:
            return
        ratio = max(level, 1.0) / max(self._level, 1.0)
        exposure = self._wanted.get(self._hands.exposure)
        if abs(ratio - 1.0) <= NEAR:
            self.state = HELD if self._kept() else IGNORED
        elif exposure is None or self._tries >= TRIES:
            self.state = IGNORED
        else:
            # Many webcams hold not what the automatic had found but what somebody set once.
            self._tries += 1
            self._tell({**self._wanted, self._hands.exposure: exposure * min(max(ratio**-GAMMA, 0.125), 8.0)})

    def _look_after(self) -> None:
        if self.state in (HELD, IGNORED):
            self.state = HELD if self._kept() else IGNORED

    def _kept(self) -> bool:
        now = self._hands.values()
        return not self._hands.automatic() and all(
            abs(now.get(name, value) - value) <= max(KEEPS * abs(value), 1e-3 if value < 1 else 0.51)
            for name, value in self._wanted.items()
        )


__all__ = ["ABSENT", "HELD", "IGNORED", "SEARCHING", "Hands", "LightLock"]
