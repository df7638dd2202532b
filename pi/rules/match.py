"""decide(state, command) -> events | Refused;  apply(state, event) -> state.

`decide` knows the rules and may refuse; it never changes the state. `apply` only keeps the books: it is
total, so any event from any journal folds. A score is a function of the events alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from pi.rules import asking
from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.asking import Latest
from pi.rules.commands import Command
from pi.rules.events import Event
from pi.rules.games import RULESETS
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, unknown_seat
from pi.rules.seen import EyeRead, PieceTold, ReadDice, ReadMat, TellPiece, with_piece
from pi.rules.values import Player, Points, Seat

MOST_NAME = 24
"""Letters of a player's name that fit the scoreboard at 2 m."""
MOST_STEPS = 100
"""Steps that one undo or redo may go."""


@dataclass(frozen=True, slots=True)
class Match:
    """An evening's game, folded from its events."""

    id: str = ""
    game: str = ""
    """Name of the ruleset; empty before the match has started."""
    players: tuple[Player, ...] = ()
    house: tuple[tuple[str, bool | int | str], ...] = ()
    state: Any = None
    """The game's own frozen state."""
    adjusted: tuple[happened.PointsAdjusted, ...] = ()
    ended: happened.MatchEnded | None = None
    held: str | None = None
    """Why automation rests; None when it does not."""
    latest: Latest | None = None
    """The reading of counters, pawns or dice on which the latest move rests, or about which the table is asked."""
    history: tuple[Event, ...] = ()
    """The events that still count, in order."""
    undone: tuple[tuple[Event, ...], ...] = ()
    """What may be redone, latest undo last."""

    @property
    def started(self) -> bool:
        """Whether the match has begun."""
        return bool(self.game)

    @property
    def ruleset(self) -> Ruleset:
        """The game being played; KeyError before the start."""
        return RULESETS[self.game]

    @property
    def context(self) -> Context:
        """What the game's functions are told of the match."""
        return Context(self.id, self.players, dict(self.house), held=self.held is not None)

    def standing(self) -> dict[Seat, Points]:
        """Return every seat's score, adjustments included."""
        if not self.started:
            return {}
        score = {p.seat: Points(0) for p in self.players} | dict(self.ruleset.standing(self.context, self.state))
        for change in self.adjusted:
            score[change.seat] = Points(score.get(change.seat, Points(0)) + change.points)
        return score

    def outcome(self) -> Outcome:
        """Tell whether the match is over, for whom, and why."""
        if not self.started:
            return Outcome(over=False, winners=(), why="No match has been started.")
        if self.ended is not None:
            leaders = self.ruleset.leaders(self.context, self.standing())
            return Outcome(over=True, winners=leaders, why=self.ended.why or "The table ended the match.")
        return self.ruleset.outcome(self.context, self.state, self.standing())

    def expects(self) -> str | None:
        """Return what the eye should look for now; None while it may rest."""
        if not self.started or self.held is not None or self.outcome().over:
            return None
        return self.ruleset.expects(self.context, self.state)


NEW = Match()


def replay(events: Iterable[Event], *, start: Match = NEW) -> Match:
    """Fold events: how every evening starts, and how it goes on after a power cut."""
    return reduce(apply, events, start)


def apply(state: Match, event: Event) -> Match:
    """Return the match after an event. Total: what does not fit changes nothing but the history."""
    match event:
        case happened.Undone(events=n):
            return _step_back(state, n)
        case happened.Redone():
            return _step_forth(state)
        case PieceTold(instead=n) if n:
            return _told_anew(state, event)
    after = _kept(state, event)
    if after.latest is not None and after.latest is state.latest and after.latest.moves:
        after = replace(after, latest=None)  # something else has happened since: undo is the way back
    return replace(after, history=(*state.history, event), undone=())


def _kept(state: Match, event: Event) -> Match:
    match event:
        case EyeRead():
            return replace(state, latest=asking.after_read(event))
        case PieceTold():
            return replace(state, latest=asking.after_told(state.latest, event))
        case happened.MatchStarted():
            return _started(state, event)
        case happened.PlayerRenamed(seat=seat, name=name):
            players = tuple(replace(p, name=name) if p.seat == seat else p for p in state.players)
            return replace(state, players=players)
        case happened.PointsAdjusted():
            return replace(state, adjusted=(*state.adjusted, event))
        case happened.MatchEnded():
            return replace(state, ended=event, held=None)
        case happened.Held(why=why):
            return replace(state, held=why or "Paused by the table.")
        case happened.Resumed():
            return replace(state, held=None)
    if not state.started:
        return state
    return replace(
        state,
        state=state.ruleset.apply(state.context, state.state, event),
        held=None if isinstance(event, happened.RoundOpened) else state.held,
        latest=asking.after_move(state.latest, event),
    )


