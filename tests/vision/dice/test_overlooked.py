"""A referee who sees everything: a die that the finder hardly sees shows its pips, and is asked about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.dice.test_reader_loose import knowing, tray_with
from tests.vision.trays import tray_of
from vision.crops.faces import FACES, Faces
from vision.dice.overlooked import THERE
from vision.eyes import Eyes
from vision.finding.finer import FINE_MARGIN_MM
from vision.finding.pieces import KINDS, LOOSE_PX_PER_MM, Pieces
from vision.finding.scene import SCALE, in_flat
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import INSET_MM, MARKER_MM

pytestmark = pytest.mark.usefixtures("searched_once")

DICE = tray_with((40.0, 40.0, 200.0))
"""Three dice, drawn plainly."""
BARE_MM = (60.0, 200.0)
"""Where on their tray nothing lies."""


def hardly_seeing(
    at_mm: tuple[float, float],
    *,
    value: int,
    kind: str = "die",
    doubt: float = 1e-4,
    unreadable: float = 0.005,
    scores: tuple[float, ...] = (0.9, 0.9, 0.9),
) -> Eyes:
    """Return eyes that know DICE, find one piece more so hardly that it counts as none, and read a face there."""
    eyes, place = knowing(DICE, scores=list(scores)), np.array([at_mm])
    find, faces = eyes.find_loose, eyes.faces
    assert find is not None
    (at_px,) = tray_of(DICE).to_px(place)

    def find_loose(flat: Any) -> Pieces:
        found, one, none = find(flat), np.ones(1, np.float32), np.zeros(1, np.float32)
        centre = (place.astype(np.float32) + FINE_MARGIN_MM) * LOOSE_PX_PER_MM - 0.5
        size = np.full((1, 2), 16.0 * LOOSE_PX_PER_MM, np.float32)
        return replace(found, faint=Pieces(np.full(1, KINDS.index(kind)), centre, size, none, 0.19 * one, found.hand))

    def look(picture: Any, quads: Any, is_die: Any) -> Faces:
        shown = faces(picture, quads, is_die)
        log_probs, doubts = shown.log_probs.copy(), shown.p_unreadable.copy()
        there = np.linalg.norm(np.mean(quads, axis=1) - at_px, axis=1) < 5.0
        log_probs[there], doubts[there] = np.log(doubt / (len(FACES) - 1)), unreadable
        log_probs[there, FACES.index(("die", value))] = np.log(1.0 - doubt)
        return Faces(log_probs, doubts)

    return replace(eyes, find_loose=find_loose, faces=look)


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_a_face_beyond_doubt_where_no_die_was_read_is_asked_about(value: int) -> None:
    """Never silently wrong: one of 120 fresh trays had such a die, of grey glass on pale felt, and was read without."""
    reading = read(DICE.picture_bgr, expect="dice", eyes=hardly_seeing(BARE_MM, value=value))
    assert reading.status is Status.UNSURE
    assert Problem.COUNT in reading.problems
    assert len(reading.dice) == 3
    (outline,) = reading.unread
    assert np.linalg.norm(tray_of(DICE).to_mm(np.mean(outline, axis=0)[None]) - BARE_MM) < 1.0


def test_what_was_found_too_poorly_to_be_read_is_looked_at_again_where_it_is_no_bare_felt() -> None:
    """Never silently wrong: of dark dice on dark felt one, found at 0.28, was passed over with a two at 0.998."""
    eyes = hardly_seeing(BARE_MM, value=3, doubt=0.002)
    assert eyes.find_loose is not None
    find, tray, frame = eyes.find_loose, tray_of(DICE), DICE.picture_bgr.copy()

    def find_loose(flat: Any) -> Pieces:
        found = find(flat)
        assert found.faint is not None
        return replace(found, faint=None).and_(replace(found.faint, score=np.full(1, 0.28, np.float32)))

    # An edge of it differs from felt, and all else hardly does: nothing as large as a die is left over.
    ends = tray.to_px(np.array(BARE_MM) + np.array([[-6.0, -4.0], [-6.0, 4.0]])).round().astype(int)
    cv2.line(frame, ends[0].tolist(), ends[1].tolist(), (235, 235, 235), 2)
    reading = read(frame, expect="dice", eyes=replace(eyes, find_loose=find_loose))
    assert reading.status is Status.UNSURE
    assert len(reading.dice) == 3
    (outline,) = reading.unread
    assert np.linalg.norm(tray.to_mm(np.mean(outline, axis=0)[None]) - BARE_MM) < 1.0


@pytest.mark.parametrize(
    "seen",
    [
        {"value": 1},
        {"value": 3, "doubt": 0.02},
        {"value": 3, "unreadable": 0.2},
        {"value": 3, "kind": "tile"},
        {"value": 3, "kind": "disk"},
    ],
    ids=["a crumb looks like one pip", "any face or none", "hardly legible", "a tile", "a disk"],
)
def test_what_else_is_hardly_seen_asks_nobody(seen: dict[str, Any]) -> None:
    assert read(DICE.picture_bgr, expect="dice", eyes=hardly_seeing(BARE_MM, **seen)).status is Status.READ


def beside_a_die(off_mm: float) -> tuple[float, float]:
    """Return the place so far to the right of a die of DICE, which are 16 mm wide."""
    x, y = tray_of(DICE).to_mm(np.array([DICE.truth["dice"][0]["center"]]))[0]
    return float(x) + off_mm, float(y)


def test_a_single_pip_right_beside_a_die_is_asked_about() -> None:
    """Never silently wrong: of two black dice on dark felt the one was found at 0.25, with a one on it."""
    there = beside_a_die(18.0)
    reading = read(DICE.picture_bgr, expect="dice", eyes=hardly_seeing(there, value=1, doubt=0.3))
    assert reading.status is Status.UNSURE
    assert len(reading.dice) == 3
    (outline,) = reading.unread
    assert np.linalg.norm(tray_of(DICE).to_mm(np.mean(outline, axis=0)[None]) - there) < 1.0


@pytest.mark.parametrize(
    ("off_mm", "unreadable"), [(27.0, 0.005), (18.0, 0.2), (12.0, 0.005)], ids=["a crumb", "hardly legible", "a flank"]
)
def test_what_else_looks_like_a_single_pip_asks_nobody(off_mm: float, unreadable: float) -> None:
    """Few questions: of 656 things that hardly were any, on 805 traced trays, one was a die."""
    eyes = hardly_seeing(beside_a_die(off_mm), value=1, unreadable=unreadable)
    assert read(DICE.picture_bgr, expect="dice", eyes=eyes).status is Status.READ


def moving(eyes: Eyes, off_mm: tuple[float, float]) -> Eyes:
    """Return these eyes, to which every die lies so far from where it was found."""
    tray = tray_of(DICE)

    def exactly(_picture: Any, quads_px: Any) -> Any:
        return tray.to_px(tray.to_mm(quads_px) + np.array(off_mm))

    return replace(eyes, exactly=exactly)


def test_a_die_that_was_found_beside_where_it_lies_is_asked_about() -> None:
    """Never silently wrong: a dark die on dark felt, found at 0.28 and aside, showed its two only where it lay."""
    aside = (BARE_MM[0] - 4.0, BARE_MM[1])
    blind, sees = hardly_seeing(aside, value=2, unreadable=0.3), hardly_seeing(BARE_MM, value=2)

    def faces(picture: Any, quads: Any, is_die: Any) -> Faces:
        on_top = np.linalg.norm(tray_of(DICE).to_mm(np.mean(quads, axis=1)) - BARE_MM, axis=1) < 2.0
        one, other = blind.faces(picture, quads, is_die), sees.faces(picture, quads, is_die)
        log_probs = np.where(on_top[:, None], other.log_probs, one.log_probs)
        return Faces(log_probs, np.where(on_top, other.p_unreadable, one.p_unreadable))

    astray = replace(blind, faces=faces)
    assert read(DICE.picture_bgr, expect="dice", eyes=astray).status is Status.READ
    reading = read(DICE.picture_bgr, expect="dice", eyes=moving(astray, (4.0, 0.0)))
    assert reading.status is Status.UNSURE
    (outline,) = reading.unread
    assert np.linalg.norm(tray_of(DICE).to_mm(np.mean(outline, axis=0)[None]) - BARE_MM) < 1.0


def test_what_lies_exactly_on_a_die_that_was_read_is_no_other() -> None:
    """What is hardly seen beside a die may be its flank, and the die itself is where it exactly lies."""
    eyes = hardly_seeing(beside_a_die(20.0), value=3, doubt=0.02)
    assert read(DICE.picture_bgr, expect="dice", eyes=moving(eyes, (-20.0, 0.0))).status is Status.READ


def test_what_is_hardly_seen_on_a_marker_or_on_a_die_that_was_read_asks_nobody() -> None:
    """Print looks like pips; and of a die that was read the finder may see a second one."""
    marker = INSET_MM + MARKER_MM / 2
    for at in ((marker, marker), beside_a_die(6.0)):
        assert read(DICE.picture_bgr, expect="dice", eyes=hardly_seeing(at, value=5)).status is Status.READ


def seen_coarsely(eyes: Eyes, at_mm: tuple[float, float], *, kind: str = "die", score: float = 0.5) -> Eyes:
    """Return these eyes, which see a piece there with the net for all pieces as well."""
    find, one = eyes.find, np.ones(1, np.float32)
    centre = in_flat(np.array([at_mm], np.float32))
    kinds, size = np.full(1, KINDS.index(kind)), np.full((1, 2), 16.0 * SCALE, np.float32)
    return replace(eyes, find=lambda flat: Pieces(kinds, centre, size, 0 * one, score * one, find(flat).hand))


@pytest.mark.parametrize("kind", ["die", "disk"])
@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_a_face_beyond_doubt_that_both_nets_see_a_piece_under_is_read(value: int, kind: str) -> None:
    """Few questions: two of 30 trays with dice of glass had a two, seen aslant, of which the finer net was unsure."""
    eyes = seen_coarsely(hardly_seeing(BARE_MM, value=value), BARE_MM, kind=kind)
    reading = read(DICE.picture_bgr, expect="dice", eyes=eyes)
    assert reading.status is Status.READ
    assert len(reading.dice) == 4
    (die,) = [d for d in reading.dice if np.linalg.norm(tray_of(DICE).to_mm(np.array([d.centre])) - BARE_MM) < 1.0]
    assert die.value == value


@pytest.mark.parametrize(
    ("face", "piece"),
    [
        ({}, {"score": 0.25}),
        ({}, {"kind": "tile"}),
        ({}, {"at_mm": (BARE_MM[0] + 12.0, BARE_MM[1])}),
        ({"doubt": 2e-3}, {}),
        ({"unreadable": 0.05}, {}),
    ],
    ids=["as hardly by the other net", "a tile to it", "elsewhere", "a face in doubt", "hardly legible"],
)
def test_what_both_nets_do_not_see_beyond_doubt_is_asked_about(face: dict[str, Any], piece: dict[str, Any]) -> None:
    """Never silently wrong: no such die is read as if it were plain."""
    eyes = seen_coarsely(hardly_seeing(BARE_MM, value=4, **face), **{"at_mm": BARE_MM, **piece})
    reading = read(DICE.picture_bgr, expect="dice", eyes=eyes)
    assert reading.status is Status.UNSURE
    assert len(reading.dice) == 3


@pytest.mark.parametrize("off_mm", [10.0, 13.0])
def test_what_both_nets_see_where_a_flank_of_a_die_may_be_is_no_die(off_mm: float) -> None:
    """Never silently wrong: a flank shows its pips as a top does, up to 0.88 of a side from it."""
    there = beside_a_die(off_mm)
    reading = read(DICE.picture_bgr, expect="dice", eyes=seen_coarsely(hardly_seeing(there, value=5), there))
    assert len(reading.dice) == 3


def test_a_single_pip_that_both_nets_see_is_no_die() -> None:
    """Two crumbs on felt look like a one to either net."""
    eyes = seen_coarsely(hardly_seeing(BARE_MM, value=1), BARE_MM)
    assert len(read(DICE.picture_bgr, expect="dice", eyes=eyes).dice) == 3


def test_without_any_die_read_nobody_knows_how_large_one_would_be() -> None:
    reading = read(DICE.picture_bgr, expect="dice", eyes=hardly_seeing(BARE_MM, value=5, scores=(0.0, 0.0, 0.0)))
    assert reading.dice == ()
    assert reading.status is not Status.READ


LIKELY_TWO = {"value": 2, "doubt": 0.01, "unreadable": 0.2}


def standing_at(logit: float, at_mm: tuple[float, float] = BARE_MM, **face: Any) -> Status:
    """Return what a reading is worth where a face is likely, and another net says so whether a piece is there."""
    eyes = hardly_seeing(at_mm, **{**LIKELY_TWO, **face})
    there = replace(eyes, there=lambda picture, quads: np.full(len(quads), logit))
    return read(DICE.picture_bgr, expect="dice", eyes=there).status


def test_a_likely_face_where_a_piece_surely_is_is_asked_about() -> None:
    """Never silently wrong: a black die on black felt showed a two at 0.991, hardly legible, and was left out."""
    assert standing_at(THERE + 1) is Status.UNSURE


@pytest.mark.parametrize(
    "changed",
    [{"logit": THERE - 1}, {"value": 1}, {"doubt": 0.2}, {"unreadable": 0.6}, {"at_mm": beside_a_die(12.0)}],
    ids=["hardly there", "a single pip", "any face", "illegible", "a flank"],
)
def test_what_is_less_likely_or_hardly_there_asks_nobody(changed: dict[str, Any]) -> None:
    """Issue 3: of 1,765 things hardly found on 210 trays none was a die."""
    assert standing_at(**{"logit": THERE + 1, **changed}) is Status.READ
