"""A real table as a process of its own, without board and camera: what the crash tests start and kill.

`python -m tests.pi.bare_table STATE CONFIG [watcher]`; `watch` runs the stand-in for the watcher.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pi.children import die_with_parent
from pi.inbox import TableClient
from pi.settings import load_settings
from pi.table import Fittings, Table


def table(state: Path, config: Path, *, watched: bool) -> int:
    settings = load_settings(config, state=state)
    watcher = [sys.executable, "-m", "tests.pi.bare_table", "watch", str(settings.socket)] if watched else None
    ready = f"ready {os.getpid()}"
    return Table(settings, fittings=Fittings(watcher=watcher), ready=lambda: print(ready, flush=True)).run()


def watch(socket: Path) -> int:
    """Say who we are whenever the table says anything."""
    die_with_parent()
    client = TableClient(socket)
    status = {"status": {"camera": {"state": "ok", "words": str(os.getpid())}}}
    client.ask(status)
    for _ in client.subscribe():
        client.ask(status)
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "watch":
        sys.exit(watch(Path(sys.argv[2])))
    sys.exit(table(Path(sys.argv[1]), Path(sys.argv[2]), watched="watcher" in sys.argv[3:]))
