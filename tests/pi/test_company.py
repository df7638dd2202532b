"""Computer players at the table: who they are, when they act, what they leave to people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi.journal import Journal, JournalReader
from pi.opponents.registry import computers_of
from pi.rules import commands as ask
from pi.rules.games.run_buster import Roll
from pi.stand_ins.company import Company
from pi.stand_ins.laying import SimulatedTray
from pi.stand_ins.tray_on_disk import read
from tests.builders import match, players
from tests.web.builders import LocalTable


class Client:
    """The door of a table in this process; each step is news."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.table.ask(request)

    def subscribe(self) -> Iterator[dict[str, Any]]:
        yield {"match": self.table.match.id, "seq": self.table.seq, "status": self.table.status}


@pytest.fixture
def table(tmp_path: Path) -> LocalTable:
    return LocalTable(Journal(tmp_path / "feltside.sqlite"))


def company(table: LocalTable, tmp_path: Path, **more: Any) -> Company:
    reader = JournalReader(tmp_path / "feltside.sqlite")
    return Company(Client(table), reader, **{"seats": computers_of, "seed": "s", "pace_s": 0.0, **more})


def turns(seated: Company, *, most: int = 400) -> None:
    """Let it look and act until it has nothing to do."""
    for _ in range(most):
        seated.look()
        seated._think()
        if seated._due is None:
            return
        seated._act(seated._due[1])
    raise AssertionError(f"it still acts after {most} steps")


def start(table: LocalTable, game: str, *names: str, **house: Any) -> None:
    table.play(ask.StartMatch("m1", game, players(*names), tuple(house.items())))


def test_the_name_says_who_is_one():
    state = match(ask.StartMatch("m1", "blob", players("Ann", "Computer")))
    assert computers_of(state) == (2,)
    assert computers_of(match(ask.StartMatch("m1", "scramble", players("Ann", "computer 2")))) == ()
    assert computers_of(match(ask.StartMatch("m1", "draw-bridge", players("Ann", "computer 2")))) == (2,)


def test_it_answers_each_move_of_a_person_with_one_of_its_own(table: LocalTable, tmp_path: Path):
    start(table, "palindromes", "Ann", "Computer", squares=6)
    seated = company(table, tmp_path)
    turns(seated)
    assert table.match.state.turns == 0  # it is Ann's turn
    for _ in range(3):
        square = table.match.state.row.index(None)
        table.ask({"command": "palindromes-write", "seat": 1, "square": square, "digit": "1"})
        turns(seated)
    assert table.match.outcome().over


def test_two_of_them_play_to_the_end_and_leave_next_to_people(table: LocalTable, tmp_path: Path):
    start(table, "run-buster", "Computer A", "Computer B")
    seated = company(table, tmp_path)
    turns(seated)
    assert table.match.state.rounds == ()
    table.play(ask.Next(1))
    table.status["camera"]["state"] = "away"
    turns(seated)
    assert table.match.outcome().over


def test_people_roll_for_it_where_a_camera_watches_the_dice(table: LocalTable, tmp_path: Path):
    start(table, "run-buster", "Computer", "Bob")
    table.play(ask.Next(1))
    seated = company(table, tmp_path)
    seated._lookout.status = {"camera": {"state": "ok"}}
    turns(seated)
    assert table.match.state.current.rolled is None
    table.play(Roll(1, (1, 2, 2, 4, 6, 6)))
    turns(seated)
    assert table.match.state.current.turns[0].hand


def test_it_rests_while_the_table_is_on_hold(table: LocalTable, tmp_path: Path):
    start(table, "blob", "Computer", "Bob")
    table.play(ask.Hold("tea"))
    turns(company(table, tmp_path))
    assert table.match.state.filled == ()


def test_simulated_people_lay_first_and_type_only_what_was_not_read(table: LocalTable, tmp_path: Path):
    start(table, "draw-bridge", "Ann", "Bob")
    seated = company(
        table, tmp_path, seats=lambda m: m.context.seats(), opens=True, tray=SimulatedTray(tmp_path), by_hand_s=0.0
    )
    for _ in range(3):  # NEXT; the tiles are laid; nobody read them, so they are typed
        seated.look()
        seated._think()
        seated._act(seated._due[1])
    laid = read(tmp_path)
    assert sum(cell is not None for row in laid.rows for cell in row) == 2
    assert (laid.round, laid.turn, seated.by_hand) == (1, 1, 1)
    assert len(table.match.state.current.turns[0].tiles) == 2
