"""An evening with simulated people: players who press their pads, and a table that goes on and answers.

They know what the simulator has laid (they see the tray), never what the eye has read; they knock at the
same doors as everybody: pads through the simulated board, answers through the table's socket.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pi.errors import TableAway
from pi.inbox import TableClient
from pi.journal import JournalReader
from pi.rules.events import SeenTile
from pi.rules.games.scramble_books import Round
from pi.rules.match import Match
from pi.rules.queueing import Key
from pi.rules.values import Seat
from pi.stand_ins.fingers import NEXT_BUTTON
from pi.stand_ins.lookout import Lookout
from pi.stand_ins.players import Planned, plan, true_totals
from pi.stand_ins.shuffle import Dealt, deal

LOG = logging.getLogger("feltside.evening")
BY = "simulated table"
PLAYED = "scramble"
"""The game that simulated players know; at any other they leave the pads to people."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How long simulated people take, in seconds."""

    laying: float = 5.0
    """Until the tiles lie face up."""
    thinking: float = 1.0
    """Factor on the players' own pace."""
    between_locks: float = 0.0
    """At least this long between two seats' LOCKs; keeps the queue's order beyond doubt."""
    between_keys: float = 0.15
    answer: float = 12.0
    """Before the table answers the eye's question itself."""
    by_hand: float = 60.0
    """Before the table counts a tray by hand that the eye does not read at all."""
    after_round: float = 9.0
    """Between a reveal and NEXT."""


CALM = Manners()
BRISK = Manners(laying=0, thinking=0, between_locks=0.01, between_keys=0, answer=0, by_hand=60, after_round=0)


@dataclass(order=True, slots=True)
class _Due:
    at_s: float
    number: int
    act: Callable[[], None] = field(compare=False)


