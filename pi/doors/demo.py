"""`feltside demo`: the whole table without hardware. Only camera and pins are stand-ins; nothing is cut short.

The table, its watcher and the web run as processes of their own, exactly as on a Pi; a drawn tray stands in
for the camera, gpiozero's mock pins for the board. Simulated players press those pins; at the page a person
may take over any seat.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from pi.doors.telling import match_json, revealed, round_json, round_lines, rounds_played, standing_lines, steps
from pi.errors import BadSettings
from pi.journal import JournalReader
from pi.opponents.registry import GAMES
from pi.rules.codec import to_json
from pi.rules.games import RULESETS
from pi.rules.match import Match, replay
from pi.rules.ruleset import HouseRule
from pi.rules.values import Seat
from pi.settings import default_state, load_settings
from pi.stand_ins.company import Company
from pi.stand_ins.evening import BRISK, CALM, PLAYED, Evening, Manners
from pi.stand_ins.launch import SETTINGS_NAME, Household, free_port, write_settings
from pi.stand_ins.laying import SimulatedTray
from pi.stand_ins.players import players

YES, NO = ("", "yes", "true", "on", "1"), ("no", "false", "off", "0")
MOST_ROUNDS = 60
"""A headless match that has no winner by then is told as it stands."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside demo`."""
    parser.add_argument("--port", type=int, default=8080, help="where the pages are served (0: any free port)")
    parser.add_argument(
        "--lan",
        action="store_true",
        help="let the network's phones in; the first visit sets the PIN (default: this machine alone, no PIN)",
    )
    parser.add_argument("--game", default=PLAYED, choices=[PLAYED, *GAMES, "quest"], help="what is played")
    parser.add_argument(
        "--players", type=int, metavar="N", help="how many seats play (default: 3, or what the game takes)"
    )
    parser.add_argument(
        "--humans",
        default="",
        metavar="SEATS",
        help="seats without a simulated player, e.g. 1,3",
    )
    parser.add_argument(
        "--house", action="append", default=[], metavar="NAME=VALUE", help="a house rule, e.g. wild=yes (repeatable)"
    )
    parser.add_argument("--seed", type=int, help="chance of trays and players; the same seed plays the same evening")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="keep the evening here, and go on with it")
    parser.add_argument("--fast", action="store_true", help="nobody thinks, nothing waits")
    parser.add_argument("--headless", action="store_true", help="no pages: play by itself, print what happened, end")
    parser.add_argument("--rounds", type=int, metavar="N", help="play so many rounds (default: until somebody wins)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text (headless)")


def run(args: argparse.Namespace) -> int:
    """Run the demo until it is over (headless) or interrupted."""
    house = house_rules(args.game, args.house)
    args.players = args.players or min(max(3, RULESETS[args.game].seats[0]), RULESETS[args.game].seats[1])
    if args.headless and args.rounds and "target" in _numeric(args.game):
        # An agreed number of rounds is played to its end, whoever leads on the way.
        house.setdefault("target", _numeric(args.game)["target"].most)
    people = seats_of(args.humans, args.players, game=args.game)
    if args.rounds is not None and args.rounds < 1:
        raise BadSettings(f"{args.rounds} rounds cannot be played (expected 1 or more), at --rounds")
    if args.seed is not None and not 0 <= args.seed < 2**63:
        raise BadSettings(f"{args.seed} is no seed (expected 0 to 2^63 - 1), at --seed")
    if args.headless and people:
        raise BadSettings("nobody can press pads without pages (expected --humans without --headless)")
    start = {
        "command": "start-match",
        "game": args.game,
        "players": [to_json(player) for player in players(args.players)],
        "house": [list(item) for item in house.items()],
        "by": "demo",
    }
    signal.signal(signal.SIGTERM, asked_to_end)
    return _headless(args, start) if args.headless else _interactive(args, start, people)


def asked_to_end(number: int, frame: FrameType | None) -> None:
    """End like Ctrl-C does, so that no process is left behind."""
    raise KeyboardInterrupt


