"""Before the table is asked the camera lets in less light for a moment, and the usual light always comes back."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi.bracket import MOST_FRAMES
from pi.camera_light import AT_LAST, GAMMA, HELD, SETTLES, LightLock
from pi.frames import Cue, Frame, level_of
from pi.guard import Guard
from pi.watching import MOST_BRACKETS, Wish
from tests.pi.test_watcher import BUSY, PERIOD_NS, RESTING, Scene, laid, shows
from vision.frames.short import SHARES
from vision.reading import Reading

ROUND_1 = Wish(Cue("m", 1, "rows"))
SURE, DOUBTED = laid(), laid(unsure=2)
USUAL, DARK = 0, 1
"""Which of the script's readings is of a picture in the usual light, and of one in less."""


class Hands:
    """Controls that do what they are told, some frames late, or never; with a gain, or without."""

    exposure = "exposure"

    def __init__(self, *, gain: float | None = None, deaf: bool = False) -> None:
        self.told: dict[str, float] = {}
        self.held = {"exposure": 100.0} | ({"gain": gain} if gain else {})
        self.automatic_finds = dict(self.held)
        self.gain = "gain" if gain else None
        self.deaf = deaf

    def free(self) -> None:
        self.told = dict(self.automatic_finds)

    def values(self) -> dict[str, float]:
        return dict(self.held)

    def automatic(self) -> bool:
        return False

    def hold(self, values) -> None:
        self.told = dict(values)

    def arrive(self, told: dict[str, float]) -> None:
        """What was told some frames ago reaches the picture, and the driver's word of it."""
        if not self.deaf:
            self.held = dict(told)

    @property
    def light(self) -> float:
        return self.held["exposure"] * self.held.get("gain", 1.0) / 100.0


class Dimmable(Scene):
    """A watcher whose camera can let in less light: its pictures show another reading then."""

    def __init__(self, tmp_path, *readings: Reading, hands: Hands | None = None, late: int = 3) -> None:
        super().__init__(tmp_path, *readings)
        self.late, self.gap_ns = late, 0
        self.darkest, self.lamp = DARK, False
        self.hands = hands or Hands()
        self.usual = self.hands.light
        self.lock = self.watching.lock = LightLock(self.hands)
        self.told = [dict(self.hands.held)] * late
        self.lock.tray_found()
        self.goes_on(60, wish=RESTING)
        assert self.lock.state == HELD

    def goes_on(self, frames: int, *, wish: Wish = ROUND_1, usual: int = USUAL, dark: int = DARK) -> list[float | None]:
        """Let some frames come, each in the light that was told `late` frames before; return the light of each."""
        out = []
        for _ in range(frames):
            self.told.append(dict(self.hands.told))
            self.hands.arrive(self.told.pop(0))
            share = self.hands.light / self.usual
            picture = shows(usual if share > 0.9 else dark if share > 0.2 else self.darkest)
            if self.lamp:
                picture[70:, 60:] = 255 if share > 0.9 else 240
            if share <= 0.9:
                picture[30:] = np.clip(picture[30:] * share ** (1 / GAMMA), 0, 255)
            frame = Frame(picture, self.number * PERIOD_NS + self.gap_ns, self.number, still=True)
            self.lock.frame(level_of(picture))
            out.append(self.lock.light)
            self.number += 1
            self.clock.now_ns += PERIOD_NS
            self.watching.step(frame, wish)
        return out

    def begins(self) -> None:
        """Let frames come until less light is asked for."""
        while self.watching._bracket is None:
            self.goes_on(1)

    @property
    def statuses(self) -> list[str]:
        return ["read" if all(t["sure"] for t in tray["tiles"]) else "unsure" for tray in self.table.trays]


def test_what_less_light_shows_is_handed_in_and_nobody_is_asked(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE)
    lights = scene.goes_on(60)
    assert scene.statuses == ["read"]
    assert SHARES[0] in lights
    assert SHARES[1] not in lights
    assert lights[-1] == 1.0
    assert scene.hands.light == scene.usual
    assert scene.lock.state == HELD


