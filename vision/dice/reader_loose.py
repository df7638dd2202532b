"""A tray of dice, or of disks beside tiles: what lies there, what it shows, and whether that is all."""

from __future__ import annotations

import cv2
import numpy as np

from vision.crops import standing
from vision.dice import loose, loose_spots
from vision.dice.fallen import beyond_the_felt
from vision.dice.nothing import without_shadows
from vision.dice.overlooked import overlooked
from vision.dice.piled import half_under, under_others
from vision.dice.sorting import PLAINLY_A_DIE, Sorted, Sorter, angles_of, sides_of
from vision.eyes import Eyes, Stopwatch
from vision.finding.scene import EMPTY_SCORE, SCALE, Scene
from vision.geometry import Floats, Ints, widths
from vision.ground.conditions import hides_a_piece
from vision.ground.leftover import OF_DICE, OF_DISKS, left_over
from vision.ground.local_light import light_around
from vision.ground.papers import on_papers, papers_on
from vision.ground.white import Papers
from vision.layout import Expectation
from vision.reading import DISTURBING, Problem, Reading, Status
from vision.tray.aslant import Camera, bodies_of
from vision.tray.rectify import Image, Tray
from vision.unread import places_of

IN_LIGHT = 0.65
"""A blown-out square of this side, over that of the smallest piece, may hide one: a square that fits into a disk."""
LIT = 0.2
"""Dice that lack less light than this, a natural logarithm of grey values, are in the light of the white they have."""
BESIDE_MM = 6.0
"""A piece whose middle is no further from a marker's paper than this may hide it: where two markers are hidden, nobody
knows more exactly where these lie."""


def read_loose_tray(
    picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, scene: Scene, watch: Stopwatch
) -> Reading:
    """Return the dice, or the disks; tiles may lie beside disks, but nothing else beside what is expected."""
    sorter = Sorter(picture_bgr, tray, eyes, scene, dice=what is Expectation.DICE)
    finds = sorter.sort()
    spots = _looked_at(sorter, finds)
    watch.lap("symbols")
    feet_px = feet_of(spots.quads_px, tray, scene.camera) if sorter.dice else None
    quads_mm = tray.to_mm(spots.quads_px)
    light = light_around(scene.ground, quads_mm) if sorter.dice else None
    lit_mm = quads_mm if light is None else quads_mm[light.lacks < LIT]
    white = Papers.of(picture_bgr, tray).white(ground=scene.ground, pieces_mm=lit_mm)
    found = loose.read_loose(picture_bgr, spots, white_bgr=white, known=eyes.die_colours, feet_px=feet_px, light=light)
    watch.lap("rules")
    problems = scene.problems | found.problems
    tiles = sorter.of("tile")
    explained = np.concatenate([quads_mm, scene.quads_mm[~finds.real & tiles]])
    if _hidden_by_light(scene, tray, explained):
        problems |= Problem.GLARE
    unread = [*scene.quads_mm[finds.foreign], *beyond_the_felt(picture_bgr, tray, eyes, scene)]
    unread += _on_markers(scene, quads_mm)
    left = [*scene.unexplained(), *_left_over(scene, tray, quads_mm, explained, dice=sorter.dice)]
    if sorter.dice and len(quads_mm):
        left = without_shadows(left, picture_bgr, tray, quads_mm, eyes.there)
    unread += left
    if sorter.dice:
        unread += overlooked(picture_bgr, tray, scene, quads_mm, eyes.faces, there=eyes.there, exactly=eyes.exactly)
    else:
        others = [*explained[len(quads_mm) :], *papers_on(tray)]
        unread += under_others(picture_bgr, tray, scene.ground, scene.camera, disks_mm=quads_mm, others_mm=others)
        unread += half_under(quads_mm, scene.quads_mm[~finds.real & ~tiles])
    if unread or tray.vague:
        problems |= Problem.COUNT
    items = [d.sure for d in found.dice] + [d.sure for d in found.disks]
    # Nobody misses a piece that is not seen at all.
    unseen = Problem.GLARE in problems
    read = all(items) and not problems & DISTURBING and not unseen
    status = Status.READ if items and read else Status.UNSURE
    if not items and not problems & DISTURBING and not (tiles & (scene.found.score >= EMPTY_SCORE)).any():
        status = Status.EMPTY
    return Reading(
        status,
        dice=found.dice,
        disks=found.disks,
        unread=places_of(unread, tray),
        unseen=unseen,
        problems=problems,
        tray=tray.corners,
        expected=what.value,
    )


