"""All arrangements of a few things, as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import factorial, perm

import numpy as np
import numpy.typing as npt

from pi.odds.batch import Bytes
from pi.odds.errors import BadQuestion

MOST = 400_000
"""More arrangements are not listed: 9! (362,880) columns of 9 bytes are 3 MB."""


@lru_cache(maxsize=64)
def arrangements(n: int, k: int) -> Bytes:
    """Return all ways to lay k of n different things in order, shape (k, n!/(n-k)!), uint8, read only.

    Kept, because every question asks for them again. Raises BadQuestion when they are more than MOST.
    """
    if not 0 <= k <= n or perm(n, k) > MOST:
        raise BadQuestion(f"{n} things in {k} places cannot be listed (expected at most {MOST} arrangements)")
    if k == 0:
        return np.zeros((0, 1), dtype=np.uint8)
    shorter = arrangements(n - 1, k - 1)
    found = np.empty((k, n, shorter.shape[1]), dtype=np.uint8)
    for first in range(n):
        found[0, first] = first
        found[1:, first] = shorter + (shorter >= first)
    flat = found.reshape(k, -1)
    flat.flags.writeable = False
    return flat


def orders(n: int) -> Bytes:
    """Return all n! orders of 0 ... n-1, shape (n, n!), read only; BadQuestion above 9."""
    return arrangements(n, n)


def sequences(counts: Sequence[int], k: int) -> tuple[Bytes, npt.NDArray[np.int64]]:
    """Return the different sequences of k things of which some are alike, and in how many ways each comes.

    counts[s]: how many things of kind s there are. Returns (k, found) uint8 kinds and (found,) int64 ways: labelled
    arrangements that look like this sequence. Raises BadQuestion when there are more than MOST sequences.
    """
    if (many := how_many(counts, k)) > MOST:
        raise BadQuestion(f"{many} sequences cannot be listed (expected at most {MOST})")
    laid = np.zeros((0, 1), dtype=np.uint8)
    left = np.array(counts, dtype=np.int64).reshape(-1, 1)
    ways = np.ones(1, dtype=np.int64)
    for _ in range(k):
        kinds, base = np.nonzero(left)
        laid = np.vstack([laid[:, base], kinds.astype(np.uint8)])
        ways = ways[base] * left[kinds, base]
        left = left[:, base]
        left[kinds, np.arange(kinds.size)] -= 1
    return laid, ways


def how_many(counts: Sequence[int], k: int) -> int:
    """Return how many different sequences of k there are among things of which some are alike.

    k! [x^k] of the product over kinds of sum_{j <= count} x^j / j!, in whole numbers.
    """
    ways = [1] + [0] * k
    for count in counts:
        ways = [
            sum(
                ways[size - j] * factorial(size) // (factorial(j) * factorial(size - j))
                for j in range(min(count, size) + 1)
            )
            for size in range(k + 1)
        ]
    return ways[k]
