"""The numbers of the mathematics page, worked out once and kept beside the code.

Working them out takes seconds on a desktop computer and most of a minute on a Raspberry Pi, and they never change. So
they lie in `mathematics.json`: never typed in, for `python -m pi.odds.mathematics_numbers` writes it, and a test
compares it with what the code finds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from math import factorial
from pathlib import Path
from typing import Any

from pi.odds.errors import BadQuestion

FILE = Path(__file__).with_name("mathematics.json")
BOOK_SEVERAL, BOOK_ROW, BOOK_BOARD = 0.032, 0.20, 0.59
"""What the rule book of RunnuRound says of several runs in a row, of some run in a row, and of some run in four."""
TAIL = 1e-6
"""Totals that together are rarer share one bar."""
DRAWN = 2_000_000
"""Boards drawn where nothing exact is known: a share is then true within 0.07 % (two standard errors)."""
Numbers = dict[str, Any]
"""By name; `bars` is the picture: (label, share) from the top down."""


@cache
def kept() -> Mapping[str, Numbers]:
    """Return the numbers of every chapter as they are kept, by the chapter's key."""
    found: dict[str, Numbers] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def work_out(key: str) -> Numbers:
    """Return a chapter's numbers, worked out anew; raises BadQuestion for an unknown key. Up to 3 s."""
    if key not in _CHAPTERS:
        raise BadQuestion(f"there is no chapter {key!r} (expected one of {', '.join(_CHAPTERS)})")
    return _CHAPTERS[key]()


def _row() -> Numbers:
    from pi.odds.rows import row_chances, row_counts, runless_orders

    counts, chances = row_counts(), row_chances()
    return {
        "orders": factorial(10),
        "none": counts[0],
        "one": counts[1],
        "ten": counts[10],
        "some": _some(chances),
        "single": float(chances.attainable(1)),
        "runless": runless_orders(10),
        "mean": float(chances.mean()),
        "bars": _bars(chances),
    }


def _board() -> Numbers:
    from pi.odds.rows import board_chances, row_chances

    chances = board_chances()
    right = {k: float(share) for k, share in chances.right().items()}
    points = {k: share * (max(k, 1) + 4) for k, share in right.items() if k <= 7}
    likely, worth = max(right, key=right.__getitem__), max(points, key=points.__getitem__)
    return {
        "row": _some(row_chances()),
        "some": _some(chances),
        "mean": float(chances.mean()),
        "likely": likely,
        "likely_share": right[likely],
        "worth": worth,
        "worth_points": points[worth],
        "best": [float(chances.best().get(k, 0)) for k in range(max(chances.best()) + 1)],
        "bars": _bars(chances),
    }


def _wild() -> Numbers:
    from pi.odds.hindsight import fresh_chances
    from pi.odds.rows import board_chances
    from pi.rules.games.scramble import SCRAMBLE

    house = {rule.name: rule.default for rule in SCRAMBLE.house_rules}
    chances = fresh_chances({**house, "wild": True})
    return {"mean": float(chances.mean()), "without": float(board_chances().mean()), "bars": _bars(chances)}


def _elevator() -> Numbers:
    import numpy as np

    from pi.odds.elevator import elevator_chances, mean_total
    from pi.odds.sample import sample
    from pi.odds.vertical import variance_total
    from pi.rules.runs import Variant

    chances = elevator_chances()
    variants = {
        "elevator": Variant(elevator=True),
        "vertical": Variant(vertical=True),
        "both": Variant(elevator=True, vertical=True),
    }
    means = {name: mean_total(variant) for name, variant in variants.items()}
    exact = {f"{name}_exact": str(mean) for name, mean in means.items()}
    spread = {f"{name}_spread": float(variance_total(variant)) ** 0.5 for name, variant in variants.items()}
    drawn = {
        f"{name}_some": _some(sample(DRAWN, rng=np.random.default_rng(2011), vertical=True, elevator=name == "both"))
        for name in ("vertical", "both")
    }
    floats = {name: float(mean) for name, mean in means.items()}
    return {**floats, **exact, **spread, **drawn, "drawn": DRAWN, "some": _some(chances), "bars": _bars(chances)}


def _buster() -> Numbers:
    from pi.odds.buster import HANDS, rolls, solve
    from pi.rules.games.run_buster_rules import FACES

    solution = solve()
    # Rounded, so that mirror images stand together, whatever the last digit of their chances.
    worth = sorted((-round(1 - solution.win((), hand), 9), hand) for hand in HANDS if hand)
    best, least = ([_hand(h) for win, h in worth if win == end] for end in (worth[0][0], worth[-1][0]))
    return {
        "positions": len(HANDS) ** 2,
        "first": round(solution.win((), ()), 12),
        "turns": round(solution.length((), ()), 9),
        "at_once": rolls(len(FACES))[FACES] / 6 ** len(FACES),
        "best": best,
        "least": least,
        "bars": [[_hand(hand), -less] for less, hand in worth],
    }


def _quests() -> Numbers:
    from pi.odds import quests
    from pi.odds.chances import together
    from pi.rules.quests import sums

    row = quests.most_runs_row()
    board = together([row] * 4)
    return {
        "row": float(row.mean()),
        "board": float(board.mean()),
        "none": float(row.attainable(0)),
        "ways": quests.number_layouts() / quests.magic_sums_solutions(),
        "sums_3": sums.standing(3),
        "sums_4": sums.standing(4),
        "most_3": sums.most_known(3),
        "bars": _bars(row),
    }


_CHAPTERS: Mapping[str, Callable[[], Numbers]] = {
    "row": _row,
    "board": _board,
    "wild": _wild,
    "elevator": _elevator,
    "buster": _buster,
    "quests": _quests,
}


def _some(chances: Any) -> float:
    return float(1 - chances.attainable(0))


def _bars(chances: Any) -> list[list[Any]]:
    right = chances.right()
    last = max(right)
    cut = next((k for k in right if k > 1 and chances.at_least(k) < TAIL), last)
    bars = [[str(k), float(share)] for k, share in right.items() if k < cut or k == last == cut]
    return bars if cut == last else [*bars, [f"{cut}+", float(chances.at_least(cut))]]


def _hand(hand: tuple[int, ...]) -> str:
    return " ".join(map(str, hand))


def main() -> int:
    """Work everything out and keep it."""
    found = {key: work_out(key) for key in _CHAPTERS}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
