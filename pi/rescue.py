"""Safe mode: with settings that do not hold the table comes up all the same, for play by hand.

Nothing that is wired is touched then: a wrong pin could drive a lamp's line into a closed button. What can be read
of the folders and of the PIN counts, everything else is as it is anyway. Matches are where they always were.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pi.errors import BadMessage, BadSettings
from pi.rules.codec import from_json
from pi.settings import CameraKind, PanelKind, Settings, WebSettings, default_state, load_settings

INSTALLED = Path("/etc/feltside/feltside.toml")
"""The installed table's settings."""
FOLDERS = {"state": "/var/lib/feltside", "run": "/run/feltside", "web": "/var/lib/feltside-web"}
"""Where the installed table keeps things: the services' sandbox lets them write nowhere else."""
MOST_LINES = 500
ASKED = "FELTSIDE_RESCUE"
"""Set in the units. (No option: a release from before, put back after a failed update, would not know it.)"""
_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def rescued(path: Path | None, *, state: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of a file as `load_settings` does; those of safe mode, their `fault` said, when it cannot."""
    try:
        return load_settings(path, state=state, environ=environ)
    except BadSettings as no:
        assert path is not None, "the defaults hold"
        return _safe(path, str(no), state, environ)


def settings_of_service(
    path: Path | None, *, state: Path | None = None, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Return a service's settings: rescued where its unit asks for that, else as `load_settings`, which may raise."""
    load = rescued if environ.get(ASKED) else load_settings
    return load(path, state=state, environ=environ)


def _safe(path: Path, fault: str, state: Path | None, environ: Mapping[str, str]) -> Settings:
    raw, installed = _legible(path), path == INSTALLED
    run = _folder(raw, "run", path) or (Path(FOLDERS["run"]) if installed else None)
    kept = state or _folder(raw, "state", path) or (Path(FOLDERS["state"]) if installed else default_state(environ))
    settings = Settings(state=kept, run=run, web=_web(raw, installed=installed), file=path, fault=fault)
    return replace(
        settings,
        panel=replace(settings.panel, kind=PanelKind.NONE),
        camera=replace(settings.camera, kind=CameraKind.NONE),
    )


def _legible(path: Path) -> dict[str, Any]:
    """Return what can be read of a file, leaving out every line that cannot."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[:MOST_LINES]
    except OSError:
        return {}
    while lines:
        try:
            return tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError as no:
            found = _LINE.search(str(no))
            at = min(int(found[1]), len(lines)) - 1 if found else len(lines) - 1
            del lines[at]
    return {}


def _folder(raw: Mapping[str, Any], name: str, path: Path) -> Path | None:
    folder = raw.get(name)
    return path.parent / Path(folder).expanduser() if isinstance(folder, str) and folder else None


def _web(raw: Mapping[str, Any], *, installed: bool) -> WebSettings:
    """Return what holds of `[web]`, setting by setting: a PIN above all, or the next visitor could set one."""
    found: dict[str, Any] = {"folder": FOLDERS["web"]} if installed else {}
    section = raw.get("web")
    given = section if isinstance(section, dict) else {}
    for name in ("pin", "folder", "hosts"):
        value = given.get(name)
        if name == "pin" and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # the quotation marks were forgotten
        with suppress(BadMessage):
            from_json(WebSettings, {name: value}, where="web")
            found[name] = value
    return from_json(WebSettings, found, where="web")
