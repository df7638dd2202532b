"""Draw Bridge with a player that has no hands (Ruling): tiles set aside, laid by people, seen by the camera."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pi.opponents.draw_bridge import DRAW_BRIDGE as PLAYER
from pi.opponents.draw_bridge import at_table, hand_of
from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge import DealHand, LayTiles, WantTiles
from pi.rules.games.draw_bridge_score import Tile
from pi.rules.match import Match
from pi.rules.ruleset import Reason
from tests.builders import match, play, players, refusal
from tests.rules.games import check_laws

HAND = tuple((row, symbol) for row in range(4) for symbol in "01234")


def opened(*names: str, **house: Any) -> Match:
    start = ask.StartMatch("m1", "draw-bridge", players(*(names or ("Computer", "Ann"))), tuple(house.items()))
    return match(start, ask.Next(0))


def tray(*tiles: tuple[int, int, str], frame: str = "f1") -> ask.ReadTray:
    return ask.ReadTray(Tray(tuple(SeenTile(row, place, symbol) for row, place, symbol in tiles), frame))


def wanting() -> Match:
    return play(opened(), DealHand(1, HAND), WantTiles(1, (Tile(0, 0, "3"), Tile(1, 9, "4"))))


def test_what_the_computer_wants_laid_is_laid_by_people_and_seen_by_the_camera():
    state = play(wanting(), tray((0, 0, "3")))
    assert state.state.current.begun() == (Tile(0, 0, "3"),)
    state = play(state, tray((0, 0, "3"), (1, 9, "4"), frame="f2"))
    assert (state.state.current.turn, state.state.current.wanted_now()) == (2, None)
    assert state.state.current.turns[0].by == "referee"
    check_laws(state)


@pytest.mark.parametrize("laid", [(0, 1, "3"), (0, 0, "2"), (2, 0, "0")])
def test_anything_else_laid_for_it_is_named(laid: tuple[int, int, str]):
    no = refusal(wanting(), tray(laid))
    assert no.reason is Reason.UNLAWFUL
    assert "wants" in no.sentence or "may" in no.sentence or "end" in no.sentence


def test_the_wrong_tile_in_a_lawful_place_is_told_by_what_was_wanted():
    assert refusal(wanting(), tray((0, 0, "2"))).sentence.startswith("Computer wants ")


def test_nobody_else_lays_a_tile_that_was_set_aside():
    state = play(wanting(), LayTiles((Tile(0, 0, "3"), Tile(1, 9, "4"))))
    no = refusal(state, LayTiles((Tile(2, 0, "1"), Tile(3, 0, "9"))))
    assert no.sentence == "The 1 of row 3 was set aside for Computer."
    play(state, LayTiles((Tile(2, 0, "7"), Tile(3, 0, "9"))))


@pytest.mark.parametrize(
    ("hand", "part"),
    [
        (HAND[:-1], "19 tiles are set aside (expected 20)"),
        ((*HAND[:-1], HAND[0]), "19 tiles"),
        ((*HAND[:-1], (3, "#")), "not in the set"),
        ((*HAND[:-1], (4, "1")), "not in the set"),
    ],
)
def test_a_hand_is_twenty_tiles_of_the_set(hand: Any, part: str):
    assert part in refusal(opened(), DealHand(1, hand)).sentence


def test_two_computers_hold_different_tiles_and_nothing_is_dealt_in_the_middle_of_a_round():
    state = play(opened("Computer A", "Computer B"), DealHand(1, HAND))
    assert "another player" in refusal(state, DealHand(2, HAND)).sentence
    assert "already" in refusal(state, DealHand(1, HAND)).sentence
    late = play(opened(), LayTiles((Tile(0, 0, "3"), Tile(1, 9, "4"))))
    assert "before the first one" in refusal(late, DealHand(1, HAND)).sentence


def test_only_tiles_of_its_own_hand_and_in_its_own_turn_can_be_wanted():
    state = play(opened(), DealHand(1, HAND))
    assert refusal(state, WantTiles(2, (Tile(0, 0, "3"), Tile(1, 9, "4")))).reason is Reason.NOT_YOUR_TURN
    assert "set aside" in refusal(state, WantTiles(1, (Tile(0, 0, "9"), Tile(1, 9, "4")))).sentence
    assert "too many or too few" in refusal(state, WantTiles(1, (Tile(0, 0, "3"),))).sentence


def step(state: Match, seat: int, *, watched: bool) -> Any:
    return at_table(state.context, state.state, seat, random.Random(1), "k", watched)


def test_the_computer_asks_for_its_hand_then_for_tiles_and_waits_until_they_lie():
    assert PLAYER.at_table is at_table
    state = opened()
    deal = step(state, 1, watched=True)
    state = play(state, deal)
    assert hand_of(state.context, state.state.current, 1, "another key") == deal.tiles
    wants = step(state, 1, watched=True)
    assert isinstance(wants, WantTiles)
    state = play(state, wants)
    assert step(state, 1, watched=True) is None
    assert step(state, 1, watched=False) == LayTiles(wants.tiles, by="computer")
    state = play(state, LayTiles(wants.tiles))
    assert step(state, 1, watched=True) is None  # it is Ann's turn


def test_a_round_that_began_without_its_hand_is_played_without_it():
    state = play(opened("Ann", "Computer"), LayTiles((Tile(0, 0, "3"), Tile(1, 9, "4"))))
    assert step(state, 2, watched=True) is None
