"""Where frames come from, behind one small protocol: a Pi's camera, USB, a folder of pictures, a drawn tray.

A camera that is not there raises HardwareMissing, one that stops giving frames CameraLost; nothing here
repeats an old frame as if it were new. Whoever takes frames keeps the deadline (`pi.watcher`): a driver
that hangs cannot be asked to hurry.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from pi.camera_light import LightLock
from pi.errors import CameraLost, HardwareMissing
from pi.frames import Camera, Cue, Frame, Picture, level_of
from pi.settings import CameraKind, CameraSettings


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
    gain: str | None = "AnalogueGain"

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
