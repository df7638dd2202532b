"""The pages: what each is about, its view, and the HTML made from it.

A page's changing part is one template under `templates/view/`. It is rendered once per change and kind of
looker, into the plain page as well as into the stream, so that a reload and an update look the same.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pi.rules.games import RULESETS
from pi.rules.match import Match
from pi.rules.values import Cell, Player, Seat
from web import access, evidence, eye, health, qr, setup, teaching
from web.asks import MOST_SEATS
from web.calls import calls
from web.cards import SEATED
from web.desk import Sight
from web.drawing import Scene, scene
from web.present import (
    BOARD,
    SPECTATOR,
    TABLE,
    Audience,
    View,
    present,
    present_round,
    present_turn,
    seat_audience,
)
from web.room import Room
from web.speech import speaking
from web.views import shown, template_of
from web.watch import code_of, link

CSRF = "@@csrf-token@@"
"""Stands in shared HTML where each client's own token goes."""
MOST_KEPT = 200
"""Pages kept of one sight: somebody may ask for every total and tile of a round."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which page for which kind of looker; equal pages read the same to all of them."""

    kind: str
    """'board', 'table', 'seat', 'round' or 'turn'."""
    acts: bool = False
    """Whether the looker may act for the table."""
    unclaimed: bool = False
    """Whether nobody has set the table's PIN yet."""
    seat: Seat | None = None
    match: str = ""
    """The match a seat's pad is for; pads of an earlier one say so."""
    number: int | None = None
    """The round, or the turn of a game of turns."""
    total: int | None = None
    """With wilds: whose runs to draw."""
    tile: Cell | None = None
    """The tile that was tapped."""
    base: str = ""
    """Address of the server as the looker wrote it, for links that are read aloud or typed."""
    past: bool = False
    """A round of an earlier match: nothing can be done to it."""
    language: str = "en"

    @property
    def watches(self) -> bool:
        """Whether it shows something that changes without news of the match."""
        return self.kind == "table" and self.acts

    def audience(self) -> Audience:
        """Return as whom the looker looks."""
        if self.kind == "seat" and self.seat is not None:
            return seat_audience(self.seat)
        if self.acts and self.kind in ("table", "round", "turn", "setup") and not self.past:
            return TABLE
        return BOARD if self.kind == "board" else SPECTATOR


class Renderer:
    """Makes HTML of sights, each page once per change. Threads may share it."""

    def __init__(self, room: Room) -> None:
        """Take the room whose templates and evidence are used."""
        self._room = room
        self._lock = threading.Lock()
        self._version = -1
        self._made: dict[tuple[Page, tuple[health.Sign, ...]], str] = {}

    def html(self, sight: Sight, page: Page) -> str:
        """Return the changing part of a page, with CSRF in the place of the token."""
        key = page, self._around(page)
        with self._lock:
            if sight.version != self._version or len(self._made) >= MOST_KEPT:
                self._version, self._made = sight.version, {}
            if key not in self._made:
                self._made[key] = self.fresh(sight, page)
            return self._made[key]

    def _around(self, page: Page) -> tuple[health.Sign, ...]:
        """Return what a page shows that no news announces: the machine's own health on the table page."""
        if not page.watches:
            return ()
        with speaking(page.language):
            return health.machine(self._room.state, alone=self._room.alone)

    def fresh(self, sight: Sight, page: Page) -> str:
        """Return the same without remembering it."""
        template = self._room.app.jinja_env.get_template(f"view/{page.kind}.html")
        with speaking(page.language):
            return template.render(**facts(self._room, sight, page))


def facts(room: Room, sight: Sight, page: Page) -> dict[str, Any]:
    """Return what a page's template is given; everything about the match comes from `present`."""
    audience = page.audience()
    view = present(sight.match, audience, status=sight.status, seq=sight.seq, away=None if page.past else sight.stale)
    number = page.number or (view.get("round") or {}).get("number")
    if page.kind == "seat" and page.match != sight.match.id:
        view["you"] = None
    found: dict[str, Any] = {"view": view, "page": page, "csrf": CSRF, "round": None, "scene": None}
    found |= {"times": sight.times.get(number or 0), "calls": calls(view) if page.kind == "board" else []}
    found["bounds"] = room.bounds
    found["watched"] = bool(code_of(sight.watched, sight.match)) and not page.past
    found |= {"play": view.get("play"), "game_template": template_of(sight.match.game)}
    if page.kind == "turn":
        return found | _turn(room, sight, page, audience)
    found["seen"] = evidence_of(room, _in_question(view))
    if page.kind != "seat" and number is not None:
        found |= _round(room, sight, page, number, audience)
    if page.kind == "table":
        found |= _table(room, sight.match, page, view["status"])
        found["watch"] = link(sight.watched, sight.match, page.base) if page.acts else None
        found["noticed"] = eye.noticed(view["status"], room.trust.lately(sight.match)) if page.acts else []
    if page.kind == "board" and view["phase"] in ("none", "over") and not (page.past or room.alone):
        found["ways"] = health.find_me(page.base)
        found["qr"] = qr.svg(found["ways"][-1]) if found["ways"] else ""
    if page.kind == "setup":
        found |= setup.facts(room, view, _health(room, sight.match, view["status"]))
    if page.kind == "teach":
        found["taught"] = teaching.taught(sight.status)
        found["noticed"] = eye.in_words(view["status"])
    return found


