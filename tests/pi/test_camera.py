"""Cameras: one contract for all of them, and what each has to itself."""

from __future__ import annotations

import sys
from types import ModuleType

import cv2
import numpy as np
import pytest

from pi.camera import PiCamera, open_camera
from pi.camera_files import FolderCamera, UsbCamera
from pi.camera_light import ABSENT, HELD, IGNORED, LONGEST, SEARCHING, LightLock
from pi.errors import BadSource, CameraLost, HardwareMissing
from pi.frames import Cue, Metronome
from pi.settings import CameraKind, CameraSettings
from pi.simulator import SimulatedCamera
from tests.pi.cameras import Clock, Moody

SIZE = (320, 240)


def picture(value: int) -> np.ndarray:
    return np.full((SIZE[1], SIZE[0], 3), (value, 0, 255 - value), dtype=np.uint8)


@pytest.fixture
def folder(tmp_path):
    for n in range(3):
        cv2.imwrite(str(tmp_path / f"round{n + 1}.png"), picture(40 * n))
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


def quiet_beat() -> Metronome:
    clock = Clock()
    return Metronome(10.0, monotonic_ns=clock, sleep=clock.sleep)


@pytest.fixture(params=["folder", "simulated", pytest.param("picamera2", marks=pytest.mark.hardware)])
def camera(request, folder):
    settings = CameraSettings(kind=CameraKind(request.param), size=SIZE, folder=str(folder), seed=7)
    if request.param == "picamera2":
        pytest.importorskip("picamera2", reason="there is no picamera2 here")
        return open_camera(settings)
    kind = {"folder": FolderCamera, "simulated": SimulatedCamera}[request.param]
    return kind(settings, beat=quiet_beat())


def test_every_camera_gives_colour_pictures_numbered_and_in_order_of_time(camera):
    with camera:
        frames = [camera.frame() for _ in range(3)]
    assert [f.number for f in frames] == [0, 1, 2]
    assert all(a.at_ns < b.at_ns for a, b in zip(frames, frames[1:], strict=False))
    for frame in frames:
        assert frame.picture_bgr.shape == (SIZE[1], SIZE[0], 3)
        assert frame.picture_bgr.dtype == np.uint8


def test_every_camera_takes_cues_at_any_moment(camera):
    camera.cue(Cue())
    with camera:
        camera.cue(Cue("m", 1, "rows"))
        assert camera.frame() is not None
        camera.cue(Cue("m", 1, None))
        assert camera.frame() is not None


def test_a_frame_belongs_to_whoever_took_it(camera):
    with camera:
        first = camera.frame()
        kept = first.picture_bgr.copy()
        first.picture_bgr[:] = 0
        again = camera.frame()
    assert again.picture_bgr.any()
    assert kept.any()


def test_a_folder_without_rounds_shows_each_picture_and_ends(folder):
    with FolderCamera(CameraSettings(folder=str(folder)), times=2, beat=quiet_beat()) as camera:
        shown = [camera.frame() for _ in range(7)]
    assert [int(f.picture_bgr[0, 0, 0]) for f in shown[:6]] == [0, 0, 40, 40, 80, 80]
    assert shown[6] is None


def test_before_a_match_the_first_picture_waits(folder):
    """A watcher whose source ends is started anew, and forgets what it was told in the meantime."""
    with FolderCamera(CameraSettings(folder=str(folder)), beat=quiet_beat()) as camera:
        assert [int(camera.frame().picture_bgr[0, 0, 0]) for _ in range(9)] == [0] * 9


def test_in_a_match_round_n_sees_picture_n_and_the_last_one_stays(folder):
    with FolderCamera(CameraSettings(folder=str(folder)), beat=quiet_beat()) as camera:
        seen = []
        for number in (None, 1, 2, 2, 3, 4):
            camera.cue(Cue("m", number, "rows"))
            seen.append(int(camera.frame().picture_bgr[0, 0, 0]))
    assert seen == [0, 0, 40, 40, 80, 80]


def test_a_video_is_a_folder_too(tmp_path):
    film = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    for n in range(4):
        writer.write(picture(50 * n))
    writer.release()
    with FolderCamera(CameraSettings(folder=str(film)), beat=quiet_beat()) as camera:
        frames = [camera.frame() for _ in range(5)]
    assert [f is None for f in frames] == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda place: place / "gone", "is not a folder"),
        (lambda place: place, "there are no pictures in"),
    ],
)
def test_a_folder_that_is_none_is_said_at_once(tmp_path, make, words):
    with pytest.raises(BadSource, match=words):
        FolderCamera(CameraSettings(folder=str(make(tmp_path))))


