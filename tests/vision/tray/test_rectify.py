"""DESIGN: rectify.py, fiducials or felt edge -> homography. "Not found" is said (STYLE 9)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.trays import drawn, tray_of
from vision.errors import BadCorners
from vision.geometry import homography4, rectangle, transform
from vision.layout import TRAY_MM
from vision.tray.edges import _Candidate, _only_best, _score, find_felt
from vision.tray.fiducials import find_markers, lies_at
from vision.tray.patches import lab_of, ways_to_part
from vision.tray.rectify import find_tray, rectify, seen_at, tray_from_clicks, tray_from_markers
from vision.tray.registration import shift_mm

PICTURE = drawn()
CORNERS = np.array(PICTURE.truth["tray"]["corners"])
WH = (1280, 960)


def worst(corners: object) -> float:
    return float(np.linalg.norm(np.array(corners) - CORNERS, axis=1).max())


def test_four_markers_span_the_tray() -> None:
    tray = find_tray(PICTURE.picture_bgr)
    assert tray is not None
    assert tray.found == "markers"
    assert tray.complete
    assert worst(tray.corners) < 8.0  # px at about 1.5 px/mm: markers are laid by hand


@pytest.mark.parametrize("lost", range(4))
def test_three_markers_do_too(lost: int) -> None:
    markers = find_markers(PICTURE.picture_bgr)
    del markers[lost]
    tray = tray_from_markers(markers, picture_wh=WH)
    assert tray is not None
    assert not tray.complete
    assert worst(tray.corners) < 14.0


def four_markers(side_px: int, *, turn_deg: float, blur_px: float) -> np.ndarray:
    """Return a picture of four markers on felt, their black squares `side_px` wide, each on white paper."""
    picture = np.full((960, 1280, 3), (60, 90, 40), np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    c, s = side_px / 600 * np.cos(np.radians(turn_deg)), side_px / 600 * np.sin(np.radians(turn_deg))
    for number, (x, y) in enumerate([(300, 250), (980, 250), (980, 700), (300, 700)]):
        paper = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(dictionary, number, 600), *[150] * 4, cv2.BORDER_CONSTANT, value=235
        )
        place = np.array([[c, -s, x - 450 * (c - s)], [s, c, y - 450 * (s + c)]])
        laid, mask = (cv2.warpAffine(p, place, WH, flags=cv2.INTER_AREA) for p in (paper, np.full_like(paper, 255)))
        picture[mask > 128] = laid[mask > 128, None]
    return cv2.GaussianBlur(picture, (0, 0), blur_px)


@pytest.mark.parametrize("turn_deg", [0.0, 3.0, 7.0, 12.0])
def test_small_blurred_markers_are_all_found(turn_deg: float) -> None:
    """A person sees all four, and so must the referee: cells are read in their middles."""
    assert sorted(find_markers(four_markers(32, turn_deg=turn_deg, blur_px=1.8))) == [0, 1, 2, 3]


@pytest.mark.parametrize("turn_deg", [0.0, 4.0, 11.0])
@pytest.mark.parametrize("side_px", [34, 37, 52])
def test_the_corners_of_markers_are_known_to_less_than_a_pixel(side_px: int, turn_deg: float) -> None:
    """FIELD.md: locating by fiducials is exact. Found in the halved picture, corners may be off by four pixels."""
    c, s = side_px / 600 * np.cos(np.radians(turn_deg)), side_px / 600 * np.sin(np.radians(turn_deg))
    black = np.array([[149.5, 149.5], [749.5, 149.5], [749.5, 749.5], [149.5, 749.5]]) - 450.0
    found = find_markers(four_markers(side_px, turn_deg=turn_deg, blur_px=1.2))
    assert sorted(found) == [0, 1, 2, 3]
    for number, middle in enumerate([(300, 250), (980, 250), (980, 700), (300, 700)]):
        there = black @ np.array([[c, s], [-s, c]]) + middle
        assert np.linalg.norm(found[number] - there, axis=1).max() < 0.9


@pytest.mark.parametrize("times", [2, 3])
def test_markers_of_a_larger_picture_lie_where_they_do_in_it(times: int) -> None:
    """Pictures of 2560 pixels and more are shrunk before they are searched; corners are those of the picture itself."""
    larger = cv2.resize(PICTURE.picture_bgr, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    markers, seen = find_markers(PICTURE.picture_bgr), find_markers(np.asarray(larger, np.uint8))
    assert sorted(seen) == [0, 1, 2, 3]
    for number, corners in markers.items():
        assert np.abs((seen[number] + 0.5) / times - 0.5 - corners).max() < 0.4


def test_markers_that_are_small_in_a_large_picture_are_found_too() -> None:
    """A camera that hangs too high, however many pixels it has: shrunk, these are 15 pixels wide."""
    small = four_markers(30, turn_deg=3.0, blur_px=0.6)
    picture = cv2.copyMakeBorder(small, 480, 480, 640, 640, cv2.BORDER_REPLICATE)
    assert sorted(find_markers(np.asarray(picture, np.uint8))) == [0, 1, 2, 3]


def test_the_felt_is_asked_for_only_where_quick_looks_show_no_marker() -> None:
    """To find its edge takes longer than they do."""
    asked: list[bool] = []
    assert sorted(find_markers(PICTURE.picture_bgr, lambda: asked.append(True))) == [0, 1, 2, 3]
    assert not asked
    assert find_markers(drawn(markers=False).picture_bgr, lambda: asked.append(True)) == {}
    assert asked


def test_markers_too_small_for_quick_looks_are_seen_on_the_felt() -> None:
    """A tray far away: halved, these markers are 9 pixels wide. Beside the felt nobody looks for them."""
    felt = cv2.resize(four_markers(45, turn_deg=2.0, blur_px=0.8), (512, 384), interpolation=cv2.INTER_AREA)
    picture = np.asarray(cv2.copyMakeBorder(felt, 288, 288, 384, 384, cv2.BORDER_CONSTANT, value=(90,) * 3), np.uint8)
    corners = np.array([[384.0, 288.0], [895.0, 288.0], [895.0, 671.0], [384.0, 671.0]])
    assert sorted(find_markers(picture, lambda: corners)) == [0, 1, 2, 3]
    assert find_markers(picture, lambda: corners * 0.4) == {}


def test_one_marker_is_no_tray() -> None:
    markers = find_markers(PICTURE.picture_bgr)
    assert tray_from_markers({0: markers[0]}, picture_wh=WH) is None


def test_markers_in_the_wrong_corners_are_no_tray() -> None:
    markers = find_markers(PICTURE.picture_bgr)
    swapped = {0: markers[1], 1: markers[0], 2: markers[2], 3: markers[3]}
    assert tray_from_markers(swapped, picture_wh=WH) is None


def test_the_felt_is_found_without_markers() -> None:
    bare = drawn(markers=False)
    tray = find_tray(bare.picture_bgr)
    assert tray is not None
    assert tray.found == "edge"
    corners = np.array(bare.truth["tray"]["corners"])
    assert np.linalg.norm(np.array(tray.corners) - corners, axis=1).max() < 10.0


@pytest.mark.parametrize("wide", range(16, 60, 4))
def test_a_felt_of_twenty_pixels_is_found_as_well_as_it_is_seen_or_not_at_all(wide: int) -> None:
    """Never an error for what is in the picture: the hole of an 8 in the corner of a photograph was such a felt."""
    picture, high = np.full((66, 66, 3), (30, 60, 110), np.uint8), round(wide * 26 / 36)
    x, y = (66 - wide) // 2, (66 - high) // 2
    picture[y : y + high, x : x + wide] = (60, 110, 40)
    felt = find_felt(picture, aspect=TRAY_MM[0] / TRAY_MM[1])
    if felt is not None:
        assert np.abs(felt - (x, y) - rectangle((wide - 1.0, high - 1.0))).max() < 2.0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_camera_may_hang_turned_by_quarters_though_no_marker_says_so(quarters: int) -> None:
    """The edge of a felt has no first corner: its long sides are the tray's, which way up its tiles tell."""
    bare = drawn(markers=False)
    tray = find_tray(np.ascontiguousarray(np.rot90(bare.picture_bgr, quarters)))
    assert tray is not None
    there = np.array(find_tray(bare.picture_bgr).corners)  # type: ignore[union-attr]
    for _ in range(quarters):  # as rot90 turns a picture that is 1280 wide and then 960
        width = WH[0] if _ % 2 == 0 else WH[1]
        there = np.column_stack([there[:, 1], width - 1 - there[:, 0]])
    found = np.array(tray.corners)
    assert min(np.abs(found - np.roll(there, k, axis=0)).max() for k in (0, 2)) < 3.0


