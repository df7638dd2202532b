"""Places and fixtures that every room's tests share."""

from __future__ import annotations

import gc
import json
import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.kit.offline import Guard
from tests.kit.once import Recalling, once_each, read_each_once

# A law holds on a slow machine, too: time is measured by benchmarks alone. The same commit is tried on the same
# examples wherever it is tested; `pytest --hypothesis-profile explore` looks for others.
settings.register_profile("house", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("house")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
"""Worked cases and pictures that lie beside a checkout where people work on it; tests also run without."""
PATIENCE_S = 120.0
"""How long anything may take that another process or thread does: the machine may be busy. Nothing waits so long."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
"""Debian's browser, the one that has no windows where there is a choice: it shows a page for half of the work."""
GUARD = Guard()
MEMORY, ENOUGH = Path("/dev/shm"), 1_000_000_000
"""A folder that is no disk, and bytes that must be free there: three times what a run takes that keeps its folders."""


LONGEST_FIRST = (
    "pi/test_nuisances",
    "browser/test_stale",
    "vision/drawing/test_traced",
    "pi/test_laid_mats",
    "vision/dice/test_reader_loose",
    "vision/drawing/test_marched",
    "pi/test_demo",
    "vision/test_teach",
    "vision/test_reader",
    "vision/trials/test_scoring",
    "pi/test_mats_camera",
    "pi/test_simulator",
    "rules/test_quests",
    "vision/training/test_standing",
    "vision/crops/test_digits",
    "vision/test_teach_order",
    "vision/ground/test_bare_felt",
    "web/test_game_matches",
    "vision/test_settle",
    "web/test_secrecy",
    "vision/test_mats",
    "browser/test_access",
    "pi/test_insisting",
    "browser/test_smoke",
    "pi/test_bracket",
    "pi/test_crash",
    "vision/tray/test_rectify",
    "vision/test_evaluate_faults",
    "vision/training/test_outline",
    "pi/test_bare_felt",
    "rules/test_every_game",
    "pi/test_panel",
    "browser/test_teach",
    "vision/frames/test_light",
    "pi/test_play",
    "pi/test_turns",
    "pi/test_draw_bridge_camera",
    "browser/test_games",
    "pi/test_corners",
    "vision/dice/test_photos",
    "vision/board/test_turning",
    "pi/test_cli",
    "pi/test_neighbours",
    "pi/test_teaching",
    "vision/board/test_upright",
    "vision/test_auto",
    "vision/tray/test_glance",
    "vision/test_teach_odd",
    "vision/drawing/test_browser",
    "pi/test_bench_panel",
    "browser/test_corners",
    "vision/ground/test_conditions",
    "vision/drawing/test_many",
    "vision/dice/test_piled",
    "web/test_no_english",
    "browser/test_layout",
    "browser/test_live",
    "browser/test_reveal",
    "vision/training/test_descent",
    "vision/board/test_tile_light",
    "vision/board/test_disorder",
    "rules/test_draw_bridge",
)
"""The files that take some seconds, longest first; when somebody's figures have changed, only time is lost."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no worker is left alone with one at the end."""
    rank = {f"tests/{name}.py": place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.nodeid.partition("::")[0], len(rank)))


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what stays: it went through thousands of tests again and again.

    A twentieth of the time of some 1,600 tests.
    """
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Let no test reach out, nor wait for a disk."""
    GUARD.install()
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH:
        # What the table says it has stored it syncs first, and so it does here: thousands of times, each for as long
        # as a disk takes. Where a test's folders lie in memory that is no time.
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(autouse=True)
def nobody_reaches_out():
    """Fail a test in which somebody, on any thread, was about to connect to another machine."""
    yield
    found, GUARD.forbidden[:] = list(GUARD.forbidden), []
    assert found == [], "a test reaches out"


@pytest.fixture(scope="session")
def searches() -> dict[str, Any]:
    """Return by name what `searched_once` has searched."""
    from vision.tray import rectify

    return {name: once_each(getattr(rectify, name)) for name in ("find_markers", "find_felt")}


@pytest.fixture
def searched_once(searches: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for a tray's markers and for its felt once in each picture: a still one is seen by the dozen."""
    for name, search in searches.items():
        monkeypatch.setattr(f"vision.tray.rectify.{name}", search)


@pytest.fixture(scope="session")
def nets() -> Any:
    """Return how the shipped nets are loaded, each as one that recalls what it said."""
    from vision.crops.nets import load_net

    return cache(lambda path: Recalling(load_net(path)))


@pytest.fixture
def asked_once(nets: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a net once for each input: tests that begin with the same picture ask the same of it."""
    monkeypatch.setattr("vision.crops.nets.load_net", nets)


@pytest.fixture(scope="session")
def readings() -> Any:
    """Return the watcher's eye that remembers what it has read."""
    from vision.reader import read

    return read_each_once(read)


@pytest.fixture
def watched_once(readings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the watcher's eye read each picture once: tests that are told of the same beginning see the same pictures."""
    monkeypatch.setattr("pi.watcher.read", readings)


@pytest.fixture(scope="session")
def vectors():
    """Return a function that reads worked cases by name; skips where they do not lie beside the checkout."""

    def read(name: str) -> list[dict[str, Any]]:
        path = SHARED / "vectors" / f"{name}.jsonl"
        if not path.exists():
            pytest.skip(f"no worked cases beside this checkout: {path.name}")
        return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]

    return read
