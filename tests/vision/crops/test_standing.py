"""Few questions, never silently wrong: a die that may be a disk is read where it stands up for certain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.vision.dice.test_reader_loose import knowing, tray_with
from tests.vision.trays import drawn
from vision.crops import standing
from vision.dice.torn import PLAINLY_A_DIE, round_ones, torn_by_standing
from vision.drawing import DrawnDie, DrawnDisk, TrayScene
from vision.eyes import Eyes, shipped_eyes
from vision.finding.pieces import KINDS, Pieces
from vision.geometry import upright_around
from vision.reader import read
from vision.reading import Status

RED = (40.0, 40.0, 200.0)
MIXED = TrayScene(
    dice=tuple(DrawnDie(-90.0 + 36.0 * k, 40.0, 17.0 * k, k + 1, "red") for k in range(6)),
    disks=tuple(
        DrawnDisk(-90.0 + 36.0 * k, -30.0, 23.0 * k, kind, value)
        for k, (kind, value) in enumerate(
            (("prediction", 1), ("prediction", 2), ("prediction", 4), ("queue", 1), ("queue", 3))
        )
    ),
    seed=3,
)


def test_dice_stand_and_disks_do_not() -> None:
    picture = drawn(scene=MIXED)
    dice = np.array([d["top_quad"] for d in picture.truth["dice"]])
    disks = np.array([upright_around(d["outline"]) for d in picture.truth["disks"]])
    said = standing.logits(picture.picture_bgr, np.concatenate([dice, disks]))
    assert said[: len(dice)].min() > 0.0 > said[len(dice) :].max()
    assert said[len(dice) :].max() < standing.STANDS


def test_of_nothing_nothing_is_said() -> None:
    picture = np.zeros((64, 64, 3), np.uint8)
    assert standing.logits(picture, np.zeros((0, 4, 2))).shape == (0,)


def test_a_quarter_turn_of_the_find_changes_nothing() -> None:
    picture = drawn(scene=MIXED)
    quads = np.array([d["top_quad"] for d in picture.truth["dice"]])
    turned = np.roll(quads, 1, axis=1)
    off = standing.logits(picture.picture_bgr, quads) - standing.logits(picture.picture_bgr, turned)
    assert np.abs(off).max() < 0.3


ROUND = TrayScene(disks=(DrawnDisk(10.0, 15.0, 0.0, "prediction", 2),), seed=3)


def torn_eyes(picture: Any, *, lead: float, kind: str = "die", stands: Any = None, value: int = 5) -> Eyes:
    """Return eyes to which what is round there shows so many pips beyond doubt, found as one of KINDS by a lead."""
    square = upright_around(picture.truth["disks"][0]["outline"])
    truth = {**picture.truth, "dice": [{"top_quad": square.tolist(), "value": value}]}
    eyes = knowing(replace(picture, truth=truth), scores=[0.9])
    assert eyes.find_loose is not None
    find = eyes.find_loose

    def find_loose(flat: Any) -> Pieces:
        found = find(flat)
        odds = 9.0 / np.exp(lead)
        return replace(found, kind=np.array([KINDS.index(kind)]), rival=np.array([odds / (1.0 + odds)], np.float32))

    return replace(eyes, find_loose=find_loose, stands=stands)


def certain(answer: bool, asked: list[int]) -> Callable[[Any, Any], Any]:
    return saying(standing.STANDS + 1.0 if answer else standing.STANDS - 1.0, asked)


def saying(logit: float, asked: list[int]) -> Callable[[Any, Any], Any]:
    def stands(_picture: Any, quads: Any) -> Any:
        asked.append(len(quads))
        return np.full(len(quads), logit)

    return stands


@pytest.mark.parametrize(("answer", "status"), [(True, Status.READ), (False, Status.UNSURE), (None, Status.UNSURE)])
def test_what_may_be_a_disk_is_read_where_it_stands_for_certain(answer: bool | None, status: Status) -> None:
    """Nobody passes a disk for a die, and nobody asks about a die that stands there."""
    picture, asked = drawn(scene=ROUND), list[int]()
    eyes = torn_eyes(picture, lead=0.3, stands=None if answer is None else certain(answer, asked))
    reading = read(picture.picture_bgr, expect="dice", eyes=eyes)
    assert (reading.status, [d.value for d in reading.dice]) == (status, [5])
    # A die that stands is looked at once, what may lie flat again, as it was found.
    assert asked == {None: [], True: [1], False: [1, 1]}[answer]


FLAT, MAYBE = standing.FLAT - 1, (standing.FLAT + standing.RATHER_FLAT) / 2
"""Logits of what lies flat for certain, and of what only seems to."""
STANDS, SURELY = (standing.STANDS + standing.STANDS_SURELY) / 2, standing.STANDS_SURELY + 1


def torn_by(
    torn: list[int], leads: list[float], said: list[float], *, flat: set[int], kind: str = "die"
) -> tuple[list[int], list[Any]]:
    """Return how torn finds are after a look at how they stand, and what was asked.

    torn: as found, -1 for what is none; leads: by how much each is rather what it was found as; said: of those that are
    looked at as large as dice; flat: those that lie flat as they were found.
    """
    asked = list[Any]()

    def stands(_picture: Any, quads: Any) -> Any:
        asked.append(quads[:, 0, 0].tolist())
        return np.array(said)

    def may_stand(at: Any) -> Any:
        asked.append(at.tolist())
        return ~np.isin(at, list(flat))

    real = np.array([t >= 0 for t in torn])
    found = SimpleNamespace(lead=lambda: np.array(leads))
    scene = SimpleNamespace(found=found)
    eyes = SimpleNamespace(stands=stands)
    are = {wanted: np.full(len(torn), wanted == kind) for wanted in KINDS}
    finds: Any = SimpleNamespace(picture_bgr=None, eyes=eyes, may_stand=may_stand, scene=scene, of=are.__getitem__)
    quads = np.flatnonzero(real)[:, None, None] * np.ones((1, 4, 2))
    return torn_by_standing(finds, np.array(torn), real, quads).tolist(), asked


def test_what_may_be_a_disk_and_lies_flat_for_certain_looks_like_one() -> None:
    """Never silently wrong: a disk of four dots in the dice's own colour was a four, as dice of a colour are dice."""
    after, asked = torn_by([0, 1, 1, -1, 1], [9.0, 0.0, 0.0, 0.0, 0.0], [STANDS, MAYBE, FLAT], flat={4})
    assert after == [0, 0, 1, 2]
    assert asked == [[1, 2, 4], [2, 4]], "as large as dice, and what is left as it was found"


