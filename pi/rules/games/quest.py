"""A solitaire quest against the clock, alone or together (RULES.md 1, solitaire quests).

START begins an attempt and NEXT stops its clock; the attempt stands when the tray, as it was read, is a solution. A
hint gives one tile of a solution away, or says what is wrong with the tray, and costs `HINT_NS`.

In Most-Runs the first tray that is read is the deal, whole rows by colour; any layout that keeps the first eight tiles
of each row in order stands, and its runs are told against the best possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.commands import Command, command
from pi.rules.events import Event, SeenTile, Tray, event
from pi.rules.quests import most_runs
from pi.rules.quests.catalogue import DOORS, HARDER, Door
from pi.rules.quests.errors import BadLaying, GaveUp
from pi.rules.quests.latin import NAME as LATIN
from pi.rules.quests.laying import Fault, Hint, Laying, Tile, where
from pi.rules.quests.magic_sums import NAME as MAGIC_SUMS
from pi.rules.quests.most_runs import NAME as MOST_RUNS
from pi.rules.quests.no_runs import NAME as NO_RUNS
from pi.rules.quests.tiles import set_faults
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, highest
from pi.rules.values import NUMBERS, Cell, Points, Seat
from pi.rules.vouching import QUESTION, confirming, in_question, same_doubt

HINT_NS = 30_000_000_000
"""What a hint adds to the time."""


@command("quest-hint")
@dataclass(frozen=True, slots=True)
class AskHint:
    """Somebody wants one tile given away."""

    by: str = "table"


@event("quest-hinted")
@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint was given."""

    round: int
    row: int
    column: int
    symbol: str
    """What to lay there; '.': take away what lies there."""
    sentence: str
    by: str = "table"


@event("quest-solved")
@dataclass(frozen=True, slots=True)
class Solved:
    """NEXT was pressed, and the tray as it was read is a solution."""

    round: int
    at_ns: int
    by: str = "table"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One quest, from START to the solution."""

    number: int
    opened_ns: int
    tray: Tray | None = None
    confirmed: bool = False
    """Whether somebody said that the tray lies as it was read, though the eye doubts it as a whole."""
    corrections: tuple[happened.TileCorrected, ...] = ()
    hints: tuple[Hinted, ...] = ()
    solved_ns: int | None = None
    dealt: Laying | None = None
    """Most-Runs: what lay there at first, once something else does; None before, and in other quests."""

    def laying(self, shape: tuple[int, int]) -> Laying | None:
        """Return the tiles as they count; None before a reading."""
        if self.tray is None:
            return None
        fixed = {(fix.row, fix.column): fix.symbol for fix in self.corrections}
        tiles = {t.cell: Tile(fixed.get(t.cell, t.symbol), t.colour or "") for t in self.tray.tiles}
        return Laying.of(tiles, shape=shape)

    def doubts(self) -> tuple[SeenTile, ...]:
        """Return the tiles that somebody must still be asked about."""
        return happened.unanswered(self.tray, self.corrections)

    def in_question(self) -> bool:
        """Tell whether somebody must still say that the tray lies as it was read."""
        return in_question(self.tray, confirmed=self.confirmed)

    def took_ns(self) -> int | None:
        """Return the time with what the hints cost; None while it is not solved."""
        return None if self.solved_ns is None else self.solved_ns - self.opened_ns + HINT_NS * len(self.hints)


@dataclass(frozen=True, slots=True)
class Quests:
    """The attempts of an evening at one quest."""

    quest: str
    attempts: tuple[Attempt, ...] = ()

    @property
    def current(self) -> Attempt | None:
        """The attempt whose clock runs; None between attempts."""
        return self.attempts[-1] if self.attempts and self.attempts[-1].solved_ns is None else None

    @property
    def door(self) -> Door:
        """The quest's shape, check, solver and hints."""
        return DOORS.get(self.quest) or DOORS[NO_RUNS]


def faults(state: Quests, attempt: Attempt) -> tuple[Fault, ...]:
    """Return what is wrong with the tray as it was read; () for a solution or before a reading."""
    laying = attempt.laying(state.door.shape)
    if laying is None:
        return ()
    if state.quest != MOST_RUNS:
        return tuple(state.door.check(laying))
    return most_runs.check(laying, dealt=attempt.dealt) if attempt.dealt else _undealt(laying)


def _undealt(laying: Laying) -> tuple[Fault, ...]:
    """Return what keeps a tray from being a deal of Most-Runs."""
    if wrong := set_faults(laying, shape=most_runs.SHAPE):
        return wrong
    try:
        most_runs.kept(laying)
    except BadLaying as no:
        return (Fault((), f"{str(no)[:1].upper()}{str(no)[1:]}."),)
    return ()


def dealt(state: Quests, attempt: Attempt) -> Laying | None:
    """Return the deal of Most-Runs; None before the eye is sure of one, and in other quests."""
    if state.quest != MOST_RUNS or attempt.dealt is not None:
        return attempt.dealt
    laying = attempt.laying(state.door.shape)
    if laying is None or attempt.doubts() or attempt.in_question():
        return None
    return None if _undealt(laying) else laying


