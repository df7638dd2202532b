"""How the appliance is, in plain words: camera, eye, pads, disk, power, warmth, network. Looks, touches nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pi.archive import our_version
from pi.rules.corrections import Corrections
from pi.upkeep import INSTALLED, installed
from pi.vitals import HOT_C, WARM_C, degrees_c, local_name, own_addresses, power
from web.eye import corrected, in_brief, sentence
from web.speech import decimal, echo, say

GIGABYTE = 1_000_000_000
WRONG = ("tray-lost", "too-dark", "too-bright", "corners-lost", "corners-wrong", "corners-turned")
"""Notices with which nothing is read until somebody does something."""
LITTLE_GB, TOO_LITTLE_GB = 1.0, 0.2


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing looked at."""

    what: str
    state: str
    """ok, note (works, but mind it) or bad."""
    words: str


def signs(
    status: Mapping[str, Any],
    *,
    state: Path,
    root: Path = Path("/"),
    lately: Corrections | None = None,
    alone: bool = False,
) -> tuple[Sign, ...]:
    """Return every sign. status: as `present` lets it through; root: where /sys lies.

    lately: how often the eye was corrected; None where nobody counts. alone: whether the pages are open to this very
    machine only, whatever its network.
    """
    found = [_camera(status["camera"]), _eye(status["eye"]), *_watch(status["eye"]), *_trusted(lately)]
    found.append(_told("Pads", status["panel"]))
    return (*found, *machine(state, root=root, alone=alone))


def machine(state: Path, *, root: Path = Path("/"), alone: bool = False) -> tuple[Sign, ...]:
    """Return what this machine itself tells: nobody sends word when that changes, so pages look now and then."""
    return (*_version(root), *_disk(state), *_warmth(root), *_power(root), _network(alone=alone))


def _told(what: str, part: Mapping[str, Any]) -> Sign:
    state = part.get("state")
    words = echo(part.get("words") or "") or (say("no word yet") if state is None else str(state))
    return Sign(what, "ok" if state == "ok" else "note" if state is None else "bad", words)


def _camera(camera: Mapping[str, Any]) -> Sign:
    told = _told("Camera", camera)
    if told.state == "ok" and (sight := camera.get("tray")) != "seen":
        # It works; but what it is there for is the tray.
        told = Sign(told.what, "bad" if sight == "unseen" else "note", told.words)
    if camera.get("fps") is None:
        return told
    fps = say("{fps} pictures a second", fps=f"{camera['fps']:g}")
    return Sign(told.what, told.state, f"{told.words} ({fps})")


def _eye(eye: Mapping[str, Any]) -> Sign:
    problems = ", ".join(say(problem) for problem in eye["problems"])
    words = in_brief(eye["status"], eye["problems"])
    bad = eye["status"] == "no-tray"
    return Sign("Eye", "bad" if bad else "ok", f"{words} ({problems})" if problems else words)


def _watch(eye: Mapping[str, Any]) -> Iterator[Sign]:
    """Tell what the eye's guard has noticed of the tray's place and the light."""
    for notice in eye.get("notices", ()):
        place = not notice["what"].startswith(("light", "too"))
        state = "bad" if notice["what"] in WRONG else "note"
        yield Sign("Tray" if place else "Light", state, sentence(notice))


def _trusted(lately: Corrections | None) -> Iterator[Sign]:
    if lately is not None and lately.too_many:
        yield Sign("Reading", "note", corrected(lately))


def _version(root: Path) -> Iterator[Sign]:
    commit = installed(root / INSTALLED.relative_to("/"))
    yield Sign("Version", "ok", f"Feltside {our_version()}" + (f" ({commit[:12]})" if commit else ""))


def _disk(state: Path) -> Iterator[Sign]:
    try:
        free = shutil.disk_usage(state).free / GIGABYTE
    except OSError as no:
        yield Sign("Disk", "bad", str(no.strerror))
        return
    state_ = "bad" if free < TOO_LITTLE_GB else "note" if free < LITTLE_GB else "ok"
    yield Sign("Disk", state_, say("{free} GB free", free=decimal(free, 1)))


def _warmth(root: Path) -> Iterator[Sign]:
    degrees = degrees_c(root)
    if degrees is None:
        return
    state = "bad" if degrees >= HOT_C else "note" if degrees >= WARM_C else "ok"
    words = say("{degrees} °C", degrees=round(degrees))
    yield Sign("Warmth", state, words if state == "ok" else f"{words}: {say('give it air')}")


def _power(root: Path) -> Iterator[Sign]:
    """Tell of a weak power supply; only a Raspberry Pi knows (its hwmon is called rpi_volt)."""
    known = list(power(root))
    yield from (Sign("Power", vital.state, echo(vital.words)) for vital in known)
    # Kernels without the firmware's flags have the voltage alarm alone.
    for folder in () if known else sorted((root / "sys/class/hwmon").glob("*")):
        try:
            name = (folder / "name").read_text().strip()
        except OSError:
            continue
        if name == "rpi_volt":
            weak = _number(folder / "in0_lcrit_alarm") == 1
            words = say("too weak: use the Raspberry Pi's own supply") if weak else say("enough")
            yield Sign("Power", "bad" if weak else "ok", words)


def _network(*, alone: bool) -> Sign:
    if alone:
        return Sign("Network", "note", say("not used: these pages are open to this device alone"))
    address = own_address()
    if address is None:
        return Sign("Network", "note", say("none: only this device can look"))
    return Sign("Network", "ok", say("others reach the table at {address}", address=address))


def own_address() -> str | None:
    """Return the address under which others reach this machine; None without a network. Sends nothing."""
    return next((address for address in own_addresses() if ":" not in address), None)


def find_me(base: str) -> tuple[str, ...]:
    """Return how others reach the pages: by the table's name, and by its address. base: as the looker wrote it."""
    port = f":{url.port}" if (url := urlsplit(base)).port else ""
    address = own_address()
    return (f"http://{local_name()}{port}/", f"http://{address}{port}/") if address else ()


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
