"""Play goes on in memory when the card takes nothing more, and comes back to the card when it does.

The spare journal is a journal like any other, in a folder that lives in memory (/run): it begins as a copy of the
match being played and takes every event from then on, with its own times. Whoever reads a match reads whichever of
the two knows more of it. As soon as the card takes writes again, what it lacks is brought over, and the spare goes.
Until then a pulled plug would cost those events, and the table says so loudly.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pi.errors import CardRefuses, FeltsideError, JournalDamaged, NotWritten
from pi.journal import Journal, JournalReader, Record, Started
from pi.journal_file import last_file, read_only, words_in
from pi.rules.events import Event

T = TypeVar("T")

LOG = logging.getLogger("feltside.spare")
RETRY_S = 10.0
"""How often the card is tried again."""
MOST_THINNING = 8
"""How often pictures are thinned for one event before the card is left."""
SPARE_WORDS = "The card takes nothing more ({why}): the match goes on in memory only, and a pulled plug would lose it."
WELL = ("ok", "Every step is on disk.")
PROBE = 1 << 20
"""Bytes that the card must take before the journal goes back to it."""
_DEVICE_ERRORS = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)


class SparedReader(JournalReader):
    """Reads every match from the card, or from memory where more of it is known; changes nothing."""

    def __init__(self, path: Path, spare: Path | None) -> None:
        """Remember both files; neither need exist."""
        super().__init__(path)
        self._spare = JournalReader(spare) if spare else None

    def matches(self) -> list[Started]:
        """Return every match, newest last."""
        known = super().matches()
        names = {started.match for started in known}
        more: list[Started] = self._in_memory(lambda spare: spare.matches(), [])
        return [*known, *(started for started in more if started.match not in names)]

    def latest(self) -> str | None:
        """Return the id of the match that was started last; None before the first."""
        return self._in_memory(lambda spare: spare.latest(), None) or super().latest()

    def last_seq(self, match: str) -> int:
        """Return the seq of the match's last event; 0 for an unknown match."""
        return max(super().last_seq(match), self._in_memory(lambda spare: spare.last_seq(match), 0))

    def events(self, match: str, *, after: int = 0) -> list[Record]:
        """Return the events of a match past seq `after`; raises as JournalReader does."""
        spared: list[Record] = self._in_memory(lambda spare: spare.events(match, after=after), [])
        if spared and spared[-1].seq > super().last_seq(match):
            return spared
        return super().events(match, after=after)

    def _in_memory(self, ask: Callable[[JournalReader], T], nothing: T) -> T:
        if self._spare is None or not self._spare.path.exists():
            return nothing
        try:
            return ask(self._spare)
        except JournalDamaged:
            if self._spare.path.exists():
                raise
            return nothing  # it went back to the card just now


