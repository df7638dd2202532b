"""A picture that is seen again and again, as of a tray that lies still, is searched once in all tests that say so."""

from __future__ import annotations

import hashlib
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


def _pixels(picture: np.ndarray) -> tuple[Any, ...]:
    return hashlib.sha1(np.ascontiguousarray(picture)).digest(), picture.shape
