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


def test_a_shadow_of_a_dark_die_is_told_by_those_of_two_bright_ones() -> None:
    """A low lamp lays one beside each die, and black dice are as dark as they."""
    assert AGREEING == 2
    assert told([LAMP, LAMP], [LAMP]) == [True, True, True]
    assert told([LAMP, LAMP], [beside(LAMP, 0.9)]) == [True, True, True]
    assert told([LAMP, LAMP], [beside(LAMP, 1.1)]) == [True, True, False]


@pytest.mark.parametrize("pairs", [1, 2, 3, 4])
@pytest.mark.parametrize("row", [(1.0, 0.0), LAMP])
def test_what_lies_beside_dark_dice_says_nothing_of_each_other(pairs: int, row: Step) -> None:
    """Never silently wrong: of two dice of black glass that touch one was taken for the other's shadow, and dice that
    touch lie the same way from each other, too, in a line with the lamp at times."""
    assert told([], [row] * pairs) == [False] * pairs
    assert told([LAMP], [row] * pairs) == [True] + [False] * pairs


def test_two_shadows_that_lie_as_it_does_from_different_dice_say_nothing() -> None:
    """Never silently wrong: in a heap each square lies somehow from some die; one lamp must explain all."""
    bright, dark = [(0.0, 0.0), (20.0, 0.0)], [(40.0, 0.0), (41.0, -1.0)]
    squares = [(1.0, 0.0), (20.0, 1.0), (41.0, 0.0)]
    quads = np.array([SQUARE + SIDE * np.array(place) for place in [*bright, *dark, *squares]])
    kind = np.array(["bright"] * 2 + ["dark"] * 2 + ["square"] * 3)
    likeliest, score = np.where(kind == "square", 0.3, 1.0), np.where(kind == "square", 0.4, 0.95)
    found = shadows(quads, kind != "bright", kind == "bright", likeliest, score, dark_dice=kind == "dark")
    assert found.tolist() == [False] * 4 + [True, True, False]


@pytest.mark.parametrize(("face", "is_told"), [(0.96, True), (0.98, False)])
def test_beside_a_dark_die_nothing_that_may_show_a_face_is_a_shadow(face: float, is_told: bool) -> None:
    assert told([LAMP] * 3, [LAMP], faces=[0.3, 0.3, 0.3, face]) == [True, True, True, is_told]


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
    assert as_told(ground, there[1:2], there[:2], dice).tolist() == [True], "once more"
    assert as_told(ground, there[:1], there[:1], dice).tolist() == [False], "two must say so"
    assert as_told(ground, there[2:], there[:1], dice).tolist() == [False], "two must say so"
    assert as_told(ground, there[2:] + (0.0, 9.0), there[:2], dice).tolist() == [False], "it lies otherwise"
    assert as_told(felt_with(*there[:2]), there[2:], there[:2], dice).tolist() == [False], "it is in the light"
    assert as_told(ground, there[:0], there[:2], dice).tolist() == []
    assert as_told(ground, there[2:], there[:0], dice).tolist() == [False]
    assert as_told(ground, there[2:], there[:2], dice[:0]).tolist() == [False]
