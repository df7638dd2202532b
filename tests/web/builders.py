"""A table without processes: the real rules and the real journal behind the web app, and a drawn picture."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from pi.errors import TableAway
from pi.inbox import expected
from pi.journal import Journal
from pi.referee import MOVED_ON
from pi.rules import commands as ask
from pi.rules.match import NEW, Match, apply, decide
from pi.rules.ruleset import Refused
from pi.settings import Settings, WebSettings
from tests import builders
from web.app import create_app
from web.desk import Desk
from web.room import Room
from web.serve import make_server, port_of

SECOND = builders.SECOND
STATUS = {
    "camera": {"state": "ok", "words": "The camera sees the tray.", "tray": "seen"},
    "eye": {"status": "read", "problems": [], "tiles": 40},
    "panel": {"state": "ok", "words": "mock pins", "mode": "keys"},
    "simulation": True,
}
ORIGIN = {"Accept": "application/json"}


@dataclass
class LocalTable:
    """Does what the table's door does, in this process: stamps, rules, writes; a stand-in for the socket."""

    journal: Journal
    status: dict[str, Any] = field(default_factory=lambda: deepcopy(STATUS))
    match: Match = NEW
    seq: int = 0
    now_ns: int = SECOND
    away: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)
    matches: int = 0

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Rule on a request as the referee would."""
        if self.away:
            raise TableAway("the table does not answer")
        self.asked.append(request)
        self.now_ns += SECOND
        if "press" in request or "status" in request:
            return {"ok": True, "match": self.match.id, "seq": self.seq}
        asked, expect = expected(request)
        if expect and (expect.seq != self.seq or expect.match not in (None, self.match.id)):
            return {"refused": "moved-on", "sentence": MOVED_ON}
        return self.do(ask.decode(self._stamped(asked)))

    def do(self, command: Any) -> dict[str, Any]:
        """Rule on a command and write what follows."""
        state = self.match
        if isinstance(command, ask.StartMatch) and (not state.started or state.outcome().over):
            state, self.seq = NEW, 0
        events = decide(state, command)
        if isinstance(events, Refused):
            return {"refused": events.reason.value, "sentence": events.sentence}
        for event in events:
            state = apply(state, event)
        self.match = state
        self.seq = self.journal.append(state.id, events, at_ns=self.now_ns, utc="2026-11-21T19:30:45.000Z", words=None)
        return {"ok": True, "match": state.id, "seq": self.seq}

    def play(self, *commands: Any) -> None:
        """Rule on commands that must all be taken."""
        for command in commands:
            answer = self.do(command)
            assert answer.get("ok"), (command, answer)

    def subscribe(self) -> Iterator[dict[str, Any]]:
        """Yield one line, as a table that then hangs up."""
        if self.away:
            raise TableAway("the table does not answer")
        yield {"match": self.match.id, "seq": self.seq, "status": self.status}

    def _stamped(self, request: dict[str, Any]) -> dict[str, Any]:
        match request["command"]:
            case "lock-in":
                stamp = {"at_ns": self.now_ns, "nonce": "ab" * 16, "bound_ns": 50_000_000, "via": "phone"}
                return request | stamp
            case "next":
                return request | {"at_ns": self.now_ns}
            case "start-match":
                self.matches += 1
                return request | {"match": f"20261121-19304{self.matches}-a3f9"}
        return request


class _Compiled(BytecodeCache):
    """Templates compiled once for all the houses of a test run."""

    kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


_WAYS: dict[Any, Any] = {}
_make_way = Rule._compile_builder


def _way(rule: Rule, append_unknown: bool = True) -> Any:
    """Return what makes addresses of a rule, compiled once for all the houses: two thirds of what an app takes."""
    key = rule.rule, append_unknown, tuple(rule._trace), repr(rule.defaults)
    if key not in _WAYS:
        _WAYS[key] = _make_way(rule, append_unknown)
    return _WAYS[key]


@dataclass
class House:
    """A table, the web app on it, and browsers."""

    state: Path
    table: LocalTable
    app: Flask

    @property
    def room(self) -> Room:
        """The app's room."""
        room: Room = self.app.extensions["feltside"]
        return room

    def told(self) -> None:
        """Let the web server hear "look again"."""
        self.room.desk.told({"status": self.table.status})

    def play(self, *commands: Any) -> None:
        """Play commands at the table and let the web server know."""
        self.table.play(*commands)
        self.told()

    def browser(self) -> FlaskClient:
        """Return a new browser."""
        return self.app.test_client()


