"""A tray of dice, or of disks beside tiles: what lies there, what it shows, and whether that is all."""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice import loose, loose_spots
from vision.dice.fallen import beyond_the_felt
from vision.dice.finds import Finds, angles_of, sides_of
from vision.dice.nothing import without_shadows
from vision.dice.overlooked import overlooked
from vision.dice.piled import half_under, under_others
from vision.dice.sorting import Sorted, sort
from vision.dice.torn import torn_by_standing
from vision.eyes import Eyes, Stopwatch
from vision.finding.scene import EMPTY_SCORE, SCALE, Scene
from vision.geometry import Floats, widths
from vision.ground.conditions import hides_a_piece
from vision.ground.gleams import without_gleams
from vision.ground.hairs import without_hairs
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
    finds = Finds(picture_bgr, tray, eyes, scene, dice=what is Expectation.DICE)
    fate = sort(finds)
    spots = _looked_at(finds, fate)
    watch.lap("symbols")
    found = _read(finds, spots)
    watch.lap("rules")
    quads_mm, tiles = tray.to_mm(spots.quads_px), finds.of("tile")
    explained = np.concatenate([quads_mm, scene.quads_mm[~fate.real & tiles]])
    unread = [*scene.quads_mm[fate.foreign], *_unread(finds, fate, quads_mm, explained)]
    problems = scene.problems | found.problems
    if _hidden_by_light(scene, tray, explained):
        problems |= Problem.GLARE
    if unread or tray.vague:
        problems |= Problem.COUNT
    return Reading(
        _status(finds, found, problems),
        dice=found.dice,
        disks=found.disks,
        unread=places_of(unread, tray),
        unseen=Problem.GLARE in problems,
        problems=problems,
        tray=tray.corners,
        expected=what.value,
    )


def _read(finds: Finds, spots: loose_spots.LooseSpots) -> loose.Loose:
    """Return what the pieces are, by what they show and in what light."""
    scene, tray, quads_mm = finds.scene, finds.tray, finds.tray.to_mm(spots.quads_px)
    light = light_around(scene.ground, quads_mm) if finds.dice else None
    return loose.read_loose(
        finds.picture_bgr,
        spots,
        white_bgr=Papers.of(finds.picture_bgr, tray).white(
            ground=scene.ground, pieces_mm=quads_mm if light is None else quads_mm[light.lacks < LIT]
        ),
        known=finds.eyes.die_colours,
        feet_px=feet_of(spots.quads_px, tray, scene.camera) if finds.dice else None,
        light=light,
        exactly=finds.eyes.exactly,
    )


def _unread(finds: Finds, fate: Sorted, pieces_mm: Floats, explained_mm: Floats) -> list[Floats]:
    """Return the outlines (4, 2) of what lies there, or may, beside the finds: pieces unread, or none of ours.

    pieces_mm: (n, 4, 2) of what was read; explained_mm: (k, 4, 2) these, and the tiles beside them.
    """
    picture, tray, eyes, scene = finds.picture_bgr, finds.tray, finds.eyes, finds.scene
    out = [*beyond_the_felt(picture, tray, eyes, scene), *_on_markers(scene, pieces_mm)]
    left = [*scene.unexplained(), *_left_over(scene, tray, pieces_mm, explained_mm, dice=finds.dice)]
    if len(pieces_mm):
        side = _smallest(pieces_mm)
        left = without_gleams(left, picture, tray, pieces_mm=explained_mm, side_mm=side)
        left = without_hairs(left, picture, tray, scene.ground.strange, pieces_mm=explained_mm, side_mm=side)
    if not finds.dice:
        others = [*explained_mm[len(pieces_mm) :], *papers_on(tray)]
        hidden = under_others(picture, tray, scene.ground, scene.camera, disks_mm=pieces_mm, others_mm=others)
        return [*out, *left, *hidden, *half_under(pieces_mm, scene.quads_mm[~fate.real & ~finds.of("tile")])]
    if len(pieces_mm):
        left = without_shadows(left, picture, tray, pieces_mm, eyes.there)
    seen = overlooked(picture, tray, scene, pieces_mm, eyes.faces, there=eyes.there, exactly=eyes.exactly)
    return [*out, *left, *seen]


def _status(finds: Finds, found: loose.Loose, problems: Problem) -> Status:
    """Return what a reading is worth: nobody misses a piece that is not seen at all, behind glare."""
    items = [d.sure for d in found.dice] + [d.sure for d in found.disks]
    if items:
        read = all(items) and not problems & (DISTURBING | Problem.GLARE)
        return Status.READ if read else Status.UNSURE
    tiles = finds.of("tile") & (finds.scene.found.score >= EMPTY_SCORE)
    return Status.UNSURE if problems & DISTURBING or tiles.any() else Status.EMPTY


def _looked_at(finds: Finds, fate: Sorted) -> loose_spots.LooseSpots:
    """Return what the pieces to read show: dice turned as their edges run, and of one size for all of a set."""
    real, tray = fate.real, finds.tray
    found, quads_mm = finds.scene.found.only(real), finds.scene.quads_mm[real]
    if finds.dice and real.any():
        centre_mm = quads_mm.mean(axis=1)
        quads_px = loose_spots.dice_quads(
            finds.picture_bgr, centre_mm, side_mm=sides_of(found), tray=tray, found_deg=angles_of(found)
        )
    else:
        quads_px = tray.to_px(quads_mm)
    return loose_spots.look_at_loose(
        finds.picture_bgr,
        quads_px,
        np.full(len(quads_px), finds.dice),
        np.asarray(found.score, dtype=np.float64),
        look=finds.eyes.faces,
        second=finds.eyes.digits,
        apart=finds.eyes.faces_apart,
        doubted=fate.doubted[real],
        torn=torn_by_standing(finds, fate.torn, real, quads_px) if finds.dice else None,
        exactly=finds.eyes.exactly,
    )


def feet_of(tops_px: Floats, tray: Tray, camera: Camera) -> Floats:
    """Return (n, 4, 2) where dice stand, in the picture, whose tops are these: dice are as high as they are wide."""
    tops_mm = tray.to_mm(tops_px)
    wide = widths(tops_mm)
    return tray.to_px(camera.foot_of(tops_mm, height_mm=wide[:, None]))


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
