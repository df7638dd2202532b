"""The watcher: looks, waits, keeps the evidence and only then hands in; a hung camera ends it loudly."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from pi.camera_light import ABSENT, HELD, IGNORED, LightLock
from pi.errors import CameraLost
from pi.frames import Cue, Frame
from pi.guard import Guard
from pi.watcher import HUNG, Deadline, watch
from pi.watching import LOOKS, Watching, Wish, worth_telling
from tests.pi.cameras import Clock, Fixed, Moody
from vision.frames.light import Change, LightWatch, Shift
from vision.layout import Expectation
from vision.reading import Problem, Reading, Status, TileReading
from vision.tray.rectify import tray_from_clicks

NOON = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
PERIOD_NS = 100_000_000
ROUND_1 = Wish(Cue("m", 1, "rows"))
RESTING = Wish(Cue("m", 1, None))
FELT = ((10.0, 10.0), (110.0, 10.0), (110.0, 80.0), (10.0, 80.0))


def tile(row: int, column: int, symbol: str = "7", *, sure: bool = True) -> TileReading:
    x, y = 15.0 + 9 * column, 15.0 + 15 * row
    corners = ((x, y), (x + 8, y), (x + 8, y + 12), (x, y + 12))
    p = 0.9999 if sure else 0.6
    return TileReading(row, column, symbol, "red", sure, p, corners, ((symbol, p),))


def laid(symbols: str = "0123456789", *, unsure: int = 0) -> Reading:
    tiles = tuple(tile(r, c, s, sure=10 * r + c >= unsure) for r in range(4) for c, s in enumerate(symbols))
    status = Status.UNSURE if unsure else Status.READ
    return Reading(status, tiles=tiles, tray=FELT, expected="rows")


FACE_DOWN = Reading(Status.READ, tiles=tuple(tile(r, c, "down") for r in range(4) for c in range(10)), tray=FELT)
BUSY = Reading(Status.BUSY, problems=Problem.HAND, tray=FELT)
NO_TRAY = Reading(Status.NO_TRAY, problems=Problem.NO_TRAY)
EMPTY = Reading(Status.EMPTY, tray=FELT)


class Script:
    """An eye that says what the script says: a picture's blue value chooses the reading."""

    def __init__(self, *readings: Reading) -> None:
        self.readings, self.looks = readings, []

    def __call__(self, picture_bgr, expect):
        self.looks.append(expect)
        return self.readings[int(picture_bgr[0, 0, 0]) // 20]


def shows(n: int) -> np.ndarray:
    """A picture on which `Script` reads its n-th reading."""
    picture = np.full((90, 120, 3), 90, dtype=np.uint8)
    picture[:20, :20] = 20 * n + 5
    picture[40:60, 20 * n : 20 * n + 20] = 240
    return picture


class Table:
    """Takes what the watcher sends; answers the readings with what it was told to."""

    def __init__(self, answer=None) -> None:
        self.answer = answer or {"ok": True, "match": "m", "seq": 1}
        self.trays, self.statuses, self.evidence_then = [], [], []
        self.folder = None

    def __call__(self, request):
        if "status" in request:
            self.statuses.append(request["status"])
            return {"ok": True}
        tray = request["tray"]
        self.trays.append(tray)
        self.evidence_then.append(sorted(p.name for p in self.folder.iterdir()))
        return self.answer


class Scene:
    """A watcher over scripted frames."""

    def __init__(self, tmp_path, *readings: Reading, answer=None) -> None:
        self.table = Table(answer)
        self.table.folder = tmp_path / "evidence"
        self.eye, self.clock, self.number = Script(*readings), Clock(), 0
        self.watching = Watching(
            look=self.eye,
            send=self.table,
            evidence_folder=tmp_path / "evidence",
            live=tmp_path / "live.jpg",
            now=lambda: NOON,
            monotonic_ns=self.clock,
            guard=Guard(find=lambda picture: None),
        )

    def sees(self, *pictures: int, wish: Wish = ROUND_1) -> None:
        for n in pictures:
            frame = Frame(shows(n), self.number * PERIOD_NS, self.number, still=True)
            self.number += 1
            self.clock.now_ns += PERIOD_NS
            self.watching.step(frame, wish)

    @property
    def handed_in(self) -> list[str]:
        return ["".join(t["symbol"] for t in tray["tiles"][:10]) for tray in self.table.trays]

    @property
    def eye_says(self) -> dict:
        return self.table.statuses[-1]["eye"]


def test_a_still_tray_is_handed_in_once(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 30)
    assert scene.handed_in == ["0123456789"]


def test_a_reading_that_has_not_lasted_is_not_handed_in(tmp_path):
    scene = Scene(tmp_path, laid(), laid("9876543210"))
    scene.sees(0, 0, 1, 1, 0, 0, 1, 1)
    assert scene.handed_in == []


def test_hands_never_score_and_make_the_tray_wait_again(tmp_path):
    scene = Scene(tmp_path, laid(), BUSY)
    scene.sees(*[1] * 20)
    assert scene.handed_in == []
    scene.sees(0, 0, 1, 0, 0, 1, 0, 0)
    assert scene.handed_in == []
    scene.sees(*[0] * 6)
    assert scene.handed_in == ["0123456789"]


@pytest.mark.parametrize(("at_x", "settles"), [(105, True), (40, False)], ids=["beside the tray", "over it"])
def test_who_moves_beside_the_tray_keeps_nobody_waiting(tmp_path, at_x, settles):
    """Issue 3: a reading counts when the tray has been still. The camera sees half the table, and people move there."""
    scene = Scene(tmp_path, laid())
    tray = tray_from_clicks([(15.0, 20.0), (75.0, 20.0), (75.0, 62.0), (15.0, 62.0)])
    scene.watching.guard = Guard(find=lambda picture: tray)
    for n in range(40):
        picture = shows(0)
        cv2.circle(picture, (at_x, 15 + 7 * (n % 8)), 6, (200, 60, 140), -1)
        scene.watching.step(Frame(picture, n * PERIOD_NS, n, still=True), ROUND_1)
    assert scene.handed_in == (["0123456789"] if settles else [])


@pytest.mark.parametrize("reading", [BUSY, NO_TRAY, EMPTY, FACE_DOWN], ids=["busy", "no-tray", "empty", "face-down"])
def test_what_is_no_claim_goes_out_as_status_only(tmp_path, reading):
    scene = Scene(tmp_path, reading)
    scene.sees(*[0] * 30)
    assert scene.handed_in == []
    assert scene.eye_says["status"] == reading.status.value
    assert scene.eye_says["down"] == sum(t.symbol == "down" for t in reading.tiles)


def test_one_forgotten_tile_face_down_is_handed_in_so_that_the_table_can_say_what_it_is(tmp_path):
    down = laid()
    forgotten = Reading(Status.READ, tiles=(tile(0, 0, "down"), *down.tiles[1:]), tray=FELT, expected="rows")
    assert worth_telling(forgotten)
    scene = Scene(tmp_path, forgotten)
    scene.sees(*[0] * 10)
    assert scene.handed_in == ["?123456789"]


def test_an_unsure_tray_is_handed_in_so_that_the_table_is_asked(tmp_path):
    scene = Scene(tmp_path, laid(unsure=2))
    scene.sees(*[0] * 20)
    assert [[t["sure"] for t in tray["tiles"]].count(False) for tray in scene.table.trays] == [2]
    assert scene.eye_says["unsure"] == 2


def test_the_evidence_is_on_disk_before_the_reading_is_handed_in(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 10)
    (name,) = {tray["frame"] for tray in scene.table.trays}
    assert name.startswith("20261121T120000-")
    assert scene.table.evidence_then == [[f"{name}.jpg", f"{name}.json", f"{name}.tray.jpg"]]


def test_the_evidence_says_where_each_tile_lies_in_the_picture_from_above(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 10)
    name = scene.table.trays[0]["frame"]
    described = json.loads((tmp_path / "evidence" / f"{name}.json").read_text())
    above = cv2.imread(str(tmp_path / "evidence" / f"{name}.tray.jpg"))
    width, height = described["size"]
    assert above.shape[:2] == (height, width) == (736, 1000)
    first = described["tiles"][0]
    assert (first["row"], first["column"], first["symbol"], first["colour"]) == (0, 0, "0", "red")
    # The felt goes from 10 to 110 and from 10 to 80 in the frame, and from 25 to 974 and 25 to 710 from above.
    for corner, (x, y) in ((0, (15, 15)), (2, (23, 27))):
        expected = [25 + (x - 10) / 100 * 949, 25 + (y - 10) / 70 * 685]
        assert first["corners"][corner] == pytest.approx(expected, abs=0.2)
    assert described["reading"] == laid().as_json()


def test_the_eye_rests_while_nothing_is_asked_of_it(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 20, wish=RESTING)
    assert scene.eye.looks == []
    assert scene.eye_says["status"] == "resting"


def test_it_looks_for_what_the_table_expects(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(0, wish=Wish(Cue("m", 1, "diamond")))
    assert scene.eye.looks == [Expectation.DIAMOND]


@pytest.mark.parametrize("unsure", [0, 1])
def test_after_a_stall_of_the_camera_a_tray_that_lies_still_is_looked_at_again(tmp_path, unsure):
    """What happened while no frame came nobody saw, however many looks it had before."""
    scene = Scene(tmp_path, laid(unsure=unsure))
    scene.sees(*[0] * 30)
    looks = len(scene.eye.looks)
    assert looks - unsure == LOOKS[Status.UNSURE if unsure else Status.READ], "and one at the mean of what is unsure"
    scene.number += 60
    scene.sees(*[0] * 30)
    assert len(scene.eye.looks) == 2 * looks
    assert len(scene.table.trays) == 1, "the same tray is no news"
    assert scene.table.statuses[-1]["eye"]["status"] == ("unsure" if unsure else "read")


def test_a_tray_that_does_not_change_costs_only_a_few_looks(tmp_path):
    scene = Scene(tmp_path, laid(), laid(unsure=1))
    scene.sees(*[0] * 50)
    assert len(scene.eye.looks) == LOOKS[Status.READ]
    scene.sees(*[1] * 50)
    at_their_mean = 1
    assert len(scene.eye.looks) == LOOKS[Status.READ] + LOOKS[Status.UNSURE] + at_their_mean


def test_slow_changes_add_up_until_the_eye_looks_again(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 20)
    before = len(scene.eye.looks)
    for step in range(1, 15):
        picture = shows(0)
        picture[30:60, 30:60] += np.uint8(step)  # a shadow that creeps in, a grey value a frame
        scene.watching.step(Frame(picture, (20 + step) * PERIOD_NS, 20 + step, still=True), ROUND_1)
    assert len(scene.eye.looks) > before


def test_a_new_round_hands_in_anew_even_if_the_same_tiles_lie_there(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 10)
    scene.sees(*[0] * 3, wish=RESTING)
    scene.sees(*[0] * 10, wish=Wish(Cue("m", 2, "rows")))
    assert scene.handed_in == ["0123456789"] * 2


def test_the_tray_is_right_reads_the_same_round_again(tmp_path):
    """DESIGN: "the tray is right" (re-read) is one tap away."""
    scene = Scene(tmp_path, laid())
    scene.sees(*[0] * 10)
    scene.sees(*[0] * 10, wish=Wish(Cue("m", 1, "rows"), read=True))
    assert len(scene.handed_in) == 1
    scene.sees(*[0] * 10, wish=Wish(Cue("m", 1, "rows"), read=False))
    assert len(scene.handed_in) == 2


def test_a_changed_tray_is_handed_in_again(tmp_path):
    scene = Scene(tmp_path, laid(), laid("9876543210"))
    scene.sees(*[0] * 10, *[1] * 10)
    assert scene.handed_in == ["0123456789", "9876543210"]


def test_what_the_table_refuses_is_told_in_its_words_and_not_sent_over_and_over(tmp_path):
    sentence = "The tiles of the last round still lie there."
    scene = Scene(tmp_path, laid(), answer={"refused": "same-tray", "sentence": sentence})
    scene.sees(*[0] * 30)
    assert len(scene.handed_in) == 1
    assert scene.eye_says["words"] == sentence
    scene.sees(0, wish=Wish(Cue("m", 2, "rows")))
    assert scene.eye_says["words"] == ""


def test_what_was_refused_is_said_for_as_long_as_it_lies_there(tmp_path):
    """It is gone with the hand that puts it right, and there again when nothing was."""
    sentence = "The tray shows 39 tiles, or in other places than the 40 of a rows board."
    scene = Scene(
        tmp_path, laid(), BUSY, laid("9876543210"), EMPTY, answer={"refused": "bad-tray", "sentence": sentence}
    )
    scene.sees(*[0] * 10)
    assert scene.eye_says["words"] == sentence
    scene.sees(*[1] * 3)
    assert scene.eye_says["words"] == ""
    scene.sees(*[0] * 10)
    assert scene.eye_says["words"] == sentence, "it lies there still, and is no news"
    assert len(scene.handed_in) == 1
    scene.table.answer = {"ok": True, "match": "m", "seq": 2}
    scene.sees(*[1] * 3, *[2] * 10)
    assert scene.eye_says["words"] == ""


def test_of_a_tray_that_was_cleared_nothing_is_said_any_more(tmp_path):
    scene = Scene(tmp_path, laid(), EMPTY, answer={"refused": "bad-tray", "sentence": "The tray shows 39 tiles."})
    scene.sees(*[0] * 10, *[1] * 10)
    assert scene.eye_says["words"] == ""
    assert len(scene.handed_in) == 1, "an empty tray is no claim"


def test_signs_of_life_come_every_second_and_changes_at_once(tmp_path):
    scene = Scene(tmp_path, laid(), BUSY)
    scene.sees(*[1] * 100)
    quiet = len(scene.table.statuses)
    assert 10 <= quiet <= 13
    scene.sees(0, 0)
    # The frame in which the hand goes is one in motion.
    assert [s["eye"]["status"] for s in scene.table.statuses[quiet:]] == ["busy", "read"]
    assert scene.table.statuses[quiet]["eye"]["problems"] == ["motion"]


def test_dropped_frames_are_counted_in_the_status(tmp_path):
    scene = Scene(tmp_path, laid())
    scene.sees(0)
    scene.number += 4
    scene.sees(0)
    assert scene.table.statuses[-1]["camera"]["dropped"] == 4


@pytest.mark.parametrize(("pixels_mm", "small"), [(0.3, True), (1.1, True), (1.13, False), (2.2, False)])
def test_a_tray_seen_small_is_named_with_what_helps(tmp_path, pixels_mm, small):
    """Trays whose tiles are 17 to 25 pixels wide are asked about one in four times (FIGURES.md, other sizes)."""
    wide, tall = 360 * pixels_mm, 260 * pixels_mm
    tray = tray_from_clicks([(5.0, 5.0), (5.0 + wide, 5.0), (5.0 + wide, 5.0 + tall), (5.0, 5.0 + tall)])
    scene = Scene(tmp_path, laid())
    scene.watching.guard = Guard(find=lambda picture: tray)
    scene.sees(*[0] * 40)
    words = scene.table.statuses[-1]["camera"]["words"]
    if small:
        width = round(25 * pixels_mm)
        assert words.startswith(
            f"The camera sees the tray small: a tile is {width} pixels wide in its pictures of 120 x 90"
        )
        assert "Hang it lower" in words
    else:
        assert words == "The camera sees the tray."


def test_for_a_look_before_a_match_the_eye_reads_what_lies_there_and_hands_nothing_in(tmp_path):
    """The setup walk ends in a real look (`pi.tryout`); nothing of it reaches a match."""
    scene = Scene(tmp_path, laid())
    idle = Wish.of({"match": None, "seq": 0, "status": {}})
    scene.sees(0, 0, wish=idle)
    assert scene.eye.looks == [], "it rests"
    scene.sees(*[0] * 20, wish=Wish.of({"match": None, "seq": 0, "status": {"tryout": {"seen": [], "read": True}}}))
    assert scene.eye.looks
    live = (tmp_path / "live.jpg").read_bytes()
    said = json.loads(live[6 : 4 + int.from_bytes(live[4:6], "big")])
    assert len(said["tiles"]) == 40
    assert scene.table.trays == []


@pytest.mark.parametrize("tryout", [False, True], ids=["at rest", "for a look"])
def test_a_camera_before_which_no_tray_lies_is_not_said_to_see_one(tmp_path, tryout):
    """Never silently wrong: the setup walk ticks its first step by what the camera says of itself."""
    scene = Scene(tmp_path, NO_TRAY)
    wish = Wish.of({"match": None, "seq": 0, "status": {"tryout": {"seen": [], "read": tryout}}})
    scene.sees(0, wish=wish)
    told = scene.table.statuses[-1]["camera"]
    assert told["state"] == "ok", "it works"
    if not tryout:
        assert (told["tray"], told["words"]) == (
            "sought",
            "The camera gives pictures; the tray is being looked for in them.",
        )
    scene.sees(*[0] * 20, wish=wish)
    told = scene.table.statuses[-1]["camera"]
    assert (told["tray"], told["words"]) == ("unseen", "The camera gives pictures, but no tray is seen in them.")
    scene.watching.calibrate()
    scene.sees(*[0] * 20, wish=wish)
    assert scene.table.statuses[-1]["camera"]["tray"] == "unseen", "calibrating finds no tray either"


def test_camera_and_eye_never_say_two_things_of_the_tray(tmp_path):
    """A registration remembers where the tray lay; the eye has looked where it lies."""
    scene = Scene(tmp_path, laid(), NO_TRAY, BUSY)
    tray = tray_from_clicks([(15.0, 20.0), (75.0, 20.0), (75.0, 62.0), (15.0, 62.0)])
    scene.watching.guard = Guard(find=lambda picture: tray)
    for pictures, sight in ((0, "seen"), (1, "unseen"), (2, "seen"), (1, "unseen"), (0, "seen")):
        scene.sees(*[pictures] * 6)
        assert scene.table.statuses[-1]["camera"]["tray"] == sight


def test_a_camera_that_dropped_frames_or_has_no_lock_still_says_that_it_sees_no_tray(tmp_path):
    scene = Scene(tmp_path, NO_TRAY)
    scene.watching.lock = LightLock(Hands())
    scene.watching.lock.state = ABSENT
    scene.sees(0)
    scene.number += 4
    scene.sees(*[0] * 5)
    assert scene.table.statuses[-1]["camera"]["words"] == "The camera gives pictures, but no tray is seen in them."


def test_what_is_read_for_a_look_is_told_beside_the_picture_that_shows_it(tmp_path):
    """The picture said "waits" and the list under it "rests"."""
    scene = Scene(tmp_path, laid(unsure=2), BUSY)
    looks = Wish.of({"match": None, "seq": 0, "status": {"tryout": {"seen": [], "read": True}}})
    scene.sees(*[0] * 10, wish=looks)
    assert (scene.eye_says["status"], scene.eye_says["unsure"]) == ("unsure", 2)
    scene.sees(*[1] * 10, wish=looks)
    assert (scene.eye_says["status"], scene.eye_says["problems"]) == ("busy", ["hand"])
    scene.sees(*[0] * 10, wish=Wish.of({"match": None, "seq": 0, "status": {}}))
    assert scene.eye_says["status"] == "resting"


def test_pictures_a_second_are_told_and_are_no_news_while_the_camera_is_well(tmp_path):
    scene = Scene(tmp_path, EMPTY)
    scene.sees(*[0] * 320, wish=RESTING)
    told = [status["camera"]["fps"] for status in scene.table.statuses]
    assert told[0] is None, "not counted yet"
    assert set(told[-20:]) == {10}


def test_the_live_picture_is_small_fresh_and_whole(tmp_path):
    scene = Scene(tmp_path, laid())
    wide = np.zeros((960, 1280, 3), dtype=np.uint8)
    scene.watching.step(Frame(wide, 0, 0, still=True), RESTING)
    live = tmp_path / "live.jpg"
    assert cv2.imread(str(live)).shape == (480, 640, 3)
    first = live.stat().st_mtime_ns
    scene.watching.step(Frame(wide, 1, 1, still=True), RESTING)
    assert live.stat().st_mtime_ns == first
    scene.clock.now_ns += 500_000_000
    scene.watching.step(Frame(wide, 2, 2, still=True), RESTING)
    assert live.stat().st_mtime_ns > first
    assert [p.name for p in tmp_path.iterdir()] == ["live.jpg"]


def test_a_wish_is_read_from_the_tables_line():
    line = {"match": "m", "seq": 9, "status": {}, "expects": "wild", "round": 3, "read": True, "over": False}
    assert Wish.of(line) == Wish(Cue("m", 3, "wild"), read=True, seq=9, calibrate="", corners={}, felt={})
    assert Wish.of({"match": None, "seq": 0, "status": {}, "expects": None}) == Wish(calibrate="", corners={}, felt={})
    asked = {"match": None, "status": {"asked": {"calibrate": "7"}}}
    assert Wish.of(asked).calibrate == "7"


def test_the_loop_cues_the_camera_and_ends_with_the_source(tmp_path):
    scene = Scene(tmp_path, laid())
    camera, kicks = Fixed([shows(0)] * 8), []
    watch(camera, scene.watching, wish=lambda: ROUND_1, kick=lambda: kicks.append(1))
    assert scene.handed_in == ["0123456789"]
    assert set(camera.cues) == {ROUND_1.cue}
    assert len(kicks) == 8


def test_a_camera_that_is_lost_ends_the_loop(tmp_path):
    scene = Scene(tmp_path, laid())
    with pytest.raises(CameraLost, match="unplugged"):
        watch(Moody(Fixed([shows(0)] * 8), lost=(3,)), scene.watching, wish=lambda: ROUND_1, kick=lambda: None)
    assert scene.handed_in == []


def test_a_camera_that_hangs_ends_the_process_loudly(caplog):
    now_s, ended = [0.0], []
    deadline = Deadline(5.0, end=ended.append, monotonic_s=lambda: now_s[0])
    now_s[0] = 4.9
    assert not deadline.check()
    deadline.kick()
    now_s[0] = 9.8
    assert not deadline.check()
    now_s[0] = 10.0
    assert deadline.check()
    assert ended == [HUNG]
    assert "no frame for 5.0 s" in caplog.text


class Hands:
    """A camera's controls that do what they are told."""

    exposure = "exposure"

    def __init__(self) -> None:
        self.freed, self.held = 0, []

    def free(self):
        self.freed += 1

    def values(self):
        return {"exposure": 50.0}

    def automatic(self):
        return False

    def hold(self, values):
        self.held.append(values)


def dimmed(scene: Scene, *, since_s: float) -> None:
    """Let the guard have found that the light is another since so long."""
    shift = Shift(-0.8, 0.0, 0.0, 0.0)
    since_ns = scene.watching._at_ns - round(since_s * 1e9)
    scene.watching.guard.light = LightWatch(change=Change(since_ns, shift, "darker", True))


def asking(token: str, wish: Wish = ROUND_1) -> Wish:
    return replace(wish, calibrate=token)


def test_calibrating_takes_place_and_light_as_they_are_and_measures_the_exposure_anew(tmp_path):
    scene, hands = Scene(tmp_path, laid()), Hands()
    scene.watching.lock = LightLock(hands)
    scene.sees(*[0] * 5, wish=asking(""))
    dimmed(scene, since_s=3)
    scene.sees(0, wish=asking(""))
    assert scene.eye_says["problems"] == ["light-changed"]
    (notice,) = scene.eye_says["notices"]
    assert (notice["what"], notice["how"]) == ("light-changed", "darker")
    scene.sees(0, wish=asking("7"))
    assert scene.eye_says["notices"] == []
    assert hands.freed == 2
    scene.sees(*[0] * 5, wish=asking("7"))
    assert hands.freed == 2
    assert scene.handed_in == ["0123456789"]


def test_what_was_asked_before_the_watcher_came_is_not_asked_again(tmp_path):
    scene, hands = Scene(tmp_path, laid()), Hands()
    scene.watching.lock = LightLock(hands)
    scene.sees(*[0] * 5, wish=asking("7"))
    assert hands.freed == 1


def test_a_light_that_stays_is_the_new_one_between_rounds_and_never_within_one(tmp_path):
    scene, hands = Scene(tmp_path, laid()), Hands()
    scene.watching.lock = LightLock(hands)
    scene.sees(*[0] * 5)
    dimmed(scene, since_s=60)
    scene.sees(*[0] * 5)
    assert (hands.freed, len(scene.eye_says["notices"])) == (1, 1)
    scene.sees(0, wish=RESTING)
    assert (hands.freed, scene.eye_says["notices"]) == (2, [])
    dimmed(scene, since_s=2)
    scene.sees(0, wish=RESTING)
    assert hands.freed == 2, "it may pass"


def test_the_light_is_measured_only_once_the_camera_holds_it(tmp_path):
    seen = []

    class Notes(Guard):
        def see(self, frame, small, *, busy, changed, metered):
            seen.append(metered)

    scene = Scene(tmp_path, laid())
    scene.watching.guard, scene.watching.lock = Notes(), LightLock(Hands())
    scene.sees(0)
    scene.watching.lock.state = HELD
    scene.sees(0)
    assert seen == [False, True]
    assert scene.table.statuses[-1]["camera"]["light"] == "held"


@pytest.mark.parametrize("state", [IGNORED, ABSENT])
def test_a_camera_that_does_not_keep_its_light_is_named_in_the_status(tmp_path, state):
    scene = Scene(tmp_path, laid())
    scene.watching.lock = LightLock(Hands())
    scene.watching.lock.state = state
    scene.sees(0)
    assert "colours may drift" in scene.table.statuses[-1]["camera"]["words"]


def test_a_metered_camera_lends_its_lock_to_the_loop(tmp_path):
    class Metered(Fixed):
        lock = LightLock(Hands())

    scene = Scene(tmp_path, laid())
    watch(Metered([shows(0)] * 3), scene.watching, wish=lambda: ROUND_1, kick=lambda: None)
    assert scene.watching.lock is Metered.lock
    watch(Fixed([shows(0)] * 3), scene.watching, wish=lambda: ROUND_1, kick=lambda: None)
    assert scene.watching.lock is None


@pytest.mark.parametrize(("noisy", "status"), [(1, Status.READ), (2, Status.READ), (3, Status.UNSURE)])
def test_what_noise_shows_in_few_frames_is_not_asked_about(tmp_path, noisy, status):
    """Issue 3: a tray unsure in one frame is sure after five. The mean of six has less noise than any of them."""
    plain = laid()
    doubting = replace(plain, status=Status.UNSURE, problems=Problem.COUNT, unread=(FELT,))
    scene = Scene(tmp_path)
    scene.watching.look = lambda picture, expect: doubting if picture[30, 30, 0] > 92 else plain
    for k in range(6):
        picture = shows(0)
        picture[30, 30] = 94 if k < noisy else 90
        scene.watching.step(Frame(picture, k * PERIOD_NS, k, still=True), ROUND_1)
    assert len(scene.table.trays) == 1
    assert scene.watching.settler.believed.status is status


def test_the_mean_of_one_scene_knows_nothing_of_the_one_before(tmp_path):
    seen = []

    def look(picture, expect):
        seen.append(int(picture[50, 10, 0]))
        return replace(laid(), status=Status.UNSURE, problems=Problem.COUNT, unread=(FELT,))

    scene = Scene(tmp_path)
    scene.watching.look = look
    scene.sees(*[1] * 4, *[0] * 7)
    assert seen == [90] * 4 + [240] * 8, "one in motion, six that are still, and one at their mean"


def test_a_frame_of_the_very_moment_of_the_last_one_is_not_what_later_ones_are_compared_with(tmp_path):
    """The settler takes it for late: were it compared with, an exchange that it shows would never be heard."""
    scene = Scene(tmp_path, laid(), laid("9876543210"))
    scene.sees(*[0] * 10)
    looks = len(scene.eye.looks)
    scene.number -= 1
    scene.sees(1)
    assert len(scene.eye.looks) == looks
    scene.sees(*[1] * 10)
    assert scene.handed_in == ["0123456789", "9876543210"]