def _told_anew(state: Match, event: PieceTold) -> Match:
    """Take back what followed from a reading, and keep what the table says of it instead."""
    if not 0 < event.instead < len(state.history):
        return state
    before = replay(state.history[: -event.instead])
    # What was taken back stays so when the kept events are folded again.
    return apply(replace(before, held=state.held), replace(event, instead=0))


def _started(state: Match, event: happened.MatchStarted) -> Match:
    if event.game not in RULESETS or state.started:
        return state
    fresh = Match(id=event.match, game=event.game, players=event.players, house=event.house)
    return replace(fresh, state=fresh.ruleset.start(fresh.context))


def _step_back(state: Match, count: int) -> Match:
    if not 0 < count < len(state.history):
        return state
    kept, taken = state.history[:-count], state.history[-count:]
    # Automation rests after an undo, or the camera would at once do again what was just taken back.
    return replace(replay(kept), undone=(*state.undone, taken), held="A step was taken back.")


def _step_forth(state: Match) -> Match:
    if not state.undone:
        return state
    again = reduce(apply, state.undone[-1], replace(state, held=None))
    return replace(again, undone=state.undone[:-1])


def decide(state: Match, command: Command) -> tuple[Event, ...] | Refused:
    """Rule on a command: the events that follow from it, or a refusal that names its reason."""
    if isinstance(command, ask.StartMatch):
        return _start(state, command)
    if not state.started:
        return Refused(Reason.NO_MATCH, "No match has been started.")
    match command:
        case ask.Undo() | ask.Redo():
            return _steps(state, command)
        case ask.RenamePlayer() | ask.AdjustPoints():
            return _about_a_seat(state, command)
        case ask.EndMatch(why=why, by=by):
            if state.ended is not None:
                return Refused(Reason.MATCH_OVER, "The match has already been ended.")
            return (happened.MatchEnded(by, why),)
        case ask.Hold(why=why, by=by):
            if state.held is not None:
                return Refused(Reason.ON_HOLD, "The match is already on hold.")
            return (happened.Held(by, why),)
    return _play(state, command)


def _play(state: Match, command: Command) -> tuple[Event, ...] | Refused:
    if state.ended is not None:
        return Refused(Reason.MATCH_OVER, "The match was ended; undo that to go on.")
    if state.held is not None and _source(command) != "table":
        return Refused(Reason.ON_HOLD, "The match is on hold; the camera waits.")
    if state.held is None and isinstance(command, ask.Resume):
        return Refused(Reason.WRONG_PHASE, "The match is not on hold.")
    before: tuple[Event, ...] = ()
    if state.held is not None and isinstance(command, (ask.Resume, ask.Next, ask.Reread, ask.Reveal)):
        before = (happened.Resumed(command.by),)
    if isinstance(command, ask.Next) and (over := state.outcome()).over:
        return Refused(Reason.MATCH_OVER, f"The match is over: {over.why}")
    current = reduce(apply, before, state)
    if isinstance(command, TellPiece):
        events = _tell(current, command)
    else:
        events = state.ruleset.decide(current.context, current.state, command)
    if isinstance(command, (ReadMat, ReadDice)):
        events = asking.taken_in(current.latest, command, events)
    if isinstance(events, Refused):
        # Going on after a hold is itself an answer, even where the game has nothing to add.
        return before if before and isinstance(command, (ask.Resume, ask.Next)) else events
    return (*before, *events)


def _tell(state: Match, command: TellPiece) -> Sequence[Event] | Refused:
    """Rule anew on the latest reading, with one of its pieces as the table says."""
    latest = state.latest
    if no := asking.telling_problem(latest, command):
        return no
    assert latest is not None
    before = replay(state.history[: len(state.history) - latest.moves]) if latest.moves else state
    reading = with_piece(latest.reading, command.kind, command.number, command.shows)
    return asking.told(latest, command, state.ruleset.decide(before.context, before.state, reading))


def _source(command: Command) -> str:
    """Return who claims what a command says: 'table' for people, else the eye that read it."""
    return str(getattr(getattr(command, "tray", command), "source", "table"))


def _steps(state: Match, command: ask.Undo | ask.Redo) -> tuple[Event, ...] | Refused:
    """Take several steps back or forth, all of them or none."""
    one = _undo if isinstance(command, ask.Undo) else _redo
    if not 1 <= command.steps <= MOST_STEPS:
        return Refused(Reason.UNLAWFUL, f"One may go 1 to {MOST_STEPS} steps at once (asked: {command.steps}).")
    events: tuple[Event, ...] = ()
    for done in range(command.steps):
        step = one(state, command.by)
        if isinstance(step, Refused):
            only = f"Only {done} of {command.steps} steps can be gone; nothing has changed." if done else step.sentence
            return replace(step, sentence=only)
        events = (*events, *step)
        if done + 1 < command.steps:  # where the last step leads, `apply` tells
            state = reduce(apply, step, state)
    return events


