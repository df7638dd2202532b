"""Pictures from disk: whole ones, or one clear sentence."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi.errors import BadSource
from pi.pictures import load_picture


def _jpeg(*, high: int = 96) -> bytes:
    rng = np.random.default_rng(1)
    return cv2.imencode(".jpg", rng.integers(0, 255, (high, 128, 3), dtype=np.uint8))[1].tobytes()


def test_a_whole_picture_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(_jpeg())
    assert load_picture(tmp_path / "a.jpg").shape == (96, 128, 3)
    assert load_picture(str(tmp_path / "a.jpg")).dtype == np.uint8


@pytest.mark.parametrize("share", [0.3, 0.7, 0.99])
def test_a_jpeg_cut_short_is_no_picture_of_an_empty_felt(tmp_path: Path, share: float) -> None:
    """Never silently wrong: what a frame lacks must not be read as bare felt, whatever the decoder puts there."""
    whole = _jpeg()
    (tmp_path / "a.jpg").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(BadSource, match=r"a\.jpg is cut short: \d+ bytes of a JPEG without its end"):
        load_picture(tmp_path / "a.jpg")


def _png() -> bytes:
    return cv2.imencode(".png", cv2.imdecode(np.frombuffer(_jpeg(), np.uint8), 1))[1].tobytes()


def _spoilt(whole: bytes) -> bytes:
    """The same with other bytes in its middle."""
    middle = len(whole) // 2
    return whole[:middle] + np.random.default_rng(2).bytes(800) + whole[middle + 800 :]


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.jpg", _spoilt(_jpeg())), ("b.jpg", _jpeg()[:-3000] + b"\xff\xd9"), ("a.png", _spoilt(_png())),
     ("b.png", _png()[:-3000])],
)  # fmt: skip
def test_a_damaged_picture_gets_one_sentence_and_no_noise(
    tmp_path: Path, name: str, data: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """DESIGN, Doors: "one clear sentence with the path". Once the grey of what was missing was a hand, or no tray."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadSource, match=rf"{name} is damaged \(expected a whole picture\)"):
        load_picture(tmp_path / name)
    assert capfd.readouterr() == ("", "")


def test_what_a_webcam_fills_its_pictures_up_with_is_no_damage(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jpg").write_bytes(_jpeg()[:-2] + bytes(4) + b"\xff\xd9")
    assert load_picture(tmp_path / "a.jpg").shape == (96, 128, 3)
    assert capfd.readouterr() == ("", "")


def test_what_others_say_meanwhile_is_not_swallowed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service's other threads write their log to the same place."""
    decode = cv2.imdecode

    def and_meanwhile(data: np.ndarray, how: int) -> np.ndarray:
        os.write(2, b"watcher: a line of the log\n")
        return decode(data, how)

    monkeypatch.setattr(cv2, "imdecode", and_meanwhile)
    (tmp_path / "a.jpg").write_bytes(_jpeg())
    load_picture(tmp_path / "a.jpg")
    os.write(2, b"and one after\n")
    assert capfd.readouterr().err == "watcher: a line of the log\nand one after\n"


def test_the_end_of_a_small_picture_within_is_not_the_end(tmp_path: Path) -> None:
    """Cameras put a preview in front (EXIF), which has an end of its own."""
    preview, whole = _jpeg(high=32), _jpeg()
    note = b"\xff\xe1" + (2 + len(preview)).to_bytes(2, "big") + preview
    with_preview = whole[:2] + note + whole[2:]
    (tmp_path / "a.jpg").write_bytes(with_preview)
    assert load_picture(tmp_path / "a.jpg").shape == (96, 128, 3)
    (tmp_path / "b.jpg").write_bytes(with_preview[:-200])
    with pytest.raises(BadSource, match="cut short"):
        load_picture(tmp_path / "b.jpg")


def test_what_a_phone_writes_after_the_end_is_no_harm(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(_jpeg() + b"trailing notes" * 20)
    assert load_picture(tmp_path / "a.jpg").shape == (96, 128, 3)


def test_anything_else_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "b.png").write_text("no picture")
    for name in ("a.jpg", "b.png"):
        with pytest.raises(BadSource, match=r"is not a picture \(expected JPEG or PNG\)"):
            load_picture(tmp_path / name)
    with pytest.raises(BadSource, match=r"none.jpg is not there \(expected a picture\)"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(BadSource, match="is a folder"):
        load_picture(tmp_path)
    with pytest.raises(BadSource, match="a name is empty"):
        load_picture("")


@pytest.mark.parametrize(("high", "wide"), [(1, 1), (63, 1280)])
def test_a_picture_too_small_for_a_tray_gets_one_sentence(tmp_path: Path, high: int, wide: int) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((high, wide, 3), np.uint8))
    with pytest.raises(BadSource, match=rf"a\.png has {wide} x {high} pixels \(expected at least 64 x 64\)"):
        load_picture(tmp_path / "a.png")


def test_a_picture_that_claims_more_pixels_than_any_camera_has_gets_one_sentence(tmp_path: Path) -> None:
    small = cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes()
    head = b"IHDR" + struct.pack(">II", 100_000, 100_000) + small[24:29]
    (tmp_path / "a.png").write_bytes(small[:12] + head + struct.pack(">I", zlib.crc32(head)) + small[33:])
    with pytest.raises(BadSource, match=r"a\.png is (too large|not a picture)"):
        load_picture(tmp_path / "a.png")


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jpg")
    with pytest.raises(BadSource, match=r"a\.jpg is no file"):
        load_picture(tmp_path / "a.jpg")
    with pytest.raises(BadSource, match="cannot be read: File name too long"):
        load_picture(tmp_path / ("x" * 300 + ".jpg"))
    (tmp_path / "round.jpg").symlink_to("round.jpg")
    with pytest.raises(BadSource, match="cannot be read"):
        load_picture(tmp_path / "round.jpg")
