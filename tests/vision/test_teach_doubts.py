"""What the eye doubts is told, all of it; who looked again may insist, on that picture alone, and the doubt is kept."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_teach_odd import ROW, SHOWS, STRIPS, blank
from tests.vision.test_teach_order import OWNED, dice, looking_like
from vision.crops.faces import FACES, SIDE
from vision.errors import BadOwnSet, CannotLearn, DoubtedLesson, Outline
from vision.own_set import MOST_CHARACTERS, OwnSet, Taught, from_bytes, to_bytes
from vision.reading import SYMBOLS
from vision.teach import _insisted, _with_earlier, learn
from vision.teaching.doubts import Doubt, refuse
from vision.teaching.lessons import Lesson
from vision.teaching.teach_look import Seen, look_at
from vision.teaching.teach_odd import face_down
from vision.teaching.teach_order import out_of_order

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

DOUBTS = st.builds(
    Doubt,
    picture=st.integers(0, 3),
    row=st.integers(0, 5),
    place=st.none() | st.integers(0, 9),
    taught=st.sampled_from(SYMBOLS),
    seen=st.sampled_from(["", *SYMBOLS]),
    refusal=st.just("is doubted: take it again"),
)


@given(st.lists(DOUBTS, min_size=1, max_size=40))
def test_a_refusal_says_the_first_doubt_and_names_each_piece_once(doubts):
    """Whoever insists answers for every doubt of the picture: so each is told, and where to look."""
    with pytest.raises(DoubtedLesson) as told:
        refuse(doubts)
    assert str(told.value).startswith(f"{doubts[0].where} ")
    places = {doubt.where for doubt in doubts}
    assert len(told.value.doubts) == len(places)
    assert all(any(said.lower().startswith(place) for said in told.value.doubts) for place in places)
    assert told.value.pictures == tuple(sorted({doubt.picture + 1 for doubt in doubts}))
    pairs = zip(told.value.where, told.value.doubts, strict=True)
    assert all(f"of picture {spot.picture} " in said for spot, said in pairs), "where to look stands beside each"
    assert all(len(said) <= MOST_CHARACTERS and said.isprintable() for said in told.value.doubts)


def test_every_tile_that_lies_face_down_is_named():
    found = face_down(np.zeros(40, np.float32), blank(1, 15), SHOWS, ROW, STRIPS)
    assert [d.where for d in found] == ["row 1, place 2, of picture 1", "row 2, place 6, of picture 1"]


def test_another_order_is_named_in_each_picture_that_shows_it():
    """Insisting goes with one picture; the next one of the same set is doubted by its own name."""
    said, shows = np.tile(looking_like("1234567890"), (2, 1)), np.tile(np.arange(10), 8)
    rows = [*STRIPS, *((1, r, at + 40) for _, r, at in STRIPS)]
    assert [(d.picture, d.row, d.place) for d in out_of_order(said, shows, rows)] == [(0, 0, 0), (1, 0, 0)]


def refused(orders: list[str]) -> tuple[DoubtedLesson, dict[tuple[int, int], tuple[float, float]]]:
    """Rows that lie in these orders, of each of which 0 to 9 is said: the refusal, and the middle of each tile."""
    cells = [[f"{c}:{s}" for s in order] for c, order in zip(OWNED.colours, orders, strict=True)]
    picture = OWNED.picture(cells, layout="rows", seed=1, difficulty=0.2)
    with pytest.raises(DoubtedLesson) as told:
        learn([Lesson(picture.picture_bgr)], made="today")
    return told.value, {(tile["row"], tile["col"]): tuple(tile["center"]) for tile in picture.truth["tiles"]}


def covered(outline: Outline, middles: dict[tuple[int, int], tuple[float, float]]) -> set[tuple[int, int]]:
    around = np.array(outline, np.float32)
    return {cell for cell, at in middles.items() if cv2.pointPolygonTest(around, at, measureDist=False) > 0}


IN_ORDER = "0123456789"


def test_both_tiles_of_an_exchange_are_named_and_shown_where_they_lie():
    """A person looks at once at both places, and at no other."""
    told, middles = refused([IN_ORDER, "0183456729", IN_ORDER, IN_ORDER])
    assert told.doubts == (
        "Row 2, place 3, of picture 1 was said to be a 2, but looks like an 8.",
        "Row 2, place 9, of picture 1 was said to be an 8, but looks like a 2.",
    )
    assert [covered(spot.outline, middles) for spot in told.where] == [{(1, 2)}, {(1, 8)}]
    assert [spot.picture for spot in told.where] == [1, 1]
    assert covered(told.where[0].among, middles) == set(middles)


def test_a_row_that_is_doubted_as_a_whole_is_shown_as_a_whole():
    told, middles = refused([IN_ORDER, IN_ORDER, "3709182564", IN_ORDER])
    assert told.doubts == ("Row 3 of picture 1 does not look as the other rows do.",)
    assert covered(told.where[0].outline, middles) == {(2, place) for place in range(10)}


def test_both_of_two_numbers_that_are_exchanged_in_every_row_are_named():
    found = out_of_order(looking_like("0723456189"), SHOWS, STRIPS)
    assert [(d.row, d.place, d.taught, d.seen) for d in found] == [(0, 1, "1", "7"), (0, 7, "7", "1")]


@pytest.fixture(scope="module")
def seen() -> Seen:
    """Dice that lie from 6 down, of which 1 to 6 is said."""
    return look_at(dice("654321"), 1)


SAYS = (
    "Row 1, place 1, of picture {} was said to be a 1, but looks like a 6, and the whole lesson lies in another order."
)


def as_said(seen: Seen) -> Seen:
    return replace(seen, lesson=replace(seen.lesson, as_said=True))


def sentences(looks: list[Seen]) -> list[str]:
    return [doubt.sentence for doubt in _insisted(looks, dice=True)]


def test_what_is_insisted_on_is_learnt_as_said_and_its_doubt_told(seen):
    assert sentences([as_said(seen)]) == [SAYS.format(1)]
    with pytest.raises(DoubtedLesson, match="row 1, place 1, of picture 1 should be a 1, but looks like a 6"):
        _insisted([seen], dice=True)


def test_insisting_on_one_picture_says_nothing_of_the_next(seen):
    """It is never the default, and goes with the one picture that was looked at again."""
    for looks, number in (([as_said(seen), seen], 2), ([seen, as_said(seen)], 1)):
        with pytest.raises(DoubtedLesson) as told:
            _insisted(looks, dice=True)
        assert told.value.doubts == (SAYS.format(number),)
        assert told.value.pictures == (number,)


def test_a_right_picture_does_not_hide_that_another_was_doubted(seen):
    right = look_at(dice("123456"), 1)
    assert sentences([right, as_said(seen)]) == [SAYS.format(2)]


def test_a_doubt_about_dice_counts_the_pictures_of_tiles_too(seen):
    tiles = replace(seen, lesson=replace(seen.lesson, dice=False))
    assert sentences([tiles, as_said(seen)]) == [SAYS.format(2)]


def test_only_what_pieces_look_like_can_be_insisted_on():
    """The count of tiles, the tray and the light are no matter of opinion."""
    nothing = Lesson(np.full((240, 320, 3), 90, np.uint8), as_said=True)
    with pytest.raises(CannotLearn, match="no tray is found in picture 1") as told:
        learn([nothing], made="today")
    assert not isinstance(told.value, DoubtedLesson)
    short = replace(dice("123456"), rows=(tuple("123456"), tuple("12345")), as_said=True)
    with pytest.raises(CannotLearn, match="picture 1 shows 12 of 11 dice") as told:
        learn([short], made="today")
    assert not isinstance(told.value, DoubtedLesson)


def kept(*doubts: str) -> OwnSet:
    paint = np.full((1, 3), 200.0, np.float32)
    shows = np.array([FACES.index(("die", n)) for n in range(1, 7)], np.uint8)
    crops = np.zeros((6, SIDE, SIDE, 3), np.uint8)
    taught = Taught(crops, shows, np.zeros(6, np.uint8), ("white",), paint, paint, by_ink=False, doubts=doubts)
    return OwnSet("2026-11-30", dice=taught)


def test_the_doubt_is_kept_with_the_set_and_through_a_lesson_of_the_other_kind():
    found = from_bytes(to_bytes(kept(SAYS.format(1), SAYS.format(2))))
    assert found.doubts == (SAYS.format(1), SAYS.format(2))
    assert _with_earlier(OwnSet("2026-12-01"), found).doubts == found.doubts
    assert from_bytes(to_bytes(kept())).doubts == ()
    assert b"doubts" not in to_bytes(kept()), "a set without a doubt is the file that earlier versions read"


@pytest.mark.parametrize("said", ["x" * (MOST_CHARACTERS + 1), "two\nlines"])
def test_sentences_that_cannot_be_ours_are_a_damaged_set(said):
    with pytest.raises(BadOwnSet, match="sentences of what was doubted that cannot be ours"):
        from_bytes(to_bytes(kept(said)))
