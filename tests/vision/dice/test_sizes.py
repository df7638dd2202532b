"""Issue 3: dice, touching ones too, of one set or of two; a die too few is silently wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice.sizes import (
    HARDLY,
    ODD,
    between_two,
    doubted_beside,
    flanks,
    in_a_flank,
    of_no_set,
    of_small_set,
    on_flanks,
    orphaned,
    overlapping,
    seen_again,
    sides_by_set,
)
from vision.geometry import SQUARE
from vision.tray.aslant import Camera


def square(wide: list[float]) -> np.ndarray:
    return np.repeat(np.array(wide, dtype=float)[:, None], 2, axis=1)


def test_dice_of_one_set_have_one_size() -> None:
    found = sides_by_set(square([15.2, 16.0, 16.4, 17.1]), np.array([True, True, True, False]))
    assert found.tolist() == [16.0] * 4


def test_two_sets_have_two_sizes() -> None:
    found = sides_by_set(square([15.6, 16.0, 16.4, 11.8, 12.2]), np.ones(5, dtype=bool))
    assert found.tolist() == [16.0] * 3 + [12.0] * 2


@pytest.mark.parametrize(("wide", "side"), [(14.0, 16.0), (11.0, 11.0)])
def test_what_was_hardly_found_is_of_a_set_unless_it_is_far_off(wide: float, side: float) -> None:
    found = sides_by_set(square([16.0, 16.0, wide]), np.array([True, True, False]))
    assert found[2] == side


@given(
    wide=st.lists(st.floats(8.0, 24.0), min_size=1, max_size=36),
    faint=st.lists(st.booleans(), min_size=36, max_size=36),
)
def test_no_die_that_was_plainly_found_gets_a_size_far_from_its_own(wide: list[float], faint: list[bool]) -> None:
    plain = ~np.array(faint[: len(wide)])
    plain[0] = True
    off = np.abs(np.log(sides_by_set(square(wide), plain) / np.array(wide)))
    assert (off[plain] <= 2 * ODD + 1e-9).all()


def test_the_flank_of_a_die_seen_aslant_may_be_no_die() -> None:
    """Tops of dice of one height that touch lie a side apart, and are as wide as each other."""
    at = np.array([[0.0, 0.0], [12.5, 0.0], [40.0, 0.0], [55.0, 0.0], [70.0, 0.0]])
    wide, score = np.array([16.0, 12.8, 16.0, 15.2, 12.0]), np.array([0.9, 0.6, 0.8, 0.5, 0.4])
    near, worse = flanks(at, wide, score)
    assert near.tolist() == worse.tolist() == [False, True, False, False, False]


def test_a_flank_that_was_found_better_than_its_die_may_still_be_one() -> None:
    """A die that leans against the rim shows a flank more plainly than its top."""
    near, worse = flanks(np.array([[0.0, 0.0], [12.5, 0.0]]), np.array([16.0, 12.4]), np.array([0.5, 0.65]))
    assert (near.tolist(), worse.tolist()) == ([False, True], [False, False])


@pytest.mark.parametrize(("x", "y", "there"), [
    (11.0, 0.0, True), (11.0, 3.0, True), (11.0, 6.0, False), (-11.0, 0.0, False), (5.0, 0.0, False),
    (14.5, 0.0, False),
])  # fmt: skip
def test_a_flank_is_seen_between_the_top_and_the_foot(x: float, y: float, there: bool) -> None:
    centre, side, foot = np.array([[0.0, 0.0], [x, y]]), np.array([16.0, 14.0]), np.array([[6.0, 0.0], [x + 6.0, y]])
    assert in_a_flank(centre, side, foot, np.array([True, False])).tolist() == [False, there]
    assert not in_a_flank(centre, side, foot, np.array([False, False])).any(), "what is no die has no flank"
    straight = np.array([[1.0, 0.0], [x + 1.0, y]])
    assert not in_a_flank(centre, side, straight, np.array([True, False])).any(), "seen from above there is none"


@pytest.mark.parametrize(("x", "y", "there"), [
    (-11.0, -2.0, True), (-11.0, 0.0, True), (-11.0, -6.0, False), (11.0, 2.0, False), (-15.5, 0.0, False),
    (-2.0, -11.0, False),
])  # fmt: skip
def test_a_place_on_a_flank_is_known_by_how_its_die_lies(x: float, y: float, there: bool) -> None:
    """Few questions: seen from 30 degrees a flank in the felt's colour shows its four pips as a top does."""
    tops, side, at = 8.0 * SQUARE[None], np.array([16.0]), np.array([[x, y]])
    camera = Camera(below_mm=(-300.0, -100.0), height_mm=640.0)
    assert on_flanks(at, tops, side, camera).tolist() == [there]
    two = np.concatenate([tops, tops + 100.0])
    assert on_flanks(at, two, np.array([16.0, 11.0]), camera).tolist() == [False], "a smaller die may stand there"
    assert not on_flanks(at, tops, side, Camera(below_mm=(0.0, 0.0), height_mm=640.0)).any(), "from above none is seen"


