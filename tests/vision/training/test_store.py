"""What was drawn to learn from, on disk: it grows sample by sample, and is there only when it is whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.training import store


def _sample(n: int, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {"image": rng.integers(0, 256, (n, 4, 3, 3), dtype=np.uint8), "rows": rng.normal(size=(n, 7))}


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6))
def test_what_is_added_bit_by_bit_is_read_as_one(tmp_path_factory, lengths):
    data = tmp_path_factory.mktemp("data")
    samples = [_sample(n, k) for k, n in enumerate(lengths)]
    with store.Growing(data, "tiles") as growing:
        for k, sample in enumerate(samples):
            assert growing.length("image") == sum(lengths[:k])
            growing.add(sample)
        assert not store.was_drawn(data, "tiles"), "not before its end"
    assert store.was_drawn(data, "tiles")
    image, rows = store.load(data, "tiles", "image", "rows")
    assert np.array_equal(image, np.concatenate([s["image"] for s in samples]))
    assert np.array_equal(rows, np.concatenate([s["rows"] for s in samples]))
    assert (image.dtype, rows.dtype) == (np.uint8, np.float64)


def test_the_head_has_room_for_any_number_of_rows(tmp_path):
    """It is written before anyone knows how many there will be, and again at the end: what follows must not move."""
    with store.Growing(tmp_path, "many") as growing:
        for k in range(1200):
            growing.add({"value": np.full(100, k)})
    (value,) = store.load(tmp_path, "many", "value")
    assert np.array_equal(value, np.repeat(np.arange(1200), 100))


def _cut_short(data: Path) -> None:
    with store.Growing(data, "tiles") as growing:
        growing.add(_sample(3, 2))
        raise KeyboardInterrupt


def test_what_was_cut_short_leaves_nothing_and_what_there_was(tmp_path):
    with store.Growing(tmp_path, "tiles") as growing:
        growing.add(_sample(2, 1))
    with pytest.raises(KeyboardInterrupt):
        _cut_short(tmp_path)
    (image,) = store.load(tmp_path, "tiles", "image")
    assert np.array_equal(image, _sample(2, 1)["image"])
    assert [p.name for p in tmp_path.iterdir()] == ["tiles"]


def test_a_sample_of_another_kind_is_refused_and_written_nowhere(tmp_path):
    with store.Growing(tmp_path, "tiles") as growing:
        growing.add(_sample(2, 1))
        with pytest.raises(ValueError, match="tiles has \\['image'\\]"):
            growing.add({"image": _sample(2, 1)["image"]})
        with pytest.raises(ValueError, match="rows of tiles is"):
            growing.add(_sample(2, 1) | {"rows": np.zeros((2, 6))})
    assert len(store.load(tmp_path, "tiles", "image")[0]) == 2


def test_splits_that_were_drawn_are_put_together_in_order(tmp_path):
    """Without POV-Ray there are no traced ones: the others are what there is to learn from."""
    for split, seed in (("tiles", 1), ("train", 2)):
        with store.Growing(tmp_path, split) as growing:
            growing.add(_sample(3, seed))
    image, rows = store.load_all(tmp_path, ("train", "traced-tiles", "tiles"), "image", "rows")
    assert np.array_equal(image, np.concatenate([_sample(3, seed)["image"] for seed in (2, 1)]))
    assert np.array_equal(rows, np.concatenate([_sample(3, seed)["rows"] for seed in (2, 1)]))


def test_a_split_that_was_not_drawn_is_none(tmp_path):
    assert not store.was_drawn(tmp_path, "traced")
    with pytest.raises(FileNotFoundError):
        store.load(tmp_path, "traced", "face")
