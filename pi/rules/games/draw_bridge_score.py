"""Draw Bridge: which places are lawful, and the points of a turn (RULES.md 1): pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from pi.rules.runs import Assignment, Triple, Variant, is_run, triples
from pi.rules.values import EMPTY, NUMBERS, WILD, Board, Cell, Layout

SOURCE = "RunnuRound, Draw Bridge: scoring"
ROWS, PLACES = 4, 10
TILES_A_TURN = 2
BLANK = Board(Layout.ROWS, ((EMPTY,) * PLACES,) * ROWS)
"""The array before the first tile; each colour has its own row."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The house rules that touch places and points."""

    elevator: bool = False
    vertical: bool = False
    wild: bool = False
    """One wild tile a colour is in play."""
    claim_per_tile: bool = False
    """Score after each tile, not after both."""

    @property
    def variant(self) -> Variant:
        """The lines that count."""
        return Variant(elevator=self.elevator, vertical=self.vertical)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile laid, or to be laid, into the array."""

    row: int
    place: int
    symbol: str
    """'0'-'9', or '#' for a wild."""

    @property
    def cell(self) -> Cell:
        """(row, place), from 0."""
        return self.row, self.place

    def __str__(self) -> str:
        """Say the tile aloud; people count from 1."""
        return f"the {self.symbol} in row {self.row + 1} place {self.place + 1}"


@dataclass(frozen=True, slots=True)
class Credit:
    """The runs somebody is credited with at one moment."""

    runs: tuple[Triple, ...]
    """Each with its cells sorted, in order."""
    assignment: tuple[tuple[Cell, str], ...] = ()
    """The number each wild counts as; empty without wilds."""

    @property
    def points(self) -> int:
        """One point for each run."""
        return len(self.runs)


@dataclass(frozen=True, slots=True)
class Turn:
    """A lawful turn, scored."""

    board: Board
    """The array after it."""
    credits: tuple[Credit, ...]
    """One; with `claim_per_tile` one for each tile."""

    @property
    def points(self) -> int:
        """What the turn wins."""
        return sum(credit.points for credit in self.credits)


def tiles_in_turn(number: int, *, players: int) -> int:
    """Return how many tiles the turn of a round takes, from 1: two, as long as the hand holds two.

    With three players each hand holds 13 tiles, so the nineteenth to twenty-first turn take one.
    """
    hand = ROWS * PLACES // players
    turns_before = (number - 1) // players
    return min(TILES_A_TURN, max(hand - TILES_A_TURN * turns_before, 0))


def free_places(board: Board, row: int) -> tuple[int, ...]:
    """Return the places of a row into which the next tile of its colour may go.

    "The first tile of a colour goes to either end of its row; later ones next to a tile of that row, or
    to its other end if that is still free" (RULES.md 1, Draw Bridge).
    """
    cells = board.rows[row]
    ends = (0, PLACES - 1)
    return tuple(
        place
        for place in range(PLACES)
        if cells[place] == EMPTY and (place in ends or cells[place - 1] != EMPTY or cells[place + 1] != EMPTY)
    )


def tile_problem(board: Board, tile: Tile, *, terms: Terms) -> str | None:
    """Return why a tile may not lie there, readable aloud; None when it may."""
    where = f"row {tile.row + 1} place {tile.place + 1}"
    if not (0 <= tile.row < ROWS and 0 <= tile.place < PLACES):
        return f"There is no {where} (expected rows 1 to {ROWS}, places 1 to {PLACES})."
    if tile.symbol not in (*NUMBERS, WILD):
        return f"{tile.symbol!r} is not on a tile of this game, in {where}."
    if tile.symbol == WILD and not terms.wild:
        return f"Wild tiles are not in play, but one lies in {where}."
    lying = board.rows[tile.row][tile.place]
    if lying != EMPTY:
        return f"{_said(tile)} may not lie in {where}: the {lying} lies there already."
    if tile.symbol in board.rows[tile.row]:
        return f"{_said(tile)} may not lie in row {tile.row + 1}: each tile lies once in a colour."
    free = free_places(board, tile.row)
    if tile.place not in free:
        listed = " or ".join(str(place + 1) for place in free)
        may = f"it must lie next to a tile of its row or at a free end, in place {listed}"
        return f"{_said(tile)} may not lie in {where}: {may}."
    return None


def _said(tile: Tile) -> str:
    return "A wild" if tile.symbol == WILD else f"The {tile.symbol}"


def turn_problem(board: Board, tiles: Sequence[Tile], *, terms: Terms) -> str | None:
    """Return why these tiles, laid in this order, are not lawful; None when they are.

    How many tiles a turn takes is the match's affair: with three players the last turns hold one each.
    """
    for tile in tiles:
        if sentence := tile_problem(board, tile, terms=terms):
            return sentence
        board = lay(board, (tile,))
    return None


def in_lawful_order(board: Board, tiles: Sequence[Tile], *, terms: Terms) -> tuple[Tile, ...] | str:
    """Return the tiles in an order in which they may be laid, or why there is none.

    The eye sees only what lies there after a turn; the second tile may rest on the first.
    """
    sentence = turn_problem(board, tiles, terms=terms)
    if sentence is None:
        return tuple(tiles)
    if turn_problem(board, tiles[::-1], terms=terms) is None:
        return tuple(tiles[::-1])
    return sentence


def lay(board: Board, tiles: Iterable[Tile]) -> Board:
    """Return the array with tiles in it; KeyError for a place that is not on it."""
    return board.with_symbols({tile.cell: tile.symbol for tile in tiles})


@lru_cache(maxsize=1024)
def score_turn(board: Board, tiles: tuple[Tile, ...], *, terms: Terms) -> Turn:
    """Return the scored turn of lawful tiles, laid in their order.

    Points fall at the end of the turn, so the tiles score together; with `claim_per_tile` one by one.
    """
    if not terms.claim_per_tile:
        after = lay(board, tiles)
        return Turn(after, (credit(after, {tile.cell for tile in tiles}, terms=terms),))
    credits = []
    for tile in tiles:
        board = lay(board, (tile,))
        credits.append(credit(board, {tile.cell}, terms=terms))
    return Turn(board, tuple(credits))


def credit(board: Board, placed: Collection[Cell], *, terms: Terms) -> Credit:
    """Return what counts for tiles just placed; wilds as whatever numbers give the mover most.

    Ruling (RULES.md 1): a wild counts, each turn, as whatever number gives the mover most; that goes for
    wilds that lay there before, too. Of equally good numbers the smallest are shown.
    """
    cells = board.cells()
    possible = [t for t in triples(board, variant=terms.variant) if all(cells[cell] != EMPTY for cell in t)]
    found = (Credit(credited(runs, placed), tuple(numbers.items())) for numbers, runs in _readings(cells, possible))
    return max(found, key=lambda c: c.points)


def _readings(cells: Mapping[Cell, str], possible: Sequence[Triple]) -> Iterator[tuple[Assignment, tuple[Triple, ...]]]:
    """Yield each different set of runs with the first assignment of the wilds that makes it."""
    wilds = [cell for cell, symbol in cells.items() if symbol == WILD]
    touched = [t for t in possible if any(cells[cell] == WILD for cell in t)]
    fixed = tuple(t for t in possible if is_run(cells[t[0]], cells[t[1]], cells[t[2]]))
    filled, seen = dict(cells), set()
    for numbers in product(*(_worth_trying(cells, wild, touched) for wild in wilds)):
        chosen = dict(zip(wilds, numbers, strict=True))
        filled.update(chosen)
        more = tuple(t for t in touched if is_run(filled[t[0]], filled[t[1]], filled[t[2]]))
        if more not in seen:
            seen.add(more)
            yield chosen, (*fixed, *more)


def _worth_trying(cells: Mapping[Cell, str], wild: Cell, touched: Sequence[Triple]) -> Sequence[str]:
    """Return the numbers that can make a difference: those that make a run, and one that need not.

    Beside another wild every number can. Without this, four wilds would take ten thousand trials a turn.
    """
    own = [t for t in touched if wild in t]
    if any(cells[cell] == WILD for t in own for cell in t if cell != wild):
        return NUMBERS
    shown = [[None if cell == wild else cells[cell] for cell in t] for t in own]
    making = {n for n in NUMBERS for t in shown if is_run(*(n if s is None else s for s in t))}
    return sorted({NUMBERS[0]} | making)


def credited(runs: Iterable[Triple], placed: Collection[Cell]) -> tuple[Triple, ...]:
    """Return the runs that count for tiles just placed, cells sorted, in order.

    "Each run triple that lies on one unbroken up- or down-going path with a tile placed this turn": from
    every run that holds such a tile, go on in either direction to runs that share the next two cells. A
    path never turns back, so with the elevator two runs that part at a row's end do not reach each other.
    """
    both_ways = [way for run in runs for way in (run, run[::-1])]
    following: dict[tuple[Cell, ...], list[Triple]] = {}
    for way in both_ways:
        following.setdefault(way[:2], []).append(way)
    reached = [way for way in both_ways if any(cell in placed for cell in way)]
    found = set(reached)
    while reached:
        for way in following.get(reached.pop()[1:], ()):
            if way not in found:
                found.add(way)
                reached.append(way)
    return tuple(sorted({(min(t), sorted(t)[1], max(t)) for t in found}))


def tiles_out(board: Board, *, terms: Terms) -> tuple[tuple[str, ...], ...]:
    """Return for each row the symbols of its colour that have not been laid yet."""
    symbols = (*NUMBERS, WILD) if terms.wild else NUMBERS
    return tuple(tuple(s for s in symbols if s not in row) for row in board.rows)