class Evening:
    """Plays the simulated seats of whatever match is current, until told that it is enough."""

    def __init__(
        self,
        client: TableClient,
        journal: JournalReader,
        *,
        seed: int,
        by_match: bool,
        manners: Manners = CALM,
        people: Sequence[Seat] = (),
        patience_s: float = 0.0,
        monotonic_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Keep what is needed. people: seats that no simulated player plays. patience_s: see `Lookout`."""
        self._client, self._seed, self._by_match = client, seed, by_match
        self._manners, self._people = manners, frozenset(people)
        self._monotonic_s, self._sleep = monotonic_s, sleep
        self._lookout = Lookout(client, journal, patience_s=patience_s, monotonic_s=monotonic_s)
        self._todo: list[_Due] = []
        self._numbers = itertools.count()
        self._arranged: set[tuple[object, ...]] = set()
        self._watched: dict[tuple[str, int], bool] = {}
        """Rounds seen open -> whether any simulated player locked in."""

    @property
    def match(self) -> Match:
        """The match as last looked at."""
        return self._lookout.match

    def run(self, *, enough: Callable[[Match], bool], tick: Callable[[], None] = lambda: None) -> Match:
        """Play until `enough` says so; returns the match as it then stands.

        tick: called at least twice a second, e.g. to see that every process is alive. Raises TableAway.
        """
        self._lookout.start()
        while True:
            wait_s = self._todo[0].at_s - self._monotonic_s() if self._todo else 0.5
            news = self._lookout.wait(min(0.5, wait_s))
            tick()
            if news:
                self._arrange_all()
                if enough(self.match):
                    return self.match
            for due in self._ripe():
                self._do(due)

    def look(self) -> Match:
        """Look at the match again, as it stands in the journal."""
        return self._lookout.look()

    def _do(self, due: _Due) -> None:
        try:
            due.act()
        except TableAway as no:
            # The lookout knows for how long a table may be away; people simply try again.
            LOG.info("again later: %s", no)
            heapq.heappush(self._todo, replace(due, at_s=self._monotonic_s() + 1.0))

    def _ripe(self) -> Iterator[_Due]:
        while self._todo and self._todo[0].at_s <= self._monotonic_s():
            yield heapq.heappop(self._todo)

    # -- what there is to do --------------------------------------------------------------------------

    def _arrange_all(self) -> None:
        """Arrange what follows from how the match stands, once for each occasion."""
        rounds = self._lookout.rounds
        if self.match.game != PLAYED or self.match.outcome().over or self.match.held is not None:
            return
        if not rounds or rounds[-1].revealed:
            number = len(rounds)
            if self._all_by_people(number):
                return  # who plays by themselves also says when they have seen enough
            self._arrange("next", number, after_s=self._manners.after_round, act=lambda: self._press_next(number))
            return
        current = rounds[-1]
        self._watched.setdefault((self.match.id, current.number), False)
        dealt = self._dealt(current)
        if dealt is None:
            return
        self._arrange_players(current, dealt)
        if current.doubts() or current.in_question():
            self._arrange(
                "doubts",
                current.number,
                current.doubts(),
                current.tray and current.in_question() and current.tray.frame,
                after_s=self._manners.answer,
                act=lambda: self._answer(dealt),
            )
        if set(self.match.context.seats()) <= self._people:
            return  # who plays by themselves also counts by hand when the eye takes too long for them
        self._arrange(
            "by-hand", current.number, after_s=self._manners.by_hand, act=lambda: self._count_by_hand(current, dealt)
        )

    def _all_by_people(self, number: int) -> bool:
        """Tell whether people play every seat, or took over every pad in a round that we saw from its start."""
        if set(self.match.context.seats()) <= self._people:
            return True
        return self._watched.get((self.match.id, number)) is False

    def _arrange(self, *occasion: object, after_s: float, act: Callable[[], None]) -> None:
        occasion = (self.match.id, *occasion)
        if occasion in self._arranged:
            return
        self._arranged.add(occasion)
        heapq.heappush(self._todo, _Due(self._monotonic_s() + after_s, next(self._numbers), act))

    def _arrange_players(self, current: Round, dealt: Dealt) -> None:
        seats = [seat for seat in self.match.context.seats() if seat not in self._people]
        totals = true_totals(dealt, house=self.match.context.house)
        match = self.match.id if self._by_match else ""
        at_s = 0.0
        for planned in plan(totals, seats, seed=self._seed, match=match, round=current.number):
            wanted = self._manners.laying + self._manners.thinking * planned.after_s
            at_s = max(wanted, at_s + self._manners.between_locks)
            press = self._presses(current, planned)
            # Opened anew after an undo, a round is played anew.
            self._arrange("play", current.number, current.opened_ns, planned.seat, after_s=at_s, act=press)

    def _dealt(self, current: Round) -> Dealt | None:
        expects = self.match.ruleset.expects(self.match.context, self.match.state)
        match = self.match.id if self._by_match else ""
        return deal(expects, seed=self._seed, match=match, round=current.number) if expects else None

    # -- what people do -------------------------------------------------------------------------------

    def _presses(self, current: Round, planned: Planned) -> Callable[[], None]:
        def press() -> None:
            now = self._lookout.open_round
            if now is None or now.opened_ns != current.opened_ns or planned.seat in now.seats_in():
                return
            for key in planned.presses():
                if not self._press(planned.seat, key):
                    return
                if key is Key.LOCK:
                    self._watched[self.match.id, current.number] = True
                self._sleep(self._manners.between_locks if key is Key.LOCK else self._manners.between_keys)

        return press

    def _press(self, seat: int, key: Key) -> bool:
        answer = self._client.ask({"press": {"seat": seat, "key": key.value, "simulated": True}})
        return "ok" in answer

    def _press_next(self, number: int) -> None:
        """Go on after round `number`, unless somebody has done so already."""
        rounds = self._lookout.rounds
        if len(rounds) == number and self._lookout.open_round is None and self.match.held is None:
            seat, key = NEXT_BUTTON
            self._press(seat, Key(key))

    def _answer(self, dealt: Dealt) -> None:
        """Say what lies where the eye is not sure: the table sees it."""
        current = self._lookout.open_round
        if current is None or self.match.held is not None:
            return
        for tile in current.doubts():
            self._say(current, tile, symbol_at(dealt, tile.row, tile.column))
        if current.tray is None or not current.in_question():
            return
        # Asked whether all lies as it was read, people look at each tile.
        for tile in current.tray.tiles:
            if tile.sure and tile.symbol != (shown := symbol_at(dealt, tile.row, tile.column)):
                self._say(current, tile, shown)
        self._client.ask({"command": "confirm-tray", "round": current.number, "frame": current.tray.frame, "by": BY})

    def _say(self, current: Round, tile: SeenTile, symbol: str) -> None:
        where = {"round": current.number, "row": tile.row, "column": tile.column}
        self._client.ask({"command": "correct-tile", **where, "symbol": symbol, "by": BY})

    def _count_by_hand(self, opened: Round, dealt: Dealt) -> None:
        current = self._lookout.open_round
        if current is None or current.opened_ns != opened.opened_ns or current.complete():
            return
        total = max(true_totals(dealt, house=self.match.context.house))
        LOG.warning("round %d is counted by hand: the eye did not read it", current.number)
        self._client.ask({"command": "rule-total", "round": current.number, "total": total, "by": BY})


def symbol_at(dealt: Dealt, row: int, column: int) -> str:
    """Return what was dealt to a cell, columns counted in the widest row."""
    symbols = dealt.symbols()
    return symbols[row][column - (max(len(r) for r in symbols) - len(symbols[row])) // 2]
