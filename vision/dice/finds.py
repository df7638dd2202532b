"""What was found on a tray of dice, or of disks, and all that can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.crops import standing
from vision.crops.faces import FACES
from vision.dice import loose_doubts, loose_spots
from vision.dice.corners import corners_of
from vision.dice.lint import outlined
from vision.dice.sizes import beside_its_like, sides_by_set
from vision.eyes import Eyes
from vision.finding.pieces import Pieces
from vision.finding.scene import SCALE, Scene
from vision.geometry import Bools, Floats, Ints
from vision.ground import felt
from vision.ground.papers import papers_of
from vision.tray.rectify import Image, Tray

NO_CRUMB = 1e-3
"""A single pip on what looks like bare felt is a die's if its `p_unreadable` is below this: 53 of 60
dice there on 980 traced trays had less, of 301 crumbs and dents the least had 0.005, all others 0.1 and more."""
SINGLE = np.array([value == 1 for _, value in FACES])
"""Faces with nothing but one pip or digit on them."""
AMONG = 3
"""A piece with so many tiles beside it lies in the middle of them."""


@dataclass(frozen=True, slots=True)
class Shown:
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
class Finds:
    """One picture's finds, n of them, of whatever kind."""

    picture_bgr: Image
    tray: Tray
    eyes: Eyes
    scene: Scene
    dice: bool
    """Dice are expected; else disks, with tiles beside them."""

    def of(self, kind: str) -> Bools:
        """Return (n,) which finds are of one of KINDS."""
        return self.scene.found.are(kind)

    def well_found(self) -> Ints:
        """Return the indices of what was found well enough to be a die or a disk."""
        return np.flatnonzero((self.scene.found.score >= loose_spots.FOUND) & ~self.of("tile"))

    def corners(self, there: Ints, which: Bools) -> Floats:
        """Return (m,) how square m of the finds `there` are, by a mask of them, as `corners_of` has it."""
        soft, found = np.asarray(cv2.blur(self.picture_bgr, (3, 3)), dtype=np.uint8), self.scene.found
        middle, half = self.scene.quads_mm[there].mean(axis=1), found.size_px[there].mean(axis=1) / (2 * SCALE)
        return corners_of(soft, self.tray, self.scene.ground, middle, half, which=which)

    def may_stand(self, at: Ints, *, above: float = standing.FLAT) -> Bools:
        """Return (m,) which of m finds do not lie flat for certain, by a logit above; none where nobody can tell."""
        if self.eyes.stands is None or len(at) == 0:
            return np.zeros(len(at), dtype=bool)
        logits = self.eyes.stands(self.picture_bgr, self.tray.to_px(self.scene.quads_mm[at]))
        return np.asarray(logits > above)

    def there(self, asked: Bools) -> Floats:
        """Return (n,) the logit that a piece lies where finds of a mask (n,) do; NaN for others, or nobody to say."""
        out = np.full(len(asked), np.nan)
        if self.eyes.there is not None and asked.any():
            out[asked] = self.eyes.there(self.picture_bgr, self.tray.to_px(self.scene.quads_mm[asked]))
        return out

    def shown(self, which: Bools) -> Shown:
        """Return what the finds of a mask (n,) show; all others nothing."""
        n = len(which)
        out = Shown(np.ones(n), np.zeros(n), *np.zeros((3, n), dtype=bool))
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

    def outlined(self, hardly: Bools) -> Bools:
        """Return (n,) which of the finds of a mask (n,) have edges of their own: others may be fibres on the felt."""
        found, out = self.scene.found, np.zeros(len(hardly), dtype=bool)
        if hardly.any():
            width = float(np.median(found.size_px[found.plainly(felt.PLAINER)].min(axis=1))) / SCALE
            middle = self.scene.quads_mm.mean(axis=1)
            papers = [np.mean(p, axis=0, keepdims=True) for p in papers_of(self.tray)]
            others = np.concatenate([middle, *papers])
            out[hardly] = outlined(self.picture_bgr, middle[hardly], others, width_mm=width, tray=self.tray)
        return out

    def beside(self, real: Bools) -> Bools:
        """Return (n,) which finds lie next to one of the dice in a mask (n,) and are as large; none among disks."""
        wide = np.asarray(self.scene.found.size_px, dtype=np.float64).mean(axis=1) / SCALE
        return self.dice & beside_its_like(self.scene.quads_mm.mean(axis=1), wide, real)

    def tiles_in_earnest(self) -> Bools:
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


def among(mask: Bools, which: Bools) -> Bools:
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
