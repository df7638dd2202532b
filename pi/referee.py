"""The only writer: inbox -> decide -> journal -> apply -> lamps -> answer -> "look again".

Everything comes in order of its own time. Whatever arrives waits for `grace_ns` after its time before it is
acted on, so that an earlier edge that arrives later is still handled first: a digit before its LOCK, a LOCK
before the reveal that a tablet asked for. What comes later still is put in its place by its time where the
rules allow (the queue is ordered by `at_ns` until the reveal) and refused openly where they do not.

No threads, clocks, chance or files in here: all are arguments. `work` may be called at any time.
"""

from __future__ import annotations

import heapq
import logging
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Protocol

from pi.declined import Declined
from pi.errors import NewerJournal, NotWritten
from pi.inbox import Answer, Done, Envelope, Expect, Failed, Inbox, Status, Stop
from pi.journal import Record
from pi.lamps import FLASH_NS, Flash, Flashing, Lamps, flashed
from pi.pads import KEPT, Pads, recalled
from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.commands import Command
from pi.rules.events import Event
from pi.rules.match import NEW, Match, apply, decide, replay
from pi.rules.queueing import TIE_BOUND_NS, Key, PadMode, Press
from pi.rules.ruleset import Reason, Refused
from pi.rules.values import Seat
from pi.sense import Sense
from pi.sight import Sight
from pi.tryout import PART, Tryout, counts

LOG = logging.getLogger("feltside.referee")
IDLE_S = 0.5
"""The loop turns at least this often: staleness is noticed and the heartbeat beats."""
MOVED_ON = "The match has moved on since this page was shown; look again."


class Keeper(Protocol):
    """What the referee needs of `pi.journal.Journal`."""

    def latest(self) -> str | None:
        """Return the newest match's id."""

    def events(self, match: str) -> Sequence[Record]:
        """Return a match's events."""

    def append(
        self, match: str, events: Sequence[Event], *, at_ns: int, utc: str, words: Mapping[str, str] | None
    ) -> int:
        """Write events and keep words, synced; return the last seq."""

    def remember(self, words: Mapping[str, str]) -> None:
        """Keep words durably."""

    def recall(self, key: str) -> str | None:
        """Return a kept word."""

    @property
    def health(self) -> tuple[str, str]:
        """State and sentence for the status: where events go now."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What the referee uses of the world."""

    now_ns: Callable[[], int]
    """Journal time."""
    utc: Callable[[], str]
    """ISO 8601, for people."""
    nonce: Callable[[], str]
    """Fresh chance for a commitment."""
    show: Callable[[Lamps], None]
    """Lets the lamps show something."""
    publish: Callable[[Mapping[str, Any]], None]
    """Tells subscribers "look again"."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings the referee works by."""

    tie_bound_ns: int = TIE_BOUND_NS
    grace_ns: int = 0
    mode: PadMode = PadMode.KEYS


@dataclass(order=True, slots=True)
class _Waiting:
    at_ns: int
    number: int
    due_ns: int = field(compare=False)
    envelope: Envelope = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Step:
    """Where a command leads. Everything that could fail is in here already, before the commit: what is in
    the journal must fold and show again after every restart."""

    events: Sequence[Event]
    match: Match
    sight: Sight
    pads: Pads


