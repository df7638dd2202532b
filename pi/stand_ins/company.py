"""Computer players at the table: they follow the match from outside and knock at the same door as everybody.

A player whose name begins with "Computer" is one: that stands in the journal and on the scoreboard, so
nobody plays against a machine unawares. `python -m pi.stand_ins.company` is the table's child process, started once
such a player sits down; the demo uses the same class for all its simulated players.
"""

from __future__ import annotations

import argparse
import logging
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from pi.children import die_with_parent
from pi.errors import FeltsideError, TableAway
from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.opponents.arena import step
from pi.opponents.player import Choose
from pi.opponents.registry import computers_of, opponent
from pi.rescue import rescued
from pi.rules import commands as ask
from pi.rules.commands import Command
from pi.rules.match import Match
from pi.rules.turns import turns
from pi.rules.values import Seat
from pi.stand_ins import solitaire
from pi.stand_ins.lookout import Lookout

LOG = logging.getLogger("feltside.company")
PACE_S = 2.5
"""Before a computer player acts, so that people see what happens."""
UNSEEN_S = 60.0
"""Before a move is typed in that the eye has not come to an end with: a machine may be slow, or a hand in the way."""
ROLLS = ("Roll",)
"""Commands that are dice: with a camera over them people roll for the computer."""


class Tray(Protocol):
    """The simulated tray, on which simulated people lay what they have decided."""

    def lay(self, match: Match, command: Command) -> bool:
        """Lay what a command says; False when that is nothing for the tray."""


