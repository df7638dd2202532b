"""Runaround by Jonathan Leistiko (2007), two players, dice and pawns on the board or tapped (RULES.md 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pi.rules import commands as ask
from pi.rules.commands import Command, command
from pi.rules.events import Event, event
from pi.rules.games.runaround_rules import (
    DIE,
    RUNS_TO_WIN,
    SOURCE,
    SPACES,
    Landing,
    Loop,
    Pawn,
    enter,
    enters,
    go_on,
    move,
    spaces_problem,
)
from pi.rules.games.runaround_sight import (
    Stood,
    difference,
    explaining,
    fresh_die,
    lies_as,
    misplaced,
    not_yet_entered,
    place_name,
    seen_stood,
    stood,
)
from pi.rules.mats import unclear
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, unknown_seat
from pi.rules.seen import A_DIE, A_PLACE, ReadMat, in_doubt
from pi.rules.values import Points, Seat


@command("runaround-roll")
@dataclass(frozen=True, slots=True)
class Roll:
    """What the die shows."""

    seat: Seat
    die: int
    frame: str = ""
    by: str = "table"
    at: tuple[float, ...] = ()
    """(x, y) in millimetres where the die was read; () when it was tapped."""


@command("runaround-move")
@dataclass(frozen=True, slots=True)
class MovePawn:
    """The pawn a player moves the full roll, named by the space it stands on."""

    seat: Seat
    space: int
    by: str = "table"
    frame: str = ""
    """The evidence picture; empty when it was tapped."""


@event("runaround-rolled")
@dataclass(frozen=True, slots=True)
class Rolled:
    """The die was rolled; a pawn may have entered or gone on by it."""

    seat: Seat
    die: int
    frame: str = ""
    by: str = "table"
    at: tuple[float, ...] = ()


@event("runaround-moved")
@dataclass(frozen=True, slots=True)
class Moved:
    """A pawn moved the full roll."""

    seat: Seat
    space: int
    by: str = "table"
    frame: str = ""


@dataclass(frozen=True, slots=True)
class Runaround:
    """The loop, and how far the turn has come."""

    loop: Loop
    player: int = 0
    """0 or 1: whose turn it is."""
    roll: int | None = None
    """The roll with which a pawn must be moved now."""
    carried: Pawn | None = None
    """A pawn that landed on one of its own: a new roll takes it on."""
    pending: int | None = None
    """The turn's own roll, while a pawn that has just entered must go on first."""
    turns: int = 0
    dice: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """For each player (value, x, y) of the die in the player's roll zone as last read; () when it is not there."""

    @property
    def winner(self) -> int | None:
        """Who has made five runs: 0 or 1."""
        return next((n for n, side in enumerate(self.loop.sides) if side.runs >= RUNS_TO_WIN), None)

    def movable(self) -> tuple[int, ...]:
        """Return the spaces of the pawns that may be moved now."""
        if self.roll is None:
            return ()
        return tuple(pawn.space for pawn in self.loop.sides[self.player].pawns)


def start(context: Context) -> Runaround:
    """Return the empty loop; the house rule `first` names who goes first."""
    spaces = int(context.house.get("spaces", SPACES))
    first = context.house.get("first", 1)
    return Runaround(Loop(spaces), player=1 if context.seats()[1:] == (first,) else 0)


def seat_of(context: Context, state: Runaround) -> Seat:
    """Return whose turn it is."""
    return context.seats()[state.player]


def check(context: Context) -> str | None:
    """Return why these house rules do not go together; None when they do."""
    return spaces_problem(int(context.house["spaces"]))


