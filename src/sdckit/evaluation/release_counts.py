"""Release counts: the figures that a data steward reports, counted and not estimated.

For each attribute, how many values were changed and how many suppressed; before masking and after each step, how many
records violate 2-, 3- and 5-anonymity and how many re-identifications are to be expected.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.counts import SIZES, AttributeCounts, KeyCounts, ReleaseCounts, StepCounts
from sdckit.kernels.equivalence_classes import class_of, wildcard_frequencies
from sdckit.microdata import Microdata, Role, same_value
from sdckit.recipe import Recipe
from sdckit.release import Release, aligned
from sdckit.rows import Rows, Unrelated, correspondence

BEFORE, AFTER = "before masking", "after masking"


def release_counts(release: Release, steps: Sequence[tuple[str, Microdata]] = ()) -> ReleaseCounts:
    """The counts of a release.

    Synthetic rows belong to nobody: how many of them have the same keys says nothing about a record.

    `steps` are the files after each step by title, where the release was masked just now. Otherwise the steps of a
    chain are those that the release knows of from its private key; what can be counted in the two files is.

    >>> import polars
    >>> from sdckit.release import protect
    >>> release = protect(polars.DataFrame({"age": [31, 32, 47]}), "rounding:base=10")
    >>> counts = release_counts(release)
    >>> [(each.stage, each.violations[2]) for each in counts.stages], counts.attributes[0].changed
    ([('before masking', 3), ('after masking', 1)], 3)
    """
    keys = release.original.names(role=Role.KEY)
    chain = len(steps) > 1
    made = [step for number, step in enumerate(steps, 1) if not _synthesised(release, number)] if chain else []
    after = [] if isinstance(release.rows, Unrelated) else [(AFTER, release.masked)]
    files = [(BEFORE, release.original), *(made if chain else after)]
    counted = [
        key_counts(stage, file, [name for name in keys if name in file])
        for stage, file in files
        if any(name in file for name in keys)
    ]
    by_step = [_step_counts(release, number, *step) for number, step in enumerate(steps, 1)] if chain else []
    counts = ReleaseCounts(keys, tuple(counted), attribute_counts(release), tuple(by_step))
    return counts if chain or release.counts is None else with_steps(counts, release.counts)


def with_steps(counts: ReleaseCounts, known: ReleaseCounts) -> ReleaseCounts:
    """The counts of the two files, and between them those after all steps but the last, which made the second file.

    Where other attributes are the keys than while masking, the counts on the keys say nothing of these.
    """
    stages, steps = counts.stages, counts.steps
    if known.steps:
        steps = (*known.steps[:-1], replace(known.steps[-1], attributes=counts.attributes))
    if known.keys == counts.keys and len(known.stages) > 2 and len(stages) == 2:
        stages = (stages[0], *known.stages[1:-1], replace(stages[1], stage=known.stages[-1].stage))
    return replace(counts, stages=stages, steps=steps)


def _step_counts(release: Release, number: int, stage: str, file: Microdata) -> StepCounts:
    """The counts by attribute after the first steps."""
    assert release.recipe is not None
    original = release.original
    if _synthesised(release, number):
        return StepCounts(stage, attribute_counts(Release(original, file, None, Unrelated())))
    origin = np.arange(len(original)) if file.lineage is None else file.lineage
    return StepCounts(stage, attribute_counts(Release(original, file, None, correspondence(origin, len(original)))))


def _synthesised(release: Release, number: int) -> bool:
    """Whether no row belongs to a record after the first steps."""
    return release.recipe is not None and Recipe(release.recipe.steps[:number]).rows is Rows.SYNTHESISED


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
