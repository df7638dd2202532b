"""The issue: "clicking four corners the last". At the table: shown on a page, kept, followed, told, forgotten."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from pi.corners import FILE, Corners
from pi.frames import Cue, Frame
from pi.guard import SOUGHT_EDGE_NS, Guard
from pi.watcher import Eye
from pi.watching import Watching, Wish
from tests.vision.trays import drawn, on_a_table_of_felt
from vision.layout import Expectation
from vision.reading import Problem, Reading, Status
from vision.tray.rectify import find_tray

pytestmark = pytest.mark.usefixtures("searched_once", "watched_once")

TRAY = drawn(seed=6, markers=False)
CORNERS = np.array(TRAY.truth["tray"]["corners"], dtype=np.float64)
LOST = on_a_table_of_felt(TRAY)
PLAIN = on_a_table_of_felt(TRAY, lids=False)
SHARES = ((CORNERS + 0.5) / LOST.shape[1::-1]).tolist()
TRAY_ROWS = Expectation.ROWS
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
PERIOD_NS = 100_000_000
SHOW = {"id": "1", "do": "show", "at": SHARES}


def frame(picture: np.ndarray = LOST, number: int = 0) -> Frame:
    return Frame(picture, number * PERIOD_NS, number, still=True)


def shown(state, picture: np.ndarray = LOST, **wish: object) -> Corners:
    """Corners of a table that was heard, and then wished for these."""
    corners = Corners(state)
    corners.step(frame(picture), {})
    corners.step(frame(picture), {**SHOW, **wish})
    return corners


class Table:
    """A watcher with the real eye over a still picture; what it says is kept."""

    def __init__(self, state) -> None:
        corners = Corners(state)
        self.guard, self.statuses, self.trays, self.number = Guard(shown=corners.load()), [], [], 0
        self.watching = Watching(
            look=Eye(self.guard),
            guard=self.guard,
            corners=corners,
            send=self._hear,
            evidence_folder=state / "evidence",
            live=state / "live.jpg",
            now=lambda: NOON,
            monotonic_ns=lambda: self.number * PERIOD_NS,
        )

    def _hear(self, request):
        (self.statuses if "status" in request else self.trays).append(request)
        return {"ok": True}

    def sees(self, picture: np.ndarray, *, wish=None, frames: int = 14, expects: str | None = "rows") -> Table:
        for _ in range(frames):
            looks = Wish(Cue("m", 1, expects), corners=wish or {})
            self.watching.step(frame(picture, self.number), looks)
            self.number += 1
        return self

    def waits(self, picture: np.ndarray, *, wish=None) -> Table:
        """Let so much time pass that the tray is sought several times."""
        for _ in range(5):
            self.number += SOUGHT_EDGE_NS // PERIOD_NS
            self.sees(picture, wish=wish, frames=2)
        return self

    @property
    def eye(self) -> dict:
        return self.statuses[-1]["status"]["eye"]

    @property
    def notices(self) -> list[str]:
        return [notice["what"] for notice in self.eye["notices"]]


def test_a_tray_that_nothing_shows_is_read_once_its_corners_were_shown(tmp_path) -> None:
    table = Table(tmp_path).sees(LOST)
    assert find_tray(LOST) is None
    assert (table.eye["status"], table.trays) == ("no-tray", [])
    table.sees(LOST, wish=SHOW, frames=20)
    assert table.eye["status"] == "read"
    (read,) = table.trays
    assert ["".join(t["symbol"] for t in read["tray"]["tiles"][k : k + 10]) for k in range(0, 40, 10)] == [
        "0836572914",
        "5489270136",
        "9120473856",
        "4267591830",
    ]
    assert table.notices == []


def test_the_live_picture_shows_where_the_tray_is_taken_to_lie_before_any_round(tmp_path) -> None:
    """Who has put the rings wants to see that they were taken."""
    table = Table(tmp_path).sees(LOST, frames=1, expects=None)
    table.sees(LOST, wish=SHOW, frames=20, expects=None)
    data = (tmp_path / "live.jpg").read_bytes()
    said = json.loads(data[6 : 4 + int.from_bytes(data[4:6], "big")])
    assert said["status"] == "resting"
    assert np.abs(np.array(said["tray"]) - ((CORNERS + 0.5) / 2 - 0.5).ravel()).max() < 1


def test_the_watcher_knows_them_again_after_a_power_cut(tmp_path) -> None:
    shown(tmp_path)
    table = Table(tmp_path).sees(LOST, frames=20)
    assert table.eye["status"] == "read"


def test_a_bump_is_named_and_followed(tmp_path) -> None:
    """FIELD.md promise 9: an alarm within one turn."""
    shown(tmp_path)
    table = Table(tmp_path).sees(LOST)
    right, down = 14, 9
    moved = np.asarray(
        cv2.warpAffine(
            LOST, np.array([[1.0, 0, right], [0, 1, down]]), LOST.shape[1::-1], borderMode=cv2.BORDER_REFLECT
        )
    )
    table.waits(moved)
    assert "bumped" in table.notices
    assert np.abs(np.array(table.guard.tray.corners) - CORNERS - (right, down)).max() < 1.5


def test_a_tray_that_was_carried_away_is_lost_and_nothing_is_read_where_it_was(tmp_path) -> None:
    shown(tmp_path)
    table = Table(tmp_path).sees(LOST)
    table.waits(np.asarray(np.roll(LOST, 150, axis=1)))
    assert table.notices == ["corners-lost"]
    assert table.eye["status"] == "no-tray"
    table.watching.calibrate()
    table.waits(np.asarray(np.roll(LOST, 150, axis=1)))
    assert table.notices == ["corners-lost"], "to calibrate finds no tray that is not there"


@pytest.mark.parametrize(("light", "what"), [(0.0, "too-dark"), (60.0, "too-bright")])
def test_where_the_lamp_went_out_nobody_shows_the_corners_again(tmp_path, light: float, what: str) -> None:
    """The issue: "a changed lamp is noticed within one turn and named", and in the dark no corner could be shown."""
    shown(tmp_path)
    table = Table(tmp_path).sees(LOST)
    table.waits(np.clip(LOST * light, 0, 255).astype(np.uint8))
    assert (table.eye["status"], table.notices) == ("no-tray", [what])
    table.waits(LOST)
    assert (table.eye["status"], table.notices) == ("read", [])


def test_a_hand_over_a_corner_is_no_landmark(tmp_path) -> None:
    """Who points at the tablet may have an arm over the tray: the corners are taken once it is gone."""
    table = Table(tmp_path).sees(LOST)
    busy = Reading(Status.BUSY, problems=Problem.HAND)
    table.watching.look = lambda *_: busy
    table.sees(PLAIN, wish=SHOW)
    assert table.guard.shown is None
    table.watching.look = Eye(table.guard)
    table.sees(LOST, wish=SHOW, frames=20)
    assert table.guard.shown is not None
    assert table.guard.shown.watched
    assert table.eye["status"] == "read"


def test_pictures_of_another_size_are_another_cameras(tmp_path) -> None:
    shown(tmp_path)
    table = Table(tmp_path).sees(LOST)
    half = np.asarray(cv2.resize(LOST, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    table.waits(half)
    assert (table.eye["status"], table.notices) == ("no-tray", ["corners-lost"])


def test_where_nothing_would_show_a_bump_that_is_said(tmp_path) -> None:
    table = Table(tmp_path).sees(PLAIN, frames=1).sees(PLAIN, wish=SHOW, frames=20)
    assert table.eye["status"] == "read"
    assert table.notices == ["corners-plain"]


def test_no_other_felt_is_taken_for_the_tray_while_corners_are_shown(tmp_path) -> None:
    picture = np.asarray(TRAY.picture_bgr, np.uint8)
    away = shown(tmp_path, picture, at=[[0.02, 0.02], [0.2, 0.02], [0.2, 0.18], [0.02, 0.18]])
    assert away.landmarks is not None
    guard = Guard(shown=away.landmarks)
    guard.shown = None
    assert Eye(guard)(picture, TRAY_ROWS).status is Status.READ
    guard.shown = away.landmarks
    assert Eye(guard)(np.asarray(np.roll(picture, 300, axis=0)), TRAY_ROWS).status is not Status.READ


def test_markers_laid_afterwards_are_more_exact_and_it_is_said_that_corners_are_not_needed(tmp_path) -> None:
    marked = np.asarray(drawn(seed=6).picture_bgr, np.uint8)
    shown(tmp_path, marked)
    table = Table(tmp_path).sees(marked)
    assert table.guard.tray is not None
    assert table.guard.tray.complete
    assert "not needed" in table.statuses[-1]["status"]["camera"]["words"]


def test_the_eye_looks_for_itself_again_once_they_are_forgotten(tmp_path) -> None:
    shown(tmp_path)
    table = Table(tmp_path).sees(LOST)
    table.sees(LOST, wish={"id": "2", "do": "forget"})
    assert table.guard.shown is None
    assert table.eye["status"] == "no-tray"
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    "at",
    [
        None,
        "corners",
        [[0.1, 0.1]] * 4,
        [[0.1, 0.1], [0.1, 0.9], [0.9, 0.9], [0.9, 0.1]],
        [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 1.9]],
        [[0.1, 0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]],
    ],
    ids=["none", "text", "one point", "the other way round", "beyond the picture", "three numbers"],
)
def test_what_spans_no_tray_changes_nothing_and_is_said(tmp_path, at) -> None:
    corners = shown(tmp_path)
    before, kept = corners.landmarks, (tmp_path / FILE).read_bytes()
    assert not corners.step(frame(), {"id": "2", "do": "show", "at": at})
    assert (corners.landmarks, corners.told(0)) == (before, "corners-wrong")
    assert corners.told(60_000_000_000) == "", "who went on is not told for ever"
    assert (tmp_path / FILE).read_bytes() == kept
    assert corners.step(frame(), {**SHOW, "id": "3"})
    assert corners.notice == ""


@pytest.mark.parametrize("first", [1, 3], ids=["top right first", "bottom left first"])
def test_corners_a_quarter_turn_off_change_nothing_and_are_said(tmp_path, first) -> None:
    """Taken, they would let the eye wait for ever: whatever lies there would look like no tile."""
    table = Table(tmp_path).sees(LOST, wish={**SHOW, "at": [*SHARES[first:], *SHARES[:first]]})
    assert table.guard.shown is None
    assert table.notices == ["corners-turned"]
    assert not (tmp_path / FILE).exists()
    assert table.sees(LOST, wish={**SHOW, "id": "2"}, frames=20).eye["status"] == "read"


def test_a_wish_is_carried_out_once_and_not_by_the_next_watcher(tmp_path) -> None:
    corners = shown(tmp_path)
    assert not corners.step(frame(PLAIN), SHOW)
    assert corners.landmarks.watched, "of the picture in which they were shown"
    other = Corners(tmp_path)
    other.load()
    assert not other.step(frame(), None), "the table was not heard yet"
    assert not other.step(frame(PLAIN), SHOW), "the watcher before this one did that"
    assert other.landmarks.watched
    assert other.step(frame(PLAIN), {**SHOW, "id": "5"}), "asked for while none was there"
    assert not other.landmarks.watched


def test_a_card_that_takes_nothing_is_said_and_the_corners_hold_meanwhile(tmp_path) -> None:
    corners = shown(tmp_path / "nowhere")
    assert corners.landmarks is not None
    assert corners.notice == "corners-unkept"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"corners": 1}'])
def test_a_damaged_file_counts_as_none(tmp_path, text) -> None:
    (tmp_path / FILE).write_text(text)
    assert Corners(tmp_path).load() is None
