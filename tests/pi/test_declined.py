"""What the table declines of a reading is said for as long as it holds, and never depends on a prediction."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi.declined import Declined
from pi.inbox import Done, Status
from pi.rules import commands as ask
from pi.rules.events import Tray
from pi.rules.match import Match
from pi.rules.ruleset import Refused
from pi.rules.seen import ReadDice, SeenDie
from tests.builders import NO_RUN, ONE_RUN, lock, match, play, players, start, tray
from tests.pi.bench import Bench, bench
from tests.rules.test_draw_bridge import opened, reading, typed

FEW = "The tray shows 39 tiles, or in other places than the 40 of a rows board."


def short(text: str = ONE_RUN) -> Tray:
    laid = tray(text)
    return replace(laid, tiles=laid.tiles[:-1], frame="f2")


def said(state: Match, reading: object) -> str:
    return Declined().after(reading, taken=False, match=state).words


@pytest.fixture
def table(tmp_path: Path) -> Bench:
    return bench(tmp_path)


def hears(table: Bench, reading: ask.ReadTray) -> None:
    """Hand a reading in, and let the watcher tell the answer as it does."""
    answer = table.ask(reading)
    tells(table, answer.sentence if isinstance(answer, Refused) else "")


def tells(table: Bench, words: str) -> None:
    eye = {"status": "read", "problems": [], "tiles": 39, "words": words}
    table.give(Status({"camera": {"state": "ok", "words": "fine"}, "eye": eye}), at_ns=table.clock.ns)
    table.referee.work()


def words(table: Bench) -> str:
    return str(table.news[-1]["status"]["eye"]["words"])


def test_a_declined_reading_is_told_until_the_next_is_taken(table: Bench):
    table.start("Ann", "Bob")
    hears(table, ask.ReadTray(short()))
    assert words(table) == FEW
    hears(table, ask.ReadTray(tray(ONE_RUN)))
    assert words(table) == ""


def test_a_lock_in_does_not_silence_it(table: Bench):
    table.start("Ann", "Bob")
    hears(table, ask.ReadTray(short()))
    assert isinstance(table.ask(lock(1, 1, at=9.0)), Done)
    assert words(table) == FEW


def test_it_is_gone_at_once_when_a_step_by_hand_has_settled_it(table: Bench):
    """The watcher goes on saying what it was answered: the tray has not changed."""
    table.start("Ann", "Bob")
    hears(table, ask.ReadTray(short()))
    table.ask(ask.Hold())
    assert words(table) == "", "on hold nobody waits for the eye"
    table.ask(ask.Resume())
    assert words(table) == FEW
    table.ask(ask.Undo())
    assert words(table) == ""


def test_tiles_laid_by_hand_silence_what_was_said_of_them():
    state = opened("Ann", "Bob")
    three = reading((0, 0, 1), (0, 1, 2), (1, 0, 5))
    heard = Declined().after(three, taken=False, match=state)
    assert heard.words.startswith("3 tiles are new")
    laid = typed((0, 0, 1), (0, 1, 2))
    assert heard.after(laid, taken=True, match=play(state, laid)).words == ""
    assert heard.after(laid, taken=False, match=state) == heard, "what was declined of people is answered to them"


def test_what_is_nobodys_concern_or_asked_anyway_is_not_said():
    state = match(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)))
    assert said(state, ask.ReadTray(tray(ONE_RUN))) == "", "the tray lies as it was read"
    assert said(match(start()), ask.ReadTray(tray(ONE_RUN))) == "", "no round is open"
    buster = match(ask.StartMatch("m1", "run-buster", players("Ann", "Bob")), ask.Next(0))
    unsure = SeenDie(0, 3, sure=False, likely=((3, 0.6), (2, 0.4)))
    assert said(buster, ReadDice((*(SeenDie(0, 1),) * 5, unsure))) == "", "that is the question"
    assert "beside the zones" in said(buster, ReadDice((SeenDie(-1, 1),)))


def test_a_tray_that_people_typed_in_is_no_reading_of_the_eyes():
    state = match(start(), ask.Next(0))
    assert said(state, ask.ReadTray(replace(short(), source="table"))) == ""


choices = st.lists(st.integers(0, 7), min_size=2, max_size=2)
READINGS = [short(), short(NO_RUN), tray(ONE_RUN), tray(NO_RUN), tray(NO_RUN, doubts=[(0, 0)])]


@given(one=choices, other=choices, seen=st.sampled_from(READINGS), twice=st.booleans())
@settings(max_examples=60, deadline=None)
def test_secret_until_the_reveal_no_word_on_a_reading_depends_on_a_prediction(one, other, seen, twice):
    """DESIGN: before the reveal nothing that depends on another seat's prediction leaves the server."""
    heard = []
    for first, second in (one, other):
        before = [ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 1, at=2.0), lock(3, 1, at=3.0), ask.Next(9 * 10**9)]
        opened_ = [start("Ann", "Bob", "Cyd"), ask.Next(0), *(before if twice else [])]
        at = 10.0 if twice else 1.0
        state = match(*opened_, lock(1, first, at=at), lock(2, second, at=at + 1))
        heard.append(said(state, ask.ReadTray(replace(seen, frame="f9"))))
    assert heard[0] == heard[1]


@given(one=choices, other=choices)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nor_does_anything_else_that_the_table_tells_of_it(one, other, tmp_path_factory):
    told = []
    for secrets in (one, other):
        table = bench(tmp_path_factory.mktemp("table"))
        table.start("Ann", "Bob", "Cyd")
        for seat, prediction in enumerate(secrets, start=1):
            assert isinstance(table.ask(lock(seat, prediction, at=9.0)), Done)
        hears(table, ask.ReadTray(short()))
        told.append(json.dumps(table.news[-1]["status"]["eye"], sort_keys=True))
    assert told[0] == told[1]
    assert FEW in told[0]