def _round(room: Room, sight: Sight, page: Page, number: int, audience: Audience) -> dict[str, Any]:
    shown = present_round(sight.match, audience, number=number, status=sight.status, total=page.total)
    if shown is None:
        return {}
    drawn, fault = draw(room, shown)
    return {"round": shown, "scene": drawn, "fault": fault, "tapped": _tapped(shown, page.tile)}


def _in_question(view: View) -> str | None:
    """Return the picture of what the table is asked about; None when it is asked nothing."""
    asked = view.get("asked") or {}
    play = view.get("play") or {}
    about = (view.get("round") or {}).get("question") or (play.get("running") or {}).get("question") or {}
    frame: str = asked.get("frame") or play.get("doubt_frame") or about.get("frame") or ""
    return frame or None


def _turn(room: Room, sight: Sight, page: Page, audience: Audience) -> dict[str, Any]:
    """Return a turn with its picture; the game's own template draws the match as it stood after it."""
    shown = present_turn(sight.match, audience, number=page.number or 0, status=sight.status)
    if shown is None:
        return {"turn": None}
    return {
        "looking": replace(page, acts=False),
        "turn": shown,
        "seen": evidence_of(room, shown["frame"]),
        "play": shown["at"].get("play"),
    }


def evidence_of(room: Room, frame: str | None) -> evidence.Evidence | None:
    """Return a frame's picture and where its pieces are; None when there is none, or none that holds."""
    try:
        return evidence.load(room.evidence, frame)
    except evidence.BadEvidence:
        return None


def draw(room: Room, shown: View) -> tuple[Scene, str | None]:
    """Return a round's scene, and a sentence when its picture cannot be used."""
    try:
        return scene(shown, evidence.load(room.evidence, shown["tray"]["frame"])), None
    except evidence.BadEvidence as no:
        return scene(shown, None), str(no)


def _tapped(shown: View, tile: Cell | None) -> Mapping[str, Any] | None:
    return next((t for t in shown["tiles"] if (t["row"], t["column"]) == tile), None)


def _table(room: Room, match: Match, page: Page, status: View) -> dict[str, Any]:
    names = {player.seat: player.name for player in match.players}
    links = [_link(room, match, player, page.base) for player in match.players] if page.acts else []
    return {
        "games": [_rules(name) for name in RULESETS if name in shown()],
        "names": [names.get(Seat(seat), "") for seat in range(1, MOST_SEATS + 1)],
        "house": dict(match.house),
        "links": links,
        "remembered": room.remembered(match),
        "health": _health(room, match, status) if page.acts else (),
        "alone": room.alone,
    }


def _health(room: Room, match: Match, status: View) -> tuple[health.Sign, ...]:
    return health.signs(status, state=room.state, lately=room.trust.lately(match), alone=room.alone)


def _link(room: Room, match: Match, player: Player, base: str) -> dict[str, Any]:
    """Return what the table page shows to open a seat's pad on a phone."""
    code = access.seat_code(room.access.secret, match=match.id, seat=player.seat)
    # Behind the #: browsers send that to no server, so it stands in no log and no Referer.
    path = f"/seat#{code}"
    return {"seat": player.seat, "name": player.name, "path": path, "code": code, "qr": qr.svg(base + path)}


def _rules(name: str) -> dict[str, Any]:
    """Return a ruleset as the new-match form needs it."""
    rules = RULESETS[name]
    return {
        "name": name,
        "title": rules.title,
        "seats": rules.seats[1],
        "computer": name in SEATED,
        "house_rules": [asdict(rule) for rule in rules.house_rules],
    }
