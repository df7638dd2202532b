"""Judging lines of the games with tiles and dice: Random Scramble, Draw Bridge, Run Buster."""

from __future__ import annotations

from typing import Any

from pi.doors.judge_lines import Line, Unlawful, field, known_fields, lawful, listed, short, switch, whole
from pi.rules.games import draw_bridge_score as bridge
from pi.rules.games import run_buster_rules as buster
from pi.rules.games import scramble_score as scramble
from pi.rules.values import WILD, Board, Seat

PLAYERS = (2, 4)
"""Fewest and most players of RunnuRound's games."""
MOST_RUNS = 999
"""No board of the set holds more."""
THREE = 3
"""With three players one tile is left over and starts its row."""


def scramble_round(line: Line) -> Line:
    """Return the line with `points`, in queue order.

    predictions: {player: 0-7}; queue: players in order, tied ones together in a list; totals: the
    attainable numbers of runs; switches tough, seven_or_more, wild_must_be_best.
    """
    switches = ("tough", "seven_or_more", "wild_must_be_best")
    known_fields(line, ("predictions", "queue", "totals", *switches, "points"))
    predictions = _predictions(field(line, "predictions"))
    queue = _queue(field(line, "queue"), predictions)
    seats = {name: Seat(number) for number, name in enumerate(predictions, start=1)}
    claims = scramble.score_round(
        {seats[name]: predicted for name, predicted in predictions.items()},
        [[seats[name] for name in group] for group in queue],
        _totals(field(line, "totals")),
        terms=scramble.Terms(**{name: switch(line, name) for name in switches}),
    )
    points = {claim.seat: claim.award.points for claim in claims}
    return {**line, "points": {name: points[seats[name]] for group in queue for name in group}}


