"""Whether what was found is a die or a disk, where the finder is torn: by its shape, its lead, and how it stands."""

from __future__ import annotations

import numpy as np

from vision.crops import standing
from vision.dice.finds import Finds, sides_of
from vision.dice.loose_spots import PLAINLY_DISK
from vision.finding.scene import SCALE
from vision.geometry import Bools, Floats, Ints
from vision.ground import felt

TOO_LARGE = 1.22
"""A round thing this much larger than the dice is a disk after all. What the finder takes for a die may be one of
another set: of 805 disks on traced trays it took none for a die, of 205 as large as the dice eight (see TORN)."""
A_DISK = 2.5
"""What was found as a disk by so much more than as a die (a difference of logits) is asked about among dice, whatever
its colour and its dots, unless it stands beyond doubt. Of 765 disks on traced and drawn trays 729 were found so by 3
and more; of 3,548 dice there 13 were taken for disks, three of them by so much (4.1 and more)."""
TORN, TORN_IF_ROUND = 1.0, 2.5
"""What was found as a die by no more than the first and has no corners, by no more than the second and is round, or as
a disk at all, may be a disk: it is a die if another one has its colour. Of those 3,548 dice nine were found by no more
than the first, 66 between the two; of those 765 disks one was found as a die, by 1.1. Among disks what was found as a
die so is a disk, and asked about."""
PLAINLY_A_DIE = 4.0
"""What was found as a die by less than this may lie flat none the less: one of four dots, on a tray of 80 with disks
among dice, by 3.4. Of 3,030 dice on 450 traced trays a quarter was."""
LIES = -1.0
"""Among disks what was found as a die by no more than PLAINLY_A_DIE is a disk if it is round, and the logit that it
stands is below this: of five disks on 775 trays that the finder took for dice all are, of 1,938 dice read as if they
were disks one, a three."""
SQUARE, ROUND, RATHER = 0.05, 0.03, 0.5
"""What was hardly found as a die, but has corners by the first, as `corners_of` has them, is one. What has none, by
the second, and was found as a disk by more than the third, may be a disk, whatever its colour. Among disks what lies in
between, lies plainly flat and shows more than a single dot is one, too. To the smaller finder before this one 18 of
5,572 dice on 831 traced trays were such disks, three of them round; of 957 disks 820 of the 841 with an outline
were."""
LEGIBLE = 0.5
"""Below this `p_unreadable` something is to be read; how surely is asked when it is."""
CORNERED = 0.08
"""What was found as a disk, however plainly, has such corners and may stand up (`vision.crops.standing.FLAT`), is a die
after all, unless it seems to lie flat (RATHER_FLAT there): its round top mirrors a lamp. Of 1,056 disks with an outline
on 281 traced trays one has such corners, at the rim, and it lies as flat as any; of 901 trays of dice 12 have such
dice, 16 together."""


def torn_between(finds: Finds) -> Ints:
    """Return (n,) 0 for a die, 1 for what may be a disk, 2 for what looks like one, 3 for what was plainly found so.

    Their shape is asked only where dice lie.
    """
    disk, lead = finds.of("disk"), finds.scene.found.lead()
    torn = (disk | (finds.of("die") & (lead < TORN))).astype(np.int64)
    plainly, there = disk & (lead > A_DISK), finds.well_found()
    maybe = (torn[there] > 0) | (lead[there] < TORN_IF_ROUND)
    if not finds.dice or not maybe.any():
        return np.where(plainly, PLAINLY_DISK, torn)
    corners = finds.corners(there, maybe)
    at, round_ = there[maybe], corners < ROUND
    torn[at] = np.where(torn[at] > 0, disk[at] | ~(corners >= SQUARE), round_)
    torn[at] += round_ & disk[at] & (lead[at] > RATHER)
    torn[plainly] = PLAINLY_DISK
    square = at[disk[at] & (corners >= CORNERED)]
    torn[square[finds.may_stand(square)]] = 0
    return torn


