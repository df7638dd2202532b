"""The rules of the set and what each tile looks like -> the likeliest reading, and how sure it is.

A set holds every number once in each colour, and one wild a colour (RULES 1). So the open tiles of one
colour are all different, and a group of tiles of one colour is read as a whole: all ways to lay different
symbols on it are summed exactly, by dynamic programming over the sets of symbols already used (2^10 or
2^11 states). "How sure" is then a probability, not a feeling, as far as the pixels' own probabilities are.

Two things keep it honest. What the pixels say of one tile is never believed further than FLOOR. And the
rule itself may be broken on a real table (tiles of two sets mixed, a row of another colour): with the small
prior BROKEN the tiles of a group are read independently, and if the pixels insist, that is what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.geometry import Bools, Floats, Ints
from vision.reading import SYMBOLS

DOWN = SYMBOLS.index("down")
WILD = SYMBOLS.index("#")

FLOOR = 5e-5
"""The share of any tile's probability that is spread over all symbols: a classifier is never surer."""
BROKEN = 1e-3
"""Prior probability that a group does not obey the rule of the set."""
BROKEN_AGAIN = 0.5
"""... and of one that seemed not to at first sight: be it the table's mistake or the eye's, either is as rare."""
FACE_DOWN = 1e-3
"""Prior probability of a face-down tile in a layout that is complete as a rule."""
DOUBT_PER_TRAY = 1e-2
"""Summed probability of error that a whole tray may carry and still be called sure. With half of it 13 of 1,673 boards,
traced and drawn, and four of 1,043 traced trays of dice or disks were asked about for nothing else: all right, and by
their own confidences 0.1 wrong together. Hardly any tray comes near it, so that what passes is wrong far less often."""
DOUBT_PER_TILE = 8e-3
"""Probability of error that one tile, die or disk may carry and still be called sure."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """What n tiles show, given their pixels and the rules."""

    marginals: Floats
    """(n, 12) probability of each of SYMBOLS."""
    best: Ints
    """(n,) index of the symbol in the likeliest lawful reading of the whole group."""
    broken: Floats
    """(groups,) probability that the group breaks the rule of the set."""

    @property
    def confidence(self) -> Floats:
        """Return (n,) the probability of `best`."""
        return np.asarray(self.marginals[np.arange(len(self.best)), self.best])


def soften(log_probs: Floats, *, unreadable: Floats | None = None, floor: float = FLOOR) -> Floats:
    """Return (n, 12) probabilities that are never surer than the floor allows.

    log_probs: (n, 12), any constant a row. unreadable: (n,) probability that the tile's pixels say nothing.
    """
    shifted = log_probs - log_probs.max(axis=1, keepdims=True)
    p = np.exp(shifted)
    p /= p.sum(axis=1, keepdims=True)
    share = np.full(len(p), floor) if unreadable is None else np.clip(unreadable, floor, 1.0)
    return np.asarray((1.0 - share[:, None]) * p + share[:, None] / p.shape[1])


def faded(log_probs: Floats, unreadable: Floats) -> Floats:
    """Return the evidence (n, 12) as far as the pixels say anything: it stays that weak in every frame that adds it up.

    unreadable: (n,) probability that a tile's pixels say nothing; where it is 0 the evidence stays as it is.
    """
    which, out = unreadable > 0, log_probs.copy()
    out[which] = np.log(soften(log_probs[which], unreadable=unreadable[which]))
    return out


def infer(
    log_probs: Floats,
    groups: Sequence[Sequence[int]],
    *,
    symbols: Sequence[bool],
    down: float | Floats = FACE_DOWN,
    unreadable: Floats | None = None,
    broken: float | Floats = BROKEN,
) -> Posterior:
    """Return the posterior of all tiles, where the open tiles of each group are all different.

    log_probs: (n, 12) log-likelihoods in the order of SYMBOLS. groups: indices of tiles of one colour; each
    tile in exactly one. symbols: (12,) which may lie here at all. down: prior of a face-down tile, one for all or
    (n,). broken: prior of a group that breaks the rule, one for all or (groups,).
    """
    p = soften(log_probs, unreadable=unreadable)
    allowed = np.asarray(symbols, dtype=bool)
    member = [list(g) for g in groups]
    # Short groups are filled up with tiles that are surely face down.
    table = _side_by_side(p, member, np.eye(len(SYMBOLS))[DOWN])
    downs = _side_by_side(np.broadcast_to(np.asarray(down, dtype=np.float64), len(p)), member, np.ones(()))
    free = _independent(table, _prior(allowed, downs))
    law = _lawful(table, allowed, downs)
    z_free, z_law = broken * free.evidence, (1.0 - broken) * law.evidence
    share = z_free / np.maximum(z_free + z_law, 1e-300)
    mixed = share[:, None, None] * free.marginals + (1.0 - share)[:, None, None] * law.marginals
    # A group that most likely breaks the rule is shown as it looks: that is what people then correct.
    best = np.where((share > 0.5)[:, None], free.best, law.best)
    marginals, chosen = np.zeros_like(p), np.zeros(len(p), dtype=np.int64)
    for g, tiles in enumerate(member):
        marginals[tiles] = mixed[g, : len(tiles)]
        chosen[tiles] = best[g, : len(tiles)]
    return Posterior(marginals, chosen, share)


def sure(confidence: Floats, *, tile: float = DOUBT_PER_TILE, tray: float = DOUBT_PER_TRAY) -> Bools:
    """Return (n,) which tiles need no question: the rest together are wrong less often than `tray`."""
    doubt = 1.0 - np.asarray(confidence, dtype=np.float64)
    order = np.argsort(doubt, kind="stable")
    within = np.zeros(len(doubt), dtype=bool)
    within[order] = np.cumsum(doubt[order]) <= tray
    return np.asarray(within & (doubt <= tile))


@dataclass(frozen=True, slots=True)
class _Groups:
    evidence: Floats
    """(g,) probability of the pixels, up to a constant that both hypotheses share."""
    marginals: Floats
    """(g, n, 12)."""
    best: Ints
    """(g, n)."""


def _side_by_side(values: Floats, member: list[list[int]], fill: Floats) -> Floats:
    """Return (g, n, ...) the values (tiles, ...) of groups side by side, short groups filled up with `fill` (...)."""
    longest = max((len(tiles) for tiles in member), default=0)
    out = np.broadcast_to(fill, (len(member), longest, *values.shape[1:])).copy()
    for g, tiles in enumerate(member):
        out[g, : len(tiles)] = values[tiles]
    return out


def _prior(allowed: Bools, down: Floats) -> Floats:
    """Return (g, n, 12) the prior of each symbol on each tile. down: (g, n) of a face-down one."""
    open_ = allowed.astype(np.float64)
    open_[DOWN] = 0.0
    left = 1.0 - down if allowed[DOWN] else np.ones_like(down)
    prior = left[:, :, None] * open_ / max(open_.sum(), 1.0)
    prior[:, :, DOWN] = down if allowed[DOWN] else 0.0
    return np.asarray(prior)


def _independent(table: Floats, prior: Floats) -> _Groups:
    """Return the reading of groups whose tiles do not care for each other."""
    joint = table * prior
    joint[:, :, DOWN] += np.where(joint.sum(axis=2) <= 0, 1.0, 0.0)
    each = joint.sum(axis=2)
    return _Groups(each.prod(axis=1), joint / each[:, :, None], joint.argmax(axis=2))


def _lawful(table: Floats, allowed: Bools, down: Floats) -> _Groups:
    """Return the reading of groups in which no open symbol comes twice, summed over all lawful ways."""
    open_ = [s for s in range(len(SYMBOLS)) if s != DOWN and allowed[s]]
    g, n, _ = table.shape
    here = table[:, :, open_] * (1.0 - down[:, :, None] if allowed[DOWN] else 1.0)
    # Groups are filled up with face-down tiles, so those always pass; their weight cancels between hypotheses.
    shut = table[:, :, DOWN] * (down if allowed[DOWN] else 1.0)
    if not allowed[DOWN]:
        shut = np.where(table[:, :, DOWN] >= 1.0, 1.0, 0.0)
    steps = _Steps.of(here, shut)
    forward = _forward(steps)
    ways = _arrangements(len(open_))
    backward = _backward(steps, ways)
    evidence = (forward[-1] * ways).sum(axis=1)
    marginals = np.zeros_like(table)
    for i, s in enumerate(open_):
        without, with_ = _halves(forward[:-1], i)[0], _halves(backward[1:], i)[1]
        marginals[:, :, s] = here[:, :, i] * np.einsum("kghl,kghl->gk", without, with_)
    marginals[:, :, DOWN] = shut * np.einsum("kgs,kgs->gk", forward[:-1], backward[1:])
    total = marginals.sum(axis=2, keepdims=True)
    marginals = np.divide(marginals, total, out=np.full_like(marginals, 1.0 / len(SYMBOLS)), where=total > 0)
    # Where every tile is likelier one symbol than all others together, those symbols differ and are the answer.
    best, surest = marginals.argmax(axis=2), marginals.max(axis=2)
    if not bool((surest > 0.5).all()):
        # A reading of which more than half is sure as a whole is the likeliest.
        hard = np.flatnonzero((1.0 - surest).sum(axis=1) > 0.49)
        best[hard] = _most_likely(here[hard], shut[hard], ways, np.array(open_))
    return _Groups(evidence, marginals, best)


def _halves(states: Floats, bit: int) -> tuple[Floats, Floats]:
    """Return two views (..., high, low) of (..., 2^m): the sets without and with one symbol, in equal order."""
    view = states.reshape(*states.shape[:-1], -1, 2, 1 << bit)
    return view[..., 0, :], view[..., 1, :]


@dataclass(frozen=True, slots=True)
class _Steps:
    """What each tile does to the sets of used symbols, as matrices: BLAS takes a third of the time of 2 m views.

    A set's number is that of its high symbols, then that of its low ones; a tile adds one symbol to either, or none.
    """

    high: Floats
    """(n, g, 2^h, 2^h): weight of coming from the first set of high symbols to the second."""
    low: Floats
    """(n, g, 2^l, 2^l): the same of low symbols, and of staying with a set (a face-down tile)."""

    @staticmethod
    def of(here: Floats, shut: Floats) -> _Steps:
        """here: (g, n, m) weight of each symbol on each tile; shut: (g, n) of a face-down tile."""
        few = here.shape[2] // 2
        low = np.concatenate([here[:, :, :few], shut[:, :, None]], axis=2).swapaxes(0, 1)
        high = here[:, :, few:].swapaxes(0, 1)
        return _Steps(
            np.tensordot(high, _additions(high.shape[2])[:-1], axes=1),
            np.tensordot(low, _additions(few), axes=1),
        )


@cache
def _additions(m: int) -> Floats:
    """Return (m + 1, 2^m, 2^m): 1 where adding symbol i to the first set makes the second; at last, adding none."""
    sets = np.arange(1 << m)
    bits = 1 << np.arange(m)
    gained = (sets[None, :, None] & bits[:, None, None] == 0) & (
        sets[None, :, None] | bits[:, None, None] == sets[None, None, :]
    )
    return np.concatenate([gained, np.eye(1 << m)[None]]).astype(np.float64)


def _forward(steps: _Steps) -> Floats:
    """Return (n + 1, g, 2^m) the weight of every set of symbols that the first k tiles may have used up."""
    n, g, high, low = *steps.high.shape[:3], steps.low.shape[2]
    out = np.zeros((n + 1, g, high, low))
    out[0, :, 0, 0] = 1.0
    for k in range(n):
        np.matmul(out[k], steps.low[k], out=out[k + 1])
        out[k + 1] += steps.high[k].swapaxes(1, 2) @ out[k]
    return out.reshape(n + 1, g, -1)


def _backward(steps: _Steps, ways: Floats) -> Floats:
    """Return (n + 1, g, 2^m) the weight of all lawful ways to go on from a set after the first k tiles."""
    n, g, high, low = *steps.high.shape[:3], steps.low.shape[2]
    out = np.empty((n + 1, g, high, low))
    out[n] = ways.reshape(high, low)
    for k in range(n - 1, -1, -1):
        np.matmul(out[k + 1], steps.low[k].swapaxes(1, 2), out=out[k])
        out[k] += steps.high[k] @ out[k + 1]
    return out.reshape(n + 1, g, -1)


@cache
def _arrangements(m: int) -> Floats:
    """Return (2^m,) the prior of one arrangement that uses a set: 1 / (m (m-1) ... (m-k+1)) for k symbols."""
    used = np.array([bin(s).count("1") for s in range(1 << m)])
    weight = np.concatenate([[1.0], np.cumprod(1.0 / np.arange(m, 0, -1))])
    return np.asarray(weight[used])


def _most_likely(here: Floats, shut: Floats, ways: Floats, open_: Ints) -> Ints:
    """Return (g, n) the symbols of the likeliest lawful arrangement of each group."""
    g, n, m = here.shape
    states = _likeliest(here, shut)
    best = np.zeros((g, n), dtype=np.int64)
    for row in range(g):
        used = int(np.argmax(states[-1][row] * ways))
        for k in range(n - 1, -1, -1):
            bits = [i for i in range(m) if used >> i & 1]
            weights = [states[k][row, used ^ (1 << i)] * here[row, k, i] for i in bits]
            weights.append(states[k][row, used] * shut[row, k])
            pick = int(np.argmax(weights))
            best[row, k] = DOWN if pick == len(bits) else open_[bits[pick]]
            used ^= 0 if pick == len(bits) else 1 << bits[pick]
    return best


def _likeliest(here: Floats, shut: Floats) -> Floats:
    """Return (n + 1, g, 2^m) the weight of the likeliest way in which k = 0..n tiles use up every set of symbols."""
    g, n, m = here.shape
    out = np.zeros((n + 1, g, 1 << m))
    out[0, :, 0] = 1.0
    # Of all steps at once: to make these views in each of n m steps takes a fifth of the time.
    halves = [_halves(out, i) for i in range(m)]
    for k in range(n):
        np.multiply(out[k], shut[:, k, None], out=out[k + 1])
        for i, (without, with_it) in enumerate(halves):
            target = with_it[k + 1]
            np.maximum(target, without[k] * here[:, k, i, None, None], out=target)
    return out
