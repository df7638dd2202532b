"""Spoken calls of every game: each step once, the winner once, and what was taken back or done otherwise."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pi.rules import commands as ask
from tests.builders import ONE_RUN, lock, match, play, start, tray
from tests.web.builders import House, house
from tests.web.tapping import tap
from tests.web.test_game_matches import SIZE, begin, offered
from web.calls import Call, calls
from web.present import BOARD, present
from web.speech import speaking
from web.views import VIEWS

GAMES = sorted(set(VIEWS) - {"sums-grid", "quest"})  # those that taps alone bring to a winner


def said(home: House) -> list[Call]:
    """Return what the scoreboard would say of the match as it stands."""
    return calls(present(home.table.match, BOARD, status={}))


class Ears:
    """A scoreboard's memory: hears what it has not heard yet, as static/calls.js does."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    def hear(self, found: list[Call]) -> list[Call]:
        fresh = [call for call in found if call["key"] not in self.known]
        self.known |= {call["key"] for call in found}
        return fresh

    def corrects(self, call: Call) -> bool:
        return any(key != call["key"] and key.startswith(call["about"]) for key in self.known)


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_a_match_is_said_once_and_so_is_the_winner(tmp_path: Path, game: str):
    home, chance, ears = house(tmp_path), random.Random(game), Ears()
    browser = begin(home, game, "Ann", "Bob", **SIZE.get(game, {}))
    ears.hear(said(home))
    for _ in range(20):
        if home.table.match.outcome().over:
            break
        home.told()
        assert tap(browser, chance.choice(offered(browser, game)), chance).status_code == 200
        fresh = ears.hear(said(home))
        assert [call["kind"] for call in fresh if call["kind"] != "over"] == ["move"]
        assert fresh[0]["text"].endswith(".")
        assert not ears.corrects(fresh[0])
        assert not ears.hear(said(home)), "coming back says nothing twice"
    home.play(ask.EndMatch("Supper."))
    over = [call["text"] for call in ears.hear(said(home)) if call["kind"] == "over"]
    assert over in ([], ["Supper."]), "an ended match is called, a won one only once"


@pytest.mark.parametrize("game", GAMES)
def test_what_is_taken_back_is_said_and_another_step_instead_is_a_correction(tmp_path: Path, game: str):
    home, chance, ears = house(tmp_path), random.Random(game), Ears()
    browser = begin(home, game, "Ann", "Bob", **SIZE.get(game, {}))
    for _ in range(3):
        home.told()
        tap(browser, chance.choice(offered(browser, game)), chance)
        ears.hear(said(home))
    home.play(ask.Undo())
    (back,) = ears.hear(said(home))
    assert (back["kind"], back["text"][:12]) == ("back", "Taken back: ")
    home.play(ask.Redo())
    assert not ears.hear(said(home)), "what counts again has been said"
    home.play(ask.Undo())
    while not otherwise(home, browser, game, chance, ears):
        assert len(home.table.match.history) > 1, "nothing but one step is lawful from the start on"
        home.play(ask.Undo())


def otherwise(home: House, browser: Any, game: str, chance: random.Random, ears: Ears) -> bool:
    """Take another step than the one just taken back, and say whether there was any: a die may leave only one."""
    before = home.table.match.history[-1]
    for _ in range(40):
        home.told()
        tap(browser, chance.choice(offered(browser, game)), chance)
        if fresh := [call for call in ears.hear(said(home)) if call["kind"] == "move"]:
            assert ears.corrects(fresh[0]), "the page says 'Corrected.' before it"
            return True
        home.play(ask.Undo())
        assert home.table.match.history[-1] == before
    return False


def test_points_by_hand_and_a_correction_are_called_with_the_new_result():
    ears, state = Ears(), match(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 3, at=2.0))
    first = ears.hear(calls(present(state, BOARD, status={})))
    assert [call["kind"] for call in first] == ["open", "lock", "lock", "result"]
    for command in (ask.CorrectTile(1, 3, 4, "9"), ask.AdjustPoints(1, 2, "cake")):
        state = play(state, command)
        (again,) = ears.hear(calls(present(state, BOARD, status={})))
        assert again["kind"] == "result"
        assert ears.corrects(again)
    with speaking("de"):
        state = play(state, ask.Undo())
        texts = [call["text"] for call in ears.hear(calls(present(state, BOARD, status={})))]
        assert texts == ["Zurückgenommen: Ann +2 von Hand."]
