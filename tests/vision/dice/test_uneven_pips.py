"""A face must show its pips alike: a lamp's mirror image and what shines through glass make a three a five."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.colour.colour_names import Known
from vision.crops.faces import FACES, MARGIN, SIDE, Faces
from vision.crops.hidden_pips import may_be_six, may_have_a_middle
from vision.crops.middle_pip import empty_middle, in_a_row, lamp_odds
from vision.crops.outline import Look
from vision.crops.pips import PLACES, count_pips, evenness, shows_more
from vision.dice.loose import read_loose
from vision.dice.loose_doubts import ALL_ALIKE, BENT, MIRRORED, NO_MIDDLE, beside_doubtful
from vision.dice.loose_spots import LooseSpots

INNER = SIDE * (1 - 2 * MARGIN)


def face(
    value: int, *, faint: float = 1.0, away: float = 0.25, turned: bool = False, dark: bool = False, exact: bool = True
) -> np.ndarray:
    """Return the crop of a die, its first pip drawn with that share of the others' contrast.

    exact: not to whole pixels only.
    """
    crop = np.full((SIDE, SIDE, 3), 200 if dark else 60, np.uint8)
    spots = PLACES[value][:, ::-1] * (-1, 1) if turned else PLACES[value]
    for k, (x, y) in enumerate(spots * away * INNER + (SIDE - 1) / 2):
        contrast = 150 * (faint if k == 0 else 1.0) * (-1 if dark else 1)
        ink = int(crop[0, 0, 0] + contrast)
        disc(crop, *((x, y) if exact else (round(x), round(y))), 3.5 if exact else 3.0, (ink, ink, ink))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


def disc(crop: np.ndarray, x: float, y: float, radius: float, bgr: tuple[int, int, int]) -> None:
    """Draw a disc to a sixteenth of a pixel."""
    at = (round(16 * x), round(16 * y))
    cv2.circle(crop, at, round(16 * radius), bgr, -1, cv2.LINE_AA, shift=4)


@pytest.mark.parametrize("value", range(2, 7))
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dark", [False, True])
def test_pips_that_are_alike_are_even_and_a_missing_one_is_seen(value, turned, dark):
    assert evenness(face(value, turned=turned, dark=dark, exact=False), value, margin=MARGIN) > 0.7
    if value > 2:
        assert evenness(face(value, faint=0.0, turned=turned, dark=dark, exact=False), value, margin=MARGIN) < 0.3
        assert evenness(face(value, faint=0.25, turned=turned, dark=dark, exact=False), value, margin=MARGIN) < 0.5


def amber(value: int) -> np.ndarray:
    """Return the crop of a grey die with amber pips, which are as light as it is."""
    crop = np.full((SIDE, SIDE, 3), 110, np.uint8)
    for x, y in np.round(PLACES[value] * 0.25 * INNER + (SIDE - 1) / 2):
        disc(crop, x, y, 3.0, (20, 115, 195))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


@pytest.mark.parametrize("value", [3, 5])
def test_pips_as_light_as_their_die_are_seen_by_their_colour(value):
    """What is asked about a die must be seen by its owner, too: amber on grey is plain to everybody."""
    grey = amber(value).mean(axis=2)
    assert np.ptp(grey) < 6
    assert evenness(amber(value), value, margin=MARGIN) > 0.7
    assert lamp_odds(amber(value), value, margin=MARGIN) < MIRRORED


def mirroring(
    value: int, bgr: tuple[int, int, int], *, dark: bool, turned: bool = False, size: float = 3.5, off: float = 0.0
) -> np.ndarray:
    """Return the crop of a die with a lamp's mirror image in the middle, or so many pixels off, as large as a pip."""
    crop = face(value, dark=dark, turned=turned)
    disc(crop, (SIDE - 1) / 2 + off, (SIDE - 1) / 2, size, bgr)
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


