"""An owner teaches the eye a set of their own from the tablet, from the first picture to a round that is read by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest

from pi.journal import JournalReader
from pi.stand_ins.launch import Household, free_port, write_settings
from pi.stand_ins.lookout import Lookout
from tests.conftest import PATIENCE_S
from vision.teach_bench import trays_of
from vision.teaching.teach_sets import odd_set

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SEED, KIND = 8_003, "signs"
"""A set of signs that no net was trained on: before it was taught, its trays are nothing but questions."""
START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}],
    "house": [["target", 99]],
}


@pytest.fixture
def pictures(tmp_path: Path) -> tuple[Path, list[list[str]]]:
    """Draw what the camera sees: the set in order, to teach it, then a shuffled tray; and what lies on that."""
    folder, owned = tmp_path / "pictures", odd_set(SEED, kind=KIND)
    folder.mkdir()
    tray, _ = next(trays_of(owned, seed=SEED, count=1))
    for number, drawn in enumerate((owned.taught(seed=SEED), tray)):
        assert cv2.imwrite(str(folder / f"{number}.png"), drawn.picture_bgr)
    return folder, [[cell.split(":")[1] for cell in row] for row in tray.truth["grid"]]


@contextmanager
def table(folder: Path, state: Path) -> Iterator[tuple[Household, Lookout]]:
    """Run the real processes on a folder of pictures: a match has begun, no round is open."""
    camera = {"kind": "folder", "folder": str(folder)}
    web = {"host": "127.0.0.1", "port": free_port(0), "pin": "open"}
    settings = write_settings(state, {"camera": camera, "web": web})
    with Household(settings, web=True) as house:
        assert house.client.ask(START)["ok"]
        lookout = Lookout(house.client, JournalReader(settings.journal))
        lookout.start()
        yield house, lookout


def read_in_a_round(house: Household, lookout: Lookout) -> list[list[str]]:
    """Open a round and return what the eye read in it, no tile doubted."""
    assert house.client.ask({"command": "next"})["ok"]
    for seat in (1, 2):
        assert house.client.ask({"command": "lock-in", "seat": seat, "prediction": 1})["ok"]
    number = len(lookout.look().state.rounds)
    assert lookout.until(lambda: lookout.rounds[number - 1].revealed, patience_s=PATIENCE_S)
    played = lookout.rounds[number - 1]
    assert played.doubts() == ()
    found = played.symbols()
    return [[found[row, column] for column in range(10)] for row in range(4)]


def test_a_set_is_taught_from_the_tablet_and_read_by_it(pictures, tmp_path, chromium):
    folder, laid = pictures
    with table(folder, tmp_path / "state") as (house, lookout):
        page = chromium.open(f"{house.address}teach", "landscape")
        page.get_by_role("button", name="Begin").click()
        page.get_by_role("button", name="Take the picture").click()
        page.locator("#result").get_by_text("It reads back right").wait_for()
        page.locator("#result img.lesson").wait_for()
        chromium.shoot(page, "teach-1-read-back")
        page.get_by_role("button", name="Use it").click()
        page.locator("#set").get_by_text("in force").wait_for()
        chromium.shoot(page, "teach-2-in-force")
        assert read_in_a_round(house, lookout) == [list("0123456789")] * 4
        assert read_in_a_round(house, lookout) == laid
