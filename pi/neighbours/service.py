"""`feltside neighbours`: tells a broker how this table stands. A small process of its own; off unless asked for.

It knows the pages (`GET /events`) and the broker and nothing else of the table. Whatever fails here, the match does
not notice.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from typing import Any

from pi.archive import our_version
from pi.neighbours import following
from pi.neighbours.discovery import configurations
from pi.neighbours.following import PagesAway
from pi.neighbours.messages import WEB_AWAY, Message, Topics, state_messages
from pi.neighbours.wire import Wire
from pi.settings import MqttSettings, Settings

BEATS_PER_MESSAGE = 10
"""The pages' signs of life come every second; the neighbours hear one in ten."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 8.0
"""Before the pages are tried again; doubled each time."""
Views = Callable[[str], Any]


def table_name(settings: MqttSettings) -> str:
    """Return the table's name among its neighbours: the settings', else the computer's."""
    return settings.table or socket.gethostname().split(".")[0]


def pages_address(settings: Settings) -> str:
    """Return where this table's pages are."""
    return settings.mqtt.pages or f"http://127.0.0.1:{settings.web.port}"


class Teller:
    """Tells one table's views to a broker."""

    def __init__(self, wire: Wire, topics: Topics, *, address: str | None = None) -> None:
        """Take a line that keeps itself up. address: of the pages, for people."""
        self._wire, self._topics, self._address = wire, topics, address
        self._view: Mapping[str, Any] = {}
        self._seats = 0
        self._beats = 0

    def told(self, view: Mapping[str, Any] | None) -> None:
        """Take in a view, or a sign of life (None)."""
        if view is None:
            self._beats += 1
            if self._beats % BEATS_PER_MESSAGE == 0:
                self._wire.say(Message(self._topics.beat, b"alive", retain=False))
            return
        self._view = view
        self._introduce(max((player["seat"] for player in view.get("players", ())), default=0))
        self._wire.keep(state_messages(view, self._topics))

    def away(self) -> None:
        """Say that the pages do not answer: what was told last may be old."""
        self._wire.keep(state_messages(self._view, self._topics, stale=WEB_AWAY))

    def _introduce(self, seats: int) -> None:
        discovery = self._wire.settings.discovery
        self._seats = max(self._seats, seats)
        if discovery:
            self._wire.keep(
                configurations(
                    self._topics,
                    discovery=discovery,
                    seats=self._seats,
                    version=our_version(),
                    address=self._address,
                )
            )


def follow(
    teller: Teller,
    pages: str,
    *,
    stop: threading.Event,
    turned: Callable[[], None] = lambda: None,
    views: Views = following.views,
) -> None:
    """Tell every view until `stop` is set. turned: called at least every few seconds, to feed a watchdog."""
    wait_s = FIRST_WAIT_S
    while not stop.is_set():
        try:
            for view in views(pages):
                wait_s = FIRST_WAIT_S
                teller.told(view)
                turned()
                if stop.is_set():
                    return
        except PagesAway:
            teller.away()
        turned()
        stop.wait(wait_s)
        wait_s = min(LONGEST_WAIT_S, 2 * wait_s)
