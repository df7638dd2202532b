"""64-bit Arm by emulation: the real wheels, the installer's own steps, and the same evening to the byte.

    sudo python -m tests.appliance.arm64 ROOT [--make bookworm] [--rounds 1]

ROOT: a Debian arm64 root (--make unpacks one; needs mmdebstrap and qemu-user-static with its binfmt entry). In it: what
`systemd/install.sh` does with pip (a virtual environment, our package with its extra), every module imported, the same
boards counted, read and judged, and the same demo as on this machine. The machine needs a package index, or
PIP_FIND_LINKS. Prints what was found; status 1 on a difference.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.appliance.picamera import draw
from tests.conftest import ROOT

PACKAGES = (
    "python3,python3-venv,python3-minimal,libpython3-stdlib,coreutils,bash,dash,tar,sed,grep,libglib2.0-0,libgl1,"
    "ca-certificates,procps"
)
START_S = 1200.0
PREFIX = "/opt/feltside/releases/one"
NAMES = ("pyproject.toml", "README.md", "pi", "vision", "web", "systemd")
BOARDS = "0 1 2 3 4 5 6 7 8 9\n9 8 7 6 5 4 3 2 1 0\n1 3 5 7 9 0 2 4 6 8\n4 # 6 2 9 5 0 8 3 1\n"
COMPARED = {
    "count": (["count", "--json"], BOARDS),
    "odds of rows": (["odds", "rows", "--json"], ""),
    "a quest": (["quest", "prove"], ""),
}
"""What is said by a command -> (its words, its input)."""
IMPORTS = "import importlib, pkgutil, pi, vision, web, platform, cv2, numpy\n" + "\n".join(
    (
        "bad = 0",
        "for room in (pi, vision, web):",
        "    for found in pkgutil.walk_packages(room.__path__, room.__name__ + '.'):",
        "        if found.name.startswith('vision.training') or found.name.endswith('__main__'):",
        "            continue",
        "        importlib.import_module(found.name)",
        "        bad += 1",
        "print(platform.machine(), 'python', platform.python_version(), 'numpy', numpy.__version__,",
        "      'opencv', cv2.__version__, bad, 'modules imported')",
    )
)


def make_root(folder: Path, *, suite: str, mirror: str) -> None:
    """Unpack a Debian root without running anything in it: minutes of emulation less."""
    command = ["mmdebstrap", "--quiet", "--arch=arm64", "--variant=extract", f"--include={PACKAGES}"]
    command += ['--aptopt=Apt::Install-Recommends "false"', "--dpkgopt=path-exclude=/usr/share/doc/*"]
    subprocess.run([*command, suite, str(folder), mirror], check=True)


@contextmanager
def entered(root: Path) -> Iterator[None]:
    """Give the root what it needs to work in, and take it away again."""
    for name in ("proc", "dev", "tmp", "etc/ssl/certs", "run"):
        (root / name).mkdir(parents=True, exist_ok=True)
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    if certificates.exists():
        shutil.copy(certificates, root / "etc/ssl/certs/")
    shutil.copy("/etc/resolv.conf", root / "etc/")
    subprocess.run(["mount", "--bind", "/dev", str(root / "dev")], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(root / "dev"), str(root / "proc")], check=False)


def ran(root: Path, *words: str, text: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in the root; return status and what it said."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") and "CERT" not in name}
    settings = {
        "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
        "LANG": "C.UTF-8",
        "HOME": "/root",
        "OPENBLAS_NUM_THREADS": "1",
    }
    named = [f"{name}={value}" for name, value in {**settings, **kept, **(env or {})}.items()]
    command = ["chroot", str(root), "/usr/bin/env", "-i", *named, *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=7200)


def here(*words: str, text: str = "") -> str:
    """Return what the same command says on this machine."""
    done = subprocess.run(
        [sys.executable, "-m", "pi", *words], input=text, capture_output=True, text=True, cwd=ROOT, timeout=1800
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


PATIENT = f"""import sys, pi.stand_ins.launch as launch, pi.doors.demo as demo
from dataclasses import replace
launch.START_S = demo.UNREAD_S = demo.DRAWN_S = {START_S}
demo.BRISK = replace(demo.BRISK, by_hand={START_S})
from pi.cli import main
sys.exit(main(sys.argv[1:]))"""
"""Our command line, that gives the processes it starts the time emulation takes."""


def said(root: Path, *words: str, text: str = "") -> str:
    """Return what a command of ours says in the root."""
    done = ran(root, f"{PREFIX}/bin/python", "-c", PATIENT, *words, text=text)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def installed(root: Path) -> None:
    """Do what the installer does with Python, with the wheels of this architecture."""
    copy = root / "tmp/source"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", "HEAD", *NAMES], capture_output=True, check=True)
    subprocess.run(["tar", "-C", str(copy), "-xf", "-"], input=packed.stdout, check=True)
    if not (root / PREFIX.lstrip("/") / "bin/python").exists():
        done = ran(root, "python3", "-m", "venv", "--system-site-packages", PREFIX)
        assert done.returncode == 0, done.stderr
    pip = [f"{PREFIX}/bin/python", "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    done = ran(root, *pip, "/tmp/source[mqtt]")
    assert done.returncode == 0, done.stderr[-3000:]


def near(one: object, other: object, *, off: float = 0.2) -> bool:
    """Tell whether JSON values are the same but for floats: the last digits may differ between processors."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= off
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[name], other[name], off=off) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(near(a, b, off=off) for a, b in zip(one, other, strict=True))
    return one == other


