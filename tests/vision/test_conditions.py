"""DESIGN: "Not found" is said, and all of it at once (STYLE 9): hands, strangers on the felt, dark, blur, glare."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn, tray_of
from vision import conditions
from vision.conditions import Felt, hides_a_piece, look_at_felt, picture_problems
from vision.reading import Problem
from vision.rectify import rectify

FELTS = {"green": (60, 90, 30), "red": (30, 30, 150), "beige": (150, 190, 205), "black": (26, 24, 24)}


def felt(colour: tuple[int, int, int] = FELTS["green"], seed: int = 1) -> np.ndarray:
    """Return 360 x 260 mm of felt at 1 px/mm: woven, and lit from one side."""
    rng = np.random.default_rng(seed)
    light = np.linspace(0.75, 1.25, 360)[None, :, None]
    return np.clip(np.array(colour) * light + rng.normal(0, 5, (260, 360, 3)), 0, 255).astype(np.uint8)


def square(x: float, y: float, size: float) -> np.ndarray:
    return np.array([[x, y], [x + size, y], [x + size, y + size], [x, y + size]])


def seen(picture: np.ndarray, pieces: list[np.ndarray] | None = None) -> Felt:
    return look_at_felt(picture, pieces or [], px_per_mm=1.0)


@pytest.mark.parametrize("colour", FELTS)
def test_bare_felt_holds_nothing(colour: str) -> None:
    assert seen(felt(FELTS[colour])).residue([]) == []


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("thing", [(240, 240, 240), (20, 160, 230), (170, 60, 40)])
def test_a_die_that_nobody_found_is_seen(colour: str, thing: tuple[int, int, int]) -> None:
    picture = felt(FELTS[colour])
    picture[100:116, 200:216] = thing
    (found,) = seen(picture).residue([])
    assert found.centre_mm == (pytest.approx(208, abs=3), pytest.approx(108, abs=3))
    assert 180 < found.area_mm2 < 450  # 256, and the blur of half a pixel a millimetre
    assert not found.at_rim


def test_a_piece_that_was_found_is_no_stranger() -> None:
    picture = felt()
    picture[100:127, 200:225] = (240, 240, 240)
    tile = square(200, 100, 26)
    ground = seen(picture, [tile])
    assert ground.residue([tile]) == []
    assert ground.covered(np.stack([tile, square(60, 60, 26)])).tolist() == [pytest.approx(1.0, abs=0.05), 0.0]


def test_shadows_are_felt() -> None:
    picture = felt()
    picture[80:140, 120:200] = (picture[80:140, 120:200] * 0.45).astype(np.uint8)
    assert seen(picture).residue([]) == []


def test_the_spot_of_a_lamp_on_pale_felt_is_felt() -> None:
    """Blown out, pink turns white: the channels that still can rise tell that it is only light."""
    picture = felt((225, 165, 220))
    y, x = np.mgrid[0:260, 0:360]
    spot = 1.0 + 0.5 * np.exp(-(((x - 250) / 40) ** 2 + ((y - 160) / 30) ** 2))[..., None]
    assert seen(np.clip(picture * spot, 0, 255).astype(np.uint8)).residue([]) == []


def test_noise_in_a_colour_that_felt_hardly_has_is_felt() -> None:
    rng = np.random.default_rng(5)
    red = np.clip(felt((4, 3, 160)) + rng.integers(-4, 8, (260, 360, 3)), 0, 255).astype(np.uint8)
    red[:110, 240:] = (red[:110, 240:] * 0.7).astype(np.uint8)
    assert seen(red).residue([]) == []


def test_an_arm_reaches_in() -> None:
    picture = felt()
    cv2.ellipse(picture, (360, 200), (140, 35), 12, 0, 360, (120, 150, 205), -1)
    found = seen(picture).residue([])
    assert conditions.reaching_in(found)
    assert found[0].at_rim


def test_a_hand_that_covers_a_third_is_not_taken_for_felt() -> None:
    rng = np.random.default_rng(2)
    picture = felt()
    skin = np.clip(np.array((120, 150, 205)) + rng.normal(0, 12, (120, 230, 3)), 0, 255)
    picture[70:190, 100:330] = skin.astype(np.uint8)
    assert conditions.reaching_in(seen(picture).residue([]))


def test_hand_map_in_square_millimetres() -> None:
    hand = np.zeros((38, 50), np.float32)
    hand[3:6, 4:6] = 0.9
    assert conditions.hand_area(hand) == 6 * 64
    assert conditions.hand_area(np.zeros((0, 0), np.float32)) == 0.0


def test_light_and_sharpness_are_named() -> None:
    picture = drawn()
    tray = tray_of(picture)
    flat = rectify(picture.picture_bgr, tray, px_per_mm=1.0)
    assert picture_problems(flat, tray, washed=np.zeros(40)) is Problem.NONE
    blurred = cv2.GaussianBlur(flat, (0, 0), 4).astype(np.uint8)
    assert Problem.BLUR in picture_problems(blurred, tray, washed=np.zeros(40))
    assert Problem.DARK in picture_problems((flat * 0.12).astype(np.uint8), tray, washed=np.zeros(40))
    assert Problem.GLARE in picture_problems(flat, tray, washed=np.array([0.0, 0.4]))


def test_no_surface_left_to_learn_from() -> None:
    everywhere = square(0, 0, 400)
    assert seen(felt(), [everywhere]).residue([everywhere]) == []


@pytest.mark.parametrize("colour", FELTS)
def test_bare_felt_is_like_felt_and_darker_things_are_not(colour: str) -> None:
    """A back that felt might show in a shadow is no felt: felt beside it lies in the light."""
    picture = felt(FELTS[colour])
    picture[100:127, 200:225] = (picture[100:127, 200:225] * 0.5).astype(np.uint8)
    tile, free = square(200, 100, 26), square(60, 60, 26)
    unlike = seen(picture, [tile]).unlike(np.stack([tile, free, tile + 4000.0]))
    assert unlike[0] > conditions.UNLIKE > unlike[1]
    assert unlike[2] == 0.0


def test_where_no_felt_is_seen_nothing_is_unlike_it() -> None:
    whole = [square(0, 0, 360)]
    assert seen(felt(), whole).unlike(np.stack(whole)).tolist() == [0.0]


@pytest.mark.parametrize(("side_mm", "hides"), [(12, False), (19, True)])
def test_a_white_patch_of_felt_as_large_as_a_tile_may_hide_one(side_mm: int, hides: bool) -> None:
    """Never silently wrong: in glare a white tile is not seen, and where there may be gaps nobody misses it."""
    felt = np.full((260, 360, 3), (60, 90, 30), np.uint8)
    felt[100 : 100 + 2 * side_mm, 200 : 200 + side_mm] = 254
    assert hides_a_piece(felt, px_per_mm=1.0, side_mm=18.0) is hides
