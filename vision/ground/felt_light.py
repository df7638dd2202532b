"""What light does to felt: in a shadow, and under a lamp, it keeps its hue. Colours are compared as logarithms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SHADOW_TINT = 0.3
"""How differently the three colours may fade in a shadow, as a natural logarithm."""
DEEPEST = 1.6
"""How much darker, likewise, felt is in a shadow at most: less than a thirtieth of the light, as a camera bends its
curve. What is darker is no felt: a black sleeve on pale felt, say. On 480 traced trays nothing as large as a die had
1.2, but for pieces."""
LIFT = 4.0
"""Grey values added before logarithms are taken."""
HARDLY = 20.0
"""Grey value of a colour that felt hardly has."""
LAMP_GAIN, LAMP_TINT = 0.5, 0.08
"""How much brighter, and how little differently so in its three colours, felt is under the spot of a lamp."""
BLOWN_OUT = 250
"""Of 255: the weakest colour of what is as white as a picture can be."""


def only_light(light: NDArray[np.float32], felt: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (n,) which pixels differ from felt by their light alone: in a shadow, in the spot of a lamp.

    light, felt: (3, n) logarithms of what is seen and of what bare felt would be there.
    """
    # In a shadow all three colours fade alike (the sky's or the second lamp's share apart); but of a colour
    # that the felt hardly has there is mostly noise.
    gain = gain_of(light, felt)
    tint = (np.abs(light - felt - gain) * weight_of(felt)).max(axis=0)
    lit = np.where(gain < 0.0, (tint < SHADOW_TINT) & (gain > -DEEPEST), (gain < LAMP_GAIN) & (tint < LAMP_TINT))
    full = np.float32(np.log(BLOWN_OUT + LIFT))
    blown = np.flatnonzero(light.max(axis=0) >= full)
    lit[blown] |= _blown_out(light[:, blown], felt[:, blown], full)
    return np.asarray(lit)


def gain_of(light: NDArray[np.float32], felt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n,) how much brighter colours (3, n) are than felt, (3, n) or (3, 1): all three taken together."""
    weight = weight_of(felt)
    return np.asarray(((light - felt) * weight).sum(axis=0) / weight.sum(axis=0))


def weight_of(felt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (3, n) how much each of the felt's colours says, up to 1. felt: (3, n) logarithms, LIFT added before."""
    level = np.maximum(np.exp(felt) - LIFT, 1e-3)  # a black frame has no colour at all
    weight = level / (level + HARDLY)
    return np.asarray(weight / weight.max(axis=0))


def _blown_out(light: NDArray[np.float32], felt: NDArray[np.float32], full: np.float32) -> NDArray[np.bool_]:
    """Return (n,) which pixels are felt so bright that a colour lags behind: the others say how bright it would be."""
    gain = np.where(light < full, light - felt, np.inf).min(axis=0)
    gain = np.where(np.isfinite(gain), gain, 0.99 * LAMP_GAIN)
    off = np.abs(np.minimum(light, full) - np.minimum(felt + gain, full)).max(axis=0)
    return np.asarray((gain >= 0.0) & (gain < LAMP_GAIN) & (off < LAMP_TINT))
