"""Which finds on a tray of dice, or of disks, are pieces to read, which may be nothing, and what else lies there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.crops import standing
from vision.crops.faces import FACES
from vision.dice import loose_doubts, loose_spots
from vision.dice.cast import NO_FACE, SHADED, dark_felt, in_reach
from vision.dice.corners import corners_of
from vision.dice.lint import outlined
from vision.dice.sizes import (
    HARDLY,
    NO_TOP,
    TOUCHING,
    beside_its_like,
    doubted_beside,
    flanks,
    in_a_flank,
    of_no_set,
    of_small_set,
    orphaned,
    overlapping,
    seen_again,
    sides_by_set,
)
from vision.eyes import Eyes
from vision.finding.pieces import Pieces
from vision.finding.scene import EMPTY_SCORE, SCALE, Scene
from vision.geometry import Bools, Floats, Ints
from vision.ground import felt
from vision.ground.papers import papers_of
from vision.tray.rectify import Image, Tray

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
SQUARE, ROUND, RATHER = 0.05, 0.03, 0.5
"""What was hardly found as a die, but has corners by the first, as `corners_of` has them, is one. What has none, by
the second, and was found as a disk by more than the third, may be a disk, whatever its colour. To the smaller finder
before this one 18 of 5,572 dice on 831 traced trays were such disks, three of them round; of 957 disks 820 of the 841
with an outline were."""
CORNERED = 0.08
"""What was found as a disk, however plainly, has such corners and may stand up (`vision.crops.standing.FLAT`), is a die
after all, unless it seems to lie flat (RATHER_FLAT there): its round top mirrors a lamp. Of 1,056 disks with an outline
on 281 traced trays one has such corners, at the rim, and it lies as flat as any; of 901 trays of dice 12 have such
dice, 16 together."""
OUTRIGHT = 0.85
"""No shadow is found so well: of 31 on 290 trays, drawn by two programs, the best was found at 0.73. A grey die between
two others, as dark as felt in a shadow, with a lamp's image painted on it, was found at 0.90."""
HALF = 0.5
"""What is not even half covered by anything may be the gap between other pieces, or felt with a fibre on it."""
SEEN = 0.55
"""What looks like felt and was found less certainly than this is asked what it shows, before it counts as anything."""
BLANK, BLANK_IF_FOUND = 0.1, 0.6
"""... and is no piece if its `p_unreadable` is above the first, or the second where it was found as well as a piece
should be. On 980 traced trays 60 of 64 dice of the felt's colour had 0.06 and less, and 499 of 504 bits of felt with a
fibre or a dent more than 0.1; of the latter none was found so well, was below 0.6 and showed one face."""
PERHAPS = 0.5
"""What looks like felt, shows more than a single pip by less `p_unreadable` than this, and has edges, is asked about
where it is no die's shadow. Of 600 traced trays of dice three dice are such, one half hidden by the rim, and nothing
else: three shadows lie beside their dice."""
NO_DIE = 0.9
"""What looks like felt, touches a die of its size, was found as well as a piece should be and shows one face is asked
about unless its `p_unreadable` is above this: of a die in the colour that felt has in a shadow nothing would be left
over. On 450 traced trays nothing is such; to two of four finders one die was, a grey one between others."""
HINT = 0.02
"""... and is something, however faintly it was found, if it is below this; in between no piece if no face is likelier
than NO_FACE, as of a shadow."""
SHOWING = 0.1
"""What shows a face, by less `p_unreadable` than this, is no fibre, whatever its edges: of 528 bits of felt on traced
trays 5 have less; a disk of the felt's own colour with hardly any edge had less than 0.001, and dice up to 0.06."""
NO_CRUMB = 1e-3
"""A single pip on what looks like bare felt is a die's if its `p_unreadable` is below this: 53 of 60
dice there on 980 traced trays had less, of 301 crumbs and dents the least had 0.005, all others 0.1 and more."""
SINGLE = np.array([value == 1 for _, value in FACES])
"""Faces with nothing but one pip or digit on them."""
AMONG = 3
"""A piece with so many tiles beside it lies in the middle of them."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What became of the finds; all arrays of one length n."""

    real: Bools
    """Pieces to read."""
    doubted: Bools
    """Of these, which may be nothing at all, whatever they show."""
    foreign: Bools
    """Something else than what is expected, or something that nobody can tell."""
    torn: Ints
    """Of dice: 0 for a die, 1 for what may be a disk, 2 for what looks like one, 3 for what was plainly found so."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What finds show; all arrays of one length n."""

    unreadable: Floats
    """How likely it is no face of a die, or of a disk."""
    likeliest: Floats
    """How likely the likeliest face is, if it is one."""
    plainly: Bools
    """A face beyond doubt; a single pip must be plainer than a crumb."""
    single: Bools
    """A single pip or digit, if any."""
    faced: Bools
    """A face beyond doubt, a single pip as well."""


