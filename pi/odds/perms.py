"""All arrangements of a few things, as bytes."""

from __future__ import annotations

from functools import lru_cache
from math import perm

import numpy as np

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
