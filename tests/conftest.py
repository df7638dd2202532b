"""Places and fixtures that every room's tests share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.kit.offline import Guard

# A law holds on a slow machine, too: time is measured by benchmarks alone.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
"""Worked cases and pictures that lie beside a checkout where people work on it; tests also run without."""
GUARD = Guard()


def pytest_configure(config: pytest.Config) -> None:
    """Let no test reach out."""
    GUARD.install()


@pytest.fixture(autouse=True)
def nobody_reaches_out():
    """Fail a test in which somebody, on any thread, was about to connect to another machine."""
    yield
    found, GUARD.forbidden[:] = list(GUARD.forbidden), []
    assert found == [], "a test reaches out"


@pytest.fixture(scope="session")
def vectors():
    """Return a function that reads worked cases by name; skips where they do not lie beside the checkout."""

    def read(name: str) -> list[dict[str, Any]]:
        path = SHARED / "vectors" / f"{name}.jsonl"
        if not path.exists():
            pytest.skip(f"no worked cases beside this checkout: {path.name}")
        return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]

    return read
