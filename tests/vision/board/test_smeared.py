"""Never silently wrong: behind a drop on the lens a digit looks like a back, to the net and to nobody else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.trays import SOME_DOWN, cells, drawn, knowing, shown
from vision.board.smeared import smeared
from vision.drawing import Drawn
from vision.frames.votes import fuse, vote_of
from vision.reader import read
from vision.reading import Status

TILE = 14
"""Number of an open tile, in the middle of a board."""


def through_drop(picture: Drawn, tile: int, *, sigma: float, wide: float = 0.85) -> np.ndarray:
    """Return the picture with one tile smeared. sigma, wide: how much, and how large, over the tile's width."""
    quad = np.array(picture.truth["tiles"][tile]["quad"])
    side, (u, v) = float(np.linalg.norm(quad[1] - quad[0])), quad.mean(axis=0)
    h, w = picture.picture_bgr.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    inside = 1 / (1 + np.exp(np.clip((np.hypot(x - u, y - v) - wide * side) / (0.08 * side), -50, 50)))
    smear = cv2.GaussianBlur(picture.picture_bgr, (0, 0), sigma * side)
    return np.asarray(picture.picture_bgr + inside[..., None] * (smear - picture.picture_bgr.astype(float)), np.uint8)


def test_a_drop_smaller_than_a_tile_leaves_its_seams_and_is_seen_by_the_stain_in_its_middle() -> None:
    """... where so few tiles lie face down that nobody knows what a back looks like."""
    picture = drawn(cells())
    eyes = knowing(picture.truth, change={TILE: {"down": 0.0}})
    reading = read(through_drop(picture, TILE, sigma=0.25, wide=0.45), expect="rows", eyes=eyes)
    assert [n for n, tile in enumerate(reading.tiles) if not tile.sure] == [TILE]


@pytest.mark.parametrize("sigma", [0.25, 0.45])
@pytest.mark.parametrize("rows", [cells(), SOME_DOWN], ids=["all open", "one of each colour down"])
def test_a_digit_behind_a_drop_on_the_lens_is_no_back_for_certain(rows: list[list[str | None]], sigma: float) -> None:
    """Of 492 trays behind four drops each 31 were silently wrong, 27 of these for such a tile alone."""
    picture = drawn(rows)
    eyes = knowing(picture.truth, change={TILE: {"down": 0.0}})
    reading = read(through_drop(picture, TILE, sigma=sigma), expect="rows", eyes=eyes)
    assert reading.status is Status.UNSURE
    assert [n for n, tile in enumerate(reading.tiles) if not tile.sure] == [TILE]
    assert fuse(reading, [vote_of(reading)] * 5).status is Status.UNSURE


def test_backs_with_seams_as_sharp_as_all_others_ask_nobody() -> None:
    picture = drawn(SOME_DOWN)
    reading = read(picture.picture_bgr, expect="rows", eyes=knowing(picture.truth))
    assert reading.status is Status.READ
    assert sum("d" in row for row in shown(reading)) == 4


def test_a_back_without_seams_is_one_where_nothing_stains_its_middle() -> None:
    """Few questions: a dark back beside felt as dark hides its seams, but no digit."""
    picture = drawn(SOME_DOWN)
    down = np.array([t["label"] == "down" for t in picture.truth["tiles"]])
    quads = np.array([t["quad"] for t in picture.truth["tiles"]])
    plain = picture.picture_bgr.copy()
    first, back = quads[down][0], picture.picture_bgr[tuple(quads[down][0].mean(axis=0).round().astype(int)[::-1])]
    around = first.mean(axis=0) + 1.4 * (first - first.mean(axis=0))
    cv2.fillConvexPoly(plain, np.round(around).astype(np.int32), back.tolist())
    assert not smeared(plain, quads, down).any()
    cv2.circle(plain, first.mean(axis=0).round().astype(int).tolist(), 7, (back * 0.8).tolist(), -1)
    assert np.flatnonzero(smeared(cv2.GaussianBlur(plain, (0, 0), 0.5), quads, down)).tolist() == [
        np.flatnonzero(down)[0]
    ]


@pytest.mark.parametrize("light", [0.2, 1.0])
def test_a_back_in_a_shadow_is_as_sharp_as_one_in_the_light(light: float) -> None:
    picture = drawn(SOME_DOWN)
    truth = [t["label"] == "down" for t in picture.truth["tiles"]]
    quad = np.array(picture.truth["tiles"][truth.index(True)]["quad"])
    dim = picture.picture_bgr.astype(float)
    mask = np.zeros(dim.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad.mean(axis=0) + 2.0 * (quad - quad.mean(axis=0))).astype(np.int32), 1)
    dim[mask > 0] *= light
    quads = np.array([t["quad"] for t in picture.truth["tiles"]])
    assert not smeared(dim.astype(np.uint8), quads, np.array(truth)).any()


def test_a_picture_that_is_out_of_focus_everywhere_says_nothing_of_one_tile() -> None:
    picture = drawn(SOME_DOWN)
    down = np.array([t["label"] == "down" for t in picture.truth["tiles"]])
    quads = np.array([t["quad"] for t in picture.truth["tiles"]])
    assert not smeared(cv2.GaussianBlur(picture.picture_bgr, (0, 0), 2.0), quads, down).any()


def test_where_there_is_nothing_to_compare_with_nothing_is_smeared() -> None:
    picture = drawn(SOME_DOWN)
    quads = np.array([t["quad"] for t in picture.truth["tiles"]])
    flat = replace(picture, picture_bgr=np.full_like(picture.picture_bgr, 90))
    assert not smeared(flat.picture_bgr, quads, np.zeros(len(quads), dtype=bool)).any()
    assert not smeared(flat.picture_bgr, quads[:3], np.ones(3, dtype=bool)).any()
    assert smeared(flat.picture_bgr, quads[:0], np.ones(0, dtype=bool)).tolist() == []
