"""Cameras that OpenCV opens: USB (V4L2), and the stand-ins that read pictures or a video from disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from pi.camera_light import LightLock
from pi.errors import BadSource, CameraLost, HardwareMissing
from pi.frames import Cue, Frame, Metronome, Picture, level_of
from pi.pictures import load_picture
from pi.settings import CameraSettings

PICTURE_NAMES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
VIDEO_NAMES = (".mp4", ".avi", ".mkv", ".mov", ".mjpeg")
MANUAL, APERTURE_PRIORITY = 1, 3
"""V4L2_CID_EXPOSURE_AUTO: exposure by hand, and the automatic that webcams have."""


_CONVERSIONS = {
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
}
"""picamera2's name of a format -> how it becomes blue, green, red."""


def converter(given: str) -> Callable[[Picture], Picture]:
    """Return what makes pictures of a camera's own format ours; raises HardwareMissing for one we do not know."""
    if given not in _CONVERSIONS:
        known = ", ".join(["RGB888", *_CONVERSIONS])
        raise HardwareMissing(f"the camera gives {given} (expected one of {known}), at camera/device")
    code = _CONVERSIONS[given]
    return lambda picture: np.asarray(cv2.cvtColor(picture, code), dtype=np.uint8)


class UsbCamera:
    """A V4L2 camera. Exposure and white balance are locked once the tray was found and they rest."""

    def __init__(
        self,
        settings: CameraSettings,
        *,
        capture: Callable[..., Any] = cv2.VideoCapture,
        beat: Metronome | None = None,
    ) -> None:
        """Keep the settings; the device is opened on entering. capture: opens a device, as OpenCV does."""
        self._settings, self._capture = settings, capture
        self._metronome = beat or Metronome(240.0)
        self._device: Any = None
        self._lock: LightLock | None = None
        self._number = 0

    @property
    def lock(self) -> LightLock:
        """What locks exposure and white balance; only while the camera is open."""
        assert self._lock is not None
        return self._lock

    def __enter__(self) -> Self:
        """Open the device; the light is measured by the camera until the tray was found."""
        number = self._settings.device
        self._device = self._capture(number, cv2.CAP_V4L2)
        if not self._device.isOpened():
            raise HardwareMissing(f"there is no camera at /dev/video{number}, at camera/device")
        width, height = self._settings.size
        # Motion JPEG first: raw YUYV at this size does not fit through USB 2 at ten frames a second.
        for what, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, width),
            (cv2.CAP_PROP_FRAME_HEIGHT, height),
            (cv2.CAP_PROP_FPS, self._settings.fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._device.set(what, value)
        self._lock = LightLock(_UsbHands(self._device))
        return self

    def __exit__(self, *_: object) -> None:
        """Release the device."""
        if self._device is not None:
            self._device.release()
            self._device = None

    def frame(self) -> Frame | None:
        """Return the next frame the driver delivers; raises CameraLost when it stops (unplugged)."""
        good, picture = self._device.read()
        if not good or picture is None:
            raise CameraLost(f"the camera at /dev/video{self._settings.device} gives no more frames")
        self._number += 1
        self.lock.frame(level_of(picture))
        return Frame(np.asarray(picture, dtype=np.uint8), self._metronome.beat(), self._number - 1)

    def cue(self, cue: Cue) -> None:
        """Ignore it: what lies on the tray is the players' business."""


class _UsbHands:
    """The light's controls of V4L2. Drivers answer -1 (or nothing sensible) for what they do not know."""

    exposure = "exposure"
    gain: str | None = None
    _NAMES = (("exposure", cv2.CAP_PROP_EXPOSURE), ("warmth", cv2.CAP_PROP_WB_TEMPERATURE), ("gain", cv2.CAP_PROP_GAIN))

    def __init__(self, device: Any) -> None:
        self._device = device

    def free(self) -> None:
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, APERTURE_PRIORITY)
        self._device.set(cv2.CAP_PROP_AUTO_WB, 1)

    def values(self) -> dict[str, float]:
        found = {name: float(self._device.get(what)) for name, what in self._NAMES}
        return {name: value for name, value in found.items() if value > 0}

    def automatic(self) -> bool:
        exposure, white = (self._device.get(what) for what in (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB))
        return bool(exposure == APERTURE_PRIORITY or white == 1)

    def hold(self, values: Mapping[str, float]) -> None:
        # A driver that is told the value first forgets it when the automatic is switched off.
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
        self._device.set(cv2.CAP_PROP_AUTO_WB, 0)
        for name, what in self._NAMES:
            if name in values:
                self._device.set(what, values[name])


class FolderCamera:
    """Pictures of a folder, in the order of their names: round n of a match sees picture n; or a video.

    The first picture is there before the match, the last one stays when there are no more.
    """

    def __init__(self, settings: CameraSettings, *, times: int | None = None, beat: Metronome | None = None) -> None:
        """Find the pictures; raises BadSource when there are none.

        times: outside a match show each picture so often and then end, as a video does; None waits with the first.
        """
        self._place = Path(settings.folder)
        self._video = self._place.is_file() and self._place.suffix.lower() in VIDEO_NAMES
        self._pictures = [] if self._video else pictures_in(self._place)
        self._times, self._beat = times, beat or Metronome(settings.fps)
        self._cue = Cue()
        self._number = 0
        self._film: Any = None
        self._kept: tuple[Path, Picture] | None = None

    def __enter__(self) -> Self:
        """Open the video, if it is one."""
        if self._video:
            self._film = cv2.VideoCapture(str(self._place))
        return self

    def __exit__(self, *_: object) -> None:
        """Close the video, if it is one."""
        if self._film is not None:
            self._film.release()

    def cue(self, cue: Cue) -> None:
        """Show the picture of the cue's round from now on."""
        self._cue = cue

    def frame(self) -> Frame | None:
        """Return the picture that is due now; None after the last one when no rounds are played."""
        picture = self._film_frame() if self._video else self._due()
        if picture is None:
            return None
        at_ns = self._beat.beat()
        self._number += 1
        return Frame(picture.copy(), at_ns, self._number - 1, still=not self._video)

    def _due(self) -> Picture | None:
        if self._cue.match:
            index = max(0, (self._cue.round or 1) - 1)
            return self._picture(self._pictures[min(index, len(self._pictures) - 1)])
        index = self._number // self._times if self._times else 0
        return self._picture(self._pictures[index]) if index < len(self._pictures) else None

    def _picture(self, path: Path) -> Picture:
        if self._kept is None or self._kept[0] != path:
            self._kept = (path, load_picture(path))
        return self._kept[1]

    def _film_frame(self) -> Picture | None:
        good, picture = self._film.read()
        if not good and self._number == 0:
            raise BadSource(f"{self._place} is no video that can be played here")
        return np.asarray(picture, dtype=np.uint8) if good else None


def pictures_in(folder: Path) -> list[Path]:
    """Return a folder's pictures, by name; raises BadSource when there is no folder or no picture in it."""
    if not folder.is_dir():
        raise BadSource(f"{folder} is not a folder (expected one with pictures in it)")
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURE_NAMES)
    if not found:
        raise BadSource(f"there are no pictures in {folder} (expected {', '.join(PICTURE_NAMES)})")
    return found
