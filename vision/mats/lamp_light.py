"""How much of a mat's print a lamp's image leaves to be seen: laminated paper mirrors lamps.

What is mirrored adds the same light to paper and ink. So where paper is so much brighter than the light of the room
makes it, it is known how much fainter its print must be, and a figure that shows just so lies bare.
"""

from __future__ import annotations

import numpy as np

from vision.colour.paint import as_seen, linear
from vision.geometry import Floats
from vision.mats.paper import FLOOR, Paper, windows

PAPER, INK = 0.85, 0.1
"""Quantiles of a window's brightness that are paper, of the proof's that is ink."""
LEAST_LEFT = 0.02
"""Of less contrast than this share nothing is known."""


def contrast_left(paper: Paper, middles_mm: Floats, *, half_mm: float, shift_px: Floats, usual: Floats) -> Floats:
    """Return (n,) the share of the print's contrast that can be left in squares around points (n, 2), if they are bare.

    1 where nothing is brighter than paper in the mat's light. shift_px: where the print was found (`print_seen`).
    usual: (n,) or (1,) the contrast with which the picture shows it elsewhere, over that of the proof.
    """
    here, there = (windows(paper, middles_mm, half_mm=half_mm, shift_px=shift) for shift in (None, shift_px))
    ink = paper.proof.ink[here]
    paper_light = paper.seen[here] - paper.dimmed[here] - ink
    light, lightest = (np.quantile(paper_light, q, axis=(1, 2)).astype(np.float64) for q in (0.5, PAPER))
    bright = np.quantile(paper.seen[there], PAPER, axis=(1, 2)).astype(np.float64)
    printed = light + usual * np.quantile(ink, INK, axis=(1, 2))
    # Like with like: paper has a grain, and its lightest is lighter than most of it without any lamp.
    added = np.maximum(_light_of(bright) - _light_of(lightest), 0.0)
    left = _seen_as(_light_of(light) + added) - _seen_as(_light_of(printed) + added)
    return np.asarray(np.clip(left / np.maximum(light - printed, 1e-6), LEAST_LEFT, 1.0))


def _light_of(seen: Floats) -> Floats:
    """Return the light of what `Paper.seen` has as a logarithm."""
    return np.asarray(linear(np.clip(np.exp(seen) - FLOOR, 0.0, 255.0)), dtype=np.float64)


def _seen_as(light: Floats) -> Floats:
    """Return `Paper.seen` of so much light; more than white is as white."""
    return np.asarray(np.log(np.clip(as_seen(light), 0.0, 255.0) + FLOOR), dtype=np.float64)


__all__ = ["contrast_left"]