@pytest.mark.parametrize(("said", "stands"), [(SURELY, True), (STANDS, False), (MAYBE, False)])
@pytest.mark.parametrize("found", [2, 3])
def test_what_looks_like_a_disk_is_a_die_only_where_it_stands_beyond_doubt(
    found: int, said: float, stands: bool
) -> None:
    """Few questions: a lamp whitens a round top, and its flanks are plain. Two nets say disk, and one must be sure."""
    assert torn_by([found], [3.0], [said], flat={0}, kind="disk")[0] == [0 if stands else found]


@pytest.mark.parametrize("lead", [PLAINLY_A_DIE - 1, PLAINLY_A_DIE + 1])
@pytest.mark.parametrize(("said", "torn"), [(MAYBE, 1), (0.0, 0)])
def test_what_was_found_as_a_disk_and_has_corners_may_be_one_where_it_seems_to_lie_flat(
    lead: float, said: float, torn: int
) -> None:
    """By how much it was rather a disk says nothing of how plainly it is a die."""
    assert torn_by([0], [lead], [said], flat=set(), kind="disk")[0] == [torn]


@pytest.mark.parametrize(
    ("lead", "said", "torn"),
    [(PLAINLY_A_DIE - 1, MAYBE, 1), (PLAINLY_A_DIE - 1, STANDS, 0), (PLAINLY_A_DIE - 1, 0.0, 0)],
)
def test_what_was_hardly_found_as_a_die_and_seems_to_lie_flat_may_be_a_disk(
    lead: float, said: float, torn: int
) -> None:
    """Never silently wrong: a disk of four dots was found as a die, without a doubt of its shape."""
    assert torn_by([0], [lead], [said], flat=set())[0] == [torn]


def test_what_was_plainly_found_as_a_die_is_not_looked_at() -> None:
    """Three of four dice are: nobody waits for what is known."""
    assert torn_by([0, 0], [PLAINLY_A_DIE + 1, PLAINLY_A_DIE + 3], [], flat=set()) == ([0, 0], [])


@pytest.mark.parametrize(
    ("logit", "status"),
    [(SURELY, Status.READ), (STANDS, Status.UNSURE), (None, Status.UNSURE)],
)
@pytest.mark.parametrize("lead", [1.5, 4.0])
def test_a_round_top_that_was_found_as_a_disk_is_read_where_it_stands(
    lead: float, logit: float | None, status: Status
) -> None:
    """However plainly it was found as one; and where no net looks it is asked about."""
    picture, asked = drawn(scene=replace(ROUND, disks=(replace(ROUND.disks[0], value=4),))), list[int]()
    stands = None if logit is None else saying(logit, asked)
    # Five pips alike would be no disk's, however it stands.
    eyes = torn_eyes(picture, lead=lead, kind="disk", stands=stands, value=4)
    reading = read(picture.picture_bgr, expect="dice", eyes=eyes)
    assert (reading.status, [d.value for d in reading.dice]) == (status, [4])