def lying(crop: np.ndarray, turn_deg: float) -> np.ndarray:
    """Return the crop of a die that lies so in it."""
    middle = ((SIDE - 1) / 2, (SIDE - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, turn_deg, 1.0)
    return cv2.warpAffine(crop, turn, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("value", [3, 5])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("turn_deg", [0.0, 10.0, 28.0, 45.0, 80.0, 130.0])
@pytest.mark.parametrize("away", [0.22, 0.26, 0.29])
def test_pips_that_are_alike_are_no_lamp_however_a_die_lies(value, dark, turn_deg, away):
    """Few questions: of round dice nobody knows how they lie."""
    crop = lying(face(value, dark=dark, away=away), turn_deg)
    assert lamp_odds(crop, value, margin=MARGIN) < MIRRORED - 4.0


@pytest.mark.parametrize("value", [3, 5])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dark", [False, True])
def test_a_middle_of_another_colour_than_the_other_pips_is_a_lamp(value, turned, dark):
    """One mirror image of a lamp makes a two a three, or a four a five: in the middle, and nothing else of any face."""
    white, yellow = (255, 255, 255), (30, 180, 250)
    lamp = white if dark else yellow
    for shown in (value - 1, value):
        crop = mirroring(shown, lamp, dark=dark, turned=turned)
        assert lamp_odds(crop, value, margin=MARGIN) > MIRRORED


@pytest.mark.parametrize("value", [3, 5])
@pytest.mark.parametrize("size", [5.0, 5.4])
def test_what_is_as_dark_as_the_other_pips_is_no_lamp_however_large(value: int, size: float) -> None:
    """Few questions: a lamp's light comes on top of the die's. Where one washes out the outer pips, the middle one has
    twice their ink; white among white pips, that is asked about."""
    black = mirroring(value - 1, (50, 50, 50), dark=True, size=size)
    assert lamp_odds(black, value, margin=MARGIN) == -np.inf
    white = mirroring(value - 1, WHITE_PIP, dark=False, size=size)
    assert lamp_odds(white, value, margin=MARGIN) > MIRRORED


WHITE_PIP = (210, 210, 210)


@pytest.mark.parametrize("value", [3, 5])
@pytest.mark.parametrize("amiss", [{"size": 5.0}, {"size": 1.5}, {"off": 2.5}, {"bgr": (255, 255, 255), "size": 4.7}])
def test_white_among_white_pips_a_lamp_is_not_just_as_large_as_white_and_as_central(value, amiss):
    """Never silently wrong: a polished two under a lamp was a three to the net, at 0.9999."""
    lamp = mirroring(value - 1, **{"bgr": WHITE_PIP, "dark": False, **amiss})
    assert lamp_odds(lamp, value, margin=MARGIN) > MIRRORED


def test_of_faint_pips_nobody_says_that_the_middle_is_unlike_them():
    crop = np.full((SIDE, SIDE, 3), 120, np.uint8)
    assert lamp_odds(crop, 5, margin=MARGIN) == -np.inf
    assert lamp_odds(mirroring(2, (150, 150, 150), dark=True) // 4 + 90, 3, margin=MARGIN) == -np.inf


@pytest.mark.parametrize("value", [3, 5])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("turn_deg", [0.0, 28.0, 80.0, 130.0])
def test_an_empty_middle_is_told_from_one_with_a_pip_or_a_lamp(value, dark, turn_deg):
    """A three and a five have a pip in the middle, a two and a four have none."""
    assert empty_middle(lying(face(value - 1, dark=dark), turn_deg), value, margin=MARGIN)
    assert not empty_middle(lying(face(value, dark=dark), turn_deg), value, margin=MARGIN)
    assert not empty_middle(lying(mirroring(value - 1, WHITE_PIP, dark=False), turn_deg), value, margin=MARGIN)


def test_of_a_face_on_which_no_pips_are_seen_nobody_says_that_its_middle_is_empty():
    assert not empty_middle(np.full((SIDE, SIDE, 3), 120, np.uint8), 3, margin=MARGIN)


@given(st.floats(0.02, 0.98))
def test_a_four_with_an_empty_middle_is_hardly_a_five_whatever_the_net_doubts(five):
    """Few questions: of 2,719 threes and fives, traced and on photographs, none had an empty middle."""
    die = _read(1.0, five, crop=face(4), other=4)
    at_odds = (1 - five) / five * NO_MIDDLE
    assert die.likely[0][0] == (4 if at_odds > 1 else 5)
    assert dict(die.likely)[5] == pytest.approx(1 / (1 + at_odds), abs=0.002)


def test_but_a_four_that_mirrors_a_lamp_and_an_owners_own_dice_are_what_the_net_says():
    """Never silently wrong; and on taught dice anything may lie in the middle, or nothing."""
    assert _read(1.0, 0.9, crop=mirroring(4, WHITE_PIP, dark=False), other=4).likely[0][0] == 5
    assert (
        _read(1.0, 0.9, crop=face(4), other=4, known=Known({"black": ((60.0, 60.0, 60.0),)}, by_ink=False)).value == 5
    )


def _read(
    faint: float,
    sure: float,
    *,
    crop: np.ndarray | None = None,
    other: int | None = None,
    known: Known | None = None,
    exactly: Look | None = None,
    **changed: object,
):
    """Return the die that shows this crop, a five to the net unless it is the other; None: unless it is any other."""
    crop = face(5, faint=faint) if crop is None else crop
    picture = cv2.copyMakeBorder(crop, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(90, 60, 40))
    low, high = 30 + SIDE * MARGIN - 0.5, 30 + SIDE * (1 - MARGIN) - 0.5
    p = np.full((1, len(FACES)), (1 - sure) / 5)
    p[0, 6:] = 1e-12
    if other is not None:
        p[:], p[0, FACES.index(("die", other))] = 1e-12, 1 - sure
    p[0, FACES.index(("die", 5))] = sure
    said = Faces(np.log(p).astype(np.float32), np.zeros(1, np.float32))
    quads = np.array([[[low, low], [high, low], [high, high], [low, high]]])
    spots = LooseSpots(np.ones(1, dtype=bool), quads, np.ones(1), said)
    (die,) = read_loose(picture, replace(spots, **changed), white_bgr=None, known=known, exactly=exactly).dice
    return die


def test_a_five_of_which_one_pip_is_faint_is_asked_about_in_every_frame():
    """Never silently wrong; and what one look cannot tell says nothing in the next ones either."""
    die = _read(0.2, 0.9965)
    assert not die.sure
    assert die.evidence is None


def glittering(share: float) -> np.ndarray:
    """Return the crop of a four with light between its pips, as a six has more, of that share of their contrast."""
    crop, near = np.full((SIDE, SIDE, 3), 60, np.uint8), np.linalg.norm(PLACES[6], axis=1)
    for (x, y), between in zip(PLACES[6] * 0.25 * INNER + (SIDE - 1) / 2, near < near.max() - 1e-6, strict=True):
        ink = round(60 + 150 * (share if between else 1.0))
        disc(crop, x, y, 2.5 if between else 3.5, (ink, ink, ink))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


def test_a_rough_four_that_glitters_between_its_pips_is_no_sure_six_if_the_net_has_a_doubt():
    """Never silently wrong: such a six had 0.9946 of the net, and was believed."""
    six = {"other": 6, "crop": glittering(0.75)}
    assert 0.4 < evenness(six["crop"], 6, margin=MARGIN) < 0.6
    assert _read(1.0, 0.0054, **six).value == 6
    assert not _read(1.0, 0.0054, **six).sure
    assert _read(1.0, 1e-6, **six).sure, "few questions: of sixes without a doubt some have paler pips"
    assert _read(1.0, 0.0054, other=6, crop=glittering(1.0)).sure


def test_a_pip_beyond_those_of_a_five_is_a_neighbours():
    """Few questions: an edge that gleams, or a pip of the die beside, makes no other face of an uneven five."""
    crop = face(5, faint=0.75)
    assert not shows_more(crop, 5, margin=MARGIN)
    for x, y, more in ((0.44, 0.02, True), (0.45, 0.45, False)):
        seen = crop.copy()
        disc(seen, *(np.array([x, y]) * INNER + (SIDE - 1) / 2), 3.0, (210, 210, 210))
        assert count_pips(seen[None], margin=MARGIN)[0] == 6
        assert evenness(seen, 5, margin=MARGIN) < 0.86
        assert shows_more(seen, 5, margin=MARGIN) is more


@pytest.mark.parametrize(("around", "middle", "more"), [(4, 130, False), (6, 130, True), (6, 40, False)])
def test_a_five_on_which_six_pips_are_counted_may_be_none_if_its_own_are_uneven(around: int, middle: int, more: bool):
    """Never silently wrong: six pips that lie in a ring, as training never saw them, are a five to the net."""
    crop = np.full((SIDE, SIDE, 3), 200, np.uint8)
    for x, y in PLACES[around] * 0.25 * INNER + (SIDE - 1) / 2:
        disc(crop, x, y, 2.4, (40, 40, 40))
    disc(crop, (SIDE - 1) / 2, (SIDE - 1) / 2, 2.4, (middle, middle, middle))
    assert shows_more(cv2.GaussianBlur(crop, (0, 0), 0.6), 5, margin=MARGIN) is more


def test_a_four_that_mirrors_a_lamp_is_no_sure_five_however_sure_the_net_is():
    """Never silently wrong."""
    assert _read(1.0, 0.99999, crop=face(5, dark=True)).sure
    for crop in (mirroring(4, (255, 255, 255), dark=True), mirroring(4, WHITE_PIP, dark=False, size=5.0)):
        die = _read(1.0, 0.99999, crop=crop)
        assert not die.sure
        assert die.evidence is None


def test_even_pips_and_a_net_without_doubt_are_believed():
    assert _read(1.0, 0.9965).sure
    assert _read(0.6, 0.99999).sure


@pytest.mark.parametrize(("value", "moved_px", "sure"), [(2, 7.0, True), (2, 0.0, False), (3, 7.0, False)])
def test_a_face_found_askew_is_held_against_its_pips_where_it_exactly_lies(value, moved_px, sure):
    """Few questions: the finder had the top of a pearl die a tenth of a side off, and no second pip was where due."""
    whole = cv2.copyMakeBorder(face(2, dark=True), 20, 20, 20, 20, cv2.BORDER_REPLICATE)
    askew = whole[20 : 20 + SIDE, 13 : 13 + SIDE]

    def exactly(_picture, quads_px):
        return quads_px + np.array([moved_px, 0.0])

    assert _read(1.0, 1e-6, crop=askew, other=value, exactly=exactly).sure == sure


def two_aslant(lower: tuple[float, float]) -> np.ndarray:
    """Return the crop of a round white die seen from 45 degrees: two pips on top, and the one of a flank below."""
    crop = np.full((SIDE, SIDE, 3), 200, np.uint8)
    for x, y in np.array([(0.25, -0.2), lower, (-0.05, 0.45)]) * INNER + (SIDE - 1) / 2:
        disc(crop, x, y, 3.0, (40, 40, 40))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


@pytest.mark.parametrize("lower", [(-0.04, 0.04), (0.0, 0.0), (0.03, 0.07)])
def test_two_pips_and_the_one_of_a_flank_are_no_sure_three(lower):
    """Never silently wrong: two nets, trained apart, were each sure of such a three, of another photograph."""
    assert lamp_odds(two_aslant(lower), 3, margin=MARGIN) == -np.inf, "as dark as the others: no lamp"
    die = _read(1.0, 1e-6, crop=two_aslant(lower), other=3)
    assert die.value == 3
    assert not die.sure
    assert die.evidence is None


@pytest.mark.parametrize("value", [2, 3])
@pytest.mark.parametrize("turn_deg", [0.0, 6.0, -8.0])
def test_plain_twos_and_threes_are_believed_whichever_way_they_lie(value, turn_deg):
    """Few questions: a third of all dice show one of the two."""
    for turned in (False, True):
        for away in (0.21, 0.25, 0.29):
            crop = lying(face(value, dark=True, turned=turned, away=away), turn_deg)
            assert _read(1.0, 1e-6, crop=crop, other=value).sure


def three(middle: tuple[float, float], step: tuple[float, float], *, greys: tuple[int, int, int]) -> np.ndarray:
    """Return the crop of a die with three pips in a row, in pixels from the crop's middle."""
    crop = np.full((SIDE, SIDE, 3), 60, np.uint8)
    for k, grey in zip((-1, 0, 1), greys, strict=True):
        x, y = np.array(middle) + k * np.array(step) + (SIDE - 1) / 2
        disc(crop, x, y, 3.0, (grey, grey, grey))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


@pytest.mark.parametrize(
    ("middle", "step"), [((-4, -4), (7.8, -6.3)), ((4, 4), (7.8, -6.3)), ((-4, 4), (6.3, 7.8)), ((4, -4), (6.3, 7.8))]
)
def test_a_three_whose_pips_lie_in_a_row_is_believed_however_askew_it_was_found(middle, step):
    """Few questions: between two dice that touch one is found off its middle; a flank's pip would bend the row."""
    crop = three(middle, step, greys=(210, 210, 210))
    assert evenness(crop, 3, margin=MARGIN) < BENT
    assert _read(1.0, 1e-6, crop=crop, other=3).sure
    lamp = three(middle, step, greys=(210, 100, 210))
    assert not _read(1.0, 1e-6, crop=lamp, other=3).sure


@pytest.mark.parametrize("step", [(7.0, 7.0), (7.0, -7.0)])
def test_a_three_with_one_paler_pip_is_no_two_with_a_lamp(step):
    """Few questions: its plain outer pip and its middle one passed for the two outer ones of another row."""
    crop = three((0, 0), step, greys=(210, 210, 150))
    assert lamp_odds(crop, 3, margin=MARGIN) < MIRRORED
    assert _read(1.0, 1e-6, crop=crop, other=3).sure


MIDDLE = {"grey": 210, "radius": 3.0, "off": 0.0}


@pytest.mark.parametrize(
    ("changed", "in_row"),
    [
        ({}, True),
        ({"grey": 185}, False),
        ({"radius": 2.2}, False),
        ({"radius": 4.0}, False),
        ({"off": 1.2}, False),
        ({"off": -1.2}, False),
    ],
)
def test_a_pip_that_is_unlike_the_others_or_aside_is_in_no_row_with_them(changed, in_row):
    """Never silently wrong: what is no pip may lie nearly between two others, and look nearly like them."""
    assert in_a_row(with_middle(**{**MIDDLE, **changed}), 3, margin=MARGIN) is in_row


def test_of_pips_too_faint_to_be_held_against_a_lamp_nobody_says_that_they_lie_in_a_row():
    """Never silently wrong: then nothing else would ask about three of which one is a flank's."""
    faint = (with_middle(**MIDDLE) // 5 + 60).astype(np.uint8)
    assert lamp_odds(faint, 3, margin=MARGIN) == -np.inf
    assert not in_a_row(faint, 3, margin=MARGIN)


def with_middle(*, grey: int, radius: float, off: float) -> np.ndarray:
    """Return the crop of a die with two pips and something between them, off their line by so many pixels."""
    crop, middle = np.full((SIDE, SIDE, 3), 60, np.uint8), (SIDE - 1) / 2
    for away in (-7.0, 7.0):
        disc(crop, middle + away, middle + away, 3.0, (210, 210, 210))
    disc(crop, middle + off, middle - off, radius, (grey, grey, grey))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


def test_a_three_in_a_row_that_the_net_doubts_is_asked_about_for_a_faint_pip():
    """Never silently wrong: of glass a lamp and what shines through lie in a row by chance, and the net says so."""
    crop = three((-4, -4), (7.8, -6.3), greys=(210, 210, 210))
    assert evenness(crop, 3, margin=MARGIN) < BENT
    assert not _read(1.0, 0.0035, crop=crop, other=3).sure


@pytest.mark.parametrize(
    ("crop", "sure"), [(face(3, away=0.28), True), (mirroring(2, (255, 255, 255), dark=False, size=3.3), False)]
)
def test_of_what_may_be_a_disk_a_lamp_among_two_dots_makes_no_three(crop, sure):
    """Never silently wrong: on an owner's own set nothing else asks about a lamp, and no disk has three dots."""
    assert (lamp_odds(crop, 3, margin=MARGIN) > MIRRORED) is not sure
    assert count_pips(crop[None], margin=MARGIN)[0] == 3
    assert evenness(crop, 3, margin=MARGIN) > ALL_ALIKE
    own = Known({"black": ((60.0, 60.0, 60.0),)}, by_ink=False)
    assert _read(1.0, 1e-6, crop=crop, other=3, known=own, torn=np.array([1])).sure is sure


def marks(value: int, *, middle: float = 1.0) -> np.ndarray:
    """Return the crop of a face whose pips lie alike on the pixels, but the middle one is so many times as wide."""
    crop = np.full((SIDE, SIDE, 3), 60, np.uint8)
    for x, y in PLACES[value]:
        wide = 1.0 if x or y else middle
        disc(crop, (SIDE - 1) / 2 + 8 * x, (SIDE - 1) / 2 + 8 * y, 2.8 * wide, (210, 210, 210))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


@pytest.mark.parametrize(("middle", "exactly"), [(1.0, True), (1.1, False)])
def test_of_what_was_plainly_found_as_a_disk_only_three_pips_exactly_alike_make_a_die(middle: float, exactly: bool):
    """Never silently wrong, and few questions: no disk of ours has three dots, but the bars of a printed 3 are three
    marks in a row, the middle one larger; and a round die is found as a disk.
    """
    crop = marks(3, middle=middle)
    assert count_pips(crop[None], margin=MARGIN)[0] == 3
    assert in_a_row(crop, 3, margin=MARGIN)
    assert in_a_row(crop, 3, margin=MARGIN, exactly=True) is exactly
    assert _read(1.0, 1e-6, crop=crop, other=3, torn=np.array([2])).sure
    assert _read(1.0, 1e-6, crop=crop, other=3, torn=np.array([3])).sure is exactly


def test_five_pips_alike_acquit_nothing_that_was_plainly_found_as_a_disk():
    assert _read(1.0, 1e-6, crop=marks(5), other=5, torn=np.array([2])).sure
    assert not _read(1.0, 1e-6, crop=marks(5), other=5, torn=np.array([3])).sure


@pytest.mark.parametrize("value", [3, 5])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("bgr", [(200, 60, 40), (60, 60, 220), (40, 150, 40)])
def test_a_sticker_among_pips_of_another_colour_is_none(value, dark, bgr):
    """Never silently wrong: a coloured dot in the middle of a two, darker than its body, was the pip of a three."""
    crop = mirroring(value - 1, bgr, dark=dark)
    assert not _read(1.0, 1e-6, crop=crop, other=value).sure


def nearly_blown_out(middle_bgr: tuple[int, int, int]) -> np.ndarray:
    """Return the crop of a three on bright pink, with white pips and another colour in the middle one."""
    crop = np.full((SIDE, SIDE, 3), (240, 155, 255), np.uint8)
    for k, (x, y) in enumerate(PLACES[3] * 0.25 * INNER + (SIDE - 1) / 2):
        disc(crop, x, y, 3.5, middle_bgr if not PLACES[3][k].any() else (255, 250, 255))
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


def test_a_pip_that_a_few_levels_of_noise_tint_on_a_die_hardly_darker_is_one_of_its_set():
    """Few questions: what noise does to a colour is much of pips that hardly differ from their die."""
    assert lamp_odds(nearly_blown_out((233, 250, 255)), 3, margin=MARGIN) < MIRRORED
    assert lamp_odds(nearly_blown_out((205, 245, 255)), 3, margin=MARGIN) == np.inf


def with_discs(crop: np.ndarray, places: np.ndarray, bgr: tuple[int, int, int]) -> np.ndarray:
    """Return the crop with discs as large as pips at places (k, 2), over the distance of its pips from the middle."""
    out = crop.copy()
    for x, y in places * 0.25 * INNER + (SIDE - 1) / 2:
        disc(out, x, y, 3.5, bgr)
    return cv2.GaussianBlur(out, (0, 0), 0.8)


@pytest.mark.parametrize(("value", "seems"), [(2, 4), (4, 6)])
@pytest.mark.parametrize(("dark", "lamp"), [(True, (255, 255, 255)), (False, (20, 20, 20))])
def test_pips_are_all_darker_than_their_die_or_all_lighter(value, seems, dark, lamp):
    """Never silently wrong: two lamps mirrored on a four with black pips, just where a six has two more."""
    more = np.array([place for place in PLACES[seems].tolist() if place not in PLACES[value].tolist()])
    assert not _read(1.0, 1e-6, crop=with_discs(face(value, dark=dark), more, lamp), other=seems).sure
    assert _read(1.0, 1e-6, crop=face(seems, dark=dark), other=seems).sure


def under_a_bar(value: int, *, dark: bool, turned: bool, wide: float) -> np.ndarray:
    """Return a face under the image of a tube lamp between its rows, so wide over its side."""
    crop, half, middle = face(value, dark=dark, turned=turned), wide * INNER / 2, (SIDE - 1) / 2
    low, high = round(middle - half), round(middle + half) + 1
    left, right = round(middle - 0.42 * INNER), round(middle + 0.42 * INNER)
    area = np.s_[low:high, left:right] if not turned else np.s_[left:right, low:high]
    crop[area] = 255
    return cv2.GaussianBlur(crop, (0, 0), 0.8)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("turn_deg", [0.0, 12.0])
def test_a_four_between_whose_rows_a_bar_of_light_lies_may_be_a_six(dark, turned, turn_deg):
    """Never silently wrong: of the two middle pips of a six nothing was left, and the net was sure of a four."""
    assert not may_be_six(lying(face(4, dark=dark, turned=turned), turn_deg), margin=MARGIN)
    crop = lying(under_a_bar(6, dark=dark, turned=turned, wide=0.24), turn_deg)
    assert may_be_six(crop, margin=MARGIN)
    assert not _read(1.0, 1e-6, crop=crop, other=4).sure


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("turn_deg", [0.0, 12.0])
def test_a_six_in_whose_middle_a_crumb_lies_is_no_five(dark, turned, turn_deg):
    """Never silently wrong: no face has seven pips, and the net was sure of a five (ten of 27 such sixes)."""
    ink = (50, 50, 50) if dark else (210, 210, 210)
    crop = lying(with_discs(face(6, dark=dark, turned=turned), np.zeros((1, 2)), ink), turn_deg)
    assert may_be_six(crop, 5, margin=MARGIN)
    assert not _read(1.0, 1e-6, crop=crop, other=5).sure
    five = lying(face(5, dark=dark, turned=turned), turn_deg)
    assert not may_be_six(five, 5, margin=MARGIN)
    assert _read(1.0, 1e-6, crop=five, other=5).sure


def test_one_lamp_beside_the_middle_of_a_four_hides_no_six():
    """Few questions: a six has two middle pips, and one image covers one of them."""
    crop = with_discs(face(4, dark=True), np.array([(1.0, 0.0)]), (255, 255, 255))
    assert not may_be_six(crop, margin=MARGIN)
    assert not may_be_six(np.full((SIDE, SIDE, 3), 120, np.uint8), margin=MARGIN), "too faint to say"


@pytest.mark.parametrize(("value", "seems"), [(3, 2), (5, 4)])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("turn_deg", [0.0, 12.0])
def test_a_face_in_whose_middle_a_lamp_lies_may_have_one_pip_more(value, seems, dark, turn_deg):
    """Never silently wrong: of the middle pip of a three nothing was left, and the net was sure of a two."""
    for lamp, hidden in ((255, True), (200, False)):
        crop = lying(with_discs(face(value, dark=dark), np.array([(0.0, 0.0)]), (lamp, lamp, lamp)), turn_deg)
        assert may_have_a_middle(crop, seems, margin=MARGIN) == hidden
    crop = lying(with_discs(face(value, dark=dark), np.array([(0.0, 0.0)]), (255, 255, 255)), turn_deg)
    assert not _read(1.0, 1e-6, crop=crop, other=seems).sure
    assert not may_have_a_middle(lying(face(seems, dark=dark), turn_deg), seems, margin=MARGIN)


@pytest.mark.parametrize("value", [2, 4])
def test_a_die_that_is_white_all_over_hides_nothing(value):
    """Few questions: its pips are dark where they are."""
    crop = face(value, dark=True)
    assert not may_have_a_middle(np.where(crop > 120, np.uint8(252), crop), value, margin=MARGIN)


def chances(*best: float) -> np.ndarray:
    """Of dice that show a three, each with that probability."""
    p = np.array([np.full(len(FACES), (1 - b) / (len(FACES) - 1)) for b in best])
    p[:, FACES.index(("die", 3))] = best
    return p


def test_where_the_net_is_unsure_of_several_dice_of_a_colour_it_must_be_surer_of_the_others():
    """Never silently wrong: of nine of glass it doubted five, and was sure of a three as a one, a six as a two."""
    p = chances(0.7, 0.9, 0.9995, 0.99995, 0.9995)
    red = ["red"] * 5
    assert beside_doubtful(p, red).tolist() == [True, True, True, False, True]
    assert beside_doubtful(p, ["red", "red", "red", "red", "blue"]).tolist() == [True, True, True, False, False]
    assert not beside_doubtful(chances(0.7, 0.9995, 0.9995), red[:3]).any(), "one alone tells nothing of the set"
    assert not beside_doubtful(chances(0.7, 0.9, *[0.9995] * 6), ["red"] * 8).any(), "nor do two of many"
    assert beside_doubtful(np.zeros((0, len(FACES))), []).tolist() == []


@pytest.mark.parametrize("dark", [False, True])
def test_what_a_camera_sharpens_between_light_pips_is_no_lamp(dark):
    """Few questions: beside white pips a sharpened body is darker than it is; what mirrors a lamp is lighter."""
    places = np.array([(1.0, 0.0), (-1.0, 0.0)])
    halo = with_discs(face(4, dark=dark), places, (255, 255, 255) if dark else (2, 2, 2))
    assert may_be_six(halo, margin=MARGIN) == dark
