"""The routes for acting: forms in, a command to the table, its answer out, each refusal with its sentence."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

from flask import Response, abort, redirect, request
from flask.typing import ResponseReturnValue as Answer

from pi.errors import TableAway
from web import asks, cards, corners, felt, setup, teaching
from web.archive import MOST_BYTES, BadArchive
from web.asks import ASKS
from web.forms import BadInput, Form
from web.pin import pin_problem
from web.room import Room
from web.speech import echo, say
from web.views import asks_of

MOVED_ON = "The match has moved on since this page was shown; look again."


def register(room: Room) -> None:
    """Hook the routes into the room's app."""
    acting = _Acting(room)
    add = room.app.add_url_rule
    add("/act/<name>", endpoint="act", view_func=acting.act, methods=["POST"])
    add("/act/calibrate", endpoint="calibrate", view_func=acting.calibrate, methods=["POST"])
    add("/act/corners", endpoint="corners", view_func=acting.corners, methods=["POST"])
    add("/act/felt", endpoint="felt", view_func=acting.felt, methods=["POST"])
    add("/act/tryout", endpoint="tryout", view_func=acting.tryout, methods=["POST"])
    add("/act/teach", endpoint="teach", view_func=acting.teach, methods=["POST"])
    add("/act/press", endpoint="press", view_func=acting.press, methods=["POST"])
    add("/pin/set", endpoint="set_pin", view_func=acting.set_pin, methods=["POST"])
    add("/pin", endpoint="pin", view_func=acting.pin, methods=["POST"])
    add("/history/import", endpoint="bring_in", view_func=acting.bring_in, methods=["POST"])
    add("/seat/enter", endpoint="enter", view_func=acting.enter, methods=["POST"])
    add("/seat/lock", endpoint="lock", view_func=acting.lock, methods=["POST"])
    add("/seat/act/<name>", endpoint="seat_act", view_func=acting.seat_act, methods=["POST"])
    cards.register(room)
    teaching.register(room)


def dumps(value: Any) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def wants_json() -> bool:
    """Tell whether the client asked for JSON rather than a page."""
    accepts = request.accept_mimetypes
    return request.path.startswith("/api/") or accepts["application/json"] > accepts["text/html"]


