"""Random Scramble of RunnuRound, 2 to 4 players, on every board and with every switch (RULES.md 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.commands import Command
from pi.rules.events import Event, Tray
from pi.rules.games.scramble_books import Round, Scramble, apply, round_after
from pi.rules.games.scramble_score import MOST_PREDICTED, SOURCE, Claim, Terms, score_round
from pi.rules.queueing import queue
from pi.rules.ruleset import Award, Context, House, HouseRule, Outcome, Reason, Refused, Ruleset, unknown_seat
from pi.rules.runs import Count, Variant, count
from pi.rules.secrets import commitment
from pi.rules.values import DOWN, EMPTY, NUMBERS, SHAPES, WILD, Board, Cell, Layout, Points, Seat
from pi.rules.vouching import QUESTION, confirming, same_doubt

COPIES = 4
"""Each number lies four times in the set, once a colour."""


@dataclass(frozen=True, slots=True)
class Result:
    """A revealed round, judged."""

    count: Count
    """Runs, attainable totals and assignments; totals of one number when ruled by hand."""
    claims: tuple[Claim, ...]
    """In queue order, then the seats that made no prediction."""


def layout_of(house: House) -> Layout:
    """Return the board a match is played on."""
    return Layout(house.get("board", "rows"))


def variant_of(house: House) -> Variant:
    """Return the lines that count in a match."""
    return Variant(
        elevator=bool(house.get("elevator")),
        vertical=bool(house.get("vertical")),
        wrap=bool(house.get("wrap", True)),
    )


def terms_of(house: House) -> Terms:
    """Return the house rules that touch the points."""
    switches = ("tough", "seven_or_more", "wild_must_be_best")
    return Terms(**{name: bool(house.get(name)) for name in switches})


def board_of(played: Round, *, layout: Layout) -> Board | None:
    """Return the round's board with corrections; None when nothing (or something else) was read."""
    symbols = played.symbols()
    blank = Board(layout, tuple((EMPTY,) * n for n in SHAPES[layout]))
    if set(symbols) != set(blank.cells()):
        return None
    columns = [[(r, blank.offset(r) + c) for c in range(n)] for r, n in enumerate(SHAPES[layout])]
    return Board(layout, tuple(tuple(symbols[cell] for cell in row) for row in columns))


def result(context: Context, played: Round) -> Result | None:
    """Return the judged round; None before its reveal (and for a journal that reveals without a truth)."""
    truth = truth_of(context.house, played)
    if not played.revealed or truth is None:
        return None
    predictions = {lock.seat: lock.prediction for lock in played.lock_ins}
    groups = [[lock.seat for lock in group] for group in queue(played.lock_ins)]
    claims = score_round(predictions, groups, truth.totals, terms=terms_of(context.house))
    silent = (
        Award(s, Points(0), "No prediction was locked in.", SOURCE) for s in context.seats() if s not in predictions
    )
    return Result(truth, (*claims, *(Claim(a.seat, None, False, None, a) for a in silent)))


def truth_of(house: House, played: Round) -> Count | None:
    """Return what lies on the tray; None while that is not known."""
    if played.ruled is not None:
        totals = played.ruled.totals
        return Count(totals, None, {total: {} for total in totals})
    if played.tray is None:
        return None
    return _truth(played.tray, played.corrections, played.confirmed, layout_of(house), variant_of(house))


@lru_cache(maxsize=256)
def _truth(
    tray: Tray, corrections: tuple[happened.TileCorrected, ...], confirmed: bool, layout: Layout, variant: Variant
) -> Count | None:
    # Kept, for every look at a score asks for every round: twelve rounds with wilds took 20 ms each time.
    laid = Round(0, 0, tray=tray, corrections=corrections, confirmed=confirmed)
    board = board_of(laid, layout=layout)
    return count(board, variant=variant) if board is not None and laid.complete() else None


def start(context: Context) -> Scramble:
    """Return the state before the first round."""
    return Scramble()


def standing(context: Context, state: Scramble) -> Mapping[Seat, Points]:
    """Return each seat's points over all revealed rounds."""
    score = {seat: Points(0) for seat in context.seats()}
    for played in state.rounds:
        judged = result(context, played)
        for claim in judged.claims if judged else ():
            score[claim.seat] = Points(score.get(claim.seat, Points(0)) + claim.award.points)
    return score


