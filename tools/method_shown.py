"""What the pages of the maskings showed when they were last looked at, as a few sums: the build compares them.

`python -m tools.method_shown` writes `docs/methods/shown.json`. A kernel that gives one per cent more, or a picture,
a case or curves that are not made any more, end the build until somebody has looked and written it anew. Of the curves
of one masking of each family a point is computed again, with what both intruders expect to find, which moves where a
share of few records does not.
"""

import json
import math
from pathlib import Path
from zlib import crc32

import numpy as np

from sdckit.catalogue import Entry, entries
from sdckit.errors import SdcError
from sdckit.graph import Graph
from sdckit.masking import Masking
from tools.method_cases import case
from tools.method_curves import NEAR, Point, outdated, scores, with_other_draws
from tools.method_curves import stored as stored_curves
from tools.method_files import Sample, pictured, reference_files
from tools.method_pictures import edge_probabilities, labels, origins, picture
from tools.monte_carlo import is_one_more_of

STORED = Path(__file__).resolve().parents[1] / "docs" / "methods" / "shown.json"
FOUND, EXPECTED = "expected_found", " expected"  # in the details of a score, and behind the label of its intruder
Shown = dict[str, float]


class OutdatedPicture(Exception):
    """A page that would show something else than was looked at, which ends the build."""


def shown(entry: Entry) -> Shown:
    """Sums over the release that the picture of a masking shows, and whether there are a picture and a case."""
    drawn, worked, curves = picture(entry), case(entry), stored_curves().get(entry.name)
    found: Shown = {
        "picture": float(drawn is not None),
        "case": float(worked is not None),
        "curves": float(bool(curves)),
    }
    if not issubclass(entry.component, Masking) or not entry.component.seeded:
        return found  # the draws are those of the operating system, so that no sum repeats
    found |= repeated(entry, curves[len(curves) // 2]) if curves and first_of_its_family(entry) else {}
    sample = pictured(entry)
    try:
        release = sample.masked(entry)
    except SdcError:
        return found
    before, after = sample.data, release.masked
    if isinstance(after, Graph):
        ends, weights = edge_probabilities(after), after.of_edges(after.weight).tolist()
        sums = ((value * weight, a, b) for ((a, b), value), weight in zip(ends.items(), weights, strict=True))
        return found | {"edges": sum(value * (a + 1) * (b + 7) for value, a, b in sums)}
    origin = origins(release)
    for name in sample.attributes:
        if after.attribute(name).categories:
            codes = [crc32(label.encode()) % 1000 for label in labels(after, name)]
            found[name] = float(np.dot(codes, np.arange(1, len(codes) + 1)))
            continue
        values = after.columns[name]
        found[name] = float(np.nansum(values * np.arange(1, len(values) + 1)))
        if origin is not None and not before.attribute(name).coded:
            found[f"{name} moved"] = float(np.nansum(np.abs(values - before.columns[name][origin])))
    return found


def first_of_its_family(entry: Entry) -> bool:
    """Whether the build repeats a point of its curves; a test repeats one of every masking, which takes longer."""
    first = next(each.name for each in own_maskings() if each.family == entry.family)
    return entry.name == first


def repeated(entry: Entry, point: Point) -> Shown:
    """A point of the curves computed again: its figures must be those stored. What the intruders expect to find."""
    sample = file_of(entry, point)
    found = scores(entry, sample, point.parameter, point.value) or {}
    figures = {label: float(score.value) for label, score in found.items()}
    if outdated(entry, sample, point, figures):
        raise OutdatedPicture(
            f"the curves of {entry.name} show {point.figures}, and the code gives {figures}; if the change is meant: "
            f"python -m tools.method_curves {entry.name}, and then python -m tools.method_shown"
        )
    return {f"{label}{EXPECTED}": score.details[FOUND] for label, score in found.items() if FOUND in score.details}


def file_of(entry: Entry, point: Point) -> Sample:
    """The file that a point of the curves is of."""
    (sample,) = (each for each in reference_files(entry) if each.name == point.file)
    return sample


def may_be_expected(entry: Entry, label: str, value: float) -> bool:
    """Whether an intruder who draws otherwise could expect so much."""
    curves = stored_curves()[entry.name]
    point = curves[len(curves) // 2]
    again = with_other_draws(entry, file_of(entry, point), point, label.removesuffix(EXPECTED))
    return is_one_more_of(value, [float(score.details[FOUND]) for score in again])


def stored() -> dict[str, Shown]:
    """What was looked at, by masking."""
    content: dict[str, Shown] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    return content


def own_maskings() -> list[Entry]:
    """The maskings of this package; another package has pages of its own."""
    return [entry for entry in entries("masking") if entry.component.__module__.startswith("sdckit.")]


def same(entry: Entry, known: Shown) -> bool:
    """Whether a page shows what is known, but for the last digits and for what intruders draw."""
    found = shown(entry)
    other = [
        label
        for label in found.keys() & known.keys()
        if not math.isclose(found[label], known[label], rel_tol=NEAR, abs_tol=2e-6)
    ]
    return found.keys() == known.keys() and all(
        label.endswith(EXPECTED) and may_be_expected(entry, label, known[label]) for label in other
    )


def refuse_outdated(entry: Entry, known: dict[str, Shown]) -> None:
    """An error where the page of a masking would show something else than was looked at."""
    if entry.name not in known or not same(entry, known[entry.name]):
        raise OutdatedPicture(
            f"the page of {entry.name} shows something else than {STORED.name} has; look at it, and if the change is "
            "meant: python -m tools.method_shown, and python -m tools.method_curves " + entry.name
        )


def rounded(sums: Shown) -> Shown:
    """Sums with eight digits."""
    return {label: float(f"{value:.8g}") for label, value in sums.items()}


def main() -> None:
    """Write what the pages show now; a masking whose curves are outdated keeps its sums and is named."""
    known, outdated, lines = stored(), [], []
    for entry in own_maskings():
        try:
            found = rounded(shown(entry))
        except OutdatedPicture:
            found = known.get(entry.name, {})
            outdated.append(entry.name)
        lines.append(f"{json.dumps(entry.name)}: {json.dumps(found)}")
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    if outdated:
        print(f"first: python -m tools.method_curves {' '.join(outdated)}")


if __name__ == "__main__":
    main()
