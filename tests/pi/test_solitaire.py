"""The demo's player of solitaire quests: lays shuffled tiles, then a solution, and stops the clock."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.match import Match
from pi.rules.quests.catalogue import DOORS
from pi.simulator import scene_of_laid
from pi.stand_ins.laying import SimulatedTray
from pi.stand_ins.shuffle import SET_COLOURS
from pi.stand_ins.solitaire import laid, next_move
from pi.stand_ins.tray_on_disk import Laid, read
from tests.builders import SECOND, match, play, players


def as_read(there: Laid, *, doubts: tuple[tuple[int, int], ...] = ()) -> ask.ReadTray:
    cells = [(r, c, cell.split(":")) for r, row in enumerate(there.rows) for c, cell in enumerate(row)]
    return ask.ReadTray(
        Tray(tuple(SeenTile(r, c, s, colour, sure=(r, c) not in doubts) for r, c, (colour, s) in cells), frame="f")
    )


def evening(quest: str) -> Match:
    return match(ask.StartMatch("m1", "quest", players("Ann"), (("quest", quest),)))


@pytest.mark.parametrize("quest", [*DOORS, "most-runs"])
def test_it_lays_shuffled_tiles_then_solves_them_and_stops_the_clock(quest: str, tmp_path):
    state, tray = evening(quest), SimulatedTray(tmp_path)
    assert not tray.lay(state, next_move(state))  # START is pressed as soon as the tiles lie there
    shuffled = read(tmp_path)
    state = play(state, ask.Next(0), as_read(shuffled))
    move = next_move(state)
    assert isinstance(move, ask.ReadTray)
    assert tray.lay(state, move)
    solved = read(tmp_path)
    assert solved.rows != shuffled.rows
    assert {cell.split(":")[0] for row in solved.rows for cell in row} == set(SET_COLOURS)
    assert len(scene_of_laid(solved, seed=1).tiles) == 40
    state = play(state, as_read(solved))
    assert next_move(state) == ask.Next(at_ns=0)
    state = play(state, ask.Next(60 * SECOND))
    assert state.state.attempts[0].took_ns() == 60 * SECOND


def test_it_waits_for_the_eye_and_answers_its_doubts(tmp_path):
    state, tray = evening("latin"), SimulatedTray(tmp_path)
    tray.lay(state, next_move(state))
    state = play(state, ask.Next(0))
    assert next_move(state) is None
    there = read(tmp_path)
    state = play(state, as_read(there, doubts=((2, 3),)))
    assert next_move(state) is None
    assert tray.answer(state) == ask.CorrectTile(1, 2, 3, there.rows[2][3].split(":")[1], "simulated table")


def test_in_other_games_it_lays_nothing():
    state = match(ask.StartMatch("m1", "scramble", players("Ann", "Bob")))
    assert next_move(state) is None
    assert laid(state, ask.Next(0)) is None