def compared(name: str, one: str, other: str) -> bool:
    """Tell and return whether two answers are the same."""
    if one == other:
        print(f"{name:<40} the same to the byte ({len(one)} bytes)", flush=True)
        return True
    try:
        same = near(*([json.loads(line) for line in text.splitlines()] for text in (one, other)))
    except ValueError:
        same = False
    print(f"{name:<40} {'the same but for last digits of floats' if same else 'DIFFERENT'}", flush=True)
    if not same:
        print(f"here:  {one[:2000]}\nthere: {other[:2000]}")
    return same


def the_eye(root: Path) -> bool:
    """Let both read the same drawn tray; return whether they see the same."""
    folder = root / "opt/pictures"
    folder.mkdir(parents=True, exist_ok=True)
    draw(folder)
    words = ["read", "--expect", "rows", "--json"]
    begun = time.monotonic()
    there = said(root, *words, "/opt/pictures/0.jpg")
    print(f"{'reading one tray under emulation took':<40} {time.monotonic() - begun:.0f} s", flush=True)
    return compared("the eye", _seen(here(*words, str(folder / "0.jpg"))), _seen(there))


def _seen(text: str) -> str:
    """Leave out where the picture lies and how long it took."""
    found = json.loads(text)
    return json.dumps({name: one for name, one in found.items() if name not in ("picture", "milliseconds")})


def main() -> int:
    """Run the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.arm64", description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--make", metavar="SUITE", help="make the root first, e.g. bookworm or trixie")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--installed", action="store_true", help="the root is one on which this trial ran before")
    parser.add_argument("--rounds", type=int, default=1, help="of the demo; 0 leaves it out")
    args = parser.parse_args()
    if args.make:
        make_root(args.root, suite=args.make, mirror=args.mirror)
    well = True
    with entered(args.root):
        if not args.installed:
            begun = time.monotonic()
            installed(args.root)
            print(f"{'installed with pip':<40} {time.monotonic() - begun:.0f} s", flush=True)
        begun = time.monotonic()
        done = ran(args.root, f"{PREFIX}/bin/python", "-c", IMPORTS)
        assert done.returncode == 0, done.stderr[-3000:]
        print(f"{done.stdout.strip()} in {time.monotonic() - begun:.0f} s (here: {platform.machine()})", flush=True)
        for name, (words, text) in COMPARED.items():
            well &= compared(name, here(*words, text=text), said(args.root, *words, text=text))
        well &= the_eye(args.root)
        if args.rounds:
            words = ["demo", "--headless", "--rounds", str(args.rounds), "--seed", "1", "--json"]
            begun = time.monotonic()
            there = said(args.root, *words)
            print(f"{'the demo under emulation took':<40} {time.monotonic() - begun:.0f} s", flush=True)
            well &= compared("the demo", here(*words), there)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
