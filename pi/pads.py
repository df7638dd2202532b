"""The pads between LOCK and LOCK: what each seat has laid or pressed, kept through a crash.

A key toggles without a lamp (a lamp would tell), so after a restart nobody could know what still counts.
Therefore every press of an open round is remembered beside the journal before it counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pi.errors import JournalDamaged
from pi.rules.codec import from_json, to_json
from pi.rules.errors import BadMessage
from pi.rules.games.scramble_books import Scramble
from pi.rules.match import Match
from pi.rules.queueing import Key, Pad, PadMode, Press
from pi.rules.values import Seat

KEPT = "pads"
"""The word under which the journal remembers the pads."""
MOST_PRESSES = 64
"""Beyond this many presses a pad's older half is folded into where they left it."""
_WELLS = (Key.ONE, Key.TWO, Key.FOUR)


@dataclass(frozen=True, slots=True)
class Turn:
    """Within which question presses count: a pad starts anew with every round opened."""

    match: str = ""
    opened_ns: int = 0
    """When the round was opened; 0 while none is."""
    inside: tuple[Seat, ...] = ()
    """Seats that are locked in."""

    @property
    def open(self) -> bool:
        """Whether there is a round to press for."""
        return self.opened_ns > 0

    def same_question(self, other: Turn) -> bool:
        """Tell whether both are the same round, whoever is locked in."""
        return (self.match, self.opened_ns) == (other.match, other.opened_ns)


def turn_of(match: Match) -> Turn:
    """Return the question a match is at; a game without predictions asks none of the pads."""
    current = match.state.current if isinstance(match.state, Scramble) else None
    if current is None or match.ended is not None:
        return Turn(match.id)
    return Turn(match.id, current.opened_ns, current.seats_in())


@dataclass(frozen=True, slots=True)
class Pads:
    """Every seat's pad in one round. Frozen: each step returns the next."""

    mode: PadMode
    turn: Turn = field(default_factory=Turn)
    pads: Mapping[Seat, Pad] = field(default_factory=dict)

    def pressed(self, press: Press) -> Pads:
        """Return the pads after a disk or digit key; one from before the round opened counts only in wells."""
        if self.mode is PadMode.KEYS and (not self.turn.open or press.at_ns < self.turn.opened_ns):
            return self
        pad = self._pad(press.seat).pressed(press)
        return replace(self, pads={**self.pads, press.seat: _folded(pad)})

    def prediction(self, seat: Seat, *, at_ns: int) -> int:
        """Return the sum of the seat's disks at a moment."""
        return self._pad(seat).prediction(at_ns=at_ns)

    def following(self, match: Match) -> Pads:
        """Return the pads for what the match is at now.

        A new round clears every pad of keys; a lock-in taken back clears that seat's. Disks in wells stay.
        """
        turn = turn_of(match)
        if self.mode is PadMode.WELLS:
            return replace(self, turn=turn)
        if not turn.same_question(self.turn):
            return Pads(self.mode, turn)
        taken_back = [seat for seat in self.turn.inside if seat not in turn.inside]
        kept = {seat: pad for seat, pad in self.pads.items() if seat not in taken_back}
        return Pads(self.mode, turn, kept)

    def _pad(self, seat: Seat) -> Pad:
        return self.pads.get(seat, Pad(self.mode))

    def text(self) -> str:
        """Write the pads as `recalled` reads them."""
        pads = {str(seat): to_json(pad.presses) for seat, pad in self.pads.items()}
        return json.dumps({"match": self.turn.match, "opened_ns": self.turn.opened_ns, "pads": pads})


def recalled(text: str | None, match: Match, *, mode: PadMode) -> Pads:
    """Return the pads as they stood when the table last ran.

    Wells start empty: the panel reports anew which ones are closed. Raises JournalDamaged for a text that
    `Pads.text` did not write.
    """
    fresh = Pads(mode, turn_of(match))
    if text is None or mode is PadMode.WELLS:
        return fresh
    try:
        kept = json.loads(text)
        if (kept["match"], kept["opened_ns"]) != (fresh.turn.match, fresh.turn.opened_ns):
            return fresh
        return replace(fresh, pads={Seat(int(s)): _pad_of(p, mode) for s, p in kept["pads"].items()})
    except (ValueError, KeyError, TypeError, AttributeError, BadMessage):
        raise JournalDamaged("the pads kept beside the journal cannot be read; nothing was changed") from None


def _pad_of(presses: Any, mode: PadMode) -> Pad:
    return Pad(mode, tuple(from_json(Press, press, where="/pads") for press in presses))


def _folded(pad: Pad) -> Pad:
    if len(pad.presses) <= MOST_PRESSES:
        return pad
    older, newer = pad.presses[: MOST_PRESSES // 2], pad.presses[MOST_PRESSES // 2 :]
    cut = older[-1]
    lying = pad.prediction(at_ns=cut.at_ns)
    # Presses at the very moment of the cut that are among the newer ones were counted: leave them out.
    newer = tuple(press for press in newer if press.at_ns > cut.at_ns)
    folded = (Press(cut.seat, key, cut.at_ns, bool(lying & key.worth)) for key in _WELLS)
    kept = folded if pad.mode is PadMode.WELLS else (press for press in folded if press.closed)
    return Pad(pad.mode, (*kept, *newer))
