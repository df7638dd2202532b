"""How the machine under the table is: power, warmth, clock, network, versions, pictures. Looks, touches nothing.

`root` in these functions is where /proc, /sys, /etc and /run lie: tests bring their own.
"""

from __future__ import annotations

import platform
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pi.settings import Settings

ROOT = Path("/")
WARM_C, HOT_C = 70.0, 80.0
"""A Raspberry Pi slows itself down from 80 degrees on."""
STALE_S = 10.0
"""A live picture older than this is not live."""
DARK, BRIGHT = 40.0, 215.0
"""Mean grey of a picture outside of which tiles can hardly be read."""
BLOWN = 0.05
"""Part of a picture that may be pure white."""
EARLIEST = 1_767_225_600
"""2026-01-01: a clock before it has not been set since the card was written."""
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
_POWER_NOW = {
    0: "the voltage is too low right now",
    1: "the processor is held back right now",
    2: "the processor is throttled right now",
    3: "it is too hot right now",
}
_POWER_PAST = {16: "the voltage was too low", 17: "the processor was held back", 18: "it was throttled"}
_SUPPLY = "use the Pi's own power supply and a short cable; this is no fault of the camera"


@dataclass(frozen=True, slots=True)
class Vital:
    """One thing looked at."""

    what: str
    state: str
    """ok, note (works, but mind it) or bad."""
    words: str


def vitals(settings: Settings, *, root: Path = ROOT, now_s: float | None = None) -> Iterator[Vital]:
    """Yield everything. now_s: the wall clock, by default this machine's."""
    now_s = time.time() if now_s is None else now_s
    yield versions(root)
    yield from power(root)
    yield from warmth(root)
    yield clock(root, now_s)
    yield network(root)
    yield from picture(settings.live, now_s)


def versions(root: Path = ROOT) -> Vital:
    """Say what runs here."""
    model = _read(root / "proc/device-tree/model").rstrip("\0") or platform.machine()
    system = next(
        (line[13:-1] for line in _read(root / "etc/os-release").splitlines() if line[:12] == "PRETTY_NAME="), ""
    )
    parts = [f"Feltside {_version('feltside')}", model, system, f"kernel {platform.release()}"]
    parts += [f"{name} {_version(name)}" for name in ("numpy", "opencv-python", "gpiozero", "lgpio", "flask")]
    return Vital("versions", "ok", ", ".join(part for part in parts if part))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def flags(root: Path = ROOT) -> int | None:
    """Return the firmware's flags of under-voltage and throttling; None where there is no such firmware."""
    try:
        return int(_read(root / THROTTLED).strip() or "none", 16)
    except ValueError:
        return None


def power(root: Path = ROOT) -> Iterator[Vital]:
    """Say what the firmware knows of under-voltage and throttling; nothing on machines without it."""
    if (known := flags(root)) is None:
        return
    now = [words for bit, words in _POWER_NOW.items() if known >> bit & 1]
    past = [words for bit, words in _POWER_PAST.items() if known >> bit & 1]
    if now:
        yield Vital("power", "bad", f"{', '.join(now)}: {_SUPPLY}")
    elif past:
        yield Vital("power", "note", f"since it was switched on {', '.join(past)}: {_SUPPLY}")
    else:
        yield Vital("power", "ok", "enough, all the time")


def warmth(root: Path = ROOT) -> Iterator[Vital]:
    """Say how warm the processor is; nothing where nobody measures."""
    if (degrees := degrees_c(root)) is not None:
        state = "bad" if degrees >= HOT_C else "note" if degrees >= WARM_C else "ok"
        cure = "; give it air or a heat sink" if state != "ok" else ""
        yield Vital("warmth", state, f"{degrees:.0f} degrees Celsius{cure}")


def degrees_c(root: Path = ROOT) -> float | None:
    """Return how warm the processor is, in degrees Celsius; None where nobody measures."""
    text = _read(root / "sys/class/thermal/thermal_zone0/temp").strip()
    return int(text) / 1000 if re.fullmatch(r"-?[0-9]{1,9}", text) else None


def clock(root: Path, now_s: float) -> Vital:
    """Say whether the date is right. It is for people only: the game does not depend on it."""
    date = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now_s))
    if now_s < EARLIEST:
        return Vital("clock", "note", f"{date} cannot be: it is set when there is a network; the game does not mind")
    if not (root / "run/systemd/timesync/synchronized").exists():
        return Vital("clock", "note", f"{date}, not checked against the network yet; the game does not mind")
    return Vital("clock", "ok", date)


def network(root: Path = ROOT) -> Vital:
    """Say at which addresses the pages can be found."""
    name, found = local_name(root), sorted(set(own_addresses()))
    if not found:
        return Vital("network", "note", f"{name} has no network: tablets and phones cannot come, pads play on")
    return Vital("network", "ok", f"{name}, {', '.join(found)}")


def local_name(root: Path = ROOT) -> str:
    """Return the name under which this machine is found on its network: avahi's, which need not be its own."""
    lines = _read(root / "etc/avahi/avahi-daemon.conf").splitlines()
    named = [line.removeprefix("host-name=").strip() for line in lines if line.startswith("host-name=")]
    return f"{named[0] if named else socket.gethostname()}.local"


_WAYS = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"), (socket.AF_INET, "10.42.0.2"))
"""Addresses to ask the way to, sending nothing: two that are nobody's (RFC 5737, RFC 3849), and one on the table's own
Wi-Fi (`pi.doors.hotspot`), from which there is no way to anywhere else."""


def own_addresses() -> Iterator[str]:
    """Yield this machine's addresses as others see them, that of the old Internet Protocol first. Sends nothing."""
    for family, to in _WAYS:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((to, 9))
                found = str(probe.getsockname()[0])
            except OSError:
                continue
        if not found.startswith(("127.", "0.")) and found not in ("::", "::1"):
            yield found


def picture(live: Path, now_s: float) -> Iterator[Vital]:
    """Say how the latest picture is: fresh, well lit, all four markers in it."""
    try:
        age_s = now_s - live.stat().st_mtime
    except OSError:
        yield Vital("picture", "note", "there is none: the table has shown none since it was started")
        return
    if age_s > STALE_S:
        yield Vital("picture", "bad", f"the last one is {age_s:.0f} s old: the camera has stopped, or the table")
        return
    import cv2  # heavy, and only needed here

    from vision.tray.rectify import find_tray, is_mirrored

    seen = cv2.imread(str(live))
    if seen is None:
        yield Vital("picture", "bad", f"{live} is no picture")
        return
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    yield _exposure(float(grey.mean()), float((grey >= 254).mean()))
    tray = find_tray(seen)  # type: ignore[arg-type]
    if is_mirrored(seen, tray):  # type: ignore[arg-type]
        yield Vital("markers", "bad", "seen as a mirror shows them: turn off what mirrors the camera's picture")
    elif tray is None or not tray.complete:
        count = 0 if tray is None else len(tray.markers)
        yield Vital("markers", "bad", f"{count} of 4 are seen: clean them, mind hands and lamps, see the live picture")
    else:
        yield Vital("markers", "ok", "all four are seen")


def _exposure(mean: float, blown: float) -> Vital:
    if mean < DARK:
        return Vital("exposure", "bad", f"too dark (mean grey {mean:.0f} of 255): more light on the tray")
    if mean > BRIGHT or blown > BLOWN:
        return Vital("exposure", "note", f"glaring ({blown:.0%} is pure white): turn or cover the lamp over the tray")
    return Vital("exposure", "ok", f"mean grey {mean:.0f} of 255, {blown:.1%} pure white")


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
