"""Settings: checked at the door, every fault named with its path and the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi.errors import BadSettings
from pi.rules.queueing import TIE_BOUND_NS, PadMode
from pi.settings import CameraKind, PanelKind, SeatPins, Settings, default_state, load_settings, simulated


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "feltside.toml"
    path.write_text(text)
    return load_settings(path, environ={})


def test_without_a_file_everything_has_a_default(tmp_path: Path):
    settings = load_settings(environ={"STATE_DIRECTORY": str(tmp_path)})
    assert settings.journal == tmp_path / "feltside.sqlite"
    assert settings.table.tie_bound_ns == TIE_BOUND_NS
    assert settings.table.phone_bound_ns == 50_000_000
    assert settings.file is None


def test_the_default_board_uses_each_of_the_26_free_lines_once():
    pins = [pin for _, pin in Settings(Path()).panel.pins()]
    assert sorted(pins) == list(range(2, 28))


def test_the_state_folder_is_systemds_first_or_in_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert default_state({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}) == Path("/var/lib/a")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_state({}) == tmp_path / ".local" / "state" / "feltside"


def test_a_file_is_read_into_values(tmp_path: Path):
    settings = load(
        tmp_path,
        """
        state = "evening"
        [table]
        tie_ms = 2
        grace_ms = 2.5
        [panel]
        mode = "wells"
        next = 20
        queue = [21, 22]
        [seats.2]
        one = 2
        two = 3
        four = 4
        lock = 5
        lamp = 6
        [camera]
        kind = "usb"
        size = [640, 480]
        [web]
        port = 0
        """,
    )
    assert settings.state == tmp_path / "evening", "a relative folder is meant beside the file"
    assert (settings.table.tie_bound_ns, settings.table.grace_ns) == (2_000_000, 2_500_000)
    assert settings.panel.mode is PadMode.WELLS
    assert settings.panel.seats == {2: SeatPins(2, 3, 4, 5, 6)}
    assert settings.panel.buzzer is None, "a board of one's own has what the file names"
    assert (settings.camera.kind, settings.camera.size) == (CameraKind.USB, (640, 480))
    assert settings.file == tmp_path / "feltside.toml"


def test_the_command_lines_folder_stands_above_the_files(tmp_path: Path):
    path = tmp_path / "feltside.toml"
    path.write_text('state = "here"')
    assert load_settings(path, state=tmp_path / "there", environ={}).state == tmp_path / "there"


SEAT = "one = 2\ntwo = 3\nfour = 4\nlock = 5\nlamp = {lamp}\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[tabel]", "unknown section 'tabel' (expected state, run, table, panel, seats, camera, web, mqtt), at tabel"),
        ("[table]\ntie = 3", "at table"),
        ('[table]\ntie_ms = "3"', "'3' is not of the kind float, at table/tie_ms"),
        ("[table]\ntie_ms = -1", "-1.0 is out of range (expected 0 to 1000), at table/tie_ms"),
        ("[table]\ntie_ms = nan", "out of range (expected 0 to 1000), at table/tie_ms"),
        ("table = 3", "at table"),
        ("state = 3", "3 is not a folder's name, at state"),
        ('[panel]\nmode = "levers"', "'levers' is not one of wells, keys, at panel/mode"),
        ("[panel.seats.1]\none = 2", "sections of their own (expected [seats.1]), at panel/seats"),
        ("[seats.7]\n" + SEAT.format(lamp=7), "seat 7 is not at this table (expected 1-4), at seats/7"),
        ("[seats.2]\none = 2", "field 'two' is missing (expected by SeatPins), at seats/2"),
        ("[seats.2]\n" + SEAT.format(lamp='"x"'), "'x' is not of the kind int, at seats/2/lamp"),
        ("[seats.2]\n" + SEAT.format(lamp=40), "40 is not a free BCM pin (expected 2 to 27), at seats/2/lamp"),
        (
            "[seats.2]\n" + SEAT.format(lamp=5),
            "BCM pin 5 is used twice (already by seats/2/lock), at seats/2/lamp",
        ),
        (
            "[panel]\nnext = 4\n[seats.2]\n" + SEAT.format(lamp=7),
            "BCM pin 4 is used twice (already by seats/2/four), at panel/next",
        ),
        ("[panel]\nqueue = [1, 2, 3, 4, 5]", "5 queue lamps (expected at most 4), at panel/queue"),
        ('[camera]\nkind = "folder"', "needs its folder, at camera/folder"),
        ("[camera]\nsize = [640]", "a list of 1 (expected 2 items), at camera/size"),
        ("[camera]\nsize = [1, 480]", "at camera/size/0"),
        ("[web]\nport = 70000", "70000 is out of range (expected 0 to 65535), at web/port"),
        ("seats = 3", "the pads are sections (expected [seats.1] to [seats.4]), at seats"),
        ("x = ", "the settings are not TOML"),
    ],
)
def test_a_fault_is_named_with_its_path_and_the_file(tmp_path: Path, text: str, sentence: str):
    with pytest.raises(BadSettings) as no:
        load(tmp_path, text)
    assert sentence in str(no.value)
    assert str(no.value).endswith(str(tmp_path / "feltside.toml"))


def test_a_file_that_is_not_there_or_not_text_is_said(tmp_path: Path):
    with pytest.raises(BadSettings, match="No such file or directory, at .*none.toml"):
        load_settings(tmp_path / "none.toml", environ={})
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadSettings, match="not UTF-8 text"):
        load_settings(tmp_path / "bytes.toml", environ={})


def test_a_simulated_table_has_a_board_and_a_drawn_tray_but_keeps_its_folder_of_pictures(tmp_path: Path):
    none = load(tmp_path, '[panel]\nkind = "none"')
    assert simulated(none).panel.kind is PanelKind.BOARD
    assert simulated(none).camera.kind is CameraKind.SIMULATED
    folder = load(tmp_path, '[camera]\nkind = "folder"\nfolder = "pictures"')
    assert simulated(folder).camera.kind is CameraKind.FOLDER
    assert folder.camera.folder == str(tmp_path / "pictures")


def test_a_file_that_names_its_folder_asks_for_no_home(tmp_path, monkeypatch):
    """A service's passing user (systemd's DynamicUser) has none."""
    (tmp_path / "f.toml").write_text('state = "here"\n')
    monkeypatch.setattr("pi.settings.Path.home", lambda: 1 / 0)
    assert load_settings(tmp_path / "f.toml", environ={}).state == tmp_path / "here"
