"""Draw Bridge: a tile that only the eye saw is dismissed, once and for all."""

from __future__ import annotations

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.match import apply, decide
from tests.rules.games import begun


def test_where_nothing_lies_the_table_says_so_and_is_not_asked_again():
    tray = Tray((SeenTile(0, 0, "1", "white", 0.4, sure=False),))
    state = begun("draw-bridge")
    for command in (ask.ReadTray(tray), ask.CorrectTile(1, 0, 0, ".")):
        for event in decide(state, command):
            state = apply(state, event)
    current = state.state.current
    assert current.doubts() == ()
    assert current.turns == ()
    assert set(current.board().rows[0]) == {"."}
