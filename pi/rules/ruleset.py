"""What a game must bring along: a Ruleset value. A new game is one new file in `pi/rules/games`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pi.rules.values import Player, Points, Seat

House = Mapping[str, bool | int | str]
"""The house rules of one match: every switch of the ruleset with its value."""


class Reason(Enum):
    """Why a command was declined; the name is for programs, the sentence for people."""

    NO_MATCH = "no-match"
    MATCH_RUNNING = "match-running"
    MATCH_OVER = "match-over"
    WRONG_GAME = "wrong-game"
    WRONG_PHASE = "wrong-phase"
    NOT_YOUR_TURN = "not-your-turn"
    UNKNOWN_SEAT = "unknown-seat"
    ALREADY_LOCKED = "already-locked"
    NOT_LOCKED = "not-locked"
    TOO_LATE = "too-late"
    TOO_EARLY = "too-early"
    NO_ROUND = "no-round"
    BAD_PREDICTION = "bad-prediction"
    BAD_TRAY = "bad-tray"
    SAME_TRAY = "same-tray"
    NOTHING_NEW = "nothing-new"
    BAD_CELL = "bad-cell"
    BAD_SYMBOL = "bad-symbol"
    BAD_HOUSE_RULE = "bad-house-rule"
    BAD_PLAYERS = "bad-players"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REDO = "nothing-to-redo"
    ON_HOLD = "on-hold"
    MOVED_ON = "moved-on"
    UNLAWFUL = "unlawful"


@dataclass(frozen=True, slots=True)
class Refused:
    """A command declined; nothing has changed."""

    reason: Reason
    sentence: str
    """One clear sentence that someone can read aloud."""
    about: tuple[tuple[str, int], ...] = ()
    """The pieces of a reading that somebody must tell first, as `pi.rules.seen.About`; () when that is not why."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A switch with which a table may depart from the default."""

    name: str
    """snake_case, as in RULES.md."""
    default: bool | int | str
    line: str
    """One line of explanation for the table page."""
    options: tuple[str, ...] = ()
    """The allowed values of a textual switch."""
    least: int = 0
    most: int = 0
    """The allowed range of a numeric switch."""


@dataclass(frozen=True, slots=True)
class Award:
    """Points to one seat and the rule they rest on."""

    seat: Seat
    points: Points
    why: str
    """One sentence, readable aloud."""
    source: str
    """The paragraph, e.g. 'RULES.md 1, Random Scramble'."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match stands or ended."""

    over: bool
    winners: tuple[Seat, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Context:
    """What every game knows of its match."""

    match: str
    players: tuple[Player, ...]
    house: House
    held: bool = False
    """Automation rests: nothing reveals itself."""

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that play, ascending."""
        return tuple(player.seat for player in self.players)

    def name(self, seat: Seat) -> str:
        """Return the player's name, or 'Seat n' for a seat without a player."""
        return next((p.name for p in self.players if p.seat == seat), f"Seat {seat}")


def unknown_seat(context: Context, seat: Seat) -> Refused:
    """Return the refusal for a seat that does not play."""
    seats = ", ".join(str(s) for s in context.seats())
    return Refused(Reason.UNKNOWN_SEAT, f"Seat {seat} does not play in this match (expected {seats}).")


def highest(context: Context, score: Mapping[Seat, Points]) -> tuple[Seat, ...]:
    """Return the seats that lead where the highest score wins; several when they are equal."""
    best = max(score.values(), default=Points(0))
    return tuple(seat for seat, points in score.items() if points == best)


def lowest(context: Context, score: Mapping[Seat, Points]) -> tuple[Seat, ...]:
    """Return the seats that lead where the lowest score wins; several when they are equal."""
    best = min(score.values(), default=Points(0))
    return tuple(seat for seat, points in score.items() if points == best)


def no_secrets(state: Any) -> Any:
    """Return the state as it is: everybody may see all of it."""
    return state


def nobody(context: Context, state: Any) -> tuple[Seat, ...]:
    """Return no seat: the game awaits no turn, or says so in another way."""
    return ()


def nothing_told(context: Context, event: Any) -> str | None:
    """Return None: the game has no events of its own."""
    return None


def numbered(context: Context, place: int) -> str:
    """Return a place of a mat by its number, from 1."""
    return f"place {place + 1}"


Card = tuple[tuple[str, str], ...]
"""A game's rules card: short headings, each with a few sentences in our own words."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game as data: what it is called, what may be switched, and its pure functions."""

    name: str
    """As in `feltside demo --game NAME`."""
    title: str
    source: str
    """The paragraph this file obeys."""
    seats: tuple[int, int]
    """Fewest and most players."""
    house_rules: tuple[HouseRule, ...]
    check: Callable[[Context], str | None]
    """Returns a sentence when switches or players do not go together, else None."""
    start: Callable[[Context], Any]
    """Returns the game's own frozen state before the first round."""
    decide: Callable[[Context, Any, Any], Sequence[Any] | Refused]
    """(context, game state, command) -> events, or a refusal; never changes the state."""
    apply: Callable[[Context, Any, Any], Any]
    """(context, game state, event) -> game state; total: any event from any journal."""
    standing: Callable[[Context, Any], Mapping[Seat, Points]]
    """Returns each seat's score; a function of the state alone."""
    outcome: Callable[[Context, Any, Mapping[Seat, Points]], Outcome]
    """(context, game state, each seat's score with adjustments) -> how the match stands."""
    expects: Callable[[Context, Any], str | None]
    """What the eye should look for now (as in `feltside read --expect`); None when it may rest."""
    leaders: Callable[[Context, Mapping[Seat, Points]], tuple[Seat, ...]] = highest
    """(context, each seat's score) -> who leads: the winners when the table ends the match early."""
    veiled: Callable[[Any], Any] = no_secrets
    """game state -> the same without what only one seat may know yet; scores must not need what is taken out."""
    movers: Callable[[Context, Any], tuple[Seat, ...]] = nobody
    """(context, game state) -> the seats whose turn it is; () when nobody is awaited."""
    told: Callable[[Context, Any], str | None] = nothing_told
    """(context, event) -> one of the game's own events in a few words without a secret; None for any other."""
    prepares: tuple[type, ...] = ()
    """Events that `told` has words for, but that are no turns."""
    called: Callable[[Context, int], str] = numbered
    """(context, place of its mat) -> how people call that place, e.g. 'square 3'."""
    card: Card = ()
    """The rules card; two screens of a tablet at most."""

    def house(self, chosen: House) -> dict[str, bool | int | str]:
        """Return every switch with its value: the chosen ones over the defaults."""
        return {rule.name: chosen.get(rule.name, rule.default) for rule in self.house_rules}
