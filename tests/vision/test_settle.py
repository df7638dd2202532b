"""DESIGN: settle.py, readings over time -> the one we believe. A reading counts when the tray has been still
and the same for long enough; hands never score; votes over frames raise certainty (issue 'The eye')."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.frames.alike import same
from vision.frames.votes import fuse, together, vote_of
from vision.infer import DOUBT_PER_TILE
from vision.layout import Expectation
from vision.reading import SYMBOLS, DieReading, Point, Problem, Reading, Status, TileReading
from vision.settle import Patience, Settler
from vision.tray.glance import glance, unchanged

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


def hardly(*unreadable: int) -> Reading:
    """A tray of which some tiles show nothing in this frame."""
    tiles = [
        replace(t, sure=False, confidence=0.6, evidence=(0.0,) * len(SYMBOLS)) if k in unreadable else t
        for k, t in enumerate(tray().tiles)
    ]
    return replace(tray(), status=Status.UNSURE, tiles=tuple(tiles))


def doubts(reading: Reading) -> list[int]:
    return [t.column for t in reading.tiles if not t.sure]


def test_the_table_is_not_asked_again_at_every_look() -> None:
    """Never slow the fun: what is asked about does not jump about on the tablet."""
    told = play([hardly(0, 3, 7)] * 5 + [hardly(0, 3)] * 2 + [hardly(0)] * 14)
    assert [(k, doubts(r)) for k, r in told] == [(4, [0, 3, 7]), (14, [0])]
    assert PATIENCE.again_ns == 10 * 200 * MS


def test_what_is_in_doubt_that_was_not_is_told_at_once() -> None:
    """Never silently wrong: the table may be answering a question right now."""
    lost = [replace(t, doubted=k == 5) for k, t in enumerate(hardly(0, 5).tiles)]
    told = play([hardly(0)] * 6 + [replace(hardly(0), tiles=tuple(lost))] * 2)
    assert [doubts(r) for _, r in told] == [[0], [0, 5]]
    assert told[1][0] <= 7


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=24))
def test_law_in_the_end_the_table_is_told_of_every_doubt(looks: list[set[int]]) -> None:
    settler, told = Settler(Expectation.ROWS, PATIENCE), None
    for k, unreadable in enumerate([*looks, *[{0, 4}] * 40]):
        settler, now = settler.step(hardly(*unreadable), at_ns=k * 200 * MS)
        told = now or told
        if told is not None and told.status is Status.UNSURE:
            assert set(doubts(settler.fused())) <= set(doubts(told)), "nothing that the table takes for sure"
    assert told is not None
    assert same(told, settler.fused())


def test_a_doubted_place_stays_doubted_however_long_it_lies() -> None:
    lost = replace(tray(), status=Status.UNSURE, problems=Problem.LAYOUT)
    assert [r.status for _, r in play([lost] * 12)] == [Status.UNSURE]


@pytest.mark.parametrize(("frames", "status"), [((0, 1, 2, 3, 4, 5), Status.UNSURE), ((1, 4), Status.UNSURE),
                                                ((3,), Status.READ), ((), Status.READ)])  # fmt: skip
def test_a_tile_of_which_more_than_the_symbol_is_in_doubt_stays_doubted(
    frames: tuple[int, ...], status: Status
) -> None:
    """Votes raise the certainty of what is shown, not of which way up a six lies, or of whose colour it is."""
    hardly = washed(2, margin=6.0)
    turned = replace(hardly, tiles=tuple(replace(t, doubted=not t.sure) for t in hardly.tiles))
    told = play([turned if k in frames else washed(k, margin=6.0) for k in range(6)])
    assert [r.status for _, r in told][-1:] == [status]
    assert all(t.confidence > 1 - DOUBT_PER_TILE for t in told[-1][1].tiles), "however sure of the symbol"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["same", "other", "hand", "lost", "empty"]), max_size=30))
def test_nothing_settles_that_did_not_lie_still_for_three_frames(story: list[str]) -> None:
    frames = {"same": tray(), "other": tray("3740158926"), "hand": BUSY, "lost": LOST, "empty": EMPTY}
    told = play([frames[name] for name in story])
    for k, settled in told:
        last = [frames[name] for name in story[max(0, k - 2) : k + 1]]
        assert len(last) == 3
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


def test_a_frame_that_comes_late_tells_nothing() -> None:
    settler = Settler(Expectation.ROWS, PATIENCE)
    for at_ms in (0, 200, 400):
        settler, _ = settler.step(tray(), at_ns=at_ms * MS)
    late, settled = settler.step(tray("3740158926"), at_ns=250 * MS)
    assert late == settler
    assert settled is None
    assert settler.again(at_ns=300 * MS) == (settler, None)


def test_a_clock_that_was_set_anew_starts_the_wait_again() -> None:
    settler = Settler(Expectation.ROWS, PATIENCE)
    for at_s in (100, 101):
        settler, _ = settler.step(tray(), at_ns=at_s * 1000 * MS)
    settler, settled = settler.step(tray(), at_ns=0)
    assert (settler.frames, settled) == (1, None)


def test_what_happened_in_a_gap_nobody_saw() -> None:
    settler, told = Settler(Expectation.ROWS, PATIENCE), []
    for at_ms in (0, 200, 6000, 6200, 6400):
        settler, settled = settler.step(tray(), at_ns=at_ms * MS)
        told += [at_ms] if settled else []
    assert told == [6400]


def test_frames_that_were_not_looked_at_count_for_the_time_but_are_no_votes() -> None:
    settler, told = Settler(Expectation.ROWS, PATIENCE).step(tray(), at_ns=0)
    for k in range(1, 30):
        settler, told = settler.again(at_ns=k * 100 * MS)
        assert told is None
    settler, _ = settler.step(tray(), at_ns=3000 * MS)
    settler, told = settler.step(tray(), at_ns=3100 * MS)
    assert told is not None


def test_motion_between_frames_is_named_and_starts_the_wait_again() -> None:
    settler = Settler(Expectation.ROWS, PATIENCE)
    for k in range(2):
        settler, _ = settler.step(tray(), at_ns=k * 200 * MS)
    settler, settled = settler.step(tray(), at_ns=400 * MS, stirred=True)
    assert settled is None
    assert settler.frames == 0
    assert settler.seen == Reading(Status.BUSY, problems=Problem.MOTION, expected="rows")


def test_what_creeps_is_another_scene_in_the_end() -> None:
    settler, frames = Settler(Expectation.ROWS, PATIENCE), []
    for k in range(9):
        settler, _ = settler.step(tray(shift=4.0 * k), at_ns=k * 100 * MS)
        frames.append(settler.frames)
    assert frames == [1, 2, 3, 1, 2, 3, 1, 2, 3]  # 0.3 of a tile 36 px wide


def test_an_empty_tray_in_the_dark_may_be_a_lens_cap() -> None:
    assert play([Reading(Status.EMPTY, problems=Problem.DARK)] * 9) == []


def test_a_still_picture_read_in_two_ways_is_asked_about_and_never_sure() -> None:
    one, other = tray(), tray("7340158629")
    told = []
    settler = Settler(Expectation.ROWS, PATIENCE)
    for k in range(12):
        settler, settled = settler.step((one, other)[k % 2], at_ns=k * 200 * MS, still=k > 0)
        told += [settled] if settled else []
    assert [r.status for r in told] == [Status.UNSURE]
    assert [t.column for t in told[0].tiles if not t.sure] == [7, 9]


def test_a_still_picture_in_which_tiles_come_and_go_is_asked_about_in_the_end() -> None:
    whole = tray()
    fewer = replace(whole, tiles=whole.tiles[:-1])
    settler = Settler(Expectation.ROWS, PATIENCE)
    for k in range(12):
        settler, settled = settler.step((whole, fewer)[k % 2], at_ns=k * 200 * MS, still=k > 0)
        assert settled is None
    settler, settled = settler.torn()
    assert settled.status is Status.UNSURE
    assert Problem.LAYOUT in settled.problems
    settler, settled = settler.step(whole, at_ns=2600 * MS, still=True)[0].torn()
    assert [t.column for t in settled.tiles if not t.sure] == [9]


def test_frames_say_no_more_of_what_is_in_doubt_than_one_does() -> None:
    """How sure is a probability, also when frames agree: what lies on a tile lies there in each of them."""
    doubted = replace(tray().tiles[0], sure=False, doubted=True, at_most=0.8, confidence=0.8)
    frame = replace(tray(), status=Status.UNSURE, tiles=(doubted, *tray().tiles[1:]))
    fused = fuse(frame, [vote_of(frame)] * 5)
    assert (fused.tiles[0].sure, fused.tiles[0].confidence, fused.tiles[0].likely[0][1]) == (False, 0.8, 0.8)
    assert min(tile.confidence for tile in fused.tiles[1:]) > 0.99


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 8), st.floats(0.0, 6.5))
def test_one_frame_repeated_never_makes_sure_what_it_was_not(seed: int, times: int, margin: float) -> None:
    """Never silently wrong: evidence that is the same again is no more evidence."""
    frame = washed(seed, noise=0.0, margin=margin)
    fused = fuse(frame, [vote_of(frame)] * times)
    alone = fuse(frame, [vote_of(frame), vote_of(frame)])
    assert [t.sure for t in fused.tiles] == [t.sure for t in alone.tiles]
    assert [t.confidence for t in fused.tiles] == pytest.approx([t.confidence for t in alone.tiles])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 8), st.integers(0, 7), st.integers(1, 7))
def test_frames_that_are_sure_of_different_things_are_never_sure_together(times: int, at: int, by: int) -> None:
    votes = [vote_of(tray())] * times
    other = list(votes[0].claims)
    other[0] = str((int(ROW[0]) + by) % 10)
    votes[at % times] = replace(votes[0], claims=tuple(other))
    assert not fuse(tray(), votes).tiles[0].sure
    assert fuse(tray(), votes).status is Status.UNSURE


def test_a_symbol_that_few_frames_see_first_does_not_become_sure_by_their_sum() -> None:
    frames = [washed(0, noise=0.0, margin=margin) for margin in (60.0, -1.0, -1.0, -1.0, -1.0)]
    frames = [replace(f, tiles=tuple(replace(t, sure=False) for t in f.tiles)) for f in frames]
    assert not fuse(frames[0], [vote_of(f) for f in frames]).tiles[0].sure


def test_the_gain_of_votes_is_bounded_by_their_number() -> None:
    rng = np.random.default_rng(3)
    for n in (2, 3, 5, 8):
        frames = rng.normal(0, 30, (n, 4, len(SYMBOLS)))
        gain = np.abs(together(frames)) / np.maximum(np.abs(frames.mean(axis=0)), 1e-9)
        assert gain.max() <= n + 1e-6
        assert gain.min() >= 1 - 1e-6


def between(first: Reading, then: Reading, *, frames: int = 8) -> list[Reading]:
    """Return what settles where the picture changed between two readings, with no hand seen there."""
    settler, told = Settler(first.expected and Expectation(first.expected), PATIENCE), []
    for k, reading in enumerate([first] * frames + [then] * frames):
        settler, settled = settler.step(reading, at_ns=k * 200 * MS, still=k not in (0, frames))
        told += [settled] if settled is not None else []
    return told


def test_a_tile_that_is_hard_to_read_is_not_outvoted_by_the_one_that_lay_there_before() -> None:
    """Never silently wrong: in the dark an exchange may stir the picture too little for a hand to be seen."""
    exchanged = tray(ROW[:2] + ROW[3] + ROW[2] + ROW[4:])
    hard = tuple(replace(t, sure=t.column not in (2, 3)) for t in exchanged.tiles)
    told = between(tray(), replace(exchanged, status=Status.UNSURE, tiles=hard))
    assert ["".join(t.symbol for t in r.tiles[2:4]) for r in told] == ["40", "04"]


@pytest.mark.parametrize(("expected", "news"), [("mixed", 2), ("rows", 1)])
def test_two_tiles_of_one_number_exchanged_are_news_where_colours_count(expected: str, news: int) -> None:
    """RULES 1, quests: in a Latin array colours count. In rows a row's colour is its place."""
    one = replace(tray(), expected=expected)
    other = replace(one, tiles=(replace(one.tiles[0], colour="blue"), *one.tiles[1:]))
    assert len(play([one] * 5 + [BUSY] * 2 + [other] * 6)) == news


