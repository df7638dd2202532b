"""A referee who sees everything: what lies under a disk, or on a tile, is asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.vision.trays import ROWS, cells, drawn, knowing, tray_of
from vision.crops.symbols import Symbols
from vision.dice import piled as piles
from vision.dice.piled import half_under, under_others
from vision.drawing import DrawnDisk, Look, TrayScene, draw, scene_for_layout
from vision.frames.votes import fuse, vote_of
from vision.geometry import Floats
from vision.ground.felt import look_at_felt
from vision.reader import read
from vision.reading import SYMBOLS, Problem, Status
from vision.tray.aslant import Camera
from vision.tray.rectify import Image, Tray, rectify

UPPER = DrawnDisk(20.0, -10.0, 30.0, "prediction", 2)
ALONE = DrawnDisk(-90.0, 40.0, 0.0, "queue", 3)
ABOVE = Camera((180.0, 130.0), 550.0)
SIZE = Look.plain().disk_mm


def piled(off: float, towards_deg: float = 40.0) -> tuple[DrawnDisk, ...]:
    """Return a disk alone, and one that lies on another. off: from middle to middle, over the diameter."""
    there = np.radians(towards_deg)
    x, y = UPPER.x_mm + off * SIZE * np.cos(there), UPPER.y_mm + off * SIZE * np.sin(there)
    return ALONE, DrawnDisk(float(x), float(y), 0.0, "queue", 1), UPPER


def laid(disks: tuple[DrawnDisk, ...]) -> tuple[Image, Tray]:
    picture = drawn(scene=TrayScene(disks=disks))
    return picture.picture_bgr, tray_of(picture)


def asked(
    disks: tuple[DrawnDisk, ...],
    *,
    seen: tuple[DrawnDisk, ...],
    camera: Camera = ABOVE,
    change: Callable[[Image, Tray], Image] = lambda picture, tray: picture,
    off_mm: tuple[float, float] = (0.0, 0.0),
    others_mm: Sequence[Floats] = (),
) -> list[Floats]:
    """Return what is asked about on a tray of disks, of which the finder saw some.

    change: what light and felt do. off_mm: by how much the finder is off. others_mm: outlines of what else lies there.
    """
    picture, tray = laid(disks)
    picture = change(picture, tray)
    ground = look_at_felt(rectify(picture, tray, px_per_mm=1.0, margin_mm=0.0), [], px_per_mm=1.0)
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIZE / 2
    w, h = tray.size_mm
    squares = np.array([box + (w / 2 + d.x_mm, h / 2 - d.y_mm) for d in seen]) + off_mm
    return under_others(picture, tray, ground, camera, disks_mm=squares, others_mm=others_mm)


@pytest.mark.parametrize("towards_deg", [0.0, 100.0, 200.0, 300.0])
@pytest.mark.parametrize("off", [0.3, 0.45, 0.6])
def test_a_disk_under_another_is_asked_about_where_it_sticks_out(off: float, towards_deg: float) -> None:
    disks = piled(off, towards_deg)
    found = asked(disks, seen=(ALONE, UPPER))
    assert len(found) == 1
    under, w, h = disks[1], *Look.plain().tray_mm
    lower = np.array([w / 2 + under.x_mm, h / 2 - under.y_mm])
    assert np.linalg.norm(found[0].mean(axis=0) - lower) < 0.25 * SIZE


def test_disks_that_lie_alone_or_touch_and_were_all_found_are_not() -> None:
    assert not asked((ALONE, UPPER), seen=(ALONE, UPPER))
    side_by_side = piled(1.0)
    assert not asked(side_by_side, seen=side_by_side)


def in_a_spot(picture: Image, tray: Tray) -> Image:
    """Return the picture with the light of a warm lamp on the felt around the disk that lies on another."""
    w, h = tray.size_mm
    x0, y0 = tray.to_px(np.array([[w / 2 + UPPER.x_mm, h / 2 - UPPER.y_mm]]))[0]
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    spot = np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / (2 * 60.0**2))[..., None] * np.array([14.0, 28.0, 34.0])
    return np.clip(picture + spot, 0, 255).astype(np.uint8)


def coarsely_woven(picture: Image, tray: Tray) -> Image:
    """Return the picture with felt as a cheap tray has it: lighter and darker by a quarter, three millimetres wide."""
    rng = np.random.default_rng(4)
    waves = cv2.resize(rng.normal(0, 0.16, (picture.shape[0] // 6, picture.shape[1] // 6)), picture.shape[1::-1])
    return np.clip(picture * (1 + waves[..., None]), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("change", [in_a_spot, coarsely_woven])
def test_felt_around_a_disk_is_compared_with_felt_just_there(change: Callable[[Image, Tray], Image]) -> None:
    """Few questions: in a lamp's spot, and with a coarse weave, felt is unlike what the tray's felt is on the whole."""
    assert not asked((ALONE, UPPER), seen=(ALONE, UPPER), change=change)
    disks = piled(0.5)
    assert len(asked(disks, seen=(ALONE, UPPER), change=change)) == 1


def test_what_hides_a_disks_edge_says_nothing_of_where_it_ends() -> None:
    """Few questions: the paper of a marker beside a disk made it end there, and stick out on the side across."""
    w, h = Look.plain().tray_mm
    at = np.array([w / 2 + ALONE.x_mm, h / 2 - ALONE.y_mm])
    paper = at + SIZE * np.array([[0.3, -0.8], [1.8, -0.8], [1.8, 0.8], [0.3, 0.8]])
    assert not asked((ALONE,), seen=(ALONE,), others_mm=[paper], off_mm=(2.0, 0.0))
    disks = piled(0.5, 160.0)
    across = np.array([w / 2 + UPPER.x_mm, h / 2 - UPPER.y_mm]) - at + paper
    assert len(asked(disks, seen=(ALONE, UPPER), others_mm=[across])) == 1


def test_a_rim_is_no_disk() -> None:
    """Few questions: beside a disk that nearly touches the rim its light side, or its shadow, seemed to stick out."""
    _, high = Look.plain().tray_mm
    near = DrawnDisk(30.0, high / 2 - SIZE / 2 - 4.0, 0.0, "queue", 1)

    def rimmed(picture: Image, tray: Tray) -> Image:
        wide = tray.size_mm[0]
        edge = tray.to_px(np.array([[0.0, -6.0], [wide, -6.0], [wide, 3.5], [0.0, 3.5]]))
        return np.asarray(cv2.fillConvexPoly(picture.copy(), np.round(edge).astype(np.int32), (215, 222, 225)))

    assert not asked((near, ALONE), seen=(near, ALONE), change=rimmed)


def test_in_a_blurred_picture_more_must_stick_out() -> None:
    """Few questions: where all disks seem to stick out by a little, none does by a little more."""
    four = tuple(
        DrawnDisk(x, y, 0.0, "queue", 1) for x, y in ((-90.0, 40.0), (60.0, 50.0), (20.0, -60.0), (-70.0, -40.0))
    )

    def smeared(picture: Image, tray: Tray) -> Image:
        return np.asarray(cv2.filter2D(picture, -1, np.eye(5) / 5), dtype=np.uint8)

    assert not asked(four, seen=four, change=smeared)
    disks = (*four, *piled(0.5)[1:])
    assert len(asked(disks, seen=(*four, UPPER), change=smeared)) == 1


def test_what_sticks_out_of_all_disks_the_same_way_is_their_shadow() -> None:
    """Few questions: a lamp's shadow may be as dark as a disk, but it lies on the same side of all; a disk does not."""
    places = ((-90.0, 40.0), (60.0, 50.0), (20.0, -60.0), (-70.0, -40.0))
    disks = tuple(DrawnDisk(x, y, 0.0, "queue", 1) for x, y in places)
    shadows = tuple(DrawnDisk(x + 0.17 * SIZE, y, 0.0, "queue", 1) for x, y in places)
    assert len(asked((*shadows[:3], *disks[:3]), seen=disks[:3])) == 3
    assert not asked((*shadows, *disks), seen=disks)
    assert len(asked((*shadows, *disks, *piled(0.5, 200.0)[1:]), seen=(*disks, UPPER))) == 1


