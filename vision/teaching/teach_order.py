"""Does a whole lesson lie in another order than was said? Rows that agree with each other do not tell; the nets do.

The shipped net has a say where it is sure. A hand it knows badly, or a digit of an odd shape, it contradicts here and
there; a lesson that lies in another order it contradicts by one rule in all rows. The limits were chosen on 150 sets of
`vision.teaching.teach_sets` (seeds 890000 to 890149, 25 of each kind; FIGURES.md has the fresh ones).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Ints
from vision.reading import SYMBOLS
from vision.teaching.doubts import Doubt
from vision.teaching.english import one
from vision.teaching.lessons import IN_ORDER, WILD_ORDER

Floats32 = NDArray[np.float32]
Strip = tuple[int, int, Ints]
"""Picture, row, and the indices of its tiles among all."""

SURE = 0.9
"""So sure the shipped net must be to have a say."""
NUMBERS, SHARE = 3, 0.25
"""So many numbers, and this share of the tiles, surely look as another order has them. Of 150 right lessons the most
were 2 and 0.18 (signs of one's own); of 125 sets of digits laid in four wrong orders the least 3 and 0.35."""
ANY_NUMBERS = 5
"""So many numbers, where the order is none that people lay by mistake: of signs of one's own at most 3 look so."""
AGAINST = 2
"""And so many times as many tiles as surely look as was said."""
LIKELY = 0.5
"""Mean probability of a symbol from which on a number looks like it."""
GAINS = ((0.8, 3.5), (0.7, 11.0), (0.4, 15.0))
"""By so much likelier (natural logarithm, of one tile each) two numbers must be exchanged than not, where this share of
the numbers, without the two, looks as was said. Of 250 right lessons of digits, four rows each, the most was -1.6, 5.9
and 9.3 (a child's ones that look like sevens, whose sevens look like ones); of 20 more of a child's one had 8.2 by the
second. Of signs of one's own the net knows 1 of 10, and any two of them may look like each other's numbers."""
LEAST_LOG = -9.0
"""Below this no probability counts for less."""
ANOTHER_ORDER = (
    "the whole lesson lies in another order",
    "lay each row as you said (here {order}, left to right), or say what does lie there, and take it again",
)
EXCHANGED = (
    "others are exchanged with it",
    "lay each row as you said (here {order}, left to right), and take it again",
)
"""What is wrong, and what to do. order: what was said of the row."""
NAMED = {ANOTHER_ORDER: 1, EXCHANGED: 2}
"""How many tiles of the first row that shows it are named: of another order all ten would be, of an exchange both."""


def out_of_order(said: Floats32, shows: Ints, rows: Sequence[Strip], names: Sequence[str] = SYMBOLS) -> Iterator[Doubt]:
    """Yield the first tile of each picture where all rows lie in another order; both of two exchanged in most rows.

    said: (n, k) probability of each of the names by the shipped net. shows: (n,) which the owner says. A six and a nine
    are told apart as the net tells them: by their shape, and where that is one turned round, by what shows which way up
    they lie; without that nothing is said of them.
    """
    looks = _laid_as(said, shows, [at for _, _, at in rows], names)
    if looks is not None:
        yield from _firsts(said, shows, looks, rows, names, ANOTHER_ORDER)
        return
    looks = _exchanged(said, shows)
    if looks is not None:
        yield from _firsts(said, shows, looks, rows, names, EXCHANGED)


def _laid_as(said: Floats32, shows: Ints, rows: Sequence[Ints], names: Sequence[str]) -> Ints | None:
    """Return (n,) what the tiles are by the order in which they lie; None where they lie as was said."""
    surely = np.where(said.max(axis=1) > SURE, said.argmax(axis=1), -1)
    confirmed = float((surely == shows).mean())
    orders = [(looks, NUMBERS) for looks in _orders(shows, rows, names)]
    for looks, least in (*orders, (_own_order(surely, shows, said.shape[1]), ANY_NUMBERS)):
        there = (surely == looks) & (looks != shows)
        numbers = sum(there[shows == a].mean() > 0.5 for a in np.unique(shows))
        if numbers >= least and there.mean() >= max(SHARE, AGAINST * confirmed):
            return looks
    return None


def _orders(shows: Ints, rows: Sequence[Ints], names: Sequence[str]) -> Iterator[Ints]:
    """Yield (n,) what lies there if each row is turned round, begins a place later or earlier, or is a usual one."""
    for turned, step in ((True, 0), (False, 1), (False, -1)):
        looks = shows.copy()
        for at in rows:
            looks[at] = shows[at][::-1] if turned else np.roll(shows[at], step)
        yield looks
    for order in (IN_ORDER, WILD_ORDER, IN_ORDER[::-1], WILD_ORDER[::-1]):
        if all(len(at) == len(order) for at in rows):
            looks = shows.copy()
            for at in rows:
                looks[at] = [names.index(s) for s in order]
            yield looks


def _own_order(surely: Ints, shows: Ints, n: int) -> Ints:
    """Return (m,) what lies there if each number that mostly looks like one other, and it alone, is that.

    surely: (m,) what the net is sure of of n things, -1 where of nothing.
    """
    known = np.unique(shows)
    votes = np.stack([np.bincount(surely[shows == a] + 1, minlength=n + 1)[1:] for a in known])
    mostly = votes > 0.5 * np.array([(shows == a).sum() for a in known])[:, None]
    looks = shows.copy()
    for a, row in zip(known, mostly, strict=True):
        if row.any() and mostly[:, row.argmax()].sum() == 1:
            looks[shows == a] = row.argmax()
    return looks


def _exchanged(said: Floats32, shows: Ints) -> Ints | None:
    """Return (n,) what the tiles are if two numbers are exchanged in the lesson; None where none are.

    Neither has to be surely the other: a seven that looks like a one, and more so than the one, is no one.
    """
    known = np.unique(shows)
    log = np.maximum(np.log(said), LEAST_LOG)
    mean_log = np.stack([log[shows == a].mean(axis=0) for a in known])[:, known]
    mean = np.stack([said[shows == a].mean(axis=0) for a in known])[:, known]
    as_said = np.diag(mean) > LIKELY
    gain = mean_log + mean_log.T - np.diag(mean_log) - np.diag(mean_log)[:, None]
    others = (as_said.sum() - as_said - as_said[:, None]) / len(known)
    enough = np.select([others >= share for share, _ in GAINS], [least for _, least in GAINS], np.inf)
    found = (gain > enough) & (np.maximum(mean, mean.T) > LIKELY)
    if not found.any():
        return None
    i, j = np.unravel_index(int(np.where(found, gain, -np.inf).argmax()), gain.shape)
    looks = shows.copy()
    looks[shows == known[i]], looks[shows == known[j]] = known[j], known[i]
    return looks


def _firsts(
    said: Floats32, shows: Ints, looks: Ints, rows: Sequence[Strip], names: Sequence[str], why: tuple[str, str]
) -> Iterator[Doubt]:
    """Yield of each picture, if any, the first tiles that plainly look as the other order has it; one at least has one.

    why: ANOTHER_ORDER or EXCHANGED.
    """
    beyond, advice = why
    there: NDArray[np.bool_] = (looks != shows) & (said.argmax(axis=1) == looks)
    named: set[int] = set()
    for picture, row, at in rows:
        if picture in named or not there[at].any():
            continue
        named.add(picture)
        order = " ".join(names[int(s)] for s in shows[at])
        for place in np.flatnonzero(there[at])[: NAMED[why]]:
            taught, seen = names[int(shows[at[place]])], names[int(looks[at[place]])]
            wrong = f"should be {one(taught)}, but looks like {one(seen)}, and {beyond}"
            refusal = f"{wrong}: {advice.format(order=order)}"
            yield Doubt(picture, row, int(place), taught, seen, refusal, beyond)
