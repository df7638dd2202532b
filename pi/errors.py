"""The appliance's own errors, beside those of the counting core."""

from __future__ import annotations

from pi.rules.errors import BadBoard, BadLine, BadMessage, FeltsideError, NewerJournal

__all__ = [
    "BadBoard",
    "BadLine",
    "BadMessage",
    "BadSettings",
    "BadSource",
    "BadTyping",
    "CameraLost",
    "CardRefuses",
    "FeltsideError",
    "HardwareMissing",
    "HouseholdFailed",
    "JournalDamaged",
    "MatchRunning",
    "NewerJournal",
    "NotWritten",
    "SecondWriter",
    "TableAway",
    "TableRunning",
]


class BadSettings(FeltsideError, ValueError):
    """Raised when the settings file is not valid; the text names the path within it."""


class BadSource(FeltsideError, OSError):
    """Raised when a file or folder named on the command line cannot be read."""


class CameraLost(FeltsideError, OSError):
    """Raised when a camera that has worked gives no more frames."""


class JournalDamaged(FeltsideError, OSError):
    """Raised when the journal file cannot be read as one; nothing of it was changed."""


class MatchRunning(FeltsideError, RuntimeError):
    """Raised when something is asked for that must not disturb a match, and one is being played."""


class NotWritten(FeltsideError, OSError):
    """Raised when events could not be written, and it is certain that none of them was."""


class CardRefuses(NotWritten):
    """Raised when nothing was written because the card takes no writes (full, read-only)."""

    def __init__(self, sentence: str, *, full: bool) -> None:
        """Take the sentence; full: freeing space would help."""
        super().__init__(sentence)
        self.full = full


class SecondWriter(FeltsideError, RuntimeError):
    """Raised when an event's place (match, seq) is already taken: someone else writes."""


class TableRunning(FeltsideError, RuntimeError):
    """Raised when a table already works on this state folder."""


class TableAway(FeltsideError, ConnectionError):
    """Raised when the table's socket does not answer."""


class HardwareMissing(FeltsideError, OSError):
    """Raised when a camera, a pin or a chip that the settings name is not there."""


class HouseholdFailed(FeltsideError, RuntimeError):
    """Raised when a process that `feltside demo` or `feltside play` started does not work."""


class BadTyping(FeltsideError, ValueError):
    """Raised when a line that people typed (or wrote into a file) cannot be understood."""