@pytest.mark.parametrize(
    ("sides_deg", "asked_about"),
    [((0.0, 10.0, 20.0, 350.0, 180.0), [4]), ((0.0, 10.0, 20.0, 180.0, 180.0), [0, 1, 2, 3, 4])],
    ids=["four the same way", "three and two"],
)
def test_crescents_on_the_same_side_of_four_disks_are_their_shadows(
    sides_deg: tuple[float, ...], asked_about: list[int]
) -> None:
    """Few questions: of five disks each has a crescent beside it, sure by 0.8, where only 0.59 is needed."""
    ways = np.radians(sides_deg)
    seen = [(0.8, 4.0 * np.array([np.cos(way), np.sin(way)])) for way in ways]
    around = SimpleNamespace(crescent=lambda disk, number: seen[number - 1])
    beside = piles._Around._crescents(around, np.zeros((5, 4, 2)))  # type: ignore[arg-type]
    assert [k for k, way in enumerate(beside) if way is not None] == asked_about


def test_the_edge_of_a_disk_seen_aslant_is_its_own() -> None:
    """A disk is some millimetres thick: a finder that is off by as much, on that side, sees no second one."""
    aslant = Camera((400.0, 130.0), 300.0)
    assert not asked((ALONE,), seen=(replace(ALONE, x_mm=ALONE.x_mm - 1.2),), camera=aslant)


