"""What Home Assistant is told so that a table's entities appear by themselves (its MQTT discovery). Pure.

One retained configuration an entity under `<discovery>/<component>/feltside_<table>/<entity>/config`; all of them
read the one state message by a template, and are unavailable while the table is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pi.neighbours.messages import Message, Topics, dumps

FEWEST_SEATS = 4
LONGEST_STATE = 255
"""Characters Home Assistant keeps of a state."""
PATTERNS = ("off", "on", "slow", "fast", "pulse")
QUEUE = range(1, 5)


def configurations(
    topics: Topics, *, discovery: str, seats: int, version: str, address: str | None = None
) -> Iterator[Message]:
    """Yield the configuration of every entity.

    seats: the highest seat that plays; there are at least four. address: where the pages are, for people; None to
    leave it out.
    """
    device: dict[str, Any] = {
        "identifiers": [f"feltside_{topics.table}"],
        "name": f"Feltside {topics.table}",
        "manufacturer": "Feltside",
        "model": "Referee at the tray",
        "sw_version": version,
    }
    if address:
        device["configuration_url"] = address
    common = {
        "availability_topic": topics.availability,
        "state_topic": topics.state,
        "device": device,
        "origin": {"name": "Feltside", "sw_version": version},
    }
    for component, name, own in _entities(topics, seats):
        config = {**common, "unique_id": f"feltside_{topics.table}_{name}", **own}
        yield Message(f"{discovery}/{component}/feltside_{topics.table}/{name}/config", dumps(config))


def _entities(topics: Topics, seats: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "sensor", "headline", _sensor("Headline", f"value_json.headline[:{LONGEST_STATE}]", "mdi:bullhorn")
    yield "sensor", "game", _sensor("Game", "value_json.game or 'none'", "mdi:cards")
    yield "sensor", "round", _sensor("Round", "value_json.round", "mdi:counter")
    yield "sensor", "turn", _sensor("Whose turn", "value_json.turn or 'nobody'", "mdi:account-clock")
    yield "sensor", "winner", _sensor("Winner", "value_json.winner or 'nobody yet'", "mdi:trophy")
    yield "binary_sensor", "running", {"name": "Match", "device_class": "running", **_when(_RUNNING)}
    for seat in range(1, max(FEWEST_SEATS, seats) + 1):
        yield "sensor", f"score_{seat}", _score(topics, seat)
    lamps = [("seat", n) for n in range(1, FEWEST_SEATS + 1)] + [("queue", n) for n in QUEUE]
    for kind, number in lamps:
        yield "binary_sensor", f"lamp_{kind}_{number}", _lamp(topics, kind, number)


_RUNNING = "value_json.phase not in ('none', 'over')"


def _sensor(name: str, value: str, icon: str) -> dict[str, Any]:
    return {"name": name, "value_template": f"{{{{ {value} }}}}", "icon": icon}


def _when(condition: str) -> dict[str, Any]:
    return {"value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}"}


def _score(topics: Topics, seat: int) -> dict[str, Any]:
    # A seat at which nobody plays has no score: None is "unknown" in Home Assistant.
    value = f"(value_json.seats['{seat}'] | default({{}})).score | default(None)"
    return {
        **_sensor(f"Score of seat {seat}", value, "mdi:scoreboard"),
        "state_class": "measurement",
        "unit_of_measurement": "points",
        "json_attributes_topic": topics.state,
        "json_attributes_template": f"{{{{ value_json.seats['{seat}'] | default({{}}) | tojson }}}}",
    }


def _lamp(topics: Topics, kind: str, number: int) -> dict[str, Any]:
    shows = f"(value_json.lamps['{kind}-{number}'] | default('off'))"
    return {
        "name": f"Lamp of {'seat' if kind == 'seat' else 'place'} {number}",
        "device_class": "light",
        **_when(f"{shows} != 'off'"),
        "json_attributes_topic": topics.state,
        "json_attributes_template": f"{{{{ {{'pattern': {shows}}} | tojson }}}}",
    }
