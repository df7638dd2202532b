"""What a docstring shows is so: each example is tried (STYLE: public docstrings tell the truth)."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHOWING = sorted(
    path.relative_to(ROOT).with_suffix("")
    for room in ("pi", "vision", "web")
    for path in (ROOT / room).rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


def test_some_docstrings_show_examples() -> None:
    assert len(SHOWING) > 20


@pytest.mark.parametrize("module", SHOWING, ids=str)
def test_what_a_docstring_shows_is_so(module: Path) -> None:
    name = ".".join(module.parts).removesuffix(".__init__")
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
