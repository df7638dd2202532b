"""The club's board as a page (a small Flask app of its own) and as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import starmap

from flask import Flask, Response, jsonify, render_template

from pi.club.tables import Row

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
SIGNS = {"live": "●", "stale": "◐", "away": "○"}
"""Told apart without colour."""


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the board shows at one moment."""

    rows: Sequence[Row]
    broker: str
    """How the line to the broker is, in one sentence."""
    up: bool

    @property
    def live(self) -> int:
        """How many tables are live."""
        return sum(row.state == "live" for row in self.rows)


def create_app(look: Callable[[], Board]) -> Flask:
    """Return the app. look: what there is to show right now; called at every request."""
    app = Flask(__name__, static_folder="static", template_folder="templates")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @app.get("/")
    def page() -> str:
        return render_template("club.html", board=look(), signs=SIGNS)

    @app.get("/board")
    def board() -> str:
        """Return the changing part of the page."""
        return render_template("board.html", board=look(), signs=SIGNS)

    @app.get("/api/tables")
    def tables() -> Response:
        """Return every table as JSON."""
        seen = look()
        return jsonify({"broker": {"up": seen.up, "words": seen.broker}, "tables": [asdict(row) for row in seen.rows]})

    @app.after_request
    def with_headers(response: Response) -> Response:
        for header in HEADERS.items():
            response.headers.setdefault(*header)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return app


def text(board: Board) -> Iterator[str]:
    """Yield the board as lines for a terminal."""
    yield f"{len(board.rows)} tables, {board.live} live. {board.broker}"
    wide = max((len(row.table) for row in board.rows), default=0)
    for row in board.rows:
        where = row.game or "no match"
        where += f", round {row.round}" if row.round and row.phase not in ("none", "over") else ""
        score = ", ".join(starmap(_score, ((seat.name, seat.score, seat.won, seat.turn) for seat in row.seats)))
        said = row.words or row.headline
        yield f"{SIGNS[row.state]} {row.table:<{wide}}  {row.state:<5}  {where}: {score or 'nobody'}. {said}"


def _score(name: str, score: int, won: bool, turn: bool) -> str:
    return f"{name} {score}{' (won)' if won else ' (to move)' if turn else ''}"
