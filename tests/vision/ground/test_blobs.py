"""What lies there that nobody found: things in a mask, for the felt and for printed mats alike."""

from __future__ import annotations

import numpy as np

from vision.ground.blobs import blobs


def mask() -> np.ndarray:
    seen = np.zeros((60, 80), bool)
    seen[20:30, 30:50] = True
    seen[40:44, 40:44] = seen[44:48, 44:48] = True  # corner to corner
    seen[57:60, 10:14] = True
    seen[5, 5] = True
    return seen


def test_things_come_largest_first_with_their_places_in_millimetres() -> None:
    found, labels = blobs(mask(), px_per_mm=2.0, least_mm2=1.0, edge_mm=2.0)
    assert [(b.area_mm2, b.middle_mm, b.at_rim) for b in found] == [
        (50.0, (20.0, 12.5), False),
        (8.0, (22.0, 22.0), False),
        (3.0, (6.0, 29.25), True),
    ]
    for blob in found:
        part = labels[blob.rows, blob.columns] == blob.number
        assert part.sum() / 4.0 == blob.area_mm2
        assert part.any(axis=0).all()
        assert part.any(axis=1).all()


def test_what_is_smaller_is_left_out_and_nothing_is_nothing() -> None:
    assert [b.area_mm2 for b in blobs(mask(), px_per_mm=2.0, least_mm2=9.0, edge_mm=2.0)[0]] == [50.0]
    assert blobs(np.zeros((9, 9), bool), px_per_mm=1.0, least_mm2=0.0, edge_mm=1.0)[0] == []
