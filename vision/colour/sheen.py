"""How far colours are apart but for a lamp that glossy pieces mirror: what it adds to any of them is light, and white.

A polished tile that mirrors a lamp, however faintly, is paler than its fellows, whose paint it has: what is seen is the
paint's own light and some of the lamp's (the dichromatic reflection model: Shafer, Using color to separate reflection
components, Color Research and Application 10, 1985).
"""

from __future__ import annotations

import numpy as np

from vision.colour.paint import as_seen, lab_of, linear
from vision.geometry import Floats

LIGHT = (0.7, 1.4)
"""So many times the light that falls on another tile of a tray falls on one, at least and at most: lamps stand aside,
and their light falls off."""


def beyond(bgr: Floats, paints_bgr: Floats) -> Floats:
    """Return (n, m) how far things (n, k, 3) are at least from what others (m, k, 3) show that mirror a lamp, or none.

    Of each k colours are seen, blue green red, 0..255: the first is its body's, the others are printed on that, and lie
    in the same light. CIE distances, of the colour that is furthest; no more than the colours as seen are apart.
    """
    seen = np.linalg.norm(lab_of(bgr)[:, None] - lab_of(paints_bgr), axis=3).max(axis=2)
    return np.asarray(np.minimum(seen, _explained(linear(bgr)[:, None], linear(paints_bgr)[None])))


def _explained(light: Floats, paint: Floats) -> Floats:
    """Return how far lights (..., k, 3), linear, are from what paints would show in more or less light and a lamp.

    The nearest to the body in linear light, with white added or without.
    """
    body, own = light[..., :1, :], paint[..., :1, :]
    tint, hue = body - body.mean(axis=-1, keepdims=True), own - own.mean(axis=-1, keepdims=True)
    with_lamp, without = _share(tint, hue), _share(body, own)
    lamp = np.maximum((body - with_lamp * own).mean(axis=-1, keepdims=True), 0.0)
    return np.asarray(np.minimum(_distance(light, with_lamp * paint + lamp), _distance(light, without * paint)))


def _share(of: Floats, what: Floats) -> Floats:
    """Return (..., 1) by which factor vectors (..., 3) come nearest to others, within LIGHT."""
    factor = (of * what).sum(axis=-1, keepdims=True) / np.maximum((what * what).sum(axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.clip(factor, *LIGHT))


def _distance(light: Floats, other: Floats) -> Floats:
    """Return (...) the largest CIE distance of linear lights (..., k, 3), of which none is lighter than white."""
    a, b = (lab_of(as_seen(np.clip(x, 0.0, 1.0))) for x in np.broadcast_arrays(light, other))
    return np.asarray(np.linalg.norm(a - b, axis=-1).max(axis=-1))
