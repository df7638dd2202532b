"""What the pages show is what the program says now: diagram, heights and lamp language cannot drift."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from pi import cli, optics
from pi.lamps import language_markdown
from pi.rules.queueing import TIE_BOUND_NS, PadMode
from pi.settings import PanelSettings, Settings
from pi.wiring import HEADER, parts, wiring_svg
from tests.conftest import ROOT

PAGE = ROOT / "pi" / "HARDWARE.md"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_diagram_beside_the_page_is_what_the_command_draws_now():
    assert (ROOT / "pi" / "wiring.svg").read_text() == wiring_svg(PanelSettings()), "feltside print wiring --out ..."
    assert "](wiring.svg)" in PAGE.read_text()


def test_the_command_prints_the_diagram(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["print", "wiring"]) == 0
    assert capsys.readouterr().out == wiring_svg(PanelSettings())


def test_the_diagram_names_every_pin_of_the_map_once():
    panel = PanelSettings()
    texts = [node.text for node in ET.fromstring(wiring_svg(panel)).iter(f"{SVG}text")]
    for part in parts(panel).values():
        assert texts.count(part.label) == 1
    assert {f"GPIO{pin}" for _, pin in panel.pins()} <= set(texts)


def test_the_header_has_forty_places_and_every_bcm_pin_once():
    assert [place for place, _ in HEADER] == list(range(1, 41))
    pins = [int(name) for _, name in HEADER if name.isdigit()]
    assert sorted(pins) == list(range(28))


def test_a_board_of_ones_own_is_drawn_as_it_is():
    seats = {1: replace(PanelSettings().seats[1], plug=26)}
    panel = PanelSettings(mode=PadMode.WELLS, seats=seats, queue=(), buzzer=None, next=None)
    svg = wiring_svg(panel)
    assert "6 of 26 lines in use; pads with wells" in svg
    assert "Seat 1 well 4" in svg
    assert "Seat 1 plug" in svg
    assert "Seat 2" not in svg


def test_words_from_the_settings_cannot_break_the_picture():
    assert ET.fromstring(wiring_svg(PanelSettings())).tag == f"{SVG}svg"


def test_the_heights_on_the_page_are_computed():
    assert optics.table_markdown() in PAGE.read_text()


@pytest.mark.parametrize("lens", optics.LENSES, ids=lambda lens: lens.name)
def test_at_the_height_that_just_fits_the_tray_fills_the_picture_but_for_the_margin(lens: optics.Lens):
    height = optics.height_mm(lens, width_mm=360, depth_mm=260)
    assert height == optics.height_mm(lens, width_mm=260, depth_mm=360), "the longer side lies along"
    across_px = 360 * optics.pixels_per_mm(lens, height_mm=height)
    assert across_px <= optics.PICTURE_PX / optics.MARGIN + 1e-6


def test_the_readme_holds_the_lamp_language_and_leads_to_the_page():
    readme = (ROOT / "README.md").read_text()
    assert language_markdown() in readme
    assert "](pi/HARDWARE.md)" in readme


def test_the_page_states_the_bound_that_the_program_uses():
    text = PAGE.read_text()
    assert f"So the default is {TIE_BOUND_NS / 1e6:g} ms" in text
    assert Settings(Path(".")).table.tie_bound_ns == TIE_BOUND_NS
    assert "@@" not in text


def test_the_shopping_list_adds_up():
    rows = re.findall(r"^\| [^|]+ \| \d+ \| (\d+) \|", PAGE.read_text(), flags=re.M)
    assert f"About {round(sum(map(int, rows)), -1)} in all." in PAGE.read_text()
