"""Dice that the finder hardly sees: what shows a face beyond doubt where none was read is a die, or asked about.

Grey dice of glass on pale felt look to the finder, and by their light alone, like a shadow; their pips do not. Twos
seen aslant look like disks with two dots: it is torn between the two, and sure of neither.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.crops import outline, standing
from vision.crops.faces import FACES, Faces
from vision.crops.second_look import Look, look_again
from vision.dice import loose_doubts, loose_spots
from vision.dice.aim import FROM_MM, aimed, tops_of
from vision.dice.finds import sides_of
from vision.dice.nothing import APART, are_nothing
from vision.dice.sizes import on_flanks
from vision.finding.pieces import Pieces
from vision.finding.scene import EMPTY_SCORE, Scene
from vision.geometry import Bools, Floats, nearest, transform, widths
from vision.ground.papers import on_papers, papers_on
from vision.tray.rectify import Image, Tray

READABLE, PLAINLY = 0.1, 0.99
"""A face by less `p_unreadable` than the first, and likelier than the second, is one. Of 782 traced trays of dice two
dice show themselves so, one of which nobody would have missed; and nothing that is no die, but crumbs that look like a
single pip, and print on the markers."""
BESIDE = 1.5
"""... and what shows a single pip, legibly, is asked about where it lies no further than this from a die, over its
side, and is no flank of it: crumbs lie anywhere. Of 656 things on 805 traced trays that were hardly found and showed a
single pip one does, a black die that touches another on dark felt; the next would at 1.7, and is hard to read."""
PERHAPS = 0.5
"""What shows a face by less `p_unreadable` than this is looked at where it exactly lies, too. To look so at everything
takes a fourteenth of the time that a tray of dice takes."""
LIKELY, THERE = 0.9, 3.0
"""... and is asked about if its face is likelier than the first and the net of what stands says by more than the second
(a logit) that a piece lies there, on none of the dice: a black die on felt as dark, found at 0.28, was left out without
a word in a picture twice as large. Of 1,765 other things hardly found, in 421 readings of 210 traced trays, none is so:
what has more than the second shows no face likelier than 0.82."""
AGREED = 0.5
"""Two finders that see a piece no further apart than this, over its width, see the same one."""
OF_ITS_OWN = 0.9
"""What lies nearer to a die than this, over its side, may be its flank; dice that touch lie at 0.98 and more."""


def seen_by_both(picture_bgr: Image, tray: Tray, found: Pieces, coarse: Pieces, look: Look) -> Pieces:
    """Return what was found, and with it, as just found, the dice that it takes both finders and their faces to see.

    found: in the rectified picture at SCALE, by the finer net; coarse: by the net for all pieces. Each such die shows
    more than one pip, beyond doubt, by itself: it can be read, while `overlooked` asks about what one net sees.
    """
    hardly = _hardly_found(found, coarse)
    if len(hardly.kind) == 0:
        return found
    side_mm = sides_of(found.and_(hardly))[len(found.kind) :]
    quads = aimed(picture_bgr, tops_of(picture_bgr, tray, hardly, side_mm=side_mm), hardly.score, look)
    all_dice = np.ones(len(quads), dtype=bool)
    shown = look_again(picture_bgr, quads, all_dice, look(picture_bgr, quads, all_dice), look)
    middle = tray.to_mm(quads).mean(axis=1)
    plain = loose_doubts.unmistakable(shown) & ~_single(shown) & ~on_papers(middle, papers_on(tray))
    if not plain.any():
        return found
    centre, score = transform(middle, FROM_MM).astype(np.float32), np.full(len(plain), loose_spots.FOUND, np.float32)
    dice = replace(hardly, centre_px=centre, score=score).only(plain)
    once_more = ~found.are("tile") & (found.score < loose_spots.FOUND) & _near(found, dice, AGREED)
    return found.only(~once_more).and_(dice)


def _hardly_found(found: Pieces, coarse: Pieces) -> Pieces:
    """Return the dice that the finer net found too poorly to be any, that the other net sees, too, of their own."""
    there = ~found.are("tile") & (found.score >= loose_spots.FOUND)
    hardly = found.only(found.are("die") & ~there)
    if found.faint is not None:
        hardly = hardly.and_(found.faint.of("die"))
    seen = coarse.only(~coarse.are("tile") & (coarse.score >= EMPTY_SCORE))
    return hardly.only(_near(hardly, seen, AGREED) & ~_near(hardly, found.only(there), OF_ITS_OWN))


def _near(pieces: Pieces, others: Pieces, limit: float) -> Bools:
    """Return (n,) which pieces lie nearer to one of the others than the limit, over the larger width of the two."""
    away = np.linalg.norm(pieces.centre_px[:, None] - others.centre_px[None], axis=2)
    wide = np.maximum(pieces.size_px.mean(axis=1)[:, None], others.size_px.mean(axis=1))
    return np.asarray((away < limit * wide).any(axis=1))


def _single(shown: Faces) -> Bools:
    """Return (n,) which faces show a single pip, if any: so do two crumbs on felt."""
    return np.asarray(shown.log_probs.argmax(axis=1) == FACES.index(("die", 1)))


def overlooked(
    picture_bgr: Image,
    tray: Tray,
    scene: Scene,
    dice_mm: Floats,
    look: Look,
    *,
    there: standing.Look | None = None,
    exactly: outline.Look | None = None,
) -> list[Floats]:
    """Return the outlines (4, 2) of dice among what the finder hardly sees.

    dice_mm: (n, 4, 2) those that were read. there: whether a piece lies at a place; None for nobody to say. exactly:
    where a die lies for certain; None: as it was found, which is poorly.
    """
    hardly = ~scene.found.are("tile") & (scene.found.score < loose_spots.FOUND)
    # What was found too poorly to be read, though not among the faint, nobody else looks at again.
    seen = np.concatenate([scene.faint_mm, scene.quads_mm[hardly]])
    if len(seen) == 0 or len(dice_mm) == 0:
        return []
    wide = widths(dice_mm)
    side_mm = float(np.median(wide))
    middle = seen.mean(axis=1)
    middle = middle[_of_their_own(middle, dice_mm, tray, side_mm)]
    # A flank has pips as a top has.
    middle = middle[~on_flanks(middle, dice_mm, wide, scene.camera)]
    if len(middle) == 0:
        return []
    quads_px = loose_spots.dice_quads(picture_bgr, middle, side_mm=np.full(len(middle), side_mm), tray=tray)
    shown = look(picture_bgr, quads_px, np.ones(len(quads_px), dtype=bool))
    quads_mm = tray.to_mm(quads_px)
    away = nearest(quads_mm.mean(axis=1), dice_mm.mean(axis=1)) / side_mm
    single = _single_beside(shown, away)
    # A shadow's soft middle passes for a single pip.
    single[single] = ~are_nothing(picture_bgr, tray, quads_mm[single], there)
    plain = _plainly_dice(shown) | single | _likely_there(picture_bgr, quads_px, shown, away, there)
    dice, perhaps = [*quads_mm[plain]], ~plain & (np.asarray(shown.p_unreadable) < PERHAPS)
    if exactly is not None and perhaps.any():
        exact_px = exactly(picture_bgr, quads_px[perhaps])
        exact_px = exact_px[_of_their_own(tray.to_mm(exact_px).mean(axis=1), dice_mm, tray, side_mm)]
        dice += [*tray.to_mm(exact_px[_plainly_dice(look(picture_bgr, exact_px, np.ones(len(exact_px), dtype=bool)))])]
    return dice


def _of_their_own(middle_mm: Floats, dice_mm: Floats, tray: Tray, side_mm: float) -> Bools:
    """Return (n,) which middles (n, 2) lie on none of the dice (m, 4, 2), nor on a marker."""
    away = nearest(middle_mm, dice_mm.mean(axis=1))
    return np.asarray((away > APART * side_mm) & ~on_papers(middle_mm, papers_on(tray)))


def _single_beside(shown: Faces, away: Floats) -> Bools:
    """Return (n,) which faces show a single pip that can be read, right beside a die. away: from it, over its side."""
    beside = (away > OF_ITS_OWN) & (away < BESIDE)
    return np.asarray(beside & _single(shown) & (np.asarray(shown.p_unreadable) < READABLE))


def _likely_there(
    picture_bgr: Image, quads_px: Floats, shown: Faces, away: Floats, there: standing.Look | None
) -> Bools:
    """Return (n,) which places likely show a face of more than one pip, and surely a piece. away: as above."""
    out = _shows_pips(shown, LIKELY, PERHAPS) & (away > OF_ITS_OWN)
    if there is None or not out.any():
        return np.zeros(len(out), dtype=bool)
    out[out] = there(picture_bgr, quads_px[out]) > THERE
    return np.asarray(out)


def _plainly_dice(shown: Faces) -> Bools:
    """Return (n,) which faces, of more than one pip, leave next to no doubt."""
    return _shows_pips(shown, PLAINLY, READABLE)


def _shows_pips(shown: Faces, least: float, unreadable: float) -> Bools:
    """Return (n,) which show a face of more than one pip, likelier than `least`, with less `p_unreadable` than that."""
    likely = np.exp(shown.log_probs).max(axis=1, initial=0.0) > least
    return np.asarray(likely & (np.asarray(shown.p_unreadable) < unreadable) & ~_single(shown))
