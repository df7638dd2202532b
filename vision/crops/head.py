"""What a net's own features say of pieces that their owner has taught; put together with what the net says.

A `Head` is a linear map from the last features of a shipped net to one score for each thing taught (near 1 for
it, near 0 for others), one for pieces that lie the wrong way round and one for what is no taught piece at all.
What looks like nothing taught is left to the shipped net.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]

SHARPNESS = 18.0
"""Scores times this are logits. Measured on sets of `vision.teaching.teach_sets` (2026-11-21): 14 to 22 are alike."""
STRANGER = 0.3
"""A piece whose best score does not reach this looks like nothing taught."""
BLANK = 0.4
"""What the net's certainty that a tile lies face down adds to that: blanks it knows better than anybody."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A fit to one set, on top of one net."""

    OTHERS: ClassVar[int] = 2
    """Outputs beside those of what was taught: turned, other."""

    shows: tuple[int, ...]
    """What each of the first outputs means: an index into the net's own classes."""
    middle: Floats32
    """(features,)."""
    weights: Floats32
    """(features, len(shows) + 2)."""
    offset: Floats32
    """(len(shows) + 2,)."""
    trust: float
    """How much the net's own opinion counts where the head is at home, 0..1."""
    floor: float
    """Share of any piece that is left to the net at least."""
    net: str
    """Mark of the net the features come from."""

    def parts(self) -> dict[str, Any]:
        """Return everything as arrays to be kept."""
        return {
            "shows": np.array(self.shows, np.int16),
            "middle": self.middle,
            "weights": self.weights,
            "offset": self.offset,
            "trust": np.array(self.trust),
            "floor": np.array(self.floor),
            "net": np.array(self.net),
        }

    def scores(self, features: Floats32) -> Floats32:
        """Return (n, len(shows) + 2) for (n, features)."""
        return np.asarray((features - self.middle) @ self.weights + self.offset, np.float32)

    def mix(self, log_probs: Floats32, features: Floats32, *, blank: Floats32 | None = None) -> Opinion:
        """Return what net and head say together.

        log_probs: (n, classes) of the net. features: (n, features). blank: (n,) the net's probability that nothing
        is on the piece; None where that cannot be.
        """
        scores = self.scores(features)
        known = len(self.shows)
        # A picture can drive a linear map anywhere; no piece is liked better than those that were taught.
        scores = np.clip(scores, -1.5, 1.5)
        stranger = np.full(len(scores), STRANGER, np.float32) if blank is None else STRANGER + BLANK * blank
        every = SHARPNESS * np.column_stack([scores, stranger])
        every = np.exp(every - every.max(axis=1, keepdims=True))
        every /= every.sum(axis=1, keepdims=True)
        strange = np.clip(every[:, known:].sum(axis=1), self.floor, 1.0)
        logits = SHARPNESS * scores[:, :known] + self.trust * log_probs[:, self.shows]
        own = np.exp(logits - logits.max(axis=1, keepdims=True))
        own /= own.sum(axis=1, keepdims=True)
        mixed = strange[:, None] * np.exp(log_probs)
        mixed[:, self.shows] += (1.0 - strange)[:, None] * own
        return Opinion(
            np.log(np.maximum(mixed, 1e-12)).astype(np.float32),
            np.asarray(strange, np.float32),
            np.asarray(every[:, known] > 0.5),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What net and head say of n pieces together."""

    log_probs: Floats32
    """(n, classes)."""
    strange: Floats32
    """(n,) how much of it is the net's alone."""
    turned: NDArray[np.bool_]
    """(n,) looks like a taught piece the other way round."""