def test_a_file_that_is_no_picture_is_named(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"not a picture")
    camera = FolderCamera(CameraSettings(folder=str(tmp_path)), beat=quiet_beat())
    with camera, pytest.raises(BadSource, match=r"a\.jpg is not a picture"):
        camera.frame()


class FakeDevice:
    """What cv2.VideoCapture is to us: a webcam whose picture is as bright as its exposure, until it is unplugged.

    habit: "good" keeps what it is told; "forgets" holds the exposure that somebody set long ago and takes a new
    one only when it is told; "deaf" ignores the lock; "silent" knows no exposure; "relapses" goes back to its
    automatic after a while.
    """

    def __init__(self, *, opened: bool = True, frames: int = 1000, habit: str = "good", light: float = 1.0) -> None:
        self.opened, self.left, self.habit, self.light = opened, frames, habit, light
        self.auto, self.white, self.exposure, self.warmth = 3.0, 1.0, 40.0, 4600.0
        self.read_before = 0
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opened

    def set(self, what: int, value: float) -> bool:
        if self.habit in ("deaf", "silent"):
            return False
        if what == cv2.CAP_PROP_AUTO_EXPOSURE:
            self.auto = value
        elif what == cv2.CAP_PROP_AUTO_WB:
            self.white = value
        elif what == cv2.CAP_PROP_EXPOSURE and self.auto == 1:
            self.exposure = value
        return True

    def get(self, what: int) -> float:
        known = {
            cv2.CAP_PROP_EXPOSURE: 40.0 if self.habit == "forgets" and self.auto == 3 else self.exposure,
            cv2.CAP_PROP_WB_TEMPERATURE: self.warmth,
            cv2.CAP_PROP_AUTO_EXPOSURE: self.auto,
            cv2.CAP_PROP_AUTO_WB: self.white,
        }
        return -1.0 if self.habit == "silent" else known.get(what, -1.0)

    def read(self):
        self.read_before += 1
        self.left -= 1
        if self.habit == "relapses" and self.read_before > 60:
            self.auto = 3.0
        if self.auto == 3:
            # The automatic goes half the way each frame to where a picture is mean grey.
            self.exposure += 0.5 * (100.0 / self.light - self.exposure)
        level = min(255.0, 110.0 * (self.light * self.exposure / 100.0) ** (1 / 2.2))
        return (True, np.full((SIZE[1], SIZE[0], 3), round(level), np.uint8)) if self.left >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


def usb(device: FakeDevice, **how) -> UsbCamera:
    settings = CameraSettings(kind=CameraKind.USB, size=SIZE, device=3)
    return UsbCamera(settings, capture=lambda number, api: device, beat=quiet_beat(), **how)


def test_usb_light_is_measured_until_the_tray_was_found_and_then_locked():
    device = FakeDevice()
    with usb(device) as camera:
        for _ in range(40):
            camera.frame()
        assert (camera.lock.state, device.auto, device.white) == (SEARCHING, 3.0, 1.0)
        camera.lock.tray_found()
        for _ in range(20):
            camera.frame()
        assert (camera.lock.state, device.auto, device.white) == (HELD, 1.0, 0.0)
        assert device.exposure == pytest.approx(100, rel=0.02)
    assert device.released


def test_usb_light_is_not_locked_while_the_exposure_still_goes():
    device = FakeDevice(light=6.0)
    with usb(device) as camera:
        camera.lock.tray_found()
        for _ in range(6):
            camera.frame()
        assert device.auto == 3.0
        for _ in range(30):
            camera.frame()
        assert camera.lock.state == HELD
        assert device.exposure == pytest.approx(100 / 6, rel=0.03)


def test_usb_that_holds_an_exposure_of_long_ago_is_brought_to_what_the_automatic_had_found():
    device = FakeDevice(habit="forgets", light=0.4)
    with usb(device) as camera:
        camera.lock.tray_found()
        levels = [float(camera.frame().picture_bgr.mean()) for _ in range(80)]
        assert camera.lock.state == HELD
        assert device.auto == 1.0
        assert levels[-1] == pytest.approx(110, rel=0.06)
        assert min(levels[9:]) < 90, "it was darker in between"


