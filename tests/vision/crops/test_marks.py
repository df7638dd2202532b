"""A second opinion on disks that learned nothing: dots are counted, a plain stroke is a one, all else is left to the
net (RULES 1: prediction disks of 1, 2 and 4 dots, queue disks 1 to 4)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.crops.faces import DISK_SHARE, FACES, Faces, with_witness
from vision.crops.marks import DiskMarks, seen_on_disks
from vision.dice.loose import read_loose
from vision.dice.loose_spots import LooseSpots

SIDE, ZOOM = 48, 8
WOOD, FELT, DARK, LIGHT = (150.0, 185.0, 210.0), (40.0, 60.0, 20.0), (30.0, 40.0, 70.0), (240.0, 240.0, 240.0)
DOTS = {1: [(0.0, 0.0)], 2: [(-0.35, 0.1), (0.35, -0.1)], 4: [(a, b) for a in (-0.33, 0.33) for b in (-0.33, 0.33)]}


def _disk(*, body: tuple[float, float, float] = WOOD) -> np.ndarray:
    crop = np.full((SIDE * ZOOM, SIDE * ZOOM, 3), FELT, np.uint8)
    return cv2.circle(crop, _at(0, 0), round(SIDE * ZOOM * DISK_SHARE / 2), body, -1)


def _at(x: float, y: float) -> tuple[int, int]:
    """Return the pixel at a place, over the disk's radius, from its middle."""
    radius = SIDE * ZOOM * DISK_SHARE / 2
    return round(SIDE * ZOOM / 2 + x * radius), round(SIDE * ZOOM / 2 + y * radius)


def _seen(crop: np.ndarray) -> tuple[str, int] | None:
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return seen_on_disks(small[None], share=DISK_SHARE)[0]


def _dotted(count: int, ink: tuple[float, float, float], body: tuple[float, float, float]) -> np.ndarray:
    crop = _disk(body=body)
    for place in DOTS[count]:
        cv2.circle(crop, _at(*place), round(0.13 * SIDE * ZOOM / 2), ink, -1)
    return crop


def _stroke(turn_deg: float, thick: float = 0.12) -> np.ndarray:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return cv2.line(_disk(), _at(0.45 * s, -0.45 * c), _at(-0.45 * s, 0.45 * c), DARK, round(thick * SIDE * ZOOM / 2))


def _digit(text: str) -> np.ndarray:
    crop = _disk()
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 6.0, 24)
    middle = (SIDE * ZOOM - w) // 2, (SIDE * ZOOM + h) // 2
    return cv2.putText(crop, text, middle, cv2.FONT_HERSHEY_SIMPLEX, 6.0, DARK, 24, cv2.LINE_AA)


@pytest.mark.parametrize("count", DOTS)
@pytest.mark.parametrize(("ink", "body"), [(DARK, WOOD), (LIGHT, (60.0, 30.0, 120.0))])
def test_dots_are_counted_dark_on_light_and_light_on_dark(
    count: int, ink: tuple[float, float, float], body: tuple[float, float, float]
) -> None:
    assert _seen(_dotted(count, ink, body)) == ("prediction", count)


@given(turn=st.floats(0, 180), thick=st.floats(0.13, 0.16))
@settings(max_examples=40, deadline=None)
def test_a_plain_stroke_is_a_one_whichever_way_it_lies(turn: float, thick: float) -> None:
    assert _seen(_stroke(turn, thick)) == ("queue", 1)


@given(turn=st.floats(0, 180), thick=st.floats(0.06, 0.13))
@settings(max_examples=40, deadline=None)
def test_a_stroke_two_pixels_wide_is_a_one_or_left_to_the_net(turn: float, thick: float) -> None:
    """Its edges make steps in so few pixels, so that now and then it is not plain enough."""
    assert _seen(_stroke(turn, thick)) in (("queue", 1), None)


