"""German pages are German all over: whole matches are tapped, and nothing that is said holds an English word."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from pi.rules import commands as ask
from tests.builders import ONE_RUN, lock, start, tray
from tests.web.builders import house
from tests.web.tapping import tap
from tests.web.test_game_matches import OURS, begin, offered

ENGLISH = re.compile(
    r"(?<![/\w.-])(the|is|are|of|and|has|have|turn|turns|rolls|with|your|this|that|it|for|not|to|by|from|seat|row|column|"
    r"place|tile|tiles|round|rounds|counter|you|wins|moves|table|camera|laid|were|nobody|no|yes)(?![\w-])",
    re.IGNORECASE,
)
"""Words of English that German does not have."""
NAMES = ("von Leroy Quet", "Divisors and multiples", "data:")
TAPS = 25


def said(page: str) -> Iterator[str]:
    """Yield what a page shows or reads aloud, piece by piece, but for the names of games and other languages."""
    page = re.sub(r"<(script|style|footer)\b.*?</\1>", " ", page, flags=re.S)
    spoken = re.findall(r'(?:aria-label|title|alt|placeholder|data-(?:none|one|many|lost|corrected))="([^"]*)"', page)
    for piece in (*re.sub(r"<[^>]+>", "\n", page).splitlines(), *spoken):
        if piece.strip() and not any(name in piece for name in NAMES):
            yield unescape(piece.strip())


def english(page: str) -> list[str]:
    return [piece for piece in said(page) if ENGLISH.search(piece)]


def look(browser: Any, *paths: str) -> list[str]:
    return [f"{path}: {piece}" for path in paths for piece in english(browser.get(path).text)]


@pytest.mark.parametrize("game", sorted(set(OURS) - {"quest"}))
def test_a_tapped_match_is_told_in_german(game: str, tmp_path):
    home, chance = house(tmp_path), random.Random(game)
    browser = begin(home, game, "Ann", "Bob")
    browser.get("/?lang=de")
    found = []
    for _ in range(TAPS):
        home.told()
        found += look(browser, "/", "/table")
        if not (forms := offered(browser, game)):
            break
        answer = tap(browser, chance.choice(forms), chance).json or {}
        found += english(" ".join(str(answer.get(name) or "") for name in ("sentence", "error")))
    found += look(browser, "/history", f"/history/{home.table.match.id}", f"/rules/{game}", "/turn/1")
    assert "\n".join(sorted(set(found))) == ""


def test_a_round_and_what_became_of_it_is_told_in_german(tmp_path):
    home = house(tmp_path)
    browser = home.browser()
    browser.get("/?lang=de")
    found = look(browser, "/", "/table")
    for step in (
        start("Ann", "Bob"),
        ask.Next(0),
        ask.Hold("Pause."),
        ask.Resume(),
        lock(1, 1),
        ask.ReadTray(tray(ONE_RUN, frame="f1")),
        lock(2, 3, at=2.0),
        ask.CorrectTile(1, 0, 5, "9", by="table"),
        ask.Undo(),
        ask.AdjustPoints(1, 2, "."),
        ask.EndMatch("."),
    ):
        home.play(step)
        found += look(browser, "/", "/table")
    found += look(browser, "/round/1", "/round/1?tile=0-0", "/round/1/luck", "/history", "/history/m1")
    found += look(
        browser,
        *(f"/history/m1/replay?step={n}" for n in range(1, 12)),
        "/teach",
        "/upkeep",
        "/doctor",
        "/setup",
        "/quests",
    )
    assert "\n".join(sorted(set(found))) == ""


@pytest.mark.parametrize("path", ["/nothing", "/round/9", "/history/m9", "/mathematics/x", "/evidence/x.jpg", "/seat"])
def test_what_cannot_be_shown_is_said_in_german(path: str, tmp_path):
    assert look(house(tmp_path).browser(), f"{path}?lang=de") == []
