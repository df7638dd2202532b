"""Everything the pages work with, made once for an app (`web.app`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from pi.journal import JournalReader
from pi.rules.match import NEW, Match
from web.access import Access
from web.desk import Desk
from web.history import Shelf
from web.stream import Turnstile
from web.trust import Trust


@dataclass(slots=True)
class Room:
    """Everything the pages work with."""

    app: Flask
    desk: Desk
    reader: JournalReader
    access: Access
    evidence: Path
    live: Path
    turnstile: Turnstile
    state: Path
    """The table's folder; the web only reads there."""
    pin_file: Path
    """Where the first visit's PIN is kept."""
    bounds: dict[str, float]
    """Milliseconds that lock-ins must lie apart not to be a tie: on the table's pads, and on phones."""
    shelf: Shelf
    """The matches that were played."""
    trust: Trust
    """How often the eye was corrected lately."""
    alone: bool = False
    """Whether only this very machine can open the pages; whoever listens knows."""

    def remembered(self, playing: Match = NEW) -> list[str]:
        """Return the names of those who played here before, latest first. playing: the match as it is known already."""
        return self.shelf.names(playing)
