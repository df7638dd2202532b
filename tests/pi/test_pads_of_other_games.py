"""Pads in games without predictions: they ask nothing and stop nothing."""

from __future__ import annotations

import pytest

from pi.pads import Pads, turn_of
from pi.rules import commands as ask
from pi.rules.queueing import PadMode
from pi.sight import Sight
from tests.builders import match, players


@pytest.mark.parametrize("game", ["draw-bridge", "run-buster"])
@pytest.mark.parametrize("mode", list(PadMode))
def test_a_round_of_another_game_opens_whatever_the_pads_are(game: str, mode: PadMode):
    state = match(ask.StartMatch("m1", game, players("Ann", "Bob")), ask.Next(5))
    assert not turn_of(state).open
    assert Pads(mode).following(state).turn.match == "m1"
    assert Sight.of(state).news["round"] == 1
