"""/metrics: what Prometheus reads, line by line, and nothing that a prediction could show in."""

from __future__ import annotations

import re
import time

from pi.rules import commands as ask
from tests.builders import start
from tests.web.builders import house
from web import metrics

LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? -?[0-9.e+]+')
"""A sample of the text format 0.0.4."""


def samples(home) -> dict[str, float]:
    answer = home.browser().get("/metrics")
    assert answer.mimetype == "text/plain"
    assert "version=0.0.4" in answer.headers["Content-Type"]
    assert answer.text.endswith("\n")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    assert all(LINE.fullmatch(line) for line in lines), lines
    names = [line.split("{")[0].split(" ")[0] for line in lines]
    for name in names:
        assert answer.text.count(f"# TYPE {name} gauge\n") == 1
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_before_during_and_after_a_match(tmp_path):
    home = house(tmp_path, pin="2468")
    found = samples(home)
    assert (found["feltside_table_up"], found["feltside_match_running"]) == (1, 0)
    home.play(start("Ann", "Bob", "Cyd"), ask.Next(0))
    found = samples(home)
    assert (found["feltside_match_running"], found["feltside_match_round"], found["feltside_players"]) == (1, 1, 3)
    home.play(ask.EndMatch())
    assert samples(home)["feltside_match_running"] == 0
    assert found["feltside_disk_free_bytes"] > 0
    assert found["feltside_web_memory_bytes"] > 1e6
    assert abs(found["feltside_web_start_time_seconds"] - time.time()) < 3600, "no figure is cut off"


def test_trouble_shows(tmp_path):
    home = house(tmp_path)
    home.table.status = home.table.status | {
        "camera": {"state": "away", "words": "", "fps": 9.5},
        "settings": {"state": "safe mode", "words": "x"},
    }
    home.told()
    found = samples(home)
    assert found['feltside_part_ok{part="camera"}'] == 0
    assert found['feltside_part_ok{part="settings"}'] == 0
    assert found['feltside_part_ok{part="panel"}'] == 1
    assert found["feltside_camera_fps"] == 9.5


def test_a_pi_tells_warmth_and_power_flags(tmp_path):
    home = house(tmp_path / "state")
    zone, soc = tmp_path / "sys/class/thermal/thermal_zone0", tmp_path / "sys/devices/platform/soc/soc:firmware"
    zone.mkdir(parents=True)
    soc.mkdir(parents=True)
    (zone / "temp").write_text("61234\n")
    (soc / "get_throttled").write_text("50001\n")
    found = {
        (name, labels): value for name, _, labels, value in metrics.of_machine(home.room, begun_s=0, root=tmp_path)
    }
    assert found["feltside_temperature_celsius", ""] == 61.234
    assert found["feltside_power_flag", 'flag="undervoltage",when="now"'] == 1
    assert found["feltside_power_flag", 'flag="throttled",when="now"'] == 0
    assert found["feltside_power_flag", 'flag="throttled",when="ever"'] == 1
