"""Mats for tests, as the eye is told of them."""

from __future__ import annotations

from pi.sheets.eyes import eyes_mat
from vision.mats.mat import Mat


def mat_named(name: str) -> Mat:
    """Return a mat that there is."""
    mat = eyes_mat(name)
    assert mat is not None
    return mat
