"""Draw Bridge of RunnuRound, 2 to 4 players, with its variations and partners (RULES.md 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.commands import Command, command
from pi.rules.events import Event, Tray
from pi.rules.games.draw_bridge_books import (
    START_TURN,
    Bridge,
    HandDealt,
    Held,
    Round,
    TilesLaid,
    TilesWanted,
    apply,
    counted,
    round_after,
    scored,
)
from pi.rules.games.draw_bridge_hands import deal_problem, not_wanted
from pi.rules.games.draw_bridge_score import (
    BLANK,
    SOURCE,
    Terms,
    Tile,
    in_lawful_order,
    score_turn,
    turn_problem,
)
from pi.rules.games.draw_bridge_sight import (
    UNPLACED,
    colour_problem,
    lies_from_before,
    moved,
    new_tiles,
    nothing_new,
    tray_problem,
)
from pi.rules.ruleset import Award, Context, House, HouseRule, Outcome, Reason, Refused, Ruleset, unknown_seat
from pi.rules.values import EMPTY, NUMBERS, WILD, Board, Cell, Points, Seat
from pi.rules.vouching import confirming

ROUNDS = {2: 4, 3: 3, 4: 4}
"""Players -> rounds of a match; the first player rotates."""


@command("bridge-lay-tiles")
@dataclass(frozen=True, slots=True)
class LayTiles:
    """The table says which tiles the player whose turn it is has laid, in their order."""

    tiles: tuple[Tile, ...]
    by: str = "table"


@command("bridge-deal-hand")
@dataclass(frozen=True, slots=True)
class DealHand:
    """Tiles are to be set aside for a player without hands, before the first tile of a round is laid."""

    seat: Seat
    tiles: tuple[Held, ...]
    by: str = "computer"


@command("bridge-want-tiles")
@dataclass(frozen=True, slots=True)
class WantTiles:
    """A player without hands says what is to be laid for it; the camera sees whether it was."""

    seat: Seat
    tiles: tuple[Tile, ...]
    by: str = "computer"


def terms_of(house: House) -> Terms:
    """Return the house rules that touch places and points."""
    switches = ("elevator", "vertical", "wild", "claim_per_tile")
    return Terms(**{name: bool(house.get(name)) for name in switches})


def mover(context: Context, played: Round) -> Seat | None:
    """Return whose turn it is; None before the first turn (three players) and after the last."""
    if played.over or played.turn == START_TURN:
        return None
    seats = context.seats()
    return seats[(played.number - 1 + played.turn - 1) % len(seats)]


def sides(context: Context) -> tuple[tuple[Seat, ...], ...]:
    """Return who wins together: each seat alone, or facing pairs with `partners`."""
    seats = context.seats()
    if context.house.get("partners") and len(seats) == 4:
        return (seats[0], seats[2]), (seats[1], seats[3])
    return tuple((seat,) for seat in seats)


def awards(context: Context, played: Round) -> tuple[Award, ...]:
    """Return what each complete turn of a round won, in order."""
    turns = scored(played, terms=terms_of(context.house))
    return tuple(
        Award(t.laid.seat, Points(t.turn.points), _why(t.turn.points), SOURCE)
        for t in turns
        if t.complete and t.laid.turn != START_TURN
    )


def _why(points: int) -> str:
    runs = "no run" if points == 0 else "1 run" if points == 1 else f"{points} runs"
    return f"{runs.capitalize()} made or prolonged."


def start(context: Context) -> Bridge:
    """Return the state before the first round."""
    return Bridge()


def standing(context: Context, state: Bridge) -> Mapping[Seat, Points]:
    """Return each seat's points over all turns of all rounds."""
    score = {seat: Points(0) for seat in context.seats()}
    for played in state.rounds:
        for award in awards(context, played):
            score[award.seat] = Points(score.get(award.seat, Points(0)) + award.points)
    return score


