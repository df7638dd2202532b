"""API.md says what is there: every field of the view is described, and every field described is there."""

from __future__ import annotations

import re

from pi.rules import commands as ask
from pi.settings import WebSettings
from tests.builders import ONE_RUN, lock, start, tray
from tests.conftest import ROOT
from tests.web.builders import house
from web.app import WORKERS_KEPT
from web.asks import ASKS

PAGE = (ROOT / "web" / "API.md").read_text()
GAMES_OF_TURNS = {"play", "played", "asked"}


def described() -> set[str]:
    table = PAGE.split("The view's fields:")[1].split("## Acting")[0]
    rows = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)} | GAMES_OF_TURNS


def test_every_field_of_the_view_is_described_and_the_other_way_round(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 3, at=2.0))
    found = home.browser().get("/api/state").json
    assert set(found) | GAMES_OF_TURNS == described()
    assert set(found["status"]) == set(re.findall(r"`(\w+)`", PAGE.split("| `status` |")[1].split(":")[0]))
    for name in re.findall(r"`(\w+)`", PAGE.split("| `players` |")[1].split("\n")[0]):
        assert name in found["players"][0]
    for name in ("number", "revealed", "queue", "waiting", "tray", "claims", "truth", "proofs"):
        assert name in found["round"]


def test_addresses_commands_and_figures_are_true(tmp_path):
    rules = {rule.rule for rule in house(tmp_path).app.url_map.iter_rules()}
    for path in (
        "/api/state",
        "/events",
        "/metrics",
        "/live.jpg",
        "/history/<match>.jsonl",
        "/history/<match>.csv",
        "/pin",
    ):
        assert path in rules
    for name in ("start-match", "next", "reveal", "undo", "hold", "correct-tile", "rule-total", "end-match"):
        assert name in ASKS
    assert f"At most {WebSettings().threads - WORKERS_KEPT} listeners" in PAGE
