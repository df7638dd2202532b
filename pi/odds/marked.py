"""Half-open boards of any shape, exactly: sums over marked runs instead of over arrangements.

Lines that share cells, tiles of mixed colours and wilds make the cells of a board depend on each other, and the hidden
tiles can lie in far too many ways to lay them all. But few of these ways matter: a run that is still open needs certain
tiles in certain hidden places, and most hidden places need nothing.

**Derivation** (Goulden and Jackson's cluster method, as in `pi.odds.rows`, with tiles that run out).

1. A *mark* is a set of tiles in hidden places with which one run comes about, or several (`pi.odds.marks`). t^runs is
   the product over all marks of 1, or t^(its runs) where the places hold the tiles. So expand the product of
   1 + [they do] (t^runs - 1): the wanted polynomial is the sum over all sets M of marks that do not contradict each
   other of the product of their (t^runs - 1), times the number of arrangements with the tiles that M asks for.
2. That number depends only on *how many* tiles of each kind M asks for. Where a colour has n_s tiles of kind s in stock
   and N altogether for h hidden places, and M asks for k_s of each kind and K altogether, it is, tiles told apart,

       product over colours of  [ product over s of n_s (n_s - 1) ... (n_s - k_s + 1) ]  (N - K)! / (N - h)!.

   Every place M does not ask for stays free: it is never looked at.
3. Marks fall into groups that share no hidden place. Within a group they are taken step by step (`pi.odds.sweep`): all
   that ask for the same places at once, as only one of them can be chosen. What must be remembered is which tiles the
   places ask for that later steps also touch, and how many tiles of each kind are spoken for. States alike in this are
   one state. A kind that nothing later asks for is turned into its number of ways: then only K remembers it.
4. The groups are then multiplied; only the counts by kind tie them together, and of the last product only its sum is
   wanted (`pi.odds.weigh`).
5. **Wilds.** A run through a wild comes about if the player gives the wild one certain number. Such marks carry this as
   a label with a variable of its own (`pi.odds.wild_marks`). A hidden place may ask for the wild as for any other tile.

States are lines of numpy arrays of 64-bit whole numbers (`pi.odds.states`). Nothing is rounded: where a weight could
leave 64 bits it is cut into limbs, or the question given up.

**How far it goes.** The work is counted in states; `marked` gives up beyond a budget. What grows is not the places to
be remembered (four or five at a time in every layout) but the counts of tiles: with four of each number in play there
are up to 5^10 of them, and on the way to a whole board most do come up. Measured, the work grows some tenfold with
every four tiles face down. So a whole `diamond` (41 hidden), or any board with 30 hidden, would take hours or years,
not milliseconds, and is drawn instead. Figures: `python -m pi.odds.bench_open`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import comb

from pi.odds.batch import grid_of, members
from pi.odds.chances import Chances, Totals
from pi.odds.marks import Mark, apart, marks_of
from pi.odds.stock import WORD, Stock, Words
from pi.odds.sweep import Sweep
from pi.odds.weigh import Sums, weighed
from pi.odds.wild_marks import Label, Profiles, TooMuch, Work, wilds_of
from pi.rules.runs import Variant
from pi.rules.values import DOWN, Board

STATES = 150_000
"""States gone through before `marked` gives up: some 100 ms."""
MOST_HIDDEN = 24
"""With more tiles face down it is not even tried."""


def marked(board: Board, *, variant: Variant, wilds: bool, states: int = STATES) -> Chances | None:
    """Return the exact chances of a half-open board ('?' is face down); None where that takes too many states.

    wilds: whether wild tiles were shuffled in. Raises BadQuestion for a board that the set of tiles cannot make.
    """
    stock = Stock.of(board, wilds=wilds)
    if list(board.cells().values()).count(DOWN) > MOST_HIDDEN:
        return None
    marks, sure = marks_of(board, stock, variant=variant)
    asked = {(stock.colour[place], kind) for wants, _ in marks for place, kind in wants}
    words = Words.of(stock, asked, runs=len(grid_of(board, variant=variant).triples))
    if words.end > WORD:
        return None
    work = Work(states)
    profiles = Profiles(work)
    try:
        found = _came_about(_summed(marks, sure, words, profiles, work), words, profiles)
    except TooMuch:
        return None
    ways: Counter[Totals] = Counter()
    for (more, gains), weight in found.items():
        ways[tuple(sure[()] + more + gain for gain in members(gains))] += weight
    return Chances({totals: weight for totals, weight in sorted(ways.items()) if weight}).reduced()


def _summed(marks: Sequence[Mark], sure: Counter[Label], words: Words, profiles: Profiles, work: Work) -> Sums:
    """Return the sum over all sets of marks that do not contradict each other; raises TooMuch."""
    groups = apart(marks, sure)
    asked = [{(words.stock.colour[place], kind) for wants, _ in some for place, kind in wants} for some, _ in groups]
    times = Counter(tile for tiles in asked for tile in tiles)
    parts = []
    for (some, places), tiles in zip(groups, asked, strict=True):
        shared = {tile for tile in tiles if times[tile] > 1}
        own = Counter({label: many for label, many in sure.items() if wilds_of(label) & places})
        sweep = Sweep(some, sure=own, elsewhere=shared, words=words, profiles=profiles, work=work)
        parts.append((sweep.sum(), shared))
    return weighed(parts, words=words, profiles=profiles, work=work)


def _came_about(sums: Sums, words: Words, profiles: Profiles) -> dict[tuple[int, int], int]:
    """Turn sums by powers of u = t - 1 into boards, by how many runs came about (powers of t) and what wilds gain."""
    runs, ways = words.runs - words.kinds_end, dict[int, int]()
    by_power: dict[tuple[int, int], int] = defaultdict(int)
    for (above, profile), many in sums.items():
        if (taken := above & (1 << runs) - 1) not in ways:
            ways[taken] = words.stock.ways(words.taken(taken))
        by_power[above >> runs, profiles.gains(profile)] += many * ways[taken]
    found: dict[tuple[int, int], int] = defaultdict(int)
    for (power, gains), weight in by_power.items():
        for k in range(power + 1):
            found[k, gains] += weight * comb(power, k) * (-1) ** (power - k)
    return found
