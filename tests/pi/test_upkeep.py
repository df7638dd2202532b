"""The word that crosses from the pages to root: nothing but a known word does, and each step is told."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from pi.doors import steward, update
from pi.errors import BadSource, MatchRunning
from pi.journal import Journal
from pi.rules import commands as ask
from pi.rules.match import NEW, decide
from pi.upkeep import BUNDLE, REQUEST, Result, State, Task, taken, tell, told
from pi.upkeep import ask as leave
from tests.builders import players

GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
WHO = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]


def test_a_request_is_taken_once(tmp_path):
    leave(tmp_path, Task.DOCTOR)
    assert taken(tmp_path) is Task.DOCTOR
    assert taken(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", [b"", b"reboot", b"update; rm -rf /", b"update\0", b"\xff\xfe", b"update" * 99])
def test_any_other_word_is_thrown_away(tmp_path, word):
    (tmp_path / REQUEST).write_bytes(word)
    assert taken(tmp_path) is None
    assert not (tmp_path / REQUEST).exists(), "or systemd would start the steward for ever"


def test_no_link_folder_or_pipe_is_followed(tmp_path):
    (tmp_path / "secret").write_text("update")
    (tmp_path / REQUEST).symlink_to("secret")
    assert taken(tmp_path) is None
    assert (tmp_path / "secret").exists()
    (tmp_path / REQUEST).mkdir()
    assert taken(tmp_path) is None
    os.mkfifo(tmp_path / REQUEST)
    assert taken(tmp_path) is None, "and nobody waits at it"
    assert [p.name for p in tmp_path.iterdir()] == ["secret"]


def test_a_result_is_read_as_it_was_told_and_rubbish_is_none(tmp_path):
    result = Result(Task.UPDATE, State.RUNNING, "looking", "2026-11-21T19:00:00.000Z", ("looking",))
    tell(tmp_path, result)
    assert told(tmp_path) == result
    for rubbish in (b"", b"[]", b'{"task": "reboot"}', b"\xff"):
        (tmp_path / "result.json").write_bytes(rubbish)
        assert told(tmp_path) is None


def test_a_task_that_was_cut_short_is_said_to_have_failed(tmp_path):
    tell(tmp_path, Result(Task.UPDATE, State.RUNNING, "installing", "2026", ("looking",)))
    steward.main([str(tmp_path), str(tmp_path), "--ended"])
    assert (told(tmp_path).state, told(tmp_path).words) == (State.FAILED, steward.CUT_SHORT)
    tell(tmp_path, Result(Task.UPDATE, State.DONE, "now at version 2", "2026"))
    steward.main([str(tmp_path), str(tmp_path), "--ended"])
    assert told(tmp_path).state is State.DONE


def test_the_doctor_s_errand_leaves_findings_and_a_bundle(tmp_path):
    (tmp_path / "f.toml").write_text(
        f'state = "{tmp_path / "state"}"\n[web]\npin = "4711"\n[panel]\nkind = "none"\n[camera]\nkind = "simulated"\n'
    )
    leave(tmp_path, Task.DOCTOR)
    assert steward.main([str(tmp_path), str(tmp_path), "--config", str(tmp_path / "f.toml")]) == 0
    result = told(tmp_path)
    assert result.state is State.DONE
    assert any("Python" in line for line in result.lines)
    with zipfile.ZipFile(tmp_path / BUNDLE) as zipped:
        assert "4711" not in "".join(zipped.read(name).decode() for name in zipped.namelist())
        assert zipped.read("doctor.txt").decode().splitlines() == list(result.lines)


# -- update -----------------------------------------------------------------------------------------------------


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *WHO, "-C", str(folder), *words], capture_output=True, text=True, check=True, env=os.environ | GIT
    )
    return done.stdout.strip()


class House:
    """An installed table in a folder: its installer is a script that does what the test says."""

    def __init__(self, folder: Path) -> None:
        self.source, self.prefix, self.state = (folder / name for name in ("source", "opt", "state"))
        (self.source / "systemd").mkdir(parents=True)
        (self.prefix / "one").mkdir(parents=True)
        self.state.mkdir()
        git(self.source, "init", "-q")
        (self.prefix / "current").symlink_to("one")
        self.release('echo "feltside: making it"; echo $FELTSIDE_COMMIT > PREFIX/current/COMMIT')
        (self.prefix / "one" / "COMMIT").write_text(git(self.source, "rev-parse", "HEAD") + "\n")
        (self.prefix / "origin").write_text(f"{self.source}\nmain\n")

    def release(self, script: str) -> str:
        """Commit a version whose installer is this script; return the commit."""
        file = self.source / "systemd" / "install.sh"
        file.write_text(f"#!/bin/sh\n{script.replace('PREFIX', str(self.prefix))}\n")
        file.chmod(0o755)
        git(self.source, "add", "-A")
        git(self.source, "commit", "-q", "-m", "x")
        return git(self.source, "rev-parse", "HEAD")

    def update(self, *, force: bool = False, to: str | None = None) -> tuple[int, list[str]]:
        """Update; return the status and what was said."""
        said: list[str] = []
        return update.update(self.prefix, state=self.state, force=force, to=to, say=said.append), said

    def kept(self) -> Result:
        """Return how the last update went."""
        found = told(self.prefix / "told")
        assert found is not None
        return found


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_the_newest_version_is_left_alone(house):
    status, said = house.update()
    assert status == 0
    assert said[-1].startswith("this is the newest version")


def test_a_new_version_is_fetched_and_installed_by_its_own_installer(house):
    commit = house.release('echo "feltside: the new one"; echo $FELTSIDE_COMMIT > PREFIX/current/COMMIT')
    status, said = house.update()
    assert (status, update.installed(house.prefix)) == (0, commit)
    assert said[-2:] == ["the new one", f"now at version {commit[:12]}"]
    assert {p.name for p in house.prefix.iterdir()} == {"current", "one", "origin", "fetched.git", "told"}
    assert house.update()[1][-1].startswith("this is the newest version")


def test_an_installer_that_fails_leaves_the_version_and_says_so(house):
    before = update.installed(house.prefix)
    house.release("echo 'feltside: it does not come up' >&2; exit 2")
    status, said = house.update()
    assert (status, update.installed(house.prefix)) == (2, before)
    assert said[-2:] == ["it does not come up", f"still at version {before[:12]}"]


def test_a_fetch_that_was_cut_short_does_not_spoil_the_next(house):
    house.update()
    (house.prefix / "fetched.git" / "shallow.lock").write_text("")
    (house.prefix / "incoming").mkdir()
    (house.prefix / "incoming" / "half").write_text("")
    commit = house.release("echo $FELTSIDE_COMMIT > PREFIX/current/COMMIT")
    house.update()
    assert update.installed(house.prefix) == commit
    (house.prefix / "fetched.git" / "HEAD").write_text("rubbish")
    house.release("echo once more; echo $FELTSIDE_COMMIT > PREFIX/current/COMMIT")
    with pytest.raises(BadSource, match="cannot be fetched"):
        house.update()
    assert house.update()[0] == 0, "a damaged repository is made anew"


@pytest.mark.parametrize(
    ("origin", "sentence"),
    [
        (None, "no place is known that updates come from"),
        ("here\n", "no place is known"),
        ("ext::sh -c touch% x\nmain\n", "is no place that updates come from"),
        ("--upload-pack=x\nmain\n", "is no place that updates come from"),
        ("/nowhere\nmain\n", "cannot be fetched"),
    ],
)
def test_where_there_is_nothing_to_fetch_nothing_changes(house, origin, sentence):
    (house.prefix / "origin").unlink()
    if origin is not None:
        (house.prefix / "origin").write_text(origin)
    with pytest.raises(BadSource, match=sentence):
        house.update()


def test_no_update_while_a_match_is_played(house):
    from pi.clock import utc_text

    journal = Journal(house.state / "feltside.sqlite")
    events = decide(NEW, ask.StartMatch("m1", "scramble", players("Ann", "Bob")))
    journal.append("m1", events, at_ns=0, utc=utc_text())
    journal.close()
    house.release("exit 1")
    with pytest.raises(MatchRunning, match="end it first"):
        house.update()
    assert house.update(force=True)[0] == 1


RENEWING = 'echo "feltside: the new one"; echo $FELTSIDE_COMMIT > PREFIX/current/COMMIT'


def test_how_the_last_update_went_is_kept_for_everybody_to_read(house):
    house.update()
    assert house.kept().state is State.DONE
    assert house.kept().words.startswith("This is the newest version of main")
    house.release('echo "feltside: no room left"; exit 2')
    assert house.update()[0] == 2
    assert house.kept().state is State.FAILED
    assert house.kept().words.startswith("No room left: still at version")
    assert house.kept().lines[-2] == "no room left"
    assert (house.prefix / "told" / "result.json").stat().st_mode & 0o777 == 0o644, "the web's user reads it"
    (house.prefix / "origin").write_text("/nowhere\nmain\n")
    with pytest.raises(BadSource):
        house.update()
    assert "cannot be fetched" in house.kept().words


def test_an_update_that_the_plug_cuts_short_is_said_to_have_failed(house, monkeypatch):
    def pulled(*_, **__):
        raise SystemExit

    house.release(RENEWING)
    monkeypatch.setattr(update, "_install", pulled)
    with pytest.raises(SystemExit):
        house.update()
    assert (house.kept().state, "cut short" in house.kept().words) == (State.FAILED, True)


@pytest.mark.parametrize("name", ["a tag", "a branch", "a commit"])
def test_a_table_goes_to_a_version_and_stays_there_until_told_otherwise(house, name):
    older = house.release(RENEWING)
    git(house.source, "tag", "v1")
    git(house.source, "branch", "quiet")
    newest = house.release(RENEWING + "; true")
    assert house.update()[0] == 0
    assert update.installed(house.prefix) == newest
    to = {"a tag": "v1", "a branch": "quiet", "a commit": older}[name]
    assert house.update(to=to)[0] == 0, "an older one, too"
    assert update.installed(house.prefix) == older
    status, said = house.update()
    assert (status, said[-1]) == (0, f"this is the newest version of {to} ({older[:12]})")
    with pytest.raises(BadSource):
        house.update(to="no-such-version")
    assert house.update()[1][-1].startswith(f"this is the newest version of {to} "), "a slip changes nothing"
    assert house.update(to="newest")[0] == 0
    assert update.installed(house.prefix) == newest


@pytest.mark.parametrize("to", ["--upload-pack=x", "", "a b", "../../x;y"])
def test_what_is_no_version_is_refused(house, to):
    with pytest.raises(BadSource, match="no version"):
        house.update(to=to)
