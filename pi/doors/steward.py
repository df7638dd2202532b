"""The steward does what the pages ask for and may not do themselves: `python -m pi.doors.steward REQUESTS RESULTS`.

Started by systemd as root when a request lies there (feltside-upkeep.path), and by the web itself, as whoever it is,
where nothing is installed (the demo). One request, one task, one result.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pi.clock import utc_text
from pi.doors import bundle
from pi.doors.doctor import findings
from pi.doors.update import STATE, update
from pi.doors.upkeep import installed_settings
from pi.errors import FeltsideError
from pi.rescue import rescued
from pi.settings import Settings, load_settings
from pi.upkeep import BUNDLE, INSTALLED, Result, State, Task, taken, tell, told

MOST_LINES = 200
CUT_SHORT = "This was cut short. The table works on with the version it had; try again."


class Clerk:
    """Writes down how one task goes."""

    def __init__(self, folder: Path, task: Task, *, utc: Callable[[], str] = utc_text) -> None:
        """Say that the task has begun."""
        self._folder, self._task, self._utc = folder, task, utc
        self.lines: list[str] = []
        self.say("begun")

    def say(self, words: str, state: State = State.RUNNING) -> None:
        """Put down one step."""
        if words and state is State.RUNNING and self._task is Task.UPDATE:
            self.lines = [*self.lines, words][-MOST_LINES:]
        tell(self._folder, Result(self._task, state, words, self._utc(), tuple(self.lines)))


def do(task: Task, results: Path, *, config: Path | None = None) -> int:
    """Do one task and write down how it went; returns the exit status."""
    clerk = Clerk(results, task)
    try:
        settings = load_settings(config) if config else rescued(installed_settings(None))
        status = _update(clerk) if task is Task.UPDATE else _doctor(clerk, settings, results)
    except FeltsideError as no:
        clerk.say(f"{no}.", State.FAILED)
        return 2
    return status


def _update(clerk: Clerk) -> int:
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        clerk.say(line)

    status = update(INSTALLED, state=STATE, force=False, say=say)
    # What went wrong stands before the version that is still there.
    words = said[-1] if status == 0 else ": ".join(said[-2:])
    clerk.say(f"{words[:1].upper()}{words[1:]}.", State.DONE if status == 0 else State.FAILED)
    return status


def _doctor(clerk: Clerk, settings: Settings, results: Path) -> int:
    seen = list(findings(settings))
    clerk.lines = [f"{finding.state:4}  {finding.what}: {finding.words}" for finding in seen]
    fresh = results / f".{BUNDLE}"
    fresh.unlink(missing_ok=True)
    bundle.write(fresh, settings, report=clerk.lines)
    fresh.chmod(0o640)
    fresh.replace(results / BUNDLE)
    clerk.say(_verdict([finding.state for finding in seen]), State.DONE)
    return 0


def _verdict(states: Sequence[str]) -> str:
    bad, note = states.count("bad"), states.count("note")
    if bad:
        return f"Trouble: {bad} of {len(states)} things, marked below."
    return f"No trouble; {note} of {len(states)} things to mind." if note else "All is well."


def main(argv: Sequence[str] | None = None) -> int:
    """Do what is asked for, if anything is."""
    parser = argparse.ArgumentParser(prog="python -m pi.doors.steward", description=__doc__)
    parser.add_argument("requests", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--ended", action="store_true", help="the steward has ended: a task it left undone has failed")
    args = parser.parse_args(argv)
    os.umask(0o027)
    if args.ended:
        last = told(args.results)
        if last and last.state is State.RUNNING:
            tell(args.results, Result(last.task, State.FAILED, CUT_SHORT, utc_text(), last.lines))
        return 0
    task = taken(args.requests)
    return do(task, args.results, config=args.config) if task else 0


if __name__ == "__main__":
    sys.exit(main())
