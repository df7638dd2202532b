"""Secret until the reveal (DESIGN.md): two evenings that differ only in what players chose sound the same.

We listen to everything that leaves the table before the reveal: lamps, buzzer, the stream to subscribers,
answers, the board's status and the log. Timing is judged by structure: the same steps in the same order, the
same number of writes, answers of the same length.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi.inbox import TableClient, answer_json
from pi.journal import JournalReader
from pi.lamps import Lamp, Pattern
from pi.panel import Panel
from pi.rules import commands as ask
from pi.rules.events import LockedIn
from pi.rules.queueing import Key, PadMode
from pi.rules.secrets import commitment
from pi.rules.values import Seat
from pi.settings import PanelSettings, Settings
from pi.stand_ins.fingers import Fingers, mock_factory
from pi.table import Fittings, Table
from tests.conftest import PATIENCE_S
from tests.kit.boards import MockBoard
from tests.pi.bench import Bench, bench, press

MS = 1_000_000
choices = st.lists(st.sampled_from(["1", "2", "4"]), max_size=6)


def evening(folder: Path, secrets: Sequence[Sequence[str]], *, mode: PadMode) -> tuple[Bench, list[Any]]:
    """Play up to the last lock-in, each seat choosing as its secret says; return what could be heard."""
    table = bench(folder, grace_ms=5, mode=mode)
    table.start("Ann", "Bob", "Cid")
    heard: list[Any] = []
    start_ns = table.clock.ns
    for turn, keys in enumerate(secrets):
        seat = turn + 1
        for n, key in enumerate(keys):
            closed = mode is PadMode.KEYS or keys[:n].count(key) % 2 == 0
            table.clock.ns = start_ns + (seat * 100 + n) * MS
            table.give(press(seat, key, at_ns=table.clock.ns, closed=closed))
            table.pass_ms(5)
        # The public part is the same in both evenings: each LOCK has its hour.
        table.clock.ns = start_ns + seat * 1000 * MS
        for key in ("lock", "lock"):
            table.press(seat, key)
    heard.append(("refused", answer_json(table.ask(ask.LockIn(Seat(1), 7, table.clock.ns, nonce="x" * 32)))))
    return table, [*heard, ("shown", table.shown), ("news", table.news), ("order", table.order)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(PadMode)), st.tuples(choices, choices, choices), st.tuples(choices, choices, choices))
def test_law_lamps_buzzer_news_answers_and_log_are_the_same_whatever_was_chosen(tmp_path_factory, mode, one, other):
    log: list[list[str]] = []
    handler = logging.Handler()
    handler.emit = lambda record: log[-1].append(record.getMessage())  # type: ignore[method-assign]
    root = logging.getLogger("feltside")
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        evenings = []
        for secrets in (one, other):
            log.append([])
            table, heard = evening(tmp_path_factory.mktemp("evening"), secrets, mode=mode)
            evenings.append(heard)
            table.journal.close()
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    assert evenings[0] == evenings[1]
    assert log[0] == log[1]
    assert log[0], "there was something to hear"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 7), st.integers(0, 7))
def test_law_every_prediction_costs_the_same_steps_and_the_same_bytes(tmp_path_factory, one: int, other: int):
    traces = []
    for prediction in (one, other):
        table = bench(tmp_path_factory.mktemp("steps"))
        table.start("Ann", "Bob")
        written: list[int] = []
        table.journal.append = partial(_counted, table.journal.append, written)
        table.order.clear()
        answer = table.ask(ask.LockIn(Seat(1), prediction, table.clock.ns, nonce="n" * 32))
        traces.append((written, list(table.order), len(json.dumps(answer_json(answer)))))
        table.journal.close()
    assert traces[0] == traces[1]


def _counted(append: Any, written: list[int], match: str, events: Sequence[Any], **how: Any) -> int:
    written.append(len(events))
    return append(match, events, **how)


def test_the_board_says_the_same_of_itself_whatever_was_pressed():
    said = []
    for keys in ((), (Key.ONE,), (Key.ONE, Key.TWO, Key.FOUR, Key.FOUR)):
        with MockBoard(PanelSettings()) as board:
            at = time.monotonic_ns() - 2_000 * MS
            moves = [((Seat(1), key), at + n * 100 * MS + up * 50 * MS, not up)
                     for n, key in enumerate(keys) for up in (0, 1)]  # fmt: skip
            board.drive(moves)
            board.rest()
            said.append(board.status())
    assert said[0] == said[1] == said[2]


def test_disks_lying_in_wells_are_nobodys_fault():
    panel = replace(PanelSettings(), mode=PadMode.WELLS)
    said = []
    for closed in ([], [(Seat(2), Key.FOUR)], [(Seat(2), Key.ONE), (Seat(2), Key.TWO)]):
        with MockBoard(panel, closed=closed) as board:
            board.rest()
            said.append(board.status())
    assert said[0] == said[1] == said[2]


def test_the_commitment_tells_nothing_without_its_nonce_and_proves_everything_with_it(tmp_path: Path):
    table = bench(tmp_path)
    table.start("Ann", "Bob")
    table.press(1, "2", "lock")
    (locked,) = [r.event for r in table.journal.events(table.match.id) if isinstance(r.event, LockedIn)]
    seal = partial(commitment, match=table.match.id, round=1)
    sealed = seal(seat=Seat(1), prediction=2, nonce=locked.nonce)
    assert (locked.seat, locked.prediction) == (1, 2)
    assert [p for p in range(8) if seal(seat=Seat(1), prediction=p, nonce=locked.nonce) == sealed] == [2]
    assert sealed not in [seal(seat=Seat(1), prediction=p, nonce="another nonce") for p in range(8)]
    assert sealed != seal(seat=Seat(2), prediction=2, nonce=locked.nonce), "nobody can copy a neighbour's"
    table.journal.close()


# -- the whole table, with a real panel on mock pins ------------------------------------------------------------


class Listened(Panel):
    """A panel that remembers what it was asked to show."""

    shown: list[dict[Lamp, Pattern]]

    def show(self, lamps: Any) -> None:
        self.shown.append(dict(lamps))
        super().show(lamps)


def whole_table(state: Path, secrets: dict[int, str], caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    """Play one round up to the last lock-in on a whole table; return everything that left it."""
    board, factory = PanelSettings(), mock_factory()
    shown: list[dict[Lamp, Pattern]] = []

    def panel(*a: Any, **k: Any) -> Panel:
        made = Listened(*a, factory=factory, **k)
        made.shown = shown
        return made

    ready = threading.Event()
    fittings = Fittings(panel=panel, fingers=Fingers(board, factory))
    table = Table(Settings(state=state, panel=board), fittings=fittings, ready=ready.set)
    thread = threading.Thread(target=table.run)
    thread.start()
    caplog.clear()
    lines: list[str] = []
    try:
        assert ready.wait(PATIENCE_S)
        client = TableClient(state / "table.sock", timeout_s=PATIENCE_S)
        stream = client.subscribe()
        answers = [client.ask(builders_start())]
        # A busy table tells of two steps in one line: each is waited for, so that nothing but secrets differs.
        until(stream, lines, lambda line: line["match"] == answers[0]["match"])
        answers.append(client.ask({"press": {"seat": 0, "key": "next"}}))
        until(stream, lines, lambda line: line["expects"] is not None)
        for seat, keys in secrets.items():
            for key in keys:
                client.ask({"press": {"seat": seat, "key": key}})
            answers.append(client.ask({"press": {"seat": seat, "key": "lock"}}))
            last = lines and json.loads(lines[-1])["seq"]
            until(stream, lines, lambda line, last=last: line["seq"] > last)
        stream.close()
    finally:
        table.stop()
        thread.join(PATIENCE_S)
    match = JournalReader(state / "feltside.sqlite").latest() or ""
    hide = partial(re.compile(f"{re.escape(match)}|{re.escape(str(state))}").sub, "it")
    return {
        "answers": [hide(json.dumps(a)) for a in answers],
        "lines": [hide(line) for n, line in enumerate(lines) if n == 0 or line != lines[n - 1]],
        "log": [hide(r.getMessage()) for r in caplog.records if r.name.startswith("feltside")],
        "lamps": [show for n, show in enumerate(steady(shown)) if n == 0 or show != steady(shown)[n - 1]],
        "files": sorted(p.name for p in state.iterdir()),
    }


def steady(shown: Sequence[dict[Lamp, Pattern]]) -> list[dict[Lamp, Pattern]]:
    """Leave the buzzer out: how long its tone lasts is a matter of the clock, not of the match."""
    return [{lamp: pattern for lamp, pattern in lamps.items() if lamp is not Lamp.BUZZER} for lamps in shown]


def builders_start() -> dict[str, Any]:
    names = [(1, "Ann"), (2, "Bob"), (3, "Cid")]
    return {"command": "start-match", "game": "scramble", "players": [{"seat": s, "name": n} for s, n in names]}


def until(stream: Any, lines: list[str], happened: Any) -> None:
    """Read the stream until something has happened."""
    for line in stream:
        lines.append(json.dumps(line, sort_keys=True))
        if happened(line):
            return


def test_a_whole_table_sounds_the_same_for_two_evenings_that_differ_only_in_secrets(tmp_path: Path, caplog):
    caplog.set_level(logging.DEBUG, logger="feltside")
    one = whole_table(tmp_path / "one", {2: "", 1: "4", 3: "12"}, caplog)
    other = whole_table(tmp_path / "other", {2: "124", 1: "", 3: "1"}, caplog)
    assert one == other
    assert len(one["lines"]) >= 5
