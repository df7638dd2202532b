"""The felt without markers: a quadrilateral of one colour inside a rim. Says None rather than guess."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def find_felt(picture_bgr: NDArray[np.uint8], *, aspect: float) -> NDArray[np.float64] | None:
    """Return (4, 2) the felt's corners TL TR BR BL in pixels; None where none is convincing."""
    return None
