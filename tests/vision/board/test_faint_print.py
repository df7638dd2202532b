"""Never silently wrong: what is hardly to be seen on a back is no number, however much it looks like one to the net."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.trays import ROWS, cells, drawn
from vision.reader import read
from vision.reading import Status
from vision.tray.rectify import Image

BACK, TWO = (1, 4), "2"
"""Row and column of the tile that lies face down, and the number that its row lacks."""
ROW_INK = 200.0
"""Grey values, roughly, by which the drawn ink is darker than its tiles."""


def with_a_print(lighter: float) -> Image:
    """Return a board with one back, and on that a two by so many grey values lighter than the back."""
    one_down = tuple(("blue", "5489d70136") if colour == "blue" else (colour, row) for colour, row in ROWS)
    picture = drawn(cells(one_down), layout="wild")
    quad = next(t["quad"] for t in picture.truth["tiles"] if t["label"] == "down")
    stamp = np.zeros((60, 48), np.uint8)
    (w, h), _ = cv2.getTextSize(TWO, cv2.FONT_HERSHEY_SIMPLEX, 1.1, 4)
    cv2.putText(stamp, TWO, ((48 - w) // 2, (60 + h) // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.1, 255, 4, cv2.LINE_AA)
    flat = np.array([[0, 0], [48, 0], [48, 60], [0, 60]], np.float32)
    place = cv2.getPerspectiveTransform(flat, np.array(quad, np.float32))
    h, w = picture.picture_bgr.shape[:2]
    seen = cv2.warpPerspective(stamp, place, (w, h)).astype(np.float64)[..., None] / 255.0
    return np.clip(picture.picture_bgr + lighter * seen, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("lighter", [12.0, 16.0, 20.0])
def test_a_number_with_next_to_no_ink_beside_its_rows_is_asked_about(lighter: float) -> None:
    """A print of a finger: the net is sure of a two (0.9998 and more), and the set's rule agrees."""
    reading = read(with_a_print(lighter), expect="wild")
    assert reading.status is Status.UNSURE
    assert [(t.row, t.column) for t in reading.tiles if not t.sure] == [BACK]
    assert [(t.row, t.column) for t in reading.tiles if t.doubted] == [BACK], "no number of frames makes it sure"


def test_what_nobody_sees_is_a_back_and_plain_ink_a_number() -> None:
    for lighter, symbol in ((4.0, "down"), (ROW_INK, TWO)):
        reading = read(with_a_print(lighter), expect="wild")
        assert reading.status is Status.READ
        assert [t.symbol for t in reading.tiles if (t.row, t.column) == BACK] == [symbol]
