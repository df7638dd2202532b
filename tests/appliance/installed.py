"""From a bare Debian to a running match and back, under real systemd, with seconds.

    sudo python -m tests.appliance.installed ROOT --wheels FOLDER [--make bookworm] [--boots 5]

ROOT: a Debian root (made first with --make). FOLDER: wheels for it (`pip download -d FOLDER . hatchling`): the machine
has no network at all, so everything here also works without one. Prints what was measured; status 1 on a failure.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.appliance.machine import Machine, make_root
from tests.conftest import ROOT

INSTALL = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels {}/systemd/install.sh {}"
FILE = "/etc/feltside/feltside.toml"
SETTINGS = {'# kind = "picamera2"': 'kind = "simulated"', "# fps = 10": "fps = 2"}
"""The line as installed -> as the machine without a camera needs it."""
PATIENCE_S = 90.0
ASK = """/opt/feltside/current/bin/python -c '
import json, sys
from pathlib import Path
from pi.inbox import TableClient
print(json.dumps(TableClient(Path("/run/feltside/table.sock")).ask(json.loads(sys.argv[1]))))' '{}'"""
START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}],
    "house": [["target", 99]],
}
PROFILE = "/etc/NetworkManager/system-connections/feltside-hotspot.nmconnection"
LAID = '[camera]\\nkind = "simulated"\\nfps = 3\\n[web]\\nhosts = ["tray.example.org"]\\n'
"""As printf takes it."""
STOP, BEGIN = (f"systemctl {verb} feltside-table feltside-web" for verb in ("stop", "start"))
UNLOCK = {"command": "withdraw-lock-in", "seat": 1}


class Trial:
    """The machine with Feltside on it."""

    def __init__(self, machine: Machine) -> None:
        """Take a machine that has not been started."""
        self.machine = machine

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask the table, by its socket."""
        answer: dict[str, Any] = json.loads(self.machine.run(ASK.format(json.dumps(request))))
        return answer

    def page(self) -> dict[str, Any] | None:
        """Return the public view as a browser gets it; None while there is none."""
        done = self.machine.ran("curl -sS -m 60 http://localhost/api/state")
        try:
            found: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            return None
        return found

    def current(self, seq: int) -> bool:
        """Tell whether the page shows the match up to `seq`, and nothing of it is stale."""
        view = self.page()
        return bool(view) and view.get("seq", 0) >= seq and not view.get("stale")

    def until(self, true: Callable[[], bool], what: str) -> float:
        """Return after how many seconds something became true."""
        begun = time.monotonic()
        while not true():
            if time.monotonic() - begun > PATIENCE_S:
                units = "-u feltside-table -u feltside-web"
                raise AssertionError(f"{what} did not come:\n{self.machine.run(f'journalctl -n 40 {units}')}")
            time.sleep(0.05)
        return time.monotonic() - begun

    def unit(self, name: str, what: str) -> str:
        """Return a property of a unit."""
        return self.machine.run(f"systemctl show {name} -p {what} --value").strip()


def say(what: str, value: object) -> None:
    """Print one figure."""
    print(f"{what:<58} {value if isinstance(value, str) else f'{value:.1f} s'}", flush=True)


def install(trial: Trial) -> None:
    """Install on the bare machine, and once more as a repair."""
    machine = trial.machine
    machine.start()
    say("bare machine booted", machine.wait())
    machine.run("systemctl disable --now mosquitto", check=False)  # a broker is there only while it is tried
    hotspot = "--hotspot" if machine.ran("command -v nmcli").returncode == 0 else ""
    for what, options in (("installed", ""), ("installed again (repair)", hotspot)):
        begun = time.monotonic()
        machine.run(INSTALL.format("/source", options), timeout_s=3000)
        say(what, time.monotonic() - begun)
    for old, new in SETTINGS.items():
        machine.run(f"grep -q '^{old}' {FILE} && sed -i 's/^{old}.*/{new}/' {FILE}")
    machine.run("systemctl restart feltside-table")
    for unit in ("feltside-table", "feltside-web"):
        told = machine.run(f"systemd-analyze security {unit} | grep Overall").split(": ")[-1]
        say(f"exposure of {unit}", told.strip())


def own_network(trial: Trial) -> None:
    """The table's own Wi-Fi: NetworkManager takes the profile, the doctor tells the passphrase, no bundle holds it."""
    machine = trial.machine
    if machine.ran("command -v nmcli").returncode:
        say("the table's own Wi-Fi", "not tried: no NetworkManager on this machine")
        return
    assert machine.run(f"stat -c '%U %a' {PROFILE}").strip() == "root 600"
    taken = machine.run(f"nmcli --offline connection modify connection.zone '' < {PROFILE}")
    assert "mode=ap" in taken, taken
    assert "autoconnect-priority=-999" in taken, taken
    trial.until(lambda: "feltside-hotspot" in machine.run("nmcli -t -f NAME connection show"), "the profile in use")
    assert "wifi.powersave=2" in machine.run("NetworkManager --print-config")
    passphrase = machine.run(f"sed -n 's/^psk=//p' {PROFILE}").strip()
    told = machine.ran("rm -f /root/bundle.zip; feltside doctor --bundle /root/bundle.zip").stdout
    assert passphrase in told, told
    unzipped = machine.run(
        "rm -rf /root/bundle; python3 -m zipfile -e /root/bundle.zip /root/bundle; cat /root/bundle/*"
    )
    assert passphrase not in unzipped
    say("the table's own Wi-Fi", "taken by NetworkManager, told by the doctor, in no bundle")