def _headless(args: argparse.Namespace, start: dict[str, Any]) -> int:
    seed = 1 if args.seed is None else args.seed
    wanted = args.rounds or MOST_ROUNDS
    with state_folder(args.state) as state:
        camera = {"kind": "simulated", "seed": seed, "hurried": True, "by_match": False, "fps": 5.0, "stall_s": DRAWN_S}
        settings = write_settings(state, {"camera": camera | {"folder": str(state.resolve())}})
        with Household(settings, web=False) as household:
            begin_match(household, start)
            evening = _evening(args, household, seed=seed, by_match=False, manners=BRISK)
            match = evening.run(enough=lambda m: rounds_played(m) >= wanted or m.outcome().over, tick=household.check)
            if not match.outcome().over:
                match = _agreed_end(household, evening, wanted)
    _print_result(match, seed=seed, as_json=args.json)
    return 0


def _evening(
    args: argparse.Namespace,
    household: Household,
    *,
    seed: int,
    by_match: bool,
    manners: Manners,
    people: Sequence[Seat] = (),
    patience_s: float = 0.0,
) -> Evening | Company:
    """Return the simulated people of a game: those with pads, or those who lay, roll and tap in turn."""
    client, journal = household.client, JournalReader(household.settings.journal)
    if args.game == PLAYED:
        return Evening(
            client, journal, seed=seed, by_match=by_match, manners=manners, people=people, patience_s=patience_s
        )
    return Company(
        client,
        journal,
        seats=lambda match: [seat for seat in match.context.seats() if seat not in people],
        seed=str(seed),
        pace_s=min(manners.after_round, 2.5),
        opens=True,
        by_match=by_match,
        tray=SimulatedTray(household.settings.state),
        by_hand_s=min(manners.by_hand, UNREAD_S),
        patience_s=patience_s,
    )


def _agreed_end(household: Household, evening: Evening | Company, rounds: int) -> Match:
    """End the match as agreed, and return it as it then stands."""
    words = "1 round was" if rounds == 1 else f"{rounds} rounds were"
    household.client.ask({"command": "end-match", "why": f"{words} agreed on.", "by": "demo"})
    return evening.look()


def _interactive(args: argparse.Namespace, start: dict[str, Any], people: Sequence[Seat]) -> int:
    state = args.state or default_state_of_demo()
    seed = _kept_seed(state) if args.seed is None else args.seed
    by_match = args.seed is None
    state.mkdir(parents=True, exist_ok=True)
    camera = {"kind": "simulated", "seed": seed, "hurried": args.fast, "by_match": by_match, "stall_s": DRAWN_S}
    camera["folder"] = str(state.resolve())
    # Without a PIN whoever reaches the pages may act: then nobody but this machine reaches them.
    open_to = {"host": "0.0.0.0", "pin": ""} if args.lan else {"host": "127.0.0.1", "pin": "open"}
    web = open_to | {"port": free_port(args.port)}
    settings = write_settings(state, {"camera": camera, "web": web})
    journal = JournalReader(settings.journal)
    with Household(settings, web=True) as household:
        if _running(journal) != args.game:
            begin_match(household, start)
        who = (
            "the network too: the first visit sets the PIN" if args.lan else "this machine alone, --lan for phones too"
        )
        print(f"Feltside demo: {household.address}  ({who}; Ctrl-C ends it; matches are kept in {state})", flush=True)
        manners = BRISK_AT_THE_PAGE if args.fast else CALM
        evening = _evening(
            args, household, seed=seed, by_match=by_match, manners=manners, people=people, patience_s=20.0
        )
        tell = Teller()
        try:
            match = evening.run(
                enough=lambda m: tell(m) or (args.rounds is not None and rounds_played(m) >= args.rounds),
                tick=household.tend,
            )
        except KeyboardInterrupt:
            print()
            return 0
    _print_standing(match)
    return 0


DRAWN_S = 60.0
"""The simulated camera hangs only when this machine does: a scene may take long to draw where others work, too."""
UNREAD_S = 8.0
"""Before simulated people type in what the eye has looked at and is not sure of."""
BRISK_AT_THE_PAGE = replace(BRISK, after_round=2.0, answer=5.0, by_hand=60.0)
"""Quick, but slow enough to be looked at."""