def outcome(context: Context, state: Bridge, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether all rounds are played, and who won.

    RULES.md 1: totals add up; the highest wins, equal totals share the win; partners add their totals.
    """
    rounds = ROUNDS.get(len(context.players), 4)
    if state.current is not None or len(state.rounds) < rounds or not score:
        return Outcome(over=False, winners=(), why=f"Playing {rounds} rounds.")
    winners = leaders(context, score)
    best = max(_totals(context, score).values())
    names = " and ".join(context.name(seat) for seat in winners)
    shared = len(winners) > len(sides(context)[0])
    verb = "share the win" if shared else "win" if len(winners) > 1 else "wins"
    return Outcome(over=True, winners=winners, why=f"{names} {verb} with {best}.")


def leaders(context: Context, score: Mapping[Seat, Points]) -> tuple[Seat, ...]:
    """Return who leads; equal totals share."""
    totals = _totals(context, score)
    best = max(totals.values())
    return tuple(seat for side, total in totals.items() if total == best for seat in side)


def _totals(context: Context, score: Mapping[Seat, Points]) -> dict[tuple[Seat, ...], int]:
    return {side: sum(score.get(seat, 0) for seat in side) for side in sides(context)}


def check(context: Context) -> str | None:
    """Return why these house rules do not go together; None when they do."""
    if context.house["partners"] and len(context.players) != 4:
        return "Partners are for four players."
    return None


def expects(context: Context, state: Bridge) -> str | None:
    """Return the layout the eye should look for; None between rounds."""
    return "drawbridge" if state.current is not None else None


def decide(context: Context, state: Bridge, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    current = state.current
    match command:
        case ask.Next(at_ns=at_ns, by=by):
            if current is not None:
                return Refused(Reason.WRONG_PHASE, f"Round {current.number} goes on: {_waiting(context, current)}")
            return (happened.RoundOpened(len(state.rounds) + 1, at_ns, by),)
        case ask.CorrectTile():
            return _correct(context, state, command)
    if current is None:
        return Refused(Reason.NO_ROUND, "No round is open; press NEXT to open one.")
    match command:
        case ask.ReadTray(tray=tray):
            return _read(context, state, current, tray)
        case DealHand():
            return _dealt(context, current, command)
        case WantTiles():
            return _wanted(context, current, command)
        case ask.ConfirmTray():
            return _confirm(context, current, command)
        case LayTiles(tiles=tiles, by=by):
            return _typed(context, current, tiles, by)
        case ask.Reread(round=number, by=by):
            if number != current.number or current.tray is None:
                return Refused(Reason.NOTHING_NEW, "The tray is being read already.")
            return (happened.TrayCleared(number, by),)
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Draw Bridge.")


def _waiting(context: Context, current: Round) -> str:
    seat = mover(context, current)
    if seat is None:
        return "lay the fortieth tile at the left end of its row."
    left = current.wanted(current.turn) - len(current.begun())
    return f"{context.name(seat)} has {left} tile{'s' if left != 1 else ''} to lay."


def _typed(context: Context, current: Round, tiles: tuple[Tile, ...], by: str) -> Sequence[Event] | Refused:
    terms, wanted = terms_of(context.house), current.wanted(current.turn)
    if len(tiles) > wanted or not tiles:
        return Refused(Reason.UNLAWFUL, f"{len(tiles)} tiles are too many or too few: {_waiting(context, current)}")
    if sentence := turn_problem(current.settled(), tiles, terms=terms) or _start_problem(current, tiles):
        return Refused(Reason.UNLAWFUL, sentence)
    if sentence := not_wanted(current, tiles, name=context.name):
        return Refused(Reason.UNLAWFUL, sentence)
    return (_laid(context, current, tiles, by=by),)


def _dealt(context: Context, current: Round, command: DealHand) -> Sequence[Event] | Refused:
    if command.seat not in context.seats():
        return unknown_seat(context, command.seat)
    if sentence := deal_problem(current, command.seat, command.tiles, wild=terms_of(context.house).wild):
        return Refused(Reason.UNLAWFUL, sentence)
    return (HandDealt(current.number, command.seat, command.tiles, command.by),)


def _wanted(context: Context, current: Round, command: WantTiles) -> Sequence[Event] | Refused:
    seat, tiles = command.seat, command.tiles
    hand = current.hand_dealt(seat)
    if seat != mover(context, current):
        return Refused(Reason.NOT_YOUR_TURN, f"It is not {context.name(seat)}'s turn: {_waiting(context, current)}")
    if hand is None or any((tile.row, tile.symbol) not in hand for tile in tiles):
        return Refused(Reason.UNLAWFUL, f"Not all of these tiles were set aside for {context.name(seat)}.")
    if current.wanted_now() is not None:
        return Refused(Reason.NOTHING_NEW, f"{context.name(seat)} has said already what is to be laid.")
    if len(tiles) != current.wanted(current.turn):
        return Refused(Reason.UNLAWFUL, f"{len(tiles)} tiles are too many or too few: {_waiting(context, current)}")
    if sentence := turn_problem(current.settled(), tiles, terms=terms_of(context.house)):
        return Refused(Reason.UNLAWFUL, sentence)
    return (TilesWanted(current.number, current.turn, seat, tiles, command.by),)


def _laid(context: Context, current: Round, tiles: tuple[Tile, ...], *, by: str, frame: str = "") -> TilesLaid:
    seat = mover(context, current) or Seat(0)
    automatic = by == "referee"
    return TilesLaid(current.number, current.turn, seat, tiles, frame, automatic, by)


def _start_problem(current: Round, tiles: Sequence[Tile]) -> str | None:
    if current.turn == START_TURN and any(tile.place != 0 for tile in tiles):
        return "The fortieth tile starts its row at the left end."
    return None


def _read(context: Context, state: Bridge, current: Round, tray: Tray) -> Sequence[Event] | Refused:
    """Take a settled reading: what is new in it is what the mover has laid so far."""
    if sentence := tray_problem(tray):
        return Refused(Reason.BAD_TRAY, sentence)
    before, seen = counted(current, tray)
    if sentence := moved(before, seen):
        return Refused(Reason.BAD_TRAY, sentence)
    new = new_tiles(before, seen)
    if lies_from_before(state, new):
        return Refused(Reason.SAME_TRAY, "The tiles of the last round still lie there.")
    # What the eye doubts may be no tile at all: whoever is asked says so.
    certain = [tile.cell for tile in new if tile.sure]
    if sentence := _too_many(context, before, certain) or colour_problem(seen, new):
        return Refused(Reason.UNLAWFUL, sentence)
    if nothing_new(before, seen, new):
        return Refused(Reason.NOTHING_NEW, "The tray lies as it was read.")
    # The journal keeps what the eye says; the books count its rows as here.
    return _concluded(context, current, (happened.TrayRead(current.number, tray),))


def _confirm(context: Context, current: Round, command: ask.ConfirmTray) -> Sequence[Event] | Refused:
    if command.round != current.number:
        return Refused(Reason.MOVED_ON, f"Round {command.round} is not open any more.")
    word = confirming(current.tray, command, asked=current.in_question())
    return word if isinstance(word, Refused) else _concluded(context, current, (word,))


def _concluded(context: Context, current: Round, events: tuple[Event, ...]) -> Sequence[Event] | Refused:
    """Add the tiles laid to events after which no doubt is left about them."""
    after = current
    for happening in events:
        after = round_after(after, happening)
    if after.doubts() or after.tray is None:
        return events
    symbols, settled = after.symbols(), after.settled()
    now = tuple(
        Tile(*cell, symbol) for cell, symbol in sorted(symbols.items()) if symbol != EMPTY and settled.at(cell) == EMPTY
    )
    if sentence := _too_many(context, after, [tile.cell for tile in now]):
        return Refused(Reason.UNLAWFUL, sentence)
    ordered = _in_order(after, now, terms=terms_of(context.house))
    if isinstance(ordered, str):
        return Refused(Reason.UNLAWFUL, ordered if after.tray.placed else UNPLACED)
    if sentence := _start_problem(current, ordered):
        return Refused(Reason.UNLAWFUL, sentence)
    if sentence := not_wanted(current, ordered, name=context.name):
        return Refused(Reason.UNLAWFUL, sentence)
    if ordered == after.begun() or after.in_question():
        return events
    return (*events, _laid(context, current, ordered, by="referee", frame=after.tray.frame))


def _in_order(current: Round, tiles: tuple[Tile, ...], *, terms: Terms) -> tuple[Tile, ...] | str:
    """Return the tiles in the order they were laid, as far as that is known, or why they may not lie so.

    With `claim_per_tile` the order may touch the points; where two tiles came with one reading and both
    orders are lawful, the one that gives the mover more counts (Ruling, as with wilds).
    """
    begun = [tile for tile in current.begun() if tile in tiles]
    tiles = (*begun, *(tile for tile in tiles if tile not in begun))
    settled = current.settled()
    if begun or not terms.claim_per_tile:
        return in_lawful_order(settled, tiles, terms=terms)
    lawful = [way for way in (tiles, tiles[::-1]) if turn_problem(settled, way, terms=terms) is None]
    if not lawful:
        return in_lawful_order(settled, tiles, terms=terms)
    return max(lawful, key=lambda way: score_turn(settled, way, terms=terms).points)


def _too_many(context: Context, current: Round, new: Sequence[Cell]) -> str | None:
    if len(new) <= current.wanted(current.turn):
        return None
    places = ", ".join(f"row {row + 1} place {place + 1}" for row, place in new)
    return f"{len(new)} tiles are new ({places}), but {_waiting(context, current)}"


def _correct(context: Context, state: Bridge, command: ask.CorrectTile) -> Sequence[Event] | Refused:
    played, cell = state.round(command.round), (command.row, command.column)
    where = f"row {command.row + 1} place {command.column + 1}"
    if played is None:
        return Refused(Reason.NO_ROUND, f"Round {command.round} was not played.")
    lying = _lying(played, cell)
    if lying is None:
        return Refused(Reason.BAD_CELL, f"There is no tile in {where}.")
    in_doubt = cell in {tile.cell for tile in played.doubts()}
    allowed = (*NUMBERS, WILD) if terms_of(context.house).wild else NUMBERS
    # What is only seen so far may be none, also if somebody has said otherwise by mistake.
    if command.symbol not in (*allowed, *((EMPTY,) if in_doubt or played.board().at(cell) == EMPTY else ())):
        return Refused(Reason.BAD_SYMBOL, f"{command.symbol!r} is not on a tile of this game.")
    if lying == command.symbol and not in_doubt:
        return Refused(Reason.NOTHING_NEW, f"That tile already counts as {lying}.")
    if command.symbol in _others_of_row(played.board(), cell):
        return Refused(
            Reason.UNLAWFUL, f"Row {cell[0] + 1} has its {command.symbol} already, so {where} shows another."
        )
    fix = happened.TileCorrected(command.round, *cell, command.symbol, lying, command.by)
    if not in_doubt:
        return (fix,)
    return _concluded(context, played, (fix,))


def _lying(played: Round, cell: Cell) -> str | None:
    """Return what lies in a cell, counted or only seen; None when nothing does or there is no such cell."""
    cells = BLANK.cells() | played.symbols() | {c: s for c, s in played.board().cells().items() if s != EMPTY}
    symbol = cells.get(cell, EMPTY)
    return None if symbol == EMPTY and cell not in {t.cell for t in played.doubts()} else symbol


def _others_of_row(board: Board, cell: Cell) -> tuple[str, ...]:
    row = board.rows[cell[0]]
    return tuple(s for place, s in enumerate(row) if place != cell[1] and s != EMPTY)


def movers(context: Context, state: Bridge) -> tuple[Seat, ...]:
    """Return whose turn it is; nobody's between rounds and while the fortieth tile is laid."""
    seat = mover(context, state.current) if state.current else None
    return () if seat is None else (seat,)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case TilesLaid(seat=seat, tiles=tiles):
            who = f"{context.name(seat)} lays" if seat else "First lies"
            return f"{who} {' and '.join(str(tile) for tile in tiles)}"
        case HandDealt(seat=seat):
            return f"tiles are set aside for {context.name(seat)}"
        case TilesWanted(seat=seat, tiles=tiles):
            return f"{context.name(seat)} wants laid: {' and '.join(str(tile) for tile in tiles)}"
    return None


CARD = (
    ("Deal", "Draw tiles four at a time, one of each colour, and hide them, until all are out. Each colour has a row."),
    (
        "In a turn",
        "Lay two tiles. The first of a colour goes to either end of its row; later ones beside a tile of that row, "
        "or to its other end if that is still free. So every row grows from its ends to the middle.",
    ),
    (
        "Points",
        "A run is three neighbours going up or down by one; 9 and 0 are neighbours too, and a row's two ends meet. "
        "Each run with a new tile in it is a point, and so is each run of the same straight which the new tile "
        "prolongs: three to four scores 2, four to five scores 3.",
    ),
    ("A match", "is four rounds, with three players three; the first player changes. The highest total wins."),
    ("Three players", "hold 13 tiles each; the fortieth lies at the left end of its row before the first turn."),
    ("Author", "Joe Marasco; RunnuRound is published by Kadon."),
)

DRAW_BRIDGE = Ruleset(
    name="draw-bridge",
    title="Draw Bridge",
    source=SOURCE,
    seats=(2, 4),
    house_rules=(
        HouseRule("elevator", False, "The end of any row also meets the start of any row."),
        HouseRule("vertical", False, "Columns count too, top to bottom and round again."),
        HouseRule("wild", False, "One wild a colour; each turn it counts as what gives the mover most."),
        HouseRule("claim_per_tile", False, "Score after each tile, not after both."),
        HouseRule("partners", False, "Four players: seats 1 and 3 against 2 and 4."),
    ),
    check=check,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    leaders=leaders,
    movers=movers,
    told=told,
    prepares=(HandDealt, TilesWanted),
    card=CARD,
)