def test_what_stands_on_the_table_of_a_picture_that_lies_is_no_tray() -> None:
    standing = np.full((960, 1280, 3), 150, np.uint8)
    standing[60:900, 330:950] = (60, 90, 40)
    assert find_tray(standing) is None
    assert find_tray(np.ascontiguousarray(np.rot90(standing))) is not None


def test_no_tray_is_said() -> None:
    rng = np.random.default_rng(0)
    wood = np.clip(np.full((480, 640, 3), (90, 130, 170)) + rng.normal(0, 6, (480, 640, 3)), 0, 255).astype(np.uint8)
    assert find_tray(wood) is None
    assert find_tray(np.zeros((480, 640, 3), np.uint8)) is None


def without(numbers: tuple[int, ...], *, paint: tuple[int, int, int] = (80, 110, 170)) -> np.ndarray:
    """Return the picture with something over some of its markers."""
    covered, known = PICTURE.picture_bgr.copy(), tray_of(PICTURE)
    for number in numbers:
        x, y = np.array(dict(known.markers)[number]).mean(axis=0).astype(int)
        covered[y - 40 : y + 40, x - 40 : x + 40] = paint
    return covered


def test_a_known_tray_is_kept_while_a_hand_hides_its_markers_and_says_which() -> None:
    known = tray_of(PICTURE)
    kept = find_tray(without((1, 2)), hint=known)
    assert kept is not None
    assert (kept.homography, kept.corners) == (known.homography, known.corners)
    assert [number for number, _ in kept.markers] == [0, 3]
    assert dict(kept.hidden) == {number: dict(known.markers)[number] for number in (1, 2)}