def house(state: Path, *, pin: str = "open", threads: int = 64) -> House:
    """Return a house in an empty folder; nothing has been played yet."""
    settings = Settings(state=state, web=WebSettings(pin=pin, threads=threads))
    table = LocalTable(Journal(settings.journal))
    with patch.object(Rule, "_compile_builder", _way):
        app = create_app(settings)
    app.testing = True
    app.jinja_env.bytecode_cache = _Compiled()
    app.extensions["feltside"].desk.table = table
    found = House(state, table, app)
    found.told()
    return found


@contextmanager
def reserved() -> Iterator[int]:
    """Hold a port that a server may leave and take again: nobody else is given it meanwhile."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


@contextmanager
def served(app: Flask, *, port: int = 0, threads: int = 64) -> Iterator[int]:
    """Serve an app with the real server on a thread; inside, its port."""
    server = make_server(app, host="127.0.0.1", port=port, threads=threads)
    server.adj.asyncore_loop_timeout = 0.05  # s; what ends it is seen then, and every test waits for that
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield port_of(server)
    finally:
        end(server)
        for _ in range(60):
            thread.join(1)
            if not thread.is_alive():
                break
            # Somebody was let in at the very moment in which all others were sent away: their connection keeps it up.
            server.asyncore.close_all(server._map, ignore_all=True)
        assert not thread.is_alive()
        stir(app.extensions["feltside"].desk)  # or its streams would find out at their next beat
        server.task_dispatcher.shutdown(cancel_pending=True, timeout=10)


def end(server: Any) -> None:
    """Close a server and everything it holds open; `close` alone leaves its pipe and its clients."""
    server.task_dispatcher.shutdown(cancel_pending=True, timeout=0)
    server.close()
    server.asyncore.close_all(server._map)


def stir(desk: Desk) -> None:
    """Wake every stream of a desk without any news."""
    with desk._changed:
        desk._sight = replace(desk._sight, version=desk._sight.version + 1)
        desk._changed.notify_all()


def token(browser: FlaskClient, path: str = "/table") -> str:
    """Return the CSRF token a page hands out."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', browser.get(path).text)
    assert found, f"no token on {path}"
    return found[1]


def post(browser: FlaskClient, path: str, *, page: str = "/table", **fields: Any) -> Any:
    """Send a form of a page as its script does."""
    data = {"csrf": token(browser, page)} | {k.replace("__", "."): v for k, v in fields.items()}
    return browser.post(path, data=data, headers=ORIGIN)


def events_of(chunks: Iterator[bytes], count: int) -> list[dict[str, str]]:
    """Return the first server-sent events of a stream, each as its fields; comments are left out."""
    found: list[dict[str, str]] = []
    rest = ""
    while len(found) < count:
        rest += next(chunks).decode()
        while "\n\n" in rest:
            block, _, rest = rest.partition("\n\n")
            lines = [line.partition(": ") for line in block.splitlines() if not line.startswith(":")]
            fields = {name: value for name, _, value in lines}
            if "data" in fields:
                found.append(fields)
    return found[:count]


def evidence(folder: Path, frame: str, rows: Sequence[str], *, pitch: int = 90) -> None:
    """Draw a top-down picture of a tray and its description, as the watcher leaves them."""
    import cv2
    import numpy as np

    colours = [(70, 70, 190), (180, 110, 60), (80, 140, 70), (150, 80, 140)]
    width, height = (len(rows[0].split()) + 1) * pitch, (len(rows) + 1) * pitch
    picture = np.full((height, width, 3), (52, 74, 38), np.uint8)
    tiles = []
    for r, line in enumerate(rows):
        for c, symbol in enumerate(line.split()):
            x, y, half = (c + 1) * pitch, (r + 1) * pitch, int(pitch * 0.42)
            cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (205, 228, 238), -1)
            cv2.putText(picture, symbol, (x - 17, y + 18), cv2.FONT_HERSHEY_DUPLEX, 1.6, colours[r % 4], 3, cv2.LINE_AA)
            corners = [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
            tiles.append({"row": r, "column": c, "symbol": symbol, "confidence": 0.999, "corners": corners})
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{frame}.tray.jpg"), picture)
    cv2.imwrite(str(folder / f"{frame}.jpg"), picture)
    description = {"size": [width, height], "tiles": tiles, "reading": {}}
    (folder / f"{frame}.json").write_text(json.dumps(description))
