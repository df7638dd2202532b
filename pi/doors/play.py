"""`feltside play`: a match on a folder of pictures instead of a camera; each picture is one round's tray.

The table, its watcher and its journal are the ones of a real evening. Predictions are typed in lock order and
pressed on the simulated board, or clicked on the pages (`--web`).
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pi.camera_files import pictures_in
from pi.doors.demo import asked_to_end, begin_match, house_rules, state_folder
from pi.doors.said import Lock, Said, Tile, parse_file, parse_line
from pi.doors.sources import read_text
from pi.doors.telling import match_json, round_json, round_lines, standing_lines
from pi.errors import BadSettings, BadTyping
from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.pictures import load_picture
from pi.rules.codec import to_json
from pi.rules.events import SeenTile
from pi.rules.games.scramble_books import Round
from pi.rules.queueing import Key
from pi.rules.values import Player, Seat
from pi.rules.vouching import reasons
from pi.stand_ins.fingers import NEXT_BUTTON
from pi.stand_ins.launch import Household, free_port, write_settings
from pi.stand_ins.lookout import Lookout
from pi.stand_ins.players import DISKS

BY = "typed"
START_S, LOOK_S = 20.0, 6.0
"""Patience with the eye: until it looks at all, and with one picture that it looks at."""
BETWEEN_LOCKS_S = 0.01
"""Far enough apart for the board's bound, so that the typed order is the order."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside play`."""
    parser.add_argument("--pictures", type=Path, required=True, metavar="FOLDER", help="one picture a round, by name")
    parser.add_argument("--players", default="Ann,Bob", metavar="NAMES", help='from seat 1, e.g. "Ann,Bob,Cleo"')
    parser.add_argument(
        "--house", action="append", default=[], metavar="NAME=VALUE", help="a house rule, e.g. board=rect (repeatable)"
    )
    parser.add_argument(
        "--predictions", metavar="FILE", help='one line a round, in lock order: "Bob 3, Ann 2" (- for standard input)'
    )
    parser.add_argument("--web", action="store_true", help="click predictions on the pages instead of typing them")
    parser.add_argument("--port", type=int, default=8080, help="where the pages are served (0: any free port)")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="keep the match and its evidence here")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end instead of text")


def run(args: argparse.Namespace) -> int:
    """Play the match."""
    pictures = pictures_in(args.pictures)
    for picture in pictures:
        load_picture(picture)
    players = players_of(args.players)
    house = house_rules("scramble", args.house)
    lines = None
    if args.predictions is not None:
        lines = parse_file(read_text(args.predictions).splitlines(), players, name=args.predictions)
    signal.signal(signal.SIGTERM, asked_to_end)
    with state_folder(args.state) as state:
        sections: dict[str, dict[str, object]] = {
            "camera": {"kind": "folder", "folder": str(args.pictures.resolve())},
            "web": {"host": "127.0.0.1", "port": free_port(args.port) if args.web else 8080},
        }
        settings = write_settings(state, sections)
        with Household(settings, web=args.web) as household:
            begin_match(
                household,
                {
                    "command": "start-match",
                    "game": "scramble",
                    "players": [to_json(player) for player in players],
                    "house": [list(item) for item in house.items()],
                    "by": "play",
                },
            )
            lookout = Lookout(household.client, JournalReader(settings.journal))
            lookout.start()
            say = _quiet if args.json else _aloud
            typist = Typist(lines, players, say=say)
            table = Table(household.client, lookout, typist, say=say, tick=household.check)
            if args.web:
                say(f"Feltside: {household.address}  (Ctrl-C ends it)")
                table.watch(rounds=len(pictures))
            else:
                table.play(pictures)
            match = lookout.look()
    if args.json:
        print(json.dumps(match_json(match)))
    elif not table.told:
        print("\n".join(standing_lines(match)))
    return 0


def players_of(text: str) -> tuple[Player, ...]:
    """Return the players named in a text, from seat 1; the rules check the names themselves."""
    names = [name.strip() for name in text.split(",")]
    if not 2 <= len(names) <= 4:
        raise BadSettings(f"{len(names)} players (expected 2 to 4 names parted by commas), at --players")
    return tuple(Player(Seat(number), name) for number, name in enumerate(names, start=1))


