"""Release counts of a file in parts: the same figures as from memory, counted by the engine and part by part."""

from collections.abc import Sequence
from contextlib import suppress

from sdckit.attribute import Role
from sdckit.counts import SIZES, AttributeCounts, KeyCounts, ReleaseCounts, StepCounts
from sdckit.engines.engine import Engine
from sdckit.engines.key_classes import key_classes
from sdckit.engines.pair import Pair
from sdckit.engines.parts import WorkingFile
from sdckit.errors import NotMeasuredError
from sdckit.evaluation.release_counts import AFTER, BEFORE, attribute_counts
from sdckit.release import Release

MOST_CLASSES = 1_000_000  # combinations of keys up to which those with holes are compared with the others

Stage = tuple[str, WorkingFile, Sequence[str]]  # the title of a step, the file after it, and what it masked


def release_counts(
    original: WorkingFile, stages: Sequence[Stage], engine: Engine, *, memory: int = 2**62
) -> ReleaseCounts:
    """The counts of the original, and of the file after each step; a single step is called the masking.

    `memory`  the bytes of the run
    """
    keys = original.header.names(role=Role.KEY)
    counts = {
        each.name: AttributeCounts(each.name, original.cut.records - original.header.missing(each.name), 0, 0)
        for each in original.header.attributes
        if each.role is not Role.IDENTIFIER and all(each.name in file.header for _, file, _ in stages)
    }
    steps = []
    for title, file, masked in stages:
        counts |= {name: _attribute_counts(Pair(original, file), name, engine) for name in masked if name in counts}
        steps.append(StepCounts(title, tuple(counts.values())))
    chain = len(stages) > 1
    files = [(BEFORE, original), *((title if chain else AFTER, file) for title, file, _ in stages)]
    counted = [
        key_counts(title, file, engine, [name for name in keys if name in file.header], memory)
        for title, file in files
        if any(name in file.header for name in keys)
    ]
    return ReleaseCounts(keys, tuple(counted), tuple(counts.values()), tuple(steps) if chain else ())


def key_counts(stage: str, file: WorkingFile, engine: Engine, names: Sequence[str], memory: int) -> KeyCounts:
    """The counts of one file on some keys.

    A missing key is read as any value, too, unless the combinations are too many to be compared with each other.
    """
    found = key_classes(file, engine, tuple(names), memory=memory)
    sizes, number = found.sizes_of_classes(complete=False)
    records = sizes * number
    violations = {size: int(records[sizes < size].sum()) for size in SIZES}
    any_value = None
    if found.has_holes and number.sum() <= MOST_CLASSES:
        with suppress(NotMeasuredError):
            any_value = {size: int(found.sizes[found.any_value.frequency < size].sum()) for size in SIZES}
    return KeyCounts(stage, file.cut.records, violations, any_value, float(number.sum()))


def _attribute_counts(pair: Pair, name: str, engine: Engine) -> AttributeCounts:
    def kernel(part: int) -> tuple[int, int, int]:
        original, masked = pair.chunks(part, [name])
        (found,) = attribute_counts(Release.in_order(original, masked))
        return found.present, found.changed, found.suppressed

    every = engine.run(kernel, range(len(pair.original.cut)))
    present, changed, suppressed = (sum(column) for column in zip(*every, strict=True))
    return AttributeCounts(name, present, changed, suppressed)
