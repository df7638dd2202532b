"""The real picamera2 on libcamera's virtual camera: frames, controls, a table that reads through it, hang and unplug.

    sudo python -m tests.appliance.picamera ROOT [--make]

ROOT: a Debian trixie root with libcamera and its Python binding from trixie-backports (the virtual pipeline came with
0.4), picamera2 by pip, and a compiler; --make makes it (needs mmdebstrap, a Debian mirror and a package index). The
camera plays a tray that our own drawing code drew. Prints what was found; status 1 on a failure.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

PACKAGES = "ca-certificates,python3,python3-venv,python3-dev,gcc,libc6-dev,libcap-dev"
CAMERA = "python3-libcamera libcamera-tools libcamera-ipa libgl1 libglib2.0-0t64"
PYTHON = "/opt/venv/bin/python"
PICTURES = 12
HERE = Path(__file__).parent / "virtual"
MOUNTS = 'd=$0; mount --bind /proc "$d/proc"; mount --rbind /dev "$d/dev"; mount --bind /sys "$d/sys"; '


def make_root(folder: Path, *, mirror: str) -> None:
    """Make the root."""
    sources = [f"deb {mirror} trixie main", f"deb {mirror} trixie-backports main"]
    command = ["mmdebstrap", "--quiet", "--variant=minbase", '--aptopt=Apt::Install-Recommends "false"']
    subprocess.run([*command, f"--include={PACKAGES}", "trixie", str(folder), *sources], check=True)
    shutil.copy("/etc/resolv.conf", folder / "etc/")
    (folder / "etc/apt/sources.list").write_text("\n".join(sources) + "\n")
    inside(folder, "apt-get -qq update")
    inside(folder, f"apt-get -qq install -y -t trixie-backports --no-install-recommends {CAMERA}")
    inside(folder, "python3 -m venv --system-site-packages /opt/venv")


def inside(root: Path, command: str, *, env: str = "") -> None:
    """Run a shell command in the root, with mounts of its own."""
    shell = f'{MOUNTS} exec chroot "$d" env -u PIP_FIND_LINKS {env} sh -c "$1"'
    subprocess.run(["unshare", "-m", "sh", "-c", shell, str(root), command], check=True)


def prepared(root: Path) -> None:
    """Put our code, the shim and a drawn tray into the root."""
    shutil.copytree(HERE, root / "opt/trial", dirs_exist_ok=True)
    for room in ("pi", "vision", "web"):
        target = root / "opt/code" / room
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(ROOT / room, target, ignore=shutil.ignore_patterns("__pycache__"))
    pipeline = root / "usr/share/libcamera/pipeline/virtual"
    pipeline.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "virtual.yaml", pipeline)
    frames = root / "opt/frames"
    shutil.rmtree(frames, ignore_errors=True)
    frames.mkdir(parents=True)
    draw(frames)
    shutil.rmtree(root / "opt/work", ignore_errors=True)
    (root / "opt/work").mkdir()
    inside(root, "cc -shared -fPIC -O2 -o /usr/local/lib/dmabuf.so /opt/trial/dmabuf.c -ldl")
    inside(root, f"{PYTHON} -c 'import cv2, picamera2, gpiozero' 2>/dev/null || {PYTHON} -m pip install -q picamera2 "
           "opencv-python-headless gpiozero flask waitress segno")  # fmt: skip


def draw(folder: Path) -> None:
    """Draw a tray as a camera would see it, again and again: each picture has noise of its own, as a sensor's has.

    (A camera that gives the same picture to the bit is taken for one that hangs.)
    """
    import cv2
    import numpy as np

    from pi.frames import Cue
    from pi.settings import CameraKind, CameraSettings
    from pi.simulator import SimulatedCamera

    settings = CameraSettings(kind=CameraKind.SIMULATED, size=(1280, 960), seed=3, hurried=True)
    with SimulatedCamera(settings) as camera:
        camera.cue(Cue("m", 1, "rows"))
        frame = None
        for _ in range(120):  # until the tray is laid and the hand has gone
            frame = camera.frame()
    assert frame is not None
    chance = np.random.default_rng(1)
    for number in range(PICTURES):
        noisy = frame.picture_bgr + chance.normal(0.0, 2.0, frame.picture_bgr.shape)
        picture = np.clip(noisy, 0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / f"{number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])


def main() -> int:
    """Run the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.picamera", description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--make", action="store_true", help="make the root first")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    args = parser.parse_args()
    try:
        if args.make:
            make_root(args.root, mirror=args.mirror)
        prepared(args.root)
        env = "LD_PRELOAD=/usr/local/lib/dmabuf.so LIBCAMERA_LOG_LEVELS=*:ERROR FELTSIDE_TRIAL=/opt/work "
        env += "PYTHONPATH=/opt/trial:/opt/code OPENBLAS_NUM_THREADS=1"
        inside(args.root, f"cd /opt/code && {PYTHON} /opt/trial/inside.py", env=env)
    except subprocess.CalledProcessError as no:
        print(f"FAILED: {no}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
