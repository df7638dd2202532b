"""DESIGN: settle.py, readings over time -> the one we believe. A reading counts when the tray has been still
and the same for long enough; hands never score; votes over frames raise certainty (issue 'The eye')."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.glance import glance, unchanged
from vision.infer import DOUBT_PER_TILE
from vision.layout import Expectation
from vision.reading import SYMBOLS, Problem, Reading, Status, TileReading
from vision.settle import Patience, Settler, same

MS = 1_000_000
PATIENCE = Patience(frames=3, still_ns=400 * MS, unsure_frames=5)
ROW = "7340158926"


def tile(column: int, symbol: str, *, sure: bool = True, doubt: float = 1e-7, shift: float = 0.0) -> TileReading:
    x, y = 100.0 + 40 * column + shift, 200.0
    evidence = [-12.0] * len(SYMBOLS)
    evidence[SYMBOLS.index(symbol)] = 0.0
    corners = ((x, y), (x + 36, y), (x + 36, y + 40), (x, y + 40))
    return TileReading(0, column, symbol, "red", sure, 1 - doubt, corners, evidence=tuple(evidence))


def tray(symbols: str = ROW, *, shift: float = 0.0) -> Reading:
    tiles = tuple(tile(k, s, shift=shift) for k, s in enumerate(symbols))
    return Reading(Status.READ, tiles=tiles, expected="rows")


BUSY = Reading(Status.BUSY, problems=Problem.HAND)
EMPTY = Reading(Status.EMPTY)
LOST = Reading(Status.NO_TRAY, problems=Problem.NO_TRAY)


def play(frames: list[Reading], *, every_ms: int = 200) -> list[tuple[int, Reading]]:
    """Return the settled readings, each with the number of the frame that settled it."""
    settler, told = Settler(Expectation.ROWS, PATIENCE), []
    for k, frame in enumerate(frames):
        settler, settled = settler.step(frame, at_ns=k * every_ms * MS)
        if settled is not None:
            told.append((k, settled))
    return told


def test_a_still_tray_settles_once() -> None:
    told = play([tray()] * 10)
    assert [k for k, _ in told] == [2]
    assert "".join(t.symbol for t in told[0][1].tiles) == ROW


def test_a_reading_must_stay_for_long_enough() -> None:
    told = play([tray()] * 10, every_ms=50)
    assert [k for k, _ in told] == [8]  # 8 x 50 ms = 400 ms


def test_a_hand_starts_the_wait_again() -> None:
    told = play([tray(), tray(), BUSY, tray(), tray(), BUSY, tray(), tray(), tray()])
    assert [k for k, _ in told] == [8]


def test_a_hand_that_changed_nothing_is_no_news() -> None:
    told = play([tray()] * 4 + [BUSY] * 3 + [tray()] * 6)
    assert len(told) == 1


def test_a_changed_tray_is_news() -> None:
    other = "3740158926"
    told = play([tray()] * 4 + [BUSY] * 3 + [tray(other)] * 4)
    assert ["".join(t.symbol for t in r.tiles) for _, r in told] == [ROW, other]


def test_tiles_in_motion_never_settle() -> None:
    assert play([tray(shift=15.0 * k) for k in range(20)]) == []


def test_a_tray_lost_and_found_again_is_no_news() -> None:
    assert len(play([tray()] * 4 + [LOST] * 2 + [tray()] * 4)) == 1


def test_an_emptied_tray_is_told() -> None:
    told = play([tray()] * 4 + [BUSY] * 2 + [EMPTY] * 4)
    assert [r.status for _, r in told] == [Status.READ, Status.EMPTY]


def test_one_wrong_frame_among_right_ones_never_settles() -> None:
    flicker = tray("1340758926")
    told = play([tray(), tray(), flicker, tray(), tray(), flicker, tray(), tray(), tray()])
    assert ["".join(t.symbol for t in r.tiles) for _, r in told] == [ROW]


def washed(seed: int, *, noise: float = 4.0, margin: float = 4.5) -> Reading:
    """A tray in which two tiles are hard to tell, each frame with its own noise around the truth."""
    rng = np.random.default_rng(seed)
    reading = tray()
    tiles = list(reading.tiles)
    for k in (0, 7):
        evidence = np.array(tiles[k].evidence)
        evidence[[SYMBOLS.index(ROW[0]), SYMBOLS.index(ROW[7])]] = (-6.0, -6.0)
        evidence[SYMBOLS.index(ROW[k])] += margin + rng.normal(0, noise)
        tiles[k] = replace(tiles[k], sure=False, confidence=0.98, evidence=tuple(evidence))
    return replace(reading, status=Status.UNSURE, tiles=tuple(tiles))


def test_a_tray_unsure_in_one_frame_is_sure_after_five() -> None:
    told = play([washed(k) for k in range(8)])
    assert [r.status for _, r in told] == [Status.READ]
    assert told[0][0] <= 4
    assert "".join(t.symbol for t in told[0][1].tiles) == ROW
    assert all(t.confidence > 1 - DOUBT_PER_TILE for t in told[0][1].tiles)


def test_the_same_doubt_seen_five_times_is_still_a_doubt() -> None:
    told = play([washed(0, noise=0.0, margin=2.5)] * 12)
    assert [r.status for _, r in told] == [Status.UNSURE]


def test_what_frames_do_not_tell_either_is_asked_after_a_while() -> None:
    blind = washed(0)
    tiles = [replace(t, evidence=(0.0,) * len(SYMBOLS)) if not t.sure else t for t in blind.tiles]
    told = play([replace(blind, tiles=tuple(tiles))] * 8)
    assert [(k, r.status) for k, r in told] == [(4, Status.UNSURE)]
    assert [t.sure for t in told[0][1].tiles].count(False) == 2


def test_a_doubted_place_stays_doubted_however_long_it_lies() -> None:
    lost = replace(tray(), status=Status.UNSURE, problems=Problem.LAYOUT)
    assert [r.status for _, r in play([lost] * 12)] == [Status.UNSURE]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["same", "other", "hand", "lost", "empty"]), max_size=30))
def test_nothing_settles_that_did_not_lie_still_for_three_frames(story: list[str]) -> None:
    frames = {"same": tray(), "other": tray("3740158926"), "hand": BUSY, "lost": LOST, "empty": EMPTY}
    told = play([frames[name] for name in story])
    for k, settled in told:
        last = [frames[name] for name in story[k - 2 : k + 1]]
        assert all(same(frame, settled) for frame in last)
    for (_, a), (_, b) in zip(told, told[1:], strict=False):
        assert not same(a, b)


def test_step_never_changes_a_settler() -> None:
    settler = Settler(Expectation.ROWS, PATIENCE)
    settler.step(tray(), at_ns=0)
    assert settler == Settler(Expectation.ROWS, PATIENCE)


def test_a_glance_sees_one_tile_change_and_no_noise() -> None:
    rng = np.random.default_rng(1)
    still = np.full((960, 1280, 3), 90, np.uint8)
    still[300:340, 300:340] = 160
    noisy = [np.clip(still + rng.normal(0, 4, still.shape) + flicker, 0, 255).astype(np.uint8) for flicker in (0, 5)]
    changed = noisy[0].copy()
    changed[300:340, 316:324] = 40
    assert unchanged(glance(noisy[0]), glance(noisy[1]))
    assert not unchanged(glance(noisy[0]), glance(changed))