@pytest.mark.parametrize("problem", [Problem.COUNT, Problem.LAYOUT])
def test_that_something_strange_lies_there_too_is_news(problem: Problem) -> None:
    doubtful = tuple(replace(t, sure=False) if t.column == 4 else t for t in tray().tiles)
    plain = replace(tray(), status=Status.UNSURE, tiles=doubtful)
    strange = replace(plain, problems=problem)
    assert not same(plain, strange)
    assert same(plain, replace(plain, problems=Problem.GLARE)), "a glare that costs nothing is none"


def test_what_was_cleared_up_for_one_picture_is_asked_anew_for_the_next() -> None:
    means: list[str] = []

    def mean(of: str) -> Reading:
        means.append(of)
        return tray()

    doubt = replace(tray(), status=Status.UNSURE, problems=Problem.COUNT)
    settler = Settler(Expectation.ROWS, PATIENCE)
    for k, reading in enumerate([doubt, doubt, *[tray(), doubt] * 8]):
        which = "first" if k < 10 else "second"
        settler, _ = settler.step(reading, at_ns=k * 200 * MS, still=k not in (0, 10), mean=lambda of=which: mean(of))
    assert means == ["first", "second"]


def dice_on(tray_px: tuple[Point, Point, Point, Point], *centres: Point) -> Reading:
    dice = tuple(DieReading(4, "red", True, 0.999, centre) for centre in centres)
    return Reading(Status.READ, dice=dice, tray=tray_px, expected="dice")


