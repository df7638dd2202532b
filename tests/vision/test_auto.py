"""`feltside read PICTURE` is told nothing of what lies there: it tells by itself, or says that it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.trays import LIKE_FELT, ROWS, SOME_DOWN, cells, knowing, on_shaded_felt, shown, tray_of
from vision.drawing import DrawnDie, DrawnDisk, Look, TrayScene, draw, scene_for_layout
from vision.eyes import shipped_eyes
from vision.finding.pieces import KINDS, Pieces
from vision.frames.votes import fuse, vote_of
from vision.reader import read
from vision.reading import Problem, Reading, Status

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

TILES = scene_for_layout(cells(), layout="rows", seed=1).tiles
DISKS = (DrawnDisk(-120.0, -90.0, 10.0, "prediction", 2), DrawnDisk(120.0, 95.0, 0.0, "queue", 3))


def seen(*, tiles: tuple[Any, ...] = (), dice: tuple[Any, ...] = (), disks: tuple[Any, ...] = ()) -> Reading:
    scene = TrayScene(tiles=tiles, dice=dice, disks=disks, seed=3)
    picture = draw(scene, Look.plain(), size_wh_px=(1280, 960), rng=np.random.default_rng(1))
    return read(picture.picture_bgr, expect="auto")


def test_disks_are_read_beside_tiles() -> None:
    """RULES 1: prediction and queue disks lie beside the board. The referee sees everything."""
    reading = seen(tiles=TILES, disks=DISKS)
    assert reading.status is Status.READ
    assert shown(reading) == [symbols for _, symbols in ROWS]
    assert sorted((d.kind, d.value) for d in reading.disks) == [("prediction", 2), ("queue", 3)]


def test_frames_in_which_a_disk_is_doubtful_are_not_read_for_their_tiles() -> None:
    """DESIGN, `feltside read`: `status` is read where every piece is sure."""
    reading = seen(tiles=TILES, disks=DISKS)
    doubtful = replace(reading, status=Status.UNSURE, disks=tuple(replace(d, sure=False) for d in reading.disks))
    assert fuse(reading, [vote_of(reading)] * 3).status is Status.READ
    assert fuse(doubtful, [vote_of(replace(doubtful, disks=()))] * 3).status is Status.UNSURE


def test_a_disk_close_to_a_tile_is_no_tile_more() -> None:
    """What sticks out of a full board is asked about, unless it is read as what it is."""
    first, look = min(TILES, key=lambda t: t.x_mm), Look.plain()
    x = first.x_mm - look.tile.size_mm[0] / 2 - look.disk_mm / 2 - 0.5
    reading = seen(tiles=TILES, disks=(DrawnDisk(x, first.y_mm, 0.0, "queue", 2), *DISKS))
    assert reading.status is Status.READ
    assert len(reading.disks) == 3


def test_where_a_lamp_may_hide_a_disk_beside_tiles_it_is_asked_about() -> None:
    """Never silently wrong: nobody sees a pale disk where all is white."""
    picture = draw(
        TrayScene(tiles=TILES, disks=DISKS, seed=3), Look.plain(), size_wh_px=(1280, 960), rng=np.random.default_rng(1)
    )
    # Smaller than a tile: a white place of its size may be one that lies face down.
    half = np.array([[-11.0, -11.0], [11.0, -11.0], [11.0, 11.0], [-11.0, 11.0]])
    place = tray_of(picture).to_px(np.array([300.0, 235.0]) + half)
    lit = cv2.fillConvexPoly(picture.picture_bgr.copy(), np.round(place).astype(np.int32), (255, 255, 255))
    reading = read(lit, expect="auto")
    assert all(piece.sure for piece in (*reading.tiles, *reading.disks))
    assert len(reading.disks) == 2
    assert (reading.status, reading.unseen) == (Status.UNSURE, True)


def test_tiles_alone_have_no_disks() -> None:
    reading = seen(tiles=TILES)
    assert (reading.status, reading.disks, reading.expected) == (Status.READ, (), "rows")


@pytest.mark.parametrize("value", [1, 5])
def test_one_die_is_no_empty_tray(value: int) -> None:
    reading = seen(dice=(DrawnDie(-50.0, 30.0, 20.0, value, "white"),))
    assert reading.status is Status.READ
    assert [d.value for d in reading.dice] == [value]


def test_dice_beside_tiles_are_asked_about() -> None:
    """No game of ours lays both: one of the two is mistaken."""
    reading = seen(tiles=TILES, dice=(DrawnDie(-130.0, -95.0, 20.0, 5, "white"),))
    assert reading.status is Status.UNSURE
    assert Problem.COUNT in reading.problems


def test_nothing_is_empty() -> None:
    assert seen().status is Status.EMPTY


def test_backs_of_the_felts_colour_make_a_full_board_and_none_with_gaps() -> None:
    picture = on_shaded_felt(SOME_DOWN, back=LIKE_FELT)
    reading = read(picture.picture_bgr, expect="auto", eyes=knowing(picture.truth, doubt=1e-8))
    assert (reading.status, reading.expected) == (Status.READ, "wild")
    assert shown(reading) == ["08d6572914", "54d9270136", "91d0473856", "42d7591830"]


@pytest.mark.parametrize("overlooked", [3, 6])
def test_where_backs_may_lie_between_tiles_nothing_is_sure(overlooked: int) -> None:
    """Never silently wrong: with some backs overlooked the rest would do for Draw Bridge (RULES 1), and is none."""
    rows = [[cell if k % 3 else f"{cell.split(':')[0]}:down" for k, cell in enumerate(row)] for row in cells()]
    picture = on_shaded_felt(rows, back=LIKE_FELT)
    eyes = knowing(picture.truth, doubt=1e-8)
    backs = np.flatnonzero([t["label"] == "down" for t in picture.truth["tiles"]])[:overlooked]

    def find(flat: np.ndarray) -> Pieces:
        return eyes.find(flat).only(~np.isin(np.arange(40), backs))

    reading = read(picture.picture_bgr, expect="auto", eyes=replace(eyes, find=find))
    assert reading.status is Status.UNSURE
    assert reading.problems & (Problem.LAYOUT | Problem.COUNT)


@pytest.mark.parametrize(("dice", "disks", "read_as"), [(3, 1, "dice"), (2, 2, "dice"), (0, 2, "disks")])
def test_a_one_may_look_like_a_disk(dice: int, disks: int, read_as: str) -> None:
    """The finder's kinds, as for dice that show a one: some dice among "disks" make all of them dice."""
    drawn = [DrawnDie(30.0 * k - 60.0, 10.0, 7.0 * k, 1, "white") for k in range(dice + disks)]
    picture = draw(TrayScene(dice=tuple(drawn), seed=3), Look.plain(), size_wh_px=(1280, 960),
                   rng=np.random.default_rng(1))  # fmt: skip
    eyes = shipped_eyes(None)

    def find(flat: np.ndarray) -> Pieces:
        found = eyes.find(flat)
        kinds = np.full(len(found.score), KINDS.index("disk"))
        kinds[np.argsort(-found.score)[disks:]] = KINDS.index("die")
        return replace(found, kind=kinds)

    reading = read(picture.picture_bgr, expect="auto", eyes=replace(eyes, find=find, find_loose=None))
    assert reading.expected == read_as
