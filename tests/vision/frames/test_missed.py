"""Never silently wrong: what some frames of a still scene saw lying there is not forgotten because the last did not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.frames.test_loose_votes import die, disk, tray
from vision.frames.missed import missed_of
from vision.layout import Expectation
from vision.reading import Problem, Reading, Status, TileReading
from vision.settle import Patience, Settler

EVERY_NS = 200_000_000
PATIENCE = Patience(frames=3, still_ns=400_000_000, unsure_frames=6)
SQUARE = ((290.0, 290.0), (310.0, 290.0), (310.0, 310.0), (290.0, 310.0))
"""Where something lies, or may."""
PLAIN = tray(die(3), die(5, at=(200.0, 100.0)))
DOUBTING = replace(PLAIN, status=Status.UNSURE, problems=Problem.COUNT, unread=(SQUARE,))
"""The same, and something that was not read."""
WITH_A_THIRD = tray(die(3), die(5, at=(200.0, 100.0)), replace(die(6, odds=2.0, at=(300.0, 300.0)), corners=SQUARE))
"""The same, and what is hardly a die."""


def settled(frames: list[Reading], *, still: bool = True) -> list[Reading]:
    """Return what settles, of frames between which nothing changed (or, not still, something may have)."""
    settler, told = Settler(Expectation.DICE, PATIENCE), []
    for k, frame in enumerate(frames):
        settler, now = settler.step(frame, at_ns=k * EVERY_NS, still=still and k > 0)
        if now is not None:
            told.append(now)
    return told


@pytest.mark.parametrize("at", range(6))
def test_what_two_frames_of_six_saw_unread_is_asked_about(at: int) -> None:
    frames = [PLAIN] * 6
    frames[at] = frames[(at + 1) % 6] = DOUBTING
    (*_, last) = settled(frames)
    assert (last.status, last.problems) == (Status.UNSURE, Problem.COUNT)
    assert last.unread == (SQUARE,), "people see where, once"
    assert [d.value for d in last.dice] == [3, 5]


def test_one_frame_of_three_is_enough_to_wait_for_more() -> None:
    assert settled([DOUBTING, PLAIN, PLAIN]) == []


def test_one_frame_of_many_is_not_enough_to_ask() -> None:
    """Few questions: a glint that one frame takes for something is no piece."""
    assert [r.status for r in settled([DOUBTING, *[PLAIN] * 7])] == [Status.READ]


@pytest.mark.parametrize("frames", [3, 6, 12])
def test_what_light_hides_no_number_of_frames_shows(frames: int) -> None:
    """Nobody sees a white die where all is white: not in one frame, and not in five."""
    hidden = replace(PLAIN, status=Status.UNSURE, problems=Problem.GLARE, unseen=True)
    assert [r.status for r in settled([hidden] * frames)] == [Status.UNSURE] * (frames >= PATIENCE.unsure_frames)


def test_a_board_with_gaps_in_the_dark_stays_unsure_however_sure_its_tiles_are() -> None:
    evidence = tuple(0.0 if k == 3 else -20.0 for k in range(12))
    tile = TileReading(0, 0, "3", "red", True, 1.0, SQUARE, evidence=evidence)
    board = Reading(Status.UNSURE, (tile,), problems=Problem.DARK, unseen=True, expected="drawbridge")
    settler = Settler(Expectation.DRAWBRIDGE, PATIENCE)
    for k in range(8):
        settler, now = settler.step(board, at_ns=k * EVERY_NS, still=k > 0)
        assert now is None or now.status is Status.UNSURE
    assert settler.believed is not None
    assert settler.believed.tiles[0].sure


def test_a_die_that_some_looks_at_a_still_picture_show_and_the_others_do_not_is_asked_about() -> None:
    """Of the frames that showed it none agrees with the rest on what lies there: they are not heard as its votes."""
    (*_, last) = settled([WITH_A_THIRD] * 3 + [PLAIN] * 6)
    assert last.status is Status.UNSURE
    assert last.unread == (SQUARE,)


def test_a_die_that_was_taken_away_is_not_missed() -> None:
    """The picture changed: what lay there before says nothing of what lies there now."""
    assert [r.status for r in settled([WITH_A_THIRD, PLAIN, PLAIN, PLAIN], still=False)] == [Status.READ]


def test_a_die_that_is_seen_again_is_not_missed() -> None:
    sure = tray(die(3), die(5, at=(200.0, 100.0)), replace(die(6, at=(300.0, 300.0)), corners=SQUARE))
    (*_, last) = settled([sure, PLAIN, sure, sure, sure])
    assert (last.status, last.unread) == (Status.READ, ())


def test_a_disk_is_shown_where_its_middle_lay() -> None:
    before, now = tray(disk(2), expected="disks"), tray(disk(2, at=(500.0, 400.0)), expected="disks")
    (outline,) = missed_of(before, now=now).unread
    assert {round(x) for x, _ in outline} == {290, 310}
    assert not missed_of(before, now=before)


class Mean:
    """Reads the mean of a scene's frames; counts how often it is asked to."""

    def __init__(self, shows: Reading) -> None:
        self.shows, self.asked = shows, 0

    def __call__(self) -> Reading:
        self.asked += 1
        return self.shows