class Keeping:
    """The journal on the card while it takes writes, the spare in memory while it does not. For one thread."""

    def __init__(
        self,
        path: Path,
        *,
        spare: Path | None,
        thin: Callable[[], bool] = lambda: False,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the journal, or the spare when the card takes no writes; what an earlier spare knows is brought over.

        spare: None: there is none, and the card's refusal is everybody's. thin: frees space on the card, False when
        there is none to free. Raises as Journal does.
        """
        self.path, self._spare_path, self._thin, self._monotonic_s = path, spare, thin, monotonic_s
        self._reader = SparedReader(path, spare)
        self._spare: Journal | None = None
        self._card: Journal | None = None
        self._why = ""
        self._tried_s = monotonic_s()
        try:
            self._card = Journal(path)
        except (CardRefuses, sqlite3.OperationalError, OSError) as no:
            if spare is None or (isinstance(no, FeltsideError) and not isinstance(no, CardRefuses)):
                raise
            self._why = _told(no)
        if self._card is None:
            self._begin_spare(self._reader.latest())
        elif spare is not None and spare.exists():
            self._spare = Journal(spare)
            self._try_card()

    @property
    def health(self) -> tuple[str, str]:
        """State and sentence for the status: where events go now."""
        return ("memory", SPARE_WORDS.format(why=self._why)) if self._spare else WELL

    def latest(self) -> str | None:
        """Return the newest match's id."""
        return self._reader.latest()

    def events(self, match: str) -> Sequence[Record]:
        """Return a match's events."""
        return self._reader.events(match)

    def recall(self, key: str) -> str | None:
        """Return a kept word."""
        return self._now.recall(key)

    def last_at_ns(self) -> int:
        """Return the latest time of any event."""
        return self._now.last_at_ns()

    def remember(self, words: Mapping[str, str]) -> None:
        """Keep words, on the card or in memory; raises NotWritten when neither takes them."""
        self._write(lambda journal: journal.remember(words), None)

    def append(
        self, match: str, events: Sequence[Event], *, at_ns: int, utc: str, words: Mapping[str, str] | None = None
    ) -> int:
        """Write events, on the card or in memory; return the last seq. Raises as Journal.append does."""
        return self._write(lambda j: j.append(match, events, at_ns=at_ns, utc=utc, words=words), match)

    def tend(self) -> None:
        """Try the card again when it is time; call it now and then."""
        if self._spare is None or self._monotonic_s() - self._tried_s < RETRY_S:
            return
        self._tried_s = self._monotonic_s()
        if _takes_writes(self.path.parent):
            self._try_card()

    def close(self) -> None:
        """Close both files."""
        for journal in (self._card, self._spare):
            if journal is not None:
                journal.close()

    def _try_card(self) -> None:
        try:
            self._bring_over(self._card or Journal(self.path))
        except (NotWritten, sqlite3.Error, OSError) as no:
            self._why = _told(no)
            LOG.warning("the card is not back yet: %s", self._why)

    @property
    def _now(self) -> Journal:
        journal = self._spare or self._card
        assert journal is not None
        return journal

    def _write(self, write: Callable[[Journal], T], match: str | None) -> T:
        if self._spare is not None:
            return write(self._spare)
        assert self._card is not None
        for _ in range(MOST_THINNING):
            try:
                return write(self._card)
            except CardRefuses as no:
                refusal: Exception = no
                if not (no.full and self._thin()):
                    break
            except sqlite3.OperationalError as no:
                if getattr(no, "sqlite_errorcode", 0) & 0xFF not in _DEVICE_ERRORS:
                    raise
                refusal = no
                break
        if self._spare_path is None:
            raise refusal
        self._why = _told(refusal)
        LOG.critical("%s", SPARE_WORDS.format(why=self._why))
        self._begin_spare(match or self._reader.latest())
        # What may half be on the card has the same place and text there: it is compared when we come back.
        self._card.close()
        self._card = None
        return write(self._now)

    def _begin_spare(self, match: str | None) -> None:
        assert self._spare_path is not None
        records = self._reader.events(match) if match else []
        words = _words(self.path)
        spare = Journal(self._spare_path)
        try:
            for record in records[spare.last_seq(match) if match else 0 :]:
                spare.append(match or "", [record.event], at_ns=record.at_ns, utc=record.utc)
            spare.remember(words)
        except BaseException:
            spare.close()
            raise
        self._spare = spare

    def _bring_over(self, card: Journal) -> None:
        """Bring what only the spare has onto the card, then let the spare go."""
        spare, self._card = self._spare, card
        assert spare is not None
        for started in spare.matches():
            there, known = card.events(started.match), spare.events(started.match)
            if there != known[: len(there)]:
                raise JournalDamaged(f"match {started.match} on the card and in memory tell different stories")
            for record in known[len(there) :]:
                card.append(started.match, [record.event], at_ns=record.at_ns, utc=record.utc)
        card.remember(_words(spare.path))
        spare.close()
        for file in (last_file(spare.path), spare.path):
            file.unlink(missing_ok=True)
        self._spare, self._why = None, ""
        LOG.warning("the card takes writes again: everything is on disk")


def _words(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with read_only(path) as db:
        return words_in(db)


def _takes_writes(folder: Path) -> bool:
    """Tell whether the card takes and syncs a file of some size."""
    probe = folder / ".probe"
    try:
        with probe.open("wb") as file:
            file.write(bytes(PROBE))
            file.flush()
            os.fsync(file.fileno())
        return True
    except OSError:
        return False
    finally:
        if probe.exists():
            probe.unlink(missing_ok=True)


def _told(no: BaseException) -> str:
    if isinstance(no, FeltsideError):
        return str(no)
    return (no.strerror if isinstance(no, OSError) else None) or str(no)
