"""Half-open boards of any shape, exactly: sums over marked runs instead of over arrangements.

Lines that share cells, tiles of mixed colours and wilds make the cells of a board depend on each other, and the hidden
tiles can lie in far too many ways to lay them all. But few of these ways matter: a run that is still open needs certain
tiles in certain hidden places, and most hidden places need nothing.

**Derivation** (Goulden and Jackson's cluster method, as in `pi.odds.rows`, with tiles that run out).

1. A *mark* is a set of tiles in hidden places with which one run comes about, or several. t^runs is the product over
   all marks of 1, or t^(its runs) where the places hold the tiles. So expand the product of 1 + [they do] (t^runs - 1):
   the wanted polynomial is the sum over all sets M of marks that do not contradict each other of the product of their
   (t^runs - 1), times the number of arrangements with the tiles that M asks for.
2. That number depends only on *how many* tiles of each kind M asks for. Where a colour has n_s tiles of kind s in stock
   and N altogether for h hidden places, and M asks for k_s of each kind and K altogether, it is, tiles told apart,

       product over colours of  [ product over s of n_s (n_s - 1) ... (n_s - k_s + 1) ]  (N - K)! / (N - h)!.

   Every place M does not ask for stays free: it is never looked at.
3. Marks fall into groups that share no hidden place. Within a group marks are taken one by one; what must be remembered
   is which tiles the places ask for that later marks also touch, and how many tiles of each kind are spoken for. States
   alike in this are one state. The groups are then multiplied; only the counts by kind tie them together.
4. **Wilds.** A run through a wild comes about if the player gives the wild one certain number. Such marks carry this as
   a label with a variable of its own (`pi.odds.wild_marks`). A hidden place may ask for the wild as for any other tile.

The work is counted in states; `marked` gives up beyond a budget, as the number of states grows with the tiles face
down and how closely they lie. Figures: `python -m pi.odds.bench_open`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, perm

from pi.odds.batch import grid_of, members
from pi.odds.chances import Chances, Totals
from pi.odds.pools import mixed_pool, row_pool
from pi.odds.wild_marks import (
    EACH,
    MANY,
    NO_GAIN,
    Label,
    TooMuch,
    Work,
    both_of,
    gains_of,
    joined,
    through,
    wilds_of,
)
from pi.rules.runs import Variant
from pi.rules.values import DOWN, EMPTY, NUMBERS, WILD, Board, Layout

STATES = 20_000
"""States gone through before `marked` gives up: some 20 ms."""
MOST_HIDDEN = 20
"""With more tiles face down it is not even tried."""
KINDS = (*NUMBERS, WILD)
_WILD = KINDS.index(WILD)
_FIELD = 4
"""Bits for how many tiles of a kind are spoken for: at most 4, and one bit that tells when it is too many."""
_COLOUR = _FIELD * len(KINDS)
Wants = tuple[tuple[int, int], ...]
"""Tiles that hidden places must hold: (place, kind), ascending."""
Mark = tuple[Wants, Counter[Label]]
"""Runs that come about together, with the same tiles in hidden places; by what of wilds they need."""
Sums = dict[tuple[int, int], int]
"""Ways by (counts, gains): counts holds how many tiles of each kind are spoken for and above them the power of
u for runs without a wild; gains has bit g set when wilds can be given numbers that make g runs more."""
States = dict[tuple[int, int, int, int], int]


@dataclass(frozen=True)
class _Stock:
    """The tiles that may lie face down."""

    colour: tuple[int, ...]
    """For each place, where its tiles come from: its row, or 0 where colours are mixed."""
    tiles: tuple[Counter[int], ...]
    """For each colour, how many of each kind are not open."""
    hidden: tuple[int, ...]
    """For each colour, how many places lie face down."""

    @property
    def width(self) -> int:
        """Bits of a key below its labels."""
        return _COLOUR * len(self.tiles)

    def one(self, place: int, kind: int) -> int:
        """Return the key of one tile spoken for."""
        return 1 << _COLOUR * self.colour[place] + _FIELD * kind

    @cached_property
    def limits(self) -> tuple[int, int]:
        """Return (spare, full): key + spare touches the bits of `full` when more are spoken for than there are."""
        spare = full = 0
        for colour, there in enumerate(self.tiles):
            for kind in range(len(KINDS)):
                shift = _COLOUR * colour + _FIELD * kind
                spare |= 7 - there[kind] << shift
                full |= 8 << shift
        return spare, full

    def ways(self, key: int) -> int:
        """Return in how many ways tiles told apart can lie, given how many of each kind are spoken for."""
        ways = 1
        for there, hidden in zip(self.tiles, self.hidden, strict=True):
            taken = 0
            for kind in range(len(KINDS)):
                if many := key >> _FIELD * kind & 15:
                    ways *= perm(there[kind], many)
                    taken += many
            ways *= perm(there.total() - taken, hidden - taken)
            key >>= _COLOUR
        return ways


def marked(board: Board, *, variant: Variant, wilds: bool, states: int = STATES) -> Chances | None:
    """Return the exact chances of a half-open board ('?' is face down); None where that takes too many states.

    wilds: whether wild tiles were shuffled in. Raises BadQuestion for a board that the set of tiles cannot make.
    """
    symbols, stock = list(board.cells().values()), _stock(board, wilds)
    if symbols.count(DOWN) > MOST_HIDDEN:
        return None
    marks: dict[Wants, Counter[Label]] = {(): Counter()}
    for triple in grid_of(board, variant=variant).triples:
        for wants, label in _open_runs(triple, symbols, stock):
            marks.setdefault(wants, Counter())[label] += 1
    sure = marks.pop(())
    linked = [wilds_of(label) for label in sure] + [wilds_of(*labels) for labels in marks.values()]
    teams = joined(wilds for wilds in linked if wilds)
    work = Work(states)
    try:
        parts = [_Group(group, teams, sure, stock, work).sums() for group in _apart(list(marks.items()), teams)]
        idle = [team for team in teams if not any(team & wilds_of(*labels) for labels in marks.values())]
        parts += [{(0, gains_of(through(team, sure))): 1} for team in idle]
        sums = _weighed(_multiplied(parts, stock, work), stock)
    except TooMuch:
        return None
    ways: Counter[Totals] = Counter()
    for (more, gains), weight in _came_about(sums).items():
        ways[tuple(sure[()] + more + gain for gain in members(gains))] += weight
    return Chances({totals: weight for totals, weight in sorted(ways.items()) if weight}).reduced()


def _stock(board: Board, wilds: bool) -> _Stock:
    if board.layout is Layout.ROWS:
        pools = [Counter(row_pool(row, wilds=wilds, number=n)) for n, row in enumerate(board.rows, 1)]
        colour = tuple(row for row, _ in board.cells())
    else:
        pools, colour = [mixed_pool(board, wilds=wilds)], (0,) * len(board.cells())
    hidden = Counter(c for c, symbol in zip(colour, board.cells().values(), strict=True) if symbol == DOWN)
    tiles = tuple(Counter({KINDS.index(s): n for s, n in pool.items()}) for pool in pools)
    return _Stock(colour, tiles, tuple(hidden[c] for c in range(len(tiles))))


def _open_runs(triple: tuple[int, int, int], symbols: Sequence[str], stock: _Stock) -> Iterator[tuple[Wants, Label]]:
    """Yield every run that three places hold or may still come to hold: what it asks for, and what of wilds."""
    there = [symbols[place] for place in triple]
    if EMPTY in there:
        return
    known = next(((i, int(symbol)) for i, symbol in enumerate(there) if symbol in NUMBERS), None)
    for way in (1, -1):
        for first in range(10) if known is None else ((known[1] - way * known[0]) % 10,):
            numbers = [(first + way * i) % 10 for i in range(3)]
            for choice in product(*map(_may_be, triple, there, numbers, [stock] * 3)):
                wants = tuple(sorted((place, kind) for place, kind, hidden in choice if hidden))
                label = tuple(sorted((p, n) for (p, kind, _), n in zip(choice, numbers, strict=True) if kind == _WILD))
                yield wants, label


def _may_be(place: int, symbol: str, number: int, stock: _Stock) -> list[tuple[int, int, bool]]:
    """Return the tiles with which a place can take part with a number: (place, kind, whether it lies face down)."""
    if symbol != DOWN:
        return [(place, KINDS.index(symbol), False)] if symbol in (WILD, NUMBERS[number]) else []
    tiles = stock.tiles[stock.colour[place]]
    return [(place, kind, True) for kind in (number, _WILD) if tiles[kind]]


def _apart(marks: Sequence[Mark], teams: Sequence[set[int]]) -> list[list[Mark]]:
    """Return the marks in groups that share neither a hidden place nor wilds of one team."""
    touched = [
        {place for place, _ in wants}.union(*(t for t in teams if t & wilds_of(*labels))) for wants, labels in marks
    ]
    groups = joined(touched)
    return [[m for m, places in zip(marks, touched, strict=True) if places & group] for group in groups]


class _Group:
    """Marks that hang together, and the sum over all sets of them that do not contradict each other."""

    def __init__(
        self, marks: Sequence[Mark], teams: Sequence[set[int]], sure: Counter[Label], stock: _Stock, work: Work
    ) -> None:
        """Put the marks in the order in which they are taken: those of one team of wilds follow each other."""
        self.stock, self.sure, self.work = stock, sure, work
        self.blocks = [[mark] for mark in marks if not wilds_of(*mark[1])]
        self.blocks += [b for t in teams if (b := [mark for mark in marks if wilds_of(*mark[1]) & t])]
        for block in self.blocks:
            block.sort(key=_where)
        self.blocks.sort(key=lambda block: _where(block[-1]))
        order = [mark for block in self.blocks for mark in block]
        self.last = {place: mark for mark in order for place, _ in mark[0]}
        self.field = {place: 15 << _FIELD * i for i, place in enumerate(self.last)}
        self.teams = teams

    def sums(self) -> Sums:
        """Return the sum; raises TooMuch."""
        # (fields of places that are asked for, the kinds they hold, counts, gains); a place that no later mark touches
        # is forgotten.
        states: States = {(0, 0, 0, NO_GAIN): 1}
        for block in self.blocks:
            labels = [label for label in dict.fromkeys(label for _, runs in block for label in runs) if label]
            for mark in block:
                self.work.spend(len(states))
                states = self._taken(states, mark, self._terms(mark[1], labels))
            if labels:
                states = self._settled(states, labels)
        found: Sums = defaultdict(int)
        for (_, _, counts, gains), ways in states.items():
            found[counts, gains] += ways
        return found

    def _terms(self, runs: Counter[Label], labels: Sequence[Label]) -> dict[int, int]:
        """Return t^runs - 1, in powers of t for runs through wilds, of u = t - 1 for others: so it has fewest terms."""
        wild = sum(runs[label] << MANY * (i + 1) for i, label in enumerate(labels))
        terms = Counter({wild << self.stock.width: 1})
        for k in range(1, runs[()] + 1):
            terms[wild + k << self.stock.width] = comb(runs[()], k)
        terms[0] -= 1
        return {more: times for more, times in terms.items() if times}

    def _taken(self, states: States, mark: Mark, terms: Mapping[int, int]) -> States:
        """Return the states without one more mark, and with it where the places may hold what it asks for."""
        wants, field = mark[0], self.field
        mask = sum(field[place] for place, _ in wants)
        kinds = sum(field[place] // 15 * (kind + 1) for place, kind in wants)
        tiles = [(field[place], self.stock.one(place, kind)) for place, kind in wants]
        keep = ~sum(field[place] for place, _ in wants if self.last[place] is mark)
        spare, full = self.stock.limits
        after: States = defaultdict(int)
        for (asked, held, counts, gains), ways in states.items():
            after[asked & keep, held & keep, counts, gains] += ways
            if not (held ^ kinds) & mask & asked:
                more = counts
                for place, tile in tiles:
                    if not asked & place:
                        more += tile
                if not more + spare & full:
                    places, holding = (asked | mask) & keep, (held | kinds) & keep
                    for runs, times in terms.items():
                        after[places, holding, more + runs, gains] += ways * times
        return {state: ways for state, ways in after.items() if ways}

    def _settled(self, states: States, labels: Sequence[Label]) -> States:
        """Return the states with a team's marks turned into what its wilds can gain: no later mark needs them."""
        team = next(t for t in self.teams if t & wilds_of(labels[0]))
        sure, shift, known = through(team, self.sure), self.stock.width + MANY, dict[int, int]()
        after: States = defaultdict(int)
        for (asked, held, counts, gains), ways in states.items():
            if (own := counts >> shift) not in known:
                self.work.spend(EACH)
                runs = Counter({label: own >> MANY * i & 255 for i, label in enumerate(labels)})
                known[own] = gains_of(sure + runs)
            after[asked, held, counts - (own << shift), both_of(gains, known[own])] += ways
        return {state: ways for state, ways in after.items() if ways}


