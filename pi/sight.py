"""What a match looks like from outside, without its secrets. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pi.lamps import Lamps, lamps
from pi.rules.match import Match


@dataclass(frozen=True, slots=True)
class Sight:
    """What a match looks like from outside; made once for each of its steps, before that is committed."""

    lamps: Lamps
    news: Mapping[str, Any]
    """What watcher and simulation go by: what the eye should look for, the open round (or the last),
    whether it is read, and whether the match is over."""

    @classmethod
    def of(cls, match: Match) -> Sight:
        """Look at a match."""
        # Games differ: `rounds` and `current` are what those with rounds call them.
        rounds = getattr(match.state, "rounds", None)
        latest = rounds[-1] if isinstance(rounds, tuple) and rounds else None
        current = getattr(match.state, "current", None)
        news = {
            "expects": match.expects(),
            "round": getattr(latest, "number", None),
            "read": current is not None and getattr(current, "tray", None) is not None,
            "over": match.started and match.outcome().over,
        }
        return cls(lamps(match), news)
