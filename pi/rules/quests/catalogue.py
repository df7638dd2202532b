"""The quests that start from all 40 tiles, by name: their shape, check, solver and hints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pi.rules.quests import latin, magic_sums, no_runs
from pi.rules.quests.hinting import Check, Complete
from pi.rules.quests.laying import Hint

HARDER = "magic-sums-no-repeats"


@dataclass(frozen=True, slots=True)
class Door:
    """A quest that starts from all 40 tiles."""

    shape: tuple[int, int]
    """(rows, columns)."""
    check: Check
    solve: Complete
    hint: Callable[..., Hint | None]


_NO_REPEATS: dict[str, Any] = {"no_repeats_in_rows": True}
DOORS: Mapping[str, Door] = {
    no_runs.NAME: Door(no_runs.SHAPE, no_runs.check, no_runs.solve, no_runs.hint),
    latin.NAME: Door(latin.SHAPE, latin.check, latin.solve, latin.hint),
    magic_sums.NAME: Door(magic_sums.SHAPE, magic_sums.check, magic_sums.solve, magic_sums.hint),
    HARDER: Door(
        magic_sums.SHAPE,
        partial(magic_sums.check, **_NO_REPEATS),
        partial(magic_sums.solve, **_NO_REPEATS),
        partial(magic_sums.hint, **_NO_REPEATS),
    ),
}