@pytest.mark.parametrize("text", ["1", "2", "3", "4", "7"])
def test_digits_that_are_more_than_a_stroke_are_left_to_the_net(text: str) -> None:
    assert _seen(_digit(text)) is None


@pytest.mark.parametrize("faint", [0.35, 0.5, 0.8])
def test_the_stem_of_a_four_is_no_one_however_faint_its_loop(faint: float) -> None:
    """Never silently wrong: thin strokes fade first."""
    crop = _stroke(10.0)
    ink = tuple(faint * d + (1 - faint) * w for d, w in zip(DARK, WOOD, strict=True))
    cv2.polylines(crop, [np.array([_at(0.07, -0.44), _at(-0.3, 0.2), _at(0.25, 0.2)])], False, ink, 16)
    assert _seen(crop) is None


def test_dots_of_very_different_sizes_or_three_of_them_are_none() -> None:
    """A speck beside a dot is no second dot, and three dots are on no disk."""
    three = _dotted(2, DARK, WOOD)
    cv2.circle(three, _at(0.0, 0.45), round(0.13 * SIDE * ZOOM / 2), DARK, -1)
    uneven = cv2.circle(_dotted(1, DARK, WOOD), _at(0.5, 0.3), 12, DARK, -1)
    assert _seen(three) is None
    assert _seen(uneven) is None


def test_a_plain_disk_and_noise_have_no_opinion() -> None:
    noise = np.random.default_rng(3).normal(128, 25, (20, SIDE, SIDE, 3)).clip(0, 255).astype(np.uint8)
    assert _seen(_disk()) is None
    assert sum(face is None for face in seen_on_disks(noise, share=DISK_SHARE)) >= 19


@pytest.mark.parametrize("count", DOTS)
def test_what_is_seen_does_not_depend_on_how_the_disk_lies(count: int) -> None:
    for turns in range(4):
        assert _seen(np.rot90(_dotted(count, DARK, WOOD), turns)) == ("prediction", count)


def test_a_net_in_doubt_of_a_stroke_is_surer_and_one_that_saw_a_four_asks() -> None:
    """Issue 3: few questions, and never silently wrong: where the two disagree the table is asked."""
    one, four = FACES.index(("queue", 1)), FACES.index(("queue", 4))
    for best, other, doubtful in ((one, four, False), (four, one, True)):
        p = np.full((1, len(FACES)), 1e-9)
        p[0, best], p[0, other] = 0.97, 0.03
        said = with_witness(Faces(np.log(p).astype(np.float32), np.array([0.01], np.float32)), seen=np.array([one]))
        assert said.log_probs[0].argmax() == best
        assert (said.p_unreadable[0] >= 0.5) is np.bool_(doubtful)
        assert (np.exp(said.log_probs[0, best]) > 0.99) is np.bool_(not doubtful)


def _mirrored(count: int, x: float, y: float, body: tuple[float, float, float] = (60.0, 30.0, 120.0)) -> np.ndarray:
    """Return a disk of light dots that mirrors a small lamp at a place, over its radius: one more dot, as round."""
    return cv2.circle(_dotted(count, LIGHT, body), _at(x, y), round(0.12 * SIDE * ZOOM / 2), (255, 255, 255), -1)


def dots_fit(crop: np.ndarray, count: int, *, share: float) -> bool:
    return DiskMarks.of(crop, share=share).fit(count)


def _small(crop: np.ndarray) -> np.ndarray:
    return cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("count", DOTS)
@pytest.mark.parametrize(("ink", "body"), [(DARK, WOOD), (LIGHT, (60.0, 30.0, 120.0))])
def test_dots_around_the_middle_fit_their_number_and_no_other(
    count: int, ink: tuple[float, float, float], body: tuple[float, float, float]
) -> None:
    assert [n for n in DOTS if dots_fit(_small(_dotted(count, ink, body)), n, share=DISK_SHARE)] == [count]


