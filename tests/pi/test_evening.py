"""Simulated people at a table of our own making: what they press and say, without processes or waiting."""

from __future__ import annotations

import pytest

from pi.errors import TableAway
from pi.panel import Panel
from pi.rules import commands as ask
from pi.rules.commands import encode
from pi.rules.events import SeenTile, Tray
from pi.rules.match import NEW, apply, decide
from pi.rules.queueing import Key, Pad, Press
from pi.rules.ruleset import Refused
from pi.rules.values import Seat
from pi.settings import PanelSettings
from pi.stand_ins.evening import BRISK, Evening, Manners
from pi.stand_ins.fingers import Fingers, mock_factory
from pi.stand_ins.lookout import Lookout
from pi.stand_ins.shuffle import deal
from tests.builders import start
from tests.pi.cameras import Clock


class Record:
    def __init__(self, event):
        self.event = event


class TableDouble:
    """Rules, pads and journal of a table in one object; news whenever something happened."""

    def __init__(self, *, unsure: int = 0, reads: bool = True, players=("Ann", "Bob")) -> None:
        self.events, self.match, self.now_ns = [], NEW, 0
        self.pads: dict[int, Pad] = {}
        self.asked, self.refuse_seats = [], set()
        self.unsure, self.reads = unsure, reads
        self.tell = []
        self.away = 0
        self.do(start(*players))

    def do(self, command):
        answer = decide(self.match, command)
        if isinstance(answer, Refused):
            return {"refused": answer.reason.value, "sentence": answer.sentence}
        for event in answer:
            self.events.append(event)
            self.match = apply(self.match, event)
        self.tell.append(len(self.events))
        return {"ok": True}

    # what a client sees

    def ask(self, request):
        if self.away:
            self.away -= 1
            raise TableAway("the table does not answer")
        self.now_ns += 1_000_000_000
        self.asked.append(request)
        if "press" in request:
            return self.press(**request["press"])
        return self.do(ask.decode(request))

    def press(self, *, seat, key, simulated):
        assert simulated
        if seat in self.refuse_seats:
            return {"refused": "played-by-a-person"}
        if key == "next":
            self.pads.clear()
            self.do(ask.Next(self.now_ns))
            self.read()
            return {"ok": True}
        pad = self.pads.get(seat, Pad())
        if key == "lock":
            self.do(ask.LockIn(Seat(seat), pad.prediction(at_ns=self.now_ns), self.now_ns, nonce=f"n{self.now_ns}"))
        self.pads[seat] = pad.pressed(Press(Seat(seat), Key(key), self.now_ns))
        return {"ok": True}

    def read(self):
        if not self.reads or self.match.state.current is None:
            return
        dealt = deal("rows", seed=1, match="", round=self.match.state.current.number)
        cells = [(r, c, s) for r, row in enumerate(dealt.symbols()) for c, s in enumerate(row)]
        tiles = [SeenTile(r, c, s, sure=n >= self.unsure) for n, (r, c, s) in enumerate(cells)]
        self.do(ask.ReadTray(Tray(tuple(tiles), frame="f")))


class Journal:
    """What a journal reader sees of the double."""

    def __init__(self, table: TableDouble) -> None:
        self.table = table

    def latest(self) -> str:
        return "m1"

    def events(self, match: str) -> list[Record]:
        return [Record(event) for event in self.table.events]


@pytest.fixture
def evening(monkeypatch):
    def make(table: TableDouble, *, manners: Manners = BRISK, people=()) -> Evening:
        clock = Clock()
        evening = Evening(
            table,
            Journal(table),
            seed=1,
            by_match=False,
            manners=manners,
            people=people,
            monotonic_s=lambda: clock.now_ns / 1e9,
            sleep=clock.sleep,
        )
        heard = [0]

        def wait(lookout, wait_s):
            clock.sleep(max(0.0, wait_s))
            if len(table.tell) == heard[0]:
                return False
            heard[0] = len(table.tell)
            lookout.look()
            return True

        monkeypatch.setattr(Lookout, "start", lambda lookout: None)
        monkeypatch.setattr(Lookout, "wait", wait)
        return evening

    return make


def rounds(number: int):
    return lambda match: len([r for r in getattr(match.state, "rounds", ()) if r.revealed]) >= number


def test_they_open_rounds_lock_in_and_go_on(evening):
    table = TableDouble()
    match = evening(table).run(enough=rounds(2))
    assert [r.revealed for r in match.state.rounds] == [True, True]
    assert all(set(r.seats_in()) == {1, 2} for r in match.state.rounds)
    assert {r["press"]["key"] for r in table.asked} <= {"1", "2", "4", "lock", "next"}


def test_a_seat_for_people_is_left_alone(evening):
    table = TableDouble()
    ticks = iter(range(200))

    def tick():
        if next(ticks) == 20 and table.match.state.current:
            table.do(ask.LockIn(Seat(2), 0, table.now_ns, nonce="x"))

    evening(table, people=(Seat(2),)).run(enough=rounds(1), tick=tick)
    assert not [r for r in table.asked if r["press"]["seat"] == 2]


