"""Doubtful dice looked at again, where exactly they lie (`vision.crops.outline`): the finder may be off by a pip."""

from __future__ import annotations

import numpy as np

from vision.crops import outline
from vision.crops.faces import DISPUTED, Faces
from vision.crops.second_look import DOUBTFUL, Look, certainty, look_again
from vision.geometry import Bools, Floats, Ints, widths
from vision.tray.rectify import Image

FARTHEST = 0.6
"""What would be moved further than this, over its side, or as near to another find, stays where it was found: its top
may be another die's."""
SHIFT = 0.5
"""The cuts of a second look are shifted as far as the finder errs; the outline errs by half as much."""
PASSES = 2
"""Where a die lies is looked for so often, from where it was seen last: what was found 0.30 of a side off was seen 0.19
off, and 0.12 off from there. A third time adds nothing. Of 489 trays of dice by three programs one that was asked about
is read since; nothing else changes."""
GUESSED, ASKEW = 0.7, 0.1
"""A face seen less certainly than the first was a guess: it does not speak against another, but nothing is believed
there unless a corner was found off by more than the second, over the side. Else something else hinders reading it: a
lamp's image that hid the middle pip of a three made it a two at 0.64, and a hundredth of a side off one at 0.9998."""


def look_exactly(
    picture_bgr: Image,
    quads_px: Floats,
    is_die: Bools,
    shown: Faces,
    look: Look,
    *,
    exactly: outline.Look,
    apart: Look | None = None,
) -> tuple[Faces, Floats]:
    """Return what pieces show, and where they lie (n, 4, 2): doubtful dice as they look where exactly they lie.

    shown: what they show after a second look. apart: as of `look_again`. Of a face that both see the surer look stands;
    where they see different ones, nobody can read it. A guess stands, too, unless the die was found askew.
    """
    doubtful = np.flatnonzero(is_die & (certainty(shown) < DOUBTFUL))
    at, there = _moved(picture_bgr, quads_px, doubtful, exactly)
    if len(at) == 0:
        return shown, quads_px
    dice, before = np.ones(len(at), dtype=bool), shown.only(at)
    now = look_again(picture_bgr, there, dice, look(picture_bgr, there, dice), look, apart=apart, shift=SHIFT)
    better, disputed = _weighed(before, now, askew=_off_by(quads_px[at], there) > ASKEW)
    log_probs, unreadable, quads = shown.log_probs.copy(), shown.p_unreadable.copy(), quads_px.copy()
    unreadable[at[disputed]] = np.maximum(unreadable[at[disputed]], DISPUTED)
    log_probs[at[better]], unreadable[at[better]] = now.log_probs[better], now.p_unreadable[better]
    quads[at[better]] = there[better]
    return Faces(log_probs, unreadable), quads


def _weighed(before: Faces, now: Faces, *, askew: Bools) -> tuple[Bools, Bools]:
    """Return (n,) of which dice the look where they exactly lie stands, and which of them nobody can read.

    askew: (n,) which were found so far off that a guess there says nothing.
    """
    agree = before.log_probs.argmax(axis=1) == now.log_probs.argmax(axis=1)
    guessed = certainty(before) < GUESSED
    return np.where(guessed, askew, agree & (certainty(now) > certainty(before))), ~agree & ~guessed


def _off_by(quads_px: Floats, there_px: Floats) -> Floats:
    """Return (n,) how far the farthest corner of each quad (n, 4, 2) lies from where it was found, over the side."""
    side = widths(quads_px)
    return np.asarray(np.linalg.norm(there_px - quads_px, axis=2).max(axis=1) / side)


def _moved(picture_bgr: Image, quads_px: Floats, at: Ints, exactly: outline.Look) -> tuple[Ints, Floats]:
    """Return which of the dice `at` can be looked at where they lie, by index, and (m, 4, 2) where that is."""
    if len(at) == 0:
        return at, quads_px[at]
    side, middle = widths(quads_px), quads_px.mean(axis=1)
    there = quads_px.copy()
    for _ in range(PASSES):
        there[at] = exactly(picture_bgr, there[at])
    seen = there.mean(axis=1)
    apart = np.linalg.norm(seen[:, None] - seen, axis=2) + np.diag(np.full(len(seen), np.inf))
    free = (apart >= FARTHEST * side[:, None]).all(axis=1) & (np.linalg.norm(seen - middle, axis=1) < FARTHEST * side)
    return at[free[at]], there[at[free[at]]]
