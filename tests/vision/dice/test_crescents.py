"""A referee who sees everything: of a disk below another a crescent is to be seen, linked to the upper one or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice.crescents import DIRECTIONS, RAYS, REACH, crescent
from vision.dice.piled import CRESCENT

CELLS = DIRECTIONS[:, None] * REACH[None, :, None]
FREE = np.ones((RAYS, len(REACH)), dtype=bool)


def lower_disk(off: float, turn: float, *, gap: float = 1.0) -> np.ndarray:
    """Return where a disk is seen whose middle lies `off` radii away: further out than `gap` alone."""
    middle = off * np.array([np.cos(turn), np.sin(turn)])
    return np.asarray((np.linalg.norm(CELLS - middle, axis=2) < 1.0) & (np.linalg.norm(CELLS, axis=2) > gap))


@given(off=st.floats(0.75, 1.5), turn=st.floats(0.0, 6.28), gap=st.floats(1.0, 1.25))
def test_a_lower_disk_is_seen_where_it_lies_behind_a_shadow_too(off: float, turn: float, gap: float) -> None:
    sure, way = crescent(lower_disk(off, turn, gap=gap), FREE)
    assert sure > CRESCENT
    assert np.linalg.norm(way - off * np.array([np.cos(turn), np.sin(turn)])) < 0.3


def test_bare_felt_and_the_disks_own_edge_are_no_crescent() -> None:
    assert crescent(np.zeros_like(FREE), FREE)[0] <= 0.0
    edge = np.linalg.norm(CELLS - (0.15, 0.0), axis=2) < 1.0
    assert crescent(edge, FREE)[0] < CRESCENT


@pytest.mark.parametrize("wide", [0.2, 0.4])
def test_a_pencil_beside_a_disk_is_no_crescent(wide: float) -> None:
    pencil = np.abs(CELLS[..., 0] - 1.5) < wide / 2
    assert crescent(pencil, FREE)[0] < CRESCENT


def test_what_is_all_over_the_place_is_no_crescent() -> None:
    """Felt that is taken for something else everywhere says nothing of one place beside a disk."""
    assert crescent(np.ones_like(FREE), FREE)[0] < CRESCENT


def test_another_piece_that_was_found_is_none() -> None:
    other = lower_disk(1.5, 0.0)
    assert crescent(other, FREE & ~other)[0] <= 0.0
