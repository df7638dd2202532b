"""What an evaluation leaves behind: the failures as pictures on one page, and the reliability diagram."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

import cv2

from vision.options import apart
from vision.tray.rectify import Image
from vision.trials.scoring import wilson

EDGES = (0.0, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999, 1.0)
"""Borders of the confidences that the reliability diagram puts together."""

Said = tuple[float, bool]
"""How sure a piece was said to be, and whether it was right."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A picture that was not read right and sure."""

    picture: Path
    title: str
    words: str
    drawn: Callable[[], Image]
    """The picture with what was read drawn over it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a folder."""

    text: str
    """The tables."""
    said: tuple[Said, ...]
    failures: tuple[Failure, ...]
    silently_wrong: bool
    """Whether anything wrong was passed off as sure."""


def write_outcome(outcome: Outcome, out: Path, *, pictures: Sequence[Path]) -> None:
    """Write page and diagram. pictures: all that were read, over none of which anything is drawn; raises OSError."""
    write_failures(outcome.failures, out, pictures=pictures)
    (out / "reliability.svg").write_text(reliability_svg(reliability(outcome.said)), "utf-8")


def reliability(pairs: Sequence[Said]) -> list[tuple[float, float, int, float]]:
    """Return (low, high, number, share right) for each band of confidence that occurs."""
    out = []
    for low, high in zip(EDGES, EDGES[1:], strict=False):
        right = [ok for c, ok in pairs if low <= c < high or (high == 1.0 and c >= 1.0)]
        if right:
            out.append((low, high, len(right), sum(right) / len(right)))
    return out


def reliability_svg(bands: Sequence[tuple[float, float, int, float]]) -> str:
    """Return the reliability diagram as SVG: how often a reading of that confidence was right, with intervals."""
    width, height, left, top = 640, 360, 60, 30
    step = (width - left - 20) / max(1, len(bands))

    def y(share: float) -> float:
        return top + (1 - share) * (height - top - 60)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18" font-size="14">Said sure, was right: share of pieces by confidence</text>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<path d="M{left} {y(tick):.1f}H{width - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.2f}</text>')
    for k, (low, high, number, share) in enumerate(bands):
        x = left + (k + 0.5) * step
        a, b = wilson(round(share * number), number)
        parts += [
            f'<rect x="{x - step * 0.3:.1f}" y="{y(share):.1f}" width="{step * 0.6:.1f}" '
            f'height="{y(0) - y(share):.1f}" fill="#7aa6c2"/>',
            f'<path d="M{x - step * 0.38:.1f} {y((low + high) / 2):.1f}h{step * 0.76:.1f}" '
            'stroke="#c03" stroke-width="2"/>',
            f'<path d="M{x:.1f} {y(a):.1f}V{y(b):.1f}" stroke="#234" stroke-width="2"/>',
            f'<text x="{x:.1f}" y="{y(0) + 16:.1f}" text-anchor="middle">{low:g}-{high:g}</text>',
            f'<text x="{x:.1f}" y="{y(0) + 32:.1f}" text-anchor="middle" fill="#555">n {number}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def write_failures(failures: Iterable[Failure], out: Path, *, pictures: Sequence[Path]) -> int:
    """Write every failure drawn over, with an index page; return how many. pictures: as `write_outcome` has it.

    Those of one name, from several folders, are numbered.
    """
    rows, places = [], apart(out, [str(path) for path in pictures], ending=".jpg")
    for failure in failures:
        path = places[str(failure.picture)]
        path.write_bytes(cv2.imencode(path.suffix, failure.drawn(), [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
        rows.append(
            f"<h2>{escape(path.stem)}: {escape(failure.title)}</h2>"
            f"<p>{escape(failure.words)}</p><img src='{quote(path.name)}'>"
        )
    page = "<!doctype html><meta charset='utf-8'><title>What the eye got wrong</title>"
    style = "<style>body{font-family:sans-serif;max-width:80rem;margin:auto}img{max-width:100%}</style>"
    (out / "index.html").write_text(page + style + "<img src='reliability.svg'>" + "\n".join(rows), "utf-8")
    return len(rows)
