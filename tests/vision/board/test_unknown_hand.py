"""A board in a hand that the net hardly knows: what it is sure of there may not be so either."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import infer
from vision.board.certainty import unknown_hand
from vision.layout import Expectation
from vision.reader import read
from vision.reading import SYMBOLS, Status
from vision.teach_bench import trays_of
from vision.teaching.teach_sets import odd_set
from vision.trials.scoring import score

THREE, SEVEN = SYMBOLS.index("3"), SYMBOLS.index("7")


def _log_probs(chances: list[dict[str, float]]) -> np.ndarray:
    p = np.full((len(chances), len(SYMBOLS)), 1e-6)
    for row, said in zip(p, chances, strict=True):
        for symbol, chance in said.items():
            row[SYMBOLS.index(symbol)] = chance
    return np.asarray(np.log(p / p.sum(axis=1, keepdims=True)))


def test_a_shaky_three_and_a_seven_that_looks_like_it_are_not_taken_for_each_other_silently():
    """This owner's sevens look like threes (0.996), and a three of theirs like no seven; only the set's rule chose."""
    drawn, what = next(iter(trays_of(odd_set(888005, kind=None), seed=888005, count=1)))
    reading = read(drawn.picture_bgr, expect=what)
    scored = score(reading, drawn.truth, expect=what)
    assert what is Expectation.ROWS
    assert reading.status is Status.UNSURE
    assert not scored.silently_wrong
    asked = {(t.row, t.column) for t in reading.tiles if not t.sure}
    assert {(1, 4), (1, 5)} <= asked


def test_of_a_board_that_is_plain_everything_stays_as_sure_as_it_was():
    plain = _log_probs([{s: 0.9999} for s in SYMBOLS[:10]])
    assert unknown_hand(plain, plain.argmax(axis=1), np.zeros(10)) < infer.FLOOR


def test_what_the_rule_had_to_bend_counts_as_in_doubt():
    """A tile that shows a three by itself, and a seven by the set's rule, is one the net was wrong of."""
    heard = _log_probs([{"3": 0.97, "7": 0.02}] * 4)
    as_shown = unknown_hand(heard, np.full(4, THREE), np.zeros(4))
    bent = unknown_hand(heard, np.full(4, SEVEN), np.zeros(4))
    assert bent > 10 * as_shown


@given(st.lists(st.floats(0.2, 0.999), min_size=1, max_size=40), st.integers(0, 39), st.floats(0.01, 0.99))
@settings(deadline=None)
def test_the_more_is_in_doubt_the_less_the_rest_is_believed(chances: list[float], which: int, share: float):
    k = which % len(chances)
    less = [*chances[:k], chances[k] * share, *chances[k + 1 :]]
    before, after = (_log_probs([{"3": p, "8": 1.001 - p} for p in some]) for some in (chances, less))
    best, clear = np.full(len(chances), THREE), np.zeros(len(chances))
    assert -1e-12 <= unknown_hand(before, best, clear) <= unknown_hand(after, best, clear) + 1e-12 <= 0.1 + 1e-11


def test_nothing_is_no_unknown_hand():
    assert unknown_hand(np.zeros((0, len(SYMBOLS))), np.zeros(0, dtype=np.int64), np.zeros(0)) == 0.0


def test_a_worn_tile_or_two_and_what_lies_on_tiles_are_no_matter_of_the_hand():
    """Few questions: on a tray of plain tiles with one in glare all others of its row were asked about."""
    plain = [{s: 0.9999} for s in SYMBOLS[:10]]
    worn = _log_probs([*plain, {"3": 0.5, "8": 0.5}, {"1": 0.4, "7": 0.6}])
    covered = _log_probs([*plain, *[{"3": 0.5, "8": 0.5}] * 8])
    assert unknown_hand(worn, worn.argmax(axis=1), np.zeros(12)) < infer.FLOOR
    assert unknown_hand(covered, covered.argmax(axis=1), np.repeat([0.0, 0.3], [10, 8])) < infer.FLOOR
    assert unknown_hand(covered, covered.argmax(axis=1), np.zeros(18)) > 100 * infer.FLOOR


def test_backs_are_no_matter_of_the_hand():
    """What few see as ink, or none, on a tile's back tells of the lamp and not of how digits are written."""
    backs = _log_probs([{"down": 0.55, "1": 0.45}] * 20)
    assert unknown_hand(backs, np.full(20, infer.DOWN), np.zeros(20)) == 0.0
