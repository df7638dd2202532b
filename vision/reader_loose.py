"""A tray of dice, or of disks beside tiles: what lies there, what it shows, and whether that is all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision import conditions, loose, pieces
from vision.eyes import Eyes, Stopwatch
from vision.faces import FACES
from vision.geometry import Floats
from vision.layout import Expectation
from vision.leftover import left_over
from vision.lint import outlined
from vision.paint import paper_white
from vision.pieces import Pieces
from vision.reading import DISTURBING, Problem, Reading, Status
from vision.rectify import Image, Tray
from vision.scene import EMPTY_SCORE, SCALE, Scene, only, papers_of

TOO_LARGE = 1.22
"""A round thing this much larger than the dice is a disk after all."""
HALF = 0.5
"""What is not even half covered by anything may be the gap between other pieces, or felt with a fibre on it."""
SEEN = 0.65
"""What looks like felt and was found less certainly than this is asked what it shows, before it counts as anything."""
BLANK = 0.05
"""... and is no piece if its `p_unreadable` is above this. On 449 traced trays pieces of the felt's colour had 0.02 at
most, and of what was felt with a fibre or a dent on it nothing had less than 0.03."""
HINT = 0.02
"""... and is something, however faintly it was found, if it is below this."""
SHOWING = 0.02
"""What shows a face, by less `p_unreadable` than this, is no fibre, whatever its edges: 147 fibres on traced trays have
0.05 and more, and a disk of the felt's own colour with hardly any edge had less than 0.001."""
SINGLE = np.array([value == 1 for _, value in FACES])
"""Faces with nothing but one pip or digit on them."""
AMONG = 3
"""A piece with so many tiles beside it lies in the middle of them."""


def read_loose_tray(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: Stopwatch
) -> Reading:
    """Return the dice, or the disks; tiles may lie beside disks, but nothing else beside what is expected.

    The finder takes a die that shows a one for a disk at times; whoever expects dice has no disks there.
    """
    dice = what is Expectation.DICE
    tiles = scene.found.kind == pieces.KINDS.index("tile")
    bare, thin = scene.covered < conditions.BARE, scene.covered < HALF
    wanted = ~tiles & (True if dice else scene.found.kind == pieces.KINDS.index("disk"))
    hardly = wanted & thin & (scene.found.score < loose.PLAINER)
    lint = _lint(picture_bgr, tray, eyes, scene, hardly, dice=dice)
    wanted &= ~lint
    foreign = ~wanted & (scene.found.score >= EMPTY_SCORE) & ~bare & ~lint
    if not dice:
        foreign &= ~_real_tiles(picture_bgr, tray, eyes, scene) & ~(tiles & thin)
    # Dice may be of the felt's colour. What looks like bare felt is no piece unless it shows a face; if that is not
    # unmistakable, it may be one more, or nothing: the table is asked.
    weak = wanted & bare & (scene.found.score < SEEN)
    unreadable, unmistakable = _shown(picture_bgr, tray, eyes, scene, weak, dice=dice)
    blank = weak & (unreadable > BLANK)
    faint = weak & ~(unmistakable & (scene.found.score >= loose.FOUND))
    real = wanted & ~blank & ~(faint & (scene.found.score < loose.PLAIN))
    foreign |= faint & ~blank & ~real & ((scene.found.score >= EMPTY_SCORE) | (unreadable < HINT))
    if dice and real.any():
        real &= ~_sides(scene, real)
        side = _die_side(only(scene.found, real))
        foreign |= real & (scene.found.size_px.min(axis=1) > TOO_LARGE * side * SCALE)
        quads_px = loose.dice_quads(picture_bgr, scene.quads_mm[real].mean(axis=1), side_mm=side, tray=tray)
    else:
        quads_px = tray.to_px(scene.quads_mm[real])
    score = np.asarray(scene.found.score[real], dtype=np.float64)
    spots = loose.look_at_loose(
        picture_bgr,
        quads_px,
        np.full(len(score), dice),
        score,
        look=eyes.faces,
        second=eyes.digits,
        doubted=faint[real],
    )
    watch.lap("symbols")
    white = paper_white(picture_bgr, tray)
    found = loose.read_loose(picture_bgr, spots, white_bgr=white, known=eyes.die_colours)
    watch.lap("rules")
    problems = scene.problems | found.problems
    if scene.strange or foreign.any() or _left_over(scene, tray, real, spots):
        problems |= Problem.COUNT
    items = [d.sure for d in found.dice] + [d.sure for d in found.disks]
    if not items and not problems & DISTURBING and not (tiles & (scene.found.score >= EMPTY_SCORE)).any():
        return Reading(Status.EMPTY, problems=problems, tray=tray.corners, expected=what.value)
    certain = bool(items) and all(items) and not problems & DISTURBING
    return Reading(
        Status.READ if certain else Status.UNSURE,
        dice=found.dice,
        disks=found.disks,
        problems=problems,
        tray=tray.corners,
        expected=what.value,
    )


