"""Run Buster on the pages: hands, roll, busts, lawful hands and, for two players, what each is worth."""

from __future__ import annotations

from pi.rules.games.run_buster import movers
from pi.rules.games.run_buster_books import Buster, Round
from pi.rules.games.run_buster_rules import DICE, FACES, Hand, complement
from pi.rules.ruleset import Context
from pi.rules.values import Seat
from web import playing
from web.audience import Audience, Place
from web.forms import Form, Request, number
from web.playing import View
from web.speech import say


def _roll(form: Form) -> Request:
    text = form.get("dice", "")
    spaced = {"dice": " ".join(text.replace(" ", "").replace(",", ""))}
    return {
        "command": "buster-roll",
        "seat": playing.seat(form),
        "dice": playing.whole_numbers(spaced, "dice", most=DICE),
    }


def _throw(form: Form) -> Request:
    dice = playing.thrown(min(max(number(form, "count"), 1), DICE))
    return {"command": "buster-roll", "seat": playing.seat(form), "dice": dice, "by": "server's dice"}


def _hand(form: Form) -> Request:
    hand = playing.whole_numbers(form, "hand", most=DICE)
    return {"command": "buster-hand", "seat": playing.seat(form), "hand": hand}


ASKS = {"buster-roll": _roll, "buster-throw": _throw, "buster-hand": _hand}


def view(context: Context, state: Buster, audience: Audience) -> View:
    """Return the round as it lies: everybody's hand, the roll, the busts it forces, and the lawful hands."""
    now = movers(context, state)
    played = state.current or (state.rounds[-1] if state.rounds else None)
    rolled = played.rolled if played else None
    last = played.turns[-1] if played and played.turns else None
    return {
        **playing.turn(context, now, audience),
        "headline": _headline(context, state, now),
        "between": state.current is None,
        "round": played.number if played else None,
        "hands": [_player(context, played, seat) for seat in played.order] if played else [],
        "out": [context.name(seat) for seat in state.out()],
        "roll": list(rolled.dice) if rolled else [],
        "awaits_roll": rolled is None and bool(now),
        "frame": last.frame if last else "",
        "options": _options(context, played, audience) if played else [],
        "turns": [
            {"name": context.name(t.seat), "dice": list(t.dice), "hand": list(t.hand or ())}
            for t in (played.turns if played else ())
            if t.hand is not None
        ],
        "faces": list(FACES),
    }


def _headline(context: Context, state: Buster, now: tuple[Seat, ...]) -> str:
    if not now or state.current is None:
        return say("Press NEXT for round {number}.", number=len(state.rounds) + 1)
    name = playing.mover(context, now)
    return (
        say("{name} chooses a hand.", name=name) if state.current.rolled else say("{name} rolls the dice.", name=name)
    )


def _player(context: Context, played: Round, seat: Seat) -> View:
    hand = played.hands()[seat]
    return {
        "seat": seat,
        "name": context.name(seat),
        "hand": list(hand),
        "cup": DICE - len(hand),
        "lacks": list(complement(hand)) if hand else [],
        "busted": seat in played.must_go(),
        "moves": seat == played.mover,
    }


def _options(context: Context, played: Round, audience: Audience) -> list[View]:
    """Return the lawful hands; with two players each with its chance to win, for the table only.

    On the table's page they lie behind a fold: a table that wants no advice does not open it.
    """
    lawful = played.options()
    chances: dict[Hand, float] = {}
    if audience.place is Place.TABLE and lawful and len(played.order) == 2 and played.rolled:
        from pi.odds.buster import solve  # numpy, only where somebody may want advice

        mover = played.rolled.seat
        before = Round(played.number, played.opened_ns, played.order, played.turns[:-1]).hands()
        other = next(seat for seat in played.order if seat != mover)
        found = solve().choices(played.rolled.dice, before[mover], before[other])
        chances = {choice.hand: choice.win for choice in found}
    return [{"hand": list(hand), "percent": _percent(chances.get(hand))} for hand in lawful]


def _percent(chance: float | None) -> float | None:
    return None if chance is None else round(100 * chance, 1)
