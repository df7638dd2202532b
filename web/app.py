"""The Flask app factory: `create_app(settings)`. It starts no thread and opens no file but the secret's."""

from __future__ import annotations

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from pi.inbox import TableClient
from pi.settings import Settings
from pi.spare import SparedReader
from web import api, eye, looking, luck, mathematics, metrics, quests, tongue, upkeep, watch, words
from web.access import Access, load_secret
from web.archive import Archive
from web.desk import Desk
from web.history import Shelf
from web.pin import guard_of
from web.room import Room
from web.speech import echo, say
from web.stream import Turnstile
from web.trust import Trust

PIN_FILE = "web-pin"
WORKERS_KEPT = 12
"""Workers that streams never take: pages and presses always find one."""


PLAIN = {
    400: "That cannot be understood.",
    404: "There is no such page.",
    405: "That cannot be asked of this page.",
    413: "That is too much at once.",
    500: "Something went wrong here; the match is not touched.",
}
"""What is said where nobody has said more."""


def create_app(settings: Settings) -> Flask:
    """Return the app for a state folder; its room lies in `app.extensions["feltside"]`."""
    app = Flask("web", static_folder="static", template_folder="templates")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.json.sort_keys = False  # type: ignore[attr-defined]
    reader = SparedReader(settings.journal, settings.spare)
    pin_file = settings.web_folder / PIN_FILE
    room = Room(
        app=app,
        desk=Desk(reader, TableClient(settings.socket)),
        reader=reader,
        access=Access(
            app,
            secret=load_secret(settings.web_folder / "web-secret"),
            guard=guard_of(settings.web.pin, pin_file),
            hosts=settings.web.hosts,
        ),
        evidence=settings.evidence,
        live=settings.live,
        turnstile=Turnstile(max(1, settings.web.threads - WORKERS_KEPT)),
        state=settings.state,
        pin_file=pin_file,
        shelf=Shelf(reader, Archive(settings.web_folder / "imported")),
        trust=Trust(reader),
        bounds={"pad": settings.table.tie_bound_ns / 1e6, "phone": settings.table.phone_bound_ns / 1e6},
    )
    app.extensions["feltside"] = room
    tongue.register(app)
    app.jinja_env.globals.update(eye_words=eye.words, cells=words.cells, face=words.face)
    looking.register(room)
    api.register(room)
    mathematics.register(room)
    luck.register(room)
    quests.register(room)
    watch.register(room)
    upkeep.register(room, settings)
    metrics.register(room)
    app.register_error_handler(HTTPException, _refused)
    return app


def _refused(error: HTTPException) -> Response:
    """Answer bad requests with one sentence, as JSON or as a page."""
    code = error.code or 500
    # What Werkzeug itself says is English, and for people who write servers.
    own = error.description != type(error).description
    sentence = echo(str(error.description)) if own else say(PLAIN.get(code, "That did not work."))
    if api.wants_json():
        answer = Response(api.dumps({"error": sentence}), status=code, mimetype="application/json")
    else:
        answer = Response(render_template("refused.html", sentence=sentence, back=_back()), status=code)
    if error.get_response().headers.get("Retry-After"):
        answer.headers["Retry-After"] = error.get_response().headers["Retry-After"]
    return answer


def _back() -> str:
    return "/seat" if request.path.startswith("/seat") else "/table" if request.method == "POST" else "/"
