"""Settings laid on the card's boot partition, which any computer can write: checked, applied, taken away again.

    python -m pi.doors.boot_settings [--installed FILE] [FOLDER ...]

Root's errand before the table starts (feltside-boot.service), and the installer's. A `feltside.toml` there that holds
becomes the table's settings (the ones before stay beside them as feltside.toml.before). One that does not is left where
it is, with a text beside it that says why, and nothing changes. Status 0; 2 when something was refused.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from pi.durable import sync
from pi.errors import BadSettings, FeltsideError
from pi.rescue import FOLDERS, INSTALLED
from pi.settings import load_settings

NAME, REFUSED = "feltside.toml", "feltside-refused.txt"
BOOT = (Path("/boot/firmware"), Path("/boot"))
"""Where Raspberry Pi OS mounts that partition: Bookworm and Trixie, and earlier ones."""
LONGEST = 64 * 1024
_WEB = re.compile(r"^[ \t]*\[[ \t]*web[ \t]*\].*$", re.MULTILINE)
Say = Callable[[str], None]


def take(folder: Path, *, installed: Path = INSTALLED, say: Say) -> bool:
    """Apply the settings that lie in a folder, if any do; returns False when they were refused."""
    laid, why = folder / NAME, folder / REFUSED
    if not laid.exists():
        return True
    try:
        if not os.access(folder, os.W_OK):
            raise BadSettings(f"the settings would be applied at every boot, as they cannot be taken away, at {laid}")
        _apply(_checked(laid, installed), installed)
        for done in (laid, why):
            done.unlink(missing_ok=True)
        sync(folder)
    except (FeltsideError, OSError) as no:
        say(f"the settings at {laid} were refused: {no}")
        with suppress(OSError):
            why.write_text(_explained(no), newline="\r\n")  # read on any computer
            sync(folder)
        return False
    say(f"the settings at {laid} hold now, as {installed}")
    return True


def completed(text: str) -> str:
    """Return settings with the installed table's folders, where they name none. Raises BadSettings."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as no:
        raise BadSettings(f"the settings are not TOML: {no}") from None
    named = [f'{name} = "{FOLDERS[name]}"\n' for name in ("state", "run") if name not in raw]
    web = raw.get("web", {})
    line = f'folder = "{FOLDERS["web"]}"'
    if "web" not in raw:
        text = f"{text.rstrip()}\n\n[web]\n{line}\n"
    elif isinstance(web, dict) and "folder" not in web:
        text, found = _WEB.subn(lambda header: f"{header[0]}\n{line}", text, count=1)
        if not found:
            raise BadSettings("what is said of the pages needs a section of its own (expected a line [web]), at web")
    return "".join(named) + text


def _checked(laid: Path, installed: Path) -> Path:
    """Return a checked copy beside the installed settings, ready to take their place. Raises BadSettings, OSError."""
    data = laid.read_bytes()[: LONGEST + 1]
    if len(data) > LONGEST:
        raise BadSettings(f"this is too long for settings (expected at most {LONGEST} bytes)")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise BadSettings("this is not UTF-8 text (in a Windows editor: save as UTF-8)") from None
    fresh = installed.with_name(f".{NAME}.laid")
    fresh.write_text(completed(text), encoding="utf-8")
    fresh.chmod(0o644)
    try:
        found = load_settings(fresh)
        named = (found.state, found.run, found.web_folder)
        if [str(folder) for folder in named] != list(FOLDERS.values()):
            raise BadSettings(
                f"the table may only write to {', '.join(FOLDERS.values())}: leave state, run and web/folder out"
            )
    except FeltsideError as no:
        fresh.unlink()
        raise BadSettings(str(no).replace(str(fresh), NAME)) from None
    return fresh


def _apply(fresh: Path, installed: Path) -> None:
    if installed.exists():
        before = installed.with_name(f"{installed.name}.before")
        before.write_bytes(installed.read_bytes())
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(installed)
    sync(installed.parent)


def _explained(no: Exception) -> str:
    return (
        f"Feltside could not take the settings in {NAME}:\n\n  {no}\n\n"
        "Nothing was changed: the table works with the settings it had. Put the line right and switch it on again.\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Take what lies in the folders."""
    parser = argparse.ArgumentParser(prog="python -m pi.doors.boot_settings", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=BOOT)
    parser.add_argument("--installed", type=Path, default=INSTALLED)
    args = parser.parse_args(argv)

    def say(line: str) -> None:
        print(f"feltside: {line}")

    well = [take(folder, installed=args.installed, say=say) for folder in args.folders]
    return 0 if all(well) else 2


if __name__ == "__main__":
    sys.exit(main())
