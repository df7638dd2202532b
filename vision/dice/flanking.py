"""Which dice are but the flank of another one, seen aslant, or lie where no die can stand."""

from __future__ import annotations

import numpy as np

from vision.dice import loose_spots, sizes
from vision.dice.finds import Finds, among, sides_of
from vision.finding.scene import SCALE
from vision.geometry import Bools


def flanks_of(finds: Finds, real: Bools) -> tuple[Bools, Bools]:
    """Return (n,) which of the dice in a mask (n,) are but parts of others, and which may be or overlap one.

    A die in its own right shows a face: the net has learned what flanks, pips and halves of dice look like. What
    plainly is no top is a flank unless it is plainly found and others are as small; where a flank is seen and no die
    can stand, only a face beyond doubt is none. All else is asked about.
    """
    found = finds.scene.found.only(real)
    score = np.asarray(found.score)
    wide, middle, side = found.size_px.mean(axis=1) / SCALE, finds.scene.quads_mm[real].mean(axis=1), sides_of(found)
    near, worse = sizes.flanks(middle, wide, score)
    shown = finds.shown(among(real, near | sizes.overlapping(middle, side, limit=sizes.TOUCHING)))
    faced, no_top = shown.faced[real], shown.unreadable[real] > sizes.NO_TOP
    of_its_own = (score >= sizes.HARDLY) & sizes.of_small_set(side, near)
    aslant = sizes.in_a_flank(middle, side, finds.scene.camera.foot_of(middle, height_mm=side), faced)
    flank = aslant & ~faced
    # A flank outshines no die: each would be gone for the other.
    none = flank | sizes.seen_again(middle, wide, np.where(flank, 0.0, score)) | (worse & no_top & ~of_its_own)
    none |= sizes.between_two(middle, side, score, faced)
    alone = sizes.orphaned(middle, side, none)
    none &= ~alone
    unsure = (near & ~faced) | aslant | alone
    unsure |= sizes.doubted_beside(middle, side, no_top, there=~none)
    return among(real, none), among(real, unsure)


def in_a_flank(finds: Finds, which: Bools, real: Bools) -> Bools:
    """Return (n,) which finds of a mask (n,) lie in the flank of a die in another (n,), where no die can stand.

    Of one that shows its face beyond doubt: what is no die has no flank. A smaller die may stand nearer to it, but not
    overlap it as large as it was found.
    """
    if not which.any():
        return which
    both = which | real
    found, middle = finds.scene.found.only(both), finds.scene.quads_mm[both].mean(axis=1)
    side, wide, faced = sides_of(found), found.size_px.mean(axis=1) / SCALE, (finds.shown(real).faced & real)[both]
    flank = sizes.in_a_flank(middle, side, finds.scene.camera.foot_of(middle, height_mm=side), faced)
    return which & among(both, flank & sizes.overlapping(middle, wide, others=faced))


def parts_of_dice(finds: Finds, which: Bools, real: Bools) -> Bools:
    """Return (n,) which dice of a mask (n,), whatever they show, are but a flank of one in another, or it once more.

    Found less well than HARDLY, as those are; what lies on a flank less well than a die must be, and where dice are of
    one size: a smaller one may stand there.
    """
    found, middle = finds.scene.found, finds.scene.quads_mm.mean(axis=1)
    hardly = which & finds.of("die") & (np.asarray(found.score) < sizes.HARDLY)
    if not hardly.any() or not real.any():
        return np.zeros(len(which), dtype=bool)
    side = sides_of(found.only(real))
    once_more = (np.linalg.norm(middle[:, None] - middle[real], axis=2) < sizes.CLOSE * side).any(axis=1)
    flank = sizes.on_flanks(middle, finds.scene.quads_mm[real], side, finds.scene.camera)
    return np.asarray(hardly & (once_more | (flank & (found.score < loose_spots.FOUND))))
