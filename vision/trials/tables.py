"""What was read of labelled trays, as tables of text: by family and tag, by piece, by doubt, by stage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.infer import DOUBT_PER_TRAY
from vision.layout import Expectation
from vision.reading import Reading, Status
from vision.trials.labelled import Sample
from vision.trials.scoring import Score, fraction, interval, wilson

BUDGETS = (1e-3, 2e-3, 5e-3, DOUBT_PER_TRAY, 3e-2, 0.1, 1.0)
"""Doubts up to which a picture might be read without a question."""


@dataclass(frozen=True, slots=True)
class Result:
    """One labelled picture, read."""

    sample: Sample
    reading: Reading
    score: Score


def table(results: Sequence[Result]) -> str:
    """Return the figures as text: by family, by tag, and of everything."""
    rows: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        rows[f"family {result.sample.truth['family']}"].append(result)
    for result in results:
        for tag in result.sample.truth.get("tags", ()):
            rows[f"  {tag}"].append(result)
    above = f"{'':28} {'right at first':>24} {'right':>11} {'':>5} {'read,':>6} {'':>6} {'':>24} {'asked':>6}"
    head = (
        f"{'':24}{'n':>4} {'(95 % interval)':>24} {'after taps':>11} {'read':>5} {'WRONG':>6} {'most':>6} "
        f"{'unsure (95 % interval)':>24} {'each':>6} {'pieces wrong':>13} {'colours':>11} {'ms':>6}"
    )
    lines = [above, head] + [_row(name, rows[name]) for name in sorted(rows, key=lambda n: (n[0] == " ", n))]
    return "\n".join([*lines, _row("all", list(results))])


def _row(name: str, results: Sequence[Result]) -> str:
    scores = [r.score for r in results]
    right = sum(s.right for s in scores)
    unsure = [s for s in scores if s.status.value == "unsure"]
    asked = sum(s.asked for s in unsure) / max(1, len(unsure))
    given = [s for s in scores if s.given]
    items, wrong = sum(s.items for s in given), sum(len(s.wrong) for s in given)
    colours, misnamed = sum(s.colour_items for s in given), sum(s.colour_wrong for s in given)
    ms = float(np.median([sum(r.reading.milliseconds.values()) for r in results])) if results else 0.0
    rights = fraction(right, len(scores))
    read, silent = sum(s.status is Status.READ for s in scores), sum(s.silently_wrong for s in scores)
    most = f"{100 * wilson(silent, read)[1]:.1f} %" if read else ""
    doubted = fraction(len(unsure), len(scores))
    return (
        f"{name:24}{len(scores):4d} {rights:>24} {sum(s.right_after_taps for s in scores):11d} "
        f"{read:5d} {silent:6d} {most:>6} {doubted:>24} {asked:6.1f} "
        f"{f'{wrong}/{items}':>13} {f'{misnamed}/{colours}':>11} {ms:6.0f}"
    )


def pieces(results: Sequence[Result]) -> str:
    """Return right pieces and right colours as text, each with its Wilson interval: tiles, dice, disks."""
    lines = [f"{'pieces':24}{'right':>12} {'95 % interval':>17} {'sure, wrong':>12} {'at most':>9}"]
    for name, kinds in (("tiles", None), ("dice", Expectation.DICE), ("disks", Expectation.DISKS)):
        loose = (Expectation.DICE, Expectation.DISKS)
        scores = [r.score for r in results if r.score.wanted is Status.READ]
        scores = [s for s in scores if (s.expect is kinds if kinds else s.expect not in loose)]
        given = [s for s in scores if s.given]
        items, wrong = sum(s.items for s in given), sum(len(s.wrong) for s in given)
        if items:
            sure = sum(s.wrong_sure for s in given)
            lines.append(
                f"{_share(name, max(0, items - wrong), items)} {sure:12d} {_percent(wilson(sure, items)[1]):>9}"
            )
        named, misnamed = sum(s.colour_items for s in given), sum(s.colour_wrong for s in given)
        told, amiss = (sum(s.colour_sure[k] for s in given) for k in (0, 1))
        if named:
            share = _share(f"  colours of {name}", named - misnamed, named)
            doubted = f", {named - told} in doubt" if told < named else ""
            lines.append(f"{share} {amiss:12d} {_percent(wilson(amiss, told)[1]):>9}{doubted}")
    return "\n".join(lines)


def _share(name: str, right: int, items: int) -> str:
    return f"{name:24}{f'{right}/{items}':>12} {interval(right, items, digits=2):>17}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def coverage(results: Sequence[Result]) -> str:
    """Return what would be read, and wrongly, at other budgets of doubt (`vision.infer.DOUBT_PER_TRAY` is in force).

    A tray's doubt is the sum of its pieces'. "expected" adds up what the confidences themselves say.
    """
    scores = [r.score for r in results if r.score.wanted is Status.READ]
    scores = [s for s in scores if s.given and s.items]
    lines = [f"{'doubt a picture below':24}{'pictures':>12} {'share':>8} {'wrong':>6} {'expected':>9} {'at most':>9}"]
    for budget in BUDGETS:
        within = [s for s in scores if s.doubt < budget]
        wrong, expected = sum(not s.right for s in within), sum(s.doubt for s in within)
        most = wilson(wrong, len(within))[1]
        name = f"{budget:g}{' (in force, tiles)' if budget == DOUBT_PER_TRAY else ''}"
        lines.append(
            f"{name:24}{f'{len(within)}/{len(scores)}':>12} {_percent(len(within) / max(1, len(scores))):>8} "
            f"{wrong:6d} {expected:9.2f} {_percent(most):>9}"
        )
    return "\n".join(lines)


def stages(results: Sequence[Result]) -> str:
    """Return the median milliseconds of each stage."""
    laps: dict[str, list[float]] = defaultdict(list)
    for result in results:
        for name, ms in result.reading.milliseconds.items():
            laps[name].append(ms)
    return "  ".join(f"{name} {np.median(ms):.1f}" for name, ms in laps.items()) + "  (median ms of processor time)"
