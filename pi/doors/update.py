"""`sudo feltside update`: the newest version from where this one came from; refused while a match is played.

The installer wrote down where that is (/opt/feltside/origin: an address and a branch). The new version is fetched into
a repository of its own, unpacked beside the old one and installed by its own installer, which makes a backup first,
tries the new release and takes it back when it does not come up. Whatever is interrupted leaves the old release or the
new one at work. How it went is kept (/opt/feltside/told), for the pages too.

`--to VERSION` (a tag, a branch or a whole commit, newer or older) goes there and stays there: later updates say so and
do nothing, until `--to newest`. A version too old for this table's journal does not come up, and is taken back.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from pi.clock import utc_text
from pi.errors import BadSource, FeltsideError
from pi.rescue import FOLDERS
from pi.settings import load_settings
from pi.upkeep import INSTALLED as PREFIX
from pi.upkeep import Result, State, Task, check_idle, installed, remember

STATE = Path(FOLDERS["state"])
FETCH_S = 600.0
NEWEST, STAYS = "newest", "stays"
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")
COMMIT = re.compile(r"[0-9a-f]{40}")
MOST_LINES = 200
CUT_SHORT = "an update was cut short; the table works on with the version it had: try again"
ENVIRON = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/root", "LC_ALL": "C.UTF-8"}
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside update` takes."""
    parser.add_argument("--force", action="store_true", help="even while a match is being played")
    parser.add_argument("--to", metavar="VERSION", help="tag, branch or whole commit to go to and stay at; or: newest")
    parser.add_argument("--prefix", type=Path, default=PREFIX, help=argparse.SUPPRESS)
    parser.add_argument("--state", type=Path, default=STATE, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Bring the installed table up to date."""
    return update(args.prefix, state=args.state, force=args.force, to=args.to, say=lambda line: print(line, flush=True))


def update(prefix: Path, *, state: Path, force: bool, say: Say, to: str | None = None) -> int:
    """Fetch, unpack, install, and keep how it went; returns the exit status. say: is told each step in one sentence.

    to: the version to go to and stay at; "newest": no longer stay; None: where this table stays, else the newest.
    Raises MatchRunning while a match is played (unless `force`), BadSource when there is nothing to fetch from or
    fetching fails; nothing has changed then.
    """
    if not force:
        check_idle(load_settings(state=state).journal, now=datetime.now(UTC))
    lines: list[str] = []

    def said(line: str) -> None:
        lines[:] = [*lines, line][-MOST_LINES:]
        say(line)

    def keep(state: State, words: str) -> None:
        remember(prefix, Result(Task.UPDATE, state, f"{words[:1].upper()}{words[1:]}.", utc_text(), tuple(lines)))

    keep(State.FAILED, CUT_SHORT)  # what stands there if the plug is pulled now
    try:
        status = _brought(prefix, to, force=force, say=said)
    except FeltsideError as no:
        keep(State.FAILED, str(no))
        raise
    keep(State.FAILED if status else State.DONE, ": ".join(lines[-2:]) if status else lines[-1])
    return status


def _brought(prefix: Path, to: str | None, *, force: bool, say: Say) -> int:
    address, branch = origin(prefix)
    stays = _stays(prefix, to)
    wanted = stays or branch
    say(f"looking for a new version of {wanted} at {address}")
    commit = fetched(prefix, address, wanted)
    if to is not None:
        (prefix / STAYS).write_text(f"{stays or ''}\n")
    if commit == installed(prefix):
        say(f"this is the newest version of {wanted} ({commit[:12]})")
        return 0
    incoming = prefix / "incoming"
    shutil.rmtree(incoming, ignore_errors=True)
    try:
        unpacked(prefix, commit, incoming)
        say(f"installing version {commit[:12]}; this takes some minutes")
        status = _install(incoming, commit, force=force, say=say)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
    now = installed(prefix)
    say(f"now at version {now[:12]}" if status == 0 and now else f"still at version {(now or 'unknown')[:12]}")
    return status


def _stays(prefix: Path, to: str | None) -> str | None:
    """Return the version this table stays at; None when it follows its branch."""
    if to is None:
        file = prefix / STAYS
        return (file.read_text().strip() or None) if file.exists() else None
    if not VERSION.fullmatch(to):
        raise BadSource(f"{to!r} is no version (expected a tag, a branch or a whole commit)")
    return None if to == NEWEST else to


def origin(prefix: Path) -> tuple[str, str]:
    """Return the address and the branch that updates come from."""
    file = prefix / "origin"
    try:
        address, branch = file.read_text().splitlines()[:2]
    except (OSError, ValueError):
        raise BadSource(
            f"no place is known that updates come from (expected an address and a branch), at {file}; "
            "fetch the new version yourself and run its systemd/install.sh"
        ) from None
    if address.startswith("-") or "::" in address or branch.startswith("-"):
        raise BadSource(f"{address!r} {branch!r} is no place that updates come from, at {file}")
    return address, branch


def fetched(prefix: Path, address: str, wanted: str) -> str:
    """Fetch a version (a tag, the newest commit of a branch, or a whole commit), without its history; return it."""
    store = prefix / "fetched.git"
    if not (store / "HEAD").exists():
        shutil.rmtree(store, ignore_errors=True)
        _git("init", "--quiet", "--bare", str(store))
    # (A plug pulled while it fetched may have left these.)
    for left in store.rglob("*.lock"):
        left.unlink(missing_ok=True)
    names = [wanted] if COMMIT.fullmatch(wanted) else [f"refs/heads/{wanted}", f"refs/tags/{wanted}"]
    for name in names:
        done = _ran("fetch", "--quiet", "--depth=1", "--no-tags", address, name, store=store)
        if not done.returncode:
            break
    else:
        shutil.rmtree(store, ignore_errors=True)  # a damaged one would fail for ever; a new one costs a minute
        raise BadSource(f"the new version cannot be fetched ({_last(done.stderr)}), at {address}; nothing was changed")
    return _git("rev-parse", "FETCH_HEAD^{commit}", store=store).strip()


def unpacked(prefix: Path, commit: str, to: Path) -> None:
    """Unpack a fetched commit."""
    to.mkdir(parents=True)
    packed = to.with_suffix(".tar")
    try:
        _git("archive", "--output", str(packed), commit, store=prefix / "fetched.git")
        subprocess.run(["tar", "-xf", str(packed), "-C", str(to)], check=True, capture_output=True)
    except subprocess.CalledProcessError as no:
        raise BadSource(f"the new version cannot be unpacked ({_last(no.stderr.decode())}), at {to}") from None
    finally:
        packed.unlink(missing_ok=True)
    if not (to / "systemd" / "install.sh").exists():
        raise BadSource(f"version {commit[:12]} has no installer; nothing was changed")


def _install(incoming: Path, commit: str, *, force: bool, say: Say) -> int:
    command = [str(incoming / "systemd" / "install.sh"), *(["--force"] if force else [])]
    environ = {**os.environ, "FELTSIDE_COMMIT": commit}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            say(line.rstrip().removeprefix("feltside: "))
    return process.returncode


def _git(*words: str, store: Path | None = None) -> str:
    done = _ran(*words, store=store)
    if done.returncode:
        raise BadSource(f"git {words[0]} failed ({_last(done.stderr)}); nothing was changed")
    return done.stdout


def _ran(*words: str, store: Path | None = None) -> subprocess.CompletedProcess[str]:
    where = [f"--git-dir={store}"] if store else []
    environ: Mapping[str, str] = {**os.environ, **ENVIRON}
    # Local folders belong to whoever made the checkout; fetching from them runs nothing of theirs.
    command = ["git", "-c", "safe.directory=*", "-c", "protocol.ext.allow=never", *where, *words]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=FETCH_S, env=environ, check=False)
    except FileNotFoundError:
        raise BadSource("git is not installed (expected: apt install git)") from None
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer for {FETCH_S:.0f} s")


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("fatal: ") if lines else "it said nothing"
