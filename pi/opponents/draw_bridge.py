"""Draw Bridge: the two tiles with the most points now, less what they would open to the next player.

It sees its own hand and what lies there, no more. Hands are dealt as in the rules: four tiles at a time,
one of each colour; with three players the fortieth starts its row (RULES.md 1).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.draw_bridge import DealHand, LayTiles, WantTiles, mover, terms_of
from pi.rules.games.draw_bridge_books import START_TURN, Bridge, Held, Round
from pi.rules.games.draw_bridge_score import ROWS, Terms, Tile, free_places, lay, score_turn, tiles_out
from pi.rules.ruleset import Context
from pi.rules.values import NUMBERS, WILD, Board, Seat

FIRST = 10
"""First tiles that are followed up."""
LOOKED_AT = 6
"""Turns whose consequences are looked at."""
CARE = 0.6
"""Part of the next player's likely gain that a turn is charged with."""


@lru_cache(maxsize=64)
def dealt(players: int, key: str, *, wild: bool) -> tuple[tuple[Held, ...], ...]:
    """Return each player's hand, in order of seats; with three players the fortieth tile as a fourth one.

    key: the same key deals the same hands in every process.
    """
    chance = random.Random(f"draw-bridge/{key}")
    colours = [[*NUMBERS, *(WILD * wild)] for _ in range(ROWS)]
    for symbols in colours:
        chance.shuffle(symbols)
    draws = [[(row, symbols[n]) for row, symbols in enumerate(colours)] for n in range(10)]
    whole = 10 // players * players
    hands: list[list[Held]] = [[] for _ in range(players)]
    for n, draw in enumerate(draws[:whole]):
        hands[n % players] += draw
    rest = [tile for draw in draws[whole:] for tile in draw]
    chance.shuffle(rest)
    while len(rest) >= players:
        for hand in hands:
            hand.append(rest.pop())
    return tuple(map(tuple, (*hands, rest) if rest else hands))


def hand_of(context: Context, current: Round, seat: Seat, key: str) -> tuple[Held, ...]:
    """Return what a seat still holds in the open round; what is being laid counts as held."""
    if (aside := current.hand_dealt(seat)) is not None:
        board = current.settled()
        return tuple(t for t in aside if t[1] not in board.rows[t[0]])
    own = dealt(len(context.players), f"{key}/{current.number}", wild=terms_of(context.house).wild)
    board = current.settled()
    return tuple(t for t in own[context.seats().index(seat)] if t[1] not in board.rows[t[0]])


def choose(context: Context, state: Bridge, seat: Seat, chance: random.Random, key: str) -> LayTiles | None:
    """Return the whole turn: its tiles in lawful order."""
    current = state.current
    if current is None:
        return None
    if current.turn == START_TURN:
        return LayTiles((_fortieth(context, current, key),), by="computer")
    if mover(context, current) != seat:
        return None
    held = hand_of(context, current, seat, key)
    turns = candidates(current.settled(), held, current.wanted(current.turn), terms=terms_of(context.house))
    best = max(turns, key=lambda turn: (_worth(current.settled(), turn, held, context), chance.random()))
    return LayTiles(best, by="computer")


def at_table(
    context: Context, state: Bridge, seat: Seat, chance: random.Random, key: str, watched: bool
) -> DealHand | WantTiles | LayTiles | None:
    """Ask for a hand to be set aside, then in each turn for tiles to be laid; tap them where no camera watches."""
    current = state.current
    if current is None:
        return None
    if current.hand_dealt(seat) is None:
        if any(laid.turn != START_TURN for laid in current.turns):
            return None  # people began without it: they play its hand
        return DealHand(seat, hand_of(context, current, seat, key))
    if current.turn == START_TURN or mover(context, current) != seat:
        return None
    asked = current.wanted_now()
    if asked is not None:
        return None if watched else LayTiles(asked.tiles, by="computer")
    chosen = choose(context, state, seat, chance, key)
    if chosen is None or not watched:
        return chosen
    return WantTiles(seat, chosen.tiles)


def at_random(context: Context, state: Bridge, seat: Seat, chance: random.Random, key: str) -> LayTiles | None:
    """Lay any tiles of the hand in any lawful places."""
    current = state.current
    if current is None:
        return None
    if current.turn == START_TURN:
        return LayTiles((_fortieth(context, current, key),), by="computer")
    if mover(context, current) != seat:
        return None
    board, held, tiles = current.settled(), list(hand_of(context, current, seat, key)), []
    for _ in range(current.wanted(current.turn)):
        row, symbol = held.pop(chance.randrange(len(held)))
        tiles.append(Tile(row, chance.choice(free_places(board, row)), symbol))
        board = lay(board, tiles[-1:])
    return LayTiles(tuple(tiles), by="computer")


def candidates(board: Board, held: Iterable[Held], wanted: int, *, terms: Terms) -> list[tuple[Tile, ...]]:
    """Return the turns worth a second look, those with the most points."""
    singles = sorted(((_points(board, (t,), terms), t) for t in _places(board, held)), key=lambda s: -s[0])
    if wanted == 1:
        return [(tile,) for _, tile in singles[:LOOKED_AT]]
    turns: dict[frozenset[Tile], tuple[int, tuple[Tile, ...]]] = {}
    for _, first in singles[:FIRST]:
        after = lay(board, (first,))
        rest = [t for t in held if t != (first.row, first.symbol)]
        for second in _places(after, rest):
            both = (first, second)
            if frozenset(both) not in turns:
                turns[frozenset(both)] = (_points(board, both, terms), both)
    ranked = sorted(turns.values(), key=lambda turn: -turn[0])
    return [tiles for _, tiles in ranked[:LOOKED_AT]]


def _worth(board: Board, turn: tuple[Tile, ...], held: Iterable[Held], context: Context) -> float:
    """Return a turn's points less a part of what the next player can then make, on average, with one tile."""
    terms = terms_of(context.house)
    after, own = lay(board, turn), set(held)
    unseen = [(row, s) for row, out in enumerate(tiles_out(after, terms=terms)) for s in out if (row, s) not in own]
    gains = [max((_points(after, (t,), terms) for t in _places(after, [u])), default=0) for u in unseen]
    top = sorted(gains, reverse=True)[:4]
    return _points(board, turn, terms) - CARE * (sum(top) / len(top) if top else 0.0)


def _places(board: Board, held: Iterable[Held]) -> Iterator[Tile]:
    for row, symbol in held:
        for place in free_places(board, row):
            yield Tile(row, place, symbol)


def _points(board: Board, tiles: tuple[Tile, ...], terms: Terms) -> int:
    return score_turn(board, tiles, terms=terms).points


def _fortieth(context: Context, current: Round, key: str) -> Tile:
    hands = dealt(len(context.players), f"{key}/{current.number}", wild=terms_of(context.house).wild)
    ((row, symbol),) = hands[-1]
    return Tile(row, 0, symbol)


DRAW_BRIDGE = Opponent(
    "draw-bridge",
    STRENGTHS["draw-bridge"],
    choose,
    at_random,
    at_table,
)