@pytest.mark.parametrize(
    ("logit", "status"),
    [(0.0, Status.READ), (MAYBE, Status.UNSURE), (standing.FLAT - 0.5, Status.UNSURE), (None, Status.UNSURE)],
)
def test_a_die_with_corners_is_no_disk_however_round_its_top(logit: float | None, status: Status) -> None:
    """Few questions: a round top that mirrors a lamp is a disk to the finder, and plainly; its body has corners."""
    scene = TrayScene(dice=(DrawnDie(10.0, 15.0, 20.0, 4, "red"),), seed=3)
    picture, asked = drawn(scene=scene), list[int]()
    assert picture.truth["dice"]
    eyes = knowing(picture, scores=[0.9])
    assert eyes.find_loose is not None
    find = eyes.find_loose

    def find_loose(flat: Any) -> Pieces:
        plainly = np.array([1e-3], np.float32)
        return replace(find(flat), kind=np.array([KINDS.index("disk")]), rival=plainly)

    stands = None if logit is None else saying(logit, asked)
    reading = read(picture.picture_bgr, expect="dice", eyes=replace(eyes, find_loose=find_loose, stands=stands))
    assert (reading.status, [d.value for d in reading.dice]) == (status, [4])


@pytest.mark.parametrize(("value", "status"), [(5, Status.READ), (3, Status.READ), (4, Status.UNSURE)])
def test_three_or_five_pips_alike_are_no_dots_of_a_disk(value: int, status: Status) -> None:
    """Few questions: disks have one, two or four dots (RULES 1), and no other die says of what colour dice are."""
    picture = drawn(scene=TrayScene(dice=(DrawnDie(10.0, 15.0, 20.0, value, "red"),), seed=3))
    eyes = knowing(picture, scores=[0.9])
    assert eyes.find_loose is not None
    find = eyes.find_loose

    def find_loose(flat: Any) -> Pieces:
        found = find(flat)
        return replace(found, kind=np.array([KINDS.index("disk")]), rival=np.array([0.85], np.float32))

    reading = read(picture.picture_bgr, expect="dice", eyes=replace(eyes, find_loose=find_loose, stands=None))
    assert (reading.status, [d.value for d in reading.dice]) == (status, [value])


def test_what_is_plainly_a_die_is_not_looked_at() -> None:
    picture = tray_with(RED)
    asked: list[int] = []
    eyes = replace(knowing(picture, scores=[0.9, 0.9, 0.9]), stands=certain(False, asked))
    reading = read(picture.picture_bgr, expect="dice", eyes=eyes)
    assert reading.status is Status.READ
    assert asked == []


def test_the_shipped_eyes_look() -> None:
    assert shipped_eyes().stands is standing.logits


@pytest.mark.parametrize(
    ("corners", "covered", "said", "disk"),
    [
        pytest.param(0.01, 1.0, 0.0, True, id="round"),
        pytest.param(0.08, 0.0, FLAT, False, id="has corners"),
        pytest.param(np.nan, 0.0, standing.RATHER_FLAT - 1, True, id="no outline, lies flat"),
        pytest.param(np.nan, 0.0, standing.RATHER_FLAT + 1, False, id="no outline, may stand"),
        pytest.param(np.nan, 0.0, None, False, id="no outline, nobody looks"),
        pytest.param(np.nan, 0.9, FLAT, False, id="no outline, as a neighbour touches it"),
    ],
)
def test_four_dots_on_a_disk_as_dark_as_the_felt_are_no_die(
    corners: float, covered: float, said: float | None, disk: bool
) -> None:
    """Few questions: such a disk shows no outline, and the finder takes it for a four."""
    found = SimpleNamespace(lead=lambda: np.array([1.2]))
    finds: Any = SimpleNamespace(
        dice=False,
        scene=SimpleNamespace(found=found, quads_mm=np.zeros((1, 4, 2)), covered=np.array([covered])),
        eyes=SimpleNamespace(stands=None if said is None else saying(said, [])),
        of=lambda kind: np.array([kind == "die"]),
        well_found=lambda: np.array([0]),
        corners=lambda there, which: np.full(int(which.sum()), corners),
        may_stand=lambda at, above: np.full(len(at), said is not None and said > above),
        shown=lambda which: SimpleNamespace(single=np.zeros(1, dtype=bool)),
    )
    assert round_ones(finds).tolist() == [disk]