def _looked_at(sorter: Sorter, finds: Sorted) -> loose_spots.LooseSpots:
    """Return what the pieces to read show: dice turned as their edges run, and of one size for all of a set."""
    found, quads_mm, tray = sorter.scene.found.only(finds.real), sorter.scene.quads_mm[finds.real], sorter.tray
    if sorter.dice and finds.real.any():
        centre_mm = quads_mm.mean(axis=1)
        quads_px = loose_spots.dice_quads(
            sorter.picture_bgr, centre_mm, side_mm=sides_of(found), tray=tray, found_deg=angles_of(found)
        )
    else:
        quads_px = tray.to_px(quads_mm)
    return loose_spots.look_at_loose(
        sorter.picture_bgr,
        quads_px,
        np.full(len(quads_px), sorter.dice),
        np.asarray(found.score, dtype=np.float64),
        look=sorter.eyes.faces,
        second=sorter.eyes.digits,
        apart=sorter.eyes.faces_apart,
        doubted=finds.doubted[finds.real],
        torn=_torn(sorter, finds, quads_px) if sorter.dice else None,
        exactly=sorter.eyes.exactly,
    )


def feet_of(tops_px: Floats, tray: Tray, camera: Camera) -> Floats:
    """Return (n, 4, 2) where dice stand, in the picture, whose tops are these: dice are as high as they are wide."""
    tops_mm = tray.to_mm(tops_px)
    wide = widths(tops_mm)
    return tray.to_px(camera.foot_of(tops_mm, height_mm=wide[:, None]))


def _torn(sorter: Sorter, finds: Sorted, quads_px: Floats) -> Ints:
    """Return (n,) as `Sorted.torn` has it of those to read, but by how they stand of what may be a disk.

    That is also what was found as a disk and has corners, or as a die, but not plainly. What lies flat looks like a
    disk: then no colour makes a die of it. quads_px: (n, 4, 2) as large and turned as dice. Whether it lies flat is
    seen as it was found, which a smaller disk fills.
    """
    torn, there = finds.torn[finds.real], np.flatnonzero(finds.real)
    hardly_a_die = sorter.of("disk")[there] | (sorter.scene.found.lead()[there] < PLAINLY_A_DIE)
    at = np.flatnonzero((torn > 0) | hardly_a_die)
    if sorter.eyes.stands is None or len(at) == 0:
        return torn
    logits = sorter.eyes.stands(sorter.picture_bgr, quads_px[at])
    torn[at[(torn[at] == 0) & (logits < standing.RATHER_FLAT)]] = 1
    torn[at[logits > np.where(torn[at] > 1, standing.STANDS_SURELY, standing.STANDS)]] = 0
    left = at[torn[at] > 0]
    flat = left[~sorter.may_stand(there[left])]
    torn[flat] = np.maximum(torn[flat], 2)
    return torn


def _left_over(scene: Scene, tray: Tray, pieces_mm: Floats, explained_mm: Floats, *, dice: bool) -> list[Floats]:
    """Return where something as large as a piece lies and none was read: at the rim, in a cluster of dice.

    pieces_mm: (n, 4, 2) of what was read; explained_mm: (k, 4, 2) these, and the tiles beside them. dice: the pieces
    are dice, and as high as they are wide.
    """
    if len(pieces_mm) == 0:
        return []
    seen, least = explained_mm, OF_DISKS
    if dice:
        wide = widths(pieces_mm)
        bodies = bodies_of(pieces_mm, scene.camera, height_mm=wide)
        seen, least = np.array([*bodies, *explained_mm[len(pieces_mm) :]]), OF_DICE
    papers, side = papers_on(tray), _smallest(pieces_mm)
    return left_over(scene.ground.strange, seen, side_mm=side, papers_mm=papers, least=least)


def _hidden_by_light(scene: Scene, tray: Tray, explained_mm: Floats) -> bool:
    """Return whether light hides a place as large as a piece: a white one there, or its face, would not be seen."""
    if len(explained_mm) == 0:
        return False
    blown = scene.blown.astype(np.uint8)
    for quad in [*explained_mm, *papers_on(tray)]:
        cv2.fillConvexPoly(blown, np.round(quad * SCALE - 0.5).astype(np.int32), 0)
    return hides_a_piece(blown > 0, side_px=IN_LIGHT * _smallest(explained_mm) * SCALE)


def _on_markers(scene: Scene, pieces_mm: Floats) -> list[Floats]:
    """Return the paper of hidden markers on which none of the pieces (n, 4, 2) was read."""
    middle = pieces_mm.mean(axis=1)
    return [paper for paper in scene.hidden if not on_papers(middle, [paper], beyond_mm=BESIDE_MM).any()]


def _smallest(quads_mm: Floats) -> float:
    """Return the least width of some pieces, (n, 4, 2) with n >= 1, in millimetres."""
    return float(widths(quads_mm).min())