@pytest.mark.parametrize(("shift", "news"), [(0.0, False), (1.5, False), (30.0, True)])
def test_dice_that_stay_on_a_felt_that_was_found_elsewhere_lie_in_other_zones(shift: float, news: bool) -> None:
    """RULES 3: where a die lies on the mat tells whose it is. Two pixels a millimetre here."""
    corners = [(100.0, 100.0), (820.0, 100.0), (820.0, 620.0), (100.0, 620.0)]
    before = dice_on(tuple(corners), (200.0, 150.0), (500.0, 400.0))
    after = replace(before, tray=tuple((x, y + shift) for x, y in corners))
    assert same(before, after) is not news
    turned = replace(before, tray=(*before.tray[2:], *before.tray[:2]))
    assert not same(before, turned)
    assert same(replace(before, tray=None), after), "nobody knows where the felt lay"


def test_one_more_thing_that_was_not_read_is_news_and_one_less_is_none() -> None:
    """README: what the eye is not sure of, it asks; who answered of one crumb has not answered of a second."""

    def beside(things: int) -> Reading:
        outlines = tuple(((x, 10.0), (x + 10, 10.0), (x + 10, 20.0), (x, 20.0)) for x in (10.0, 300.0)[:things])
        return replace(tray(), status=Status.UNSURE, problems=Problem.COUNT, unread=outlines)

    told = play([*[beside(1)] * 8, BUSY, *[beside(2)] * 12, BUSY, *[beside(1)] * 12])
    assert [len(reading.unread) for _, reading in told] == [1, 2]
