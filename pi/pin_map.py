"""Which BCM pin each contact and lamp of a board is wired to, from the settings: pure."""

from __future__ import annotations

from pi.faults import name
from pi.lamps import Lamp
from pi.rules.contacts import TABLE, Contact
from pi.rules.queueing import Key
from pi.rules.values import Seat
from pi.settings import PanelSettings


def contacts_of(settings: PanelSettings) -> dict[Contact, int]:
    """Return every contact of the board with its BCM pin."""
    found: dict[Contact, int] = {}
    for number, pins in settings.seats.items():
        keys = {Key.ONE: pins.one, Key.TWO: pins.two, Key.FOUR: pins.four, Key.LOCK: pins.lock}
        found |= {(Seat(number), key): pin for key, pin in keys.items()}
    if settings.next is not None:
        found[TABLE, Key.NEXT] = settings.next
    return found


def lamps_of(settings: PanelSettings) -> dict[Lamp, int]:
    """Return every lamp (and the buzzer) of the board with its BCM pin."""
    found = {Lamp.seat(Seat(number)): pins.lamp for number, pins in settings.seats.items()}
    found |= {Lamp.queue(place): pin for place, pin in enumerate(settings.queue, start=1)}
    if settings.buzzer is not None:
        found[Lamp.BUZZER] = settings.buzzer
    return found


def groups_of(settings: PanelSettings) -> dict[str, dict[Contact, int]]:
    """Return the contacts that are claimed together, all or none, by what people call them: a seat's pad, NEXT."""
    groups: dict[str, dict[Contact, int]] = {}
    for contact, pin in contacts_of(settings).items():
        group = name(contact) if contact[0] == TABLE else f"Seat {contact[0]}'s pad"
        groups.setdefault(group, {})[contact] = pin
    return groups