class Company:
    """Plays the seats it is told to, until told that it is enough."""

    def __init__(
        self,
        client: TableClient,
        journal: JournalReader,
        *,
        seats: Callable[[Match], Sequence[Seat]],
        seed: str,
        pace_s: float = PACE_S,
        opens: bool = False,
        by_match: bool = True,
        tray: Tray | None = None,
        by_hand_s: float = 45.0,
        patience_s: float = 0.0,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep what is needed.

        seats: match -> those it plays. opens: it presses NEXT between rounds as well. tray: where moves are
        laid for the camera to read; one that has not been read after `by_hand_s` is typed in.
        """
        self._client, self._seats, self._seed, self._tray = client, seats, seed, tray
        self._pace_s, self._opens, self._by_match, self._by_hand_s = pace_s, opens, by_match, by_hand_s
        self._lookout = Lookout(client, journal, patience_s=patience_s, monotonic_s=monotonic_s)
        self._monotonic_s = monotonic_s
        self._due: tuple[float, Command] | None = None
        self._at: tuple[str, int] = ("", -1)
        self._laid = False
        self._laid_s = 0.0
        self.by_hand = 0
        """How many moves were typed in because the eye did not read them."""

    @property
    def match(self) -> Match:
        """The match as last looked at."""
        return self._lookout.match

    def run(self, *, enough: Callable[[Match], bool], tick: Callable[[], None] = lambda: None) -> Match:
        """Play until `enough` says so; returns the match as it then stands. Raises TableAway."""
        self._lookout.start()
        while True:
            left_s = self._due[0] - self._monotonic_s() if self._due else 0.5
            news = self._lookout.wait(min(0.5, left_s))
            tick()
            if news:
                self._think()
                if enough(self.match):
                    return self.match
            if self._due and self._due[0] <= self._monotonic_s():
                self._act(self._due[1])

    def look(self) -> Match:
        """Look at the match again, as it stands in the journal."""
        return self._lookout.look()

    def _think(self) -> None:
        """Decide once for each state of the match; what was decided for an older one is dropped."""
        at = self.match.id, len(self.match.history)
        if at == self._at:
            return
        self._at, self._due, self._laid = at, None, False
        if not self.match.started or self.match.held is not None or self.match.outcome().over:
            return
        command = self._answered() or self._chosen()
        if command is not None:
            self._due = self._monotonic_s() + self._pace_s, command

    def _chosen(self) -> Command | None:
        match, found = self.match, opponent(self.match.game)
        if found is None:
            return None if self._tray is None else solitaire.next_move(match)
        own = tuple(self._seats(match))
        key = f"{self._seed}/{match.id if self._by_match else ''}"
        choosers: dict[Seat, Choose] = {s: found.choose if s in own else _waits for s in match.context.seats()}
        # By the turns alone: whether the eye asked on the way changes no game.
        chance = random.Random(f"{key}/{len(turns(match))}")
        if self._tray is None and found.at_table is not None:
            watched = self._camera_there()
            asks = (found.at_table(match.context, match.state, seat, chance, key, watched) for seat in own)
            return next((command for command in asks if command is not None), None)
        command = step(match, choosers, chance, key=key)
        if isinstance(command, ask.Next) and not (self._opens and getattr(match.state, "current", None) is None):
            return None
        if type(command).__name__ in ROLLS and self._tray is None and self._eye_sees_dice():
            return None
        return command

    def _answered(self) -> Command | None:
        """Return the answer to the eye's question, where simulated people know what they laid."""
        current = getattr(self.match.state, "current", None)
        asked = bool(getattr(current, "doubts", tuple)() or getattr(current, "in_question", bool)())
        if self._tray is None or current is None or not asked:
            return None
        answer: Callable[[Match], Command | None] = getattr(self._tray, "answer", lambda match: None)
        return answer(self.match)

    def _eye_sees_dice(self) -> bool:
        return self.match.expects() == "dice" and self._camera_sees()

    def _camera_sees(self) -> bool:
        camera: Any = self._lookout.status.get("camera")
        return isinstance(camera, dict) and camera.get("state") == "ok"

    def _camera_there(self) -> bool:
        """Tell whether there is a camera at all: while one only starts or rests, people lay what it will see."""
        camera: Any = self._lookout.status.get("camera")
        return not (isinstance(camera, dict) and camera.get("state") == "none")

    def _eye_doubts(self) -> bool:
        """Tell whether the eye has looked and is not sure; one that has said nothing of itself is not waited for."""
        eye: Any = self._lookout.status.get("eye")
        return not isinstance(eye, dict) or eye.get("status") == "unsure"

    def _act(self, command: Command) -> None:
        self._due = None
        if self._tray is not None and not self._laid and self._tray.lay(self.match, command):
            self._laid, self._laid_s = True, self._monotonic_s()
            self._due = self._laid_s + self._by_hand_s, command
            return
        if self._laid and not self._eye_doubts() and self._monotonic_s() - self._laid_s < UNSEEN_S:
            self._due = self._monotonic_s() + 1.0, command
            return
        self.by_hand += self._laid
        try:
            answer = self._client.ask(_wire(command))
        except TableAway as no:
            LOG.info("again later: %s", no)
            self._due = self._monotonic_s() + 1.0, command
            return
        if "ok" not in answer:
            LOG.warning("%s", answer.get("sentence") or answer.get("error"))


def _waits(*_: object) -> None:
    """Leave the turn to people."""


def _wire(command: Command) -> dict[str, Any]:
    data = ask.encode(command)
    if isinstance(command, ask.Next):
        del data["at_ns"]  # the door stamps it
    return data


def main(argv: Sequence[str] | None = None) -> int:
    """Play the computer's seats until told to stop; the table's child process."""
    die_with_parent()
    parser = argparse.ArgumentParser(
        prog="python -m pi.stand_ins.company", description="Computer players at the table."
    )
    parser.add_argument("--config", type=Path, help="the settings file")
    parser.add_argument("--state", type=Path, help="the state folder")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which then ends us
    try:
        settings = rescued(args.config, state=args.state)  # in safe mode they play on, too
        client, journal = TableClient(settings.socket), JournalReader(settings.journal)
        seed = str(random.SystemRandom().getrandbits(64))
        Company(client, journal, seats=computers_of, seed=seed).run(enough=lambda match: False)
    except FeltsideError as no:
        print(f"feltside company: {no}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
