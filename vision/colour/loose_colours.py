"""Which loose pieces (dice) are of one colour, where nobody says how many colours there are.

A lamp's mirror image and pearl take a colour away without changing its hue, light and shadow change how light it is,
and flanks, edges and pips show what a top hides. What each of these says of two dice is weighed, and of all ways to
part the dice in one colour or two the likeliest is taken: exactly, so that how sure that is is known for each die. What
may be of a third colour is seen as each part is parted again.

The weights are fitted by `python -m vision.training.fit_loose_colours`, on trays by two programs
and on photographs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.geometry import Bools, Floats, Ints

LIGHT, LIGHT_OF_COLOURED = 0.45, 0.2
"""What a step in lightness counts, among greys and among colours, where steps of all kinds are added up."""
TOWARDS_GREY = 0.4
"""What a step towards grey counts there among colours."""
COLOURED = 25.0
"""CIE chroma of the greyer of two pieces from which they are coloured, and less is less so: greys have no hue."""
FULL, DEEP = 15.0, 1.2
"""CIE chroma from which, and its share of the lightness from which, a dark colour is a deep one: its hue is told."""
LIT, MOST_LIT = 30.0, 3.0
"""Across its hue a step is as far as it were with the first lightness, but at most so much further: dark blue and dark
purple glass, 13 degrees apart, are 8 CIE from each other there, and were one colour on two of 1,028 trays."""
STEP = {"light": 12.0, "chroma": 10.0, "hue": 6.0, "whole": 4.0, "ink": 15.0}
"""CIE distances below which steps count as they are, and above which their logarithms do."""
INK_LIGHT = 0.3
"""What a step in the lightness of the ink counts beside one in its colour."""
OWN = 0.15
"""Share of a coloured body's chroma that its own edge has at least."""
NEVER = 1e3
"""CIE: further than anything is."""
MOST_OF_INK = 3.0
"""Inks further apart than this, over STEP, are other ones, and no more than that."""
MOST_AT_ONCE = 12
"""Dice of which all 2,048 ways to part them are tried; of more, groups grow from pairs, along chains of dice."""
THIRD = 1e-4
"""How much rarer a third colour is than a second: two cups of dice lie on a tray, or one (with 0.02 light made a third
of one colour on six of 600 trays)."""
SURE = 0.99
"""A colour is in doubt where less speaks for it."""

WEIGHTS = np.array([-0.859, -1.61, -2.085, 1.533, 0.73, -2.884, -2.264, -0.861, -0.26, -0.445, -3.63, 3.022, 6.936])
"""What speaks for one colour, in nats, for each of `terms`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What n dice show of their colours: (n, 3) CIE each, in white light."""

    body: Floats
    """Most of the top, around the pips."""
    edge: Floats
    """The top's edge where it is darkest."""
    full: Floats
    """Where top and flanks have most colour."""
    ink: Floats

    def only(self, which: Ints) -> Shown:
        """Return some of the dice."""
        return Shown(self.body[which], self.edge[which], self.full[which], self.ink[which])


def parted(shown: Shown, weights: Floats | None = None, *, prior: float = 1.0) -> tuple[Ints, Floats]:
    """Return (n,) groups 0.. of one colour each, and (n,) how likely each die is in the right one.

    weights: in place of WEIGHTS; None for these. prior: of any two colours, over the usual.
    """
    n = len(shown.body)
    if n < 2:
        return np.zeros(n, dtype=np.int64), np.ones(n)
    speaks = terms(shown) @ (WEIGHTS if weights is None else weights)
    if n > MOST_AT_ONCE:
        return _grown(_linked(speaks))
    second, likely = _in_two(speaks, prior=prior)
    if not second.any():
        return np.zeros(n, dtype=np.int64), likely
    group = np.zeros(n, dtype=np.int64)
    for side in (np.flatnonzero(~second), np.flatnonzero(second)):
        inside, sure = parted(shown.only(side), weights, prior=THIRD)
        group[side] = inside + (int(group.max()) + 1 if second[side[0]] else 0)
        likely[side] *= sure
    return group, likely