@pytest.mark.parametrize("turn", range(0, 360, 40))
@pytest.mark.parametrize("far", [0.4, 0.7])
def test_one_dot_beside_which_a_lamp_is_mirrored_is_no_two(turn: int, far: float) -> None:
    """Never silently wrong: a polished disk of one dot was a two, to the net (0.9999) and to who counted."""
    x, y = far * np.cos(np.radians(turn)), far * np.sin(np.radians(turn))
    assert not dots_fit(_small(_mirrored(1, x, y)), 2, share=DISK_SHARE)
    assert _seen(_mirrored(1, x, y)) is None


@pytest.mark.parametrize("count", DOTS)
@pytest.mark.parametrize("far", [0.78, 0.86, 0.93])
@pytest.mark.parametrize(("ink", "body"), [(DARK, WOOD), (LIGHT, (60.0, 110.0, 30.0)), (LIGHT, (30.0, 40.0, 50.0))])
@pytest.mark.parametrize("sharpened", [0.0, 1.0])
def test_a_ring_around_the_dots_is_no_mark(
    count: int, far: float, ink: tuple[float, float, float], body: tuple[float, float, float], sharpened: float
) -> None:
    """Issue 3, few questions: of five trays of another program whose disks have a ring three were asked about for it;
    what a camera darkens inside of a light one was dark print."""
    disk = _dotted(count, ink, body)
    cv2.circle(disk, _at(0, 0), round(far * SIDE * ZOOM * DISK_SHARE / 2), ink, 10)
    small = _small(disk).astype(np.float32)
    crop = np.clip(small + sharpened * (small - cv2.GaussianBlur(small, (0, 0), 1.0)), 0, 255).astype(np.uint8)
    assert [n for n in DOTS if dots_fit(crop, n, share=DISK_SHARE)] == [count]


OAK, PLUM = (95.0, 125.0, 150.0), (60.0, 30.0, 120.0)
GRAIN_BGR, BOLD_BGR = (104.0, 136.0, 160.0), (70.0, 95.0, 115.0)
"""Streaks on WOOD: as faint beside DARK dots as grain is, and much too plain for it."""


def _streaked(count: int, bgr: tuple[float, float, float], *, long: float = 0.3, thick: int = 14) -> np.ndarray:
    """Return a wooden disk of dark dots, a streak far from its middle. long: half its length, over the radius."""
    return cv2.line(_dotted(count, DARK, WOOD), _at(-long, 0.62), _at(long, 0.62), bgr, thick)


@pytest.mark.parametrize("count", DOTS)
def test_the_grain_of_wood_is_no_dot(count: int) -> None:
    """Issue 3, few questions: four of 210 trays of disks were asked about for a streak of grain beside their dots."""
    assert dots_fit(_small(_streaked(count, GRAIN_BGR)), count, share=DISK_SHARE)
    assert not dots_fit(_small(_streaked(count, BOLD_BGR)), count, share=DISK_SHARE), "too plain for grain"
    spot = cv2.circle(_dotted(count, DARK, WOOD), _at(0.0, 0.62), 22, GRAIN_BGR, -1)
    assert not dots_fit(_small(spot), count, share=DISK_SHARE), "a faint dot, may be"


@pytest.mark.parametrize(
    ("bgr", "long", "grain"),
    [
        pytest.param(GRAIN_BGR, 0.22, True, id="3.5 times as long, 0.34 of the dots' contrast"),
        pytest.param(GRAIN_BGR, 0.14, False, id="2.6 times as long"),
        pytest.param((95.0, 126.0, 149.0), 0.22, False, id="0.43 of the dots' contrast"),
    ],
)
def test_grain_is_three_times_as_long_as_wide_and_fainter_than_two_fifths(
    bgr: tuple[float, float, float], long: float, grain: bool
) -> None:
    for count in DOTS:
        assert dots_fit(_small(_streaked(count, bgr, long=long, thick=24)), count, share=DISK_SHARE) is grain


