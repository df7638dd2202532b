"""The table's process: referee, panel and door as threads, the watcher as a child. Nothing here limps.

Whatever thread fails, the program ends with a status other than zero and is started again (by systemd); the
journal makes that a matter of a second and loses nothing.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from pi.children import Child
from pi.clock import TableClock, this_boot, utc_text
from pi.door import Door
from pi.errors import BadMessage, BadSettings, FeltsideError, HardwareMissing, TableRunning
from pi.inbox import Inbox, Status, Stop
from pi.lamps import Lamp, Pattern
from pi.notify import Notifier
from pi.opponents.registry import computers_of
from pi.referee import Referee, Terms, Ways, trail
from pi.rescue import settings_of_service
from pi.rules.queueing import Press
from pi.sense import Sense
from pi.settings import CameraKind, PanelKind, PanelSettings, Settings
from pi.settings import simulated as as_simulated
from pi.spare import Keeping
from pi.stamps import Stamps, new_nonce
from pi.thin import thin
from pi.turns import Turns

LOG = logging.getLogger("feltside.table")
TICK_S = 0.25
NEVER_NS = 1 << 62
LATE_S = 15.0
"""A loop that has not turned for this long is late: the watchdog is fed no more until it turns."""
HUNG_S = 60.0
"""One that has not turned for this long hangs (a slow card syncs in a second or two): the program ends."""
PARTING_S = 2.0
SAFE = (
    "Safe mode: {}. Buttons, lamps and camera are off; play goes on by hand and with phones, and nothing is lost. "
    "Put the settings right and start the table anew."
)
"""What every page says while the settings do not hold."""


class PanelLike(Protocol):
    """What the table needs of `pi.panel.Panel`."""

    def show(self, lamps: Mapping[Lamp, Pattern]) -> None:
        """Let each lamp do what it says."""

    def status(self) -> Mapping[str, Any]:
        """Return how the board is, secret-free."""


class PanelFactory(Protocol):
    """Makes the panel, e.g. `pi.panel.Panel` itself."""

    def __call__(
        self, settings: PanelSettings, put: Callable[[Press], None], /, *, clock: TableClock
    ) -> AbstractContextManager[PanelLike]:
        """Return a panel to be entered; HardwareMissing then means that the table plays without."""


class FingersLike(Protocol):
    """What a simulated table needs of `pi.stand_ins.fingers.Fingers`."""

    def press(
        self, *, seat: int, key: str, closed: bool | None, simulated: bool, round: int | None
    ) -> Mapping[str, Any]:
        """Press a pad's contact and say so as the door does."""


@dataclass(frozen=True, slots=True)
class Fittings:
    """What is mounted at this table besides its settings."""

    panel: PanelFactory | None = None
    """None: no board of buttons."""
    fingers: FingersLike | None = None
    """Presses mock pins in a simulation; None at a real table."""
    watcher: Sequence[str] | None = None
    """The command that starts the watcher; None: no camera."""
    company: Sequence[str] | None = None
    """The command that starts the computer players; None: nobody sits down but people."""