def torn_by_standing(finds: Finds, torn: Ints, real: Bools, quads_px: Floats) -> Ints:
    """Return (m,) as `torn_between` has it of the m finds in a mask (n,), but by how they stand of what may be a disk.

    That is also what was found as a disk and has corners, or as a die, but not plainly. What lies flat looks like a
    disk: then no colour makes a die of it. torn: (n,); quads_px: (m, 4, 2) as large and turned as dice. Whether it lies
    flat is seen as it was found, which a smaller disk fills.
    """
    torn, there = torn[real], np.flatnonzero(real)
    hardly_a_die = finds.of("disk")[there] | (finds.scene.found.lead()[there] < PLAINLY_A_DIE)
    at = np.flatnonzero((torn > 0) | hardly_a_die)
    if finds.eyes.stands is None or len(at) == 0:
        return torn
    logits = finds.eyes.stands(finds.picture_bgr, quads_px[at])
    torn[at[(torn[at] == 0) & (logits < standing.RATHER_FLAT)]] = 1
    torn[at[logits > np.where(torn[at] > 1, standing.STANDS_SURELY, standing.STANDS)]] = 0
    left = at[torn[at] > 0]
    flat = left[~finds.may_stand(there[left])]
    torn[flat] = np.maximum(torn[flat], 2)
    return torn


def round_ones(finds: Finds) -> Bools:
    """Return (n,) which finds among disks are no dice by their shape, though the finder takes them for dice.

    Four dots are a four to it. What looks like felt itself, and so has no outline, is none if it lies flat; what has
    none for another reason (a neighbour, the rim, nothing that is known as felt) is asked about, and so is all else
    that may be a die: of 2,541 dice read as if they were disks 13 are sure ones, on trays that ask about others. Beside
    what plainly is a disk one of several dots is so even where it seems to have corners, but no plain ones, if the
    finder is torn and it does not stand: dark on dark felt hardly shows where it ends. Two such of 120 trays had logits
    of 1.1; of 484 dice read as disks all have more than 3.
    """
    out, lead = np.zeros(len(finds.scene.quads_mm), dtype=bool), finds.scene.found.lead()
    there = finds.well_found()
    maybe = (finds.of("die") & (lead < PLAINLY_A_DIE))[there]
    if finds.dice or not maybe.any():
        return out
    at, corners = there[maybe], finds.corners(there, maybe)
    plainly = lead[at] >= TORN_IF_ROUND
    out[at] = (corners < ROUND) & ~plainly
    if finds.eyes.stands is not None:
        unseen = at[np.isnan(corners) & ~plainly & (finds.scene.covered[at] < felt.BARE)]
        out[unseen] = ~finds.may_stand(unseen, above=standing.RATHER_FLAT)
        asked = np.zeros_like(out)
        asked[at] = (corners >= ROUND) & (corners < SQUARE) & ~plainly
        hardly = np.flatnonzero(asked & ~finds.shown(asked).single)
        out[hardly] = ~finds.may_stand(hardly, above=standing.RATHER_FLAT)
        flat = at[(corners < ROUND) & plainly]
        out[flat] = ~finds.may_stand(flat, above=LIES)
        if (finds.of("disk") & (lead > A_DISK))[there].any():
            several = _of_several_dots(finds, at[~out[at] & ~plainly & ~(corners >= CORNERED)])
            out[several] = ~finds.may_stand(several, above=standing.STANDS)
    return out


def _of_several_dots(finds: Finds, at: Ints) -> Ints:
    """Return which of the finds `at` show more than a single dot, if anything that can be read."""
    which = np.zeros(len(finds.scene.quads_mm), dtype=bool)
    which[at] = True
    shown = finds.shown(which)
    return np.flatnonzero(which & ~shown.single & (shown.unreadable < LEGIBLE))


def too_large(finds: Finds, real: Bools) -> Bools:
    """Return (n,) which of the dice in a mask (n,) are disks: found as such, and too large."""
    found, out = finds.scene.found, real & finds.of("disk")
    if out.any():
        out &= found.size_px.min(axis=1) > TOO_LARGE * float(np.median(sides_of(found.only(real)))) * SCALE
    return out
