"""The routes for looking: pages, pictures, `GET /api/state` and `GET /events`. Looking changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from flask import Response, abort, render_template, request, send_file
from flask.typing import ResponseReturnValue as Answer

from pi.journal import Record
from pi.rules.match import Match, replay
from pi.rules.numerals import is_whole
from pi.rules.values import Cell
from web import archive, evidence, eye, figures, stream, words
from web.api import dumps
from web.desk import Sight, times_after
from web.health import own_address
from web.pages import CSRF, Page, Renderer
from web.present import SPECTATOR, present, turns_played
from web.room import Room
from web.speech import say, speaking
from web.tongue import asked


def register(room: Room) -> None:
    """Hook the routes into the room's app."""
    looks = _Looking(room)
    rules: dict[str, Callable[..., Answer]] = {
        "/": looks.board,
        "/table": looks.table,
        "/round/<int:number>": looks.round,
        "/turn/<int:number>": looks.turn,
        "/seat": looks.seat,
        "/teach": looks.lesson,
        "/setup": looks.setup,
        "/history": looks.history,
        "/history/<match>": looks.past_match,
        "/history/<match>.jsonl": looks.export,
        "/history/<match>.csv": looks.table_of,
        "/history/<match>/replay": looks.replay,
        "/history/<match>/round/<int:number>": looks.past_round,
        "/history/<match>/turn/<int:number>": looks.past_turn,
        "/manifest.webmanifest": looks.manifest,
        "/api/state": looks.state,
        "/events": looks.events,
        "/live.jpg": looks.live,
        "/evidence/<name>": looks.picture,
    }
    for rule, view in rules.items():
        room.app.add_url_rule(rule, endpoint=view.__name__, view_func=view, methods=["GET"])