def with_the_same(group: Ints, other: Ints) -> Bools:
    """Return (n,) which dice are with the same others by two ways to part them, whatever each calls its groups."""
    alike = (group[:, None] == group) == (other[:, None] == other)
    return np.asarray(alike.all(axis=1))


def _in_two(speaks: Floats, *, prior: float) -> tuple[Bools, Floats]:
    """Return (n,) which dice are of the second colour, by the likeliest way, and how likely each is as that has it.

    speaks: (n, n) for one colour of each two. prior: of two colours, over one. Two ways may name the colours
    differently: they are held side by side as they agree best; where half of the dice agree either way, none does.
    """
    n = len(speaks)
    second, pairs = ways(n)
    score = pairs @ speaks[np.triu_indices(n, 1)]
    score[1:] += np.log(prior)
    chance = np.exp(score - score.max())
    chance /= chance.sum()
    best = second[int(score.argmax())]
    alike = second == best
    agree = 2 * alike.sum(axis=1)[:, None]
    return best, chance @ np.where(agree >= n, alike & (agree > n), ~alike)


@cache
def ways(n: int) -> tuple[Bools, Floats]:
    """Return (m, n) which dice are of the second colour, for each way to part n of them, and (m, pairs) 1 for each two

    that are of one. The first die is of the first colour.
    """
    numbers = np.arange(2 ** (n - 1))
    second = np.zeros((len(numbers), n), dtype=bool)
    second[:, 1:] = (numbers[:, None] >> np.arange(n - 1)) & 1
    one, other = np.triu_indices(n, 1)
    return second, (second[:, one] == second[:, other]).astype(np.float32)


def _linked(speaks: Floats) -> Floats:
    """Return (n, n) the weakest link of the best chain from each die to each other one.

    Many dice of one colour fill what lies between the palest and the darkest of them; of few, chains say little.
    """
    out = speaks.copy()
    for k in range(len(out)):
        out = np.maximum(out, np.minimum(out[:, k, None], out[k]))
    return out


def _grown(speaks: Floats) -> tuple[Ints, Floats]:
    """Return groups and certainties as `parted` does, of any number of dice: what most speaks for joining is joined.

    Down to two colours as long as less speaks against it than a third one is rare.
    """
    group = np.arange(len(speaks))
    while True:
        member = (group[:, None] == np.unique(group)).astype(np.float64)
        between = member.T @ speaks @ member
        np.fill_diagonal(between, -np.inf)
        one, other = np.unravel_index(int(between.argmax()), between.shape)
        if between[one, other] <= (np.log(THIRD) if len(between) > 2 else 0.0):
            break
        group[member[:, other] > 0] = group[member[:, one] > 0][0]
    group = np.unique(group, return_inverse=True)[1].reshape(-1)
    member = (group[:, None] == np.arange(int(group.max()) + 1)).astype(np.float64)
    # Against all the others that a die may be with, and against being alone, if it is not.
    alone = np.where(member.sum(axis=0)[group] > 1.0, 0.0, -np.inf)
    with_each = np.c_[(speaks - np.diag(np.diag(speaks))) @ member, alone]
    own = with_each[np.arange(len(group)), group]
    return group, 1.0 / np.exp(with_each - own[:, None]).sum(axis=1)


