"""Laws that every ruleset obeys, whatever a journal holds."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import is_dataclass, replace
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.commands import _COMMANDS
from pi.rules.events import _ALPHABET, decode, encode
from pi.rules.games import RULESETS
from pi.rules.match import Match, apply, decide, replay
from pi.rules.ruleset import Refused
from tests.builders import match, players
from tests.conftest import ROOT


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Return small, likely values of a field's type: a journal's wildest dreams come true in few tries."""
    if get_origin(kind) is tuple and get_args(kind)[1:] == (Ellipsis,):
        return st.lists(values(get_args(kind)[0]), max_size=4).map(tuple)
    if is_dataclass(kind):
        return st.builds(kind, **{name: values(hint) for name, hint in get_type_hints(kind).items()})
    if getattr(kind, "__supertype__", kind) is int:
        return st.sampled_from([1, 1, 2, 0, 3, 4, 9, -1, 10**6])
    if kind is str:
        return st.sampled_from(["0", "1", "7", "#", "?", ".", "", "x", "scramble"])
    return st.from_type(kind)


EVENTS = st.one_of(*(values(cls) for cls, _ in _ALPHABET.values()))


def started(game: str) -> Match:
    fewest, _ = RULESETS[game].seats
    return match(ask.StartMatch("m1", game, players(*"ABCD"[: max(fewest, 2)] if fewest > 1 else "AB")))


@pytest.mark.parametrize("game", RULESETS)
@settings(max_examples=60, deadline=None)
@given(events=st.lists(EVENTS, max_size=12))
def test_law_any_event_from_any_journal_folds_and_can_be_scored(game: str, events: list[Any]):
    state = apply(started(game), happened.RoundOpened(1, 0))
    for event in events:
        state = apply(state, event)
        assert set(state.context.seats()) <= set(state.standing())
        assert state.outcome().why
        assert state.expects() is None or state.expects()
        seen = replace(state, state=state.ruleset.veiled(state.state))
        assert (seen.standing(), seen.outcome()) == (state.standing(), state.outcome())


@pytest.mark.parametrize("game", RULESETS)
def test_every_game_cites_its_paragraph_and_explains_its_house_rules(game: str):
    ruleset = RULESETS[game]
    authors = ("RunnuRound, ", " by Mark Steere", " by Jonathan Leistiko", " by Leroy Quet")
    assert any(author in ruleset.source for author in authors)
    assert all(rule.line.endswith(".") and rule.name.islower() for rule in ruleset.house_rules)
    assert ruleset.seats[0] <= ruleset.seats[1]


@pytest.mark.parametrize("game", RULESETS)
def test_every_game_names_its_leaders_when_the_table_ends_it(game: str):
    state = started(game)
    for event in decide(state, ask.EndMatch("It is late.")):
        state = apply(state, event)
    assert state.outcome().over
    assert state.outcome().winners
    assert isinstance(decide(state, ask.Next(1)), Refused)
    assert replay([decode(*encode(e)) for e in state.history]).outcome() == state.outcome()


COMMANDS = st.one_of(*(values(cls) for cls in _COMMANDS.values()))


@pytest.mark.parametrize("game", RULESETS)
@settings(max_examples=60, deadline=None)
@given(commands=st.lists(COMMANDS, max_size=12))
def test_law_no_command_raises_or_changes_the_state_and_replay_equals_live(game: str, commands: list[Any]):
    state = started(game)
    for command in (ask.Next(0), *commands):
        before = hash(state.history), state
        answer = decide(state, command)
        assert (hash(state.history), state) == before
        if isinstance(answer, Refused):
            assert answer.sentence
            assert answer.sentence[-1] in ".?!"
            continue
        for event in answer:
            state = apply(state, decode(*encode(event)))
        if not any(isinstance(event, happened.Undone | happened.Redone) for event in answer):
            assert replay(state.history).state == state.state


@pytest.mark.parametrize(
    "line",
    [
        "from pi.rules.events import decode; decode('blob-filled', 1, {'seat': 1, 'row': 0, 'column': 0})",
        "from pi.rules.commands import decode; decode({'command': 'divisors-walk', 'seat': 1, 'picks': [2]})",
    ],
)
def test_a_games_own_words_are_known_to_whoever_reads_the_journal_first(line: str):
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
