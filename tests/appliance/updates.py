"""Updates under real systemd: by command and by button, good and bad versions, and the plug pulled in the middle.

    sudo python -m tests.appliance.updates ROOT --wheels FOLDER [--kills 20] [--restores 10] [--seed 1]

ROOT: a Debian root, as for `tests.appliance.installed` (--make makes one). The new versions come by git from a bare
repository beside it. After every cut the machine boots: the match must be on the page, with the old version or the
new one, and the next update must go through. Prints what was measured; status 1 on a failure.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.appliance import installed
from tests.appliance.installed import START, Trial, say
from tests.conftest import ROOT

PIN = "2468"
PIP = "[global]\nno-index = true\nfind-links = /wheels\n"
WHO = ["-c", "user.name=trial", "-c", "user.email=trial@example.org"]
TOLD = "cat /opt/feltside/told/result.json"
BAD = "raise RuntimeError('bad release')\n"
PRESS = """import http.cookiejar, re, sys, urllib.parse, urllib.request
door = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
page = lambda path: door.open("http://127.0.0.1" + path, timeout=60).read().decode()
csrf = lambda path: re.search('name="csrf" value="([0-9a-f]+)"', page(path))[1]
def post(path, on, **form):
    try:
        data = urllib.parse.urlencode(dict(form, csrf=csrf(on))).encode()
        return door.open("http://127.0.0.1" + path, data, timeout=60).status
    except urllib.error.HTTPError as no:
        return no.code
