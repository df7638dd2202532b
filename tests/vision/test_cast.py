"""Few questions, never silently wrong: which dark squares of felt are shadows, where dice are as dark as they."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.cast import AGREEING, SAME_WAY, as_told, shadows
from vision.felt import RESIDUE_PX_PER_MM, Felt
from vision.felt_light import LIFT

SIDE, APART = 16.0, 100.0
SQUARE = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])
Step = tuple[float, float]


def told(bright: Sequence[Step], dark: Sequence[Step], *, faces: Sequence[float] | None = None) -> list[bool]:
    """Return which dark squares are shadows: one beside each of some bright dice, and of some as dark as shadows.

    bright, dark: how far each square lies from its die, over their side; faces: how likely the likeliest face of each
    square is (none: no face at all).
    """
    steps = [*bright, *dark]
    dice = [SQUARE + (APART * k, 0.0) for k in range(len(steps))]
    squares = [die + SIDE * np.array(step) for die, step in zip(dice, steps, strict=True)]
    n, m = len(steps), len(bright)
    kind = np.array(["bright"] * m + ["dark"] * (n - m) + ["square"] * n)
    likeliest = np.concatenate([np.ones(n), [0.3] * n if faces is None else faces])
    score = np.concatenate([np.full(n, 0.95), np.full(n, 0.4)])
    found = shadows(
        np.array([*dice, *squares]), kind != "bright", kind == "bright", likeliest, score, dark_dice=kind == "dark"
    )
    assert not found[:n].any(), "no die is a shadow"
    return found[n:].tolist()


LAMP = (1.1, 0.4)


def beside(step: Step, off: float) -> Step:
    return step[0], step[1] + off * SAME_WAY


def test_a_shadow_of_a_dark_die_is_told_by_those_of_other_dice() -> None:
    """A low lamp lays one beside each die, and black dice are as dark as they."""
    assert told([LAMP, LAMP], [LAMP]) == [True, True, True]
    assert told([LAMP], [LAMP, LAMP]) == [True, True, True]


def test_a_second_dark_die_beside_another_is_asked_about() -> None:
    """Of two dice of black glass that touch one was taken for the other's shadow: it must lie where shadows lie, and
    more than one other must say so."""
    assert AGREEING == 2
    assert told([LAMP], [LAMP]) == [True, False]
    assert told([LAMP, LAMP], [(1.0, 0.0)]) == [True, True, False]


@pytest.mark.parametrize("pairs", [2, 3, 4])
def test_dark_dice_that_lie_in_a_row_are_not_each_others_shadows(pairs: int) -> None:
    """Never silently wrong: dice that touch lie the same way from each other, too. A bright one must say how."""
    row = (1.0, 0.0)
    assert told([], [row] * pairs) == [False] * pairs
    assert told([LAMP], [row] * pairs) == [True] + [False] * pairs


def test_the_shadows_of_a_near_lamp_turn_from_die_to_die() -> None:
    turning = [beside(LAMP, 0.45 * k) for k in range(5)]
    assert told(turning[:1], turning[1:]) == [True] * 5
    away = [beside(LAMP, 0.0), beside(LAMP, 2.5), beside(LAMP, 3.4), beside(LAMP, 4.3)]
    assert told(away[:1], away[1:]) == [True, False, False, False]


@pytest.mark.parametrize(
    ("face", "others", "is_told"), [(0.96, 1, True), (0.98, 3, True), (0.98, 2, False), (0.995, 5, False)]
)
def test_the_more_lie_the_same_way_the_less_a_pattern_of_the_felt_counts(
    face: float, others: int, is_told: bool
) -> None:
    """A coarse felt in a shadow looked like a six to 0.97, and five others lay so; what plainly shows one never is."""
    faces = [0.3] * others + [face]
    assert told([LAMP] * (others + 1), [], faces=faces) == [True] * others + [is_told]


def test_beside_a_dark_die_nothing_that_may_show_a_face_is_a_shadow() -> None:
    assert told([LAMP] * 3, [LAMP], faces=[0.3, 0.3, 0.3, 0.98]) == [True, True, True, False]


def felt_with(*shadows_mm: np.ndarray) -> Felt:
    """Return even felt with shadows on it that leave half of its light."""
    lit = np.array([60.0, 120.0, 70.0])
    seen = np.full((100, 200, 3), lit, np.uint8)
    for square in shadows_mm:
        cv2.fillConvexPoly(seen, np.round(square * RESIDUE_PX_PER_MM - 0.5).astype(np.int32), (lit / 2).tolist())
    shade = np.zeros((3, 6), np.float32)
    shade[:, 0] = np.log(lit + LIFT)
    return Felt(np.zeros(seen.shape[:2], dtype=bool), seen, shade)


def test_a_shadow_that_is_hardly_found_is_told_by_where_the_others_lie() -> None:
    """Few questions: the soft middle of a shadow passed for a single pip, right beside its die."""
    dice = np.array([SQUARE + (30.0 + APART * k, 40.0) for k in range(3)])
    there = dice + SIDE * np.array(LAMP)
    ground = felt_with(*there)
    assert as_told(ground, there[2:], there[:2], dice).tolist() == [True]
    assert as_told(ground, there[1:2] + 3.0, there[:2], dice).tolist() == [True], "told already"
    assert as_told(ground, there[2:], there[:1], dice).tolist() == [False], "two must say so"
    assert as_told(ground, there[2:] + (0.0, 9.0), there[:2], dice).tolist() == [False], "it lies otherwise"
    assert as_told(felt_with(*there[:2]), there[2:], there[:2], dice).tolist() == [False], "it is in the light"
    assert as_told(ground, there[:0], there[:2], dice).tolist() == []
    assert as_told(ground, there[2:], there[:0], dice).tolist() == [False]
