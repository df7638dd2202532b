"""Issue 'The eye': fonts it has never seen. A tray's tiles are printed in one hand, and a doubtful one is cut again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.crops.kin import DOUBTFUL, FURTHER, MOST_AGAIN, SHAKY, SHIFTS, compare, look_again, unreadable
from vision.crops.symbols import Symbols
from vision.reading import SYMBOLS

FOUR, FIVE, DOWN = SYMBOLS.index("4"), SYMBOLS.index("5"), SYMBOLS.index("down")


def said(*tiles: dict[int, float]) -> np.ndarray:
    p = np.full((len(tiles), len(SYMBOLS)), 1e-6)
    for k, tile in enumerate(tiles):
        for symbol, value in tile.items():
            p[k, symbol] = value
    return np.log(p / p.sum(axis=1, keepdims=True))


def test_a_doubtful_sign_that_looks_like_the_plain_fives_is_a_five() -> None:
    log_probs = said({FIVE: 0.99}, {FIVE: 0.99}, {FOUR: 0.99}, {FIVE: 0.55, FOUR: 0.45})
    signs = np.array([[1, 0, 0], [0.9, 0.1, 0], [0, 0, 1], [1, 0.1, 0]], np.float32)
    after = np.exp(compare(log_probs, signs))
    assert after[3, FIVE] > 0.9 > 0.55 > after[3, FOUR]
    assert np.allclose(after.sum(axis=1), 1.0)


def test_a_sign_of_its_own_is_not_one_of_the_plain_fours() -> None:
    log_probs = said({FOUR: 0.99}, {FOUR: 0.99}, {FIVE: 0.6, FOUR: 0.4}, {SYMBOLS.index("1"): 0.99})
    signs = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    assert np.exp(compare(log_probs, signs))[2, FIVE] > 0.75


def test_face_down_tiles_are_no_examples() -> None:
    """An open tile whose ink has the colour of its body looks like a face-down one."""
    log_probs = said({DOWN: 0.999}, {DOWN: 0.999}, {DOWN: 0.7, FOUR: 0.3})
    after = np.exp(compare(log_probs, np.ones((3, 4), np.float32) + np.eye(3, 4, dtype=np.float32) * 1e-3))
    assert after[2, DOWN] < 0.72


def test_one_tile_has_nobody_to_compare_with() -> None:
    alone = said({FIVE: 0.7, FOUR: 0.3})
    assert (compare(alone, np.ones((1, 4), np.float32)) == alone).all()


SHARP = SYMBOLS.index("#")
ALL_ALIKE = [[1, 0, 0], [1, 0.1, 0], [1, 0, 0.1], [0, 1, 0], [0, 0.9, 0.1], [0, 0, 1]]


def sharps(features: list[list[float]], *, seen: float = 0.2, share: float = 0.99) -> Symbols:
    """Return three sharps, two fours and a five; of the first the net says `seen` that nobody can read it."""
    shown = said(
        {SHARP: share, FOUR: 1.0 - share}, {SHARP: 0.99}, {SHARP: 0.99}, {FOUR: 0.99}, {FOUR: 0.99}, {FIVE: 0.99}
    )
    p = np.array([seen, 0.001, 0.001, 0.2, 0.001, 0.001], np.float32)
    return Symbols(shown.astype(np.float32), np.zeros(6, np.float32), p, features=np.array(features, np.float32))


def test_a_small_sharp_that_looks_like_the_others_can_be_read() -> None:
    after = unreadable(sharps(ALL_ALIKE))
    assert after[0] < 0.03
    assert np.allclose(after[1:], [0.001, 0.001, 0.2, 0.001, 0.001]), "and of nothing else anything is said"


def test_what_is_plainly_covered_stays_so() -> None:
    assert unreadable(sharps(ALL_ALIKE, seen=0.9))[0] > 0.3
    assert unreadable(sharps(ALL_ALIKE, seen=0.99))[0] > 0.8


def test_a_number_of_two_digits_is_unlike_the_sharps() -> None:
    """Never silently wrong: the net may take it for a sharp, but no sharp of the tray looks so."""
    for strange in ([0.3, -0.9, 0.2], [0.4, 0.3, -0.9], [0, 1, 0]):
        assert unreadable(sharps([strange, *ALL_ALIKE[1:]]))[0] == np.float32(0.2)


def test_what_may_be_something_else_or_has_too_few_beside_it_is_left() -> None:
    assert unreadable(sharps(ALL_ALIKE, share=0.9))[0] == np.float32(0.2)
    few = sharps(ALL_ALIKE)
    few.log_probs[2] = few.log_probs[5]
    assert unreadable(few)[0] == np.float32(0.2)


def test_an_owners_own_set_is_left_to_what_was_taught() -> None:
    taught = sharps(ALL_ALIKE)
    alone = Symbols(taught.log_probs, taught.p_upside_down, taught.p_unreadable)
    assert (unreadable(alone) == taught.p_unreadable).all()


def look_that_counts(answer: np.ndarray, calls: list[int]) -> Any:
    def look(picture: Any, quads: np.ndarray) -> Symbols:
        calls.append(len(quads))
        none = np.zeros(len(quads), np.float32)
        return Symbols(np.tile(answer, (len(quads), 1)), none, none)

    return look


QUADS = np.tile(np.array([[0.0, 0], [40, 0], [40, 48], [0, 48]]), (20, 1, 1))


def test_only_doubtful_tiles_are_looked_at_again_and_one_cut_that_says_no_is_heard() -> None:
    first = said(*[{FIVE: 1.0}] * 19, {FIVE: 0.99, FOUR: 0.01})
    calls: list[int] = []
    shown = Symbols(first, np.zeros(20), np.zeros(20))
    after = look_again(np.zeros((9, 9, 3), np.uint8), QUADS, shown, look_that_counts(said({FOUR: 1.0})[0], calls))
    assert calls == [len(SHIFTS)]
    assert (after[:19] == first[:19]).all()
    assert np.exp(after[19, FIVE]) < 0.01


@pytest.mark.parametrize(
    ("there", "heard"), [({FOUR: 1.0}, True), ({FIVE: 0.7, FOUR: 0.3}, True), ({FIVE: 1.0}, False)]
)
def test_a_nearly_sure_tile_is_heard_again_if_it_is_something_else_a_little_aside(
    there: dict[int, float], heard: bool
) -> None:
    """Never silently wrong: a plain six in worn ink was a five by 0.995, and by a half a tenth of a tile further."""
    first = said(*[{FIVE: 1.0}] * 18, {FIVE: 0.995, FOUR: 0.005}, {FIVE: 0.9985, FOUR: 0.0015})
    calls: list[int] = []
    shown = Symbols(first, np.zeros(20), np.zeros(20))
    after = look_again(np.zeros((9, 9, 3), np.uint8), QUADS, shown, look_that_counts(said(there)[0], calls))
    assert calls == [len(FURTHER)]
    assert (np.delete(after, 18, axis=0) == np.delete(first, 18, axis=0)).all()
    assert (np.exp(after[18, FIVE]) < SHAKY) == heard
    assert heard or (after[18] == first[18]).all()


def test_sure_tiles_cost_no_second_look_and_a_blurred_tray_a_bounded_one() -> None:
    calls: list[int] = []
    look = look_that_counts(said({FIVE: 1.0})[0], calls)
    sure = said(*[{FIVE: 1.0}] * 20)
    assert np.exp(sure.max()) > DOUBTFUL
    look_again(np.zeros((9, 9, 3), np.uint8), QUADS, Symbols(sure, np.zeros(20), np.zeros(20)), look)
    assert calls == []
    doubtful = said(*[{FIVE: 0.6, FOUR: 0.4}] * 20)
    look_again(np.zeros((9, 9, 3), np.uint8), QUADS, Symbols(doubtful, np.zeros(20), np.zeros(20)), look)
    assert calls == [MOST_AGAIN * len(SHIFTS)]
