"""The page `/quests`: this table's best times at every solitaire quest, over all its matches."""

from __future__ import annotations

from flask import render_template

from web.present_quest import best_list
from web.room import Room


def register(room: Room) -> None:
    """Hook the route into the room's app."""

    def quests() -> str:
        return render_template("quests.html", lists=best_list(room.shelf.matches()))

    room.app.add_url_rule("/quests", endpoint="quests", view_func=quests, methods=["GET"])