def _aloud(text: str) -> None:
    print(text, flush=True)


def _quiet(text: str) -> None:
    """Say nothing: the JSON object at the end tells everything."""


def _ask(prompt: str) -> str:
    # The prompt is no result: it must not stand in a JSON that somebody reads from us.
    print(prompt, end="", file=sys.stderr, flush=True)
    return input()


@dataclass(slots=True)
class Typist:
    """Where predictions and answers come from: the lines of a file, or a person at the terminal."""

    lines: Sequence[Said] | None
    players: Sequence[Player]
    say: Callable[[str], None] = _aloud
    ask: Callable[[str], str] = _ask

    def round(self, number: int) -> Iterator[Said]:
        """Yield what is said for a round: a file's one line, or line after line that a person types."""
        if self.lines is not None:
            if number > len(self.lines):
                raise BadTyping(f"there are no predictions for round {number} (expected a line for each picture)")
            yield self.lines[number - 1]
            return
        names = ", ".join(player.name for player in self.players)
        while True:
            yield self.typed(f"Round {number}, lock-ins in order ({names}; empty line: reveal): ")

    def typed(self, prompt: str) -> Said:
        """Return a line that a person typed and that could be understood."""
        while True:
            try:
                return parse_line(self.ask(prompt), self.players)
            except BadTyping as no:
                print(f"feltside: {no}", file=sys.stderr)
            except EOFError:
                raise BadTyping("the typing ended before the match did") from None

    def answer(self, question: str) -> Said:
        """Return what a person says to the eye's question; a file has said everything already."""
        if self.lines is not None:
            raise BadTyping(f"{question} (expected an answer in the round's line)")
        return self.typed(f"{question}: ")


