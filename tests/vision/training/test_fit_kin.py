"""How the weights are found by which the tiles of one tray are compared."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL")
pytest.importorskip("tqdm")

from vision.crops import kin  # noqa: E402
from vision.drawing import DrawnTile, Look, TrayScene, draw  # noqa: E402
from vision.reading import SYMBOLS  # noqa: E402
from vision.training import fit_kin  # noqa: E402


def _seen(weights: np.ndarray, *, n: int = 4000) -> fit_kin.Seen:
    """Return tiles whose truth was drawn by the weights themselves."""
    rng = np.random.default_rng(1)
    log_p = np.log(rng.dirichlet(np.full(len(SYMBOLS), 0.3), n) + 1e-9)
    known, like = rng.random(log_p.shape) < 0.8, rng.uniform(kin.LEAST_LIKE, 1, log_p.shape)
    terms = np.stack([log_p, known, known * like, known * np.exp(3 * like)], axis=2)
    logits = terms @ weights
    p = np.exp(logits - logits.max(1, keepdims=True))
    truth = [rng.choice(len(SYMBOLS), p=row / row.sum()) for row in p]
    return fit_kin.Seen(terms, np.array(truth), np.zeros(n))


def test_the_fit_finds_the_weights_that_made_the_tiles() -> None:
    made = np.array([1.0, -1.8, -3.9, 0.8])
    seen = _seen(made)
    found = fit_kin.fit(seen)
    # The terms look alike over short stretches: what counts is what they say together of each likeness.
    like = np.linspace(kin.LEAST_LIKE, 1, 20)
    curve = np.stack([np.ones(20), like, np.exp(3 * like)], axis=1)
    assert np.abs(curve @ (found - made)[1:]).max() < 0.5
    assert abs(found[0] - made[0]) < 0.05
    assert fit_kin.log_loss(found, seen) <= fit_kin.log_loss(made, seen)
    assert fit_kin.log_loss(found, seen) < 0.8 * fit_kin.log_loss(fit_kin.ALONE, seen)


def test_the_terms_with_the_shipped_weights_are_what_the_reader_says() -> None:
    rng = np.random.default_rng(2)
    log_p = np.log(rng.dirichlet(np.full(len(SYMBOLS), 0.05), 20) + 1e-9)
    features = rng.normal(size=(20, 8)).astype(np.float32)
    logits = kin.terms(log_p, features) @ (kin.NET, kin.OFFSET, kin.LIKE, kin.STEEP)
    p = np.exp(logits - logits.max(1, keepdims=True))
    assert np.allclose(p / p.sum(1, keepdims=True), np.exp(kin.compare(log_p, features)))


def test_tiles_that_nobody_can_read_teach_nothing() -> None:
    row = [DrawnTile(26.0 * k - 52, 0, 0, "1470#"[k], "red", face_up=k != 2) for k in range(5)]
    drawn = draw(TrayScene(tuple(row), seed=3), Look.plain(), rng=np.random.default_rng(3))
    tiles = drawn.truth["tiles"]
    whole = fit_kin.seen_on(drawn.picture_bgr, tiles)
    assert whole is not None
    assert sorted(SYMBOLS[k] for k in whole.truth) == sorted(["1", "4", "down", "0", "#"])
    tiles[0]["legibility"], tiles[1]["visible"] = "blank", 0.5
    fewer = fit_kin.seen_on(drawn.picture_bgr, tiles)
    assert fewer is not None
    assert sorted(SYMBOLS[k] for k in fewer.truth) == sorted(["down", "0", "#"])
