"""Every game can be shown and started; what is no game cannot."""

from __future__ import annotations

import json

import pytest

from pi.rules import commands as ask
from pi.rules.games import RULESETS
from tests.builders import match, players
from web.asks import _start
from web.forms import BadInput
from web.present import BOARD, SPECTATOR, TABLE, present, seat_audience
from web.views import VIEWS, shown


def test_every_game_has_a_view():
    assert set(shown()) == set(RULESETS)


@pytest.mark.parametrize("game", sorted(VIEWS))
@pytest.mark.parametrize("audience", [BOARD, SPECTATOR, TABLE, seat_audience(1)], ids=lambda a: a.place.value)
def test_a_match_that_has_just_begun_is_shown_as_json_values(game: str, audience):
    state = match(ask.StartMatch("m1", game, players("Ann", "Bob")))
    view = present(state, audience, status={})
    assert json.loads(json.dumps(view)) == view
    assert [p["name"] for p in view["players"]] == ["Ann", "Bob"]
    assert view["headline"].endswith((".", "?"))


def test_the_form_does_not_start_what_is_no_game():
    with pytest.raises(BadInput, match="there is no game"):
        _start({"game": "whist", "name.1": "Ann", "name.2": "Bob"})
