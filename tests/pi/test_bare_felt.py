"""The table's own felt: shown empty on a page, kept once nothing moves, known after a power cut, forgotten by a tap."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi import lesson
from pi.bare_felt import FILE, PATIENCE_NS, STILL_NS, TOLD_NS, KeptFelt, kept_felt
from pi.frames import Cue, Frame
from pi.guard import Guard
from pi.lesson import Planned
from pi.watcher import Eye
from pi.watching import Watching, Wish
from tests.vision.prints import INK, oval, printed
from tests.vision.trays import drawn
from vision.drawing import Hand, TrayScene
from vision.errors import CannotLearn
from vision.layout import Expectation
from vision.reading import Problem, Status
from vision.tray.glance import glance
from vision.tray.rectify import find_tray

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

EMBLEM = oval((180.0, 214.0), (70.0, 22.0))
BARE = printed(drawn(scene=TrayScene(()), seed=5), EMBLEM, INK["white"], wide_mm=None)
BOARD = printed(drawn(), EMBLEM, INK["white"], wide_mm=None)
HAND = printed(drawn(hand=Hand(20.0, 0.0, 100.0, 3)), EMBLEM, INK["white"], wide_mm=None)
PLAIN = drawn(scene=TrayScene(()), seed=5).picture_bgr
TRAY = find_tray(BARE)
PERIOD_NS = 300_000_000
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
KEEP, INSIST, FORGET = ({"id": do, "do": do} for do in ("keep", "printed", "forget"))


class Pages:
    """A kept felt with frames and wishes of its own clock."""

    def __init__(self, state: Path) -> None:
        self.kept, self.number, self.changes = KeptFelt(state), 0, []
        self.kept.load()

    @property
    def at_ns(self) -> int:
        return self.number * PERIOD_NS

    def sees(self, *pictures: np.ndarray, wish: dict | None, tray=TRAY) -> Pages:
        for picture in pictures:
            frame = Frame(picture, self.at_ns, self.number, still=True)
            self.changes.append(self.kept.step(frame, wish, tray=tray, small=glance(picture)))
            self.number += 1
        return self

    @property
    def said(self) -> str:
        return self.kept.told(self.at_ns)


LONG = [BARE] * (STILL_NS // PERIOD_NS + 1)


def test_it_is_taken_once_nothing_has_changed_for_a_while(tmp_path: Path) -> None:
    """A hand that puts the last tile away must not be kept as a print."""
    pages = Pages(tmp_path).sees(HAND, BARE, HAND, *LONG[1:], wish=KEEP)
    assert pages.changes.count(True) == 0, "it began to lie still too late"
    pages.sees(BARE, wish=KEEP)
    assert pages.changes[-1]
    assert pages.said == ""
    (outline,) = pages.kept.prints(TRAY)
    middle = np.array(EMBLEM).mean(axis=0)
    assert np.abs(TRAY.to_mm(np.array(outline)).mean(axis=0) - middle).max() < 3


def test_it_is_known_after_a_power_cut_and_the_wish_is_not_carried_out_again(tmp_path: Path) -> None:
    first = Pages(tmp_path).sees(*LONG, wish=KEEP).kept.felt
    again = Pages(tmp_path)
    assert np.array_equal(again.kept.felt.bgr, first.bgr)
    again.sees(*[BOARD] * 9, wish=KEEP)
    assert again.changes.count(True) == 0
    assert np.array_equal(again.kept.felt.bgr, first.bgr)


def test_a_damaged_file_is_no_felt(tmp_path: Path) -> None:
    Pages(tmp_path).sees(*LONG, wish=KEEP)
    (tmp_path / FILE).write_bytes(b"PK")
    assert Pages(tmp_path).kept.felt is None


def test_pieces_that_were_left_there_are_named_until_somebody_says_that_they_are_printed(tmp_path: Path) -> None:
    pages = Pages(tmp_path).sees(*[BOARD] * len(LONG), wish=KEEP)
    assert (pages.said, pages.kept.felt) == ("felt-pieces", None)
    assert len(pages.kept.asks(pages.at_ns)) == 40
    assert pages.kept.asks(pages.at_ns + TOLD_NS) == ()
    pages.sees(*[BOARD] * len(LONG), wish=INSIST)
    assert pages.kept.felt is not None


def test_what_moves_on_is_waited_for_only_so_long(tmp_path: Path) -> None:
    frames = PATIENCE_NS // PERIOD_NS + 2
    pages = Pages(tmp_path).sees(*[HAND, BARE] * (frames // 2 + 1), wish=KEEP)
    assert (pages.said, pages.kept.felt) == ("felt-moves", None)


def test_without_a_tray_there_is_no_felt(tmp_path: Path) -> None:
    grey = np.full_like(BARE, 90)
    pages = Pages(tmp_path).sees(*[grey] * len(LONG), wish=KEEP, tray=None)
    assert (pages.said, pages.kept.felt) == ("felt-unseen", None)


def test_a_plain_felt_needs_not_be_known(tmp_path: Path) -> None:
    pages = Pages(tmp_path).sees(*[PLAIN] * len(LONG), wish=KEEP)
    assert pages.said == "felt-plain"
    assert pages.kept.prints(TRAY) == []


def test_it_is_forgotten_by_one_tap_also_after_a_power_cut(tmp_path: Path) -> None:
    Pages(tmp_path).sees(*LONG, wish=KEEP)
    pages = Pages(tmp_path).sees(BARE, wish=FORGET)
    assert pages.changes == [True]
    assert Pages(tmp_path).kept.felt is None


def test_a_card_that_takes_nothing_is_said_and_the_felt_holds_until_the_next_start(tmp_path: Path) -> None:
    gone = tmp_path / "no such folder"
    pages = Pages(gone).sees(*LONG, wish=KEEP)
    assert pages.kept.felt is not None
    assert pages.kept.told(pages.at_ns + 10 * TOLD_NS) == "felt-unkept"


class Table:
    """A watcher with the real eye; what it says is kept."""

    def __init__(self, state: Path) -> None:
        guard, felt = Guard(), KeptFelt(state)
        felt.load()
        self.number, self.statuses, self.trays = 0, [], []
        self.live = state / "live.jpg"
        self.watching = Watching(
            look=Eye(guard, felt=felt),
            guard=guard,
            felt=felt,
            send=self._hear,
            evidence_folder=state / "evidence",
            live=self.live,
            now=lambda: NOON,
            monotonic_ns=lambda: self.number * PERIOD_NS,
        )

    def _hear(self, request: dict) -> dict:
        (self.statuses if "status" in request else self.trays).append(request)
        return {"ok": True}

    def sees(self, picture: np.ndarray, *, wish: dict | None = None, frames: int = 8, expects="rows") -> Table:
        for _ in range(frames):
            frame = Frame(picture, self.number * PERIOD_NS, self.number, still=True)
            self.watching.step(frame, Wish(Cue("m", 1, expects), felt=wish or {}))
            self.number += 1
        return self

    @property
    def eye(self) -> dict:
        return self.statuses[-1]["status"]["eye"]


def live(path: Path) -> dict:
    data = path.read_bytes()
    return json.loads(data[6 : 4 + int.from_bytes(data[4:6], "big")])


def test_a_lesson_on_a_printed_felt_is_looked_at_without_the_print(tmp_path: Path, monkeypatch) -> None:
    """An emblem that passes for an arm would refuse every picture of the lesson."""
    Pages(tmp_path).sees(*LONG, wish=KEEP)
    seen = []

    def learn(lessons, **_):
        seen.extend(lesson.picture_bgr for lesson in lessons)
        raise CannotLearn("enough was seen")

    monkeypatch.setattr(lesson, "learn", learn)
    cv2.imwrite(str(lesson.picture_path(tmp_path, 1)), BOARD)
    (tmp_path / lesson.PLAN).write_text(json.dumps([Planned("rows", ("", "", "", "")).as_json()]), "utf-8")
    for felt in (None, kept_felt(tmp_path)):
        lesson.hold(tmp_path, before=None, made="", progress=lambda _: None, felt=felt)
    emblem = np.round(TRAY.to_px(EMBLEM)).astype(int).mean(axis=0).astype(int)
    assert [int(picture[emblem[1], emblem[0]].min()) > 150 for picture in seen] == [True, False]


def test_an_empty_black_felt_on_a_table_is_empty_and_a_black_frame_shows_no_tray() -> None:
    """Met when tried: an emblem's owner with a black felt was told that no tray is seen."""
    mask = np.ones(BARE.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(TRAY.corners).astype(np.int32), 0)
    black = np.where(mask[..., None] > 0, PLAIN, PLAIN // 6)
    guard = Guard(find=lambda _: TRAY)
    for number in range(3):
        frame = Frame(black, number * 3_000_000_000, number, still=True)
        guard.see(frame, glance(black), busy=False, changed=False, metered=False)
    assert guard.tray is not None
    reading = Eye(guard)(black, Expectation.ROWS)
    assert Problem.DARK in reading.problems
    assert reading.status is Status.EMPTY
    assert Eye(guard)(PLAIN // 9, Expectation.ROWS).status is Status.NO_TRAY


@pytest.mark.parametrize("expect", [Expectation.ROWS, Expectation.DICE])
@pytest.mark.parametrize(("level", "named"), [(0, "dark"), (255, "bright")])
def test_a_black_or_white_frame_is_no_empty_tray(level: int, named: str, expect: Expectation) -> None:
    """Never silently wrong: of dice that have all gone the table is told, and they lie there still."""
    guard = Guard(find=lambda _: TRAY)
    for number in range(3):
        frame = Frame(PLAIN, number * 3_000_000_000, number, still=True)
        guard.see(frame, glance(PLAIN), busy=False, changed=False, metered=False)
    assert guard.tray is not None
    assert guard.tray.complete
    reading = Eye(guard)(np.full_like(PLAIN, level), expect)
    assert reading.status is Status.NO_TRAY
    assert {named, "no-tray"} <= set(reading.problems.words())


def test_a_round_on_a_printed_felt_is_read_without_a_question_once_it_is_known(tmp_path: Path) -> None:
    table = Table(tmp_path).sees(BOARD)
    assert (table.eye["status"], table.trays) != ("read", []), "else this shows nothing"
    table.sees(BARE, wish=KEEP, expects=None, frames=9)
    assert len(live(table.live)["printed"]) == 1, "people see what is taken for a print"
    table.sees(BOARD, wish=KEEP, frames=12)
    assert table.eye["status"] == "read"
    assert len(table.trays[-1]["tray"]["tiles"]) == 40
    assert table.eye["notices"] == []


def test_another_felt_is_said_with_what_to_do_about_it(tmp_path: Path) -> None:
    Pages(tmp_path).sees(*LONG, wish=KEEP)
    table = Table(tmp_path).sees(drawn().picture_bgr, frames=3)
    assert "other-felt" in table.eye["problems"]
    assert [notice["what"] for notice in table.eye["notices"]] == ["felt-other"]
    assert [notice["what"] for notice in table.sees(BOARD, frames=6).eye["notices"]] == []


@pytest.mark.parametrize("expects", [None, "rows"])
def test_what_looks_like_a_piece_is_marked_in_the_live_picture(tmp_path: Path, expects: str | None) -> None:
    table = Table(tmp_path).sees(BOARD, wish=KEEP, expects=expects, frames=10)
    assert [notice["what"] for notice in table.eye["notices"]] == ["felt-pieces"]
    assert len(live(table.live)["unread"]) >= 40
    assert live(table.live)["told"] == ["felt-pieces"], "and said there"


@pytest.mark.parametrize("expects", [None, "rows"])
def test_what_became_of_it_is_told_with_the_live_picture_for_a_while(tmp_path: Path, expects: str | None) -> None:
    """People look at the picture under which they have just tapped, between rounds, too."""
    table = Table(tmp_path).sees(PLAIN, wish=KEEP, expects=expects, frames=10)
    assert live(table.live)["told"] == ["felt-plain"]
    table.sees(PLAIN, wish=KEEP, expects=expects, frames=TOLD_NS // PERIOD_NS + 1)
    assert "told" not in live(table.live)
