"""A spectator's screen with the chances of the open round: off, until the table opens it; then everybody is warned.

What it shows follows from the tiles that lie face up, never from a prediction. But a player who sees it knows what the
eye has counted: so it has a link of its own (behind the #, as the seats' links), it is for one match, and while it is
open every seat's pad, the scoreboard and the table page say so.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Any

from flask import abort, redirect, render_template, request, session
from flask.typing import ResponseReturnValue as Answer

from pi.odds import hindsight
from pi.odds.chances import Chances
from pi.odds.errors import BadQuestion
from pi.odds.open import open_chances
from pi.odds.sample import generator
from pi.rules.games.scramble import board_of, layout_of, terms_of, variant_of
from pi.rules.games.scramble_books import Scramble
from pi.rules.match import Match
from pi.rules.ruleset import House
from pi.rules.values import DOWN, Board
from web import qr
from web.luck import fresh, plot
from web.room import Room
from web.speech import say


def register(room: Room) -> None:
    """Hook the routes into the room's app."""
    watch = _Watch(room)
    room.app.add_url_rule("/watch", "watch", view_func=watch.screen, methods=["GET"])
    room.app.add_url_rule("/watch/enter", "watch_enter", view_func=watch.enter, methods=["POST"])
    room.app.add_url_rule("/watch/switch", "watch_switch", view_func=watch.switch, methods=["POST"])


def link(watched: str, match: Match, base: str) -> dict[str, str] | None:
    """Return what the table page shows to open the screen; None while it is closed. watched: `Sight.watched`."""
    code = code_of(watched, match)
    return {"code": code, "path": f"/watch#{code}", "qr": qr.svg(f"{base}/watch#{code}")} if code else None


def code_of(watched: str, match: Match) -> str:
    """Return the code of this match's screen; empty while it is closed."""
    of, _, code = watched.rpartition(" ")
    return code if match.started and of == match.id else ""


class _Watch:
    def __init__(self, room: Room) -> None:
        self._room = room

    def switch(self) -> Answer:
        """Open the screen for the match that is played, or close it."""
        if not self._room.access.may_act():
            abort(403, "Only the table may do that.")
        sight = self._room.desk.look()
        if not isinstance(sight.match.state, Scramble):
            abort(409, "There are chances to be shown in Random Scramble only.")
        closed = not code_of(sight.watched, sight.match)
        self._room.desk.watch(f"{sight.match.id} {secrets.token_hex(8)}" if closed else "")
        return redirect("/table", code=303)

    def enter(self) -> Answer:
        """Exchange the screen's code for a cookie."""
        sight = self._room.desk.look()
        code = code_of(sight.watched, sight.match)
        if not code or not hmac.compare_digest(request.form.get("code", "").strip().encode(), code.encode()):
            abort(403, "This link is not of the screen that is open now: take the new one on the table page.")
        session["watch"] = code
        return redirect("/watch", code=303)

    def screen(self) -> Answer:
        """Return the screen, or the form that takes its code."""
        sight = self._room.desk.look()
        code = code_of(sight.watched, sight.match)
        if not code or session.get("watch") != code:
            return render_template(
                "enter.html",
                csrf=self._room.access.csrf(),
                action="/watch/enter",
                title=say("Spectators"),
                headline=say("Chances for spectators"),
                how=say("Scan the screen's code on the table page, or type what stands below it.")
                if code
                else say("This screen is closed. The table opens it."),
                label=say("The screen's code"),
                button=say("Look"),
            )
        return render_template("watch.html", **shown(sight.match))


def shown(match: Match) -> dict[str, Any]:
    """Return what the screen says of the open round; `chances` is None between rounds."""
    current = match.state.current if isinstance(match.state, Scramble) else None
    found: dict[str, Any] = {"number": current and current.number, "chances": None}
    if current is None:
        return found
    house = match.context.house
    board = board_of(current, layout=layout_of(house))
    try:
        chances = _now(house, board, seed=current.number)
    except BadQuestion:  # said on the screen: nobody knows them
        return found
    place = min(len(current.lock_ins) + 1, 4)
    call, points = hindsight.best_call(chances, place=place, terms=terms_of(house))
    chance = hindsight.chance_right(call, chances, terms=terms_of(house))
    return found | {
        "chances": chances,
        "hidden": None if board is None else list(board.cells().values()).count(DOWN),
        "svg": plot(chances, title=say("Runs that will lie there")),
        "best": (call, float(chance), float(points), place),
    }


def _now(house: House, board: Board | None, *, seed: int) -> Chances:
    if board is None or set(board.cells().values()) <= {DOWN}:
        return fresh(house)
    wilds = True if house.get("wild") else None
    return open_chances(board, variant=variant_of(house), wilds=wilds, rng=generator(seed))
