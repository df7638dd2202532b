"""What everybody must know stands at the top of every page: safe mode names the line that is wrong."""

from __future__ import annotations

import pytest

from pi.table import SAFE
from tests.builders import start
from tests.web.builders import house
from web.speech import echo, speaking

FAULT = "0 is out of range (expected 0.1 to 240), at camera/fps, in /etc/feltside/feltside.toml"


@pytest.mark.parametrize("path", ["/", "/table"])
def test_safe_mode_is_said_loudly_and_names_the_line(tmp_path, path):
    home = house(tmp_path)
    home.play(start())
    assert "Safe mode" not in home.browser().get(path).text
    told = {"state": "safe mode", "words": SAFE.format(FAULT), "secret": "5"}
    home.table.status = home.table.status | {"settings": told}
    home.told()
    page = home.browser().get(path).text
    assert 'role="alert">Safe mode: 0 is out of range' in page
    assert "at camera/fps" in page
    assert home.browser().get("/api/state").json["status"]["settings"] == {
        "state": "safe mode",
        "words": SAFE.format(FAULT),
    }


@pytest.mark.parametrize(("part", "state"), [("camera", "away"), ("camera", "hangs"), ("panel", "missing")])
def test_a_camera_or_board_that_cannot_start_is_said_loudly_where_play_goes_on_by_hand(tmp_path, part, state):
    home = house(tmp_path)
    home.table.status = home.table.status | {part: {"state": state, "words": "It is not there."}}
    home.told()
    page = home.browser().get("/table").text
    assert '<p class="banner held" role="alert">It is not there.</p>' in page


def test_safe_mode_is_said_in_german_too():
    with speaking("de"):
        said = echo(SAFE.format(FAULT))
    assert said.startswith("Notbetrieb: 0 is out of range")
    assert said.endswith("neu starten.")
