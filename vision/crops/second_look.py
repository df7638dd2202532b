"""A second look at faces of dice and disks that leave a doubt: at several cuts of each, one by one a little off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.crops.faces import Faces
from vision.crops.kin import normalised
from vision.geometry import Bools, Floats
from vision.tray.rectify import Image

LEGIBLE = 0.3
"""Below this `p_unreadable` a face can be read."""
DOUBTFUL = 0.9995
"""A piece of whose face the net is less sure than this is looked at again. A tray has a question soon: all its faces
together may carry but one per cent of doubt. With 0.997 for dice 1,023 of 1,161 on photographs were sure, with this
1,052, none of them wrong with either; of 312 traced trays of dice two more were asked about."""
MOST_AGAIN = 16
"""So many pieces, the most doubtful, are looked at again: that costs seven crops a disk, and of a digit 24 of a tile,
as `vision.crops.digits` turns and sizes it, and fifteen a die."""
SHIFTS = ((0.06, 0.0), (-0.06, 0.0), (0.0, 0.06), (0.0, -0.06), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
"""How far a second look is shifted, over the face's side: as far as the finder errs. The others are turned."""
TURNS = (0, 0, 0, 0, 1, 2, 3)
"""... and by how many quarters."""
SIZES = (1.0, 1.0, 1.0, 1.0, 0.92, 0.92, 1.08)
"""... and how much smaller or larger than the finder says: it errs by a tenth."""
SHARPER = 1.15
"""How much more eight cuts say than one: by this their mean is sharpened. Of 5,959 dice drawn harder than any table is,
4 of the 5,266 then above 99.6 % are wrong (2 of 5,177 with 1); on 780 traced trays none of 5,102 sure ones with either,
and five trays fewer are asked about than with 1."""

SHARPER_BOTH, AGREES = 1.25, 0.7
"""... and than one, what eight cuts of a die as it is and the same with its colours spread apart say together, unless
the latter see the same, by more than the second: then the cuts as they are stand alone. They must not make each other
surer, as a lamp's mirror image is a pip to both: of 100 trays with one painted on each die 18 were silently wrong so,
and 11 are (12 without). Of 123 doubtful dice on 519 traced trays 121 are right and 93 above 99.2 %, all of these right;
of the cuts as they are 117, and one of 97 wrong."""

Look = Callable[[Image, Floats, Bools], Faces]
"""Picture, (n, 4, 2) quads and which are dice -> what they show."""
SecondOpinion = Callable[[Image, Floats, Faces], Faces]
"""Picture, (n, 4, 2) squares around disks and what they show -> what they show, by another net as well."""


def certainty(shown: Faces) -> Floats:
    """Return (n,) how likely the likeliest face of each piece is; 0 for what nobody can read."""
    p = np.exp(np.asarray(shown.log_probs, np.float64).max(axis=1, initial=-np.inf))
    return np.asarray(p * (np.asarray(shown.p_unreadable) < LEGIBLE))


def most_doubtful(shown: Faces, *, below: float = DOUBTFUL) -> NDArray[np.int64]:
    """Return the indices of the pieces worth a second look, the most doubtful first. below: of which certainty."""
    p = certainty(shown)
    worst = np.argsort(p, kind="stable")[:MOST_AGAIN]
    return np.asarray(worst[p[worst] < below])


def look_again(
    picture_bgr: Image,
    quads_px: Floats,
    is_die: Bools,
    shown: Faces,
    look: Look,
    *,
    second: SecondOpinion | None = None,
    apart: Look | None = None,
    shift: float = 1.0,
) -> Faces:
    """Return the faces, doubtful ones as the mean over several cuts of each: shifted a little, turned, larger
    and smaller; of disks with a second opinion on top.

    shift: how far the cuts are shifted, times SHIFTS: less where it is known how exactly the pieces lie.
    apart: what dice show with their colours spread apart, heard as much as all else; None: nobody looks so.

    The mean of logarithms: one cut that says no is heard. A quarter turn changes no value. What one cut gets wrong for
    its own borders the others get right, so that their mean is worth more than one.
    """
    worst = most_doubtful(shown)
    if len(worst) == 0:
        return shown
    cuts = _cuts_of(quads_px[worst], shift)
    more = look(picture_bgr, np.concatenate(cuts), np.tile(is_die[worst], len(cuts)))
    log_probs, unreadable = shown.log_probs.copy(), shown.p_unreadable.copy()
    again = np.concatenate([log_probs[worst][None], more.log_probs.reshape(len(cuts), len(worst), -1)]).mean(axis=0)
    log_probs[worst] = normalised(SHARPER * again)
    dice = is_die[worst]
    if apart is not None and dice.any():
        both = [quads[dice] for quads in (quads_px[worst], *cuts)]
        seen = apart(picture_bgr, np.concatenate(both), np.ones(len(both) * len(both[0]), dtype=bool))
        spread = seen.log_probs.reshape(len(both), len(both[0]), -1).mean(axis=0)
        log_probs[worst[dice]] = _together(again[dice], spread)
    doubts = np.concatenate([unreadable[worst][None], more.p_unreadable.reshape(len(cuts), len(worst))])
    unreadable[worst] = np.median(doubts, axis=0)
    disks, faces = worst[~is_die[worst]], Faces(log_probs, unreadable)
    if second is not None and len(disks):
        log_probs[disks] = second(picture_bgr, quads_px[disks], faces.only(disks)).log_probs
    return faces


def _together(plain: Floats, spread: Floats) -> Floats:
    """Return (n, 13) what dice show as they are, and where they look otherwise with their colours spread apart, both.

    plain, spread: (n, 13) means over cuts.
    """
    alike = (plain.argmax(axis=1) == spread.argmax(axis=1)) & (normalised(spread).max(axis=1) > np.log(AGREES))
    return normalised(np.where(alike[:, None], SHARPER * plain, SHARPER_BOTH * (plain + spread) / 2))


def _cuts_of(quads_px: Floats, shift: float) -> list[Floats]:
    """Return quads (n, 4, 2) as each of the cuts has them: shifted by so many SHIFTS, turned, larger and smaller."""
    across, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    middle = quads_px.mean(axis=1, keepdims=True)
    return [
        np.roll(middle + size * (quads_px - middle) + shift * (x * across + y * down)[:, None], turn, axis=1)
        for (x, y), turn, size in zip(SHIFTS, TURNS, SIZES, strict=True)
    ]
