"""How large the dice of one tray are, and which finds are but the flank of another die, seen aslant."""

from __future__ import annotations

import numpy as np

from vision.geometry import Bools, Floats
from vision.tray.aslant import Camera

ODD = 0.14
"""Dice whose sizes differ by more than this (logarithm) are of two sets. The finder errs by less for 99 of 100 dice on
traced trays; dice of 16 mm beside some of 14 are 0.13 off, which does no harm, and beside some of 12 are 0.29."""
UNLIKE = 0.26
"""What was hardly found, and is off by more than this from all that was plainly found, has its own size."""
SMALLER = 0.9
"""The dice of a smaller set are smaller than the others at least by this."""
NEAR, SMALL = 0.88, 0.87
"""A find nearer to a die than this, and smaller, both over that die's side, may be its flank. Dice of one size that
touch lay at 0.85 and more on traced trays, and were 0.9 and more wide; flanks at 0.82, and were 0.80 wide."""
CLOSE, HARDLY = 0.62, 0.5
"""Nearer than this, over the side of the two, no die lies to another, however wide: what was found there less certainly
than HARDLY is a flank, or the other once more."""
OVERLAP = 0.8
"""Two dice nearer than this, over the side of the two, overlap: one of them is none, or lies on the other. Of 1,321
dice that lay close to others on traced trays 11 were found so near, each askew."""
TOUCHING = 1.0
"""... and nearer than this they may touch, or one be the other's flank."""
NO_TOP = 0.5
"""More `p_unreadable` than this has what is no top of a die. On 900 traced trays with dice of one size or two 13 of 16
flanks had more, and of 38 small dice that lay where a flank would one; 29 of these, and no flank, showed a face beyond
doubt."""
BESIDE = 1.15
"""Dice whose tops lie no further apart than this, over their side, touch or nearly do."""
MIDWAY = 0.2
"""What lies no further from the middle between two dice that touch, over their side, is half of each."""
ALONG, ASIDE, DEEP, BEFORE = 0.4, 0.25, 0.2, 0.88
"""Where the flank of a die is seen, over its side: at least so far from the middle of its top towards its foot, at most
so far to either side of that line, if the foot is seen at least so far from the top; and no further than the last. On
522 traced trays with dice and 72 drawn by a browser 30 flanks were found there and no die: those touching began at
0.98."""
ON = 0.2
"""... and what lies no further from the middle of one of its flanks than this, over its side, lies on that."""
NO_DISK = 0.2
"""A disk that differs in size from all others by more than this, as a natural logarithm, may be something else. Of 788
disks on traced trays the finder has none further than 0.15 from the usual size of its tray."""


def sides_by_set(size: Floats, plain: Bools) -> Floats:
    """Return (n,) the sides of dice: what the finder says, evened out over the dice of one set.

    size: (n, 2) width and height as found, in any unit; plain: (n,) which were found plainly (one at least). People mix
    dice: the commonest size comes first, and what is not of it is of another set.
    """
    own = np.sqrt(np.maximum(size, 1e-6).prod(axis=1))
    left, sets = np.flatnonzero(plain), []
    while len(left):
        near = np.abs(np.log(own[left, None] / own[left])) <= ODD
        members = near[near.sum(axis=1).argmax()]
        sets.append(float(np.median(size[left[members]])))
        left = left[~members]
    off = np.abs(np.log(own[:, None] / np.array(sets)))
    return np.asarray(np.where(off.min(axis=1) > UNLIKE, own, np.array(sets)[off.argmin(axis=1)]))


def of_no_set(size: Floats) -> Bools:
    """Return (n,) which disks are of a size that no other one has: a button, say. size: (n, 2), in any unit.

    Queue disks may be larger than prediction disks; fewer than three say nothing.
    """
    own = np.log(np.sqrt(np.maximum(size, 1e-6).prod(axis=1)))
    off = np.abs(own[:, None] - own) + np.diag(np.full(len(own), np.inf))
    return np.asarray((off.min(axis=1, initial=np.inf) > NO_DISK) & (len(own) >= 3))


def seen_again(centre_mm: Floats, wide_mm: Floats, score: Floats) -> Bools:
    """Return (n,) which finds are but another, better found die once more. wide_mm: (n,) how wide each was found."""
    close = _away(centre_mm) < CLOSE * (wide_mm[:, None] + wide_mm) / 2
    return np.asarray((close & (score[None] > score[:, None])).any(axis=1) & (score < HARDLY))


def overlapping(centre: Floats, side: Floats, *, limit: float = OVERLAP, others: Bools | None = None) -> Bools:
    """Return (n,) which finds lie nearer to another than two dice can: two pips of one die may pass for two ones.

    centre: (n, 2); side: (n,) as `sides_by_set` has them, in the same unit; limit: how near, over the side of the two;
    others: (n,) which of them count as another, None for all.
    """
    near = _away(centre) < limit * (side[:, None] + side) / 2
    np.fill_diagonal(near, False)
    if others is not None:
        near &= others
    return np.asarray(near.any(axis=1))


def doubted_beside(
    centre: Floats, side: Floats, no_top: Bools, *, there: Bools | None = None, limit: float = OVERLAP
) -> Bools:
    """Return (n,) which finds overlap another that says something against them: what is no top says nothing of a die.

    no_top: (n,) which finds are plainly no top of a die, as NO_TOP has it; there: (n,) which of them are pieces at all,
    None for all; centre, side and limit as for `overlapping`.
    """
    there = np.ones(len(side), dtype=bool) if there is None else there
    beside_top, beside_any = (overlapping(centre, side, limit=limit, others=o) for o in (there & ~no_top, there))
    return np.asarray(beside_top | (beside_any & no_top))