@dataclass(slots=True)
class Table:
    """Plays rounds at the table's doors."""

    client: TableClient
    lookout: Lookout
    typist: Typist
    say: Callable[[str], None] = _aloud
    tick: Callable[[], None] = lambda: None
    sleep: Callable[[float], None] = time.sleep
    told: int = 0
    """Rounds that were told."""

    def play(self, pictures: Sequence[Path]) -> None:
        """Play a round with each picture, until somebody has won."""
        for number, picture in enumerate(pictures, start=1):
            if self.lookout.look().outcome().over:
                return
            self.press(*NEXT_BUTTON)
            self._until(lambda n=number: len(self.lookout.rounds) >= n)  # type: ignore[misc]
            self.say(f"-- {picture.name}")
            self._round(number, picture)
            self._tell()

    def watch(self, *, rounds: int) -> None:
        """Tell rounds as they are revealed on the pages, until the pictures or the match are at an end."""
        try:
            while self.told < rounds and not self.lookout.match.outcome().over:
                self.lookout.until(lambda: len(self._revealed()) > self.told, patience_s=0.5, tick=self.tick)
                self._tell()
        except KeyboardInterrupt:
            return

    def press(self, seat: int, key: str) -> None:
        """Press a contact of the simulated board."""
        answer = self.client.ask({"press": {"seat": seat, "key": key}})
        if "ok" not in answer:
            raise BadSettings(str(answer.get("sentence") or answer.get("error")))

    def _round(self, number: int, picture: Path) -> None:
        for said in self.typist.round(number):
            self._lock_in(said.locks, number)
            if (
                not self._all_in()
                and (said.locks or said.tiles or said.as_read or said.total is not None)
                and not self._from_file()
            ):
                continue
            self._settle(number, picture, said)
            break

    def _lock_in(self, locks: Sequence[Lock], number: int) -> None:
        for lock in locks:
            for key in (*(k for k in DISKS if lock.prediction & k.worth), Key.LOCK):
                self.press(lock.seat, key.value)
            self.sleep(BETWEEN_LOCKS_S)
            inside = self._until(lambda s=lock.seat: s in self.lookout.rounds[number - 1].seats_in())  # type: ignore[misc]
            if not inside:
                self.say(f"Seat {lock.seat} is locked in already: a lock-in is final.")

    def _settle(self, number: int, picture: Path, said: Said) -> None:
        """See to it that the tray is known, with people's help if need be, and that the round is revealed."""
        self._await_reading(number)
        if self._current(number).tray is None and said.total is None:
            eye = self.lookout.status.get("eye", {})
            why = eye.get("words") or ", ".join((str(eye.get("status", "away")), *eye.get("problems", ())))
            said = self.typist.answer(f"The eye cannot read {picture.name} ({why}); how many runs? 'total N'")
        self._answer(number, said)
        while (doubts := self._current(number).doubts()) and not self._current(number).ruled:
            self._answer(number, self.typist.answer(_question(doubts[0])))
        while self._current(number).in_question() and not self._current(number).ruled:
            self._answer(number, self.typist.answer(_whole(self._current(number), picture.name)))
        if not self._until(lambda: self._current(number).revealed, patience_s=1.0):
            self._ask({"command": "reveal", "by": BY})
            self._until(lambda: self._current(number).revealed)

    def _await_reading(self, number: int) -> None:
        def read() -> bool:
            return self._current(number).tray is not None

        self._until(lambda: read() or self._eye() not in ("", "resting"), patience_s=START_S)
        self._until(read, patience_s=LOOK_S, unless=self._stuck)

    def _eye(self) -> str:
        return str(self.lookout.status.get("eye", {}).get("status", ""))

    def _answer(self, number: int, said: Said) -> None:
        for tile in said.tiles:
            self._correct(number, tile)
        current = self._current(number)
        if said.as_read and current.tray is not None and current.in_question():
            self._ask({"command": "confirm-tray", "round": number, "frame": current.tray.frame, "by": BY})
        if said.total is not None:
            self._ask({"command": "rule-total", "round": number, "total": said.total, "by": BY})

    def _correct(self, number: int, tile: Tile) -> None:
        where = {"row": tile.row, "column": tile.column, "symbol": tile.symbol}
        self._ask({"command": "correct-tile", "round": number, **where, "by": BY})

    def _ask(self, request: dict[str, object]) -> None:
        answer = self.client.ask(request)
        if sentence := answer.get("sentence") or answer.get("error"):
            self.say(str(sentence))
        self.lookout.look()

    def _until(
        self,
        holds: Callable[[], bool],
        *,
        patience_s: float = 3.0,
        unless: Callable[[], bool] = lambda: False,
    ) -> bool:
        self.lookout.until(lambda: holds() or unless(), patience_s=patience_s, tick=self.tick)
        return holds()

    def _stuck(self) -> bool:
        """Tell whether the table has turned the eye's settled reading down."""
        return bool(self.lookout.status.get("eye", {}).get("words"))

    def _current(self, number: int) -> Round:
        return self.lookout.rounds[number - 1]

    def _all_in(self) -> bool:
        current = self.lookout.open_round
        return current is None or set(current.seats_in()) == set(self.lookout.match.context.seats())

    def _from_file(self) -> bool:
        return self.typist.lines is not None

    def _revealed(self) -> tuple[Round, ...]:
        return tuple(played for played in self.lookout.rounds if played.revealed)

    def _tell(self) -> None:
        for played in self._revealed()[self.told :]:
            self.told += 1
            lines = [*round_lines(round_json(self.lookout.match, played)), *standing_lines(self.lookout.match)]
            self.say("\n".join(lines))


def _whole(played: Round, picture: str) -> str:
    why = " ".join(reasons(played.tray) if played.tray else ())
    return f"{picture}: {why} Does it lie as it was read? 'as read', 'tile ROW PLACE SYMBOL' or 'total N'"


def _question(tile: SeenTile) -> str:
    likely = " or ".join(f"{symbol} ({chance:.0%})" for symbol, chance in tile.likely) or tile.symbol
    place = f"{tile.row + 1} {tile.column + 1}"
    return f"The eye is not sure about row {tile.row + 1} place {tile.column + 1}: {likely}? 'tile {place} SYMBOL'"