class _Looking:
    def __init__(self, room: Room) -> None:
        self._room = room
        self._shelf = room.shelf
        self._renderer = Renderer(room)

    def board(self) -> str:
        return self._page(Page("board", base=self._base()), title=say("Scoreboard"), scripts=("board.js", "comfort.js"))

    def table(self) -> str:
        return self._page(self._table_page(), title=say("Table"), scripts=("acts.js",))

    def setup(self) -> str:
        return self._page(self._setup_page(), title=say("Set up the table"), scripts=("acts.js",))

    def lesson(self) -> str:
        return self._page(self._lesson_page(), title=say("Teach the eye your tiles"), scripts=("acts.js",))

    def round(self, number: int) -> str:
        return self._page(
            self._round_page(number), title=say("Round {number}", number=number), scripts=("acts.js", "round.js")
        )

    def turn(self, number: int) -> str:
        """Return what a turn of a game of turns rests on."""
        title = say("Turn {number}", number=number)
        return self._page(self._turn_page(number), title=title, scripts=("acts.js",))

    def seat(self) -> str:
        """Return a seat's pad; whoever has none yet may hand in the code that stands behind the link's #."""
        page = self._seat_page()
        if page is None:
            return render_template(
                "enter.html",
                csrf=self._room.access.csrf(),
                action="/seat/enter",
                title=say("Pad"),
                headline=say("Which seat is this phone's?"),
                how=say("Scan your seat's code on the table page, or type what stands below it."),
                label=say("The seat's code"),
                button=say("Take the seat"),
            )
        title = say("Seat {seat}", seat=page.seat)
        return self._page(page, title=title, scripts=("pad.js", "enter.js", "comfort.js"))

    def history(self) -> str:
        access = self._room.access
        acts = access.may_act()
        csrf = access.csrf() if acts else ""
        return render_template(
            "history.html", matches=self._shelf.matches(), acts=acts, csrf=csrf, **self._shelf.figures()
        )

    def export(self, match: str) -> Response:
        """Return a finished match as JSON Lines."""
        records, folded = self._past(match)
        if problem := archive.exportable(folded, newest=match == self._room.reader.latest()):
            abort(409, problem)
        text = "".join(archive.lines(records, folded))
        return _download(text, f"{match}.jsonl", "application/jsonl")

    def table_of(self, match: str) -> Response:
        """Return a match's revealed rounds as CSV."""
        _, folded = self._past(match)
        text = "".join(figures.csv_lines(figures.rounds(folded)))
        return _download(text, f"{match}.csv", "text/csv")

    def replay(self, match: str) -> str:
        """Return the scoreboard as it stood after some step."""
        records, _ = self._past(match)
        step = min(max(1, _whole("step") or 1), len(records))
        sight = Sight(
            match=replay(r.event for r in records[:step]),
            seq=step,
            away=None,
            times=times_after({}, records[:step]),
        )
        html = self._renderer.fresh(sight, Page("board", past=True, language=asked()))
        event = records[step - 1]
        what = words.steps(sight.match, [event.event])
        return render_template(
            "replay.html", match=match, step=step, last=len(records), html=html, what=what, utc=event.utc
        )

    def _past(self, match: str) -> tuple[list[Record], Match]:
        records = self._shelf.records(match) or abort(404, "No match of this name was played here.")
        return records, replay(record.event for record in records)

    def past_match(self, match: str) -> str:
        past = self._shelf.match(match) or abort(404, "No match of this name was played here.")
        return render_template("past.html", past=past)

    def past_round(self, match: str, number: int) -> str:
        records, folded = self._past(match)
        sight = Sight(match=folded, seq=records[-1].seq, away=None, times=times_after({}, records))
        page = Page("round", number=number, total=_whole("total"), past=True, language=asked())
        self._must_exist(sight, number)
        html = self._renderer.fresh(sight, page)
        title = say("Round {number}", number=number)
        return render_template("page.html", html=html, title=title, stream=None, kind="round", scripts=("round.js",))

    def past_turn(self, match: str, number: int) -> str:
        """Return what a turn of an earlier match rested on."""
        records, folded = self._past(match)
        sight = Sight(match=folded, seq=records[-1].seq, away=None, times=times_after({}, records))
        page = Page("turn", number=number, past=True, language=asked())
        self._must_be_played(sight, number)
        html = self._renderer.fresh(sight, page)
        title = say("Turn {number}", number=number)
        return render_template("page.html", html=html, title=title, stream=None, kind="turn", scripts=())

    def manifest(self) -> Response:
        """Return what a home screen wants to know."""
        icons = [{"src": f"/static/icon-{n}.png", "sizes": f"{n}x{n}", "type": "image/png"} for n in (192, 512)]
        told = {
            "name": "Feltside",
            "short_name": "Feltside",
            "start_url": "/",
            "display": "fullscreen",
            "background_color": "#0d231c",
            "theme_color": "#0d231c",
            "icons": icons,
        }
        return Response(dumps(told), mimetype="application/manifest+json")

    def state(self) -> Response:
        """Return the public view as JSON: the same object that `/events` sends, form version 1."""
        sight = self._room.desk.look()
        return Response(_public(sight), mimetype="application/json")

    def events(self) -> Response:
        """Stream whole views as server-sent events.

        Without a query: each `data:` is the public view, as `/api/state` returns it. With `?page=board`,
        `table`, `seat`, `turn` (with `number`) or `round` (with `number`, `total`, `tile`): {"html": the page's
        changing part, "stale": a sentence or null}. `id:` is the journal's seq within the match. The newest view
        comes at once, whatever `Last-Event-ID` says, so that coming back is catching up; an event named `beat`
        follows every second in between.
        """
        self._checked_event_id()
        page = self._wanted_page()
        page = replace(page, language=asked()) if page else None
        token = self._room.access.csrf() if page is not None and page.kind != "board" else ""
        if not self._room.turnstile.enter():
            abort(503, "Too many pages are open at once; close one.", retry_after=5)
        self._room.desk.look()
        watching = page is not None and page.watches
        chunks = stream.events(self._room.desk, lambda sight: self._data(sight, page, token), watching=watching)
        answer = Response(self._room.turnstile.guard(chunks), mimetype="text/event-stream")
        answer.headers["X-Accel-Buffering"] = "no"  # a proxy in between must not collect what is live
        return answer

    def live(self) -> Answer:
        """Return the latest small camera picture; with `?eye=1`, for the table, what the eye thinks is in it.

        Header `X-Age-Ms`: how old the picture is, so that an old one is not taken for a live one.
        """
        thought = request.args.get("eye") == "1" and self._room.access.may_act()
        path = self._room.live.absolute()
        try:
            picture, taken_s = eye.live_picture(path, thought=thought), path.stat().st_mtime
        except FileNotFoundError:
            abort(404, "There is no camera picture yet.")
        answer = Response(picture, mimetype="image/jpeg")
        answer.headers["X-Age-Ms"] = str(max(0, round((time.time() - taken_s) * 1000)))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def picture(self, name: str) -> Answer:
        """Return an evidence picture: '<frame>.jpg' or '<frame>.tray.jpg'."""
        frame = name.removesuffix(".jpg").removesuffix(".tray")
        if not name.endswith(".jpg") or not evidence.is_frame(frame):
            abort(404, "There is no such picture.")
        try:
            return send_file((self._room.evidence / name).absolute(), mimetype="image/jpeg", max_age=86400)
        except FileNotFoundError:
            abort(404, "There is no such picture.")

    def _page(self, page: Page, *, title: str, scripts: tuple[str, ...] = ()) -> str:
        room = self._room
        sight = room.desk.look()
        page = replace(page, language=asked())
        html = self._renderer.html(sight, page)
        token = room.access.csrf() if CSRF in html or page.kind == "seat" else ""
        return render_template(
            "page.html",
            html=html.replace(CSRF, token),
            title=title,
            kind=page.kind,
            scripts=scripts,
            stream=_query(page),
            stale=sight.stale,
            csrf=token,
        )

    def _data(self, sight: Sight, page: Page | None, token: str) -> str:
        if page is None:
            return _public(sight)
        html = self._renderer.html(sight, page).replace(CSRF, token)
        with speaking(page.language):
            stale = say(sight.stale) if sight.stale else None
        return dumps({"stale": stale, "html": html})

    def _wanted_page(self) -> Page | None:
        kind = request.args.get("page")
        if kind is None:
            return None
        if kind not in ("board", "table", "round", "turn", "seat", "teach", "setup"):
            abort(400, "The page is one of board, table, round, turn, seat, teach, setup.")
        if kind in ("teach", "setup"):
            return self._lesson_page() if kind == "teach" else self._setup_page()
        if kind == "board":
            return Page("board", base=self._base())
        if kind == "table":
            return self._table_page()
        if kind == "round":
            return self._round_page(_whole("number") or 0)
        if kind == "turn":
            return self._turn_page(_whole("number") or 0)
        return self._seat_page() or abort(403, "Open the link of your seat first.")

    def _table_page(self) -> Page:
        access = self._room.access
        return Page("table", acts=access.may_act(), unclaimed=access.guard.unclaimed, base=self._base())

    def _base(self) -> str:
        return f"http://{request.host}" if self._room.alone else _reachable(request.host)

    def _setup_page(self) -> Page:
        return Page("setup", acts=self._room.access.may_act())

    def _lesson_page(self) -> Page:
        return Page("teach", acts=self._room.access.may_act())

    def _round_page(self, number: int) -> Page:
        self._must_exist(self._room.desk.look(), number)
        acts = self._room.access.may_act()
        return Page("round", acts=acts, number=number, total=_whole("total"), tile=_tile())

    def _turn_page(self, number: int) -> Page:
        self._must_be_played(self._room.desk.look(), number)
        return Page("turn", acts=self._room.access.may_act(), number=number)

    def _seat_page(self) -> Page | None:
        match = self._room.desk.look().match
        seat = self._room.access.seat_of(match.id)
        return Page("seat", seat=seat, match=match.id) if seat is not None else None

    def _must_exist(self, sight: Sight, number: int) -> None:
        played = present(sight.match, SPECTATOR, status={}).get("round")
        if played is None or not 1 <= number <= played["number"]:
            abort(404, f"Round {number} was not played.")

    def _must_be_played(self, sight: Sight, number: int) -> None:
        if not 1 <= number <= turns_played(sight.match):
            abort(404, f"Turn {number} was not played.")

    def _checked_event_id(self) -> None:
        given = request.headers.get("Last-Event-ID", "0")
        if not is_whole(given, most=12):
            abort(400, "Last-Event-ID is the journal's seq, a whole number.")