def laid_settings(trial: Trial, seq: int) -> None:
    """Settings on the boot partition: bad ones refused with the reason beside, good ones applied before the start."""
    machine, boot = trial.machine, "/boot/firmware"
    before = machine.run(f"cat {FILE}")
    for text, good in (("[camera]\\nfps = 0\\n", False), (LAID, True)):
        machine.run(f"mkdir -p {boot} && printf '{text}' > {boot}/feltside.toml && sync")
        machine.cut()
        machine.start()
        trial.until(lambda: trial.current(seq), "the match after settings were laid")
        left = machine.run(f"ls {boot}").split()
        if good:
            assert left == [], left
            assert "fps = 3" in machine.run(f"cat {FILE}")
            asked = machine.run("curl -s -o /dev/null -w '%{http_code}' -H 'Host: tray.example.org' http://localhost/")
            assert asked == "200", "the web started with the settings of the boot partition"
        else:
            assert sorted(left) == ["feltside-refused.txt", "feltside.toml"], left
            assert "camera/fps" in machine.run(f"cat {boot}/feltside-refused.txt")
            assert machine.run(f"cat {FILE}") == before
    machine.run(f"cp {FILE}.before {FILE} && systemctl restart feltside-table feltside-web")
    trial.until(lambda: trial.current(seq), "the match with the settings from before")
    say("settings on the boot partition", "bad ones refused in words, good ones applied at boot and taken away")


def broken_settings(trial: Trial, seq: int) -> int:
    """With settings that do not hold: the match is on the page, goes on by hand, and the wrong line is named."""
    machine = trial.machine
    begun = time.monotonic()
    machine.run(f"cp {FILE} /root/good.toml && sed -i 's/^fps = .*/fps = fast/' {FILE}")
    machine.run("systemctl restart feltside-table feltside-web")
    trial.until(lambda: trial.current(seq), "the match in safe mode")
    took_s = time.monotonic() - begun
    words = str((trial.page() or {}).get("status", {}).get("settings", {}).get("words", ""))
    assert words.startswith("Safe mode: "), words
    assert re.search(r"line \d+", words), words
    for request in (UNLOCK, {"command": "lock-in", "seat": 1, "prediction": 3}):
        seq = int(trial.ask(request)["seq"])
    trial.until(lambda: trial.current(seq), "a lock-in by phone in safe mode")
    assert 'feltside_part_ok{part="settings"} 0' in machine.run("curl -sS http://localhost/metrics")
    assert "settings:" in machine.ran("feltside doctor").stdout
    assert machine.ran(INSTALL.format("/source", "--no-start")).returncode == 2, "a match is being played"
    say("settings that do not hold: match on the page, by hand", took_s)
    machine.run(f"cp /root/good.toml {FILE} && systemctl restart feltside-table feltside-web")
    trial.until(lambda: trial.current(seq), "the match with good settings again")
    assert 'feltside_part_ok{part="settings"} 1' in machine.run("curl -sS http://localhost/metrics")
    return seq


