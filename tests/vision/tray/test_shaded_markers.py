"""Markers across which a hard shadow falls: of a tall rim beside a window, half of each is darker than black."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.tray import fiducials
from vision.tray.fiducials import find_markers
from vision.tray.marker_print import CELLS, marker_cells
from vision.tray.shaded_markers import half_shaded

CELL = 8
SHADE = 0.28
"""What is left of the light in the shadow: paper there (64) is no white by any one threshold for the whole marker."""

DIE = 12
"""Half the width of a die of 12 mm: a cell is 4 mm."""


def _marker(number: int, *, turn: int = 0) -> np.ndarray:
    """Return a marker as a lens sees it: black is not quite black, its paper around it."""
    cells = np.pad(np.rot90(marker_cells(number), turn), 1, constant_values=255)
    return np.kron(np.where(cells > 0, 230.0, 35.0), np.ones((CELL, CELL)))


def _quad() -> np.ndarray:
    a, b = CELL - 0.5, CELL * (CELLS + 1) - 0.5
    return np.array([[[a, a], [b, a], [b, b], [a, b]]])


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("edge", [0.3, 0.5, 0.7])
def test_a_marker_is_told_with_its_corners_in_order_wherever_the_shadow_ends(number, turn, edge):
    seen = _marker(number, turn=turn)
    seen[:, int(edge * seen.shape[1]) :] *= SHADE
    ((told, corners),) = half_shaded(seen.astype(np.uint8), _quad()).items()
    assert told == number
    # Turned counter-clockwise by a quarter, a marker's own top left is at the bottom left.
    np.testing.assert_allclose(corners, np.roll(_quad()[0], turn, axis=0))


@pytest.mark.parametrize("seed", range(200))
def test_what_is_no_marker_of_ours_is_none(seed):
    rng = np.random.default_rng(seed)
    cells = np.kron(rng.integers(0, 2, (CELLS + 2, CELLS + 2)) * 180.0 + 40, np.ones((CELL, CELL)))
    assert half_shaded(np.asarray(cells * rng.uniform(0.3, 1), np.uint8), _quad()) == {}
    assert half_shaded(np.asarray(np.clip(_marker(4 + seed % 40), 0, 255), np.uint8), _quad()) == {}


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("grey", [10, 45, 90, 140, 200, 250])
@pytest.mark.parametrize("at", [(2.5, 2.5), (4.0, 5.0), (6.5, 1.5), (5.5, 6.5)])
def test_what_lies_on_a_shaded_marker_is_no_shadow(number, grey, at):
    """A die that nobody found may lie on it, a small one 12 mm wide: then its paper is asked about."""
    seen = _marker(number)
    seen[:, seen.shape[1] // 2 :] *= SHADE
    bare = seen.copy()
    x, y = (round(CELL * a) for a in at)
    seen[y - DIE : y + DIE, x - DIE : x + DIE] = grey
    changed = np.abs(seen - bare)[CELL // 2 :: CELL, CELL // 2 :: CELL] > 60
    if changed[1:-1, 1:-1].sum() < 2:
        pytest.skip("a thing of the marker's own grey")
    assert half_shaded(seen.astype(np.uint8), _quad()) == {}


def test_even_light_and_bare_felt_are_no_marker():
    for grey in (0, 90, 255):
        assert half_shaded(np.full((64, 64), grey, np.uint8), _quad()) == {}


def test_all_markers_of_a_tray_are_found_though_the_rims_shadow_parts_two(monkeypatch):
    tray = drawn()
    picture, truth = tray.picture_bgr.astype(float), {m["id"]: np.array(m["corners"]) for m in tray.truth["markers"]}
    edge = round(float(np.mean([truth[k][:, 0].mean() for k in (1, 2)])))
    picture[:, edge:] *= SHADE
    shaded = np.asarray(picture, np.uint8)
    found = find_markers(shaded)
    assert sorted(found) == [0, 1, 2, 3]
    for number, corners in found.items():
        assert np.abs(corners - truth[number]).max() < 4.0  # a tenth of a marker
    monkeypatch.setattr(fiducials, "half_shaded", lambda grey, quads: {})
    assert len(find_markers(shaded)) < 4
