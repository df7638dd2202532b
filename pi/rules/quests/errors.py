"""What can go wrong with a quest, apart from a layout's faults, which are answers."""

from __future__ import annotations

from pi.rules.errors import FeltsideError


class BadLaying(FeltsideError, ValueError):
    """Raised when a text is no layout of tiles at all, or not one that a question makes sense for."""


class GaveUp(FeltsideError, ArithmeticError):
    """Raised when a search has used up its steps: neither a solution nor a proof that there is none."""