@dataclass(frozen=True, slots=True)
class Sorter:
    """One picture's finds, with all that can be asked of them."""

    picture_bgr: Image
    tray: Tray
    eyes: Eyes
    scene: Scene
    dice: bool
    """Dice are expected; else disks, with tiles beside them."""

    def sort(self) -> Sorted:
        """Return which finds to read, which to doubt and which are foreign.

        The finder takes a die that shows a one for a disk at times, and a dotted disk for a die; whoever expects dice
        has no disks there.
        """
        found, tiles, bare = self.scene.found, self.of("tile"), self.scene.covered < felt.BARE
        thin, counts = self.scene.covered < HALF, found.score >= EMPTY_SCORE
        torn = self._torn()
        round_ = self._round_ones()
        wanted = ~tiles if self.dice else self.of("disk") | (self.of("die") & (torn > 0)) | round_
        hardly = wanted & thin & (found.score < felt.PLAINER)
        dark = dark_felt(self.scene.ground, self.scene.quads_mm, wanted & (self.scene.covered < SHADED) & self.dice)
        plain = wanted & (found.score >= loose_doubts.PLAIN)
        # A die may be of the felt's own colour, and cast a shadow.
        shown, edged = self._shown(hardly | dark | (plain & bare & dark.any())), self._outlined(hardly)
        # What shows a face beyond doubt is asked about at least, and what lies in the dark where no die casts a shadow.
        disk = torn == 3
        lint = hardly & (shown.unreadable > SHOWING) & ~edged & ~(disk & (found.score >= SEEN))
        dice = plain & ~lint & (shown.faced | (~bare & ~dark))
        may_be_nothing = ~dark | (in_reach(self.scene.quads_mm, dark, dice) & (found.score < OUTRIGHT))
        lint |= self._there(dark & may_be_nothing & ~shown.faced) < standing.NO_PIECE
        wanted = wanted & ~lint
        seen = ~bare | (self.of("die") & (found.score >= SEEN))
        foreign = ~wanted & counts & seen & ~lint
        if not self.dice:
            foreign &= ~self._tiles_in_earnest() & ~(tiles & thin)
        # Dice may be of the felt's colour. What looks like bare felt is no piece unless it shows a face; if that is not
        # unmistakable, it may be one more, or nothing: the table is asked.
        crumb = shown.single & ~edged & self.dice
        weak = wanted & bare & (found.score < np.where(crumb, felt.PLAINER, SEEN))
        limit = np.where(found.score < loose_doubts.PLAIN, BLANK, BLANK_IF_FOUND)
        blank = weak & (shown.unreadable > np.where(shown.likeliest < NO_FACE, HINT, limit))
        faint = weak & ~(shown.plainly & (found.score >= loose_spots.FOUND))
        real = wanted & ~blank & ~(faint & (found.score < loose_doubts.PLAIN))
        foreign |= faint & ~blank & ~real & (counts | (shown.unreadable < HINT))
        # Half hidden by the rim, or dark on dark: nobody says what it shows, but it has edges, and no die casts it.
        perhaps = blank & edged & ~shown.single & (shown.unreadable < PERHAPS) & self.dice
        perhaps &= ~self.in_a_flank(perhaps, real)
        foreign |= perhaps & ~in_reach(self.scene.quads_mm, perhaps & dark, dice & ~dark)
        foreign |= blank & plain & (shown.likeliest > NO_FACE) & (shown.unreadable < NO_DIE) & self._beside(real)
        if self.dice:
            passed_over = (lint | blank) & ~real & ~foreign
            there = self._there(passed_over | (bare & (foreign | (real & faint))))
            nothing = may_be_nothing & (foreign | real) & (there < standing.NO_PIECE)
            nothing &= ~self._shown(nothing).faced
            foreign, real = foreign & ~nothing, real & ~nothing
            perhaps_dice = np.flatnonzero(passed_over & (there > standing.PERHAPS))
            foreign[perhaps_dice[self.may_stand(perhaps_dice, above=standing.RATHER_STANDS)]] = True
            faint &= ~(there > standing.A_PIECE)
        if self.dice and real.any():
            # What is nothing has put no die away that it overlaps.
            flank, unsure = self._flanks(real)
            real, faint = real & (disk | ~flank), faint | unsure
            foreign |= self._too_large(real)
        elif not self.dice:
            of_no = _among(real, of_no_set(np.asarray(found.size_px, np.float64)[real]))
            faint = faint | of_no | (self.of("die") & ~round_)
        return Sorted(real, faint, foreign, torn)

    def _there(self, asked: Bools) -> Floats:
        """Return (n,) the logit that a piece lies where finds of a mask (n,) do; NaN for others, or nobody to say."""
        out = np.full(len(asked), np.nan)
        if self.eyes.there is not None and asked.any():
            out[asked] = self.eyes.there(self.picture_bgr, self.tray.to_px(self.scene.quads_mm[asked]))
        return out

    def _beside(self, real: Bools) -> Bools:
        """Return (n,) which finds lie next to one of the dice in a mask (n,) and are as large; none among disks."""
        wide = np.asarray(self.scene.found.size_px, dtype=np.float64).mean(axis=1) / SCALE
        return self.dice & beside_its_like(self.scene.quads_mm.mean(axis=1), wide, real)

    def of(self, kind: str) -> Bools:
        """Return (n,) which finds are of one of KINDS."""
        return self.scene.found.are(kind)

    def _torn(self) -> Ints:
        """Return (n,) whether finds may be disks, as `Sorted.torn` has it. Their shape is asked only where dice lie."""
        disk, lead = self.of("disk"), self.scene.found.lead()
        torn = (disk | (self.of("die") & (lead < TORN))).astype(np.int64)
        plainly, there = disk & (lead > A_DISK), self._found()
        maybe = (torn[there] > 0) | (lead[there] < TORN_IF_ROUND)
        if not self.dice or not maybe.any():
            return np.where(plainly, 3, torn)
        corners = self._corners(there, maybe)
        at, round_ = there[maybe], corners < ROUND
        torn[at] = np.where(torn[at] > 0, disk[at] | ~(corners >= SQUARE), round_)
        torn[at] += round_ & disk[at] & (lead[at] > RATHER)
        torn[plainly] = 3
        square = at[disk[at] & (corners >= CORNERED)]
        torn[square[self.may_stand(square)]] = 0
        return torn

    def may_stand(self, at: Ints, *, above: float = standing.FLAT) -> Bools:
        """Return (m,) which of m finds do not lie flat for certain, by a logit above; none where nobody can tell."""
        if self.eyes.stands is None or len(at) == 0:
            return np.zeros(len(at), dtype=bool)
        logits = self.eyes.stands(self.picture_bgr, self.tray.to_px(self.scene.quads_mm[at]))
        return np.asarray(logits > above)

    def _round_ones(self) -> Bools:
        """Return (n,) which finds among disks are no dice by their shape, though the finder takes them for dice.

        Four dots are a four to it. What shows no outline, as it is as dark as felt, is none if it lies flat. All else
        that may be a die is asked about there: of 2,541 dice read as if they were disks 13 are sure ones, on trays that
        ask about others.
        """
        out = np.zeros(len(self.scene.quads_mm), dtype=bool)
        there = self._found()
        maybe = (self.of("die") & (self.scene.found.lead() < TORN_IF_ROUND))[there]
        if self.dice or not maybe.any():
            return out
        at, corners = there[maybe], self._corners(there, maybe)
        out[at] = corners < ROUND
        unseen = at[np.isnan(corners)]
        if self.eyes.stands is not None:
            out[unseen] = ~self.may_stand(unseen, above=standing.RATHER_FLAT)
        return out

    def _found(self) -> Ints:
        """Return the indices of what was found well enough to be a die or a disk."""
        return np.flatnonzero((self.scene.found.score >= loose_spots.FOUND) & ~self.of("tile"))

    def _corners(self, there: Ints, which: Bools) -> Floats:
        """Return (m,) how square m of the finds `there` are, by a mask of them, as `corners_of` has it."""
        soft, found = np.asarray(cv2.blur(self.picture_bgr, (3, 3)), dtype=np.uint8), self.scene.found
        middle, half = self.scene.quads_mm[there].mean(axis=1), found.size_px[there].mean(axis=1) / (2 * SCALE)
        return corners_of(soft, self.tray, self.scene.ground, middle, half, which=which)

    def _outlined(self, hardly: Bools) -> Bools:
        """Return (n,) which of the finds of a mask (n,) have edges of their own: others may be fibres on the felt."""
        found, out = self.scene.found, np.zeros(len(hardly), dtype=bool)
        if hardly.any():
            width = float(np.median(found.size_px[found.plainly(felt.PLAINER)].min(axis=1))) / SCALE
            middle = self.scene.quads_mm.mean(axis=1)
            papers = [np.mean(p, axis=0, keepdims=True) for p in papers_of(self.tray)]
            others = np.concatenate([middle, *papers])
            out[hardly] = outlined(self.picture_bgr, middle[hardly], others, width_mm=width, tray=self.tray)
        return out

    def _shown(self, which: Bools) -> _Shown:
        """Return what the finds of a mask (n,) show; all others nothing."""
        n = len(which)
        out = _Shown(np.ones(n), np.zeros(n), *np.zeros((3, n), dtype=bool))
        if which.any():
            quads_px = self.tray.to_px(self.scene.quads_mm[which])
            faces = self.eyes.faces(self.picture_bgr, quads_px, np.full(len(quads_px), self.dice))
            out.unreadable[which] = faces.p_unreadable
            out.likeliest[which] = np.exp(faces.log_probs).max(axis=1)
            out.single[which] = SINGLE[faces.log_probs.argmax(axis=1)]
            out.faced[which] = loose_doubts.unmistakable(faces)
            # A crumb on bare felt looks like a single pip: a one in the felt's colour must be plainer than that.
            out.plainly[which] = out.faced[which] & (~out.single[which] | (out.unreadable[which] < NO_CRUMB))
        return out

    def _tiles_in_earnest(self) -> Bools:
        """Return (n,) which finds are tiles indeed: not alone, and with something to be read on them, or among them.

        Beside disks, a disk that was mistaken for a tile must not go unnoticed.
        """
        out = self.of("tile")
        at = np.flatnonzero(out)
        if len(at) == 0:
            return out
        middle = self.scene.quads_mm[at].mean(axis=1)
        away = np.linalg.norm(middle[:, None] - middle[None], axis=2) + 1e3 * np.eye(len(at))
        width = float(np.median(self.scene.found.size_px[at, 0])) / SCALE
        quads_px = self.tray.to_px(self.scene.quads_mm[at])
        readable = np.asarray(self.eyes.look(self.picture_bgr, quads_px).p_unreadable) < 0.5
        beside = away < 1.35 * width
        out[at] = beside.any(axis=1) & (readable | (beside.sum(axis=1) >= AMONG))
        return out

    def _flanks(self, real: Bools) -> tuple[Bools, Bools]:
        """Return (n,) which of the dice in a mask (n,) are but the flank of another, and which may be or overlap one.

        A die in its own right shows a face: the net has learned what flanks, pips and halves of dice look like. What
        plainly is no top is a flank unless it is plainly found and others are as small; where a flank is seen and no
        die can stand, only a face beyond doubt is none. All else is asked about.
        """
        found = self.scene.found.only(real)
        score = np.asarray(found.score)
        wide, middle, side = found.size_px.mean(axis=1) / SCALE, self.scene.quads_mm[real].mean(axis=1), sides_of(found)
        near, worse = flanks(middle, wide, score)
        shown = self._shown(_among(real, near | overlapping(middle, side, limit=TOUCHING)))
        faced, no_top = shown.faced[real], shown.unreadable[real] > NO_TOP
        of_its_own = (score >= HARDLY) & of_small_set(side, near)
        aslant = in_a_flank(middle, side, self.scene.camera.foot_of(middle, height_mm=side), faced)
        flank = aslant & ~faced
        # A flank outshines no die: each would be gone for the other.
        none = flank | seen_again(middle, wide, np.where(flank, 0.0, score)) | (worse & no_top & ~of_its_own)
        alone = orphaned(middle, side, none)
        none &= ~alone
        unsure = (near & ~faced) | aslant | alone
        unsure |= doubted_beside(middle, side, no_top, there=~none)
        return _among(real, none), _among(real, unsure)

    def in_a_flank(self, which: Bools, real: Bools) -> Bools:
        """Return (n,) which finds of a mask (n,) lie in the flank of a die in another (n,), where no die can stand.

        Of one that shows its face beyond doubt: what is no die has no flank. A smaller die may stand nearer to it, but
        not overlap it as large as it was found.
        """
        if not which.any():
            return which
        both = which | real
        found, middle = self.scene.found.only(both), self.scene.quads_mm[both].mean(axis=1)
        side, wide, faced = sides_of(found), found.size_px.mean(axis=1) / SCALE, (self._shown(real).faced & real)[both]
        flank = in_a_flank(middle, side, self.scene.camera.foot_of(middle, height_mm=side), faced)
        return which & _among(both, flank & overlapping(middle, wide, others=faced))

    def _too_large(self, real: Bools) -> Bools:
        """Return (n,) which of the dice in a mask (n,) are disks: found as such, and too large."""
        found, out = self.scene.found, real & self.of("disk")
        if out.any():
            out &= found.size_px.min(axis=1) > TOO_LARGE * float(np.median(sides_of(found.only(real)))) * SCALE
        return out


def _among(mask: Bools, which: Bools) -> Bools:
    """Return a mask (n,) of those that `which` (m,) says of the m in another mask (n,)."""
    out = mask.copy()
    out[mask] = which
    return out


def sides_of(found: Pieces) -> Floats:
    """Return (n,) the sides of dice in millimetres, n >= 1: one for all of a set, as the plainly found ones have it."""
    return sides_by_set(np.asarray(found.size_px, np.float64), found.plainly(loose_doubts.PLAIN)) / SCALE


def angles_of(found: Pieces) -> Floats:
    """Return (n,) how dice lie, in degrees counter-clockwise; NaN for what was found as a disk, which has none."""
    return np.where(found.are("disk"), np.nan, np.asarray(found.angle_deg, np.float64))
