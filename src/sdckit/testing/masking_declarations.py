"""What every masking declares is so: its rows, its locality, that it draws values, and what it preserves."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import FitsThenApplies, PreservesStatistics, Statistic
from sdckit.catalogue import Entry
from sdckit.draws import Draws
from sdckit.masking import Locality
from sdckit.microdata import Microdata
from sdckit.release import protect
from sdckit.rows import Rows, Unrelated
from sdckit.testing.files import same_columns, snapshot
from sdckit.testing.masking_checks import SEED, attempts, releases

ROUNDING = 1e-9  # of the size of the values: what floating point may change in a sum
CHUNKS = (7, 30)  # records at a time


def rows_are_as_declared(entry: Entry) -> None:
    declared = attempts(entry)[0].masking.rows
    for description, release in releases(entry):
        records, lineage = len(release.original), release.masked.lineage
        if declared is Rows.SYNTHESISED:
            assert isinstance(release.rows, Unrelated), f"synthesised rows belong to records on {description}"
            assert lineage is None or (lineage < 0).all(), f"synthesised rows have a lineage on {description}"
            continue
        if lineage is None:
            assert declared is Rows.KEPT, f"no lineage says which records were sampled on {description}"
            assert len(release.masked) == records, f"the number of rows changed without a lineage on {description}"
            continue
        assert len(lineage) == len(release.masked), f"the lineage has another length than the file on {description}"
        assert (lineage >= 0).all() and (lineage < records).all(), f"the lineage names no record on {description}"
        assert len(np.unique(lineage)) == len(lineage), f"a record has two rows on {description}"
        if declared is Rows.KEPT:
            assert len(lineage) == records, f"records were dropped, though rows are declared kept, on {description}"


def a_file_masked_in_chunks_comes_out_as_masked_whole(entry: Entry) -> None:
    if attempts(entry)[0].masking.locality is not Locality.ROW:
        return
    for tried in attempts(entry):
        masking = tried.masking
        assert isinstance(masking, FitsThenApplies), "it is declared to mask row by row and has no fit"
        if tried.release is None:
            continue
        draws = Draws.of(SEED, len(tried.data))
        whole = masking.protect(tried.data, tried.names, draws=draws)
        plan = masking.fit(tried.data, tried.names)
        for rows in chunks(len(tried.data)):
            part = plan.apply(tried.data.take(rows), draws.for_records(rows))
            same = same_columns(snapshot(part), snapshot(whole.take(rows)))
            assert same, f"records {rows[0]} to {rows[-1]} differ when masked by themselves on {tried.description}"


def chunks(records: int) -> Iterator[NDArray[np.int64]]:
    """The numbers of some records: chunks of two sizes, a single record, and some that do not follow each other."""
    for size in CHUNKS:
        for start in range(0, records, size):
            yield np.arange(start, min(start + size, records))
    yield np.array([records - 1])
    yield np.arange(0, records, 3)[::-1]


def values_that_are_drawn_differ_between_seeds(entry: Entry) -> None:
    first = attempts(entry)[0]
    if not first.masking.draws_values:
        return
    one, other = (protect(first.data, first.masking, first.names, seed=seed).masked for seed in (SEED, SEED + 1))
    for name in filter(lambda name: is_published_in_full(first.data, name), first.names):
        same = np.array_equal(one.columns[name], other.columns[name], equal_nan=True)
        assert not same, f"two seeds give the same {name!r} on {first.description}; draw from `draws` alone"


def what_it_is_declared_to_preserve_is_preserved(entry: Entry) -> None:
    for tried in attempts(entry):
        if tried.release is None or not isinstance(tried.masking, PreservesStatistics):
            continue
        names = [name for name in tried.names if is_published_in_full(tried.data, name)]
        for statistic in tried.masking.preserves:
            before, after = (figures(file, names, statistic) for file in (tried.data, tried.release.masked))
            scale = figures(tried.data, names, statistic, of_magnitudes=True)
            preserved = np.nan_to_num(np.abs(before - after)) <= ROUNDING * scale
            assert preserved.all(), f"{statistic.value} are not preserved on {tried.description}"


def is_published_in_full(data: Microdata, name: str) -> bool:
    """Whether a column goes out as it is computed, neither rounded nor coded."""
    attribute = data.attribute(name)
    return not (attribute.coded or attribute.integral or attribute.decimals is not None)


def figures(
    data: Microdata, names: list[str], statistic: Statistic, *, of_magnitudes: bool = False
) -> NDArray[np.float64]:
    """A statistic of these columns, or one of its magnitude, to compare rounding errors with."""
    values = data.matrix(names)
    if of_magnitudes:
        values = np.broadcast_to(np.nan_to_num(np.abs(values)).max(axis=0, initial=0.0), values.shape)
        return values[:1].T * values[:1] if statistic is Statistic.COVARIANCES else values[:1]
    if statistic is Statistic.MEANS:
        return np.array([[column[~np.isnan(column)].mean() for column in values.T]])
    if statistic is Statistic.COVARIANCES:
        return np.atleast_2d(np.cov(values, rowvar=False)) if len(values) > 1 and names else np.empty((0, 0))
    return np.sort(values, axis=0)


CHECKS = (
    rows_are_as_declared,
    a_file_masked_in_chunks_comes_out_as_masked_whole,
    values_that_are_drawn_differ_between_seeds,
    what_it_is_declared_to_preserve_is_preserved,
)