class Teller:
    """Prints each round once, when it has been revealed; never ends an evening itself."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._told: set[tuple[str, int]] = set()
        self._steps: tuple[str, int] = ("", 0)

    def __call__(self, match: Match) -> bool:
        """Print what is new in the match."""
        said = steps(match)
        done = self._steps[1] if self._steps[0] == match.id else 0
        for line in said[done:]:
            print(line, flush=True)
        self._steps = match.id, len(said)
        news = [played for played in revealed(match) if (match.id, played.number) not in self._told]
        for played in news:
            self._told.add((match.id, played.number))
            print("\n".join(round_lines(round_json(match, played))), flush=True)
        if news:
            # Of a match that goes on from an earlier evening several are new: it stands so after the last of them.
            _print_standing(match)
        return False


def begin_match(household: Household, start: dict[str, Any]) -> None:
    """Start a match in place of any that still runs; raises BadSettings when the rules refuse it."""
    answer = household.client.ask(start)
    if answer.get("refused") == "match-running":
        household.client.ask({"command": "end-match", "why": "Another match was started.", "by": "demo"})
        answer = household.client.ask(start)
    if "ok" not in answer:
        raise BadSettings(str(answer.get("sentence") or answer.get("error")))


def _running(journal: JournalReader) -> str | None:
    """Return the game that is being played; None when none is."""
    newest = journal.latest()
    match = replay(r.event for r in journal.events(newest)) if newest is not None else Match()
    return match.game if match.started and not match.outcome().over else None


def _print_result(match: Match, *, seed: int, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"seed": seed, **match_json(match)}))
        return
    for played in revealed(match):
        print("\n".join(round_lines(round_json(match, played))))
    for line in steps(match):
        print(line)
    _print_standing(match)


def _print_standing(match: Match) -> None:
    print("\n".join(standing_lines(match)), flush=True)


def house_rules(game: str, chosen: Sequence[str]) -> dict[str, bool | int | str]:
    """Return the chosen house rules of `NAME=VALUE` texts; raises BadSettings naming the text."""
    rules = {rule.name: rule for rule in RULESETS[game].house_rules}
    found: dict[str, bool | int | str] = {}
    for text in chosen:
        name, _, value = text.partition("=")
        if name not in rules:
            raise BadSettings(f"{name!r} is no house rule of {game} (expected {', '.join(rules)}), at --house {text}")
        found[name] = _value(rules[name], value, text)
    return found


def _value(rule: HouseRule, value: str, text: str) -> bool | int | str:
    words = {
        "yes": True,
        "true": True,
        "on": True,
        "1": True,
        "": True,
        "no": False,
        "false": False,
        "off": False,
        "0": False,
    }
    if isinstance(rule.default, bool):
        if value.lower() not in words:
            raise BadSettings(f"{value!r} is neither yes nor no, at --house {text}")
        return words[value.lower()]
    if isinstance(rule.default, int):
        try:
            return int(value)
        except ValueError:
            raise BadSettings(f"{value!r} is not a whole number, at --house {text}") from None
    return value


def _numeric(game: str) -> dict[str, HouseRule]:
    return {rule.name: rule for rule in RULESETS[game].house_rules if type(rule.default) is int}


def seats_of(text: str, number: int, *, game: str = PLAYED) -> tuple[Seat, ...]:
    """Return the seats of a text like "1,3"; raises BadSettings for one that does not play."""
    fewest, most = RULESETS[game].seats
    if not fewest <= number <= most:
        raise BadSettings(f"{number} players (expected {fewest} to {most}), at --players")
    seats = [word.strip() for word in text.split(",") if word.strip()]
    for seat in seats:
        if seat not in {str(n) for n in range(1, number + 1)}:
            raise BadSettings(f"seat {seat} does not play (expected 1 to {number}), at --humans")
    return tuple(Seat(int(seat)) for seat in seats)


def _kept_seed(state: Path) -> int:
    """Return the seed of the evening that is kept there, so that its trays lie as they lay; else a fresh one."""
    kept = state / SETTINGS_NAME
    return load_settings(kept).camera.seed if kept.exists() else secrets.randbits(32)


def default_state_of_demo() -> Path:
    """Return where the interactive demo keeps its matches when nothing else is said."""
    return default_state(os.environ).with_name("feltside-demo")


@contextmanager
def state_folder(given: Path | None) -> Iterator[Path]:
    """Yield the state folder; one of our own making is taken away again."""
    if given is not None:
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="feltside-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
