"""Commitments: proof at the reveal that a hidden prediction was not changed."""

from __future__ import annotations

from hashlib import sha256

from pi.rules.values import Seat


def commitment(*, match: str, round: int, seat: Seat, prediction: int, nonce: str) -> str:
    """Return the hex SHA-256 of what a seat locked in; it tells nothing without the nonce.

    Anyone can check it after the reveal: the text hashed is 'match/round/seat/prediction/nonce' in UTF-8.
    The nonce must be fresh and hard to guess (128 random bits or more), or seven guesses would open it.
    """
    return sha256(f"{match}/{round}/{seat}/{prediction}/{nonce}".encode()).hexdigest()
