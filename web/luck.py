"""The page "how lucky was that?" of a revealed round: the board's luck, the best early call, and each player's nerve.

All of it looks back (`pi.odds.hindsight`): before the reveal the page is not there, for a chance that moves as tiles
are turned would tell every player what only the eye has counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from zlib import crc32

from flask import abort, render_template

from pi.journal import Record
from pi.odds import hindsight
from pi.odds.chances import Chances
from pi.odds.errors import BadQuestion
from pi.odds.plot import Bar, as_svg
from pi.odds.sample import generator
from pi.rules.events import TrayRead
from pi.rules.games.scramble import board_of, layout_of, result, terms_of
from pi.rules.games.scramble_books import Round, Scramble
from pi.rules.match import Match, replay
from pi.rules.values import DOWN, Cell, Layout
from web.room import Room
from web.speech import say

DRAWS = 400_000
"""Boards drawn where nothing exact is known; a share of one half is then true within 0.16 % (two standard errors)."""


@dataclass(frozen=True, slots=True)
class Story:
    """What the page tells of a round."""

    luck: hindsight.Luck
    svg: str
    blind: tuple[int, float, float]
    """Best call before a tile lay open, first in the queue: (prediction, chance, expected points)."""
    perfect: hindsight.Call | None
    """The best moment to call; None when the eye saw no tiles turned one after the other."""
    early: tuple[tuple[str, hindsight.LockedEarly], ...]
    """(name, lock-in) of those made while tiles lay face down."""


def register(room: Room) -> None:
    """Hook the page's routes into the room's app."""

    def luck(number: int, match: str | None = None) -> str:
        name = match or room.desk.look().match.id
        records = room.shelf.records(name) if name else []
        if not records:
            abort(404, "No match of this name was played here.")
        story = story_of(records, number)
        path = f"/history/{match}/round/{number}" if match else f"/round/{number}"
        return render_template("luck.html", number=number, story=story, path=path)

    for rule in ("/round/<int:number>/luck", "/history/<match>/round/<int:number>/luck"):
        room.app.add_url_rule(rule, endpoint="luck", view_func=luck, methods=["GET"])


def story_of(records: Iterable[Record], number: int) -> Story:
    """Return what there is to tell of a round; aborts with 404 and one sentence where there is nothing."""
    kept = list(records)
    match = replay(record.event for record in kept)
    played = match.state.round(number) if isinstance(match.state, Scramble) else None
    if played is None:
        abort(404, f"Round {number} of Random Scramble was not played in this match.")
    judged = result(match.context, played)
    if not played.revealed or judged is None:
        abort(404, f"Round {number} is not revealed yet; its chances are shown after the reveal.")
    try:
        chances = fresh(match.context.house)
    except BadQuestion as no:
        abort(404, f"Nobody knows the chances under these house rules yet: {no}.")
    luck = hindsight.luck_of(max(judged.count.totals), chances)
    prediction, points = hindsight.best_call(chances, terms=terms_of(match.context.house))
    chance = hindsight.chance_right(prediction, chances, terms=terms_of(match.context.house))
    perfect, early = _calls(match, played, openings(match, kept, number), judged.count.totals)
    svg = plot(chances, title=say("Runs on a shuffled board"), marked=luck.runs)
    return Story(luck, svg, (prediction, float(chance), float(points)), perfect, early)


def openings(match: Match, records: Iterable[Record], number: int) -> list[tuple[int, tuple[Cell, ...]]]:
    """Return (at_ns, cells face up) of every reading of a round that still counts, in the journal's order."""
    found = []
    for record in records:
        event = record.event
        if isinstance(event, TrayRead) and event.round == number and event in match.history:
            up = (cell for cell, symbol in event.tray.symbols().items() if symbol != DOWN)
            found.append((record.at_ns, tuple(up)))
    return found


def _calls(
    match: Match, played: Round, opened: list[tuple[int, tuple[Cell, ...]]], totals: tuple[int, ...]
) -> tuple[hindsight.Call | None, tuple[tuple[str, hindsight.LockedEarly], ...]]:
    """Return the best moment and who locked in early; nothing when the eye saw the tray only as a whole."""
    board = board_of(played, layout=layout_of(match.context.house))
    if board is None or len(opened) < 2:
        return None, ()
    rng = generator(played.number)
    seen = hindsight.moments(board, opened)[1:]
    others = [lock.at_ns for lock in played.lock_ins]
    try:
        made = hindsight.calls(seen, house=match.context.house, others_ns=others, totals=totals, rng=rng)
        locks = hindsight.locked_early(match.context, played, seen, rng=rng)
    except BadQuestion:  # tiles lay open that the set cannot make (a misreading): the board's own luck is still told
        return None, ()
    names = {player.seat: player.name for player in match.context.players}
    return hindsight.perfect_call(made), tuple((names[lock.seat], lock) for lock in locks)


def fresh(house: Mapping[str, Any]) -> Chances:
    """Return the chances before any tile lies open, drawn where they cannot be counted; kept by house rules."""
    return _fresh(tuple(sorted(house.items())))


@lru_cache(maxsize=8)
def _fresh(house: tuple[tuple[str, Any], ...]) -> Chances:
    rules: Mapping[str, Any] = dict(house)
    try:
        return hindsight.fresh_chances(rules)
    except BadQuestion:
        wilds = bool(rules.get("wild")) or layout_of(rules) is Layout.DIAMOND
        # With wilds a board takes ten times as long: then as many as `pi.odds` draws by itself.
        rng = generator(crc32(repr(house).encode()))
        return hindsight.fresh_chances(rules, rng=rng, draws=None if wilds else DRAWS)


def plot(chances: Chances, *, title: str, marked: int | None = None) -> str:
    """Return the chances as an SVG picture; marked: the total of a board that lies there, None for none."""
    best = chances.best()
    shown = [k for k in sorted(best) if float(best[k]) >= 1e-4 or k == marked]
    bars = [Bar(f"▶ {k}" if k == marked else str(k), float(best[k])) for k in shown]
    return as_svg(bars, title=title, caption="" if marked is None else say("▶ marks this board"))
