"""Where frames come from, behind one small protocol: a Pi's camera, USB, a folder of pictures, a drawn tray.

A camera that is not there raises HardwareMissing, one that stops giving frames CameraLost; nothing here
repeats an old frame as if it were new. Whoever takes frames keeps the deadline (`pi.watcher`): a driver
that hangs cannot be asked to hurry.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pi.camera_light import LightLock
from pi.errors import CameraLost, HardwareMissing
from pi.settings import CameraKind, CameraSettings

Picture = NDArray[np.uint8]
"""(h, w, 3) uint8, blue green red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the tray."""

    picture_bgr: Picture
    at_ns: int
    """CLOCK_MONOTONIC when it was taken (simulated time for a camera that does not wait)."""
    number: int
    """Counts up from 0; a gap means frames were dropped."""
    still: bool = False
    """A picture that was taken once and is shown again on purpose (a folder's); a camera that repeats one hangs."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What the table is doing now. Real cameras do not care; stand-ins lay the next tray by it."""

    match: str = ""
    round: int | None = None
    """The open round, else the last one played; None before the first."""
    expects: str | None = None
    """What the eye should look for, None while it may rest."""


class Camera(Protocol):
    """A source of frames; a context manager that opens and closes the device."""

    def __enter__(self) -> Self:
        """Open the device; raises HardwareMissing when it is not there."""

    def __exit__(self, *_: object) -> None:
        """Give the device back."""

    def frame(self) -> Frame | None:
        """Return the next frame, waiting for it; None when the source has come to its end.

        Raises CameraLost when the device stops giving frames.
        """

    def cue(self, cue: Cue) -> None:
        """Take note of what the table is doing."""


@runtime_checkable
class Metered(Protocol):
    """A camera whose exposure and white balance can be locked."""

    @property
    def lock(self) -> LightLock:
        """What locks them."""


def level_of(picture_bgr: Picture) -> float:
    """Return the mean brightness of a picture, 0 to 255, by looking here and there; 0.1 ms."""
    return float(picture_bgr[8::16, 8::16].mean())


class Metronome:
    """Keeps a steady beat for cameras that have none of their own.

    A hurried beat does not wait: it comes one period after the one before on the frames' own time, which
    from then on runs ahead of the clock by that much.
    """

    def __init__(
        self,
        fps: float,
        *,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Begin now."""
        self._period_ns = round(1e9 / fps)
        self._monotonic_ns, self._sleep = monotonic_ns, sleep
        self._last_ns = monotonic_ns() - self._period_ns
        self._ahead_ns = 0

    def beat(self, *, hurried: bool = False) -> int:
        """Return the time of the next beat in nanoseconds, having waited for it; never goes back."""
        due_ns = self._last_ns + self._period_ns
        now_ns = self._monotonic_ns() + self._ahead_ns
        if hurried:
            self._ahead_ns += max(0, due_ns - now_ns)
        elif now_ns < due_ns:
            self._sleep((due_ns - now_ns) / 1e9)
        self._last_ns = max(due_ns, self._monotonic_ns() + self._ahead_ns)
        return self._last_ns


class PiCamera:
    """The Pi's own camera, through picamera2 (Debian's package; only there is it imported).

    picamera2's "RGB888" lies in memory as blue, green, red: what OpenCV and we call BGR.
    """

    def __init__(
        self,
        settings: CameraSettings,
        *,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Keep the settings; the device is opened on entering."""
        self._settings, self._monotonic_ns = settings, monotonic_ns
        self._device: Any = None
        self._lock: LightLock | None = None
        self._hands = _PiHands()
        self._convert: Callable[[Picture], Picture] | None = None
        self._number = 0

    @property
    def lock(self) -> LightLock:
        """What locks exposure and white balance; only while the camera is open."""
        assert self._lock is not None
        return self._lock

    def __enter__(self) -> Self:
        """Open and start; the light is measured by the camera until the tray was found."""
        try:
            from picamera2 import Picamera2

            self._device = Picamera2(self._settings.device)
            self._start()
        except ImportError as no:
            raise HardwareMissing(
                f"picamera2 is not installed ({no}); expected Debian's python3-picamera2, at camera/kind"
            ) from no
        except (RuntimeError, IndexError, OSError) as no:
            self.__exit__()
            raise HardwareMissing(f"camera {self._settings.device} does not start: {no}, at camera/device") from no
        return self

    def __exit__(self, *_: object) -> None:
        """Stop and close the device."""
        if self._device is not None:
            self._device.stop()
            self._device.close()
            self._device = None

    def frame(self) -> Frame | None:
        """Return the next frame the sensor delivers."""
        try:
            request = self._device.capture_request()
            try:
                at_ns, picture = self._monotonic_ns(), request.make_array("main")
                self._hands.metadata = request.get_metadata()
            finally:
                request.release()
        except (RuntimeError, OSError) as no:
            raise CameraLost(f"camera {self._settings.device} gives no more frames: {no}, at camera/device") from no
        if self._convert:
            picture = self._convert(picture)
        self._number += 1
        self.lock.frame(level_of(picture[:, :, :3]))
        # Four channels come from drivers that cannot do RGB888; the first three are B, G, R there too.
        return Frame(np.ascontiguousarray(picture[:, :, :3]), at_ns, self._number - 1)

    def cue(self, cue: Cue) -> None:
        """Ignore it: what lies on the tray is the players' business."""

    def _start(self) -> None:
        known = self._device.camera_controls
        controls = {"FrameRate": self._settings.fps} if "FrameRate" in known else {}
        main = {"size": self._settings.size, "format": "RGB888"}
        self._device.configure(self._device.create_video_configuration(main=main, controls=controls, buffer_count=4))
        given = str(self._device.camera_configuration()["main"]["format"])
        if given not in _BLUE_GREEN_RED:
            from pi.camera_files import converter  # cameras without a Pi's image processor give what they have

            self._convert = converter(given)
        self._device.start()
        self._hands.device = self._device
        self._lock = LightLock(self._hands)


_BLUE_GREEN_RED = ("RGB888", "XRGB8888")
"""picamera2's names of what lies in memory as blue, green, red (and a byte to spare)."""


class _PiHands:
    """The light's controls of libcamera, by way of the frames' metadata."""

    exposure = "ExposureTime"

    def __init__(self) -> None:
        self.device: Any = None
        self.metadata: Mapping[str, Any] = {}

    def free(self) -> None:
        # Zero gives exposure and gain back to the automatic (picamera2 sees to libcamera's newer modes, #1255).
        self._tell({"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0})

    def values(self) -> Mapping[str, float]:
        found = {k: float(self.metadata[k]) for k in ("ExposureTime", "AnalogueGain") if k in self.metadata}
        if "ColourGains" in self.metadata:
            found |= dict(zip(("red", "blue"), map(float, self.metadata["ColourGains"]), strict=True))
        return found

    def automatic(self) -> bool:
        return False  # The metadata say it: values that stray.

    def hold(self, values: Mapping[str, float]) -> None:
        # Setting the values is what turns the automatics off; switching them off first would race with it (#933).
        told: dict[str, Any] = {}
        if "ExposureTime" in values:
            told["ExposureTime"] = round(values["ExposureTime"])
        if "AnalogueGain" in values:
            told["AnalogueGain"] = values["AnalogueGain"]
        if "red" in values:
            told["ColourGains"] = (values["red"], values["blue"])
        self._tell(told)

    def _tell(self, controls: Mapping[str, Any]) -> None:
        # A camera without colour has no white balance, others no exposure: libcamera refuses what it does not know.
        known = self.device.camera_controls
        if told := {name: value for name, value in controls.items() if name in known}:
            self.device.set_controls(told)


def open_camera(settings: CameraSettings) -> Camera:
    """Return the camera that the settings name, not yet entered."""
    match settings.kind:
        case CameraKind.PICAMERA2:
            return PiCamera(settings)
        case CameraKind.USB:
            from pi.camera_files import UsbCamera

            return UsbCamera(settings)
        case CameraKind.FOLDER:
            from pi.camera_files import FolderCamera

            return FolderCamera(settings)
        case CameraKind.NONE:
            raise HardwareMissing("the settings say that there is no camera, at camera/kind")
        case CameraKind.SIMULATED:
            from pi.simulator import SimulatedCamera

            return SimulatedCamera(settings)