def test_the_evidence_is_the_picture_that_shows_it(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE)
    scene.goes_on(60)
    (kept,) = {p for p in (tmp_path / "evidence").glob("*.jpg") if ".tray" not in p.name}
    seen = cv2.imread(str(kept))
    assert abs(seen[:20, :20].mean() - shows(DARK)[:20, :20].mean()) < 3


def test_a_tray_that_is_sure_is_never_looked_at_in_less_light(tmp_path) -> None:
    scene = Dimmable(tmp_path, SURE, SURE)
    assert set(scene.goes_on(60)) == {1.0}
    assert scene.statuses == ["read"]


def test_what_neither_light_shows_is_asked_about_once(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, DOUBTED)
    lights = scene.goes_on(200)
    assert scene.statuses == ["unsure"]
    assert sum(a != 1.0 == b for a, b in zip(lights, lights[1:], strict=False)) == len(SHARES), "and no more often"
    assert [light for light in dict.fromkeys(lights) if light not in (None, 1.0)] == list(SHARES)
    assert scene.hands.light == scene.usual


def test_where_less_light_leaves_a_doubt_even_less_is_let_in_before_anybody_is_asked(tmp_path) -> None:
    """A white tile that mirrors a lamp is as white in the first."""
    scene = Dimmable(tmp_path, DOUBTED, DOUBTED, SURE)
    scene.darkest = 2
    lights = scene.goes_on(120)
    assert scene.statuses == ["read"]
    assert [light for light in dict.fromkeys(lights) if light not in (None, 1.0)] == list(SHARES)
    assert (lights[-1], scene.hands.light, scene.lock.state) == (1.0, scene.usual, HELD)


def test_what_no_exposure_shows_alone_all_of_them_in_one_picture_do(tmp_path) -> None:
    """Half of a tile lies in a lamp's image, the other half is dark where that is not blown out."""
    scene = Dimmable(tmp_path, DOUBTED)
    pictures = []

    def look(picture, expect) -> Reading:
        pictures.append(picture)
        return SURE if picture[80, 10, 0] > 80 and picture[80, 100, 0] < 200 else DOUBTED

    scene.watching.look, scene.lamp = look, True
    lights = scene.goes_on(80)
    assert scene.statuses == ["read"]
    assert SHARES[1] not in lights
    (kept,) = {p for p in (tmp_path / "evidence").glob("*.jpg") if ".tray" not in p.name}
    assert abs(cv2.imread(str(kept)).astype(float) - pictures[-1]).mean() < 3, (
        "the evidence is the picture that shows it"
    )
    scene.goes_on(80, wish=Wish(Cue("m", 2, "rows")))
    assert scene.statuses == ["read", "read"]


def test_what_both_are_sure_of_and_dispute_is_asked_about(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, laid("9876543210"))
    scene.goes_on(60)
    assert scene.statuses == ["unsure"]


def test_a_camera_that_does_not_darken_costs_two_seconds_twice(tmp_path) -> None:
    """Never losing a reading: the table is asked as without, and from the third round on at once."""
    scene = Dimmable(tmp_path, DOUBTED, SURE, hands=Hands(deaf=True))
    lights = scene.goes_on(60)
    assert scene.statuses == ["unsure"]
    assert lights.count(None) <= AT_LAST + 2 * SETTLES
    assert None in scene.goes_on(60, wish=Wish(Cue("m", 2, "rows")))
    assert set(scene.goes_on(30, wish=Wish(Cue("m", 3, "rows")))) == {1.0}
    assert scene.statuses == ["unsure"] * 3
    scene.goes_on(60, wish=Wish(Cue("m", 4, None), calibrate=""))
    scene.goes_on(60, wish=Wish(Cue("m", 4, None), calibrate="1"))
    assert None in scene.goes_on(30, wish=Wish(Cue("m", 4, "rows"), calibrate="1")), "calibrated, it is tried again"


def test_a_hand_that_comes_meanwhile_ends_it_and_starts_the_wait_again(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, BUSY, laid("9876543210"))
    lights = scene.goes_on(200)
    assert sum(a == 1.0 != b for a, b in zip(lights, lights[1:], strict=False)) == MOST_BRACKETS
    assert scene.statuses == ["unsure"]
    assert scene.hands.light == scene.usual


