"""How many random boards a second: `python -m pi.odds.bench [--seconds S] [--seed N]`.

Prints, for rows and for rows with elevator and vertical: boards drawn and counted a second on this core by a plain
Python loop, by a straightforward numpy version, by the batch form (`pi.odds.batch`) on drawn boards, and by the
tables of `pi.odds.sample`; with ratios. Processor time is measured, so that other work on the machine matters less.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence

import numpy as np

from pi.odds.batch import grid, totals
from pi.odds.sample import PLACES, ROWS, draw_boards, draw_totals, table
from pi.rules.runs import Variant
from pi.rules.values import Layout

Method = Callable[[int], float]
"""Draws and counts so many boards; returns their mean total."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(prog="python -m pi.odds.bench", description=main.__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time for each line")
    parser.add_argument("--seed", type=int, default=2011)
    args = parser.parse_args(argv)
    table()
    for variant in (Variant(), Variant(elevator=True, vertical=True)):
        print("elevator + vertical" if variant.elevator else "rows")
        rates = {name: rate(method, args.seconds) for name, method in methods(variant, args.seed).items()}
        plain, straight = rates["plain Python loop"][0], rates["straightforward numpy"][0]
        for name, (speed, mean) in rates.items():
            ratios = f"x{speed / plain:9,.1f} the loop  x{speed / straight:7.1f} plain numpy"
            print(f"  {name:24}{speed:14,.0f} boards/s  {ratios}   mean total {mean:.3f}")
    return 0


def methods(variant: Variant, seed: int) -> dict[str, Method]:
    """Return the four ways to draw and count boards."""
    rng, loop = np.random.default_rng(seed), random.Random(seed)
    on = grid(Layout.ROWS, variant=variant)
    switches = {"elevator": variant.elevator, "vertical": variant.vertical}
    return {
        "plain Python loop": lambda n: python_loop(n, rng=loop, triples=on.triples),
        "straightforward numpy": lambda n: straightforward(n, rng=rng, triples=on.triples),
        "batch form": lambda n: float(totals(draw_boards(n, rng=rng), on=on).mean()),
        "tables": lambda n: float(draw_totals(n, rng=rng, **switches).mean()),
    }


def rate(method: Method, seconds: float) -> tuple[float, float]:
    """Return (boards a second of processor time, mean total), in batches that grow until they fill the time."""
    boards = 64
    while True:
        began = time.process_time()
        mean = method(boards)
        took = time.process_time() - began
        if took >= seconds / 2:
            return boards / took, mean
        boards *= 2 if took > seconds / 64 else 8


def python_loop(boards: int, *, rng: random.Random, triples: Sequence[tuple[int, int, int]]) -> float:
    """Draw and count board by board, as anybody would first write it; return the mean total."""
    numbers = list(range(PLACES))
    total = 0
    for _ in range(boards):
        cells: list[int] = []
        for _ in range(ROWS):
            rng.shuffle(numbers)
            cells += numbers
        for a, b, c in triples:
            step = (cells[b] - cells[a]) % 10
            if step in (1, 9) and (cells[c] - cells[b]) % 10 == step:
                total += 1
    return total / boards


def straightforward(boards: int, *, rng: np.random.Generator, triples: Sequence[tuple[int, int, int]]) -> float:
    """Draw by sorting random numbers and count with whole arrays of integers; return the mean total."""
    total, places = 0, np.array(triples)
    for first in range(0, boards, 10_000):
        size = min(10_000, boards - first)
        cells = rng.random((size, ROWS, PLACES)).argsort(axis=2).reshape(size, -1)
        first_step = (cells[:, places[:, 1]] - cells[:, places[:, 0]]) % 10
        second_step = (cells[:, places[:, 2]] - cells[:, places[:, 1]]) % 10
        total += int(((first_step == second_step) & ((first_step == 1) | (first_step == 9))).sum())
    return total / boards


if __name__ == "__main__":
    raise SystemExit(main())
