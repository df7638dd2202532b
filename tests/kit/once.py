"""A picture that is seen again and again, as of a tray that lies still, is searched once in all tests that say so."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np


def once_each(search: Callable[..., Any]) -> Callable[..., Any]:
    """Return a search of pictures that remembers what it found; it must depend on their pixels alone.

    What else is given is told apart by its value; a function, which looks at the same picture, by being there.
    """
    known: dict[Any, Any] = {}

    def found(picture: np.ndarray, *given: Any, **named: Any) -> Any:
        key = *_pixels(picture), *(callable(g) or g for g in given), *sorted(named.items())
        if key not in known:
            known[key] = search(picture, *given, **named)
        return deepcopy(known[key])

    return found


def read_each_once(read: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `vision.reader.read` that remembers what the shipped nets read of each picture, on a plain felt."""
    known: dict[Any, Any] = {}

    def found(picture: np.ndarray, *, owner: Any = None, bare: Any = None, **named: Any) -> Any:
        if owner is not None or bare is not None:
            return read(picture, owner=owner, bare=bare, **named)
        key = *_pixels(picture), *sorted(named.items())
        if key not in known:
            known[key] = read(picture, **named)
        # The one part of a reading that somebody could change.
        return replace(known[key], milliseconds=dict(known[key].milliseconds))

    return found


class Recalling:
    """A net of OpenCV's that is run once for each of its latest inputs, and recalls what it said of them."""

    def __init__(self, net: Any, *, most: int = 200) -> None:
        self._net, self._most = net, most
        self._known: dict[Any, Any] = {}
        self._given = np.zeros(0, np.float32)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._net, name)

    def setInput(self, blob: np.ndarray) -> None:
        self._given = blob

    def forward(self, *layers: Any) -> Any:
        key = *_pixels(self._given), layers
        if key not in self._known:
            self._net.setInput(self._given)
            self._known[key] = self._net.forward(*layers)
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return deepcopy(self._known[key])


def _pixels(picture: np.ndarray) -> tuple[Any, ...]:
    # Python's own hash of 64 bits takes half of the time of a cryptographic one: nobody here forges pictures.
    return hash(picture.tobytes()), picture.shape