def _predictions(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        raise Unlawful(f"predictions is an object of players (got {short(value)}).")
    fewest, most = PLAYERS
    if not fewest <= len(value) <= most:
        raise Unlawful(f"Random Scramble is for {fewest} to {most} players (there are {len(value)}).")
    disks = scramble.MOST_PREDICTED
    return {name: whole(n, f"The prediction of {name}", least=0, most=disks) for name, n in value.items()}


def _queue(value: Any, predictions: dict[str, int]) -> list[list[str]]:
    groups = [entry if isinstance(entry, list) else [entry] for entry in listed(value, "queue")]
    seen: set[str] = set()
    for name in (name for group in groups for name in group):
        if not isinstance(name, str) or name not in predictions:
            raise Unlawful(f"{short(name)} stands in the queue but made no prediction.")
        if name in seen:
            raise Unlawful(f"{name} stands in the queue twice.")
        seen.add(name)
    if [] in groups:
        raise Unlawful("A place in the queue is empty.")
    for name in predictions:
        if name not in seen:
            raise Unlawful(f"{name} made a prediction but does not stand in the queue.")
    return groups


def _totals(value: Any) -> list[int]:
    totals = [whole(n, "A total", least=0, most=MOST_RUNS) for n in listed(value, "totals")]
    if not totals:
        raise Unlawful("There is no total (expected at least one).")
    if len(set(totals)) != len(totals):
        raise Unlawful("The same total stands there twice.")
    return totals


def draw_bridge(line: Line) -> Line:
    """Return the line with the `points` of each turn.

    turns: [{"place": [[row, place, number], ...]}], a number 0-9 or "#" for a wild; switches elevator,
    vertical, wild, claim_per_tile. With `players` 3 the field `start` holds the tile left over, which lies
    there from the beginning, and each player's last turn has one tile. A game may break off anywhere.
    """
    switches = ("elevator", "vertical", "wild", "claim_per_tile")
    known_fields(line, (*switches, "players", "start", "turns"))
    terms = bridge.Terms(**{name: switch(line, name) for name in switches})
    players = _bridge_players(line)
    board, turns = _started(line, players, terms), []
    for number, turn in enumerate(listed(field(line, "turns"), "turns"), start=1):
        try:
            tiles = _tiles(turn, players, number)
            lawful(bridge.turn_problem(board, tiles, terms=terms))
        except Unlawful as no:
            raise Unlawful(f"Turn {number}: {no}") from None
        scored = bridge.score_turn(board, tiles, terms=terms)
        board = scored.board
        turns.append({**turn, "points": scored.points})
    return {**line, "turns": turns}


def _bridge_players(line: Line) -> int | None:
    if "players" not in line:
        return THREE if "start" in line else None
    return whole(line["players"], "The number of players", least=PLAYERS[0], most=PLAYERS[1])


def _started(line: Line, players: int | None, terms: bridge.Terms) -> Board:
    if "start" not in line:
        if players == THREE and listed(field(line, "turns"), "turns"):
            raise Unlawful("With three players the fortieth tile starts its row: the field 'start' is missing.")
        return bridge.BLANK
    if players != THREE:
        raise Unlawful("Only with three players a tile is left over to start its row.")
    tile = _tile(line["start"])
    lawful(bridge.tile_problem(bridge.BLANK, tile, terms=terms))
    if tile.place != 0:
        raise Unlawful("The fortieth tile starts its row at the left end.")
    return bridge.lay(bridge.BLANK, (tile,))


def _tiles(turn: Any, players: int | None, number: int) -> tuple[bridge.Tile, ...]:
    if not isinstance(turn, dict):
        raise Unlawful(f"A turn is an object (got {short(turn)}).")
    known_fields(turn, ("place", "points"))
    tiles = tuple(_tile(item) for item in listed(field(turn, "place"), "place"))
    wanted = bridge.tiles_in_turn(number, players=players or PLAYERS[0])
    if len(tiles) != wanted:
        raise Unlawful(f"{_count(len(tiles))} placed (expected {_count(wanted)}).")
    return tiles


def _count(tiles: int) -> str:
    return "1 tile" if tiles == 1 else f"{tiles} tiles"


def _tile(item: Any) -> bridge.Tile:
    if len(listed(item, "A tile")) != 3:
        raise Unlawful(f"A tile is row, place and number (got {short(item)}).")
    row = whole(item[0], "The row of a tile", least=0, most=bridge.ROWS - 1)
    place = whole(item[1], "The place of a tile", least=0, most=bridge.PLACES - 1)
    if item[2] == WILD:
        return bridge.Tile(row, place, WILD)
    return bridge.Tile(row, place, str(whole(item[2], "The number of a tile", least=0, most=9)))


def run_buster(line: Line) -> Line:
    """Return the line with `busted` (for each opponent) and `options` (the lawful new hands).

    roll: the dice rolled; hand: the player's own straight, [] for none; opponents: their hands. With `chances`
    also `wins`, the chance to win of each option, and `win`, that of the best (or of the hand that stays), both
    players playing best from there on; for one opponent, whose game is solved (`pi.odds.buster`).
    """
    known_fields(line, ("roll", "hand", "opponents", "chances", "busted", "options", *_CHANCES))
    hand = _hand(field(line, "hand"), "hand")
    roll = _dice(field(line, "roll"), "roll")
    lawful(buster.roll_problem(roll, hand))
    opponents = [_hand(other, "An opponent's hand") for other in listed(field(line, "opponents"), "opponents")]
    if not opponents:
        raise Unlawful("There is no opponent (expected at least one).")
    if buster.FULL in opponents:
        raise Unlawful("An opponent holds the full straight and has won.")
    options = buster.options(roll, hand)
    return {
        **{name: value for name, value in line.items() if name not in _CHANCES},
        "busted": [buster.busts(roll, other) for other in opponents],
        "options": [list(new) for new in options],
        **(_chances(roll, hand, opponents, options) if switch(line, "chances") else {}),
    }


_CHANCES = ("wins", "win")


def _chances(
    roll: tuple[int, ...], hand: buster.Hand, opponents: list[buster.Hand], options: tuple[buster.Hand, ...]
) -> dict[str, Any]:
    if len(opponents) != 1:
        raise Unlawful(f"Win chances are known against one opponent (there are {len(opponents)}).")
    from pi.odds.buster import solve  # numpy, and a second of work: only where it is asked for

    worth = {choice.hand: choice.win for choice in solve().choices(tuple(sorted(roll)), hand, opponents[0])}
    return {"wins": [worth[new] for new in options], "win": max(worth.values())}


def _dice(value: Any, what: str) -> tuple[int, ...]:
    return tuple(whole(die, "A die", least=1, most=6) for die in listed(value, what))


def _hand(value: Any, what: str) -> buster.Hand:
    hand = _dice(value, what)
    lawful(buster.hand_problem(hand))
    return tuple(sorted(hand))
