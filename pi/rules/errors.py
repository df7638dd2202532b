"""The family of errors. Every member also has a builtin parent, so that callers may stay general."""

from __future__ import annotations


class FeltsideError(Exception):
    """Parent of every error we raise on purpose; its text is one sentence: what, expected, where."""


class BadBoard(FeltsideError, ValueError):
    """Raised when a text or a list of cells is not a board of the named layout."""


class BadMessage(FeltsideError, ValueError):
    """Raised when a command or an event does not have the form its name promises."""


class NewerJournal(BadMessage):
    """Raised when an event's name or version is unknown here: a newer Feltside wrote it."""


class BadLine(FeltsideError, ValueError):
    """Raised when a line handed to `feltside judge` is not of the form of its game."""