class Table:
    """A table at work: `run` until somebody calls `stop`, or until a part fails."""

    def __init__(
        self,
        settings: Settings,
        *,
        fittings: Fittings | None = None,
        ready: Callable[[], None] = lambda: None,
        heartbeat: Callable[[], None] = lambda: None,
    ) -> None:
        """Keep what is needed; nothing is opened yet.

        ready: called once the door is open. heartbeat: called at every turn of the referee's loop, on its
        thread: the place to feed a watchdog.
        """
        self._settings, self._fittings = settings, fittings or Fittings()
        self._ready, self._heartbeat = ready, heartbeat
        self._ends: SimpleQueue[BaseException | None] = SimpleQueue()
        self._inbox = Inbox()
        self._turns = Turns()
        self._referee: Referee | None = None
        self._journal: Keeping | None = None
        self._kept: tuple[str, str] | None = None

    def stop(self) -> None:
        """Ask the table to come to an end; callable from any thread and from signal handlers."""
        self._ends.put(None)

    def run(self) -> int:
        """Work until stopped (returns 0) or until a part fails (returns 1).

        Raises TableRunning, JournalDamaged, NewerJournal or BadSettings before anything has begun.
        """
        with ExitStack() as house:
            house.enter_context(only_table(self._settings.state))
            journal = self._journal = Keeping(
                self._settings.journal, spare=self._settings.spare, thin=partial(thin, self._settings.evidence)
            )
            clock = TableClock.recalled(journal, boot_id=this_boot())
            door = house.enter_context(self._door(clock))
            panel = self._panel(house, clock)
            self._own_up()
            self._referee = self._new_referee(journal, clock, door, panel)
            house.enter_context(self._deadly_threads())
            referee = self._thread("referee", self._rule)
            doorkeeper = self._thread("door", partial(door.run, turned=partial(self._turns.turn, "door")))
            self._ready()
            failed = self._look_after(panel, clock)
            self._inbox.put(Stop())
            referee.join(PARTING_S)
            door.stop()
            doorkeeper.join(PARTING_S)
            if not referee.is_alive():
                journal.close()
        return 1 if failed else 0

    # -- building -------------------------------------------------------------------------------------

    def _door(self, clock: TableClock) -> Door:
        stamps = Stamps(clock, self._settings.table.phone_bound_ns)
        press = self._press if self._fittings.fingers else None
        return Door(self._settings.socket, self._inbox, stamps=stamps, press=press)

    def _own_up(self) -> None:
        """Say on every page that the settings do not hold, and where."""
        if fault := self._settings.fault:
            LOG.error("safe mode: %s", fault)
            self._inbox.put(Status({"settings": {"state": "safe mode", "words": SAFE.format(fault)}}))

    def _panel(self, house: ExitStack, clock: TableClock) -> PanelLike | None:
        if self._fittings.panel is None:
            return None
        try:
            made = self._fittings.panel(self._settings.panel, self._inbox.put, clock=clock)
            return house.enter_context(made)
        except HardwareMissing as no:
            LOG.error("the board of buttons is not there: %s", no)
            self._inbox.put(Status({"panel": {"state": "missing", "words": f"{no}."}}))
            return None

    def _new_referee(self, journal: Keeping, clock: TableClock, door: Door, panel: PanelLike | None) -> Referee:
        table = self._settings.table
        show = panel.show if panel else lambda lamps: None
        ways = Ways(clock.now_ns, utc_text, new_nonce, show, door.publish)
        terms = Terms(table.tie_bound_ns, table.grace_ns, self._settings.panel.mode)
        sense = Sense(
            simulation=self._fittings.fingers is not None,
            watched=self._fittings.watcher is not None,
            away_ns=table.camera_away_ns,
            since_ns=clock.now_ns(),
        )
        return Referee(journal, ways=ways, terms=terms, sense=sense)

    # -- threads --------------------------------------------------------------------------------------

    def _thread(self, name: str, target: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=target, name=name, daemon=True)
        thread.start()
        return thread

    @contextmanager
    def _deadly_threads(self) -> Iterator[None]:
        """Let an error in any thread (ours or gpiozero's) end the program."""
        before = threading.excepthook

        def failed(args: threading.ExceptHookArgs) -> None:
            name = args.thread.name if args.thread else "a thread"
            self._ends.put(_failure(name, args.exc_value))

        threading.excepthook = failed
        try:
            yield
        finally:
            threading.excepthook = before

    def _rule(self) -> None:
        assert self._referee is not None
        self._turns.turn("referee")
        self._referee.run(self._inbox, heartbeat=self._beat)

    def _beat(self) -> None:
        self._turns.turn("referee")
        # The watchdog hears of all loops through this one: a door that hangs must not hide behind a referee that turns.
        if self._turns.hung(LATE_S) is None:
            self._heartbeat()
        assert self._journal is not None
        self._journal.tend()
        if (kept := self._journal.health) != self._kept:
            self._kept = kept
            self._inbox.put(Status({"journal": {"state": kept[0], "words": kept[1]}}))

    def _look_after(self, panel: PanelLike | None, clock: TableClock) -> bool:
        """Look after watcher and panel until the end; tell whether it came by a failure."""
        hang_ns = self._settings.table.watcher_hang_ns
        command = self._fittings.watcher
        watcher = Child(command, name="watcher", hang_ns=hang_ns) if command else None
        company = self._company()
        told: Mapping[str, Any] | None = None
        try:
            while True:
                if watcher and self._referee:
                    watcher.tick(clock.now_ns(), heard_ns=self._referee.heard_ns)
                if company and self._referee and computers_of(self._referee.match):
                    company.tick(clock.now_ns(), heard_ns=None)
                if panel and (status := panel.status()) != told:
                    told = status
                    self._inbox.put(Status({"panel": status}))
                self._turns.turn("house")
                if hung := self._turns.hung(HUNG_S):
                    LOG.critical("the %s hangs; the program ends to start anew from the journal", hung)
                    return True
                try:
                    return self._ends.get(timeout=TICK_S) is not None
                except Empty:
                    continue
        finally:
            for child in (watcher, company):
                if child:
                    child.close()

    def _company(self) -> Child | None:
        """Return the computer players' process, started once one of them sits down; it is silent by nature."""
        command = self._fittings.company
        return Child(command, name="company", hang_ns=NEVER_NS) if command else None

    # -- simulation -----------------------------------------------------------------------------------

    def _press(self, press: Mapping[str, Any]) -> Mapping[str, Any]:
        """Press a mock pin for the door (on its thread)."""
        match press:
            case {"seat": int(seat), "key": str(key)} if set(press) <= _PRESS_FIELDS:
                closed, simulated = press.get("closed"), press.get("simulated", False)
            case _:
                raise BadMessage('a press is {"seat": 1, "key": "lock"}, with "closed" or without, at /press')
        if not isinstance(closed, bool | None) or not isinstance(simulated, bool):
            raise BadMessage('"closed" and "simulated" are true or false, at /press')
        assert self._fittings.fingers is not None
        return self._fittings.fingers.press(
            seat=seat, key=key, closed=closed, simulated=simulated, round=self._referee.round if self._referee else None
        )


