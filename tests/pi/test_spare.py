"""A card that takes nothing more: play goes on in memory, loudly, and everything is on the card once it can be."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi import spare, thin
from pi.errors import CardRefuses, JournalDamaged
from pi.inbox import Done, Failed
from pi.journal import Journal, JournalReader
from pi.journal_check import check
from pi.referee import Referee, Terms, Ways
from pi.rules.match import replay
from pi.sense import Sense
from pi.spare import RETRY_S, Keeping, SparedReader
from tests import builders
from tests.pi.bench import Bench


class Card:
    """A real journal on a card that can be filled: SQLite itself says that it is full, or read-only."""

    def __init__(self, folder: Path, **how: object) -> None:
        self.path, self.spare = folder / "feltside.sqlite", folder / "run.sqlite"
        self.now_s = 0.0
        self.keeping = Keeping(self.path, spare=self.spare, monotonic_s=lambda: self.now_s, **how)

    def fill(self) -> None:
        self._card.execute(f"PRAGMA max_page_count = {self._card.execute('PRAGMA page_count').fetchone()[0]}")

    def empty(self) -> None:
        self._card.execute("PRAGMA max_page_count = 1000000")

    def write_protect(self) -> None:
        self._card.execute("PRAGMA query_only = 1")

    @property
    def _card(self):
        assert self.keeping._card is not None
        return self.keeping._card._db

    @property
    def web(self) -> SparedReader:
        return SparedReader(self.path, self.spare)


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    made = Card(tmp_path)
    yield made
    made.keeping.close()


def table_on(keeping: Keeping) -> Bench:
    table = Bench(keeping)
    table.start("Ann", "Bob")
    return table


def rounds(table: Bench, count: int) -> None:
    for _ in range(count):
        table.press(1, "1", "2", "lock")
        table.press(2, "4", "lock")
        number = table.referee.round
        assert number is not None
        assert isinstance(table.ask(builders.ask.RuleTotal(number, 1)), Done)
        table.next()


def full_after_a_while(card: Card, table: Bench) -> None:
    """Fill the card, and play until its last pages are written."""
    card.fill()
    for _ in range(200):
        if card.keeping.health[0] == "memory":
            return
        rounds(table, 1)
    raise AssertionError("the card never got full")


def test_on_a_full_card_play_goes_on_in_memory_with_loud_words(card):
    table = table_on(card.keeping)
    full_after_a_while(card, table)
    rounds(table, 2)
    status = table.news[-1]["status"]["journal"]
    assert status["state"] == "memory"
    assert "in memory only" in status["words"]
    assert "the disk is full" in status["words"]
    assert replay(r.event for r in card.web.events(table.match.id)) == table.match, "the pages show the whole match"
    assert card.web.last_seq(table.match.id) == table.referee.seq > JournalReader(card.path).last_seq(table.match.id)


def test_a_card_that_went_read_only_is_left_at_once(card):
    table = table_on(card.keeping)
    card.write_protect()
    rounds(table, 1)
    assert card.keeping.health[0] == "memory"
    assert replay(r.event for r in card.web.events(table.match.id)) == table.match


def test_when_the_card_is_back_everything_is_on_it_and_the_spare_is_gone(card):
    table = table_on(card.keeping)
    full_after_a_while(card, table)
    rounds(table, 2)
    card.now_s += RETRY_S / 2
    card.keeping.tend()
    assert card.spare.exists(), "the card is not tried at every turn"
    card.now_s += RETRY_S
    card.keeping.tend()
    assert card.keeping.health == spare.WELL
    assert not list(card.path.parent.glob("run.sqlite*"))
    rounds(table, 1)
    card.keeping.close()
    check(card.path)
    assert replay(r.event for r in JournalReader(card.path).events(table.match.id)) == table.match


def test_a_match_in_memory_outlives_a_restart_of_the_table(card, monkeypatch):
    table = table_on(card.keeping)
    card.write_protect()
    rounds(table, 2)
    card.keeping.close()
    monkeypatch.setattr(spare, "Journal", refusing(card.path))
    again = Keeping(card.path, spare=card.spare)
    try:
        assert again.health[0] == "memory"
        assert replay(r.event for r in again.events(again.latest() or "")) == table.match
    finally:
        again.close()
    monkeypatch.undo()
    third = Keeping(card.path, spare=card.spare)  # the card is well again
    third.close()
    assert third.health == spare.WELL
    check(card.path)
    assert replay(r.event for r in JournalReader(card.path).events(table.match.id)) == table.match


def refusing(path: Path):
    """Return a Journal class that finds the card read-only."""

    def opened(asked: Path) -> Journal:
        if asked == path:
            raise OSError(30, "Read-only file system")
        return Journal(asked)

    return opened


def test_a_table_that_starts_on_a_read_only_card_takes_the_match_up(card, monkeypatch):
    table = table_on(card.keeping)
    rounds(table, 1)
    told = dict(table.match.standing())
    card.keeping.close()
    monkeypatch.setattr(spare, "Journal", refusing(card.path))
    keeping = Keeping(card.path, spare=card.spare)
    try:
        ways = Ways(lambda: 10**15, lambda: "2026-11-21T20:00:00.000Z", lambda: "n", lambda lamps: None, lambda n: None)
        referee = Referee(keeping, ways=ways, terms=Terms(), sense=Sense())
        assert referee.match.standing() == told
        assert keeping.last_at_ns() > 0
    finally:
        keeping.close()


def test_without_a_folder_in_memory_the_refusal_is_everybody_s(tmp_path):
    keeping = Keeping(tmp_path / "feltside.sqlite", spare=None)
    table = table_on(keeping)
    assert keeping._card is not None
    keeping._card._db.execute("PRAGMA query_only = 1")
    answer = table.ask(builders.ask.RuleTotal(1, 1))
    assert isinstance(answer, Failed)
    assert "does not count" in answer.sentence
    keeping.close()


def test_pictures_go_before_an_event_leaves_the_card(tmp_path):
    made: list[Card] = []

    def thin_once() -> bool:
        made[0].empty()
        return True

    made.append(Card(tmp_path, thin=thin_once))
    table = table_on(made[0].keeping)
    made[0].fill()
    rounds(table, 60)
    assert made[0].keeping.health == spare.WELL
    assert not made[0].spare.exists()
    made[0].keeping.close()


def io_error() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    return error


def test_a_dying_card_is_left_too_but_other_faults_still_end_the_program(card, monkeypatch):
    table = table_on(card.keeping)
    rounds(table, 1)

    def dying(*args: object, **how: object) -> int:
        raise io_error()

    monkeypatch.setattr(card.keeping._card, "append", dying)
    rounds(table, 1)
    assert card.keeping.health[0] == "memory"
    assert "disk I/O error" in card.keeping.health[1]
    assert replay(r.event for r in card.web.events(table.match.id)) == table.match

    def wrong(*args: object, **how: object) -> int:
        raise sqlite3.OperationalError("no such table: events")

    monkeypatch.setattr(card.keeping._spare, "append", wrong)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        table.press(1, "1", "lock")


def test_what_half_reached_a_dying_card_is_found_again_and_never_twice(card):
    table = table_on(card.keeping)
    rounds(table, 1)
    known = card.web.events(table.match.id)
    card.write_protect()
    rounds(table, 1)
    missing = card.web.events(table.match.id)[len(known)]
    with Journal(card.path) as late:  # the first event did get there, though the card said no
        late.append(table.match.id, [missing.event], at_ns=missing.at_ns, utc=missing.utc)
    card.now_s += 2 * RETRY_S
    card.keeping.tend()
    assert card.keeping.health == spare.WELL
    assert replay(r.event for r in JournalReader(card.path).events(table.match.id)) == table.match


def test_a_card_that_tells_another_story_is_not_written_to(card):
    table = table_on(card.keeping)
    card.write_protect()
    rounds(table, 1)
    known = JournalReader(card.path).last_seq(table.match.id)
    with Journal(card.path) as other:
        other.append(table.match.id, [builders.apply and card.web.events(table.match.id)[0].event], at_ns=1, utc="x")
    card.now_s += 2 * RETRY_S
    card.keeping.tend()
    state, words = card.keeping.health
    assert (state, "different stories" in words) == ("memory", True)
    assert JournalReader(card.path).last_seq(table.match.id) == known + 1


def test_damage_is_still_refused_with_its_sentence(tmp_path):
    (tmp_path / "feltside.sqlite").write_bytes(b"rubbish" * 99)
    with pytest.raises(JournalDamaged):
        Keeping(tmp_path / "feltside.sqlite", spare=tmp_path / "run.sqlite")


def test_a_refusal_says_whether_room_would_help():
    assert CardRefuses("x", full=True).full


# -- room for events ------------------------------------------------------------------------------------


def evidence(folder: Path, count: int, *, size: int = 1000) -> list[str]:
    folder.mkdir(exist_ok=True)
    names = [f"20261121T19{n // 60:02}{n % 60:02}-{n:06}" for n in range(count)]
    for name in names:
        (folder / f"{name}.jpg").write_bytes(bytes(size))
        (folder / f"{name}.tray.jpg").write_bytes(bytes(size))
        (folder / f"{name}.json").write_text("{}")
    return names


def test_whole_pictures_of_old_readings_go_first_and_what_was_read_stays(tmp_path):
    names = evidence(tmp_path / "e", 10)
    assert thin.thin(tmp_path / "e", wanted=3000)
    left = {p.name for p in (tmp_path / "e").iterdir()}
    assert not {f"{name}.jpg" for name in names[:3]} & left
    assert {f"{name}.tray.jpg" for name in names} <= left
    assert {f"{name}.json" for name in names} <= left


def test_all_pictures_may_go_and_then_there_is_nothing_more_to_give(tmp_path):
    evidence(tmp_path / "e", 4)
    assert thin.thin(tmp_path / "e", wanted=10**9)
    assert not list((tmp_path / "e").glob("*.jpg"))
    assert not thin.thin(tmp_path / "e")
    assert not thin.thin(tmp_path / "none")


def test_pictures_stay_within_their_bound_and_leave_a_reserve(tmp_path, monkeypatch):
    monkeypatch.setattr(thin, "STEP", 1)
    folder = tmp_path / "e"
    evidence(folder, 10)
    thin.make_room(folder, reserve=0, most=12_000)
    assert 11_000 <= sum(p.stat().st_size for p in folder.iterdir()) <= 12_000
    disk = os.statvfs(folder)
    thin.make_room(folder, reserve=disk.f_bavail * disk.f_frsize * 2, most=10**9)
    assert not list(folder.glob("*.jpg"))
    thin.make_room(tmp_path / "none")
