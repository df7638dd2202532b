"""How the appliance feels, in plain words: statuses merged, and stale ones told for what they are. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Part = Mapping[str, Any]
AWAY_WORDS = "The camera does not answer; type the tray in or count by hand, the match goes on."
STARTING_WORDS = "The camera is starting."
NO_CAMERA_WORDS = "There is no camera; type the tray in or count by hand."
NO_PANEL_WORDS = "There is no board of buttons; phones are the pads."
_WATCHED = ("camera", "eye")


@dataclass(frozen=True, slots=True)
class Sense:
    """What each part last said of itself. Secret-free, and never journalled."""

    simulation: bool = False
    watched: bool = True
    """Whether there is a watcher at all."""
    away_ns: int = 3_000_000_000
    """A watcher silent for this long counts as away."""
    since_ns: int = 0
    """Journal time at which the table began."""
    heard_ns: int | None = None
    """Journal time of the watcher's last word; None before its first."""
    parts: Mapping[str, Part] = field(default_factory=dict)

    def told(self, parts: Mapping[str, Part], *, at_ns: int) -> Sense:
        """Return the sense after some parts spoke."""
        heard = at_ns if any(name in _WATCHED for name in parts) else self.heard_ns
        return replace(self, heard_ns=heard, parts={**self.parts, **parts})

    def journal_is(self, state: str, words: str) -> Sense:
        """Return the sense with a word on the journal."""
        return replace(self, parts={**self.parts, "journal": {"state": state, "words": words}})

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return everything as it goes out, with the watcher's silence told in plain words."""
        defaults: dict[str, Part] = {
            "panel": {"state": "none", "words": NO_PANEL_WORDS},
            "journal": {"state": "ok", "words": "Every step is on disk."},
        }
        said = {**defaults, **self.parts, **self._silence(now_ns)}
        return {**said, "simulation": self.simulation}

    def _silence(self, now_ns: int) -> dict[str, Part]:
        if not self.watched:
            return _nothing_seen("none", NO_CAMERA_WORDS)
        since = self.since_ns if self.heard_ns is None else self.heard_ns
        if now_ns - since > self.away_ns:
            # A watcher that said why it went knows better than its silence does.
            said = self.parts.get("camera", {})
            last_words = str(said.get("words", "")) if said.get("state") == "away" else ""
            return _nothing_seen("away", last_words or AWAY_WORDS)
        return _nothing_seen("starting", STARTING_WORDS) if self.heard_ns is None else {}


def _nothing_seen(state: str, words: str) -> dict[str, Part]:
    return {
        "camera": {"state": state, "words": words},
        "eye": {"status": state, "problems": [], "tiles": 0},
    }
