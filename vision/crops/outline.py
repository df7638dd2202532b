"""Where exactly the top face of a die lies: a small net looks at what the finder found, and says how far that is off.

The finder sees all of a tray at once, and a die of twenty pixels to a twentieth of its side. That is near enough for
most faces, but a pip at the cut's border is no pip. So the dice whose faces leave a doubt are looked at where this net
says they lie.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.crops.around import cut, in_four_turns
from vision.crops.nets import MODELS
from vision.geometry import SQUARE, Floats, homography4, transform
from vision.tray.rectify import Image

MODEL = MODELS / "outline.onnx"
SHARE = 0.55
"""Share of a crop that the die's top fills: flanks and neighbours are to be seen, from half a side off."""
LOOKS = 2
"""So often the net looks: the second time from where it said that the die lies."""

Look = Callable[[Image, Floats], Floats]
"""Picture and (n, 4, 2) quads in it -> (n, 4, 2) where the tops of these dice lie."""


def exactly(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n, 4, 2) where the top faces of dice lie that were found about there.

    quads_px: (n, 4, 2) TL TR BR BL, as the answer is. Raises BadModel when the model is missing. Not for two threads at
    once.
    """
    quads = np.asarray(quads_px, dtype=np.float64).reshape(-1, 4, 2)
    for _ in range(LOOKS if len(quads) else 0):
        tops = _said(cut(picture_bgr, quads, share=SHARE))
        quads = np.array([transform(top, homography4(SQUARE, q)) for q, top in zip(quads, tops, strict=True)])
    return quads


def _said(crops_bgr: Image) -> Floats:
    """Return (n, 4, 2) where the tops lie in crops of SHARE, where -1..1 is what was cut as the top.

    The mean of what the net says of each crop in four turns.
    """
    out = in_four_turns(MODEL, crops_bgr)
    # As complex numbers, x to the right and y down: a crop turned by a quarter shows what lies at z at -iz.
    off = (out[..., 0] + 1j * out[..., 1]) * np.array([1, 1j, -1, -1j])[:, None]
    axis = np.exp(1j * np.angle((out[..., 3] + 1j * out[..., 4]).mean(axis=0)) / 4) * np.exp(out[..., 2].mean(axis=0))
    corners = 2 * off.mean(axis=0)[:, None] + axis[:, None] * (SQUARE @ [1, 1j])
    return np.stack([corners.real, corners.imag], axis=-1)