def noisy(picture_bgr: np.ndarray, *, seed: int) -> np.ndarray:
    """Return the next frame of a still scene."""
    noise = np.random.default_rng(seed).normal(0, 4, picture_bgr.shape)
    return np.clip(picture_bgr + noise, 0, 255).astype(np.uint8)


def test_a_tray_that_lies_still_is_known_by_its_markers_places_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed camera: each frame is read with the registration, and no frame is searched while nothing has moved."""
    known = tray_of(PICTURE)

    def searched(*_: object, **__: object) -> None:
        raise AssertionError("the whole frame was searched")

    monkeypatch.setattr("vision.tray.rectify.find_markers", searched)
    for seed in range(5):
        assert find_tray(noisy(PICTURE.picture_bgr, seed=seed), hint=known) is known


@pytest.mark.parametrize("step", [(3.0, 0.0), (-2.0, 2.0), (0.0, 24.0), (-40.0, 15.0)])
def test_a_tray_that_was_moved_is_not_where_it_was(step: tuple[float, float]) -> None:
    known, turn = tray_of(PICTURE), np.array([[1, 0, step[0]], [0, 1, step[1]]])
    found = find_tray(cv2.warpAffine(PICTURE.picture_bgr, turn, WH, borderMode=cv2.BORDER_REPLICATE), hint=known)
    assert found is not None
    assert shift_mm(known, found) == pytest.approx(np.hypot(*step) / known.scale(), rel=0.1)


@pytest.mark.parametrize("less", [5, 1])
def test_a_frame_that_does_not_show_all_of_a_known_tray_is_searched(less: int) -> None:
    """Another camera, or another size of its frames: a marker beyond their edge is not where it was."""
    known = tray_of(PICTURE)
    corners = np.array(dict(known.markers)[1])
    width = int(corners[:, 0].max()) - less
    found = find_tray(PICTURE.picture_bgr[:, :width].copy(), hint=known)
    assert found is not None
    assert 1 in dict(found.hidden)
    assert found.corners == known.corners


def turned_marker(number: int) -> np.ndarray:
    """Return the picture with one of its markers lying in its place, but turned by a quarter."""
    picture, (corners,) = PICTURE.picture_bgr.copy(), [np.array(dict(tray_of(PICTURE).markers)[number])]
    (x0, y0), (x1, y1) = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
    side = int(max(x1 - x0, y1 - y0))
    picture[y0 : y0 + side, x0 : x0 + side] = np.rot90(picture[y0 : y0 + side, x0 : x0 + side])
    return picture


def test_another_marker_in_the_place_of_one_is_not_that_one() -> None:
    corners = np.array(dict(tray_of(PICTURE).markers)[2])
    for picture, there in ((PICTURE.picture_bgr, True), (turned_marker(2), False), (without((2,)), False)):
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        assert lies_at(grey, 2, corners, within_px=3.0) is there
        assert not lies_at(grey, 1, corners, within_px=3.0)


def test_markers_that_are_laid_on_a_bare_felt_are_noticed_and_only_the_felt_is_looked_at() -> None:
    """A checked cloth has as many squares as take a detector the time of a whole reading."""
    x, y = np.meshgrid(np.arange(WH[0]) // 12 % 2, np.arange(WH[1]) // 12 % 2)
    cloth = np.where((x ^ y)[..., None] > 0, np.uint8(220), np.uint8(40)) * np.ones(3, np.uint8)
    corners = CORNERS.round().astype(np.int32)
    felt = cv2.fillConvexPoly(np.zeros(WH[::-1], np.uint8), corners, 1)[..., None] > 0
    hint = tray_from_clicks([(float(x), float(y)) for x, y in CORNERS])
    bare = find_tray(np.where(felt, np.uint8((60, 90, 40)), cloth), hint=hint)
    assert bare is not None
    assert (bare.markers, bare.homography) == ((), hint.homography)
    laid = find_tray(np.where(felt, PICTURE.picture_bgr, cloth), hint=hint)
    assert laid is not None
    assert laid.complete
    assert shift_mm(tray_of(PICTURE), laid) < 0.5


@pytest.mark.parametrize("hidden", [(0, 3), (1, 2), (2, 3), (0, 2), (3,)])
def test_where_markers_are_hidden_the_edge_of_the_felt_says_how_far_it_reaches(hidden: tuple[int, ...]) -> None:
    """Two neighbouring markers alone know the far side to some centimetres: dice there must not be cut off."""
    tray = find_tray(without(hidden, paint=(30, 90, 30)))
    assert tray is not None
    assert (tray.found, tray.vague) == ("markers", False)
    assert worst(tray.corners) < 9.0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_so_it_does_where_the_camera_hangs_turned_by_quarters(quarters: int) -> None:
    picture = without((1, 2), paint=(30, 90, 30))
    upright = find_tray(picture)
    tray = find_tray(np.ascontiguousarray(np.rot90(picture, quarters)))
    assert upright is not None
    assert tray is not None
    assert (tray.found, tray.vague) == ("markers", False)
    lengths = [np.linalg.norm(np.diff(np.array([*t.corners, t.corners[0]]), axis=0), axis=1) for t in (upright, tray)]
    assert lengths[1] == pytest.approx(lengths[0], abs=4.0)


@pytest.mark.parametrize("quarters", range(4))
def test_which_side_is_up_is_as_it_was_though_all_markers_are_hidden_now(quarters: int) -> None:
    """RULES 2, Run Buster: dice lie in zones; those of a camera that hangs upside down must not change sides."""
    like = find_tray(np.ascontiguousarray(np.rot90(PICTURE.picture_bgr, quarters)))
    hidden = np.ascontiguousarray(np.rot90(without((0, 1, 2, 3), paint=(30, 90, 30)), quarters))
    now = find_tray(hidden, like=like)
    assert like is not None
    assert now is not None
    assert now.found == "edge"
    assert np.linalg.norm(np.array(now.corners) - np.array(like.corners), axis=1).max() < 15.0


def test_two_markers_with_nothing_to_bear_them_out_say_so() -> None:
    markers = find_markers(PICTURE.picture_bgr)
    table = np.full_like(PICTURE.picture_bgr, 90)
    for number in (0, 3):
        (x0, y0), (x1, y1) = markers[number].min(axis=0).astype(int) - 9, markers[number].max(axis=0).astype(int) + 9
        table[y0:y1, x0:x1] = PICTURE.picture_bgr[y0:y1, x0:x1]
    tray = find_tray(table)
    assert tray is not None
    assert tray.vague
    assert not tray_of(PICTURE).vague


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-60, 60), min_size=8, max_size=8))
def test_clicked_corners_make_a_tray_whose_maps_are_inverse(jitter: list[float]) -> None:
    corners = np.array([[300, 250], [900, 260], [890, 700], [310, 690]]) + np.array(jitter).reshape(4, 2)
    tray = tray_from_clicks([(float(x), float(y)) for x, y in corners])
    assert np.allclose(tray.to_mm(corners), rectangle(TRAY_MM), atol=0.05)
    points = np.array([[20.0, 30.0], [350.0, 10.0], [180.0, 130.0]])
    assert np.allclose(tray.to_mm(tray.to_px(points)), points, atol=1e-6)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (100, 0), (100, 100)],
        [(0, 0), (0, 100), (100, 100), (100, 0)],  # anticlockwise
        [(0, 0), (100, 0), (50, 20), (0, 100)],  # not convex
        [(0, 0), (100, 0), (float("nan"), 100), (0, 100)],
        [(0, 0), (100,), (100, 100), (0, 100)],
    ],
)
def test_corners_that_span_no_tray_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(BadCorners, match="corner"):
        tray_from_clicks(corners)


def test_rectify_puts_millimetres_where_it_says() -> None:
    tray = tray_from_clicks([(300, 250), (900, 260), (890, 700), (310, 690)])
    picture = np.zeros((960, 1280, 3), np.uint8)
    x, y = tray.to_px(np.array([[100.0, 80.0]]))[0].round().astype(int)
    picture[y - 2 : y + 3, x - 2 : x + 3] = 255
    flat = rectify(picture, tray, px_per_mm=2.0, margin_mm=5.0)
    assert flat.shape == (540, 740, 3)
    rows, columns = np.nonzero(flat[..., 0] > 100)
    assert columns.mean() == pytest.approx((100 + 5) * 2 - 0.5, abs=1.0)
    assert rows.mean() == pytest.approx((80 + 5) * 2 - 0.5, abs=1.0)


def test_homography4_is_exact() -> None:
    source = np.array([[0.0, 0], [10, 1], [9, 8], [-1, 7]])
    assert np.allclose(transform(source, homography4(source, rectangle((3, 2)))), rectangle((3, 2)), atol=1e-5)


def test_a_table_that_shines_in_the_colour_of_felt_does_not_hide_it() -> None:
    """Locating: felt-edge search is the fallback. A lamp's gloss on varnish may join the felt through a thin rim."""
    felt, table, corners = (105, 120, 135), (35, 45, 80), np.array([[300, 260], [940, 250], [960, 710], [310, 730]])
    picture = np.full((960, 1280, 3), table, np.uint8)
    # Gloss on the wood beside the tray, and three gaps in the rim.
    cv2.fillConvexPoly(picture, np.array([[120, 380], [310, 340], [310, 860], [200, 860]]), felt)
    cv2.fillConvexPoly(picture, corners, felt)
    cv2.polylines(picture, [corners], True, (40, 60, 70), 9)
    for y in (420, 540, 660):
        cv2.line(picture, (285, y), (325, y - 6), felt, 26)
    noisy = np.clip(picture + np.random.default_rng(1).normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    found = find_felt(cv2.GaussianBlur(noisy, (0, 0), 1.5), aspect=360 / 260)
    assert found is not None
    assert np.abs(found - corners).max() < 16


def test_what_has_an_edge_between_is_parted_at_last() -> None:
    """Felt and a table that shines in its colour, with no more than the thin line of a rim's corner between them."""
    small = np.full((240, 320, 3), (105, 120, 135), np.uint8)
    small[:, :60], small[:, 160], small[:, 161:260] = (35, 45, 80), (25, 35, 45), (112, 127, 142)
    lab = lab_of(cv2.medianBlur(small, 3))
    # The two largest parts of a colour are tried together, too: those are no one part.
    parts = [[m for m in way if cv2.connectedComponents(m)[0] == 2] for way, _ in ways_to_part(lab, small)]
    spans = [[bool(m[:, 70:150].any() and m[:, 170:250].any()) for m in way] for way in parts]
    assert any(spans[0])
    for by_edges in spans[-2:]:
        assert by_edges
        assert not any(by_edges)


def test_a_felt_of_which_light_makes_several_colours_is_found_by_its_edges() -> None:
    """Locating: felt-edge search is the fallback. No mask of one colour holds a felt half of which a glare whitens."""
    corners = np.array([[300, 260], [940, 250], [960, 710], [310, 730]])
    picture = np.full((960, 1280, 3), (35, 70, 105), np.uint8)
    cv2.fillConvexPoly(picture, corners, (110, 45, 15))
    y, x = np.mgrid[0:960, 0:1280]
    glare = np.exp(-((x - 960) ** 2 + (y - 700) ** 2) / 250.0**2)[..., None]
    lit = picture * (1.2 - 0.7 * (x / 1280))[..., None] + glare * 110
    cv2.polylines(lit, [corners], True, (30, 90, 85), 14)
    found = find_felt(_noisy(np.clip(lit, 0, 255)), aspect=360 / 260)
    assert found is not None
    assert np.abs(found - corners).max() < 16


def _noisy(picture: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(1).normal(0, 4, picture.shape)
    return cv2.GaussianBlur(np.clip(picture + noise, 0, 255).astype(np.uint8), (0, 0), 1.5)


def _box(x: int, y: int, wide: int) -> np.ndarray:
    """Return the corners of an upright rectangle of a tray's proportions around a point."""
    high = round(wide * 260 / 360)
    return np.array([[x - wide // 2, y - high // 2], [x + wide // 2, y - high // 2],
                     [x + wide // 2, y + high // 2], [x - wide // 2, y + high // 2]])  # fmt: skip


@pytest.mark.parametrize("colours", [1, 4])
def test_a_diamond_from_rim_to_rim_cuts_no_felt_in_two(colours: int) -> None:
    """RULES.md 1, diamond: nine rows of one tile in the middle. Of tiles 29 mm high they reach over both rims."""
    corners = np.array([(180, 160), (1080, 160), (1080, 810), (180, 810)], np.float64)
    picture = np.full((960, 1280, 3), (40, 52, 60), np.float64)
    cv2.fillPoly(picture, [(corners + [(-30, -30), (30, -30), (30, 30), (-30, 30)]).astype(np.int32)], (90, 140, 170))
    cv2.fillPoly(picture, [corners.astype(np.int32)], (60, 60, 150))
    bodies = [(70, 40, 35), (60, 90, 30), (120, 60, 100), (35, 35, 35)]
    for row in range(9):
        for column in range(-(4 - abs(4 - row)), 5 - abs(4 - row)):
            x, y = 600 + 62 * column, 146 + 75 * row
            cv2.rectangle(picture, (x, y), (x + 61, y + 74), bodies[(3 * row + column) % colours], -1)
    found = find_felt(_noisy(picture), aspect=360 / 260)
    assert found is not None
    assert np.abs(found - corners).max() < 8


def test_a_block_of_tiles_with_a_trays_proportions_is_no_second_tray() -> None:
    """Locating: five rows of eight (RULES 1, `rect`) are as broad to their height as the felt they lie on."""
    picture = np.full((960, 1280, 3), (110, 105, 110), np.uint8)
    cv2.fillConvexPoly(picture, _box(640, 480, 640), (40, 90, 200))
    cv2.polylines(picture, [_box(640, 480, 650)], True, (190, 195, 195), 14)
    cv2.fillConvexPoly(picture, _box(640, 480, 330), (70, 110, 165))
    found = find_felt(_noisy(picture), aspect=360 / 260)
    assert found is not None
    assert np.abs(found - _box(640, 480, 636)).max() < 10


@pytest.mark.parametrize("shine", [150, 190, 210, 225])
def test_nor_is_most_of_it_where_a_column_lies_in_another_light(shine: int) -> None:
    """The patch without its last tiles has some of these beside it, not felt alone: so a red mat was not found."""
    picture = np.full((960, 1280, 3), (60, 80, 120), np.uint8)
    cv2.fillConvexPoly(picture, _box(640, 466, 600), (20, 30, 160))
    picture[340:570, 480:800], picture[340:570, 784:800] = 250, shine
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    found = find_felt(np.clip(picture + noise, 0, 255).astype(np.uint8), aspect=360 / 260)
    assert found is not None
    assert np.abs(found - _box(640, 466, 600)).max() < 10


def test_nor_is_it_one_where_a_lamp_makes_part_of_the_rim_look_like_felt() -> None:
    """The tray's own outline is less plain then than that of the tiles, which still lie on nothing but felt."""
    picture = np.full((960, 1280, 3), (110, 105, 110), np.uint8)
    cv2.fillConvexPoly(picture, _box(640, 480, 640), (40, 90, 200))
    cv2.polylines(picture, [_box(640, 480, 650)], True, (190, 195, 195), 14)
    cv2.rectangle(picture, (420, 225), (580, 262), (40, 90, 200), -1)
    cv2.fillConvexPoly(picture, _box(640, 480, 330), (70, 110, 165))
    found = find_felt(_noisy(picture), aspect=360 / 260)
    assert found is not None
    assert np.abs(found - _box(640, 480, 636)).max() < 12


def test_a_tray_on_a_mat_of_its_proportions_is_not_taken_for_a_block_of_tiles() -> None:
    """Never silently wrong: rather no tray than the mat."""
    picture = np.full((960, 1280, 3), (60, 60, 60), np.uint8)
    cv2.fillConvexPoly(picture, _box(640, 480, 1000), (150, 120, 90))
    cv2.fillConvexPoly(picture, _box(640, 480, 500), (40, 90, 40))
    cv2.polylines(picture, [_box(640, 480, 514)], True, (20, 40, 80), 16)
    found = find_felt(_noisy(picture), aspect=360 / 260)
    assert found is None or np.abs(found - _box(640, 480, 498)).max() < 12


FELT, AND_RIM = _box(160, 120, 180).astype(np.float64), _box(176, 108, 214).astype(np.float64)


@pytest.mark.parametrize("scores", [(0.97, 0.94), (0.94, 0.97)])
def test_a_felt_with_some_of_its_rim_is_no_second_tray(scores: tuple[float, float]) -> None:
    """Locating: two that score alike and lie apart are no answer. A wide rim that light joins to its felt, along two
    sides, lies around it: of felt, and felt and rim, it is the felt."""
    small = np.full((240, 320, 3), (230, 225, 222), np.uint8)
    cv2.fillConvexPoly(small, AND_RIM.astype(np.int32), (60, 85, 60))
    cv2.fillConvexPoly(small, FELT.astype(np.int32), (110, 90, 105))
    felt, both = (_Candidate(corners, score) for corners, score in zip((FELT, AND_RIM), scores, strict=True))
    assert _only_best([felt, both], small) is felt
    assert _only_best([both, felt], small) is felt


def test_a_felt_without_what_lies_in_the_shadow_of_its_rim_is_no_tray() -> None:
    """Never silently wrong: a shadow has the felt's hue. Rather no tray than the lit part of one."""
    small = np.full((240, 320, 3), (230, 225, 222), np.uint8)
    cv2.fillConvexPoly(small, AND_RIM.astype(np.int32), (55, 45, 52))
    cv2.fillConvexPoly(small, FELT.astype(np.int32), (120, 98, 114))
    assert _only_best([_Candidate(FELT, 0.95), _Candidate(AND_RIM, 0.97)], small) is None


def test_two_trays_side_by_side_are_no_answer() -> None:
    small = np.full((240, 320, 3), (230, 225, 222), np.uint8)
    both = [_Candidate(_box(x, 120, 130).astype(np.float64), 0.9) for x in (80, 240)]
    for one in both:
        cv2.fillConvexPoly(small, one.corners.astype(np.int32), (110, 90, 105))
    assert _only_best(both, small) is None


def test_a_rim_that_hardly_differs_from_its_felt_is_told_by_an_edge_all_around() -> None:
    """A brown felt in a red-brown rim in little light: no colour parts the two, but an edge does on all four sides."""
    corners = np.array([[60.0, 50.0], [260.0, 50.0], [260.0, 194.0], [60.0, 194.0]])
    small = np.full((240, 320, 3), (31, 49, 85), np.uint8)
    cv2.fillConvexPoly(small, corners.astype(np.int32), (24, 46, 76))
    lab, ways = lab_of(small), list(ways_to_part(lab_of(small), small))
    mask = np.zeros((240, 320), np.uint8)
    cv2.fillConvexPoly(mask, corners.astype(np.int32), 1)
    scores = [_score(corners, lab, mask, 200 / 144, differs) for _, differs in ways]
    assert not any(scores[:-1])
    assert scores[-1] > 0.9
    assert _score(corners, lab_of(np.full_like(small, 60)), mask, 200 / 144, ways[-1][1]) == 0.0


def test_as_many_points_as_there_are_can_be_looked_at() -> None:
    """A thing half as large as the felt is looked at every half millimetre: more points than OpenCV takes in a row."""
    at = np.stack(np.meshgrid(np.arange(60, 300), np.arange(40, 220)), axis=-1).astype(float)
    tray = tray_of(PICTURE)
    seen = seen_at(PICTURE.picture_bgr, tray, at)
    assert seen.shape == (180, 240, 3)
    assert (seen[70, 200] == seen_at(PICTURE.picture_bgr, tray, at[70, 200])).all()
    assert (seen[70] == seen_at(PICTURE.picture_bgr, tray, at[70])).all()