@pytest.mark.parametrize("body", [WOOD, OAK])
@pytest.mark.parametrize("count", [1, 2])
def test_a_light_spot_beside_dark_dots_is_a_lamps_image(count: int, body: tuple[float, float, float]) -> None:
    """Never silently wrong: a disk of one dark dot that mirrors a lamp was a two, though dot and lamp differ."""
    lit = cv2.circle(_dotted(1, DARK, body), _at(0.6, 0.1), round(0.13 * SIDE * ZOOM / 2), (255, 255, 255), -1)
    assert not dots_fit(_small(lit), count, share=DISK_SHARE)


@pytest.mark.parametrize("body", [WOOD, OAK])
def test_a_stroke_that_mirrors_a_lamp_in_its_middle_is_no_two(body: tuple[float, float, float]) -> None:
    """Never silently wrong: what is left of a one looks like a dot on either side of the lamp."""
    stroke = cv2.line(_disk(body=body), _at(-0.38, 0.0), _at(0.38, 0.0), DARK, 34)
    lit = cv2.circle(stroke, _at(0, 0), round(0.13 * SIDE * ZOOM / 2), (255, 255, 255), -1)
    assert not dots_fit(_small(lit), 2, share=DISK_SHARE)


@pytest.mark.parametrize("count", DOTS)
def test_what_is_faintly_dark_beside_light_dots_speaks_against_none(count: int) -> None:
    """A shadow, a dark streak: the light dots are the print."""
    dark = cv2.line(_dotted(count, LIGHT, PLUM), _at(-0.3, 0.62), _at(0.3, 0.62), (15.0, 5.0, 45.0), 22)
    assert dots_fit(_small(dark), count, share=DISK_SHARE)


def _drilled(count: int, shades: list[tuple[float, float]]) -> np.ndarray:
    """Return a disk of light dots, each with a shade beside it that begins so far from its middle, over its radius."""
    crop = _disk(body=(170.0, 140.0, 150.0))
    for (x, y), (a, b) in zip(DOTS[count], shades, strict=True):
        cv2.circle(crop, _at(x + a, y + b), round(0.15 * SIDE * ZOOM / 2), (110.0, 80.0, 85.0), -1)
        cv2.circle(crop, _at(x, y), round(0.13 * SIDE * ZOOM / 2), LIGHT, -1)
    return crop


@pytest.mark.parametrize("count", [2, 4])
def test_dots_that_are_drilled_have_a_shade_each_on_the_same_side(count: int) -> None:
    """Few questions: all disks of a set of drilled dots were asked about, for crescents no darker than half as much."""
    assert dots_fit(_small(_drilled(count, [(0.09, -0.07)] * count)), count, share=DISK_SHARE)


def test_shades_on_different_sides_are_none() -> None:
    """A lamp that shines on dark print leaves what it leaves."""
    assert not dots_fit(_small(_drilled(2, [(0.09, -0.07), (-0.09, 0.07)])), 2, share=DISK_SHARE)
    assert not dots_fit(_small(_drilled(1, [(0.09, -0.07)])), 2, share=DISK_SHARE)


def _darker(body: tuple[float, float, float], by: float) -> tuple[float, float, float]:
    b, g, r = body
    return max(b - by, 0.0), max(g - by, 0.0), max(r - by, 0.0)


@pytest.mark.parametrize("body", [PLUM, OAK, (50.0, 50.0, 50.0), (70.0, 40.0, 30.0)])
@pytest.mark.parametrize("by", [25.0, 40.0, 60.0])
def test_a_lamp_in_the_middle_of_a_disk_with_dark_ink_is_no_dot(body: tuple[float, float, float], by: float) -> None:
    """Never silently wrong: twos, fours and digits of dark ink were ones, surely, where a lamp shone much lighter in
    their middle than their ink is dark."""
    ink = _darker(body, by)
    stroke = cv2.line(_disk(body=body), _at(-0.4, 0.0), _at(0.4, 0.0), ink, 34)
    ring = cv2.circle(_disk(body=body), _at(0, 0), round(0.45 * SIDE * ZOOM / 2 * DISK_SHARE), ink, 26)
    for crop in (_dotted(2, ink, body), _dotted(4, ink, body), stroke, ring):
        lit = cv2.circle(crop, _at(0, 0), round(0.13 * SIDE * ZOOM / 2), (255, 255, 255), -1)
        assert not dots_fit(_small(lit), 1, share=DISK_SHARE)
        assert _seen(lit) is None


