"""The games, one file each: a module here that holds a `Ruleset` is a game, and is played. There is no list to add to.

What a new game takes is

1. `pi/rules/games/<game>.py`: its commands, events, state, `decide`, `apply`, score, rules card, as one Ruleset;
2. `web/present_<game>.py` and `web/templates/game/<game>.html`: its view;
3. if the camera is to read counters or pawns: a function in `pi/stand_ins/mats.py` that says where its places are,
   and one in `pi/sheets/mats.py` that draws the sheet.

Journal, corrections, questions of the eye, undo, evidence, history, phones, lamps, `feltside print scoresheet` and the
laws of `tests/rules/test_every_game.py` then hold for it by themselves. `tests/test_adding_a_game.py` adds a small one
in three files and 132 lines, and says who else may know of a game (a computer player, `feltside judge`).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from pi.rules.ruleset import Ruleset

FIRST = "scramble"
"""The main game leads every list."""


def _found() -> Iterator[Ruleset]:
    for module in iter_modules(__path__):
        for value in vars(import_module(f"{__name__}.{module.name}")).values():
            if isinstance(value, Ruleset):
                yield value


RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset for ruleset in sorted(_found(), key=lambda found: (found.name != FIRST, found.title))
}
