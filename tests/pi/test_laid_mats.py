"""Mats laid by chance: what is drawn on them is true, and a laminated one mirrors a lamp and is else the same."""

from __future__ import annotations

import numpy as np

from pi.sheets.eyes import eyes_mat
from pi.stand_ins.laid_mats import laminated, lay_at_random
from vision.mats.read import read_mat
from vision.reading import Status


def test_a_laminated_mat_holds_what_it_held_and_is_as_light_or_lighter_everywhere() -> None:
    laid = lay_at_random("palindromes:8", np.random.default_rng(5))
    lit = laminated(laid, np.random.default_rng(1))
    assert (lit.holds, lit.doubtful, lit.strays, lit.busy) == (laid.holds, laid.doubtful, laid.strays, laid.busy)
    assert (lit.picture_bgr.astype(int) >= laid.picture_bgr.astype(int) - 1).all()
    brighter = (lit.picture_bgr.min(axis=2) >= 250) & (laid.picture_bgr.max(axis=2) < 230)
    assert brighter.sum() > 100, "a lamp is in it"


def test_law_nothing_is_surely_read_otherwise_for_a_lamp() -> None:
    """Never silently wrong: forty mats that mirror one; of some a place was a light counter for sure."""
    mat = eyes_mat("palindromes:8")
    assert mat is not None
    for seed in range(40):
        rng = np.random.default_rng([17, seed])
        laid = laminated(lay_at_random("palindromes:8", rng), rng)
        reading = read_mat(laid.picture_bgr, mat)
        if laid.busy or reading.status is Status.NO_TRAY:
            continue
        for place in reading.places:
            held = laid.holds[place.place]
            assert place.holds == held or not place.sure or place.place in laid.doubtful, (seed, place)
