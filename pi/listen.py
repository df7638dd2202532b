"""Listens to the board for its owner: every press with its bounces, what was never heard, what is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pi.clock import TableClock
from pi.panel import Panel, RawEdge
from pi.pin_map import contacts_of
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key, Press
from pi.settings import PanelSettings

MS = 1_000_000


@dataclass
class Ears:
    """What was heard, contact by contact."""

    lockout_ns: int
    edges: dict[Contact, int] = field(default_factory=dict)
    longest_ns: dict[Contact, int] = field(default_factory=dict)
    """The longest time from the first to the last edge of one train of bounces."""
    presses: dict[Contact, int] = field(default_factory=dict)
    _train: dict[Contact, tuple[int, int]] = field(default_factory=dict)

    def edge(self, edge: RawEdge) -> None:
        """Count a raw edge."""
        contact, at_ns, _ = edge
        self.edges[contact] = self.edges.get(contact, 0) + 1
        start, last = self._train.get(contact, (at_ns, at_ns))
        if at_ns - last > self.lockout_ns:
            start = at_ns
        self._train[contact] = start, at_ns
        self.longest_ns[contact] = max(self.longest_ns.get(contact, 0), at_ns - start)

    def press(self, press: Press) -> None:
        """Count an accepted press."""
        if press.closed:
            contact = press.seat, press.key
            self.presses[contact] = self.presses.get(contact, 0) + 1

    def lines(self, contacts: Iterable[Contact]) -> list[str]:
        """Return the table, one line a contact."""
        rows = [f"{'contact':14} presses  edges  longest bounce"]
        for contact in contacts:
            if contact not in self.edges:
                rows.append(f"{owner_name(contact):14} not heard")
                continue
            bounce_ms = self.longest_ns[contact] / MS
            count, edges = self.presses.get(contact, 0), self.edges[contact]
            rows.append(f"{owner_name(contact):14} {count:7d} {edges:6d} {bounce_ms:9.3f} ms")
        return rows

    def advice(self) -> str:
        """Return what follows for the lockout."""
        worst = max(self.longest_ns.values(), default=0)
        lockout = self.lockout_ns / MS
        if worst * 2 <= self.lockout_ns:
            return f"The longest bounce was {worst / MS:.3f} ms: a lockout of {lockout:g} ms is ample."
        return f"A contact bounced for {worst / MS:.3f} ms: change it, or set lockout_ms in [panel] above {lockout:g}."


def owner_name(contact: Contact) -> str:
    """Return a contact's full name: for its owner at the bench, never for a table in play."""
    seat, key = contact
    return "NEXT" if seat == TABLE else f"seat {seat} {'LOCK' if key is Key.LOCK else key.value}"


def listen(
    settings: PanelSettings,
    *,
    seconds: float,
    say: Callable[[str], None],
    factory: Any = None,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Listen for a while and say what was heard; returns 1 when a contact stayed silent or a fault showed."""
    ears = Ears(settings.lockout_ns)

    def put(press: Press) -> None:
        ears.press(press)
        say(f"{owner_name((press.seat, press.key))} {'closed' if press.closed else 'opened'}")

    contacts = list(contacts_of(settings))
    with Panel(settings, put, clock=TableClock(), factory=factory, watch=ears.edge) as panel:
        sleep(seconds)
        panel.rest(1.0)
        status = panel.status()
    for line in (*ears.lines(contacts), ears.advice(), status["words"]):
        say(line)
    return int(status["state"] != "ok" or any(contact not in ears.edges for contact in contacts))