@pytest.mark.parametrize(("habit", "state"), [("deaf", IGNORED), ("relapses", IGNORED), ("silent", ABSENT)])
def test_usb_that_does_not_keep_its_light_is_named(habit, state):
    with usb(FakeDevice(habit=habit)) as camera:
        camera.lock.tray_found()
        for _ in range(120):
            camera.frame()
        assert camera.lock.state == state
        assert "colours may drift" in camera.lock.words


def test_usb_light_is_measured_anew_when_the_lamp_has_changed():
    device = FakeDevice()
    with usb(device) as camera:
        camera.lock.tray_found()
        for _ in range(40):
            camera.frame()
        device.light = 3.0
        for _ in range(20):
            camera.frame()
        assert device.exposure == pytest.approx(100, rel=0.02), "held, whatever the lamp does"
        camera.lock.again()
        assert (camera.lock.state, device.auto) == (SEARCHING, 3.0)
        for _ in range(40):
            camera.frame()
        assert camera.lock.state == HELD
        assert device.exposure == pytest.approx(100 / 3, rel=0.03)


def test_a_lamp_that_flickers_is_locked_as_it_is_after_a_while():
    class Still:
        exposure, held = "exposure", 0

        def free(self):
            pass

        def values(self):
            return {"exposure": 50.0}

        def automatic(self):
            return False

        def hold(self, values):
            self.held += 1

    hands = Still()
    lock = LightLock(hands)
    lock.tray_found()
    for k in range(LONGEST):
        lock.frame(100.0 + 8 * (k % 2))
    assert hands.held == 0
    lock.frame(100.0)
    assert hands.held == 1


def test_usb_that_is_not_there_is_named():
    with pytest.raises(HardwareMissing, match="no camera at /dev/video3"):
        usb(FakeDevice(opened=False)).__enter__()


def test_usb_that_is_unplugged_says_so_instead_of_repeating_its_last_frame():
    with usb(FakeDevice(frames=1)) as camera:
        camera.frame()
        with pytest.raises(CameraLost, match="no more frames"):
            camera.frame()


class FakePicamera2:
    """picamera2's surface as we use it; frames are BGR in memory for "RGB888" (its manual, appendix A)."""

    last: FakePicamera2
    camera_controls = {
        "FrameRate": 0, "AeEnable": 0, "AwbEnable": 0, "ExposureTime": 0, "AnalogueGain": 0, "ColourGains": 0,
    }  # fmt: skip
    gives = "RGB888"

    def __init__(self, number: int) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.told: list[dict[str, object]] = []
        self.frames, self.state, self.deaf, self.lost = 0, "closed", False, False
        self.held: dict[str, object] = {}
        FakePicamera2.last = self

    def create_video_configuration(self, **how):
        return how

    def configure(self, how) -> None:
        self.configured = how

    def camera_configuration(self):
        return {"main": {**self.configured["main"], "format": self.gives}}

    def start(self) -> None:
        self.state = "started"

    def set_controls(self, controls) -> None:
        self.told.append(controls)
        if not self.deaf:
            self.held = {} if controls.get("AeEnable") else dict(controls)

    def metadata(self):
        self.frames += 1
        automatic = {"ExposureTime": 9000 + max(0, 4000 - 400 * self.frames), "AnalogueGain": 2.0}
        return {**automatic, "ColourGains": (1.5, 1.7), "Lux": 9, **self.held}

    def capture_request(self):
        return FakeRequest(self)

    def stop(self) -> None:
        self.state = "stopped"

    def close(self) -> None:
        self.state = "closed"