def play(trial: Trial) -> int:
    """Start a match; return its seq."""
    assert trial.ask(START)["ok"]
    assert trial.ask({"command": "next"})["ok"]
    seq = int(trial.ask({"command": "lock-in", "seat": 1, "prediction": 3})["seq"])
    trial.until(lambda: trial.current(seq), "the match on the page")
    done = trial.machine.ran(INSTALL.format("/source", ""))
    assert done.returncode == 2, done.stdout
    assert "is being played" in done.stdout, done.stdout
    say("an update during the match", "refused")
    return seq


def boots(trial: Trial, seq: int, *, times: int) -> None:
    """Cut and boot, again and again."""
    port, score, up = [], [], []
    for _ in range(times):
        trial.machine.cut()
        trial.machine.start()
        begun = trial.machine.started_s
        trial.until(lambda: trial.machine.ran("curl -s -m 60 -o /dev/null http://localhost/").returncode == 0, "a page")
        port.append(time.monotonic() - begun)
        trial.until(lambda: trial.current(seq), "the match")
        score.append(time.monotonic() - begun)
        up.append(trial.machine.wait())
    for what, found in (("first page", port), ("running match on the page", score), ("everything", up)):
        middle, worst = statistics.median(found), max(found)
        say(f"power to {what}, {times} boots", f"{middle:.1f} s (worst {worst:.1f} s)")


def kills(trial: Trial, seq: int) -> None:
    """Kill and stop the services; every time the match is back on the page."""
    for unit in ("feltside-table", "feltside-web"):
        for signal, what in (("KILL", "killed"), ("STOP", "hung (the watchdog's)")):
            before = int(trial.unit(unit, "NRestarts"))
            pid = trial.unit(unit, "MainPID")
            begun = time.monotonic()
            trial.machine.run(f"kill -{signal} {pid}")
            trial.until(lambda u=unit, b=before: int(trial.unit(u, "NRestarts")) > b, f"a restart of {unit}")
            trial.until(lambda: trial.current(seq), f"the match after {unit} was {what}")
            say(f"{unit} {what}: match back on the page", time.monotonic() - begun)


def sandbox(trial: Trial) -> None:
    """Nobody is root, and the web can change nothing."""
    for unit, user in (("feltside-table", "feltside"), ("feltside-web", "feltside-web")):
        assert trial.machine.run(f"ps -o user:20= -p {trial.unit(unit, 'MainPID')}").strip() == user
    pid = trial.unit("feltside-web", "MainPID")
    for path in ("/var/lib/feltside/feltside.sqlite", "/var/lib/feltside/x", "/etc/x"):
        as_web = f"nsenter -t {pid} -m -S $(id -u feltside-web) -G $(id -g feltside)"
        done = trial.machine.ran(f"{as_web} sh -c 'echo >> {path}'")
        assert done.returncode != 0, f"the web could write {path}"
    say("the web's writes to journal, state folder and /etc", "refused")


