"""Possible dice and disks: where they lie, how dice are turned, what the faces show, what is no piece at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from vision.colour.paint import patches
from vision.crops import outline
from vision.crops.exact_look import look_exactly
from vision.crops.faces import Faces
from vision.crops.second_look import Look, SecondOpinion, look_again
from vision.dice.sizes import HARDLY
from vision.geometry import SQUARE, Bools, Floats, Ints, nearest, widths
from vision.tray.rectify import Image, Tray

FOUND = 0.3
"""Score from which a piece is taken for one."""
NO_PIECE = 0.85
"""Above this `p_unreadable`, something found less than certainly is no piece at all."""
BESIDE, NO_FACE = 0.97, 0.55
"""... and what was found less certainly than HARDLY and shows no face by this `p_unreadable`, where no further from a
better found one than this, over the side, is the other's side or shadow. A die that lay there would be left over."""
PLAINLY_DISK = 3
"""`LooseSpots.torn` of what was plainly found as a disk."""
AROUND = 0.68
"""Half a window around a die, over the die's side: its corners, and little of its neighbours."""
WINDOW_PX = 36
EDGES = 10.0
"""How much more the edges of a die say of its angle than the finder, where they all agree; where half of them do, a
quarter of it. Of 2,802 dice on 440 traced and 80 drawn trays one in ten is off by 6.7 degrees by its edges, by 3.6 as
the finder has it, by 2.9 as both say together; one in twenty by 18, 5 and 4. From 4 to 40 that hardly changes."""

_Values = TypeVar("_Values", Bools, Ints)


@dataclass(frozen=True, slots=True)
class LooseSpots:
    """Possible dice and disks. All arrays of one length n."""

    is_die: Bools
    quads_px: Floats
    """(n, 4, 2) a die's top face, or the square around a disk, in the picture."""
    score: Floats
    faces: Faces
    dropped: bool = False
    """Something else was found that is neither readable nor the shadow of a piece that is."""
    doubted: Bools | None = None
    """(n,) which may be no pieces at all, whatever they show; None for none of them."""
    torn: Ints | None = None
    """(n,) of dice: 0 for a die, by its shape or how it stands, 1 for what may be a disk, 2 for what looks like one,
    PLAINLY_DISK; None for all 0."""

    def only(self, keep: Bools) -> LooseSpots:
        """Return the spots of a mask (n,)."""
        shown, doubted, torn = self.faces.only(keep), _kept(self.doubted, keep), _kept(self.torn, keep)
        return LooseSpots(self.is_die[keep], self.quads_px[keep], self.score[keep], shown, self.dropped, doubted, torn)


def dice_quads(
    picture_bgr: Image, centre_mm: Floats, *, side_mm: Floats, tray: Tray, found_deg: Floats | None = None
) -> Floats:
    """Return (n, 4, 2) the top faces of dice in the picture, turned as the finder and their own edges say.

    side_mm: (n,). found_deg: (n,) counter-clockwise angles as the finder has them, NaN where it has none; None for no
    finder.
    """
    windows = tray.to_px(centre_mm[:, None] + AROUND * side_mm[:, None, None] * SQUARE)
    said = np.array([_edges_say(pixels) for pixels in patches(picture_bgr, windows, size=WINDOW_PX)], np.complex128)
    if found_deg is not None:
        said += np.nan_to_num(np.exp(-4j * np.radians(found_deg)))
    out = []
    for centre, side, a in zip(centre_mm, side_mm, np.angle(said) / 4.0, strict=True):
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        out.append(centre + side / 2 * SQUARE @ turn)
    return tray.to_px(np.array(out).reshape(-1, 4, 2))


def _edges_say(pixels: Floats) -> complex:
    """Return how a square in the middle of a window lies: four times its angle (clockwise), as long as edges are sure.

    The edges of a square all point along its sides, and four times their angle is one direction, in which pips and
    round corners cancel out.
    """
    t = (np.arange(WINDOW_PX) + 0.5) / WINDOW_PX * 2 - 1
    far = np.hypot(*np.meshgrid(t, t))
    ring = ((far > 0.5) & (far < 0.98))[..., None]
    gx, gy = cv2.Sobel(pixels, cv2.CV_64F, 1, 0), cv2.Sobel(pixels, cv2.CV_64F, 0, 1)
    weight = (gx**2 + gy**2) * ring
    total, most = complex((weight * np.exp(4j * np.arctan2(gy, gx))).sum()), float(weight.sum())
    return EDGES * abs(total) * total / most**2 if most else 0j


def look_at_loose(
    picture_bgr: Image,
    quads_px: Floats,
    is_die: Bools,
    score: Floats,
    *,
    look: Look,
    second: SecondOpinion | None = None,
    apart: Look | None = None,
    doubted: Bools | None = None,
    torn: Ints | None = None,
    exactly: outline.Look | None = None,
) -> LooseSpots:
    """Return what the faces show, without what is found so poorly that it is no piece.

    second: heard on the digits of doubtful disks; None for nobody. apart: as of `look_again`. doubted: (n,) which may
    be no pieces at all; torn: (n,) as `LooseSpots` has it. exactly: where doubtful dice lie for
    certain; None: as they were found.
    """
    keep = score >= FOUND
    quads_px, is_die, score = quads_px[keep], is_die[keep], score[keep]
    shown = look(picture_bgr, quads_px, is_die)
    faces = look_again(picture_bgr, quads_px, is_die, shown, look, second=second, apart=apart)
    if exactly is not None:
        faces, quads_px = look_exactly(picture_bgr, quads_px, is_die, faces, look, exactly=exactly, apart=apart)
    real = (np.asarray(faces.p_unreadable) < NO_PIECE) | (score > 2 * FOUND)
    beside = is_die & _beside_a_better(quads_px, score, np.asarray(faces.p_unreadable) >= NO_FACE)
    dropped = _alone(quads_px[~real & ~beside], quads_px[real])
    real &= ~beside
    doubted, torn = _kept(doubted, keep), _kept(torn, keep)
    return LooseSpots(is_die, quads_px, score, faces, dropped, doubted, torn).only(real)


def _kept(values: _Values | None, keep: Bools) -> _Values | None:
    """Return those of (n,) values that a mask (n,) keeps; None for none at all."""
    return None if values is None else values[keep]


def _beside_a_better(quads_px: Floats, score: Floats, faceless: Bools) -> Bools:
    """Return (n,) which of the hardly found pieces without a face are but the side or the shadow of another."""
    side, middle = widths(quads_px), quads_px.mean(axis=1)
    near = np.linalg.norm(middle[:, None] - middle, axis=2) < BESIDE * (side[:, None] + side) / 2
    better = (score[None] > score[:, None]) & ~faceless[None]
    return np.asarray(faceless & (score < HARDLY) & (near & better).any(axis=1))


def _alone(quads_px: Floats, others_px: Floats) -> bool:
    """Return whether one of the pieces lies apart from all the others: not just one seen twice."""
    if len(quads_px) == 0 or len(others_px) == 0:
        return len(quads_px) > 0
    away = nearest(quads_px.mean(axis=1), others_px.mean(axis=1))
    width = float(widths(others_px).mean())
    return bool((away > 0.75 * width).any())
