"""The pin map is checked at the door (issue 4): one sentence that names the path and the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi.errors import BadSettings
from pi.settings import PanelSettings, SeatPins, load_settings, pin_notes

SEAT = "one = 5\ntwo = 10\nfour = 9\nlock = 11\nlamp = 22\n"


def refused(tmp_path: Path, text: str) -> str:
    file = tmp_path / "feltside.toml"
    file.write_text(text)
    with pytest.raises(BadSettings) as no:
        load_settings(file)
    sentence = str(no.value)
    assert sentence.endswith(f", in {file}")
    return sentence.removesuffix(f", in {file}")


def test_the_default_board_uses_each_of_the_26_free_lines_once():
    pins = [pin for _, pin in PanelSettings().pins()]
    assert sorted(pins) == list(range(2, 28))


def test_a_pin_used_twice_is_refused_with_both_paths(tmp_path: Path):
    text = f"[seats.2]\n{SEAT.replace('lock = 11', 'lock = 10')}"
    assert refused(tmp_path, text) == "BCM pin 10 is used twice (already by seats/2/two), at seats/2/lock"


def test_a_pin_that_another_part_holds_is_refused(tmp_path: Path):
    text = f"[panel]\nbuzzer = 22\n[seats.2]\n{SEAT}"
    assert refused(tmp_path, text) == "BCM pin 22 is used twice (already by seats/2/lamp), at panel/buzzer"


@pytest.mark.parametrize("pin", [0, 1])
def test_the_hats_own_pins_are_reserved(tmp_path: Path, pin: int):
    text = f"[seats.1]\n{SEAT.replace('one = 5', f'one = {pin}')}"
    assert refused(tmp_path, text) == (
        f"BCM pin {pin} is reserved for the HAT's identification (I2C-ID), at seats/1/one"
    )


@pytest.mark.parametrize("pin", [-1, 28, 40, 1000])
def test_a_pin_that_the_header_has_not_is_refused(tmp_path: Path, pin: int):
    text = f"[seats.1]\n{SEAT.replace('one = 5', f'one = {pin}')}"
    assert refused(tmp_path, text) == f"{pin} is not a free BCM pin (expected 2 to 27), at seats/1/one"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f"[seats.2]\n{SEAT}five = 6\n", "seats/2"),
        (f"[seats.5]\n{SEAT}", "seats/5"),
        ("[panel]\nqueues = [1]\n", "panel"),
        ("[seats.2]\none = 5\n", "seats/2"),
        (f"[seats.2]\n{SEAT.replace('one = 5', 'one = true')}", "seats/2/one"),
        ("[seats.2]\n" + SEAT.replace("one = 5", "one = 'GPIO5'"), "seats/2/one"),
        ("[panel]\nqueue = [13, 19, 26, 20, 21]\n", "panel/queue"),
        ("[panel]\nmode = 'levers'\n", "panel/mode"),
    ],
)
def test_unknown_names_and_wrong_kinds_are_refused_with_their_path(tmp_path: Path, text: str, path: str):
    assert path in refused(tmp_path, text)


def test_more_lines_than_the_header_has_are_counted(tmp_path: Path):
    seats = "".join(f"[seats.{n}]\none = 2\ntwo = 3\nfour = 4\nlock = 5\nlamp = 6\nplug = 7\n" for n in range(1, 5))
    table = "[panel]\nnext = 8\nqueue = [9, 10, 11, 12]\nbuzzer = 13\n"
    assert refused(tmp_path, table + seats) == "30 GPIO lines are asked for (the header has 26 free ones), at panel"


def test_a_plug_wire_is_a_line_like_any_other(tmp_path: Path):
    assert "seats/2/plug" in refused(tmp_path, f"[seats.2]\n{SEAT}plug = 5\n")


def test_pins_that_something_else_may_claim_are_minded():
    notes = pin_notes(PanelSettings())
    assert [note.split(" must")[0] for note in notes] == ["I2C", "SPI", "The serial console"]
    assert "dtparam=i2c_arm=off" in notes[0]
    assert "2 (seats/1/one), 3 (seats/1/two)" in notes[0]


def test_a_lamp_that_glows_at_boot_is_minded():
    panel = PanelSettings(seats={1: SeatPins(one=20, two=21, four=22, lock=23, lamp=5)}, queue=(), buzzer=None)
    assert pin_notes(panel) == (
        "The lamp on BCM pin 5 (seats/1/lamp) glows while the Pi boots; a pin from 9 on does not.",
    )