def terms(shown: Shown) -> Floats:
    """Return (n, n, 13) what may speak for or against one colour of each two of n >= 2 dice.

    Of twice as many these are what fitting left: steps from body to body, in lightness among colours, towards grey
    among greys, across the hue, and as far as a lamp in the surface may have made them; from edge to edge in lightness,
    among colours and among greys; of the fullest colours across the hue; of inks; whichever of body, edge and fullest
    is most alike; and that two dice are of one colour at all, the likelier the fewer there are.
    """
    n = len(shown.body)
    body, edge, full = (_Steps.between(lab) for lab in (shown.body, shown.edge, shown.full))
    ink = _Steps.between(shown.ink)
    # An edge without the body's colour is felt or shadow: alike on all dice.
    own = _own(shown.edge, shown.body)
    strange = np.where(own[:, None] & own, 0.0, NEVER)
    mirrors = body.coloured * (body.light * body.chroma < 0)
    of_ink = np.sqrt((INK_LIGHT * ink.light) ** 2 + ink.chroma**2 + ink.hue**2)
    out = [
        np.log1p(np.abs(body.light) * body.coloured / STEP["light"]),
        np.log1p(np.abs(body.chroma) * (1.0 - body.coloured) / STEP["chroma"]),
        np.log1p(body.hue / STEP["hue"]),
        np.log1p(np.abs(body.light) * mirrors / STEP["light"]),
        np.log1p(np.abs(body.chroma) * mirrors / STEP["chroma"]),
        np.log1p(np.abs(edge.light) * edge.coloured / STEP["light"]),
        np.log1p(np.abs(edge.light) * (1.0 - edge.coloured) / STEP["light"]),
        np.log1p(full.hue / STEP["hue"]),
        np.log1p(np.abs(ink.light) / STEP["ink"]),
        np.minimum(of_ink / STEP["ink"], MOST_OF_INK),
        np.log1p(np.minimum(np.minimum(body.whole(), edge.whole() + strange), full.whole()) / STEP["whole"]),
        np.full((n, n), 1.0 / (n - 1)),
        np.ones((n, n)),
    ]
    # Pairs of many dice say much the same: all together count as fewer.
    return np.asarray(np.stack(out, axis=-1) / np.sqrt(n))


def _own(edge: Floats, body: Floats) -> Bools:
    """Return (n,) which edges may be the bodies' own: where these are coloured, they have some of that colour."""
    chroma = np.linalg.norm(body[:, 1:], axis=1)
    share = (edge[:, 1:] * body[:, 1:]).sum(axis=1) / np.maximum(chroma, 1e-9) ** 2
    return np.asarray((chroma < COLOURED) | (share > OWN))


@dataclass(frozen=True, slots=True)
class _Steps:
    """Steps from colour to colour, (n, n) CIE, with their sign."""

    light: Floats
    chroma: Floats
    hue: Floats
    """Across it, as a distance."""
    coloured: Floats
    """0..1: 0 where one is grey."""

    @classmethod
    def between(cls, lab: Floats) -> _Steps:
        """Return the steps between colours (n, 3) CIE."""
        step = lab[None] - lab[:, None]
        middle = (lab[None, :, 1:] + lab[:, None, 1:]) / 2
        towards = middle / np.maximum(np.linalg.norm(middle, axis=2), 1e-9)[..., None]
        chroma = (step[..., 1:] * towards).sum(axis=2)
        hue = np.sqrt(np.maximum((step[..., 1:] ** 2).sum(axis=2) - chroma**2, 0.0))
        own = np.linalg.norm(lab[:, 1:], axis=1)
        lift = _lift(lab[:, 0], own)
        hue *= np.minimum(lift[:, None], lift)
        return cls(step[..., 0], chroma, hue, np.minimum(1.0, np.minimum(own[:, None], own) / COLOURED))

    def whole(self) -> Floats:
        """Return (n, n) how far apart the colours are, all in all."""
        light = LIGHT + (LIGHT_OF_COLOURED - LIGHT) * self.coloured
        chroma = 1.0 + (TOWARDS_GREY - 1.0) * self.coloured
        return np.asarray(np.sqrt((light * self.light) ** 2 + (chroma * self.chroma) ** 2 + self.hue**2))


def _lift(light: Floats, chroma: Floats) -> Floats:
    """Return (n,) how much further steps across the hue of colours were in more light; 1 for all but deep dark ones."""
    light = np.maximum(light, 1.0)
    deep = (chroma > FULL) & (chroma > DEEP * light)
    return np.where(deep, np.clip(LIT / light, 1.0, MOST_LIT), 1.0)
