"""Pictures from disk, whole ones only."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from threading import Lock
from typing import BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from pi.errors import BadSource

JPEG, SCAN, END = b"\xff\xd8\xff", b"\xff\xda", b"\xff\xd9"
"""What a JPEG begins with, what each of its scans begins with, and what it ends with (ITU T.81, table B.1)."""

LIBRARIES = re.compile(rb"libpng|Corrupt JPEG data|Premature end of JPEG|Invalid |Unsupported marker|Warning: unk")
"""How the lines begin in which libpng and libjpeg complain."""
DAMAGED = re.compile(rb"libpng error|Corrupt JPEG data|Premature end of JPEG")
PADDED = re.compile(rb"Corrupt JPEG data: (\d|1[0-6]) extraneous bytes before marker 0xd9")
"""What some webcams fill their pictures up with is no damage."""
_ALONE = Lock()
"""A process has one standard error."""

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
    A JPEG that was cut short is none: some versions of OpenCV show whatever was in memory where its end should be. Nor
    is one that is damaged further up, as far as that shows: bytes that happen to say something say something else.
    """
    file = picture_file(path)
    try:
        data = file.read_bytes()
    except OSError as no:
        raise BadSource(f"{path} cannot be read: {no.strerror or no}") from None
    if data.startswith(JPEG) and not _ends(data):
        raise BadSource(f"{path} is cut short: {len(data)} bytes of a JPEG without its end (expected a whole picture)")
    try:
        picture, damaged = _decoded(data) if data else (None, False)
    except cv2.error:  # more pixels than OpenCV takes: none of a camera's
        raise BadSource(f"{path} is too large (expected a picture as cameras take them)") from None
    if damaged:
        raise BadSource(f"{path} is damaged (expected a whole picture)")
    if picture is None:
        raise BadSource(f"{path} is not a picture (expected JPEG or PNG)")
    if min(picture.shape[:2]) < LEAST_PX:
        h, w = picture.shape[:2]
        raise BadSource(f"{path} has {w} x {h} pixels (expected at least {LEAST_PX} x {LEAST_PX})")
    return np.asarray(picture, dtype=np.uint8)


def _ends(jpeg: bytes) -> bool:
    """Return whether the last scan has an end; a small picture within (EXIF) has one of its own, further up."""
    return jpeg.rfind(END) > jpeg.rfind(SCAN)


def _decoded(data: bytes) -> tuple[NDArray[np.uint8] | None, bool]:
    """Return a picture, None for none, and whether the libraries that decode it complain of damage; 0.3 ms more.

    OpenCV keeps that to itself: it fills the rest with grey, and they write to the process's standard error.
    """
    with _ALONE, _scratch() as heard:
        try:
            with _standard_error_into(heard):
                picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        finally:
            heard.seek(0)
            lines = heard.readlines()
            if others := b"".join(line for line in lines if not LIBRARIES.match(line)):
                os.write(2, others)
    damaged = any(DAMAGED.match(line) and not PADDED.match(line) for line in lines)
    return None if picture is None else np.asarray(picture, dtype=np.uint8), damaged


def _scratch() -> BinaryIO:
    """Return a file to write to and read from, where there are such in memory: a card may take nothing."""
    return os.fdopen(os.memfd_create("heard"), "w+b") if hasattr(os, "memfd_create") else tempfile.TemporaryFile()


@contextmanager
def _standard_error_into(file: BinaryIO) -> Iterator[None]:
    """Let what is written to standard error, also by libraries in C, go into a file."""
    try:
        kept = os.dup(2)
    except OSError:  # it was closed: they complain to nobody
        yield
        return
    try:
        os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
