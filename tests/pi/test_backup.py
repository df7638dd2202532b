"""One file out, the same matches back: onto a blank card, over an older journal, never half."""

from __future__ import annotations

import argparse
import json
import shutil
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pi import archive
from pi.bare_felt import FILE
from pi.doors import backup, restore, upkeep
from pi.errors import BadSource, FeltsideError, JournalDamaged, MatchRunning, NewerJournal, TableRunning
from pi.journal import Journal, JournalReader
from pi.journal_check import check
from pi.own_set_file import IN_FORCE
from pi.rules.match import apply, decide, replay
from pi.table import only_table
from pi.upkeep import ASLEEP, check_idle
from tests import builders

UTC_TEXT = "2026-11-21T19:30:45.000Z"
MADE = "2026-11-21T23:00:00.000Z"
STORED = sorted((Path(__file__).parent / "backups").glob("*.feltside"))
"""Backups of the versions so far; each must open in every later one."""


def played(state: Path, *, match: str = "m1", rounds: int = 2) -> dict[int, int]:
    """Play into a state folder and return the standing; the journal stays as a killed table leaves it."""
    commands = [builders.start("Ann", "Bob", match=match, target=99)]
    for number in range(1, rounds + 1):
        at = 10.0 * number
        commands += [
            builders.ask.Next(round(at * builders.SECOND)),
            builders.lock(1, 3, at=at + 1),
            builders.lock(2, 1, at=at + 2),
            builders.ask.RuleTotal(number, 3),
        ]
    state_now = builders.NEW
    journal = Journal(state / "feltside.sqlite")
    for command in commands:
        events = decide(state_now, command)
        for event in events:
            state_now = apply(state_now, event)
        journal.append(match, events, at_ns=1, utc=UTC_TEXT)
    journal.close()
    return state_now.standing()


def standing(state: Path) -> dict[int, int]:
    reader = JournalReader(state / "feltside.sqlite")
    newest = reader.latest()
    assert newest
    return replay(record.event for record in reader.events(newest)).standing()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    (folder / "evidence").mkdir(parents=True)
    (folder / "evidence" / "f1.jpg").write_bytes(b"a picture")
    (folder / "evidence" / "f1.json").write_text("{}")
    (folder / "web-secret").write_bytes(b"s" * 32)
    played(folder)
    return folder


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    folder = tmp_path / "blank"
    folder.mkdir()
    return folder


def saved(state: Path, name: str = "b.feltside") -> Path:
    file = state.parent / name
    archive.write(
        file, journal=state / "feltside.sqlite", evidence=state / "evidence", settings=None, made=MADE, replace=True
    )
    return file


def test_a_backup_restores_on_a_blank_card(state, blank):
    archive.restore(saved(state), state=blank, aside=".old")
    check(blank / "feltside.sqlite")
    assert standing(blank) == standing(state)
    assert (blank / "evidence" / "f1.jpg").read_bytes() == b"a picture"
    assert not list(blank.glob("*secret*")), "what signs cookies is each table's own"
    with Journal(blank / "feltside.sqlite"):
        pass  # the table opens it


@pytest.mark.parametrize("name", [IN_FORCE, FILE])
def test_what_the_eye_was_shown_comes_along(state, blank, name):
    (state / name).write_bytes(b"crops and labels, or a felt")
    archive.restore(saved(state), state=blank, aside=".old")
    assert (blank / name).read_bytes() == b"crops and labels, or a felt"


def test_a_backup_may_be_made_while_a_match_is_played(state, blank):
    with Journal(state / "feltside.sqlite") as journal:
        events = [record.event for record in journal.events("m1")]
        journal.append("m1", decide(replay(events), builders.ask.Next(99 * builders.SECOND)), at_ns=2, utc=UTC_TEXT)
        assert (state / "feltside.sqlite-wal").exists(), "the journal is open and has a log"
        file = saved(state)
    archive.restore(file, state=blank, aside=".old")
    assert standing(blank) == standing(state)


def test_only_its_owner_may_read_a_backup(state):
    assert saved(state).stat().st_mode & 0o777 == 0o600


def test_an_older_journal_is_kept_beside_the_restored_one(state, blank):
    file = saved(state)
    mine = played(blank, match="mine", rounds=1)
    archive.restore(file, state=blank, aside=".old")
    assert standing(blank) == standing(state)
    (blank / "x").mkdir()
    shutil.copy(blank / "feltside.sqlite.old", blank / "x" / "feltside.sqlite")
    assert standing(blank / "x") == mine
    check(blank / "feltside.sqlite")


def test_a_damaged_journal_is_moved_aside_as_it_is(state, blank):
    (blank / "feltside.sqlite").write_bytes(b"rubbish" * 99)
    (blank / "feltside.sqlite-wal").write_bytes(b"rubbish")
    (blank / "feltside.sqlite.last").write_bytes(b"rubbish")
    archive.restore(saved(state), state=blank, aside=".old")
    assert standing(blank) == standing(state)
    check(blank / "feltside.sqlite")
    assert (blank / "feltside.sqlite.old").read_bytes() == b"rubbish" * 99


def altered(file: Path, change) -> Path:
    """Return a copy of a backup whose head was changed."""
    out = file.with_name("altered.feltside")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == archive.HEAD:
                head = json.loads(data)
                change(head)
                data = json.dumps(head).encode()
            new.writestr(name, data)
    return out


def newer_format(head):
    head["feltside-backup"] = archive.FORMAT + 1


def newer_schema(head):
    head["schema"] += 1


