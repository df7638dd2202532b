"""How well the eye reads a labelled folder: `python -m vision.evaluate FOLDER [--half even|odd|all]`.

FOLDER holds NAME.jpg with NAME.json beside it, at any depth, in the form of LABELS.md. Prints the goals and what was
reached, and tables by family and by tag, with Wilson intervals; writes the failures as pictures and a reliability
diagram to --out. With --frames N each picture is read as the table would: N frames with noise of their own, until
they settle. Frames that lie beside it (NAME.frame2.jpg and on, by `vision.drawing.traced --frames`) are taken; else
noise is added to it. --short reads what would be asked about in shorter exposures, too (NAME.short.jpg, then
NAME.short2.jpg, by `--short` of those who draw), as a table's camera takes them then. --bare knows each tray's felt
(NAME.bare.jpg, by `vision.drawing.marched --printed`), as a table does that was shown its own tray empty. --set reads
with a set that was taught. A folder whose labels.json lists photographs of dice, tiles or boards, or a folder of such
folders, gets tables of its own (vision.trials.photographs), whole.
Progress goes to standard error. Exit status 1 if any picture was silently wrong, or anything on such photographs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from vision.empty_tray import felt_of
from vision.errors import BadBareFelt, BadLabels, BadOwnSet, VisionError
from vision.ground.bare_felt import BareFelt
from vision.layout import Expectation
from vision.options import at_least, folder_to_read, folder_to_write, say_progress
from vision.overlay import draw_reading
from vision.own_set import OwnSet, from_bytes
from vision.teaching.teach_fit import fit
from vision.tray.rectify import Image
from vision.trials import evaluate_dice, photos_of_boards, photos_of_tiles
from vision.trials.evaluate_frames import frames_of, read_settled, short_frames_of
from vision.trials.goals import goals
from vision.trials.labelled import Sample, find_samples, unlabelled
from vision.trials.photographs import Kind, folders_of
from vision.trials.report import Failure, Outcome, write_outcome
from vision.trials.scoring import expectation_of, score
from vision.trials.tables import Result, coverage, pieces, stages, table


def run(
    samples: Sequence[Sample],
    *,
    clock: Callable[[], float],
    expect: Expectation | None = None,
    frames: int = 1,
    short: bool = False,
    owner: OwnSet | None = None,
    bare: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Result]:
    """Return every sample read and scored. expect: None for what each family shows. frames: see `evaluate_frames`.

    short: whether each is read in shorter exposures, too, before anybody is asked; raises BadLabels where there is
    none. owner: a taught set, fitted; None for the shipped models alone. bare: whether the felt is known as it was
    taken with nothing on it, where that can be; raises BadLabels where it was not taken.
    """
    out = []
    for done, sample in enumerate(samples):
        what = expect or expectation_of(sample.truth)
        shorter = short_frames_of(sample, frames) if short else []
        felt = _felt(sample) if bare else None
        seen = frames_of(sample, frames)
        reading = read_settled(seen, expect=what, clock=clock, owner=owner, bare=felt, shorter=shorter)
        out.append(Result(sample, reading, score(reading, sample.truth)))
        progress(done + 1, len(samples))
    return out


def _felt(sample: Sample) -> BareFelt | None:
    """Return the felt of a labelled picture's tray; None where its bare picture shows none, as a table would say."""
    try:
        return felt_of(sample.bare(), printed=True)
    except BadBareFelt:
        return None


def failures(results: Iterable[Result]) -> Iterator[Failure]:
    """Yield every picture that was not read right and sure."""
    for r in results:
        if r.score.right and r.score.status is r.score.wanted:
            continue
        problems = ", ".join(r.reading.problems.words())
        title = f"{r.score.status.value} (wanted {r.score.wanted.value}) {problems}"
        words = f"{'; '.join(r.score.wrong)} asked {r.score.asked}"
        yield Failure(r.sample.picture, title, words, partial(_drawn, r))


def _drawn(result: Result) -> Image:
    return draw_reading(result.sample.pixels(), result.reading)


def outcome_of(results: Sequence[Result]) -> Outcome:
    """Return what came of labelled trays."""
    rows = [
        sum(r.reading.milliseconds.values()) for r in results if r.score.expect is Expectation.ROWS and r.score.given
    ]
    ms = float(np.median(rows)) if rows else None
    parts = [
        goals([r.score for r in results], ms=ms),
        table(results),
        pieces(results),
        coverage(results),
        stages(results),
    ]
    said = tuple(pair for r in results for pair in r.score.confidences)
    wrong = any(r.score.silently_wrong for r in results)
    return Outcome("\n\n".join(parts), said, tuple(failures(results)), wrong)


