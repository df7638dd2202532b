"""The setup walk in Chromium: presses are ticked while one looks, and its buttons ask the table without a reload."""

from __future__ import annotations

from tests.browser.test_access import AXE, RUN
from tests.web.builders import STATUS, house, served

PANEL = {"state": "ok", "words": "The pads answer.", "mode": "keys", "seats": [1, 2]}


def test_buttons_are_ticked_lamps_asked_for_and_the_page_is_fit_for_everybody(chromium, tmp_path):
    home = house(tmp_path)

    def tell(*seen: str, read: bool = False) -> None:
        home.table.status = STATUS | {"panel": PANEL, "tryout": {"seen": list(seen), "read": read}}
        home.told()

    tell()
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/setup", "landscape", bypass_csp=True, reduced_motion="reduce")
        assert page.locator("#tried-1-4.sign-ok").count() == 0
        tell("1/4")
        page.wait_for_selector("#tried-1-4.sign-ok")
        with page.expect_response("**/act/tryout") as answer:
            page.click("text=Light every lamp, and begin anew")
        assert answer.value.ok
        assert home.table.asked[-1] == {"status": {"tryout": {"do": "lamps"}}}
        tell(*(f"{seat}/{key}" for seat in (1, 2) for key in ("1", "2", "4", "lock")), read=True)
        page.wait_for_selector("text=Every pad answers.")
        page.wait_for_selector("text=what the eye reads is drawn")
        page.evaluate(AXE)
        assert page.evaluate(RUN) == []
