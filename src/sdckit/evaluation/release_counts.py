"""Release counts: the figures that a data steward reports, counted and not estimated.

For each attribute, how many values were changed and how many suppressed; before masking and after each step, how many
records violate 2-, 3- and 5-anonymity and how many re-identifications are to be expected.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of, wildcard_frequencies
from sdckit.microdata import Microdata, Role, same_value
from sdckit.release import Release, aligned

SIZES = (2, 3, 5)  # the k of k-anonymity that are counted
BEFORE, AFTER = "before masking", "after masking"


@dataclass(frozen=True)
class AttributeCounts:
    """What became of the values of one attribute, among the records that were released."""

    name: str
    present: int
    changed: int
    suppressed: int


@dataclass(frozen=True)
class KeyCounts:
    """How many records violate k-anonymity on the keys at one stage of the masking.

    `violations` counts a missing key as a value of its own, and `violations_any_value` as one that agrees with every
    value; it is None where no key is missing. The expected number of re-identifications is that of an intruder who
    knows the keys of everybody in the file and picks at random among the records that agree.
    """

    stage: str
    records: int
    violations: dict[int, int]
    violations_any_value: dict[int, int] | None
    expected_reidentifications: float


@dataclass(frozen=True)
class ReleaseCounts:
    """The counts of a release: by stage, if it has keys, and by attribute, if rows belong to records."""

    keys: tuple[str, ...]
    stages: tuple[KeyCounts, ...]
    attributes: tuple[AttributeCounts, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        stages = [
            asdict(each)
            | {
                "violations": {str(size): number for size, number in each.violations.items()},
                "violations_any_value": None
                if each.violations_any_value is None
                else {str(size): number for size, number in each.violations_any_value.items()},
            }
            for each in self.stages
        ]
        return {"keys": list(self.keys), "stages": stages, "attributes": [asdict(each) for each in self.attributes]}


def release_counts(release: Release, steps: Sequence[tuple[str, Microdata]] = ()) -> ReleaseCounts:
    """The counts of a release; `steps` are the files after each step by name, where they are known.

    >>> import polars
    >>> from sdckit.release import protect
    >>> release = protect(polars.DataFrame({"age": [31, 32, 47]}), "rounding:base=10")
    >>> counts = release_counts(release)
    >>> [(each.stage, each.violations[2]) for each in counts.stages], counts.attributes[0].changed
    ([('before masking', 3), ('after masking', 1)], 3)
    """
    keys = release.original.names(role=Role.KEY)
    stages = [(BEFORE, release.original), *steps] if len(steps) > 1 else [(BEFORE, release.original)]
    if len(steps) <= 1:
        stages.append((AFTER, release.masked))
    counted = [
        key_counts(stage, file, [name for name in keys if name in file])
        for stage, file in stages
        if any(name in file for name in keys)
    ]
    return ReleaseCounts(keys, tuple(counted), attribute_counts(release))


def key_counts(stage: str, file: Microdata, names: Sequence[str]) -> KeyCounts:
    """The counts of one file on some keys."""
    codes = file.codes(names)
    classes = class_of(codes)
    frequency = classes.sizes[classes.of]
    any_value = _violations(wildcard_frequencies(codes)) if (codes < 0).any() else None
    return KeyCounts(stage, len(file), _violations(frequency), any_value, float(len(classes.sizes)))


def attribute_counts(release: Release) -> tuple[AttributeCounts, ...]:
    """The counts of every released attribute; none where rows do not belong to records."""
    if not release.corresponds:
        return ()
    origin = release.origin
    made = origin >= 0
    counts = []
    for each in release.masked.attributes:
        if each.name not in release.original or each.role is Role.IDENTIFIER:
            continue
        present = ~release.original.absent(each.name)[origin[made]]
        gone = release.masked.absent(each.name)[made]
        changed = present & ~gone & _differs(release, each.name, made, origin[made])
        counts.append(AttributeCounts(each.name, int(present.sum()), int(changed.sum()), int((present & gone).sum())))
    return tuple(counts)


def _differs(release: Release, name: str, made: NDArray[np.bool_], records: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which released values are not the original ones; a band is one only where it has a single value."""
    before, after = release.original, release.masked
    attribute = after.attribute(name)
    if before.attribute(name).coded != attribute.coded:
        return np.ones(int(made.sum()), dtype=bool)
    column = after.columns[name][made]
    differs: NDArray[np.bool_] = before.columns[name][records] != column
    if attribute.bands is not None:
        wide = [number for number, label in attribute.bands.label_of.items() if label != same_value(number)]
        differs |= np.isin(column, wide)
    return differs


def _violations(frequency: NDArray[np.int64]) -> dict[int, int]:
    return {size: int((frequency < size).sum()) for size in SIZES}


def stage_of(number: int, name: str, file: Microdata, original: Microdata) -> tuple[str, Microdata]:
    """A file after a step, under the original's schema, with the title of the stage."""
    return f"{number} {name}", aligned(file, original)
