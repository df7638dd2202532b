"""Pictures of distributions: bars as text for a terminal, bars as SVG for a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH_PX, LINE_PX, LABEL_PX, SHARE_PX = 640, 24, 56, 150


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a plot."""

    label: str
    share: float
    """0.0 to 1.0."""
    note: str = ""
    """Shown behind the share: a number of ways, a standard error."""


def percent(share: float) -> str:
    """Return a share for people: four significant digits, never a chance that is not 0 as 0.

    >>> percent(0.622728), percent(20 / 3628800), percent(0.0), percent(1.0)
    ('62.27 %', '0.0005511 %', '0 %', '100 %')
    """
    value = 100 * share
    text = f"{value:.4g}"
    if "e-05" in text or "e-06" in text:
        text = f"{value:.8f}".rstrip("0")
    return f"{text} %"


def as_text(bars: Sequence[Bar], *, width: int = 40) -> str:
    """Return bars as lines; the longest bar has `width` blocks, a chance that is not 0 at least a point.

    >>> print(as_text([Bar("0", 0.75, "3"), Bar("1", 0.25)], width=4))
    0 #### 75 % (3)
    1 #    25 %
    """
    if not bars:
        return ""
    most = max(bar.share for bar in bars) or 1.0
    labels = max(len(bar.label) for bar in bars)
    lines = []
    for bar in bars:
        blocks = "#" * round(width * bar.share / most) or ("." if bar.share else "")
        note = f" ({bar.note})" if bar.note else ""
        lines.append(f"{bar.label:>{labels}} {blocks:<{width}} {percent(bar.share)}{note}")
    return "\n".join(lines)


def as_svg(bars: Sequence[Bar], *, title: str, caption: str = "", write: Callable[[float], str] = percent) -> str:
    """Return bars as a complete SVG picture that follows the page's text colour and reads aloud by its title.

    write: how a share is written for people; another language may have another point.
    """
    most = max((bar.share for bar in bars), default=1.0) or 1.0
    # A letter is about 8 px wide at this size: "1 2 3 4 5" needs more room than "10+".
    left = max([LABEL_PX, *(8 * len(bar.label) + 12 for bar in bars)])
    room = WIDTH_PX - left - SHARE_PX
    height = LINE_PX * (len(bars) + (3 if caption else 2))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH_PX} {height}" role="img" '
        'font-family="sans-serif" font-size="14" fill="currentColor">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape('; '.join(f'{bar.label}: {write(bar.share)}' for bar in bars))}</desc>",
        f'<text x="0" y="{LINE_PX - 6}" font-weight="bold">{escape(title)}</text>',
    ]
    for line, bar in enumerate(bars, start=1):
        length, top = room * bar.share / most, LINE_PX * line + 4
        parts.append(
            f'<text x="{left - 8}" y="{top + 14}" text-anchor="end">{escape(bar.label)}</text>'
            f'<rect x="{left}" y="{top}" width="{length:.2f}" height="{LINE_PX - 6}" rx="2" fill="#2a6f97"/>'
            f'<text x="{left + length + 6:.2f}" y="{top + 14}">{write(bar.share)}</text>'
        )
    if caption:
        parts.append(f'<text x="0" y="{height - 8}" font-size="12">{escape(caption)}</text>')
    return "\n".join([*parts, "</svg>", ""])
