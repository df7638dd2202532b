"""A turn's page: its picture, what was read and how surely, what people said of it, and what it was worth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge import DealHand, LayTiles, WantTiles
from pi.rules.games.draw_bridge_score import Tile
from pi.rules.seen import DARK, EMPTY, LIGHT, ReadDice, ReadMat, SeenDie, SeenPlace, TellPiece
from tests.builders import players
from tests.web.builders import House, evidence, house, post


@pytest.fixture
def home(tmp_path: Path) -> House:
    return house(tmp_path)


def row(frame: str, **held: str) -> ReadMat:
    return ReadMat("palindromes:8", tuple(SeenPlace(n, held.get(f"s{n}", EMPTY)) for n in range(8)), frame=frame)


def doubtful(seen: ReadMat, place: int) -> ReadMat:
    places = list(seen.places)
    places[place] = SeenPlace(place, DARK, sure=False, likely=((DARK, 0.7), (LIGHT, 0.25)))
    return replace(seen, places=tuple(places))


def kept(folder: Path, frame: str, pieces: list[dict[str, object]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in (f"{frame}.jpg", f"{frame}.tray.jpg"):
        cv2.imwrite(str(folder / name), np.full((740, 1000, 3), 200, np.uint8))
    described = {"size": [1000, 740], "tiles": [], "pieces": pieces, "reading": {}}
    (folder / f"{frame}.json").write_text(json.dumps(described))


def begun(home: House, game: str = "palindromes", **rules: object) -> None:
    home.play(ask.StartMatch("m1", game, players("Ann", "Bob"), tuple(rules.items())))


def test_a_turn_shows_its_picture_what_was_read_how_surely_and_what_it_won(home: House):
    begun(home, squares=8)
    places = [
        {"kind": "place", "number": n, "shows": "x", "confidence": 0.9876, "at": [100.0 * n, 370.0]} for n in range(8)
    ]
    kept(home.room.evidence, "f2", places)
    home.play(row("f1", s2=DARK), row("f2", s2=DARK, s3=DARK))
    page = home.browser().get("/turn/2").text
    assert "Turn 2: Bob writes a 1 into square 4" in page
    assert "/evidence/f2.tray.jpg" in page
    assert "read as a dark counter (98.7 %)" in page
    assert "7 other places as before." in page
    assert "2 (+2)" in page
    assert 'rel="prev" href="/turn/1"' in page


def test_one_tap_on_the_turns_page_corrects_what_was_read_and_the_page_tells_before_and_after(home: House):
    begun(home, squares=8)
    home.play(row("f1", s2=DARK), row("f2", s2=DARK, s3=DARK))
    browser = home.browser()
    told = {"kind": "place", "number": 3, "shows": LIGHT, "frame": "f2", "back": "/turn/2"}
    assert post(browser, "/act/tell-piece", page="/turn/2", **told).json["ok"]
    home.told()
    page = browser.get("/turn/2").text
    assert "Turn 2: Bob writes a 0 into square 4" in page
    assert '<span class="was">a dark counter</span> → <b class="is">a light counter</b>' in page
    assert "said by table" in page
    assert "As the eye read it" in page
    assert home.table.match.standing() == {1: 0, 2: 2}
    older = browser.get("/turn/1").text
    assert "tell-piece" not in older


def test_a_doubt_is_asked_on_the_table_page_with_likely_answers_first(home: House):
    begun(home, squares=8)
    home.play(doubtful(row("f1"), 4))
    browser = home.browser()
    page = browser.get("/table").text
    asked = page[page.index('id="asked"') :]
    assert (
        asked.index("a dark counter <small>70 %") < asked.index("a light counter <small>25 %") < asked.index("nothing")
    )
    assert "The eye asks" in browser.get("/").text
    answer = post(browser, "/act/tell-piece", kind="place", number=4, shows=LIGHT, frame="f1")
    assert answer.status_code == 200, answer.json
    home.told()
    assert 'id="asked"' not in browser.get("/table").text
    assert home.table.match.state.row[4] == "0"


def test_a_die_is_asked_about_with_its_picture_and_its_likely_faces(home: House):
    begun(home, "run-buster")
    kept(home.room.evidence, "f1", [{"kind": "die", "number": 5, "confidence": 0.6, "at": [300.0, 200.0]}])
    dice = [SeenDie(0, value) for value in (1, 2, 4, 4, 6)]
    unsure = SeenDie(0, 3, sure=False, likely=((3, 0.6), (5, 0.38)))
    home.play(ask.Next(0), ReadDice((*dice, unsure), "f1"))
    page = home.browser().get("/table").text
    asked = page[page.index('id="asked"') : page.index('id="play"')]
    assert "/evidence/f1.tray.jpg" in asked
    assert 'viewBox="260.0 160.0 80.0 80.0"' in asked
    faces = [asked.index(f'name="shows" value="{face}"') for face in (3, 5, 1)]
    assert faces == sorted(faces)


def test_a_corrected_tile_of_draw_bridge_stands_on_its_turns_page(home: House):
    begun(home, "draw-bridge")
    evidence(home.room.evidence, "f1", ["1 2 3 4 5 6 7 8 9 0"] * 4)
    tiles = tuple(SeenTile(0, place, symbol, "red", 0.97) for place, symbol in ((0, "1"), (1, "2")))
    home.play(ask.Next(0), ask.ReadTray(Tray(tiles, "f1")), LayTiles((Tile(0, 2, "3"), Tile(1, 0, "9"))))
    home.play(ask.CorrectTile(1, 0, 1, "4", by="Bob"))
    page = home.browser().get("/turn/1").text
    assert "read as 2 (97.0 %)" in page
    assert "counts as 4" in page
    assert "said by Bob" in page
    assert 'name="column" value="1"' in page
    second = home.browser().get("/turn/2").text
    assert "There is no picture of this turn" in second


def test_the_tablet_says_what_to_lay_for_the_computer(home: House):
    home.play(ask.StartMatch("m1", "draw-bridge", players("Computer", "Ann")), ask.Next(0))
    hand = tuple((r, s) for r in range(4) for s in "01234")
    home.play(DealHand(1, hand), WantTiles(1, (Tile(0, 0, "3"), Tile(1, 9, "4"))))
    page = home.browser().get("/").text
    assert "Please lay for Computer:" in page
    assert "<b>3</b> of the colour of row 1, place 1" in page
    assert "Tiles set aside for Computer" in page
    assert home.browser().get("/turn/1").status_code == 404


def test_earlier_matches_keep_their_turns(home: House):
    begun(home, squares=8)
    home.play(row("f1", s2=DARK), TellPiece("place", 2, LIGHT, by="Ann"), ask.EndMatch("late"))
    browser = home.browser()
    assert "/history/m1/turn/1" in browser.get("/history/m1").text
    page = browser.get("/history/m1/turn/1").text
    assert "said by Ann" in page
    assert "tell-piece" not in page
    assert browser.get("/history/m1/turn/2").status_code == 404


@pytest.mark.parametrize("path", ["/turn/0", "/turn/1", "/turn/99", "/history/m1/turn/0"])
def test_a_turn_that_was_not_played_is_not_there(home: House, path: str):
    begun(home)
    assert home.browser().get(path).status_code == 404


@pytest.mark.parametrize(
    "fields",
    [{"kind": "queue", "number": 1, "shows": "1"}, {"kind": "die", "number": "x", "shows": "1"}],
)
def test_what_is_no_piece_is_refused(home: House, fields: dict[str, object]):
    begun(home)
    assert post(home.browser(), "/act/tell-piece", **fields).status_code == 400


def test_a_doubtful_tile_of_draw_bridge_is_asked_about_with_its_picture(home: House):
    begun(home, "draw-bridge")
    evidence(home.room.evidence, "f1", ["1 2 3 4 5 6 7 8 9 0"] * 4)
    unsure = SeenTile(0, 0, "6", "red", 0.6, sure=False, likely=(("6", 0.6), ("9", 0.39)))
    home.play(ask.Next(0), ask.ReadTray(Tray((unsure,), "f1")))
    page = home.browser().get("/table").text
    doubts = page[page.index('id="bridge-doubts"') : page.index('id="by-tapping"')]
    assert "/evidence/f1.tray.jpg" in doubts
    offered = [doubts.index(f'name="symbol" value="{symbol}"') for symbol in "690"]
    assert offered == sorted(offered)


def test_a_tile_in_the_row_of_another_colour_is_asked_about_and_both_are_named(home: House):
    begun(home, "draw-bridge")
    reds = SeenTile(0, 0, "6", "red"), SeenTile(0, 9, "8", "red")
    blue = SeenTile(0, 1, "3", "blue", 0.9, sure=False)
    home.play(ask.Next(0), ask.ReadTray(Tray((*reds, blue), "f1")))
    page = home.browser().get("/table").text
    doubts = page[page.index('id="bridge-doubts"') : page.index('id="by-tapping"')]
    assert "Row 1 place 2, blue" in doubts
    assert "The other tiles of this row are red." in doubts