@pytest.mark.parametrize(("aside", "fits"), [(0.0, False), (0.2, False), (0.45, True)])
def test_a_faint_dark_streak_near_the_middle_may_be_a_stroke_under_a_lamp(aside: float, fits: bool) -> None:
    crop = cv2.line(_disk(body=PLUM), _at(-0.5, aside), _at(0.5, aside), (25.0, 10.0, 65.0), 22)
    lit = cv2.circle(crop, _at(0, 0), round(0.13 * SIDE * ZOOM / 2), LIGHT, -1)
    assert dots_fit(_small(lit), 1, share=DISK_SHARE) is fits


@pytest.mark.parametrize("body", [WOOD, OAK])
@pytest.mark.parametrize(("count", "radius"), [(1, 0.3), (2, 0.29), (2, 0.31), (4, 0.2), (4, 0.29)])
def test_bare_wood_beside_wide_dots_is_no_lamps_image(
    body: tuple[float, float, float], count: int, radius: float
) -> None:
    """Issue 3, few questions: beside wide dots what is around is dark, and the disk itself lighter than that."""
    crop = _disk(body=body)
    for x, y in DOTS[count]:
        cv2.circle(crop, _at(x, y), round(radius * SIDE * ZOOM * DISK_SHARE / 2), DARK, -1)
    assert dots_fit(_small(crop), count, share=DISK_SHARE)


@pytest.mark.parametrize(("count", "off", "fits"), [(4, 0.0, True), (2, 0.0, False), (4, 0.2, False)])
def test_four_dots_on_a_square_are_dots_wherever_a_thick_disk_has_its_middle(
    count: int, off: float, fits: bool
) -> None:
    """Few questions: aslant the flank of a disk counts as its top. off: of one dot from its place."""
    places = [(x + 0.16, y + 0.16) for x, y in DOTS[count]]
    places[-1] = (places[-1][0] + off, places[-1][1])
    crop = _disk()
    for place in places:
        cv2.circle(crop, _at(*place), round(0.13 * SIDE * ZOOM / 2), DARK, -1)
    assert dots_fit(_small(crop), count, share=DISK_SHARE) is fits


@pytest.mark.parametrize(("places", "fits"), [([-1, 1j, 1, -1j], True), ([-1, 1], False)])
def test_a_dot_that_a_light_edge_joins_is_one_of_four_and_of_two_none(places: list[complex], fits: bool) -> None:
    """Few questions: four dots were three, as one hung together with the sky in the disk's edge at a second look."""
    crop = _disk(body=PLUM)
    cv2.line(crop, _at(0.66, 0.0), _at(0.98, 0.0), (115.0, 95.0, 155.0), 40)
    for place in places:
        cv2.circle(crop, _at(0.66 * place.real, 0.66 * place.imag), round(0.09 * SIDE * ZOOM), LIGHT, -1)
    assert dots_fit(_small(crop), len(places), share=DISK_SHARE) is fits


@pytest.mark.parametrize(("darker", "fits"), [(50.0, True), (75.0, False)])
def test_beside_four_light_dots_what_is_hardly_darker_than_the_disk_is_no_print(darker: float, fits: bool) -> None:
    """Few questions: a sensor's noise on grey wood. But a dark print beside what four lamps might be is one."""
    grey = (110.0, 110.0, 110.0)
    spot = cv2.circle(_dotted(4, LIGHT, grey), _at(0.0, 0.0), 16, (110.0 - darker,) * 3, -1)
    assert dots_fit(_small(spot), 4, share=DISK_SHARE) is fits


