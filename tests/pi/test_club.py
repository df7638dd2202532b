"""The club's board: fifty tables on one real broker; who is away, who is silent, what cannot be read."""

from __future__ import annotations

import json
from contextlib import ExitStack

import pytest

from pi.cli import main
from pi.club.page import SIGNS, Board, create_app, text
from pi.club.tables import MOST_TABLES, SILENT_S, Tables, read
from pi.doors.club import Listener
from pi.neighbours.messages import OFFLINE, ONLINE, Topics, state_messages
from pi.neighbours.service import Teller
from pi.neighbours.wire import Wire
from pi.rules import commands as ask
from pi.settings import MqttSettings
from tests.builders import ONE_RUN, lock, match, start, tray
from tests.pi.brokers import MOSQUITTO, broker, until
from web.present import SPECTATOR, present

needs_mosquitto = pytest.mark.skipif(not MOSQUITTO, reason="no mosquitto here")
MANY = 50


def view(number: int, *more, stale=None):
    """Return table `number`'s public view: every table has players and a stage of its own."""
    names = (f"Ann {number}", f"Bob {number}")
    stages = [[], [ask.Next(0)], [ask.Next(0), lock(1, 1), ask.ReadTray(tray(ONE_RUN)), lock(2, 2, at=2.0)]]
    played = match(start(*names), *stages[number % 3], *more)
    return present(played, SPECTATOR, status={}, seq=number, away=stale)


def told(tables: Tables, number: int, *, name: str = "", now_s: float = 0.0, **more) -> Topics:
    topics = Topics("feltside", f"table-{name or number}")
    for message in state_messages(view(number, **more), topics):
        tables.hear(message.topic, message.payload, now_s=now_s)
    return topics


def test_a_table_that_speaks_is_live_and_its_players_stand_in_order():
    tables = Tables("feltside")
    told(tables, 2)
    (row,) = tables.rows(now_s=1.0)
    assert (row.table, row.state, row.words, row.round) == ("table-2", "live", "", 1)
    assert [(seat.name, seat.score, seat.leads) for seat in row.seats] == [("Ann 2", 5, True), ("Bob 2", 0, False)]


def test_names_with_numbers_are_in_the_order_of_the_numbers():
    tables = Tables("feltside")
    for number in (10, 9, 100, 1):
        told(tables, number)
    assert [row.table for row in tables.rows(now_s=0.0)] == ["table-1", "table-9", "table-10", "table-100"]


def test_a_table_may_be_called_anything():
    tables = Tables("feltside")
    for name in ("²", "2"):
        told(tables, 2, name=name)
    assert {row.table for row in tables.rows(now_s=0.0)} == {"table-²", "table-2"}


def test_what_may_be_old_says_so():
    tables = Tables("feltside")
    topics = told(tables, 1, stale="The table does not answer.")
    row = tables.rows(now_s=0.0)[0]
    assert (row.state, row.words) == ("away", "The table does not answer.")
    told(tables, 1, now_s=1.0)
    assert tables.rows(now_s=1.0 + SILENT_S)[0].state == "live"
    silent = tables.rows(now_s=2.0 + SILENT_S)[0]
    assert (silent.state, silent.words) == (
        "stale",
        "No sign of life for 31 seconds: what stands here may be old.",
    )
    tables.hear(topics.beat, b"alive", now_s=40.0)
    assert tables.rows(now_s=41.0)[0].state == "live"
    tables.hear(topics.availability, OFFLINE, now_s=50.0)
    assert (row := tables.rows(now_s=51.0)[0]).state == "away"
    assert row.seats, "the last score stays on the board, marked"
    assert "switched off" in row.words
    assert tables.rows(now_s=51.0, broker="The broker is away.")[0].words == "The broker is away."


def test_a_board_that_has_only_just_come_gives_the_tables_time_to_speak():
    tables = Tables("feltside")
    told(tables, 1, now_s=0.0)
    tables.begin(1000.0)
    assert tables.rows(now_s=1001.0)[0].state == "live"


@pytest.mark.parametrize(
    "payload", [b"\xff", b"{}", b"[]", b'{"form": 9}', b"x" * 70_000, b'{"form":1,"seats":[1]}', b"null", b"9" * 5000]
)
def test_what_cannot_be_read_hides_nothing_else(payload):
    tables = Tables("feltside")
    topics = told(tables, 1)
    told(tables, 2)
    tables.hear(topics.state, payload, now_s=0.0)
    rows = tables.rows(now_s=0.0)
    assert ["does not understand" in row.words for row in rows] == [True, False]
    assert rows[0].seats, "what was understood last stays"
    assert rows[1].state == "live"


def test_a_table_taken_off_the_broker_is_off_the_board_and_strangers_do_not_flood_it():
    tables = Tables("feltside")
    topics = told(tables, 1)
    tables.hear(topics.state, b"", now_s=0.0)
    tables.hear(topics.availability, b"", now_s=0.0)
    assert tables.rows(now_s=0.0) == []
    for number in range(MOST_TABLES + 50):
        tables.hear(f"feltside/t{number}/availability", ONLINE, now_s=0.0)
    assert len(tables.rows(now_s=0.0)) == MOST_TABLES


