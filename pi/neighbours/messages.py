"""From the public view of a table (`GET /api/state`) to MQTT messages. Pure.

Nothing but that view comes in, and of it only what is named here goes out: scores, whose turn it is, who won, what
the lamps show. Before the reveal none of it depends on a prediction, and seals stay out altogether.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORM = 1
"""Version of the form of a state message."""
ONLINE, OFFLINE = b"online", b"offline"
WEB_AWAY = "The pages of this table do not answer."
View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One thing for the broker."""

    topic: str
    payload: bytes
    retain: bool = True
    """Whether the broker keeps it for those who come later."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Where one table speaks."""

    prefix: str
    table: str

    @property
    def state(self) -> str:
        """The table's state as JSON, kept by the broker."""
        return f"{self.prefix}/{self.table}/state"

    @property
    def availability(self) -> str:
        """`online` while the state is what lies on the table, else `offline`; also the last will."""
        return f"{self.prefix}/{self.table}/availability"

    @property
    def beat(self) -> str:
        """A sign of life, never kept: whoever hears none for a while takes the state for old."""
        return f"{self.prefix}/{self.table}/beat"

    def will(self) -> Message:
        """Return what the broker says when the table is gone without a word."""
        return Message(self.availability, OFFLINE)


def summary(view: View, *, table: str, stale: str | None = None) -> dict[str, Any]:
    """Return what is told of a view. stale: a sentence when it is known here to be old."""
    shown = view.get("round") or {}
    players = [player for player in view.get("players", ()) if isinstance(player, Mapping)]
    turn = view.get("turn", ())
    winners = [player["name"] for player in players if player.get("won")]
    return {
        "form": FORM,
        "table": table,
        "match": view.get("match"),
        "seq": view.get("seq", 0),
        "stale": stale or view.get("stale"),
        "held": view.get("held"),
        "game": (view.get("game") or {}).get("title"),
        "phase": view.get("phase", "none"),
        "headline": view.get("headline", ""),
        "round": shown.get("number"),
        "turn": ", ".join(player["name"] for player in players if player["seat"] in turn),
        "winner": ", ".join(winners) or None,
        "seats": {str(player["seat"]): _seat(player, turn) for player in players},
        "lamps": dict(view.get("lamps", {})),
    }


def _seat(player: Mapping[str, Any], turn: Any) -> dict[str, Any]:
    told = {name: player.get(name) for name in ("name", "score", "leads", "won", "locked")}
    return {**told, "turn": player["seat"] in turn}


def state_messages(view: View, topics: Topics, *, stale: str | None = None) -> tuple[Message, Message]:
    """Return the state and whether it can be relied on."""
    told = summary(view, table=topics.table, stale=stale)
    online = OFFLINE if told["stale"] else ONLINE
    return Message(topics.state, dumps(told)), Message(topics.availability, online)


def dumps(value: Any) -> bytes:
    """Return JSON as bytes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