def _where(mark: Mark) -> tuple[int, int]:
    return max(mark[0])[0], min(mark[0])[0]


def _multiplied(parts: Sequence[Sums], stock: _Stock, work: Work) -> Sums:
    spare, full = stock.limits
    whole: Sums = {(0, NO_GAIN): 1}
    for part in sorted(parts, key=len):
        work.spend(len(whole) * len(part) // 4)  # a product costs about a quarter of a state
        both: Sums = defaultdict(int)
        for (a, mine), x in whole.items():
            for (b, theirs), y in part.items():
                if not a + b + spare & full:
                    both[a + b, mine if theirs == NO_GAIN else both_of(mine, theirs)] += x * y
        whole = both
    return whole


def _weighed(sums: Sums, stock: _Stock) -> Sums:
    """Return the sums by number of marks and gains, the tiles spoken for replaced by their number of ways."""
    tiles, known = (1 << stock.width) - 1, dict[int, int]()
    found: Sums = defaultdict(int)
    for (counts, gains), many in sums.items():
        if (taken := counts & tiles) not in known:
            known[taken] = stock.ways(taken)
        found[counts >> stock.width, gains] += many * known[taken]
    return found


def _came_about(sums: Sums) -> Sums:
    """Turn sums by powers of u = t - 1 into boards on which just so many runs came about (powers of t)."""
    found: Sums = defaultdict(int)
    for (many, gains), weight in sums.items():
        for k in range(many + 1):
            found[k, gains] += weight * comb(many, k) * (-1) ** (many - k)
    return found