def _public(sight: Sight) -> str:
    with speaking("en"):  # what programs read does not depend on who asks
        return dumps(present(sight.match, SPECTATOR, status=sight.status, seq=sight.seq, away=sight.stale))


def _download(text: str, name: str, mimetype: str) -> Response:
    answer = Response(text, mimetype=mimetype)
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


def _reachable(host: str) -> str:
    """Return the server's address as a phone can reach it: of no use would be this very machine's own name."""
    url = urlsplit(f"//{host}")
    address = own_address() if url.hostname in ("localhost", "127.0.0.1", "::1") else None
    if address is None:
        return f"http://{host}"
    return f"http://{address}:{url.port}" if url.port else f"http://{address}"


def _whole(name: str) -> int | None:
    text = request.args.get(name)
    if text is None:
        return None
    if not is_whole(text, most=6):
        abort(400, f"The query {name!r} is a whole number.")
    return int(text)


def _tile() -> Cell | None:
    text = request.args.get("tile")
    if text is None:
        return None
    row, _, column = text.partition("-")
    if not (is_whole(row, most=3) and is_whole(column, most=3)):
        abort(400, "The query 'tile' is row-column, counted from 0.")
    return int(row), int(column)


def _query(page: Page) -> str:
    parts: dict[str, Any] = {"page": page.kind, "number": page.number, "total": page.total}
    if page.tile is not None:
        parts["tile"] = f"{page.tile[0]}-{page.tile[1]}"
    return "/events?" + "&".join(f"{k}={v}" for k, v in parts.items() if v is not None)