def outcome(context: Context, state: Scramble, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether somebody alone leads with `target` or more after the last revealed round.

    RULES.md 1: a tie at the top is broken by further rounds; with `tough` a leader may fall back.
    Ruling: the score after the last round counts, also when a correction shows that somebody had
    won earlier: rounds that were played are not unplayed.
    """
    target = int(context.house.get("target", 10))
    if state.current is not None or not state.rounds or not score:
        return Outcome(over=False, winners=(), why=f"Playing to {target}.")
    best = max(score.values())
    leaders = tuple(seat for seat, points in score.items() if points == best)
    if best < target:
        return Outcome(over=False, winners=(), why=f"Nobody has {target} yet.")
    if len(leaders) > 1:
        names = " and ".join(context.name(seat) for seat in leaders)
        return Outcome(over=False, winners=(), why=f"{names} tie at {best}: another round decides.")
    return Outcome(over=True, winners=leaders, why=f"{context.name(leaders[0])} wins with {best}.")


def check(context: Context) -> str | None:
    """Return why these house rules do not go together; None when they do."""
    house, layout = context.house, layout_of(context.house)
    if house["elevator"] and layout is not Layout.ROWS:
        return "The elevator is played on rows only."
    if house["wild"] and layout is not Layout.ROWS:
        return "Wild tiles are shuffled in on rows only (the diamond has its one wild anyway)."
    if house["vertical"] and layout is Layout.DIAMOND:
        return "On the diamond columns count anyway; vertical is for rows and rect."
    if not house["wrap"] and layout is Layout.ROWS:
        return "Rows always wrap (RULES.md 1); switch wrap off only on rect or diamond."
    if house["wild_must_be_best"] and not (house["wild"] or layout is Layout.DIAMOND):
        return "wild_must_be_best needs wild tiles."
    return None


def expects(context: Context, state: Scramble) -> str | None:
    """Return the layout the eye should look for; None between rounds."""
    if state.current is None:
        return None
    return "wild" if context.house.get("wild") else layout_of(context.house).value


def decide(context: Context, state: Scramble, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    match command:
        case ask.Next(at_ns=at_ns, by=by):
            return _open(context, state, at_ns, by)
        case ask.CorrectTile():
            return _correct(context, state, command)
        case ask.RuleTotal():
            return _rule_total(context, state, command)
        case ask.Reread(round=number, by=by):
            return _reread(state, number, by)
    current = state.current
    if current is None:
        return Refused(Reason.NO_ROUND, "No round is open; press NEXT to open one.")
    match command:
        case ask.LockIn():
            return _lock_in(context, current, command)
        case ask.WithdrawLockIn(seat=seat, by=by):
            if seat not in current.seats_in():
                return Refused(Reason.NOT_LOCKED, f"{context.name(seat)} has not locked in.")
            return (happened.LockInWithdrawn(current.number, seat, by),)
        case ask.ReadTray(tray=tray):
            return _read(context, state, current, tray)
        case ask.ConfirmTray():
            return _confirm(context, current, command)
        case ask.Reveal(by=by):
            if sentence := _missing_truth(current):
                return Refused(Reason.WRONG_PHASE, sentence)
            return (happened.Revealed(current.number, automatic=False, by=by),)
        case ask.Resume():
            return _revealed_by(context, current, ())
    return Refused(Reason.WRONG_GAME, "That is not asked in Random Scramble.")


def _open(context: Context, state: Scramble, at_ns: int, by: str) -> Sequence[Event] | Refused:
    current = state.current
    if current is None:
        return (happened.RoundOpened(len(state.rounds) + 1, at_ns, by),)
    waiting = [context.name(s) for s in context.seats() if s not in current.seats_in()]
    if waiting:
        return Refused(Reason.WRONG_PHASE, f"Round {current.number} waits for {' and '.join(waiting)} to lock in.")
    return Refused(Reason.WRONG_PHASE, _missing_truth(current) or "The round is ready to be revealed.")


def _missing_truth(current: Round) -> str | None:
    if current.complete():
        return None
    if current.tray is None:
        return "The tray has not been read yet."
    if current.doubts():
        cells = ", ".join(f"row {t.row + 1} place {t.column + 1}" for t in current.doubts())
        return f"The eye is not sure about {cells}: say what lies there."
    return QUESTION if current.in_question() else "Some tiles are still face down."


def _lock_in(context: Context, current: Round, command: ask.LockIn) -> Sequence[Event] | Refused:
    name = context.name(command.seat)
    if command.seat not in context.seats():
        return unknown_seat(context, command.seat)
    if command.seat in current.seats_in():
        return Refused(Reason.ALREADY_LOCKED, f"{name} is already locked in.")
    if not 0 <= command.prediction <= MOST_PREDICTED:
        return Refused(Reason.BAD_PREDICTION, f"A prediction is a sum of disks, 0 to {MOST_PREDICTED}.")
    if command.at_ns < current.opened_ns:
        return Refused(Reason.TOO_EARLY, f"{name} pressed before the round was open.")
    proof = commitment(
        match=context.match,
        round=current.number,
        seat=command.seat,
        prediction=command.prediction,
        nonce=command.nonce,
    )
    locked = happened.LockedIn(
        current.number,
        command.seat,
        command.at_ns,
        command.bound_ns,
        command.prediction,
        command.nonce,
        proof,
        command.via,
    )
    return _revealed_by(context, current, (locked,))


def _revealed_by(context: Context, current: Round, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Add the reveal to events that complete the round: all seats in, the truth known."""
    after = current
    for event in events:
        after = round_after(after, event)
    everyone = set(after.seats_in()) == set(context.seats())
    if context.held or after.revealed or not everyone or truth_of(context.house, after) is None:
        return events
    return (*events, happened.Revealed(after.number, automatic=True, by="referee"))


def _read(context: Context, state: Scramble, current: Round, tray: Tray) -> Sequence[Event] | Refused:
    if sentence := _tray_problem(context.house, tray):
        return Refused(Reason.BAD_TRAY, sentence)
    if current.tray is not None and _same_claim(current.tray, tray):
        return Refused(Reason.NOTHING_NEW, "The tray lies as it was read.")
    if tray.source != "table" and _lies_from_before(state, tray):
        return Refused(Reason.SAME_TRAY, "The tiles of the last round still lie there.")
    return _revealed_by(context, current, (happened.TrayRead(current.number, tray),))


def _confirm(context: Context, current: Round, command: ask.ConfirmTray) -> Sequence[Event] | Refused:
    if command.round != current.number:
        return Refused(Reason.MOVED_ON, f"Round {command.round} is not open any more.")
    word = confirming(current.tray, command, asked=current.in_question())
    return word if isinstance(word, Refused) else _revealed_by(context, current, (word,))


def _same_claim(old: Tray, new: Tray) -> bool:
    old_claims = {t.cell: (t.symbol, t.sure) for t in old.tiles}
    return old_claims == {t.cell: (t.symbol, t.sure) for t in new.tiles} and same_doubt(old, new)


def _lies_from_before(state: Scramble, tray: Tray) -> bool:
    """Tell whether most tiles still lie as in the round before.

    Freshly shuffled trays agree in about one cell of ten; one that agrees in more than half has not been
    laid anew, even when a correction or a second look changed some of its symbols.
    """
    before = state.rounds[-2] if len(state.rounds) > 1 else None
    if before is None or before.tray is None:
        return False
    now = tray.symbols()
    return any(
        sum(now.get(cell) == symbol for cell, symbol in then.items()) * 2 > len(now)
        for then in (before.tray.symbols(), before.symbols())
    )


def _tray_problem(house: House, tray: Tray) -> str | None:
    layout = layout_of(house)
    wanted = set(Board(layout, tuple((EMPTY,) * n for n in SHAPES[layout])).cells())
    symbols = tray.symbols()
    if len(symbols) != len(tray.tiles) or set(symbols) != wanted:
        found = f"The tray shows {len(tray.tiles)} tiles"
        return f"{found}, or in other places than the {len(wanted)} of a {layout.value} board."
    for tile in tray.tiles:
        if tile.symbol not in (*_allowed(house), DOWN):
            where = f"row {tile.row + 1} place {tile.column + 1}"
            return f"{tile.symbol!r} does not belong on this board, in {where}."
    return _set_problem(layout, symbols) if all(t.sure for t in tray.tiles) else None


def _set_problem(layout: Layout, symbols: Mapping[Cell, str]) -> str | None:
    if layout is Layout.ROWS:
        for row in sorted({r for r, _ in symbols}):
            of_row = [s for (r, _), s in symbols.items() if r == row]
            for symbol in (*NUMBERS, WILD):
                if of_row.count(symbol) > 1:
                    return f"Row {row + 1} shows {symbol} twice (each number lies once in a colour)."
        return None
    most = dict.fromkeys(NUMBERS, COPIES) | {WILD: 1}
    for symbol, limit in most.items():
        if list(symbols.values()).count(symbol) > limit:
            return f"The tray shows {symbol} more than {limit} times (the set holds no more)."
    return None


def _allowed(house: House) -> tuple[str, ...]:
    wilds = house.get("wild") or layout_of(house) is Layout.DIAMOND
    return (*NUMBERS, WILD) if wilds else NUMBERS


def _correct(context: Context, state: Scramble, command: ask.CorrectTile) -> Sequence[Event] | Refused:
    played = state.round(command.round)
    if played is None or played.tray is None:
        return Refused(Reason.NO_ROUND, f"Round {command.round} has no reading to correct.")
    cell = (command.row, command.column)
    if cell not in played.symbols():
        return Refused(Reason.BAD_CELL, f"There is no tile in row {command.row + 1} place {command.column + 1}.")
    if command.symbol not in _allowed(context.house):
        return Refused(Reason.BAD_SYMBOL, f"{command.symbol!r} is not on a tile of this game.")
    was = played.symbols()[cell]
    if was == command.symbol and cell not in {t.cell for t in played.doubts()}:
        return Refused(Reason.NOTHING_NEW, f"That tile already counts as {was}.")
    fix = happened.TileCorrected(command.round, *cell, command.symbol, was, command.by)
    return (fix,) if played.revealed else _revealed_by(context, played, (fix,))


def _rule_total(context: Context, state: Scramble, command: ask.RuleTotal) -> Sequence[Event] | Refused:
    number, totals = command.round, (command.total, *command.others)
    played = state.round(number)
    if played is None:
        return Refused(Reason.NO_ROUND, f"Round {number} was not played.")
    for total in totals:
        if not 0 <= total <= 999:
            return Refused(Reason.UNLAWFUL, f"A board does not hold {total} runs.")
    if len(set(totals)) > 1 and WILD not in _allowed(context.house):
        return Refused(Reason.UNLAWFUL, "Without wild tiles a board has one total.")
    ruled = happened.TotalRuled(number, command.total, command.by, command.others)
    return (ruled,) if played.revealed else _revealed_by(context, played, (ruled,))


def _reread(state: Scramble, number: int, by: str) -> Sequence[Event] | Refused:
    current = state.current
    if current is None or current.number != number:
        return Refused(Reason.WRONG_PHASE, "Only the open round can be read again; undo the reveal first.")
    if current.tray is None and current.ruled is None:
        return Refused(Reason.NOTHING_NEW, "The tray is being read already.")
    return (happened.TrayCleared(number, by),)


CARD = (
    ("Count", "A run is three neighbours going up or down by one. 9 and 0 are neighbours, and a row's two ends meet."),
    ("Longer", "Four in line hold two runs, five hold three. A run counts once, whichever way it is read."),
    (
        "Predict",
        "When you know how many runs lie there, set your disks to that sum and lock in. No disk means none. "
        "A lock-in is final.",
    ),
    (
        "Points",
        "Right: one point for each run (a right zero: one), plus 4, 3, 2 or 1 for your place in the queue. "
        "Wrong: nothing, and those behind you move up.",
    ),
    ("It is won", "by whoever has 10 or more and leads alone at the end of a round."),
    ("Author", "Joe Marasco; RunnuRound is published by Kadon."),
)

SCRAMBLE = Ruleset(
    name="scramble",
    title="Random Scramble",
    source=SOURCE,
    seats=(2, 4),
    house_rules=(
        HouseRule("board", "rows", "How the tiles are laid.", options=tuple(x.value for x in Layout)),
        HouseRule("elevator", False, "The end of any row also meets the start of any row."),
        HouseRule("vertical", False, "Columns count too, top to bottom and round again."),
        HouseRule("wild", False, "Four wild tiles are shuffled in; each may be any number."),
        HouseRule("wild_must_be_best", False, "With wilds only the highest total is right."),
        HouseRule("wrap", True, "On rect and diamond: lines close to rings."),
        HouseRule("tough", False, "Wrong costs a point for each run miscounted."),
        HouseRule("seven_or_more", False, "A prediction of 7 means at least 7."),
        HouseRule("target", 10, "Points that win, for one player alone.", least=1, most=99),
    ),
    check=check,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    card=CARD,
)
