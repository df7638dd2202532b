"""A referee on a bench: a journal in a temporary folder, a clock that is turned by hand, and ears."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi.inbox import Answer, Envelope
from pi.journal import Journal
from pi.lamps import Lamp, Lamps, Pattern
from pi.referee import Referee, Terms, Ways
from pi.rules import commands as ask
from pi.rules.match import Match, replay
from pi.rules.queueing import Key, PadMode, Press
from pi.rules.values import Seat
from pi.sense import Sense
from tests import builders

MS = 1_000_000
NONCE = "0123456789abcdef" * 2


@dataclass
class HandClock:
    """Journal time, moved by the test."""

    ns: int = builders.SECOND

    def now_ns(self) -> int:
        return self.ns


@dataclass
class Bench:
    """A referee and everything it touched, in order."""

    journal: Any
    clock: HandClock = field(default_factory=HandClock)
    terms: Terms = field(default_factory=Terms)
    shown: list[Lamps] = field(default_factory=list)
    news: list[Mapping[str, Any]] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    """What happened in which order: 'lamps', 'answer', 'news'."""

    def __post_init__(self) -> None:
        ways = Ways(self.clock.now_ns, lambda: "2026-11-21T19:30:45.000Z", lambda: NONCE, self._show, self._tell)
        self.referee = Referee(self.journal, ways=ways, terms=self.terms, sense=Sense(since_ns=self.clock.ns))

    def _show(self, lamps: Lamps) -> None:
        self.order.append("lamps")
        self.shown.append(lamps)

    def _tell(self, news: Mapping[str, Any]) -> None:
        self.order.append("news")
        self.news.append(news)

    @property
    def match(self) -> Match:
        return self.referee.match

    def lamp(self, lamp: Lamp) -> Pattern:
        return self.shown[-1][lamp]

    def give(self, item: Any, *, at_ns: int | None = None) -> list[Answer]:
        """Hand something in now; returns the list that will hold its answer."""
        answers: list[Answer] = []

        def reply(answer: Answer) -> None:
            self.order.append("answer")
            answers.append(answer)

        moment = getattr(item, "at_ns", self.clock.ns) if at_ns is None else at_ns
        self.referee.receive(Envelope(item, moment, reply))
        return answers

    def ask(self, item: Any) -> Answer:
        """Hand something in, let the grace pass, and return the answer."""
        answers = self.give(item)
        self.pass_ms(self.terms.grace_ns / MS)
        return answers[0]

    def pass_ms(self, ms: float) -> None:
        """Let time go by and the referee work."""
        self.clock.ns += round(ms * MS)
        self.referee.work()

    def press(self, seat: int, *keys: str, closed: bool = True) -> None:
        """Press keys one after the other, a millisecond apart, and let the referee work."""
        for key in keys:
            self.clock.ns += MS
            self.give(press(seat, key, at_ns=self.clock.ns, closed=closed))
        self.pass_ms(self.terms.grace_ns / MS)

    def start(self, *names: str, **house: Any) -> None:
        """Start a match and open its first round."""
        self.ask(builders.start(*names, **house))
        self.next()

    def next(self) -> None:
        """Press NEXT."""
        self.press(0, "next")

    def replayed(self) -> Match:
        """Return the match as the journal has it."""
        newest = self.journal.latest()
        return replay(record.event for record in self.journal.events(newest)) if newest else Match()


def press(seat: int, key: str, *, at_ns: int, closed: bool = True) -> Press:
    """Return a press."""
    return Press(Seat(seat), Key(key), at_ns, closed)


def bench(folder: Path, *, grace_ms: float = 0, mode: PadMode = PadMode.KEYS) -> Bench:
    """Return a bench on the journal in a folder, which is made when it is not there."""
    journal = Journal(folder / "feltside.sqlite")
    clock = HandClock(journal.last_at_ns() + builders.SECOND)
    return Bench(journal, clock, Terms(grace_ns=round(grace_ms * MS), mode=mode))


def names(events: Sequence[Any]) -> list[str]:
    """Return the kinds of events."""
    return [type(event).__name__ for event in events]


RULED = ask.RuleTotal(1, 3)
