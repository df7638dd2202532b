"""Games without a view of their own: no page breaks, and the new-match form does not offer them."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from pi.rules.games import RULESETS
from tests.builders import match, players
from web.asks import _start
from web.forms import BadInput
from web.present import BOARD, TABLE, present
from web.views import shown


@pytest.mark.parametrize("game", sorted(set(RULESETS) - set(shown())))
@pytest.mark.parametrize("audience", [BOARD, TABLE])
def test_a_match_of_another_game_shows_its_standing(game: str, audience):
    state = match(ask.StartMatch("m1", game, players("Ann", "Bob")))
    view = present(state, audience, status={})
    assert [p["name"] for p in view["players"]] == ["Ann", "Bob"]
    assert view["headline"] == state.outcome().why


@pytest.mark.parametrize("game", sorted(set(RULESETS) - set(shown())))
def test_the_form_does_not_start_a_game_it_cannot_show(game: str):
    with pytest.raises(BadInput, match="there is no game"):
        _start({"game": game, "name.1": "Ann", "name.2": "Bob"})
