"""Health in plain words, and QR codes that scanners read."""

from __future__ import annotations

import re

import pytest

from tests.builders import start
from tests.web.builders import STATUS, house
from web import health, qr
from web.present import SPECTATOR, present
from web.serve import _bound, only_here


@pytest.fixture
def view():
    from pi.rules.match import NEW

    return present(NEW, SPECTATOR, status=STATUS)["status"]


def found(view, tmp_path):
    return {sign.what: sign for sign in health.signs(view, state=tmp_path, root=tmp_path)}


def test_a_pi_tells_warmth_and_power(view, tmp_path):
    zone, volt = tmp_path / "sys/class/thermal/thermal_zone0", tmp_path / "sys/class/hwmon/hwmon1"
    zone.mkdir(parents=True)
    volt.mkdir(parents=True)
    (zone / "temp").write_text("81234\n")
    (volt / "name").write_text("rpi_volt\n")
    (volt / "in0_lcrit_alarm").write_text("1\n")
    signs = found(view, tmp_path)
    assert (signs["Warmth"].state, signs["Warmth"].words) == ("bad", "81 °C: give it air")
    assert signs["Power"].state == "bad"
    assert "supply" in signs["Power"].words


def test_the_firmware_s_flags_name_the_power_supply_and_not_the_camera(view, tmp_path):
    """A weak supply shows itself as a camera that fails: the words must name the cause."""
    file = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    file.parent.mkdir(parents=True)
    for text, state, word in (
        ("50005\n", "bad", "right now"),
        ("50000\n", "note", "was too low"),
        ("0\n", "ok", "enough"),
    ):
        file.write_text(text)
        sign = found(view, tmp_path)["Power"]
        assert sign.state == state
        assert word in sign.words
        assert ("power supply" in sign.words) is (state != "ok")
    file.write_text("rubbish")
    assert "Power" not in found(view, tmp_path)


def test_version_and_the_camera_s_pictures_a_second_stand_there(view, tmp_path):
    assert found(view, tmp_path)["Version"].words.startswith("Feltside ")
    assert found(view | {"camera": view["camera"] | {"fps": 9.5}}, tmp_path)["Camera"].words.endswith(
        "(9.5 pictures a second)"
    )


def test_another_machine_does_not_pretend(view, tmp_path):
    signs = found(view, tmp_path)
    assert "Warmth" not in signs
    assert "Power" not in signs
    assert signs["Camera"].state == "ok"
    assert signs["Eye"].words == "reads the tray surely"


def test_a_camera_that_is_away_is_trouble(tmp_path):
    away = {"camera": {"state": "away", "words": "No camera answers."}, "eye": {"status": None, "problems": []}}
    signs = found(away | {"panel": {"state": None, "words": None}}, tmp_path)
    assert (signs["Camera"].state, signs["Camera"].words) == ("bad", "No camera answers.")
    assert signs["Pads"].state == "note"


def test_a_phone_scans_its_seats_link(tmp_path):
    cv2 = pytest.importorskip("cv2")
    import numpy as np

    home = house(tmp_path)
    home.play(start())
    page = home.browser().get("/table", base_url="http://192.168.1.7:8080").text
    link = "http://192.168.1.7:8080" + re.search(r'class="secret" href="([^"]+)"', page)[1]
    assert link.startswith("http://192.168.1.7:8080/seat#1-")
    assert qr.svg(link) in page
    code = qr.svg(link)
    side = int(re.search(r'viewBox="0 0 (\d+)', code)[1])
    picture = np.full((side, side), 255, np.uint8)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", code):
        picture[int(y), int(x) : int(x) + int(width)] = 0
    # OpenCV's older detector does not find one good code in ninety, and the key in this one is a new one each time.
    text, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(cv2.resize(picture, None, fx=8, fy=8, interpolation=0))
    assert text == link


def test_a_table_that_listens_to_itself_alone_says_so_and_promises_no_phone(tmp_path, monkeypatch):
    from web import looking

    monkeypatch.setattr(looking, "own_address", lambda: "10.0.0.5")
    home = house(tmp_path)
    home.play(start())
    home.room.alone = True
    page = home.browser().get("/table", base_url="http://127.0.0.1:8080").text
    assert "not used: these pages are open to this device alone" in page
    assert "Phones cannot come in" in page
    assert "10.0.0.5" not in page


@pytest.mark.parametrize(("host", "alone"), [("127.0.0.1", True), ("localhost", True), ("0.0.0.0", False)])
def test_who_can_come_in_is_read_off_the_listening_sockets(host, alone):
    sockets = _bound(host, 0)
    assert only_here(sockets) is alone
    for one in sockets:
        one.close()


def test_on_the_table_itself_the_code_names_an_address_that_phones_reach(tmp_path, monkeypatch):
    from web import looking

    monkeypatch.setattr(looking, "own_address", lambda: "10.0.0.5")
    home = house(tmp_path)
    home.play(start())
    page = home.browser().get("/table", base_url="http://localhost:8080").text
    assert "Or open http://10.0.0.5:8080/seat there and type:" in page
    code = re.search(r'class="secret" href="([^"]+)"', page)[1]
    assert qr.svg(f"http://10.0.0.5:8080{code}") in page


def test_a_screen_without_a_match_says_where_the_table_is_by_name_by_address_and_as_a_code(tmp_path, monkeypatch):
    monkeypatch.setattr(health, "own_address", lambda: "10.0.0.5")
    monkeypatch.setattr(health, "local_name", lambda: "feltside.local")
    home = house(tmp_path)
    page = home.browser().get("/", base_url="http://localhost").text
    assert "http://feltside.local/ or http://10.0.0.5/" in page
    assert qr.svg("http://10.0.0.5/") in page
    assert "http://feltside.local:8080/" in home.browser().get("/", base_url="http://localhost:8080").text
    home.play(start())
    assert "http://10.0.0.5/" not in home.browser().get("/").text, "not over a match"


def test_without_a_network_no_way_is_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(health, "own_address", lambda: None)
    assert 'class="qr"' not in house(tmp_path).browser().get("/").text


def test_the_name_is_the_one_that_avahi_announces(tmp_path):
    from pi.vitals import local_name

    (tmp_path / "etc/avahi").mkdir(parents=True)
    (tmp_path / "etc/avahi/avahi-daemon.conf").write_text("[server]\n#host-name=foo\nhost-name=feltside\n")
    assert local_name(tmp_path) == "feltside.local"
    assert local_name(tmp_path / "nowhere").endswith(".local")
