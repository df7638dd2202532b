"""Issue 3: few questions about disks. A second net is heard on the digits of those that the first one doubts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.crops import digits
from vision.crops.faces import FACES, Faces
from vision.crops.second_look import look_again
from vision.drawing import DrawnDisk, Look, TrayScene

VALUES = (1, 2, 3, 4)


def disks(turn_deg: float, *, digit: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Return a picture of the four queue disks, and (4, 4, 2) the squares around them.

    digit: its height over the disk's width.
    """
    laid = tuple(DrawnDisk(60.0 * k - 90.0, 0.0, turn_deg, "queue", value) for k, value in enumerate(VALUES))
    look = replace(Look.plain(), disk_digit=digit)
    picture = drawn(scene=TrayScene(disks=laid, seed=1), look=look)
    rings = [np.array(disk["outline"]) for disk in picture.truth["disks"]]
    low, high = np.array([r.min(0) for r in rings]), np.array([r.max(0) for r in rings])
    corners = [low, np.stack([high[:, 0], low[:, 1]], 1), high, np.stack([low[:, 0], high[:, 1]], 1)]
    return picture.picture_bgr, np.stack(corners, axis=1)


def said(odds: float) -> Faces:
    """Return faces that are all a disk with the number 1 as far as `odds`, and else any other disk."""
    log_probs = np.full((len(VALUES), len(FACES)), -30.0)
    log_probs[:, 6:] = 0.0
    log_probs[:, FACES.index(("queue", 1))] = odds
    log_probs -= np.logaddexp.reduce(log_probs, axis=1, keepdims=True)
    return Faces(log_probs.astype(np.float32), np.full(len(VALUES), 0.1, np.float32))


@pytest.mark.parametrize("turn_deg", [0.0, 37.0, 105.0, 250.0])
def test_a_digit_is_told_in_any_direction(turn_deg: float) -> None:
    picture, quads = disks(turn_deg)
    odds = digits.evidence(picture, quads)
    assert odds.argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert (np.sort(odds, axis=1)[:, -1] > 2.0).all()


@pytest.mark.parametrize(
    ("digit", "lead"), [(0.3, 2.5), (0.4, 8.0), (0.5, 8.0), (0.6, 7.0), (0.7, 7.5), (0.8, 2.2), (0.9, 0.4)]
)
def test_small_and_large_digits_are_told_in_all_directions(digit: float, lead: float) -> None:
    """Issue 3, few questions: of 75 trays that a browser drew, with small digits on disks, 13 were asked about."""
    for turn_deg in range(0, 360, 40):
        odds = digits.evidence(*disks(float(turn_deg), digit=digit))
        assert odds.argmax(axis=1).tolist() == [0, 1, 2, 3]
        ranked = np.sort(odds, axis=1)
        assert (ranked[:, -1] - ranked[:, -2] > lead).all()


@pytest.mark.parametrize(("odds", "heard"), [(4.0, True), (12.0, False)])
def test_the_second_net_outweighs_what_the_first_is_rather_sure_of(odds: float, heard: bool) -> None:
    """By `SECOND` of its lead (odds of 13.8 at most, and what speaks against a one), `FIRST` of the first net's."""
    picture, quads = disks(20.0)
    said_by_both = digits.second_opinion(picture, quads, said(odds)).log_probs.argmax(axis=1)
    assert [FACES[int(k)] for k in said_by_both[1:]] == (
        [("queue", v) for v in VALUES[1:]] if heard else [("queue", 1)] * 3
    )


def test_the_first_net_is_still_heard() -> None:
    picture, quads = disks(20.0)
    unsure = digits.second_opinion(picture, quads, said(0.0))
    assert [FACES[int(k)] for k in unsure.log_probs.argmax(axis=1)] == [("queue", v) for v in VALUES]
    certain = digits.second_opinion(picture, quads, said(40.0))
    assert [FACES[int(k)] for k in certain.log_probs.argmax(axis=1)] == [("queue", 1)] * 4


def test_whether_it_is_a_digit_at_all_stays_as_it_was() -> None:
    picture, quads = disks(0.0)
    before = said(1.0)
    after = digits.second_opinion(picture, quads, before)
    others = np.setdiff1d(np.arange(len(FACES)), digits.QUEUE)
    assert after.log_probs[:, others] == pytest.approx(before.log_probs[:, others])
    assert np.exp(after.log_probs).sum(axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert after.p_unreadable is before.p_unreadable


def test_only_doubtful_disks_get_a_second_opinion_and_dice_none() -> None:
    asked: list[int] = []

    def second(_picture: object, quads: np.ndarray, shown: Faces) -> Faces:
        asked.append(len(quads))
        return shown

    picture, quads = disks(0.0)
    for odds, dice, wanted in ((1.0, False, [4]), (40.0, False, []), (1.0, True, [])):
        asked.clear()
        look_again(
            picture, quads, np.full(4, dice), said(odds), lambda _p, q, _d: _many(said(1.0), len(q)), second=second
        )
        assert asked == wanted


def _many(one: Faces, n: int) -> Faces:
    return Faces(np.resize(one.log_probs, (n, len(FACES))), np.resize(one.p_unreadable, n))


def test_no_disks_no_opinion() -> None:
    picture, quads = disks(0.0)
    none = Faces(np.zeros((0, len(FACES)), np.float32), np.zeros(0, np.float32))
    assert digits.second_opinion(picture, quads[:0], none) is none