def card(trial: Trial, seq: int) -> int:
    """Fill the card, then make it read-only: the match goes on in memory, and back to the card. Returns its seq."""
    machine, state = trial.machine, "/var/lib/feltside"
    for what, spoil, mend in (
        ("full", f"cat /dev/zero > {state}/ballast", f"rm {state}/ballast"),
        # (Only a failing card turns read-only under open files: here the table starts on one that did.)
        (
            "read-only",
            f"{STOP} && mount -o remount,ro {state} && {BEGIN}",
            # Started anew: the flag of its own mount would stay (a kernel that gives a card up sets only the card's).
            f"mount -o remount,rw {state} && systemctl restart feltside-table",
        ),
    ):
        machine.run(f"systemctl stop feltside-table feltside-web && cp -a {state} /root/state")
        machine.run(f"mount -t tmpfs -o size=6m,mode=750,uid=$(id -u feltside),gid=$(id -g feltside) tmpfs {state}")
        machine.run(f"cp -a /root/state/. {state} && systemctl start feltside-table feltside-web")
        machine.run(spoil, check=what != "full")
        for _ in range(40):
            for request in ({"command": "lock-in", "seat": 1, "prediction": 3}, UNLOCK):
                seq = int(trial.ask(request).get("seq", seq))
        words = str((trial.page() or {}).get("status", {}).get("journal", {}).get("words", ""))
        assert "in memory only" in words, words
        trial.until(lambda s=seq: trial.current(s), "the match that is in memory")
        say(f"card {what}: play goes on, the page says", words.partition("(")[2].partition(")")[0][:60])
        machine.run(mend)
        begun = time.monotonic()
        trial.until(lambda: machine.ran("test -e /run/feltside/spare.sqlite").returncode == 1, "the way to the card")
        say(f"card no longer {what}: everything is on it after", time.monotonic() - begun)
        machine.run("systemctl stop feltside-table feltside-web")
        machine.run(f"rm -rf /root/state && cp -a {state} /root/state && umount {state}")
        machine.run(f"cp -a /root/state/. {state} && rm -rf /root/state")
        machine.run("systemctl start feltside-table feltside-web")
        trial.until(lambda s=seq: trial.current(s), "the match on the card")
    return seq


def heard(trial: Trial, topic: str) -> str:
    """Return what the broker keeps of a topic; empty for nothing."""
    return trial.machine.ran(f"mosquitto_sub -h 127.0.0.1 -t '{topic}' -C 1 -W 3 2>/dev/null").stdout.strip()


def neighbours(trial: Trial) -> None:
    """Off as installed; with a broker named, what it keeps follows the table, and its going and coming."""
    machine, unit = trial.machine, "feltside-neighbours"
    assert machine.ran(f"systemctl is-active {unit}").stdout.strip() == "inactive"
    assert machine.ran(f"systemctl is-failed {unit}").returncode != 0
    machine.run("systemctl start mosquitto")
    machine.run(f"sed -i 's/^# broker = .*/broker = \"127.0.0.1\"/' {FILE}")
    begun = time.monotonic()
    machine.run(f"systemctl restart {unit}")
    state, availability = "feltside/+/state", "feltside/+/availability"
    trial.until(lambda: '"game":"Random Scramble"' in heard(trial, state), "the state at the broker")
    say("neighbours: the match at the broker", time.monotonic() - begun)
    assert len(machine.run("mosquitto_sub -h 127.0.0.1 -t 'homeassistant/#' -W 3 -v || true").splitlines()) > 15
    assert heard(trial, availability) == "online"
    told = machine.run(f"systemd-analyze security {unit} | grep Overall").split(": ")[-1]
    say(f"exposure of {unit}", told.strip())
    for what, do in (
        ("the table is away", "systemctl stop feltside-table"),
        ("the web is killed", "systemctl start feltside-table; systemctl stop feltside-web"),
        (
            "the neighbours are killed",
            f"systemctl start feltside-web; sleep 8; kill -9 $(systemctl show {unit} -p MainPID --value)",
        ),
    ):
        begun = time.monotonic()
        machine.run(do)
        trial.until(lambda: heard(trial, availability) == "offline", f"offline: {what}")
        say(f"neighbours: offline when {what}", time.monotonic() - begun)
    trial.until(lambda: heard(trial, availability) == "online", "online again")
    machine.run(f"systemctl stop {unit} mosquitto && sed -i 's/^broker = .*/# broker = \"\"/' {FILE}")


