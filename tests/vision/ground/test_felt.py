"""What is felt, in the light and in its shadows, and what lies on it that nobody found (STYLE 9)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.colour.paint import GAMMA
from vision.ground.conditions import as_arms
from vision.ground.felt import UNLIKE, Felt, look_at_felt

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


@pytest.mark.parametrize("colour", ["red", "green", "black"])
def test_a_tile_among_others_that_nobody_found_is_no_felt_behind_a_veil(colour: str) -> None:
    """Never silently wrong: its middle is smooth and pale, and the tiles around it hide that it has edges."""
    picture = felt(FELTS[colour])
    picture[81:162, 100:175] = np.clip(np.random.default_rng(2).normal((150, 195, 225), 3, (81, 75, 3)), 0, 255)
    tiles = [square(100 + 25 * column, 81 + 27 * row, 25) for row in range(3) for column in range(3)]
    overlooked = tiles.pop(4)
    assert seen(picture, tiles).covered(overlooked[None])[0] == pytest.approx(1.0, abs=0.05)


def racetrack(picture: np.ndarray, colour: tuple[int, int, int] = (90, 190, 215)) -> np.ndarray:
    """Return felt with the two lines of a racetrack printed on it."""
    for inset in (50, 55):
        ends = (2 * (130 - inset), 2 * (130 - inset))
        for x, begin in ((inset + ends[0] // 2, 90), (360 - inset - ends[0] // 2, 270)):
            cv2.ellipse(picture, (x, 130), (ends[0] // 2, ends[1] // 2), 0, begin, begin + 180, colour, 2)
        for y in (inset, 260 - inset):
            cv2.line(picture, (inset + ends[0] // 2, y), (360 - inset - ends[0] // 2, y), colour, 2)
    return picture


@pytest.mark.parametrize("colour", FELTS)
def test_the_lines_of_a_racetrack_are_neither_an_arm_nor_a_piece(colour: str) -> None:
    """Felts for players have them: an owner of one would be asked each time, or told to take a hand away."""
    assert seen(racetrack(felt(FELTS[colour]))).residue([]) == []


@pytest.mark.parametrize("side", [12, 14, 16, 18])
@pytest.mark.parametrize("colour", ["red", "green", "black"])
def test_a_die_that_lies_on_such_lines_is_seen(colour: str, side: int) -> None:
    """Never silently wrong: where a line is wider than elsewhere something lies on it."""
    picture = racetrack(felt(FELTS[colour]))
    picture[53 - side // 2 : 53 + side - side // 2, 172 : 172 + side] = (235, 240, 240)
    assert seen(picture).residue([])


@pytest.mark.parametrize("colour", ["red", "green", "black"])
@pytest.mark.parametrize("seams", [True, False])
def test_the_edges_of_tiles_in_the_felts_own_colour_are_no_lines(colour: str, seams: bool) -> None:
    """Never silently wrong: a row of backs of which nobody sees more than their edges is asked about."""
    picture = felt(FELTS[colour])
    for k in range(10 if seams else 1):
        wide = 22 if seams else 220
        cv2.rectangle(picture, (60 + 22 * k, 100), (60 + 22 * k + wide, 126), (200, 205, 210), 4)
    assert seen(picture).residue([])


def test_a_finger_is_no_line() -> None:
    picture = felt()
    cv2.line(picture, (359, 120), (285, 130), (120, 150, 215), 15)
    assert as_arms(seen(picture).residue([]))


def test_shadows_are_felt() -> None:
    picture = felt()
    picture[80:140, 120:200] = (picture[80:140, 120:200] * 0.45).astype(np.uint8)
    assert seen(picture).residue([]) == []


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("shade", [0.6, 0.45, 0.35])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_a_hard_shadow_over_half_of_the_tray_is_felt(colour: str, shade: float, share: float) -> None:
    """Shadows are the daily enemy: what is judged by is felt in the light, however little of it there is."""
    picture = felt(FELTS[colour])
    y, x = np.mgrid[0:260, 0:360]
    dark = x + 0.4 * y < share * 464
    picture[dark] = (picture[dark] * shade).astype(np.uint8)
    picture[100:116, 290:306] = picture[100:116, 40:56] = (20, 160, 230)
    assert [f.centre_mm for f in seen(picture).residue([])] == [pytest.approx((m, 108), abs=3) for m in (48, 298)]


def test_the_spot_of_a_lamp_on_pale_felt_is_felt() -> None:
    """Blown out, pink turns white: the channels that still can rise tell that it is only light."""
    picture = felt((225, 165, 220))
    y, x = np.mgrid[0:260, 0:360]
    spot = 1.0 + 0.5 * np.exp(-(((x - 250) / 40) ** 2 + ((y - 160) / 30) ** 2))[..., None]
    assert seen(np.clip(picture * spot, 0, 255).astype(np.uint8)).residue([]) == []


def veil(picture: np.ndarray, *, light: float = 0.12, wide: float = 45.0, edge: float | None = None) -> np.ndarray:
    """Return the picture with light added around a place near its middle; edge: its radius where it ends at once."""
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    far = np.hypot(x - 150, y - 120)
    spot = light * (np.exp(-(far**2) / (2 * wide**2)) if edge is None else far < edge)
    seen = (picture / 255.0) ** GAMMA + spot[..., None]
    return np.asarray(255 * np.clip(seen, 0, 1) ** (1 / GAMMA), dtype=np.uint8)


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("light", [0.03, 0.12])
def test_a_window_mirrored_in_the_lens_is_light(colour: str, light: float) -> None:
    assert not as_arms(seen(veil(felt(FELTS[colour]), light=light)).residue([]))


@pytest.mark.parametrize("colour", ["green", "red", "black"])
def test_the_same_light_with_an_edge_lies_there(colour: str) -> None:
    assert as_arms(seen(veil(felt(FELTS[colour]), edge=40.0)).residue([]))


@pytest.mark.parametrize("colour", ["green", "red", "black"])
def test_a_die_behind_a_veil_of_light_is_seen(colour: str) -> None:
    picture = veil(felt(FELTS[colour]))
    picture[110:126, 160:176] = (30, 150, 230)
    found = seen(picture).residue([])
    assert [r.centre_mm for r in found] == [(pytest.approx(168, abs=3), pytest.approx(118, abs=3))]


@pytest.mark.parametrize(("colour", "light"), [("green", 0.03), ("black", 0.05)])
def test_the_rest_of_a_veil_beside_tiles_is_light(colour: str, light: float) -> None:
    """Tiles lie where it is brightest; of what is left no part is as large as an arm, and none has an edge."""
    picture, tiles = veil(felt(FELTS[colour]), light=light, wide=25.0), square(112, 124, 70)
    picture[124:194, 112:182] = (200, 220, 230)
    assert seen(picture, [tiles]).residue([tiles]) == []


@pytest.mark.parametrize("colour", ["green", "red", "black"])
def test_felt_in_such_light_is_felt_right_beside_a_die(colour: str) -> None:
    """Asked about only with a reason: a ring of felt around a die in a lamp's glare passed for something beside it."""
    picture, die = veil(felt(FELTS[colour])), square(160, 110, 16)
    picture[110:126, 160:176] = (30, 150, 230)
    strange = seen(picture, [die]).strange
    assert strange[56:62, 81:87].all()
    # The die is 8 cells wide, and blurs into one more on each side.
    assert np.count_nonzero(strange) < 11 * 11


