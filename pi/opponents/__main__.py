"""`python -m pi.opponents GAME --matches N`: how often a computer player beats random play."""

from __future__ import annotations

import argparse
import sys
import time

from pi.errors import FeltsideError
from pi.opponents.arena import measured
from pi.opponents.registry import GAMES, opponent


def main() -> int:
    """Measure and print; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pi.opponents", description=__doc__)
    parser.add_argument("game", choices=[*GAMES, "all"])
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        for game in GAMES if args.game == "all" else (args.game,):
            begun = time.monotonic()
            won, played = measured(game, matches=args.matches, seed=args.seed)
            found = opponent(game)
            seconds = (time.monotonic() - begun) / max(played, 1)
            print(f"{game}: {won:g} of {played} against random play, {seconds:.2f} s a match", flush=True)
            print(f"  {found.strength if found else ''}")
    except FeltsideError as no:
        print(f"feltside: {no}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