class _Acting:
    def __init__(self, room: Room) -> None:
        self._room = room

    def act(self, name: str) -> Answer:
        """Ask the table for something in the referee's name."""
        self._only_table()
        make = ASKS.get(name) or asks_of(name) or abort(404, f"The table cannot be asked for {name[:20]!r}.")
        try:
            wanted = make(request.form) | asks.expecting(request.form)
        except BadInput as no:
            abort(400, f"{no}.")
        return self._answer([wanted])

    def calibrate(self) -> Answer:
        """Ask the watcher to take the tray's place and the light as they are now; changes nothing of a match."""
        self._only_table()
        return self._answer([{"status": {"asked": {"calibrate": secrets.token_hex(4)}}}])

    def corners(self) -> Answer:
        """Tell the watcher where the tray's corners are in the live picture, or to look for them itself again."""
        return self._wished(lambda form: {"corners": corners.wish(form)})

    def felt(self) -> Answer:
        """Tell the watcher that the tray is empty, so that it knows what is printed on the felt, or to forget that."""
        return self._wished(lambda form: {"felt": felt.wish(form)})

    def teach(self) -> Answer:
        """Leave a wish with the watcher: a step of the lesson in which it learns the owner's set."""
        return self._wished(lambda form: {"teach": teaching.wish(form)})

    def tryout(self) -> Answer:
        """Ask the table to light its lamps, or the eye to read for a look; the table does neither in a match."""
        return self._wished(setup.wish, back="/setup")

    def press(self) -> Answer:
        """Press a simulated pad; only at a table that is a simulation, which the table itself checks too."""
        self._only_table()
        if self._room.desk.look().status.get("simulation") is not True:
            abort(403, "These pads are real: press them at the table.")
        try:
            return self._answer(asks.press(request.form))
        except BadInput as no:
            abort(400, f"{no}.")

    def enter(self) -> Answer:
        """Exchange a seat's code for a cookie. It comes in a form's body, for addresses get written down."""
        access, match = self._room.access, self._room.desk.look().match
        seat = access.seat_of_code(request.form.get("code", "")[:64], match=match)
        if seat is None:
            abort(403, "This link is not of the match that is played now: take the new one on the table page.")
        access.take_seat(match.id, seat)
        return redirect("/seat", code=303)

    def lock(self) -> Answer:
        """Lock in from a phone; what was chosen is in no part of the answer."""
        sight = self._room.desk.look()
        seat = self._room.access.seat_of(sight.match.id)
        if seat is None:
            abort(403, "This page is not of the match that is played now: take a new link on the table page.")
        try:
            chosen = asks.prediction(request.form)
        except BadInput as no:
            abort(400, f"{no}.")
        shown = request.form.get("round", "")
        current = getattr(getattr(sight.match.state, "current", None), "number", None)
        if shown and shown != str(current):
            abort(409, MOVED_ON)
        return self._answer([{"command": "lock-in", "seat": seat, "prediction": chosen}], back="/seat")

    def seat_act(self, name: str) -> Answer:
        """Take a game's own command from a phone: for its own seat, whatever the form says."""
        seat = self._room.access.seat_of(self._room.desk.look().match.id)
        if seat is None:
            abort(403, "This page is not of the match that is played now: take a new link on the table page.")
        make = asks_of(name) or abort(404, f"A seat cannot ask for {name[:20]!r}.")
        try:
            wanted = make(dict(request.form) | {"seat": str(seat)})
        except BadInput as no:
            abort(400, f"{no}.")
        if wanted.get("seat") != seat:
            abort(403, "Only the table may do that.")
        return self._answer([wanted | {"by": wanted.get("by", f"seat {seat}")}], back="/seat")

    def bring_in(self) -> Answer:
        """Take an exported match, checked, beside the journal."""
        self._only_table()
        file = request.files.get("file") or abort(400, "The field 'file' is a match's JSON Lines.")
        shelf = self._room.shelf
        try:
            match = shelf.archive.keep(file.read(MOST_BYTES + 1), known=shelf.known())
        except BadArchive as no:
            abort(400, f"{str(no)[:300]}.")
        return redirect(f"/history/{match.id}", code=303)

    def set_pin(self) -> Answer:
        """Take the table's first PIN from the first who visits."""
        guard = self._room.access.guard
        pin, again = (request.form.get(name, "")[:64] for name in ("pin", "again"))
        if problem := pin_problem(pin, again):
            abort(400, say(problem))
        if not guard.claim(pin, self._room.pin_file):
            abort(409, say("This table's PIN has been set already."))
        self._room.access.let_in()
        return redirect("/setup", code=303)

    def pin(self) -> Answer:
        """Take the table's PIN."""
        guard = self._room.access.guard
        rest = guard.resting_s()
        if rest > 0:
            abort(429, f"Too many wrong PINs: wait {rest:.0f} seconds.", retry_after=ceil(rest))
        if guard.unclaimed:
            abort(409, say("Set the table's PIN first."))
        if guard.pin is not None and not guard.right(request.form.get("pin", "")[:64]):
            abort(403, "That is not the table's PIN.")
        self._room.access.let_in()
        return redirect("/table", code=303)

    def _only_table(self) -> None:
        if not self._room.access.may_act():
            abort(403, "Only the table may do that: enter its PIN on the table page.")

    def _wished(self, wish: Callable[[Form], Mapping[str, Any]], *, back: str | None = None) -> Answer:
        """Leave in the table's status what a form wishes for. wish: raises BadInput for a form that is malformed."""
        self._only_table()
        try:
            status = wish(request.form)
        except BadInput as no:
            abort(400, f"{no}.")
        return self._answer([{"status": status}], back=back)

    def _answer(self, requests: list[dict[str, Any]], *, back: str | None = None) -> Answer:
        answer: Mapping[str, Any] = {}
        for wanted in requests:
            try:
                answer = self._room.desk.table.ask(wanted)
            except TableAway:
                abort(503, "The table does not answer; nothing was changed that it did not confirm.")
            if "refused" in answer:
                return _refusal(answer)
            if "error" in answer:
                abort(400, f"{str(answer['error']).rstrip('.')}.")
        if wants_json():
            return Response(dumps(dict(answer)), mimetype="application/json")
        return redirect(back or _own_path(request.form.get("back", "")), code=303)


def _refusal(answer: Mapping[str, Any]) -> Answer:
    if not wants_json():
        abort(409, echo(str(answer["sentence"])))
    told = dict(answer) | {"sentence": echo(str(answer["sentence"]))}
    return Response(dumps(told), status=409, mimetype="application/json")


def _own_path(path: str) -> str:
    """Return where to go after acting: one of our own pages, whatever the form says."""
    return path if path.startswith(("/round/", "/turn/")) and path.isprintable() and "\\" not in path else "/table"
