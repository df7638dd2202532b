"""Mats laid by chance: what is drawn on them is true, and a laminated one mirrors a lamp and is else the same."""

from __future__ import annotations

import numpy as np

from pi.sheets.eyes import eyes_mat
from pi.stand_ins.laid_mats import UNCLIPPED, laminated, lay_at_random
from vision.frames.short import SHARES
from vision.mats.read import read_mat
from vision.reading import EMPTY
from vision.trials.evaluate_frames import by_exposures


def test_a_laminated_mat_holds_what_it_held_and_is_as_light_or_lighter_everywhere() -> None:
    laid = lay_at_random("palindromes:8", np.random.default_rng(5))
    lit = laminated(laid, np.random.default_rng(1))
    assert (lit.holds, lit.doubtful, lit.strays, lit.busy) == (laid.holds, laid.doubtful, laid.strays, laid.busy)
    assert (lit.picture_bgr.astype(int) >= laid.picture_bgr.astype(int) - 1).all()
    brighter = (lit.picture_bgr.min(axis=2) >= 250) & (laid.picture_bgr.max(axis=2) < 230)
    assert brighter.sum() > 100, "a lamp is in it"


def test_a_lamps_image_is_less_blown_out_in_shorter_exposures() -> None:
    rng = np.random.default_rng([17, 3])
    lit = laminated(lay_at_random("palindromes:8", rng, share=UNCLIPPED), rng)
    assert len(lit.shorter_bgr) == len(SHARES)
    blown = [int((p.min(axis=2) >= 250).sum()) for p in (lit.picture_bgr, *lit.shorter_bgr)]
    assert blown[0] > 500
    assert blown[0] > blown[1] >= blown[2]
    means = [float(p.mean()) for p in (lit.picture_bgr, *lit.shorter_bgr)]
    assert means == sorted(means, reverse=True)


def test_law_nothing_is_surely_read_otherwise_for_a_lamp_and_less_light_shows_what_is_bare() -> None:
    """Never silently wrong; and what a lamp adds to paper and print alike makes print so faint, not unseen."""
    mat = eyes_mat("palindromes:8")
    assert mat is not None
    asked = [0, 0]
    for seed in range(24):
        rng = np.random.default_rng([19, seed])
        laid = lay_at_random("palindromes:8", rng, share=UNCLIPPED)
        if laid.busy:
            continue
        laid = laminated(laid, rng)
        usual = read_mat(laid.picture_bgr, mat)
        if not usual.places:
            continue
        pictures, known = [laid.picture_bgr, *laid.shorter_bgr], {id(laid.picture_bgr): usual}
        reading = by_exposures(pictures, lambda seen, known=known: known.get(id(seen)) or read_mat(seen, mat))
        for k, places in enumerate((usual.places, reading.places)):
            for place in places:
                held = laid.holds[place.place]
                assert place.holds == held or not place.sure or place.place in laid.doubtful, (seed, place)
                asked[k] += held == EMPTY and not place.sure and place.place not in laid.doubtful
    assert asked[0] >= 8
    assert asked[1] < asked[0] / 2, asked
