"""Whether what shows a face stands up, as dice do, or lies flat, as disks do: by its flanks and what is around it.

The finder takes a die for a disk at times, where its top is round and shows two pips, and is hardly sure of others. A
small net that knows nothing else has learnt to tell them; it is asked of those, and of what was not plainly found as a
die, a quarter of all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.around import cut, in_four_turns
from vision.geometry import Floats
from vision.nets import MODELS
from vision.rectify import Image

MODEL = MODELS / "standing.onnx"
SHARE = 0.42
"""Share of a crop that the piece fills: a die's flanks, and some of what is around, are to be seen."""
STANDS, STANDS_SURELY = 2.5, 3.0
"""A logit above the first is a die's, above the second even where everything else says that it is a disk. Of 120 disks
on 80 traced trays with disks among dice, cut as large as the dice, none has more than -2.3, of 920 crops of disks on
the training's checks three have more than 0, and none more than 1.9 (in four turns; by one look one has more than 2.5).
Of 33 dice on 450 traced trays that may be disks to the finder 23 have more than 3 (10 by the smaller net before)."""
RATHER_FLAT = -1.0
"""What was found as a die, but not plainly, may be a disk by a logit below this: seven dice on five of those 450 trays
are such, and one disk on those 80."""
FLAT = -5.5
"""A logit above this may be that of a die with corners, though the finder takes it for a disk. What may be a disk and
has less, cut where it was found, looks like one. Of 3,030 dice on 450 traced trays all have more (-5.3 at least); of 83
disks among dice, cut where they are found, two, of 440 cut where they lie two."""

Look = Callable[[Image, Floats], Floats]
"""Picture and (n, 4, 2) quads in it -> (n,) the logit that each stands up."""


def logits(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n,) the logit that each piece stands up, shown as it lies and turned by a quarter, twice and thrice.

    quads_px: (n, 4, 2) the top face, or the square around a disk. Raises BadModel when the model is missing. Not for
    two threads at once.
    """
    if len(quads_px) == 0:
        return np.zeros(0)
    said = in_four_turns(MODEL, cut(picture_bgr, quads_px, share=SHARE))
    return np.asarray(said[..., 0].mean(axis=0))
