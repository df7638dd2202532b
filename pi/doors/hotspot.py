"""A Wi-Fi network of the table's own, where no known one is: a profile for NetworkManager, a passphrase a table.

    python -m pi.doors.hotspot on|off|show [--folder FOLDER]

`on` writes the profile once (later runs keep it, so that phones stay known) and tells its name and passphrase. It has
the lowest priority of all: NetworkManager takes it only when no network it knows is in reach, and known ones are kept.
It does not look for them again by itself once people are on the table's own: switch off and on for that.
"""

from __future__ import annotations

import argparse
import configparser
import os
import secrets
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROFILES = Path("/etc/NetworkManager/system-connections")
NAME = "feltside-hotspot.nmconnection"
ADDRESS = "10.42.0.1"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that is mistaken for another when it is read aloud or copied from a screen."""
GROUPS, LONG = 4, 4
"""A passphrase has this many groups of this many letters: 79 bits."""
LOWEST = -999
"""NetworkManager's lowest priority."""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The table's own network."""

    ssid: str
    passphrase: str

    def words(self) -> str:
        """Say how to get onto it."""
        where = f"http://{ADDRESS}/ (or http://feltside.local/)"
        return f"network {self.ssid}, passphrase {self.passphrase}, then {where}: when no known network is in reach"

    def noted(self) -> str:
        """Say the same as a line of the doctor's."""
        return f"note  own Wi-Fi: {self.words()}"


def fresh() -> Hotspot:
    """Return a new name and passphrase, by chance."""
    letters = ["".join(secrets.choice(LETTERS) for _ in range(LONG)) for _ in range(GROUPS + 1)]
    return Hotspot(f"Feltside-{letters[0]}", "-".join(letters[1:]))


def profile(hotspot: Hotspot, *, identity: str) -> str:
    """Return NetworkManager's profile of it. identity: a UUID."""
    return f"""[connection]
id=feltside-hotspot
uuid={identity}
type=wifi
autoconnect=true
autoconnect-priority={LOWEST}

[wifi]
mode=ap
band=bg
ssid={hotspot.ssid}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
psk={hotspot.passphrase}

[ipv4]
method=shared
address1={ADDRESS}/24

[ipv6]
method=disabled
"""


def kept(folder: Path = PROFILES) -> Hotspot | None:
    """Return the network that was set up; None when there is none, or when only root may know."""
    found = configparser.ConfigParser(interpolation=None)
    try:
        found.read_string((folder / NAME).read_text())
        return Hotspot(found["wifi"]["ssid"], found["wifi-security"]["psk"])
    except (OSError, KeyError, UnicodeDecodeError, configparser.Error):
        return None


def switch_on(folder: Path = PROFILES) -> Hotspot:
    """Set the network up, if it is not yet, and return it. The file is its owner's alone: NetworkManager insists."""
    if found := kept(folder):
        return found
    made = fresh()
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{NAME}"
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(profile(made, identity=str(uuid.uuid4())))
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / NAME)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Switch it on or off, or show it."""
    parser = argparse.ArgumentParser(prog="python -m pi.doors.hotspot", description=__doc__)
    parser.add_argument("do", choices=("on", "off", "show"))
    parser.add_argument("--folder", type=Path, default=PROFILES)
    args = parser.parse_args(argv)
    if args.do == "off":
        (args.folder / NAME).unlink(missing_ok=True)
        return 0
    found = switch_on(args.folder) if args.do == "on" else kept(args.folder)
    if found:
        print(f"feltside: own Wi-Fi: {found.words()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
