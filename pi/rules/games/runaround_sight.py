"""Runaround's board as the eye reads it: which lawful move explains what is seen, or what is wrong there: pure.

Places of the board: the spaces of the loop, then for each player four places at home and the marker's way
from no run to five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pi.rules.games.runaround_rules import PAWNS, RUNS_TO_WIN, Landing, Loop, Side, start_of
from pi.rules.mats import stray_problem
from pi.rules.seen import EMPTY, FIRST, SECOND, ReadMat, SeenMatDie

KINDS = (FIRST, SECOND)
ROLLED_MM = 12.0
"""A die that shows what it showed and lies nearer than this to where it lay was not rolled."""
Name = Callable[[int], str]
"""Player, 0 or 1 -> the name."""


@dataclass(frozen=True, slots=True)
class Stood:
    """Who stands where on the board."""

    spaces: tuple[int | None, ...]
    """For each space the player whose pawn stands there, 0 or 1; None for nobody's."""
    home: tuple[int, int]
    """Pawns at home."""
    runs: tuple[int, int]
    """How far each marker has gone."""


def stood(loop: Loop) -> Stood:
    """Return how a loop's pawns stand on the board."""
    spaces: list[int | None] = [None] * loop.spaces
    for player, side in enumerate(loop.sides):
        for pawn in side.pawns:
            spaces[pawn.space] = player
    first, second = loop.sides
    return Stood(tuple(spaces), (first.home, second.home), (first.runs, second.runs))


def seen_stood(seen: ReadMat, *, spaces: int, names: Name) -> Stood | str:
    """Return who is seen where, or the sentence that says why that cannot be told."""
    if len(seen.places) != spaces + 2 * (PAWNS + RUNS_TO_WIN + 1):
        return "That is not the board of this game."

    def where(place: int) -> str:
        return place_name(place, spaces=spaces, names=names)

    if sentence := stray_problem(seen.strays, where=where, thing="pawn"):
        return sentence
    for place in seen.places:
        if not place.sure:
            likely = [_called(holds, names) for holds, chance in place.likely if chance >= 0.01] or ["something"]
            return f"On {where(place.place)} stands {' or '.join(likely)}: put it in the middle, or tap the move."
    holds = [place.holds for place in seen.places]
    home, runs = [], []
    for player, kind in enumerate(KINDS):
        at = spaces + player * (PAWNS + RUNS_TO_WIN + 1)
        own, way = holds[at : at + PAWNS], holds[at + PAWNS : at + PAWNS + RUNS_TO_WIN + 1]
        other = KINDS[1 - player]
        if other in (*own, *way):
            return f"A pawn of {names(1 - player)}'s stands at {names(player)}'s home."
        markers = [n for n, held in enumerate(way) if held == kind]
        if len(markers) != 1:
            return f"{names(player)}'s marker stands on {len(markers)} of its places, but must stand on one."
        home.append(own.count(kind))
        runs.append(markers[0])
    loop = tuple(None if held == EMPTY else KINDS.index(held) for held in holds[:spaces])
    return Stood(loop, (home[0], home[1]), (runs[0], runs[1]))


def place_name(place: int, *, spaces: int, names: Name) -> str:
    """Return how people call a place of the board."""
    if place < spaces:
        return f"space {place}"
    player, at = divmod(place - spaces, PAWNS + RUNS_TO_WIN + 1)
    return f"{names(player)}'s home" if at < PAWNS else f"{names(player)}'s runs"


def _called(holds: str, names: Name) -> str:
    return "nothing" if holds == EMPTY else f"a pawn of {names(KINDS.index(holds))}'s"


def lies_as(loop: Loop, seen: Stood, *, carried: int | None = None) -> bool:
    """Tell whether the board shows a loop.

    carried: the player whose pawn landed on one of its own and goes on; it may stand on any free space meanwhile.
    """
    return difference(loop, seen, carried=carried, names=str) is None


def difference(loop: Loop, seen: Stood, *, names: Name, carried: int | None = None) -> str | None:
    """Return what on the board is not as it must be, in one sentence; None when all is."""
    wanted = stood(loop)
    spare = carried is not None
    for space, (must, shows) in enumerate(zip(wanted.spaces, seen.spaces, strict=True)):
        if must == shows:
            continue
        if must is None and shows == carried and spare:
            spare = False
            continue
        return _wrong(space, must, shows, names)
    for player in (0, 1):
        if wanted.home[player] != seen.home[player]:
            return f"{names(player)} has {seen.home[player]} pawns at home, but must have {wanted.home[player]}."
        if wanted.runs[player] != seen.runs[player]:
            return f"{names(player)}'s marker stands on {seen.runs[player]}, but belongs on {wanted.runs[player]}."
    return None


def _wrong(space: int, must: int | None, shows: int | None, names: Name) -> str:
    if must is None:
        return f"A pawn of {names(shows or 0)}'s stands on space {space}, where none belongs."
    if shows is None:
        return f"Space {space} is empty, but a pawn of {names(must)}'s belongs there."
    return f"Space {space} shows a pawn of {names(shows)}'s, but one of {names(must)}'s belongs there."


def not_yet_entered(loop: Loop, player: int) -> Loop | None:
    """Return the loop before the pawn on the player's starting space came in; None when none stands there.

    The roll brings it in by the rules at once; hands take a moment longer.
    """
    side = loop.sides[player]
    start = start_of(player, spaces=loop.spaces)
    if side.at(start) is None:
        return None
    before = Side(side.home + 1, tuple(p for p in side.pawns if p.space != start), side.runs)
    return replace(loop, sides=(before, loop.sides[1]) if player == 0 else (loop.sides[0], before))


def explaining(landings: Iterable[tuple[int, Landing]], seen: Stood, *, player: int) -> tuple[int, ...]:
    """Return the spaces of the pawns whose lawful move leads to just what is seen."""
    return tuple(
        space
        for space, landing in landings
        if lies_as(landing.loop, seen, carried=player if landing.carried is not None else None)
    )


def misplaced(landings: Iterable[tuple[int, Landing]], before: Stood, seen: Stood, *, player: int) -> str | None:
    """Return the sentence for one own pawn that was moved to a wrong space; None when it is not that."""
    targets = dict(landings)
    gone = [n for n, (a, b) in enumerate(zip(before.spaces, seen.spaces, strict=True)) if a == player != b]
    come = [n for n, (a, b) in enumerate(zip(before.spaces, seen.spaces, strict=True)) if b == player != a]
    if len(gone) != 1 or len(come) != 1 or gone[0] not in targets:
        return None
    at = [
        n for n, who in enumerate(stood(targets[gone[0]].loop).spaces) if who == player and before.spaces[n] != player
    ]
    goes = f"goes to {at[0]}" if at else "leaves the loop"
    return f"The pawn of space {gone[0]} stands on {come[0]}, but with this roll it {goes}."


def fresh_die(dice: Iterable[SeenMatDie], last: tuple[float, ...], *, player: int) -> SeenMatDie | str | None:
    """Return the die a player has rolled; None when none was rolled yet, or a sentence when there are several.

    last: (value, x, y) of the die in this player's roll zone as it was read last; () when it has left it since.
    """
    own = [die for die in dice if die.player == player]
    if len(own) > 1:
        return f"{len(own)} dice lie in the roll zone, but one is rolled."
    if not own:
        return None
    die = own[0]
    if last and die.value == last[0]:
        away = ((die.at[0] - last[1]) ** 2 + (die.at[1] - last[2]) ** 2) ** 0.5
        if away < ROLLED_MM:
            return None
    return die
