"""The alphabet on the wire and on disk: what fits comes back equal, what does not is named."""

from __future__ import annotations

import json

import pytest

from pi.rules import commands, events
from pi.rules.errors import BadMessage, NewerJournal
from pi.rules.values import Points, Seat
from tests.builders import ONE_RUN, lock, players, start, tray

EVENTS = [
    events.MatchStarted("m1", "scramble", players("Ann", "Bob"), (("tough", True), ("target", 10), ("board", "rect"))),
    events.RoundOpened(1, 5),
    events.LockedIn(1, Seat(2), 7, 1_000_000, 3, "n", "c"),
    events.TrayRead(1, tray(ONE_RUN, doubts=[(0, 0)])),
    events.TileCorrected(1, 0, 0, "7", "1", "table"),
    events.PointsAdjusted(Seat(1), Points(-1), "late", "table"),
    events.Undone(2, "table"),
]


@pytest.mark.parametrize("happened", EVENTS, ids=lambda e: type(e).__name__)
def test_an_event_comes_back_from_json_as_it_was(happened):
    name, version, data = events.encode(happened)
    assert events.decode(name, version, json.loads(json.dumps(data))) == happened


@pytest.mark.parametrize("asked", [start(), lock(1, 3), commands.Undo(), commands.ReadTray(tray(ONE_RUN))], ids=str)
def test_a_command_comes_back_from_json_as_it_was(asked):
    assert commands.decode(json.loads(json.dumps(commands.encode(asked)))) == asked


def test_an_event_from_a_newer_version_is_said_to_be_newer():
    with pytest.raises(NewerJournal, match="version 99"):
        events.decode("round-opened", 99, {})
    with pytest.raises(NewerJournal, match="'teleported'"):
        events.decode("teleported", 1, {})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "a command is an object with the field 'command'"),
        ({"command": "dance"}, "the command 'dance' is unknown"),
        ({"command": "lock-in", "seat": "1"}, "'1' is not of the kind int, at /lock-in/seat"),
        ({"command": "lock-in", "seat": True}, "True is not of the kind int, at /lock-in/seat"),
        ({"command": "undo", "hard": 1}, "unknown field 'hard'"),
        ({"command": "reread"}, "field 'round' is missing"),
        ({"command": "read-tray", "tray": {"tiles": [{"row": 0}]}}, "at /read-tray/tray/tiles/0"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(data, said: str):
    with pytest.raises(BadMessage) as no:
        commands.decode(data)
    assert said in str(no.value)


def test_names_in_the_alphabet_are_never_given_twice():
    with pytest.raises(BadMessage, match="is taken"):
        events.event("undone")(events.Undone)
