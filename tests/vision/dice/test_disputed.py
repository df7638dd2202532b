"""RULES 1: a set holds each number once a colour. Where two tiles of one colour seem to show the same, either the table
broke the rule, and hears so, or the eye erred: whoever looks more closely can tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.trays import ROWS, cells, drawn, knowing, shown
from vision.board.tiles import MOST_DISPUTED
from vision.crops.kin import SHIFTS
from vision.crops.print_size import Closer, as_near
from vision.eyes import Eyes, shipped_eyes
from vision.own_set import OwnSet
from vision.reader import read
from vision.reading import Problem, Status

PLAIN = drawn()
TRUTH = [symbols for _, symbols in ROWS]
TWICE = {2: {"8": 0.0}}
"""An eight where the first row's three lies; its eight is there, too."""


def counting(eyes: Eyes, look: Any, calls: list[int]) -> Eyes:
    def closely(picture: Any, quads: np.ndarray) -> Any:
        calls.append(len(quads))
        return look(picture, quads)

    return replace(eyes, closely=closely)


def looked(first: dict[int, dict[str, float]], then: dict[int, dict[str, float]]) -> tuple[Any, list[int]]:
    """Return what is read where the first look shows `first`, a close one `then`; and what was looked at closely."""
    calls: list[int] = []
    eyes = counting(knowing(PLAIN.truth, change=first), knowing(PLAIN.truth, change=then).look, calls)
    return read(PLAIN.picture_bgr, expect="rows", eyes=eyes), calls


def test_a_mistake_of_the_eye_by_which_a_number_came_twice_is_mended() -> None:
    reading, calls = looked(TWICE, {})
    assert reading.status is Status.READ
    assert shown(reading) == TRUTH
    assert calls == [2, 2 * len(SHIFTS)]


@pytest.mark.parametrize("sure", [1.0, 0.9999])
def test_a_number_that_lies_there_twice_stays_what_it_is_and_is_named(sure: float) -> None:
    reading, calls = looked(TWICE, {2: {"8": np.log(sure), "3": np.log(1 - sure + 1e-9)}})
    assert reading.status is Status.UNSURE
    assert Problem.SET in reading.problems
    assert shown(reading)[0] == "0886572914"
    assert [(t.row, t.column) for t in reading.tiles if not t.sure] == [(0, 1), (0, 2)]
    assert sum(calls) == 2 * (1 + len(SHIFTS))


@pytest.mark.parametrize("left", [0.01, 0.5, 0.9])
def test_what_the_rule_alone_tells_is_shown_and_asked_about(left: float) -> None:
    """A close look that leaves something for the missing number makes it likelier than a number that lies twice; but
    whoever was surely wrong at first is not made sure by the rule."""
    reading, _ = looked(TWICE, {2: {"8": np.log(1 - left), "3": np.log(left)}})
    assert reading.status is Status.UNSURE
    assert shown(reading) == TRUTH
    assert (0, 2) in {(t.row, t.column) for t in reading.tiles if not t.sure}


def test_nobody_looks_closely_at_a_lawful_board() -> None:
    reading, calls = looked({}, TWICE)
    assert reading.status is Status.READ
    assert calls == []


def test_a_row_of_two_sets_is_no_mistake_of_the_eye() -> None:
    symbols = [t["label"] for t in PLAIN.truth["tiles"]]
    doubled = {k: {symbols[k - k % 2]: 0.0} for k in range(MOST_DISPUTED + 2)}
    reading, calls = looked(doubled, {})
    assert reading.status is Status.UNSURE
    assert Problem.SET in reading.problems
    assert calls == []


@pytest.mark.parametrize("seed", range(4))
def test_the_shipped_nets_never_make_a_board_lawful_on_which_a_number_lies_twice(seed: int) -> None:
    rng, rows = np.random.default_rng(seed), cells()
    row, (one, other) = int(rng.integers(4)), rng.choice(10, 2, replace=False).tolist()
    rows[row][one] = rows[row][other]
    reading = read(drawn(rows, seed=seed).picture_bgr, expect="rows")
    assert reading.status is Status.UNSURE
    assert Problem.SET in reading.problems
    assert {(row, one), (row, other)} <= {(t.row, t.column) for t in reading.tiles if not t.sure}


def test_a_set_that_was_taught_is_seen_as_it_was_taught() -> None:
    assert shipped_eyes(OwnSet("today")).closely is None


def test_small_digits_are_looked_at_closely_from_as_near_as_before() -> None:
    eyes = shipped_eyes()
    assert eyes.closely is not None
    near = as_near(eyes.closely, Closer(eyes.look, nearer=1.4, low=0.1))
    assert near == Closer(eyes.closely, nearer=1.4, low=0.1)
    assert as_near(eyes.closely, eyes.look) is eyes.closely


def test_where_places_are_in_doubt_it_is_not_the_symbols_that_dispute() -> None:
    calls: list[int] = []
    eyes = counting(knowing(PLAIN.truth, change=TWICE), knowing(PLAIN.truth).look, calls)
    problems = read(PLAIN.picture_bgr, expect="diamond", eyes=eyes).problems
    assert (Problem.LAYOUT | Problem.SET) in problems
    assert calls == []