@pytest.mark.parametrize("colour", ["green", "red", "black"])
@pytest.mark.parametrize("light", [0.05, 0.2])
def test_a_disk_no_paler_than_such_a_veil_is_seen(colour: str, light: float) -> None:
    (found,) = seen(veil(felt(FELTS[colour]), light=light, edge=10.0)).residue([])
    assert found.centre_mm == (pytest.approx(150, abs=3), pytest.approx(120, abs=3))


def in_a_corner(picture: np.ndarray, *, light: float = 0.05) -> np.ndarray:
    """Return the picture with the light of a lamp in its upper left corner, right up to the rim."""
    moved = np.pad(picture, ((120, 0), (150, 0), (0, 0)), mode="symmetric")
    return veil(moved, light=light, wide=25.0)[120:, 150:]


CORNER = np.s_[2:25, 2:30]
"""Cells of the felt in that corner, from 4 mm off the edge on."""


def as_wide_as_a_thing(strange: np.ndarray) -> np.ndarray:
    """Return the cells of what is three of them wide and high. One or two alone depend on a processor's last digit."""
    return cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


@pytest.mark.parametrize("colour", ["green", "red", "black"])
def test_light_in_a_corner_is_no_piece_though_no_felt_is_learned_from_beside_the_rim(colour: str) -> None:
    """Few questions: what is left over right up to the rim may be a die that leans against it, and is asked about."""
    lit = in_a_corner(felt(FELTS[colour]))
    assert not as_wide_as_a_thing(seen(lit).strange)[CORNER].any()


