"""Draw Bridge through the camera: tiles laid on the simulated tray, read by the real eye, ruled on (RULES.md 1)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from pi.frames import Cue
from pi.opponents.draw_bridge import at_table
from pi.rules import commands as ask
from pi.rules.games.draw_bridge import LayTiles, terms_of
from pi.rules.games.draw_bridge_score import Tile, tiles_out
from pi.rules.match import NEW, apply, decide
from pi.rules.ruleset import Refused
from pi.rules.values import Player, Seat
from pi.stand_ins.tray_on_disk import Laid, read, write
from tests.kit.watched import watched


class Felt:
    """A match with its first round open, a simulated tray and a watcher, without processes or waiting."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.match, self.folder, self.answers = NEW, folder, []
        seats = tuple(Player(Seat(n), name) for n, name in enumerate(names, start=1))
        self.do(ask.StartMatch("m1", "draw-bridge", seats))
        self.do(ask.Next(at_ns=0))
        self.eye = watched(folder, self.told)

    def do(self, command: Any) -> str:
        ruling = decide(self.match, command)
        if isinstance(ruling, Refused):
            return ruling.sentence
        self.match = reduce(apply, ruling, self.match)
        return ""

    def told(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        if "command" in data:
            self.answers.append(self.do(ask.decode(dict(data))))
        return {}

    def look(self) -> str:
        """Let the camera run until the referee has answered; return what it said."""
        before = len(self.answers)
        cue = Cue(self.match.id, self.match.state.current.number, self.match.expects())
        for _ in range(30):
            self.eye.step(cue)
            if len(self.answers) > before:
                return str(self.answers[-1])
        raise AssertionError("the camera told nothing")

    def lay(self, *tiles: Tile) -> str:
        assert self.eye.tray.lay(self.match, LayTiles(tiles))
        return self.look()

    def put(self, *rows: str) -> str:
        """Lay tiles in rows of the felt, whatever the match counts these."""
        cells = tuple(
            tuple(None if symbol == "." else f"{colour}:{symbol}" for symbol in row)
            for colour, row in zip(("red", "green", "blue", "purple"), rows, strict=True)
        )
        laid = read(self.folder)
        write(self.folder, Laid("m1", 1, 0 if laid is None else laid.turn + 1, cells))
        return self.look()

    def move(self, tile: Tile, place: int | None) -> str:
        """Bump a tile to another place of its row, or take it off."""
        laid = read(self.folder)
        assert laid is not None
        rows = [list(row) for row in laid.rows]
        name, rows[tile.row][tile.place] = rows[tile.row][tile.place], None
        if place is not None:
            rows[tile.row][place] = name
        write(self.folder, replace(laid, rows=tuple(map(tuple, rows)), turn=laid.turn + 50))
        return self.look()


@pytest.fixture
def felt(tmp_path: Path) -> Felt:
    return Felt(tmp_path, "Ann", "Bob")


def test_turns_are_read_a_bump_is_noticed_and_an_unlawful_place_is_refused_with_its_reason(felt: Felt):
    first = Tile(0, 0, "3"), Tile(1, 9, "7")
    assert felt.lay(*first) == ""
    assert felt.match.state.current.turns[0].tiles == first
    assert felt.lay(Tile(0, 4, "4")).startswith("The 4 may not lie in row 1 place 5: it must lie next to a tile")
    assert felt.lay(Tile(0, 1, "4"), Tile(0, 2, "5")) == ""
    (_, scored) = felt.match.state.current.turns
    assert (scored.seat, scored.by) == (2, "referee")
    assert (felt.folder / "evidence" / f"{scored.frame}.tray.jpg").is_file()
    assert felt.match.standing() == {1: 0, 2: 1}  # 3 4 5 is one run, and Bob's
    assert felt.move(Tile(1, 9, "7"), None) == "The 7 of row 2 place 10 has gone: put it back, or undo the turn."
    assert felt.match.standing() == {1: 0, 2: 1}
    out = tiles_out(felt.match.state.current.board(), terms=terms_of(felt.match.context.house))
    assert [len(row) for row in out] == [7, 9, 10, 10]


def test_a_colour_may_be_begun_above_all_others(felt: Felt):
    """RULES.md 1: the first tile of a colour goes to either end of its row; nobody says which colour comes first."""
    none = "." * 10
    assert felt.put(none, "3.........", ".........7", none) == ""
    assert felt.put("4.........", "35........", ".........7", none) == ""
    assert felt.put("4.........", "354.......", ".........7", "6.........") == ""
    assert ["".join(row) for row in felt.match.state.current.board().rows] == [
        "4.........",
        "354.......",
        ".........7",
        "6.........",
    ]


def test_people_lay_for_the_computer_what_the_tablet_says_and_the_camera_checks_it(tmp_path: Path):
    felt = Felt(tmp_path, "Computer", "Ann")

    def thinks() -> Any:
        return at_table(felt.match.context, felt.match.state, Seat(1), random.Random(1), "k", True)

    felt.do(thinks())
    wants = thinks()
    felt.do(wants)
    one, other = wants.tiles
    hand = felt.match.state.current.hand_dealt(Seat(1))
    wrong = next(s for r, s in hand if r == one.row and s not in (one.symbol, "6", "9"))
    assert felt.lay(replace(one, symbol=wrong), other).startswith("Computer wants ")
    assert felt.lay(one, other) == ""
    assert felt.match.state.current.turns[0].tiles in ((one, other), (other, one))
    assert felt.match.state.current.turns[0].by == "referee"
