"""A whole match on four pages at once: the scoreboard, the table, and two phones as pads."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from pi.rules.games import RULESETS
from tests.browser.conftest import PATIENCE_MS
from tests.builders import ONE_RUN, THREE_RUNS, players, tray
from tests.web.builders import evidence, house, served

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

TURNED = "\n".join(" ".join(reversed(line.split())) for line in reversed(THREE_RUNS.splitlines()))
"""Three runs again, laid anew: tiles that still lie from the round before are not read twice."""
ROUNDS = [(ONE_RUN, "f1", {1: ["1"], 2: ["2"]}), (TURNED, "f2", {1: ["1", "2"], 2: []})]
"""What lies there, its picture, and the disks each seat chooses: Ann is right twice."""


def alive(home):
    """Let the table tell the web server after each command, as the real one does."""
    asked = home.table.ask

    def ask_and_tell(request):
        answer = asked(request)
        home.told()
        return answer

    home.table.ask = ask_and_tell
    return home


def lock_in(phone, disks):
    expect(phone.locator(".phonepad")).to_be_visible(timeout=PATIENCE_MS)
    for disk in disks:
        phone.locator(f'.disk-box:has(input[value="{disk}"])').click()
    phone.get_by_role("button", name="LOCK").click()
    expect(phone.locator(".phonepad")).to_have_count(0, timeout=PATIENCE_MS)


def test_a_whole_match_on_four_pages(tmp_path, chromium):
    home = alive(house(tmp_path, pin=""))
    for text, frame, _ in ROUNDS:
        evidence(tmp_path / "evidence", frame, text.splitlines())
    with served(home.app) as port:
        address = f"http://127.0.0.1:{port}"
        board = chromium.open(f"{address}/", "landscape")
        table = chromium.open(f"{address}/table", "portrait", scheme="light")
        chromium.shoot(table, "match-1-first-visit")
        table.get_by_label("New PIN").fill("2468")
        table.get_by_label("Once more").fill("2468")
        table.get_by_role("button", name="Set the PIN").click()
        table.get_by_role("link", name="New match").click()  # past the setup walk: tests/browser/test_setup.py
        table.get_by_label("Name at seat 1").first.fill("Ann")
        table.get_by_label("Name at seat 2").first.fill("Bob")
        chromium.shoot(table, "match-2-new")
        table.get_by_role("button", name="Start").first.click()
        expect(board.locator("#headline")).to_contain_text("Ready for the first round", timeout=PATIENCE_MS)
        # The board may be told before the table's own page has come back from starting the match.
        expect(table.locator("a.secret")).to_have_count(len(ROUNDS[0][2]), timeout=PATIENCE_MS)
        links = [a.get_attribute("href") for a in table.locator("a.secret").all()]
        phones = {seat: chromium.open(address + link, "phone") for seat, link in enumerate(links, start=1)}
        for number, (text, frame, chosen) in enumerate(ROUNDS, start=1):
            table.get_by_role("button", name="First round" if number == 1 else "Next round").click()
            for seat, disks in chosen.items():
                lock_in(phones[seat], disks)
                expect(board.locator(f"#lane-{seat}")).to_contain_text("locked in", timeout=PATIENCE_MS)
            chromium.shoot(phones[1], f"match-3-locked-{number}")
            home.play(ask.ReadTray(tray(text, frame=frame)))
            expect(board.locator(".truth")).to_be_attached(timeout=PATIENCE_MS)
            expect(phones[1].locator(".verdict.right")).to_be_visible(timeout=PATIENCE_MS)
        expect(board.locator("#lane-1")).to_have_class("lane won right", timeout=PATIENCE_MS)
        board.mouse.click(5, 5)
        chromium.shoot(board, "match-4-won")
        expect(board.locator("#headline")).to_have_text("Ann wins with 12.")
        expect(phones[2].locator("#headline")).to_have_text("Ann wins with 12.")
        expect(table.locator("#new-" + home.table.match.id)).to_be_visible()
        chromium.shoot(table, "match-5-table")


def test_a_new_match_with_players_of_earlier_evenings_and_a_house_rule_is_six_taps(tmp_path, chromium):
    """Under 20 seconds, counted in taps: nothing is typed, and each switch says in a line what it does."""
    home = alive(house(tmp_path))
    home.play(ask.StartMatch("m1", "scramble", players("Cleo", "Dan")), ask.EndMatch("Supper."))
    home.play(ask.StartMatch("m2", "scramble", players("Ann", "Bob")), ask.EndMatch("Supper."))
    with served(home.app) as port:
        table = chromium.open(f"http://127.0.0.1:{port}/table", "phone")
        table.get_by_role("button", name="Bob").click()
        table.get_by_role("button", name="Cleo").click()
        table.get_by_role("button", name="Dan").click()
        expect(table.get_by_role("button", name="Dan")).to_have_attribute("aria-pressed", "true")
        table.locator("#house-scramble summary").click()
        lines = table.locator("#house-scramble .switch").all_inner_texts()
        assert len(lines) == len(RULESETS["scramble"].house_rules)
        assert all(rule.line in line for rule, line in zip(RULESETS["scramble"].house_rules, lines, strict=True))
        table.locator('#house-scramble input[name="house.tough"]').click()
        table.get_by_role("button", name="Start").first.click()
        expect(table.locator("#headline")).to_contain_text("Ready for the first round", timeout=PATIENCE_MS)
        assert [p.name for p in home.table.match.players] == ["Ann", "Cleo", "Dan"]
        assert dict(home.table.match.house)["tough"] is True


def test_a_next_match_with_the_same_players_is_one_tap(tmp_path, chromium):
    home = alive(house(tmp_path))
    home.play(ask.StartMatch("m1", "scramble", players("Ann", "Bob")), ask.EndMatch("Supper."))
    with served(home.app) as port:
        table = chromium.open(f"http://127.0.0.1:{port}/table", "phone")
        expect(table.get_by_label("Name at seat 1").first).to_have_value("Ann")
        table.get_by_role("button", name="Start").first.click()
        expect(table.locator("#headline")).to_contain_text("Ready for the first round", timeout=PATIENCE_MS)
        chromium.shoot(table, "match-6-table-phone")