@pytest.mark.parametrize(("colour", "light"), [("red", 0.02), ("green", 0.08)])
def test_corners_that_lack_the_light_which_lies_over_the_rest_are_no_pieces(colour: str, light: float) -> None:
    lit = seen(veil(felt(FELTS[colour]), light=light, wide=70.0)).strange
    assert lit[2:25, 150:178].mean() < 0.03
    assert lit[105:128, 150:178].mean() < 0.03


@pytest.mark.parametrize("colour", ["green", "red", "black"])
def test_a_pale_die_at_the_rim_under_such_light_is_seen(colour: str) -> None:
    picture = in_a_corner(felt(FELTS[colour]))
    lightest = picture[:30, :30].max(axis=(0, 1)).astype(np.int64)
    picture[:16, 40:56] = np.minimum(lightest + 25, 255)
    assert seen(picture).strange[:6, 21:27].mean() > 0.9


@pytest.mark.parametrize(("there", "seen_in_light"), [(True, True), (False, False)], ids=["a marker", "none"])
def test_where_a_marker_may_lie_light_is_told_from_it(there: bool, seen_in_light: bool) -> None:
    """A tray without markers has none in its corners: light there is no more than light."""
    picture, paper = in_a_corner(felt(FELTS["green"])), square(8, 8, 36)
    if there:
        picture[8:44, 8:44], picture[14:38, 14:38] = 225, 40
    ground = look_at_felt(picture, [], px_per_mm=1.0, perhaps_mm=[paper])
    assert bool(ground.strange[6:20, 6:20].mean() > 0.5) is seen_in_light


def test_noise_in_a_colour_that_felt_hardly_has_is_felt() -> None:
    rng = np.random.default_rng(5)
    red = np.clip(felt((4, 3, 160)) + rng.integers(-4, 8, (260, 360, 3)), 0, 255).astype(np.uint8)
    red[:110, 240:] = (red[:110, 240:] * 0.7).astype(np.uint8)
    assert seen(red).residue([]) == []


def test_an_arm_reaches_in() -> None:
    picture = felt()
    cv2.ellipse(picture, (360, 200), (140, 35), 12, 0, 360, (120, 150, 205), -1)
    found = seen(picture).residue([])
    assert as_arms(found)
    assert found[0].at_rim


def test_a_hand_that_covers_a_third_is_not_taken_for_felt() -> None:
    rng = np.random.default_rng(2)
    picture = felt()
    skin = np.clip(np.array((120, 150, 205)) + rng.normal(0, 12, (120, 230, 3)), 0, 255)
    picture[70:190, 100:330] = skin.astype(np.uint8)
    assert as_arms(seen(picture).residue([]))


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
    assert unlike[0] > UNLIKE > unlike[1]
    assert unlike[2] == 0.0


def test_where_no_felt_is_seen_nothing_is_unlike_it() -> None:
    whole = [square(0, 0, 360)]
    assert seen(felt(), whole).unlike(np.stack(whole)).tolist() == [0.0]
