"""The door: rubbish, half lines, huge lines, many and slow clients; stamps nobody may choose; secrets on the wire.

Most tests turn the door by hand in one thread, so that nothing has to be waited for.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi.door import MOST_CLIENTS, SLOW_S, Door
from pi.errors import BadMessage, BadSettings, TableAway
from pi.inbox import HEARTBEAT_S, LONGEST_LINE, Done, Expect, Failed, Inbox, Status, TableClient, read_line
from pi.rules import commands as ask
from pi.rules.ruleset import Reason, Refused
from pi.stamps import Stamps, new_match_id, new_nonce
from tests.conftest import PATIENCE_S
from tests.pi.bench import NONCE, Bench, HandClock, bench

START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}],
}


class Seconds:
    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


class Client:
    """A bare connection that never waits."""

    def __init__(self, doorway: Doorway) -> None:
        self.doorway = doorway
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(str(doorway.door.path))
        self.sock.setblocking(False)
        doorway.turn()

    def send(self, data: bytes | dict[str, Any]) -> Client:
        raw = data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n"
        while raw:
            try:
                raw = raw[self.sock.send(raw) :]
            except BlockingIOError:
                self.doorway.turn()
        self.doorway.turn()
        return self

    def heard(self) -> bytes:
        """Return everything that has come; b'' also when the door hung up."""
        got = b""
        while True:
            try:
                chunk = self.sock.recv(1 << 20)
            except (BlockingIOError, ConnectionResetError):
                return got
            if not chunk:
                return got
            got += chunk

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.heard().splitlines()]

    def gone(self) -> bool:
        try:
            return self.sock.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except ConnectionResetError:
            return True


class Doorway:
    """A door turned by hand, perhaps with a referee behind it."""

    def __init__(self, folder: Path, *, press: Any = None) -> None:
        self.inbox, self.clock, self.seconds = Inbox(), HandClock(), Seconds()
        stamps = Stamps(self.clock, 50_000_000, lambda: NONCE, lambda: "20261121-193045-a3f9")
        self.door = Door(folder / "t.sock", self.inbox, stamps=stamps, press=press, monotonic_s=self.seconds)
        self.bench: Bench | None = None
        self.clients: list[Client] = []

    def client(self) -> Client:
        self.clients.append(Client(self))
        return self.clients[-1]

    def turn(self) -> None:
        """Let door and referee do everything there is to do."""
        for _ in range(4):
            self.door.turn(timeout_s=0)
            while self.bench and (envelope := self.inbox.take(timeout_s=0)):
                self.clock.ns += 1_000_000
                self.bench.clock.ns = self.clock.ns
                self.bench.referee.receive(envelope)
                self.bench.referee.work()

    def ask(self, client: Client, request: dict[str, Any]) -> dict[str, Any]:
        return client.send(request).lines()[-1]

    def close(self) -> None:
        for client in self.clients:
            client.sock.close()
        self.door.close()


@pytest.fixture
def doorway(tmp_path: Path) -> Iterator[Doorway]:
    found = Doorway(tmp_path)
    yield found
    found.close()


@pytest.fixture
def table(tmp_path: Path, doorway: Doorway) -> Iterator[Doorway]:
    doorway.bench = bench(tmp_path)
    doorway.bench.news.clear()
    ways = doorway.bench.referee._ways
    object.__setattr__(ways, "publish", doorway.door.publish)
    yield doorway
    doorway.bench.journal.close()


# -- what comes in --------------------------------------------------------------------------------------


def test_a_command_gets_its_stamps_from_the_table(doorway: Doorway):
    doorway.clock.ns = 77
    doorway.client().send({"command": "lock-in", "seat": 2, "prediction": 5})
    envelope = doorway.inbox.take(timeout_s=0)
    assert envelope is not None
    assert envelope.item == ask.LockIn(2, 5, 77, NONCE, 50_000_000, "phone")
    assert envelope.at_ns == 77


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [
        ("lock-in", "at_ns", 1),
        ("lock-in", "nonce", "00"),
        ("lock-in", "bound_ns", 0),
        ("lock-in", "via", "pad"),
        ("next", "at_ns", 1),
        ("start-match", "match", "m1"),
    ],
)
def test_what_the_table_stamps_a_client_may_not_choose(doorway: Doorway, command, field, value):
    answer = doorway.client().send({"command": command, "seat": 1, "prediction": 1, field: value}).lines()
    assert answer == [{"error": f"the table itself fills in '{field}' (expected it to be left out), at /{command}"}]
    assert doorway.inbox.take(timeout_s=0) is None


def test_nonces_have_128_bits_and_match_ids_begin_with_the_time():
    assert len(bytes.fromhex(new_nonce())) == 16
    assert new_nonce() != new_nonce()
    assert len(new_match_id()) == len("20261121-193045-a3f9")


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"nonsense\n",
        b"[]\n",
        b'"x"\n',
        b"{}\n",
        b"\xff\xfe\n",
        b"{" * 5000 + b"\n",
        b"[" * 100_000 + b"\n",
        b'{"command": 5}\n',
        b'{"command": "dance"}\n',
        b'{"command": "lock-in"}\n',
        b'{"command": "lock-in", "seat": "x", "prediction": 1}\n',
        b'{"command": "lock-in", "seat": 1, "prediction": 1e999}\n',
        b'{"command": "rule-total", "round": 1, "total": 99999999999999999999999}\n',
        b'{"command": "rule-total", "round": 1, "total": NaN}\n',
        b'{"status": 5}\n',
        b'{"status": {"prediction": {}}}\n',
        b'{"status": {"camera": "ok"}}\n',
        b'{"subscribe": false}\n',
        b'{"press": {"seat": 1, "key": "lock"}}\n',
    ],
)
def test_rubbish_is_answered_in_one_sentence_and_the_connection_lives(doorway: Doorway, line: bytes):
    client = doorway.client()
    (answer,) = client.send(line).lines()
    assert set(answer) == {"error"}
    assert client.send({"status": {"camera": {"state": "ok"}}}).lines() == [{"ok": True}]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_no_bytes_bring_the_door_down(doorway: Doorway, data: bytes):
    doorway.client().send(data)
    client = doorway.client()
    assert client.send({"status": {"eye": {}}}).lines() == [{"ok": True}]
    for one in doorway.clients:
        one.sock.close()
    doorway.clients.clear()
    doorway.turn()


def test_half_a_line_waits_for_its_other_half(doorway: Doorway):
    client = doorway.client()
    client.send(b'{"status": {"cam')
    assert client.heard() == b""
    assert client.send(b'era": {"state": "ok"}}}\n').lines() == [{"ok": True}]
    assert doorway.inbox.take(timeout_s=0).item == Status({"camera": {"state": "ok"}})


def test_half_a_line_and_a_goodbye_are_nothing(doorway: Doorway):
    client = doorway.client()
    client.send(b'{"command": "next"')
    client.sock.close()
    doorway.turn()
    assert doorway.inbox.take(timeout_s=0) is None


def test_a_huge_line_is_answered_and_ends_the_connection(doorway: Doorway):
    client = doorway.client()
    client.sock.setblocking(True)
    client.sock.settimeout(PATIENCE_S)
    feeder = threading.Thread(target=_feed, args=(client.sock, b"x" * (4 * LONGEST_LINE)))
    feeder.start()
    while feeder.is_alive():
        doorway.door.turn(timeout_s=0.01)
    feeder.join()
    doorway.turn()
    client.sock.setblocking(False)
    assert b"longer than 262144 bytes" in client.heard()
    assert client.gone()


def _feed(sock: socket.socket, data: bytes) -> None:
    try:
        sock.sendall(data)
    except OSError:
        return  # the door hung up, as it should


def test_the_longest_line_is_allowed(doorway: Doorway):
    words = "x" * (LONGEST_LINE - 100)
    assert doorway.client().send({"status": {"eye": {"words": words}}}).lines() == [{"ok": True}]


def test_one_turned_away_is_not_the_others_trouble(doorway: Doorway):
    clients = [doorway.client() for _ in range(MOST_CLIENTS + 3)]
    assert [c.gone() for c in clients] == [False] * MOST_CLIENTS + [True] * 3
    assert clients[0].send({"status": {"eye": {}}}).lines() == [{"ok": True}]


def test_a_command_may_say_for_which_state_it_is_meant(doorway: Doorway):
    doorway.client().send({"command": "undo", "steps": 3, "expect_seq": 412, "expect_match": "m1"})
    taken = doorway.inbox.take(timeout_s=0)
    assert (taken.item, taken.expect) == (ask.Undo(steps=3), Expect(412, "m1"))
    doorway.client().send({"command": "undo", "expect_seq": 7})
    assert doorway.inbox.take(timeout_s=0).expect == Expect(7)
    doorway.client().send({"command": "undo"})
    assert doorway.inbox.take(timeout_s=0).expect is None
    for bad in (
        {"expect_seq": "7"},
        {"expect_seq": True},
        {"expect_match": "m1"},
        {"expect_seq": 1, "expect_match": 2},
    ):
        (answer,) = doorway.client().send({"command": "undo"} | bad).lines()
        assert "'expect_seq' is the journal's seq" in answer["error"]
    assert doorway.inbox.take(timeout_s=0) is None


def test_the_next_line_of_a_client_waits_for_the_answer_to_the_one_before(doorway: Doorway):
    client = doorway.client()
    client.send(b'{"command": "undo"}\n{"command": "redo"}\n{"status": {"eye": {}}}\n')
    first = doorway.inbox.take(timeout_s=0)
    assert first.item == ask.Undo()
    assert doorway.inbox.take(timeout_s=0) is None
    first.reply(Done("m1", 7))
    doorway.turn()
    assert client.lines() == [{"ok": True, "match": "m1", "seq": 7}]
    second = doorway.inbox.take(timeout_s=0)
    second.reply(Refused(Reason.NOTHING_TO_REDO, "Nothing."))
    doorway.turn()
    assert client.lines() == [{"refused": "nothing-to-redo", "sentence": "Nothing."}, {"ok": True}]


def test_an_answer_for_a_client_that_left_goes_nowhere(doorway: Doorway):
    client = doorway.client()
    client.send({"command": "undo"})
    client.sock.close()
    doorway.turn()
    doorway.inbox.take(timeout_s=0).reply(Failed("no"))
    doorway.turn()
    assert doorway.client().send({"status": {"eye": {}}}).lines() == [{"ok": True}]


def test_one_that_says_no_more_still_gets_its_answer(doorway: Doorway):
    client = doorway.client()
    client.send({"command": "undo"})
    client.sock.shutdown(socket.SHUT_WR)
    doorway.turn()
    doorway.inbox.take(timeout_s=0).reply(Done("m1", 7))
    doorway.turn()
    assert client.lines() == [{"ok": True, "match": "m1", "seq": 7}]
    assert client.gone()


def test_pads_are_pressed_only_in_a_simulation(tmp_path: Path):
    pressed = []

    def press(fields):
        pressed.append(fields)
        return {"ok": True}

    doorway = Doorway(tmp_path, press=press)
    answer = doorway.client().send({"press": {"seat": 1, "key": "lock", "closed": True}}).lines()
    assert (answer, pressed) == ([{"ok": True}], [{"seat": 1, "key": "lock", "closed": True}])
    doorway.close()


def test_a_socket_path_that_is_too_long_is_said(tmp_path: Path):
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    with pytest.raises(BadSettings, match="too long"):
        Doorway(folder)


def test_a_dead_tables_socket_is_taken_over(tmp_path: Path):
    first = Doorway(tmp_path)
    second = Doorway(tmp_path)
    assert second.client().send({"status": {"eye": {}}}).lines() == [{"ok": True}]
    second.close()
    first.close()


# -- what goes out --------------------------------------------------------------------------------------


def test_twenty_subscribers_hear_the_news_at_once_and_a_newcomer_the_latest(doorway: Doorway):
    early = [doorway.client().send({"subscribe": True}) for _ in range(20)]
    doorway.door.publish({"seq": 1})
    doorway.turn()
    assert [c.lines() for c in early] == [[{"seq": 1}]] * 20
    assert doorway.client().send({"subscribe": True}).lines() == [{"seq": 1}]


def test_a_subscriber_hears_a_heartbeat_in_a_quiet_evening(doorway: Doorway):
    client = doorway.client().send({"subscribe": True})
    doorway.door.publish({"seq": 1})
    doorway.turn()
    client.heard()
    doorway.seconds.s += HEARTBEAT_S + 0.1
    doorway.turn()
    assert client.lines() == [{"seq": 1}]


def test_a_slow_subscriber_gets_no_backlog_then_is_dropped_and_nobody_waits_for_it(doorway: Doorway):
    slow, quick = (doorway.client().send({"subscribe": True}) for _ in range(2))
    for seq in range(3000):
        doorway.door.publish({"seq": seq, "fill": "x" * 1000})
        doorway.door.turn(timeout_s=0)
        quick.heard()
    backlog = next(c for c in doorway.door._clients.values() if c.outward)
    assert len(backlog.outward) < 5000, "never more than the line under way"
    doorway.seconds.s += SLOW_S + 1
    doorway.turn()
    quick.heard()
    lines = slow.heard().splitlines()
    assert len(lines) < 3000
    assert slow.gone()
    doorway.door.publish({"seq": 9999})
    doorway.turn()
    assert quick.lines()[-1] == {"seq": 9999}


def test_one_that_reads_again_in_time_gets_the_latest_news_and_not_what_it_missed(doorway: Doorway):
    slow = doorway.client().send({"subscribe": True})
    for seq in range(3000):
        doorway.door.publish({"seq": seq, "fill": "x" * 1000})
        doorway.door.turn(timeout_s=0)
    heard = slow.heard()
    doorway.turn()
    lines = (heard + slow.heard()).splitlines()
    assert json.loads(lines[-1])["seq"] == 2999
    assert len(lines) < 3000


# -- secrets --------------------------------------------------------------------------------------------


def evening(folder: Path, predictions: tuple[int, int], caplog: pytest.LogCaptureFixture) -> list[bytes]:
    """Return every byte that left the table, and every log line, up to just before the reveal."""
    folder.mkdir()
    caplog.clear()
    doorway = Doorway(folder)
    doorway.bench = bench(folder)
    object.__setattr__(doorway.bench.referee._ways, "publish", doorway.door.publish)
    listener = doorway.client().send({"subscribe": True})
    said = []
    phone = doorway.client()
    requests: list[dict[str, Any]] = [
        START,
        {"command": "next"},
        {"command": "lock-in", "seat": 1, "prediction": predictions[0]},
        {"command": "lock-in", "seat": 1, "prediction": predictions[1]},
        {"command": "lock-in", "seat": 2, "prediction": predictions[1]},
        {"command": "undo"},
        {"command": "redo"},
    ]
    for request in requests:
        said.append(phone.send(request).heard())
    said.append(listener.heard())
    said.append(repr([(r.levelname, r.getMessage()) for r in caplog.records]).encode())
    said.append(repr([{k.value: v.value for k, v in lamps.items()} for lamps in doorway.bench.shown]).encode())
    doorway.bench.journal.close()
    doorway.close()
    return said


def test_before_the_reveal_no_byte_depends_on_a_prediction(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG")
    one = evening(tmp_path / "one", (3, 0), caplog)
    other = evening(tmp_path / "other", (7, 5), caplog)
    assert one == other
    assert all(one), "there was something to compare"
    assert one[2] == b'{"ok":true,"match":"20261121-193045-a3f9","seq":3}\n'


# -- through the client ---------------------------------------------------------------------------------


@pytest.fixture
def served(table: Doorway) -> Iterator[Doorway]:
    """Serve door and referee on threads, as the table does."""
    from pi.inbox import Stop

    assert table.bench is not None
    door = threading.Thread(target=table.door.run)
    referee = threading.Thread(target=table.bench.referee.run, args=(table.inbox,))
    bench_clock = table.bench.clock
    bench_clock.now_ns = table.clock.now_ns  # type: ignore[method-assign]
    door.start()
    referee.start()
    yield table
    table.inbox.put(Stop())
    table.door.stop()
    door.join()
    referee.join()


def test_the_client_asks_and_subscribes(served: Doorway):
    client = TableClient(served.door.path, timeout_s=PATIENCE_S)
    news = client.subscribe()
    assert client.ask(START) == {"ok": True, "match": "20261121-193045-a3f9", "seq": 1}
    assert next(line["seq"] for line in news if line["seq"]) == 1
    assert client.ask({"command": "start-match", "game": "scramble", "players": []})["refused"]
    news.close()


def test_a_table_that_is_not_there_is_away(tmp_path: Path):
    client = TableClient(tmp_path / "none.sock")
    with pytest.raises(TableAway, match="does not answer"):
        client.ask({"command": "undo"})
    with pytest.raises(TableAway, match="does not answer"):
        next(client.subscribe())


def test_a_table_that_never_answers_is_away(doorway: Doorway):
    client = TableClient(doorway.door.path, timeout_s=0.05)
    with pytest.raises(TableAway, match="does not answer"):
        client.ask({"command": "undo"})


def test_a_table_that_hangs_up_is_away(tmp_path: Path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(tmp_path / "t.sock"))
    listener.listen()
    hanger = threading.Thread(target=lambda: listener.accept()[0].close())
    hanger.start()
    with pytest.raises(TableAway):
        TableClient(tmp_path / "t.sock").ask({"command": "undo"})
    hanger.join()
    listener.close()


def test_numbers_that_no_journal_keeps_are_turned_away():
    assert read_line(b'{"x": 9223372036854775807}') == {"x": 2**63 - 1}
    for bad in (b'{"x": 9223372036854775808}', b'{"x": 1e400}', b'{"x": Infinity}'):
        with pytest.raises(BadMessage):
            read_line(bad)
