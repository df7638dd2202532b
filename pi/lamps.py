"""Which lamp shows what: a pure table from a match to patterns. The panel only shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from pi.rules.games import scramble
from pi.rules.games.scramble_books import Scramble
from pi.rules.match import Match
from pi.rules.values import Seat

SEATS = (Seat(1), Seat(2), Seat(3), Seat(4))


class Lamp(Enum):
    """One lamp (or the buzzer), by its meaning."""

    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SEAT_3 = "seat-3"
    SEAT_4 = "seat-4"
    QUEUE_1 = "queue-1"
    QUEUE_2 = "queue-2"
    QUEUE_3 = "queue-3"
    QUEUE_4 = "queue-4"
    BUZZER = "buzzer"

    @classmethod
    def seat(cls, seat: Seat) -> Lamp:
        """Return the lamp of a seat; ValueError when the board has none."""
        return cls(f"seat-{seat}")

    @classmethod
    def queue(cls, place: int) -> Lamp:
        """Return the lamp of a queue place, from 1; ValueError when the board has none."""
        return cls(f"queue-{place}")


class Pattern(Enum):
    """What a lamp does. No two meanings differ by colour alone."""

    OFF = "off"
    ON = "on"
    SLOW = "slow"
    """Half a second on, half a second off: something is awaited."""
    FAST = "fast"
    """Eight blinks a second: a press was refused."""
    PULSE = "pulse"
    """Two short flashes and a rest: right, or a winner."""


STEP_S = 1 / 16
"""How long one sign of a rhythm lasts, in seconds."""
RHYTHM: Mapping[Pattern, str] = {
    Pattern.OFF: "0",
    Pattern.ON: "1",
    Pattern.SLOW: "1111111100000000",
    Pattern.FAST: "10",
    Pattern.PULSE: "1010000000000000",
}
"""What each pattern does, step by step and over again: 1 lit, 0 dark. All lamps keep the same step."""


def lit(pattern: Pattern, step: int) -> bool:
    """Tell whether a lamp with this pattern is lit at a step, counted from when the pattern began."""
    rhythm = RHYTHM[pattern]
    return rhythm[step % len(rhythm)] == "1"


class Flash(Enum):
    """Something brief to be told at once."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    REVEALED = "revealed"
    TRIED = "tried"
    """No match is played: a key was pressed and seen, or all lamps are tried."""


