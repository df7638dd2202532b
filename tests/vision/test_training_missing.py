"""Whoever wants to train and has not installed what that takes is told so in a sentence."""

from __future__ import annotations

import runpy
import sys

import pytest


def test_without_pytorch_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("vision.training.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(SystemExit) as end:
        runpy.run_module("vision.training", run_name="__main__")
    assert end.value.code == 2
    assert "torch is not installed" in capsys.readouterr().err
