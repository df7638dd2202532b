"""Where a taught set is kept: `own_set.npz` in the state folder, written whole or not at all, undone by one step.

Whatever goes out of force is kept aside under a name of its own, `own_set.off.N.npz`, the last KEPT of them: undoing
can be undone too, in any order. The highest number comes back first. Whenever the power goes a set is in force, the one
before or the new one, and none is lost; at worst one is kept twice.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pi.durable import sync, write_bytes
from pi.errors import FeltsideError
from vision.errors import BadOwnSet
from vision.own_set import OwnSet, from_bytes, to_bytes
from vision.teaching.teach_fit import fit

IN_FORCE = "own_set.npz"
ASIDE = re.compile(r"own_set\.off(?:\.(-?\d+))?\.npz")
"""Names of the sets aside; without a number one of an earlier version."""
KEPT = 5
"""So many sets stay aside, some hundred kilobytes each."""


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

    def aside(self) -> list[Path]:
        """Return where the sets lie that were in force before, the one that comes back next first."""
        return [path for _, path in sorted(self._numbered(), reverse=True)]

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
            write_bytes(self.path, to_bytes(own))
        except OSError:
            return own  # a card that takes nothing: fitted again next time
        return own

    def put_in_force(self, data: bytes) -> None:
        """Let a set count from now on; the one before goes aside. Raises BadOwnSet for bytes that hold none."""
        from_bytes(data)
        draft = self.path.with_suffix(".new")
        write_bytes(draft, data)
        if self.path.is_file():
            self._keep(self._last() + 1)
        draft.replace(self.path)
        self._thin_out()

    def forget(self) -> None:
        """Let the shipped models count again; the set goes aside. Raises NoSetTaught where they do already."""
        if not self.path.is_file():
            raise NoSetTaught(f"no set is taught (expected one to be forgotten), at {self.path}")
        self._keep(self._last() + 1)
        self.path.unlink()
        self._thin_out()

    def recall(self) -> None:
        """Bring back the set that was put aside last; the one in force goes behind all others, so each comes round.

        Raises NoSetTaught without one.
        """
        aside = self.aside()
        if not aside:
            raise NoSetTaught(f"no earlier set is kept (expected one to be brought back), in {self.state}")
        if self.path.is_file():
            self._keep(min(number for number, _ in self._numbered()) - 1)
        aside[0].replace(self.path)
        aside[0].unlink(missing_ok=True)  # two names of one file, after a power cut, stay two
        os.utime(self.path)  # the same bytes as some time ago are news to whoever goes by the file's mark
        sync(self.state)

    def _numbered(self) -> list[tuple[int, Path]]:
        found = ((ASIDE.fullmatch(path.name), path) for path in self.state.glob(f"{self.path.stem}.off*"))
        return [(int(name[1] or 0), path) for name, path in found if name]

    def _last(self) -> int:
        return max((number for number, _ in self._numbered()), default=0)

    def _keep(self, number: int) -> None:
        """Give the set in force a second name, which none has; it stays in force."""
        name = self.state / f"{self.path.stem}.off.{number}.npz"
        try:
            os.link(self.path, name)
        except FileExistsError:
            raise
        except OSError:  # a card whose files have one name each
            write_bytes(name, self.path.read_bytes())
        sync(self.state)

    def _thin_out(self) -> None:
        for path in self.aside()[KEPT:]:
            path.unlink(missing_ok=True)
        sync(self.state)
