"""The page "the mathematics": chapters of `pi.odds.mathematics`, one a page, with the table's own history beside them.

It tells of shuffled tiles in general, never of the tiles that lie on the table now, so it may be open at any time.
"""

from __future__ import annotations

from flask import abort, render_template

from pi.odds.mathematics import TITLES, Chapter, Rounded, Share, Told, Value, against, chapter
from pi.odds.plot import Bar, as_svg, percent
from web.room import Room
from web.speech import count, decimal, echo, listed, say, spoken, whole

FIRST = next(iter(TITLES))


def register(room: Room) -> None:
    """Hook the page's routes into the room's app."""

    def mathematics(key: str = FIRST) -> str:
        if key not in TITLES:
            abort(404, "There is no such chapter.")
        shown = [chapter(key)]
        seen = [bar.runs for bar in room.shelf.figures()["runs"] for _ in range(bar.seen)] if key == "board" else []
        if seen:
            shown.append(against(seen))
        return render_template(
            "mathematics.html", key=key, titles=TITLES, chapters=shown, worded=worded, picture=picture
        )

    for rule in ("/mathematics", "/mathematics/<key>"):
        room.app.add_url_rule(rule, endpoint="mathematics", view_func=mathematics, methods=["GET"])


def worded(value: Value) -> str:
    """Return a text or a number in the language that is spoken."""
    match value:
        case Told(text=text, values=values, one=one):
            said = {name: worded(each) for name, each in values}
            number = dict(values).get("n")
            return count(number, one, text, **said) if one and isinstance(number, int) else say(text, **said)
        case Share(value=share):
            return percentage(share)
        case Rounded(value=number, digits=digits):
            return decimal(number, digits)
        case int():
            return whole(value)
        case tuple():
            return listed(value)
    return echo(value)


def percentage(share: float) -> str:
    """Return a share as it is written in the language that is spoken."""
    return percent(share).replace(".", spoken().point)


def picture(shown: Chapter) -> str:
    """Return a chapter's picture as SVG, in the language that is spoken."""
    bars = [Bar(worded(label), share) for label, share in shown.bars]
    return as_svg(bars, title=say(shown.plot), write=percentage)
