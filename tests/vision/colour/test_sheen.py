"""A lamp that a tile mirrors adds white light to its paint: what is told of its colour allows for that, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.colour.paint import as_seen, lab_of, linear
from vision.colour.sheen import LIGHT, beyond
from vision.geometry import Floats

grey_values = st.floats(20.0, 200.0)
paints = st.tuples(grey_values, grey_values, grey_values)


def mirroring(paint: Floats, *, light: float, lamp: float) -> Floats:
    """Return what a paint (3,) shows in so many times its light, and so much of a white lamp (linear light)."""
    return as_seen(np.clip(linear(paint) * light + lamp, 0.0, 1.0))


@given(paints, st.floats(*LIGHT), st.floats(0.0, 0.3))
def test_what_a_lamp_adds_to_a_paint_is_no_other_colour(
    paint: tuple[float, float, float], light: float, lamp: float
) -> None:
    """The dichromatic model: paint's light, in any strength that falls on a tray, and the lamp's, which is white."""
    own = np.array([paint])
    seen = mirroring(own[0], light=light, lamp=lamp)
    if seen.max() < 254.0:  # what is blown out has lost its colour
        assert beyond(seen[None, None], own[None])[0, 0] < 1.0


@given(paints, paints)
def test_a_lamp_never_makes_colours_differ_more(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    """It is allowed for, not asked for: colours that are alike as they are seen stay so."""
    a, b = np.array([one]), np.array([other])
    assert beyond(a[None], b[None])[0, 0] <= np.linalg.norm(lab_of(a) - lab_of(b)) + 1e-6


@pytest.mark.parametrize(
    ("seen", "paint"),
    [((60, 150, 60), (30, 25, 190)), ((30, 25, 190), (120, 110, 230)), ((70, 120, 180), (30, 25, 190)),
     ((40, 40, 40), (30, 25, 190))],
    ids=["green of red", "less of a lamp than none", "copper of red", "dark of red"],
)  # fmt: skip
def test_what_no_lamp_adds_is_another_colour(seen: tuple[int, int, int], paint: tuple[int, int, int]) -> None:
    """Lamps add white light, and take none away: red can be pink, and pink never red, nor anything green."""
    assert beyond(np.array([[seen]], dtype=np.float64), np.array([[paint]], dtype=np.float64))[0, 0] > 12.0


def test_every_colour_is_held_against_every_paint() -> None:
    """Shapes as promised: (n, k, 3) and (m, k, 3) make (n, m)."""
    assert beyond(np.full((2, 2, 3), 80.0), np.full((5, 2, 3), 90.0)).shape == (2, 5)


def test_what_is_printed_lies_in_the_light_of_its_tile() -> None:
    """A lamp that makes red pink makes its black ink grey: black ink on pink is another tile's."""
    red, black, grey = (np.array(c, dtype=np.float64) for c in ((30, 25, 190), (20, 20, 20), (150, 150, 150)))
    lamp = float(linear(grey)[0] - linear(black)[0])
    pink = mirroring(red, light=1.0, lamp=lamp)
    paint = np.array([[red, black]])
    assert beyond(np.array([[pink, grey]]), paint)[0, 0] < 1.0
    assert beyond(np.array([[pink, black]]), paint)[0, 0] > 30.0
