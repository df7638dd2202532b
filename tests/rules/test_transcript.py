"""A match as text: the whole story, and no prediction before its reveal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.events import Event
from pi.rules.match import NEW, apply, decide
from pi.rules.ruleset import Refused
from pi.rules.transcript import transcript
from pi.rules.values import Seat
from tests import builders

EVENING = """\
match m1: Random Scramble
  seat 1 Ann, seat 2 Bob
  house rules: target 9

round 1, opened by table
  Bob locks in by pad after 1.500 s, commitment c479855f8b48
  Ann locks in by pad after 2.000 s, commitment f1aa5a0d0e2c
  the tray as read by camera, frame f1
    4 1 7 2 9 5 0 8 3 6
    2 0 4 6 8 1 3 5 7 9
    0 5 1 6 2 7 3 8 4 9
    1 3 0! 4 5 6 9 2 8 7
  round 1: row 4 place 3 does show 0, says table
  revealed by referee
    runs: 1
    Bob: predicted 3, +0. Wrong: 3 predicted, 1 lies there; no points and out of the queue.
    Ann: predicted 1, place 1, +5. Right: 1 for 1 run, and 4 for place 1.
    standing: Ann 5, Bob 0
  round 1: 3 runs by hand, ruled by table
  round 1 is counted again
    runs: 3
    Bob: predicted 3, place 1, +7. Right: 3 for 3 runs, and 4 for place 1.
    Ann: predicted 1, +0. Wrong: 1 predicted, 3 lie there; no points and out of the queue.
    standing: Bob 7, Ann 0
seat 1 is now called Eve, says table
Eve +1 by table: she laid the tiles
undone by table: the last 1 that counted
redone by table: 1
on hold by table: tea
resumed by table
ended by table: late

standing: Bob 7, Eve 1
late
"""


def told(*commands: object) -> list[Event]:
    """Return the events of commands that must all be taken."""
    events: list[Event] = []
    match = NEW
    for command in commands:
        ruling = decide(match, command)
        assert not isinstance(ruling, Refused), ruling
        for event in ruling:
            events.append(event)
            match = apply(match, event)
    return events


ROUND = (
    builders.start("Ann", "Bob", target=9),
    ask.Next(builders.SECOND),
    builders.lock(2, 3, at=2.5),
    builders.lock(1, 1, at=3),
    ask.ReadTray(builders.tray(builders.ONE_RUN, doubts=[(3, 2)])),
)
ASKED = ask.CorrectTile(1, 3, 2, "0")


REST = (
    ask.RuleTotal(1, 3),
    ask.RenamePlayer(Seat(1), "Eve"),
    ask.AdjustPoints(Seat(1), 1, "she laid the tiles"),
    ask.Undo(),
    ask.Redo(),
    ask.Hold("tea"),
    ask.Resume(),
    ask.EndMatch("late"),
)


def test_an_evening_reads_like_one():
    assert transcript(told(*ROUND, ASKED, *REST)) == EVENING


def test_nothing_happened_reads_as_nothing():
    assert transcript([]) == "\n"


@given(one=st.integers(0, 7), other=st.integers(0, 7))
def test_before_the_reveal_no_transcript_depends_on_a_prediction(one: int, other: int):
    stories = []
    for prediction in (one, other):
        events = told(*ROUND[:2], builders.lock(1, prediction, at=3), ask.Hold(), ask.Undo())
        stories.append(transcript(_same_commitment(event) for event in events))
    assert stories[0] == stories[1]


def _same_commitment(event: Event) -> Event:
    """Hide what differs without telling anything: a hash under a secret nonce."""
    if isinstance(event, happened.LockedIn):
        return happened.LockedIn(**{f: getattr(event, f) for f in event.__slots__} | {"commitment": "c" * 64})
    return event


def test_a_phones_time_is_told_no_finer_than_it_is_known():
    events = told(*ROUND[:2], builders.lock(2, 3, at=2.512, bound_ns=50_000_000))
    assert "after 1.5 s," in transcript(events)


def test_a_reading_dropped_and_a_lock_withdrawn_are_told():
    events = told(*ROUND, ask.Reread(1), ask.WithdrawLockIn(Seat(2)))
    assert "  the reading is dropped by table\n  Bob's lock-in is withdrawn by table\n" in transcript(events)


@pytest.mark.parametrize("layout", ["rect", "diamond"])
def test_trays_of_every_shape_are_drawn(layout: str):
    shapes = {"rect": [8] * 5, "diamond": [1, 3, 5, 7, 9, 7, 5, 3, 1]}
    text = "\n".join(" ".join("0" for _ in range(n)) for n in shapes[layout])
    board = builders.tray(text, layout=layout)
    drawn = transcript([*told(builders.start(board=layout), ask.Next(1)), happened.TrayRead(1, board)])
    assert drawn.count("0 0 0 0 0 0 0 0\n") >= (5 if layout == "rect" else 1)
