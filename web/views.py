"""Which games have a view of their own: all but the main one, each a module `web/present_<game>.py` and a template.

A game's module says `view(context, state, audience) -> JSON values`, given a state that its ruleset has
veiled, so that no secret can slip through. Its template `templates/game/<game>.html` is put into the
scoreboard, the table page and the seat page; there `play` is that view, `view` the match's, `page` the page
(`page.kind`, `page.acts`), and `parts.act(...)` makes forms for the commands named in the module's `ASKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from pi.rules.games import RULESETS
from pi.rules.ruleset import Context
from web.audience import Audience
from web.forms import Form, Request

View = dict[str, Any]
"""JSON values only. A text under "headline" becomes the match's headline."""


class GameView(Protocol):
    """What a module `web/present_<game>.py` offers."""

    @property
    def ASKS(self) -> Mapping[str, Callable[[Form], Request]]:  # noqa: N802
        """What the table page may ask in this game beside what every game knows: `POST /act/<name>`."""

    def view(self, context: Context, state: Any, audience: Audience) -> View:
        """Return the game as its audience may see it; the state is veiled."""


SCRAMBLE = "scramble"
VIEWS: dict[str, GameView] = {
    game: cast(GameView, import_module(f"web.present_{game.replace('-', '_')}"))
    for game in RULESETS
    if game != SCRAMBLE
}
"""Game -> its module. Random Scramble is not among them: its rounds, evidence and reveal are in `web.present`."""


def shown() -> tuple[str, ...]:
    """Return the games that can be played on the pages."""
    return (SCRAMBLE, *VIEWS)


def template_of(game: str) -> str | None:
    """Return the template of a game's own view; None for a game without one."""
    return f"game/{game.replace('-', '_')}.html" if game in VIEWS else None


def asks_of(name: str) -> Callable[[Form], Request] | None:
    """Return what makes a game's own command of a form; None when no game knows it."""
    return next((module.ASKS[name] for module in VIEWS.values() if name in module.ASKS), None)