def test_the_foot_of_a_window_that_half_of_a_disk_mirrors_is_no_print() -> None:
    """Few questions: along the edge of the light the disk looks darker than what is around, and is not."""
    crop = _dotted(1, (255, 255, 255), (150.0, 160.0, 150.0))
    lit = crop.copy()
    cv2.fillConvexPoly(
        lit, np.array([_at(-1.2, -1.2), _at(-0.1, -1.2), _at(-0.5, 1.2), _at(-1.2, 1.2)]), (190, 200, 190)
    )
    lit[(crop == FELT).all(axis=2)] = FELT
    assert dots_fit(_small(lit), 1, share=DISK_SHARE)


@pytest.mark.parametrize(("grey", "fits"), [(160.0, True), (182.0, False), (255.0, False)])
def test_a_light_mark_is_a_lamps_image_by_three_fifths_of_the_dots_contrast(grey: float, fits: bool) -> None:
    lit = cv2.circle(_dotted(2, DARK, OAK), _at(0.0, 0.62), round(0.12 * SIDE * ZOOM / 2), (grey, grey, grey), -1)
    assert dots_fit(_small(lit), 2, share=DISK_SHARE) is fits


@pytest.mark.parametrize(("body", "gleam", "fits"), [(225.0, 246.0, True), (210.0, 255.0, False)])
def test_on_a_pale_disk_a_lamps_image_is_white_and_a_gleam_is_nothing(body: float, gleam: float, fits: bool) -> None:
    crop = _dotted(2, DARK, (body, body, body))
    lit = cv2.circle(crop, _at(0.0, 0.62), round(0.12 * SIDE * ZOOM / 2), (gleam, gleam, gleam), -1)
    assert dots_fit(_small(lit), 2, share=DISK_SHARE) is fits


@pytest.mark.parametrize("count", DOTS)
def test_a_faint_gleam_beside_dark_dots_is_no_lamps_image(count: int) -> None:
    gleam = cv2.circle(_dotted(count, DARK, OAK), _at(0.0, 0.62), 22, (135.0, 165.0, 190.0), -1)
    assert dots_fit(_small(gleam), count, share=DISK_SHARE)


def test_where_no_dots_are_seen_nothing_is_said_against_them() -> None:
    assert dots_fit(_small(_disk()), 2, share=DISK_SHARE)


@pytest.mark.parametrize(
    ("crop", "sure"), [(_dotted(2, LIGHT, (60.0, 30.0, 120.0)), True), (_mirrored(1, 0.5, 0.0), False)]
)
def test_a_two_that_mirrors_a_lamp_is_asked_about_in_every_frame(crop: np.ndarray, sure: bool) -> None:
    picture = cv2.copyMakeBorder(_small(crop), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=FELT)
    p = np.full((1, len(FACES)), 1e-7)
    p[0, FACES.index(("prediction", 2))] = 1.0
    middle, half = 30 + (SIDE - 1) / 2, SIDE * DISK_SHARE / 2
    square = np.array([[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]]) * half + middle
    said = Faces(np.log(p).astype(np.float32), np.zeros(1, np.float32))
    spots = LooseSpots(np.zeros(1, dtype=bool), square, np.ones(1), said)
    (disk,) = read_loose(picture, spots, white_bgr=None).disks
    assert (disk.kind, disk.value, disk.sure) == ("prediction", 2, sure)
    assert (disk.evidence is not None) == sure


@pytest.mark.parametrize(("faint", "sure"), [(1.0, True), (0.7, True), (0.4, False), (0.2, False), (0.0, False)])
def test_a_mark_much_fainter_than_the_dots_of_other_disks_is_asked_about(faint: float, sure: bool) -> None:
    """Never silently wrong: a disk that lies face down, with a knot in its middle or the trace of a drill, was a one:
    dots of one set are as plain on one disk as on the next."""
    ink = tuple(faint * d + (1 - faint) * w for d, w in zip(DARK, WOOD, strict=True))
    crops = [_small(_dotted(1, ink, WOOD)), *(_small(_dotted(n, DARK, WOOD)) for n in (2, 4))]
    disks = read_loose(_row_of(crops), _said([1, 2, 4]), white_bgr=None).disks
    assert [(d.value, d.sure) for d in sorted(disks, key=lambda d: d.centre[0])] == [(1, sure), (2, True), (4, True)]