def updates(trial: Trial, seq: int) -> None:
    """Take back a release that does not come up."""
    machine = trial.machine
    before = machine.run("readlink -f /opt/feltside/current").strip()
    machine.run("rm -rf /tmp/bad && mkdir /tmp/bad")
    machine.run("cd /source && cp -r pyproject.toml README.md pi vision web systemd /tmp/bad")
    machine.run("echo 'raise RuntimeError(\"bad release\")' >> /tmp/bad/web/serve.py")
    begun = time.monotonic()
    done = machine.ran(INSTALL.format("/tmp/bad", "--force"))
    assert done.returncode == 2, done.stdout
    assert "is back at work" in done.stdout, done.stdout
    assert machine.run("readlink -f /opt/feltside/current").strip() == before
    trial.until(lambda: trial.current(seq), "the match after the update was taken back")
    say("a release that fails: taken back, match on the page", time.monotonic() - begun)
    machine.run("test -s /var/lib/feltside/before-update.feltside")


def backups(trial: Trial) -> None:
    """Back up, lose everything, restore on the blank card."""
    machine = trial.machine
    machine.run("feltside backup /root/all.backup --force")
    machine.run("/source/systemd/uninstall.sh")
    machine.run("test -s /var/lib/feltside/feltside.sqlite && test -s /etc/feltside/feltside.toml")
    machine.run("! test -e /opt/feltside")
    say("uninstalled", "matches and settings kept")
    machine.run("/source/systemd/uninstall.sh --delete-data")
    ours = " ".join(f"-not -path '{path}*'" for path in ("/proc", "/sys", "/root", "/tmp/bad", "/source", "/wheels"))
    left = machine.run(f"find / -xdev -iname '*feltside*' {ours}; getent passwd feltside feltside-web || true")
    assert left.strip() == "", left
    say("uninstalled with its data", "nothing is left")
    machine.run(INSTALL.format("/source", "--no-start"))
    machine.run("feltside restore /root/all.backup")
    machine.run("systemctl start feltside-web.socket feltside-table feltside-web")


def parser_of(name: str, about: str | None) -> argparse.ArgumentParser:
    """Return what every trial on a machine takes."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.appliance.{name}", description=about)
    parser.add_argument("root", type=Path)
    parser.add_argument("--wheels", type=Path, required=True)
    parser.add_argument("--make", metavar="SUITE", help="make the root first, e.g. bookworm or trixie")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    return parser


def tried(args: argparse.Namespace, run: Callable[[Trial], None], *, binds: Sequence[str]) -> int:
    """Run a trial on a machine, made first if asked for; status 1 when it failed. binds: for it, beside the wheels."""
    if args.make:
        make_root(args.root, suite=args.make, mirror=args.mirror)
    trial = Trial(Machine(args.root.resolve(), binds=[*binds, f"{args.wheels.resolve()}:/wheels"]))
    try:
        run(trial)
    except (AssertionError, subprocess.SubprocessError) as no:
        print(f"FAILED: {no}", file=sys.stderr)
        return 1
    finally:
        trial.machine.cut()
    return 0


def whole(trial: Trial, *, times: int) -> None:
    """Run every part of the trial, in order."""
    install(trial)
    own_network(trial)
    seq = play(trial)
    sandbox(trial)
    boots(trial, seq, times=times)
    laid_settings(trial, seq)
    seq = broken_settings(trial, seq)
    kills(trial, seq)
    seq = card(trial, seq)
    neighbours(trial)
    updates(trial, seq)
    backups(trial)
    trial.until(lambda: trial.current(seq), "the match after the restore")
    say("restored on a blank card: the match", "is on the page")


def main() -> int:
    """Run the trial."""
    parser = parser_of("installed", __doc__)
    parser.add_argument("--boots", type=int, default=5)
    args = parser.parse_args()
    return tried(args, lambda trial: whole(trial, times=args.boots), binds=[f"{ROOT}:/source"])


if __name__ == "__main__":
    sys.exit(main())
