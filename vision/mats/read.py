"""A picture and a mat in, a reading of its places out."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes import Eyes, shipped_eyes
from vision.finding.scene import MARGIN_MM, SCALE, in_flat
from vision.geometry import SQUARE, Floats
from vision.ground import conditions
from vision.ground.papers import covered_papers
from vision.mats.counters import Told, counters_on_lines, tell_counters
from vision.mats.dice import read_dice, read_loose_dice
from vision.mats.marks import measure_counters
from vision.mats.mat import Area, Mat
from vision.mats.paper import PX_PER_MM, Paper, look_at_paper
from vision.mats.pawns import Thing, foreign, hidden, inside_mm, nearest_places, skin, tell_pawns, things
from vision.reader import check_picture, no_tray
from vision.reading import EMPTY, DieReading, PlaceReading, Problem, Reading, Status, StrayReading
from vision.tray.rectify import Image, Tray, find_tray, rectify
from vision.tray.straight import straightened

HAND_MM2 = 420.0
"""Something larger than this beside all places is a hand, a sleeve, a box: wait for it to go."""
SMALL_MM2 = 45.0
"""Something smaller beside all places is a crumb."""
FEWEST = 3
"""With fewer markers, seen now or when the tray was registered, the felt's edge says where the others lie, to some
millimetres: a place read there may be its neighbour's line."""
NO_MAT = 0.3
"""With less of the print to be seen than this share the mat is not there, or cannot be read."""


def read_mat(picture_bgr: Image, mat: Mat, *, tray: Tray | None = None, eyes: Eyes | None = None) -> Reading:
    """Return what the places of a mat hold.

    picture_bgr: (h, w, 3) uint8. tray: registration of the same fixed camera, for pictures in which a hand
    covers markers. Raises BadPicture for an array that is no colour picture; never for what is in it.
    """
    check_picture(picture_bgr)
    eyes = eyes or shipped_eyes()
    found = find_tray(picture_bgr, hint=tray)
    if found is None or found.found != "markers" or len(found.markers) + len(found.hidden) < FEWEST:
        # Without its markers a mat's places are nowhere near exact enough.
        return no_tray(picture_bgr, mat.name)
    seen = straightened(picture_bgr, found)
    return seen.as_given(_read_on(seen.picture_bgr, seen.tray, mat, eyes))


