"""Draw Bridge's books: its rounds and turns, and how each event changes them (RULES.md 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pi.rules import events as happened
from pi.rules.events import Event, SeenTile, Tray, event, unanswered
from pi.rules.games.draw_bridge_rows import Known, count_of
from pi.rules.games.draw_bridge_score import (
    BLANK,
    PLACES,
    ROWS,
    Terms,
    Tile,
    Turn,
    lay,
    score_turn,
    tiles_in_turn,
)
from pi.rules.ruleset import Context
from pi.rules.values import EMPTY, NUMBERS, WILD, Board, Cell, Seat
from pi.rules.vouching import LAYOUT, in_question, still_confirmed

START_TURN = 0
"""With three players: the fortieth tile, which starts its row before anybody moves."""


@event("bridge-tiles-laid")
@dataclass(frozen=True, slots=True)
class TilesLaid:
    """All tiles of a turn as they lie now; a later event of the same turn supersedes it."""

    round: int
    turn: int
    """From 1; 0 is the tile that starts its row when three play."""
    seat: Seat
    """Who laid them; 0 in turn 0."""
    tiles: tuple[Tile, ...]
    """In the order they were laid."""
    frame: str = ""
    """The evidence picture; empty when they were typed in."""
    automatic: bool = False
    """True when it followed by itself from a reading or an answer: undone together with that."""
    by: str = "table"


Held = tuple[int, str]
"""A tile in a hand: (row of its colour, symbol)."""


@event("bridge-hand-dealt")
@dataclass(frozen=True, slots=True)
class HandDealt:
    """Tiles set aside, openly, for a player without hands: people lay them for the computer."""

    round: int
    seat: Seat
    tiles: tuple[Held, ...]
    by: str = "computer"
    automatic: bool = True
    """Nobody chose it: undone together with the step before it."""


@event("bridge-tiles-wanted")
@dataclass(frozen=True, slots=True)
class TilesWanted:
    """What a player without hands wants laid in this turn; whoever lays it lays just that."""

    round: int
    turn: int
    seat: Seat
    tiles: tuple[Tile, ...]
    by: str = "computer"
    automatic: bool = True


@dataclass(frozen=True, slots=True)
class Round:
    """One filling of the array."""

    number: int
    opened_ns: int
    players: int
    turns: tuple[TilesLaid, ...] = ()
    """By turn; the last one may still lack a tile."""
    tray: Tray | None = None
    """The latest reading, as read."""
    confirmed: bool = False
    """Whether somebody said that it lies so, though the eye doubts it as a whole."""
    corrections: tuple[happened.TileCorrected, ...] = ()
    """What people said about tiles seen or laid, as far as the eye still claims what it claimed then."""
    dealt: tuple[HandDealt, ...] = ()
    """The hands of players without hands."""
    wants: TilesWanted | None = None
    """What such a player last wanted laid."""

    @property
    def turn(self) -> int:
        """The turn being played; beyond the last one when the array is full."""
        first = START_TURN if self.players == 3 else 1
        if not self.turns:
            return first
        last = self.turns[-1]
        return last.turn if len(last.tiles) < self.wanted(last.turn) else last.turn + 1

    def wanted(self, turn: int) -> int:
        """Return how many tiles a turn takes; 0 after the last one."""
        return 1 if turn == START_TURN else tiles_in_turn(turn, players=self.players)

    @property
    def over(self) -> bool:
        """Whether every tile lies."""
        return self.wanted(self.turn) == 0

    def wanted_now(self) -> TilesWanted | None:
        """Return what must be laid in the turn being played; None where people choose by themselves."""
        return self.wants if self.wants is not None and self.wants.turn == self.turn else None

    def hand_dealt(self, seat: Seat) -> tuple[Held, ...] | None:
        """Return the tiles that were set aside for a seat; None when none were."""
        return next((hand.tiles for hand in self.dealt if hand.seat == seat), None)

    def begun(self) -> tuple[Tile, ...]:
        """Return the tiles that the turn being played has laid so far."""
        return next((t.tiles for t in self.turns if t.turn == self.turn), ())

    def settled(self) -> Board:
        """Return the array as it lay before the turn being played."""
        return lay(BLANK, (tile for t in self.turns if t.turn != self.turn for tile in t.tiles))

    def board(self) -> Board:
        """Return the array as it lies."""
        return lay(BLANK, (tile for t in self.turns for tile in t.tiles))

    def known(self) -> Known:
        """Return what tells which rows and places a reading means."""
        held = frozenset(tile for hand in self.dealt for tile in hand.tiles)
        wants, colours = self.wanted_now(), self.tray.row_colours() if self.tray else {}
        return Known(self.settled(), self.begun(), wants.tiles if wants else (), held, colours)

    def counted(self, row: Callable[[int], int]) -> Round:
        """Return the round with all that lies, and was seen, in other rows: `row` says which."""
        turns = tuple(replace(t, tiles=tuple(replace(u, row=row(u.row)) for u in t.tiles)) for t in self.turns)
        fixes = tuple(replace(fix, row=row(fix.row)) for fix in self.corrections)
        tray = self.tray and replace(self.tray, tiles=tuple(replace(t, row=row(t.row)) for t in self.tray.tiles))
        return replace(self, turns=turns, corrections=fixes, tray=tray)

    def symbols(self) -> dict[Cell, str]:
        """Return what the latest reading shows, corrections included."""
        cells = self.tray.symbols() if self.tray else {}
        for fix in self.corrections:
            if (fix.row, fix.column) in cells:
                cells[fix.row, fix.column] = fix.symbol
        return cells

    def doubts(self) -> tuple[SeenTile, ...]:
        """Return the new tiles of the latest reading that somebody must still be asked about."""
        known = self.settled()
        return tuple(t for t in unanswered(self.tray, self.corrections) if known.at(t.cell) == EMPTY)

    def in_question(self) -> bool:
        """Tell whether somebody must still say that what is new lies as it was read."""
        symbols, before, begun = self.symbols(), self.settled(), {t.cell: t.symbol for t in self.begun()}
        new = {cell: symbol for cell, symbol in symbols.items() if symbol != EMPTY and before.at(cell) == EMPTY}
        # Two or four tiles hardly tell the eye how their rows lean: what may lie where the rules know (`known`).
        return new != begun and in_question(self.tray, confirmed=self.confirmed, told=(LAYOUT,))


@dataclass(frozen=True, slots=True)
class Bridge:
    """The game's state: its rounds, the last one perhaps still being played."""

    rounds: tuple[Round, ...] = ()

    @property
    def current(self) -> Round | None:
        """The round being played; None between rounds."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].over else None

    def round(self, number: int) -> Round | None:
        """Return a round by its number, from 1; None when it was not played."""
        return next((r for r in self.rounds if r.number == number), None)


@dataclass(frozen=True, slots=True)
class ScoredTurn:
    """A turn as it counts."""

    laid: TilesLaid
    turn: Turn
    complete: bool
    """A turn that still lacks a tile wins nothing yet."""


def scored(played: Round, *, terms: Terms) -> tuple[ScoredTurn, ...]:
    """Return every turn of a round with its credits; a function of the tiles alone."""
    board, found = BLANK, []
    for laid in played.turns:
        turn = score_turn(board, laid.tiles, terms=terms)
        found.append(ScoredTurn(laid, turn, len(laid.tiles) >= played.wanted(laid.turn)))
        board = turn.board
    return tuple(found)


def apply(context: Context, state: Bridge, event: Event) -> Bridge:
    """Keep the books; total, see `pi.rules.match.apply`."""
    if isinstance(event, happened.RoundOpened):
        if state.round(event.round) is not None:
            return state
        return Bridge((*state.rounds, Round(event.round, event.at_ns, len(context.players))))
    number = getattr(event, "round", None)
    return Bridge(tuple(round_after(r, event) if r.number == number else r for r in state.rounds))


def round_after(played: Round, event: Event) -> Round:
    """Return the round after an event; an event of another kind changes nothing."""
    match event:
        case TilesLaid():
            return _laid(played, event)
        case happened.TrayRead(tray=tray):
            return _read_again(played, tray) if _on_the_array(tray) else played
        case happened.TrayCleared():
            return replace(played, tray=None, confirmed=False)
        case happened.TrayConfirmed():
            return replace(played, confirmed=True)
        case happened.TileCorrected():
            return _corrected(played, event)
        case HandDealt():
            return replace(played, dealt=(*(hand for hand in played.dealt if hand.seat != event.seat), event))
        case TilesWanted():
            return replace(played, wants=event) if all(map(is_on_the_array, event.tiles)) else played
        case _:
            return played


def counted(played: Round, tray: Tray) -> tuple[Round, Tray]:
    """Return a round and a new reading of its array, their rows and places counted alike."""
    count = count_of(tray, played.known())
    return (played, tray) if count.usual else (played.counted(count.row), count.of(tray))


def _read_again(played: Round, seen: Tray) -> Round:
    played, tray = counted(played, seen)
    # A correction outlives a new reading only where the eye still claims what was corrected.
    symbols, before = tray.symbols(), played.tray.symbols() if played.tray else {}
    kept = tuple(
        f for f in played.corrections if symbols.get((f.row, f.column)) in (f.was, before.get((f.row, f.column)))
    )
    confirmed = still_confirmed(played.tray, tray, confirmed=played.confirmed)
    return replace(played, tray=tray, corrections=kept, confirmed=confirmed)


def _laid(played: Round, event: TilesLaid) -> Round:
    if not all(is_on_the_array(tile) for tile in event.tiles):
        return played
    others = tuple(t for t in played.turns if t.turn != event.turn)
    return replace(played, turns=tuple(sorted((*others, event), key=lambda t: t.turn)))


def _corrected(played: Round, fix: happened.TileCorrected) -> Round:
    """A tile that has been laid changes in its turn, so everything after is counted again."""
    right = Tile(fix.row, fix.column, fix.symbol)
    if fix.symbol == EMPTY and is_on_the_array(replace(right, symbol=NUMBERS[0])):
        return replace(played, corrections=(*played.corrections, fix))  # nothing lies where the eye saw a tile
    if not is_on_the_array(right):
        return played
    turns = tuple(
        replace(t, tiles=tuple(right if tile.cell == right.cell else tile for tile in t.tiles)) for t in played.turns
    )
    return replace(played, turns=turns, corrections=(*played.corrections, fix))


def is_on_the_array(tile: Tile) -> bool:
    """Tell whether a tile has a place and a symbol of this game."""
    return 0 <= tile.row < ROWS and 0 <= tile.place < PLACES and tile.symbol in (*NUMBERS, WILD)


def _on_the_array(tray: Tray) -> bool:
    return all(0 <= t.row < ROWS and 0 <= t.column < PLACES for t in tray.tiles)