def test_a_seat_that_a_person_took_over_is_not_pressed_further(evening):
    table = TableDouble()
    table.refuse_seats = {1}
    ticks = iter(range(200))

    def tick():
        if next(ticks) == 20:
            table.do(ask.LockIn(Seat(1), 0, table.now_ns, nonce="x"))

    evening(table).run(enough=rounds(1), tick=tick)
    assert len([r for r in table.asked if r["press"]["seat"] == 1]) == 1


def test_when_people_play_every_seat_nobody_presses_next_for_them(evening):
    table = TableDouble()
    ticks = iter(range(400))

    def tick():
        if next(ticks) == 5:
            table.do(ask.Next(table.now_ns))
        if (current := getattr(table.match.state, "current", None)) and not current.lock_ins:
            table.do(ask.LockIn(Seat(1), 0, table.now_ns, nonce="x"))
            table.do(ask.LockIn(Seat(2), 0, table.now_ns, nonce="y"))
            table.do(ask.RuleTotal(1, 0))  # they count by hand themselves, too

    with pytest.raises(StopIteration):  # the ticks run out, long after the reveal
        evening(table, people=(Seat(1), Seat(2))).run(enough=lambda match: False, tick=tick)
    assert [r.revealed for r in table.match.state.rounds] == [True]
    assert not [r for r in table.asked if "press" in r]


def test_the_table_answers_the_eyes_questions_with_what_lies_there(evening):
    table = TableDouble(unsure=3)
    match = evening(table).run(enough=rounds(1))
    dealt = deal("rows", seed=1, match="", round=1).symbols()
    fixes = match.state.rounds[0].corrections
    assert [(f.row, f.column, f.symbol, f.by) for f in fixes] == [
        (0, n, dealt[0][n], "simulated table") for n in range(3)
    ]


def test_a_tray_that_the_eye_never_reads_is_counted_by_hand(evening):
    match = evening(TableDouble(reads=False)).run(enough=rounds(1))
    assert match.state.rounds[0].ruled.by == "simulated table"


def test_a_table_that_is_away_for_a_moment_is_asked_again(evening):
    table = TableDouble()
    table.away = 3
    match = evening(table).run(enough=rounds(1))
    assert match.state.rounds[0].revealed


def test_nothing_is_pressed_while_the_match_is_on_hold(evening):
    table = TableDouble()
    table.do(ask.Hold(why="tea"))
    ticks = iter(range(60))

    def tick():
        number = next(ticks)
        if number == 50:
            assert table.asked == []
            table.do(ask.Resume())

    evening(table).run(enough=rounds(1), tick=tick)


def test_every_request_is_one_the_door_knows(evening):
    table = TableDouble(unsure=1)
    evening(table).run(enough=rounds(1))
    for request in table.asked:
        if "command" in request:
            assert encode(ask.decode(request))["command"] == request["command"]


class PassThrough:
    def from_monotonic(self, at_ns: int) -> int:
        return at_ns


@pytest.fixture
def board():
    """A real panel on mock pins, fingers over it, and what came out."""
    factory, presses = mock_factory(), []
    with Panel(PanelSettings(), presses.append, clock=PassThrough(), factory=factory) as panel:
        yield panel, Fingers(PanelSettings(), factory), presses
    factory.reset()


def pressed(panel, presses):
    assert panel.rest(5.0)
    return [(p.seat, p.key.value, p.closed) for p in presses]


def test_fingers_press_pins_and_the_panel_hears_them(board):
    panel, fingers, presses = board
    for seat, key in ((1, "1"), (1, "4"), (1, "lock"), (0, "next")):
        assert fingers.press(seat=seat, key=key) == {"ok": True}
    assert pressed(panel, presses) == [(1, "1", True), (1, "4", True), (1, "lock", True), (0, "next", True)]


def test_two_presses_of_one_key_are_two_presses_and_not_a_bounce(board):
    panel, fingers, presses = board
    for _ in range(3):
        fingers.press(seat=2, key="2")
    assert pressed(panel, presses) == [(2, "2", True)] * 3
    times = [p.at_ns for p in presses]
    assert min(b - a for a, b in zip(times, times[1:], strict=False)) >= PanelSettings().lockout_ns


def test_a_person_who_clicks_takes_the_seat_over_until_the_next_round(board):
    _, fingers, _ = board
    fingers.press(seat=1, key="1", round=4)
    refused = fingers.press(seat=1, key="lock", simulated=True, round=4)
    assert refused == {"refused": "played-by-a-person", "sentence": "A person plays seat 1 this round."}
    assert fingers.press(seat=2, key="lock", simulated=True, round=4) == {"ok": True}
    assert fingers.press(seat=1, key="lock", simulated=True, round=5) == {"ok": True}


@pytest.mark.parametrize(("seat", "key"), [(5, "lock"), (1, "8"), (True, "lock"), (0, "lock"), (1, None)])
def test_a_contact_the_board_does_not_have_is_an_error(board, seat, key):
    _, fingers, _ = board
    assert "no contact" in fingers.press(seat=seat, key=key)["error"]
