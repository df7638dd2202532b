"""What dice and disks show: a small net over crops cut from the frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.crops.contrast import spread
from vision.crops.cutting import cut
from vision.crops.head import Head
from vision.crops.marks import seen_on_disks
from vision.crops.nets import MODELS, evened, outputs, with_features
from vision.crops.pips import count_pips

Array = np.ndarray[Any, np.dtype[Any]]

FACES: tuple[tuple[str, int], ...] = (
    *(("die", n) for n in range(1, 7)),
    *(("prediction", n) for n in (1, 2, 4)),
    *(("queue", n) for n in (1, 2, 3, 4)),
)
"""(kind, value) in the order of every array of probabilities here."""
SIDE = 48
"""Side of a crop in pixels."""
MARGIN = 0.2
"""Margin around the piece on each side, over the crop's side."""
RIM = round(SIDE * MARGIN)
"""The same in pixels."""
DISK_SHARE = 0.84
"""Share of a crop's side that a disk fills: around the top of a die its sides must be seen, around a disk is felt."""
MODEL = MODELS / "faces.onnx"


@dataclass(frozen=True, slots=True)
class Faces:
    """What the net says about n crops."""

    log_probs: Array
    """(n, 13) float32, natural logarithms in the order of FACES; a die gives its probability to dice only, a
    disk to disks only."""
    p_unreadable: Array
    """(n,) float32: covered, washed out, or neither die nor disk."""

    def only(self, keep: Array) -> Faces:
        """Return those of a mask (n,) or of indices."""
        return Faces(self.log_probs[keep], self.p_unreadable[keep])


AGREED = 8.0
"""How much likelier a face becomes when it is seen without the net, too: as many pips or dots, or a one that is a plain
stroke. On photographs of dice the counter is right some 45 times as often as it counts a given wrong number, on drawn
and traced disks hundreds of times; much less is believed."""
DISPUTED = 0.5
"""`p_unreadable` of a piece on which something else is seen without the net: no reason to drop it, but to ask."""
SETTLED = 0.99
"""A net this sure is not disputed: of 233 dice, drawn as hard as the training's, on which the counter kept counting
another number while the net was sure to 0.9, the net was right on all."""


def look(picture_bgr: Array, quads_px: Array, is_die: Array, *, head: Head | None = None) -> Faces:
    """Return what dice and disks show, as the net sees it and as pips, dots and a plain stroke are seen without it.

    picture_bgr: (h, w, 3) uint8; quads_px: (n, 4, 2) as for `cut_faces`; is_die: (n,) bool; head: what
    was learnt of the owner's own dice.
    """
    dice = np.asarray(is_die, bool)
    crops = cut_faces(picture_bgr, closer(quads_px, dice))
    said = classify_faces(crops, is_die=dice, head=head)
    if head is not None:
        # An owner's own dice may show anything.
        return said
    return with_witness(said, seen=_without_net(crops, dice))


def look_apart(picture_bgr: Array, quads_px: Array, is_die: Array) -> Faces:
    """Return what dice and disks show to the net when their colours are spread apart; arguments as of `look`."""
    crops = cut_faces(picture_bgr, closer(quads_px, is_die))
    return classify_faces(spread(crops, rim=(RIM, RIM)), is_die=is_die)


def _without_net(crops_bgr: Array, is_die: Array) -> Array:
    """Return (n,) which of FACES each crop shows as far as that can be told without a net; -1 where it cannot."""
    seen = np.full(len(crops_bgr), -1)
    seen[is_die] = count_pips(crops_bgr[is_die], margin=MARGIN) - 1
    disks = seen_on_disks(crops_bgr[~is_die], share=DISK_SHARE)
    seen[~is_die] = [-1 if face is None else FACES.index(face) for face in disks]
    return seen


def with_witness(said: Faces, *, seen: Array) -> Faces:
    """Return what the net says with a second opinion on it. seen: (n,) which of FACES, -1 for no opinion."""
    log_probs, unreadable = said.log_probs.astype(np.float64), said.p_unreadable.copy()
    best = log_probs.argmax(axis=1)
    open_to_doubt = log_probs.max(axis=1) < np.log(SETTLED)
    agreed = np.flatnonzero((seen >= 0) & (best == seen))
    other = np.flatnonzero((seen >= 0) & (best != seen) & open_to_doubt)
    log_probs[agreed, best[agreed]] += np.log(AGREED)
    log_probs -= np.logaddexp.reduce(log_probs, axis=1, keepdims=True)
    unreadable[other] = np.maximum(unreadable[other], DISPUTED)
    return Faces(log_probs.astype(np.float32), unreadable)


def closer(quads_px: Array, is_die: Array) -> Array:
    """Return the quads with those of disks drawn together, so that each fills DISK_SHARE of its crop."""
    quads = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    middle = quads.mean(axis=1, keepdims=True)
    near = (1 - 2 * MARGIN) / DISK_SHARE
    return np.where(np.asarray(is_die, bool)[:, None, None], quads, middle + near * (quads - middle))


def cut_faces(frame_bgr: Array, quads_px: Array, *, side: int = SIDE) -> Array:
    """Return the pieces cut from the frame, (n, side, side, 3) uint8.

    quads_px: (n, 4, 2) corners of the die's top face or of the square around the disk, TL TR BR BL in the frame. side:
    of the crops in pixels; the net sees SIDE.
    """
    near, far = side * MARGIN, side * (1 - MARGIN)
    return cut(frame_bgr, quads_px, size_wh=(side, side), box=(near, near, far, far))


def normalised(crops_bgr: Array) -> Array:
    """Return the net's input, (n, 3, h, w) float32: channels with mean 0, each crop with a spread of about 1."""
    return evened(np.asarray(crops_bgr), rim=(RIM, RIM), floor=30.0, most=4.0)


def classify_faces(crops_bgr: Array, *, is_die: Array, head: Head | None = None) -> Faces:
    """Return what the crops of `cut_faces` show.

    crops_bgr: (n, 48, 48, 3) uint8 or float32; is_die: (n,) bool, as `vision.finding.pieces` told dice from disks.
    head: what was learnt of the owner's own dice. Raises BadModel when the shipped model is missing. Not for two
    threads at once.
    """
    if len(crops_bgr) == 0:
        return Faces(np.zeros((0, len(FACES)), np.float32), np.zeros(0, np.float32))
    if head is not None:
        return _with_head(crops_bgr, np.asarray(is_die, bool), head)
    return _faces(outputs(MODEL, normalised(crops_bgr)), is_die)


def _with_head(crops_bgr: Array, is_die: Array, head: Head) -> Faces:
    """Return what net and head say together; the head knows dice only."""
    features, out = with_features(MODEL, normalised(crops_bgr))
    alone = _faces(out, is_die)
    opinion = head.mix(alone.log_probs, features)
    return Faces(
        np.where(is_die[:, None], opinion.log_probs, alone.log_probs),
        np.where(is_die, alone.p_unreadable * opinion.strange, alone.p_unreadable),
    )


def _faces(out: Array, is_die: Array) -> Faces:
    ours = np.array([kind == "die" for kind, _ in FACES])
    logits = np.where(np.asarray(is_die, bool)[:, None] == ours[None], out[:, : len(FACES)], -30.0)
    top = logits.max(1, keepdims=True)
    log_probs = logits - top - np.log(np.exp(logits - top).sum(1, keepdims=True))
    return Faces(log_probs.astype(np.float32), 1 / (1 + np.exp(-np.clip(out[:, -1], -30, 30))))
