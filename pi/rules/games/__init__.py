"""The games, one file each. `RULESETS` is the only list of them."""

from __future__ import annotations

from pi.rules.games.blob import BLOB
from pi.rules.games.divisors import DIVISORS
from pi.rules.games.draw_bridge import DRAW_BRIDGE
from pi.rules.games.palindromes import PALINDROMES
from pi.rules.games.quest import QUEST
from pi.rules.games.run_buster import RUN_BUSTER
from pi.rules.games.runaround import RUNAROUND
from pi.rules.games.scramble import SCRAMBLE
from pi.rules.games.sums_grid import SUMS_GRID
from pi.rules.ruleset import Ruleset

RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset
    for ruleset in (SCRAMBLE, DRAW_BRIDGE, RUN_BUSTER, RUNAROUND, PALINDROMES, BLOB, DIVISORS, SUMS_GRID, QUEST)
}