def settled_with(mean: Mean, frames: list[Reading]) -> list[Reading]:
    settler, told = Settler(Expectation.DICE, PATIENCE), []
    for k, frame in enumerate(frames):
        settler, now = settler.step(frame, at_ns=k * EVERY_NS, still=k > 0, mean=mean)
        if now is not None:
            told.append(now)
    return told


def test_what_few_frames_doubt_and_their_mean_does_not_is_noise() -> None:
    """Issue 3: votes over frames raise certainty. A fibre that noise makes a piece of in two frames asks nothing."""
    frames = [DOUBTING, PLAIN, DOUBTING, PLAIN, PLAIN, PLAIN]
    (told,) = settled_with(Mean(PLAIN), frames)
    assert (told.status, told.unread, told.problems) == (Status.READ, (), Problem.NONE)


@pytest.mark.parametrize("doubting", [3, 4, 5, 6])
def test_what_half_of_the_frames_doubt_is_asked_about_whatever_their_mean_shows(doubting: int) -> None:
    (told,) = settled_with(Mean(PLAIN), [DOUBTING] * doubting + [PLAIN] * (6 - doubting))
    assert told.status is Status.UNSURE
    assert told.unread == (SQUARE,)


@pytest.mark.parametrize(
    "mean",
    [
        DOUBTING,
        WITH_A_THIRD,
        tray(die(3), die(4, at=(200.0, 100.0))),
        tray(die(3)),
        Reading(Status.EMPTY),
        Reading(Status.BUSY, problems=Problem.HAND),
    ],
    ids=["doubts too", "one more", "another face", "one less", "nothing", "a hand"],
)
def test_a_mean_that_says_anything_else_clears_nothing(mean: Reading) -> None:
    (told,) = settled_with(Mean(mean), [DOUBTING, PLAIN, DOUBTING, PLAIN, PLAIN, PLAIN])
    assert told.status is Status.UNSURE
    assert [d.value for d in told.dice] == [3, 5]


def test_the_mean_is_read_once_a_scene_and_only_before_the_table_is_asked() -> None:
    """It takes as long as a look: nobody waits for it where all is well."""
    plain = Mean(PLAIN)
    settled_with(plain, [PLAIN] * 9)
    assert plain.asked == 0
    few, doubting = Mean(PLAIN), [DOUBTING, PLAIN, DOUBTING, PLAIN, PLAIN, PLAIN]
    settled_with(few, [*doubting, PLAIN, PLAIN])
    assert few.asked == 1
    torn = Mean(DOUBTING)
    settled_with(torn, [DOUBTING] * 9)
    assert torn.asked == 1


def test_what_most_frames_doubt_in_the_end_is_asked_about_though_the_mean_of_the_first_did_not() -> None:
    frames = [DOUBTING, PLAIN, DOUBTING, PLAIN, PLAIN, PLAIN, DOUBTING, DOUBTING]
    first, last = settled_with(Mean(PLAIN), frames)
    assert (first.status, last.status) == (Status.READ, Status.UNSURE)


def test_another_scene_is_cleared_by_its_own_mean_alone() -> None:
    moved = tray(die(3, at=(400.0, 100.0)), die(5, at=(500.0, 100.0)))
    doubted = replace(moved, status=Status.UNSURE, problems=Problem.COUNT, unread=(SQUARE,))
    settler, told, mean = Settler(Expectation.DICE, PATIENCE), [], Mean(PLAIN)
    for k, frame in enumerate([DOUBTING, PLAIN, DOUBTING, PLAIN, PLAIN, PLAIN, *[doubted, moved] * 3]):
        settler, now = settler.step(frame, at_ns=k * EVERY_NS, still=k not in (0, 6), mean=mean)
        if now is not None:
            told.append(now.status)
    assert told == [Status.READ, Status.UNSURE]
    assert mean.asked == 2
