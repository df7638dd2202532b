"""`feltside doctor`: what works here, what does not, and what to do about it.

Without options it looks and touches nothing. `--panel` claims the board for a while (the table must not run)
and tells of every press, bounce and fault; `--bench STEP` measures the tie bound (HARDWARE.md, "On the bench").
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pi.doors import boot_settings, bundle, hotspot
from pi.doors.upkeep import installed_settings
from pi.errors import FeltsideError, TableAway
from pi.inbox import TableClient
from pi.journal_check import check
from pi.rescue import rescued
from pi.settings import CameraKind, PanelKind, Settings, load_settings, pin_notes
from pi.vitals import vitals

WELL, ILL = 0, 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    what: str
    state: str
    """ok, note (works, but mind it) or bad."""
    words: str
    """What was seen, and for a note or a fault what to do."""


def findings(settings: Settings) -> Iterator[Finding]:
    """Yield what can be seen without touching anything."""
    if settings.fault:
        cure = "the table plays in safe mode, by hand; put the line right and sudo systemctl restart feltside-table"
        yield Finding("settings", "bad", f"{settings.fault}: {cure}")
    yield Finding("Python", "ok" if sys.version_info >= (3, 11) else "bad", platform.python_version())
    yield from _libraries(settings)
    yield _folder(settings.state)
    yield _journal(settings.journal)
    yield from _refused()
    yield from _table(settings)
    if settings.panel.kind is PanelKind.BOARD:
        yield from _pins(settings)
    yield from (Finding(vital.what, vital.state, vital.words) for vital in vitals(settings))


def _libraries(settings: Settings) -> Iterator[Finding]:
    wanted = {"numpy": True, "cv2": True, "gpiozero": True, "flask": True, "waitress": True}
    wanted["lgpio"] = settings.panel.kind is PanelKind.BOARD
    wanted["picamera2"] = settings.camera.kind is CameraKind.PICAMERA2
    missing = [name for name, needed in wanted.items() if needed and find_spec(name) is None]
    cure = {"picamera2": "apt install python3-picamera2 and a venv with --system-site-packages"}
    for name in missing:
        yield Finding(name, "bad", f"is not installed ({cure.get(name, f'pip install {name}')})")
    if not missing:
        yield Finding("libraries", "ok", "all that these settings need are installed")


def _folder(folder: Path) -> Finding:
    if not folder.exists():
        return Finding("state folder", "note", f"{folder} is not there yet; the table makes it")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("state folder", "bad", f"{folder} cannot be written by this user (see its owner with ls -ld)")
    free_mb = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize // 1_000_000
    return Finding("state folder", "ok" if free_mb > 200 else "note", f"{folder}, {free_mb} MB free")


def _journal(file: Path) -> Finding:
    try:
        if not file.exists():
            return Finding("journal", "ok", "no match has been played yet")
        check(file)
    except PermissionError:
        return Finding("journal", "note", "this user may not look at it: sudo feltside doctor")
    except FeltsideError as no:
        return Finding("journal", "bad", f"{no}; copy the folder away before anything else")
    return Finding("journal", "ok", f"{file} is sound")


def _refused(folders: Iterable[Path] = boot_settings.BOOT) -> Iterator[Finding]:
    """Yield settings on the card's boot partition that could not be taken."""
    for folder in folders:
        why = folder / boot_settings.REFUSED
        if why.exists():
            yield Finding("boot partition", "bad", f"the settings laid there were refused: see {why}")


def _table(settings: Settings) -> Iterator[Finding]:
    """Yield how the table is, and what it says of its parts."""
    try:
        line = next(iter(TableClient(settings.socket, timeout_s=2.0).subscribe(silence_s=2.0)))
    except TableAway:
        yield Finding("table", "note", "is not running")
        return
    yield Finding("table", "ok", "is running")
    status = line.get("status") or {}
    for name, what in (("camera", "camera"), ("panel", "panel"), ("journal", "writing")):
        part = status.get(name) or {}
        words = str(part.get("words") or "says nothing")
        yield Finding(what, _state(part), words)


