"""Where a taught set is kept: `own_set.npz` in the state folder, written whole or not at all, undone by one step.

Forgetting moves the file aside and never deletes it, so that undoing can be undone too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pi.durable import sync
from pi.errors import FeltsideError
from vision.errors import BadOwnSet
from vision.own_set import OwnSet, from_bytes, to_bytes
from vision.teaching.teach_fit import fit

IN_FORCE = "own_set.npz"
ASIDE = "own_set.off.npz"


class NoSetTaught(FeltsideError, LookupError):
    """Raised when there is no taught set to be forgotten, or none to be brought back."""


@dataclass(frozen=True, slots=True)
class OwnSetFile:
    """The file in a state folder."""

    state: Path

    @property
    def path(self) -> Path:
        """Where the set in force lies."""
        return self.state / IN_FORCE

    @property
    def aside(self) -> Path:
        """Where the one lies that was in force before."""
        return self.state / ASIDE

    def mark(self) -> tuple[int, int] | None:
        """Return what changes whenever another set comes into force; None where none is."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def load(self) -> OwnSet | None:
        """Return the set in force, fitted to the shipped nets; None without one. Raises BadOwnSet for a damaged file.

        Fitting anew (only after the shipped nets changed) takes seconds; the fit is then kept, where that can be.
        """
        try:
            own = from_bytes(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as no:
            raise BadOwnSet(f"the taught set cannot be read ({no.strerror or no})") from None
        if own.fitted:
            return own
        own = fit(own)
        try:
            self._write(self.path, to_bytes(own))
        except OSError:
            return own  # a card that takes nothing: fitted again next time
        return own

    def put_in_force(self, data: bytes) -> None:
        """Let a set count from now on; the one before goes aside. Raises BadOwnSet for bytes that hold none."""
        from_bytes(data)
        draft = self.path.with_suffix(".new")
        self._write(draft, data)
        if self.path.is_file():
            self.path.replace(self.aside)
        draft.replace(self.path)
        sync(self.state)

    def forget(self) -> None:
        """Let the shipped models count again; raises NoSetTaught where they do already."""
        try:
            self.path.replace(self.aside)
        except FileNotFoundError:
            raise NoSetTaught(f"no set is taught (expected one to be forgotten), at {self.path}") from None
        sync(self.state)

    def recall(self) -> None:
        """Bring back the set that was put aside last, changing places with the one in force.

        Raises NoSetTaught without one.
        """
        if not self.aside.is_file():
            raise NoSetTaught(f"no earlier set is kept (expected one to be brought back), at {self.aside}")
        between = self.path.with_suffix(".between")
        if self.path.is_file():
            self.path.replace(between)
        self.aside.replace(self.path)
        if between.is_file():
            between.replace(self.aside)
        os.utime(self.path)  # the same bytes as some time ago are news to whoever goes by the file's mark
        sync(self.state)

    def _write(self, path: Path, data: bytes) -> None:
        draft = path.with_suffix(".part")
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
