"""Whoever wants to train and has not installed what that takes is told so in a sentence."""

from __future__ import annotations

import runpy
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "missing"), [("vision.training", "torch"), ("vision.training.side_by_side", "onnx")]
)
def test_the_command_says_what_to_install(module, missing, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, missing, None)
    for name in [name for name in sys.modules if name.startswith("vision.training.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(SystemExit) as end:
        runpy.run_module(module, run_name="__main__")
    assert end.value.code == 2
    assert f"{missing} is not installed" in capsys.readouterr().err