def runs(state: Quests, attempt: Attempt) -> tuple[int, int] | None:
    """Return (runs that lie there, most possible) in Most-Runs; None before the deal, and where nothing lawful lies."""
    deal, laying = dealt(state, attempt), attempt.laying(state.door.shape)
    if deal is None or laying is None or faults(state, attempt):
        return None
    return sum(most_runs.runs(laying)), most_runs.best(deal).runs


def start(context: Context) -> Quests:
    """Return the state before the first attempt."""
    return Quests(str(context.house.get("quest", NO_RUNS)))


def decide(context: Context, state: Quests, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    if isinstance(command, ask.Resume):
        return ()
    return _between(state, command) if state.current is None else _running(state, state.current, command)


def _between(state: Quests, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command while no clock runs."""
    match command:
        case ask.Next(at_ns=at_ns, by=by):
            return (happened.RoundOpened(len(state.attempts) + 1, at_ns, by),)
        case ask.ReadTray() | AskHint() | ask.Reread() | ask.CorrectTile() | ask.ConfirmTray():
            return Refused(Reason.NO_ROUND, "No quest is being laid; press START.")
    return Refused(Reason.WRONG_GAME, "That is not asked in a quest.")


def _running(state: Quests, current: Attempt, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command while the clock runs."""
    match command:
        case ask.Next(at_ns=at_ns, by=by):
            why = _unsolved(state, current)
            return Refused(Reason.WRONG_PHASE, why) if why else (Solved(current.number, at_ns, by),)
        case ask.ReadTray(tray=tray):
            return _read(state, current, tray)
        case ask.Reread(round=number, by=by):
            return _reread(current, number, by)
        case ask.CorrectTile():
            return _correct(current, command)
        case ask.ConfirmTray():
            return _confirm(current, command)
        case AskHint(by=by):
            return _hint(state, current, by)
    return Refused(Reason.WRONG_GAME, "That is not asked in a quest.")


def _unsolved(state: Quests, current: Attempt) -> str | None:
    if current.tray is None:
        return "The tray has not been read yet."
    if doubts := current.doubts():
        cells = ", ".join(where(tile.cell) for tile in doubts)
        return f"The eye is not sure about {cells}: say what lies there."
    if current.in_question():
        return QUESTION
    wrong = faults(state, current)
    return wrong[0].sentence if wrong else None


def _fits(shape: tuple[int, int], tray: Tray) -> bool:
    wanted = {(row, column) for row in range(shape[0]) for column in range(shape[1])}
    return len(tray.tiles) == len(wanted) and {tile.cell for tile in tray.tiles} == wanted


def _read(state: Quests, current: Attempt, tray: Tray) -> Sequence[Event] | Refused:
    rows, columns = state.door.shape
    if not _fits(state.door.shape, tray):
        found = f"The tray shows {len(tray.tiles)} tiles"
        return Refused(Reason.BAD_TRAY, f"{found}, or in other places than {rows} rows of {columns}.")
    if current.tray is not None and _claim(current.tray) == _claim(tray) and same_doubt(current.tray, tray):
        return Refused(Reason.NOTHING_NEW, "The tray lies as it was read.")
    return (happened.TrayRead(current.number, tray),)


def _claim(tray: Tray) -> frozenset[tuple[Cell, str, str | None, bool]]:
    return frozenset((tile.cell, tile.symbol, tile.colour, tile.sure) for tile in tray.tiles)


def _reread(current: Attempt, number: int, by: str) -> Sequence[Event] | Refused:
    if current.number != number or (current.tray is None and current.dealt is None):
        return Refused(Reason.NOTHING_NEW, "There is no reading of this quest to forget.")
    return (happened.TrayCleared(number, by),)


def _correct(current: Attempt, command: ask.CorrectTile) -> Sequence[Event] | Refused:
    cell = (command.row, command.column)
    tile = next((t for t in (current.tray.tiles if current.tray else ()) if t.cell == cell), None)
    if tile is None or command.round != current.number:
        return Refused(Reason.BAD_CELL, f"There is no tile to correct in {where(cell)}.")
    if command.symbol not in NUMBERS:
        return Refused(Reason.BAD_SYMBOL, f"{command.symbol!r} is not on a tile of this quest.")
    return (happened.TileCorrected(current.number, *cell, command.symbol, tile.symbol, command.by),)


def _confirm(current: Attempt, command: ask.ConfirmTray) -> Sequence[Event] | Refused:
    if command.round != current.number:
        return Refused(Reason.MOVED_ON, f"Quest {command.round} is not being laid any more.")
    word = confirming(current.tray, command, asked=current.in_question())
    return word if isinstance(word, Refused) else (word,)


def _hint(state: Quests, current: Attempt, by: str) -> Sequence[Event] | Refused:
    """Give away what is wrong with the tray as read, or else the next tile of one solution."""
    laying = current.laying(state.door.shape)
    if state.quest == MOST_RUNS and (laying is None or dealt(state, current) is None):
        return Refused(Reason.WRONG_PHASE, "The deal has not been read yet.")
    try:
        hint = None if laying is None else _next_step(state, current, laying)
    except GaveUp as no:
        return Refused(Reason.WRONG_PHASE, f"Nobody finds a hint here: {no}.")
    if hint is not None:
        return (Hinted(current.number, *hint.cell, hint.tile.symbol, hint.sentence, by),)
    if laying is not None:
        return Refused(Reason.NOTHING_NEW, "Nothing is wrong or missing: press NEXT.")
    solution = state.door.solve(Laying.empty(state.door.shape), seed=current.number)
    assert solution is not None, "an empty tray has solutions"
    given = {(hinted.row, hinted.column) for hinted in current.hints}
    left = [(cell, tile) for cell, tile in solution.cells().items() if cell not in given]
    if not left:
        return Refused(Reason.NOTHING_NEW, "Every tile has been given away.")
    cell, tile = left[0]
    return (Hinted(current.number, *cell, tile.symbol, f"Lay {tile.one()} in {where(cell)}.", by),)


def _next_step(state: Quests, current: Attempt, laying: Laying) -> Hint | None:
    deal = dealt(state, current)
    return state.door.hint(laying) if deal is None else most_runs.hint(laying, dealt=deal)


def apply(context: Context, state: Quests, event: Event) -> Quests:
    """Keep the books; total, see `pi.rules.match.apply`."""
    if isinstance(event, happened.RoundOpened):
        if event.round != len(state.attempts) + 1:
            return state
        return replace(state, attempts=(*state.attempts, Attempt(event.round, event.at_ns)))
    number = getattr(event, "round", None)
    after = (_after(state, a, event) if a.number == number else a for a in state.attempts)
    return replace(state, attempts=tuple(after))


def _after(state: Quests, attempt: Attempt, event: Event) -> Attempt:
    match event:
        case happened.TrayRead(tray=tray) if _fits(state.door.shape, tray):
            kept = happened.still_claimed(attempt.corrections, before=attempt.tray, now=tray)
            return replace(attempt, tray=tray, corrections=kept, dealt=dealt(state, attempt), confirmed=False)
        case happened.TrayConfirmed():
            return replace(attempt, confirmed=True)
        case happened.TrayCleared():
            # The tray is read again; cleared once more, the deal is, too.
            deal = attempt.dealt if attempt.tray else None
            return replace(attempt, tray=None, corrections=(), dealt=deal, confirmed=False)
        case happened.TileCorrected():
            return replace(attempt, corrections=(*attempt.corrections, event))
        case Hinted():
            return replace(attempt, hints=(*attempt.hints, event))
        case Solved(at_ns=at_ns) if at_ns >= attempt.opened_ns:
            return replace(attempt, solved_ns=at_ns)
    return attempt


def standing(context: Context, state: Quests) -> Mapping[Seat, Points]:
    """Return how many quests were solved; who lays together shares it."""
    solved = Points(sum(attempt.solved_ns is not None for attempt in state.attempts))
    return dict.fromkeys(context.seats(), solved)


def outcome(context: Context, state: Quests, score: Mapping[Seat, Points]) -> Outcome:
    """Tell how it stands; an evening of quests ends when the table ends it."""
    best = min((took for a in state.attempts if (took := a.took_ns()) is not None), default=None)
    said = "nothing is solved yet" if best is None else f"the best time is {best // 1_000_000_000} seconds"
    return Outcome(over=False, winners=highest(context, score), why=f"The quest goes on; {said}.")


def expects(context: Context, state: Quests) -> str | None:
    """Return what the eye should look for while a clock runs."""
    if state.current is None:
        return None
    if state.quest == MOST_RUNS:
        return "rows"
    return "rect" if state.door.shape == (5, 8) else "mixed"


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case Hinted(sentence=sentence):
            return f"Hint: {sentence}"
        case Solved(round=number):
            return f"Quest {number} is solved"
    return None


CARD = (
    ("No-Runs", "All 40 tiles in four rows of ten, colours mixed, without any run in rows or columns; both wrap."),
    (
        "Latin",
        "Four rows of ten: no number twice in a row or a column, no colour twice on any diagonal.",
    ),
    ("Magic sums", "Five rows of eight: the sums of the columns are 19 to 26. Harder: no number twice in a row, too."),
    (
        "Most-Runs",
        "Shuffled rows by colour are read first. Then move the last two tiles of each row anywhere in their row: as "
        "many runs as can be, rows only.",
    ),
    ("The clock", "START begins it. When all tiles lie, NEXT stops it; if something is wrong you hear what and where."),
    ("A hint", "gives one tile away or names one that is wrong, and costs half a minute."),
    ("Author", "Joe Marasco; RunnuRound is published by Kadon."),
)

QUEST = Ruleset(
    name="quest",
    title="Solitaire quests",
    source="RunnuRound, Solitaire quests",
    seats=(1, 4),
    house_rules=(
        HouseRule(
            "quest",
            NO_RUNS,
            "What is to be laid with all 40 tiles.",
            options=(NO_RUNS, LATIN, MAGIC_SUMS, HARDER, MOST_RUNS),
        ),
    ),
    check=lambda context: None,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    told=told,
    card=CARD,
)
