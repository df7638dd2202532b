"""What `pi.odds` cannot answer, said in one sentence."""

from __future__ import annotations

from pi.rules.errors import FeltsideError


class BadQuestion(FeltsideError, ValueError):
    """Raised when a chance is asked for something that cannot lie on a table."""