def climbs_out(head):
    head["files"]["evidence/../../etc/passwd"] = "0" * 64


def names_a_stranger(head):
    head["files"]["web-secret"] = "0" * 64


def other_digest(head):
    head["files"]["feltside.sqlite"] = "0" * 64


def no_numbers(head):
    head["schema"] = "?"


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (newer_format, NewerJournal, "was made by a newer Feltside"),
        (newer_schema, NewerJournal, "was made by a newer Feltside"),
        (climbs_out, BadSource, "which no backup of ours does"),
        (names_a_stranger, BadSource, "which no backup of ours does"),
        (other_digest, BadSource, "is damaged, at feltside.sqlite"),
        (no_numbers, BadSource, "is no backup"),
    ],
)
def test_what_is_not_ours_or_not_whole_changes_nothing(state, blank, change, error, sentence):
    file = altered(saved(state), change)
    mine = played(blank, match="mine", rounds=1)
    before = sorted(p.name for p in blank.iterdir())
    with pytest.raises(error, match=sentence):
        archive.restore(file, state=blank, aside=".old")
    assert sorted(p.name for p in blank.iterdir()) == before
    assert standing(blank) == mine


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9])
def test_half_a_backup_is_refused(state, blank, keep):
    file = saved(state)
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(BadSource, match="is no backup, or only part of one"):
        archive.restore(file, state=blank, aside=".old")
    assert list(blank.iterdir()) == []


def test_a_damaged_journal_is_not_backed_up_as_if_it_were_well(state):
    (state / "feltside.sqlite").write_bytes(b"rubbish" * 99)
    with pytest.raises(JournalDamaged):
        saved(state)
    assert not (state.parent / "b.feltside").exists()


def test_an_older_backup_is_replaced_only_when_asked(state):
    file = saved(state)
    with pytest.raises(BadSource, match="is there already"):
        archive.write(file, journal=state / "feltside.sqlite", evidence=None, settings=None, made=MADE)


def arguments(module, *words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    return parser.parse_args(list(words))


def test_the_commands(state, blank, capsys):
    file = state.parent / "b.feltside"
    assert backup.run(arguments(backup, str(file), "--state", str(state))) == 0
    assert restore.run(arguments(restore, str(file), "--look")) == 0
    assert restore.run(arguments(restore, str(file), "--state", str(blank))) == 0
    out = capsys.readouterr().out
    assert out.count("2 files of evidence") == 3
    assert standing(blank) == standing(state)
    with only_table(blank), pytest.raises(TableRunning):
        restore.run(arguments(restore, str(file), "--state", str(blank)))


@pytest.mark.parametrize("file", STORED, ids=lambda p: p.stem)
def test_backups_of_earlier_versions_keep_opening(file, blank):
    archive.restore(file, state=blank, aside=".old")
    told = json.loads(file.with_suffix(".json").read_text())
    assert {str(seat): points for seat, points in standing(blank).items()} == told["standing"]
    with Journal(blank / "feltside.sqlite") as journal:
        assert [started.match for started in journal.matches()] == told["matches"]


def test_there_is_a_stored_backup_of_this_version():
    assert any(archive.read_head(file).version == archive.our_version() for file in STORED) or (
        archive.our_version() == "unknown"
    )


# -- what the installer asks --------------------------------------------------------------------------


def test_an_update_waits_for_the_end_of_a_match_but_not_for_one_left_lying(state):
    journal, then = state / "feltside.sqlite", datetime.fromisoformat(UTC_TEXT.replace("Z", "+00:00"))
    for now in (then + timedelta(minutes=5), then - timedelta(days=2)):  # the date may be set back
        with pytest.raises(MatchRunning, match="match m1 is being played"):
            check_idle(journal, now=now)
    check_idle(journal, now=then + ASLEEP)


def test_no_match_and_one_that_is_over_are_idle(tmp_path, state):
    now = datetime.now(UTC)
    check_idle(tmp_path / "none.sqlite", now=now)
    with Journal(state / "feltside.sqlite") as journal:
        events = [record.event for record in journal.events("m1")]
        over = decide(replay(events), builders.ask.EndMatch("late"))
        journal.append("m1", over, at_ns=3, utc=now.isoformat(timespec="milliseconds"))
    check_idle(state / "feltside.sqlite", now=now)


def test_the_installer_is_answered_by_status_and_sentence(state, tmp_path, capsys):
    with Journal(state / "feltside.sqlite") as journal:
        events = [record.event for record in journal.events("m1")]
        more = decide(replay(events), builders.ask.Next(99 * builders.SECOND))
        journal.append("m1", more, at_ns=3, utc=datetime.now(UTC).isoformat(timespec="milliseconds"))
    assert upkeep.main(["idle", "--state", str(state)]) == 2
    assert "feltside: match m1 is being played" in capsys.readouterr().err
    bad = tmp_path / "bad.toml"
    bad.write_text("[tabel]")
    assert upkeep.main(["settings", "--config", str(bad)]) == 2
    assert "unknown section 'tabel'" in capsys.readouterr().err
    assert upkeep.main(["settings"]) == 0


def test_the_installed_settings_are_read_where_there_are_some(tmp_path):
    there = tmp_path / "feltside.toml"
    assert upkeep.installed_settings(None, installed=there) is None
    there.write_text("")
    assert upkeep.installed_settings(None, installed=there) == there
    assert upkeep.installed_settings(tmp_path / "mine", installed=there) == tmp_path / "mine"
    assert issubclass(MatchRunning, FeltsideError)
