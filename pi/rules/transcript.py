"""A match as text: for people who want to read it again, and for diffs in tests.

Predictions are told where the round is revealed and nowhere before, so that the transcript of a running
match may be shown to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pi.rules import events as happened
from pi.rules.events import Event, Tray
from pi.rules.games import scramble
from pi.rules.games.scramble_books import Round, Scramble
from pi.rules.games.scramble_score import Claim
from pi.rules.match import NEW, Match, apply
from pi.rules.seen import EyeRead, PieceTold
from pi.rules.values import Seat

Judged = Mapping[int, scramble.Result | None]
"""Number of a revealed round -> its result."""


def transcript(events: Iterable[Event]) -> str:
    """Return the story of a match: what happened, in journal order, and what followed from it."""
    lines: list[str] = []
    match = NEW
    judged: Judged = {}
    for event in events:
        after = apply(match, event)
        lines += _told(event, after)
        judged_now = _judged(after)
        lines += _changes(judged, judged_now, after)
        match, judged = after, judged_now
    if match.started:
        lines += ["", f"standing: {_standing(match)}", match.outcome().why]
    return "\n".join(lines) + "\n"


def _told(event: Event, after: Match) -> Iterator[str]:
    name = after.context.name
    match event:
        case happened.MatchStarted():
            yield from _start(event, after)
        case happened.RoundOpened(round=number, by=by):
            yield from ("", f"round {number}, opened by {by}")
        case happened.LockedIn(seat=seat, via=via):
            yield f"  {name(seat)} locks in by {via}{_delay(event, after)}, commitment {event.commitment[:12]}"
        case happened.LockInWithdrawn(seat=seat, by=by):
            yield f"  {name(seat)}'s lock-in is withdrawn by {by}"
        case happened.TrayRead(tray=tray):
            yield from _tray(tray)
        case happened.TrayCleared(by=by):
            yield f"  the reading is dropped by {by}"
        case happened.TrayConfirmed(by=by):
            yield f"  the tray lies as it was read, says {by}"
        case happened.TileCorrected(round=number, row=row, column=column, was=was, symbol=symbol, by=by):
            says = "does show" if was == symbol else f"was taken for {was} and shows"
            yield f"  round {number}: row {row + 1} place {column + 1} {says} {symbol}, says {by}"
        case happened.TotalRuled(round=number, by=by):
            totals = " or ".join(map(str, event.totals))
            yield f"  round {number}: {totals} runs by hand, ruled by {by}"
        case happened.Revealed(by=by):
            yield f"  revealed by {by}"
        case _:
            yield from _aside(event, after)


def _aside(event: Event, after: Match) -> Iterator[str]:
    name = after.context.name
    match event:
        case happened.PlayerRenamed(seat=seat, name=new, by=by):
            yield f"seat {seat} is now called {new}, says {by}"
        case happened.PointsAdjusted(seat=seat, points=points, why=why, by=by):
            yield f"{name(seat)} {points:+d} by {by}: {why}"
        case happened.MatchEnded(by=by, why=why):
            yield f"ended by {by}{f': {why}' if why else ''}"
        case happened.Held(by=by, why=why):
            yield f"on hold by {by}{f': {why}' if why else ''}"
        case happened.Resumed(by=by):
            yield f"resumed by {by}"
        case happened.Undone(events=count, by=by):
            yield f"undone by {by}: the last {count} that counted"
        case happened.Redone(events=count, by=by):
            yield f"redone by {by}: {count}"
        case EyeRead(why=why):
            yield from [f"  the eye asks: {why}"] if why else []
        case PieceTold(kind=kind, number=number, was=was, shows=shows, by=by, instead=instead):
            anew = "; what followed from it is ruled on anew" if instead else ""
            yield f"  {kind} {number + 1} is {shows} (the eye read {was}), says {by}{anew}"
        case _:
            # Another game's event: in the game's own words, which tell no secret, or its name only.
            told = after.ruleset.told(after.context, event) if after.started else None
            yield f"  {told or happened.encode(event)[0]}"


def _start(event: happened.MatchStarted, after: Match) -> Iterator[str]:
    yield f"match {event.match}: {after.ruleset.title if after.started else event.game}"
    yield "  " + ", ".join(f"seat {p.seat} {p.name}" for p in event.players)
    if after.started:
        defaults = {rule.name: rule.default for rule in after.ruleset.house_rules}
        chosen = [f"{name} {value}" for name, value in event.house if value != defaults.get(name)]
        yield "  house rules: " + (", ".join(chosen) or "as printed")


def _delay(lock: happened.LockedIn, after: Match) -> str:
    played = _round(after, lock.round)
    if played is None:
        return ""
    # No digit that the stamp cannot honour: whole milliseconds, tenths of a second from a phone.
    seconds = (lock.at_ns - played.opened_ns) / 1e9
    return f" after {seconds:.3f} s" if lock.bound_ns <= 1_000_000 else f" after {seconds:.1f} s"


def _tray(tray: Tray) -> Iterator[str]:
    yield f"  the tray as read by {tray.source}{f', frame {tray.frame}' if tray.frame else ''}"
    for row in sorted({tile.row for tile in tray.tiles}):
        tiles = sorted((t for t in tray.tiles if t.row == row), key=lambda t: t.column)
        indent = "  " * (2 + (tiles[0].column if tiles else 0))
        yield indent + " ".join(t.symbol + ("" if t.sure else "!") for t in tiles)
    if tray.doubt:
        yield f"    in doubt as a whole: {', '.join(tray.doubt)}"


def _judged(match: Match) -> Judged:
    if not isinstance(match.state, Scramble):
        return {}
    revealed = [played for played in match.state.rounds if played.revealed]
    return {played.number: scramble.result(match.context, played) for played in revealed}


def _changes(before: Judged, now: Judged, match: Match) -> Iterator[str]:
    for number, judged in now.items():
        if number in before and judged == before[number]:
            continue
        if number in before:
            yield f"  round {number} is counted again"
        yield from (f"    {line}" for line in _result(match, judged))


def _result(match: Match, judged: scramble.Result | None) -> Iterator[str]:
    if judged is None:
        yield "nothing is known of the tray"
        return
    yield f"runs: {' or '.join(str(total) for total in judged.count.totals)}"
    for claim in judged.claims:
        yield f"{match.context.name(claim.seat)}: {_claim(claim)}"
    yield f"standing: {_standing(match)}"


def _claim(claim: Claim) -> str:
    said = "no prediction" if claim.prediction is None else f"predicted {claim.prediction}"
    place = f", place {claim.place}" if claim.place is not None else ""
    return f"{said}{place}, {claim.award.points:+d}. {claim.award.why}"


def _standing(match: Match) -> str:
    score = sorted(match.standing().items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{match.context.name(Seat(seat))} {points}" for seat, points in score)


def _round(match: Match, number: int) -> Round | None:
    return match.state.round(number) if isinstance(match.state, Scramble) else None