class Referee:
    """Rules on whatever the inbox brings, for the newest match on record."""

    def __init__(self, journal: Keeper, *, ways: Ways, terms: Terms, sense: Sense) -> None:
        """Take up the newest match where the journal leaves it; lamps and subscribers are told at once."""
        self._journal, self._ways, self._terms, self._sense = journal, ways, terms, sense
        newest = journal.latest()
        records = journal.events(newest) if newest else ()
        self.match = replay(record.event for record in records)
        self.seq = records[-1].seq if records else 0
        if records and not self.match.started:
            raise NewerJournal(f"match {newest} is of a game unknown here: a newer Feltside wrote it")
        self._sight = Sight.of(self.match)
        self._pads = recalled(journal.recall(KEPT), self.match, mode=terms.mode)
        self._waiting: list[_Waiting] = []
        self._arrived = 0
        self._tryout = Tryout()
        self._declined = Declined()
        self._flashes: tuple[Flashing, ...] = ()
        self._shown: Lamps | None = None
        self._told: Mapping[str, Any] | None = None
        self._stopped = False
        self._refresh(ways.now_ns())

    @property
    def heard_ns(self) -> int | None:
        """Journal time of the watcher's last word; None before its first."""
        return self._sense.heard_ns

    @property
    def round(self) -> int | None:
        """Number of the open round; None between rounds."""
        number: int | None = getattr(self._current, "number", None)
        return number

    @property
    def _idle(self) -> bool:
        """Whether no match is played: then, and only then, buttons and eye may be tried."""
        return not self.match.started or bool(self._sight.news["over"])

    @property
    def _current(self) -> Any:
        # Every game whose state has an open question calls it `current`.
        return getattr(self.match.state, "current", None)

    def run(self, inbox: Inbox, *, heartbeat: Callable[[], None] = lambda: None) -> None:
        """Rule until a Stop arrives. heartbeat: called in every turn of the loop, at least every `IDLE_S`."""
        while not self._stopped:
            first = inbox.take(timeout_s=self.wait_s(self._ways.now_ns()))
            for envelope in (*([first] if first else []), *_backlog(inbox)):
                self.receive(envelope)
            self.work()
            heartbeat()

    def receive(self, envelope: Envelope) -> None:
        """Take an envelope in; it is acted on by `work` when its time has come."""
        match envelope.item:
            case Stop():
                self._stopped = True
            case Status(part=part):
                self._try_out(part.get(PART))
                self._sense = self._sense.told({k: v for k, v in part.items() if k != PART}, at_ns=envelope.at_ns)
            case _:
                self._arrived += 1
                # A stamp from the future must not wait for the future: what has arrived has happened.
                due_ns = min(envelope.at_ns, self._ways.now_ns()) + self._terms.grace_ns
                heapq.heappush(self._waiting, _Waiting(envelope.at_ns, self._arrived, due_ns, envelope))

    def work(self) -> None:
        """Act on everything whose time has come, in order of that time; then lamps and news."""
        now_ns = self._ways.now_ns()
        while self._waiting and (self._stopped or self._waiting[0].due_ns <= now_ns):
            self._handle(heapq.heappop(self._waiting).envelope)
        self._refresh(self._ways.now_ns())

    def wait_s(self, now_ns: int) -> float:
        """Return for how long nothing will be due, in seconds."""
        moments = [flashing.until_ns for flashing in self._flashes]
        if self._waiting:
            moments.append(self._waiting[0].due_ns)
        return min([IDLE_S, *(max(0, moment - now_ns) / 1e9 for moment in moments)])

    # -- one thing at a time --------------------------------------------------------------------------

    def _handle(self, envelope: Envelope) -> None:
        item = envelope.item
        if isinstance(item, Press):
            self._press(item)
            return
        self._answer(envelope, lambda: self._moved_on(envelope.expect) or self._command(item))

    def _answer(self, envelope: Envelope, rule: Callable[[], Answer]) -> None:
        reply = envelope.reply or (lambda answer: None)
        try:
            answer = rule()
        except BaseException:
            # We do not know what is on disk: say so, and let the next start read it.
            reply(Failed("The journal failed; the table starts again and shows what counts."))
            raise
        try:
            self._refresh(self._ways.now_ns())
        finally:
            reply(answer)

    def _moved_on(self, expect: Expect | None) -> Refused | None:
        """Decline what was meant for an older state: an undo asked for on two tablets takes one step back."""
        if expect is None or (expect.seq == self.seq and expect.match in (None, self.match.id)):
            return None
        LOG.info("a command for seq %d declined at seq %d", expect.seq, self.seq)
        return Refused(Reason.MOVED_ON, MOVED_ON)

    def _try_out(self, what: object) -> None:
        if what is None or not self._idle:
            return
        self._tryout = self._tryout.asked(what, now_ns=self._ways.now_ns())
        if what == {"do": "lamps"}:
            self._flash(Flash.TRIED, None)

    def _press(self, press: Press) -> None:
        if self._idle:
            self._tryout = self._tryout.pressed(press, mode=self._terms.mode)
            if press.key.worth and counts(press, mode=self._terms.mode):
                self._flash(Flash.TRIED, press.seat)
        if press.key is Key.LOCK and press.closed:
            self._lock(press)
        elif press.key is Key.NEXT and press.closed:
            self._flash_if_refused(self._command(ask.Next(press.at_ns, by="panel")), None)
        elif press.key.worth:
            self._keep(self._pads.pressed(press), press.seat)

    def _lock(self, press: Press) -> None:
        lock = ask.LockIn(
            press.seat,
            self._pads.prediction(press.seat, at_ns=press.at_ns),
            press.at_ns,
            self._ways.nonce(),
            self._terms.tie_bound_ns,
        )
        self._flash_if_refused(self._command(lock), press.seat)

    def _flash_if_refused(self, answer: Answer, seat: Seat | None) -> None:
        if not isinstance(answer, Done):
            self._flash(Flash.REFUSED, seat)
        self._refresh(self._ways.now_ns())

    def _keep(self, pads: Pads, seat: Seat) -> None:
        """Let a press count once it is on disk; one that cannot be kept is refused, visibly."""
        if pads == self._pads:
            return
        try:
            if self._terms.mode is PadMode.KEYS:
                self._journal.remember({KEPT: pads.text()})
        except NotWritten as no:
            self._ailing(no)
            self._flash(Flash.REFUSED, seat)
            return
        self._pads = pads

    def _command(self, command: Command) -> Answer:
        try:
            step = self._ruled(command)
        except Exception as no:
            # decide, apply and lamps are pure, so nothing has happened yet. Its text may tell a secret.
            LOG.error("%s could not be ruled on: %s", type(command).__name__, trail(no))
            return Failed("This could not be ruled on; nothing has changed.")
        if isinstance(step, Refused):
            LOG.info("%s refused: %s", type(command).__name__, step.reason.value)
            self._hear(command, taken=False)
            return step
        answer = self._take_down(step)
        self._hear(command, taken=isinstance(answer, Done))
        return answer

    def _hear(self, command: Command, *, taken: bool) -> None:
        """Keep what people should hear of the latest reading; to say it is worth no evening."""
        try:
            self._declined = self._declined.after(command, taken=taken, match=self.match)
        except Exception as no:
            LOG.error("what was declined could not be told: %s", trail(no))
            self._declined = Declined()

    def _ruled(self, command: Command) -> _Step | Refused:
        """Return the step that follows from a command, or a refusal; changes nothing."""
        before = self.match
        if isinstance(command, ask.StartMatch):
            if before.started and not before.outcome().over:
                return Refused(Reason.MATCH_RUNNING, "A match is running; end it before the next.")
            before = NEW
        ruling = decide(before, command)
        if isinstance(ruling, Refused):
            return ruling
        after = reduce(apply, ruling, before)
        return _Step(ruling, after, Sight.of(after), self._pads.following(after))

    def _take_down(self, step: _Step) -> Answer:
        match = step.match
        if not step.events:
            return Done(match.id, self.seq)
        words = {KEPT: step.pads.text()} if step.pads != self._pads else {}
        at_ns, utc = self._ways.now_ns(), self._ways.utc()
        try:
            seq = self._journal.append(match.id, step.events, at_ns=at_ns, utc=utc, words=words)
        except NotWritten as no:
            self._ailing(no)
            return Failed(f"This was not taken down and does not count: {no}.")
        self.match, self.seq, self._pads, self._sight = match, seq, step.pads, step.sight
        self._sense = self._sense.journal_is(*self._journal.health)
        if not self._idle:
            self._tryout = Tryout()
        for event in step.events:
            self._flash_for(event)
        LOG.info("match %s, seq %d: %s", match.id, seq, ", ".join(type(e).__name__ for e in step.events))
        return Done(match.id, seq)

    def _ailing(self, no: NotWritten) -> None:
        LOG.error("not written: %s", no)
        self._sense = self._sense.journal_is("failing", f"Nothing can be taken down: {no}.")

    # -- what is seen ---------------------------------------------------------------------------------

    def _flash_for(self, event: Event) -> None:
        if isinstance(event, happened.LockedIn):
            self._flash(Flash.ACCEPTED, event.seat)
        elif isinstance(event, happened.Revealed):
            self._flash(Flash.REVEALED, None)

    def _flash(self, flash: Flash, seat: Seat | None) -> None:
        until_ns = self._ways.now_ns() + FLASH_NS[flash]
        self._flashes = (*self._flashes, Flashing(flash, until_ns, seat))

    def _refresh(self, now_ns: int) -> None:
        """Bring lamps and subscribers up to date; does nothing when nothing changed."""
        self._flashes = tuple(f for f in self._flashes if f.until_ns > now_ns)
        shown = flashed(self._sight.lamps, self._flashes)
        if shown != self._shown:
            self._ways.show(shown)
            self._shown = shown
        news = self._news(now_ns)
        if news != self._told:
            self._ways.publish(news)
            self._told = news

    def _news(self, now_ns: int) -> Mapping[str, Any]:
        at = {"match": self.match.id or None, "seq": self.seq}
        tried = self._tryout.status(now_ns) if self._idle else {}
        status = {**self._sense.status(now_ns), **tried, **at}
        if self._declined.reading is not None and status.get("eye", {}).get("words"):
            # What the eye was answered may not hold any more: people have typed the tile in, or taken a step back.
            status["eye"] = {**status["eye"], "words": self._declined.words}
        return {**at, "status": status, **self._sight.news}


def _backlog(inbox: Inbox) -> Iterator[Envelope]:
    """Yield what is in the inbox already, so that all of it is put in order before any is acted on."""
    while (envelope := inbox.take(timeout_s=0)) is not None:
        yield envelope


def trail(error: BaseException) -> str:
    """Return what kind of error it was and where, without its text."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at " + " < ".join(f"{f.name}:{f.lineno}" for f in reversed(frames))