def test_a_tray_that_is_another_when_the_light_is_back_is_read_anew(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE, laid("9876543210"))
    scene.begins()
    scene.goes_on(60, usual=2)
    assert scene.handed_in == ["9876543210"], "what less light showed was of the tray before"


def test_a_new_round_meanwhile_is_read_in_its_own_right(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE, laid("9876543210"))
    scene.begins()
    scene.goes_on(60, usual=2, wish=Wish(Cue("m", 2, "rows")))
    assert scene.handed_in == ["9876543210"]
    assert scene.hands.light == scene.usual


def test_calibrating_meanwhile_measures_the_usual_light(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE)
    scene.goes_on(1, wish=replace(ROUND_1, calibrate=""))
    while scene.watching._bracket is None:
        scene.goes_on(1, wish=replace(ROUND_1, calibrate=""))
    scene.goes_on(80, wish=replace(ROUND_1, calibrate="7"))
    assert scene.statuses == ["unsure"], "while the light is measured, no less of it can be let in"
    assert (scene.lock.state, scene.hands.light) == (HELD, scene.usual)


def test_dice_that_never_settle_in_less_light_are_asked_about(tmp_path) -> None:
    """The frames of less light are counted, too: a reading that changes with each of them ends nothing."""
    scene = Dimmable(tmp_path, DOUBTED, laid(), laid("9876543210"))
    scene.begins()
    for k in range(6 * MOST_FRAMES):
        scene.goes_on(1, dark=1 + k % 2)
    assert len(scene.statuses) == 1
    assert scene.hands.light == scene.usual


def test_gain_is_lowered_before_the_exposure(tmp_path) -> None:
    """A lamp on the mains makes bands in exposures of less than 1/100 s."""
    scene = Dimmable(tmp_path, DOUBTED, SURE, hands=Hands(gain=2.0))
    told = []
    scene.hands.hold = lambda values: (told.append(dict(values)), Hands.hold(scene.hands, values))
    scene.goes_on(60)
    assert told[0]["gain"] == 1.0
    assert told[0]["exposure"] == pytest.approx(100 * SHARES[0] * 2.0)
    assert told[-1] == {"exposure": 100.0, "gain": 2.0}
    assert scene.statuses == ["read"]


def test_a_light_that_is_not_held_cannot_be_let_in_less(tmp_path) -> None:
    hands = Hands()
    lock = LightLock(hands)
    assert not lock.can_dim
    before = dict(hands.told)
    assert not lock.dim(SHARES[0])
    assert (lock.light, hands.told) == (1.0, before)


def test_the_live_picture_goes_on_meanwhile(tmp_path) -> None:
    """Whoever looks at the tablet sees that it is looked at in less light, and no picture that stands still."""
    scene = Dimmable(tmp_path, DOUBTED, DOUBTED)
    levels = []
    for _ in range(60):
        scene.goes_on(1)
        levels.append(level_of(cv2.imread(str(scene.watching.live))))
    assert min(levels) < 0.9 * max(levels)


class Watchful(Guard):
    """Notes what it is shown."""

    def __init__(self) -> None:
        super().__init__(find=lambda picture: None)
        self.levels: list[float] = []

    def see(self, frame, small, *, busy, changed, metered) -> None:
        self.levels.append(level_of(frame.picture_bgr))


@pytest.mark.parametrize("late", [0, 1, 3, 5, 6, 8, 10, 14])
def test_however_late_a_camera_does_as_it_is_told_it_dims_once(tmp_path, late: int) -> None:
    """A Pi's picture follows seven or eight frames later; the guard of light and place sees the usual light alone."""
    scene = Dimmable(tmp_path, DOUBTED, SURE, late=late)
    guard = scene.watching.guard = Watchful()
    lights = scene.goes_on(150)
    assert scene.statuses == ["read"]
    assert sum(a == 1.0 != b for a, b in zip(lights, lights[1:], strict=False)) == 1
    assert min(guard.levels) > 0.9 * max(guard.levels)


