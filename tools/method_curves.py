"""Risk and loss of every masking over its usual parameters, on two generated files: the curves on its page.

`python -m tools.method_curves` computes what is missing and writes `docs/methods/curves.json`; with names, those
maskings are computed again. A test computes sampled points once more, so that a kernel that gives other figures is
noticed; those of an intruder may differ by its Monte Carlo error.
"""

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sdckit.catalogue import Entry, entries
from sdckit.errors import SdcError
from sdckit.evaluation.assess import assess
from sdckit.graph import Graph
from sdckit.measure import Score
from sdckit.parameters import Parameter
from sdckit.release import Release
from tools.method_files import SEED, Sample, reference_files
from tools.monte_carlo import alike, is_one_more_of

STORED = Path(__file__).resolve().parents[1] / "docs" / "methods" / "curves.json"
DIGITS = 6
NEAR = 1e-4  # relative: the last digits of sums differ between processors
RISKS = {"ordinary": "ordinary-intruder", "informed": "informed-intruder"}
LOSSES = ("il1s", "pairwise-distance")
RISKS_OF_GRAPH = {"ordinary": "ordinary-graph-intruder", "informed": "informed-graph-intruder"}
LOSSES_OF_GRAPH = ("edge-loss", "clustering-loss")
LOSSES_OF_CALLS = ("edge-loss", "strength-loss")


@dataclass(frozen=True)
class Point:
    """The figures of one setting on one file; a measure that does not apply is left out."""

    file: str
    parameter: str
    value: float
    figures: dict[str, float]


def points(entry: Entry) -> Iterator[Point]:
    """Every usual value of each parameter, the other ones at their default; one point where it has none."""
    for sample in reference_files(entry):
        swept = varied(entry)
        if not swept:
            yield from point(entry, sample, "", 0.0)
        for parameter in swept:
            for value in parameter.grid:
                yield from point(entry, sample, parameter.name, value)


def varied(entry: Entry) -> list[Parameter]:
    """The parameters whose usual values are numbers."""
    return [each for each in entry.parameters if each.grid and all(isinstance(v, int | float) for v in each.grid)]


def point(entry: Entry, sample: Sample, parameter: str, value: Any) -> Iterator[Point]:
    """One point; none where the masking refuses the file."""
    found = scores(entry, sample, parameter, value)
    if found is not None:
        figures = {label: round(float(score.value), DIGITS) for label, score in found.items()}
        yield Point(sample.name, parameter, float(value), figures)


def scores(entry: Entry, sample: Sample, parameter: str, value: Any) -> dict[str, Score] | None:
    """The scores of one setting by the label of their curve, without those that do not apply; None if it is refused."""
    release = masked(entry, sample, parameter, value)
    if release is None:
        return None
    found = {}
    for label, measure in labelled_measures(sample).items():
        try:
            found[label] = assess(release, measure, seed=SEED, before=False)[measure]
        except SdcError:
            continue
    return found


def masked(entry: Entry, sample: Sample, parameter: str, value: Any) -> Release | None:
    """The release of one setting; None where the masking refuses the file."""
    try:
        return sample.masked(entry, **({parameter: value} if parameter else {}))
    except SdcError:
        return None


def outdated(entry: Entry, sample: Sample, old: Point, figures: dict[str, float]) -> list[str]:
    """The labels of what an old point has otherwise than the code gives now: losses to the last digits, risks up to the
    Monte Carlo error of the intruder."""
    labels = sorted(figures.keys() ^ old.figures.keys())
    for label in sorted(figures.keys() & old.figures.keys()):
        if not math.isclose(figures[label], old.figures[label], rel_tol=NEAR, abs_tol=2e-6):
            again = with_other_draws(entry, sample, old, label) if label in measures(sample)[0] else []
            if not (again and is_one_more_of(old.figures[label], [float(score.value) for score in again])):
                labels.append(label)
    return labels


def with_other_draws(entry: Entry, sample: Sample, old: Point, label: str) -> list[Score]:
    """The scores of the same setting by an intruder that draws otherwise."""
    release, measure = masked(entry, sample, old.parameter, old.value), labelled_measures(sample)[label]
    assert release is not None
    return [assess(each, measure, seed=SEED, before=False)[measure] for each in alike(release)]


def labelled_measures(sample: Sample) -> dict[str, str]:
    """All measures of a kind of file, by the label of their curve."""
    risks, losses = measures(sample)
    return {**risks, **{each: each for each in losses}}


def measures(sample: Sample) -> tuple[dict[str, str], tuple[str, ...]]:
    """The risks, by the label of their curve, and the losses of a kind of file."""
    if not isinstance(sample.data, Graph):
        return RISKS, LOSSES
    return RISKS_OF_GRAPH, LOSSES_OF_GRAPH if sample.data.weight is None else LOSSES_OF_CALLS


def stored() -> dict[str, list[Point]]:
    """What was computed, by masking."""
    content = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    return {name: [Point(**each) for each in of_masking] for name, of_masking in content.items()}


def write(curves: dict[str, list[Point]]) -> None:
    """One line a point, so that a change shows what changed."""
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(asdict(each))}" for each in curves[name]) + "\n]"
        for name in sorted(curves)
    ]
    STORED.parent.mkdir(exist_ok=True)
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main(names: list[str]) -> None:
    """Compute those that are named, or those that are not there yet."""
    curves = stored()
    own = [entry for entry in entries("masking") if entry.component.__module__.startswith("sdckit.")]
    for entry in own:
        if entry.name in names or (not names and entry.name not in curves):
            curves[entry.name] = list(points(entry))
            write(curves)
            print(entry.name, len(curves[entry.name]), flush=True)
    write({entry.name: curves[entry.name] for entry in own if entry.name in curves})


if __name__ == "__main__":
    main(sys.argv[1:])
