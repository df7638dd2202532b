"""Fingers for a board of mock pins: presses contacts electrically, so that everything behind the pin is real.

Only a simulated table has them. A person may take over any seat: from the first click of a round on, that
seat's simulated player is refused until the next round.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from pi.pin_map import contacts_of
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key
from pi.rules.values import Seat
from pi.settings import PanelSettings

HOLD_NS = 2_000_000
"""How long a simulated finger holds a key at least."""


class Fingers:
    """Presses the pads of a panel that sits on a MockFactory."""

    def __init__(
        self,
        settings: PanelSettings,
        factory: MockFactory,
        *,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Keep the pins; drives nothing yet."""
        self._pins: dict[Contact, MockPin] = {c: factory.pin(n) for c, n in contacts_of(settings).items()}
        self._rest_ns = settings.lockout_ns + HOLD_NS
        self._monotonic_ns, self._sleep = monotonic_ns, sleep
        self._last_ns: dict[Contact, int] = {}
        self._people: dict[Seat, int | None] = {}
        self._lock = threading.Lock()

    def press(
        self,
        *,
        seat: int,
        key: str,
        closed: bool | None = None,
        simulated: bool = False,
        round: int | None = None,
    ) -> dict[str, Any]:
        """Press a contact and say so as the door does: {"ok": true} or a refusal or an error.

        closed: True or False moves the contact there and leaves it; None presses and lets go. simulated:
        the press comes from a simulated player, not from a person at the page. round: the round that is
        open, None between rounds.
        """
        contact = self._contact(seat, key)
        if contact is None:
            return {"error": f"this board has no contact {key!r} at seat {seat!r}"}
        with self._lock:
            if not simulated:
                self._people[contact[0]] = round
            elif contact[0] != TABLE and self.played_by_person(contact[0], round=round):
                return {"refused": "played-by-a-person", "sentence": f"A person plays seat {seat} this round."}
            self._move(contact, closed)
        return {"ok": True}

    def played_by_person(self, seat: Seat, *, round: int | None) -> bool:
        """Tell whether a person has touched the seat's pad in this round."""
        return round is not None and self._people.get(seat) == round

    def _contact(self, seat: object, key: object) -> Contact | None:
        for contact in self._pins:
            if type(seat) is int and contact[0] == seat and contact[1].value == key:
                return contact
        return None

    def _move(self, contact: Contact, closed: bool | None) -> None:
        if closed is not False:
            self._wait(contact)
            self._pins[contact].drive_low()
            self._last_ns[contact] = self._monotonic_ns()
        if closed is not True:
            self._pins[contact].drive_high()
            # The rest counts from letting go: a contact is deaf for a lockout after each change.
            self._last_ns[contact] = self._monotonic_ns()

    def _wait(self, contact: Contact) -> None:
        """Give the contact the rest that a real finger gives it, or its press would count as a bounce."""
        since_ns = self._monotonic_ns() - self._last_ns.get(contact, -self._rest_ns)
        if since_ns < self._rest_ns:
            self._sleep((self._rest_ns - since_ns) / 1e9)


def mock_factory() -> MockFactory:
    """Return mock pins for a simulated board."""
    return MockFactory(pin_class=MockPin)


NEXT_BUTTON = (int(TABLE), Key.NEXT.value)
"""(seat, key) of the table's NEXT button, as `Fingers.press` takes them."""
