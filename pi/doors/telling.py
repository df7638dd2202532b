"""A match told at the terminal and as JSON: rounds with their truth, the queue, points and the rules behind them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pi.rules.games import scramble
from pi.rules.games.quest import Quests
from pi.rules.games.scramble_books import Round, Scramble
from pi.rules.games.scramble_score import Claim
from pi.rules.match import Match
from pi.rules.queueing import places, queue
from pi.rules.turns import turns


def round_json(match: Match, played: Round) -> dict[str, Any]:
    """Return a revealed round as JSON values; times are left out, so that equal evenings are equal texts."""
    judged = scramble.result(match.context, played)
    board = scramble.board_of(played, layout=scramble.layout_of(match.context.house))
    claims = judged.claims if judged else ()
    in_queue = {lock.seat: place for place, lock in places(queue(played.lock_ins))}
    return {
        "round": played.number,
        "board": str(board).splitlines() if board else None,
        "totals": list(judged.count.totals) if judged else None,
        "ruled_by_hand": played.ruled is not None,
        "asked": [
            {"row": fix.row, "column": fix.column, "read_as": fix.was, "is": fix.symbol, "by": fix.by}
            for fix in played.corrections
        ],
        "queue": [_claim_json(match, claim, in_queue.get(claim.seat)) for claim in claims],
    }


def _claim_json(match: Match, claim: Claim, place: int | None) -> dict[str, Any]:
    return {
        "seat": claim.seat,
        "player": match.context.name(claim.seat),
        "locked": place,
        "prediction": claim.prediction,
        "right": claim.right,
        "place": claim.place,
        "points": claim.award.points,
        "why": claim.award.why,
        "source": claim.award.source,
    }


def match_json(match: Match) -> dict[str, Any]:
    """Return the match's revealed rounds, standing and winner as JSON values."""
    over = match.outcome()
    winners = [match.context.name(seat) for seat in over.winners] if over.over else []
    return {
        "game": match.game,
        "house": dict(match.house),
        "rounds": [round_json(match, played) for played in revealed(match)],
        "steps": steps(match),
        "standing": {match.context.name(seat): points for seat, points in match.standing().items()},
        "winner": winners[0] if len(winners) == 1 else None,
        "winners": winners,
        "over": over.over,
        "why": over.why,
    }


def revealed(match: Match) -> tuple[Round, ...]:
    """Return the rounds whose predictions are open."""
    return tuple(r for r in match.state.rounds if r.revealed) if isinstance(match.state, Scramble) else ()


def steps(match: Match) -> list[str]:
    """Return what happened in a game of turns, in its own words; [] in Random Scramble, which has rounds."""
    told = (match.ruleset.told(match.context, event) for _, event in turns(match))
    return [text for text in told if text]


def rounds_played(match: Match) -> int:
    """Return how many rounds have come to their end; 0 in games without rounds."""
    if isinstance(match.state, Scramble):
        return len(revealed(match))
    if isinstance(match.state, Quests):
        return sum(attempt.solved_ns is not None for attempt in match.state.attempts)
    current = getattr(match.state, "current", None)
    return len(getattr(match.state, "rounds", ())) - (current is not None)


def round_lines(told: dict[str, Any]) -> Iterable[str]:
    """Yield the lines in which a round (from `round_json`) is told at the terminal."""
    totals = told["totals"] or []
    truth = "unknown" if not totals else " or ".join(str(t) for t in totals)
    yield f"Round {told['round']}: {truth} {'run' if totals == [1] else 'runs'}"
    for row in told["board"] or ():
        yield f"    {row}"
    for fix in told["asked"]:
        place = f"row {fix['row'] + 1} place {fix['column'] + 1}"
        yield f"    the eye asked about {place} (it saw {fix['read_as']}); {fix['by']} said {fix['is']}"
    if told["ruled_by_hand"]:
        yield "    counted by hand"
    for claim in told["queue"]:
        said = "no prediction" if claim["prediction"] is None else f"said {claim['prediction']}"
        order = f"{claim['locked']}." if claim["locked"] else "  "
        yield f"  {order} {claim['player']:<10} {said:<14} {claim['points']:+d}  {claim['why']} ({claim['source']})"


def standing_lines(match: Match) -> Iterable[str]:
    """Yield the lines that tell how the match stands."""
    score = sorted(match.standing().items(), key=lambda item: (-item[1], item[0]))
    yield "Standing: " + ", ".join(f"{match.context.name(seat)} {points}" for seat, points in score)
    yield match.outcome().why
