"""The games, one file each. `RULESETS` is the only list of them."""

from __future__ import annotations

from pi.rules.games.draw_bridge import DRAW_BRIDGE
from pi.rules.games.run_buster import RUN_BUSTER
from pi.rules.games.scramble import SCRAMBLE
from pi.rules.ruleset import Ruleset

RULESETS: dict[str, Ruleset] = {r.name: r for r in (SCRAMBLE, DRAW_BRIDGE, RUN_BUSTER)}