def between_two(centre: Floats, side: Floats, score: Floats, faced: Bools) -> Bools:
    """Return (n,) which finds are the halves of two dice that touch: two sixes end to end show a third one between.

    Right between two that were found better and show faces beyond doubt (n,) no die has room. centre: (n, 2); side:
    (n,) in the same unit; score: (n,) how well each was found.
    """
    near = _away(centre) < BESIDE * (side[:, None] + side) / 2
    two = np.triu(near & faced & faced[:, None], k=1)
    middle = (centre[:, None] + centre) / 2
    off = np.linalg.norm(middle[..., None, :] - centre, axis=3) / side
    worse = np.minimum(score[:, None], score)[..., None] > score
    return np.asarray((two[..., None] & (off < MIDWAY) & worse).any(axis=(0, 1)))


def flanks(centre_mm: Floats, wide_mm: Floats, score: Floats) -> tuple[Bools, Bools]:
    """Return (n,) which finds may be the flank of another die, and (n,) which of these were found less well than that.

    A small die that touches a larger one lies where a flank would: which of the two it is, its face and the other dice
    must tell.
    """
    near = (_away(centre_mm) < NEAR * wide_mm) & (wide_mm[:, None] < SMALL * wide_mm)
    return np.asarray(near.any(axis=1)), np.asarray((near & (score[None] > score[:, None])).any(axis=1))


def in_a_flank(centre_mm: Floats, side_mm: Floats, foot_mm: Floats, of: Bools) -> Bools:
    """Return (n,) which finds lie where the flank of another die is seen, and nearer to it than a die can stand.

    foot_mm: (n, 2) where on the felt the tops at centre_mm stand; of: (n,) which finds are dice without doubt.
    """
    off = (centre_mm[:, None] - centre_mm) / side_mm[None, :, None]
    down = (foot_mm - centre_mm) / side_mm[:, None]
    deep = np.linalg.norm(down, axis=1)
    way = down / np.maximum(deep, 1e-9)[:, None]
    along, aside = (off * way).sum(axis=2), np.abs(off[..., 0] * way[:, 1] - off[..., 1] * way[:, 0])
    there = (along > ALONG) & (aside < ASIDE) & (np.linalg.norm(off, axis=2) < BEFORE)
    return np.asarray((there & (of & (deep > DEEP))).any(axis=1))


def on_flanks(centre_mm: Floats, tops_mm: Floats, side_mm: Floats, camera: Camera) -> Bools:
    """Return (n,) which places lie on a flank that is seen of one of some dice, nearer to it than a die can stand.

    centre_mm: (n, 2); tops_mm: (m, 4, 2) the dice's tops as they are seen, side_mm: (m,). None where dice are of two
    sizes, as a smaller one may stand there.
    """
    if len(side_mm) == 0 or np.ptp(np.log(side_mm)) > ODD:
        return np.zeros(len(centre_mm), dtype=bool)
    middle, edges = tops_mm.mean(axis=1), (tops_mm + np.roll(tops_mm, -1, axis=1)) / 2
    down = camera.foot_of(middle, height_mm=side_mm) - middle
    # A flank is seen where the foot lies beyond the edge of the top.
    seen = ((edges - middle[:, None]) * down[:, None]).sum(axis=2) > DEEP / 2 * side_mm[:, None] ** 2
    away = np.linalg.norm(centre_mm[:, None, None] - (edges + down[:, None] / 2), axis=3)
    near = np.linalg.norm(centre_mm[:, None] - middle, axis=2) < BEFORE * side_mm
    return np.asarray((((away < ON * side_mm[:, None]) & seen).any(axis=2) & near).any(axis=1))


def orphaned(centre: Floats, side: Floats, gone: Bools) -> Bools:
    """Return (n,) which finds that are gone, as parts of another, have no such other: none that stays touches them.

    centre: (n, 2); side: (n,) in the same unit.
    """
    near = _away(centre) < TOUCHING * np.maximum(side[:, None], side)
    return np.asarray(gone & ~(near & ~gone).any(axis=1))


def beside_its_like(centre_mm: Floats, wide_mm: Floats, dice: Bools) -> Bools:
    """Return (n,) which finds lie next to a die as a die that touches it would, and are as large. dice: (n,)."""
    over = _away(centre_mm) / wide_mm
    alike = np.abs(np.log(wide_mm[:, None] / wide_mm)) <= ODD
    return np.asarray((dice & alike & (over > NEAR) & (over < BESIDE)).any(axis=1))


def _away(centre_mm: Floats) -> Floats:
    return np.asarray(np.linalg.norm(centre_mm[:, None] - centre_mm, axis=2))


def of_small_set(side: Floats, near: Bools) -> Bools:
    """Return (n,) which dice are of a set of smaller ones than others, of which one at least can be no flank.

    side: (n,) as `sides_by_set` has them; near: (n,) which dice can be flanks.
    """
    others = side[~near]
    of_others = (np.abs(side[:, None] / others - 1.0) < 1e-3).any(axis=1)
    return np.asarray(of_others & (side < SMALLER * side.max()))