_PRESS_FIELDS = {"seat", "key", "closed", "simulated"}


def _failure(name: str, error: BaseException | None) -> BaseException:
    told = str(error) if isinstance(error, FeltsideError) else trail(error) if error else "no reason"
    LOG.critical("the %s failed (%s); the program ends to start anew from the journal", name, told)
    return error or RuntimeError(name)


@contextmanager
def only_table(state: Path) -> Iterator[None]:
    """Hold the state folder, making it if need be; raises TableRunning when another table does."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        handle = _lock_file(state)
    except OSError as no:
        raise BadSettings(f"the state folder cannot be used: {no.strerror or no}, at {state}") from None
    try:
        _lock(handle, state)
        yield
    finally:
        os.close(handle)


def _lock_file(state: Path) -> int:
    try:
        handle = os.open(state / "table.lock", os.O_RDWR | os.O_CREAT, 0o640)
        if os.geteuid() == 0:
            # Root restores a backup for the table's own user, who must be able to hold the lock afterwards.
            os.fchown(handle, state.stat().st_uid, state.stat().st_gid)
        return handle
    except OSError as no:
        if no.errno != errno.EROFS:
            raise
        # A card that went read-only: an older lock file still does, else the folder itself.
        lock = state / "table.lock"
        return os.open(lock if lock.exists() else state, os.O_RDONLY)


def _lock(handle: int, state: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise TableRunning(f"a table is already at work (expected one at a time), in {state}") from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `feltside table`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="where matches and pictures are kept")
    parser.add_argument(
        "--simulated",
        action="store_true",
        help="mock pins, and a drawn tray (or the settings' folder of pictures), instead of a board and a camera",
    )


def run(args: argparse.Namespace) -> int:
    """Run the table until SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s", stream=sys.stderr)
    settings = settings_of_service(args.config, state=args.state)
    if args.simulated:
        settings = as_simulated(settings)
    notifier = Notifier.from_environ()
    fittings = _fittings(settings, simulated=args.simulated)
    table = Table(settings, fittings=fittings, ready=_say_ready(settings, notifier), heartbeat=notifier.alive)

    def end(*_: object) -> None:
        notifier.stopping()
        table.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return table.run()


def _say_ready(settings: Settings, notifier: Notifier) -> Callable[[], None]:
    def ready() -> None:
        print(f"feltside table: ready at {settings.socket}", flush=True)
        notifier.ready(f"ready at {settings.socket}")

    return ready


def _fittings(settings: Settings, *, simulated: bool) -> Fittings:
    watcher = _watcher(settings, simulated=simulated)
    company = _child(settings, "pi.stand_ins.company")
    if simulated:
        # gpiozero only where there is a board, mock or real: importing it takes a while.
        from pi.panel import Panel
        from pi.stand_ins.fingers import Fingers, mock_factory

        factory = mock_factory()
        return Fittings(partial(Panel, factory=factory), Fingers(settings.panel, factory), watcher, company)
    if settings.panel.kind is PanelKind.NONE:
        return Fittings(watcher=watcher, company=company)
    return Fittings(_real_panel, watcher=watcher, company=company)


def _real_panel(
    settings: PanelSettings, put: Callable[[Press], None], /, *, clock: TableClock
) -> AbstractContextManager[PanelLike]:
    try:
        from pi.panel import Panel
    except ImportError as no:
        raise HardwareMissing(f"the library for buttons and lamps is not here: {no}") from no
    return Panel(settings, put, clock=clock)


def _watcher(settings: Settings, *, simulated: bool) -> list[str] | None:
    if settings.camera.kind is CameraKind.NONE:
        return None
    return [*_child(settings, "pi.watcher"), *(["--simulated"] if simulated else [])]


def _child(settings: Settings, module: str) -> list[str]:
    config = ["--config", str(settings.file)] if settings.file else []
    return [sys.executable, "-m", module, "--state", str(settings.state), *config]
