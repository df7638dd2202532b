"""The table without a table: shuffles that obey the set, laying that ends with every tile face up."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.frames import Cue, Metronome
from pi.rules.values import SHAPES, Board, Layout
from pi.settings import CameraSettings
from pi.simulator import CALM, HURRIED, SimulatedCamera, laying, scene_of
from pi.stand_ins.shuffle import DEALT, SET_COLOURS, deal
from pi.translate import tray_of
from pi.watcher import Eye
from tests.pi.cameras import Clock, Moody
from vision.drawing import TrayScene
from vision.layout import Expectation
from vision.reading import Status
from vision.settle import Settler

deals = st.builds(
    deal,
    st.sampled_from(DEALT),
    seed=st.integers(0, 2**63 - 1),
    match=st.text(max_size=8),
    round=st.integers(1, 99),
)


@given(deals)
def test_each_number_lies_once_in_a_colour(dealt):
    """RULES.md 1: 40 number tiles, 0-9 in four colours; wilds one a colour, the diamond has one."""
    tiles = [cell for row in dealt.cells for cell in row]
    assert max(Counter(tiles).values()) == 1
    symbols = Counter(s for row in dealt.symbols() for s in row)
    wilds = symbols.pop("#", 0)
    assert max(symbols.values()) <= 4
    if dealt.expects in ("rows", "rect"):
        assert (wilds, set(symbols.values())) == (0, {4})
    if dealt.expects == "diamond":
        assert (wilds, set(symbols.values())) == (1, {4})


@given(deals)
def test_the_layout_is_one_the_rules_know(dealt):
    layout = Layout.ROWS if dealt.expects == "wild" else Layout(dealt.expects)
    board = Board.of(layout, dealt.symbols())
    assert tuple(len(row) for row in board.rows) == SHAPES[layout]


@given(st.integers(0, 999), st.integers(1, 9))
def test_in_the_wild_game_ten_of_a_colours_eleven_tiles_make_its_row(seed, number):
    """RULES.md 1: each colour then has 11 tiles, of which ten make the row and one is set aside."""
    dealt = deal("wild", seed=seed, match="", round=number)
    for row, colour in zip(dealt.cells, SET_COLOURS, strict=True):
        assert {cell.partition(":")[0] for cell in row} == {colour}
        assert len({cell.partition(":")[2] for cell in row} & set("0123456789#")) == 10


def test_a_deal_is_the_same_in_every_process_and_version():
    first = deal("rows", seed=1, match="", round=1).symbols()
    assert ["".join(row) for row in first] == ["2306948715", "7690534812", "6378940125", "4198723506"]


def test_rounds_matches_and_seeds_deal_differently():
    deals = {deal("rows", seed=s, match=m, round=r) for s in (1, 2) for m in ("a", "b") for r in (1, 2)}
    assert len(deals) == 8


@pytest.mark.parametrize("tempo", [CALM, HURRIED], ids=["calm", "hurried"])
@pytest.mark.parametrize("expects", DEALT)
def test_the_laying_goes_from_the_old_tiles_by_hands_to_all_face_up(expects, tempo):
    before = scene_of(deal(expects, seed=1, match="", round=1), seed=1)
    after = scene_of(deal(expects, seed=1, match="", round=2), seed=2)
    shots = laying(before, after, tempo=tempo, chance=random.Random(3))
    assert (shots[0].scene, shots[0].hand) == (before, None)
    assert (shots[-1].scene, shots[-1].hand) == (after, None)
    face_up = [sum(t.face_up for t in shot.scene.tiles) for shot in shots if shot.scene is not before]
    assert face_up == sorted(face_up)
    still = [shot for shot in shots if shot.hand is None and shot.scene.tiles]
    assert any(not any(t.face_up for t in shot.scene.tiles) for shot in still)
    # Whatever moves, moves under a hand.
    for one, two in zip(shots, shots[1:], strict=False):
        assert one.scene == two.scene or one.hand or two.hand


def camera(**how) -> SimulatedCamera:
    settings = replace(CameraSettings(size=(640, 480), seed=5, hurried=True, by_match=False), **how)
    clock = Clock()
    return SimulatedCamera(settings, beat=Metronome(5.0, monotonic_ns=clock, sleep=clock.sleep))


def frames(source, count: int, cue: Cue) -> list[np.ndarray]:
    source.cue(cue)
    return [source.frame().picture_bgr for _ in range(count)]


def test_the_same_seed_shows_the_same_pictures_whatever_was_seen_before_the_round():
    one, two = camera(), camera()
    frames(two, 7, Cue())
    for a, b in zip(*(frames(c, 12, Cue("m", 1, "rows")) for c in (one, two)), strict=True):
        assert np.array_equal(a, b)


def test_the_tray_stays_between_rounds_and_through_a_hold():
    source = camera()
    frames(source, 12, Cue("m", 1, "rows"))
    held = frames(source, 1, Cue("m", 1, None))[0]
    again = frames(source, 1, Cue("m", 1, "rows"))[0]
    assert np.abs(held.astype(int) - again).mean() < 3  # noise only


def test_layouts_that_no_shuffle_fills_leave_the_tray_as_it_is():
    source = camera()
    assert np.abs(frames(source, 1, Cue())[0].astype(int) - frames(source, 8, Cue("m", 1, "drawbridge"))[-1]).mean() < 3


def test_by_match_the_trays_differ():
    trays = [frames(camera(by_match=True), 12, Cue(match, 1, "rows"))[-1] for match in ("a", "b")]
    assert np.abs(trays[0].astype(int) - trays[1]).mean() > 3


def test_in_a_calm_evening_hands_pass_and_the_focus_hunts():
    source = camera(hurried=False, size=(320, 240))
    seen = frames(source, 60, Cue("m", 1, "rows"))[-1:] + frames(source, 110, Cue("m", 1, "rows"))
    changes = [np.abs(a.astype(int) - b).mean() for a, b in zip(seen, seen[1:], strict=False)]
    assert max(changes) > 5
    assert np.median(changes) < 3


@pytest.mark.slow
@pytest.mark.parametrize("expects", DEALT)
def test_the_real_eye_reads_the_drawn_tray_or_asks_but_never_says_anything_wrong(expects):
    source, eye = camera(size=(1280, 960)), Eye()
    settler, settled = Settler(Expectation(expects)), []
    for _ in range(15):
        source.cue(Cue("m", 1, expects))
        frame = source.frame()
        settler, now = settler.step(eye(frame.picture_bgr, settler.expect), at_ns=frame.at_ns)
        settled += [now] if now else []
    dealt = deal(expects, seed=5, match="", round=1).symbols()
    widest = max(len(row) for row in dealt)
    truth = {(r, c + (widest - len(row)) // 2): s for r, row in enumerate(dealt) for c, s in enumerate(row)}
    last = tray_of(settled[-1], frame="")
    assert len(last.tiles) == len(truth)
    assert [t for t in last.tiles if t.sure and t.symbol != truth[t.cell]] == []
    assert sum(not t.sure for t in last.tiles) <= 4


@pytest.mark.slow
def test_black_and_blurred_frames_are_never_read_as_sure():
    source = Moody(camera(size=(1280, 960)), black=(12, 13), blurred=(14, 15))
    truth = [s for row in deal("rows", seed=5, match="", round=1).symbols() for s in row]
    eye = Eye()
    for number in range(16):
        source.cue(Cue("m", 1, "rows"))
        frame = source.frame()
        if number < 12:
            continue
        reading = eye(frame.picture_bgr, Expectation.ROWS)
        right = [t.symbol for t in reading.tiles] == truth
        assert reading.status is not Status.READ or right


def test_an_empty_felt_lies_there_before_the_first_round():
    source = camera()
    picture = frames(source, 1, Cue())[0]
    assert cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)[240, 320, 1] > 60  # the felt is coloured
    assert source._shots[-1].scene == TrayScene(seed=5)
