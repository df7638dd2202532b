"""A picture and what is expected in, a reading out: the one door of the eye.

Order of work: tray -> rectified picture -> where pieces lie -> rows and columns -> what they show ->
rules of the set -> how sure. Nothing here touches a file (but the shipped models), a clock (but the one
handed in) or chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vision.errors import BadPicture
from vision.layout import Expectation
from vision.reading import Problem, Reading, Status
from vision.rectify import Image, Tray, find_tray

Clock = Callable[[], float]
"""Seconds, monotonic; differences only."""


def read(
    picture_bgr: Image,
    *,
    expect: Expectation | str = Expectation.ROWS,
    tray: Tray | None = None,
    clock: Clock | None = None,
    owner: Any = None,
) -> Reading:
    """Return what lies on the tray.

    picture_bgr: (h, w, 3) uint8, any size from 64 x 64 up. expect: what the caller knows to lie there.
    tray: registration of the same fixed camera, for pictures in which a hand covers markers; None looks
    afresh. clock: seconds, for `Reading.milliseconds`. owner: what `vision.teach` learned of this table's
    set; None for the shipped models alone.

    Raises BadPicture for an array that is no colour picture and UnknownExpectation for a text that names
    no layout; never for what is in the picture.
    """
    check_picture(picture_bgr)
    what = expect if isinstance(expect, Expectation) else Expectation.parse(expect)
    found = find_tray(picture_bgr, hint=tray)
    if found is None:
        return Reading(Status.NO_TRAY, problems=Problem.NO_TRAY, expected=what.value)
    return Reading(Status.EMPTY, expected=what.value, tray=found.corners)


def check_picture(picture_bgr: Any) -> None:
    """Raise BadPicture unless the array is a colour picture of at least 64 x 64 pixels."""
    if not isinstance(picture_bgr, np.ndarray):
        raise BadPicture(f"a picture is a numpy array, got {type(picture_bgr).__name__}")
    if picture_bgr.dtype != np.uint8 or picture_bgr.ndim != 3 or picture_bgr.shape[2] != 3:
        raise BadPicture(
            f"a picture is uint8 of shape (height, width, 3), got {picture_bgr.dtype} of {picture_bgr.shape}"
        )
    if min(picture_bgr.shape[:2]) < 64:
        raise BadPicture(
            f"a picture has at least 64 x 64 pixels, got {picture_bgr.shape[1]} x {picture_bgr.shape[0]}"
        )
