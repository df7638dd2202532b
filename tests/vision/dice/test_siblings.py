"""What plain dice say of a doubtful one of their colour. RULES 2: a die shows one to six pips."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.crops.faces import DISPUTED, FACES, MARGIN, SIDE, Faces
from vision.dice import siblings
from vision.dice.loose_spots import LooseSpots

BODY, PIP = np.array([90.0, 120.0, 60.0]), np.array([20.0, 20.0, 20.0])
AWAY = 0.26 * SIDE * (1 - 2 * MARGIN)
WAYS = list(range(len(siblings.PATTERNS)))


def a_die(way, *, body=BODY, pip=PIP, more=(), turn_deg=0.0, off=(0.0, 0.0)):
    """Return a crop that shows one of PATTERNS; more: places of GRID, each with an ink (BGR) and how much of it."""
    crop = np.full((SIDE, SIDE, 3), body) + np.random.default_rng(way).normal(0, 2, (SIDE, SIDE, 3))
    crop[: round(SIDE * MARGIN)] = 30.0
    a = np.radians(turn_deg)
    grid = siblings.GRID @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    for place, ink, share in [*((k, pip, 1.0) for k in siblings.PATTERNS[way][1]), *more]:
        there = np.hypot(x - AWAY * grid[place][0] - off[0], y - AWAY * grid[place][1] - off[1]) < 3.2
        crop[there] += share * (np.asarray(ink) - crop[there])
    return cv2.GaussianBlur(crop, (0, 0), 0.8).clip(0, 255).astype(np.uint8)


def style(**how):
    out = siblings.style_of(np.array([a_die(3, **how), a_die(6, **how)]), [3, 5])
    assert out is not None
    return out


@pytest.mark.parametrize("way", WAYS)
def test_every_face_is_told_however_it_lies(way) -> None:
    assert siblings.told(a_die(way), style()) == siblings.PATTERNS[way][0]
    assert siblings.told(a_die(way, turn_deg=10.0, off=(2.0, -2.0)), style()) == siblings.PATTERNS[way][0]


@pytest.mark.parametrize("pip", [(250, 250, 250), (40, 60, 200), (90, 190, 60)])
def test_pips_may_have_any_colour_that_the_siblings_have(pip) -> None:
    known = style(pip=np.array(pip, float))
    for way in WAYS:
        assert siblings.told(a_die(way, pip=np.array(pip, float)), known) == siblings.PATTERNS[way][0]


def test_what_shines_through_glass_is_no_pip_where_it_is_much_paler() -> None:
    """A one whose lower side's four shine through."""
    faint, plain = ([(k, PIP, share) for k in (0, 2, 6, 8)] for share in (0.2, 0.5))
    assert siblings.told(a_die(0, more=faint), style()) == 1
    assert siblings.told(a_die(0, more=plain), style()) == 0


def test_a_lamps_image_makes_nothing_plain() -> None:
    """It may hide a pip: nobody knows what lies below."""
    assert siblings.told(a_die(1, more=[(4, (255, 255, 255), 1.0)]), style()) == 0
    assert siblings.told(a_die(5, more=[(1, (60, 160, 250), 1.0)]), style()) == 0


def test_ink_that_is_no_part_of_the_pattern_makes_nothing_plain() -> None:
    assert siblings.told(a_die(1, more=[(1, PIP, 1.0)]), style()) == 0


def test_dice_of_another_look_are_not_told() -> None:
    """Amber pips on a die whose siblings have black ones."""
    assert siblings.told(a_die(5, pip=np.array([40.0, 160.0, 230.0])), style()) == 0


def test_one_sibling_says_nothing_and_neither_do_pips_as_pale_as_the_body() -> None:
    assert siblings.style_of(np.array([a_die(3)]), [3]) is None
    pale = [a_die(way, pip=BODY + 3) for way in (3, 6)]
    assert siblings.style_of(np.array(pale), [3, 5]) is None


FOUR, FIVE = FACES.index(("die", 4)), FACES.index(("die", 5))


def tray_of(ways, said, *, doubts, torn=None):
    """Return a picture of dice side by side, and what the net says of them. said: values, doubts: of each."""
    picture = np.hstack([a_die(way) for way in ways])
    low, high = SIDE * MARGIN - 0.5, SIDE * (1 - MARGIN) - 0.5
    square = np.array([[low, low], [high, low], [high, high], [low, high]])
    quads = np.array([square + (k * SIDE, 0) for k in range(len(ways))])
    p = np.full((len(ways), len(FACES)), 1e-9)
    for k, (value, doubt) in enumerate(zip(said, doubts, strict=True)):
        p[k, [FOUR, FIVE, FACES.index(("die", 1))]] += doubt / 3
        p[k, FACES.index(("die", value))] += 1 - doubt
    faces = Faces(np.log(p / p.sum(axis=1, keepdims=True)).astype(np.float32), np.zeros(len(ways), np.float32))
    dice = np.ones(len(ways), dtype=bool)
    return picture, LooseSpots(dice, quads, np.full(len(ways), 0.9), faces, torn=torn)


