"""The page "the mathematics": chapters of `pi.odds.mathematics`, one a page, with the table's own history beside them.

It tells of shuffled tiles in general, never of the tiles that lie on the table now, so it may be open at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template

from pi.odds.mathematics import TITLES, against, chapter
from pi.odds.rows import board_chances

if TYPE_CHECKING:
    from web.app import Room

FIRST = next(iter(TITLES))


def register(room: Room) -> None:
    """Hook the page's routes into the room's app."""

    def mathematics(key: str = FIRST) -> str:
        if key not in TITLES:
            abort(404, f"There is no chapter {key!r}: {', '.join(TITLES)} are there.")
        shown = [chapter(key)]
        seen = [bar.runs for bar in room.shelf.figures()["runs"] for _ in range(bar.seen)] if key == "board" else []
        if seen:
            shown.append(against(seen, board_chances()))
        return render_template("mathematics.html", key=key, titles=TITLES, chapters=shown)

    for rule in ("/mathematics", "/mathematics/<key>"):
        room.app.add_url_rule(rule, endpoint="mathematics", view_func=mathematics, methods=["GET"])
