"""What looks like a tile beside a full board, and like felt: a fibre. Never a question about nothing."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from tests.vision.trays import BRIDGE, cells, drawn, knowing, tray_of
from vision.drawing import Drawn
from vision.eyes import Eyes
from vision.finding.scene import in_flat
from vision.geometry import Floats
from vision.reader import read
from vision.reading import SYMBOLS, Problem, Reading, Status

BESIDE_MM = (60.0, 240.0)


def seeing_one_more(board: Drawn, *, score: float, odds: float = 0.3) -> Eyes:
    """Return eyes that find a tile at BESIDE_MM, too, and see an 8 there with a probability of `odds`."""
    known, at_px = knowing(board.truth), tray_of(board).to_px(np.array([BESIDE_MM]))[0]

    def find(flat: Any) -> Any:
        found = known.find(flat)
        more = {f.name: getattr(found, f.name) for f in fields(found)}
        for name in ("kind", "size_px", "angle_deg"):
            more[name] = np.concatenate([more[name], more[name][:1]])
        more["centre_px"] = np.concatenate([found.centre_px, in_flat(np.array([BESIDE_MM]))])
        more["score"] = np.append(found.score, score)
        return type(found)(**more)

    def look(picture: Any, quads: Floats) -> Any:
        shown = known.look(picture, quads)
        there = np.linalg.norm(np.mean(quads, axis=1) - at_px, axis=1) < 10.0
        symbols, unreadable = shown.log_probs.copy(), shown.p_unreadable.copy()
        symbols[there] = np.log((1 - odds) / (len(SYMBOLS) - 1))
        symbols[there, SYMBOLS.index("8")], unreadable[there] = np.log(odds), 0.02
        return replace(shown, log_probs=symbols, p_unreadable=unreadable)

    return replace(known, find=find, look=look)


def seen(rows: Any = None, *, layout: str = "rows", **how: float) -> Reading:
    board = drawn(rows, layout=layout)
    return read(board.picture_bgr, expect=layout, eyes=seeing_one_more(board, **how))


@pytest.mark.parametrize("score", [0.3, 0.4, 0.5])
def test_a_fibre_beside_a_full_board_is_no_tile_and_no_question(score: float) -> None:
    reading = seen(score=score)
    assert reading.status is Status.READ
    assert len(reading.tiles) == 40
    assert reading.unread == ()


@pytest.mark.parametrize("how", [{"score": 0.6}, {"score": 0.4, "odds": 0.9999}])
def test_what_was_found_as_well_as_a_tile_or_shows_a_symbol_is_one_too_many(how: dict[str, float]) -> None:
    reading = seen(**how)
    assert reading.status is Status.UNSURE
    assert Problem.COUNT in reading.problems
    assert len(reading.unread) == 1


def test_where_a_tile_is_missing_what_lies_beside_may_be_it() -> None:
    """A full board has a tile in each place (RULES 1): what lies elsewhere may be the one that is missing."""
    rows = cells()
    rows[1][4] = None
    assert seen(rows, score=0.4).status is Status.UNSURE


def test_among_gaps_a_symbol_that_is_read_is_a_tile() -> None:
    assert seen(cells(BRIDGE), layout="drawbridge", score=0.4, odds=0.9999).status is Status.UNSURE
