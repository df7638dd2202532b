"""What a reading of Run Buster's mat tells the referee (RULES.md 2): pure.

Most of what lies there is known: every hand but the mover's, and how many dice a roll has. So a die that the
eye is not sure of is asked about only where the game leaves room for doubt, and one that is missing is missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from pi.rules.games.run_buster_books import Round
from pi.rules.games.run_buster_rules import DICE, Hand
from pi.rules.mats import UNSEEN
from pi.rules.seen import A_DIE, About, SeenDie
from pi.rules.values import Seat

ROLL_ZONE, NO_ZONE = 0, -1
PLAUSIBLE = 0.005
"""A face less probable than this is not what an unsure die shows."""


def in_zone(dice: Iterable[SeenDie], zone: int) -> tuple[SeenDie, ...]:
    """Return the dice that lie in a zone."""
    return tuple(die for die in dice if die.zone == zone)


def doubtful(dice: Sequence[SeenDie], zone: int) -> tuple[About, ...]:
    """Return the dice of a zone that the eye is not sure of."""
    return tuple((A_DIE, n) for n, die in enumerate(dice) if die.zone == zone and not die.sure)


def mat_problem(
    dice: Sequence[SeenDie], current: Round, *, name: Callable[[Seat], str], strange: bool = False, unseen: bool = False
) -> str | None:
    """Return what is wrong with how dice lie, whoever's they are; None when nothing is."""
    if loose := in_zone(dice, NO_ZONE):
        shown = f"The {loose[0].value}" if loose[0].sure else "A die"
        return f"{shown} lies on a line or beside the zones: push it into the zone where it belongs."
    if strange:
        return "Something on the mat is no plain die: lay dice flat and apart, and take other things away."
    if unseen:
        return UNSEEN
    for die in dice:
        if die.zone != ROLL_ZONE and Seat(die.zone) not in current.order:
            return f"A die lies in hand zone {die.zone}, but seat {die.zone} does not play in this round."
    mover = current.mover
    own = len(in_zone(dice, mover or NO_ZONE)) + len(in_zone(dice, ROLL_ZONE))
    if mover is not None and own > DICE:
        return f"{own} dice lie in {name(mover)}'s hand and in the roll zone, but each player has {DICE}."
    return None


def others_problem(dice: Sequence[SeenDie], current: Round, *, name: Callable[[Seat], str]) -> str | None:
    """Say which other player's hand lies otherwise than it must; a missed bust is named first."""
    for seat in current.must_go():
        if shown := in_zone(dice, seat):
            faces = " ".join(str(die.value) for die in _sorted(shown))
            return f"The roll busts {name(seat)}'s hand: {faces} must go back into the cup."
    for seat, hand in current.hands().items():
        if seat != current.mover and hand_of(in_zone(dice, seat), (hand,)) != hand:
            return lies(name(seat), in_zone(dice, seat), hand)
    return None


def _sorted(dice: Iterable[SeenDie]) -> list[SeenDie]:
    return sorted(dice, key=lambda die: die.value)


def hand_of(dice: Sequence[SeenDie], lawful: Sequence[Hand]) -> Hand | None:
    """Return the hand that dice show: what is read, when all are sure, else the one lawful hand they may be.

    None when several may be it, or none.
    """
    if all(die.sure for die in dice):
        return tuple(sorted(die.value for die in dice))
    fitting = [hand for hand in dict.fromkeys(lawful) if _fits(dice, hand)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(dice: Sequence[SeenDie], hand: Hand) -> bool:
    """Tell whether dice may show a hand: the sure ones do, and the others can be shared out over the rest."""
    if len(dice) != len(hand):
        return False
    rest = Counter(hand)
    rest.subtract(die.value for die in dice if die.sure)
    if min(rest.values(), default=0) < 0:
        return False
    return _shared([die for die in dice if not die.sure], list(rest.elements()))


def _shared(dice: list[SeenDie], faces: list[int]) -> bool:
    if not dice:
        return not faces
    may = {face for face, chance in dice[0].likely if chance >= PLAUSIBLE} | {dice[0].value}
    return any(face in may and _shared(dice[1:], faces[:at] + faces[at + 1 :]) for at, face in enumerate(faces))


def lies(name: str, dice: Sequence[SeenDie], hand: Hand) -> str:
    """Return the sentence about a hand that lies otherwise than it must."""
    said = " ".join(map(str, hand)) or "no dice"
    if len(dice) < len(hand) and all(die.sure for die in dice):
        gone = Counter(hand)
        gone.subtract(die.value for die in dice)
        missing = " ".join(map(str, (+gone).elements()))
        return f"{missing} is missing from {name}'s hand, which must show {said}."
    if not all(die.sure for die in dice):
        return f"{name}'s hand must show {said}, but not every die there can be read: {doubt(dice, 'hand')}"
    return f"{name}'s hand shows {' '.join(str(d.value) for d in _sorted(dice)) or 'no dice'}, but must show {said}."


def roll_seen_problem(roll: Sequence[SeenDie], wanted: int) -> str | None:
    """Return why dice in the roll zone are not a whole roll that can be read; None when they are."""
    if len(roll) < wanted:
        are = "is" if wanted - len(roll) == 1 else "are"
        return (
            f"{wanted} dice are rolled, but {len(roll)} lie in the roll zone: {wanted - len(roll)} {are} missing "
            "(off the mat, below another die, or still in the cup)."
        )
    if len(roll) > wanted:
        return f"{wanted} dice are rolled, but {len(roll)} lie in the roll zone."
    return None if all(die.sure for die in roll) else doubt(roll, "roll")


def doubt(dice: Sequence[SeenDie], what: str) -> str:
    """Return the question about the dice that cannot be read surely."""
    unsure = [die for die in dice if not die.sure]
    if not unsure:
        return f"The {what} is none that is lawful."
    faces = sorted({die.value for die in unsure} | {f for die in unsure for f, p in die.likely if p >= 0.01})
    asked = " or ".join(map(str, faces))
    if len(unsure) == 1:
        return f"One die of the {what} may show {asked}: lay it flat, or say what it shows."
    return f"{len(unsure)} dice of the {what} cannot be read surely ({asked}): lay them flat, or say what they show."
