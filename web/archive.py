"""Matches as files: out of the journal as JSON Lines, and back in, checked line by line.

What comes in is kept beside the journal (`imported/<match>.jsonl`), never in it: the journal has one writer,
and its newest match is the one being played. An imported match can be looked at and replayed, nothing else.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pi.errors import FeltsideError, NewerJournal
from pi.journal import Record, Started
from pi.rules import events as alphabet
from pi.rules.errors import BadMessage
from pi.rules.events import LockedIn, MatchStarted, TotalRuled
from pi.rules.games.scramble_books import Scramble
from pi.rules.match import Match, replay

FORM = 1
MOST_BYTES = 2 * 1024 * 1024
"""A file larger than this is no match of ours: an evening of sixty rounds is some 300 KB."""
MOST_LINES = 20_000
MOST_KEPT = 500
"""Imported matches that are kept at most."""
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,63}\Z")


class BadArchive(FeltsideError, ValueError):
    """Raised when a file is not a whole match; the text names the line."""


def exportable(match: Match, *, newest: bool) -> str | None:
    """Return why a match cannot be given out as events; None when it can: before its end they hold secrets.

    newest: whether it is the match that may still be taken up again: an early end can be undone, and then
    what was hidden at that end is in play again.
    """
    if not match.outcome().over:
        return "A match can be exported when it is over; until then it holds secrets."
    if newest and not isinstance(match.state, Scramble) and match.ruleset.veiled(match.state) != match.state:
        return "Something is hidden in this match, whose end can be undone: export it when the next has begun."
    return None


def lines(records: Sequence[Record], match: Match) -> Iterator[str]:
    """Yield a match as JSON Lines: a heading, then one event a line. What was never revealed stays out."""
    yield _dumps({"feltside": "match", "form": FORM, "match": match.id})
    shown = _shown(match)
    open_rounds = _unrevealed(match)
    for record in records:
        event = record.event
        if isinstance(event, LockedIn) and _mark(event) not in shown:
            event = replace(event, prediction=0, nonce="")
        if isinstance(event, TotalRuled) and event.round in open_rounds:
            event = replace(event, total=0, others=())
        name, version, data = alphabet.encode(event)
        yield _dumps(
            {
                "seq": record.seq,
                "name": name,
                "version": version,
                "data": data,
                "at_ns": record.at_ns,
                "utc": record.utc,
            }
        )


def _shown(match: Match) -> set[tuple[int, int, int, str]]:
    if not isinstance(match.state, Scramble):
        return set()
    return {_mark(lock) for played in match.state.rounds if played.revealed for lock in played.lock_ins}


def _unrevealed(match: Match) -> set[int]:
    if not isinstance(match.state, Scramble):
        return set()
    return {played.number for played in match.state.rounds if not played.revealed}


def _mark(lock: LockedIn) -> tuple[int, int, int, str]:
    return lock.round, lock.seat, lock.at_ns, lock.nonce


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def read(text: bytes) -> tuple[Match, list[Record]]:
    """Return the match of a file and its events; raises BadArchive for anything that is not a whole match."""
    if len(text) > MOST_BYTES:
        raise BadArchive(f"the file has {len(text)} bytes (expected at most {MOST_BYTES})")
    try:
        rows = text.decode().splitlines()
    except UnicodeDecodeError:
        raise BadArchive("the file is not text (expected JSON Lines in UTF-8)") from None
    if not 2 <= len(rows) <= MOST_LINES:
        raise BadArchive(f"the file has {len(rows)} lines (expected 2 to {MOST_LINES})")
    match_id = _heading(rows[0])
    records = [_record(row, seq) for seq, row in enumerate(rows[1:], start=1)]
    return _match(match_id, records), records


def _heading(row: str) -> str:
    head = _object(row, 1)
    match = head.get("match")
    if head.get("feltside") != "match" or head.get("form") != FORM:
        raise BadArchive("the heading is not that of an exported match, at line 1")
    if not isinstance(match, str) or not _ID.match(match):
        raise BadArchive("the match has no proper name, at line 1")
    return match


def _record(row: str, seq: int) -> Record:
    data, at = _object(row, seq + 1), f"at line {seq + 1}"
    if data.get("seq") != seq or set(data) != {"seq", "name", "version", "data", "at_ns", "utc"}:
        raise BadArchive(f"this is not event {seq} of the match, {at}")
    name, version, at_ns, utc = data["name"], data["version"], data["at_ns"], data["utc"]
    if not (isinstance(name, str) and type(version) is int and type(at_ns) is int and isinstance(utc, str)):
        raise BadArchive(f"a field is not of its kind, {at}")
    if len(utc) > 40 or not utc.isprintable() or not 0 <= at_ns < 2**63:
        raise BadArchive(f"the time does not hold, {at}")
    try:
        return Record(seq, alphabet.decode(name, version, data["data"]), at_ns, utc)
    except (BadMessage, NewerJournal, KeyError) as no:
        raise BadArchive(f"{no}, {at}") from None


def _object(row: str, line: int) -> dict[str, Any]:
    try:
        found = json.loads(row)
    except (ValueError, RecursionError):
        raise BadArchive(f"this is not JSON, at line {line}") from None
    if not isinstance(found, dict):
        raise BadArchive(f"this is not an object, at line {line}")
    return found


def _match(match_id: str, records: Sequence[Record]) -> Match:
    first = records[0].event
    if not isinstance(first, MatchStarted) or first.match != match_id:
        raise BadArchive("the first event does not start this match, at line 2")
    try:
        match = replay(record.event for record in records)
        match.standing(), match.outcome()
    except Exception as no:  # whatever a made-up journal does to the rules is the file's fault
        raise BadArchive(f"the events do not make a match ({type(no).__name__}: {no})") from None
    if not match.started or match.id != match_id:
        raise BadArchive("the events do not make a match of a known game")
    return match


class Archive:
    """The folder of imported matches; read like the journal."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; there may be none yet."""
        self._folder = folder

    def matches(self) -> list[Started]:
        """Return the imported matches, oldest start first."""
        found = [Started(path.stem, _first_utc(path)) for path in self._folder.glob("*.jsonl") if _ID.match(path.stem)]
        return sorted(found, key=lambda started: started.utc)

    def events(self, match: str) -> list[Record]:
        """Return the events of an imported match; empty when there is none. Raises BadArchive."""
        if not _ID.match(match):
            return []
        try:
            return read((self._folder / f"{match}.jsonl").read_bytes())[1]
        except FileNotFoundError:
            return []

    def keep(self, text: bytes, *, known: Iterable[str]) -> Match:
        """Keep a checked file; raises BadArchive. known: matches that are here already."""
        match, _ = read(text)
        here = {started.match for started in self.matches()}
        if match.id in here | set(known):
            raise BadArchive(f"the match {match.id} is here already")
        if len(here) >= MOST_KEPT:
            raise BadArchive(f"{MOST_KEPT} imported matches are kept already")
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = self._folder / f".{secrets.token_hex(6)}"
        with fresh.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._folder / f"{match.id}.jsonl")
        return match


def _first_utc(path: Path) -> str:
    with path.open("rb") as file:
        file.readline()
        try:
            return str(json.loads(file.readline(MOST_BYTES)).get("utc", ""))[:40]
        except ValueError:
            return ""
