"""What the net that looks for tiles on others learns from: boards on which somebody dropped some."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs PyTorch")

import torch  # noqa: E402

from vision.board import on_others  # noqa: E402
from vision.drawing.glyphs import built_in  # noqa: E402
from vision.training import generate, stacks, store, train_stacked  # noqa: E402
from vision.training.fonts import Face  # noqa: E402

FACES = [Face("built-in", "a", built_in())]


@cache
def tray(k: int):
    """Drawn where it is looked at: who only collects the tests draws none."""
    return stacks.draw_stacked(FACES, np.random.default_rng(k), k)


@pytest.mark.parametrize("k", range(8))
def test_tiles_on_others_hide_part_of_these_and_lie_far_from_each_other(k):
    drawn, under = tray(k)
    tiles = drawn.truth["tiles"]
    lower, upper = tiles[: len(tiles) - len(under)], tiles[len(tiles) - len(under) :]
    assert bool(under) == (k % stacks.BARE != stacks.BARE - 1)
    assert len(upper) <= stacks.MOST
    assert all(t["row"] is None for t in upper)
    quads = [np.array(t["quad"]) for t in tiles]
    for above, below in zip(quads[len(lower) :], under, strict=True):
        assert 0.05 < stacks._shared(quads[below], above) < 0.999
    at = np.array([t["world"][:2] for t in upper]).reshape(-1, 2)
    away = np.linalg.norm(at[:, None] - at, axis=2)
    assert away[np.triu_indices(len(at), 1)].min(initial=np.inf) > 0.02


def test_of_each_upper_tile_there_are_three_crops_and_of_what_is_hidden_a_little_none():
    for drawn, under in map(tray, range(8)):
        images, stacked = stacks.crops_of_stacks(drawn, under, np.random.default_rng(1))
        assert images.shape == (len(stacked), on_others.CROP_WH[1], on_others.CROP_WH[0], 3)
        assert 3 * len(under) <= stacked.sum() <= 4 * len(under)
        assert (stacked == 0).sum() <= len(drawn.truth["tiles"]) - 2 * len(under)


def test_one_tray_teaches_whether_tiles_lie_on_others_and_nothing_else(monkeypatch):
    monkeypatch.setattr(generate, "_faces", {"train": FACES, "check": FACES})
    sample, again = (generate._one(("stacks", 1, 1)) for _ in range(2))
    assert set(sample) == {"stack", "stacked"}
    assert all(np.array_equal(sample[name], again[name]) for name in sample)


@pytest.mark.filterwarnings("ignore")
def test_a_short_training_tells_plain_stacks_from_single_tiles(tmp_path):
    """The net must be able to learn it: by a few steps on plain pictures, of a white tile with a grey edge or none."""
    rng = np.random.default_rng(0)
    stacked = (np.arange(400) % 4 == 0).astype(np.uint8)
    images = rng.integers(60, 90, (400, 56, 48, 3), dtype=np.uint8)
    images[:, 13:43, 11:37] = 220
    images[stacked == 1, 43:49, 14:40] = 160
    for split in ("stacks", "stack-checks"):
        with store.Growing(tmp_path, split) as begun:
            begun.add({"stack": images, "stacked": stacked})
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    net = train_stacked.train_stacked(tmp_path, total=60, seed=1, batch=64)
    torch.set_num_threads(threads)
    figures = train_stacked.check_stacked(net, tmp_path)
    assert (figures["crops"], figures["stacked_crops"]) == (400, 100)
    assert figures["stacked_seen"] > 0.95
    assert figures["others_called_stacked"] < 0.05