def test_where_no_felt_is_seen_nothing_is_said() -> None:
    picture, tray = laid(piled(0.4))
    ground = replace(look_at_felt(rectify(picture, tray, px_per_mm=1.0, margin_mm=0.0), [], px_per_mm=1.0), shade=None)
    disk = np.array([[[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]]])
    assert under_others(picture, tray, ground, ABOVE, disks_mm=disk, others_mm=[]) == []


@pytest.mark.parametrize("off", [0.35, 0.5])
def test_a_reading_of_disks_is_not_sure_while_one_lies_on_another(off: float) -> None:
    """Never silently wrong: 19 of 30 traced trays with such disks were."""
    picture, _ = laid(piled(off))
    reading = read(picture, expect="disks")
    assert reading.status is Status.UNSURE
    assert Problem.COUNT in reading.problems or not all(d.sure for d in reading.disks)
    straight, _ = laid((ALONE, UPPER))
    assert read(straight, expect="disks").status is Status.READ


@pytest.mark.parametrize(
    ("place", "x", "y"), [(4, 0.0, 12.0), (4, 5.0, 14.0), (0, -12.0, 3.0), (9, 12.0, -4.0), (35, 2.0, -13.0)]
)
def test_a_tile_that_sticks_out_of_a_board_is_asked_about(place: int, x: float, y: float) -> None:
    """... though it hides none of those that the reading names: whoever plays must see it, too."""
    scene = scene_for_layout(cells(ROWS), layout="rows", seed=1)
    under = scene.tiles[place]
    across = replace(under, x_mm=under.x_mm + x, y_mm=under.y_mm + y, angle_deg=10.0)
    laid = replace(scene, tiles=(*scene.tiles, across))
    picture = draw(laid, Look.plain(), size_wh_px=(1280, 960), rng=np.random.default_rng(1))
    reading = read(picture.picture_bgr, expect="rows")
    assert reading.status is Status.UNSURE
    assert fuse(reading, [vote_of(reading)] * 5).status is Status.UNSURE


@pytest.mark.parametrize(("unreadable", "status"), [(0.05, Status.READ), (0.2, Status.UNSURE)])
def test_a_tile_on_which_something_lies_is_asked_about_however_many_frames_are_seen(
    unreadable: float, status: Status
) -> None:
    """RULES 1: each number once a colour. The others leave one symbol for it; but nobody sees that it is there."""
    picture = drawn(cells(ROWS))
    eyes = knowing(picture.truth, doubt=1e-8)

    def look(frame: Image, quads: np.ndarray) -> Symbols:
        said = eyes.look(frame, quads)
        symbols = said.log_probs.argmax(axis=1)
        hidden = np.arange(len(symbols)) == np.flatnonzero(symbols == SYMBOLS.index("7"))[0]
        return replace(said, p_unreadable=np.where(hidden, unreadable, 0.0).astype(np.float32))

    reading = read(picture.picture_bgr, expect="rows", eyes=replace(eyes, look=look))
    assert reading.status is status
    assert [t.symbol for t in reading.tiles if not t.sure] == ["7"] * (status is Status.UNSURE)
    assert fuse(reading, [vote_of(reading)] * 5).status is status


def square(x: float, y: float = 0.0) -> Floats:
    """Return the square around a disk of 20 mm whose middle is there."""
    return np.array([[x - 10.0, y - 10.0], [x + 10.0, y - 10.0], [x + 10.0, y + 10.0], [x - 10.0, y + 10.0]])


@pytest.mark.parametrize(("off", "asked_about"), [(1.0, False), (7.0, True), (17.0, True), (19.5, False)])
def test_what_is_found_where_no_second_disk_can_lie_is_under_the_first(off: float, asked_about: bool) -> None:
    """A disk of the felt's own colour shows no edge; of 220 traced trays with such piles 18 are still read."""
    disks, finds = np.array([square(0.0), square(60.0)]), np.array([square(0.6 * off, 0.8 * off)])
    found = half_under(disks, finds)
    assert len(found) == asked_about
    assert all(np.array_equal(outline, finds[0]) for outline in found)


def test_without_a_disk_or_another_find_nothing_is_under_one() -> None:
    none = np.zeros((0, 4, 2))
    assert half_under(none, np.array([square(0.0)])) == []
    assert half_under(np.array([square(0.0)]), none) == []
