"""What a club knows of its tables: messages in, rows out. What is old says so; no table hides another."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pi.neighbours.messages import FORM, ONLINE

SILENT_S = 30.0
"""A table that is online and gave no sign of life for this long is marked: tables give one every ten seconds."""
MOST_TABLES = 500
LONGEST = 64 * 1024
"""Bytes of a state message; a table of six seats needs 2,000."""
NEVER_TOLD = "It has not said how it stands."
AWAY = "The table is away: switched off, or without a network."
SILENT = "No sign of life for {seconds} seconds: what stands here may be old."
UNREADABLE = "It says what this board does not understand (expected a state of form {form})."


@dataclass(frozen=True, slots=True)
class Seat:
    """One player at a table."""

    seat: int
    name: str
    score: int
    leads: bool
    won: bool
    turn: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One table as the board shows it."""

    table: str
    state: str
    """live, stale (may be old) or away."""
    words: str
    """Why it is not live; empty while it is."""
    game: str = ""
    round: int | None = None
    phase: str = "none"
    headline: str = ""
    turn: str = ""
    winner: str = ""
    seats: tuple[Seat, ...] = ()
    """Highest score first."""


@dataclass(frozen=True, slots=True)
class _Known:
    told: Row | None = None
    """From its last state; None before the first."""
    trouble: str = ""
    online: bool = False
    heard_s: float = 0.0


@dataclass(slots=True)
class Tables:
    """All tables heard of. Threads may share it."""

    prefix: str
    _known: dict[str, _Known] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _began_s: float = 0.0

    def topics(self) -> tuple[str, ...]:
        """Return what to listen to."""
        return tuple(f"{self.prefix}/+/{what}" for what in ("state", "availability", "beat"))

    def begin(self, now_s: float) -> None:
        """Note that the broker answers from now on: silence counts from here at the earliest."""
        with self._lock:
            self._began_s = now_s

    def hear(self, topic: str, payload: bytes, *, now_s: float) -> None:
        """Take in one message. now_s: monotonic."""
        table, _, what = topic.removeprefix(f"{self.prefix}/").partition("/")
        with self._lock:
            if what == "state" and not payload:  # taken off the broker
                self._known.pop(table, None)
                return
            known = self._known.get(table)
            if known is None and (len(self._known) >= MOST_TABLES or (what != "beat" and not payload)):
                return
            self._known[table] = _heard(known or _Known(), table, what, payload, now_s)

    def rows(self, *, now_s: float, broker: str | None = None) -> list[Row]:
        """Return every table by its name, numbers within names counted. broker: a sentence while it is away."""
        with self._lock:
            known, began_s = dict(self._known), self._began_s
        found = [_row(table, one, now_s=now_s, began_s=began_s, broker=broker) for table, one in known.items()]
        return sorted(found, key=lambda row: _natural(row.table))


def _heard(known: _Known, table: str, what: str, payload: bytes, now_s: float) -> _Known:
    known = replace(known, heard_s=now_s)
    match what:
        case "availability":
            return replace(known, online=payload == ONLINE)
        case "state":
            try:
                return replace(known, told=read(table, payload), trouble="")
            except (ValueError, TypeError, KeyError, AttributeError):
                return replace(known, trouble=UNREADABLE.format(form=FORM))
    return known


def read(table: str, payload: bytes) -> Row:
    """Return the row of a state message; raises ValueError, TypeError, KeyError or AttributeError for any other."""
    if len(payload) > LONGEST:
        raise ValueError("too long")
    told: Mapping[str, Any] = json.loads(payload)
    if told["form"] != FORM:
        raise ValueError("another form")
    seats = [_seat(number, one) for number, one in told["seats"].items()]
    number = told["round"]
    return Row(
        table=table,
        state="stale" if told["stale"] else "live",
        words=_text(told["stale"]),
        game=_text(told["game"]),
        round=None if number is None else int(number),
        phase=_text(told["phase"]),
        headline=_text(told["headline"]),
        turn=_text(told["turn"]),
        winner=_text(told["winner"]),
        seats=tuple(sorted(seats, key=lambda seat: (-seat.score, seat.seat))),
    )


def _seat(number: str, one: Mapping[str, Any]) -> Seat:
    flags = {name: one[name] is True for name in ("leads", "won", "turn")}
    return Seat(int(number), _text(one["name"]), int(one["score"]), **flags)


def _text(value: object) -> str:
    """Return what may be shown of a text from the network: no control characters, no end of the world."""
    return "" if value is None else "".join(c for c in str(value)[:400] if c.isprintable())


def _row(table: str, known: _Known, *, now_s: float, began_s: float, broker: str | None) -> Row:
    row = known.told or Row(table, "away", NEVER_TOLD)
    silent_s = now_s - max(known.heard_s, began_s)
    if broker:
        return replace(row, state="stale", words=broker)
    if known.trouble:
        return replace(row, state="stale", words=known.trouble)
    if known.online and silent_s > SILENT_S:
        return replace(row, state="stale", words=SILENT.format(seconds=round(silent_s)))
    if known.online:
        return row
    return replace(row, state="away", words=row.words or AWAY)


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
