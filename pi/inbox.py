"""The one queue of everything the table is told, and the client with which other processes knock.

Light on purpose: web and the command line import it for `TableClient`. The server side is `pi.door`.
"""

from __future__ import annotations

import json
import math
import queue
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi.errors import BadMessage, TableAway
from pi.rules.ruleset import Refused

LONGEST_LINE = 256 * 1024
"""Bytes of the longest line either side may send."""
HEARTBEAT_S = 5.0
"""A subscriber hears something at least this often."""
SILENCE_S = 3 * HEARTBEAT_S
"""A subscriber who heard nothing for this long takes the table for away."""
_MOST = 2**63


@dataclass(frozen=True, slots=True)
class Done:
    """The command was taken: its events are on disk."""

    match: str
    seq: int
    """The journal's last seq after the command; nothing in here depends on what a seat chose."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The command could not be ruled on; nothing has changed."""

    sentence: str


Answer = Done | Refused | Failed
Reply = Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class Status:
    """How a part of the appliance feels: public, never journalled, free of secrets.

    part: e.g. {"camera": {"state": "ok", "words": "..."}}; each top-level entry replaces the one before.
    """

    part: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Stop:
    """The referee is asked to come to an end."""


@dataclass(frozen=True, slots=True)
class Expect:
    """The match as whoever asks has seen it; the referee declines what was meant for another state of it."""

    seq: int
    """The journal's last seq."""
    match: str | None = None
    """The match; None: whichever is played."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """Something for the referee."""

    item: Any
    """A command of `pi.rules.commands`, a Press, a Status or Stop."""
    at_ns: int = 0
    """Journal time: of the edge for a press, of the receipt for anything else."""
    reply: Reply | None = None
    """Called once with the answer, on the referee's thread; it must not block."""
    expect: Expect | None = None
    """What a command was meant for; None: for whatever there is when its turn comes."""


class Inbox:
    """The queue itself: any thread puts, only the referee takes."""

    def __init__(self) -> None:
        """Begin empty."""
        self._queue: queue.SimpleQueue[Envelope] = queue.SimpleQueue()

    def put(
        self, item: Any, *, at_ns: int | None = None, reply: Reply | None = None, expect: Expect | None = None
    ) -> None:
        """Add an item; never blocks. at_ns: journal time, by default the item's own (0 if it has none)."""
        moment = getattr(item, "at_ns", 0) if at_ns is None else at_ns
        self._queue.put(Envelope(item, moment, reply, expect))

    def take(self, *, timeout_s: float) -> Envelope | None:
        """Return the next envelope, waiting for it at most `timeout_s`; None when there is none."""
        try:
            return self._queue.get(timeout=timeout_s) if timeout_s > 0 else self._queue.get_nowait()
        except queue.Empty:
            return None


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as it goes over the wire."""
    match answer:
        case Done(match=match, seq=seq):
            return {"ok": True, "match": match, "seq": seq}
        case Refused(reason=reason, sentence=sentence):
            return {"refused": reason.value, "sentence": sentence}
        case Failed(sentence=sentence):
            return {"error": sentence}


def expected(data: Mapping[str, Any]) -> tuple[dict[str, Any], Expect | None]:
    """Return a request without its fields `expect_seq` and `expect_match`, and what they ask for.

    Raises BadMessage for fields that are not of their kind. The second needs the first.
    """
    rest = {name: value for name, value in data.items() if name not in ("expect_seq", "expect_match")}
    seq, match = data.get("expect_seq"), data.get("expect_match")
    if len(rest) == len(data):
        return rest, None
    if type(seq) is not int or not isinstance(match, str | None):
        raise BadMessage("'expect_seq' is the journal's seq, a whole number, and 'expect_match' a match's name")
    return rest, Expect(seq, match)


def read_line(line: bytes) -> dict[str, Any]:
    """Return the JSON object of one line; raises BadMessage for anything else.

    Numbers that no journal could keep (64 bits exceeded, not finite) are turned away here.
    """
    try:
        data = json.loads(line, parse_int=_int, parse_float=_float, parse_constant=_constant)
    except BadMessage:
        raise
    except (ValueError, RecursionError):
        raise BadMessage("the line is not JSON (expected one object a line)") from None
    if not isinstance(data, dict):
        raise BadMessage("the line is not an object (expected {...})")
    return data


def write_line(data: Mapping[str, Any]) -> bytes:
    """Return an object as one line of JSON."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _int(text: str) -> int:
    value = int(text) if len(text) <= 20 else _MOST
    if not -_MOST < value < _MOST:
        raise BadMessage("a number is too large (expected at most 64 bits)")
    return value


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise BadMessage("a number is not finite")
    return value


def _constant(text: str) -> float:
    raise BadMessage(f"{text} is not a number")


class TableClient:
    """Knocks at the table's socket. Safe to share between threads: each call has its own connection."""

    def __init__(self, path: Path, *, timeout_s: float = 10.0) -> None:
        """Remember where to knock; nothing is opened yet. timeout_s: patience with one answer."""
        self.path = path
        self._timeout_s = timeout_s

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request and return its answer; raises TableAway when there is none.

        A command whose answer got lost may still have been taken: asking again is safe, for the rules
        refuse what is already so.
        """
        with closing(self._connected(self._timeout_s)) as door:
            try:
                door.sendall(write_line(request))
                return _received(next(_lines(door), b""))
            except OSError as no:
                raise self._away(no) from None

    def subscribe(self, *, silence_s: float = SILENCE_S) -> Iterator[dict[str, Any]]:
        """Yield {"match", "seq", "status", "expects", "round", "read"} now and whenever something changed.

        expects: what the eye should look for, or None; round: the open one, or None; read: whether it has a
        reading. The lines carry no data to keep: they say "look again". Raises TableAway when the table goes or
        stays silent for `silence_s`. Close the iterator to hang up.
        """
        with closing(self._connected(silence_s)) as door:
            try:
                door.sendall(write_line({"subscribe": True}))
                for line in _lines(door):
                    yield _received(line)
            except OSError as no:
                raise self._away(no) from None
        raise TableAway(f"the table hung up, at {self.path}")

    def _connected(self, timeout_s: float) -> socket.socket:
        door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            door.settimeout(timeout_s)
            door.connect(str(self.path))
        except OSError as no:
            door.close()
            raise self._away(no) from None
        return door

    def _away(self, why: OSError) -> TableAway:
        if isinstance(why, TableAway):
            return why
        return TableAway(f"the table does not answer ({why.strerror or why}), at {self.path}")


def _lines(door: socket.socket) -> Iterator[bytes]:
    rest = bytearray()
    while chunk := door.recv(65536):
        rest += chunk
        while (end := rest.find(b"\n")) >= 0:
            yield bytes(rest[:end])
            del rest[: end + 1]
        if len(rest) > LONGEST_LINE:
            raise TableAway(f"the table sent a line longer than {LONGEST_LINE} bytes")


def _received(line: bytes) -> dict[str, Any]:
    try:
        return read_line(line)
    except BadMessage:
        raise TableAway("the table hung up before it answered") from None
