"""The journal: append only, one writer, whole or refused with one sentence; damage of every kind is made here."""

from __future__ import annotations

import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.errors import FeltsideError, JournalDamaged, NewerJournal, NotWritten, SecondWriter
from pi.journal import Journal, JournalReader
from pi.journal_check import check
from pi.rules import events as happened
from pi.rules.values import Seat
from pi.wal import lost_commits
from tests import builders

UTC = "2026-11-21T19:30:45.000Z"


def started(match: str = "m1") -> happened.MatchStarted:
    return happened.MatchStarted(match, "scramble", builders.players("Ann", "Bob"))


def opened(number: int) -> happened.RoundOpened:
    return happened.RoundOpened(number, number * builders.SECOND)


def add(journal: Journal, *events: object, match: str = "m1", at_ns: int = 1) -> int:
    return journal.append(match, events, at_ns=at_ns, utc=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "feltside.sqlite"


@pytest.fixture
def journal(path: Path):
    with Journal(path) as found:
        yield found


def crashed(folder: Path, *, rounds: int = 40) -> Path:
    """Return a journal as a kill -9 leaves it: everything still in the write-ahead log."""
    with Journal(folder / "live.sqlite") as journal:
        add(journal, started())
        for number in range(1, rounds + 1):
            add(journal, opened(number))
        kept = folder / "feltside.sqlite"
        for end in ("", "-wal", ".last"):
            shutil.copy(folder / f"live.sqlite{end}", folder / f"feltside.sqlite{end}")
    return kept


def checkpointed(folder: Path, *, rounds: int = 200) -> Path:
    """Return a journal that was closed well."""
    path = folder / "feltside.sqlite"
    with Journal(path) as journal:
        add(journal, started())
        add(journal, *(opened(n) for n in range(1, rounds + 1)))
    return path


def files(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder; SQLite's shared memory and an empty log come with looking."""
    found = {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.endswith("-shm")}
    return {name: data for name, data in found.items() if data or not name.endswith("-wal")}


def refused(path: Path, kind: type[FeltsideError] = JournalDamaged) -> str:
    """Return the sentence with which a journal is refused; nothing on disk may have changed."""
    before = files(path.parent)
    with pytest.raises(kind) as no:
        Journal(path)
    assert files(path.parent) == before
    sentence = str(no.value)
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


# -- what it keeps --------------------------------------------------------------------------------------


def test_events_come_back_as_they_were_written(journal: Journal, path: Path):
    events = (started(), opened(1), happened.TrayRead(1, builders.tray(builders.ONE_RUN)))
    assert add(journal, *events, at_ns=77) == 3
    records = JournalReader(path).events("m1")
    assert [r.event for r in records] == list(events)
    assert [(r.seq, r.at_ns, r.utc) for r in records] == [(1, 77, UTC), (2, 77, UTC), (3, 77, UTC)]
    assert [r.seq for r in JournalReader(path).events("m1", after=2)] == [3]


def test_the_newest_started_match_is_the_latest_one_whatever_its_name(journal: Journal):
    add(journal, started("z"), match="z")
    add(journal, started("a"), match="a")
    add(journal, opened(1), match="z")
    assert journal.latest() == "a"
    assert [m.match for m in journal.matches()] == ["z", "a"]
    assert (journal.last_seq("z"), journal.last_seq("a"), journal.last_seq("?")) == (2, 1, 0)


def test_a_journal_that_is_not_there_yet_has_no_matches(path: Path):
    reader = JournalReader(path)
    assert (reader.matches(), reader.latest(), reader.events("m1"), reader.last_seq("m1")) == ([], None, [], 0)
    assert not path.exists()


def test_it_is_write_ahead_and_synced_at_every_commit(journal: Journal):
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL


def test_events_can_be_neither_changed_nor_deleted(journal: Journal, path: Path):
    add(journal, started())
    with closing(sqlite3.connect(path)) as db:
        for statement in ("UPDATE events SET at_ns = 5", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                db.execute(statement)


def test_words_are_remembered_with_the_events_or_not_at_all(journal: Journal, path: Path):
    journal.append("m1", [started()], at_ns=1, utc=UTC, words={"pads": "x"})
    assert journal.recall("pads") == "x"
    with Journal(path) as second:
        add(second, opened(1))
    with pytest.raises(SecondWriter):
        journal.append("m1", [opened(1)], at_ns=1, utc=UTC, words={"pads": "y"})
    assert journal.recall("pads") == "x"


def test_a_second_writer_fails_loudly_and_writes_nothing(journal: Journal, path: Path):
    add(journal, started())
    with Journal(path) as second:
        add(second, opened(1))
        with pytest.raises(SecondWriter, match="one table at a time"):
            add(journal, opened(2))
        assert [r.event for r in second.events("m1")] == [started(), opened(1)]


def test_what_could_not_be_written_is_said_and_can_be_tried_again(journal: Journal, path: Path):
    add(journal, started())
    journal._db.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotWritten, match="another program holds"):
            add(journal, opened(1))
    assert add(journal, opened(1)) == 2


def test_a_full_disk_is_said_and_nothing_is_half_written(journal: Journal):
    add(journal, started())
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotWritten, match="the disk is full"):
        add(journal, *(happened.TrayRead(1, builders.tray(builders.ONE_RUN)) for _ in range(20)))
    assert journal.last_seq("m1") == 1
    journal._db.execute("PRAGMA max_page_count = 1000000")
    assert add(journal, opened(1)) == 2


# -- what a crash or a bad card leaves --------------------------------------------------------------------


def test_after_a_kill_everything_acknowledged_is_there(tmp_path: Path):
    path = crashed(tmp_path)
    with Journal(path) as journal:
        assert [r.event for r in journal.events("m1")] == [started(), *map(opened, range(1, 41))]


def test_a_transaction_that_was_torn_by_a_power_cut_was_never_acknowledged_and_is_dropped(tmp_path: Path):
    path = crashed(tmp_path)
    wal = path.with_name(path.name + "-wal")
    torn = wal.read_bytes()
    wal.write_bytes(torn + torn[-2000:])  # the next transaction had begun, with old checksums
    with Journal(path) as journal:
        assert journal.last_seq("m1") == 41


def torn(path: Path, before: bytes) -> None:
    """Spoil the first page that a journal's log did not hold before; what follows it is there."""
    wal = path.with_name(path.name + "-wal")
    log = bytearray(wal.read_bytes())
    size = 24 + struct.unpack(">I", log[8:12])[0]
    new = next(at for at in range(32, len(log), size) if log[at : at + size] != before[at : at + size])
    log[new + 100] ^= 1
    wal.write_bytes(log)


def cut(journal: Journal, folder: Path, *events: object) -> Path:
    """Return a journal as a power cut leaves it that tears the transaction of these events."""
    folder.mkdir()
    kept, wal = folder / "feltside.sqlite", journal.path.with_name(journal.path.name + "-wal")
    before = wal.read_bytes()
    shutil.copy(f"{journal.path}.last", f"{kept}.last")  # nobody was told of the events
    add(journal, *events)
    shutil.copy(journal.path, kept)
    shutil.copy(wal, f"{kept}-wal")
    torn(kept, before)
    return kept


def test_a_power_cut_in_the_first_write_after_a_power_cut_is_no_damage(tmp_path: Path):
    """Both cuts tore a transaction nobody was told of; what is left of two looks like acknowledged ones lost."""
    with Journal(tmp_path / "feltside.sqlite") as journal:
        add(journal, started())
        once = cut(journal, tmp_path / "once", *map(opened, range(1, 200)))
    with Journal(once) as journal:
        assert journal.last_seq("m1") == 1
        twice = cut(journal, tmp_path / "twice", opened(1))
    with Journal(twice) as journal:
        assert journal.last_seq("m1") == 1
        assert add(journal, opened(1)) == 2


def test_a_log_cut_short_below_what_was_acknowledged_is_refused(tmp_path: Path):
    path = crashed(tmp_path)
    wal = path.with_name(path.name + "-wal")
    wal.write_bytes(wal.read_bytes()[:-100])
    sentence = refused(path)
    assert "ends at seq 40 of match m1, but seq 41 was acknowledged" in sentence


def test_a_lost_log_is_refused(tmp_path: Path):
    path = crashed(tmp_path)
    path.with_name(path.name + "-wal").unlink()
    assert "ends at seq 0 of match m1, but seq 41 was acknowledged" in refused(path)


def test_without_the_note_the_way_out_is_open(tmp_path: Path):
    path = crashed(tmp_path)
    wal = path.with_name(path.name + "-wal")
    wal.write_bytes(wal.read_bytes()[:-100])
    path.with_name(path.name + ".last").unlink()
    with Journal(path) as journal:
        assert journal.last_seq("m1") == 40


def test_a_torn_note_is_no_note(tmp_path: Path):
    path = crashed(tmp_path)
    path.with_name(path.name + ".last").write_bytes(b"\xff\x00 half a no")
    with Journal(path) as journal:
        assert journal.last_seq("m1") == 41


def test_a_page_that_rotted_in_the_middle_of_the_log_is_refused_even_without_the_note(tmp_path: Path):
    path = crashed(tmp_path)
    path.with_name(path.name + ".last").unlink()
    wal = path.with_name(path.name + "-wal")
    log = bytearray(wal.read_bytes())
    log[len(log) // 2] ^= 1
    wal.write_bytes(log)
    assert "-wal is damaged before its end" in refused(path)


@pytest.mark.parametrize("page", range(1, 6))
def test_a_zeroed_page_is_refused(tmp_path: Path, page: int):
    path = checkpointed(tmp_path)
    data = bytearray(path.read_bytes())
    size = struct.unpack(">H", data[16:18])[0]
    data[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(data)
    assert "nothing was changed" in refused(path)


@pytest.mark.parametrize("text", [b"", b"not a journal at all\n" * 50, b"SQLite format 3\x00"])
def test_a_file_that_is_no_journal_is_refused(path: Path, text: bytes):
    path.write_bytes(text)
    assert "nothing was changed" in refused(path)


def test_somebody_elses_sqlite_file_is_refused(path: Path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE events (x)")
    assert "not a Feltside journal" in refused(path)


def test_a_file_cut_short_is_refused(tmp_path: Path):
    path = checkpointed(tmp_path)
    path.write_bytes(path.read_bytes()[:-5000])
    refused(path)


def test_a_journal_that_vanished_from_beside_its_log_is_refused(tmp_path: Path):
    path = crashed(tmp_path)
    path.unlink()
    assert "is missing, but feltside.sqlite-wal and feltside.sqlite.last" in refused(path)


def altered(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER IF EXISTS never_changed")
        db.execute("DROP TRIGGER IF EXISTS never_deleted")
        change(db)


def test_a_line_altered_behind_our_back_is_refused(tmp_path: Path):
    path = checkpointed(tmp_path)
    altered(path, lambda db: db.execute("UPDATE events SET data = replace(data, 'Ann', 'Eve') WHERE seq = 1"))
    assert "was altered, at seq 1 of match m1" in refused(path)


def test_a_line_taken_out_behind_our_back_is_refused(tmp_path: Path):
    path = checkpointed(tmp_path)
    altered(path, lambda db: db.execute("DELETE FROM events WHERE seq = 7"))
    assert "has a gap, at seq 7 of match m1" in refused(path)
    with pytest.raises(JournalDamaged, match="has a gap, at seq 7"):
        JournalReader(path).events("m1")


def test_a_newer_schema_is_refused(tmp_path: Path):
    path = checkpointed(tmp_path)
    altered(path, lambda db: db.execute("UPDATE meta SET value = '2' WHERE key = 'schema'"))
    assert "newer Feltside (version 2, expected at most 1)" in refused(path, NewerJournal)


@pytest.mark.parametrize(("name", "version"), [("confetti-thrown", 1), ("round-opened", 99)])
def test_an_event_of_a_newer_feltside_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, version: int
):
    path = tmp_path / "feltside.sqlite"
    with Journal(path) as journal, monkeypatch.context() as newer:
        newer.setattr("pi.rules.events.encode", lambda event: (name, version, {}))
        add(journal, started())
    assert "a newer Feltside wrote this, at seq 1 of match m1" in refused(path, NewerJournal)
    with pytest.raises(NewerJournal, match="a newer Feltside wrote this"):
        JournalReader(path).events("m1")


def test_a_journal_half_made_when_the_plug_was_pulled_is_made_again(path: Path):
    path.with_name(path.name + ".new").write_bytes(b"half")
    with Journal(path) as journal:
        assert add(journal, started()) == 1
    assert not path.with_name(path.name + ".new").exists()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), where=st.sampled_from(["", "-wal"]))
def test_whatever_rots_the_journal_is_whole_or_refused(tmp_path_factory: pytest.TempPathFactory, seed, where):
    """No damage makes a journal that opens and tells another story than the one acknowledged."""
    folder = tmp_path_factory.mktemp("rot")
    chance, path = random.Random(seed), crashed(folder, rounds=12)
    if chance.random() < 0.5:  # half of the time everything is in the main file
        Journal(path).close()
    victim = path.with_name(path.name + where)
    if not victim.exists() or not victim.stat().st_size:
        victim = path
    data = bytearray(victim.read_bytes())
    begin = chance.randrange(len(data))
    match chance.randrange(3):
        case 0:
            data[begin] ^= 1 << chance.randrange(8)
        case 1:
            data[begin : begin + 512] = bytes(len(data[begin : begin + 512]))
        case _:
            del data[begin:]
    victim.write_bytes(data)
    told = [started(), *map(opened, range(1, 13))]
    assert story(path) in (told, "refused")


def story(path: Path) -> list[object] | str:
    """Return the events of match m1, or 'refused' when the journal is refused in one sentence."""
    try:
        with Journal(path) as journal:
            return [r.event for r in journal.events("m1")]
    except (JournalDamaged, NewerJournal) as no:
        return "refused" if "\n" not in str(no) else str(no)


def test_a_whole_log_and_none_have_lost_nothing(tmp_path: Path):
    path = crashed(tmp_path)
    assert not lost_commits(path.with_name(path.name + "-wal"))
    assert not lost_commits(tmp_path / "none")
    check(path)


def test_seats_and_predictions_are_not_in_anything_a_reader_offers_of_the_pads(journal: Journal, path: Path):
    journal.remember({"pads": "secret"})
    assert not hasattr(JournalReader(path), "recall")
    assert Seat(1) == 1
