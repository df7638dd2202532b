"""What the eye asks and what it read wrongly, answered by one tap in Chromium; a turn's page for every eye."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi.rules.seen import DARK
from tests.browser.test_access import AXE, RUN
from tests.web.builders import house, served
from tests.web.test_turns import begun, doubtful, kept, row

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_question_and_a_correction_take_one_tap_each(chromium, tmp_path: Path):
    home = house(tmp_path)
    begun(home, squares=8)
    places = [{"kind": "place", "number": n, "confidence": 0.98, "at": [100.0 * n + 50, 370.0]} for n in range(8)]
    for frame in ("f1", "f2"):
        kept(home.room.evidence, frame, places)
    home.play(row("f1", s2=DARK), doubtful(row("f2", s2=DARK), 5))
    with served(home.app) as port:
        table = chromium.open(f"http://127.0.0.1:{port}/table", "phone", scheme="light")
        chromium.shoot(table, "turn-asked")
        with table.expect_response(lambda answer: "/act/tell-piece" in answer.url) as answer:
            table.locator("#asked .likely button").first.click()
        assert answer.value.status == 200
        assert home.table.match.state.row[5] == "1"
        home.told()
        turn = chromium.open(f"http://127.0.0.1:{port}/turn/2", "phone", bypass_csp=True, reduced_motion="reduce")
        assert turn.evaluate("document.documentElement.scrollWidth <= innerWidth")
        turn.evaluate(AXE)
        assert turn.evaluate(RUN) == []
        chromium.shoot(turn, "turn-page")
        with turn.expect_response(lambda answer: "/act/tell-piece" in answer.url) as answer:
            turn.get_by_role("button", name="a light counter").first.click()
        assert answer.value.status == 200
        assert home.table.match.state.row[5] == "0"