FLASH_NS: Mapping[Flash, int] = {
    Flash.ACCEPTED: 80_000_000,
    Flash.REFUSED: 800_000_000,
    Flash.REVEALED: 400_000_000,
    Flash.TRIED: 1_500_000_000,
}
"""How long each flash lasts, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Flashing:
    """A flash under way."""

    flash: Flash
    until_ns: int
    """Journal time at which it ends."""
    seat: Seat | None = None
    """Whom it is for; None for the whole table."""


Lamps = dict[Lamp, Pattern]

LANGUAGE: tuple[tuple[str, str, Pattern], ...] = (
    ("seat", "This seat's lock-in is awaited; in a game of turns: it is this seat's turn", Pattern.SLOW),
    ("seat", "Locked in, and on disk; before a match: a press was seen, or all lamps are tried", Pattern.ON),
    ("seat", "A press was refused (no round open, already locked in)", Pattern.FAST),
    ("seat", "After the reveal: this prediction was right; after the match: the winner", Pattern.PULSE),
    ("seat", "Nothing is awaited from this seat", Pattern.OFF),
    ("queue", "This many seats are locked in; before a match: all lamps are tried", Pattern.ON),
    ("queue", "The next place that is free", Pattern.SLOW),
    ("queue", "No round is open, or nobody is left for this place", Pattern.OFF),
    ("buzzer", "A lock-in was taken: one short tone", Pattern.ON),
    ("buzzer", "A press was refused: a rattle", Pattern.FAST),
    ("buzzer", "The reveal: two tones", Pattern.PULSE),
)
"""(lamp, when, what it does): the whole lamp language, for the README and the help page."""

PATTERN_WORDS: Mapping[Pattern, str] = {
    Pattern.OFF: "dark (silent)",
    Pattern.ON: "steady",
    Pattern.SLOW: "slow: half a second on, half a second off",
    Pattern.FAST: "fast: eight blinks a second",
    Pattern.PULSE: "two short flashes, then a rest",
}


def language_markdown() -> str:
    """Return the lamp language as a Markdown table: what the README holds (a test compares)."""
    rows = [f"| {lamp} | {PATTERN_WORDS[pattern]} | {when} |" for lamp, when, pattern in LANGUAGE]
    return "\n".join(["| lamp | does | when |", "| --- | --- | --- |", *rows]) + "\n"


def lamps(match: Match, flashes: Iterable[Flashing] = ()) -> Lamps:
    """Return what every lamp shows.

    Before the reveal it depends on who has locked in and never on what (tests compare).
    """
    shown = dict.fromkeys(Lamp, Pattern.OFF) | _seat_lamps(match) | _queue_lamps(match)
    return flashed(shown, flashes)


def flashed(shown: Lamps, flashes: Iterable[Flashing]) -> Lamps:
    """Return the lamps with flashes over what they show."""
    for flashing in flashes:
        shown = shown | _flash(flashing)
    return shown


def _books(match: Match) -> Scramble | None:
    return match.state if isinstance(match.state, Scramble) else None


def _seat_lamps(match: Match) -> Lamps:
    books = _books(match)
    if books is None:
        return _turn_lamps(match)
    if not books.rounds:
        return {}
    if books.current is None or match.ended is not None:
        over = match.outcome()
        if over.over:
            return {Lamp.seat(seat): Pattern.PULSE for seat in over.winners if seat in SEATS}
        judged = scramble.result(match.context, books.rounds[-1])
        right = [claim.seat for claim in judged.claims if claim.right] if judged else []
        return {Lamp.seat(seat): Pattern.PULSE for seat in right}
    awaited = Pattern.OFF if match.held is not None else Pattern.SLOW
    inside = books.current.seats_in()
    return {Lamp.seat(s): Pattern.ON if s in inside else awaited for s in match.context.seats()}


def _turn_lamps(match: Match) -> Lamps:
    """Show whose turn it is in a game of turns, and who has won; seats beyond the board have no lamp."""
    if not match.started:
        return {}
    over = match.outcome()
    if over.over:
        return {Lamp.seat(seat): Pattern.PULSE for seat in over.winners if seat in SEATS}
    movers = () if match.held is not None else match.ruleset.movers(match.context, match.state)
    return {Lamp.seat(seat): Pattern.SLOW for seat in movers if seat in SEATS}


def _queue_lamps(match: Match) -> Lamps:
    books = _books(match)
    if books is None or books.current is None or match.ended is not None:
        return {}
    inside, players = len(books.current.seats_in()), len(match.players)
    shown = {Lamp.queue(place): Pattern.ON for place in range(1, inside + 1)}
    if inside < players and match.held is None:
        shown[Lamp.queue(inside + 1)] = Pattern.SLOW
    return shown


def _flash(flashing: Flashing) -> Lamps:
    match flashing.flash:
        case Flash.ACCEPTED:
            return {Lamp.BUZZER: Pattern.ON}
        case Flash.REVEALED:
            return {Lamp.BUZZER: Pattern.PULSE}
        case Flash.TRIED if flashing.seat is None:
            return {lamp: Pattern.ON for lamp in Lamp if lamp is not Lamp.BUZZER}
        case Flash.TRIED:
            return {Lamp.seat(flashing.seat): Pattern.ON} if flashing.seat in SEATS else {}
        case Flash.REFUSED:
            seat = {} if flashing.seat not in SEATS else {Lamp.seat(flashing.seat): Pattern.FAST}
            return {Lamp.BUZZER: Pattern.FAST, **seat}