def test_names_from_the_network_are_text_and_never_markup():
    tables = Tables("feltside")
    topics = Topics("feltside", "x")
    nasty = json.loads(state_messages(view(2), topics)[0].payload)
    nasty["seats"]["1"]["name"] = "<script>alert(1)</script>\x1b[2J"
    nasty["headline"] = "<img src=x>"
    tables.hear(topics.state, json.dumps(nasty).encode(), now_s=0.0)
    tables.hear(topics.availability, ONLINE, now_s=0.0)
    board = Board(tables.rows(now_s=0.0), "ok", True)
    page = create_app(lambda: board).test_client().get("/")
    assert "<script>alert" not in page.text
    assert "<img" not in page.text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "\x1b" not in "\n".join(text(board))


def test_the_page_and_its_parts(tmp_path):
    tables = Tables("feltside")
    told(tables, 2)
    told(tables, 3, stale="The table does not answer.")
    browser = create_app(lambda: Board(tables.rows(now_s=0.0), "The broker home:1883 answers.", True)).test_client()
    page = browser.get("/").text
    assert page.count('<li class="table') == 2
    assert browser.get("/board").text in page
    found = browser.get("/api/tables").json
    assert [row["state"] for row in found["tables"]] == ["live", "away"]
    for file in ("club.css", "club.js"):
        with browser.get(f"/static/{file}") as answer:
            assert answer.status_code == 200
    lines = list(text(Board(tables.rows(now_s=0.0), "The broker home:1883 answers.", True)))
    assert lines[0] == "2 tables, 1 live. The broker home:1883 answers."
    assert lines[1] == f"{SIGNS['live']} table-2  live   Random Scramble, round 1: Ann 2 5, Bob 2 0. " + (
        "Round 1: 1 run. Press NEXT for round 2."
    )


def test_no_broker_named_is_one_sentence(capsys, tmp_path):
    (tmp_path / "f.toml").write_text("")
    assert main(["club", "--config", str(tmp_path / "f.toml")]) == 2
    assert "no broker is named" in capsys.readouterr().err
    for address in ("home:x", "home:²"):
        assert main(["club", "--broker", address]) == 2
        assert "expected HOST or HOST:PORT" in capsys.readouterr().err


@needs_mosquitto
def test_fifty_tables_on_one_broker(tmp_path, capsys):
    """All are seen, one that drops dead is marked, the broker's own death is said, and everybody comes back."""
    with broker(tmp_path) as found, ExitStack() as hall:
        settings = MqttSettings(broker="127.0.0.1", port=found.port, discovery="")
        club = Listener(settings)
        club.wire._waits_s = (1, 1)
        hall.enter_context(club.wire)
        wires, tellers = {}, {}
        for number in range(MANY):
            topics = Topics("feltside", f"table-{number}")
            wires[number] = Wire(settings, name=f"feltside-{topics.table}", will=topics.will(), waits_s=(1, 1))
            hall.enter_context(wires[number])
            tellers[number] = Teller(wires[number], topics)
            tellers[number].told(view(number))

        def shows(number: int, seen) -> bool:
            row = next((row for row in club.look().rows if row.table == f"table-{number}"), None)
            return row is not None and row.state == "live" and row == read(row.table, payload_of(number, seen))

        def payload_of(number: int, seen) -> bytes:
            return state_messages(seen, Topics("feltside", f"table-{number}"))[0].payload

        until(lambda: club.look().live == MANY, "fifty tables")
        assert all(shows(number, view(number)) for number in range(MANY))

        # Every table moves on at once.
        after = {number: view(number, ask.EndMatch("It is late.")) for number in range(MANY)}
        for number, teller in tellers.items():
            teller.told(after[number])
        until(lambda: all(shows(number, after[number]) for number in range(MANY)), "fifty moves")

        # One table's plug is pulled.
        wires[7]._client.reconnect_delay_set(60, 60)
        wires[7]._client.socket().shutdown(2)
        until(lambda: club.look().rows[7].state == "away", "the last will")
        assert club.look().live == MANY - 1
        assert club.look().rows[7].winner or club.look().rows[7].seats, "what it said last stays on the board"

        # The broker dies and comes back with nothing in its memory.
        found.stop()
        until(lambda: not club.wire.up, "the break")
        assert {row.state for row in club.look().rows} == {"stale"}
        assert "does not answer" in club.look().rows[0].words
        found.start()
        until(lambda: club.look().live == MANY - 1, "all tables after the break")
        assert main(["club", "--broker", f"127.0.0.1:{found.port}", "--text"]) == 0
        printed = capsys.readouterr().out
        assert f"{MANY - 1} tables, {MANY - 1} live." in printed
