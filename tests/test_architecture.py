"""The import table of the house, held against the import statements."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

OURS = ("pi", "vision", "web")
TOP = {"pyproject.toml", "README.md", "pi", "vision", "web", "tests", "systemd"}

VOCABULARY = {"vision.errors", "vision.geometry", "vision.infer", "vision.layout", "vision.reading"}
"""What every room of the eye may speak of."""
UNDER_A_BOARD = {"vision.colour", "vision.crops", "vision.finding", "vision.ground", "vision.tray"}
SEES = {"numpy", "cv2"}

TABLE: dict[str, tuple[set[str], set[str] | None]] = {
    # room: (rooms of ours it may import, packages of others; None: anything installed)
    "pi.rules": ({"pi.rules"}, set()),
    "pi.odds": ({"pi.odds", "pi.rules"}, {"numpy"}),
    "vision.training": ({"vision"}, None),
    "vision.drawing.blender.inside": (set(), {"bpy", "bmesh", "mathutils", "solids", "stage", "stuff"}),
    "vision": ({"vision"}, SEES),
    # The rooms of the eye, from the ground up: none imports one that stands above it.
    "vision.tray": (VOCABULARY | {"vision.tray"}, SEES),
    "vision.colour": (VOCABULARY | {"vision.colour", "vision.tray"}, SEES),
    "vision.crops": (VOCABULARY | {"vision.crops", "vision.tray"}, SEES),
    "vision.ground": (VOCABULARY | {"vision.ground", "vision.colour", "vision.crops", "vision.tray"}, SEES),
    "vision.finding": (VOCABULARY | {"vision.finding", "vision.crops", "vision.ground", "vision.tray"}, SEES),
    "vision.board": (VOCABULARY | {"vision.board", *UNDER_A_BOARD}, SEES),
    "vision.dice": (VOCABULARY | {"vision.dice", "vision.eyes", "vision.unread", *UNDER_A_BOARD}, SEES),
    "vision.frames": (
        VOCABULARY | {"vision.frames", "vision.board", "vision.dice", "vision.unread", *UNDER_A_BOARD},
        SEES,
    ),
    "pi.journal": ({"pi.rules", "pi.errors", "pi.journal_check", "pi.journal_file"}, set()),
    "pi.journal_check": ({"pi.rules", "pi.errors", "pi.journal_file", "pi.wal"}, set()),
    "pi.journal_file": ({"pi.durable", "pi.errors"}, set()),
    "pi.durable": (set(), set()),
    "pi.archive": ({"pi.durable", "pi.errors", "pi.journal_check", "pi.journal_file"}, set()),
    "pi.inbox": ({"pi.rules", "pi.errors"}, set()),
    "pi.door": ({"pi.errors", "pi.inbox", "pi.stamps"}, set()),
    "pi.panel": (
        {"pi.rules", "pi.lamps", "pi.lights", "pi.faults", "pi.pin_map", "pi.pins", "pi.errors", "pi.settings"},
        {"gpiozero"},
    ),
    "pi.lights": ({"pi.lamps"}, set()),
    "pi.faults": ({"pi.rules", "pi.settings"}, set()),
    "pi.pin_map": ({"pi.rules", "pi.lamps", "pi.faults", "pi.settings"}, set()),
    "pi.pins": ({"pi.errors"}, {"gpiozero", "lgpio"}),
    "pi.camera": (
        {"pi.camera_light", "pi.errors", "pi.frames", "pi.settings", "pi.camera_files", "pi.simulator"},
        {"numpy", "picamera2"},
    ),
    "pi.frames": ({"pi.camera_light"}, {"numpy"}),
    "pi.camera_files": ({"pi.frames", "pi.camera_light", "pi.errors", "pi.pictures", "pi.settings"}, {"numpy", "cv2"}),
    "pi.pictures": ({"pi.errors"}, {"numpy", "cv2"}),
    "pi.camera_light": (set(), set()),
    "pi.bracket": ({"pi.camera_light", "pi.frames", "vision"}, set()),
    "pi.guard": ({"pi.frames", "vision"}, set()),
    "pi.live": ({"pi.frames", "vision"}, {"numpy", "cv2"}),
    "pi.simulator": (
        {
            "pi.frames",
            "pi.sheets.raster",
            "pi.stand_ins.mats",
            "pi.stand_ins.shuffle",
            "pi.settings",
            "pi.stand_ins.tray_on_disk",
            "vision.drawing",
        },
        {"numpy", "cv2"},
    ),
    "pi.evidence": ({"pi.frames", "pi.durable", "vision"}, {"numpy", "cv2"}),
    "pi.translate": ({"pi.stand_ins.mats", "pi.rules", "vision"}, set()),
    "pi.stand_ins.mats": (set(), set()),
    "pi.stand_ins.shuffle": ({"pi.rules"}, set()),
    "pi.sheets": ({"pi.sheets", "pi.stand_ins.mats", "pi.rules", "pi.pdf", "pi.errors"}, {"numpy", "cv2"}),
    "pi.sheets.eyes": ({"pi.sheets.raster", "pi.stand_ins.mats", "vision.mats"}, set()),
    "pi.opponents": ({"pi.opponents", "pi.rules", "pi.odds", "pi.errors"}, set()),
    "pi.watching": (
        {
            "pi.frames",
            "pi.bracket",
            "pi.camera_light",
            "pi.bare_felt",
            "pi.corners",
            "pi.evidence",
            "pi.guard",
            "pi.live",
            "pi.sheets.eyes",
            "pi.teaching",
            "pi.thin",
            "pi.translate",
            "pi.watch_words",
            "vision",
        },
        set(),
    ),
    "pi.watch_words": ({"pi.camera_light", "vision"}, set()),
    "pi.own_set_file": ({"pi.durable", "pi.errors", "vision"}, set()),
    "pi.bare_felt": ({"pi.durable", "pi.frames", "vision"}, set()),
    "pi.corners": ({"pi.durable", "pi.frames", "vision"}, set()),
    "pi.lesson": (
        {"pi.bare_felt", "pi.children", "pi.durable", "pi.errors", "pi.own_set_file", "pi.pictures", "vision"},
        {"numpy", "cv2"},
    ),
    "pi.teaching": ({"pi.durable", "pi.frames", "pi.errors", "pi.lesson", "pi.own_set_file", "vision"}, {"cv2"}),
    "pi.watcher": (
        {
            "pi.watching",
            "pi.camera",
            "pi.children",
            "pi.bare_felt",
            "pi.corners",
            "pi.frames",
            "pi.guard",
            "pi.inbox",
            "pi.errors",
            "pi.settings",
            "pi.sheets.eyes",
            "pi.teaching",
            "vision",
        },
        {"cv2"},
    ),
    "pi.referee": (
        {
            "pi.rules",
            "pi.declined",
            "pi.journal",
            "pi.inbox",
            "pi.lamps",
            "pi.pads",
            "pi.sense",
            "pi.sight",
            "pi.tryout",
            "pi.errors",
        },
        set(),
    ),
    "pi.declined": ({"pi.rules"}, set()),
    "pi.lamps": ({"pi.rules"}, set()),
    "pi.notify": (set(), set()),
    "pi.spare": ({"pi.rules", "pi.errors", "pi.journal", "pi.journal_file"}, set()),
    "web": (
        {
            "web",
            "pi.rules",
            "pi.odds",
            "pi.opponents.strengths",
            "pi.archive",
            "pi.clock",
            "pi.upkeep",
            "pi.lamps",
            "pi.journal",
            "pi.inbox",
            "pi.errors",
            "pi.rescue",
            "pi.settings",
            "pi.vitals",
            "pi.notify",
            "pi.spare",
        },
        {"flask", "werkzeug", "waitress", "segno"},
    ),
}
"""The table of the design page; the longest matching room decides."""

NEVER_FILES_OR_CLOCKS = {"time", "datetime", "random", "secrets", "threading", "logging", "os", "pathlib", "socket"}


def sources() -> list[Path]:
    return sorted(p for room in OURS for p in (ROOT / room).rglob("*.py"))


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, rooms: set[str]) -> bool:
    return any(name == room or name.startswith(room + ".") for room in rooms)


@pytest.mark.parametrize("path", sources(), ids=module_of)
def test_every_room_imports_only_what_the_table_allows(path: Path):
    module = module_of(path)
    rooms = [room for room in TABLE if within(module, {room})]
    if not rooms:
        return
    ours, others = TABLE[max(rooms, key=len)]
    for name in imports(path):
        top = name.split(".")[0]
        if name in OURS or top in sys.stdlib_module_names:
            continue
        if top in OURS:
            assert within(name, ours), f"{module} imports {name}"
        elif others is not None:
            assert top in others, f"{module} imports {name}"


def test_no_file_is_imported_by_what_it_imports():
    """A circle has no ground floor: neither of two such files can be read, tried or changed alone."""
    files = {module_of(path): path for path in sources()}

    def used(module: str) -> set[str]:
        names = {name for name in imports(files[module]) if name in files} - {module}
        # `from package import module` names both; the package's own file says nothing of the module.
        return {name for name in names if not any(other.startswith(f"{name}.") for other in names)}

    uses = {module: used(module) for module in files}
    assert len(list(TopologicalSorter(uses).static_order())) == len(files), "raises CycleError where there is a circle"


@pytest.mark.parametrize("path", [p for p in sources() if within(module_of(p), {"pi.rules"})], ids=module_of)
def test_the_counting_core_has_no_clock_files_threads_chance_or_logging(path: Path):
    assert not {name.split(".")[0] for name in imports(path)} & NEVER_FILES_OR_CLOCKS


def test_the_top_level_is_as_the_owner_fixed_it():
    seen = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")}
    assert seen <= TOP | {"artefacts"}, "artefacts/ is outside git"


def test_nothing_we_commit_names_a_place_of_one_machine():
    marks = ("/" + "work/", "/" + "tmp/w")
    for path in [*sources(), ROOT / "README.md", ROOT / "pyproject.toml", *(ROOT / "tests").rglob("*.py")]:
        assert not any(mark in path.read_text() for mark in marks), path
