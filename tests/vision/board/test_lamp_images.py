"""A lamp that lacquered backs mirror is no print; but nothing that may be a digit under it passes for a back."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.trays import cells, drawn
from vision.board.lamp_images import looked_past
from vision.crops.symbols import Symbols
from vision.drawing import Drawn, Look
from vision.geometry import Floats
from vision.reader import read
from vision.reading import SYMBOLS, Reading
from vision.tray.rectify import Image

DOWN = SYMBOLS.index("down")
ROWS = cells((("red", "08d65d29dd"), ("blue", "5d89dd0dd6"), ("purple", "9d20dd38d6"), ("orange", "d2dd5918dd")))


def lacquered(*, ink_as_a_lamp: bool = False) -> Drawn:
    """Light tiles with coloured ink; or coloured ones with white ink and backs in another colour."""
    plain = Look.plain()
    tile = replace(plain.tile, body=(110.0, 190.0, 225.0), back=(110.0, 190.0, 225.0))
    if ink_as_a_lamp:
        tile = replace(plain.tile, body=None, ink_light=(252.0, 253.0, 254.0), back=(60.0, 60.0, 60.0))
    return drawn(ROWS, look=replace(plain, tile=tile))


def with_lamp(tray: Drawn, which: list[int], *, tall: float) -> Image:
    """The picture with a lamp's image in the middle of some tiles, twice as wide as it is tall, over the tile's."""
    out = tray.picture_bgr.copy()
    for k in which:
        quad = np.array(tray.truth["tiles"][k]["quad"])
        x, y = quad.mean(axis=0)
        half = tall / 2 * float(np.linalg.norm(quad[3] - quad[0]))
        axes = (round(2 * half * 16), round(half * 16))
        cv2.ellipse(out, (round(16 * x), round(16 * y)), axes, 20.0, 0, 360, (252, 253, 253), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 0.6), dtype=np.uint8)


def down(tray: Drawn) -> list[int]:
    return [k for k, tile in enumerate(tray.truth["tiles"]) if tile["label"] == "down"]


def printed(tray: Drawn, symbols: str) -> list[int]:
    return [k for k, tile in enumerate(tray.truth["tiles"]) if tile["label"] in symbols]


def at(reading: Reading, tray: Drawn, k: int):  # noqa: ANN201
    tile = tray.truth["tiles"][k]
    return next(t for t in reading.tiles if (t.row, t.column) == (tile["row"], tile["col"]))


def test_backs_that_mirror_a_lamp_are_backs_as_the_others_are() -> None:
    tray = lacquered()
    lit = down(tray)[:6]
    reading = read(with_lamp(tray, lit, tall=0.2), expect="wild")
    assert [(at(reading, tray, k).symbol, at(reading, tray, k).sure) for k in lit] == [("down", True)] * 6


class Eye:
    """Sees what it is told on each tile, and keeps how often it looked again."""

    def __init__(self, symbol: str) -> None:
        self.symbol, self.looked = symbol, 0

    def __call__(self, picture_bgr: Image, quads_px: Floats) -> Symbols:
        self.looked += len(quads_px)
        p = np.full((len(quads_px), len(SYMBOLS)), 1e-4, np.float32)
        p[:, SYMBOLS.index(self.symbol)] = 0.999
        none = np.zeros(len(quads_px), np.float32)
        return Symbols(np.log(p), none, none)


def seen(tray: Drawn, doubtful: list[int]) -> tuple[Floats, Floats, Floats]:
    """Quads, log-probabilities and unreadable as of a net that knows all tiles but some, which may be a wild."""
    tiles = tray.truth["tiles"]
    p = np.full((len(tiles), len(SYMBOLS)), 1e-5)
    for k, tile in enumerate(tiles):
        p[k, SYMBOLS.index(tile["label"])] = 1.0
    p[doubtful] = 1e-2
    p[doubtful, SYMBOLS.index("#")] = 1.0
    p /= p.sum(axis=1, keepdims=True)
    return np.array([t["quad"] for t in tiles], dtype=np.float64), np.log(p), np.full(len(tiles), 0.01)


def past(tray: Drawn, picture: Image, doubtful: list[int], eye: Eye) -> tuple[list[str], Floats]:
    quads, log_probs, unreadable = seen(tray, doubtful)
    shown, mute = looked_past(picture, quads, log_probs, unreadable, eye)
    assert np.allclose(np.exp(shown).sum(axis=1), 1.0)
    others = np.setdiff1d(np.arange(len(quads)), doubtful)
    assert np.allclose(shown[others], log_probs[others]), "what is not in doubt stays as it is"
    return [SYMBOLS[k] for k in shown[doubtful].argmax(axis=1)], mute


def test_what_is_left_of_a_back_without_the_lamp_is_believed() -> None:
    tray = lacquered()
    lit = down(tray)[:3]
    shown, mute = past(tray, with_lamp(tray, lit, tall=0.2), lit, Eye("down"))
    assert shown == ["down"] * 3
    assert mute[lit] == pytest.approx(0.0)


def test_of_what_is_left_of_a_digit_nothing_is_believed() -> None:
    """A lamp may cover what tells an eight from a three, and a one's ink is not gone though the eye saw a back."""
    tray = lacquered()
    ones, eye = printed(tray, "1"), Eye("down")
    assert past(tray, with_lamp(tray, ones, tall=0.2), ones, eye)[0] == ["#"] * len(ones)
    assert eye.looked == 0
    backs = down(tray)[:3]
    assert past(tray, with_lamp(tray, backs, tall=0.2), backs, Eye("3"))[0] == ["#"] * 3


def test_light_as_tall_as_a_digit_may_hide_one() -> None:
    tray = lacquered()
    lit, eye = down(tray)[:2], Eye("down")
    assert past(tray, with_lamp(tray, lit, tall=0.5), lit, eye)[0] == ["#"] * 2
    assert eye.looked == 0


def test_ink_as_light_as_a_lamp_is_not_painted_over() -> None:
    tray = lacquered(ink_as_a_lamp=True)
    lit, eye = down(tray)[:2], Eye("down")
    assert past(tray, with_lamp(tray, lit, tall=0.2), lit, eye)[0] == ["#"] * 2
    assert eye.looked == 0


def test_where_few_backs_lie_nobody_knows_what_one_looks_like() -> None:
    """On a tray of open tiles one colour's ink may be such that nobody sees it."""
    tray = lacquered()
    backs, eye = down(tray), Eye("down")
    doubtful = backs[:-4]
    picture = with_lamp(tray, doubtful[:2], tall=0.2)
    assert past(tray, picture, doubtful, eye)[0] == ["#"] * len(doubtful)
    assert eye.looked == 0


def test_nobody_looks_past_anything_where_nothing_is_in_doubt() -> None:
    tray = lacquered()
    quads, log_probs, unreadable = seen(tray, [])
    again = looked_past(with_lamp(tray, down(tray)[:3], tall=0.2), quads, log_probs, unreadable, Eye("3"))
    assert again[0] is log_probs
    assert again[1] is unreadable
