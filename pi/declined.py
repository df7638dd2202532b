"""What people should hear of a reading that the table has declined, for as long as it would decline it still. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pi.rules.commands import Command, ReadTray
from pi.rules.match import Match, decide
from pi.rules.ruleset import Reason, Refused
from pi.rules.seen import ReadDice, ReadMat

QUIET = frozenset(
    {
        Reason.NOTHING_NEW,
        Reason.ON_HOLD,
        Reason.NO_ROUND,
        Reason.NO_MATCH,
        Reason.MATCH_OVER,
        Reason.WRONG_GAME,
        Reason.WRONG_PHASE,
    }
)
"""Refusals of readings that are nobody's concern: all is as it was, or nobody waits for the eye."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The latest settled reading, where the table declined it."""

    reading: Command | None = None
    """None: the latest was taken, or none has come."""
    words: str = ""
    """Why, in one sentence; empty when nobody needs to hear it."""

    def after(self, command: Command, *, taken: bool, match: Match) -> Declined:
        """Return what holds after a command: one of the eye's is a newer reading, any other may have settled it."""
        reading = self.reading
        if isinstance(command, (ReadTray, ReadMat, ReadDice)) and _source(command) != "table":
            reading = None if taken else command
        elif not taken:
            return self
        return Declined(reading, _words(match, reading))


def _source(command: ReadTray | ReadMat | ReadDice) -> str:
    return command.tray.source if isinstance(command, ReadTray) else command.source


def _words(match: Match, reading: Command | None) -> str:
    """Return what the table would say of a reading now. What pieces are asked about stands in the question."""
    if reading is None:
        return ""
    ruling = decide(match, reading)
    if not isinstance(ruling, Refused) or ruling.about or ruling.reason in QUIET:
        return ""
    return ruling.sentence
