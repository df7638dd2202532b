"""Newton's method for convex losses of a few weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.geometry import Floats

STILL = 1e-9
"""A step that is halved below this is none."""


def descend(
    weights: Floats,
    price: Callable[[Floats], float],
    bends: Callable[[Floats], tuple[Floats, Floats]],
    *,
    steps: int,
    enough: float,
) -> Floats:
    """Return the weights (k,) at which a convex price is least, from these on.

    bends: the price's slope (k,) and the slope of that (k, k). steps: at most; enough: no weight moves further.
    """
    for _ in range(steps):
        slope, bend = bends(weights)
        step = np.linalg.solve(bend, slope)
        # A full step may lead too far where the loss is no parabola: half as far, until it is better.
        while price(weights - step) > price(weights) and float(np.abs(step).max()) > STILL:
            step = step / 2
        weights = weights - step
        if float(np.abs(step).max()) < enough:
            break
    return np.asarray(weights)


__all__ = ["descend"]
