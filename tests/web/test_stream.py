"""Streams: whole views with the journal's seq, beats in between, twenty at once behind the real server."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from pi.errors import TableAway
from pi.rules import commands as ask
from tests.builders import lock, start
from tests.conftest import PATIENCE_S
from tests.web.builders import events_of, house, served
from web import health
from web.desk import Desk
from web.stream import Turnstile, events

STREAMS = 20


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0))
    return found


@pytest.fixture
def port(home):
    """The real server on a free port; it ends with the test."""
    with served(home.app) as found:
        yield found


class Stream:
    """A client of one stream, as a tablet holds it."""

    def __init__(self, port: int, query: str = "", **headers: str) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.http.request("GET", f"/events{query}", headers=headers)
        self.answer = self.http.getresponse()
        self._chunks = self._read()

    def _read(self) -> Iterator[bytes]:
        while chunk := self.answer.read1(65536):
            yield chunk

    def views(self, count: int) -> list[dict]:
        """Return the next views, beats left out."""
        found: list[dict] = []
        while len(found) < count:
            event = events_of(self._chunks, 1)[0]
            if event.get("event") != "beat":
                found.append({"id": event["id"], **json.loads(event["data"])})
        return found

    def close(self) -> None:
        self.answer.close()
        self.http.close()


def test_an_event_is_the_whole_view_with_the_journals_seq_as_its_id(home):
    stream = events(home.room.desk, lambda sight: json.dumps({"seq": sight.seq}), beat_s=0.01)
    first = events_of(stream, 1)[0]
    assert first == {"retry": "1000"} | first if "retry" in first else first["id"] == "2"
    home.play(lock(1, 3))
    following = [e for e in events_of(stream, 2) if e.get("event") != "beat"]
    assert {"id": "3", "data": '{"seq": 3}'} in following


def test_silence_is_broken_by_beats_and_the_same_view_is_not_sent_twice(home):
    stream = events(home.room.desk, lambda sight: "{}", beat_s=0.01)
    first, *rest = events_of(stream, 4)
    assert first["data"] == "{}"
    assert [e["event"] for e in rest] == ["beat"] * 3
    home.play(lock(1, 3))
    assert events_of(stream, 1)[0]["event"] == "beat"


def test_state_and_events_tell_the_same(home, port):
    with closing(Stream(port, **{"Last-Event-ID": "1"})) as stream:
        view = stream.views(1)[0]
    assert view.pop("id") == "2"
    assert view == home.browser().get("/api/state").json
    assert stream.answer.headers["Content-Type"].startswith("text/event-stream")


def test_twenty_tablets_hear_every_lock_in_and_pages_still_answer(home, port):
    with ExitStack() as tablets:
        queries = ["", "?page=board", "?page=table", "?page=round&number=1"]
        streams = [tablets.enter_context(closing(Stream(port, queries[n % 4]))) for n in range(STREAMS)]
        assert all(s.answer.status == 200 for s in streams)
        assert {s.views(1)[0]["id"] for s in streams} == {"2"}
        for seat, seq in ((1, "3"), (2, "4")):
            home.play(lock(seat, seat, at=seat))
            assert {s.views(1)[0]["id"] for s in streams} == {seq}
        page = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        page.request("GET", "/")
        assert page.getresponse().status == 200
        page.close()


def test_more_streams_than_workers_are_told_to_come_back_later(tmp_path):
    home = house(tmp_path, threads=14)
    assert home.room.turnstile.most == 2
    answers = [home.browser().get("/events", buffered=False) for _ in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 503]
    assert answers[2].headers["Retry-After"] == "5"
    answers[0].close()
    again = home.browser().get("/events", buffered=False)
    assert again.status_code == 200
    for answer in (again, answers[1], answers[2]):
        answer.close()


def test_a_stream_that_never_started_gives_its_place_back():
    turnstile = Turnstile(1)
    assert turnstile.enter()
    assert not turnstile.enter()
    guarded = turnstile.guard(iter(()))
    guarded.close()
    guarded.close()
    assert turnstile.enter()


class Fickle:
    """A table that says what it is told to, line by line, and goes away in between."""

    def __init__(self, stop: threading.Event, *visits: list[dict]) -> None:
        self.visits, self.stop = list(visits), stop

    def ask(self, request: dict) -> dict:
        raise TableAway("away")

    def subscribe(self) -> Iterator[dict]:
        if not self.visits:
            self.stop.set()
            raise TableAway("away")
        yield from self.visits.pop(0)
        raise TableAway("the table hung up")


class NoWait(threading.Event):
    """A stop signal nobody waits for."""

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()


def test_the_listener_comes_back_to_a_table_that_went_away(home):
    stop = NoWait()
    heard: list[str | None] = []
    desk = Desk(home.room.reader, Fickle(stop, [{"status": {"camera": {"state": "ok"}}}], [], [{}]))
    told = desk.told
    desk.told = lambda line: (told(line), heard.append(desk.look().away))  # type: ignore[method-assign]
    assert desk.look().away is not None
    desk.follow(stop)
    assert heard == [None, None]
    assert desk.look().away is not None
    assert desk.look().status == {"camera": {"state": "ok"}}
    assert desk.look().seq == 2


def test_whoever_waits_is_woken_by_what_is_new(home):
    seen = home.room.desk.look()
    assert home.room.desk.wait(seen.version, timeout_s=0).version == seen.version
    found: list[int] = []
    waiter = threading.Thread(target=lambda: found.append(home.room.desk.wait(seen.version, timeout_s=PATIENCE_S).seq))
    waiter.start()
    home.play(lock(1, 3))
    waiter.join(PATIENCE_S)
    assert found == [3]


def test_the_machines_health_is_live_on_the_table_page(home, port, monkeypatch):
    """Nobody sends word of a warm processor: the page looks at every beat, and only there."""
    warmth = [health.Sign("Warmth", "ok", "55 °C")]
    monkeypatch.setattr(health, "machine", lambda state, **_: tuple(warmth))
    table, board = Stream(port, "?page=table"), Stream(port, "?page=board")
    with closing(table), closing(board):
        assert "55 °C" in table.views(1)[0]["html"]
        assert "°C" not in board.views(1)[0]["html"]
        warmth[0] = health.Sign("Warmth", "bad", "82 °C: give it air")
        (news,) = table.views(1)
        assert "82 °C: give it air" in news["html"]
        home.play(lock(1, 3))
        assert board.views(1)[0]["id"] == str(home.table.seq), "the scoreboard was not sent anew in between"
