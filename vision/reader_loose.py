"""A tray of dice, or of disks beside tiles: what lies there, what it shows, and whether that is all."""

from __future__ import annotations

import numpy as np

from vision import loose
from vision.eyes import Eyes, Stopwatch
from vision.geometry import Floats
from vision.layout import Expectation
from vision.leftover import left_over
from vision.paint import paper_white
from vision.reading import DISTURBING, Problem, Reading, Status
from vision.rectify import Image, Tray
from vision.scene import EMPTY_SCORE, Scene, only, papers_of
from vision.sorting import Sorted, Sorter, sides_of


def read_loose_tray(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: Stopwatch
) -> Reading:
    """Return the dice, or the disks; tiles may lie beside disks, but nothing else beside what is expected."""
    sorter = Sorter(picture_bgr, tray, eyes, scene, dice=what is Expectation.DICE)
    finds = sorter.sort()
    spots = _looked_at(sorter, finds)
    watch.lap("symbols")
    white = paper_white(picture_bgr, tray)
    found = loose.read_loose(picture_bgr, spots, white_bgr=white, known=eyes.die_colours)
    watch.lap("rules")
    problems = scene.problems | found.problems
    tiles = sorter.of("tile")
    if scene.strange or finds.foreign.any() or _left_over(scene, tray, scene.quads_mm[~finds.real & tiles], spots):
        problems |= Problem.COUNT
    items = [d.sure for d in found.dice] + [d.sure for d in found.disks]
    status = Status.READ if items and all(items) and not problems & DISTURBING else Status.UNSURE
    if not items and not problems & DISTURBING and not (tiles & (scene.found.score >= EMPTY_SCORE)).any():
        status = Status.EMPTY
    return Reading(
        status,
        dice=found.dice,
        disks=found.disks,
        problems=problems,
        tray=tray.corners,
        expected=what.value,
    )


def _looked_at(sorter: Sorter, finds: Sorted) -> loose.LooseSpots:
    """Return what the pieces to read show: dice turned as their edges run, and of one size for all of a set."""
    found, quads_mm, tray = only(sorter.scene.found, finds.real), sorter.scene.quads_mm[finds.real], sorter.tray
    if sorter.dice and finds.real.any():
        centre_mm = quads_mm.mean(axis=1)
        quads_px = loose.dice_quads(sorter.picture_bgr, centre_mm, side_mm=sides_of(found), tray=tray)
    else:
        quads_px = tray.to_px(quads_mm)
    return loose.look_at_loose(
        sorter.picture_bgr,
        quads_px,
        np.full(len(quads_px), sorter.dice),
        np.asarray(found.score, dtype=np.float64),
        look=sorter.eyes.faces,
        second=sorter.eyes.digits,
        doubted=finds.doubted[finds.real],
    )


def _left_over(scene: Scene, tray: Tray, tiles_mm: Floats, spots: loose.LooseSpots) -> bool:
    """Return whether something as large as a piece lies where none was read: at the rim, in a cluster of dice.

    tiles_mm: (k, 4, 2) of the tiles beside them.
    """
    quads_mm = tray.to_mm(spots.quads_px)
    if len(quads_mm) == 0:
        return False
    side = float(np.linalg.norm(quads_mm[:, 1] - quads_mm[:, 0], axis=1).min())
    papers = papers_of(tray) if tray.markers else []
    return left_over(scene.ground.strange, np.concatenate([quads_mm, tiles_mm]), side_mm=side, papers_mm=papers)
