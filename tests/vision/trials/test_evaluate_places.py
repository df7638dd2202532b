"""Issue 3: never silently wrong, few questions. Where tiles of Draw Bridge lie is tried by chance, no picture drawn."""

from __future__ import annotations

import numpy as np
import pytest

from vision.trials.evaluate_places import KINDS, ROWS, WIDTH, laid, main, seen


@pytest.mark.parametrize("kind", [k for k, against in KINDS.items() if against == 0])
def test_tiles_by_the_rule_are_blocks_from_either_end(kind: str) -> None:
    """RULES 1: so a row is always a block from the left and a block from the right."""
    for seed in range(30):
        cells = laid(kind, np.random.default_rng(seed))
        for row in range(ROWS):
            places = {column for r, column in cells if r == row}
            assert all(0 < column < WIDTH - 1 or column in places for column in places)
            loose = [c for c in places if set(range(c)) - places and set(range(c, WIDTH)) - places]
            assert loose == []


def test_each_array_is_told_once_and_the_same_seed_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--arrays", "12", "--seed", "4"]) == 0
    said = capsys.readouterr().out
    rows = [line[26:].split("(")[0].split() for line in said.splitlines()[1:]]
    assert len(rows) == len(KINDS)
    assert all(sum(map(int, row)) == 12 for row in rows)
    assert int(rows[1][0]) > int(rows[1][1])  # by the rule most are sure
    assert main(["--arrays", "12", "--seed", "4"]) == 0
    assert capsys.readouterr().out == said


def test_tiles_are_seen_near_their_places() -> None:
    along, rows = seen([(0, 0), (0, 1), (2, 9)], np.random.default_rng(3))
    assert rows.tolist() == [0, 0, 2]
    assert 20.0 < along[1] - along[0] < 32.0
    assert along[2] - along[0] > 190.0


def test_no_arrays_are_one_clear_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--arrays", "0"])
    assert "'0' is no whole number of at least 1" in capsys.readouterr().err
