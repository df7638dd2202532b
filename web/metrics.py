"""`GET /metrics`: how the appliance is, in the text format that Prometheus reads (version 0.0.4).

Free to look at, like the scoreboard, and as secret-free: what it tells of the match is what `present` lets through.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from flask import Response

from pi.archive import our_version
from pi.vitals import ROOT, degrees_c, flags
from web.present import SPECTATOR, View, present
from web.room import Room

MIMETYPE = "text/plain; version=0.0.4; charset=utf-8"
PARTS = ("camera", "panel", "journal", "settings")
FLAGS = {0: "undervoltage", 1: "frequency_capped", 2: "throttled", 3: "hot"}
"""Bits of the firmware's flags for now; 16 higher: since it was switched on."""
Sample = tuple[str, str, str, float]
"""(name, help, labels as written, value)."""


def register(room: Room) -> None:
    """Hook the route into the room's app."""
    begun_s = time.time()

    def metrics() -> Response:
        return Response(text(room, begun_s=begun_s), mimetype=MIMETYPE)

    room.app.add_url_rule("/metrics", endpoint="metrics", view_func=metrics, methods=["GET"])


def text(room: Room, *, begun_s: float) -> str:
    """Return all samples. begun_s: when the web server began, seconds since 1970."""
    sight = room.desk.look()
    view = present(sight.match, SPECTATOR, status=sight.status, seq=sight.seq, away=sight.stale)
    lines, said = [], set()
    for name, about, labels, value in (*of_view(view), *of_machine(room, begun_s=begun_s)):
        if name not in said:
            said.add(name)
            lines += [f"# HELP {name} {about}", f"# TYPE {name} gauge"]
        lines.append(f"{name}{{{labels}}} {value:.15g}" if labels else f"{name} {value:.15g}")
    return "\n".join(lines) + "\n"


def of_view(view: View) -> Iterator[Sample]:
    """Yield what the public view tells."""
    yield "feltside_table_up", "Whether the table answers.", "", view["stale"] is None
    running = view["phase"] not in ("none", "over")
    yield "feltside_match_running", "Whether a match is played.", "", running
    yield "feltside_match_seq", "Events of the newest match.", "", view["seq"]
    yield (
        "feltside_match_round",
        "Round that is played or was played last.",
        "",
        (view.get("round") or {}).get("number", 0),
    )
    yield "feltside_players", "Players of the newest match.", "", len(view["players"])
    status = view["status"]
    for part in PARTS:
        well = status[part]["state"] in ("ok", "none", None)
        yield "feltside_part_ok", "Whether a part of the table is well (or not there at all).", f'part="{part}"', well
    if (fps := status["camera"]["fps"]) is not None:
        yield "feltside_camera_fps", "Pictures a second that the camera gives.", "", fps
    yield (
        "feltside_eye_notices",
        "Things about tray and light that the eye asks to look after.",
        "",
        len(status["eye"]["notices"]),
    )


def of_machine(room: Room, *, begun_s: float, root: Path = ROOT) -> Iterator[Sample]:
    """Yield what this machine and this process tell."""
    version = our_version().replace('"', "")
    yield "feltside_info", "The version, as a label.", f'version="{version}"', 1
    yield "feltside_web_start_time_seconds", "When the web server began, seconds since 1970.", "", round(begun_s)
    yield "feltside_web_memory_bytes", "Memory of the web server.", "", _resident()
    try:
        disk = shutil.disk_usage(room.state)
        yield "feltside_disk_free_bytes", "Free on the disk with the matches.", "", disk.free
        yield (
            "feltside_live_picture_age_seconds",
            "Age of the live picture.",
            "",
            time.time() - room.live.stat().st_mtime,
        )
    except OSError:
        pass  # no disk, no picture: nothing to measure
    if (degrees := degrees_c(root)) is not None:
        yield "feltside_temperature_celsius", "Of the processor.", "", degrees
    if (known := flags(root)) is not None:
        for bit, what in FLAGS.items():
            about = "The firmware's word on power and heat: now, and since it was switched on."
            yield "feltside_power_flag", about, f'flag="{what}",when="now"', known >> bit & 1
            yield "feltside_power_flag", about, f'flag="{what}",when="ever"', known >> (bit + 16) & 1


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
