"""Mats read by the camera: the one lawful move that explains them counts, anything else is named (RULES.md 3 and 4)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.commands import decode, encode
from pi.rules.games.blob import Fill
from pi.rules.games.palindromes import Write
from pi.rules.games.runaround import MovePawn, Roll, seat_of
from pi.rules.games.runaround_rules import Loop, move
from pi.rules.games.runaround_sight import KINDS, stood
from pi.rules.match import Match
from pi.rules.ruleset import Reason
from pi.rules.seen import DARK, EMPTY, LIGHT, EyeRead, ReadMat, SeenMatDie, SeenPlace, SeenStray
from tests.builders import match, play, players, question, refusal


def opened(game: str, **house: Any) -> Match:
    return match(ask.StartMatch("m1", game, players("Ann", "Bob"), tuple(house.items())))


def mat(name: str, count: int, held: Mapping[int, str], **more: Any) -> ReadMat:
    places = tuple(SeenPlace(n, held.get(n, EMPTY)) for n in range(count))
    return ReadMat(name, places, frame="f1", **more)


def moves(state: Match) -> list[Any]:
    return [event for event in state.history[1:] if not isinstance(event, EyeRead)]


def row(held: Mapping[int, str], **more: Any) -> ReadMat:
    return mat("palindromes:16", 16, held, **more)


def grid(held: Mapping[int, str], **more: Any) -> ReadMat:
    return mat("blob:8", 64, held, **more)


def doubt(seen: ReadMat, place: int, *likely: tuple[str, float]) -> ReadMat:
    places = list(seen.places)
    places[place] = SeenPlace(place, likely[0][0], sure=False, likely=likely)
    return ReadMat(seen.mat, tuple(places), frame=seen.frame)


# -- counters -------------------------------------------------------------------------------------------------


def test_a_dark_counter_is_a_one_and_a_light_one_a_zero_whoever_lays_it():
    state = play(opened("palindromes"), row({4: DARK}), row({4: DARK, 5: LIGHT}))
    assert state.state.row[4:6] == ("1", "0")
    assert [(e.seat, e.frame, e.by) for e in moves(state)] == [(1, "f1", "referee"), (2, "f1", "referee")]


def test_the_same_mat_again_is_nothing_new():
    state = play(opened("palindromes"), row({4: DARK}))
    again = refusal(state, row({4: DARK}))
    assert (again.reason, again.sentence) == (Reason.NOTHING_NEW, "It is Bob's turn.")


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        ({4: DARK}, "The counter of square 9 has gone: put it back, or undo the turn."),
        ({4: DARK, 9: LIGHT}, "The counter of square 9 has moved to square 10: put it back."),
        ({4: LIGHT, 8: LIGHT}, "On square 5 lay a dark counter and now lies a light one: put it right."),
        (
            {4: DARK, 8: LIGHT, 0: DARK, 1: DARK},
            "2 counters are new, on square 1 and square 2; one is laid in a turn. It is Ann's turn.",
        ),
        ({}, "No counter lies on the mat, but 2 should: put them back, or go on by tapping."),
        ({0: DARK, 1: DARK}, "The counters of square 5 and square 9 have gone: put them back, or undo the turns."),
    ],
)
def test_whatever_is_not_one_new_counter_is_named_and_changes_nothing(held: dict[int, str], sentence: str):
    state = play(opened("palindromes"), row({4: DARK}), row({4: DARK, 8: LIGHT}))
    assert refusal(state, row(held)).sentence == sentence
    # Put right, play goes on.
    assert play(state, row({4: DARK, 8: LIGHT, 0: DARK})).state.turns == 3


def test_a_counter_between_two_squares_and_one_that_cannot_be_told_are_asked_about():
    state = opened("palindromes")
    between = row({}, strays=(SeenStray((2, 3)),))
    assert refusal(state, between).sentence == "A counter lies between square 3 and square 4: push it onto one of them."
    asked = question(state, doubt(row({}), 6, (LIGHT, 0.6), (DARK, 0.39), (EMPTY, 0.01)))
    assert asked == (
        "On square 7 lies a light counter or a dark counter or nothing: put it in the middle, or tap what was laid."
    )


def test_what_is_known_to_lie_there_is_no_question():
    state = play(opened("palindromes"), Write(1, 6, "0"))
    seen = doubt(row({6: LIGHT, 2: DARK}), 6, (LIGHT, 0.6), (DARK, 0.4))
    assert play(state, seen).state.row[2] == "1"


def test_in_blob_a_doubt_about_the_colour_alone_is_no_question():
    """RULES.md 4: a row scores by its filled squares, whoever filled them."""
    state = play(opened("blob"), doubt(grid({}), 27, (LIGHT, 0.6), (DARK, 0.395), (EMPTY, 0.005)))
    assert state.state.filled == ((3, 3),)
    assert "nothing" in question(opened("blob"), doubt(grid({}), 27, (LIGHT, 0.6), (DARK, 0.3), (EMPTY, 0.1)))


def test_in_blob_player_one_lays_dark_counters_and_player_two_light_ones():
    state = play(opened("blob"), grid({9: DARK}))
    assert state.state.filled == ((1, 1),)
    wrong = refusal(state, grid({9: DARK, 10: DARK}))
    assert wrong.reason is Reason.NOT_YOUR_TURN
    assert wrong.sentence == "The counter on row 2 column 3 is dark, but Bob, whose turn it is, lays light ones."
    assert play(state, grid({9: DARK, 10: LIGHT})).state.filled == ((1, 1), (1, 2))


def test_with_any_counter_colours_do_not_matter():
    state = play(opened("blob", any_counter=True), grid({9: LIGHT}), grid({9: LIGHT, 10: LIGHT}))
    assert len(state.state.filled) == 2


def test_a_counter_that_touches_no_other_is_named_by_the_rule():
    """RULES.md 4, Blob: "each next to a filled one (not diagonally)"."""
    state = play(opened("blob"), grid({9: DARK}))
    assert refusal(state, grid({9: DARK, 18: LIGHT})).reason is Reason.UNLAWFUL


def test_another_games_mat_is_no_move():
    assert refusal(opened("blob"), row({3: DARK})).sentence == "That is not the mat of this game."


def test_a_row_longer_than_the_tray_has_no_mat():
    assert opened("palindromes", squares=17).expects() is None


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["palindromes", "blob"]), st.randoms(use_true_random=False))
def test_law_a_match_laid_is_the_match_tapped(game: str, chance: random.Random):
    tapped = laid = opened(game, **({"squares": 6} if game == "palindromes" else {"size": 3}))
    held: dict[int, str] = {}
    while not tapped.outcome().over:
        number = len(held)
        if game == "palindromes":
            place = chance.choice([n for n in range(6) if n not in held])
            digit = chance.choice("01")
            held[place] = DARK if digit == "1" else LIGHT
            tapped = play(tapped, Write(number % 2 + 1, place, digit))
            laid = play(laid, mat("palindromes:6", 6, held))
        else:
            filled = {(r * 3 + c) for r, c in tapped.state.filled}
            near = [n for n in range(9) if n not in filled and (not filled or any(_beside(n, f) for f in filled))]
            place = chance.choice(near)
            held[place] = (DARK, LIGHT)[number % 2]
            tapped = play(tapped, Fill(number % 2 + 1, place // 3, place % 3))
            laid = play(laid, mat("blob:3", 9, held))
    assert laid.state == tapped.state


def _beside(a: int, b: int) -> bool:
    return abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1


# -- pawns ----------------------------------------------------------------------------------------------------


def board(loop: Loop, *dice: SeenMatDie, **more: Any) -> ReadMat:
    """Return the board as it shows a loop."""
    shown, n = stood(loop), loop.spaces
    held = {space: KINDS[who] for space, who in enumerate(shown.spaces) if who is not None}
    for player in (0, 1):
        at = n + 10 * player
        held |= dict.fromkeys(range(at, at + shown.home[player]), KINDS[player])
        held[at + 4 + shown.runs[player]] = KINDS[player]
    return mat(f"runaround:{n}", n + 20, held, dice=dice, **more)


def die(player: int, value: int, x: float = 100.0) -> SeenMatDie:
    return SeenMatDie(player, value, (x, 200.0))


def test_the_die_is_read_in_the_movers_own_zone_and_the_move_that_explains_the_board_counts():
    state = opened("runaround")
    state = play(state, board(state.state.loop, die(0, 4)))
    assert state.state.roll == 4
    waits = refusal(state, board(Loop(20), die(0, 4)))
    assert (waits.reason, waits.sentence) == (Reason.NOTHING_NEW, "Ann moves the pawn of space 0 by 4.")
    state = play(state, board(move(state.state.loop, 0, 0, 4).loop, die(0, 4)))
    assert [pawn.space for pawn in state.state.loop.sides[0].pawns] == [4]
    assert state.history[-1].frame == "f1"
    assert seat_of(state.context, state.state) == 2


def test_a_die_that_was_not_rolled_since_is_no_roll():
    state = play(opened("runaround"), Roll(1, 6))  # tapped: nobody comes in
    state = play(state, board(Loop(20), die(1, 6)))
    assert seat_of(state.context, state.state) == 1
    assert refusal(state, board(Loop(20), die(1, 6))).sentence == "Ann rolls."
    state = play(state, board(Loop(20), die(0, 6)))
    # Back in Bob's zone it was rolled, even where it lay before.
    assert play(state, board(Loop(20), die(1, 6))).history[-1].seat == 2


def test_an_unlawful_move_is_named_in_one_sentence_and_changes_nothing():
    state = play(opened("runaround"), Roll(1, 4))
    loop = state.state.loop
    wrong = refusal(state, board(move(loop, 0, 0, 5).loop))
    assert wrong.reason is Reason.UNLAWFUL
    assert wrong.sentence == "The pawn of space 0 stands on 5, but with this roll it goes to 4. Ann has rolled 4."


def test_a_pawn_that_was_bumped_while_a_roll_is_awaited_is_named_before_the_roll_counts():
    state = play(opened("runaround"), Roll(1, 4), MovePawn(1, 0))
    seen = board(Loop(20), die(1, 6))
    assert refusal(state, seen).sentence == "Space 4 is empty, but a pawn of Ann's belongs there."


def test_a_marker_that_was_not_moved_and_one_that_is_not_there_are_named():
    state = opened("runaround")
    held = {p.place: p.holds for p in board(state.state.loop).places}
    moved = {**held, 24: EMPTY, 25: "first"}
    assert refusal(state, mat("runaround:20", 40, moved)).sentence == "Ann's marker stands on 1, but belongs on 0."
    gone = {**held, 24: EMPTY}
    assert "marker stands on 0 of its places" in refusal(state, mat("runaround:20", 40, gone)).sentence


def test_a_die_that_is_not_sure_or_no_single_one_is_asked_about():
    state = opened("runaround")
    unsure = SeenMatDie(0, 6, (100.0, 200.0), sure=False, likely=((6, 0.8), (4, 0.2)))
    assert question(state, board(Loop(20), unsure)).startswith("The die may show 6 or 4")
    assert refusal(state, board(Loop(20), die(0, 1), die(0, 2, 150.0))).sentence.startswith("2 dice lie")
    assert "no single flat die" in refusal(state, board(Loop(20), die(0, 4), strange=True)).sentence


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_law_a_match_read_from_the_board_is_the_match_tapped(chance: random.Random):
    """Whatever the dice: bumps, swaps, pawns sent home and runs are all understood from the board alone."""
    tapped = seen = opened("runaround", spaces=12)
    for n in range(60):
        if tapped.outcome().over:
            break
        state, seat = tapped.state, seat_of(tapped.context, tapped.state)
        if state.roll is None:
            value = chance.randint(1, 6)
            tapped = play(tapped, Roll(seat, value))
            seen = play(seen, board(state.loop, die(state.player, value, 80.0 + 40 * (n % 5))))
        else:
            space = chance.choice(state.movable())
            tapped = play(tapped, MovePawn(seat, space))
            after = move(state.loop, state.player, space, state.roll).loop
            seen = play(seen, board(after))
        assert seen.state.loop == tapped.state.loop
        assert seen.state.player == tapped.state.player


def test_what_goes_over_the_wire_is_the_command_the_rules_know():
    command = board(Loop(20), die(0, 4), strays=(SeenStray((1, 2)),))
    assert decode(encode(command)) == command


@pytest.mark.parametrize("doubt", ["strange", "unseen"])
@pytest.mark.parametrize(("game", "seen"), [("blob", grid), ("palindromes", row)])
def test_no_counter_counts_on_a_mat_that_is_unsure_for_another_reason_than_its_places(game, seen, doubt):
    """README: what the eye is not sure of, it asks; people go on by tapping."""
    state = opened(game)
    assert "by tapping" in refusal(state, seen({3: DARK}, **{doubt: True})).sentence
    assert moves(play(state, seen({3: DARK})))


@pytest.mark.parametrize("doubt", ["strange", "unseen"])
def test_no_pawn_moves_by_a_board_that_is_unsure_for_another_reason_than_its_places(doubt):
    state = play(opened("runaround"), Roll(1, 4))
    after = move(state.state.loop, 0, 0, 4).loop
    assert "by tapping" in refusal(state, board(after, **{doubt: True})).sentence
    assert play(state, board(after)).state.loop == after
