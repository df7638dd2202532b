"""Pictures from disk, whole ones only."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISDIR, S_ISREG

import cv2
import numpy as np
from numpy.typing import NDArray

from pi.errors import BadSource

JPEG, SCAN, END = b"\xff\xd8\xff", b"\xff\xda", b"\xff\xd9"
"""What a JPEG begins with, what each of its scans begins with, and what it ends with (ITU T.81, table B.1)."""

LEAST_PX = 64
"""As `vision.reader.read` has it."""


def picture_file(name: Path | str) -> Path:
    """Return where a picture lies; raises BadSource where nothing does, or a folder, and for a name that is empty."""
    if not str(name):
        raise BadSource("a name is empty (expected a picture's)")
    path = Path(name)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise BadSource(f"{name} is not there (expected a picture)") from None
    except OSError as no:  # a name too long, a folder that lets nobody in, links that go round
        raise BadSource(f"{name} cannot be read: {no.strerror or no}") from None
    if S_ISDIR(mode):
        raise BadSource(f"{name} is a folder (expected a picture)")
    if not S_ISREG(mode):
        raise BadSource(f"{name} is no file (expected a picture)")
    return path


def load_picture(path: Path | str) -> NDArray[np.uint8]:
    """Return a picture as the eye wants it, (h, w, 3) blue green red, turned as its EXIF says.

    Raises BadSource for anything else, and as `picture_file`.
    A JPEG that was cut short is none: some versions of OpenCV show whatever was in memory where its end should be.
    """
    file = picture_file(path)
    try:
        data = file.read_bytes()
    except OSError as no:
        raise BadSource(f"{path} cannot be read: {no.strerror or no}") from None
    if data.startswith(JPEG) and not _ends(data):
        raise BadSource(f"{path} is cut short: {len(data)} bytes of a JPEG without its end (expected a whole picture)")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:  # more pixels than OpenCV takes: none of a camera's
        raise BadSource(f"{path} is too large (expected a picture as cameras take them)") from None
    if picture is None:
        raise BadSource(f"{path} is not a picture (expected JPEG or PNG)")
    if min(picture.shape[:2]) < LEAST_PX:
        h, w = picture.shape[:2]
        raise BadSource(f"{path} has {w} x {h} pixels (expected at least {LEAST_PX} x {LEAST_PX})")
    return np.asarray(picture, dtype=np.uint8)


def _ends(jpeg: bytes) -> bool:
    """Return whether the last scan has an end; a small picture within (EXIF) has one of its own, further up."""
    return jpeg.rfind(END) > jpeg.rfind(SCAN)
