"""What was drawn to learn from, on disk: a folder for each split, in it a NumPy file for each array."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np


class Growing:
    """A split that grows sample by sample, each written as it comes: none is kept in memory. Use as a context.

    It is there (`was_drawn`) when the context has been left without an error, and only then.
    """

    def __init__(self, data: Path, split: str) -> None:
        """Begin anew, in a folder beside the one that it will be."""
        self._whole, self._begun = data / split, data / f".{split}"
        self._files: dict[str, BinaryIO] = {}
        self._kinds: dict[str, tuple[np.dtype[np.generic], tuple[int, ...]]] = {}
        self._lengths: dict[str, int] = {}

    def __enter__(self) -> Growing:
        """Return itself."""
        shutil.rmtree(self._begun, ignore_errors=True)
        self._begun.mkdir(parents=True)
        return self

    def add(self, sample: Mapping[str, np.ndarray]) -> None:
        """Write arrays behind those that came before by the same names; raise ValueError where they do not fit."""
        if self._kinds and set(sample) != set(self._kinds):
            raise ValueError(f"a sample of {self._whole.name} has {sorted(sample)} (expected {sorted(self._kinds)})")
        for name, array in sample.items():
            kind = array.dtype, array.shape[1:]
            if self._kinds.setdefault(name, kind) != kind:
                raise ValueError(f"{name} of {self._whole.name} is {kind} (expected {self._kinds[name]}, as before)")
        for name, array in sample.items():
            if name not in self._files:
                self._files[name] = (self._begun / f"{name}.npy").open("wb")
                self._head(name)
            self._files[name].write(np.ascontiguousarray(array).data)
            self._lengths[name] = self.length(name) + len(array)

    def length(self, name: str) -> int:
        """Return how many rows of an array are written."""
        return self._lengths.get(name, 0)

    def _head(self, name: str) -> None:
        """Write what says how long the file is. NumPy leaves room in it for any number of rows."""
        (dtype, shape), file = self._kinds[name], self._files[name]
        file.seek(0)
        head = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False}
        np.lib.format.write_array_header_1_0(file, {**head, "shape": (self.length(name), *shape)})

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the files; where all went well, put them where they belong."""
        for name, file in self._files.items():
            self._head(name)
            file.close()
        if kind is None:
            shutil.rmtree(self._whole, ignore_errors=True)
            self._begun.rename(self._whole)
        else:
            shutil.rmtree(self._begun, ignore_errors=True)


FONTS = "fonts.pickle"
"""In the folder of a drawn set: the fonts in which it is, drawn before all else."""


def was_begun(data: Path) -> bool:
    """Return whether anything was drawn in a folder."""
    return (data / FONTS).is_file()


def was_drawn(data: Path, split: str) -> bool:
    """Return whether a split was drawn to its end: without POV-Ray there are no traced ones."""
    return (data / split).is_dir()


def load(data: Path, split: str, *names: str) -> list[np.ndarray]:
    """Return arrays of a split by their names; raise FileNotFoundError where there is none."""
    return [np.load(data / split / f"{name}.npy") for name in names]


def load_all(data: Path, splits: Iterable[str], *names: str) -> list[np.ndarray]:
    """Return arrays by their names, put together from those of the splits that were drawn; one at least must be."""
    parts = [load(data, split, *names) for split in splits if was_drawn(data, split)]
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
