"""What may be asked of a match. On the wire a command is `{"command": name, ...fields}`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from pi.rules.codec import from_json, to_json
from pi.rules.errors import BadMessage
from pi.rules.events import Tray
from pi.rules.queueing import TIE_BOUND_NS
from pi.rules.values import Player, Points, Seat

Command = Any
"""Any dataclass registered with `@command`."""
C = TypeVar("C", bound=type)
_COMMANDS: dict[str, type] = {}
_NAMES: dict[type, str] = {}


def command(name: str) -> Callable[[C], C]:
    """Register a frozen dataclass as a command under its name on the wire."""

    def register(cls: C) -> C:
        if name in _COMMANDS:
            raise BadMessage(f"the command name {name!r} is taken (expected a new one)")
        _COMMANDS[name], _NAMES[cls] = cls, name
        return cls

    return register


def encode(asked: Command) -> dict[str, Any]:
    """Return the command as a JSON object."""
    return {"command": _NAMES[type(asked)], **to_json(asked)}


def decode(data: Any) -> Command:
    """Return the command a JSON object describes; raises BadMessage naming what does not fit."""
    if not isinstance(data, dict) or "command" not in data:
        raise BadMessage("a command is an object with the field 'command'")
    if str(data["command"]) not in _COMMANDS:
        import_module("pi.rules.games")  # a game's own commands are registered by its file
    cls = _COMMANDS.get(str(data["command"]))
    if cls is None:
        raise BadMessage(f"the command {data['command']!r} is unknown (expected {', '.join(sorted(_COMMANDS))})")
    return from_json(cls, {k: v for k, v in data.items() if k != "command"}, where=f"/{data['command']}")


@command("start-match")
@dataclass(frozen=True, slots=True)
class StartMatch:
    """Begin a match. `match` is an id nobody used before; `house` names only what departs from default."""

    match: str
    game: str
    players: tuple[Player, ...]
    house: tuple[tuple[str, bool | int | str], ...] = ()
    by: str = "table"


@command("next")
@dataclass(frozen=True, slots=True)
class Next:
    """The START/NEXT button: open the next round, or go on after a hold."""

    at_ns: int
    by: str = "table"


@command("lock-in")
@dataclass(frozen=True, slots=True)
class LockIn:
    """A seat pressed LOCK at the time of the first edge; `nonce` is fresh chance for the commitment."""

    seat: Seat
    prediction: int
    at_ns: int
    nonce: str
    bound_ns: int = TIE_BOUND_NS
    via: str = "pad"


@command("withdraw-lock-in")
@dataclass(frozen=True, slots=True)
class WithdrawLockIn:
    """The table takes a mistaken lock-in back, openly."""

    seat: Seat
    by: str = "table"


@command("read-tray")
@dataclass(frozen=True, slots=True)
class ReadTray:
    """The watcher settled on a reading, or the table typed the tray in."""

    tray: Tray


@command("reread")
@dataclass(frozen=True, slots=True)
class Reread:
    """ "The tray is right": forget the round's reading and read again."""

    round: int
    by: str = "table"


@command("confirm-tray")
@dataclass(frozen=True, slots=True)
class ConfirmTray:
    """Somebody says that the tray lies as it was read, which the eye doubts as a whole."""

    round: int
    frame: str = ""
    """The reading that is meant; empty for the latest."""
    by: str = "table"


@command("correct-tile")
@dataclass(frozen=True, slots=True)
class CorrectTile:
    """Somebody says what the tile in a cell of a round shows."""

    round: int
    row: int
    column: int
    symbol: str
    by: str = "table"


@command("rule-total")
@dataclass(frozen=True, slots=True)
class RuleTotal:
    """The table counted by hand, or keeps the score as it stands."""

    round: int
    total: int
    by: str = "table"
    others: tuple[int, ...] = ()
    """With wild tiles: further totals that can be made."""


@command("reveal")
@dataclass(frozen=True, slots=True)
class Reveal:
    """The table reveals now; seats without a lock-in have made no prediction."""

    by: str = "table"


@command("rename-player")
@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """Put a player's name right."""

    seat: Seat
    name: str
    by: str = "table"


@command("adjust-points")
@dataclass(frozen=True, slots=True)
class AdjustPoints:
    """Give or take points by hand, with a reason."""

    seat: Seat
    points: Points
    why: str
    by: str = "table"


@command("end-match")
@dataclass(frozen=True, slots=True)
class EndMatch:
    """End the match now."""

    why: str = ""
    by: str = "table"


@command("hold")
@dataclass(frozen=True, slots=True)
class Hold:
    """Pause: no reading is taken, nothing reveals itself."""

    why: str = ""
    by: str = "table"


@command("resume")
@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a hold."""

    by: str = "table"


@command("undo")
@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last step back; any number of times, down to the start of the match."""

    by: str = "table"
    steps: int = 1
    """How many steps, all of them or none."""


@command("redo")
@dataclass(frozen=True, slots=True)
class Redo:
    """Let the last undone step count again."""

    by: str = "table"
    steps: int = 1
    """How many steps, all of them or none."""
