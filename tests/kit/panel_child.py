"""A panel alone in a process, for the fake chip: says presses and answers requests in lines of JSON."""

from __future__ import annotations

import json
import sys
import threading
import time

from pi.clock import TableClock
from pi.errors import HardwareMissing
from pi.lamps import Lamp, Pattern
from pi.panel import Panel
from pi.rules.queueing import Press
from tests.kit.boards import NEVER_LATE_NS, settings_of

_GUARD = threading.Lock()


def say(**words: object) -> None:
    with _GUARD:
        print(json.dumps(words), flush=True)


def main() -> None:
    def put(press: Press) -> None:
        say(press=[press.seat, press.key.value, press.at_ns, press.closed])

    try:
        with Panel(settings_of(sys.argv[1]), put, clock=TableClock(), late_after_ns=NEVER_LATE_NS) as panel:
            say(ready=True)
            for line in sys.stdin:
                answer(panel, json.loads(line))
    except HardwareMissing as no:
        say(missing=str(no))


def answer(panel: Panel, request: dict[str, object]) -> None:
    match request:
        case {"status": _}:
            say(status=panel.status())
        case {"date": _}:
            say(date=time.time())
        case {"rest": float(timeout_s)}:
            say(rests=panel.rest(timeout_s))
        case {"show": dict(lamps)}:
            panel.show({Lamp(lamp): Pattern(pattern) for lamp, pattern in lamps.items()})
            say(shown=True)


if __name__ == "__main__":
    main()