print(post("/pin/set", "/table", pin="PIN", again="PIN"), file=sys.stderr)
print(post("/pin", "/table", pin="PIN"), file=sys.stderr)
""".replace("PIN", PIN)


class Store:
    """The bare repository that updates come from."""

    def __init__(self, folder: Path) -> None:
        """Put what is committed here in as the first version."""
        self.bare, self._work = folder / "repo.git", folder / "work"
        self._work.mkdir()
        names = ["pyproject.toml", "README.md", "pi", "vision", "web", "systemd"]
        packed = subprocess.run(["git", "-C", str(ROOT), "archive", "HEAD", *names], capture_output=True, check=True)
        subprocess.run(["tar", "-C", str(self._work), "-xf", "-"], input=packed.stdout, check=True)
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.bare)], check=True)
        self._git("init", "-q", "-b", "main")
        self.good: set[str] = set()
        self._number = 0
        self.first = self.push()

    def push(self, *, bad: bool = False) -> str:
        """Push one more version; return its commit. bad: its web does not come up."""
        self._number += 1
        (self._work / "README.md").write_text(f"version {self._number}\n")
        file = self._work / "web" / "serve.py"
        text = file.read_text()
        file.write_text(text + BAD if bad else text)
        self._git("add", "-A")
        self._git("commit", "-q", "-m", f"version {self._number}")
        self._git("push", "-q", "--force", str(self.bare), "main")
        commit = self._git("rev-parse", "HEAD")
        file.write_text(text)
        if not bad:
            self.good.add(commit)
        return commit

    def _git(self, *words: str) -> str:
        done = subprocess.run(["git", *WHO, "-C", str(self._work), *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()


def commit(trial: Trial) -> str:
    """Return the commit of the release at work."""
    return trial.machine.run("cat /opt/feltside/current/COMMIT").strip()


def switched_on(trial: Trial, *, installed_already: bool) -> None:
    """Switch the machine on, with Feltside on it and no match under way."""
    trial.machine.start()
    trial.machine.wait()
    if not installed_already:
        install(trial)
    trial.until(lambda: trial.page() is not None, "a page")
    trial.ask({"command": "end-match"})  # one that an earlier trial left lying


def install(trial: Trial) -> None:
    """Install from a clone, as people do."""
    machine = trial.machine
    machine.run(f"printf '{PIP}' > /etc/pip.conf")
    machine.run("systemctl disable --now mosquitto", check=False)
    machine.run("rm -rf /root/checkout && git -c safe.directory='*' clone -q /repo/repo.git /root/checkout")
    begun = time.monotonic()
    machine.run("/root/checkout/systemd/install.sh --force", timeout_s=3000)
    say("installed from a clone", time.monotonic() - begun)
    machine.run("rm -rf /root/checkout")  # nothing needs it any more
    for old, new in installed.SETTINGS.items():
        machine.run(f"sed -i 's/^{old}.*/{new}/' {installed.FILE}")
    machine.run("systemctl restart feltside-table")


def commands(trial: Trial, store: Store) -> float:
    """Update by command: a good version, a bad one, one during a match. Returns how long an update takes."""
    machine = trial.machine
    good = store.push()
    begun = time.monotonic()
    machine.run("feltside update", timeout_s=3000)
    assert commit(trial) == good
    took_s = time.monotonic() - begun
    say("updated by command", took_s)
    assert "newest version" in machine.run("feltside update")
    assert '"done"' in machine.run(TOLD)
    older = store.first
    machine.run(f"feltside update --to {older}", timeout_s=3000)
    assert commit(trial) == older
    assert "newest version" in machine.run("feltside update"), "it stays there"
    machine.run("feltside update --to newest", timeout_s=3000)
    assert commit(trial) == good
    say("to an older version, kept there, and back to the newest", "done")
    assert trial.ask(START)["ok"]
    assert trial.ask({"command": "next"})["ok"]
    seq = int(trial.ask({"command": "lock-in", "seat": 1, "prediction": 3})["seq"])
    trial.until(lambda: trial.current(seq), "the match on the page")
    store.push(bad=True)
    done = machine.ran("feltside update")
    assert done.returncode == 2, done.stdout
    assert "is being played" in done.stdout, done.stdout
    say("updated during a match", "refused")
    begun = time.monotonic()
    done = machine.ran("feltside update --force", timeout_s=3000)
    assert done.returncode == 2, done.stdout
    assert commit(trial) == good, done.stdout
    assert '"failed"' in machine.run(f"runuser -u feltside-web -- {TOLD}"), "and the pages can tell"
    trial.until(lambda: trial.current(seq), "the match after the bad version")
    say("a bad version: taken back, match on the page", time.monotonic() - begun)
    machine.run("test -s /var/lib/feltside/before-update.feltside")
    return took_s


def buttons(trial: Trial, store: Store) -> None:
    """Update and doctor by the page's buttons, the match ended first."""
    machine = trial.machine
    script = "/root/press.py"
    (trial.machine.root / script.lstrip("/")).write_text(PRESS + "print(post(sys.argv[1], sys.argv[2]))\n")
    assert machine.run(f"python3 {script} /upkeep/update /upkeep 2>/dev/null").strip() == "409"
    say("the button during a match", "refused")
    assert trial.ask({"command": "end-match"})["ok"]
    good = store.push()
    begun = time.monotonic()
    assert machine.run(f"python3 {script} /upkeep/update /upkeep 2>/dev/null").strip() == "200"
    result = "/run/feltside-upkeep/result.json"
    trial.until(lambda: machine.ran(f'grep -q \'"state": "done"\' {result}').returncode == 0, "the button's update")
    assert commit(trial) == good
    say("updated by the button", time.monotonic() - begun)
    assert machine.run(f"python3 {script} /upkeep/backup /upkeep 2>/dev/null").strip() == "200"
    say("a backup by the button", "sent")
    begun = time.monotonic()
    assert machine.run(f"python3 {script} /upkeep/doctor /doctor 2>/dev/null").strip() == "200"
    trial.until(
        lambda: machine.ran(f'grep \'"task": "doctor"\' {result} | grep -q \'"state": "done"\'').returncode == 0,
        "the doctor",
    )
    say("the doctor by the button", time.monotonic() - begun)
    print("".join(f"    {line}\n" for line in machine.run("feltside doctor || true").splitlines()), end="")
    user, group = machine.run("stat -c '%U %G' /run/feltside-upkeep/bundle.zip").split()
    assert (user, group) == ("root", "feltside")


