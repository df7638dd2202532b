"""How well the eye reads a labelled folder: `python -m vision.evaluate FOLDER [--half even|odd|all]`.

FOLDER holds NAME.jpg with NAME.json beside it, at any depth, in the form of LABELS.md. Prints a table by
family and by tag with Wilson intervals; writes the failures as pictures and a reliability diagram to --out.
With --frames N each picture is read as the table would: N frames with noise of their own, until they settle. Frames
that lie beside it (NAME.frame2.jpg and on, by `vision.drawing.traced --frames`) are taken; else noise is added to it.
A folder whose labels.json lists photographs of dice gets a table of its own (vision.trials.evaluate_dice), whole.
Progress goes to standard error. Exit status 1 if any picture was silently wrong, or any die of such photographs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.infer import DOUBT_PER_TRAY
from vision.layout import Expectation
from vision.options import apart, at_least, folder_to_write, say_progress
from vision.overlay import draw_reading
from vision.reading import Reading, Status
from vision.trials import evaluate_dice
from vision.trials.evaluate_frames import frames_of, read_settled
from vision.trials.labelled import Sample, find_samples
from vision.trials.scoring import Score, expectation_of, interval, score, wilson

EDGES = (0.0, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999, 1.0)
"""Borders of the confidences that the reliability diagram puts together."""


BUDGETS = (1e-3, 2e-3, 5e-3, DOUBT_PER_TRAY, 3e-2, 0.1, 1.0)
"""Doubts up to which a picture might be read without a question."""


@dataclass(frozen=True, slots=True)
class Result:
    """One labelled picture, read."""

    sample: Sample
    reading: Reading
    score: Score


def run(
    samples: Sequence[Sample],
    *,
    clock: Callable[[], float],
    expect: Expectation | None = None,
    frames: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Result]:
    """Return every sample read and scored. expect: None for what each family shows. frames: see `evaluate_frames`."""
    out = []
    for done, sample in enumerate(samples):
        what = expect or expectation_of(sample.truth)
        reading = read_settled(frames_of(sample, frames), expect=what, clock=clock)
        out.append(Result(sample, reading, score(reading, sample.truth)))
        progress(done + 1, len(samples))
    return out


def table(results: Sequence[Result]) -> str:
    """Return the figures as text: by family, by tag, and of everything."""
    rows: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        rows[f"family {result.sample.truth['family']}"].append(result)
    for result in results:
        for tag in result.sample.truth.get("tags", ()):
            rows[f"  {tag}"].append(result)
    above = f"{'':28} {'right at first':>24} {'right':>11} {'':>5} {'read,':>6} {'':>6} {'asked':>6}"
    head = (
        f"{'':24}{'n':>4} {'(95 % interval)':>24} {'after taps':>11} {'read':>5} {'WRONG':>6} "
        f"{'unsure':>6} {'each':>6} {'pieces wrong':>13} {'colours':>11} {'ms':>6}"
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
    share = f"{right}/{len(scores)} {interval(right, len(scores))}"
    return (
        f"{name:24}{len(scores):4d} {share:>24} {sum(s.right_after_taps for s in scores):11d} "
        f"{sum(s.status.value == 'read' for s in scores):5d} {sum(s.silently_wrong for s in scores):6d} "
        f"{len(unsure):6d} {asked:6.1f} {f'{wrong}/{items}':>13} {f'{misnamed}/{colours}':>11} {ms:6.0f}"
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


def reliability(results: Iterable[Result]) -> list[tuple[float, float, int, float]]:
    """Return (low, high, number, share right) for each band of confidence that occurs."""
    pairs = [pair for r in results for pair in r.score.confidences]
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


def write_failures(results: Iterable[Result], out: Path) -> int:
    """Write every picture that was not read right and sure, drawn over, with an index page; return how many.

    Those of one name, from several folders, are numbered, and none is drawn over a picture that was read.
    """
    given, rows = list(results), []
    places = apart(out, [str(result.sample.picture) for result in given], ending=".jpg")
    for result in given:
        s, path = result.score, places[str(result.sample.picture)]
        if s.right and s.status is s.wanted:
            continue
        drawn = draw_reading(result.sample.pixels(), result.reading)
        path.write_bytes(cv2.imencode(path.suffix, drawn, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
        words = ", ".join(result.reading.problems.words())
        rows.append(
            f"<h2>{escape(path.stem)}: {s.status.value} (wanted {s.wanted.value}) {escape(words)}</h2>"
            f"<p>{escape('; '.join(s.wrong))} asked {s.asked}</p><img src='{escape(path.name)}'>"
        )
    page = "<!doctype html><meta charset='utf-8'><title>What the eye got wrong</title>" + "\n".join(rows)
    (out / "index.html").write_text(page, "utf-8")
    return len(rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Read a labelled folder and print the figures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("even", "odd", "all"), default="all")
    parser.add_argument("--expect", type=_expected, default=None, help="the same for every picture")
    parser.add_argument("--family", action="append", default=None, help="only these families")
    parser.add_argument("--frames", type=at_least(1), default=1, help="frames of each scene (default: one, as is)")
    parser.add_argument("--out", type=Path, default=None, help="folder for failures and diagram")
    parser.add_argument("--list", action="store_true", help="one line a picture")
    options = parser.parse_args(argv)
    if not options.folder.is_dir():
        print(f"{options.folder}: no such folder", file=sys.stderr)
        return 2
    pictures = partial(say_progress, "pictures")
    try:
        dice = evaluate_dice.load_labels(options.folder)
        if dice is not None:
            return _of_dice(options, parser, dice)
        samples = find_samples(options.folder, half=options.half, families=options.family)
        if options.out is not None:
            folder_to_write(options.out)
        clock = time.process_time
        results = run(samples, clock=clock, expect=options.expect, frames=options.frames, progress=pictures)
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.list:
        for r in results:
            mark = "SILENT" if r.score.silently_wrong else "ok" if r.score.right else "wrong"
            words, wrong = " ".join(r.reading.problems.words()), "; ".join(r.score.wrong[:6])
            status = r.score.status.value
            print(f"{r.sample.name:12} {status:8} {mark:7} asked {r.score.asked:2d} [{words}] {wrong}")
    print("\n\n".join([table(results), pieces(results), coverage(results), stages(results)]))
    if options.out is not None:
        try:
            count = write_failures(results, options.out)
            (options.out / "reliability.svg").write_text(reliability_svg(reliability(results)), "utf-8")
        except OSError as problem:
            print(f"{options.out}: the failures cannot be written there ({problem.strerror})", file=sys.stderr)
            return 2
        print(f"{count} failures and the reliability diagram are in {options.out}", file=sys.stderr)
    return 1 if any(r.score.silently_wrong for r in results) else 0


def _of_dice(
    options: argparse.Namespace, parser: argparse.ArgumentParser, labels: Sequence[evaluate_dice.Label]
) -> int:
    """Print the figures of photographs of dice; return the exit status."""
    given = [name for name, value in vars(options).items() if name != "folder" and value != parser.get_default(name)]
    if given:
        print(f"--{given[0]} is not for photographs of dice, which {options.folder} holds", file=sys.stderr)
        return 2
    counts = evaluate_dice.evaluate(options.folder, labels, progress=partial(say_progress, "pictures"))
    print(evaluate_dice.table(counts))
    return 1 if any(count.sure_wrong or count.invented_sure for count in counts.values()) else 0


def _expected(text: str) -> Expectation:
    """Return what is expected; for argparse."""
    try:
        return Expectation.parse(text)
    except VisionError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


if __name__ == "__main__":
    sys.exit(main())
