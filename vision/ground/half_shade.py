"""A hard shadow that parts the tray: felt in it is judged by felt in the light, or it might pass for a thing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.ground.felt_light import LIFT, gain_of, weight_of
from vision.ground.smooth import least_squares, medians, parting

STEP, STEP_TINT, STEP_NOISE = 0.2, 0.12, 0.08
"""How much brighter felt in the light is at least beside a hard shadow, how differently in its colours at most, and how
far its samples may usually be from that, as natural logarithms."""
LEAST_LIT, LEAST_SHADE = 0.12, 0.2
"""Share of the felt that must lie in the light, and in the shadow, for the one to be told by the other."""


@dataclass(frozen=True, slots=True)
class Lit:
    """Felt in the light, where a hard shadow parts the tray."""

    at: NDArray[np.int64]
    """(n,) pixels of it."""
    shade: NDArray[np.float32]
    """(3, t) what fits them, as of `Felt`."""


def in_the_light(
    free: NDArray[np.int64], of_hue: NDArray[np.bool_], light: NDArray[np.float32], terms: NDArray[np.float32]
) -> Lit | None:
    """Return the felt in the light where a hard shadow parts the tray, else None.

    free: (n,) pixels that may be felt, and which of them are of the commonest hue; light: (3, h w) grey values;
    terms: (t, h w). Felt in a shadow is judged by felt in the light: a shadow over half of the tray must not pass for
    its light.
    """
    seen = np.log(light.take(free, axis=1) + LIFT)
    usual = medians(seen.compress(of_hue, axis=1))
    at, seen, level = _of_this_hue(free, seen, usual)
    if len(at) < np.count_nonzero(of_hue) / 2:
        return None
    smooth = terms.take(at, axis=1)
    lit = _stepped(level, smooth)
    if not LEAST_LIT < lit.mean() < 1.0 - LEAST_SHADE:
        return None
    both = _with_step(smooth, lit)
    fit, weight = least_squares(both, seen), weight_of(usual)
    gain = float((fit[:, -1:] * weight).sum() / weight.sum())
    tint = float((np.abs(fit[:, -1:] - gain) * weight).max())
    noise = float(medians(np.abs(seen - fit @ both) * weight).max())
    if gain < STEP or tint > STEP_TINT or noise > STEP_NOISE:
        return None
    # What holds for both, and the step: felt on one side alone says little of the other.
    in_light = fit[:, :-1].copy()
    in_light[:, :1] += fit[:, -1:]
    return Lit(at[lit], in_light)


def _of_this_hue(
    at: NDArray[np.int64], seen: NDArray[np.float32], usual: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Return those of (n,) pixels that are of one hue, however bright: pixels, (3, m) colours, (m,) brightness.

    seen: (3, n) logarithms; usual: (3, 1) the colour whose hue is meant; the brightness is over it.
    """
    level = gain_of(seen, usual)
    alike = (np.abs(seen - usual - level) * weight_of(usual)).max(axis=0) < STEP_TINT
    return at[alike], seen[:, alike], level[alike]


def _stepped(level: NDArray[np.float32], smooth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which of (n,) values lie above the step that, with (t, n) smooth terms, explains them best."""
    high = level > parting(level)
    for _ in range(8):
        fit = least_squares(_with_step(smooth, high), level[None])[0]
        before, high = high, np.asarray(level - fit[:-1] @ smooth > 0.5 * fit[-1])
        if np.array_equal(before, high):
            break
    return high


def _with_step(smooth: NDArray[np.float32], high: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return (t + 1, n) the smooth terms of n values, and whether each lies above a step."""
    return np.vstack([smooth, high[None].astype(np.float32)])
