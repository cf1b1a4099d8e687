"""Attacks on a sample of the records: each is looked for among all rows of the release, so none is easier to find.

The sample is drawn at random; its size is stated with the figure, and the interval is that of the sample. The masked
keys of all rows are in memory, and nothing else.
"""

from dataclasses import replace

import numpy as np

from sdckit.attribute import Role
from sdckit.engines.pair import Pair
from sdckit.errors import NotMeasuredError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.memory import gigabytes
from sdckit.microdata import Microdata
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.linkage.distance_linkage import DistanceLinkage
from sdckit.risk.linkage.mixed_linkage import MixedLinkage
from sdckit.rows import NOBODY, correspondence

TARGETS = 1_000  # records that are looked for
COPIES = 8  # of the masked keys that an attack has in memory: values, scaled values, the tree, orders


def attacks_a_sample(measure: Measure) -> bool:
    """Whether an attack on each record is made by itself, so that a sample of the records shows the same risk."""
    return isinstance(measure, DistanceLinkage | MixedLinkage)


def score_of_sample(
    measure: Measure,
    pair: Pair,
    memory: int,
    keys: tuple[str, ...] | None = None,
    targets: int = TARGETS,
    seed: int | None = None,
) -> Score:
    """The score of an attack on a sample of the records."""
    names = keys or pair.keys()
    needed = COPIES * 8 * pair.records * len(names)
    if needed > memory:
        raise NotMeasuredError(
            f"it needs the masked keys in memory: about {gigabytes(needed)}, and {gigabytes(memory)} are "
            "allowed; allow more (--memory), or measure a sample of the records in memory (--engine memory)"
        )
    release = release_of_sample(pair, names, targets, seed)
    score = measure.measure(release, Intruder(attributes=names), seed=seed)
    details = {**score.details, "sampled_records": len(release.original), "rows": pair.records}
    return replace(score, by_record=None, details=details)


def release_of_sample(pair: Pair, names: tuple[str, ...], targets: int, seed: int | None) -> Release:
    """Some records, and all released rows."""
    rng = child(generator(0 if seed is None else seed), "sampled targets")
    count = min(targets, pair.records)
    chosen = np.sort(rng.choice(pair.records, count, replace=False))
    origin = np.full(pair.records, NOBODY, dtype=np.int64)
    origin[chosen] = np.arange(count)
    original = _records(pair, names, chosen)
    masked = pair.masked.in_memory(names)
    return Release(original, masked, None, correspondence(origin, count))


def _records(pair: Pair, names: tuple[str, ...], chosen: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Microdata:
    file = pair.original
    pieces = []
    for part in range(len(file.cut)):
        start, end = file.cut.span(part)
        own = chosen[(chosen >= start) & (chosen < end)] - start
        columns = file.columns(part, names)
        pieces.append({name: column[own] for name, column in columns.items()})
    sample = file.header.chunk({name: np.concatenate([piece[name] for piece in pieces]) for name in names})
    return sample.with_columns({}, [replace(each, role=Role.KEY) for each in sample.attributes])