def test_calibrating_while_it_is_dark_measures_no_dark_frames(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE, late=8)
    guard = scene.watching.guard = Watchful()
    scene.goes_on(1, wish=replace(ROUND_1, calibrate=""))
    while scene.lock.light != SHARES[0]:
        scene.goes_on(1, wish=replace(ROUND_1, calibrate=""))
    scene.goes_on(120, wish=replace(ROUND_1, calibrate="7"))
    assert scene.statuses == ["unsure"], "what dark frames alone show is none of the tray's readings"
    assert (scene.lock.state, scene.hands.light) == (HELD, scene.usual)
    assert min(guard.levels) > 0.9 * max(guard.levels)


def test_what_happened_in_a_gap_meanwhile_nobody_saw(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE, laid("9876543210"))
    while scene.lock.light != SHARES[0]:
        scene.goes_on(1)
    scene.gap_ns += 60_000_000_000
    scene.goes_on(60, usual=2)
    assert scene.handed_in == ["9876543210"]


def test_a_light_that_wanders_over_a_still_tray_makes_it_blink_no_more_than_some_times(tmp_path) -> None:
    """Shadows of people who walk past: each makes a new scene of the tray."""
    scene = Dimmable(tmp_path, DOUBTED, SURE, DOUBTED)
    lights = []
    for _ in range(20):
        lights += scene.goes_on(30) + scene.goes_on(2, usual=2)
    assert sum(a == 1.0 != b for a, b in zip(lights, lights[1:], strict=False)) <= MOST_BRACKETS
    assert scene.hands.light == scene.usual


def test_what_moves_while_the_light_changes_is_not_overlooked(tmp_path) -> None:
    scene = Dimmable(tmp_path, DOUBTED, SURE, laid("9876543210"))
    scene.begins()
    scene.goes_on(1, usual=2)
    assert scene.watching._bracket.disturbed
    scene.goes_on(60)
    assert scene.hands.light == scene.usual
    assert len(scene.statuses) == 1


SHOWN = ("0123456789", "9876543210")
HAND = 6
EVENTS = st.one_of(
    st.tuples(st.just("still"), st.integers(1, 40)),
    st.tuples(st.sampled_from(["swap", "round"]), st.just(1)),
    st.tuples(st.just("hand"), st.integers(1, 6)),
    st.tuples(st.just("gap"), st.sampled_from([1, 5, 60])),
)


@given(st.lists(EVENTS, min_size=4, max_size=16), st.sampled_from([0, 1, 3, 5, 8]))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_law_whatever_happens_meanwhile_only_what_lies_there_is_handed_in_as_sure(tmp_path, evening, late) -> None:
    """Never silently wrong: two trays that only the darkest exposure reads, exchanged unseen or under a hand, in rounds
    that begin and gaps that nobody saw, while a camera does as it is told some frames later; and the light comes back.
    """
    readings = [reading for text in SHOWN for reading in (laid(text, unsure=2), laid(text, unsure=2), laid(text))]
    scene, tray, number = Dimmable(tmp_path, *readings, BUSY, late=late), 0, 1
    for event, count in [*evening, ("still", 150)]:
        if event == "swap":
            tray = 1 - tray
        elif event == "round":
            number += 1
        elif event == "gap":
            scene.gap_ns += count * 1_000_000_000
        for _ in range(count if event in ("still", "hand") else 0):
            usual, dark = (HAND, HAND) if event == "hand" else (3 * tray, 3 * tray + 1)
            scene.darkest = HAND if event == "hand" else 3 * tray + 2
            before = len(scene.table.trays)
            scene.goes_on(1, usual=usual, dark=dark, wish=Wish(Cue("m", number, "rows")))
            for told in scene.table.trays[before:]:
                sure = all(t["sure"] for t in told["tiles"])
                assert not sure or "".join(t["symbol"] for t in told["tiles"][:10]) == SHOWN[tray]
    assert (scene.hands.light, scene.lock.state) == (scene.usual, HELD)
    assert scene.statuses, "no reading is lost"