def main(argv: Sequence[str] | None = None) -> int:
    """Read a labelled folder and print the figures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("even", "odd", "all"), default="all")
    parser.add_argument("--expect", type=_expected, default=None, help="the same for every picture")
    parser.add_argument("--family", action="append", default=None, help="only these families")
    parser.add_argument("--frames", type=at_least(1), default=1, help="frames of each scene (default: one, as is)")
    parser.add_argument("--short", action="store_true", help="look at shorter exposures, too, before asking")
    parser.add_argument("--bare", action="store_true", help="with each tray's felt known, from NAME.bare.jpg")
    parser.add_argument("--set", type=Path, default=None, metavar="FILE", help="own_set.npz of a table that was taught")
    parser.add_argument("--out", type=Path, default=None, help="folder for failures and diagram")
    parser.add_argument("--list", action="store_true", help="one line a picture")
    options = parser.parse_args(argv)
    try:
        photographs = folders_of(folder_to_read(options.folder))
        if photographs:
            _refuse_for_photographs(options, parser)
        if options.out is not None:
            folder_to_write(options.out)
        outcomes = _of_photographs(photographs) if photographs else [_of_trays(options)]
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    print("\n\n".join(outcome.text for outcome in outcomes))
    return _kept(outcomes, options.folder, options.out) or int(any(outcome.silently_wrong for outcome in outcomes))


def _of_trays(options: argparse.Namespace) -> Outcome:
    """Return what came of a folder of labelled trays."""
    cv2.setNumThreads(1)  # the goal is for one core
    owner = load_set(options.set) if options.set is not None else None
    samples = find_samples(options.folder, half=options.half, families=options.family)
    if skipped := unlabelled(options.folder):
        of = "one picture" if skipped == 1 else f"{skipped} pictures"
        print(f"{of} skipped: no label lies beside (expected NAME.json beside NAME.jpg or NAME.png)", file=sys.stderr)
    results = run(
        samples,
        clock=time.process_time,
        expect=options.expect,
        frames=options.frames,
        short=options.short,
        owner=owner,
        bare=options.bare,
        progress=partial(say_progress, "pictures"),
    )
    if options.list:
        print("\n".join(_listed(r) for r in results))
    return outcome_of(results)


def _listed(r: Result) -> str:
    mark = "SILENT" if r.score.silently_wrong else "ok" if r.score.right else "wrong"
    words, wrong = " ".join(r.reading.problems.words()), "; ".join(r.score.wrong[:6])
    return f"{r.sample.name:12} {r.score.status.value:8} {mark:7} asked {r.score.asked:2d} [{words}] {wrong}"


def load_set(path: Path) -> OwnSet:
    """Return a taught set as kept, fitted to the shipped nets; raise BadOwnSet for anything else."""
    try:
        own = from_bytes(path.read_bytes())
    except BadOwnSet as no:
        raise BadOwnSet(f"{path}: {no}") from no
    except OSError as no:
        raise BadOwnSet(f"{path}: cannot be read ({no.strerror}; expected the own_set.npz of a table)") from None
    return own if own.fitted else fit(own)


OUTCOMES: dict[Kind, Callable[[Path], Outcome]] = {
    "dice": evaluate_dice.outcome,
    "tiles": photos_of_tiles.outcome,
    "boards": photos_of_boards.outcome,
}


def _of_photographs(folders: Mapping[Path, Kind]) -> list[Outcome]:
    return [OUTCOMES[kind](folder) for folder, kind in folders.items()]


def _refuse_for_photographs(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Raise BadLabels for an option that photographs know nothing of."""
    known = ("folder", "out")
    given = [name for name, value in vars(options).items() if name not in known and value != parser.get_default(name)]
    if given:
        raise BadLabels(f"--{given[0]} is not for photographs, which {options.folder} holds")


def _kept(outcomes: Sequence[Outcome], folder: Path, out: Path | None) -> int:
    """Write the failures and the diagram, if asked to; return 2 where that fails."""
    if out is None:
        return 0
    whole = Outcome(
        "",
        tuple(said for outcome in outcomes for said in outcome.said),
        tuple(failure for outcome in outcomes for failure in outcome.failures),
        silently_wrong=False,
    )
    read = [path for ending in ("jpg", "jpeg", "png") for path in sorted(folder.rglob(f"*.{ending}"))]
    try:
        write_outcome(whole, out, pictures=read)
    except OSError as problem:
        print(f"{out}: the failures cannot be written there ({problem.strerror})", file=sys.stderr)
        return 2
    print(f"{len(whole.failures)} failures and the reliability diagram are in {out}", file=sys.stderr)
    return 0


def _expected(text: str) -> Expectation:
    """Return what is expected; for argparse."""
    try:
        return Expectation.parse(text)
    except VisionError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


if __name__ == "__main__":
    sys.exit(main())
