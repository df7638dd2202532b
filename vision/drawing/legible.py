"""How well a digit stands out in a finished picture, for the labels: LABELS.md says what the words mean."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
CLEAR_NCC, UNREADABLE_NCC = 0.62, 0.45
"""Correlation of a face with its ink below which a digit is marginal, and no longer to be read."""
CLEAR_CONTRAST = 8.0
"""Distance of ink and face in CIE Lab below which a digit is marginal."""
WASHED_OUT = 0.4
"""Share of a face that may be white at most before its digit is marginal."""


def lab_of(picture_bgr: Array) -> Array:
    """Return a picture (h, w, 3) uint8 in CIE Lab, float32."""
    return np.asarray(cv2.cvtColor(picture_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))


def measured(lab: Array, at_px: Array, ink: Array, face: Array) -> dict[str, Any]:
    """Return contrast, likeness and share of white of a digit, and its `legibility` where it is not clear.

    at_px: (h * w, 2) float32 where points of a lattice over the face lie in the picture; ink: (h, w) 0..1 how much is
    there; face: (h * w,) bool which are of the face. Empty where too few of them are ink, or bare.
    """
    h, w = ink.shape
    x, y = at_px.T.reshape(2, h, w)
    values = cv2.remap(lab, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR).reshape(-1, 3)
    ink = cv2.GaussianBlur(ink, (0, 0), 0.3 * h / 28).ravel()
    deep, bare = face & (ink > 0.85), face & (ink < 0.08)
    if deep.sum() < 4 or bare.sum() < 4:
        return {}
    axis = values[deep].mean(0) - values[bare].mean(0)
    contrast = float(np.linalg.norm(axis))
    along = values[face] @ axis
    ncc = float(np.corrcoef(along, ink[face])[0, 1]) if along.std() > 1e-6 else 0.0
    white = float((values[face][:, 0] > 97).mean())
    out: dict[str, Any] = {"ink_contrast": round(contrast, 1), "glyph_ncc": round(ncc, 3), "saturated": round(white, 2)}
    if ncc < UNREADABLE_NCC:
        out["legibility"] = "unreadable"
    elif contrast < CLEAR_CONTRAST or ncc < CLEAR_NCC or white > WASHED_OUT:
        out["legibility"] = "marginal"
    return out
