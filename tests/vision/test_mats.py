"""Mats from the picture alone: every kind of piece, pieces on lines, paper in any light; never silently wrong."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.pi.sheets import mat_named
from tests.vision.trays import drawn, shaken
from vision.colour.paint import as_seen, linear
from vision.drawing import DrawnCounter, DrawnMat, DrawnPawn, Look, Printed, TrayScene, draw
from vision.drawing.faults import round_spot
from vision.frames.alike import same
from vision.frames.votes import fuse, vote_of
from vision.mats.counters import tell_counters
from vision.mats.lamp_light import contrast_left
from vision.mats.marks import Marks
from vision.mats.mat import Mat
from vision.mats.paper import look_at_paper, print_seen
from vision.mats.pawns import Thing, tell_pawns
from vision.mats.read import read_mat
from vision.reading import EMPTY, Problem, Reading, Status
from vision.settle import Settler
from vision.tray.fiducials import find_markers
from vision.tray.rectify import find_tray

DARK, LIGHT = (30.0, 34.0, 44.0), (176.0, 208.0, 226.0)
RED, BLUE = (36.0, 32.0, 190.0), (172.0, 74.0, 22.0)
FELT_MM = (360.0, 260.0)


def at(mat: Mat, place: int, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
    """Return where a place's middle is drawn, moved by some millimetres."""
    x, y = mat.places[place].middle
    return x + dx - FELT_MM[0] / 2, FELT_MM[1] / 2 - y - dy


def look(**lamp: object) -> Look:
    plain = Look.plain()
    camera = replace(plain.camera, px_per_mm=2.4)
    return replace(plain, camera=camera, lamp=replace(plain.lamp, **lamp))


def seen(mat: Mat, *pieces: DrawnCounter | DrawnPawn, lit: Look | None = None) -> Reading:
    return read_mat(picture_of(mat, *pieces, lit=lit), mat)


def picture_of(mat: Mat, *pieces: DrawnCounter | DrawnPawn, lit: Look | None = None) -> np.ndarray:
    counters = tuple(p for p in pieces if isinstance(p, DrawnCounter))
    pawns = tuple(p for p in pieces if isinstance(p, DrawnPawn))
    lying = DrawnMat(Printed(mat.words_grey, FELT_MM), counters, pawns)
    return drawn(scene=TrayScene(mat=lying, seed=3), look=lit or look(), seed=2).picture_bgr


def held(reading: Reading) -> dict[int, str]:
    return {p.place: p.holds for p in reading.places if p.holds != EMPTY and p.sure}


def without_markers(picture: np.ndarray, numbers: tuple[int, ...]) -> np.ndarray:
    """Return a picture in which cards lie on some of the markers."""
    out = picture.copy()
    for number, corners in find_markers(picture).items():
        if number in numbers:
            card = corners.mean(axis=0) + 1.5 * (corners - corners.mean(axis=0))
            cv2.fillConvexPoly(out, np.round(card).astype(np.int32), (60, 90, 120))
    return out


@pytest.fixture(scope="module")
def row() -> Mat:
    return mat_named("palindromes:8")


@pytest.fixture(scope="module")
def board() -> Mat:
    return mat_named("runaround:12")


def test_dark_and_light_counters_are_told_in_a_strong_shadow_and_in_warm_light(row: Mat):
    pieces = [DrawnCounter(*at(row, 1), DARK), DrawnCounter(*at(row, 4), LIGHT), DrawnCounter(*at(row, 5), DARK)]
    for lit in (look(), look(patch=-0.5, shadow=0.7), look(gain=(0.6, 0.9, 1.1))):
        reading = seen(row, *pieces, lit=lit)
        assert held(reading) == {1: "dark", 4: "light", 5: "dark"}
        assert reading.status is Status.READ