def surest(spots):
    return np.exp(spots.faces.log_probs).max(axis=1)


def test_a_doubtful_face_that_its_siblings_explain_is_surer() -> None:
    picture, spots = tray_of((3, 6, 5), (3, 5, 4), doubts=(1e-4, 1e-4, 0.04))
    out = siblings.with_siblings(picture, spots, ["red"] * 3)
    assert surest(spots)[2] < 0.98 < 0.99 < surest(out)[2]
    assert out.faces.log_probs[:2] == pytest.approx(spots.faces.log_probs[:2], abs=1e-6)
    assert (out.faces.p_unreadable == 0).all()


@pytest.mark.parametrize(
    ("names", "torn"),
    [
        (["red", "red", "blue"], None),
        (["red", "blue", "red"], None),
        (["red", "red", None], None),
        (["red", None, "red"], None),
        (["red", "red", "red"], (0, 1, 0)),
    ],
)
def test_only_plain_dice_of_its_colour_are_siblings(names, torn) -> None:
    torn = None if torn is None else np.array(torn)
    picture, spots = tray_of((3, 6, 5), (3, 5, 4), doubts=(1e-4, 1e-4, 0.04), torn=torn)
    assert siblings.with_siblings(picture, spots, names) is spots or surest(
        siblings.with_siblings(picture, spots, names)
    ) == pytest.approx(surest(spots))


def test_a_doubtful_sibling_is_not_heard() -> None:
    picture, spots = tray_of((3, 6, 5), (3, 5, 4), doubts=(1e-4, 0.05, 0.04))
    assert surest(siblings.with_siblings(picture, spots, ["red"] * 3)) == pytest.approx(surest(spots))


def test_a_face_that_the_siblings_contradict_is_asked_about() -> None:
    """The net says five with some doubt; it shows four of the pips that the others have, and none in the middle."""
    picture, spots = tray_of((3, 6, 5), (3, 5, 5), doubts=(1e-4, 1e-4, 0.04))
    out = siblings.with_siblings(picture, spots, ["red"] * 3)
    assert out.faces.p_unreadable.tolist() == [0.0, 0.0, DISPUTED]
    assert surest(out) == pytest.approx(surest(spots), abs=1e-6)


def test_a_face_that_the_net_hardly_believes_is_not_made_sure() -> None:
    """Never silently wrong: pips that are counted have made it likelier already."""
    picture, spots = tray_of((3, 6, 5), (3, 5, 4), doubts=(1e-4, 1e-4, 0.2))
    assert surest(siblings.with_siblings(picture, spots, ["red"] * 3)) == pytest.approx(surest(spots), abs=1e-6)


def test_nothing_that_is_sure_is_looked_at() -> None:
    picture, spots = tray_of((3, 6, 5), (3, 5, 5), doubts=(1e-4, 1e-4, 1e-4))
    assert siblings.with_siblings(picture, spots, ["red"] * 3) is spots


def test_what_nobody_can_read_stays_so() -> None:
    picture, spots = tray_of((3, 6, 5), (3, 5, 4), doubts=(1e-4, 1e-4, 0.04))
    spots = replace(spots, faces=Faces(spots.faces.log_probs, np.array([0, 0, 0.5], np.float32)))
    assert siblings.with_siblings(picture, spots, ["red"] * 3) is spots


def test_disks_are_no_siblings_and_have_none() -> None:
    picture, spots = tray_of((3, 6, 5), (3, 5, 4), doubts=(1e-4, 1e-4, 0.04))
    spots = replace(spots, is_die=np.array([True, True, False]))
    assert siblings.with_siblings(picture, spots, ["red", "red"]) is spots


def test_the_ways_a_face_lies_differ() -> None:
    """Else a part of the search would be for nothing."""
    patterns = {pips for _, pips in siblings.PATTERNS}
    assert len(patterns) == len(siblings.PATTERNS)
    assert all(a <= b for a, b in pairwise(value for value, _ in siblings.PATTERNS))
    assert all(len(pips) == value for value, pips in siblings.PATTERNS)
