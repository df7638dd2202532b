"""A game's rules card: the route `/rules/<game>`, in our own words, with the house rules in force."""

from __future__ import annotations

from flask import abort, render_template

from pi.opponents.strengths import STRENGTHS
from pi.rules.games import RULESETS
from web.room import Room

SEATED = frozenset(STRENGTHS)
"""Games whose computer player can sit at a table."""


def register(room: Room) -> None:
    """Hook the route into the room's app."""

    def card(game: str) -> str:
        """Return the card of a game; the running match's house rules when it is that game."""
        rules = RULESETS.get(game) or abort(404, f"There is no game {game[:20]!r}.")
        match = room.desk.look().match
        running = match.started and match.game == game
        house = rules.house(dict(match.house) if running else {})
        return render_template(
            "rules.html", rules=rules, house=house, running=running, computer=STRENGTHS[game] if game in SEATED else ""
        )

    room.app.add_url_rule("/rules/<game>", endpoint="card", view_func=card, methods=["GET"])
