"""Games on printed mats through the camera: laid on the simulated mat, read by the real eye, ruled on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi.frames import Cue
from pi.rules import commands as ask
from pi.rules.games.blob import Fill
from pi.rules.games.palindromes import Write
from pi.rules.games.run_buster import Roll as BusterRoll
from pi.rules.games.run_buster import TakeHand
from pi.rules.games.runaround import MovePawn, Roll
from pi.rules.match import NEW, apply, decide
from pi.rules.ruleset import Refused
from pi.rules.values import Player, Seat
from pi.sheets.eyes import eyes_mat
from pi.simulator import demo_look, scene_of_laid
from pi.stand_ins.tray_on_disk import Laid, LaidDie
from pi.translate import handed_in
from pi.watcher import Eye
from tests.kit.watched import watched
from vision.drawing import Hand, TrayScene, draw
from vision.layout import Expectation
from vision.mats.read import read_mat
from vision.reading import Problem, Reading, Status


class Table:
    """A match, a simulated mat and a watcher, without processes or waiting."""

    def __init__(self, folder: Path, game: str, **house: Any) -> None:
        self.match = NEW
        players = (Player(Seat(1), "Ann"), Player(Seat(2), "Bob"))
        self.ask(ask.StartMatch("m1", game, players, tuple(house.items())))
        self.eye = watched(folder, self.told)

    def ask(self, command: Any) -> dict[str, Any]:
        ruling = decide(self.match, command)
        if isinstance(ruling, Refused):
            return {"refused": ruling.reason.value, "sentence": ruling.sentence}
        self.match = reduce(apply, ruling, self.match)
        return {"ok": True}

    def told(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.ask(ask.decode(dict(data))) if "command" in data else {}

    def lay(self, command: Any) -> None:
        """Lay a move, and let the camera run until the mat is read."""
        before = len(self.match.history)
        assert self.eye.tray.lay(self.match, command)
        cue = Cue(self.match.id, None, self.match.expects())
        for _ in range(24):
            self.eye.step(cue)
            if len(self.match.history) > before:
                return


@pytest.fixture
def table(tmp_path: Path):
    return lambda game, **house: Table(tmp_path, game, **house)


def test_a_whole_game_of_palindromes_is_read_from_its_mat(table):
    at = table("palindromes", squares=4)
    for number, (square, digit) in enumerate([(2, "1"), (0, "0"), (3, "0"), (1, "1")]):
        at.lay(Write(Seat(1 + number % 2), square, digit))
    assert at.match.state.row == ("0", "1", "1", "0")
    assert {event.by for event in at.match.history[1:]} == {"referee"}
    assert all(event.frame for event in at.match.history[1:])
    assert at.match.outcome().over


def test_blob_is_read_from_its_mat_and_a_square_that_touches_none_is_named(table):
    at = table("blob", size=8)
    at.lay(Fill(Seat(1), 3, 3))
    at.lay(Fill(Seat(2), 3, 4))
    assert at.match.state.filled == ((3, 3), (3, 4))
    at.lay(Fill(Seat(1), 7, 7))
    assert len(at.match.state.filled) == 2
    assert "row 8 column 8" in at.eye.watching.words or "touch" in at.eye.watching.words


def test_runaround_is_read_from_its_board_die_and_pawns(table):
    at = table("runaround")
    at.lay(Roll(Seat(1), 4))
    assert at.match.state.roll == 4
    at.lay(MovePawn(Seat(1), 0))
    assert [pawn.space for pawn in at.match.state.loop.sides[0].pawns] == [4]
    at.lay(Roll(Seat(2), 6))
    assert {event.by for event in at.match.history[1:]} == {"referee"}
    assert (at.match.state.player, at.match.state.turns) == (0, 2)


def test_run_busters_dice_are_read_in_their_zones_and_a_die_that_is_gone_is_missed(table):
    at = table("run-buster")
    at.ask(ask.Next(at_ns=0))
    at.lay(BusterRoll(Seat(1), (1, 2, 4, 4, 6, 6)))
    current = at.match.state.current
    assert sorted(current.rolled.dice) == [1, 2, 4, 4, 6, 6]
    assert at.match.history[-1].by == "referee"
    at.lay(TakeHand(Seat(1), (1, 2)))
    assert at.match.state.current.hands()[Seat(1)] == (1, 2)
    # A die of Ann's hand rolls off while Bob's roll is awaited.
    scene = scene_of_laid(Laid("m1", 1, 2, dice=(LaidDie(1, 2, 1),), mat="run-buster"), seed=5)
    picture = draw(scene, demo_look(), rng=np.random.default_rng(1)).picture_bgr
    answer = at.told(handed_in(Eye()(picture, Expectation.DICE), frame="f"))
    assert answer["sentence"] == "1 is missing from Ann's hand, which must show 1 2."


def seen(scene: TrayScene, name: str, *, hand: Hand | None = None) -> Reading:
    mat = eyes_mat(name)
    assert mat is not None
    picture = draw(scene, demo_look(), rng=np.random.default_rng(1), hand=hand).picture_bgr
    return read_mat(picture, mat)


@pytest.mark.parametrize("corner", [(-161.0, 113.0), (162.0, -112.0)])
@pytest.mark.parametrize("others", [True, False], ids=["beside dice", "alone"])
def test_a_die_on_one_of_the_mats_markers_is_asked_about(corner: tuple[float, float], others: bool):
    """Never silently wrong: dice roll into corners, and are not looked for there."""
    scene = scene_of_laid(Laid("m1", 1, 2, dice=(LaidDie(1, 2, 1), LaidDie(2, 3, 1)), mat="run-buster"), seed=5)
    bare = seen(replace(scene, dice=scene.dice[:1]), "dice")
    assert (bare.status, len(bare.dice)) == (Status.READ, 1)
    rolled = replace(scene.dice[1], x_mm=corner[0], y_mm=corner[1])
    reading = seen(replace(scene, dice=(*scene.dice[:1], rolled) if others else (rolled,)), "dice")
    assert reading.status is Status.UNSURE
    assert Problem.COUNT in reading.problems


def test_a_hand_over_the_mat_is_waited_for():
    scene = scene_of_laid(Laid("m1", 0, 1, mat="blob:8", pieces=((9, "dark"),)), seed=1)
    reading = seen(scene, "blob:8", hand=Hand(0.0, -60.0, 90.0))
    assert reading.status is Status.BUSY
    assert Problem.HAND in reading.problems


def test_bare_felt_is_no_mat():
    assert seen(TrayScene(seed=1), "blob:8").status is Status.NO_TRAY
