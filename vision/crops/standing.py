"""Whether what shows a face stands up, as dice do, or lies flat, as disks do, or is no piece but a shadow or a fibre.

The finder takes a die for a disk at times, where its top is round and shows two pips, and is hardly sure of others. A
small net that sees flanks and what is around has learnt to tell them; it is asked of those, and of what was not plainly
found as a die, a quarter of all. Of what may be a die, or nothing, it is asked before the table is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.crops.around import cut, in_four_turns
from vision.crops.nets import MODELS
from vision.geometry import Floats
from vision.tray.rectify import Image

MODEL = MODELS / "standing.onnx"
SHARE = 0.42
"""Share of a crop that the piece fills: a die's flanks, and some of what is around, are to be seen."""
STANDS, STANDS_SURELY = 2.0, 2.5
"""A logit above the first is a die's, above the second even where everything else says that it is a disk. Of 83 disks
that were taken for dice on 80 traced trays with disks among dice, cut as large as the dice, none has more than -4.1, of
902 on trays of disks none more than -3.3, of 920 crops on the training's checks two have more than 0, and none more
than 1.6 (in four turns; by one look one has 2.6). Of 33 dice on 450 traced trays that may be disks to the finder 26
have more than 2."""
RATHER_FLAT = -2.0
"""What was found as a die, but not plainly, may be a disk by a logit below this: of 5,347 dice as they were found on
840 trays twelve have less, of which the finder takes most for disks."""
FLAT = -5.5
"""A logit above this may be that of a die with corners, though the finder takes it for a disk. What may be a disk and
has less, cut where it was found, looks like one. Of those 5,347 dice all have more (-5.2 at least), of those 902 disks
15."""
NO_PIECE, A_PIECE = 0.0, 5.5
"""What looks like felt, or like a shadow on it, is nothing by a logit below the first, and a piece beyond doubt by one
above the second. Of 6,128 dice on 950 traced and drawn trays all have more than 1.1, one less than 2; of 400 that were
found and look like bare felt by their light 19 in 20 have 6.2 and more, of 443 finds there that are nothing one has
4.5, all others less than 3.4."""
PERHAPS, RATHER_STANDS = 2.5, 0.0
"""What was passed over as felt, by its light and as it shows no face, is asked about where it is a piece by more than
the first, and stands rather than lies, by more than the second: a die of grey glass on pale felt was missed without a
word (3.4). Of those 443 none is so; of the 457 dice that hardly differ from felt by their light all but 21."""

Look = Callable[[Image, Floats], Floats]
"""Picture and (n, 4, 2) quads in it -> (n,) the logit that each stands up, or that it is a piece at all."""


def logits(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n,) the logit that each piece stands up, shown as it lies and turned by a quarter, twice and thrice.

    quads_px: (n, 4, 2) the top face, or the square around a disk. Raises BadModel when the model is missing. Not for
    two threads at once.
    """
    return _said(picture_bgr, quads_px)[:, 0]


def there(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n,) the logit that a piece lies at each place at all; arguments and errors as of `logits`."""
    return _said(picture_bgr, quads_px)[:, 1]


def _said(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n, 2) both."""
    if len(quads_px) == 0:
        return np.zeros((0, 2))
    return np.asarray(in_four_turns(MODEL, cut(picture_bgr, quads_px, share=SHARE)).mean(axis=0))