def _redo(state: Match, by: str) -> tuple[Event, ...] | Refused:
    if not state.undone:
        return Refused(Reason.NOTHING_TO_REDO, "Nothing was undone since the last step.")
    return (happened.Redone(len(state.undone[-1]), by),)


def _undo(state: Match, by: str) -> tuple[Event, ...] | Refused:
    count = 1
    while count < len(state.history) and _belongs_to_the_one_before(state.history, count):
        count += 1
    if count >= len(state.history):
        return Refused(Reason.NOTHING_TO_UNDO, "There is nothing to undo: the match has only just begun.")
    return (happened.Undone(count, by),)


def _belongs_to_the_one_before(history: tuple[Event, ...], count: int) -> bool:
    """Tell whether the event `count` from the end is only the consequence of the one before it."""
    last, previous = history[-count], history[-count - 1]
    if isinstance(last, PieceTold):
        # Told again, or told of a move: one step. An answer to the eye's question is a step of its own.
        return isinstance(previous, PieceTold) or (isinstance(previous, EyeRead) and not previous.automatic)
    if isinstance(previous, EyeRead | PieceTold) and previous.frame:
        return getattr(last, "automatic", False) or getattr(last, "frame", "") == previous.frame
    return getattr(last, "automatic", False) or isinstance(previous, happened.Resumed)


def _about_a_seat(state: Match, command: ask.RenamePlayer | ask.AdjustPoints) -> tuple[Event, ...] | Refused:
    if command.seat not in state.context.seats():
        return unknown_seat(state.context, command.seat)
    if isinstance(command, ask.AdjustPoints):
        if command.points == 0 or not command.why.strip():
            return Refused(Reason.UNLAWFUL, "An adjustment needs points other than zero and a reason.")
        return (happened.PointsAdjusted(command.seat, command.points, command.why.strip(), command.by),)
    others = tuple(p for p in state.players if p.seat != command.seat)
    if sentence := _names_problem((*others, Player(command.seat, command.name))):
        return Refused(Reason.BAD_PLAYERS, sentence)
    return (happened.PlayerRenamed(command.seat, command.name.strip(), command.by),)


def _start(state: Match, command: ask.StartMatch) -> tuple[Event, ...] | Refused:
    if state.started:
        return Refused(Reason.MATCH_RUNNING, "This match has already been started.")
    if command.game not in RULESETS:
        games = ", ".join(sorted(RULESETS))
        return Refused(Reason.WRONG_GAME, f"There is no game {command.game!r} (expected one of {games}).")
    ruleset = RULESETS[command.game]
    if sentence := _players_problem(ruleset, command.players):
        return Refused(Reason.BAD_PLAYERS, sentence)
    chosen = dict(command.house)
    if sentence := _house_problem(ruleset, chosen):
        return Refused(Reason.BAD_HOUSE_RULE, sentence)
    players = tuple(sorted((replace(p, name=p.name.strip()) for p in command.players), key=lambda p: p.seat))
    house = ruleset.house(chosen)
    if sentence := ruleset.check(Context(command.match, players, house)):
        return Refused(Reason.BAD_HOUSE_RULE, sentence)
    return (happened.MatchStarted(command.match, command.game, players, tuple(house.items())),)


def _players_problem(ruleset: Ruleset, players: tuple[Player, ...]) -> str | None:
    fewest, most = ruleset.seats
    if not fewest <= len(players) <= most:
        return f"{ruleset.title} is for {fewest} to {most} players (there are {len(players)})."
    if len({p.seat for p in players}) != len(players) or any(not 1 <= p.seat <= most for p in players):
        return f"Every player needs a seat of their own, from 1 to {most}."
    return _names_problem(players)


def _names_problem(players: tuple[Player, ...]) -> str | None:
    names = [p.name.strip() for p in players]
    for name in names:
        if not name or len(name) > MOST_NAME or not name.isprintable():
            return f"{name!r} is not a name (expected 1 to {MOST_NAME} printable letters)."
    if len({n.casefold() for n in names}) != len(names):
        return "Two players have the same name."
    return None


def _house_problem(ruleset: Ruleset, chosen: Mapping[str, object]) -> str | None:
    rules = {rule.name: rule for rule in ruleset.house_rules}
    for name, value in chosen.items():
        if name not in rules:
            return f"{ruleset.title} has no house rule {name!r} (expected {', '.join(rules)})."
        if sentence := _switch_problem(rules[name], value):
            return sentence
    return None


def _switch_problem(rule: HouseRule, value: object) -> str | None:
    if type(value) is not type(rule.default):
        return f"The house rule {rule.name} is of the kind {type(rule.default).__name__} (got {value!r})."
    if rule.options and value not in rule.options:
        return f"The house rule {rule.name} is one of {', '.join(rule.options)} (got {value!r})."
    if type(value) is int and not rule.least <= value <= rule.most:
        return f"The house rule {rule.name} goes from {rule.least} to {rule.most} (got {value})."
    return None
