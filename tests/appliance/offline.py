"""No internet needed, none used: demo and pages where there is no network at all, every attempt to reach out counted.

    sudo python -m tests.appliance.offline [--rounds 3] [--suite tests/rules ...]

Runs in a network namespace with nothing but its own loopback, under strace, children included: a headless match, then
the demo with its pages asked for one by one; with --suite the named tests instead. Prints every attempt to connect to
another machine; status 1 when there was one, or when something did not work without a network.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path

from tests.conftest import ROOT
from tests.kit.offline import NOBODYS, known_here

PORT = 8080
PAGES = ("/", "/table", "/setup", "/history", "/mathematics", "/quests", "/upkeep", "/doctor", "/metrics", "/api/state")
PATIENCE_S = 300.0
ALONE = 'ip link set lo up && exec "$@"'
ADDRESS = re.compile(r'sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([0-9a-f.:]+)"')
"""How strace writes where a call goes to: port, address."""


def attempts(log: Path) -> Counter[str]:
    """Return where anything went, or was to go, besides this machine.

    A datagram socket "connected" to an address that is nobody's sends nothing: it asks the kernel for the way.
    """
    found: Counter[str] = Counter()
    for line in log.read_text(errors="replace").splitlines():
        call = re.search(r"(connect|sendto|sendmsg|sendmmsg)\(", line)
        if call and (to := ADDRESS.search(line)):
            port, address = to[1], to[2]
            way_only = call[1] == "connect" and address in NOBODYS and port == "9"
            if not (known_here(address) or way_only):
                found[f"{call[1]} {address} port {port}"] += 1
    return found


def inside(words: list[str], log: Path) -> int:
    """Run a command without a network and under strace; return its status."""
    traced = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(log)]
    command = ["unshare", "-n", "sh", "-c", ALONE, "offline", *traced, *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def look(folder: Path) -> int:
    """Start the demo with its pages and ask for each; what runs inside. Returns the status."""
    command = [sys.executable, "-m", "pi", "demo", "--port", str(PORT), "--state", str(folder), "--fast"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        assert "Feltside demo" in demo.stdout.readline()
        try:
            begun = time.monotonic()
            while not json.loads(fetched("/api/state")).get("rounds"):  # a round was read, judged and revealed
                if time.monotonic() - begun > PATIENCE_S:
                    print("no round was revealed without a network", file=sys.stderr)
                    return 1
                time.sleep(1.0)
            sizes = {path: len(fetched(path)) for path in PAGES}
        finally:
            demo.terminate()
    print("pages without a network:", ", ".join(f"{path} {size}" for path, size in sizes.items()), flush=True)
    return 0


def fetched(path: str) -> bytes:
    """Return a page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=60) as answer:
        found: bytes = answer.read()
        return found


def main() -> int:
    """Run the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.offline", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--suite", nargs="+", metavar="TESTS", help="run these tests instead")
    parser.add_argument("--look", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.look:
        return look(args.look)
    python = [sys.executable, "-m"]
    with tempfile.TemporaryDirectory(prefix="feltside-offline-") as name:
        headless = ["pi", "demo", "--headless", "--rounds", str(args.rounds), "--seed", "1", "--json"]
        runs = (
            [["pytest", "-q", *args.suite]] if args.suite else [headless, ["tests.appliance.offline", "--look", name]]
        )
        failed, found = 0, Counter[str]()
        for number, words in enumerate(runs):
            log = Path(name) / f"{number}.strace"
            failed += inside([*python, *words], log) != 0
            found += attempts(log)
    for what, times in found.most_common():
        print(f"reached out: {what} ({times} times)")
    print(f"runs that failed without a network: {failed}; attempts to reach out: {found.total()}")
    return 1 if failed or found else 0


if __name__ == "__main__":
    sys.exit(main())