class FakeRequest:
    def __init__(self, device: FakePicamera2) -> None:
        self.device, self.released = device, False
        device.request = self

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main"
        assert not self.released
        width, height = self.device.configured["main"]["size"]
        if self.device.lost:
            raise RuntimeError("the camera has been unplugged")
        if self.device.gives == "NV12":
            return np.full((height * 3 // 2, width), 128, dtype=np.uint8)
        return np.full((height, width, 4), (200, 100, 50, 255), dtype=np.uint8)

    def get_metadata(self):
        assert not self.released
        return self.device.metadata()

    def release(self) -> None:
        self.released = True


@pytest.fixture
def picamera2(monkeypatch):
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2
    monkeypatch.setitem(sys.modules, "picamera2", module)


def test_the_pi_camera_keeps_blue_green_red_and_locks_what_the_automatic_found(picamera2):
    clock = Clock(5)
    with PiCamera(CameraSettings(size=SIZE, fps=12.0), monotonic_ns=clock) as camera:
        frame = camera.frame()
        for _ in range(20):
            camera.frame()
        assert camera.lock.state == SEARCHING
        camera.lock.tray_found()
        for _ in range(10):
            camera.frame()
        assert camera.lock.state == HELD
    device = FakePicamera2.last
    assert device.configured["main"] == {"size": SIZE, "format": "RGB888"}
    assert device.configured["controls"] == {"FrameRate": 12.0}
    free, held = device.told
    assert free["AeEnable"] is free["AwbEnable"] is True
    assert held == {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7)}
    assert tuple(frame.picture_bgr[0, 0]) == (200, 100, 50)
    assert frame.at_ns == 5
    assert device.request.released
    assert device.state == "closed"


def test_a_pi_camera_that_does_not_keep_its_exposure_is_named(picamera2):
    with PiCamera(CameraSettings(size=SIZE)) as camera:
        FakePicamera2.last.deaf = True
        camera.frame()
        camera.lock.tray_found()
        for _ in range(8):
            camera.frame()
        FakePicamera2.last.held = {"ExposureTime": 20_000}
        for _ in range(10):
            camera.frame()
        assert camera.lock.state == IGNORED


def test_a_camera_without_a_pis_image_processor_is_understood(picamera2, monkeypatch):
    """libcamera gives what such a camera has, and refuses controls that it has not."""
    monkeypatch.setattr(FakePicamera2, "gives", "NV12")
    monkeypatch.setattr(FakePicamera2, "camera_controls", {})
    with PiCamera(CameraSettings(size=SIZE)) as camera:
        picture = camera.frame().picture_bgr
        assert picture.shape == (SIZE[1], SIZE[0], 3)
        assert int(np.ptp(picture)) <= 2
    assert FakePicamera2.last.told == []
    assert FakePicamera2.last.configured["controls"] == {}
    monkeypatch.setattr(FakePicamera2, "gives", "MJPEG")
    with pytest.raises(HardwareMissing, match="the camera gives MJPEG"):
        PiCamera(CameraSettings(size=SIZE)).__enter__()


def test_a_pi_camera_that_goes_is_lost(picamera2):
    with PiCamera(CameraSettings(size=SIZE)) as camera:
        camera.frame()
        FakePicamera2.last.lost = True
        with pytest.raises(CameraLost, match="unplugged"):
            camera.frame()


def test_a_pi_camera_that_is_not_there_is_named(picamera2):
    with pytest.raises(HardwareMissing, match="camera 1 does not start"):
        PiCamera(CameraSettings(device=1)).__enter__()


def test_without_picamera2_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(HardwareMissing, match="python3-picamera2"):
        PiCamera(CameraSettings()).__enter__()


def test_a_metronome_waits_for_each_beat_and_catches_up_without_a_burst():
    clock = Clock()
    beat = Metronome(10.0, monotonic_ns=clock, sleep=clock.sleep)
    assert [beat.beat() for _ in range(3)] == [0, 100_000_000, 200_000_000]
    clock.now_ns = 1_000_000_000
    assert [beat.beat(), beat.beat()] == [1_000_000_000, 1_100_000_000]


def test_hurried_beats_do_not_wait_and_time_never_goes_back_afterwards():
    clock = Clock()
    slept = []
    beat = Metronome(10.0, monotonic_ns=clock, sleep=lambda s: (slept.append(s), clock.sleep(s)))
    times = [beat.beat(hurried=True) for _ in range(30)]
    assert slept == []
    times += [beat.beat() for _ in range(3)]
    assert times == [n * 100_000_000 for n in range(33)]
    assert sum(slept) == pytest.approx(0.3)


def test_dropped_frames_show_as_gaps_in_the_numbers(folder):
    camera = FolderCamera(CameraSettings(folder=str(folder)), times=3, beat=quiet_beat())
    with Moody(camera, dropped=(1, 2)) as moody:
        assert [moody.frame().number for _ in range(3)] == [0, 3, 4]
