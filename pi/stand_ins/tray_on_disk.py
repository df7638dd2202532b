"""What simulated people have laid, in one small file: they write it, the simulated camera draws it.

The watcher's camera lives in a process of its own and may not know the match; players do. So what lies on
the tray passes between them as it would on felt, and the eye has to read it. See `pi.simulator`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "laid.json"
Rows = tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class LaidDie:
    """A die on the mat."""

    zone: int
    """Seat of the hand zone; 0 is the roll zone."""
    value: int
    owner: int
    """Seat whose dice these are: each has a colour of its own."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What lies on the simulated tray."""

    match: str
    round: int
    turn: int
    rows: Rows = ()
    """Cells "red:7" or None, four rows of ten places; () without tiles."""
    dice: tuple[LaidDie, ...] = ()
    mat: str = ""
    """The printed mat that covers the felt, as rulesets name it ('blob:8', 'run-buster'); '' for bare felt."""
    pieces: tuple[tuple[int, str], ...] = ()
    """On each place of the mat that is not empty, what it holds: 'dark', 'light', 'first' or 'second'."""


def write(folder: Path, laid: Laid) -> None:
    """Replace what lies there, at once."""
    dice = [[die.zone, die.value, die.owner] for die in laid.dice]
    data = {"match": laid.match, "round": laid.round, "turn": laid.turn, "rows": laid.rows, "dice": dice}
    data |= {"mat": laid.mat, "pieces": laid.pieces}
    draft = folder / f"{NAME}.new"
    draft.write_text(json.dumps(data))
    draft.replace(folder / NAME)


def read(folder: Path) -> Laid | None:
    """Return what lies there; None before anything was laid."""
    try:
        data: dict[str, Any] = json.loads((folder / NAME).read_text())
    except FileNotFoundError:
        return None
    rows = tuple(tuple(row) for row in data["rows"])
    dice = tuple(LaidDie(*die) for die in data["dice"])
    pieces = tuple((int(place), str(kind)) for place, kind in data["pieces"])
    return Laid(data["match"], data["round"], data["turn"], rows, dice, data["mat"], pieces)