def _read_on(picture_bgr: Image, found: Tray, mat: Mat, eyes: Eyes) -> Reading:
    """Return what the places of a mat hold on a tray that was found."""
    paper = look_at_paper(picture_bgr, found, mat)
    blank = Reading(Status.EMPTY, tray=found.corners, expected=mat.name)
    if not found.complete:
        blank = _with(blank, Problem.FIDUCIAL_MISSING)
    if not mat.places:
        return _loose(picture_bgr, found, mat, paper, blank, eyes)
    mask = foreign(paper)
    lying = things(paper, mask)
    flat = rectify(picture_bgr, found, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    # Beside the places a hand is told by its size; over them, where pieces may lie, by the net that finds hands.
    if _reaches_in(mat, lying, mask | skin(paper)) or _hand_over(flat, eyes):
        return _with(blank, Problem.HAND, status=Status.BUSY)
    if conditions.moved_while_taken(flat, in_flat(_outlines_mm(mat))):
        return _with(blank, Problem.MOTION, status=Status.BUSY)
    marks = measure_counters(paper, mat)
    if float((marks.border > 0.5).mean()) < NO_MAT and float((marks.shown > 0.6).mean()) < NO_MAT:
        return _with(blank, Problem.LAYOUT | conditions.light_amiss(picture_bgr), status=Status.NO_TRAY)
    if mat.pawns:
        die_area = [thing for thing in lying if _in_any(mat.rolls, thing)]
        shown = np.where(hidden(paper, mat), 0.0, marks.shown)
        told, beside = tell_pawns(mat, tuple(t for t in lying if t not in die_area), shown)
        dice, problem = read_dice(picture_bgr, found, mat, paper, eyes=eyes)
        blank = _with(blank, problem)
    else:
        told, dice = tell_counters(marks), ()
        beside = tuple(thing for thing in lying if max(inside_mm(a, thing.middle_mm) for a in mat.places) < -1.0)
    strays = [_stray(found, thing.middle_mm, nearest_places(mat, thing.middle_mm)) for thing in beside if _real(thing)]
    if not mat.pawns:
        for places in counters_on_lines(marks, mat, told):
            middle = np.mean([mat.places[k].middle for k in places], axis=0)
            strays.append(_stray(found, (float(middle[0]), float(middle[1])), places))
    return _reading(blank, found, mat, told, tuple(strays), dice, washed=marks.washed)


def _loose(picture_bgr: Image, tray: Tray, mat: Mat, paper: Paper, blank: Reading, eyes: Eyes) -> Reading:
    """Return the dice on a mat that has no places."""
    found = read_loose_dice(picture_bgr, tray, mat, paper, eyes=eyes)
    if found is None:
        return _with(blank, Problem.LAYOUT, status=Status.NO_TRAY)
    dice, problem = found
    flat = rectify(picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    if covered_papers(flat, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM):
        # A die that came to rest on a marker is not looked for there.
        problem |= Problem.COUNT
    if problem & Problem.HAND:
        return _with(blank, problem, status=Status.BUSY)
    tops = np.array([die.corners for die in dice if die.corners]).reshape(-1, 4, 2)
    if conditions.moved_while_taken(flat, in_flat(tray.to_mm(tops))):
        return _with(blank, problem | Problem.MOTION, status=Status.BUSY)
    if not dice and not problem:
        return blank
    sure = not problem and all(die.sure for die in dice)
    return replace(_with(blank, problem, status=Status.READ if sure else Status.UNSURE), dice=dice)


def _with(reading: Reading, problem: Problem, *, status: Status | None = None) -> Reading:
    return replace(reading, problems=reading.problems | problem, status=status or reading.status)


def _reading(
    blank: Reading,
    tray: Tray,
    mat: Mat,
    told: tuple[Told, ...],
    strays: tuple[StrayReading, ...],
    dice: tuple[DieReading, ...],
    *,
    washed: Floats,
) -> Reading:
    middles = tray.to_px(mat.middles())
    places = tuple(
        PlaceReading(k, t.likely[0][0], t.sure, t.likely[0][1], (float(x), float(y)), t.likely, t.alike)
        for k, (t, (x, y)) in enumerate(zip(told, middles, strict=True))
    )
    problems = blank.problems
    if strays:
        problems |= Problem.LAYOUT
    if any(not p.sure and p.holds != EMPTY and washed[p.place] > conditions.GLARE_SHARE for p in places):
        problems |= Problem.GLARE
    sure = all(p.sure for p in places) and all(d.sure for d in dice) and not strays
    sure = sure and not problems & Problem.COUNT
    return replace(
        blank,
        status=Status.READ if sure else Status.UNSURE,
        places=places,
        strays=strays,
        dice=dice,
        problems=problems,
    )


def _reaches_in(mat: Mat, lying: tuple[Thing, ...], mask: NDArray[np.bool_]) -> bool:
    """Return whether something as large as a hand covers what should be bare paper beside the places."""
    beside = mask & ~_kept(mat, mask.shape)
    opened = cv2.morphologyEx(beside.astype(np.uint8), cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    largest = max((int(stats[k, cv2.CC_STAT_AREA]) for k in range(1, count)), default=0) / PX_PER_MM**2
    return largest > HAND_MM2 or bool(mat.pawns and any(t.area_mm2 > 2 * HAND_MM2 for t in lying))


def _hand_over(flat_bgr: Image, eyes: Eyes) -> bool:
    """Return whether the net that finds pieces sees a hand, on 72 drawn mats 8,600 mm2 and more of one or below 150."""
    return conditions.hand_area(eyes.find(flat_bgr).hand) > conditions.HAND_MM2


def _outlines_mm(mat: Mat) -> Floats:
    """Return (n, 4, 2) where the lines around the places are printed."""
    return np.array([a.middle + SQUARE / 2 * (a.width, a.height) for a in mat.places])


def _kept(mat: Mat, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return (h, w) where pieces may lie, and the markers."""
    out = np.zeros(shape[:2], np.uint8)
    markers = [Area(x, y, 36.0, 36.0) for x in (0.0, 324.0) for y in (0.0, 224.0)]
    for area in (*mat.places, *mat.rolls, *markers):
        grow = 5.0
        low = np.round((np.array([area.left, area.top]) - grow) * PX_PER_MM).astype(int)
        high = np.round((np.array([area.left + area.width, area.top + area.height]) + grow) * PX_PER_MM).astype(int)
        cv2.rectangle(out, (int(low[0]), int(low[1])), (int(high[0]), int(high[1])), 1, -1)
    return np.asarray(out > 0)


def _in_any(areas: tuple[Area, ...], thing: Thing) -> bool:
    return any(inside_mm(area, thing.middle_mm) > 0 for area in areas)


def _real(thing: Thing) -> bool:
    x, y = thing.middle_mm
    in_marker = (x < 36 or x > 324) and (y < 36 or y > 224)
    return thing.area_mm2 > SMALL_MM2 and not in_marker


def _stray(tray: Tray, point_mm: tuple[float, float], near: tuple[int, ...]) -> StrayReading:
    ((x, y),) = tray.to_px(np.array([point_mm]))
    return StrayReading(near, (float(x), float(y)))
