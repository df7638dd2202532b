"""Follows the current match from another process: told "look again" by the table, reads the journal itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from pi.errors import TableAway
from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.rules.games.scramble_books import Round
from pi.rules.match import Match, replay


class Lookout:
    """The match as it stands, and how the appliance feels."""

    def __init__(
        self,
        client: TableClient,
        journal: JournalReader,
        *,
        patience_s: float = 0.0,
        monotonic_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Keep what is needed; `start` begins to listen.

        patience_s: for how long a table that has gone may stay away (it is started again) before TableAway.
        """
        self._client, self._journal, self._patience_s = client, journal, patience_s
        self._monotonic_s, self._sleep = monotonic_s, sleep
        self.match = Match()
        self.status: Mapping[str, Any] = {}
        """The table's status as last told."""
        self._news: SimpleQueue[Mapping[str, Any] | TableAway] = SimpleQueue()

    def start(self) -> None:
        """Listen on a thread of its own."""
        threading.Thread(target=self._listen, name="lookout", daemon=True).start()

    def wait(self, wait_s: float) -> bool:
        """Wait for news, at most so long, and look; tell whether there was any. Raises TableAway."""
        try:
            news = self._news.get(timeout=max(0.0, wait_s))
        except Empty:
            return False
        if isinstance(news, TableAway):
            raise news
        self.status = news.get("status") or {}
        self.look()
        return True

    def until(self, holds: Callable[[], bool], *, patience_s: float, tick: Callable[[], None] = lambda: None) -> bool:
        """Wait until `holds` does; False when it did not in time. tick: called now and then meanwhile."""
        end_s = self._monotonic_s() + patience_s
        while not holds():
            tick()
            left_s = end_s - self._monotonic_s()
            if left_s <= 0:
                return False
            self.wait(min(0.5, left_s))
        return True

    def look(self) -> Match:
        """Look at the match again, as it stands in the journal."""
        newest = self._journal.latest()
        records = self._journal.events(newest) if newest else []
        self.match = replay(record.event for record in records)
        return self.match

    @property
    def open_round(self) -> Round | None:
        """The round in which lock-ins count now; None between rounds."""
        return getattr(self.match.state, "current", None)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Every round of the match so far."""
        found: tuple[Round, ...] = getattr(self.match.state, "rounds", ())
        return found

    def _listen(self) -> None:
        last_s = self._monotonic_s()
        while True:
            try:
                for line in self._client.subscribe():
                    last_s = self._monotonic_s()
                    self._news.put(line)
            except TableAway as no:
                if self._monotonic_s() - last_s > self._patience_s:
                    self._news.put(no)
                    return
            self._sleep(0.2)
