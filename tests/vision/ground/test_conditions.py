"""DESIGN: "Not found" is said, and all of it at once (STYLE 9): hands, dark, blur, glare."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.trays import cells, drawn, shaken, tray_of
from vision.drawing import Look, TrayScene, draw
from vision.ground import conditions
from vision.ground.conditions import blown_out, hides_a_piece, light_amiss, paper_level, picture_problems
from vision.ground.felt import Residue
from vision.ground.papers import papers_of
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import rectify

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")


@pytest.mark.parametrize(
    ("area_mm2", "at_rim", "line", "hand", "waits"),
    [(3500.0, False, False, 0.1, False), (3500.0, False, False, 0.4, True), (6000.0, False, False, 0.0, True),
     (800.0, True, False, 0.0, False), (800.0, True, False, 0.4, True), (1500.0, True, False, 0.0, True),
     (9000.0, True, True, 0.0, False), (600.0, True, False, 0.9, False)],
    ids=["an emblem", "a hand", "a large heap", "a gleam", "a finger", "a sleeve", "a racetrack", "a die at the rim"],
)  # fmt: skip
def test_what_is_large_is_an_arm_unless_it_may_be_printed_there(
    area_mm2: float, at_rim: bool, line: bool, hand: float, waits: bool
) -> None:
    """Hands never score; but whoever waits for a print to go away waits for ever."""
    around = np.array([[60.0, 80.0], [140.0, 80.0], [140.0, 120.0], [60.0, 120.0]])
    thing = Residue((100.0, 100.0), area_mm2, at_rim, line, around)
    assert bool(conditions.as_arms([thing], hand_at=lambda _: hand)) is waits


def test_hand_map_in_square_millimetres() -> None:
    hand = np.zeros((38, 50), np.float32)
    hand[3:6, 4:6] = 0.9
    assert conditions.hand_area(hand) == 6 * 64
    assert conditions.hand_area(np.zeros((0, 0), np.float32)) == 0.0


def test_a_hand_that_keeps_off_the_felt_covers_nothing() -> None:
    """Or a table the colour of skin, seen around the tray, would hold the game up for ever."""
    beside, over = np.zeros((38, 50), np.float32), np.zeros((38, 50), np.float32)
    beside[10:20, :3] = beside[:3, 30:40] = 1.0
    over[10:12, :4] = 1.0
    assert conditions.hand_area(beside) == 0.0
    assert conditions.hand_area(over) == 8 * 64


def test_light_and_sharpness_are_named() -> None:
    picture = drawn()
    tray = tray_of(picture)
    flat = rectify(picture.picture_bgr, tray, px_per_mm=1.0)
    assert picture_problems(flat, tray, washed=np.zeros(40)) is Problem.NONE
    blurred = cv2.GaussianBlur(flat, (0, 0), 4).astype(np.uint8)
    assert Problem.BLUR in picture_problems(blurred, tray, washed=np.zeros(40))
    assert Problem.DARK in picture_problems((flat * 0.12).astype(np.uint8), tray, washed=np.zeros(40))
    assert Problem.GLARE in picture_problems(flat, tray, washed=np.array([0.0, 0.4]))


@pytest.mark.parametrize(("light", "dark"), [(1.0, False), (0.3, True)])
def test_dark_felt_is_no_darkness_where_the_markers_are_white(light: float, dark: bool) -> None:
    """Issue 3: few questions. On a tray with gaps nothing is sure in the dark; black felt in good light is not that."""
    look = replace(Look.plain(), felt=(22.0, 20.0, 24.0))
    picture = draw(TrayScene(seed=1), look, size_wh_px=(1280, 960), rng=np.random.default_rng(1))
    frame = (picture.picture_bgr * light).astype(np.uint8)
    tray = tray_of(picture)
    flat = rectify(frame, tray, px_per_mm=1.0)
    paper = paper_level(flat, papers_of(tray))
    assert paper is not None
    assert abs(paper - light * 235) < 15
    assert (Problem.DARK in picture_problems(flat, tray, washed=np.zeros(0), paper=paper)) is dark
    assert Problem.DARK in picture_problems(flat, tray, washed=np.zeros(0))


@pytest.mark.parametrize("expect", ["rows", "dice"])
@pytest.mark.parametrize(
    ("light", "markers", "named"),
    [(0.0, True, "dark"), (0.06, True, "dark"), (0.15, False, "dark"), (40.0, True, "bright")],
    ids=["black", "the lamp out", "without markers it begins earlier", "white"],
)
def test_a_light_in_which_no_tray_is_seen_is_named(light: float, markers: bool, named: str, expect: str) -> None:
    """The issue: "a changed lamp is noticed within one turn and named": who reads `no-tray` alone moves the tray."""
    picture = drawn(markers=markers).picture_bgr
    reading = read(np.clip(picture * light, 0, 255).astype(np.uint8), expect=expect)
    assert reading.status is Status.NO_TRAY
    assert reading.problems.words() == [named, "no-tray"]


def test_a_lit_table_without_a_tray_is_neither_dark_nor_bright() -> None:
    """Nor one with a black felt on it, or a white one: there the tray is what to look for."""
    wood = np.full((480, 640, 3), (92, 138, 178), np.uint8)
    assert read(wood).problems.words() == ["no-tray"]
    for felt in ((22, 20, 24), (255, 255, 255)):
        table = wood.copy()
        table[100:380, 150:500] = felt
        assert light_amiss(table) is Problem.NONE


@pytest.mark.parametrize(("side_mm", "hides"), [(12, False), (19, True)])
def test_a_white_patch_of_felt_as_large_as_a_tile_may_hide_one(side_mm: int, hides: bool) -> None:
    """Never silently wrong: in glare a white tile is not seen, and where there may be gaps nobody misses it."""
    felt = np.full((260, 360, 3), (60, 90, 30), np.uint8)
    felt[100 : 100 + 2 * side_mm, 200 : 200 + side_mm] = 254
    assert hides_a_piece(blown_out(felt), side_px=18.0) is hides


@pytest.mark.parametrize("degrees", [0.0, 20.0, 45.0, 90.0, 115.0, 160.0])
def test_a_picture_that_was_moved_while_it_was_taken_is_no_reading(degrees: float) -> None:
    """Issue 3: tiles in motion are `busy`, never a reading. A smear once made each 0 a 1, surely, each 1 a 0."""
    picture = drawn().picture_bgr
    assert read(picture, expect="rows").status is Status.READ
    smeared = read(shaken(picture, 15, degrees), expect="rows")
    assert smeared.status is Status.BUSY
    assert Problem.MOTION in smeared.problems
    assert smeared.tiles == ()


def test_what_is_blurred_alike_in_all_directions_is_not_moving() -> None:
    """A lens out of focus stays so: whoever waited for it to rest would wait for ever."""
    soft = np.asarray(cv2.GaussianBlur(drawn().picture_bgr, (0, 0), 2.5))
    assert Problem.MOTION not in read(soft, expect="rows").problems


def test_bare_felt_that_is_brushed_one_way_is_an_empty_tray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can move there; and what is smeared is felt."""
    monkeypatch.setattr(conditions, "moved_while_taken", lambda flat, pieces: True)
    empty = draw(TrayScene(seed=5), Look.plain(), size_wh_px=(1280, 960), rng=np.random.default_rng(1)).picture_bgr
    assert read(empty, expect="rows").status is Status.EMPTY
    assert read(drawn().picture_bgr, expect="rows").status is Status.BUSY


def test_a_few_tiles_at_one_side_are_no_picture_that_moves() -> None:
    """Or a Draw Bridge just begun would be waited for, for ever: what counts is what is seen of the pieces."""
    begun = cells((("green", "08........"), ("blue", "54........"), ("purple", "91........"), ("orange", "42........")))
    nothing: list[str | None] = [None] * 10
    one_a_row = [row[:1] + nothing[1:] for row in begun]
    for rows in (begun, one_a_row, [*one_a_row[:2], nothing, nothing]):
        picture = drawn(rows, layout="drawbridge").picture_bgr
        assert Problem.MOTION not in read(picture, expect="drawbridge").problems
        assert Problem.MOTION in read(shaken(picture, 15, 20.0), expect="drawbridge").problems
    assert not conditions.moved_while_taken(picture, np.zeros((0, 4, 2)))