def _state(part: Mapping[str, Any]) -> str:
    """Return how a finding on a part of the table is marked: a camera without a tray works, but is of no use so."""
    state = part.get("state")
    if state == "starting" or (state == "ok" and part.get("tray") == "unseen"):
        return "note"
    return "ok" if state in (None, "ok", "none") else "bad"


def _pins(settings: Settings) -> Iterator[Finding]:
    lines = len(list(settings.panel.pins()))
    yield Finding("pin map", "ok", f"{lines} of 26 GPIO lines, none twice")
    for note in pin_notes(settings.panel):
        yield Finding("pin map", "note", note)
    chips = sorted(Path("/dev").glob("gpiochip*"))
    if not chips:
        yield Finding("GPIO", "bad", "there is no /dev/gpiochip* here: not a Pi, or its kernel lacks GPIO")
    elif not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        yield Finding("GPIO", "bad", f"{chips[0]} may not be opened: add this user to the group gpio")
    else:
        yield Finding("GPIO", "ok", ", ".join(chip.name for chip in chips))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside doctor` takes."""
    parser.add_argument("--config", type=Path, help="settings file (TOML)")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="write a zip for a bug report, without secrets")
    parser.add_argument("--panel", action="store_true", help="listen to the board of buttons and tell what it says")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long --panel listens (default 30)")
    parser.add_argument("--bench", choices=("zero", "skew", "bounce"), help="measure the board, outputs as fingers")
    parser.add_argument("--outputs", type=int, nargs=2, default=None, metavar="PIN", help="BCM pins of outputs A and B")
    parser.add_argument("--trials", type=int, default=200, help="how many of each for --bench (default 200)")
    parser.add_argument("--stress", action="store_true", help="processors and disk busy meanwhile")


def run(args: argparse.Namespace) -> int:
    """Run `feltside doctor`: 0 when all is well, 1 when something is not."""
    settings = load_settings(args.config) if args.config else rescued(installed_settings(None))
    if args.bench:
        return _bench(args, settings)
    if args.panel:
        return _listen(args, settings)
    seen = list(findings(settings))
    lines = [f"{finding.state:4}  {finding.what}: {finding.words}" for finding in seen]
    print("\n".join(lines))
    if found := hotspot.kept():  # for whoever is at the table: it goes into no bundle and onto no page
        print(found.noted())
    if args.bundle:
        names = bundle.write(args.bundle, settings, report=lines)
        print(f"{args.bundle} holds {', '.join(names)}: text without secrets, to be read before it is sent.")
    return ILL if any(finding.state == "bad" for finding in seen) else WELL


def _listen(args: argparse.Namespace, settings: Settings) -> int:
    # gpiozero only where a board is asked for: importing it takes a while.
    from pi.listen import listen

    print(f"Press every contact once. Listening for {args.seconds:g} seconds.", flush=True)
    return listen(settings.panel, seconds=args.seconds, say=_said)


def _bench(args: argparse.Namespace, settings: Settings) -> int:
    from pi.bench_panel import OUTPUTS, Rig, report, stress

    outputs = (args.outputs[0], args.outputs[1]) if args.outputs else OUTPUTS
    with stress() if args.stress else nullcontext(), Rig(settings.panel, outputs=outputs) as rig:
        bound_ns = settings.table.tie_bound_ns
        holds = report(args.bench, rig, trials=args.trials, bound_ns=bound_ns, say=_said)
    print("The bound holds." if holds else "The bound does NOT hold: raise tie_ms in [table], or look at the wiring.")
    return WELL if holds else ILL


_said: Callable[[str], None] = lambda line: print(line, flush=True)  # noqa: E731


def main() -> int:
    """Run as `python -m pi.doors.doctor`."""
    parser = argparse.ArgumentParser(prog="feltside doctor", description=__doc__)
    add_arguments(parser)
    try:
        return run(parser.parse_args())
    except FeltsideError as no:
        print(f"feltside: {no}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
