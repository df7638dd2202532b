"""A card's boot partition: settings laid there are applied and taken away, bad ones refused with the reason beside."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.doors.boot_settings import NAME, REFUSED, main
from pi.doors.doctor import _refused
from pi.rescue import FOLDERS
from pi.settings import PanelKind, load_settings
from tests.conftest import ROOT

BEFORE = (ROOT / "systemd" / "feltside.toml").read_text()


@pytest.fixture
def card(tmp_path: Path) -> tuple[Path, Path]:
    """Return a boot partition and the installed settings."""
    boot, etc = tmp_path / "boot", tmp_path / "etc"
    boot.mkdir()
    etc.mkdir()
    (etc / NAME).write_text(BEFORE)
    return boot, etc / NAME


def boot_with(card: tuple[Path, Path], data: bytes) -> int:
    (card[0] / NAME).write_bytes(data)
    return main([str(card[0]), "--installed", str(card[1])])


def test_nothing_laid_is_nothing_done(card):
    assert main([str(card[0]), "--installed", str(card[1])]) == 0
    assert card[1].read_text() == BEFORE


@pytest.mark.parametrize("web", ["", '[web]\npin = "2468"\n', '[ web ]  # pages\nhosts = ["tray.example.org"]\n'])
def test_what_holds_is_applied_with_the_tables_own_folders_and_taken_away(card, web):
    text = f'[panel]\nkind = "none"\n{web}'
    assert boot_with(card, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == 0, "as a Windows editor saves it"
    found = load_settings(card[1])
    assert found.panel.kind is PanelKind.NONE
    assert [str(found.state), str(found.run), found.web.folder] == list(FOLDERS.values())
    assert list(card[0].iterdir()) == []
    assert card[1].with_name(f"{NAME}.before").read_text() == BEFORE
    assert main([str(card[0]), "--installed", str(card[1])]) == 0, "and nothing more at the next boot"
    assert load_settings(card[1]) == found


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"[camera]\nfps = 0\n", "camera/fps"),
        (b"[camera\n", "not TOML"),
        (b'state = "/root"\n', "may only write to"),
        (b'[web]\nfolder = "/tmp"\n', "may only write to"),
        (b'web.pin = "2468"\n', "expected a line [web]"),
        (b"\xff\xfep\x00i\x00n\x00", "UTF-8"),
        (b"#" * 70_000, "too long"),
        (b'[mqtt]\npassword = "hush"\n', "no password stands in the settings"),
    ],
)
def test_what_does_not_hold_is_left_there_with_the_reason_beside_it_and_nothing_changes(card, capsys, data, why):
    assert boot_with(card, data) == 2
    assert card[1].read_text() == BEFORE
    assert sorted(p.name for p in card[1].parent.iterdir()) == [NAME]
    assert (card[0] / NAME).read_bytes() == data
    told = (card[0] / REFUSED).read_text()
    assert why in told
    assert "Nothing was changed" in told
    assert "hush" not in told
    assert why in capsys.readouterr().out
    assert boot_with(card, b"[camera]\nfps = 5\n") == 0
    assert list(card[0].iterdir()) == [], "put right, the reason goes, too"


def test_the_doctor_tells_of_refused_ones(card):
    assert list(_refused([card[0]])) == []
    boot_with(card, b"[camera\n")
    (found,) = _refused([card[0]])
    assert (found.state, REFUSED in found.words) == ("bad", True)


@given(st.binary(max_size=300))
def test_law_whatever_is_laid_there_the_settings_hold_afterwards(tmp_path_factory, data: bytes):
    folder = tmp_path_factory.mktemp("card")
    (folder / "boot").mkdir()
    (folder / "etc").mkdir()
    (folder / "etc" / NAME).write_text(BEFORE)
    status = boot_with((folder / "boot", folder / "etc" / NAME), data)
    assert status == 0 or (folder / "etc" / NAME).read_text() == BEFORE
    assert str(load_settings(folder / "etc" / NAME).state) == FOLDERS["state"]