@pytest.mark.parametrize(("left", "faint", "sure"), [(0.45, 1.0, True), (0.45, 0.4, False), (0.3, 1.0, True)])
def test_a_dot_in_a_shadow_is_as_plain_as_its_light_allows(left: float, faint: float, sure: bool) -> None:
    """Few questions: light falls off towards a corner, and a plain one there had half the contrast of others."""
    ink = tuple(faint * d + (1 - faint) * w for d, w in zip(DARK, WOOD, strict=True))
    shaded = (left * _small(_dotted(1, ink, WOOD))).astype(np.uint8)
    crops = [shaded, *(_small(_dotted(n, DARK, WOOD)) for n in (2, 4))]
    disks = read_loose(_row_of(crops), _said([1, 2, 4]), white_bgr=None).disks
    assert [d.sure for d in sorted(disks, key=lambda d: d.centre[0])] == [sure, True, True]


def test_four_dots_in_another_light_are_no_knots() -> None:
    """Few questions: no knots lie on a square."""
    ink = tuple(0.4 * d + 0.6 * w for d, w in zip(DARK, WOOD, strict=True))
    crops = [_small(_dotted(4, ink, WOOD)), *(_small(_dotted(n, DARK, WOOD)) for n in (1, 2))]
    assert all(d.sure for d in read_loose(_row_of(crops), _said([4, 1, 2]), white_bgr=None).disks)


def test_two_disks_with_a_knot_are_held_against_the_plainest() -> None:
    """Never silently wrong: held against the median of the others each knot was as plain as the other."""
    knot = tuple(0.4 * d + 0.6 * w for d, w in zip(DARK, WOOD, strict=True))
    crops = [*(_small(_dotted(1, knot, WOOD)) for _ in range(2)), _small(_dotted(2, DARK, WOOD))]
    disks = read_loose(_row_of(crops), _said([1, 1, 2]), white_bgr=None).disks
    assert [d.sure for d in sorted(disks, key=lambda d: d.centre[0])] == [False, False, True]


def test_a_disk_alone_or_a_set_of_faint_dots_is_held_against_none() -> None:
    """Few questions."""
    pale = tuple(0.3 * d + 0.7 * w for d, w in zip(DARK, WOOD, strict=True))
    for values in ([1], [1, 2, 4]):
        crops = [_small(_dotted(n, pale, WOOD)) for n in values]
        assert all(d.sure for d in read_loose(_row_of(crops), _said(values), white_bgr=None).disks)


def _row_of(crops: list[np.ndarray]) -> np.ndarray:
    """Return a picture of disks beside each other, 100 pixels from one to the next."""
    picture = np.full((108, 100 * len(crops) + 8, 3), FELT, np.uint8)
    for n, crop in enumerate(crops):
        picture[30 : 30 + SIDE, 100 * n + 30 : 100 * n + 30 + SIDE] = crop
    return picture


def _said(values: list[int]) -> LooseSpots:
    """Return disks as `_row_of` shows them, each of which the net surely says to have so many dots."""
    p = np.full((len(values), len(FACES)), 1e-7)
    p[np.arange(len(values)), [FACES.index(("prediction", value)) for value in values]] = 1.0
    middle, half = 30 + (SIDE - 1) / 2, SIDE * DISK_SHARE / 2
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half + middle
    squares = square + np.array([[100.0 * n, 0.0] for n in range(len(values))])[:, None]
    none = np.zeros(len(values))
    return LooseSpots(none > 0, squares, none + 1, Faces(np.log(p).astype(np.float32), none.astype(np.float32)))
