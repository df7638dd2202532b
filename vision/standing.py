"""Whether what shows a face stands up, as dice do, or lies flat, as disks do: by its flanks and what is around it.

The finder takes a die for a disk at times, where its top is round and shows two pips, and is hardly sure of others. A
small net that knows nothing else has learnt to tell them; it is asked only of those.
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
STANDS = 3.0
"""A logit above this is a die's. By the net that is here, of 611 disks on 125 traced trays, cut where they lie and not
where they are found, one has 2.2 and none of the others more than 0.4; of 920 crops of disks on the training's checks
four have more than 0, and none more than 2.2. By the one before, which had 2.5, 0.8, 4 and 2.7 there, none of 340 disks
on 253 trays had more than -2.8 where it was found, and of 2,640 dice on 453 traced trays, 39 of which may be disks to
the finder, 17 of these had more than this."""

FLAT = -4.5
"""A logit above this may be that of a die with corners, though the finder takes it for a disk: of 16 such on 901 traced
trays all had more (-4.1 at least), of 1,352 disks one in 19, by the net before; by this one of 611 disks one in 17.
What may be a disk to the finder and has less, cut where it was found, looks like one: of 46 such dice on 1,088 traced
trays none has (-4.0 at least), of 12 such disks on 60 trays with disks as large as the dice among them five."""

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