def test_no_die_lies_within_another() -> None:
    """Found hardly, and nearer than any die can lie: the other once more, or its flank, however wide it looks."""
    at, wide = np.array([[50.0, 50.0], [50.0, 59.0]]), np.array([16.0, 16.0])
    assert seen_again(at, wide, np.array([0.9, HARDLY - 0.1])).tolist() == [False, True]
    assert seen_again(at, wide, np.array([0.9, HARDLY + 0.1])).tolist() == [False, False]
    assert seen_again(at + [[0, 0], [0, 4]], wide, np.array([0.9, HARDLY - 0.1])).tolist() == [False, False]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.booleans()), min_size=1, max_size=8))
def test_what_is_gone_as_part_of_another_has_that_other_beside_it(finds: list[tuple[int, int, bool]]) -> None:
    """Never silently wrong: who is but part of another needs one that stays."""
    at, gone = np.array([f[:2] for f in finds], float), np.array([f[2] for f in finds])
    side = np.full(len(finds), 16.0)
    still_gone = gone & ~orphaned(at, side, gone)
    for k in np.flatnonzero(still_gone):
        assert min(np.linalg.norm(at[k] - at[j]) for j in np.flatnonzero(~gone)) < 16.0
    assert not orphaned(at, side, gone)[~gone].any(), "who stays is no orphan"


def test_two_dice_that_overlap_are_doubted_both() -> None:
    """Issue 3: nothing wrong passes as sure. Two pips of a die in the felt's colour passed for two ones."""
    at = np.array([[0.0, 0.0], [12.0, 0.0], [26.5, 0.0]])
    assert overlapping(at, np.array([16.0, 16.0, 16.0])).tolist() == [True, True, False]
    assert overlapping(at, np.array([16.0, 12.0, 16.0])).tolist() == [False, False, False]
    assert overlapping(at[:1], np.array([16.0])).tolist() == [False]


def test_only_what_may_be_a_top_speaks_against_the_die_it_overlaps() -> None:
    at, side, yes = np.array([[0.0, 0.0], [10.0, 0.0]]), np.array([16.0, 16.0]), np.array([True, True])
    assert doubted_beside(at, side, ~yes).tolist() == [True, True]
    assert doubted_beside(at, side, np.array([False, True])).tolist() == [False, True]
    assert doubted_beside(at, side, yes).tolist() == [True, True]
    assert not doubted_beside(at, side, ~yes, there=np.array([True, False]))[0], "what is no piece says nothing"


@pytest.mark.parametrize(
    ("side", "near", "wanted"),
    [
        pytest.param([16.0, 12.0, 12.0], [False, True, False], [False, True, True], id="others are as small"),
        pytest.param([16.0, 12.0, 16.0], [False, True, False], [False, False, False], id="the only small one"),
        pytest.param([16.0, 12.0, 12.0], [False, True, True], [False, False, False], id="all may be flanks"),
        pytest.param([16.0, 16.0, 16.0], [False, True, False], [False, False, False], id="one set"),
    ],
)
def test_a_small_die_is_known_by_others_of_its_size(side: list[float], near: list[bool], wanted: list[bool]) -> None:
    assert of_small_set(np.array(side), np.array(near)).tolist() == wanted


def test_a_disk_of_a_size_that_no_other_has_may_be_a_button() -> None:
    assert of_no_set(square([20.0, 21.0, 19.5, 13.0])).tolist() == [False, False, False, True]


def test_queue_disks_may_be_larger_than_prediction_disks() -> None:
    assert not of_no_set(square([20.0, 20.4, 28.0, 27.5])).any()


@pytest.mark.parametrize("wide", [[], [20.0], [20.0, 28.0]])
def test_one_or_two_disks_say_nothing_of_their_size(wide: list[float]) -> None:
    assert not of_no_set(square(wide).reshape(-1, 2)).any()


@pytest.mark.parametrize(("x", "score", "faced", "halves"), [
    (8.0, 0.76, True, True), (9.0, 0.76, False, True), (12.0, 0.76, True, False),
    (8.0, 0.95, True, False), (8.0, 0.76, None, False),
])  # fmt: skip
def test_two_sixes_end_to_end_show_no_third_one_between(
    x: float, score: float, faced: bool | None, halves: bool
) -> None:
    """Dice that touch: the rows of two sixes are as far apart as those of one. faced: None for one that is none."""
    centre, side = np.array([[0.0, 0.0], [x, 0.5], [16.2, 0.0]]), np.full(3, 16.0)
    known = np.array([True, bool(faced), faced is not None])
    found = between_two(centre, side, np.array([0.91, score, 0.91]), known)
    assert found.tolist() == [False, halves, False]