def _lint(
    picture_bgr: Image, tray: Tray, eyes: Eyes, scene: Scene, doubted: NDArray[np.bool_], *, dice: bool
) -> NDArray[np.bool_]:
    """Return (n,) which of the doubted finds are but fibres on the felt: without edges, and without a face to read."""
    out = np.zeros(len(doubted), dtype=bool)
    if doubted.any():
        plain = scene.found.score >= min(loose.PLAINER, float(scene.found.score.max()))
        width = float(np.median(scene.found.size_px[plain].min(axis=1))) / SCALE
        middle = scene.quads_mm.mean(axis=1)
        papers = [np.mean(p, axis=0, keepdims=True) for p in papers_of(tray)]
        others = np.concatenate([middle, *papers])
        out[doubted] = ~outlined(picture_bgr, middle[doubted], others, width_mm=width, tray=tray)
        out &= _shown(picture_bgr, tray, eyes, scene, out, dice=dice)[0] > SHOWING
    return out


def _shown(
    picture_bgr: Image, tray: Tray, eyes: Eyes, scene: Scene, which: NDArray[np.bool_], *, dice: bool
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return how likely the finds of a mask (n,) show no face of a die, or of a disk, and which show one plainly.

    Both (n,): 1 and False for all others.
    """
    unreadable, plain = np.ones(len(which)), np.zeros(len(which), dtype=bool)
    if which.any():
        quads_px = tray.to_px(scene.quads_mm[which])
        faces = eyes.faces(picture_bgr, quads_px, np.full(len(quads_px), dice))
        unreadable[which] = faces.p_unreadable
        # A crumb on bare felt looks like a single pip, and nothing tells a one in the felt's colour from it.
        plain[which] = loose.unmistakable(faces) & ~SINGLE[faces.log_probs.argmax(axis=1)]
    return unreadable, plain


def _left_over(scene: Scene, tray: Tray, real: NDArray[np.bool_], spots: loose.LooseSpots) -> bool:
    """Return whether something as large as a piece lies where none was read: at the rim, in a cluster of dice."""
    quads_mm = tray.to_mm(spots.quads_px)
    if len(quads_mm) == 0:
        return False
    side = float(np.median(np.linalg.norm(quads_mm[:, 1] - quads_mm[:, 0], axis=1)))
    tiles = scene.quads_mm[~real & (scene.found.kind == pieces.KINDS.index("tile"))]
    read_there = np.concatenate([quads_mm, tiles])
    papers = papers_of(tray) if tray.markers else []
    return left_over(scene.ground.strange, read_there, side_mm=side, papers_mm=papers)


def _real_tiles(picture_bgr: Image, tray: Tray, eyes: Eyes, scene: Scene) -> NDArray[np.bool_]:
    """Return (n,) which pieces are tiles in earnest: not alone, and with something to be read on them, or among them.

    Beside disks, a disk that was mistaken for a tile must not go unnoticed.
    """
    out = scene.found.kind == pieces.KINDS.index("tile")
    at = np.flatnonzero(out)
    if len(at) == 0:
        return np.asarray(out)
    middle = scene.quads_mm[at].mean(axis=1)
    away = np.linalg.norm(middle[:, None] - middle[None], axis=2) + 1e3 * np.eye(len(at))
    width = float(np.median(scene.found.size_px[at, 0])) / SCALE
    quads_px = tray.to_px(scene.quads_mm[at])
    readable = np.asarray(eyes.look(picture_bgr, quads_px).p_unreadable) < 0.5
    beside = away < 1.35 * width
    out[at] = beside.any(axis=1) & (readable | (beside.sum(axis=1) >= AMONG))
    return np.asarray(out)


def _sides(scene: Scene, real: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n,) which of the dice in a mask (n,) are but the side of another."""
    found, out = only(scene.found, real), np.zeros(len(real), dtype=bool)
    wide, middle = found.size_px.mean(axis=1) / SCALE, scene.quads_mm[real].mean(axis=1)
    out[real] = loose.sides_of_dice(middle, wide, np.asarray(found.score), side_mm=_die_side(found))
    return out


def _die_side(found: Pieces) -> float:
    """Return the side of the dice in millimetres: one for all, as the plainly found ones have it."""
    plain = found.score >= min(loose.PLAIN, float(found.score.max()))
    return float(np.median(found.size_px[plain])) / SCALE