def decide(context: Context, state: Runaround, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    match command:
        case Roll(seat=seat, die=die, frame=frame, by=by, at=at):
            if no := _out_of_turn(context, state, seat):
                return no
            if state.roll is not None:
                return Refused(Reason.WRONG_PHASE, f"First a pawn moves {state.roll} spaces.")
            if die not in DIE:
                return Refused(Reason.BAD_SYMBOL, f"A die does not show {die} (expected 1 to 6).")
            return (Rolled(seat, die, frame, by, at),)
        case MovePawn(seat=seat, space=space, by=by, frame=frame):
            if no := _out_of_turn(context, state, seat):
                return no
            if state.roll is None:
                return Refused(Reason.WRONG_PHASE, "First the die is rolled.")
            if space not in state.movable():
                spaces = " or ".join(map(str, state.movable()))
                return Refused(Reason.BAD_CELL, f"No pawn of yours stands on space {space} (expected {spaces}).")
            return (Moved(seat, space, by, frame),)
        case ReadMat():
            asked = _read(context, state, command)
            return asked if isinstance(asked, Refused) else decide(context, state, asked)
        case ask.Next():
            return Refused(Reason.WRONG_PHASE, f"It is {context.name(seat_of(context, state))}'s turn.")
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Runaround.")


def _out_of_turn(context: Context, state: Runaround, seat: Seat) -> Refused | None:
    if seat not in context.seats():
        return unknown_seat(context, seat)
    if state.winner is not None:
        return Refused(Reason.MATCH_OVER, "The game is over.")
    if seat != seat_of(context, state):
        return Refused(Reason.NOT_YOUR_TURN, f"It is {context.name(seat_of(context, state))}'s turn.")
    return None


def expects(context: Context, state: Runaround) -> str | None:
    """Return the board the eye should look for; None when the game is over."""
    return None if state.winner is not None else f"runaround:{state.loop.spaces}"


def _read(context: Context, state: Runaround, seen: ReadMat) -> Roll | MovePawn | Refused:
    """Take the board as it lies: a rolled die while one is awaited, else the one lawful move that explains it."""
    if state.winner is not None:
        return Refused(Reason.MATCH_OVER, "The game is over.")
    shown = seen_stood(seen, spaces=state.loop.spaces, names=lambda player: context.name(context.seats()[player]))
    if isinstance(shown, str):
        about = () if seen.strays else in_doubt(seen, A_PLACE, range(len(seen.places)))
        return Refused(Reason.BAD_TRAY, shown, about)
    read = _read_roll if state.roll is None else _read_move
    explained = read(context, state, seen, shown)
    sentence = None if isinstance(explained, Refused) else unclear(seen)
    return Refused(Reason.BAD_TRAY, sentence) if sentence else explained


def _read_roll(context: Context, state: Runaround, seen: ReadMat, shown: Stood) -> Roll | Refused:
    seats, seat = context.seats(), seat_of(context, state)
    carried = state.player if state.carried is not None else None
    wrong = difference(state.loop, shown, carried=carried, names=lambda player: context.name(seats[player]))
    die = fresh_die(seen.dice, state.dice[state.player], player=state.player)
    if wrong is not None:
        return Refused(Reason.BAD_TRAY, wrong)
    if isinstance(die, str):
        return Refused(Reason.BAD_TRAY, die)
    if seen.strange:
        return Refused(Reason.BAD_TRAY, "Something in a roll zone is no single flat die: lay it flat, or tap the roll.")
    if die is None:
        again = " once more" if state.carried is not None else ""
        return Refused(Reason.NOTHING_NEW, f"{context.name(seat)} rolls{again}.")
    if not die.sure:
        faces = " or ".join(str(face) for face, chance in die.likely if chance >= 0.01) or str(die.value)
        asked = f"The die may show {faces}: lay it flat, or tap what was rolled."
        own = (n for n, other in enumerate(seen.dice) if other.player == state.player)
        return Refused(Reason.BAD_TRAY, asked, in_doubt(seen, A_DIE, own))
    return Roll(seat, die.value, seen.frame, "referee", die.at)


def _read_move(context: Context, state: Runaround, seen: ReadMat, shown: Stood) -> MovePawn | Refused:
    seats, seat, player = context.seats(), seat_of(context, state), state.player
    assert state.roll is not None
    at_once = bool(context.house.get("score_on_reaching"))
    landings = [
        (space, move(state.loop, player, space, state.roll, score_on_reaching=at_once)) for space in state.movable()
    ]
    matching = explaining(landings, shown, player=player)
    if len(matching) == 1:
        return MovePawn(seat, matching[0], "referee", seen.frame)
    name = context.name(seat)
    if matching:
        spaces = " or ".join(map(str, matching))
        return Refused(Reason.BAD_TRAY, f"The pawn of space {spaces} may have moved so: tap which.")
    before = not_yet_entered(state.loop, player)
    if lies_as(state.loop, shown) or (before is not None and lies_as(before, shown)):
        spaces = " or ".join(map(str, state.movable()))
        return Refused(Reason.NOTHING_NEW, f"{name} moves the pawn of space {spaces} by {state.roll}.")
    wrong = misplaced(landings, stood(state.loop), shown, player=player) or difference(
        state.loop, shown, names=lambda n: context.name(seats[n])
    )
    return Refused(Reason.UNLAWFUL, f"{wrong} {name} has rolled {state.roll}.")


def apply(context: Context, state: Runaround, event: Event) -> Runaround:
    """Keep the books; total, see `pi.rules.match.apply`."""
    at_once = bool(context.house.get("score_on_reaching"))
    match event:
        case Rolled(die=die, at=at) if die in DIE and state.roll is None and state.winner is None:
            state = replace(state, dice=_lying(state, die, at))
            if state.carried is not None:
                on = go_on(state.loop, state.player, state.carried, die, score_on_reaching=at_once)
                return _after_landing(state, on, pending=state.pending)
            if enters(state.loop, state.player, die):
                return _after_landing(state, enter(state.loop, state.player), pending=die)
            return _to_move(state, die)
        case Moved(space=space) if space in state.movable() and state.roll is not None:
            landing = move(state.loop, state.player, space, state.roll, score_on_reaching=at_once)
            return _after_landing(replace(state, roll=None), landing, pending=None)
    return state


def _after_landing(state: Runaround, landing: Landing, *, pending: int | None) -> Runaround:
    after = replace(state, loop=landing.loop, carried=landing.carried, pending=pending)
    if landing.carried is not None or after.winner is not None:
        return after
    return _turn_over(after) if pending is None else _to_move(after, pending)


def _to_move(state: Runaround, roll: int) -> Runaround:
    """Let a pawn be moved; "no pawn on the board: the turn is over" (RULES.md 3)."""
    if not state.loop.sides[state.player].pawns:
        return _turn_over(state)
    return replace(state, roll=roll, pending=None)


def _turn_over(state: Runaround) -> Runaround:
    return Runaround(state.loop, player=1 - state.player, turns=state.turns + 1, dice=state.dice)


def _lying(state: Runaround, die: int, at: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return where the die was read last: in the mover's roll zone, so no longer in the other's."""
    if len(at) != 2:
        return state.dice
    own = (float(die), *at)
    return (own, ()) if state.player == 0 else ((), own)


def standing(context: Context, state: Runaround) -> Mapping[Seat, Points]:
    """Return each seat's runs."""
    runs = (Points(side.runs) for side in state.loop.sides)
    return dict(zip(context.seats(), runs, strict=False))


def outcome(context: Context, state: Runaround, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether somebody has five runs."""
    if state.winner is None:
        return Outcome(over=False, winners=(), why=f"Playing to {RUNS_TO_WIN} runs.")
    seat = context.seats()[state.winner]
    return Outcome(over=True, winners=(seat,), why=f"{context.name(seat)} wins with {RUNS_TO_WIN} runs.")


def movers(context: Context, state: Runaround) -> tuple[Seat, ...]:
    """Return whose turn it is."""
    return () if state.winner is not None else (seat_of(context, state),)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case Rolled(seat=seat, die=die):
            return f"{context.name(seat)} rolls {die}"
        case Moved(seat=seat, space=space):
            return f"{context.name(seat)} moves the pawn of space {space}"
    return None


CARD = (
    ("Start", "Four pawns each at home, a fifth marks your runs. You run in opposite directions around the loop."),
    (
        "In a turn",
        "Roll. If the roll is at most the number of your pawns at home, one of them enters on your starting space. "
        "Then move one pawn on the loop the full roll.",
    ),
    (
        "An opponent there",
        "With a wall beside, it goes across; what stands there goes home. Without a wall yours goes home.",
    ),
    ("An opponent across", "You land on an empty space and one stands behind the wall: the two swap places."),
    ("Your own pawn there", "Roll again and go on with the same pawn."),
    ("Runs", "Passing over your starting space is a run. Five runs win."),
    ("Author", "Jonathan Leistiko, 2007. Our board is drawn from his words."),
)

RUNAROUND = Ruleset(
    name="runaround",
    title="Runaround",
    source=SOURCE,
    seats=(2, 2),
    house_rules=(
        HouseRule("spaces", SPACES, "How many spaces the loop has (even).", least=12, most=40),
        HouseRule("score_on_reaching", False, "Reaching the starting space exactly counts at once."),
        HouseRule("first", 1, "The seat that goes first.", least=1, most=2),
    ),
    check=check,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    movers=movers,
    told=told,
    called=lambda context, place: place_name(
        place,
        spaces=int(context.house.get("spaces", SPACES)),
        names=lambda player: context.name(context.seats()[player]),
    ),
    card=CARD,
)
