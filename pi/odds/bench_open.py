"""How long a half-open board takes: `python -m pi.odds.bench_open [--boards N] [--seed N]`.

For each kind of board and number of tiles face down: random boards, each asked for cold (nothing kept from the one
before), in milliseconds of processor time on one core, how many of the answers are exact, and how many of these came
within GOAL_MS. At the end, by kind: up to where all did, and the longest answer of all, exact or drawn.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from pi.odds import half_row, perms
from pi.odds.open import open_chances
from pi.rules.runs import Variant
from pi.rules.values import DOWN, NUMBERS, SHAPES, WILD, Board, Layout

Kind = tuple[str, Layout, Variant, bool, Sequence[int]]
BOTH = Variant(elevator=True, vertical=True)
KINDS: tuple[Kind, ...] = (
    ("rows", Layout.ROWS, Variant(), False, (4, 12, 20, 28, 36, 40)),
    ("rows, wilds", Layout.ROWS, Variant(), True, (4, 12, 20, 28, 32, 36, 40)),
    ("rect", Layout.RECT, Variant(), False, (4, 8, 12, 16, 18, 20, 22, 24, 32, 40)),
    ("rect, wilds", Layout.RECT, Variant(), True, (4, 6, 8, 10, 12, 14, 16, 40)),
    ("rect, vertical", Layout.RECT, Variant(vertical=True), False, (4, 8, 12, 14, 16, 18, 40)),
    ("diamond", Layout.DIAMOND, Variant(), True, (4, 6, 8, 10, 12, 14, 41)),
    ("elevator", Layout.ROWS, Variant(elevator=True), False, (8, 16, 20, 24, 30, 36)),
    ("elevator + vertical", Layout.ROWS, BOTH, False, (4, 8, 12, 14, 16, 18, 20, 40)),
)
GOAL_MS = 20.0
CACHES: tuple[Callable[[], None], ...] = tuple(
    kept.cache_clear for kept in (half_row.half_row, half_row._laid, perms.arrangements)
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(prog="python -m pi.odds.bench_open", description=main.__doc__)
    parser.add_argument("--boards", type=int, default=20, help="boards for each line")
    parser.add_argument("--seed", type=int, default=2011)
    args = parser.parse_args(argv)
    rng = random.Random(args.seed)
    print(f"{'board':20} face down   median ms      most ms    exact    in {GOAL_MS:.0f} ms")
    notes = []
    _timed(_boards(Layout.RECT, True, 8, random.Random(0), 2), Variant(), True)  # what only the first time costs
    for name, layout, variant, wilds, numbers in KINDS:
        kept, longest = "none", (0.0, 0)
        broken = False
        for hidden in numbers:
            asked = _timed(_boards(layout, wilds, hidden, rng, args.boards), variant, wilds)
            times = [ms for ms, _ in asked]
            exact, quick = sum(e for _, e in asked), sum(e and ms < GOAL_MS for ms, e in asked)
            print(
                f"{name:20} {hidden:9} {np.median(times):11.1f} {max(times):12.1f}"
                f" {exact:8} of {args.boards} {quick:4} of {args.boards}"
            )
            broken = broken or quick < args.boards
            kept = kept if broken else str(hidden)
            longest = max(longest, (max(times), hidden))
        notes.append(f"{name}: all exact in {GOAL_MS:.0f} ms up to {kept}; longest {longest[0]:.0f} ms ({longest[1]})")
    print("\n".join(["", *notes]))
    return 0


def _boards(layout: Layout, wilds: bool, hidden: int, rng: random.Random, boards: int) -> Iterator[Board]:
    for _ in range(boards):
        board = shuffled(layout, wilds=wilds, rng=rng)
        for cell in rng.sample(list(board.cells()), hidden):
            board = board.with_symbol(cell, DOWN)
        yield board


def shuffled(layout: Layout, *, wilds: bool, rng: random.Random) -> Board:
    """Return a board as the table would lay it, face up; wilds: whether they were shuffled in (the diamond has one)."""
    if layout is Layout.ROWS:
        return Board(layout, tuple(tuple(rng.sample((*NUMBERS, WILD) if wilds else NUMBERS, 10)) for _ in range(4)))
    many = 1 if layout is Layout.DIAMOND else 4 * wilds
    tiles = [*NUMBERS * 4, *(WILD,) * many]
    rng.shuffle(tiles)
    left = iter(tiles)
    return Board(layout, tuple(tuple(next(left) for _ in range(n)) for n in SHAPES[layout]))


def _timed(boards: Iterator[Board], variant: Variant, wilds: bool) -> list[tuple[float, bool]]:
    """Return for each board the milliseconds, and whether the answer was exact."""
    found = []
    for board in boards:
        for clear in CACHES:
            clear()
        began = time.process_time()
        chances = open_chances(board, variant=variant, wilds=wilds, rng=np.random.default_rng(1))
        found.append((1000 * (time.process_time() - began), chances.exact))
    return found


if __name__ == "__main__":
    raise SystemExit(main())
