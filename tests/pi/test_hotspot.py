"""The table's own Wi-Fi: a lawful profile, a passphrase of its own each, kept by later runs, gone with the rest."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import uuid

import pytest

from pi.doors import bundle, doctor, hotspot
from pi.doors.hotspot import ADDRESS, NAME, Hotspot, fresh, kept, main, profile
from pi.settings import Settings


def test_the_profile_is_an_access_point_that_anything_known_comes_before(tmp_path):
    main(["on", "--folder", str(tmp_path)])
    found = configparser.ConfigParser(interpolation=None)
    found.read_string((tmp_path / NAME).read_text())
    assert (found["wifi"]["mode"], found["connection"]["type"]) == ("ap", "wifi")
    assert found["connection"]["autoconnect"] == "true"
    assert int(found["connection"]["autoconnect-priority"]) == -999, "NetworkManager's lowest"
    assert (found["wifi-security"]["key-mgmt"], found["wifi-security"]["proto"]) == ("wpa-psk", "rsn;"), "WPA2"
    assert (found["ipv4"]["method"], found["ipv4"]["address1"]) == ("shared", f"{ADDRESS}/24")
    assert uuid.UUID(found["connection"]["uuid"])
    assert os.stat(tmp_path / NAME).st_mode & 0o777 == 0o600, "NetworkManager ignores one that others can read"


def test_every_table_has_its_own_passphrase():
    some = [fresh() for _ in range(50)]
    assert len({one.passphrase for one in some}) == 50
    for one in some:
        assert re.fullmatch(r"[a-z2-9]{4}(-[a-z2-9]{4}){3}", one.passphrase)
        assert 8 <= len(one.passphrase) <= 63, "what WPA2 takes"
        assert len(one.ssid.encode()) <= 32, "what 802.11 takes"


def test_a_repair_keeps_it_and_off_takes_it_away(tmp_path, capsys):
    main(["on", "--folder", str(tmp_path)])
    first = kept(tmp_path)
    main(["on", "--folder", str(tmp_path)])
    assert kept(tmp_path) == first
    assert first is not None
    said = capsys.readouterr().out
    assert said.count(first.passphrase) == 2
    assert f"http://{ADDRESS}/" in said
    main(["off", "--folder", str(tmp_path)])
    main(["off", "--folder", str(tmp_path)])
    assert kept(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_tells_it_at_the_table_and_no_bundle_holds_it(tmp_path, monkeypatch, capsys):
    own = Hotspot("Feltside-test", "aaaa-bbbb-cccc-dddd")
    monkeypatch.setattr(hotspot, "kept", lambda: own)
    monkeypatch.setattr(bundle, "ran", lambda command: "")
    monkeypatch.setattr(doctor, "rescued", lambda path: Settings(tmp_path))
    monkeypatch.setattr("sys.argv", ["feltside doctor", "--bundle", str(tmp_path / "b.zip")])
    doctor.main()
    assert own.passphrase in capsys.readouterr().out
    unzipped = subprocess.run(["python3", "-m", "zipfile", "-e", tmp_path / "b.zip", tmp_path / "out"], check=True)
    assert unzipped.returncode == 0
    assert all(own.passphrase not in path.read_text() for path in (tmp_path / "out").iterdir())


@pytest.mark.skipif(not shutil.which("nmcli"), reason="no NetworkManager here")
def test_networkmanager_takes_the_profile():
    text = profile(fresh(), identity=str(uuid.uuid4()))
    command = ["nmcli", "--offline", "connection", "modify", "connection.zone", ""]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "mode=ap" in done.stdout