def cuts(trial: Trial, store: Store, seq: int, *, times: int, within_s: float, chance: random.Random) -> None:
    """Pull the plug at random moments of updates, good and bad."""
    found: Counter[str] = Counter()
    machine = trial.machine
    for number in range(times):
        bad = number % 3 == 2
        before, new = commit(trial), store.push(bad=bad)
        begun = time.monotonic()
        process = subprocess.Popen(
            machine.entered("feltside update --force"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        moment = chance.uniform(0, within_s)
        late = begun + moment
        while time.monotonic() < late and process.poll() is None:
            time.sleep(0.02)
        done = process.poll() is not None
        machine.cut()
        process.wait()
        machine.start()
        trial.until(lambda: trial.current(seq), f"the match after cut {number}")
        trial.until(lambda: machine.ran("test -e /opt/feltside/trial").returncode != 0, "the end of the trial")
        trial.until(lambda: trial.current(seq), f"the match after cut {number} and its trial")
        now = commit(trial)
        assert now in store.good, f"a bad version is at work after a cut {moment:.1f} s into the update"
        found[f"{'bad' if bad else 'good'} version, {'done before' if done else 'cut'}: "
              f"{'new' if now == new else 'old' if now == before else 'another'} one at work"] += 1  # fmt: skip
        if now == new:
            continue
        store.push()
        machine.run("feltside update --force", timeout_s=3000)
    for what, count in sorted(found.items()):
        say(f"  {what}", str(count))
    left = machine.run("ls /opt/feltside /opt/feltside/releases").split()
    assert len([name for name in left if name[:2] == "20"]) <= 2, left
    say(f"cuts in the middle of an update ({times})", "match and a good version every time")


def restores(trial: Trial, seq: int, *, times: int, chance: random.Random) -> None:
    """Pull the plug at random moments of a restore."""
    machine = trial.machine
    machine.run("feltside backup /root/all.backup --force")
    for _ in range(times):
        machine.run("systemctl stop feltside-table feltside-web")
        process = subprocess.Popen(
            machine.entered("feltside restore /root/all.backup"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0, 3.0))
        machine.cut()
        process.wait()
        machine.start()
        trial.until(lambda: trial.current(seq), "the match after a cut restore")
    machine.run("systemctl stop feltside-table && feltside restore /root/all.backup && systemctl start feltside-table")
    trial.until(lambda: trial.current(seq), "the match after the whole restore")
    say(f"cuts in the middle of a restore ({times})", "match on the page every time")


def whole(trial: Trial, store: Store, args: argparse.Namespace) -> None:
    """Run every part of the trial, in order."""
    chance = random.Random(args.seed)
    switched_on(trial, installed_already=args.installed)
    took_s = commands(trial, store)
    buttons(trial, store)
    assert trial.ask(START)["ok"]
    assert trial.ask({"command": "next"})["ok"]
    seq = int(trial.ask({"command": "lock-in", "seat": 1, "prediction": 3})["seq"])
    cuts(trial, store, seq, times=args.kills, within_s=1.15 * took_s, chance=chance)
    restores(trial, seq, times=args.restores, chance=chance)


def main() -> int:
    """Run the trial."""
    parser = installed.parser_of("updates", __doc__)
    parser.add_argument("--installed", action="store_true", help="the root is one on which this trial ran before")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--restores", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    installed.PATIENCE_S = 600.0
    with tempfile.TemporaryDirectory(prefix="feltside-updates-") as name:
        store = Store(Path(name))
        return installed.tried(args, lambda trial: whole(trial, store, args), binds=[f"{name}:/repo"])


if __name__ == "__main__":
    sys.exit(main())