def in_a_lamp(
    picture: np.ndarray, mat: Mat, place: int, *, added: float, reach_mm: float = 20.0, share: float = 1.0
) -> np.ndarray:
    """Return a picture of a laminated mat that mirrors a round lamp on a place, in a share of the light.

    added: the lamp's light, over full white, in that picture.
    """
    tray = find_tray(picture)
    assert tray is not None
    middle = np.array(mat.places[place].middle)
    (x, y), (right, _) = tray.to_px(np.array([middle, middle + (reach_mm, 0.0)]))
    spot = added * round_spot(picture.shape, (x, y), right - x, rim=0.05)
    return np.clip(as_seen(linear(picture) * share + spot[..., None]), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("reach", [0.5, 0.65, 0.8])
@pytest.mark.parametrize("light", [0.6, 2.0])
def test_a_bare_place_in_which_a_laminated_mat_mirrors_a_lamp_holds_no_light_counter(
    row: Mat, light: float, reach: float
):
    """Never silently wrong: the lamp hides the figure, on paper that is as white in so much light."""
    bright = look(gain=(1.15, 1.15, 1.15))
    plain = picture_of(row, DrawnCounter(*at(row, 1), LIGHT), DrawnCounter(*at(row, 5), DARK), lit=bright)
    reading = read_mat(in_a_lamp(plain, row, 3, added=light, reach_mm=reach * row.places[0].width), row)
    assert not reading.places[3].sure
    assert reading.status is Status.UNSURE
    assert reading.places[5].sure


@pytest.mark.parametrize(("name", "degrees"), [("palindromes:8", 0.0), ("palindromes:8", 45.0), ("runaround:12", 90.0)])
def test_a_picture_that_was_moved_while_it_was_taken_is_waited_for(name: str, degrees: float):
    """Issue 'The eye': in motion is `busy`, never a reading. The lines of the places tell."""
    mat = mat_named(name)
    assert seen(mat).status is Status.READ
    moved = read_mat(shaken(picture_of(mat), 11, degrees), mat)
    assert moved.status is Status.BUSY
    assert Problem.MOTION in moved.problems


def test_a_counter_off_the_middle_is_read_and_one_on_a_line_is_asked_about(row: Mat):
    side = row.places[0].width
    assert held(seen(row, DrawnCounter(*at(row, 2, 0.15 * side), DARK))) == {2: "dark"}
    for body in (DARK, LIGHT):
        reading = seen(row, DrawnCounter(*at(row, 2, 0.5 * side), body))
        assert reading.status is Status.UNSURE
        assert {2, 3} & (
            {p for stray in reading.strays for p in stray.near} | {p.place for p in reading.places if not p.sure}
        )


def test_a_dark_counter_under_a_lamps_image_is_not_read_as_a_light_one(row: Mat):
    shine = look(gloss=0.95, gloss_at_mm=at(row, 3), gloss_mm=25.0, gloss_spread_mm=0.0)
    reading = seen(row, DrawnCounter(*at(row, 3), DARK), DrawnCounter(*at(row, 6), LIGHT), lit=shine)
    place = reading.places[3]
    assert place.holds == "dark" or not place.sure


def test_a_bare_mat_is_read_as_bare(row: Mat):
    reading = seen(row)
    assert reading.status is Status.READ
    assert held(reading) == {}


def test_a_mat_that_a_wide_lens_bends_is_told_where_the_picture_shows_it(row: Mat):
    picture = picture_of(row, DrawnCounter(*at(row, 1), DARK), DrawnCounter(*at(row, 4), LIGHT))
    h, w = picture.shape[:2]
    x, y = (np.indices((h, w))[::-1].T - ((w - 1) / 2, (h - 1) / 2)).transpose(2, 1, 0)
    more = 1 + 0.2 * (x**2 + y**2) / (w / 2) ** 2
    to_x, to_y = (x * more + (w - 1) / 2).astype(np.float32), (y * more + (h - 1) / 2).astype(np.float32)
    bent = cv2.remap(picture, to_x, to_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    straight, told = read_mat(picture, row), read_mat(bent, row)
    assert told.status is Status.READ
    assert held(told) == held(straight) == {1: "dark", 4: "light"}
    for there, here in zip(straight.places, told.places, strict=True):
        column, line = np.round(here.centre).astype(int)
        assert np.abs(np.array(there.centre) - (to_x[line, column], to_y[line, column])).max() < 4.0


@pytest.mark.parametrize("hidden", [(0, 1), (0, 3), (1, 3), (0, 2, 3)])
def test_a_mat_of_which_two_markers_are_not_seen_is_not_read_unless_they_were(row: Mat, hidden: tuple[int, ...]):
    """Never silently wrong: by two markers and the felt's edge 21 bare places were read as held, by their lines."""
    lying = DrawnMat(Printed(row.words_grey, FELT_MM), (DrawnCounter(*at(row, 1), DARK),), ())
    picture = draw(TrayScene(mat=lying, seed=3), look(), rng=np.random.default_rng(2)).picture_bgr
    covered = without_markers(picture, hidden)
    assert read_mat(covered, row).status is Status.NO_TRAY
    assert held(read_mat(covered, row, tray=find_tray(picture))) == {1: "dark"}


@pytest.mark.parametrize(("level", "named"), [(0, Problem.DARK), (255, Problem.BRIGHT)])
def test_a_light_in_which_no_mat_is_seen_is_named_where_it_is_known_to_lie(row: Mat, level: int, named: Problem):
    """The issue: "a changed lamp is noticed within one turn and named": else people look for the mat."""
    lying = DrawnMat(Printed(row.words_grey, FELT_MM), (DrawnCounter(*at(row, 1), DARK),), ())
    picture = draw(TrayScene(mat=lying, seed=3), look(), rng=np.random.default_rng(2)).picture_bgr
    tray = find_tray(picture)
    assert held(read_mat(picture, row, tray=tray)) == {1: "dark"}
    reading = read_mat(np.full_like(picture, level), row, tray=tray)
    assert reading.status is Status.NO_TRAY
    assert named in reading.problems


def test_a_mat_as_a_mirror_shows_it_is_not_read(row: Mat):
    """Never silently wrong: its first place would be its last."""
    lying = DrawnMat(Printed(row.words_grey, FELT_MM), (DrawnCounter(*at(row, 1), DARK),), ())
    picture = draw(TrayScene(mat=lying, seed=3), look(), rng=np.random.default_rng(2)).picture_bgr
    mirrored = read_mat(np.ascontiguousarray(picture[:, ::-1]), row)
    assert mirrored.status is Status.NO_TRAY
    assert mirrored.problems.words() == ["no-tray", "mirrored"]


def test_pawns_are_told_by_the_markers_on_their_tracks_whatever_their_colours(board: Mat):
    (first, *_), (second, *_) = board.tracks
    for one, other in ((RED, BLUE), (BLUE, RED), ((28.0, 198.0, 244.0), (60.0, 128.0, 18.0))):
        pieces = [
            DrawnPawn(*at(board, first), one),
            DrawnPawn(*at(board, second), other),
            DrawnPawn(*at(board, 2, 5.0, 6.0), other),
            DrawnPawn(*at(board, 7), one),
        ]
        assert held(seen(board, *pieces)) == {first: "first", second: "second", 2: "second", 7: "first"}


def test_without_a_marker_no_pawn_is_sure(board: Mat):
    reading = seen(board, DrawnPawn(*at(board, board.tracks[1][0]), BLUE), DrawnPawn(*at(board, 3), RED))
    assert [p.place for p in reading.places if not p.sure and p.holds != EMPTY] == [3, board.tracks[1][0]]


def test_a_pawn_on_the_line_between_two_spaces_stands_on_neither(board: Mat):
    half = board.places[2].width / 2
    pieces = [DrawnPawn(*at(board, board.tracks[k][0]), body) for k, body in ((0, RED), (1, BLUE))]
    reading = seen(board, *pieces, DrawnPawn(*at(board, 2, half), RED))
    assert [stray.near for stray in reading.strays] == [(2, 3)]
    assert Problem.LAYOUT in reading.problems


def test_a_black_pawn_on_a_figure_is_no_bare_figure(board: Mat):
    black = (22.0, 24.0, 20.0)
    pieces = [DrawnPawn(*at(board, board.tracks[k][0]), body) for k, body in ((0, black), (1, RED))]
    reading = seen(board, *pieces, DrawnPawn(*at(board, 9), black))
    assert reading.places[9].holds == "first" or not reading.places[9].sure
    assert reading.places[board.tracks[0][0]].holds == "first" or not reading.places[board.tracks[0][0]].sure


def test_two_colours_that_are_one_are_asked_about(board: Mat):
    tone = (-1.2, -0.4, -0.1)
    things = tuple(
        Thing(board.places[n].middle, 90.0, tone, False) for n in (board.tracks[0][0], board.tracks[1][0], 3)
    )
    told, beside = tell_pawns(board, things, np.ones(len(board.places)))
    assert not told[3].sure
    assert beside == ()


def marks(**values: float) -> Marks:
    usual = {
        "gain": 0.0,
        "likeness": 0.1,
        "low": -0.1,
        "middle": -0.05,
        "high": 0.0,
        "washed": 0.0,
        "around": 0.0,
        "glow": 0.0,
    }
    one = {name: np.array([value]) for name, value in (usual | values).items()}
    return Marks(**one, border=np.ones(4), crossed=np.zeros(1, np.bool_))


@pytest.mark.parametrize(
    ("values", "holds", "sure"),
    [
        ({}, "light", True),
        ({"low": -1.7, "middle": -1.6, "high": -1.5}, "dark", True),
        ({"gain": 1.0, "likeness": 0.95}, EMPTY, True),
        ({"gain": 0.6, "likeness": 0.6}, EMPTY, False),  # half covered
        ({"low": -0.8, "middle": -0.75, "high": -0.7}, "dark", False),  # between dark and light
        ({"low": -0.9, "middle": -0.2, "high": 0.1}, "light", False),  # a lamp's image on something dark
        ({"middle": 0.3, "high": 0.35, "low": 0.25}, "light", False),  # brighter than paper
        ({"washed": 0.9}, "light", False),
        ({"around": 0.9, "washed": 0.9}, "light", False),  # as light as the paper beside it, in a lamp's image or not
        ({"around": 0.9, "washed": 0.7, "gain": 1.0, "likeness": 0.95}, EMPTY, True),
        # The rim of a lamp's image on a dark counter has as much contrast as the figure.
        ({"low": 0.4, "middle": 0.9, "high": 0.9, "gain": 1.1, "likeness": 0.25}, EMPTY, False),
        ({"low": -1.3, "middle": 0.15, "high": 0.15, "glow": 0.2, "gain": 1.0, "likeness": 0.52}, EMPTY, False),
        ({"low": -0.4, "middle": 0.15, "high": 0.15, "glow": 0.2, "gain": 1.0, "likeness": 0.52}, EMPTY, True),
        ({"glow": 0.08}, "light", False),
    ],
)
def test_what_a_place_holds_follows_from_what_was_measured(values: dict[str, float], holds: str, sure: bool):
    (told,) = tell_counters(marks(**values))
    if sure or holds == "light":
        assert told.likely[0][0] == holds
    assert told.sure is sure
    assert sum(p for _, p in told.likely) == pytest.approx(1.0)


def test_a_mat_settles_like_a_tray_and_a_moved_counter_is_another_scene(row: Mat):
    one, other = seen(row, DrawnCounter(*at(row, 1), DARK)), seen(row, DrawnCounter(*at(row, 2), DARK))
    assert same(one, one)
    assert not same(one, other)
    settler, settled = Settler(row), None
    for n in range(3):
        settler, settled = settler.step(one, at_ns=n * 300_000_000)
    assert settled is not None
    assert same(settled, one)


def flickering(reading: Reading, place: int, **now: object) -> Reading:
    places = tuple(replace(p, **now) if p.place == place else p for p in reading.places)
    return replace(reading, places=places, status=Status.READ if all(p.sure for p in places) else Status.UNSURE)


def test_one_bad_frame_asks_no_question_and_most_frames_must_be_sure(row: Mat):
    one = seen(row, DrawnCounter(*at(row, 1), DARK))
    likely = (("dark", 0.85), ("light", 0.1), (EMPTY, 0.05))
    bad = flickering(one, 1, sure=False, confidence=0.85, likely=likely)
    votes = [vote_of(one), vote_of(one), vote_of(bad)]
    assert fuse(bad, votes).status is Status.READ
    assert held(fuse(bad, votes)) == {1: "dark"}
    assert fuse(one, [vote_of(one), vote_of(bad), vote_of(bad)]).status is Status.UNSURE


def test_frames_that_are_sure_of_different_things_are_not_sure_together(row: Mat):
    one = seen(row, DrawnCounter(*at(row, 1), DARK))
    other = flickering(one, 1, holds="light", likely=(("light", 0.99), ("dark", 0.009), (EMPTY, 0.001)))
    together = fuse(one, [vote_of(one), vote_of(one), vote_of(one), vote_of(other)])
    assert not together.places[1].sure


def many(middles: list[float], **values: float) -> Marks:
    n = len(middles)
    usual = {"gain": 0.0, "likeness": 0.1, "washed": 0.0, "around": 0.0, "glow": 0.0} | values
    rest = {name: np.full(n, value) for name, value in usual.items()}
    middle = np.array(middles)
    crossed = np.zeros(n, np.bool_)
    return Marks(low=middle - 0.05, middle=middle, high=middle + 0.05, **rest, border=np.ones(4), crossed=crossed)


def test_a_counter_beside_whose_place_paper_is_blown_out_may_be_a_dark_one_in_a_lamps_image():
    counters = many([-0.02, -0.03, -1.9, -0.02, -0.03, -0.02])
    told = tell_counters(replace(counters, around=np.array([0.0, 0.9, 0.9, 0.0, 0.0, 0.0])))
    assert [t.sure for t in told] == [True, False, True, True, True, True]
    told = tell_counters(replace(counters, glow=np.array([0.0, 0.3, 0.3, 0.0, 0.0, 0.0])))
    assert [t.sure for t in told] == [True, False, True, True, True, True]


def test_light_counters_that_look_alike_are_light_even_where_a_lamp_lights_dark_ones():
    told = tell_counters(many([-0.02, -0.03, -0.04, -0.03, -0.05, -1.9, -1.2]))
    assert all(t.sure for t in told)
    assert [t.likely[0][0] for t in told] == ["light"] * 5 + ["dark"] * 2


def test_where_a_lamp_lights_dark_counters_all_the_way_up_to_light_ones_all_are_asked_about():
    told = tell_counters(many([-0.02, -0.03, -0.04, -0.03, -0.05, -1.9, -1.2, -0.9, -0.6, -0.3, -0.15]))
    assert not any(t.sure for t in told if t.likely[0][0] == "light")


def test_a_counter_unlike_all_others_may_be_the_other_kind():
    told = tell_counters(many([-0.02, -0.03, -0.4, -1.9]))
    assert not told[2].sure
    assert dict(told[2].likely)["dark"] > 0.1


@pytest.mark.parametrize("added", [0.0, 0.1, 0.4])
def test_law_print_keeps_so_much_of_its_contrast_in_added_light_as_is_worked_out(row: Mat, added: float):
    """Paper of light p and ink of light i are p + v and i + v in a lamp's image of v."""
    picture = in_a_lamp(picture_of(row), row, 2, added=added, share=0.35)
    tray = find_tray(picture)
    assert tray is not None
    paper = look_at_paper(picture, tray, row)
    seen, _ = print_seen(paper, row.middles(), half_mm=row.figure_mm)
    usual = np.median(np.delete(seen.gain, 2), keepdims=True)
    left = contrast_left(paper, row.middles(), half_mm=row.figure_mm, shift_px=seen.shift_px, usual=usual)
    assert seen.gain[2] / usual == pytest.approx([left[2]], abs=0.12)
    assert left[2] == pytest.approx({0.0: 1.0, 0.1: 0.45, 0.4: 0.2}[added], abs=0.15)
    assert np.delete(left, [1, 2, 3]).min() > 0.8, "where there is no lamp all of it is left, but for noise"


def test_a_bare_place_in_a_lamps_image_is_bare_where_its_print_shows_as_faintly_as_it_must(row: Mat):
    counters = [DrawnCounter(*at(row, k), LIGHT) for k in (0, 4, 5)]
    bare = in_a_lamp(picture_of(row, *counters), row, 2, added=0.3, share=0.35)
    reading = read_mat(bare, row)
    assert (reading.places[2].holds, reading.places[2].sure) == (EMPTY, True)
    assert reading.strays == (), "nor is the line beside it hidden by anything"
    held = in_a_lamp(picture_of(row, *counters, DrawnCounter(*at(row, 2), LIGHT)), row, 2, added=0.3, share=0.35)
    reading = read_mat(held, row)
    assert (reading.places[2].holds, reading.places[2].sure) == ("light", False)


def test_where_all_paper_is_blown_out_no_counter_is_light_for_sure():
    """What is dark and mirrors something is as white there, and paper tells no brightness any more."""
    counters = replace(many([-0.2, -0.21, -0.22, -0.23, -0.24, -1.9, -1.8]), around=np.full(7, 0.9))
    assert [t.sure for t in tell_counters(counters)] == [False] * 5 + [True, True]


def test_light_counters_of_two_shades_may_be_dark_ones_that_mirror_something():
    told = tell_counters(many([-0.02, -0.03, -0.27, -0.28, -0.29, -1.2]))
    assert [t.sure for t in told] == [True, True, False, False, False, True]
    told = tell_counters(many([-0.05, -0.06, -0.27, -0.28, -0.29, -1.2]))
    assert all(t.sure for t in told), "as far as that those of one set may differ"


def test_light_counters_are_alike_that_are_as_bright_as_two_others_and_in_no_lamp():
    counters = many([-0.1, -0.12, -0.14, -0.3, -1.9])
    assert [t.alike for t in tell_counters(counters)] == [True, True, True, False, False]
    blown_out = replace(counters, around=np.full(5, 0.9), washed=np.array([0.9, 0.9, 0.9, 0.0, 0.0]))
    assert [t.alike for t in tell_counters(blown_out)] == [True, True, True, False, False]
    dim = many([-0.1, -0.12, -0.14, -0.4, -1.9])
    assert not any(t.alike for t in tell_counters(dim)), "what are four shades, and which of them are dark?"
    glowing = replace(counters, glow=np.array([0.0, 0.3, 0.0, 0.0, 0.0]))
    assert [t.alike for t in tell_counters(glowing)] == [True, False, True, False, False]
    uneven = replace(counters, low=counters.low - np.array([0.3, 0.0, 0.0, 0.0, 0.0]))
    assert [t.alike for t in tell_counters(uneven)] == [False, True, True, False, False]
