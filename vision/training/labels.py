"""Which die of a label a reading means."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.reading import DieReading
from vision.trials.labelled import Sample

OFF = 0.5
"""A die is the one of the labels whose middle is nearer than this, over its side."""


def labelled_die(sample: Sample, die: DieReading) -> dict[str, Any] | None:
    """Return the label of the die that lies where one was read, of a picture with dice; None where none lies."""
    away = [float(np.hypot(*np.subtract(label["center"], die.centre))) for label in sample.truth["dice"]]
    nearest = int(np.argmin(away))
    near = away[nearest] < OFF * np.linalg.norm(np.subtract(die.corners[1], die.corners[0]))
    return dict(sample.truth["dice"][nearest]) if near else None
