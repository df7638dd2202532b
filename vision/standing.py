"""Whether what shows a face stands up, as dice do, or lies flat, as disks do: by its flanks and what is around it.

The finder takes a die for a disk at times, where its top is round and shows two pips, and is hardly sure of others. A
small net that knows nothing else has learnt to tell them; it is asked only of those.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision import symbols
from vision.geometry import Floats
from vision.nets import MODELS, Array, evened, load_net
from vision.rectify import Image

MODEL = MODELS / "standing.onnx"
SIDE = 48
"""Side of a crop in pixels."""
SHARE = 0.42
"""Share of it that the piece fills: a die's flanks, and some of what is around, are to be seen."""
BOX = (SIDE * (1 - SHARE) / 2, SIDE * (1 - SHARE) / 2, SIDE * (1 + SHARE) / 2, SIDE * (1 + SHARE) / 2)
RIM = 12
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
    crops = cut(picture_bgr, quads_px)
    net = load_net(MODEL)
    net.setInput(normalised(np.concatenate([np.rot90(crops, turns, (1, 2)) for turns in range(4)])))
    return np.asarray(np.asarray(net.forward(), np.float64).reshape(4, -1).mean(axis=0))


def cut(picture_bgr: Image, quads_px: Floats) -> Image:
    """Return the pieces (n, 4, 2) in the picture with what is around them, (n, 48, 48, 3) uint8."""
    return np.asarray(symbols.cut_crops(picture_bgr, quads_px, size_wh=(SIDE, SIDE), box=BOX))


def normalised(crops_bgr: Array) -> Array:
    """Return the net's input, (n, 3, h, w) float32: channels with mean 0, each crop with a spread of about 1."""
    return evened(np.ascontiguousarray(crops_bgr), rim=(RIM, RIM), floor=30.0, most=4.0)


__all__ = ["Look", "cut", "logits", "normalised"]
