"""A match of Draw Bridge from first tile to winner (RULES.md 1), with readings, corrections and undo."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.commands import decode, encode
from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge import LayTiles, awards, mover
from pi.rules.games.draw_bridge_books import START_TURN
from pi.rules.games.draw_bridge_score import Tile, free_places, lay
from pi.rules.match import Match, apply, decide
from pi.rules.ruleset import Reason, Refused
from pi.rules.values import EMPTY, NUMBERS, Board
from tests.builders import play, refusal
from tests.rules.games import begun, check_laws, undone_to_the_start

COLOURS = ("red", "green", "blue", "yellow")


def opened(*names: str, **house: Any) -> Match:
    return begun("draw-bridge", *names, **house)


def tiles(*placed: tuple[int, int, object]) -> tuple[Tile, ...]:
    return tuple(Tile(row, place, str(symbol)) for row, place, symbol in placed)


def typed(*placed: tuple[int, int, object]) -> LayTiles:
    return LayTiles(tiles(*placed))


def reading(*placed: tuple[int, int, object], doubts: tuple[tuple[int, int], ...] = ()) -> ask.ReadTray:
    """Return a settled reading of an array with these tiles; places without a tile are not in it."""
    seen = (SeenTile(r, c, str(s), COLOURS[r % 4], sure=(r, c) not in doubts) for r, c, s in placed)
    return ask.ReadTray(Tray(tuple(seen), frame=f"f{len(placed)}"))


def reading_of(board: Board) -> ask.ReadTray:
    return reading(*((r, c, s) for (r, c), s in board.cells().items() if s != EMPTY))


def turn_of(state: Match) -> tuple[int, str | None]:
    played = state.state.rounds[-1]
    seat = mover(state.context, played)
    return played.turn, None if seat is None else state.context.name(seat)


FIRST = ((0, 0, 1), (0, 1, 2))
SECOND = (*FIRST, (0, 2, 3), (1, 9, 7))


def test_players_in_turn_place_two_tiles_each_and_score_at_the_end_of_the_turn():
    state = play(opened(), reading(*FIRST))
    assert turn_of(state) == (2, "Bob")
    assert dict(state.standing()) == {1: 0, 2: 0}
    state = play(state, reading(*SECOND))
    assert turn_of(state) == (3, "Ann")
    assert dict(state.standing()) == {1: 0, 2: 1}
    check_laws(state)


def test_a_turn_counts_only_when_both_tiles_lie():
    state = play(opened(), reading(*FIRST), reading(*SECOND[:3]))
    assert turn_of(state) == (2, "Bob")
    assert dict(state.standing()) == {1: 0, 2: 0}
    assert dict(play(state, reading(*SECOND)).standing()) == {1: 0, 2: 1}


def test_a_tile_of_an_unfinished_turn_may_still_be_taken_back():
    state = play(opened(), reading((0, 0, 1)), reading())
    assert state.state.current.begun() == ()
    state = play(state, reading((0, 9, 1)), reading((0, 9, 1), (2, 0, 5)))
    assert turn_of(state) == (2, "Bob")


def test_the_same_reading_again_is_nothing_new():
    state = play(opened(), reading(*FIRST))
    assert refusal(state, reading(*FIRST)).reason is Reason.NOTHING_NEW
    assert refusal(opened(), reading()).reason is Reason.NOTHING_NEW


def test_a_tile_that_may_not_lie_there_is_named_with_the_reason():
    no = refusal(opened(), reading((0, 0, 1), (1, 4, 2)))
    assert no.reason is Reason.UNLAWFUL
    assert "The 2 may not lie in row 2 place 5" in no.sentence
    no = refusal(play(opened(), reading(*FIRST)), reading(*FIRST, (0, 2, 1)))
    assert "each tile lies once in a colour" in no.sentence


def test_each_colour_has_its_own_row():
    strange = Tray((SeenTile(0, 0, "1", "red"), SeenTile(1, 0, "2", "red")))
    assert "red has row 1" in refusal(opened(), ask.ReadTray(strange)).sentence
    strange = Tray((SeenTile(0, 0, "1", "red"), SeenTile(0, 1, "2", "blue")))
    assert "that is the row of red" in refusal(opened(), ask.ReadTray(strange)).sentence


def test_three_new_tiles_are_too_many_and_all_are_named():
    no = refusal(opened(), reading(*FIRST, (3, 9, 8)))
    assert no.sentence == (
        "3 tiles are new (row 1 place 1, row 1 place 2, row 4 place 10), but Ann has 2 tiles to lay."
    )


def test_a_third_tile_that_the_eye_doubts_is_asked_about_and_may_be_none():
    seen = (*FIRST, (3, 9, 8))
    state = play(opened(), reading(*seen, doubts=((3, 9),)))
    assert refusal(state, ask.CorrectTile(1, 3, 9, "8")).sentence.startswith("3 tiles are new")
    state = play(state, ask.CorrectTile(1, 3, 9, EMPTY))
    assert [(t.row, t.place) for t in state.state.current.turns[0].tiles] == [cell[:2] for cell in FIRST]


def test_a_wrong_answer_about_what_is_no_tile_can_be_put_right() -> None:
    state = play(opened(), reading(*FIRST, (3, 9, 8), doubts=((0, 1), (3, 9))), ask.CorrectTile(1, 3, 9, "8"))
    assert refusal(state, ask.CorrectTile(1, 0, 1, "2")).sentence.startswith("3 tiles are new")
    state = play(state, ask.CorrectTile(1, 3, 9, EMPTY), ask.CorrectTile(1, 0, 1, "2"))
    assert turn_of(state) == (2, "Bob")
    assert refusal(state, ask.CorrectTile(1, 0, 1, EMPTY)).reason is Reason.BAD_SYMBOL, "it counts"


@pytest.mark.parametrize("place", [0, 1])
def test_of_two_tiles_in_a_row_the_sure_one_tells_its_colour(place: int) -> None:
    """RULES 1: each colour has its row. Wherever the other lies, it is the one that is asked about."""
    sure, other = SeenTile(0, 9, "1", "green"), SeenTile(0, place, "7", "blue", sure=False)
    tray = Tray((other, sure, SeenTile(1, 0, "3", "blue")))
    assert tray.row_colours() == {0: "green", 1: "blue"}
    assert tray.strange_row(other) == "green"
    assert tray.strange_row(sure) is None


def test_where_the_eye_cannot_tell_the_places_nobody_laid_a_tile_off_the_array():
    off = SeenTile(5, 0, "3", "red", sure=False)
    assert "no row 6 place 1" in refusal(opened(), ask.ReadTray(Tray((off,)))).sentence
    assert "push their rows together" in refusal(opened(), ask.ReadTray(Tray((off,), placed=False))).sentence


def test_a_tile_bumped_or_taken_back_is_noticed():
    state = play(opened(), reading(*FIRST))
    no = refusal(state, reading((0, 0, 1)))
    assert no.sentence == "The 2 of row 1 place 2 has gone: put it back, or undo the turn."
    no = refusal(state, reading((0, 0, 1), (0, 1, 5)))
    assert "lay 2 and now lies 5" in no.sentence


def test_a_doubtful_look_at_a_tile_that_lies_there_changes_nothing():
    state = play(opened(), reading(*FIRST))
    state = play(state, reading((0, 0, 7), *SECOND[1:], doubts=((0, 0),)))
    assert dict(state.standing()) == {1: 0, 2: 1}


def test_the_eye_asks_about_a_new_tile_it_is_not_sure_of():
    state = play(opened(), reading(*FIRST, doubts=((0, 1),)))
    assert turn_of(state) == (1, "Ann")
    assert [t.cell for t in state.state.current.doubts()] == [(0, 1)]
    state = play(state, ask.CorrectTile(1, 0, 1, "3"))
    assert turn_of(state) == (2, "Bob")
    assert state.state.current.board().rows[0][:2] == ("1", "3")
    state = play(state, ask.Undo())
    assert turn_of(state) == (1, "Ann")


def test_a_correction_counts_everything_after_it_again():
    state = play(opened(), reading(*FIRST), reading(*SECOND))
    state = play(state, ask.CorrectTile(1, 0, 1, "4"))
    assert dict(state.standing()) == {1: 0, 2: 0}
    check_laws(state)


def test_after_a_correction_the_eye_may_go_on_claiming_what_it_claimed():
    state = play(opened(), reading(*FIRST), ask.CorrectTile(1, 0, 1, "4"), reading(*SECOND))
    assert state.state.current.board().rows[0][:3] == ("1", "4", "3")
    assert turn_of(state) == (3, "Ann")
    again = play(state, reading(*SECOND, (2, 0, 5), (2, 1, 6)))
    assert turn_of(again) == (4, "Bob")


def test_a_correction_to_a_number_the_row_has_already_is_refused():
    state = play(opened(), reading(*FIRST))
    assert refusal(state, ask.CorrectTile(1, 0, 1, "1")).reason is Reason.UNLAWFUL
    assert refusal(state, ask.CorrectTile(1, 0, 1, "2")).reason is Reason.NOTHING_NEW
    assert refusal(state, ask.CorrectTile(1, 0, 5, "2")).reason is Reason.BAD_CELL
    assert refusal(state, ask.CorrectTile(1, 0, 1, "#")).reason is Reason.BAD_SYMBOL
    assert refusal(state, ask.CorrectTile(3, 0, 1, "5")).reason is Reason.NO_ROUND


def test_undo_takes_the_turn_back_and_redo_brings_it_again():
    state = play(opened(), reading(*FIRST), reading(*SECOND))
    back = play(state, ask.Undo())
    assert turn_of(back) == (2, "Bob")
    assert back.state.current.tray.frame == "f2"
    assert play(back, ask.Redo()).state == state.state


def test_tiles_may_be_typed_instead_of_read():
    state = play(opened(), typed(*FIRST), typed(*SECOND[2:]))
    assert dict(state.standing()) == {1: 0, 2: 1}
    assert refusal(state, typed((0, 3, 4), (0, 4, 5), (0, 5, 6))).reason is Reason.UNLAWFUL
    assert refusal(state, typed()).reason is Reason.UNLAWFUL
    assert refusal(state, typed((0, 5, 4))).reason is Reason.UNLAWFUL
    command = typed(*FIRST)
    assert decode(encode(command)) == command


def test_claim_per_tile_knows_the_order_when_the_tiles_came_one_by_one():
    begun_row = ((0, 0, 1), (0, 1, 2))
    state = play(opened(claim_per_tile=True), reading(*begun_row))
    slow = play(state, reading(*begun_row, (0, 2, 3)), reading(*begun_row, (0, 2, 3), (0, 3, 4)))
    fast = play(state, reading(*begun_row, (0, 2, 3), (0, 3, 4)))
    assert dict(slow.standing()) == dict(fast.standing()) == {1: 0, 2: 3}


def test_a_wild_tile_is_laid_only_where_wilds_are_in_play():
    assert refusal(opened(), reading((0, 0, "#"), (0, 1, 2))).reason is Reason.UNLAWFUL
    state = play(opened(wild=True), reading((0, 0, "#"), (0, 1, 2)))
    state = play(state, reading((0, 0, "#"), (0, 1, 2), (0, 2, 3), (0, 3, 4)))
    assert dict(state.standing()) == {1: 0, 2: 2}


def test_with_three_players_the_fortieth_tile_starts_its_row_at_its_left_end():
    state = opened("Ann", "Bob", "Cy")
    assert turn_of(state) == (START_TURN, None)
    assert "left end" in refusal(state, reading((2, 9, 4))).sentence
    state = play(state, reading((2, 0, 4)))
    assert turn_of(state) == (1, "Ann")
    state = play(state, reading((2, 0, 4), (2, 1, 5), (2, 2, 6)))
    assert dict(state.standing()) == {1: 1, 2: 0, 3: 0}


def test_the_tiles_of_the_last_round_must_be_cleared_away_first():
    state = filled(opened(), seed=1)
    last = state.state.rounds[0].board()
    state = play(state, ask.Next(5))
    left_over = [(r, c, s) for (r, c), s in last.cells().items() if c == 0][:2]
    assert refusal(state, reading(*left_over)).reason is Reason.SAME_TRAY


def filled(state: Match, *, seed: int, by_eye: bool = True) -> Match:
    """Play the open round to its end with lawful tiles."""
    chance = random.Random(seed)
    number = len(state.state.rounds)
    hands = [chance.sample(NUMBERS, 10) for _ in range(4)]
    while state.state.current is not None and len(state.state.rounds) == number:
        current = state.state.current
        board, placed = current.board(), []
        for _ in range(current.wanted(current.turn)):
            row = chance.choice([r for r in range(4) if hands[r]])
            place = 0 if current.turn == START_TURN else chance.choice(free_places(board, row))
            placed.append(Tile(row, place, hands[row].pop()))
            board = lay(board, placed[-1:])
        state = play(state, reading_of(board) if by_eye else LayTiles(tuple(placed)))
    return state


def whole_match(*names: str, seed: int, by_eye: bool = True, **house: Any) -> Match:
    state = filled(opened(*names, **house), seed=seed, by_eye=by_eye)
    while not state.outcome().over:
        state = filled(play(state, ask.Next(9)), seed=seed + len(state.state.rounds), by_eye=by_eye)
    return state


@pytest.mark.parametrize(("names", "rounds"), [("AB", 4), ("ABC", 3), ("ABCD", 4)])
def test_a_match_is_four_rounds_three_with_three_players_the_first_player_rotating(names, rounds):
    state = whole_match(*names, seed=3)
    assert len(state.state.rounds) == rounds
    firsts = [next(t.seat for t in r.turns if t.turn == 1) for r in state.state.rounds]
    assert firsts == [1 + n % len(names) for n in range(rounds)]
    best = max(state.standing().values())
    assert {s for s, p in state.standing().items() if p == best} == set(state.outcome().winners)
    assert refusal(state, ask.Next(99)).reason is Reason.MATCH_OVER
    check_laws(state)


def test_partners_add_their_totals():
    state = whole_match("Ann", "Bob", "Cy", "Di", seed=5, partners=True)
    score = state.standing()
    first, second = score[1] + score[3], score[2] + score[4]
    expected = (1, 3) if first > second else (2, 4) if second > first else (1, 3, 2, 4)
    assert state.outcome().winners == expected
    start = ask.StartMatch("m2", "draw-bridge", state.players[:2], (("partners", True),))
    assert refusal(Match(), start).reason is Reason.BAD_HOUSE_RULE


def test_equal_totals_share_the_win():
    state = whole_match("Ann", "Bob", seed=3)
    gap = state.standing()[1] - state.standing()[2]
    if gap:
        state = play(state, ask.AdjustPoints(2, gap, "to level the score"))
    assert state.outcome().winners == (1, 2)
    assert "share the win" in state.outcome().why


def test_other_games_commands_and_a_round_that_is_not_open_are_refused():
    state = opened()
    assert refusal(state, ask.Reveal()).reason is Reason.WRONG_GAME
    assert "Ann has 2 tiles to lay." in refusal(state, ask.Next(5)).sentence
    over = filled(state, seed=1)
    assert refusal(over, typed(*FIRST)).reason is Reason.NO_ROUND
    assert over.expects() is None
    assert state.expects() == "drawbridge"


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["AB", "ABC", "ABCD"]), st.booleans(), st.data())
def test_law_a_round_read_or_typed_scores_the_same_and_can_be_undone_to_its_start(
    seed: int, names: str, elevator: bool, data: st.DataObject
):
    state = filled(opened(*names, elevator=elevator), seed=seed)
    by_hand = filled(opened(*names, elevator=elevator), seed=seed, by_eye=False)
    assert state.standing() == by_hand.standing()
    check_laws(state)
    undone = undone_to_the_start(state)
    assert len(undone.history) == 1
    assert set(undone.standing().values()) == {0}


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 10), st.sampled_from("01239#.?x")), max_size=4))
def test_law_no_reading_makes_decide_raise_and_what_it_accepts_folds(placed):
    state = opened(wild=True)
    events = decide(state, reading(*placed))
    if isinstance(events, Refused):
        assert events.sentence
        return
    for event in events:
        state = apply(state, event)
    check_laws(state)


def test_every_award_names_its_paragraph():
    state = play(opened(), reading(*FIRST), reading(*SECOND))
    given_out = awards(state.context, state.state.rounds[0])
    assert [(a.seat, a.points) for a in given_out] == [(1, 0), (2, 1)]
    assert all(a.why.endswith(".") and a.source.startswith("RunnuRound, Draw Bridge") for a in given_out)
